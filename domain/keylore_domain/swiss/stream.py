"""A stream of lots for searches: fast, and the same on every machine.

Matches draw from `engine.chance`, which records every draw; a search draws thousands of times, and all that
is recorded of it is its result.
"""

import hashlib
from typing import Final

_MASK: Final = (1 << 64) - 1
_STEP: Final = 0x9E3779B97F4A7C15


class Stream:
    """SplitMix64, seeded with the first 8 bytes (big-endian) of the SHA-256 of a text."""

    def __init__(self, text: str) -> None:
        self._state = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def word(self) -> int:
        """The next unsigned 64-bit number."""
        self._state = (self._state + _STEP) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, limit: int) -> int:
        """A number in 0 ... *limit* - 1: the next word, scaled down."""
        return self.word() * limit >> 64
