"""What the arbiter and a bot tell each other, free of the wire's encoding."""

from typing import TypeAlias

import msgspec

from keylore_domain.engine import receipts
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.shares import Beacon

# --- what a bot says ------------------------------------------------------------------------------------


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's answer to a prompt: an index, or a move as JSON; ``received`` is the arbiter's moment."""

    bot: str
    match: str
    prompt: int
    choice: int | None
    move: bytes | None
    received: int


class ShareSaid(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat says to a request for its share: a commitment, or the share."""

    bot: str
    match: str
    seat: int
    commitment: str | None = None
    share: str | None = None


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """The event and head of a receipt that a bot holds."""

    match: str
    event: int
    head: str


# --- what the arbiter says ------------------------------------------------------------------------------


class ClockNote(msgspec.Struct, frozen=True, kw_only=True):
    """What the clock said about a move; all in microseconds."""

    spent: int
    credited: int
    left: int
    budget: int
    round_trip: int


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """The bot sits at a table."""

    match: str
    seat: Seat
    game: str
    rules: str
    options: bytes
    data: str
    bots: tuple[str, ...]
    time: TimeControl
    commitment: str
    event: int
    seed_name: str
    shares: bool
    beacon: Beacon | None
    chance: str


class ShareRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A seat is asked for its commitment, or for its share if there are ``commitments``.

    ``budget`` in microseconds.
    """

    match: str
    seat: Seat
    commitments: tuple[str, ...]
    budget: int
    event: int


class Shares(msgspec.Struct, frozen=True, kw_only=True):
    """What the seats committed to and said, by seat: the seed is made."""

    match: str
    event: int
    commitments: tuple[str, ...]
    shares: tuple[str, ...]


class Prompted(msgspec.Struct, frozen=True, kw_only=True):
    """The match waits for the bot; ``budget`` and ``bank`` in microseconds."""

    match: str
    prompt: int
    seat: Seat
    kind: str
    view: bytes
    legal: bytes
    context: bytes
    default: int
    budget: int
    bank: int
    event: int


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The answer is stored; ``signed`` says so under the arbiter's signature."""

    signed: receipts.Receipt
    clock: ClockNote


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """The answer was not taken, and why."""

    match: str
    prompt: int
    code: str
    message: str
    attempts_left: int = 0
    clock: ClockNote | None = None


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """The default move was played for the bot; ``signed`` says so under the arbiter's signature."""

    signed: receipts.Receipt
    move: bytes
    message: str
    faults: int
    faults_allowed: int
    clock: ClockNote


class News(msgspec.Struct, frozen=True, kw_only=True):
    """What happened in a match, as far as the seat may know."""

    match: str
    event: int
    ply: int
    facts: bytes
    waiting: tuple[Seat, ...]


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """The match is over; ``outcome`` is empty if it was aborted."""

    match: str
    event: int
    status: str
    outcome: bytes
    cause: str
    seed: str
    share: str


class GoingAway(msgspec.Struct, frozen=True, kw_only=True):
    """The stream will be closed; come back after the delay in milliseconds."""

    reason: str
    retry: int


Message: TypeAlias = (
    Seated
    | ShareRequest
    | Shares
    | Prompted
    | Receipt
    | Refusal
    | Ruling
    | News
    | Ended
    | GoingAway
    | receipts.Standing
)
