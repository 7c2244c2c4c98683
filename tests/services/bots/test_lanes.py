"""Where the author's code runs, and what happens to it when the bot leaves."""

import asyncio
import threading
from functools import partial
from typing import Any

import pytest

from keylore.v1 import arbiter_pb2 as pb
from keylore_services.bots import Bot, Head, Prompt, player
from keylore_services.bots.lanes import Lane, TaskLane, ThreadLane
from tests.services.bots.scripted import scene


@scene
async def test_a_thread_finishes_what_was_submitted_in_order() -> None:
    lane = ThreadLane()
    done: list[int] = []
    threads = set()

    def work(number: int) -> int:
        threads.add(threading.current_thread().name)
        return number

    for number in range(50):
        lane.submit("m/1", partial(work, number), done.append)
    await lane.close(10)

    assert done == list(range(50))
    assert threads == {"keylore-bot"}


@scene
async def test_a_thread_that_does_not_come_back_is_given_up() -> None:
    may_go, gone = threading.Event(), threading.Event()
    lane = ThreadLane()

    def work() -> None:
        may_go.wait(10)
        gone.set()

    lane.submit("m/1", work, lambda _: None)
    await lane.close(0.01)
    was_waiting = not gone.is_set()
    may_go.set()

    assert was_waiting
    assert await asyncio.to_thread(gone.wait, 10)


def test_a_thread_that_outlives_its_loop_ends_quietly(capfd: pytest.CaptureFixture[str]) -> None:
    may_go = threading.Event()

    async def leave_early() -> None:
        lane = ThreadLane()
        lane.submit("m/1", lambda: may_go.wait(10), lambda _: None)
        await lane.close(0.01)

    asyncio.run(leave_early())
    (thread,) = (item for item in threading.enumerate() if item.name == "keylore-bot")
    may_go.set()
    thread.join(10)

    assert not thread.is_alive()
    assert capfd.readouterr().err == ""


@scene
async def test_tasks_keep_the_order_within_a_match_and_wait_for_no_other() -> None:
    lane = TaskLane()
    done: list[str] = []
    may_go = asyncio.Event()

    async def wait() -> str:
        await may_go.wait()
        return "m/1 first"

    async def give(text: str) -> str:
        return text

    def release(text: str) -> None:
        done.append(text)
        may_go.set()

    lane.submit("m/1", wait, done.append)
    lane.submit("m/1", lambda: give("m/1 second"), done.append)
    lane.submit("m/2", lambda: give("m/2"), release)
    await lane.close(10)

    assert done == ["m/2", "m/1 first", "m/1 second"]


@scene
async def test_tasks_that_do_not_come_back_are_cancelled() -> None:
    lane: Lane = TaskLane()
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    lane.submit("m/1", wait, lambda _: None)
    await begun.wait()
    await lane.close(0.01)

    assert cancelled.is_set()
    await TaskLane().close(1)  # nothing to wait for


@scene
async def test_only_the_last_heads_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "_HEADS", 2)

    class First(Bot):
        inline = True

        def choose(self, prompt: Prompt) -> int:
            return 0

    def say(**message: Any) -> None:
        plays.take(pb.PlayResponse(**message))

    plays = player.Player(First())
    for match in ("m/1", "m/2", "m/3"):
        say(seated=pb.Seated(match=match, game="toy"))
    for event, match in enumerate(("m/1", "m/2", "m/1", "m/3"), start=3):
        say(receipt=pb.Receipt(match=match, event=event, head=match))

    assert plays.summary().heads == {"m/1": Head(5, "m/1"), "m/3": Head(6, "m/3")}
