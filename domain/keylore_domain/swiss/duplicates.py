"""Luck and skill at tables that play the same deal with everybody on every seat.

All entrants of a pod meet the same deal, so what a seat brought on the average over them is the luck of that
seat, and what an entrant has above the average of the seats it had is its own doing.
"""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from keylore_domain.swiss.rounds import PlayedTable, Round, finished_tables


class SeatLuck(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of one deal: how many games it had, and its mean score above that of all seats (``7/2``)."""

    seat: int
    games: int
    luck: str


class OwnScore(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant of a pod: its mean game score, and how much of it is more than its seats bring by luck."""

    bot: str
    games: int
    mean: str
    above_luck: str


class PodReport(msgspec.Struct, frozen=True, kw_only=True):
    """What the games of one deal of a pod tell; ``turn``: which of the tournament's games it is, from 0.

    ``is_complete``: everybody sat on every seat equally often.
    """

    round: int
    pod: int
    turn: int
    is_complete: bool
    seats: tuple[SeatLuck, ...]
    entrants: tuple[OwnScore, ...]


def pod_reports(rounds: Sequence[Round]) -> tuple[PodReport, ...]:
    """The report of each deal of each pod with a finished game."""
    reports = []
    for played in rounds:
        deals: dict[tuple[int, int], list[PlayedTable]] = {}
        for table in finished_tables([played]):
            deals.setdefault((table.pod, table.turn), []).append(table)
        reports += [_report(played.number, *deal, games) for deal, games in sorted(deals.items())]
    return tuple(reports)


def _report(number: int, pod: int, turn: int, games: Sequence[PlayedTable]) -> PodReport:
    sat = [(seat, one.bot, one.score) for game in games for seat, one in enumerate(game.placings)]
    mean = _mean([score for _, _, score in sat])
    luck = {seat: _mean([score for at, _, score in sat if at == seat]) - mean for seat, _, _ in sat}
    bots = sorted({bot for _, bot, _ in sat})
    own = {bot: [(seat, score) for seat, who, score in sat if who == bot] for bot in bots}
    counts = {sum(at == seat for at, _ in own[bot]) for bot in bots for seat in luck}
    return PodReport(
        round=number,
        pod=pod,
        turn=turn,
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


def _mean(values: Sequence[int | Fraction]) -> Fraction:
    return Fraction(sum(values)) / len(values)
