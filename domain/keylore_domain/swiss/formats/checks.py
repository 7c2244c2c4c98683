"""What must hold of a round of each format that follows a schedule; shares no code with the schedules."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from keylore_domain.swiss.history import History
from keylore_domain.swiss.pairing import Pairing

_WAITING: Final = frozenset({"knockout", "gauntlet"})  # formats in which somebody may have nothing to do


def is_scheduled(pairing: Pairing) -> bool:
    """Whether the round follows a schedule, and not costs."""
    return pairing.algorithm.partition("/")[0] in _RULES


def idle_problems(history: History, pairing: Pairing) -> Iterator[str]:
    """Who waits although nobody has to."""
    if pairing.idle and history.format not in _WAITING:
        yield f"{len(pairing.idle)} have neither a table nor a bye"


def schedule_problems(history: History, pairing: Pairing) -> tuple[str, ...]:
    """All that is against the schedule, in words."""
    return tuple(_RULES[pairing.algorithm.partition("/")[0]](history, pairing))


def _berger(history: History, pairing: Pairing) -> Iterator[str]:
    """In round r the numbers (from 0) of two who meet add up to r - 1, but for whole cycles of rounds.

    The last one, if there is no empty place, meets whose double does.
    """
    rounds = len(history.field) - 1 + len(history.field) % 2
    number = {bot: at for at, bot in enumerate(history.field)}
    for plan in pairing.tables:
        one, other = sorted(number.get(bot, rounds) for bot in plan.seats)
        if (one + (one if other == rounds else other) - history.round + 1) % rounds:
            yield f"{plan.seats[0]} and {plan.seats[1]} do not meet in round {history.round}"
    for bot in pairing.byes:
        yield from _berger_bye(history, number, rounds, bot)


def _berger_bye(history: History, number: Mapping[str, int], rounds: int, bot: str) -> Iterator[str]:
    here = {record.bot for record in history.entrants}
    for other in sorted(here - {bot}):
        one, two = sorted((number.get(bot, rounds), number.get(other, rounds)))
        if (one + (one if two == rounds else two) - history.round + 1) % rounds == 0:
            yield f"{bot} has a bye, but should meet {other}"


def _plane(history: History, pairing: Pairing) -> Iterator[str]:
    for number, plan in enumerate(pairing.tables, 1):
        if len(plan.seats) != history.table_size:
            yield f"table {number} has {len(plan.seats)} seats instead of {history.table_size}"
    if pairing.byes:
        yield "a bye, though all tables can be full"


def _knockout(history: History, pairing: Pairing) -> Iterator[str]:
    place = {bot: at for at, bot in enumerate(history.bracket) if bot}
    for number, plan in enumerate(pairing.tables, 1):
        if set(plan.seats) != set(history.rest):
            yield from _of_bracket(history, number, [place.get(bot, -1) for bot in plan.seats])
    yield from (f"{bot} is out, and has a bye" for bot in pairing.byes if bot not in place)
    yield from (f"{bot} is left in the tournament, and waits" for bot in pairing.idle if bot in place)


def _of_bracket(history: History, number: int, places: list[int]) -> Iterator[str]:
    if min(places) < 0:
        yield f"table {number} seats somebody who is out"
    elif history.table_size == 2 and len({place // 2 for place in places}) > 1:
        yield f"table {number} is not one of the bracket"


def _gauntlet(history: History, pairing: Pairing) -> Iterator[str]:
    for number, plan in enumerate(pairing.tables, 1):
        champions = sum(bot in history.champions for bot in plan.seats)
        if champions != 1:
            yield f"table {number} seats {champions} champions instead of one"


def _solo(_: History, pairing: Pairing) -> Iterator[str]:
    for number, plan in enumerate(pairing.tables, 1):
        if len(plan.seats) != 1:
            yield f"table {number} has {len(plan.seats)} seats instead of one"


_RULES: Final[Mapping[str, Callable[[History, Pairing], Iterator[str]]]] = {
    "berger": _berger,
    "plane": _plane,
    "knockout": _knockout,
    "gauntlet": _gauntlet,
    "solo": _solo,
}
