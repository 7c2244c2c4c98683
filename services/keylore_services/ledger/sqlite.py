"""The ledger in SQLite: one file in write-ahead mode, or shared memory.

Subclasses at the extension points of ``eventsourcing``, because the stock module has no switch for pragmas,
no subscription, and takes two to three times as long to append (``bench/ledger.py``).
"""

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    DatabaseError,
    IntegrityError,
    InterfaceError,
    ListenNotifySubscription,
    Notification,
    OperationalError,
    StoredEvent,
)
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment, EnvType

from keylore_domain.errors import LedgerError
from keylore_services.ledger import schema
from keylore_services.ledger.recorders import LedgerRecorder, Listener, Listeners, notification, stored_event

LOCK_TIMEOUT: Final = 30  # seconds; other processes write for milliseconds

RETURN_SECONDS: Final = 0.05  # how often to look whether the last connection is back: one is told, not all

MAX_KNOWN: Final = 100_000  # aggregates whose versions are remembered

_NO_LIMIT: Final = 2**62


@contextmanager
def translated() -> Iterator[None]:
    """Turn errors of ``sqlite3`` into those of ``eventsourcing``."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise OperationalError(error) from error
    except sqlite3.Error as error:
        raise DatabaseError(error) from error


def is_ours(connection: sqlite3.Connection, application: int, version: int) -> bool:
    """Whether the file belongs to *application* in this *version*; an empty one does not yet.

    Raises:
        LedgerError: it belongs to another program, or to a newer version of this one.
    """
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if owner != application and (owner or found or tables):
        msg = "the file is a database of another program"
        raise LedgerError(msg)
    if found > version:
        msg = f"the file has schema version {found}; this program knows up to {version}"
        raise LedgerError(msg)
    return bool(owner)


def check_file(db_name: str, application: int, version: int) -> None:
    """Look at a file before anything is changed in it.

    Raises:
        LedgerError: it belongs to another program, or to a newer version of this one.
        sqlite3.Error: it cannot be opened, or is not a database.
    """
    with contextlib.closing(sqlite3.connect(db_name, uri=True, timeout=LOCK_TIMEOUT)) as connection:
        is_ours(connection, application, version)


def connect(db_name: str, *, synchronous: str, lock_timeout: int = LOCK_TIMEOUT) -> sqlite3.Connection:
    """A connection with our pragmas; in autocommit mode, usable in any thread.

    Raises:
        sqlite3.Error: there is no way to open it, or it is not a database.
    """
    connection = sqlite3.connect(
        db_name,
        uri=True,
        check_same_thread=False,
        isolation_level=None,
        cached_statements=256,
        timeout=lock_timeout,
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    connection.execute("PRAGMA journal_size_limit = 67108864")
    return connection


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A write transaction: commits at the end, rolls back on any error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


class SQLiteLedgerPool(SQLiteConnectionPool):
    """Connections with our pragmas, to read with.

    The stock pool closes connections that other threads are using, and SQLite ends the process for that.
    """

    _is_closing = False

    def close(self) -> None:
        """Lend no more connections, wait for those that are lent, and close them all."""
        with self._put_condition:
            self._is_closing = True
            while self._in_use:
                self._put_condition.wait(RETURN_SECONDS)
            super().close()

    def _get_connection(self, timeout: float = 0.0) -> SQLiteConnection:
        with self._put_condition:
            if self._is_closing:
                raise ConnectionPoolClosedError
            return super()._get_connection(timeout)

    def _create_connection(self) -> SQLiteConnection:
        try:
            connection = connect(self.db_name, synchronous="FULL")
        except sqlite3.Error as error:
            raise InterfaceError(error) from error
        connection.row_factory = sqlite3.Row
        self.is_journal_mode_wal = True
        return SQLiteConnection(connection, max_age=self.max_age)


class SQLiteLedgerRecorder(SQLiteApplicationRecorder, LedgerRecorder):
    """Appends in one statement, idempotently; reads without a detour through row objects."""

    def __init__(self, datastore: SQLiteDatastore, *, synchronous: str = "FULL") -> None:
        super().__init__(datastore)
        self._heard = Listeners()
        self._reached: dict[str, int] = {}  # versions known to be stored: spares a look per event
        # A look from outside: it sees the writes of all other connections, and keeps shared memory alive.
        with translated():
            self._watch = connect(datastore.pool.db_name, synchronous="NORMAL")
            self._writer = connect(datastore.pool.db_name, synchronous=synchronous)
        self._turn = threading.Lock()
        self._look = threading.Lock()

    def create_table(self) -> None:
        """Make the tables of an empty file; check those of any other.

        Raises:
            LedgerError: the file belongs to something else, or to a newer version.
        """
        with (
            self.datastore.get_connection(commit=True) as pooled,
            translated(),
            writing(pooled._sqlite_conn) as connection,
        ):
            if not is_ours(connection, schema.APPLICATION_ID, schema.SCHEMA_VERSION):
                for statement in schema.CREATE:
                    connection.execute(statement)

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Append *stored_events*; gives their positions.

        Raises:
            IntegrityError: a version is taken by another event, or its predecessor is missing.
            PersistenceError: the store cannot be written.
        """
        assert kwargs.get("tracking") is None, "followers keep their place beside their views"
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in stored_events]
        if not rows:
            return []
        with self._writing() as connection:
            try:
                positions = self._append(connection, rows)
            except sqlite3.IntegrityError as error:
                found = _positions(connection, rows)
                if found is None:
                    raise IntegrityError(error) from error
                positions = found
            except sqlite3.Error as error:
                raise OperationalError(error) from error
        self._heard.tell()
        return positions

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The events of an aggregate with versions above *gt* and up to *lte*, in order."""
        statement = schema.EVENTS_BACKWARDS if desc else schema.EVENTS
        bounds = (gt or 0, _NO_LIMIT if lte is None else lte, _NO_LIMIT if limit is None else limit)
        return [stored_event(*row) for row in self._rows(statement, (originator_id, *bounds))]

    def select_states(self, originator_id: str) -> Sequence[tuple[str, bytes]]:
        """Topic and bytes of each event of an aggregate, in order."""
        return self._rows(schema.STATES, (originator_id,))

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Up to *limit* events in the order of storing, from position *start* to *stop*."""
        after = (start or 0) - 1 if inclusive_of_start else start or 0
        until = _NO_LIMIT if stop is None else stop
        if topics:
            asked = msgspec.json.encode(topics).decode()
            rows = self._rows(schema.NOTIFICATIONS_OF_TOPICS, (after, until, asked, limit))
        else:
            rows = self._rows(schema.NOTIFICATIONS, (after, until, limit))
        return [notification(*row) for row in rows]

    def max_notification_id(self) -> int | None:  # type: ignore[override]  # stock says int and gives None
        """The last position, or ``None`` in an empty store."""
        ((last,),) = self._rows(schema.LAST, ())
        return None if last is None else int(last)

    def select_ids(self, prefix: str) -> list[str]:
        """The originator ids that begin with *prefix*, in the order of their first events."""
        return [name for (name,) in self._rows(schema.IDS, (prefix, len(prefix), prefix))]

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> "SQLiteLedgerSubscription":
        """A blocking iterator over all events after *gt*, those to come included."""
        return SQLiteLedgerSubscription(self, gt=gt, topics=topics)

    def listen(self, listener: Listener) -> None:
        """Tell *listener* of each commit from now on."""
        self._heard.add(listener)

    def unlisten(self, listener: Listener) -> None:
        """Stop telling *listener*."""
        self._heard.remove(listener)

    def change_count(self) -> int:
        """A number that differs from the last one if another process has written meanwhile."""
        if self.datastore.pool.is_sqlite_memory_mode:
            return 0
        with self._look, translated():
            return int(self._watch.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Close what the pool does not; whatever has begun is waited for."""
        with self._turn:
            self._writer.close()
        with self._look:
            self._watch.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The connection that appends.

        It does not come from the pool, whose turnstile takes half as long as a commit that does not wait for
        the disk; but in memory readers have to keep out meanwhile, and there the pool sees to that.
        """
        if self.datastore.pool.is_sqlite_memory_mode:
            with self.datastore.get_connection(commit=True) as pooled:
                yield pooled._sqlite_conn
        else:
            with self._turn:
                yield self._writer

    def _append(self, connection: sqlite3.Connection, rows: Sequence[tuple[Any, ...]]) -> list[int]:
        connection.execute("BEGIN IMMEDIATE")
        try:
            reached = self._continued(connection, rows)
            connection.executemany(schema.INSERT, rows[:-1])
            last = connection.execute(schema.INSERT, rows[-1]).lastrowid
            connection.execute("COMMIT")
        except BaseException:
            _roll_back(connection)
            raise
        assert last is not None
        self._reached.update(reached)
        return list(range(last - len(rows) + 1, last + 1))

    def _continued(self, connection: sqlite3.Connection, rows: Sequence[tuple[Any, ...]]) -> dict[str, int]:
        """The version that each aggregate reaches with *rows*.

        Raises:
            sqlite3.IntegrityError: an event has no predecessor.
        """
        if len(self._reached) > MAX_KNOWN:
            self._reached.clear()
        reached: dict[str, int] = {}
        for name, version, _, _ in rows:
            before = reached.get(name) or self._reached.get(name, 0)
            if version == before + 1:
                reached[name] = version
            elif version > before or version < 1:
                if connection.execute(schema.FIND, (name, version - 1)).fetchone() is None:
                    msg = f"event {version} of {name} has no predecessor"
                    raise sqlite3.IntegrityError(msg)
                reached[name] = version
        return reached

    def _rows(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        with self.datastore.get_connection(commit=False) as pooled, translated():
            cursor = pooled._sqlite_conn.cursor()
            cursor.row_factory = None
            return cursor.execute(statement, parameters).fetchall()


class SQLiteLedgerSubscription(ListenNotifySubscription[SQLiteLedgerRecorder]):
    """A blocking iterator that wakes up when this process has committed."""

    def __init__(
        self, recorder: SQLiteLedgerRecorder, gt: int | None = None, topics: Sequence[str] = ()
    ) -> None:
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        self._recorder.listen(self._has_been_notified)
        self._has_been_notified.set()  # for commits between its first look and the listening

    def stop(self) -> None:
        """End the iteration."""
        super().stop()
        self._recorder.unlisten(self._has_been_notified)


class SQLiteLedgerFactory(SQLiteFactory):
    """Makes ledger recorders on SQLite; ``SQLITE_SYNCHRONOUS`` is FULL (the default) or NORMAL."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        pool = SQLiteLedgerPool(db_name=self.datastore.pool.db_name)
        self._synchronous = self.env.get("SQLITE_SYNCHRONOUS") or "FULL"
        self.datastore.pool = pool
        self._recorders: list[SQLiteLedgerRecorder] = []

    def application_recorder(self) -> SQLiteLedgerRecorder:
        """A recorder on the database of this factory.

        Raises:
            LedgerError: the file belongs to something else, or to a newer version.
            PersistenceError: it cannot be opened.
        """
        with translated():
            check_file(self.datastore.pool.db_name, schema.APPLICATION_ID, schema.SCHEMA_VERSION)
        recorder = SQLiteLedgerRecorder(self.datastore, synchronous=self._synchronous)
        self._recorders.append(recorder)
        if self.env_create_table():
            recorder.create_table()
        return recorder

    def close(self) -> None:
        """Close every connection."""
        for recorder in self._recorders:
            recorder.close()
        super().close()


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:  # unless SQLite has done it, as it does when the disk is full
        connection.execute("ROLLBACK")


def _positions(connection: sqlite3.Connection, rows: Sequence[tuple[Any, ...]]) -> list[int] | None:
    """Where *rows* are, if each is there byte for byte."""
    found = []
    for name, version, topic, state in rows:
        row = connection.execute(schema.FIND, (name, version)).fetchone()
        if row is None or (row[1], row[2]) != (topic, state):
            return None
        found.append(row[0])
    return found
