"""The position, and the decisions and steps it can wait for."""
