"""A position of Keydom, and the decisions and steps it can wait for."""
