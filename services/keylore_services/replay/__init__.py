"""Replay and audit of stored matches."""
