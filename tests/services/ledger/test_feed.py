"""The feed: no event is missed, whoever wrote it and whenever."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any, TypeVar

import pytest
from eventsourcing.persistence import Notification

from keylore_domain.bots import Bot
from keylore_domain.errors import LedgerError
from keylore_services.ledger.feed import BATCH, Feed
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.ledger.writer import Writer
from tests.services.ledger.children import run as run_elsewhere

T = TypeVar("T")


def enrolled(name: str) -> Bot:
    return Bot.enrol(name, "token", 1)


def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    return asyncio.run(asyncio.wait_for(work(), 30))


async def taken(events: AsyncGenerator[Notification, None], number: int) -> list[int]:
    """The positions of the next *number* events."""
    return [(await anext(events)).id for _ in range(number)]


def test_a_follower_gets_old_events_and_then_new_ones(ledger: Ledger) -> None:
    ledger.save(enrolled("ada"))
    ledger.save(enrolled("bob"))

    async def work() -> None:
        async with Feed(ledger, poll=60) as feed, aclosing(feed.events()) as events:
            assert await taken(events, 2) == [1, 2]
            waiting = asyncio.create_task(taken(events, 1))
            await asyncio.to_thread(ledger.save, enrolled("cyd"))
            assert await waiting == [3]

    run(work)


def test_a_follower_begins_after_its_place(ledger: Ledger) -> None:
    ledger.save(*(enrolled(f"bot-{number}") for number in range(5)))

    async def work() -> None:
        async with Feed(ledger) as feed, aclosing(feed.events(after=3)) as events:
            assert await taken(events, 2) == [4, 5]

    run(work)


def test_more_than_one_batch_can_be_caught_up(ledger: Ledger) -> None:
    ledger.save(*(enrolled(f"bot-{number}") for number in range(2 * BATCH)))

    async def work() -> None:
        async with Feed(ledger, poll=60) as feed, aclosing(feed.events()) as events:
            assert await taken(events, 2 * BATCH) == list(range(1, 2 * BATCH + 1))
            waiting = asyncio.create_task(taken(events, 1))
            await asyncio.to_thread(ledger.save, enrolled("ada"))
            assert await waiting == [2 * BATCH + 1]

    run(work)


def test_several_followers_see_everything_while_the_writer_works(ledger: Ledger) -> None:
    async def work() -> None:
        with closing(Writer(ledger)) as writer:
            async with Feed(ledger, poll=60) as feed:
                followers = [asyncio.create_task(taken(feed.events(), 300)) for _ in range(4)]
                await asyncio.gather(*(writer.save(enrolled(f"bot-{number}")) for number in range(300)))
                for seen in await asyncio.gather(*followers):
                    assert seen == list(range(1, 301))

    run(work)


def test_writes_of_other_threads_are_never_missed(ledger: Ledger) -> None:
    def write(name: str) -> None:
        for number in range(100):
            ledger.save(enrolled(f"{name}-{number}"))

    async def work() -> None:
        async with Feed(ledger, poll=60) as feed:
            follower = asyncio.create_task(taken(feed.events(), 300))
            threads = [threading.Thread(target=write, args=(name,)) for name in ("ada", "bob", "cyd")]
            for thread in threads:
                thread.start()
            assert await follower == list(range(1, 301))
            for thread in threads:
                await asyncio.to_thread(thread.join)

    run(work)


def test_a_closed_feed_ends_its_followers(ledger: Ledger) -> None:
    async def work() -> None:
        async def follow(feed: Feed) -> list[int]:
            return [event.id async for event in feed.events()]

        async with Feed(ledger) as feed:
            follower = asyncio.create_task(follow(feed))
            ledger.save(enrolled("ada"))
            async with aclosing(feed.events()) as events:
                await anext(events)
        await follower
        assert [event async for event in feed.events()] == []
        ledger.save(enrolled("bob"))

    run(work)


def test_a_feed_whose_event_loop_has_gone_does_no_harm(ledger: Ledger) -> None:
    feed = Feed(ledger)

    async def leave() -> None:
        await feed.__aenter__()

    run(leave)

    assert ledger.save(enrolled("ada")) == [1]


def test_a_store_that_fails_is_reported_to_the_followers(file: Path) -> None:
    async def work() -> None:
        ledger = open_ledger(file)
        async with Feed(ledger, poll=0.01) as feed, aclosing(feed.events()) as events:
            waiting = asyncio.create_task(taken(events, 1))
            await asyncio.sleep(0)
            ledger.close()
            with pytest.raises(LedgerError):
                await waiting

    run(work)


WRITE = """
import sys
from keylore_domain.bots import Bot
from keylore_services.ledger.ledger import open_ledger
with open_ledger(sys.argv[1]) as ledger:
    ledger.save(Bot.enrol("ada", "token", 1))
"""


@pytest.mark.slow
def test_writes_of_other_processes_are_noticed(file: Path) -> None:
    async def work() -> None:
        with open_ledger(file) as ledger:
            async with Feed(ledger, poll=0.01) as feed, aclosing(feed.events()) as events:
                waiting = asyncio.create_task(taken(events, 1))
                await asyncio.to_thread(run_elsewhere, WRITE, file)
                assert await waiting == [1]

    run(work)
