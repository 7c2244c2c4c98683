"""What is compared when bots are rated: the results of tables, and of deals that all played alone."""

from collections.abc import Iterator, Sequence

import msgspec

from keylore_domain.swiss.records import TournamentRecord
from keylore_domain.swiss.rounds import Placing, finished_tables
from keylore_domain.swiss.terms import programme

ALONE = 1


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """Bots that were ranked against each other in a game.

    At tables of a ``size`` they stand in seat order. With size 1 they all played the same deal alone, and
    their scores gave the ``ranks``.
    """

    tournament: str
    game: str
    size: int
    bots: tuple[str, ...]
    ranks: tuple[int, ...]


def contests_of(tournament: TournamentRecord) -> Iterator[Contest]:
    """All that counts of *tournament*, in order."""
    if tournament.terms.format == "solo":
        yield from _alone(tournament)
        return
    games = [plays.game for plays in programme(tournament.terms)]
    for table in finished_tables(tournament.rounds):
        yield Contest(
            tournament=tournament.id,
            game=games[table.turn],
            size=len(table.seats),
            bots=table.seats,
            ranks=tuple(placing.rank for placing in table.placings),
        )


def _alone(tournament: TournamentRecord) -> Iterator[Contest]:
    """One contest for each deal that at least two have finished."""
    games = [plays.game for plays in programme(tournament.terms)]
    for played in tournament.rounds:
        deals: dict[tuple[int, int], list[Placing]] = {}
        for table in finished_tables([played]):
            deals.setdefault((table.game, table.turn), []).extend(table.placings)
        for (_, turn), placings in sorted(deals.items()):
            if len(placings) > 1:
                yield Contest(
                    tournament=tournament.id,
                    game=games[turn],
                    size=ALONE,
                    bots=tuple(placing.bot for placing in placings),
                    ranks=_by_score(placings),
                )


def _by_score(placings: Sequence[Placing]) -> tuple[int, ...]:
    return tuple(1 + sum(other.score > one.score for other in placings) for one in placings)
