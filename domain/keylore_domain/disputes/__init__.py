"""Disputes: claims against a recorded match, the evidence, and the verdict that follows from it."""
