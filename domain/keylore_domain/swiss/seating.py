"""The order of seats at a table."""

from collections.abc import Sequence
from itertools import permutations

from keylore_domain.swiss.history import Record


def seat_order(records: Sequence[Record], lots: Sequence[str]) -> tuple[int, ...]:
    """Who of *records* sits on seat 0, 1, ...: all orders are tried.

    The best has the least sum of how often each has had its seat (so that the squares of the seat counts grow
    least), then the fewest who keep the seat of their last table; equal orders are decided by *lots*.
    """
    by_lot = sorted(range(len(records)), key=lots.__getitem__)
    return min(permutations(by_lot), key=lambda order: seat_cost([records[at] for at in order]))


def seat_cost(order: Sequence[Record]) -> tuple[int, int]:
    """How often the entrants of a table have had the seats they get, and how many keep their last seat."""
    had = sum(record.seats[seat] for seat, record in enumerate(order))
    kept = sum(record.last == seat for seat, record in enumerate(order))
    return had, kept
