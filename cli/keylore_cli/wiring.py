"""The one place that puts the services together."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from keylore_cli.context import Context
from keylore_cli.occupancy import occupied
from keylore_domain.engine.checkpoints import NoteKey
from keylore_domain.errors import LedgerError
from keylore_services.arbiter.arbiter import Arbiter
from keylore_services.arbiter.beacons import read_beacon
from keylore_services.arbiter.keys import KeyRing
from keylore_services.arbiter.rotation import keys_of
from keylore_services.arbiter.times import Now, clock_after
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.ledger.writer import Writer
from keylore_services.proof.desk import LogDesk
from keylore_services.proof.log import TransparencyLog, log_key
from keylore_services.transport.server import Listening, Server, start_server


@dataclass(frozen=True)
class House:
    """A running arbiter with its store and its server; ``key`` is the public key that it signs with."""

    ledger: Ledger
    writer: Writer
    arbiter: Arbiter
    server: Server
    now: Now
    key: str


@asynccontextmanager
async def running_house(
    settings: Context, listening: Listening, *, patience: float | None = None
) -> AsyncIterator[House]:
    """Start all services of the league; stop them in order at the end.

    Args:
        patience: unfinished matches of the ledger go on, each when its bots are back, or after so many
            seconds; ``None``: they are left alone.

    Raises:
        LedgerError: somebody serves the league already, or it cannot be served: the ledger, keys or address.
        DataFileError: the file of the beacon holds none.
    """
    with occupied(settings.lock) as occupancy:
        ledger = open_ledger(settings.ledger_file)
        writer = Writer(ledger)
        now = clock_after(ledger)
        try:
            keys = keys_of(ledger, settings.keys, now())
            beacon = read_beacon(settings.beacon) if settings.beacon is not None else None
            arbiter = Arbiter(ledger, writer, keys, now, beacon=beacon)
            async with signed_log(ledger, keys, now) as log:
                server = await start_server(
                    arbiter,
                    listening,
                    now=now,
                    version=version("keylore"),
                    log=log,
                    witnesses=listed_witnesses(settings.witnesses),
                )
                occupancy.tell(server.address)
                try:
                    if patience is not None:
                        await arbiter.resume_all(patience)
                    yield House(ledger, writer, arbiter, server, now, keys.public_key)
                finally:
                    await arbiter.stop("the server stops")
                    await server.stop()
        finally:
            writer.close()
            ledger.close()


@asynccontextmanager
async def signed_log(ledger: Ledger, keys: KeyRing, now: Now) -> AsyncIterator[LogDesk]:
    """The transparency log of the league; its head is signed whenever it has grown, and at the end.

    Raises:
        LedgerError: the file of the views cannot be used.
    """
    with TransparencyLog(ledger, log_key(keys.public_key, keys.log_name)) as source:
        desk = LogDesk(source, keys, now)
        signing = asyncio.create_task(desk.keep_signing(ledger))
        try:
            yield desk
        finally:
            signing.cancel()
            await asyncio.gather(signing, return_exceptions=True)
            await desk.close()


@asynccontextmanager
async def closed_house(settings: Context) -> AsyncIterator[tuple[Ledger, Arbiter]]:
    """The arbiter of a league that nobody serves, without a server: matches can be ended, not played.

    Raises:
        LedgerError: somebody serves the league already, or its ledger or keys cannot be used.
    """
    with occupied(settings.lock):
        ledger = open_ledger(settings.ledger_file)
        writer = Writer(ledger)
        try:
            now = clock_after(ledger)
            arbiter = Arbiter(ledger, writer, keys_of(ledger, settings.keys, now()), now)
            yield ledger, arbiter
            await arbiter.stop("nobody serves the league")
        finally:
            writer.close()
            ledger.close()


def listed_witnesses(file: Path) -> tuple[NoteKey, ...]:
    """The witnesses that the league lists, a key in each line; none without the file.

    Raises:
        DataFileError: a line is no key.
    """
    lines = file.read_text().split("\n") if file.exists() else []
    return tuple(NoteKey.parse(line.strip()) for line in lines if line.strip() and line[0] != "#")


def stop_asked() -> asyncio.Future[None]:
    """A future that is done when SIGINT or SIGTERM comes; a second SIGINT ends the process at once."""
    loop = asyncio.get_running_loop()
    asked: asyncio.Future[None] = loop.create_future()

    def ask() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        if not asked.done():
            asked.set_result(None)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ask)
    return asked


async def until_stopped(arbiter: Arbiter, asked: asyncio.Future[None]) -> None:
    """Wait until somebody *asked* to stop.

    Raises:
        LedgerError: the store failed meanwhile.
    """
    await asyncio.wait({asked, arbiter.failed}, return_when=asyncio.FIRST_COMPLETED)
    if arbiter.failed.done():
        msg = f"the store failed: {arbiter.failed.exception()}"
        raise LedgerError(msg)
