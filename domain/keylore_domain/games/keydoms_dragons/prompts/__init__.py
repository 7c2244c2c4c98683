"""From an open question to its legal moves, in the order that the spec fixes (§5.1)."""
