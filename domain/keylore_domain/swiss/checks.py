"""An independent check of a recorded round, and the reasons for each of its tables.

Shares no code with the search: it recounts everything from the recorded inputs, in the plainest way.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations

import msgspec

from keylore_domain.swiss.dutch.checks import problems as dutch_problems
from keylore_domain.swiss.dutch.rounds import answer_of
from keylore_domain.swiss.formats.checks import idle_problems, is_scheduled, schedule_problems
from keylore_domain.swiss.history import History, Record
from keylore_domain.swiss.pairing import Pairing, TablePlan
from keylore_domain.swiss.pairing_terms import RULESET
from keylore_domain.swiss.problem import Cost
from keylore_domain.swiss.recounts import recounted_bound


class TableReasons(msgspec.Struct, frozen=True, kw_only=True):
    """Why a table is as it is: for each seat the points it came with, who met whom, and what it costs.

    ``met_before``: pairs of the table that shared one before, and how often. ``must_not_meet``: pairs of it
    that should not. ``seat_counts``: how often each entrant had the seat it got.
    """

    number: int
    seats: tuple[str, ...]
    half_points: tuple[int, ...]
    met_before: tuple[tuple[str, str, int], ...]
    must_not_meet: tuple[tuple[str, str], ...] = ()
    seat_counts: tuple[int, ...]
    cost: Cost


def problems(history: History, pairing: Pairing) -> tuple[str, ...]:
    """All that is wrong with *pairing* as an answer to *history*, in words; empty if nothing is."""
    members = (*_membership(history, pairing), *idle_problems(history, pairing))
    bound = () if members or not pairing.tables else tuple(_bound(history, pairing))
    costs = (*_costs(history, pairing), *_terms(history, pairing), *bound, *_seat_costs(history, pairing))
    if pairing.algorithm.startswith(f"{RULESET} "):
        return (*members, *costs, *_dutch(history, pairing))
    if is_scheduled(pairing):
        return (*members, *costs, *schedule_problems(history, pairing))
    return (
        *members,
        *_sizes(history, pairing),
        *_byes(history, pairing),
        *costs,
        *_better_seats(history, pairing),
    )


def reasons(history: History, pairing: Pairing) -> tuple[TableReasons, ...]:
    """The cost terms of each table, recounted."""
    place = {record.bot: at for at, record in enumerate(history.entrants)}
    met = {(first, second): times for first, second, times in history.meetings}
    forbidden = set(history.forbidden)
    out = {*pairing.byes, *pairing.idle}
    playing = [at for bot, at in place.items() if bot not in out]
    found = []
    for number, plan in enumerate(pairing.tables, 1):
        here = sorted(place[bot] for bot in plan.seats if bot in place)
        pairs = list(combinations(here, 2))
        odd = 0 if len(plan.seats) == history.table_size else sum(_odd(history, at, playing) for at in here)
        before = [(first, second, met[first, second]) for first, second in pairs if (first, second) in met]
        apart = [pair for pair in pairs if pair in forbidden]
        found.append(_reasons(history, number, plan, odd, before=before, apart=apart))
    return tuple(found)


def _membership(history: History, pairing: Pairing) -> Iterator[str]:
    seated = Counter(bot for plan in pairing.tables for bot in plan.seats) + Counter(
        pairing.byes + pairing.idle
    )
    known = {record.bot for record in history.entrants} | set(history.ruled_byes)
    for bot in sorted(known | set(seated)):
        if bot not in known:
            yield f"{bot} is no active entrant"
        elif seated[bot] != 1:
            yield f"{bot} has {seated[bot]} places in the round instead of one"
    if not set(history.ruled_byes) <= set(pairing.byes):
        yield f"by a ruling {', '.join(history.ruled_byes)} should have byes"
    if pairing.half_byes != history.half_byes:
        yield "the half-point byes are not those that were asked for"


def _sizes(history: History, pairing: Pairing) -> Iterator[str]:
    sizes = [len(plan.seats) for plan in pairing.tables]
    for size in sizes:
        if not history.smallest <= size <= history.most_seats:
            yield f"a table has {size} seats; allowed: {history.smallest} to {history.most_seats}"
    off = [abs(size - history.table_size) for size in sizes if size != history.table_size]
    byes = len(pairing.byes) - len(history.ruled_byes)
    found, least = (byes, len(off), sum(off)), _least_odd(history)
    if found != least:
        yield (
            f"{found[0]} byes and {found[1]} tables of another size, {found[2]} seats off; "
            f"{least[0]}, {least[1]} and {least[2]} are possible"
        )


def _least_odd(history: History) -> tuple[int, int, int]:
    """The fewest byes, with them the fewest tables of another size, with them the fewest seats off."""
    total, full = len(history.entrants), history.table_size
    others = [size for size in range(history.smallest, history.most_seats + 1) if size != full]
    for byes in range(total):
        for odd in range(((total - byes) // history.smallest if others else 0) + 1):
            ways = [
                sum(abs(size - full) for size in way)
                for way in combinations_with_replacement(others, odd)
                if total - byes >= sum(way) and (total - byes - sum(way)) % full == 0
            ]
            if ways:
                return byes, odd, min(ways)
    return total, 0, 0


def _byes(history: History, pairing: Pairing) -> Iterator[str]:
    out = [record for record in history.entrants if record.bot in pairing.byes]
    playing = [record for record in history.entrants if record.bot not in pairing.byes]
    for record in out:
        for other in playing:
            if other.byes < record.byes:
                yield f"{record.bot} has another bye before {other.bot}, which had fewer"
            elif (other.byes, other.missed) < (record.byes, record.missed):
                yield f"{record.bot}, which was away, has a bye before {other.bot}"
            elif (other.byes, other.missed, other.half_points) < (
                record.byes,
                record.missed,
                record.half_points,
            ):
                yield f"{record.bot} has a bye before {other.bot}, which has fewer points"


def _costs(history: History, pairing: Pairing) -> Iterator[str]:
    counted = reasons(history, pairing)
    for found, plan in zip(counted, pairing.tables, strict=True):
        if found.cost != plan.cost:
            yield f"table {found.number} costs {_words(found.cost)}, not {_words(plan.cost)}"
    cost = Cost(
        forbidden=sum(found.cost.forbidden for found in counted),
        repeats=sum(found.cost.repeats for found in counted),
        clashes=sum(found.cost.clashes for found in counted),
        odd=sum(found.cost.odd for found in counted),
        spread=sum(found.cost.spread for found in counted),
    )
    if cost != pairing.cost:
        yield f"the round costs {_words(cost)}, not {_words(pairing.cost)}"
    if cost < pairing.bound:
        yield f"the round costs less than the bound of {_words(pairing.bound)}"
    if pairing.proved != (pairing.cost == pairing.bound):
        yield f"proved is {pairing.proved}: {_words(pairing.cost)} against {_words(pairing.bound)}"


def _terms(history: History, pairing: Pairing) -> Iterator[str]:
    if history.forbid == "hard" and pairing.cost.forbidden:
        yield f"{pairing.cost.forbidden} meetings that the terms forbid"
    if history.repeats == "refused" and pairing.cost.repeats:
        yield f"{pairing.cost.repeats} repeat meetings, which the terms refuse"


def _bound(history: History, pairing: Pairing) -> Iterator[str]:
    sizes = tuple(len(plan.seats) for plan in pairing.tables)
    out = {*pairing.byes, *pairing.idle}
    playing = [at for at, record in enumerate(history.entrants) if record.bot not in out]
    due = recounted_bound(history, playing, sizes, [_odd(history, at, playing) for at in playing])
    if pairing.bound != due:
        yield f"the bound is {_words(due)}, not {_words(pairing.bound)}"


def _odd(history: History, at: int, playing: list[int]) -> int:
    """What a table of another size costs an entrant."""
    own = history.entrants[at]
    points = [history.entrants[other].paired_by for other in playing]
    if history.odd_tables == "spread":
        return own.odd
    if history.odd_tables == "low":
        return len([other for other in points if other < own.paired_by])
    return len([other for other in points if other > own.paired_by])


def _dutch(history: History, pairing: Pairing) -> tuple[str, ...]:
    if history.cards is None:
        return (f"it was not to be paired by {RULESET}",)
    byes = len(pairing.byes) - len(history.ruled_byes)
    pairs = all(len(plan.seats) == 2 for plan in pairing.tables) and byes < 2
    if not pairs:
        return ("a table has not two seats, or there are two byes",)
    return dutch_problems(history.cards, answer_of(history, pairing))


def _orders(history: History, pairing: Pairing) -> Iterator[tuple[int, TablePlan, list[Record]]]:
    """Number, plan and records of each table but those that cannot be, of which it is said already."""
    known = {record.bot: record for record in history.entrants}
    for number, plan in enumerate(pairing.tables, 1):
        if all(bot in known for bot in plan.seats) and len(plan.seats) <= history.most_seats:
            yield number, plan, [known[bot] for bot in plan.seats]


def _seat_costs(history: History, pairing: Pairing) -> Iterator[str]:
    for number, plan, order in _orders(history, pairing):
        own = _seat_cost(order)
        if (plan.same_size_repeats, plan.seat_repeats, plan.kept_seats) != own:
            yield f"table {number}: the seats cost {own}"


def _better_seats(history: History, pairing: Pairing) -> Iterator[str]:
    for number, _, order in _orders(history, pairing):
        own, best = _seat_cost(order), min(_seat_cost(list(other)) for other in permutations(order))
        if best < own:
            yield f"table {number}: another order of seats costs {best} instead of {own}"


def _seat_cost(order: list[Record]) -> tuple[int, int, int]:
    size = len(order)
    same = [record.counts(size)[seat] for seat, record in enumerate(order)]
    had = [record.seats[seat] for seat, record in enumerate(order)]
    return sum(same), sum(had), len([seat for seat, record in enumerate(order) if record.last == seat])


def _reasons(
    history: History,
    number: int,
    plan: TablePlan,
    odd: int,
    *,
    before: list[tuple[int, int, int]],
    apart: list[tuple[int, int]],
) -> TableReasons:
    known = {record.bot: record for record in history.entrants if record.bot in plan.seats}
    points = tuple(known[bot].half_points if bot in known else 0 for bot in plan.seats)
    levels = [known[bot].paired_by if bot in known else 0 for bot in plan.seats]
    spread = sum((one - other) ** 2 for one, other in combinations(levels, 2)) * 60
    return TableReasons(
        number=number,
        seats=plan.seats,
        half_points=points,
        met_before=tuple(
            (history.entrants[first].bot, history.entrants[second].bot, times)
            for first, second, times in before
        ),
        must_not_meet=tuple(
            (history.entrants[first].bot, history.entrants[second].bot) for first, second in apart
        ),
        seat_counts=tuple(
            sum(known[bot].seats[seat : seat + 1]) if bot in known else 0
            for seat, bot in enumerate(plan.seats)
        ),
        cost=Cost(
            forbidden=len(apart),
            repeats=sum(times for *_, times in before),
            clashes=int(len(known) == 2 and _clash(*known.values())),
            odd=odd,
            spread=spread // max(len(plan.seats), 1),
        ),
    )


def _clash(one: Record, other: Record) -> bool:
    """Whether two have both had the same seat of the first two too often."""
    leads = [sum(record.seats[:1]) - sum(record.seats[1:2]) for record in (one, other)]
    return min(leads) >= 2 or max(leads) <= -2


def _words(cost: Cost) -> str:
    first = f"{cost.forbidden} forbidden, " if cost.forbidden else ""
    odd = f"{cost.odd} odd, " if cost.odd else ""
    clashes = f"{cost.clashes} clashes, " if cost.clashes else ""
    return f"{first}{cost.repeats} repeats, {clashes}{odd}{cost.spread} spread"
