"""The writer: one thread that commits what many matches have to store, in groups.

A commit costs about the same for one event as for a hundred. So the thread takes what has queued while it
was busy, commits it in one transaction, and only then lets the callers go on.
"""

import asyncio
import contextlib
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

import structlog

from keylore_domain.engine.aggregates import Aggregate, Event
from keylore_domain.errors import ConflictError, KeyloreError, LedgerError
from keylore_services.ledger.ledger import Ledger

T = TypeVar("T")

log = structlog.get_logger()

MAX_GROUP: Final = 256  # saves in one transaction: bounds how long the first of them waits


@dataclass(frozen=True, slots=True)
class _Save:
    """One call of `Writer.save` that waits for its commit."""

    aggregates: Sequence[Aggregate]
    events: Sequence[Event]
    future: asyncio.Future[list[int]]


_Answer = tuple[_Save, list[int] | KeyloreError]


class Writer:
    """The only writer of a process.

    Attributes:
        commits: transactions so far.
        events: events stored so far.
        fatal: why nothing can be stored any more; ``None`` while all is well.
    """

    def __init__(self, ledger: Ledger, *, on_fatal: Callable[[LedgerError], None] | None = None) -> None:
        """Start the thread.

        Args:
            on_fatal: called once, in the event loop of a save that failed, when the store cannot be
                written any more.
        """
        self.commits = 0
        self.events = 0
        self.fatal: LedgerError | None = None
        self._ledger = ledger
        self._on_fatal = on_fatal
        self._closed = False
        self._entry = threading.Lock()
        self._queue: queue.SimpleQueue[_Save | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    async def save(self, *aggregates: Aggregate) -> list[int]:
        """Store the new events of *aggregates* all together; returns their positions after the commit.

        The events are collected before anything is awaited; saves are committed in the order of the calls.
        If the caller is cancelled while it waits, the events are stored all the same. If the save fails,
        the aggregates must be thrown away, and are refused from then on.

        Raises:
            ConflictError: somebody else has changed one of them meanwhile; other saves are not affected.
            LedgerError: the store cannot be written, or the writer is closed.
        """
        future: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        with self._entry:
            self._check_open()
            events = [event for aggregate in aggregates for event in aggregate.collect_events()]
            self._queue.put(_Save(aggregates, events, future))
        return await future

    def close(self) -> None:
        """Store what waits, then stop; every save that was accepted gets its answer."""
        with self._entry:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _check_open(self) -> None:
        if self.fatal is not None:
            msg = f"nothing can be stored any more: {self.fatal}"
            raise LedgerError(msg)
        if self._closed:
            msg = "the writer is closed"
            raise LedgerError(msg)

    # --- in the thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        running = True
        while running:
            group, running = self._next_group()
            if group:
                self._serve(group)

    def _next_group(self) -> tuple[list[_Save], bool]:
        """What waits, at least one save or the mark that ends the thread; and whether to go on."""
        group: list[_Save] = []
        item = self._queue.get()
        while item is not None:
            group.append(item)
            if len(group) == MAX_GROUP:
                return group, True
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return group, True
        return group, False

    def _serve(self, group: list[_Save]) -> None:
        well = self.fatal is None
        try:
            answers = self._answers(group)
        except Exception as error:  # a thread that died silently would leave every caller waiting for ever
            answers = self._fail(group, LedgerError(f"{type(error).__name__}: {error}"))
        _deliver(answers)
        if well and self.fatal is not None and self._on_fatal is not None:
            _call_in(group[0].future.get_loop(), self._on_fatal, self.fatal)

    def _answers(self, group: Sequence[_Save]) -> list[_Answer]:
        if self.fatal is not None:
            return self._fail(group, self.fatal)
        answers: list[_Answer] = []
        sound = []
        for save in group:
            try:
                self._ledger.refuse_spoiled(save.aggregates)
            except ConflictError as error:
                answers.append((save, error))
            else:
                sound.append(save)
        return answers + self._commit(sound)

    def _commit(self, group: Sequence[_Save]) -> list[_Answer]:
        try:
            positions = self._ledger.append([event for save in group for event in save.events])
        except ConflictError as error:
            return self._one_by_one(group, error)
        except LedgerError as error:
            return self._fail(group, error)
        self.commits += bool(positions)
        self.events += len(positions)
        left = iter(positions)
        return [(save, list(islice(left, len(save.events)))) for save in group]

    def _one_by_one(self, group: Sequence[_Save], error: ConflictError) -> list[_Answer]:
        """Commit the saves of a group that was rolled back; only the culprits fail."""
        if len(group) > 1:
            return [answer for save in group for answer in self._answers([save])]
        self._ledger.spoil(group[0].aggregates)
        return [(group[0], error)]

    def _fail(self, group: Sequence[_Save], error: LedgerError) -> list[_Answer]:
        if self.fatal is None:
            self.fatal = error
            log.error("ledger_failed", problem=str(error))
        return [(save, LedgerError(str(error))) for save in group]


def _deliver(answers: Sequence[_Answer]) -> None:
    """Wake the callers, with one call per event loop."""
    by_loop: defaultdict[asyncio.AbstractEventLoop, list[_Answer]] = defaultdict(list)
    for answer in answers:
        by_loop[answer[0].future.get_loop()].append(answer)
    for loop, some in by_loop.items():
        _call_in(loop, _resolve, some)


def _call_in(loop: asyncio.AbstractEventLoop, call: Callable[[T], None], argument: T) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits there any more
        loop.call_soon_threadsafe(call, argument)


def _resolve(answers: Sequence[_Answer]) -> None:
    for save, result in answers:
        if save.future.done():  # its caller was cancelled
            continue
        if isinstance(result, KeyloreError):
            save.future.set_exception(result)
        else:
            save.future.set_result(result)
