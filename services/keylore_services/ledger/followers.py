"""Followers: tables that are computed from the ledger, event by event, each exactly once.

A follower keeps its place in the same transaction as what it writes; so whenever it dies, it goes on as if
nothing had happened. Its tables hold nothing that the events do not say: they stand in a file of their own
beside the ledger, commits there never hold up the ledger's, and a file that is missing is made anew.
"""

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, Protocol, Self

from eventsourcing.persistence import Notification

from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.errors import LedgerError
from keylore_services.ledger.feed import Feed
from keylore_services.ledger.ledger import Ledger
from keylore_services.ledger.sqlite import check_file, connect, is_ours, writing

BATCH: Final = 1_000  # events in one transaction

APPLICATION_ID: Final = 0x6B657976  # "keyv"
VERSION: Final = 1

_CREATE: Final = (
    """
    CREATE TABLE places (
        view TEXT PRIMARY KEY, version INTEGER NOT NULL, position INTEGER NOT NULL, digest TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)
_KEEP: Final = """
    INSERT INTO places VALUES (?, ?, ?, ?) ON CONFLICT (view) DO UPDATE
    SET version = excluded.version, position = excluded.position, digest = excluded.digest
"""
_PLACE: Final = "SELECT version, position, digest FROM places WHERE view = ?"


class View(Protocol):
    """What a follower computes."""

    @property
    def name(self) -> str:
        """The name of its place; no two views of a ledger share one."""

    @property
    def version(self) -> int:
        """To be raised when its tables, or what it writes into them, change: they are made anew then."""

    @property
    def tables(self) -> Mapping[str, str]:
        """Its tables: for each name the columns, as in ``CREATE TABLE``."""

    def handle(self, connection: sqlite3.Connection, events: Sequence[Notification]) -> None:
        """Write what *events*, the next ones in the order of storing, change; the caller commits."""


class Follower:
    """One view that follows a ledger. Usable from any thread, and by several processes at once."""

    def __init__(self, ledger: Ledger, view: View) -> None:
        """Open the tables of *view*; make them if they are missing or not of this version or ledger.

        Raises:
            LedgerError: the file of the views cannot be read or written.
        """
        self._ledger = ledger
        self._view = view
        self._lock = threading.Lock()
        self._where = views_file(ledger)
        with self._translated():
            check_file(self._where, APPLICATION_ID, VERSION)
            self._connection = connect(self._where, synchronous="NORMAL")
        try:
            with self._translated(), writing(self._connection):
                self._prepare()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def position(self) -> int:
        """The position of the last event that the tables contain; 0 if there is none."""
        with self._lock, self._translated():
            return self._place()

    def catch_up(self) -> int:
        """Handle every event that is stored by now; gives the position reached.

        Raises:
            LedgerError: the ledger or the file of the views cannot be used.
        """
        while self.position < self._ledger.last_position():
            self._step()
        return self.position

    async def follow(self, feed: Feed) -> None:
        """Catch up now and after each commit, until *feed* is closed.

        Raises:
            LedgerError: the ledger or the file of the views cannot be used.
        """
        async with contextlib.aclosing(feed.changes()) as changes:
            async for _ in changes:
                await asyncio.to_thread(self.catch_up)

    def rows(self, statement: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """What *statement* selects from the tables.

        Raises:
            LedgerError: the file of the views cannot be read.
        """
        with self._lock, self._translated():
            return self._connection.execute(statement, parameters).fetchall()

    def close(self) -> None:
        """Close the tables; whoever reads or writes them is waited for."""
        with self._lock:
            self._connection.close()

    def _step(self) -> None:
        with self._lock, self._translated(), writing(self._connection):
            events = self._ledger.notifications(self._place(), BATCH)  # another process may have been here
            if events:
                self._view.handle(self._connection, events)
                self._keep(events[-1].id, sha256_hex(events[-1].state))

    def _place(self) -> int:
        (_, position, _) = self._connection.execute(_PLACE, (self._view.name,)).fetchone()
        return int(position)

    def _keep(self, position: int, digest: str) -> None:
        self._connection.execute(_KEEP, (self._view.name, self._view.version, position, digest))

    def _prepare(self) -> None:
        if not is_ours(self._connection, APPLICATION_ID, VERSION):
            for statement in _CREATE:
                self._connection.execute(statement)
        if not self._fits():
            self._start_anew()

    def _fits(self) -> bool:
        """Whether the tables are of this version, and computed from this ledger and not from another one."""
        row = self._connection.execute(_PLACE, (self._view.name,)).fetchone()
        if row is None or row[0] != self._view.version:
            return False
        _, position, digest = row
        last = self._ledger.notifications(position - 1, 1) if position else []
        return position == 0 or (bool(last) and sha256_hex(last[0].state) == digest)

    def _start_anew(self) -> None:
        for name, columns in self._view.tables.items():
            self._connection.execute(f"DROP TABLE IF EXISTS {name}")
            self._connection.execute(f"CREATE TABLE {name} ({columns})")
        self._keep(0, "")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn errors of ``sqlite3`` into ours.

        Raises:
            LedgerError: the file of the views cannot be read or written.
        """
        try:
            yield
        except sqlite3.Error as error:
            msg = f"cannot use the views in {self._where!r}, which may be deleted: {error}"
            raise LedgerError(msg) from error


def views_file(ledger: Ledger) -> str:
    """Where the views of *ledger* stand: beside its file, or in memory."""
    return ":memory:" if ledger.file is None else str(ledger.file.with_suffix(".views.db"))
