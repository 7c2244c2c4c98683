"""An audit of a whole tournament: everything that follows from earlier events is worked out again."""

from collections.abc import Iterable, Iterator

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.errors import ConflictError
from keylore_domain.swiss.checks import problems
from keylore_domain.swiss.events import Finished, RoundPaired
from keylore_domain.swiss.formats.table import FORMATS
from keylore_domain.swiss.pairing import ALGORITHM, Pairing, pair
from keylore_domain.swiss.pairing_terms import RULESET
from keylore_domain.swiss.systems import NO_ENGINES, Engines
from keylore_domain.swiss.tournaments import Tournament


def audit(
    tournament_id: str, stored: Iterable[tuple[str, bytes]], engines: Engines = NO_ENGINES
) -> tuple[str, ...]:
    """All that does not follow, in words; empty for a sound tournament.

    Args:
        stored: topic and bytes of each event, from the first on.
        engines: what rounds by other rules are worked out with again; without, they are only checked.

    Raises:
        ReplayMismatchError: the chain is broken, or an event is none of a tournament.
    """
    return tuple(_findings(tournament_id, stored, engines))


def _findings(tournament_id: str, stored: Iterable[tuple[str, bytes]], engines: Engines) -> Iterator[str]:
    tournament = Tournament(tournament_id)
    for topic, data in stored:
        match decode_event(topic, data):
            case RoundPaired() as event:
                yield from _paired(tournament, event, engines)
            case Finished() as event:
                if event.standings != tournament.standings():
                    yield "the final standings do not follow from the results"
            case _:
                pass
        tournament.replay(topic, data)


def _paired(tournament: Tournament, event: RoundPaired, engines: Engines) -> Iterator[str]:
    where = f"round {event.round}"
    ratings = {one.bot: one.paired_by for one in event.inputs.entrants}
    if event.inputs not in (tournament.history(), tournament.history(ratings)):
        yield f"{where}: the inputs of the pairing do not follow from the events before it"
    yield from (f"{where}: {problem}" for problem in problems(event.inputs, event.pairing))
    yield from (f"{where}: {problem}" for problem in _again(event, engines))


def _again(event: RoundPaired, engines: Engines) -> Iterator[str]:
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
