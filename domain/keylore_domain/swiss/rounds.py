"""What was played: entrants, rounds, tables and their results, as plain values."""

from collections.abc import Iterator, Sequence

import msgspec


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that takes part.

    ``number`` counts registrations from 1, ``active`` is false once it withdrew, ``rating`` is the one it had
    when it registered first (whole points, 0 for none), ``author`` who wrote it, as far as known then.
    """

    bot: str
    name: str
    number: int
    active: bool = True
    rating: int = 0
    author: str = ""


class Placing(msgspec.Struct, frozen=True):
    """How one bot did at one table: its rank (from 1, shared by equals: 1, 2, 2, 4) and its game score."""

    bot: str
    rank: int
    score: int


class PlayedTable(msgspec.Struct, frozen=True, kw_only=True):
    """One table: bots in seat order, the match that is or was played there, and its result.

    Tables of one ``pod`` seat the same bots; ``game`` counts their games in the round. ``attempt`` counts
    matches of this table from 1; an aborted match is followed by another attempt. ``placings`` is in seat
    order and empty until the result is recorded. ``forfeited`` lists the seats that forfeited.
    """

    number: int
    seats: tuple[str, ...]
    match: str
    pod: int = 0
    game: int = 1
    attempt: int = 1
    placings: tuple[Placing, ...] = ()
    cause: str = ""
    forfeited: tuple[int, ...] = ()


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """One round: its tables, who has a bye, who asked for one (``half_byes``, worth half a win).

    ``idle``: who had neither, as some formats have it.
    """

    number: int
    tables: tuple[PlayedTable, ...]
    byes: tuple[str, ...]
    half_byes: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every table has its result."""
        return all(table.placings for table in self.tables)


def finished_tables(rounds: Sequence[Round]) -> Iterator[PlayedTable]:
    """Every table with a result, in order of rounds and tables."""
    return (table for played in rounds for table in played.tables if table.placings)


def rotated(seats: Sequence[str], by: int) -> tuple[str, ...]:
    """*seats* after everybody has moved on by that many seats."""
    back = -by % len(seats)
    return (*seats[back:], *seats[:back])


def is_ranking(ranks: Sequence[int]) -> bool:
    """Whether *ranks* can be those of one table: each is one more than the number of better seats."""
    return all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
