"""Pairing a round: a pure function of the recorded history.

Byes first (`sizes`), then who sits together (`search`), then the seats of each table (`seating`). The same
history gives the same pairing on every machine; the version of the algorithm stands in the result.
"""

from collections.abc import Sequence
from typing import Final, assert_never

import msgspec

from keylore_domain.errors import ConflictError
from keylore_domain.swiss import search
from keylore_domain.swiss.bounds import bound_of
from keylore_domain.swiss.history import History, Record, lot
from keylore_domain.swiss.problem import Cost, Group, Problem, total
from keylore_domain.swiss.seating import seat_cost, seat_order
from keylore_domain.swiss.sizes import table_sizes, with_byes
from keylore_domain.swiss.stream import Stream

ALGORITHM: Final = "tables/2"


class TablePlan(msgspec.Struct, frozen=True, kw_only=True):
    """One table: bots in seat order, and why it is as it is.

    ``seat_repeats``: how often its entrants had the seats that they get, ``same_size_repeats``: at tables of
    its size. ``kept_seats``: how many sit on the seat of their last table.
    """

    seats: tuple[str, ...]
    cost: Cost
    seat_repeats: int
    kept_seats: int
    same_size_repeats: int = 0


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a pairing.

    ``byes``: those by the rules first, then those by a ruling. ``half_byes``: who asked for one. ``idle``:
    who has neither a table nor a bye, as some formats have it. ``bound``: no tables for these entrants can
    cost less, each term as long as those before it are met. ``proved``: the cost meets the bound.
    """

    algorithm: str
    tables: tuple[TablePlan, ...]
    byes: tuple[str, ...]
    half_byes: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    cost: Cost
    bound: Cost
    proved: bool


def pair(history: History) -> Pairing:
    """The tables, seats and byes of the round that *history* asks for.

    Raises:
        ConflictError: the active entrants do not fill a single table, or the terms refuse every round that
            was found: somebody would have to meet somebody whom it must not meet, or meet again.
    """
    records = history.entrants
    sizes = table_sizes(len(records), history.table_size, history.smallest, history.most_seats)
    byes = with_byes(records, len(records) - sum(sizes))
    playing = tuple(at for at in range(len(records)) if at not in set(byes))
    problem = problem_of(history, playing, sizes)
    enough = problem.weighed(bound_of(problem))
    groups = search.arrange(problem, lambda start: _lots(history, start), enough)
    found = seated(
        history, ALGORITHM, [tuple(playing[one] for one in group) for group in sorted(groups)], byes
    )
    _check_terms(history, found)
    return found


def seated(history: History, algorithm: str, groups: Sequence[Group], byes: Sequence[int]) -> Pairing:
    """The round in which these *groups* (places in ``history.entrants``) sit together, in the best seats."""
    orders = [_best_order(history, group) for group in groups]
    return in_seats(history, algorithm, orders, byes)


def in_seats(
    history: History,
    algorithm: str,
    orders: Sequence[Group],
    byes: Sequence[int],
    idle: Sequence[str] = (),
) -> Pairing:
    """The round with these tables, in seat order (places in ``history.entrants``), with costs and bounds."""
    if not orders:
        return _nobody(history, algorithm, byes, idle)
    playing = tuple(sorted(one for order in orders for one in order))
    place = {one: at for at, one in enumerate(playing)}
    problem = problem_of(history, playing, [len(order) for order in orders])
    tables = tuple(_plan(history, problem, order, tuple(place[one] for one in order)) for order in orders)
    cost, bound = total([table.cost for table in tables]), bound_of(problem)
    return Pairing(
        algorithm=algorithm,
        tables=tables,
        byes=(*(history.entrants[at].bot for at in byes), *history.ruled_byes),
        half_byes=history.half_byes,
        idle=tuple(idle),
        cost=cost,
        bound=bound,
        proved=cost == bound,
    )


def _nobody(history: History, algorithm: str, byes: Sequence[int], idle: Sequence[str]) -> Pairing:
    """A round without tables."""
    nothing = Cost(repeats=0, spread=0)
    return Pairing(
        algorithm=algorithm,
        tables=(),
        byes=(*(history.entrants[at].bot for at in byes), *history.ruled_byes),
        half_byes=history.half_byes,
        idle=tuple(idle),
        cost=nothing,
        bound=nothing,
        proved=True,
    )


def _lots(history: History, start: int) -> Stream:
    """The lots of start number *start* of the search."""
    return Stream(f"keylore.pairing/2\0{history.seed}\0{history.round}\0{start}")


def problem_of(history: History, playing: Sequence[int], sizes: Sequence[int]) -> Problem:
    """What is to be solved for those at *playing* in ``history.entrants``, and tables of *sizes*."""
    place = {at: new for new, at in enumerate(playing)}
    met: list[dict[int, int]] = [{} for _ in playing]
    for first, second, times in history.meetings:
        if first in place and second in place:
            met[place[first]][place[second]] = met[place[second]][place[first]] = times
    forbidden: list[set[int]] = [set() for _ in playing]
    for first, second in history.forbidden:
        if first in place and second in place:
            forbidden[place[first]].add(place[second])
            forbidden[place[second]].add(place[first])
    records = [history.entrants[at] for at in playing]
    return Problem(
        [record.paired_by for record in records],
        met,
        sizes,
        forbidden=forbidden,
        leans=[_lean(record) for record in records],
        odd=_odd(history, records),
        preferred=history.table_size,
        repeat_cost=history.repeat_cost,
    )


def _lean(record: Record) -> int:
    """Which seat of a table of two an entrant needs, since it had the other one two times more often."""
    first, second = (*record.seats, 0)[:2]
    return 0 if abs(first - second) < 2 else 1 if first > second else -1


def _odd(history: History, records: Sequence[Record]) -> list[int]:
    """What a table of another size costs each: its earlier ones, or how many stand below or above it."""
    points = [record.paired_by for record in records]
    match history.odd_tables:
        case "spread":
            return [record.odd for record in records]
        case "low":
            return [sum(other < own for other in points) for own in points]
        case "high":
            return [sum(other > own for other in points) for own in points]
        case _:
            assert_never(history.odd_tables)


def _best_order(history: History, group: Group) -> Group:
    records = [history.entrants[member] for member in group]
    lots = [lot(f"{history.seed}\0{history.round}", "table", record.bot) for record in records]
    return tuple(group[at] for at in seat_order(records, lots))


def _plan(history: History, problem: Problem, order: Group, members: Group) -> TablePlan:
    """A table with its costs; *members* are those of *order* in the problem."""
    records = [history.entrants[at] for at in order]
    same, had, kept = seat_cost(records)
    return TablePlan(
        seats=tuple(record.bot for record in records),
        cost=problem.vector(tuple(sorted(members))),
        seat_repeats=had,
        kept_seats=kept,
        same_size_repeats=same,
    )


def _check_terms(history: History, pairing: Pairing) -> None:
    if history.forbid == "hard" and pairing.cost.forbidden:
        msg = f"round {history.round} needs {pairing.cost.forbidden} meetings that are forbidden"
        raise ConflictError(msg)
    if history.repeats == "refused" and pairing.cost.repeats:
        msg = f"round {history.round} needs {pairing.cost.repeats} repeat meetings, which are refused"
        raise ConflictError(msg)
