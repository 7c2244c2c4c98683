"""What counts of a table: what its match gave, changed by rulings on it and on those who sat there."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from keylore_domain.swiss.events import ResultOverridden
from keylore_domain.swiss.rounds import Placing, PlayedTable, Removal, Result, Ruling

RULED: Final = "ruling"


def overridden(table: PlayedTable, event: ResultOverridden) -> PlayedTable:
    """*table* with the ruling that *event* says."""
    result = Result(placings=event.placings, cause=RULED, forfeited=event.forfeited)
    ruling = Ruling(
        event=event.originator_version,
        kind=event.kind,
        result=result if event.kind in {"places", "forfeit"} else None,
        by=event.by,
        reason=event.reason,
        ground=event.ground,
    )
    return replace(table, ruling=ruling)


def counted(table: PlayedTable, removals: Mapping[str, Removal]) -> PlayedTable:
    """*table* with what counts of it now.

    A ruling takes the place of what the match gave; then come the removals of those at the table, but for
    such as are older than the ruling, which knew of them.
    """
    ruling = table.ruling
    since = 0 if ruling is None else ruling.event
    here = {bot: removals[bot].results for bot in table.seats if bot in removals}
    newer = {bot: results for bot, results in here.items() if removals[bot].event > since}
    if "void" in newer.values() or (ruling is not None and ruling.kind == "void"):
        return replace(table, placings=(), cause=RULED, forfeited=(), void=True)
    result = ruling.result if ruling is not None and ruling.result is not None else table.played
    out = [seat for seat, bot in enumerate(table.seats) if newer.get(bot) == "forfeit"]
    if result is not None and out:
        result = forfeited(table.seats, result, out)
    if result is None:
        return replace(table, placings=(), cause="", forfeited=(), void=False)
    return replace(
        table, placings=result.placings, cause=result.cause, forfeited=result.forfeited, void=False
    )


def forfeited(seats: Sequence[str], result: Result | None, lost: Collection[int]) -> Result:
    """A table that the seats in *lost* lose by ruling, with those that had lost it by an earlier ruling.

    They share the last place, and keep no game score above 0. The others keep their order and their scores;
    without a *result* they are equal.
    """
    if result is None:
        result = Result(placings=tuple(Placing(bot, 1, 0) for bot in seats), cause=RULED)
    before = result.placings
    out = {*lost, *(result.forfeited if result.cause == RULED else ())}
    ranks = [len(seats) + 1 if seat in out else placing.rank for seat, placing in enumerate(before)]
    return Result(
        placings=tuple(
            Placing(
                placing.bot,
                1 + sum(other < ranks[seat] for other in ranks),
                min(placing.score, 0) if seat in out else placing.score,
            )
            for seat, placing in enumerate(before)
        ),
        cause=RULED,
        forfeited=tuple(sorted(out.union(result.forfeited))),
    )
