"""The inputs of a pairing: all that `pairing.pair` may look at, as it stands in the event of the round."""

import hashlib
from typing import Literal

import msgspec

from keylore_domain.swiss.dutch.cards import Cards
from keylore_domain.swiss.pairing_terms import FormatName, OddTables, Rotation

NO_SEAT = -1


class SeatCounts(msgspec.Struct, frozen=True):
    """How often an entrant sat on each seat of tables of one ``size``."""

    size: int
    seats: tuple[int, ...]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What an active entrant brings into a round.

    ``level``: what it is paired by where that is not its points (acceleration, ratings). ``byes``: rounds in
    which it had one, asked for or not. ``missed``: rounds without a table or a bye, those before a late entry
    too. ``seats``: how often it sat on each seat so far, at all tables; ``by_size``: at tables of each size,
    where sizes differ. ``last``: the seat of its last table, -1 for none. ``odd``: how often it sat at a
    table of another than the preferred size.
    """

    bot: str
    half_points: int
    byes: int
    seats: tuple[int, ...]
    last: int = NO_SEAT
    level: int | None = None
    missed: int = 0
    odd: int = 0
    by_size: tuple[SeatCounts, ...] = ()

    @property
    def paired_by(self) -> int:
        """The number by which near entrants are found."""
        return self.half_points if self.level is None else self.level

    def counts(self, size: int) -> tuple[int, ...]:
        """How often it sat on each seat of a table of *size*; where all tables are alike, of any."""
        for one in self.by_size:
            if one.size == size:
                return one.seats
        return (0,) * size if self.by_size else self.seats


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The inputs of one pairing.

    ``seed``: the tournament's text, or its id. ``entrants``: the active ones in pairing order: most points
    first (or what else they are paired by), equal ones by seeding. ``meetings``: ``(i, j, times)`` for every
    pair i < j of ``entrants`` that sat at a table together, in order. ``smallest``, ``largest``: the fewest
    and the most seats of a table (0: ``table_size``). ``forbidden``: the pairs i < j that must not meet.
    ``half_byes`` and ``away``: who asked for a bye in this round, with half a win or without points; they are
    none of ``entrants``, and neither is who has a bye by a ruling (``ruled_byes``). ``cards``: what the FIDE
    rules look at, if the round is paired by them.

    Of some formats: ``field``: who was there at the start, by seeding; ``champions``: of a gauntlet;
    ``bracket``: who is left in a knock-out, and ``rest`` who plays for third place. All else are terms, see
    `PairingTerms`.
    """

    seed: str
    round: int
    table_size: int
    smallest: int
    entrants: tuple[Record, ...]
    meetings: tuple[tuple[int, int, int], ...]
    largest: int = 0
    forbidden: tuple[tuple[int, int], ...] = ()
    half_byes: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    ruled_byes: tuple[str, ...] = ()
    forbid: Literal["hard", "soft"] = "hard"
    repeats: Literal["least", "refused"] = "least"
    repeat_cost: int | None = None
    odd_tables: OddTables = "spread"
    games: int = 1
    rotation: Rotation = "rotate"
    cards: Cards | None = None
    format: FormatName = "swiss"
    field: tuple[str, ...] = ()
    champions: tuple[str, ...] = ()
    bracket: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()

    @property
    def most_seats(self) -> int:
        """The most seats of a table."""
        return self.largest or self.table_size


def lot(seed: str, purpose: Literal["seeding", "table", "colour"], bot: str) -> str:
    """The lot of *bot*: SHA-256 over *purpose*, *seed* and the id; decides where nothing else does.

    Only the seed and the ids matter, never the order of registration.
    """
    return hashlib.sha256(f"keylore.lot/1\0{purpose}\0{seed}\0{bot}".encode()).hexdigest()
