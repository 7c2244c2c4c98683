"""The arbiter: live matches, clocks, seats."""
