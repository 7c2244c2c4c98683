"""Keydom (1998): nine counters a family, sixteen locations, one Keymaster."""
