"""Where the code of a bot's author runs: in the event loop, in a thread of its own, or side by side as tasks.

In each lane the works of one match run one after the other, in the order in which they were submitted.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol, TypeAlias

Work: TypeAlias = Callable[[], Any]
"""The author's code; gives an awaitable if it goes to a `TaskLane`."""

Done: TypeAlias = Callable[[Any], None]
"""Called in the event loop with what the work gave."""


class Lane(Protocol):
    """Runs works; they raise no `Exception`."""

    def submit(self, match: str, work: Work, done: Done) -> None:
        """Run *work*, which belongs to *match*, then *done* with its result."""

    async def close(self, seconds: float) -> None:
        """Let what was submitted finish, for at most *seconds*; what is not done then is given up."""


class InlineLane:
    """Runs each work at once, in the event loop."""

    def submit(self, match: str, work: Work, done: Done) -> None:
        """Run *work* and *done* before returning."""
        done(work())

    async def close(self, seconds: float) -> None:
        """Nothing is left to do."""


class ThreadLane:
    """Runs all works in one thread. The thread keeps no process alive."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[tuple[Work, Done] | None] = SimpleQueue()
        self._ended = asyncio.Event()
        Thread(target=self._run, name="keylore-bot", daemon=True).start()

    def submit(self, match: str, work: Work, done: Done) -> None:
        """Queue *work* for the thread."""
        self._queue.put((work, done))

    async def close(self, seconds: float) -> None:
        """Wait for the thread to end."""
        self._queue.put(None)
        try:
            async with asyncio.timeout(seconds):
                await self._ended.wait()
        except TimeoutError:
            return

    def _run(self) -> None:
        try:
            while (job := self._queue.get()) is not None:
                work, done = job
                self._post(done, work())
        except BaseException as error:  # the author's sys.exit() must end the process, not just the thread
            self._post(_raise, error)
        finally:
            self._post(lambda _: self._ended.set(), None)

    def _post(self, done: Done, result: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed, if the thread was given up
            self._loop.call_soon_threadsafe(done, result)


class TaskLane:
    """Runs the works of different matches side by side in the event loop; each work gives an awaitable."""

    def __init__(self) -> None:
        self._jobs: dict[str, deque[tuple[Work, Done]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def submit(self, match: str, work: Work, done: Done) -> None:
        """Queue *work* behind the other works of its match."""
        if match in self._jobs:
            self._jobs[match].append((work, done))
            return
        self._jobs[match] = deque([(work, done)])
        task = asyncio.get_running_loop().create_task(self._serve(match))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self, seconds: float) -> None:
        """Wait for the tasks to end, then cancel them."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in (rest := tuple(self._tasks)):
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _serve(self, match: str) -> None:
        jobs = self._jobs[match]
        while jobs:
            work, done = jobs.popleft()
            started: Awaitable[Any] = work()
            done(await started)
        del self._jobs[match]


def _raise(error: BaseException) -> None:
    raise error
