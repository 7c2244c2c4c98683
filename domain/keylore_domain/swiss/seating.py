"""The order of seats at a table."""

from collections.abc import Sequence
from itertools import permutations

from keylore_domain.swiss.history import Record


def seat_order(records: Sequence[Record], lots: Sequence[str]) -> tuple[int, ...]:
    """Who of *records* sits on seat 0, 1, ...: all orders are tried.

    The best has the least `seat_cost`, so that the squares of the seat counts grow least; equal orders are
    decided by *lots*.
    """
    by_lot = sorted(range(len(records)), key=lots.__getitem__)
    costs = [_costs(record, len(records)) for record in records]
    return min(permutations(by_lot), key=lambda order: sum(costs[at][seat] for seat, at in enumerate(order)))


def seat_cost(order: Sequence[Record]) -> tuple[int, int, int]:
    """How often the entrants of a table have had the seats they get, and how many keep their last seat.

    Counted first at tables of this size, then at all tables.
    """
    same = sum(record.counts(len(order))[seat] for seat, record in enumerate(order))
    had = sum(record.seats[seat] for seat, record in enumerate(order))
    kept = sum(record.last == seat for seat, record in enumerate(order))
    return same, had, kept


def _costs(record: Record, size: int) -> list[int]:
    """What each seat costs the entrant, as one number; no sum over a table reaches the next term."""
    same = record.counts(size)
    return [
        (same[seat] * 1_000_000 + record.seats[seat]) * 10 + (record.last == seat) for seat in range(size)
    ]
