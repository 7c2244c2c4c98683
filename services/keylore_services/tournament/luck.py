"""Luck and skill over the deals that several games of a tournament share."""

import msgspec

from keylore_domain.swiss.duplicates import (
    DealReport,
    MeanLuck,
    PairedScore,
    deal_report,
    mean_luck,
    paired_scores,
)
from keylore_domain.swiss.records import TournamentRecord
from keylore_domain.swiss.rounds import PlayedTable, finished_tables
from keylore_domain.swiss.terms import programme


class LuckView(msgspec.Struct, frozen=True, kw_only=True):
    """What the shared deals tell up to ``round``; ``games`` names the turns.

    Of the ``deals``, those ``left`` are not complete and do not count for ``entrants`` and ``seats``.
    """

    tournament: str
    round: int
    games: tuple[str, ...]
    left: int
    entrants: tuple[PairedScore, ...]
    seats: tuple[MeanLuck, ...]
    deals: tuple[DealReport, ...]


def luck_of(tournament: TournamentRecord, after: int | None) -> LuckView:
    """Luck and skill up to round *after*, or now.

    Raises:
        NotFoundError: that round was not paired.
    """
    deals = deals_of(tournament, after)
    return LuckView(
        tournament=tournament.id,
        round=len(tournament.rounds_until(after)),
        games=tuple(one.game for one in programme(tournament.terms)),
        left=sum(not deal.is_complete for deal in deals),
        entrants=paired_scores(deals),
        seats=mean_luck(deals),
        deals=deals,
    )


def deals_of(tournament: TournamentRecord, after: int | None) -> tuple[DealReport, ...]:
    """What the finished games of each shared deal tell, up to round *after*, or now.

    Raises:
        NotFoundError: that round was not paired.
    """
    shared: dict[tuple[int, str], list[PlayedTable]] = {}
    for played in tournament.rounds_until(after):
        for table in finished_tables([played]):
            deal = tournament.deal_of(table.match)
            if deal is not None:
                shared.setdefault((played.number, deal), []).append(table)
    return tuple(deal_report(deal, number, games) for (number, deal), games in shared.items())
