"""Pairing a round: a pure function of the recorded history.

Byes first (`sizes`), then who sits together (`search`), then the seats of each table (`seating`). The same
history gives the same pairing on every machine; the version of the algorithm stands in the result.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec

from keylore_domain.engine.chance import LiveChance
from keylore_domain.swiss import search
from keylore_domain.swiss.bounds import repeats_bound, spread_bound
from keylore_domain.swiss.history import History, lot
from keylore_domain.swiss.search import Group, Problem
from keylore_domain.swiss.seating import seat_cost, seat_order
from keylore_domain.swiss.sizes import table_sizes, with_byes

ALGORITHM: Final = "tables/1"


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What a table, or a whole round, costs; less is better, in this order.

    ``repeats``: earlier meetings, summed over all pairs at a table. ``spread``: 60/size times the squared
    differences in half points of all pairs at a table.
    """

    repeats: int
    spread: int


class TablePlan(msgspec.Struct, frozen=True, kw_only=True):
    """One table: bots in seat order, and why it is as it is.

    ``seat_repeats``: how often its entrants had the seats that they get. ``kept_seats``: how many sit on the
    seat of their last table.
    """

    seats: tuple[str, ...]
    cost: Cost
    seat_repeats: int
    kept_seats: int


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a pairing.

    ``bound``: no tables for these entrants can cost less, term by term. ``proved``: the cost meets the bound.
    """

    algorithm: str
    tables: tuple[TablePlan, ...]
    byes: tuple[str, ...]
    cost: Cost
    bound: Cost
    proved: bool


def pair(history: History) -> Pairing:
    """The tables, seats and byes of the round that *history* asks for.

    Raises:
        ConflictError: the active entrants do not fill a single table.
    """
    records = history.entrants
    sizes = table_sizes(len(records), history.table_size, history.smallest)
    byes = with_byes(records, len(records) - sum(sizes))
    playing = tuple(at for at in range(len(records)) if at not in set(byes))
    scores = tuple(records[at].half_points for at in playing)
    problem = Problem(scores, _met(history, playing), sizes)
    bound = Cost(repeats=repeats_bound(problem.met, sizes), spread=spread_bound(scores, sizes))
    chance = LiveChance(_key(history))
    groups = search.arrange(problem, chance, bound.repeats * problem.weight + bound.spread)
    tables = tuple(_plan(history, playing, problem, group) for group in sorted(groups))
    cost = _total([table.cost for table in tables])
    return Pairing(
        algorithm=ALGORITHM,
        tables=tables,
        byes=tuple(records[at].bot for at in byes),
        cost=cost,
        bound=bound,
        proved=cost == bound,
    )


def _key(history: History) -> bytes:
    """The seed of the search's lots; see ``docs/chance.md`` for what follows from it."""
    return hashlib.sha256(f"keylore.pairing/1\0{history.seed}\0{history.round}".encode()).digest()


def _met(history: History, playing: Sequence[int]) -> list[dict[int, int]]:
    """Earlier meetings among those who play, by their place in *playing*."""
    place = {at: new for new, at in enumerate(playing)}
    met: list[dict[int, int]] = [{} for _ in playing]
    for first, second, times in history.meetings:
        if first in place and second in place:
            met[place[first]][place[second]] = times
            met[place[second]][place[first]] = times
    return met


def _plan(history: History, playing: Sequence[int], problem: Problem, group: Group) -> TablePlan:
    records = [history.entrants[playing[member]] for member in group]
    lots = [lot(f"{history.seed}\0{history.round}", "table", record.bot) for record in records]
    order = [records[at] for at in seat_order(records, lots)]
    had, kept = seat_cost(order)
    repeats, spread = divmod(problem.cost(group), problem.weight)
    return TablePlan(
        seats=tuple(record.bot for record in order),
        cost=Cost(repeats=repeats, spread=spread),
        seat_repeats=had,
        kept_seats=kept,
    )


def _total(costs: Sequence[Cost]) -> Cost:
    return Cost(repeats=sum(cost.repeats for cost in costs), spread=sum(cost.spread for cost in costs))
