"""Leaderboards: ratings over all tournaments of a ledger, per game and per table size."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from keylore_domain.swiss.ratings import Game, Rating, SeatEffect, rate
from keylore_domain.swiss.records import TournamentRecord
from keylore_services.tournament.contests import ALONE, Contest, contests_of

EVERY_SIZE = 0


class LeaderboardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One bot and its rating."""

    name: str
    rating: Rating


class Leaderboard(msgspec.Struct, frozen=True, kw_only=True):
    """The ratings in one game; ``table_size`` 0 stands for tables of all sizes from 2 on.

    With 1, deals were rated that all played alone, and their number is that of the ``tables``. These were
    played in ``tournaments``. ``seats``: the advantage of each seat over the first one, where it was asked
    for.
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
    """A board for each game, and for each table size; those asked for, by game and size.

    Args:
        game: only this one.
        table_size: only this one; 0 for the board of all sizes.
    """
    played: dict[str, list[Contest]] = {}
    names: dict[str, str] = {}
    for one in tournaments:
        names |= {entrant.bot: entrant.name for entrant in one.entrants.values()}
        for contest in contests_of(one):
            if game in {None, contest.game}:
                played.setdefault(contest.game, []).append(contest)
    return tuple(
        _board(size, _of_size(played[title], size), names, seat_effects=seat_effects)
        for title in sorted(played)
        for size in _sizes(played[title])
        if table_size in {None, size}
    )


def _sizes(played: Sequence[Contest]) -> list[int]:
    sizes = sorted({contest.size for contest in played})
    return [EVERY_SIZE, *sizes] if sizes[-1] > ALONE else sizes


def _of_size(played: Sequence[Contest], size: int) -> list[Contest]:
    """Those of one size, or of all tables; whoever plays alone shows another skill."""
    if size == EVERY_SIZE:
        return [contest for contest in played if contest.size > ALONE]
    return [contest for contest in played if contest.size == size]


def _board(
    size: int, contests: Sequence[Contest], names: Mapping[str, str], *, seat_effects: bool
) -> Leaderboard:
    games = [Game(contest.bots, contest.ranks) for contest in contests]
    found = rate(games, seat_effects=seat_effects and size != ALONE)
    return Leaderboard(
        game=contests[0].game,
        table_size=size,
        tables=len(contests),
        tournaments=len({contest.tournament for contest in contests}),
        rows=tuple(LeaderboardRow(name=names[one.bot], rating=one) for one in found.ratings),
        seats=found.seats,
    )
