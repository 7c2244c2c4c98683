"""Evidence: the stored rows of a match, read without trust.

A row is (version, topic, stored bytes). The chain proves nothing by itself, since whoever changes an event
can rebuild it to the end; but where it is broken, it tells which event was changed.
"""

from collections.abc import Callable, Sequence

from keylore_domain.engine.aggregates import Event, decode_event, encode_event, genesis
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import Sealed
from keylore_domain.errors import ReplayMismatchError

Row = tuple[int, str, bytes]

TOPIC_PREFIX = "keylore:Match."


class Evidence:
    """The rows of a match up to the first that is out of place, unreadable or altered.

    Args:
        is_genuine: whether a seal is signed by the arbiter (for whatever history).

    Attributes:
        events: the sound events; event number v is ``events[v - 1]``.
        rows: the rows of these.
        flaw: what is wrong with the first row after them; ``None`` if all rows are sound.
        seal: the seal at the end, sound or not, if every row can be read.
    """

    def __init__(self, match_id: str, rows: Sequence[Row], is_genuine: Callable[[Sealed], bool]) -> None:
        self.events: list[Event] = []
        self.flaw: ReplayMismatchError | None = None
        try:
            for place, row in enumerate(rows, 1):
                self.events.append(_event(match_id, place, row))
        except ReplayMismatchError as error:
            self.flaw = error
        last = self.events[-1] if self.events else None
        self.seal = last if isinstance(last, Sealed) and self.flaw is None else None
        altered = _broken_link(match_id, [state for _, _, state in rows], self.events, is_genuine)
        if altered is not None:
            self.flaw = altered
            del self.events[altered.version - 1 :]
        self.rows = rows[: len(self.events)]


def _event(match_id: str, place: int, row: Row) -> Event:
    version, name, state = row
    if version != place:
        problem = f"event {place} is not where it belongs"
        raise ReplayMismatchError(problem, place, expected=f"version {place}", found=f"version {version}")
    if not name.startswith(TOPIC_PREFIX):
        problem = "the topic is not one of a match"
        raise ReplayMismatchError(problem, place, expected=f"{TOPIC_PREFIX}*", found=name)
    try:
        event = decode_event(name, state)
    except ReplayMismatchError as error:
        raise ReplayMismatchError(error.problem, place) from error
    _check_place(match_id, place, event)
    _check_bytes(place, encode_event(event), state)
    return event


def _check_place(match_id: str, place: int, event: Event) -> None:
    expected = f"event {place} of {match_id}"
    found = f"event {event.originator_version} of {event.originator_id}"
    if found != expected:
        problem = "the stored bytes belong elsewhere"
        raise ReplayMismatchError(problem, place, expected=expected, found=found)


def _check_bytes(place: int, canonical: bytes, state: bytes) -> None:
    if canonical == state:
        return
    at = next((at for at, pair in enumerate(zip(canonical, state, strict=False)) if pair[0] != pair[1]), 0)
    problem = "the stored bytes are not in canonical form"
    raise ReplayMismatchError(problem, place, expected=_excerpt(canonical, at), found=_excerpt(state, at))


def _excerpt(data: bytes, at: int) -> str:
    return data[max(at - 10, 0) : at + 30].decode(errors="backslashreplace")


def _broken_link(
    match_id: str, states: list[bytes], events: list[Event], is_genuine: Callable[[Sealed], bool]
) -> ReplayMismatchError | None:
    """The event to blame for the first broken link of the chain."""
    before = genesis(match_id)
    for at, event in enumerate(events):
        if event.prev != before:
            previous_is_altered = at > 0 and _is_confirmed(at, states, events, is_genuine)
            version = at if previous_is_altered else at + 1
            problem = (
                f"event {version} was altered: event {version + 1} continues another one"
                if previous_is_altered
                else f"event {version} does not continue the chain"
            )
            return ReplayMismatchError(problem, version, expected=before, found=event.prev)
        before = sha256_hex(states[at])
    return None


def _is_confirmed(
    at: int, states: list[bytes], events: list[Event], is_genuine: Callable[[Sealed], bool]
) -> bool:
    """Whether event *at* is as it was written: the next one continues it, or, a seal, it is signed."""
    event = events[at]
    if isinstance(event, Sealed):
        return event.head == event.prev and is_genuine(event)
    return at + 1 < len(events) and events[at + 1].prev == sha256_hex(states[at])
