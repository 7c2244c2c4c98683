"""A tournament as it is watched: a board that is kept up to date on a terminal, lines elsewhere."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from keylore_cli.progress import line_of
from keylore_services.ledger.feed import Feed
from keylore_services.ledger.ledger import Ledger
from keylore_services.tournament.progress import TableEnded, TableOpened
from keylore_services.tournament.watching import Now, Seen, Watch
from keylore_services.tournament.words import exact

Show = Callable[[Seen], None]

REFRESH: Final = 0.25  # seconds


async def watch_tournament(ledger: Ledger, tournament: str, *, as_json: bool) -> Now:
    """Show what happens in *tournament* (its id) until it is over; gives how it stands then.

    Raises:
        NotFoundError: there is no such tournament.
        LedgerError: the ledger cannot be read.
    """
    watch = Watch(ledger, tournament)
    async with _shown(watch, as_json=as_json) as show, Feed(ledger) as feed:
        async for seen in watch.follow(feed):
            show(seen)
    return watch.now()


@asynccontextmanager
async def _shown(watch: Watch, *, as_json: bool) -> AsyncIterator[Show]:
    if as_json:
        _write(msgspec.json.encode(watch.now()).decode())
        yield lambda seen: _write(msgspec.json.encode(_data(seen, watch.now())).decode())
    elif sys.stdout.isatty():
        with Live(console=Console(highlight=False), auto_refresh=False) as live:
            refreshing = asyncio.create_task(_refresh(live, watch))
            try:
                yield lambda seen: _print(live, seen)
            finally:
                refreshing.cancel()
                await asyncio.gather(refreshing, return_exceptions=True)
            live.update(_board(watch.now(), live.console), refresh=True)
    else:
        _write(_headline(watch.now()))
        yield lambda seen: _write(line_of(seen.what))


async def _refresh(live: Live, watch: Watch) -> None:
    while True:
        live.update(_board(watch.now(), live.console), refresh=True)
        await asyncio.sleep(REFRESH)


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _print(live: Live, seen: Seen) -> None:
    """What the board does not show anyway is said above it."""
    if not isinstance(seen.what, TableOpened):
        live.console.print(Text(line_of(seen.what)))


def _data(seen: Seen, now: Now) -> dict[str, object]:
    """What happened, and after a result how everybody stands."""
    data = {"event": seen.event, "at": seen.at, **msgspec.to_builtins(seen.what)}
    if isinstance(seen.what, TableEnded):
        data["standings"] = now.standings
    return data


def _headline(now: Now) -> str:
    rounds = f" of {now.rounds}" if now.rounds else ""
    cause = f" ({now.cause})" if now.cause else ""
    tables = f", {len(now.tables)} tables without a result" if now.tables else ""
    return f"{now.title}: {now.status}{cause}, round {now.round}{rounds}{tables}"


def _board(now: Now, console: Console) -> RenderableType:
    """As much of *now* as fits on the terminal, half of it tables and half of it standings."""
    lines = max(3, (console.height - 6) // 2)
    parts: list[RenderableType] = [Text(_headline(now), style="bold")]
    if now.tables:
        parts.append(_tables(now, lines))
    parts.append(_standings(now, lines if now.tables else 2 * lines))
    return Group(*parts)


def _tables(now: Now, most: int) -> Table:
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("table", "bots", "moves", "for"):
        shown.add_column(column, justify="right" if column == "moves" else "left")
    for table in now.tables[:most]:
        begun = f"{max(0, time.time() - table.since / 1e6):.0f} s" if table.since else "waits"
        shown.add_row(Text(table.match), Text(", ".join(table.seats)), str(table.moves), begun)
    return shown


def _standings(now: Now, most: int) -> Table:
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("rank", "bot", "points"):
        shown.add_column(column, justify="left" if column == "bot" else "right")
    for row in now.standings[:most]:
        shown.add_row(str(row.rank), Text(row.name), exact(row.points))
    return shown
