"""Keyside: land at twelve harbours, resolve them, and score every keyple that stays (2-4 seats, or solo)."""
