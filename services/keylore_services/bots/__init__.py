"""The kit for writing bots, and the built-in bots."""
