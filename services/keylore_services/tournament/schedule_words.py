"""Why an entrant sits where it does by the FIDE rules, or by the schedule of a format."""

from collections.abc import Callable, Mapping
from typing import Final

from keylore_domain.swiss.checks import TableReasons
from keylore_domain.swiss.dutch.colours import wish
from keylore_services.tournament.round_facts import RoundFacts

_COLOURS: Final = ("white", "black")
_STRENGTHS: Final = ("", "mild", "strong", "absolute")


def dutch_text(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    """Why *bot* meets whom it meets, and has its colour, by the FIDE Dutch System."""
    colour = _COLOURS[table.seats.index(bot)]
    return (
        f"{facts.who(bot)} has {colour} at table {table.number} against {facts.others(table, bot)}, "
        f"chosen by {_engine(facts)}; they have not played each other; {_wish(facts, bot, colour)}"
    )


def dutch_bye_text(facts: RoundFacts, bot: str) -> str:
    """Why *bot* has the bye by the FIDE Dutch System."""
    return (
        f"{facts.who(bot)} has the bye: the number of entrants, {len(facts.inputs.entrants)}, is odd; it had "
        f"no win without a game, and of those who may have the bye {_engine(facts)} chose it"
    )


def schedule_text(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    """Why *bot* sits where it does by the schedule of its format."""
    return _TABLES[_schedule(facts)](facts, table, bot)


def schedule_bye_text(facts: RoundFacts, bot: str) -> str:
    """Why *bot* has a bye by the schedule of its format."""
    if _schedule(facts) == "berger":
        return f"{facts.name(bot)} has a bye: whom it would meet in {_where(facts)} is not there"
    return f"{facts.name(bot)} has a bye: it has no opponent in the bracket, and goes on"


def idle_text(facts: RoundFacts, bot: str) -> str:
    """Why *bot* has neither a table nor a bye."""
    if _schedule(facts) == "knockout":
        return f"{facts.name(bot)} is out of the knock-out"
    return f"{facts.name(bot)} waits: no champion is free for it in this round"


def _engine(facts: RoundFacts) -> str:
    return facts.pairing.algorithm


def _wish(facts: RoundFacts, bot: str, colour: str) -> str:
    cards = facts.inputs.cards
    assert cards is not None
    wanted, strength = wish(next(card for card in cards.cards if card.bot == bot))
    if wanted == "-":
        return "it had no wish for a colour"
    name = "white" if wanted == "w" else "black"
    due = f"its {_STRENGTHS[strength]} wish for {name}"
    if name == colour:
        return f"{due} is met"
    return f"{due} gives way to that of its opponent (FIDE C.04.3, article 5)"


def _schedule(facts: RoundFacts) -> str:
    return facts.pairing.algorithm.partition("/")[0]


def _where(facts: RoundFacts) -> str:
    return f"round {facts.inputs.round} of the Berger table"


def _number(facts: RoundFacts, bot: str) -> int:
    return facts.inputs.field.index(bot) + 1


def _berger(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    (other,) = (one for one in table.seats if one != bot)
    return (
        f"{facts.name(bot)}, number {_number(facts, bot)}, meets {facts.name(other)}, "
        f"number {_number(facts, other)}, at table {table.number}: so says {_where(facts)}"
    )


def _plane(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    size = len(table.seats)
    return (
        f"{facts.name(bot)} sits at table {table.number} with {_names(facts, table, bot)}: a line of the "
        f"plane of order {size}, in which everybody meets everybody once"
    )


def _knockout(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    others = _names(facts, table, bot)
    start = f"{facts.name(bot)} sits at table {table.number} with {others}: "
    if set(table.seats) == set(facts.inputs.rest):
        return f"{start}they play for third place"
    if facts.inputs.table_size == 2:
        found = sorted(facts.inputs.bracket.index(one) + 1 for one in table.seats)
        places = " and ".join(map(str, found))
        return f"{start}they have places {places} of the bracket"
    return f"{start}those who are left are dealt out by seeding, up and down"


def _gauntlet(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    if bot in facts.inputs.champions:
        return (
            f"{facts.name(bot)}, a champion, sits at table {table.number} with "
            f"{_names(facts, table, bot)}, of those who were free the ones that it met least"
        )
    champion = next(one for one in table.seats if one in facts.inputs.champions)
    beside = [facts.name(one) for one in table.seats if one not in {bot, champion}]
    text = f"{facts.name(bot)} challenges {facts.name(champion)} at table {table.number}"
    return text + (f", beside {', '.join(beside)}" if beside else "")


def _solo(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    return f"{facts.name(bot)} plays alone at table {table.number}, as everybody does"


def _names(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    return ", ".join(facts.name(other) for other in table.seats if other != bot)


_TABLES: Final[Mapping[str, Callable[[RoundFacts, TableReasons, str], str]]] = {
    "berger": _berger,
    "plane": _plane,
    "knockout": _knockout,
    "gauntlet": _gauntlet,
    "solo": _solo,
}
