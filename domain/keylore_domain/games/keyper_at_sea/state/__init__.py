"""The position and the decisions it can wait for."""
