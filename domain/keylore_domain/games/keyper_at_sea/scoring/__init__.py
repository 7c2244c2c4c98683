"""Final scores: units, housing, pearls, totals."""
