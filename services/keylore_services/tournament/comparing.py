"""A bot against another, or against all whom it met, over the recorded results of a tournament."""

from collections.abc import Iterator
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
from keylore_domain.swiss.rounds import finished_tables


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What the results say of ``bot`` against ``against`` (``None``: all whom it met).

    Of its ``tables``, those ``left`` are part of no complete rotation, and do not count. ``ahead``,
    ``between`` and ``behind``: at how many it beat all of them, some, none. ``verdict``: a test of
    ``hypotheses``.
    """

    tournament: str
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
    tournament: TournamentRecord, bot: str, against: str | None, hypotheses: Hypotheses
) -> Comparison:
    """*bot* against *against*, or all others.

    Raises:
        NotFoundError: one of the two is no entrant.
        OptionError: the hypotheses cannot be tested.
    """
    for one in filter(None, (bot, against)):
        if one not in tournament.entrants:
            msg = f"{one} is not registered in {tournament.id}"
            raise NotFoundError(msg)
    encounters = list(_encounters(tournament, bot, against))
    scores, left = rotations(encounters)
    ahead = sum(one.score == 1 for one in encounters)
    behind = sum(one.score == 0 for one in encounters)
    return Comparison(
        tournament=tournament.id,
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


def _encounters(tournament: TournamentRecord, bot: str, against: str | None) -> Iterator[Encounter]:
    for table in finished_tables(tournament.rounds):
        own = next((placing.rank for placing in table.placings if placing.bot == bot), None)
        if own is None:
            continue
        others = [
            placing.rank
            for placing in table.placings
            if placing.bot != bot and against in {None, placing.bot}
        ]
        if others:
            beaten = sum(2 * (rank > own) + (rank == own) for rank in others)
            seat = table.seats.index(bot)
            yield Encounter(len(table.seats), seat, Fraction(beaten, 2 * len(others)))
