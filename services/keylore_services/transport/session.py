"""One open stream to a bot: its outbox, its round trip, its rate."""

import asyncio
from collections.abc import AsyncIterator, Mapping

import msgspec
import structlog

from keylore.v1 import arbiter_pb2 as pb
from keylore_services.arbiter.messages import Message, Refusal
from keylore_services.arbiter.times import MICROSECONDS, Now
from keylore_services.transport.encoding import encoded, held_of

log = structlog.get_logger()

PING_EVERY = 5.0
"""Seconds between two measurements of the round trip."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot must keep to; a bot that sends more is read more slowly and told so.

    ``message_bytes``: the largest message. ``messages_per_second``, ``burst``: the rate, and how many
    messages may come at once. ``unread``: messages that may wait for a bot that does not read.
    """

    message_bytes: int = 64 * 1024
    messages_per_second: int = 2_000
    burst: int = 4_000
    unread: int = 20_000


class StreamSession:
    """A `Session` over a gRPC stream.

    Attributes:
        cut_off: done when the bot left too much unread and the stream has to be ended.
    """

    def __init__(self, bot: str, hello: pb.Hello, limits: Limits, now: Now) -> None:
        self.bot = bot
        self.news = hello.news
        self.capacity = hello.capacity
        self.shares = hello.shares
        self.resume: Mapping[str, int] = {item.match: item.event for item in hello.resume}
        self.held = held_of(hello)
        self.round_trip = 0
        self._limits = limits
        self._now = now
        self._outbox: asyncio.Queue[pb.PlayResponse | None] = asyncio.Queue()
        self.cut_off: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open = True
        self._pinged: tuple[int, int] | None = None
        self._nonce = 0
        self._tokens = float(limits.burst)
        self._refilled = now()
        self._told_of_rate = 0

    def send(self, message: Message) -> None:
        """Queue *message*; a bot that leaves too many unread is cut off."""
        self._put(encoded(message))

    def close(self, message: Message) -> None:
        """Queue *message* as the last one."""
        self._put(encoded(message))
        self._end()

    async def outgoing(self) -> AsyncIterator[pb.PlayResponse]:
        """What is to be written, until the session is closed."""
        while (message := await self._outbox.get()) is not None:
            yield message

    # --- round trip -----------------------------------------------------------------------------------

    async def ping(self) -> None:
        """Measure the round trip now and then, for ever."""
        while True:
            self._nonce += 1
            self._pinged = (self._nonce, self._now())
            self._put(pb.PlayResponse(ping=pb.Ping(nonce=self._nonce, round_trip_us=self.round_trip)))
            await asyncio.sleep(PING_EVERY)

    def pong(self, nonce: int) -> None:
        """The bot answered a ping."""
        if self._pinged is not None and self._pinged[0] == nonce:
            self.round_trip = self._now() - self._pinged[1]
            self._pinged = None

    # --- rate -----------------------------------------------------------------------------------------

    async def throttle(self) -> None:
        """Take one message off the allowance; waits (and so slows down the reading) while it is used up."""
        now = self._now()
        gained = (now - self._refilled) * self._limits.messages_per_second / MICROSECONDS
        self._tokens = min(self._tokens + gained, float(self._limits.burst)) - 1
        self._refilled = now
        if self._tokens < 0:
            self._tell_of_rate(now)
            await asyncio.sleep(-self._tokens / self._limits.messages_per_second)

    def _tell_of_rate(self, now: int) -> None:
        if now - self._told_of_rate < MICROSECONDS:
            return
        self._told_of_rate = now
        log.info("bot_throttled", bot=self.bot)
        rate, burst = self._limits.messages_per_second, self._limits.burst
        message = f"more than {rate} messages a second (and {burst} at once): the rest is read more slowly"
        self.send(Refusal(match="", prompt=0, code="rate", message=message))

    # --- inside ---------------------------------------------------------------------------------------

    def _put(self, message: pb.PlayResponse) -> None:
        if not self._open:
            return
        if self._outbox.qsize() >= self._limits.unread:
            log.info("bot_cut_off", bot=self.bot, unread=self._outbox.qsize())
            self._open = False
            self.cut_off.set_result(None)
            return
        self._outbox.put_nowait(message)

    def _end(self) -> None:
        self._open = False
        self._outbox.put_nowait(None)
