"""Gauntlet: the first of the seeding are champions; every other entrant meets each of them.

In a round each champion sits with those challengers that it has met least, the next ones in the order of the
seeding first; challengers for whom no champion is free wait.
"""

from typing import Final

from msgspec.structs import replace

from keylore_domain.errors import ConflictError
from keylore_domain.swiss.formats.kinds import Format, anything, field_of
from keylore_domain.swiss.history import History
from keylore_domain.swiss.inputs import Past, history_of
from keylore_domain.swiss.pairing import Pairing, in_seats, seated
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.terms import smallest_table

ALGORITHM: Final = "gauntlet/1"


def _inputs(past: Past) -> History:
    field = field_of(past)
    late = tuple(one.bot for one in past.entrants if one.bot not in field)
    champions = field[: past.terms.pairing.champions]
    return replace(history_of(past), field=(*field, *late), champions=champions)


def _pair(history: History, _: Engines) -> Pairing:
    place = {one.bot: at for at, one in enumerate(history.entrants)}
    met = {(one, other): times for one, other, times in history.meetings}
    free = [bot for bot in history.field if bot in place and bot not in history.champions]
    groups = []
    for number, champion in enumerate(bot for bot in history.champions if bot in place):
        if len(free) < history.smallest - 1:
            break
        own = place[champion]
        shift = {bot: (at - number) % len(history.field) for at, bot in enumerate(history.field)}
        times = {bot: met.get((min(own, place[bot]), max(own, place[bot])), 0) for bot in free}
        chosen = sorted(free, key=lambda bot: (times[bot], shift[bot]))[: history.table_size - 1]
        groups.append(tuple(sorted((own, *(place[bot] for bot in chosen)))))
        free = [bot for bot in free if bot not in chosen]
    if not groups:
        msg = f"no champion of round {history.round} finds {history.smallest - 1} challengers"
        raise ConflictError(msg)
    seats = seated(history, ALGORITHM, groups, ())
    busy = {bot for plan in seats.tables for bot in plan.seats}
    idle = [one.bot for one in history.entrants if one.bot not in busy]
    orders = [tuple(place[bot] for bot in plan.seats) for plan in seats.tables]
    return in_seats(history, ALGORITHM, orders, (), idle)


def _rounds(past: Past) -> int:
    """As many as it takes if nobody leaves; a champion has all challengers within so many rounds."""
    terms = past.terms
    challengers = max(len(field_of(past)) - terms.pairing.champions, 0)
    seats = terms.table_size - 1
    together = min(terms.pairing.champions, max(challengers // max(smallest_table(terms) - 1, 1), 1))
    tables = -(-challengers // seats) * terms.pairing.champions
    return terms.rounds or terms.pairing.cycles * max(-(-tables // together), -(-challengers // seats))


def _is_over(past: Past) -> bool:
    if past.terms.rounds:
        return len(past.rounds) >= past.terms.rounds
    inputs = _inputs(replace(past, asked={}))  # who stays away for a round is met later
    place = {one.bot: at for at, one in enumerate(inputs.entrants)}
    met = {(one, other): times for one, other, times in inputs.meetings}
    champions = [place[bot] for bot in inputs.champions if bot in place]
    others = [at for bot, at in place.items() if bot not in inputs.champions]
    if len(others) < smallest_table(past.terms) - 1:
        return True
    least = [met.get((min(one, other), max(one, other)), 0) for one in champions for other in others]
    return min(least, default=past.terms.pairing.cycles) >= past.terms.pairing.cycles


GAUNTLET: Final = Format(check=anything, inputs=_inputs, pair=_pair, rounds=_rounds, is_over=_is_over)
