"""An arbiter that says what the test tells it to, over a real socket."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any

import grpc

from keylore.v1 import arbiter_pb2 as pb
from keylore.v1.arbiter_pb2_grpc import ArbiterServiceServicer, add_ArbiterServiceServicer_to_server
from keylore_services.bots.settings import Settings

TOKEN = "let-me-in"
LEGAL = [{"colour": "red"}, {"colour": "green"}, {"colour": "blue"}]
SECONDS = 60.0


def scene(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run an async test, and fail it when it takes too long."""

    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), SECONDS))

    return run


class Stream:
    """The server's end of one stream."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self.ended = asyncio.Event()
        metadata = dict(context.invocation_metadata())
        self.token = metadata["authorization"].removeprefix("Bearer ")

    async def hear(self, kind: str) -> Any:
        """The next message, which must be of this kind."""
        message = await self._context.read()
        assert message is not grpc.aio.EOF, f"the bot closed the stream instead of sending {kind}"
        assert message.WhichOneof("message") == kind, message
        return getattr(message, kind)

    async def hear_end(self) -> None:
        """The bot half-closes the stream."""
        assert await self._context.read() is grpc.aio.EOF

    async def say(self, **message: Any) -> None:
        """Send one message."""
        await self._context.write(pb.PlayResponse(**message))

    async def open(self, **limits: int) -> Any:
        """Take the Hello, answer with Welcome; gives the Hello."""
        hello = await self.hear("hello")
        await self.say(welcome=pb.Welcome(bot="bot/alice", server="test", limits=pb.Limits(**limits)))
        return hello

    async def seat(self, match: str = "m/1", seat: int = 0, event: int = 2) -> None:
        """Seat the bot."""
        table = pb.Seated(match=match, seat=seat, game="toy", rules="1", event=event)
        table.options_json = b'{"seats":2}'
        table.bots.extend(["alice", "bob"])
        table.time.move_ms = 5_000
        await self.say(seated=table)

    async def prompt(self, number: int, match: str = "m/1", event: int = 2, **fields: Any) -> None:
        """Ask the bot for a colour."""
        fields = {"seat": 0, "default_choice": 1, "budget_ms": 5_000, "bank_ms": 60_000} | fields
        await self.say(
            prompt=pb.Prompt(
                match=match,
                prompt=number,
                kind="colour",
                view_json=json.dumps({"turn": number}).encode(),
                legal_json=json.dumps(LEGAL).encode(),
                context_json=b"null",
                event=event,
                **fields,
            )
        )

    async def receipt(self, number: int, event: int, match: str = "m/1", choice: int = 0) -> None:
        """Acknowledge an answer."""
        receipt = pb.Receipt(match=match, prompt=number, event=event, choice=choice, head=f"head-{event}")
        receipt.clock.spent_us = 1_500_000
        await self.say(receipt=receipt)

    async def finish(self, match: str = "m/1", event: int = 99) -> None:
        """End a match."""
        await self.say(
            ended=pb.Ended(
                match=match, event=event, status="concluded", outcome_json=b'{"ranks":[1,2]}', seed="00"
            )
        )

    async def part(self) -> None:
        """The bot says good-bye, and the stream is closed."""
        await self.hear("bye")
        await self.hear_end()
        self.ended.set()


class Arbiter(ArbiterServiceServicer):
    """Hands each stream to the test."""

    def __init__(self, port: int, token: str | None) -> None:
        self.port = port
        self._token = token
        self._streams: asyncio.Queue[Stream] = asyncio.Queue()

    async def Play(self, request_iterator: Any, context: Any) -> None:  # type: ignore[override]
        stream = Stream(context)
        if self._token not in (None, stream.token):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
        self._streams.put_nowait(stream)
        await stream.ended.wait()

    async def stream(self) -> Stream:
        """The next stream that a bot opens."""
        return await self._streams.get()

    def settings(self, **given: Any) -> Settings:
        """How a bot gets here."""
        return Settings(**({"server": f"127.0.0.1:{self.port}", "token": TOKEN} | given))


@asynccontextmanager
async def arbiter(
    port: int = 0, *, token: str | None = TOKEN, credentials: grpc.ServerCredentials | None = None
) -> AsyncIterator[Arbiter]:
    """A running arbiter that knows *token*, or takes any; when it ends, all streams break."""
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    address = f"127.0.0.1:{port}"
    if credentials is None:
        port = server.add_insecure_port(address)
    else:
        port = server.add_secure_port(address, credentials)
    servicer = Arbiter(port, token)
    add_ArbiterServiceServicer_to_server(servicer, server)
    await server.start()
    try:
        yield servicer
    finally:
        await server.stop(None)
