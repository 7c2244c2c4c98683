"""Group commits (P7): a hundred matches that each wait for the commit of their move before the next.

Against a thread that commits every move by itself; on the disk as it is, and on one that takes 2 ms longer
for each commit, as an ordinary network disk does.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

from bench.harness import Prepare, Row, Work, interleave
from bench.subjects import Recorded
from keylore_domain.engine.aggregates import Event
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.ledger.writer import Writer

MATCHES = 100
SLOW_SECONDS = 0.002

Save = Callable[[Recorded], Awaitable[list[int]]]


def run(quick: bool) -> list[Row]:
    """Every row of this module."""
    rounds, moves = (2, 3) if quick else (9, 3)
    return [
        grouping("P7 group commit, full: one commit per move", rounds, moves, 0.0, 2.5),
        grouping("P7 group commit, 2 ms slower disk: one commit per move", rounds, moves, SLOW_SECONDS, 8),
    ]


def grouping(title: str, rounds: int, moves: int, delay: float, bar: float) -> Row:
    """The same moves of the same number of matches, committed in groups and one by one."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(max_workers=1) as thread,
        slowed(Path(folder) / "one.db", delay) as one,
        slowed(Path(folder) / "group.db", delay) as many,
        closing(Writer(many)) as writer,
    ):

        async def by_itself(match: Recorded) -> list[int]:
            return await asyncio.get_running_loop().run_in_executor(thread, one.save, match)

        variants = {"one": playing(by_itself, moves), "group": playing(writer.save, moves)}
        times = interleave(variants, rounds=rounds, units=MATCHES * moves)
    return times.at_least(title, "group", "one", bar)


@contextmanager
def slowed(file: Path, delay: float) -> Iterator[Ledger]:
    """A ledger each of whose commits takes *delay* seconds longer."""
    with open_ledger(file) as ledger:
        append = ledger.append

        def slow(events: Sequence[Event]) -> list[int]:
            time.sleep(delay)
            return append(events)

        if delay:
            ledger.append = slow  # type: ignore[method-assign]
        yield ledger


def playing(save: Save, moves: int) -> Prepare:
    """A hundred matches at the same time, each of so many moves."""
    numbers = count()

    async def play(match: Recorded) -> None:
        for _ in range(moves):
            match.play()
            await save(match)

    async def play_all(matches: Sequence[Recorded]) -> None:
        await asyncio.gather(*(play(match) for match in matches))

    def prepare() -> Work:
        matches = [Recorded(f"m/{next(numbers)}") for _ in range(MATCHES)]
        return lambda: asyncio.run(play_all(matches))

    return prepare
