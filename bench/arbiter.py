"""The arbiter under load: 50 concurrent two-seat Keydom games of two bots in another process.

The floor is a bare gRPC stream that sends the same prompts and receipts and waits for the same answers, but
knows no rules and stores nothing. Both are driven by the same thin client.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import grpc
import structlog

from bench.harness import Row
from keylore.v1 import arbiter_pb2 as pb
from keylore.v1 import arbiter_pb2_grpc as pb_grpc
from keylore_domain.bots import Bot, bot_id
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import SeatEntry
from keylore_services.arbiter.arbiter import Arbiter
from keylore_services.arbiter.keys import KeyRing
from keylore_services.arbiter.times import steady_clock
from keylore_services.ledger import writer as writers
from keylore_services.ledger.ledger import open_ledger
from keylore_services.ledger.writer import Writer
from keylore_services.tournament.tables import MatchSpec
from keylore_services.transport.server import Listening, start_server
from keylore_services.transport.session import Limits

BOTS = ("ann", "bob")
GAMES = 50
FAST = Limits(messages_per_second=1_000_000, burst=1_000_000)
TIME = TimeControl(move_ms=60_000, faults=0)
Figures = dict[str, float]


def run(quick: bool) -> list[Row]:
    """Moves per second and the round trip of a move, over several rounds."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    rounds, games, cap = (1, 10, 1) if quick else (5, GAMES, 2)
    kinds: dict[str, Callable[[], Coroutine[Any, Any, Figures]]] = {
        "echo": lambda: _echo(games, moves_each),
        "durable": lambda: arbitrated(games, cap, "file"),
        "memory": lambda: arbitrated(games, cap, "memory"),
        "single": lambda: arbitrated(games, cap, "single"),
    }
    first = asyncio.run(arbitrated(games, cap, "memory"))
    moves_each = round(first["moves"] / games)
    seen: dict[str, list[Figures]] = {name: [] for name in kinds}
    for _ in range(rounds):
        for name, measure in kinds.items():
            seen[name].append(asyncio.run(measure()))
    return [
        _row(f"{games} games: a move, durable, against a bare echo", seen, ("durable", "echo"), "micros"),
        _row(
            f"{games} games: median round trip, durable, against a bare echo",
            seen,
            ("durable", "echo"),
            "trip",
        ),
        _row("durable against the same in memory (P6)", seen, ("durable", "memory"), "micros", "<= 1.43"),
        _row("one commit per move against group commit (P7)", seen, ("single", "durable"), "micros"),
    ]


def _row(
    title: str, seen: dict[str, list[Figures]], over: tuple[str, str], field: str, bar: str | None = None
) -> Row:
    ours, floor = over
    pairs = list(zip(seen[ours], seen[floor], strict=True))
    return Row(
        name=title,
        ours=median(figures[field] for figures in seen[ours]),
        floor=median(figures[field] for figures in seen[floor]),
        ratio=median(a[field] / b[field] for a, b in pairs),
        cpu=median(a["cpu"] / b["cpu"] for a, b in pairs),
        bar=bar,
    )


async def arbitrated(games: int, cap: int, store: str) -> Figures:
    """Play the games on a real arbiter."""
    with tempfile.TemporaryDirectory(prefix="keylore-bench-") as folder:
        ledger = open_ledger(":memory:" if store == "memory" else Path(folder) / "ledger.db")
        grouped, writers.MAX_GROUP = writers.MAX_GROUP, 1 if store == "single" else writers.MAX_GROUP  # type: ignore[misc]
        writer = Writer(ledger)
        now = steady_clock()
        arbiter = Arbiter(ledger, writer, KeyRing(b"1" * 32, b"2" * 32), now)
        ledger.save(*(Bot.enrol(name, name, 1) for name in BOTS))
        server = await start_server(arbiter, Listening(limits=FAST), now=now, version="bench")
        try:
            async with _client(server.address, games) as figures:
                await arbiter.hub.wait_for(frozenset(map(bot_id, BOTS)), 20)
                await asyncio.gather(*(arbiter.open(_spec(number, cap)) for number in range(games)))
            return figures
        finally:
            writers.MAX_GROUP = grouped  # type: ignore[misc]
            await server.stop(0)
            writer.close()
            ledger.close()


def _spec(number: int, cap: int) -> MatchSpec:
    return MatchSpec(
        match_id=f"m/bench/{number}",
        game="keydom",
        options={"round_cap": cap},
        seats=tuple(SeatEntry(bot_id(name), name) for name in BOTS),
        time=TIME,
        public_seed="bench",
    )


async def _echo(games: int, moves_each: int) -> Figures:
    """Send prompts of the same size as often, on a server that does nothing else."""
    prompt, receipt = _sample_messages()
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    servicer = _Echo(prompt, receipt, games, moves_each)
    pb_grpc.add_ArbiterServiceServicer_to_server(servicer, server)
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        async with _client(address, games) as figures:
            pass
        return figures
    finally:
        await server.stop(0)


class _Echo(pb_grpc.ArbiterServiceServicer):
    """Each game is asked of the two bots in turn, as in a real match."""

    def __init__(self, prompt: pb.Prompt, receipt: pb.Receipt, games: int, moves_each: int) -> None:
        self._prompt = prompt
        self._receipt = receipt
        self._left = [moves_each] * games
        self._outboxes: list[asyncio.Queue[pb.PlayResponse]] = []

    async def Play(self, request_iterator: Any, context: Any) -> None:  # type: ignore[override]  # noqa: N802
        await context.read()
        own: asyncio.Queue[pb.PlayResponse] = asyncio.Queue()
        self._outboxes.append(own)
        writing = asyncio.create_task(self._write(own, context))
        if len(self._outboxes) == len(BOTS):
            for game in range(len(self._left)):
                self._ask(game, 0)
        seat = self._outboxes.index(own)
        while isinstance(request := await context.read(), pb.PlayRequest):
            game = int(request.answer.match)
            own.put_nowait(pb.PlayResponse(receipt=self._filled(self._receipt, game)))
            self._left[game] -= 1
            if self._left[game] > 0:
                self._ask(game, 1 - seat)
            else:
                for outbox in self._outboxes:
                    outbox.put_nowait(pb.PlayResponse(ended=pb.Ended(match=str(game), status="concluded")))
        writing.cancel()

    def _ask(self, game: int, seat: int) -> None:
        self._outboxes[seat].put_nowait(pb.PlayResponse(prompt=self._filled(self._prompt, game)))

    def _filled(self, message: Any, game: int) -> Any:
        copy = type(message)()
        copy.CopyFrom(message)
        copy.match = str(game)
        return copy

    async def _write(self, outbox: asyncio.Queue[pb.PlayResponse], context: Any) -> None:
        while True:
            await context.write(await outbox.get())


def _sample_messages() -> tuple[pb.Prompt, pb.Receipt]:
    """A prompt and a receipt of a usual size: those of an early placing in a two-seat game."""
    prompt = pb.Prompt(
        prompt=17,
        kind="place_counter",
        view_json=b"v" * 2_900,
        legal_json=b"l" * 5_200,
        context_json=b"c" * 80,
    )
    receipt = pb.Receipt(
        prompt=17, event=19, choice=1, head="0" * 64, clock=pb.Clock(spent_us=500, budget_us=1)
    )
    return prompt, receipt


@asynccontextmanager
async def _client(address: str, games: int) -> AsyncIterator[Figures]:
    """Run the client process; the figures are complete when the block has been left."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.arbiter", address, str(games), stdout=asyncio.subprocess.PIPE
    )
    figures: Figures = {}
    cpu = process_time()
    yield figures
    output, _ = await process.communicate()
    figures.update(json.loads(output))
    figures["micros"] = figures["seconds"] / figures["moves"] * 1e6
    figures["cpu"] = (process_time() - cpu) / figures["moves"]


# --- the client process ---------------------------------------------------------------------------------


async def _play(address: str, games: int) -> None:
    trips: list[float] = []
    span: list[float] = []
    async with grpc.aio.insecure_channel(address) as channel:
        await asyncio.gather(*(_play_as(channel, name, games, trips, span) for name in BOTS))
    figures = {
        "moves": len(trips),
        "seconds": max(span) - min(span),
        "trip": median(trips) * 1e6,
        "p99": sorted(trips)[int(len(trips) * 0.99)] * 1e6,
    }
    print(json.dumps(figures))


async def _play_as(
    channel: grpc.aio.Channel, name: str, games: int, trips: list[float], span: list[float]
) -> None:
    call = pb_grpc.ArbiterServiceStub(channel).Play(metadata=(("authorization", f"Bearer {name}"),))
    await call.write(pb.PlayRequest(hello=pb.Hello(agent="bench")))
    sent: dict[tuple[str, int], float] = {}
    left = games
    while left:
        response: Any = await call.read()
        kind = response.WhichOneof("message")
        if kind == "prompt":
            prompt = response.prompt
            span.append(perf_counter())
            answer = pb.Answer(match=prompt.match, prompt=prompt.prompt, choice=prompt.default_choice)
            sent[prompt.match, prompt.prompt] = perf_counter()
            await call.write(pb.PlayRequest(answer=answer))
        elif kind == "receipt":
            span.append(perf_counter())
            trips.append(span[-1] - sent.pop((response.receipt.match, response.receipt.prompt)))
        elif kind == "ping":
            await call.write(pb.PlayRequest(pong=pb.Pong(nonce=response.ping.nonce)))
        elif kind == "ended":
            left -= 1
    call.cancel()


if __name__ == "__main__":
    asyncio.run(_play(sys.argv[1], int(sys.argv[2])))
