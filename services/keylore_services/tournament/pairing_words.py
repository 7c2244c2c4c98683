"""Why a round is as it is: its certificate in words, and a sentence for each entrant."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from keylore_domain.swiss.certificates import (
    Certificate,
    Constraint,
    Criterion,
    CriterionName,
    kind_of,
)
from keylore_domain.swiss.checks import TableReasons, reasons
from keylore_domain.swiss.events import RoundPaired, RoundRepaired
from keylore_domain.swiss.records import TournamentRecord
from keylore_services.tournament.round_facts import RoundFacts
from keylore_services.tournament.schedule_words import (
    dutch_bye_text,
    dutch_text,
    idle_text,
    schedule_bye_text,
    schedule_text,
)

_CONSTRAINTS: Final[Mapping[Constraint, str]] = {
    "one_place": "everybody who takes part has exactly one place",
    "asked_byes": "who asked for a bye has it",
    "ruled_byes": "who was given a bye by a ruling has it",
    "sizes": "no other tables leave fewer over, or are nearer to the size that the terms prefer",
    "bye_order": "byes go to those who had the fewest, then were away least, then have the fewest points",
    "apart": "nobody meets whom it must not meet",
    "no_repeats": "nobody meets anybody again",
    "dutch_meetings": "nobody plays anybody again (FIDE C.04.3)",
    "dutch_bye": "nobody who had a win without a game has the bye (FIDE C.04.1)",
    "dutch_colours": "colours are those of FIDE C.04.3, article 5",
    "schedule": "tables are those of the schedule",
}

_CRITERIA: Final[Mapping[CriterionName, str]] = {
    "byes": "byes",
    "odd_tables": "tables of another size than the preferred one",
    "seats_off": "seats that these have more or less",
    "forbidden": "meetings that should not be",
    "repeats": "repeated meetings",
    "clashes": "tables of two where both need the same seat",
    "odd_seats": "unevenness of who sits at tables of another size",
    "spread": "unevenness of points",
    "repeats_and_spread": "repeated meetings at their price, and unevenness of points",
    "same_size_seats": "seats that were had before at tables of the size",
    "seats_had": "seats that were had before",
    "seats_kept": "seats kept from the last table",
    "unmet_colours": "wishes for a colour that are not met",
}


class EntrantReason(msgspec.Struct, frozen=True, kw_only=True):
    """Why an entrant has the place that it has in a round."""

    bot: str
    text: str


class RoundReasons(msgspec.Struct, frozen=True, kw_only=True):
    """Why a round is as it is: what holds of it, how good it is by each criterion, and why for everybody."""

    certificate: Certificate
    constraints: tuple[str, ...]
    criteria: tuple[str, ...]
    entrants: tuple[EntrantReason, ...]


def round_reasons(tournament: TournamentRecord, number: int) -> RoundReasons:
    """Why round *number* is as it is.

    Raises:
        NotFoundError: it was not paired.
    """
    tournament.round(number)
    event = tournament.pairings[number - 1]
    found = event.certificate
    return RoundReasons(
        certificate=found,
        constraints=tuple(_CONSTRAINTS[name] for name in found.constraints),
        criteria=tuple(f"{_CRITERIA[one.name]}: {verdict(one)}" for one in found.criteria),
        entrants=tuple(EntrantReason(bot=bot, text=text) for bot, text in _entrants(tournament, number)),
    )


def verdict(found: Criterion) -> str:
    """How good a value is."""
    if found.bound is None:
        return f"{found.value}, for which the engine answers"
    if found.is_met:
        return f"{found.value}, the least possible"
    return f"{found.value}, where no round can have less than {found.bound}"


def _entrants(tournament: TournamentRecord, number: int) -> Iterator[tuple[str, str]]:
    event = tournament.pairings[number - 1]
    inputs, pairing = event.inputs, event.pairing
    names = {bot: one.name for bot, one in tournament.entrants.items()}
    facts = RoundFacts(inputs, pairing, event.certificate, names)
    say = {"tables": table_text, "dutch": dutch_text, "schedule": schedule_text}[kind_of(pairing)]
    for table in reasons(inputs, pairing):
        for bot in table.seats:
            yield bot, say(facts, table, bot)
    for bot in pairing.byes:
        by_rules = bot not in inputs.ruled_byes
        yield bot, bye_text(facts, bot) if by_rules else _ruled_text(tournament, event, facts, bot)
    for bot in pairing.idle:
        yield bot, idle_text(facts, bot)
    for bot in pairing.half_byes:
        yield bot, f"{facts.name(bot)} asked for a bye, worth half a win"
    for bot in inputs.away:
        yield bot, f"{facts.name(bot)} asked to stay away, for no points"


def table_text(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    """Why *bot* sits where it does, at tables that were formed by their costs."""
    return (
        f"{facts.who(bot)} sits at table {table.number} with {facts.others(table, bot)}, "
        f"{_seat(facts, table, bot)}; {_met(facts, table, bot)}{''.join(_worse(facts, table))}"
    )


def bye_text(facts: RoundFacts, bot: str) -> str:
    """Why *bot* has a bye, if it is none by a ruling."""
    kind = kind_of(facts.pairing)
    if kind == "tables":
        return f"{facts.who(bot)} has a bye: {facts.field_text()}; {_bye_order(facts, bot)}"
    return dutch_bye_text(facts, bot) if kind == "dutch" else schedule_bye_text(facts, bot)


def _met(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    met = [
        f"{facts.name(other if one == bot else one)} {_times(times)}"
        for one, other, times in table.met_before
        if bot in {one, other}
    ]
    if not met:
        return "it had met none of them"
    return f"it had met {' and '.join(met)}, {_since(facts, 'repeats', 'repeats_and_spread')}"


def _seat(facts: RoundFacts, table: TableReasons, bot: str) -> str:
    seat, record = table.seats.index(bot), facts.record(bot)
    counts = record.counts(len(table.seats))
    first = " of the first game" if facts.inputs.games > 1 else ""
    text = f"on seat {seat}{first} for the {_nth(counts[seat] + 1)} time"
    return text if counts[seat] == min(counts) else f"{text}, as no order of seats repeats fewer"


def _nth(number: int) -> str:
    suffix = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _worse(facts: RoundFacts, table: TableReasons) -> Iterator[str]:
    """What is not as one would wish at a table, and why it is so all the same."""
    apart = [f"{facts.name(one)} and {facts.name(other)}" for one, other in table.must_not_meet]
    if apart:
        yield f"; {', '.join(apart)} meet although they should not, {_since(facts, 'forbidden')}"
    if table.cost.clashes:
        yield f"; both need the same seat, {_since(facts, 'clashes')}"
    if len(table.seats) != facts.inputs.table_size:
        yield f"; the table has {len(table.seats)} seats: {facts.field_text()}"
    if table.cost.spread:
        yield f"; points differ at the table, {_since(facts, 'spread', 'repeats_and_spread')}"


def _since(facts: RoundFacts, *names: CriterionName) -> str:
    """Why the round has something of the first of these criteria that it has."""
    found = next(facts.criteria[name] for name in names if name in facts.criteria)
    what = "is more even" if found.name == "spread" else "has fewer"
    if found.is_met:
        return f"as no round {what}"
    return f"as none was found that {what}" + (" with so few repeats" if found.name == "spread" else "")


def _bye_order(facts: RoundFacts, bot: str) -> str:
    """What put *bot* behind all who play: byes, then absences, then points, then the seeding."""
    own = facts.record(bot)
    playing = [facts.record(one) for plan in facts.pairing.tables for one in plan.seats]
    text = f"it had {own.byes} before, and nobody who plays had fewer"
    equal = [one for one in playing if one.byes == own.byes]
    if not equal:
        return text
    equal = [one for one in equal if one.missed == own.missed]
    if not equal:
        return f"{text}; of those with as many it was away least"
    text += f"; of those with as many none has fewer points than its {facts.points(own)}"
    if any(one.half_points == own.half_points for one in equal):
        text += ", and of equals it comes last in the seeding"
    return text


def _ruled_text(
    tournament: TournamentRecord, event: RoundPaired | RoundRepaired, facts: RoundFacts, bot: str
) -> str:
    assert isinstance(event, RoundRepaired)
    proposed = next(one for one in tournament.replaced if one.originator_version == event.replaces)
    byes = ", ".join(map(facts.name, proposed.pairing.byes)) or "nobody"
    return (
        f"{facts.name(bot)} has a bye by a ruling of {event.by} (event {event.originator_version}): "
        f"{event.reason}; proposed for {byes}"
    )


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
