"""The arbiter's servicer: reads what bots say, writes what they are told."""

import asyncio
from typing import Any

import grpc
import structlog

from keylore.v1 import arbiter_pb2 as pb
from keylore.v1 import arbiter_pb2_grpc as pb_grpc
from keylore_domain.bots import Bot
from keylore_domain.errors import AccessError
from keylore_services.arbiter.arbiter import Arbiter
from keylore_services.arbiter.times import Now
from keylore_services.transport.encoding import answer_of, key_event, share_of
from keylore_services.transport.session import Limits, StreamSession
from keylore_services.transport.statuses import errors_as_statuses

log = structlog.get_logger()

Context = grpc.aio.ServicerContext[pb.PlayRequest, pb.PlayResponse]

HELLO_SECONDS = 10.0
"""How long a new stream may take to say Hello."""


class ArbiterServicer(pb_grpc.ArbiterServiceServicer):
    """`ArbiterService` over an `Arbiter`."""

    def __init__(self, arbiter: Arbiter, limits: Limits, now: Now, server: str) -> None:
        self._arbiter = arbiter
        self._limits = limits
        self._now = now
        self._server = server

    async def Play(  # type: ignore[override]  # noqa: N802 - grpc.aio: it may write to its context instead
        self, request_iterator: Any, context: Any
    ) -> None:
        """Carry all matches of one bot."""
        async with errors_as_statuses(context):
            bot = self._arbiter.authenticate(bearer_token(context))
            hello = await self._hello(context)
            session = StreamSession(bot.id, hello, self._limits, self._now)
            await context.write(self._welcome(bot))
            log.info("bot_said_hello", bot=bot.id, agent=hello.agent[:80])
            await self._carry(bot, session, context)

    async def _carry(self, bot: Bot, session: StreamSession, context: Context) -> None:
        writing = asyncio.create_task(self._write(session, context))
        pinging = asyncio.create_task(session.ping())
        reading = asyncio.create_task(self._read(session, context))
        try:
            await self._arbiter.attach(bot.id, session)
            await asyncio.wait({writing, reading, session.cut_off}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._arbiter.detach(bot.id, session)
            for task in (pinging, reading, writing):
                task.cancel()
            await asyncio.gather(pinging, reading, writing, return_exceptions=True)

    async def _hello(self, context: Context) -> pb.Hello:
        msg = f"the first message of a stream must be Hello, within {HELLO_SECONDS:.0f} seconds"
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                first = await context.read()
        except TimeoutError:
            raise AccessError(msg) from None
        if not isinstance(first, pb.PlayRequest) or first.WhichOneof("message") != "hello":
            raise AccessError(msg)
        return first.hello

    async def _write(self, session: StreamSession, context: Context) -> None:
        async for message in session.outgoing():
            await context.write(message)

    async def _read(self, session: StreamSession, context: Context) -> None:
        while isinstance(request := await context.read(), pb.PlayRequest):
            received = self._now()
            match request.WhichOneof("message"):
                case "answer":
                    self._arbiter.answered(answer_of(session.bot, request.answer, received))
                case "share":
                    self._arbiter.shared(share_of(session.bot, request.share))
                case "pong":
                    session.pong(request.pong.nonce)
                case "bye":
                    log.info("bot_said_bye", bot=session.bot, reason=request.bye.reason[:80])
                    return
                case _:
                    pass
            await session.throttle()

    def _welcome(self, bot: Bot) -> pb.PlayResponse:
        limits = pb.Limits(
            message_bytes=self._limits.message_bytes,
            messages_per_second=self._limits.messages_per_second,
            burst=self._limits.burst,
        )
        return pb.PlayResponse(
            welcome=pb.Welcome(
                bot=bot.name,
                server=self._server,
                limits=limits,
                key=self._arbiter.key,
                keys=map(key_event, self._arbiter.key_history),
                chance=self._arbiter.chance,
            )
        )


def bearer_token(context: Any) -> str:
    """The bearer token of a call.

    Raises:
        AccessError: there is none.
    """
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str) and value.startswith("Bearer "):
            return value.removeprefix("Bearer ").strip()
    msg = "the call carries no token; send the metadata `authorization: Bearer TOKEN`"
    raise AccessError(msg)
