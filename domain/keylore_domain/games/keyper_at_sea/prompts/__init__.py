"""Open decisions and their legal moves."""
