"""How many tables of which size, and who has a bye."""

from collections.abc import Sequence

from keylore_domain.errors import ConflictError
from keylore_domain.swiss.history import Record


def table_sizes(entrants: int, size: int, smallest: int) -> tuple[int, ...]:
    """The sizes of the tables for *entrants*: fewest byes, then fewest tables below *size*; large ones first.

    Raises:
        ConflictError: they do not even fill one table of *smallest* seats.
    """
    for playing in range(entrants, smallest - 1, -1):
        sizes = _split(playing, size, smallest)
        if sizes:
            return sizes
    msg = f"{entrants} active entrants do not fill a table of {smallest}"
    raise ConflictError(msg)


def with_byes(records: Sequence[Record], byes: int) -> tuple[int, ...]:
    """Which of *records* (in pairing order) sit out: fewest byes so far, then fewest points, then the last.

    So nobody has a second bye while somebody has none. Gives indices in pairing order.
    """
    order = sorted(range(len(records)), key=lambda at: (records[at].byes, records[at].half_points, -at))
    return tuple(sorted(order[:byes]))


def _split(playing: int, size: int, smallest: int) -> tuple[int, ...]:
    for small in range(playing // smallest + 1):
        large, left = divmod(playing - small * smallest, size)
        if left == 0 and (small == 0 or smallest < size):
            return (size,) * large + (smallest,) * small
    return ()
