"""The match: one game at one table, as an event-sourced aggregate.

Commands (`open`, `play`, `default`, `forfeit`, ...) decide and record; `apply` takes over a stored event.
The seed is handed in with each command and never kept: a match rebuilt from its events knows none until the
record is sealed. A live match records what the rules do; a rebuilt one reads the recorded draws.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, assert_never

import msgspec

from keylore_domain.engine import clocks, positions
from keylore_domain.engine.aggregates import Aggregate, Event
from keylore_domain.engine.chance import Chance, LiveChance, RecordedChance, commitment
from keylore_domain.engine.clocks import Reading, TimeControl
from keylore_domain.engine.data import data_hash
from keylore_domain.engine.encoding import canonical_json, digest_key, state_digest
from keylore_domain.engine.events import (
    Aborted,
    Concluded,
    DefaultCause,
    MoveDefaulted,
    MovePlayed,
    Opened,
    Origin,
    Paused,
    Resumed,
    Sealed,
    SeatEntry,
    SeatForfeited,
    SetUp,
    sealed_statement,
)
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import AnyGame, Options
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.positions import Position
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import (
    ConflictError,
    MatchOverError,
    NotFoundError,
    NotPromptedError,
    OptionError,
    ReplayMismatchError,
    RuleError,
)

Status = Literal["new", "playing", "paused", "concluded", "aborted"]

Catalog = Callable[[str, str | None, str | None], AnyGame]


class Signer(Protocol):
    """Signs the records of this arbiter."""

    @property
    def public_key(self) -> str:
        """The raw public key, hexadecimal."""

    def sign(self, statement: bytes) -> str:
        """The signature over *statement*, hexadecimal."""


class Secrets(msgspec.Struct, frozen=True):
    """What the arbiter knows of a running match and its events do not: the seed, and who signs."""

    seed: bytes
    signer: Signer


class Moved(msgspec.Struct, frozen=True):
    """A move that a match took: its event, the digest of the chain up to it, and what the rules did."""

    event: MovePlayed
    head: str
    facts: tuple[Fact, ...]


class Match(Aggregate):
    """One game at one table.

    Attributes:
        opened: the first event: game, rules, options, seats, time control.
        game: the game under the rules that the match names.
        position: where it stands; ``None`` before the set-up.
        facts: what the rules did at the last move (or the set-up).
        banks: what is left in each seat's bank, in microseconds.
        faults: defaults played for each seat.
        forfeited: the seats that forfeited.
        outcome: the result once it is concluded.
    """

    def __init__(self, aggregate_id: str, catalog: Catalog) -> None:
        super().__init__(aggregate_id)
        self._catalog = catalog
        self.status: Status = "new"
        self.opened: Opened | None = None
        self.game: AnyGame | None = None
        self.position: Position | None = None
        self.facts: tuple[Fact, ...] = ()
        self.banks: list[int] = []
        self.faults: list[int] = []
        self.forfeited: set[Seat] = set()
        self.outcome: Outcome | None = None
        self.abort_cause = ""
        self.sealed: Sealed | None = None
        self._asked: dict[int, Position] = {}
        self._next: tuple[Position, tuple[Fact, ...]] | None = None

    # --- commands -------------------------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        match_id: str,
        catalog: Catalog,
        secrets: Secrets,
        *,
        at: int,
        game: str,
        engine: str,
        options: Mapping[str, object],
        seats: tuple[SeatEntry, ...],
        time: TimeControl,
        origin: Origin | None = None,
        data_text: str | None = None,
        public_seed: str | None = None,
    ) -> "Match":
        """A new match, set up and waiting for its first move.

        Args:
            options: the game's options without ``seats``, which follows from *seats*.
            data_text: a league's own component data; the shipped data by default.
            public_seed: the text from which the seed was made, if it is public.

        Raises:
            NotFoundError: there is no such game.
            OptionError: an option is unknown or out of range.
            DataFileError: *data_text* breaks a rule.
        """
        chosen = catalog(game, None, data_text)
        full = parse_options(chosen, {**options, "seats": _seat_count(options, seats)})
        match = cls(match_id, catalog)
        match.record(
            Opened(
                **match.stamp(at),
                game=chosen.id,
                rules=chosen.rules,
                engine=engine,
                options=msgspec.Raw(canonical_json(full)),
                data=data_hash(data_text if data_text is not None else chosen.data_text),
                data_text=data_text,
                seats=seats,
                time=time,
                commitment=commitment(secrets.seed),
                public_seed=public_seed,
                origin=origin,
            )
        )
        chance = LiveChance(secrets.seed)
        match._next = positions.begin(chosen, full, chance)
        match.record(
            SetUp(
                **match.stamp(at),
                draws=tuple(chance.draws),
                facts=msgspec.Raw(canonical_json(match._next[1])),
                digest=match._digest(secrets),
            )
        )
        match._conclude_if_over(at, secrets)
        return match

    def play(
        self, secrets: Secrets, *, at: int, seat: Seat, choice: int, view: str, clock: Reading
    ) -> "Moved":
        """Play legal move number *choice* for *seat*.

        Concludes and seals the match if the game is over.

        Raises:
            MatchOverError, NotPromptedError, IllegalMoveError: it may not.
        """
        return self._move(secrets, None, at=at, seat=seat, choice=choice, view=view, clock=clock)

    def default(
        self, secrets: Secrets, *, at: int, seat: Seat, view: str, clock: Reading, cause: DefaultCause
    ) -> "Moved":
        """Play the default move of the prompt that *seat* did not answer."""
        choice = positions.expect_prompt(self.live_position, seat).prompt.default
        return self._move(secrets, cause, at=at, seat=seat, choice=choice, view=view, clock=clock)

    def forfeit(self, *, at: int, seat: Seat, cause: str) -> None:
        """From now on the arbiter plays the default moves of *seat*.

        Raises:
            MatchOverError: the match has ended.
            NotFoundError: there is no such seat.
            ConflictError: it has forfeited already.
        """
        self._expect_running()
        if seat not in range(len(self.faults)):
            msg = f"{self.id} has no seat {seat}; seats: 0 to {len(self.faults) - 1}"
            raise NotFoundError(msg)
        if seat in self.forfeited:
            msg = f"seat {seat} of {self.id} has forfeited already"
            raise ConflictError(msg)
        self.record(SeatForfeited(**self.stamp(at), seat=seat, faults=self.faults[seat], cause=cause))

    def pause(self, *, at: int, cause: str) -> None:
        """Stop all clocks; no move is taken until the match is resumed.

        Raises:
            MatchOverError: the match has ended.
            ConflictError: it is paused already.
        """
        self._expect_running()
        if self.status == "paused":
            msg = f"{self.id} is paused already"
            raise ConflictError(msg)
        self.record(Paused(**self.stamp(at), cause=cause))

    def resume(self, *, at: int, cause: str) -> None:
        """Let the match go on, after a pause or because the arbiter was started again.

        Raises:
            MatchOverError: the match has ended.
        """
        self._expect_running()
        self.record(Resumed(**self.stamp(at), cause=cause))

    def abort(self, *, at: int, cause: str) -> None:
        """End the match without a result; no seat is to blame.

        Raises:
            MatchOverError: it has ended already.
        """
        self._expect_running()
        self.record(Aborted(**self.stamp(at), cause=cause))

    # --- questions ------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen."""
        return self.status in {"concluded", "aborted"}

    @property
    def entry(self) -> Opened:
        """The first event."""
        assert self.opened is not None
        return self.opened

    @property
    def rules(self) -> AnyGame:
        """The game under the rules of this match."""
        assert self.game is not None
        return self.game

    @property
    def live_position(self) -> Position:
        """The position of a match that is not over.

        Raises:
            MatchOverError: it is over.
        """
        if self.is_over or self.position is None:
            msg = f"{self.id} is over"
            raise MatchOverError(msg)
        return self.position

    @property
    def next_events(self) -> tuple[type[Event], ...]:
        """The kinds of events that may come next."""
        match self.status:
            case "new":
                return (Opened,) if self.opened is None else (SetUp,)
            case "playing":
                return (MovePlayed, SeatForfeited, Paused, Resumed, Concluded, Aborted)
            case "paused":
                return (SeatForfeited, Resumed, Aborted)
            case "concluded":
                return (Sealed,) if self.sealed is None else ()
            case "aborted":
                return ()
            case _:
                assert_never(self.status)

    def asked_at(self, prompt: int) -> Position:
        """The position in which an open *prompt* (by number) was first asked.

        A seat is shown this one even if other seats have answered meanwhile: what they do in secret must not
        show in its view.
        """
        return self._asked[prompt]

    @property
    def should_forfeit(self) -> tuple[Seat, ...]:
        """Seats that have used up their faults and have not forfeited yet."""
        allowed = self.entry.time.faults
        return tuple(
            Seat(seat)
            for seat, faults in enumerate(self.faults)
            if allowed and faults >= allowed and Seat(seat) not in self.forfeited
        )

    # --- applying -------------------------------------------------------------------------------------

    def apply(self, event: Event) -> None:  # noqa: C901 - one line per event
        """Take over what *event* says.

        Raises:
            ReplayMismatchError: it does not follow from the rules.
        """
        if not isinstance(event, self.next_events):
            expected = " or ".join(kind.__name__ for kind in self.next_events) or "nothing more"
            msg = f"{type(event).__name__} cannot come here (the match is {self.status}); expected {expected}"
            raise ReplayMismatchError(msg, event.originator_version)
        match event:
            case Opened():
                self._open(event)
            case SetUp():
                self._set_up(event)
            case MovePlayed():
                self._moved(event)
            case SeatForfeited():
                self.forfeited.add(event.seat)
            case Paused():
                self.status = "paused"
            case Resumed():
                self.status = "playing"
            case Concluded():
                self.status = "concluded"
                self.outcome = msgspec.json.decode(event.outcome, type=self.rules.outcome_type)
            case Sealed():
                self.sealed = event
            case Aborted():
                self.status, self.abort_cause = "aborted", event.cause
            case _:
                raise AssertionError(event)

    def _open(self, event: Opened) -> None:
        self.opened = event
        self.game = self._catalog(event.game, event.rules, event.data_text)
        self.banks = [clocks.starting_bank(event.time)] * len(event.seats)
        self.faults = [0] * len(event.seats)

    def _set_up(self, event: SetUp) -> None:
        if self._next is None:
            self._rerun(event, lambda chance: positions.begin(self.rules, self._options(), chance))
        self._take()
        self.status = "playing"

    def _options(self) -> Options:
        return msgspec.json.decode(self.entry.options, type=self.rules.options_type)

    def _moved(self, event: MovePlayed) -> None:
        if self._next is None:
            position = self.live_position
            self._rerun(
                event,
                lambda chance: positions.advance(self.rules, position, event.seat, event.choice, chance),
            )
        self._take()
        self.banks[event.seat] = event.clock.left
        if isinstance(event, MoveDefaulted) and event.cause != "forfeit":
            self.faults[event.seat] += 1

    def _rerun(
        self, event: SetUp | MovePlayed, step: Callable[[Chance], tuple[Position, tuple[Fact, ...]]]
    ) -> None:
        chance = self.recorded(event)
        try:
            self._next = step(chance)
            chance.finish()
        except (RuleError, ReplayMismatchError, msgspec.DecodeError) as error:
            self._next = None
            raise ReplayMismatchError(str(error), event.originator_version) from error

    def recorded(self, event: SetUp | MovePlayed) -> RecordedChance:
        """The source of the draws when a stored event is applied; an audit puts its own here."""
        return RecordedChance(event.draws, self.position.drawn if self.position else None)

    def _take(self) -> None:
        assert self._next is not None
        (position, self.facts), self._next = self._next, None
        self.position = position
        self._asked = {item.number: self._asked.get(item.number, position) for item in position.open}

    # --- deciding -------------------------------------------------------------------------------------

    def _expect_running(self) -> None:
        if self.is_over:
            msg = f"{self.id} is over"
            raise MatchOverError(msg)

    def _move(
        self,
        secrets: Secrets,
        cause: DefaultCause | None,
        *,
        at: int,
        seat: Seat,
        choice: int,
        view: str,
        clock: Reading,
    ) -> "Moved":
        position = self.live_position
        if self.status == "paused":
            msg = f"{self.id} is paused; it asks again when it is resumed"
            raise NotPromptedError(msg)
        item = positions.expect_prompt(position, seat)
        move = positions.legal_move(item.prompt, choice)
        chance: Chance = LiveChance(secrets.seed, position.drawn)
        self._next = positions.advance(self.rules, position, seat, choice, chance)
        facts = self._next[1]
        fields: dict[str, Any] = {
            **self.stamp(at),
            "ply": self._next[0].ply,
            "prompt": item.number,
            "seat": seat,
            "kind": item.prompt.kind,
            "choice": choice,
            "move": msgspec.Raw(canonical_json(move)),
            "draws": tuple(chance.draws),
            "facts": msgspec.Raw(canonical_json(facts)),
            "digest": self._digest(secrets),
            "view": view,
            "clock": clock,
        }
        event = MovePlayed(**fields) if cause is None else MoveDefaulted(**fields, cause=cause)
        self.record(event)
        moved = Moved(event, self.head, facts)
        self._conclude_if_over(at, secrets)
        return moved

    def _digest(self, secrets: Secrets) -> str:
        assert self._next is not None
        return state_digest(self._next[0].state, digest_key(secrets.seed))

    def _conclude_if_over(self, at: int, secrets: Secrets) -> None:
        assert self.position is not None
        outcome = positions.outcome_of(self.rules, self.position)
        if outcome is None:
            return
        self.record(Concluded(**self.stamp(at), outcome=msgspec.Raw(canonical_json(outcome)), cause="rules"))
        statement = sealed_statement(self.id, self.version, self.head, secrets.seed.hex())
        self.record(
            Sealed(
                **self.stamp(at),
                seed=secrets.seed.hex(),
                head=self.head,
                key=secrets.signer.public_key,
                signature=secrets.signer.sign(statement),
            )
        )


def _seat_count(options: Mapping[str, object], seats: tuple[SeatEntry, ...]) -> int:
    asked = options.get("seats", len(seats))
    if asked != len(seats):
        raise OptionError("seats", f"is {asked!r}, but {len(seats)} bots are seated", str(len(seats)))
    return len(seats)
