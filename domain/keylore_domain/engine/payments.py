"""Payments by pattern: which vectors of components pay a price (keydom §2 and COM-6).

A vector is a tuple of counts in the game's canonical order of types. A pattern has one character per
square: ``x`` is one component of any type; a letter stands for one type for all its squares, and different
letters stand for different types.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

Vector = tuple[int, ...]


def plus(first: Sequence[int], second: Sequence[int]) -> Vector:
    """Sum of two vectors, type by type."""
    return tuple(a + b for a, b in zip(first, second, strict=True))


def minus(first: Sequence[int], second: Sequence[int]) -> Vector:
    """Difference of two vectors, type by type."""
    return tuple(a - b for a, b in zip(first, second, strict=True))


def covers(held: Sequence[int], due: Sequence[int]) -> bool:
    """Whether *held* holds at least *due* of each type."""
    return all(a >= b for a, b in zip(held, due, strict=True))


def unit(types: int, index: int, count: int = 1) -> Vector:
    """A vector of *types* entries with *count* at *index*, else zero."""
    return tuple(count if at == index else 0 for at in range(types))


@lru_cache(maxsize=65536)
def pay_options(held: Vector, pattern: str, a_types: tuple[int, ...] | None = None) -> tuple[Vector, ...]:
    """All different payments of *pattern* from *held*, the most of the first type first.

    Args:
        held: what the payer holds.
        pattern: the price, e.g. ``AABBCCDE`` or ``xxx``.
        a_types: the types that letter A may stand for; ``None`` for all.
    """
    counts = Counter(pattern)
    free = counts.pop("x", 0)
    groups = sorted(counts.items())
    found = {
        plus(lettered, rest)
        for lettered in _assign(held, groups, a_types)
        for rest in multisets(minus(held, lettered), free)
    }
    return tuple(sorted(found, reverse=True))


def multisets(held: Vector, size: int) -> Iterator[Vector]:
    """All vectors of *size* components taken from *held*, the most of the first type first."""
    if not held:
        if size == 0:
            yield ()
        return
    if sum(held) < size:
        return
    for count in range(min(held[0], size), -1, -1):
        for rest in multisets(held[1:], size - count):
            yield (count, *rest)


def _assign(held: Vector, groups: list[tuple[str, int]], a_types: tuple[int, ...] | None) -> Iterator[Vector]:
    if not groups:
        yield (0,) * len(held)
        return
    (letter, count), *rest = groups
    for at, stock in enumerate(held):
        barred = letter == "A" and a_types is not None and at not in a_types
        if stock < count or barred:
            continue
        without = (*held[:at], -1, *held[at + 1 :])  # -1: this type is taken by a letter
        for others in _assign(without, rest, a_types):
            yield (*others[:at], count, *others[at + 1 :])
