"""Schedules in which everybody meets everybody: Berger tables, and planes for tables of three to five."""

from collections.abc import Callable, Sequence
from typing import Final

# multiplication in the field of four elements, in which addition is exclusive or
_TIMES_4: Final = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))


def berger_rounds(entrants: int) -> int:
    """The rounds after which each of *entrants* has met all others once."""
    return entrants - 1 + entrants % 2


def berger(entrants: int, number: int) -> tuple[tuple[int, int], ...]:
    """Round *number* (from 0) of the Berger table (FIDE C.05, annex 1): first and second seat, from 0.

    With an odd number of entrants, one of the pairs has the number *entrants*, which is nobody. From the
    second cycle on seats are exchanged from cycle to cycle.
    """
    size = entrants + entrants % 2
    cycle, step = divmod(number, size - 1)
    turn = step * (size // 2) % (size - 1)
    last = (turn, size - 1) if step % 2 == 0 else (size - 1, turn)
    others = [((turn + by) % (size - 1), (turn - by) % (size - 1)) for by in range(1, size // 2)]
    pairs = (last, *others)
    return tuple((second, first) for first, second in pairs) if cycle % 2 else pairs


def has_plane(entrants: int, size: int) -> bool:
    """Whether *entrants* are the points of a plane whose lines have *size* points."""
    return size in {3, 4, 5} and entrants == size * size


def plane(size: int, number: int) -> tuple[tuple[int, ...], ...]:
    """The tables of round *number* (from 0) for ``size ** 2`` entrants: the lines of one direction.

    In ``size + 1`` rounds every two meet exactly once; after that it begins again.
    """
    add, times = _field(size)
    slope = number % (size + 1)
    points = range(size)
    if slope == size:
        return tuple(tuple(x * size + y for y in points) for x in points)
    return tuple(tuple(x * size + add(times(slope, x), shift) for x in points) for shift in points)


def _field(size: int) -> tuple[Callable[[int, int], int], Callable[[int, int], int]]:
    """Addition and multiplication in the field of *size* elements."""
    if size == 4:
        return (lambda a, b: a ^ b), (lambda a, b: _TIMES_4[a][b])
    return (lambda a, b: (a + b) % size), (lambda a, b: a * b % size)


def blocks(members: Sequence[str], size: int) -> tuple[tuple[str, ...], ...]:
    """*members* cut into pieces of *size*, the last one shorter."""
    return tuple(tuple(members[at : at + size]) for at in range(0, len(members), size))
