"""How many tables of which size, and who has a bye."""

from collections.abc import Sequence
from typing import Final

from keylore_domain.errors import ConflictError
from keylore_domain.swiss.history import Record

_Ways = tuple[int, int, int]  # tables of another size, how far they are from the preferred one, all tables

_NONE: Final = (0, 0, 0)


def table_sizes(entrants: int, size: int, smallest: int, largest: int | None = None) -> tuple[int, ...]:
    """The sizes of the tables for *entrants*, large ones first.

    Fewest byes, then fewest tables of another than the preferred *size*, then sizes nearest to it, then
    fewest tables.

    Raises:
        ConflictError: they do not even fill one table of *smallest* seats.
    """
    allowed = range(smallest, (size if largest is None else largest) + 1)
    best = _best(entrants, size, allowed)
    for playing in range(entrants, smallest - 1, -1):
        if playing in best:
            return _read(best, playing)
    msg = f"{entrants} active entrants do not fill a table of {smallest}"
    raise ConflictError(msg)


def with_byes(records: Sequence[Record], byes: int) -> tuple[int, ...]:
    """Which of *records* (in pairing order) sit out: fewest byes, then fewest rounds missed, then the last.

    So nobody has a second bye while somebody has none, and nobody gets one sooner by having been away. Gives
    indices in pairing order.
    """
    order = sorted(
        range(len(records)),
        key=lambda at: (records[at].byes, records[at].missed, records[at].half_points, -at),
    )
    return tuple(sorted(order[:byes]))


def _best(entrants: int, size: int, allowed: Sequence[int]) -> dict[int, tuple[_Ways, int]]:
    """For each number of players that fill tables exactly: how, and the size of the last table."""
    best: dict[int, tuple[_Ways, int]] = {0: (_NONE, 0)}
    for playing in range(1, entrants + 1):
        ways = [
            (_with(best[playing - last][0], last, size), last) for last in allowed if playing - last in best
        ]
        if ways:
            best[playing] = min(ways)
    return best


def _with(ways: _Ways, last: int, size: int) -> _Ways:
    return ways[0] + (last != size), ways[1] + abs(last - size), ways[2] + 1


def _read(best: dict[int, tuple[_Ways, int]], playing: int) -> tuple[int, ...]:
    sizes = []
    while playing:
        sizes.append(best[playing][1])
        playing -= sizes[-1]
    return tuple(sorted(sizes, reverse=True))
