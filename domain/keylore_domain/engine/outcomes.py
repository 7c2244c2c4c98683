"""Outcomes: how a match ended, for each seat; ranking with ties."""

from collections.abc import Sequence
from typing import Any

import msgspec

from keylore_domain.engine.seats import Seat


class SeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """How one seat did. Games add the values that decided the rank.

    ``rank`` counts from 1 and is shared by equal seats (1, 2, 2, 4). ``score`` is for reports.
    """

    seat: Seat
    rank: int
    score: int


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a finished game; ``seats`` holds one entry per seat, in seat order.

    Games may subclass it, and give ``seats`` a subclass of SeatResult.
    """

    ended_by: str
    round: int
    seats: tuple[SeatResult, ...]


def ranks(keys: Sequence[Any]) -> tuple[int, ...]:
    """The rank of each entry of *keys*; a greater key is better, equal keys share a rank (1, 2, 2, 4)."""
    ordered = sorted(keys, reverse=True)
    return tuple(ordered.index(key) + 1 for key in keys)
