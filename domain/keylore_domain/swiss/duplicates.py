"""Luck and skill at tables that share a deal: all games of a pod, or all entrants of a round who play alone.

All who share a deal meet the same luck of the draw. What a seat brought on the average over them is the luck
of that seat, and what an entrant has above the average of the seats it had is its own doing. So many deals
tell far more than the same number of games with deals of their own.

Means are exact; errors are reports, and floats.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import fsum, sqrt

import msgspec

from keylore_domain.swiss.rounds import Placing, PlayedTable


class SeatLuck(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of one deal: how many games it had, and its mean score above that of all seats (``7/2``)."""

    seat: int
    games: int
    luck: str


class OwnScore(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant at one deal: its mean game score, and how much of it is more than luck of its seats."""

    bot: str
    games: int
    mean: str
    above_luck: str


class DealReport(msgspec.Struct, frozen=True, kw_only=True):
    """What the finished games of one ``deal`` (its label) tell.

    ``turn``: which of the tournament's games it is, from 0; ``size``: seats of a table. ``is_complete``:
    everybody sat on every seat equally often.
    """

    deal: str
    round: int
    turn: int
    size: int
    is_complete: bool
    seats: tuple[SeatLuck, ...]
    entrants: tuple[OwnScore, ...]


class PairedScore(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant over all complete deals of one game (``turn``).

    ``above``: its mean score above luck. ``error``: the standard error of that; ``None`` after a single deal.
    """

    turn: int
    bot: str
    deals: int
    games: int
    above: str
    error: float | None


class MeanLuck(msgspec.Struct, frozen=True, kw_only=True):
    """A seat over all complete deals of one game (``turn``) at tables of one ``size``.

    ``luck``: its mean score above that of all seats. ``error``: the standard error of that; ``None`` after a
    single deal.
    """

    turn: int
    size: int
    seat: int
    deals: int
    luck: str
    error: float | None


def deal_report(deal: str, number: int, games: Sequence[PlayedTable]) -> DealReport:
    """The report of a *deal* of round *number* from its finished *games*, at least one.

    Scores are those that the matches gave, whatever was ruled on them later.
    """
    sat = [(seat, one.bot, one.score) for game in games for seat, one in enumerate(_placings(game))]
    mean = _mean([score for _, _, score in sat])
    luck = {seat: _mean([score for at, _, score in sat if at == seat]) - mean for seat, _, _ in sat}
    bots = sorted({bot for _, bot, _ in sat})
    own = {bot: [(seat, score) for seat, who, score in sat if who == bot] for bot in bots}
    counts = {sum(at == seat for at, _ in own[bot]) for bot in bots for seat in luck}
    return DealReport(
        deal=deal,
        round=number,
        turn=games[0].turn,
        size=len(games[0].seats),
        is_complete=len(counts) == 1,
        seats=tuple(
            SeatLuck(seat=seat, games=len(games), luck=str(value)) for seat, value in sorted(luck.items())
        ),
        entrants=tuple(
            OwnScore(
                bot=bot,
                games=len(own[bot]),
                mean=str(_mean([score for _, score in own[bot]])),
                above_luck=str(_mean([score - mean - luck[seat] for seat, score in own[bot]])),
            )
            for bot in bots
        ),
    )


def paired_scores(reports: Iterable[DealReport]) -> tuple[PairedScore, ...]:
    """All entrants over the complete deals of *reports*: by game, the best first, equal ones by id."""
    own = [(report.turn, one) for report in reports if report.is_complete for one in report.entrants]
    found = []
    for turn, bot in sorted({(turn, one.bot) for turn, one in own}):
        mine = [one for at, one in own if (at, one.bot) == (turn, bot)]
        values = [Fraction(one.above_luck) for one in mine]
        found.append(
            PairedScore(
                turn=turn,
                bot=bot,
                deals=len(mine),
                games=sum(one.games for one in mine),
                above=str(_mean(values)),
                error=_error(values),
            )
        )
    return tuple(sorted(found, key=lambda one: (one.turn, -Fraction(one.above))))  # stable: by id


def mean_luck(reports: Iterable[DealReport]) -> tuple[MeanLuck, ...]:
    """All seats over the complete deals of *reports*, by game, size and seat."""
    values: dict[tuple[int, int, int], list[Fraction]] = {}
    for report in reports:
        for one in report.seats if report.is_complete and report.size > 1 else ():
            values.setdefault((report.turn, report.size, one.seat), []).append(Fraction(one.luck))
    return tuple(
        MeanLuck(
            turn=turn, size=size, seat=seat, deals=len(lucks), luck=str(_mean(lucks)), error=_error(lucks)
        )
        for (turn, size, seat), lucks in sorted(values.items())
    )


def _placings(game: PlayedTable) -> tuple[Placing, ...]:
    return game.placings if game.played is None else game.played.placings


def _error(values: Sequence[Fraction]) -> float | None:
    """The standard error of the mean of *values*, rounded to three digits."""
    if len(values) < 2:
        return None
    mean = _mean(values)
    squares = fsum([float(value - mean) ** 2 for value in values])
    return round(sqrt(squares / (len(values) - 1) / len(values)), 3)


def _mean(values: Sequence[int | Fraction]) -> Fraction:
    return Fraction(sum(values)) / len(values)
