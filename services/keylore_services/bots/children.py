"""Bots as child processes of a server: started, restarted and stopped with it, and never left behind."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec
import structlog

import keylore
import keylore_domain
import keylore_services
from keylore_domain.bots import checked_name
from keylore_services.bots.child import HOPELESS
from keylore_services.bots.kit import TOKEN_VARIABLE

log = structlog.get_logger()

_PACKAGES: Final = (keylore, keylore_domain, keylore_services)
_HEALTHY_SECONDS: Final = 60.0
_FIRST_DELAY: Final = 0.1
_LAST_DELAY: Final = 5.0


class ChildBot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot to be run: its ``name`` and ``token`` at the arbiter, and what it is.

    ``bot`` is the name of a built-in bot, ``FILE.py`` or ``FILE.py:CLASS``.
    """

    name: str
    token: str
    bot: str
    seed: str = "0"


class Children:
    """The child processes of one server; use it with ``async with``, or `start` and `stop` it.

    A child that crashes is started again, at most *restarts* times in a row; one that lived for a minute
    begins anew. The children end when this process does, even if it is killed.

    Args:
        server: HOST:PORT of the arbiter.
        logs: folder; what a child writes goes to ``NAME.log`` in it.
        together: run all bots that are started together in one process, each on a connection of its own.
    """

    def __init__(
        self, server: str, logs: Path, *, ca: Path | None = None, together: bool = False, restarts: int = 5
    ) -> None:
        self._server = server
        self._logs = logs
        self._ca = ca
        self._together = together
        self._restarts = restarts
        self._running: dict[str, Process] = {}
        self._keepers: dict[asyncio.Task[None], frozenset[str]] = {}
        self._stopping = asyncio.Event()

    @property
    def pids(self) -> dict[str, int]:
        """The running processes, each under the name of its (first) bot."""
        return {name: process.pid for name, process in self._running.items()}

    @property
    def names(self) -> frozenset[str]:
        """The bots that run, or are to be started again after a crash."""
        return frozenset().union(*self._keepers.values())

    async def start(self, bots: Sequence[ChildBot]) -> None:
        """Start *bots*; returns when their processes run, which is before they are connected.

        Raises:
            OptionError: a name is not allowed.
        """
        for bot in bots:
            checked_name(bot.name)
        self._logs.mkdir(parents=True, exist_ok=True)
        groups = [tuple(bots)] if self._together and bots else [(bot,) for bot in bots]
        for group in groups:
            keeper = asyncio.create_task(self._keep(group, await self._spawned(group)))
            self._keepers[keeper] = frozenset(bot.name for bot in group)
            keeper.add_done_callback(self._keepers.pop)

    async def wait(self) -> None:
        """Wait until no child runs any more and none is to be restarted."""
        while self._keepers:
            await asyncio.wait(self._keepers)

    async def stop(self, seconds: float = 3.0) -> None:
        """Ask all children to leave, and kill those that have not left after *seconds*."""
        self._stopping.set()
        for process in self._running.values():
            process.terminate()
        if self._keepers:
            await asyncio.wait(self._keepers, timeout=seconds)
        for name, process in self._running.items():
            log.warning("child_killed", name=name, pid=process.pid)
            process.kill()
        await self.wait()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def _keep(self, group: Sequence[ChildBot], process: Process) -> None:
        """See to it that the bots of *group* play, until they are done, given up or stopped."""
        loop, failures = asyncio.get_running_loop(), 0
        while True:
            born = loop.time()
            code = await process.wait()
            del self._running[group[0].name]
            failures = 1 if loop.time() - born > _HEALTHY_SECONDS else failures + 1
            if self._is_final(group, code, failures):
                return
            await self._pause(failures)
            if self._stopping.is_set():
                return
            process = await self._spawned(group)

    def _is_final(self, group: Sequence[ChildBot], code: int, failures: int) -> bool:
        """Whether a child that ended with *code* is left alone; says why."""
        name = group[0].name
        facts = {"name": name, "code": code, "log": str(self._log(group))}
        if self._stopping.is_set() or code == 0:
            log.info("child_finished", **facts)
            return True
        if code == HOPELESS or failures > self._restarts:
            log.error("child_given_up", failures=failures, **facts)
            return True
        log.warning("child_crashed", failures=failures, **facts)
        return False

    async def _pause(self, failures: int) -> None:
        delay = min(_FIRST_DELAY * 2.0 ** (failures - 1), _LAST_DELAY)
        try:
            async with asyncio.timeout(delay):
                await self._stopping.wait()
        except TimeoutError:
            return

    async def _spawned(self, group: Sequence[ChildBot]) -> Process:
        with self._log(group).open("ab") as output:
            process = await asyncio.create_subprocess_exec(
                *self._command(group),
                stdin=PIPE,
                stdout=output,
                stderr=STDOUT,
                env=_environment(),
                start_new_session=True,  # Ctrl-C at the terminal is for the server, which stops them
            )
        self._running[group[0].name] = process
        log.info("child_started", names=[bot.name for bot in group], pid=process.pid)
        if self._stopping.is_set():
            process.terminate()
        await _hand_over(process, {bot.name: bot.token for bot in group})
        return process

    def _command(self, group: Sequence[ChildBot]) -> list[str]:
        command = [sys.executable, "-m", "keylore_services.bots.child", "--server", self._server]
        if self._ca is not None:
            command += ["--ca", str(self._ca)]
        for bot in group:
            command += [f"--bot={bot.bot}", f"--name={bot.name}", f"--seed={bot.seed}"]
        return command

    def _log(self, group: Sequence[ChildBot]) -> Path:
        return self._logs / f"{group[0].name}.log"


async def _hand_over(process: Process, tokens: dict[str, str]) -> None:
    """Write the tokens; standard input stays open for as long as this process lives."""
    assert process.stdin is not None
    try:
        process.stdin.write(msgspec.json.encode(tokens) + b"\n")
        await process.stdin.drain()
    except (BrokenPipeError, ConnectionResetError):
        return  # it has died already, which its keeper notices


def _environment() -> dict[str, str]:
    """This process's environment without its own token, and with the packages found where they are here."""
    folders = [str(Path(next(iter(package.__path__))).parent) for package in _PACKAGES]
    inherited = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([*folders, *([inherited] if inherited else [])])
    kept = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE}
    return {**kept, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}
