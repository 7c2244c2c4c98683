"""A bot against another, or against all whom it met, over the recorded results of tournaments."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import msgspec

from keylore_domain.errors import NotFoundError
from keylore_domain.swiss.comparisons import (
    Encounter,
    Estimate,
    Hypotheses,
    Verdict,
    estimate,
    rotations,
    sequential,
)
from keylore_domain.swiss.records import TournamentRecord
from keylore_services.tournament.contests import ALONE, Contest, contests_of


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What the results of ``tournaments`` say of ``bot`` against ``against`` (``None``: all whom it met).

    Of its ``tables``, those ``left`` are part of no complete rotation, and do not count. ``ahead``,
    ``between`` and ``behind``: at how many it beat all of them, some, none. ``verdict``: a test of
    ``hypotheses``.
    """

    tournaments: tuple[str, ...]
    bot: str
    against: str | None
    tables: int
    left: int
    ahead: int
    between: int
    behind: int
    estimate: Estimate
    hypotheses: Hypotheses
    verdict: Verdict


def comparison(
    tournaments: Sequence[TournamentRecord],
    bot: str,
    against: str | None,
    hypotheses: Hypotheses,
    game: str | None = None,
) -> Comparison:
    """*bot* against *against*, or all others, at the tables of *tournaments* in their order.

    Args:
        game: only tables of this game.

    Raises:
        NotFoundError: one of the two is an entrant of none of them.
        OptionError: the hypotheses cannot be tested.
    """
    for one in filter(None, (bot, against)):
        _expect_entrant(tournaments, one)
    encounters = [one for one in _encounters(tournaments, bot, against) if game in {None, one.game}]
    scores, left = rotations(encounters)
    ahead = sum(one.score == 1 for one in encounters)
    behind = sum(one.score == 0 for one in encounters)
    return Comparison(
        tournaments=tuple(one.id for one in tournaments if bot in one.entrants),
        bot=bot,
        against=against,
        tables=len(encounters),
        left=left,
        ahead=ahead,
        between=len(encounters) - ahead - behind,
        behind=behind,
        estimate=estimate(scores),
        hypotheses=hypotheses,
        verdict=sequential(scores, hypotheses),
    )


def _expect_entrant(tournaments: Sequence[TournamentRecord], bot: str) -> None:
    if not any(bot in one.entrants for one in tournaments):
        where = ", ".join(one.id for one in tournaments) or "any tournament"
        msg = f"{bot} is not registered in {where}"
        raise NotFoundError(msg)


def _encounters(
    tournaments: Iterable[TournamentRecord], bot: str, against: str | None
) -> Iterator[Encounter]:
    for one in tournaments:
        for contest in contests_of(one):
            if bot in contest.bots:
                yield from _encounter(contest, contest.bots.index(bot), against)


def _encounter(contest: Contest, at: int, against: str | None) -> Iterator[Encounter]:
    """The contest for the bot at place *at*, if one that counts was there too."""
    own = contest.ranks[at]
    others = [
        rank
        for place, (bot, rank) in enumerate(zip(contest.bots, contest.ranks, strict=True))
        if place != at and against in {None, bot}
    ]
    if others:
        beaten = sum(2 * (rank > own) + (rank == own) for rank in others)
        seat = 0 if contest.size == ALONE else at
        yield Encounter(contest.size, seat, Fraction(beaten, 2 * len(others)), contest.game)
