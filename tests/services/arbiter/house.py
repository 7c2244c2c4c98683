"""A real arbiter on a free port, and bots that speak the wire protocol by hand."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest

from keylore.v1 import arbiter_pb2 as pb
from keylore.v1 import arbiter_pb2_grpc as pb_grpc
from keylore_domain.bots import Bot, bot_id
from keylore_domain.engine.checkpoints import NoteKey
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import SeatEntry
from keylore_domain.engine.matches import Catalog, Match
from keylore_domain.engine.shares import Beacon
from keylore_services.arbiter.arbiter import Arbiter
from keylore_services.arbiter.keys import KeyRing
from keylore_services.arbiter.times import steady_clock
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.ledger.writer import Writer
from keylore_services.proof.desk import LogDesk
from keylore_services.proof.log import TransparencyLog, log_key
from keylore_services.tournament.tables import MatchSpec
from keylore_services.transport.server import Listening, Server, start_server
from keylore_services.transport.session import Limits
from tests.domain.engine.toy import toy_catalog

KEYS = KeyRing(b"\1" * 32, b"\2" * 32)
QUICK = TimeControl(move_ms=200, credit_ms=0, attempts=2, faults=3)
PATIENT = TimeControl(move_ms=20_000, credit_ms=0)


@dataclass
class House:
    """A running arbiter."""

    ledger: Ledger
    writer: Writer
    arbiter: Arbiter
    server: Server

    def match(self, match_id: str) -> Match:
        return self.ledger.load(match_id, lambda i: Match(i, toy_catalog))

    def enrol(self, *names: str) -> None:
        for name in names:
            if bot_id(name) not in self.ledger.ids("bot/"):
                self.ledger.save(Bot.enrol(name, f"token-{name}", at=1))

    async def open(self, match_id: str, *names: str, time: TimeControl = PATIENT, **options: Any) -> str:
        seats = tuple(SeatEntry(bot_id(name), name) for name in names)
        await self.arbiter.open(
            MatchSpec(match_id=match_id, game="pearls", options=options, seats=seats, time=time)
        )
        return match_id


@asynccontextmanager
async def house(
    folder: Path,
    *,
    limits: Limits | None = None,
    port: int = 0,
    logged: bool = False,
    games: Catalog = toy_catalog,
    beacon: Beacon | None = None,
    witnesses: Sequence[NoteKey] = (),
) -> AsyncIterator[House]:
    """A running arbiter over the ledger in *folder*; *logged*: with a transparency log."""
    ledger = open_ledger(folder / "ledger.db", synchronous="normal")
    writer = Writer(ledger)
    now = steady_clock()
    arbiter = Arbiter(ledger, writer, KEYS, now, games, beacon=beacon)
    listening = Listening(port=port, limits=limits or Limits())
    log = TransparencyLog(ledger, log_key(KEYS.public_key, KEYS.log_name)) if logged else None
    shown = LogDesk(log, KEYS, now) if log is not None else None
    server = await start_server(arbiter, listening, now=now, version="test", log=shown, witnesses=witnesses)
    try:
        yield House(ledger, writer, arbiter, server)
    finally:
        await arbiter.stop("the test is over")
        await server.stop(0)
        if shown is not None and log is not None:
            await shown.close()
            log.close()
        writer.close()
        ledger.close()


@dataclass
class Wire:
    """A stream held by hand."""

    call: Any
    seen: list[pb.PlayResponse] = field(default_factory=list)

    async def say(self, **message: Any) -> None:
        await self.call.write(pb.PlayRequest(**message))

    async def answer(self, prompt: pb.Prompt, choice: int | None = None) -> None:
        chosen = prompt.default_choice if choice is None else choice
        await self.say(answer=pb.Answer(match=prompt.match, prompt=prompt.prompt, choice=chosen))

    async def next(self, kind: str, where: Callable[[Any], bool] = lambda _: True) -> Any:
        """The next message of a kind; pings are answered on the way, everything is kept in ``seen``."""
        while True:
            response = await asyncio.wait_for(self.call.read(), 20)
            assert isinstance(response, pb.PlayResponse), "the stream ended"
            self.seen.append(response)
            name = response.WhichOneof("message")
            if name == "ping":
                await self.say(pong=pb.Pong(nonce=response.ping.nonce))
            if name == kind and where(getattr(response, kind)):
                return getattr(response, kind)

    async def play_on(self) -> Any:
        """Answer every prompt with its default until a match ends."""
        while True:
            response = await asyncio.wait_for(self.call.read(), 20)
            assert isinstance(response, pb.PlayResponse), "the stream ended"
            self.seen.append(response)
            if response.WhichOneof("message") == "prompt":
                await self.answer(response.prompt)
            elif response.WhichOneof("message") == "ended":
                return response.ended

    def kinds(self) -> list[str]:
        return [str(response.WhichOneof("message")) for response in self.seen]


@asynccontextmanager
async def wire(
    address: str, name: str, *, token: str | None = None, hello: pb.Hello | None = None
) -> AsyncIterator[Wire]:
    """A stream of the bot *name* that has said Hello."""
    async with grpc.aio.insecure_channel(address) as channel:
        metadata = (("authorization", f"Bearer {token or 'token-' + name}"),)
        call = pb_grpc.ArbiterServiceStub(channel).Play(metadata=metadata)
        held = Wire(call)
        await held.say(hello=hello or pb.Hello(agent="by hand"))
        try:
            yield held
        finally:
            call.cancel()


def legal(prompt: pb.Prompt) -> list[dict[str, Any]]:
    return list(msgspec.json.decode(prompt.legal_json))


@contextmanager
def raises_status(code: grpc.StatusCode) -> Iterator[None]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield
    assert caught.value.code() == code
