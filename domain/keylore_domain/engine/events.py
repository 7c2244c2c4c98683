"""The events of a match, in the order in which they can occur.

What is particular to a game (options, moves, facts, outcome) stands in them as JSON documents of the game's
own schemas.
"""

from typing import Literal

import msgspec

from keylore_domain.engine.aggregates import Event, topic
from keylore_domain.engine.chance import Draw, match_seed
from keylore_domain.engine.clocks import Reading, TimeControl
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.shares import Beacon

DefaultCause = Literal["timeout", "disconnect", "illegal", "forfeit"]

RefusalCode = Literal["illegal_move", "late"]


class SeatEntry(msgspec.Struct, frozen=True):
    """Who sits on a seat: the id and the name of its bot."""

    bot: str
    name: str


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Where a match belongs: a table of a round of the tournament with this id; ``attempt`` counts from 1."""

    tournament: str
    round: int
    table: int
    attempt: int = 1

    @property
    def match_id(self) -> str:
        """The id that a match of this origin has."""
        base = f"m/{self.tournament.removeprefix('t/')}/r{self.round}/t{self.table}"
        return base if self.attempt == 1 else f"{base}/a{self.attempt}"


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to an open prompt that was not taken.

    ``illegal_move``: it named no legal move. ``late``: its time was up, and the default was played.
    ``received`` is a moment; ``answer`` the `answer_digest` of what the bot said.
    """

    code: RefusalCode
    received: int
    answer: str


def answer_digest(choice: int | None, move: bytes | None) -> str:
    """SHA-256 of an answer: of ``choice N``, or of ``move`` and a space and the bytes that were sent."""
    return sha256_hex(b"move " + (move or b"") if choice is None else b"choice %d" % choice)


@topic("keylore:Match.Opened")
class Opened(Event, frozen=True, kw_only=True):
    """A table was made: everything that pins the game before a seed is used.

    ``key`` is the public key that will sign the record. ``commitment`` is to the arbiter's share of the seed,
    ``chance`` to the secret from which that share follows (empty without one). ``shares``: whether the seats
    are asked for shares of the seed; ``beacon``: a public value that is mixed in. With neither, the arbiter's
    share is the seed.

    ``public_seed``: the text that the organiser chose for reproducible seeds, if the seed of this match was
    not made of the arbiter's secret. ``seed_label``: what the seed is derived from in place of the match id;
    the matches of one label share one seed, and so the same draws by label.
    """

    game: str
    rules: str
    engine: str
    options: msgspec.Raw
    data: str
    data_text: str | None
    seats: tuple[SeatEntry, ...]
    time: TimeControl
    key: str
    commitment: str
    chance: str = ""
    shares: bool = False
    beacon: Beacon | None = None
    public_seed: str | None = None
    seed_label: str | None = None
    origin: Origin | None = None

    @property
    def seed_name(self) -> str:
        """What the seed is derived from, besides a key."""
        return self.originator_id if self.seed_label is None else self.seed_label

    @property
    def public_share(self) -> bytes | None:
        """The arbiter's share of a public seed, which anyone can compute; ``None`` if the seed is secret."""
        return None if self.public_seed is None else match_seed(self.public_seed.encode(), self.seed_name)


@topic("keylore:Match.SharesCommitted")
class SharesCommitted(Event, frozen=True, kw_only=True):
    """The seats have committed to their shares of the seed; none was revealed before this was stored.

    ``commitments`` are by seat; empty for a seat that gave none. Without this event, no seat gave one.
    """

    commitments: tuple[str, ...]


@topic("keylore:Match.SharesRevealed")
class SharesRevealed(Event, frozen=True, kw_only=True):
    """The seats have revealed their shares, and the seed is made.

    ``shares`` are what was said, by seat; empty for a seat that said nothing. What does not fit the seat's
    commitment does not count, and is a fault of the seat.
    """

    shares: tuple[str, ...]


@topic("keylore:Match.SetUp")
class SetUp(Event, frozen=True, kw_only=True):
    """The set-up was carried out (ply 0)."""

    draws: tuple[Draw, ...]
    facts: msgspec.Raw
    digest: str


@topic("keylore:Match.MovePlayed")
class MovePlayed(Event, frozen=True, kw_only=True):
    """A seat answered a prompt.

    ``choice`` is the index of ``move`` in the prompt's legal moves; ``view`` the SHA-256 of the view that
    was sent with the prompt; ``digest`` the keyed digest of the position after the move. ``refused`` holds
    the answers to this prompt that were not taken, in the order in which they came.
    """

    ply: int
    prompt: int
    seat: Seat
    kind: str
    choice: int
    move: msgspec.Raw
    draws: tuple[Draw, ...]
    facts: msgspec.Raw
    digest: str
    view: str
    clock: Reading
    refused: tuple[Refused, ...] = ()


@topic("keylore:Match.MoveDefaulted")
class MoveDefaulted(MovePlayed, frozen=True, kw_only=True):
    """The arbiter played the default move for a seat, and why."""

    cause: DefaultCause


@topic("keylore:Match.SeatForfeited")
class SeatForfeited(Event, frozen=True, kw_only=True):
    """A seat had too many faults; the arbiter plays its default moves from now on."""

    seat: Seat
    faults: int
    cause: str


@topic("keylore:Match.Paused")
class Paused(Event, frozen=True, kw_only=True):
    """All clocks of the match stand still."""

    cause: str


@topic("keylore:Match.Resumed")
class Resumed(Event, frozen=True, kw_only=True):
    """The match goes on.

    ``after``: a ``pause``, which stands before it in the record; or a ``stop`` of the arbiter that nobody
    could record. Open prompts are asked again; time until now is charged to nobody.
    """

    after: Literal["pause", "stop"]
    cause: str


@topic("keylore:Match.Concluded")
class Concluded(Event, frozen=True, kw_only=True):
    """The game is over; ``outcome`` is the game's result record."""

    outcome: msgspec.Raw
    cause: str


@topic("keylore:Match.Aborted")
class Aborted(Event, frozen=True, kw_only=True):
    """The match ends without a result, for a reason that no seat has to answer for."""

    cause: str


@topic("keylore:Match.Sealed")
class Sealed(Event, frozen=True, kw_only=True):
    """The record is closed: the seed is revealed and the head of the chain is signed.

    ``share`` is the arbiter's share of the seed; ``seed`` is empty if the match ended before it was made.
    ``signature`` is Ed25519 by ``key`` (the raw public key) over `sealed_statement`; both hexadecimal.
    """

    seed: str
    share: str
    head: str
    key: str
    signature: str


def sealed_statement(match_id: str, version: int, head: str, seed: str) -> bytes:
    """The bytes that are signed when a match is sealed.

    *version* and *head* are those of the last event before the seal.
    """
    return f"keylore.seal/1\n{match_id}\n{version}\n{head}\n{seed}\n".encode()
