"""Followers: every event counts exactly once, whatever happens."""

import asyncio
import random
import signal
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from eventsourcing.persistence import Notification

from keylore_domain.bots import Bot
from keylore_domain.errors import LedgerError
from keylore_services.ledger.feed import Feed
from keylore_services.ledger.followers import BATCH, Follower, View, views_file
from keylore_services.ledger.ledger import Ledger, open_ledger
from tests.services.ledger.children import child


class Counter:
    """Counts events by topic; each event adds to what is there, so that none may come twice."""

    name = "counter"
    version = 1
    tables: Mapping[str, str] = {"counts": "topic TEXT PRIMARY KEY, events INTEGER NOT NULL"}

    def handle(self, connection: sqlite3.Connection, events: Sequence[Notification]) -> None:
        for event in events:
            connection.execute(
                "INSERT INTO counts VALUES (?, 1) ON CONFLICT DO UPDATE SET events = events + 1",
                (event.topic,),
            )


class Renewed(Counter):
    """The same with more columns."""

    version = 2
    tables: Mapping[str, str] = {
        "counts": "topic TEXT PRIMARY KEY, events INTEGER NOT NULL, note TEXT DEFAULT 'new'"
    }

    def handle(self, connection: sqlite3.Connection, events: Sequence[Notification]) -> None:
        for event in events:
            connection.execute(
                "INSERT INTO counts (topic, events) VALUES (?, 1) "
                "ON CONFLICT DO UPDATE SET events = events + 1",
                (event.topic,),
            )


class Stumbling(Counter):
    """Fails at one event, after it has written."""

    def __init__(self, position: int) -> None:
        self.position = position

    def handle(self, connection: sqlite3.Connection, events: Sequence[Notification]) -> None:
        super().handle(connection, events)
        if any(event.id == self.position for event in events):
            raise ZeroDivisionError


def enrol(ledger: Ledger, number: int, name: str = "bot") -> None:
    ledger.save(*(Bot.enrol(f"{name}-{one}", "token", 1) for one in range(number)))


def counted(ledger: Ledger, view: View | None = None) -> int:
    """How many events a follower has counted after it has caught up."""
    with Follower(ledger, view or Counter()) as follower:
        follower.catch_up()
        return total(follower)


def total(follower: Follower) -> int:
    ((events,),) = follower.rows("SELECT coalesce(sum(events), 0) FROM counts")
    return int(events)


def test_a_new_follower_counts_everything(ledger: Ledger) -> None:
    enrol(ledger, 2 * BATCH + 7)

    with Follower(ledger, Counter()) as follower:
        assert (follower.position, total(follower)) == (0, 0)
        assert follower.catch_up() == 2 * BATCH + 7
        assert (follower.position, total(follower)) == (2 * BATCH + 7, 2 * BATCH + 7)
        assert follower.catch_up() == 2 * BATCH + 7
        assert total(follower) == 2 * BATCH + 7


def test_a_follower_goes_on_where_it_was(file: Path) -> None:
    with open_ledger(file) as ledger:
        enrol(ledger, 5)
        assert counted(ledger) == 5
        enrol(ledger, 3, "more")
    with open_ledger(file) as ledger:
        with Follower(ledger, Counter()) as follower:
            assert (follower.position, total(follower)) == (5, 5)
        assert counted(ledger) == 8


def test_what_failed_leaves_no_trace_and_can_be_repeated(ledger: Ledger) -> None:
    enrol(ledger, 3)
    view = Stumbling(position=5)
    with Follower(ledger, view) as follower:
        follower.catch_up()
        enrol(ledger, 3, "more")

        with pytest.raises(ZeroDivisionError):
            follower.catch_up()
        assert (follower.position, total(follower)) == (3, 3)

        view.position = 0
        follower.catch_up()
        assert (follower.position, total(follower)) == (6, 6)


def test_a_missing_file_is_made_anew(file: Path) -> None:
    with open_ledger(file) as ledger:
        enrol(ledger, 5)
        assert counted(ledger) == 5
        Path(views_file(ledger)).unlink()
        assert counted(ledger) == 5


def test_a_new_version_of_a_view_is_made_anew(file: Path) -> None:
    with open_ledger(file) as ledger:
        enrol(ledger, 5)
        counted(ledger)

        with Follower(ledger, Renewed()) as follower:
            assert follower.position == 0
            follower.catch_up()
            assert follower.rows("SELECT events, note FROM counts") == [(5, "new")]


@pytest.mark.parametrize("other", [3, 5, 8])
def test_a_view_of_another_ledger_is_made_anew(tmp_path: Path, other: int) -> None:
    """A ledger that was replaced, or went back to an older copy, does not keep views of what is gone."""
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with open_ledger(old) as ledger:
        enrol(ledger, 5)
        counted(ledger)
    with open_ledger(new) as ledger:
        enrol(ledger, other, "other")
    (tmp_path / "old.views.db").rename(tmp_path / "new.views.db")

    with open_ledger(new) as ledger:
        assert counted(ledger) == other


def test_several_views_stand_side_by_side(file: Path) -> None:
    class Second(Counter):
        name = "second"
        tables: Mapping[str, str] = {"others": "position INTEGER PRIMARY KEY"}

        def handle(self, connection: sqlite3.Connection, events: Sequence[Notification]) -> None:
            connection.executemany("INSERT INTO others VALUES (?)", [(event.id,) for event in events])

    with open_ledger(file) as ledger:
        enrol(ledger, 5)
        assert counted(ledger) == 5
        with Follower(ledger, Second()) as follower:
            follower.catch_up()
            assert follower.rows("SELECT count(*) FROM others WHERE position > ?", (2,)) == [(3,)]
        assert counted(ledger) == 5


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"no database at all, " * 100, "may be deleted"), ("CREATE TABLE x (y)", "another program")],
)
def test_a_file_that_holds_no_views_is_refused(file: Path, content: bytes | str, problem: str) -> None:
    with open_ledger(file) as ledger:
        views = Path(views_file(ledger))
        if isinstance(content, bytes):
            views.write_bytes(content)
        else:
            connection = sqlite3.connect(views)
            connection.execute(content)
            connection.close()
        before = views.read_bytes()

        with pytest.raises(LedgerError, match=problem):
            Follower(ledger, Counter())

        assert views.read_bytes() == before


def test_a_follower_that_cannot_make_its_tables_says_so(file: Path) -> None:
    class Wrong(Counter):
        tables: Mapping[str, str] = {"counts": "topic TEXT, topic TEXT"}

    with open_ledger(file) as ledger, pytest.raises(LedgerError, match="duplicate column"):
        Follower(ledger, Wrong())


def test_followers_in_several_threads_count_each_event_once(file: Path) -> None:
    with open_ledger(file) as ledger:
        enrol(ledger, 3000)
        with Follower(ledger, Counter()) as first, Follower(ledger, Counter()) as second:
            threads = [threading.Thread(target=one.catch_up) for one in (first, first, second, second)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert total(first) == total(second) == 3000


def test_a_follower_in_an_event_loop_keeps_up(ledger: Ledger) -> None:
    async def work() -> None:
        reached = asyncio.Event()
        loop = asyncio.get_running_loop()

        class Watched(Counter):
            def handle(self, connection: sqlite3.Connection, events: Sequence[Notification]) -> None:
                super().handle(connection, events)
                if events[-1].id == 10:
                    loop.call_soon_threadsafe(reached.set)

        with Follower(ledger, Watched()) as follower:
            async with Feed(ledger, poll=60) as feed:
                following = asyncio.create_task(follower.follow(feed))
                for number in range(10):
                    await asyncio.to_thread(enrol, ledger, 1, f"bot-{number}")
                await asyncio.wait_for(reached.wait(), 20)
            await following
            assert total(follower) == 10

    asyncio.run(work())


FOLLOW = """
import sys
from keylore_services.ledger import followers
from keylore_services.ledger.ledger import open_ledger
from tests.services.ledger.test_followers import Counter
followers.BATCH = 7
with open_ledger(sys.argv[1]) as ledger, followers.Follower(ledger, Counter()) as follower:
    print("ready", flush=True)
    while True:
        follower.catch_up()
"""


@pytest.mark.slow
def test_no_event_counts_twice_or_never_when_followers_are_killed(file: Path) -> None:
    dice = random.Random(4711)
    reached = []
    with open_ledger(file, synchronous="normal") as ledger:
        for trial in range(5):
            enrol(ledger, 2000, f"trial-{trial}")
            process = child(FOLLOW, file)
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            threading.Event().wait(dice.uniform(0.0, 0.05))
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=20)
            with Follower(ledger, Counter()) as follower:
                reached.append(follower.position)
                assert total(follower) == follower.position
        assert any(0 < position < 2000 * (trial + 1) for trial, position in enumerate(reached)), reached
        assert counted(ledger) == 10_000
