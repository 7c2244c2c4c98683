"""An audit of a whole tournament: everything that follows from earlier events is worked out again."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import assert_never

from keylore_domain.engine.aggregates import Event, decode_event
from keylore_domain.errors import ConflictError, KeyloreError
from keylore_domain.swiss.certificates import certificate_of
from keylore_domain.swiss.checks import problems
from keylore_domain.swiss.corrections import check_ruling, expect_byes
from keylore_domain.swiss.events import (
    AbsenceRuled,
    EntrantRemoved,
    Finished,
    ResultOverridden,
    RoundPaired,
    RoundRepaired,
)
from keylore_domain.swiss.formats.table import FORMATS
from keylore_domain.swiss.history import History
from keylore_domain.swiss.pairing import ALGORITHM, Pairing, pair
from keylore_domain.swiss.pairing_terms import RULESET
from keylore_domain.swiss.systems import NO_ENGINES, Engines
from keylore_domain.swiss.tournaments import Tournament


def audit(
    tournament_id: str, stored: Iterable[tuple[str, bytes]], engines: Engines = NO_ENGINES
) -> tuple[str, ...]:
    """All that does not follow, in words, each with the number of its event; empty for a sound tournament.

    Args:
        stored: topic and bytes of each event, from the first on.
        engines: what rounds by other rules are worked out with again; without, they are only checked.

    Raises:
        ReplayMismatchError: the chain is broken, or an event is none of a tournament.
    """
    return tuple(_findings(tournament_id, stored, engines))


def _findings(tournament_id: str, stored: Iterable[tuple[str, bytes]], engines: Engines) -> Iterator[str]:
    tournament = Tournament(tournament_id)
    before: list[tuple[str, bytes]] = []
    for topic, data in stored:
        event = decode_event(topic, data)
        yield from (
            f"event {tournament.version + 1}: {one}" for one in _wrong(tournament, event, before, engines)
        )
        tournament.replay(topic, data)
        before.append((topic, data))


def _wrong(
    tournament: Tournament, event: Event, before: Sequence[tuple[str, bytes]], engines: Engines
) -> Iterator[str]:
    match event:
        case RoundPaired():
            ratings = {one.bot: one.paired_by for one in event.inputs.entrants}
            due = (tournament.history(), tournament.history(ratings))
            yield from _paired(event, due, engines)
        case RoundRepaired():
            yield from _repaired(tournament, event, engines)
        case ResultOverridden() | EntrantRemoved():
            yield from _ruled(tournament.id, event, before)
        case AbsenceRuled():
            yield from _absent(tournament, event)
        case Finished() if event.standings != tournament.standings():
            yield "the final standings do not follow from the results"
        case _:
            pass


def _paired(event: RoundPaired | RoundRepaired, due: Collection[History], engines: Engines) -> Iterator[str]:
    where = f"round {event.round}"
    if event.inputs not in due:
        yield f"{where}: the inputs of the pairing do not follow from the events before it"
    wrong = problems(event.inputs, event.pairing)
    yield from (f"{where}: {problem}" for problem in wrong)
    if not wrong and event.certificate != certificate_of(event.inputs, event.pairing):
        yield f"{where}: the certificate is not that of its tables"
    yield from (f"{where}: {problem}" for problem in _again(event, engines))


def _repaired(tournament: Tournament, event: RoundRepaired, engines: Engines) -> Iterator[str]:
    where = f"round {event.round}"
    try:
        due = tournament.repair_inputs(event.byes)
        expect_byes(event.inputs, event.pairing, event.confirmed)
        check_ruling(event.by, event.reason, event.ground)
    except KeyloreError as refused:
        yield f"{where}: could not be paired again: {refused}"
        return
    if event.replaces != tournament.pairings[-1].originator_version:
        yield f"{where}: paired again in the place of event {event.replaces}, which does not pair it"
    yield from _paired(event, (due,), engines)


def _absent(tournament: Tournament, event: AbsenceRuled) -> Iterator[str]:
    absence = tournament.terms.absence
    playing = {table.match: table.seats for played in tournament.rounds for table in played.tables}
    if not set(event.bots) <= set(playing.get(event.match, ())):
        yield f"{event.match}: {', '.join(event.bots)} cannot be away from it"
    if event.then != absence.then:
        yield f"{event.match}: absence means {absence.then} by the terms, not {event.then}"
    if event.waited_ms < absence.wait_ms:
        yield f"{event.match}: ruled after {event.waited_ms} ms; the terms say {absence.wait_ms}"


def _ruled(
    tournament_id: str, event: ResultOverridden | EntrantRemoved, before: Sequence[tuple[str, bytes]]
) -> Iterator[str]:
    """What is wrong with a ruling: it is decided again on what there was before it."""
    again = Tournament(tournament_id)
    for topic, data in before:
        again.replay(topic, data)
    what = event.match if isinstance(event, ResultOverridden) else event.bot
    try:
        _decide(again, event)
    except KeyloreError as refused:
        yield f"{what}: could not be ruled so: {refused}"
        return
    if again.collect_events() != [event]:
        yield f"{what}: what counts does not follow from the ruling"


def _decide(tournament: Tournament, event: ResultOverridden | EntrantRemoved) -> None:
    match event:
        case ResultOverridden():
            tournament.override_result(
                event.match,
                event.kind,
                at=event.at,
                by=event.by,
                reason=event.reason,
                ground=event.ground,
                placings=event.placings,
                losers=event.losers,
            )
        case EntrantRemoved():
            tournament.remove_entrant(
                event.bot,
                at=event.at,
                by=event.by,
                reason=event.reason,
                ground=event.ground,
                results=event.results,
            )
        case _:
            assert_never(event)


def _again(event: RoundPaired | RoundRepaired, engines: Engines) -> Iterator[str]:
    """What comes out otherwise when the round is paired again."""
    inputs, recorded = event.inputs, event.pairing
    if recorded.algorithm.startswith(f"{RULESET} ") and RULESET not in engines:
        return
    by_tables = recorded.algorithm == ALGORITHM and RULESET not in engines
    try:
        again = pair(inputs) if by_tables else FORMATS[inputs.format].pair(inputs, engines)
    except ConflictError as refused:
        yield f"cannot be paired: {refused}"
        return
    if _kind(again) != _kind(recorded):
        yield f"paired by {recorded.algorithm!r}; this version knows {again.algorithm!r} only"
    elif (again.tables, again.byes, again.idle) != (recorded.tables, recorded.byes, recorded.idle):
        yield "its inputs give other tables"


def _kind(pairing: Pairing) -> str:
    """The rules of a pairing, whichever version of an engine worked it out."""
    return pairing.algorithm.partition(" (")[0]
