"""What the exchange of shares costs: whole games of two bots of the kit, with shares of the seed and without.

Bots and arbiter share one process, so the figures hold the work of both sides.
"""

import asyncio
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import structlog

from bench.arbiter import BOTS, FAST, GAMES, TIME
from bench.harness import Row
from keylore_domain.bots import Bot, bot_id
from keylore_domain.engine.events import SeatEntry
from keylore_services.arbiter.arbiter import Arbiter
from keylore_services.arbiter.keys import KeyRing
from keylore_services.arbiter.times import steady_clock
from keylore_services.bots import builtin
from keylore_services.bots.connection import play
from keylore_services.bots.settings import Settings
from keylore_services.ledger.ledger import open_ledger
from keylore_services.ledger.writer import Writer
from keylore_services.tournament.tables import MatchSpec
from keylore_services.transport.server import Listening, start_server

Figures = tuple[float, float]
"""Wall and processor time by move, in seconds: other seeds make games of other lengths."""


def run(quick: bool) -> list[Row]:
    """The time of a short game, several rounds."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    rounds, games = (1, 5) if quick else (5, GAMES)
    asyncio.run(_played(games, share=True))
    seen: dict[bool, list[Figures]] = {True: [], False: []}
    for _ in range(rounds):
        for share, figures in seen.items():
            figures.append(asyncio.run(_played(games, share=share)))
    pairs = list(zip(seen[True], seen[False], strict=True))
    return [
        Row(
            name="a move of a game of two rounds, with shares of the seats: without",
            ours=median(wall for wall, _ in seen[True]) * 1e6,
            floor=median(wall for wall, _ in seen[False]) * 1e6,
            ratio=median(ours[0] / floor[0] for ours, floor in pairs),
            cpu=median(ours[1] / floor[1] for ours, floor in pairs),
            bar="<= 1.10",
            judged="cpu",
        )
    ]


async def _played(games: int, *, share: bool) -> Figures:
    with tempfile.TemporaryDirectory(prefix="keylore-bench-") as folder:
        ledger = open_ledger(Path(folder) / "ledger.db")
        writer, now = Writer(ledger), steady_clock()
        arbiter = Arbiter(ledger, writer, KeyRing(b"1" * 32, b"2" * 32), now)
        ledger.save(*(Bot.enrol(name, name, 1) for name in BOTS))
        server = await start_server(arbiter, Listening(limits=FAST), now=now, version="bench")
        try:
            playing = [
                asyncio.create_task(
                    play(
                        builtin.make("first"),
                        Settings(server=server.address, token=name, until=games, share=share),
                    )
                )
                for name in BOTS
            ]
            await arbiter.hub.wait_for(frozenset(map(bot_id, BOTS)), 20)
            wall, cpu = perf_counter(), process_time()
            await asyncio.gather(*(arbiter.open(_spec(number)) for number in range(games)))
            moves = sum(summary.moves for summary in await asyncio.gather(*playing))
            return (perf_counter() - wall) / moves, (process_time() - cpu) / moves
        finally:
            await server.stop(0)
            writer.close()
            ledger.close()


def _spec(number: int) -> MatchSpec:
    seats = tuple(SeatEntry(bot_id(name), name) for name in BOTS)
    return MatchSpec(
        match_id=f"m/bench/{number}", game="keydom", options={"round_cap": 2}, seats=seats, time=TIME
    )
