"""What a correction does: who moves in the standings, and how the next round would be paired."""

from collections.abc import Iterator

import msgspec

from keylore_domain.errors import ConflictError
from keylore_domain.swiss.events import EntrantRemoved, ResultOverridden
from keylore_domain.swiss.pairing import Pairing
from keylore_domain.swiss.records import Correction
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.tournaments import Tournament


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant whose rank or points change; points are exact texts (``7/2``)."""

    bot: str
    name: str
    rank_before: int
    rank_after: int
    points_before: str
    points_after: str


class RoundPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A round as it is or would be paired: the bots of each table in seat order, and who has a bye."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]


class NextRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round before and after a correction; ``None`` if it cannot be known, and ``problem`` says why."""

    number: int
    before: RoundPlan | None
    after: RoundPlan | None
    problem: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether the correction makes it another round."""
        return self.before != self.after


class CorrectionView(msgspec.Struct, frozen=True, kw_only=True):
    """A correction and what it does.

    ``event``: its number among the events of the tournament; if it is not ``stored``, the one that it would
    have. ``stayed``: later rounds, which had been paired by what counted before and stay as they are.
    ``next_round``: the one that is paired next, or that was paired again.
    """

    tournament: str
    event: int
    what: str
    by: str
    reason: str
    ground: str
    stored: bool
    moves: tuple[Move, ...]
    stayed: tuple[int, ...]
    next_round: NextRound


def effects(before: Tournament, after: Tournament, engines: Engines, *, stored: bool) -> CorrectionView:
    """What the last correction of *after* did to the tournament that was as *before*."""
    event = after.corrections[-1]
    return CorrectionView(
        tournament=after.id,
        event=event.originator_version,
        what=correction_text(event),
        by=event.by,
        reason=event.reason,
        ground=event.ground,
        stored=stored,
        moves=tuple(_moves(before, after)),
        stayed=_stayed(event, after),
        next_round=_next_round(before, after, engines),
    )


def correction_text(event: Correction) -> str:
    """What was ruled, in a sentence."""
    match event:
        case ResultOverridden():
            return f"{event.match}: {_result_text(event)}"
        case EntrantRemoved():
            fate = {"keep": "stay", "forfeit": "are lost by it", "void": "do not count"}[event.results]
            return f"{_name(event.bot)} was removed; the games that it has played {fate}"
        case _:
            byes = f", with a bye by ruling for {_names(event.byes)}" if event.byes else ""
            return f"round {event.round} was paired again{byes}"


def _result_text(event: ResultOverridden) -> str:
    order = sorted(event.placings, key=lambda placing: placing.rank)
    places = ", ".join(f"{placing.rank}. {_name(placing.bot)}" for placing in order)
    match event.kind:
        case "void":
            return "the game does not count"
        case "original":
            return f"the result of the game counts again ({places})"
        case "forfeit":
            return f"forfeited by {_names(event.losers)} ({places})"
        case _:
            return f"ruled {places}"


def _moves(before: Tournament, after: Tournament) -> Iterator[Move]:
    was = {row.bot: row for row in before.standings()}
    for row in after.standings():
        old = was[row.bot]
        if (old.rank, old.points) != (row.rank, row.points):
            yield Move(
                bot=row.bot,
                name=row.name,
                rank_before=old.rank,
                rank_after=row.rank,
                points_before=old.points,
                points_after=row.points,
            )


def _stayed(event: Correction, after: Tournament) -> tuple[int, ...]:
    if isinstance(event, ResultOverridden):
        return tuple(range(event.round + 1, len(after.rounds) + 1))
    return ()


def _next_round(before: Tournament, after: Tournament, engines: Engines) -> NextRound:
    if len(after.replaced) > len(before.replaced):
        old, new = after.replaced[-1], after.pairings[-1]
        return NextRound(number=new.round, before=_plan(old.pairing), after=_plan(new.pairing))
    number = len(after.rounds) + 1
    one, _ = _following(before, engines)
    other, problem = _following(after, engines)
    return NextRound(number=number, before=one, after=other, problem=problem)


def _following(tournament: Tournament, engines: Engines) -> tuple[RoundPlan | None, str]:
    """The round that would be paired now, or why there is none."""
    if tournament.status in {"finished", "aborted"} or tournament.is_played_out:
        return None, "no round follows"
    if not tournament.is_complete:
        return None, "results of the running round are missing"
    if not tournament.can_fill_a_table:
        return None, "too few entrants are left"
    try:
        return _plan(tournament.format.pair(tournament.history(), engines)), ""
    except ConflictError as refused:
        return None, str(refused)


def _plan(pairing: Pairing) -> RoundPlan:
    return RoundPlan(tables=tuple(plan.seats for plan in pairing.tables), byes=pairing.byes)


def _name(bot: str) -> str:
    return bot.removeprefix("bot/")


def _names(bots: tuple[str, ...]) -> str:
    return ", ".join(map(_name, bots))
