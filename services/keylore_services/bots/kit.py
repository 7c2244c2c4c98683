"""What a bot's author uses: the class to derive from, what a bot is told, and `run`.

All times are in seconds. Views, moves, contexts, facts and outcomes are plain JSON values by the schemas of
the game (``keylore game schemas``).
"""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias

import msgspec

from keylore_domain.engine.clocks import TimeControl
from keylore_domain.errors import AccessError

Json: TypeAlias = dict[str, Any]
Choice: TypeAlias = int | Json
"""The index of a legal move, or the legal move itself."""

Until: TypeAlias = Literal["forever", "idle"] | int
"""When a bot leaves: never, when its matches have ended, or after so many matches."""

DEFAULT_SERVER: Final = "127.0.0.1:4711"
TOKEN_VARIABLE: Final = "KEYLORE_TOKEN"  # noqa: S105 - the name of a variable, not a token

_loading: ContextVar[bool] = ContextVar("loading", default=False)


# --- what a bot is told ---------------------------------------------------------------------------------


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table at which the bot sits: ``bots`` by seat, ``seat`` is its own.

    ``data`` is the SHA-256 of the component data file, ``commitment`` that of the match's seed.
    """

    match: str
    seat: int
    game: str
    rules: str = "1"
    options: Json = {}
    bots: tuple[str, ...] = ()
    data: str = ""
    time: TimeControl = TimeControl()
    commitment: str = ""


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """The match waits for this bot to choose one of the ``legal`` moves.

    ``view`` is what the seat sees, ``context`` what the decision is about (or ``None``). ``default`` is the
    index of the move that is played if no answer comes. ``budget`` is the time for this move, ``bank`` what
    is left for the whole match (0 without a bank). ``number`` names the prompt within its match.
    """

    match: str
    number: int
    seat: int
    kind: str
    view: Any
    legal: list[Json]
    default: int
    context: Json | None = None
    budget: float = 10.0
    bank: float = 0.0
    table: Table
    received: float = msgspec.field(default_factory=time.monotonic)

    def remaining(self) -> float:
        """What is left of ``budget`` at this moment; negative when it is over.

        The prompts of several matches may wait for each other in the bot, and their time runs meanwhile.
        """
        return self.received + self.budget - time.monotonic()


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """What the arbiter's clock said about a move.

    ``spent`` was charged, ``credited`` allowed for latency, ``left`` is the bank after the move, ``budget``
    what the move might have taken, ``round_trip`` the last measured time to the bot and back.
    """

    spent: float = 0.0
    credited: float = 0.0
    left: float = 0.0
    budget: float = 0.0
    round_trip: float = 0.0


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The answer is stored for good as ``event``; ``head`` is the digest of the chain of events up to it."""

    match: str
    prompt: int
    event: int
    choice: int
    head: str
    clock: Clock


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """The answer was not taken; ``message`` says why and what is allowed.

    ``code``: ``illegal_move``, ``not_prompted``, ``late``, ``match_over``, ``not_found``, ``malformed`` or
    ``rate``.
    """

    match: str
    prompt: int
    code: str
    message: str
    attempts_left: int
    clock: Clock


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """The arbiter played the default move for this bot.

    ``cause``: ``timeout``, ``disconnect``, ``illegal`` or ``forfeit``. After ``faults_allowed`` faults the
    seat forfeits (0: never).
    """

    match: str
    prompt: int
    event: int
    choice: int
    move: Json | None
    cause: str
    message: str
    faults: int
    faults_allowed: int
    clock: Clock


class News(msgspec.Struct, frozen=True, kw_only=True):
    """Something happened in a match: the facts that this seat may know, and the seats that are asked now."""

    match: str
    event: int
    ply: int
    facts: list[Json]
    waiting: tuple[int, ...] = ()


class End(msgspec.Struct, frozen=True, kw_only=True):
    """The match is over: ``concluded`` with an outcome and its seed revealed, or ``aborted`` without."""

    match: str
    event: int
    status: str
    outcome: Json | None
    cause: str
    seed: str


class Head(msgspec.Struct, frozen=True):
    """The last receipt of a match: its event and the digest of the chain up to it; keep it for a dispute."""

    event: int
    digest: str


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot did: matches that ended, moves with a receipt, moves played for it, refused answers.

    ``exceptions`` counts the errors in the author's code; ``heads`` has the last receipt of each match.
    """

    matches: int = 0
    moves: int = 0
    faults: int = 0
    refusals: int = 0
    exceptions: int = 0
    heads: Mapping[str, Head] = {}


# --- what a bot is --------------------------------------------------------------------------------------


class Bot(ABC):
    """Derive from this and write `choose`; the other methods may stay as they are.

    All methods may be ``async def``. If none is, they run in one thread of their own, one after the other,
    so that the connection is served while the bot thinks. If one is, all run in the event loop: then none
    of them may block, and the matches of the bot go on side by side.

    An exception in any of them is logged with its traceback and counted; the default move is answered.

    Attributes:
        inline: set it if `choose` takes a millisecond at most: it runs in the event loop then, without a
            thread.
        capacity: the most matches played at the same time; 0 for any number.
    """

    inline: ClassVar[bool] = False
    capacity: ClassVar[int] = 0

    @abstractmethod
    def choose(self, prompt: Prompt) -> Choice | Awaitable[Choice]:
        """The index of the chosen move in ``prompt.legal``, or that move itself.

        Called again for the same prompt only if the answer was refused as illegal.
        """

    def seated(self, table: Table) -> Awaitable[None] | None:
        """The bot got a seat; called once per match and seat."""
        return None

    def heard(self, news: News) -> Awaitable[None] | None:
        """Something happened in a match. News is only asked for if this method is overridden."""
        return None

    def receipt(self, receipt: Receipt) -> Awaitable[None] | None:
        """An answer was stored."""
        return None

    def refused(self, refusal: Refusal) -> Awaitable[None] | None:
        """An answer was not taken. After an illegal one `choose` is called once more."""
        return None

    def ruled(self, ruling: Ruling) -> Awaitable[None] | None:
        """A default move was played for this bot."""
        return None

    def ended(self, end: End) -> Awaitable[None] | None:
        """A match is over."""
        return None


def run(
    bot: Bot,
    server: str = DEFAULT_SERVER,
    token: str | None = None,
    *,
    until: Until = "forever",
    ca: str | os.PathLike[str] | None = None,
    give_up_after: float | None = None,
    keep: str | os.PathLike[str] | None = None,
    key: str | None = None,
    sync: bool = False,
    share: bool = True,
) -> Summary:
    """Connect *bot* and let it play; gives what it did.

    SIGINT and SIGTERM make it say good-bye and return. A lost connection is made again for as long as it
    takes. While a bot file is being loaded by keylore itself, this does nothing.

    Args:
        server: HOST:PORT of the arbiter.
        token: the bot's token; by default from the environment variable KEYLORE_TOKEN.
        until: ``"forever"``; ``"idle"``: when it has played and sits at no table any more; or a number of
            matches.
        ca: file with the certificate authority of the server; without it, the connection is not encrypted.
        give_up_after: seconds without a connection after which it stops trying.
        keep: folder for what the arbiter signs: receipts, and the last head of its log. A bot that is started
            again with it refuses an arbiter whose history was altered meanwhile.
        key: the public key that the arbiter must have; by default the first one that it names.
        sync: whether to wait for the disk after each receipt.
        share: whether to give a share of the seed of each match, so that nobody else chooses it.

    Raises:
        AccessError: the token is missing or the server does not know it.
        ConflictError: another process plays with the same token.
        HistoryError: the arbiter shows another history than it signed before.
        DataFileError: the folder *keep* cannot be used.
        UnreachableError: no arbiter could be reached in *give_up_after* seconds, or the server is none.
        OptionError: another argument is wrong.
    """
    if _loading.get():
        return Summary()
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # else every lost connection is told twice
    from keylore_services.bots import connection, settings  # noqa: PLC0415 - gRPC is loaded when needed

    if token is None:
        token = _token_from_environment()
    how = settings.Settings(
        server=server,
        token=token,
        until=until,
        ca=None if ca is None else Path(ca),
        give_up_after=give_up_after,
        keep=None if keep is None else Path(keep),
        key=key,
        sync=sync,
        share=share,
    )
    return connection.run_until_signal([(bot, how)])[0]


@contextmanager
def loading() -> Iterator[None]:
    """While this is open, `run` does nothing: a bot file may end in a call of it and still be loaded."""
    mark = _loading.set(True)
    try:
        yield
    finally:
        _loading.reset(mark)


def _token_from_environment() -> str:
    token = os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        msg = f"no token: give run(..., token=...) or set {TOKEN_VARIABLE} to what the organiser gave you"
        raise AccessError(msg)
    return token
