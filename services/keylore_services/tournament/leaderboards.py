"""Leaderboards: ratings over all tournaments of a ledger, per game and per table size."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from keylore_domain.swiss.ratings import Game, Rating, SeatEffect, rate
from keylore_domain.swiss.records import TournamentRecord
from keylore_domain.swiss.rounds import PlayedTable, finished_tables
from keylore_domain.swiss.terms import programme

EVERY_SIZE = 0


class LeaderboardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One bot and its rating."""

    name: str
    rating: Rating


class Leaderboard(msgspec.Struct, frozen=True, kw_only=True):
    """The ratings in one game; ``table_size`` 0 stands for tables of all sizes.

    ``tables`` were played in ``tournaments``. ``seats``: the advantage of each seat over the first one, where
    it was asked for.
    """

    game: str
    table_size: int
    tables: int
    tournaments: int
    rows: tuple[LeaderboardRow, ...]
    seats: tuple[SeatEffect, ...]


def leaderboards(
    tournaments: Iterable[TournamentRecord],
    game: str | None,
    table_size: int | None,
    *,
    seat_effects: bool,
) -> tuple[Leaderboard, ...]:
    """A board for each game, and for each table size if there are several; those asked for, by game and size.

    Args:
        game: only this one.
        table_size: only this one; 0 for the board of all sizes.
    """
    played: dict[str, list[tuple[str, PlayedTable]]] = {}
    names: dict[str, str] = {}
    for one in tournaments:
        games = [plays.game for plays in programme(one.terms)]
        names |= {entrant.bot: entrant.name for entrant in one.entrants.values()}
        for table in finished_tables(one.rounds):
            if game in {None, games[table.turn]}:
                played.setdefault(games[table.turn], []).append((one.id, table))
    return tuple(
        _board(title, size, played[title], names, seat_effects=seat_effects)
        for title in sorted(played)
        for size in _sizes(played[title])
        if table_size in {None, size}
    )


def _sizes(played: Sequence[tuple[str, PlayedTable]]) -> list[int]:
    return [EVERY_SIZE, *sorted({len(table.seats) for _, table in played})]


def _board(
    game: str,
    size: int,
    played: Sequence[tuple[str, PlayedTable]],
    names: Mapping[str, str],
    *,
    seat_effects: bool,
) -> Leaderboard:
    chosen = [(where, table) for where, table in played if size in {EVERY_SIZE, len(table.seats)}]
    found = rate([_game(table) for _, table in chosen], seat_effects=seat_effects)
    return Leaderboard(
        game=game,
        table_size=size,
        tables=len(chosen),
        tournaments=len({where for where, _ in chosen}),
        rows=tuple(LeaderboardRow(name=names[one.bot], rating=one) for one in found.ratings),
        seats=found.seats,
    )


def _game(table: PlayedTable) -> Game:
    return Game(table.seats, tuple(placing.rank for placing in table.placings))
