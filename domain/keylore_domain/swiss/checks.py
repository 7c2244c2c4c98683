"""An independent check of a recorded round, and the reasons for each of its tables.

Shares no code with the search: it recounts everything from the recorded inputs, in the plainest way.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations

import msgspec

from keylore_domain.swiss.history import History, Record
from keylore_domain.swiss.pairing import Cost, Pairing, TablePlan


class TableReasons(msgspec.Struct, frozen=True, kw_only=True):
    """Why a table is as it is: for each seat the points it came with, who met whom, and what it costs.

    ``met_before``: pairs of the table that shared one before, and how often. ``seat_counts``: how often each
    entrant had the seat it got.
    """

    number: int
    seats: tuple[str, ...]
    half_points: tuple[int, ...]
    met_before: tuple[tuple[str, str, int], ...]
    seat_counts: tuple[int, ...]
    cost: Cost


def problems(history: History, pairing: Pairing) -> tuple[str, ...]:
    """All that is wrong with *pairing* as an answer to *history*, in words; empty if nothing is."""
    return (
        *_membership(history, pairing),
        *_sizes(history, pairing),
        *_byes(history, pairing),
        *_costs(history, pairing),
        *_seats(history, pairing),
    )


def reasons(history: History, pairing: Pairing) -> tuple[TableReasons, ...]:
    """The cost terms of each table, recounted."""
    return tuple(_reasons(history, number, plan) for number, plan in enumerate(pairing.tables, 1))


def _membership(history: History, pairing: Pairing) -> Iterator[str]:
    seated = Counter(bot for plan in pairing.tables for bot in plan.seats) + Counter(pairing.byes)
    known = {record.bot for record in history.entrants}
    for bot in sorted(known | set(seated)):
        if bot not in known:
            yield f"{bot} is no active entrant"
        elif seated[bot] != 1:
            yield f"{bot} has {seated[bot]} places in the round instead of one"


def _sizes(history: History, pairing: Pairing) -> Iterator[str]:
    sizes = [len(plan.seats) for plan in pairing.tables]
    for size in sizes:
        if not history.smallest <= size <= history.table_size:
            yield f"a table has {size} seats; allowed: {history.smallest} to {history.table_size}"
    found = len(pairing.byes), sum(size < history.table_size for size in sizes)
    least = _least_odd(history)
    if found != least:
        yield f"{found[0]} byes and {found[1]} smaller tables; {least[0]} and {least[1]} are possible"


def _least_odd(history: History) -> tuple[int, int]:
    """The fewest byes, and with them the fewest smaller tables, over all numbers of tables."""
    total, full, small = len(history.entrants), history.table_size, history.smallest
    ways = [
        (total - larges * full - smalls * small, smalls)
        for larges in range(total // full + 1)
        for smalls in range(total // small + 1 if small < full else 1)
        if larges * full + smalls * small <= total
    ]
    return min(ways)


def _byes(history: History, pairing: Pairing) -> Iterator[str]:
    out = [record for record in history.entrants if record.bot in pairing.byes]
    playing = [record for record in history.entrants if record.bot not in pairing.byes]
    for record in out:
        for other in playing:
            if other.byes < record.byes:
                yield f"{record.bot} has another bye before {other.bot}, which had fewer"
            elif other.byes == record.byes and other.half_points < record.half_points:
                yield f"{record.bot} has a bye before {other.bot}, which has fewer points"


def _costs(history: History, pairing: Pairing) -> Iterator[str]:
    counted = reasons(history, pairing)
    for found, plan in zip(counted, pairing.tables, strict=True):
        if found.cost != plan.cost:
            yield f"table {found.number} costs {_words(found.cost)}, not {_words(plan.cost)}"
    repeats = sum(found.cost.repeats for found in counted)
    spread = sum(found.cost.spread for found in counted)
    if (repeats, spread) != (pairing.cost.repeats, pairing.cost.spread):
        yield f"the round costs {repeats} repeats and {spread} spread, not {_words(pairing.cost)}"
    if repeats < pairing.bound.repeats or spread < pairing.bound.spread:
        yield f"the round costs less than the bound of {_words(pairing.bound)}"
    if pairing.proved != (pairing.cost == pairing.bound):
        yield f"proved is {pairing.proved}: {_words(pairing.cost)} against {_words(pairing.bound)}"


def _seats(history: History, pairing: Pairing) -> Iterator[str]:
    known = {record.bot: record for record in history.entrants}
    for number, plan in enumerate(pairing.tables, 1):
        if any(bot not in known for bot in plan.seats):
            continue  # said already
        order = [known[bot] for bot in plan.seats]
        if (plan.seat_repeats, plan.kept_seats) != _seat_cost(order):
            yield f"table {number}: the seats cost {_seat_cost(order)}"
        better = min(_seat_cost(list(other)) for other in permutations(order))
        if better < _seat_cost(order):
            yield f"table {number}: another order of seats costs {better} instead of {_seat_cost(order)}"


def _seat_cost(order: list[Record]) -> tuple[int, int]:
    had = [record.seats[seat] for seat, record in enumerate(order)]
    return sum(had), len([seat for seat, record in enumerate(order) if record.last == seat])


def _reasons(history: History, number: int, plan: TablePlan) -> TableReasons:
    known = {record.bot: record for record in history.entrants if record.bot in plan.seats}
    names = [record.bot for record in history.entrants]
    met = tuple(
        (names[first], names[second], times)
        for first, second, times in history.meetings
        if names[first] in known and names[second] in known
    )
    points = tuple(known[bot].half_points if bot in known else 0 for bot in plan.seats)
    apart = sum((one - other) ** 2 for one, other in combinations(points, 2))
    return TableReasons(
        number=number,
        seats=plan.seats,
        half_points=points,
        met_before=met,
        seat_counts=tuple(
            known[bot].seats[seat] if bot in known else 0 for seat, bot in enumerate(plan.seats)
        ),
        cost=Cost(repeats=sum(times for *_, times in met), spread=apart * 60 // max(len(plan.seats), 1)),
    )


def _words(cost: Cost) -> str:
    return f"{cost.repeats} repeats and {cost.spread} spread"
