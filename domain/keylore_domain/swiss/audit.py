"""An audit of a whole tournament: everything that follows from earlier events is worked out again."""

from collections.abc import Iterable, Iterator

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.swiss.checks import problems
from keylore_domain.swiss.events import Finished, RoundPaired
from keylore_domain.swiss.pairing import ALGORITHM, pair
from keylore_domain.swiss.tournaments import Tournament


def audit(tournament_id: str, stored: Iterable[tuple[str, bytes]]) -> tuple[str, ...]:
    """All that does not follow, in words; empty for a sound tournament.

    Args:
        stored: topic and bytes of each event, from the first on.

    Raises:
        ReplayMismatchError: the chain is broken, or an event is none of a tournament.
    """
    return tuple(_findings(tournament_id, stored))


def _findings(tournament_id: str, stored: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    tournament = Tournament(tournament_id)
    for topic, data in stored:
        match decode_event(topic, data):
            case RoundPaired() as event:
                yield from _paired(tournament, event)
            case Finished() as event:
                if event.standings != tournament.standings():
                    yield "the final standings do not follow from the results"
            case _:
                pass
        tournament.replay(topic, data)


def _paired(tournament: Tournament, event: RoundPaired) -> Iterator[str]:
    where = f"round {event.round}"
    if event.inputs != tournament.history():
        yield f"{where}: the inputs of the pairing do not follow from the events before it"
    yield from (f"{where}: {problem}" for problem in problems(event.inputs, event.pairing))
    if event.pairing.algorithm != ALGORITHM:
        yield f"{where}: paired by {event.pairing.algorithm!r}; this version knows {ALGORITHM!r} only"
    elif event.pairing != pair(event.inputs):
        yield f"{where}: its inputs give other tables"
