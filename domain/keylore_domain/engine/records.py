"""The record of a match: what follows from its events, and which event may come next.

A record knows no seed; rebuilt from its events, it reads the recorded draws. `matches.Match` adds the
commands that make new events.
"""

from collections.abc import Callable
from typing import Literal, assert_never

import msgspec

from keylore_domain.engine import clocks, positions
from keylore_domain.engine.aggregates import Aggregate, Event
from keylore_domain.engine.chance import Chance, RecordedChance
from keylore_domain.engine.events import (
    Aborted,
    Concluded,
    MoveDefaulted,
    MovePlayed,
    Opened,
    Paused,
    Resumed,
    Sealed,
    SeatForfeited,
    SetUp,
    SharesCommitted,
    SharesRevealed,
)
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import AnyGame, Options
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.positions import Position
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.shares import NOTHING, combined_seed, counted_shares
from keylore_domain.errors import MatchOverError, ReplayMismatchError, RuleError

Status = Literal["new", "playing", "paused", "concluded", "aborted"]

Catalog = Callable[[str, str | None, str | None], AnyGame]


class MatchRecord(Aggregate):
    """A match as its events tell it.

    Attributes:
        opened: the first event: game, rules, options, seats, time control.
        game: the game under the rules that the match names.
        position: where it stands; ``None`` before the set-up.
        facts: what the rules did at the last move (or the set-up).
        banks: what is left in each seat's bank, in microseconds.
        faults: defaults played for each seat, and a share of the seed that it kept back.
        commitments: what the seats committed to, by seat; empty if none did.
        revealed: what they said when they were asked for their shares.
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
        self.commitments: tuple[str, ...] = ()
        self.revealed: SharesRevealed | None = None
        self.sealed: Sealed | None = None
        self._asked: dict[int, Position] = {}
        self._next: tuple[Position, tuple[Fact, ...]] | None = None

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
                return self._next_at_first
            case "playing":
                return (MovePlayed, SeatForfeited, Paused, Resumed, Concluded, Aborted)
            case "paused":
                return (SeatForfeited, Resumed, Aborted)
            case "concluded" | "aborted":
                return (Sealed,) if self.sealed is None else ()
            case _:
                assert_never(self.status)

    @property
    def _next_at_first(self) -> tuple[type[Event], ...]:
        """The kinds of events that may come next before the set-up."""
        if self.opened is None:
            return (Opened,)
        if not self.opened.shares or self.revealed is not None:
            return (SetUp,)
        return (SharesRevealed, Aborted) if self.commitments else (SharesCommitted, SetUp, Aborted)

    @property
    def awaits_shares(self) -> bool:
        """Whether the seats are being asked for shares of the seed."""
        return self.status == "new" and self.opened is not None and self.opened.shares

    @property
    def counted(self) -> tuple[str, ...]:
        """The seats' shares that count, by seat; empty if the seats were not asked for any."""
        if not self.entry.shares:
            return ()
        if self.revealed is None:
            return (NOTHING,) * len(self.entry.seats)
        return counted_shares(self.id, self.commitments, self.revealed.shares)

    def kept_back(self, seat: Seat) -> bool:
        """Whether a seat did not reveal the share of the seed to which it had committed."""
        return self.revealed is not None and bool(self.commitments[seat]) and not self.counted[seat]

    def seed(self, share: bytes) -> bytes:
        """The seed that the arbiter's *share*, the seats' shares and the beacon make together."""
        if not self.entry.shares and self.entry.beacon is None:
            return share
        return combined_seed(self.entry.seed_name, share, self.counted, self.entry.beacon)

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

    def check_order(self, event: Event) -> None:
        """Check that an event of this kind may come next.

        Raises:
            ReplayMismatchError: it may not.
        """
        if not isinstance(event, self.next_events):
            expected = " or ".join(kind.__name__ for kind in self.next_events) or "nothing more"
            msg = f"{type(event).__name__} cannot come here (the match is {self.status}); expected {expected}"
            raise ReplayMismatchError(msg, event.originator_version)

    # --- applying -------------------------------------------------------------------------------------

    def apply(self, event: Event) -> None:  # noqa: C901 - one line per event
        """Take over what *event* says.

        Raises:
            ReplayMismatchError: it does not follow from the rules.
        """
        self.check_order(event)
        match event:
            case Opened():
                self._open(event)
            case SharesCommitted():
                self.commitments = event.commitments
            case SharesRevealed():
                self._reveal(event)
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
                self._conclude(event)
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

    def _reveal(self, event: SharesRevealed) -> None:
        self.revealed = event
        for seat in range(len(self.faults)):
            self.faults[seat] += self.kept_back(Seat(seat))

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

    def _conclude(self, event: Concluded) -> None:
        try:
            self.outcome = msgspec.json.decode(event.outcome, type=self.rules.outcome_type)
        except msgspec.DecodeError as error:
            msg = f"the outcome cannot be read: {error}"
            raise ReplayMismatchError(msg, event.originator_version) from error
        self.status = "concluded"

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
