"""The feed: new events as they come, for whoever follows the ledger in an event loop.

Only the news that there is something travels; every follower reads the events from the store, from its own
place, so a slow one holds up nobody and none can miss an event.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Final, Self

from eventsourcing.persistence import Notification

from keylore_domain.errors import LedgerError
from keylore_services.ledger.ledger import Ledger

BATCH: Final = 500  # events read at once

POLL_SECONDS: Final = 0.1  # how often to look for writes of other processes: a look takes microseconds


class Feed:
    """The news of one ledger in one event loop; an asynchronous context manager.

    Commits of this process wake it at once, those of other processes within *poll* seconds.
    """

    def __init__(self, ledger: Ledger, *, poll: float = POLL_SECONDS) -> None:
        self._ledger = ledger
        self._poll = poll
        self._news = asyncio.Event()
        self._is_closed = False
        self._is_woken = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watch: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._ledger.recorder.listen(self)
        self._watch = asyncio.create_task(self._look_outside())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._watch is not None
        self._ledger.recorder.unlisten(self)
        self._is_closed = True
        self._wake()
        self._watch.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._watch

    async def events(self, after: int = 0) -> AsyncGenerator[Notification, None]:
        """Every event after position *after*, in the order of storing; ends when the feed is closed.

        Raises:
            LedgerError: the store cannot be read.
        """
        place = after
        async with contextlib.aclosing(self.changes()) as changes:
            async for _ in changes:
                more = True
                while more:
                    batch = await asyncio.to_thread(self._ledger.notifications, place, BATCH)
                    for event in batch:
                        place = event.id
                        yield event
                    more = len(batch) == BATCH

    async def changes(self) -> AsyncGenerator[None, None]:
        """Something at once, and again after each change of the ledger; ends when the feed is closed.

        Changes that happen while the last one is dealt with come as one.
        """
        while not self._is_closed:
            news = self._news
            yield
            await news.wait()

    def set(self) -> None:
        """Called by the recorder after each commit, in the thread that committed."""
        if not self._is_woken and self._loop is not None:
            self._is_woken = True
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody follows any more
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._is_woken = False
        self._news.set()
        self._news = asyncio.Event()

    async def _look_outside(self) -> None:
        seen = -1
        while True:
            try:
                count = self._ledger.change_count()
            except LedgerError:
                self._wake()  # followers read, and see for themselves what is wrong
            else:
                if count != seen:
                    seen = count
                    self._wake()
            await asyncio.sleep(self._poll)
