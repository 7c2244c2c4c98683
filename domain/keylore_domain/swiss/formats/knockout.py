"""Knock-out: who loses is out; a last table for third place if the terms want one.

At tables of two the seeding makes the bracket (1 against the last, and so on; missing ones are byes of the
first). At larger tables those who are left are dealt out by seeding, up and down (1 4 5, 2 3 6), and the best
of each table go on; if they would not fill a table, the best of the others come along. Equal ranks are
decided by the game score, then by the seeding, so that it never comes to a standstill.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from keylore_domain.swiss.formats.kinds import Format, Places, anything, field_of
from keylore_domain.swiss.formats.seeding import dealt, in_bracket
from keylore_domain.swiss.history import History
from keylore_domain.swiss.inputs import Past, history_of
from keylore_domain.swiss.pairing import Pairing, in_seats, seated
from keylore_domain.swiss.rounds import Round
from keylore_domain.swiss.sizes import table_sizes
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.terms import Terms, largest_table, smallest_table

ALGORITHM: Final = "knockout/1"


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """How far it is.

    ``alive``: in the order of the bracket (tables of two; empty texts are free places), else of the seeding.
    ``rest``: who lost in the round before the last one, best first. ``out``: who left when, the latest first,
    each time in groups of equals, best first. ``is_over``: the last round was played.
    """

    alive: tuple[str, ...]
    rest: tuple[str, ...] = ()
    out: tuple[tuple[str, ...], ...] = ()
    is_over: bool = False

    @property
    def left(self) -> tuple[str, ...]:
        """Who is alive."""
        return tuple(bot for bot in self.alive if bot)


def course(past: Past) -> Course:
    """How far the tournament is after its rounds."""
    field = field_of(past)
    found = Course(alive=in_bracket(field) if past.terms.table_size == 2 else field)
    for played in past.rounds:
        if not played.is_complete:
            break
        found = _after(found, played, field, past.terms)
    return found


def _after(before: Course, played: Round, field: Sequence[str], terms: Terms) -> Course:
    pods = [pod for pod in _pods(played, field) if pod[0] in before.alive]
    small = tuple(bot for pod in _pods(played, field) if pod[0] not in before.alive for bot in pod)
    lost_before = tuple(bot for bot in before.rest if bot not in small)
    out = (*((bot,) for bot in small), *((lost_before,) if lost_before else ()), *before.out)
    last = len(pods) + len(played.byes) <= 1
    if last:
        final = tuple((bot,) for bot in (*played.byes, *(pods[0] if pods else ())))
        gone = tuple(bot for bot in before.left if (bot,) not in final)
        return Course(alive=(), out=(*final, *((gone,) if gone else ()), *out), is_over=True)
    if terms.table_size == 2:
        alive = _winners(before.alive, pods, played.byes)
    else:
        alive = _advancing(pods, played.byes, field, terms)
    losers = [
        bot for place in range(1, 6) for pod in pods for bot in pod[place : place + 1] if bot not in alive
    ]
    gone = tuple(bot for bot in before.left if bot not in alive and bot not in losers)
    return Course(alive=alive, rest=(*losers, *gone), out=out)


def _pods(played: Round, field: Sequence[str]) -> list[tuple[str, ...]]:
    """The bots of each pod, the best first."""
    pods = []
    for number in sorted({table.pod for table in played.tables}):
        games = [table.placings for table in played.tables if table.pod == number]
        ranks = {one.bot: 0 for placings in games for one in placings}
        scores = dict(ranks)
        for placings in games:
            for one in placings:
                ranks[one.bot] += one.rank
                scores[one.bot] += one.score
        pods.append(tuple(sorted(ranks, key=lambda bot: (ranks[bot], -scores[bot], field.index(bot)))))
    return pods


def _winners(alive: Sequence[str], pods: Sequence[tuple[str, ...]], byes: Sequence[str]) -> tuple[str, ...]:
    """Who goes on from each pair of the bracket."""
    on = {pod[0] for pod in pods} | set(byes)
    pairs = zip(alive[::2], alive[1::2], strict=True)
    return tuple(one if one in on else other if other in on else "" for one, other in pairs)


def _advancing(
    pods: Sequence[tuple[str, ...]], byes: Sequence[str], field: Sequence[str], terms: Terms
) -> tuple[str, ...]:
    wanted = terms.pairing.advance or max(1, terms.table_size // 2)
    on = [*byes, *(bot for pod in pods for bot in pod[: min(wanted, len(pod) - 1)])]
    others = [bot for place in range(6) for pod in pods for bot in pod[place : place + 1] if bot not in on]
    missing = max(0, smallest_table(terms) - len(on))
    return tuple(sorted((*on, *others[:missing]), key=field.index))


def _inputs(past: Past) -> History:
    now = course(past)
    here = {one.bot for one in past.entrants if one.active and one.bot not in past.asked}
    alive = tuple(bot if bot in here else "" for bot in now.alive)
    if past.terms.table_size > 2:
        alive = tuple(bot for bot in alive if bot)
    rest = tuple(bot for bot in now.rest if bot in here) if _is_final(alive, past.terms) else ()
    return replace(
        history_of(past),
        field=field_of(past),
        bracket=alive,
        rest=rest[: past.terms.table_size] if past.terms.pairing.third_place else (),
    )


def _is_final(alive: Sequence[str], terms: Terms) -> bool:
    return len(alive) <= terms.table_size


def _pair(history: History, _: Engines) -> Pairing:
    place = {one.bot: at for at, one in enumerate(history.entrants)}
    names, byes = _round(history)
    groups = [tuple(sorted(place[bot] for bot in group)) for group in names]
    if len(history.rest) >= history.smallest:
        groups.append(tuple(sorted(place[bot] for bot in history.rest)))
    found = seated(history, ALGORITHM, groups, ())
    orders = [tuple(place[bot] for bot in plan.seats) for plan in found.tables]
    busy = {*byes, *(bot for plan in found.tables for bot in plan.seats)}
    idle = [one.bot for one in history.entrants if one.bot not in busy]
    return in_seats(history, ALGORITHM, orders, [place[bot] for bot in byes], idle)


def _round(history: History) -> tuple[list[tuple[str, ...]], list[str]]:
    """Who sits together, and who goes on without a table."""
    if history.table_size == 2:
        pairs = zip(history.bracket[::2], history.bracket[1::2], strict=True)
        here = [tuple(bot for bot in pair if bot) for pair in pairs]
        return [pair for pair in here if len(pair) == 2], [pair[0] for pair in here if len(pair) == 1]
    sizes = table_sizes(len(history.bracket), history.table_size, history.smallest, history.most_seats)
    byes = len(history.bracket) - sum(sizes)
    return dealt(history.bracket[byes:], sizes), list(history.bracket[:byes])


def _is_over(past: Past) -> bool:
    now = course(past)
    here = {one.bot for one in past.entrants if one.active}
    return now.is_over or sum(bot in here for bot in now.left) < smallest_table(past.terms)


def _rounds(past: Past) -> int:
    """How many rounds it takes if nobody leaves."""
    terms, left, rounds = past.terms, len(field_of(past)), 0
    if terms.table_size == 2:
        return max(left - 1, 0).bit_length()
    while left >= smallest_table(terms):
        rounds += 1
        sizes = table_sizes(left, terms.table_size, smallest_table(terms), largest_table(terms))
        byes = left - sum(sizes)
        if len(sizes) + byes == 1:
            break
        wanted = terms.pairing.advance or max(1, terms.table_size // 2)
        on = byes + sum(min(wanted, size - 1) for size in sizes)
        left = max(on, smallest_table(terms))
    return rounds


def _places(past: Past) -> Places:
    now, field = course(past), field_of(past)
    here = {one.bot for one in past.entrants if one.active}
    never = tuple(one.bot for one in past.entrants if one.bot not in field and not one.removed)
    removed = tuple(one.bot for one in past.entrants if one.removed)
    stay = tuple(bot for bot in now.left if bot in here)
    gone = tuple(bot for bot in now.left if bot not in here)
    ranked = (stay, gone, now.rest, *now.out, never)
    groups = (*(tuple(bot for bot in group if bot not in removed) for group in ranked), removed)
    return tuple(group for group in groups if group)


KNOCKOUT: Final = Format(
    check=anything,
    inputs=_inputs,
    pair=_pair,
    rounds=_rounds,
    is_over=_is_over,
    is_closed=True,
    places=_places,
    going_on=lambda past: course(past).alive,
)
