"""What was played: entrants, rounds, tables and their results, as plain values."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that takes part.

    ``number`` counts registrations from 1, ``active`` is false once it withdrew, ``rating`` is the one it had
    when it registered first (whole points, 0 for none), ``author`` who wrote it, as far as known then.
    ``removed``: by a ruling, for good; it stands behind all others.
    """

    bot: str
    name: str
    number: int
    active: bool = True
    rating: int = 0
    author: str = ""
    removed: bool = False


class Placing(msgspec.Struct, frozen=True):
    """How one bot did at one table: its rank (from 1, shared by equals: 1, 2, 2, 4) and its game score."""

    bot: str
    rank: int
    score: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How a table ended: the placings in seat order, how that came about, and the seats that forfeited."""

    placings: tuple[Placing, ...]
    cause: str
    forfeited: tuple[int, ...] = ()


RulingKind = Literal["places", "forfeit", "void", "original"]
PastResults = Literal["keep", "forfeit", "void"]


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """What was ruled about the result of a table, by whom and why.

    ``event``: the number of the event that says so. ``result``: what counts since; ``None`` if the table is
    void, or if again that counts which its match gave (``original``). ``ground``: what the ruling rests on,
    such as ``dispute/7``; may be empty.
    """

    event: int
    kind: RulingKind
    result: Result | None
    by: str
    reason: str
    ground: str = ""


class Removal(msgspec.Struct, frozen=True, kw_only=True):
    """That an entrant was removed: by which event, and what became of the tables at which it sat."""

    event: int
    results: PastResults


class PlayedTable(msgspec.Struct, frozen=True, kw_only=True):
    """One table: bots in seat order, the match that is or was played there, and its result.

    Tables of one ``pod`` seat the same bots; ``game`` counts their games in the round. ``turn``: which of the
    tournament's games is played, from 0 (see `terms.programme`). ``attempt`` counts
    matches of this table from 1; an aborted match is followed by another attempt.

    What counts: ``placings`` in seat order, empty until there is a result; ``cause`` says how it came about,
    ``forfeited`` lists the seats that forfeited. A ``void`` table gives nobody anything. ``played``: what the
    match itself gave, whatever counts. ``ruling``: the last one on this table.
    """

    number: int
    seats: tuple[str, ...]
    match: str
    pod: int = 0
    game: int = 1
    turn: int = 0
    attempt: int = 1
    placings: tuple[Placing, ...] = ()
    cause: str = ""
    forfeited: tuple[int, ...] = ()
    void: bool = False
    played: Result | None = None
    ruling: Ruling | None = None

    @property
    def is_done(self) -> bool:
        """Whether nothing is waited for: it has a result, or is void."""
        return bool(self.placings) or self.void


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """One round: its tables, who has a bye, who asked for one (``half_byes``, worth half a win).

    ``idle``: who had neither, as some formats have it. ``away``: who asked to be left out, for nothing.
    """

    number: int
    tables: tuple[PlayedTable, ...]
    byes: tuple[str, ...]
    half_byes: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    away: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether no table is waited for."""
        return all(table.is_done for table in self.tables)


def finished_tables(rounds: Sequence[Round]) -> Iterator[PlayedTable]:
    """Every table with a result that counts, in order of rounds and tables."""
    return (table for played in rounds for table in played.tables if table.placings)


def rotated(seats: Sequence[str], by: int) -> tuple[str, ...]:
    """*seats* after everybody has moved on by that many seats."""
    back = -by % len(seats)
    return (*seats[back:], *seats[:back])


def is_ranking(ranks: Sequence[int]) -> bool:
    """Whether *ranks* can be those of one table: each is one more than the number of better seats."""
    return all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
