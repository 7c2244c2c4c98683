"""The position, what it can wait for, and small questions about it."""
