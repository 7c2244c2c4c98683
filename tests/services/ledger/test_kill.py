"""Nothing that was acknowledged is ever lost, however the process dies."""

import random
import signal
import threading
from pathlib import Path

import pytest

from keylore_domain.bots import Bot
from keylore_services.ledger.ledger import open_ledger
from tests.services.ledger.children import child

BOTS = 20

APPEND = """
import asyncio, sys
from keylore_domain.bots import Bot
from keylore_domain.errors import NotFoundError
from keylore_services.ledger.ledger import open_ledger
from keylore_services.ledger.writer import Writer

async def append(ledger, writer, name):
    try:
        bot = ledger.load(f"bot/{name}", Bot)
    except NotFoundError:
        bot = Bot.enrol(name, "token", 1)
    while True:
        await writer.save(bot)
        sys.stdout.write(f"{bot.id} {bot.version}\\n")
        sys.stdout.flush()
        bot.replace_token(f"token {bot.version}", bot.version)

async def work(where, names):
    ledger = open_ledger(where)
    writer = Writer(ledger)
    await asyncio.gather(*(append(ledger, writer, name) for name in names))

asyncio.run(work(sys.argv[1], sys.argv[2:]))
"""


def acknowledged_until_killed(file: Path, seconds: float) -> dict[str, int]:
    """The highest version of each bot that a process said was stored, before it was killed then."""
    process = child(APPEND, file, *(f"bot-{number}" for number in range(BOTS)))
    assert process.stdout is not None
    lines = [process.stdout.readline()]
    killer = threading.Timer(seconds, process.send_signal, [signal.SIGKILL])
    killer.start()
    lines += process.stdout.read().splitlines(keepends=True)
    killer.join()
    process.communicate(timeout=20)
    assert process.returncode == -signal.SIGKILL
    whole = [line.split() for line in lines if line.endswith("\n")]
    return {name: int(version) for name, version in whole}


@pytest.mark.slow
def test_a_killed_process_loses_nothing_that_it_acknowledged(file: Path) -> None:
    dice = random.Random(1848)
    acknowledged: dict[str, int] = {}
    for _ in range(6):
        acknowledged |= acknowledged_until_killed(file, dice.uniform(0.01, 0.4))

        with open_ledger(file) as ledger:
            for name, version in acknowledged.items():
                bot = ledger.load(name, Bot)  # checks versions and chain
                assert bot.version >= version
            for name in ledger.ids():
                versions = [event.originator_version for event in ledger.stored(name)]
                assert versions == list(range(1, len(versions) + 1))
            positions = [event.id for event in ledger.notifications(0, 1_000_000)]
            assert positions == list(range(1, len(positions) + 1))
    assert len(acknowledged) == BOTS
    assert sum(acknowledged.values()) > 100
