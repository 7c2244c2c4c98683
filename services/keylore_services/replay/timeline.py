"""The timeline: every moment of one match, forwards and backwards, from any point of view.

Positions are frozen values, so each moment that was reached once is a reference from then on. Moments are
rebuilt when they are first asked for, from the stored events alone: recorded draws, no seed.
"""

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

import msgspec

from keylore_domain.engine.aggregates import Event
from keylore_domain.engine.events import MovePlayed, Opened, SetUp
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import AnyGame
from keylore_domain.engine.positions import OpenPrompt, Position
from keylore_domain.engine.records import Catalog, MatchRecord, Status
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import NotFoundError
from keylore_services.replay.addresses import At, Viewer

_PLIES = ("keylore:Match.SetUp", "keylore:Match.MovePlayed", "keylore:Match.MoveDefaulted")


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """The match just after one event, with everything that is known of it, secrets included.

    Attributes:
        event: the stored event.
        status: how the match stands.
        ply: how many moves have been played.
        position: the position; ``None`` before the set-up.
        answered: the prompt that the event answers; ``None`` if it is no move.
        facts: what the rules did at this event.
        banks: what is left in each seat's bank, in microseconds.
        faults: defaults played for each seat so far.
    """

    event: Event
    status: Status
    ply: int
    position: Position | None
    answered: OpenPrompt | None
    facts: tuple[Fact, ...]
    banks: tuple[int, ...]
    faults: tuple[int, ...]

    @property
    def version(self) -> int:
        """The number of the event, from 1."""
        return self.event.originator_version

    @property
    def kind(self) -> str:
        """The kind of the event, e.g. ``MovePlayed``."""
        return type(self.event).__name__


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """An open prompt as a viewer may know it.

    ``legal``, ``default`` and ``context`` are known to the asked seat alone; for others ``is_known`` is false
    and they are empty.
    """

    number: int
    seat: Seat
    kind: str
    is_known: bool
    legal: tuple[Any, ...] = ()
    default: int = 0
    context: msgspec.Struct | None = None


class Timeline:
    """All moments of one match.

    Args:
        rows: the stored events (version, topic, bytes), the first of the match first.
        catalog: gives the game under the rules that the match names.
    """

    def __init__(self, match_id: str, rows: Sequence[Row], catalog: Catalog) -> None:
        self.match_id = match_id
        self._rows = rows
        self._record = MatchRecord(match_id, catalog)
        self._moments: list[Moment] = []
        self._versions = [at for at, row in enumerate(rows, 1) if row[1] in _PLIES]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Moment]:
        return (self.moment(version) for version in range(1, len(self) + 1))

    @property
    def plies(self) -> int:
        """How many moves the match has."""
        return max(len(self._versions) - 1, 0)

    @property
    def opened(self) -> Opened:
        """The first event: game, seats, time control."""
        self.moment(1)
        return self._record.entry

    @property
    def game(self) -> AnyGame:
        """The game under the rules of the match."""
        self.moment(1)
        return self._record.rules

    def version_at(self, at: At) -> int:
        """The number of the last event at a moment.

        Raises:
            NotFoundError: the match has no such event or ply.
        """
        match at.kind:
            case "event":
                return self._checked(at.number)
            case "ply":
                if not 0 <= at.number < len(self._versions):
                    msg = f"{self.match_id} has no ply {at.number}; plies: 0 to {self.plies}"
                    raise NotFoundError(msg)
                return self._versions[at.number]
            case "end":
                return self._checked(len(self))
            case _:
                assert_never(at.kind)

    def moment(self, version: int) -> Moment:
        """The match just after event *version*.

        Raises:
            NotFoundError: there is no such event.
            ReplayMismatchError: an event up to there does not follow from the rules.
        """
        for _, topic, state in self._rows[len(self._moments) : self._checked(version)]:
            self._moments.append(self._next(topic, state))
        return self._moments[version - 1]

    def view(self, version: int, viewer: Viewer) -> msgspec.Struct:
        """What *viewer* sees after event *version*; for ``all`` the whole position.

        Raises:
            NotFoundError: there is no such event or seat, or nothing to be seen before the set-up.
        """
        position = self.moment(version).position
        if position is None:
            msg = f"{self.match_id} has no position at event {version}: the game was not set up yet"
            raise NotFoundError(msg)
        if viewer == "all":
            state: msgspec.Struct = position.state
            return state
        return self.game.view(position.state, self._seat(viewer))

    def facts(self, version: int, viewer: Viewer) -> tuple[Fact, ...]:
        """What *viewer* was to know of what the rules did at event *version*."""
        facts = self.moment(version).facts
        if viewer == "all":
            return facts
        seat = self._seat(viewer)
        redacted = (self.game.redact(fact, seat) for fact in facts)
        return tuple(fact for fact in redacted if fact is not None)

    def asked(self, version: int, viewer: Viewer) -> tuple[Asked, ...]:
        """The prompts that are open after event *version*, as far as *viewer* may know."""
        position = self.moment(version).position
        seat = None if viewer == "all" else self._seat(viewer)
        return tuple(
            _asked(item, is_known=viewer == "all" or item.prompt.seat == seat)
            for item in (position.open if position else ())
            if viewer == "all" or item.prompt.seat == seat or not item.prompt.hidden
        )

    def knows_move(self, version: int, viewer: Viewer) -> bool:
        """Whether *viewer* may know the move itself of event *version*, and what else was legal.

        A move can hold a secret even when everybody knows that it was made; others learn of it by its facts.
        """
        event = self.moment(version).event
        return isinstance(event, MovePlayed) and viewer in {"all", event.seat}

    # --- inside -----------------------------------------------------------------------------------------

    def _next(self, topic: str, state: bytes) -> Moment:
        record = self._record
        before = record.position
        event = record.replay(topic, state)
        is_ply = isinstance(event, SetUp | MovePlayed)
        answered = before.prompt_of(event.seat) if before and isinstance(event, MovePlayed) else None
        return Moment(
            event=event,
            status=record.status,
            ply=record.position.ply if record.position else 0,
            position=record.position,
            answered=answered,
            facts=record.facts if is_ply else (),
            banks=tuple(record.banks),
            faults=tuple(record.faults),
        )

    def _checked(self, version: int) -> int:
        if not 1 <= version <= len(self):
            msg = f"{self.match_id} has no event {version}; events: 1 to {len(self)}"
            raise NotFoundError(msg)
        return version

    def _seat(self, viewer: Viewer) -> Seat | None:
        if viewer == "public":
            return None
        seats = len(self.opened.seats)
        if viewer not in range(seats):
            msg = f"{self.match_id} has no seat {viewer}; seats: 0 to {seats - 1}"
            raise NotFoundError(msg)
        return Seat(int(viewer))


def _asked(item: OpenPrompt, *, is_known: bool) -> Asked:
    prompt = item.prompt
    if not is_known:
        return Asked(number=item.number, seat=prompt.seat, kind=prompt.kind, is_known=False)
    return Asked(
        number=item.number,
        seat=prompt.seat,
        kind=prompt.kind,
        is_known=True,
        legal=prompt.legal,
        default=prompt.default,
        context=prompt.context,
    )
