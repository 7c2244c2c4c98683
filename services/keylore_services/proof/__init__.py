"""Proofs: the transparency log of finished matches and tournaments, and who watches it."""
