"""Appending to the ledger, and following it.

P1: against raw ``sqlite3`` with the same bytes, table and pragmas. P2: against ``eventsourcing`` as shipped.
P5: the mapper against the bare codec. P12: followers against a bare loop.
"""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate as StockAggregate
from eventsourcing.domain import event as stock_event
from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteFactory

from bench.harness import Prepare, Row, Work, interleave, ready
from bench.subjects import Recorded, opened, played
from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.engine.events import MovePlayed
from keylore_services.ledger.followers import Follower
from keylore_services.ledger.ledger import Ledger, Synchronous, open_ledger
from keylore_services.ledger.mapper import StructMapper
from keylore_services.ledger.matches import MatchView

_TABLE = (
    "CREATE TABLE stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
    "PRIMARY KEY (originator_id, originator_version))"
)


def run(quick: bool) -> list[Row]:
    """Every row of this module."""
    rounds, units = (3, 256) if quick else (11, 4096)
    rows = appending(rounds, units, "normal", {64: (1.5, 2.2), 16: (1.4, None), 1: (1.9, None)})
    rows += appending(rounds, units // 16, "full", {64: (None, None), 16: (None, None), 1: (None, None)})
    rows += mapping(rounds, units)
    return rows + following(rounds, 500 if quick else 20_000)


# --- appending ----------------------------------------------------------------------------------------


def appending(
    rounds: int,
    units: int,
    synchronous: Synchronous,
    bars: dict[int, tuple[float | None, float | None]],
) -> list[Row]:
    """P1 and P2: *units* events in transactions of so many events each, one from each of as many matches."""
    rows = []
    for batch, (most, least) in bars.items():
        with stores(synchronous) as (ledger, raw, stock):
            variants = {
                "floor": floor_of(raw, batch, units),
                "ours": ours_of(ledger, batch, units),
                "stock": stock_of(stock, batch, units),
            }
            times = interleave(variants, rounds=rounds, units=units)
        title = f"append {batch} at once, {synchronous}"
        rows.append(times.at_most(f"P1 {title}: raw sqlite3", "ours", "floor", most))
        rows.append(times.at_least(f"P2 {title}: stock eventsourcing", "ours", "stock", least))
    return rows


@contextmanager
def stores(synchronous: Synchronous) -> Iterator[tuple[Ledger, sqlite3.Connection, Application[str]]]:
    """A ledger, a bare database and a stock application, each in a file on the same disk."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ledger = stack.enter_context(open_ledger(folder / "ours.db", synchronous=synchronous))
        raw = stack.enter_context(closing(bare(folder / "floor.db", synchronous)))
        raw.execute(_TABLE)
        stock = stack.enter_context(StockApplication(str(folder / "stock.db"), synchronous))
        yield ledger, raw, stock


def bare(file: Path, synchronous: str) -> sqlite3.Connection:
    """A connection with the pragmas of the ledger and nothing else."""
    connection = sqlite3.connect(file, isolation_level=None, cached_statements=256)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    return connection


def matches_of(batch: int) -> Callable[[], list[Recorded]]:
    """Gives the *batch* matches with their next moves, time and again."""
    matches = [Recorded(f"m/{number}") for number in range(batch)]

    def move() -> list[Recorded]:
        for match in matches:
            match.play()
        return matches

    return move


def floor_of(connection: sqlite3.Connection, batch: int, units: int) -> Prepare:
    """Ready rows, one statement, one transaction."""
    move = matches_of(batch)

    def prepare() -> Work:
        groups = [
            [
                (event.originator_id, event.originator_version, topic_of(event), encode_event(event))
                for match in move()
                for event in match.collect_events()
            ]
            for _ in range(units // batch)
        ]

        def work() -> None:
            for group in groups:
                insert(group)

        return work

    def insert(rows: list[tuple[str, int, str, bytes]]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO stored_events VALUES (?, ?, ?, ?)", rows)
        connection.execute("COMMIT")

    return prepare


class Given(Recorded):
    """A match that hands out events that were recorded elsewhere."""

    def __init__(self, match: Recorded) -> None:
        super().__init__(match.id)
        self._pending = match.collect_events()


def ours_of(ledger: Ledger, batch: int, units: int) -> Prepare:
    """`Ledger.save` of aggregates with one new event each."""
    move = matches_of(batch)

    def prepare() -> Work:
        groups = [[Given(match) for match in move()] for _ in range(units // batch)]
        return lambda: [ledger.save(*group) for group in groups]

    return prepare


class StockMatch(StockAggregate):
    """The same facts as the library's documentation would record them."""

    @stock_event("MovePlayed")
    def play(self, fields: dict[str, object]) -> None:
        """Change nothing."""


class StockApplication(Application):  # type: ignore[type-arg]
    """The library as shipped; only the pragma, for which it has no switch, is set from outside."""

    def __init__(self, database: str, synchronous: str) -> None:
        super().__init__({"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": database})
        assert isinstance(self.factory, SQLiteFactory)
        datastore = self.factory.datastore
        for commit in (True, False):
            with datastore.get_connection(commit=commit) as pooled:
                pooled._sqlite_conn.execute(f"PRAGMA synchronous = {synchronous}")
                pooled._sqlite_conn.execute("PRAGMA wal_autocheckpoint = 4000")


class StockGiven:
    """What `Application.save` takes: an id, and events to collect."""

    def __init__(self, match: StockMatch) -> None:
        self.id, self.version = match.id, match.version
        self._events = match.collect_events()

    def collect_events(self) -> object:
        """The events, once."""
        return self._events


def stock_of(application: "Application[str]", batch: int, units: int) -> Prepare:
    """`Application.save` of aggregates with one new event each."""
    matches = [StockMatch() for _ in range(batch)]
    move = matches_of(1)

    def one(match: StockMatch) -> StockGiven:
        (recorded,) = move()
        (event,) = recorded.collect_events()
        match.play(msgspec.json.decode(encode_event(event)))
        return StockGiven(match)

    def prepare() -> Work:
        groups = [[one(match) for match in matches] for _ in range(units // batch)]
        return lambda: [application.save(*group) for group in groups]  # type: ignore[arg-type]

    return prepare


# --- mapping ------------------------------------------------------------------------------------------


def mapping(rounds: int, units: int) -> list[Row]:
    """P5: between structs and stored events, against the codec alone."""
    events = played("m/1", units).collect_events()
    mapper = StructMapper(None, None, None)  # type: ignore[arg-type]
    encode, decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(MovePlayed).decode
    states = [encode_event(event) for event in events]
    stored = [
        StoredEvent(e.originator_id, e.originator_version, topic_of(e), encode_event(e)) for e in events
    ]
    variants: dict[str, Work] = {
        "bare encode": lambda: [encode(event) for event in events],
        "encode": lambda: [mapper.to_stored_event(event) for event in events],
        "bare decode": lambda: [decode(state) for state in states],
        "decode": lambda: [mapper.to_domain_event(event) for event in stored],
    }
    turns = {name: ready(work) for name, work in variants.items()}
    times = interleave(turns, rounds=rounds, units=units, judged="cpu")
    return [
        times.at_most("P5 mapper, to stored event: bare encoder", "encode", "bare encode", 5),
        times.at_most("P5 mapper, to domain event: bare decoder", "decode", "bare decode", 1.7),
    ]


# --- following ----------------------------------------------------------------------------------------


def following(rounds: int, units: int) -> list[Row]:
    """P12: reading all events in order, and keeping the index of matches up to date."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "league.db"
        with open_ledger(file, synchronous="normal") as ledger, closing(bare(file, "normal")) as raw:
            for match in range(units // 250):
                ledger.save(opened(f"m/{match}", moves=249))
            variants = {
                "floor": ready(lambda: bare_loop(raw)),
                "reading": ready(lambda: reading(ledger)),
                "index": indexing(ledger, file),
            }
            times = interleave(variants, rounds=rounds, units=units, judged="cpu")
    return [
        times.at_most("P12 notifications, read and decoded: bare loop", "reading", "floor", 5),
        times.at_most("P12 index of matches, from scratch: bare loop", "index", "floor", 5),
    ]


def bare_loop(connection: sqlite3.Connection) -> None:
    """Select everything and decode each event as what most of them are."""
    decode = msgspec.json.Decoder(MovePlayed).decode
    for topic, state in connection.execute("SELECT topic, state FROM stored_events ORDER BY rowid"):
        if topic == "keylore:Match.MovePlayed":
            decode(state)


def reading(ledger: Ledger) -> None:
    """What a follower in Python does at least."""
    place = 0
    while events := ledger.notifications(place, 500):
        for event in events:
            ledger.mapper.to_domain_event(event)
        place = events[-1].id


def indexing(ledger: Ledger, file: Path) -> Prepare:
    """A whole follower with its tables and transactions."""

    def prepare() -> Work:
        file.with_suffix(".views.db").unlink(missing_ok=True)
        return work

    def work() -> None:
        with Follower(ledger, MatchView()) as follower:
            follower.catch_up()

    return prepare
