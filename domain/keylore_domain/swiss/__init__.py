"""Pairing, standings and tie-breaks."""
