"""The ledger: the one event store of a league, and how it is opened."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import ClassVar, Final, Literal, TypeVar
from weakref import WeakSet

from eventsourcing.application import Application
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    IntegrityError,
    Notification,
    PersistenceError,
    StoredEvent,
)
from eventsourcing.utils import Environment, EnvType

from keylore_domain.engine.aggregates import Aggregate, Event
from keylore_domain.engine.keyhistory import KEYS_ID
from keylore_domain.engine.receipts import KeyEvent
from keylore_domain.errors import ConflictError, LedgerError, NotFoundError
from keylore_services.ledger.recorders import LedgerRecorder

A = TypeVar("A", bound=Aggregate)

Synchronous = Literal["full", "normal"]

_FAILURES: Final = (PersistenceError, ConnectionPoolClosedError)

_memories: Final = count(1)


class Ledger(Application[str]):
    """All events of a league: matches, tournaments and bots in one order.

    Its methods may be called from any thread; aggregates may not be shared among threads.
    """

    name = "keylore"
    env: ClassVar[dict[str, str]] = {
        "MAPPER_TOPIC": "keylore_services.ledger.mapper:StructMapper",
        "ORIGINATOR_ID_TYPE": "text",
    }
    recorder: LedgerRecorder

    def __init__(self, env: EnvType | None = None) -> None:
        super().__init__(env)
        self._spoiled: WeakSet[Aggregate] = WeakSet()

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """The settings: ours and *env*; the environment of the process has no say."""
        return Environment(name, {**type(self).env, **(env or {})})

    def load(self, aggregate_id: str, make: Callable[[str], A]) -> A:
        """The aggregate as its stored events leave it; *make* gives a blank one for an id.

        Raises:
            NotFoundError: nothing is stored under this id.
            ReplayMismatchError: a stored event does not follow from those before it.
        """
        with _translated():
            events = self.recorder.select_states(aggregate_id)
        if not events:
            msg = f"nothing is stored under {aggregate_id!r}"
            raise NotFoundError(msg)
        aggregate = make(aggregate_id)
        for topic, state in events:
            aggregate.replay(topic, state)
        return aggregate

    def stored(self, aggregate_id: str, *, after: int = 0) -> list[StoredEvent]:
        """The stored events of an aggregate from version *after* + 1, in order; empty if there are none."""
        with _translated():
            return list(self.recorder.select_events(aggregate_id, gt=after))

    def stored_one(self, aggregate_id: str, version: int) -> StoredEvent | None:
        """Stored event number *version* of an aggregate, if it has so many."""
        with _translated():
            return next(iter(self.recorder.select_events(aggregate_id, gt=version - 1, limit=1)), None)

    def stored_last(self, aggregate_id: str) -> StoredEvent | None:
        """The newest stored event of an aggregate, if it has any."""
        with _translated():
            return next(iter(self.recorder.select_events(aggregate_id, desc=True, limit=1)), None)

    def save(self, *aggregates: Aggregate) -> list[int]:  # type: ignore[override]
        """Store the new events of *aggregates* in one transaction; gives their positions.

        All or nothing. If it fails, the aggregates are ahead of the ledger: they must be thrown away, and
        are refused from then on.

        Raises:
            ConflictError: somebody else has changed one of them meanwhile.
            LedgerError: the store cannot be written.
        """
        events = [event for aggregate in aggregates for event in aggregate.collect_events()]
        self.refuse_spoiled(aggregates)
        try:
            return self.append(events)
        except BaseException:
            self.spoil(aggregates)
            raise

    def append(self, events: Sequence[Event]) -> list[int]:
        """Store *events*, collected from their aggregates, in one transaction; gives their positions.

        Raises:
            ConflictError: a version is taken, or its predecessor is not stored.
            LedgerError: the store cannot be written.
        """
        if not events:
            return []
        stored = list(map(self.mapper.to_stored_event, events))
        try:
            return list(self.recorder.insert_events(stored) or ())
        except IntegrityError as error:
            names = ", ".join(sorted({event.originator_id for event in events}))
            msg = f"the new events of {names} do not continue what is stored; somebody else was faster"
            raise ConflictError(msg) from error
        except _FAILURES as error:
            raise _failed(error) from error

    def ids(self, prefix: str = "") -> list[str]:
        """The ids of all aggregates that begin with *prefix*, in the order of their first events."""
        with _translated():
            return self.recorder.select_ids(prefix)

    def last_position(self) -> int:
        """The position of the newest event; 0 if there is none."""
        with _translated():
            return self.recorder.max_notification_id() or 0

    def notifications(self, after: int, limit: int) -> list[Notification]:
        """Up to *limit* events of all aggregates after position *after*, in the order of storing."""
        with _translated():
            return list(self.recorder.select_notifications(after, limit, inclusive_of_start=False))

    def change_count(self) -> int:
        """A number that differs from the last one if another process has written meanwhile."""
        with _translated():
            return self.recorder.change_count()

    @property
    def file(self) -> Path | None:
        """The file in which the events are; ``None`` if they are in memory."""
        database = self.env.get("SQLITE_DBNAME")
        return None if database is None or "mode=memory" in database else Path(database)

    def spoil(self, aggregates: Sequence[Aggregate]) -> None:
        """Refuse these aggregates from now on: some of their events could not be stored."""
        self._spoiled.update(aggregates)

    def refuse_spoiled(self, aggregates: Sequence[Aggregate]) -> None:
        """Check that everything *aggregates* recorded before is stored.

        Raises:
            ConflictError: an earlier event of one of them could not be stored.
        """
        if len(self._spoiled) and (spoiled := [one.id for one in aggregates if one in self._spoiled]):
            msg = f"{', '.join(spoiled)}: an earlier event could not be stored; load it again"
            raise ConflictError(msg)


def key_events(ledger: Ledger) -> tuple[KeyEvent, ...]:
    """The history of the arbiter's keys, as it is shown to others; empty while the first is the only one."""
    rows = ledger.stored(KEYS_ID)
    events = tuple(KeyEvent(row.topic, row.state.decode()) for row in rows)
    return events if len(events) > 1 else ()


def open_ledger(where: str | Path, *, synchronous: Synchronous = "full") -> Ledger:
    """Open the ledger in file *where*, which is made if need be, its folder too.

    ``":memory:"`` gives a new one in SQLite's memory, ``"popo:"`` one of plain objects.

    Args:
        synchronous: ``full``: a committed event survives a power failure; ``normal``: the last ones may be
            lost then, though not if only the process dies, and commits do not wait for the disk.

    Raises:
        LedgerError: the file cannot be opened, is no ledger, or is newer than this program.
    """
    try:
        return Ledger(_settings(str(where), synchronous))
    except (OSError, PersistenceError, sqlite3.Error, LedgerError) as error:
        msg = f"cannot open the ledger {str(where)!r}: {error}"
        raise LedgerError(msg) from error


def _settings(where: str, synchronous: Synchronous) -> dict[str, str]:
    if where == "popo:":
        return {"PERSISTENCE_MODULE": "keylore_services.ledger.popo:POPOLedgerFactory"}
    if "://" in where:
        msg = "there is no such kind of store; allowed: a path, ':memory:', 'popo:'"
        raise LedgerError(msg)
    if where == ":memory:":
        database = f"file:keylore-ledger-{next(_memories)}?mode=memory&cache=shared"
    else:
        Path(where).parent.mkdir(parents=True, exist_ok=True)
        database = str(Path(where).absolute())
    return {
        "PERSISTENCE_MODULE": "keylore_services.ledger.sqlite:SQLiteLedgerFactory",
        "SQLITE_DBNAME": database,
        "SQLITE_SYNCHRONOUS": synchronous.upper(),
    }


@contextmanager
def _translated() -> Iterator[None]:
    """Turn errors of the store into ours.

    Raises:
        LedgerError: it cannot be read.
    """
    try:
        yield
    except _FAILURES as error:
        raise _failed(error) from error


def _failed(error: Exception) -> LedgerError:
    return LedgerError(f"the ledger cannot be read or written: {error or type(error).__name__}")
