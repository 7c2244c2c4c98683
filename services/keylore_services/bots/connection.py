"""The bot's side of the stream: connects, answers pings, comes back, leaves politely."""

import asyncio
import random
import signal
import threading
from collections.abc import Awaitable, Sequence
from typing import Final

import grpc
import structlog
from grpc.aio import AioRpcError, Channel, StreamStreamCall

from keylore.v1 import arbiter_pb2
from keylore.v1.arbiter_pb2_grpc import ArbiterServiceStub
from keylore_domain.bots import bot_id
from keylore_domain.errors import AccessError, ConflictError, KeyloreError, UnreachableError
from keylore_services.bots.keeping import Keeper
from keylore_services.bots.kit import Bot, Summary
from keylore_services.bots.logs import log_to_stderr
from keylore_services.bots.logwatch import LogWatch
from keylore_services.bots.outbox import Outbox
from keylore_services.bots.player import Player
from keylore_services.bots.settings import Settings
from keylore_services.bots.sharing import Sharer
from keylore_services.bots.wire import key_events_of

log = structlog.get_logger()

_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    ("grpc.max_send_message_length", 1024 * 1024),
    ("grpc.use_local_subchannel_pool", 1),  # else the back-off of a lost channel is inherited by the next one
)
_FIRST_DELAY: Final = 0.1
_LAST_DELAY: Final = 2.0
_LEAVE_SECONDS: Final = 2.0
_AWAY_SECONDS: Final = 5.0
_LOOK_SECONDS: Final = 60.0

_Call = StreamStreamCall[arbiter_pb2.PlayRequest, arbiter_pb2.PlayResponse]


async def play(bot: Bot, settings: Settings, stop: asyncio.Event | None = None) -> Summary:
    """Connect *bot* and let it play until it is done or *stop* is set; gives what it did.

    Raises:
        AccessError: the server does not know the token.
        ConflictError: another process plays with the same token.
        UnreachableError: no arbiter could be reached in time, or the server is none.
        HistoryError: the server shows another history than it signed before.
        DataFileError: what is kept of that cannot be read or written.
    """
    keeper = Keeper(settings.keep, key=settings.key, sync=settings.sync)
    player = Player(bot, keeper, Sharer(is_willing=settings.share))
    connection = Connection(player, settings, stop or asyncio.Event())
    try:
        await connection.stay()
    finally:
        await player.close(_LEAVE_SECONDS)
    summary = player.summary()
    facts = {name: getattr(summary, name) for name in summary.__struct_fields__ if name != "heads"}
    log.info("bot_finished", bot=type(bot).__name__, **facts)
    return summary


def run_until_signal(bots: Sequence[tuple[Bot, Settings]]) -> list[Summary]:
    """Play all *bots*, each on a connection of its own; SIGINT and SIGTERM make them leave.

    In a thread other than the main one, signals are left to the program.

    Raises:
        KeyloreError: as `play`, for the first bot that failed, when the others have finished.
    """
    log_to_stderr()
    return asyncio.run(_play_all(bots))


async def _play_all(bots: Sequence[tuple[Bot, Settings]]) -> list[Summary]:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
    if len(bots) == 1:
        return [await play(*bots[0], stop)]
    playing = [loop.create_task(_play_beside(bot, settings, stop)) for bot, settings in bots]
    await asyncio.wait(playing)
    return [task.result() for task in playing]


async def _play_beside(bot: Bot, settings: Settings, stop: asyncio.Event) -> Summary:
    """As `play`; an error is logged at once, since it is raised only when the other bots have finished."""
    own = asyncio.Event()
    follower = asyncio.create_task(_follow(stop, own))
    try:
        return await play(bot, settings, own)
    except KeyloreError as error:
        log.error("bot_stopped", bot=type(bot).__name__, reason=str(error))
        raise
    finally:
        follower.cancel()


async def _follow(leader: asyncio.Event, event: asyncio.Event) -> None:
    await leader.wait()
    event.set()


class Connection:
    """Keeps *player* connected until it has done what the settings say, or *stop* is set."""

    def __init__(self, player: Player, settings: Settings, stop: asyncio.Event) -> None:
        self._player = player
        self._settings = settings
        self._stop = stop
        self._log = LogWatch(settings.keep)
        self._credentials = settings.credentials()
        self._delay = _FIRST_DELAY
        self._welcomed = False
        self._away: arbiter_pb2.GoingAway | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._greeted: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._refused: KeyloreError | None = None

    async def stay(self) -> None:
        """Connect, and connect again whenever the stream is lost.

        Raises:
            KeyloreError: see `play`.
        """
        loop = asyncio.get_running_loop()
        lost_at = loop.time()
        while not self._stop.is_set():
            self._welcomed, self._away = False, None
            reason = await self._stream()
            if self._stop.is_set():
                return
            if self._welcomed:
                lost_at, self._delay = loop.time(), _FIRST_DELAY
            limit = self._settings.give_up_after
            if limit is not None and loop.time() - lost_at >= limit:
                raise UnreachableError(self._gave_up(reason, limit))
            await self._pause(reason)

    # --- one stream -----------------------------------------------------------------------------------

    async def _stream(self) -> str:
        """Play over one stream to its end; gives why it ended."""
        channel = self._channel()
        try:
            await self._log.look(channel)
        except KeyloreError:
            await channel.close()
            raise
        call: _Call = ArbiterServiceStub(channel).Play(metadata=self._settings.metadata)
        outbox = Outbox()
        outbox.put(self._player.hello())
        self._greeted = asyncio.get_running_loop().create_future()
        work = (outbox.write_to(call), self._leave(call, outbox), self._watch(channel, call))
        tasks = [asyncio.create_task(one) for one in work]
        try:
            await self._read(call, outbox)
        except AioRpcError as error:
            return self._judged(error)
        finally:
            self._player.detach()
            await _cancelled(tasks)
            await channel.close()
        if self._refused is not None:
            raise self._refused
        return self._away.reason if self._away is not None else "the server closed the stream"

    def _channel(self) -> Channel:
        if self._credentials is None:
            return grpc.aio.insecure_channel(self._settings.server, options=_OPTIONS)
        return grpc.aio.secure_channel(self._settings.server, self._credentials, options=_OPTIONS)

    async def _read(self, call: _Call, outbox: Outbox) -> None:
        try:
            while isinstance(message := await call.read(), arbiter_pb2.PlayResponse):  # else it is EOF
                self._take(message, call, outbox)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():  # else we have cancelled the call ourselves
                raise

    def _take(self, message: arbiter_pb2.PlayResponse, call: _Call, outbox: Outbox) -> None:
        match message.WhichOneof("message"):
            case "ping":
                outbox.put(arbiter_pb2.PlayRequest(pong=arbiter_pb2.Pong(nonce=message.ping.nonce)))
            case "welcome":
                self._welcome(message.welcome, outbox)
            case "going_away":
                self._go_away(message.going_away, call)
            case _:
                self._player.take(message)
                self._check_done()

    def _welcome(self, welcome: arbiter_pb2.Welcome, outbox: Outbox) -> None:
        log.info("arbiter_reached", server=self._settings.server, bot=welcome.bot, version=welcome.server)
        self._player.meet(welcome.key, key_events_of(welcome.keys))
        self._welcomed = True
        if not self._greeted.done():
            self._greeted.set_result(welcome.bot)
        outbox.limit(welcome.limits)
        self._player.attach(outbox.put)

    def _go_away(self, message: arbiter_pb2.GoingAway, call: _Call) -> None:
        """The server is about to close the stream; receipts may still come until it does.

        Raises:
            ConflictError: it will not have us back, since another stream took our place.
        """
        if not message.retry_ms:
            msg = (
                f"{self._settings.server} closed the stream for good: {message.reason}. "
                f"Two processes with one token cannot play: stop the other one, or enrol a second bot"
            )
            raise ConflictError(msg)
        log.info("arbiter_going_away", reason=message.reason, back_in=f"{message.retry_ms / 1_000:g} s")
        self._away = message
        asyncio.get_running_loop().call_later(_AWAY_SECONDS, call.cancel)

    async def _watch(self, channel: Channel, call: _Call) -> None:
        """Cosign the head of the log, and look now and then whether it still continues."""
        name = bot_id(await self._greeted)
        try:
            while True:
                await self._log.cosign(channel, name, self._settings.metadata)
                await asyncio.sleep(_LOOK_SECONDS * random.uniform(0.5, 1.5))  # noqa: S311 - spreads the bots
                await self._log.look(channel)
        except KeyloreError as error:
            self._refused = error
            call.cancel()

    async def _leave(self, call: _Call, outbox: Outbox) -> None:
        """When it is time, say good-bye; the server closes the stream then."""
        await self._stop.wait()
        outbox.put(arbiter_pb2.PlayRequest(bye=arbiter_pb2.Bye(reason="finished")))
        outbox.end()
        await asyncio.sleep(_LEAVE_SECONDS)
        call.cancel()

    # --- when it is over ------------------------------------------------------------------------------

    def _check_done(self) -> None:
        until, player = self._settings.until, self._player
        if isinstance(until, int):
            if player.ended >= until:
                self._stop.set()
        elif until == "idle":
            self._check_idle()

    def _check_idle(self) -> None:
        is_idle = self._player.is_idle and self._player.ended > 0
        if is_idle and self._idle is None:
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(self._settings.idle_seconds, self._stop.set)
        elif not is_idle and self._idle is not None:
            self._idle.cancel()
            self._idle = None

    # --- coming back ----------------------------------------------------------------------------------

    def _judged(self, error: AioRpcError) -> str:
        """Why the stream broke, if it makes sense to try again.

        Raises:
            AccessError, UnreachableError: it does not.
        """
        code, details, server = error.code(), error.details() or "", self._settings.server
        if code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
            msg = (
                f"{server} does not accept the token: {details or code.name}. "
                f"Ask the organiser for the bot's token, and check that it is copied whole"
            )
            raise AccessError(msg)
        if code is grpc.StatusCode.UNIMPLEMENTED:
            msg = f"there is no keylore arbiter at {server}, but another gRPC server; check host and port"
            raise UnreachableError(msg)
        return f"{code.name}: {details}"

    def _gave_up(self, reason: str, limit: float) -> str:
        return (
            f"no arbiter could be reached at {self._settings.server} for {limit:g} s ({reason}); "
            f"check that it runs, and host, port and encryption"
        )

    async def _pause(self, reason: str) -> None:
        """Wait before the next try: as long as the server asked for, or twice as long each time."""
        delay = self._delay * random.uniform(0.5, 1.0)  # noqa: S311 - spreads the bots, is no secret
        if self._away is not None:
            delay += self._away.retry_ms / 1_000
        elif self._delay < _LAST_DELAY:
            log.warning(
                "arbiter_lost",
                server=self._settings.server,
                reason=reason,
                next_try=f"in {delay:.1f} s",
                hint="nothing to do if the server is being restarted; else check that it runs, host and port",
            )
        self._delay = min(self._delay * 2, _LAST_DELAY)
        await _either(self._stop.wait(), delay)


async def _either(event: Awaitable[object], seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event
    except TimeoutError:
        return


async def _cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
