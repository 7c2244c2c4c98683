"""The event store: mapper, recorders, writer, followers."""
