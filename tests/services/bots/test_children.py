"""Bots as child processes: they come, come back, go, and are never left behind."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from keylore_domain.errors import OptionError
from keylore_services.bots.children import ChildBot, Children
from tests.services.bots.scripted import Arbiter, Stream, arbiter, scene
from tests.services.bots.test_running import PATH

pytestmark = pytest.mark.slow

ALICE = ChildBot(name="alice", token="token-of-alice", bot="first")
BOB = ChildBot(name="bob", token="token-of-bob", bot="random", seed="7")

BUSY = """
import sys
from keylore_services.bots import Bot

class Busy(Bot):
    inline = True

    def choose(self, prompt):
        print("stdin:", repr(sys.stdin.read()), flush=True)
        while True:
            pass
"""

PARENT = """
import asyncio, sys
from pathlib import Path
from keylore_services.bots.children import ChildBot, Children
from keylore_services.bots.logs import log_to_stderr

log_to_stderr()

async def main(server, logs, bot):
    children = Children(server, Path(logs))
    await children.start([ChildBot(name="alice", token="token-of-alice", bot=bot)])
    print(children.pids["alice"], flush=True)
    await asyncio.Event().wait()

asyncio.run(main(*sys.argv[1:]))
"""


def address(server: Arbiter) -> str:
    return f"127.0.0.1:{server.port}"


def end_of(pid: int) -> Awaitable[None]:
    """Done when the process has ended."""
    loop = asyncio.get_running_loop()
    ended = loop.create_future()
    descriptor = os.pidfd_open(pid)

    def seen() -> None:
        loop.remove_reader(descriptor)
        os.close(descriptor)
        ended.set_result(None)

    loop.add_reader(descriptor, seen)
    return ended


def busy(folder: Path) -> str:
    (folder / "busy.py").write_text(BUSY)
    return str(folder / "busy.py")


async def occupied(stream: Stream) -> None:
    """Give the bot something to think about."""
    await stream.open()
    await stream.seat()
    await stream.prompt(1)


@scene
async def test_children_play_until_they_are_stopped(tmp_path: Path) -> None:
    async with arbiter(token=None) as server, Children(address(server), tmp_path / "logs") as children:
        await children.start([ALICE, BOB])
        pids = children.pids
        streams = [await server.stream() for _ in range(2)]
        for stream in streams:
            await stream.open()
        stopping = asyncio.create_task(children.stop())
        for stream in streams:
            await stream.part()
        await stopping

    assert sorted(pids) == ["alice", "bob"]
    assert len(set(pids.values())) == 2
    assert {stream.token for stream in streams} == {"token-of-alice", "token-of-bob"}
    assert children.pids == {}
    assert "bot_finished" in (tmp_path / "logs" / "alice.log").read_text()


@scene
async def test_several_bots_can_share_a_process(tmp_path: Path) -> None:
    async with (
        arbiter(token=None) as server,
        Children(address(server), tmp_path, together=True) as children,
    ):
        await children.start([ALICE, BOB])
        streams = [await server.stream() for _ in range(2)]
        pids = children.pids
        for stream in streams:
            await stream.open()
            stream.ended.set()

    assert list(pids) == ["alice"]
    assert {stream.token for stream in streams} == {"token-of-alice", "token-of-bob"}


@scene
async def test_a_token_stands_neither_in_the_arguments_nor_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYLORE_TOKEN", "token-of-the-server")
    async with arbiter(token=None) as server, Children(address(server), tmp_path) as children:
        await children.start([ALICE])
        await server.stream()
        process = Path(f"/proc/{children.pids['alice']}")
        public = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()

    assert b"keylore_services.bots.child" in public
    assert b"token-of" not in public


@scene
async def test_a_child_that_crashes_is_started_again_a_few_times(tmp_path: Path) -> None:
    async with arbiter(token=None) as server, Children(address(server), tmp_path, restarts=1) as children:
        with capture_logs() as logs:
            await children.start([ALICE])
            for _ in range(2):
                stream = await server.stream()
                assert stream.token == "token-of-alice"
                os.kill(children.pids["alice"], signal.SIGKILL)
            await children.wait()

    assert [entry["event"] for entry in logs] == [
        "child_started",
        "child_crashed",
        "child_started",
        "child_given_up",
    ]
    assert logs[-1]["code"] == -signal.SIGKILL


@scene
async def test_a_child_that_cannot_play_is_not_started_again(tmp_path: Path) -> None:
    async with arbiter(token="another") as server, Children(address(server), tmp_path) as children:
        with capture_logs() as logs:
            await children.start([ALICE])
            await children.wait()

    assert [entry["event"] for entry in logs] == ["child_started", "child_given_up"]
    assert "does not accept the token" in Path(logs[-1]["log"]).read_text()


@scene
async def test_a_child_that_does_not_leave_is_killed(tmp_path: Path) -> None:
    async with arbiter(token=None) as server, Children(address(server), tmp_path / "logs") as children:
        await children.start([ChildBot(name="alice", token="token-of-alice", bot=busy(tmp_path))])
        stream = await server.stream()
        await occupied(stream)
        log = tmp_path / "logs" / "alice.log"
        while "stdin" not in log.read_text():
            await asyncio.sleep(0.01)
        ended = end_of(children.pids["alice"])
        with capture_logs() as logs:
            await children.stop(seconds=0.1)
        await ended

    assert [entry["event"] for entry in logs] == ["child_killed", "child_finished"]
    assert log.read_text().count("stdin: ''") == 1  # it cannot read the token, nor keep the watch from it


@scene
async def test_a_child_that_is_stopped_while_it_waits_to_be_restarted_stays_down(tmp_path: Path) -> None:
    async with arbiter(token=None) as server, Children(address(server), tmp_path, restarts=9) as children:
        with capture_logs() as logs:
            await children.start([ALICE])
            await server.stream()
            ended = end_of(children.pids["alice"])
            os.kill(children.pids["alice"], signal.SIGKILL)
            await ended
            while len(logs) < 2:
                await asyncio.sleep(0)
            await children.stop()

    assert [entry["event"] for entry in logs] == ["child_started", "child_crashed"]


@pytest.mark.parametrize("kind", ["first", "busy"])
@scene
async def test_children_end_when_their_parent_is_killed(tmp_path: Path, kind: str) -> None:
    bot = busy(tmp_path) if kind == "busy" else kind
    async with arbiter(token=None) as server:
        parent = await asyncio.create_subprocess_exec(
            *[sys.executable, "-c", PARENT, address(server), str(tmp_path / "logs"), bot],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": PATH},
        )
        try:
            assert parent.stdout is not None
            ended = end_of(int(await parent.stdout.readline()))
            await occupied(await server.stream())
        finally:
            parent.kill()

        await ended
        await parent.wait()


@scene
async def test_a_name_that_is_no_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"'\.\./alice' is not allowed"):
        await Children("127.0.0.1:1", tmp_path).start([ChildBot(name="../alice", token="x", bot="first")])
