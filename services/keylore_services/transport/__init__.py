"""gRPC: servicers, interceptors, errors as statuses."""
