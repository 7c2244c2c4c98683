"""The position and what it can wait for."""
