"""How long a bot may think, and what goes on meanwhile: threads, coroutines, several matches."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
import structlog

from keylore.v1 import arbiter_pb2 as pb
from keylore_services.bots import Bot, Prompt, Receipt, Table
from keylore_services.bots.connection import play
from keylore_services.bots.logs import log_to_stderr
from tests.services.bots.scripted import arbiter, scene


@pytest.fixture
def own_log() -> Iterator[None]:
    """Lets a test call `log_to_stderr` (not this fixture: pytest gives each phase a stderr of its own)."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


@scene
async def test_a_slow_bot_answers_pings_while_it_thinks() -> None:
    may_go = threading.Event()
    is_thinking = asyncio.Event()
    loop = asyncio.get_running_loop()

    class Slow(Bot):
        def choose(self, prompt: Prompt) -> int:
            loop.call_soon_threadsafe(is_thinking.set)
            assert may_go.wait(10)
            return 2

    async with arbiter() as server:
        playing = asyncio.create_task(play(Slow(), server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        await is_thinking.wait()
        await stream.say(ping=pb.Ping(nonce=42))
        pong = await stream.hear("pong")
        may_go.set()
        answer = await stream.hear("answer")
        await stream.finish()
        await stream.part()
        await playing

    assert (pong.nonce, answer.choice) == (42, 2)


@scene
async def test_a_prompt_that_was_ruled_on_is_not_thought_about_any_more() -> None:
    may_go = threading.Event()
    is_thinking = asyncio.Event()
    loop = asyncio.get_running_loop()
    thought_about = []

    class Slow(Bot):
        def choose(self, prompt: Prompt) -> int:
            thought_about.append(prompt.number)
            loop.call_soon_threadsafe(is_thinking.set)
            assert may_go.wait(10)
            return 0

    async with arbiter() as server:
        playing = asyncio.create_task(play(Slow(), server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        await is_thinking.wait()
        for number in (2, 3):
            await stream.prompt(number)  # each replaces the one before
        await stream.say(ping=pb.Ping(nonce=1))
        await stream.hear("pong")  # so the bot has taken in all of them
        may_go.set()
        answer = await stream.hear("answer")
        await stream.finish()
        await stream.part()
        await playing

    assert (answer.prompt, thought_about) == (3, [1, 3])


@pytest.mark.usefixtures("own_log")
@scene
async def test_several_matches_are_played_at_once_by_a_bot_that_awaits() -> None:
    log_to_stderr()
    both = asyncio.Event()
    seen: set[str] = set()

    class Patient(Bot):
        async def choose(self, prompt: Prompt) -> int:
            seen.add(prompt.match)
            if len(seen) == 2:
                both.set()
            await both.wait()
            return 2

        async def receipt(self, receipt: Receipt) -> None:
            raise ValueError(receipt.match)

        def seated(self, table: Table) -> None:
            assert table.seat == 0

    async with arbiter() as server:
        playing = asyncio.create_task(play(Patient(), server.settings(until=2)))
        stream = await server.stream()
        await stream.open()
        for match in ("m/1", "m/2"):
            await stream.seat(match)
            await stream.prompt(1, match)
        answers = [await stream.hear("answer") for _ in range(2)]
        for match in ("m/1", "m/2"):
            await stream.receipt(1, 3, match)
            await stream.finish(match)
        await stream.part()
        summary = await playing

    assert {answer.match for answer in answers} == {"m/1", "m/2"}
    assert (summary.matches, summary.moves, summary.exceptions) == (2, 2, 2)


@scene
async def test_a_coroutine_stops_thinking_when_its_prompt_was_ruled_on() -> None:
    thinking, stopped = asyncio.Event(), asyncio.Event()

    class Endless(Bot):
        async def choose(self, prompt: Prompt) -> int:
            if prompt.number == 2:
                return 2
            try:
                thinking.set()
                await asyncio.Event().wait()
            finally:
                stopped.set()
            return 0

    async with arbiter() as server:
        playing = asyncio.create_task(play(Endless(), server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        await thinking.wait()
        await stream.say(ruling=pb.Ruling(match="m/1", prompt=1, event=3, cause="timeout"))
        await stream.prompt(2, event=3)
        answer = await stream.hear("answer")
        await stream.finish()
        await stream.part()
        summary = await playing

    assert stopped.is_set()
    assert (answer.prompt, answer.choice) == (2, 2)
    assert (summary.faults, summary.exceptions) == (1, 0)


@pytest.mark.usefixtures("own_log")
@scene
async def test_a_coroutine_that_fails_or_is_cancelled_plays_the_default() -> None:
    log_to_stderr()

    class Broken(Bot):
        async def choose(self, prompt: Prompt) -> int:
            if prompt.number == 1:
                raise asyncio.CancelledError
            raise LookupError(prompt.kind)

    async with arbiter() as server:
        playing = asyncio.create_task(play(Broken(), server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        answers = []
        for number in (1, 2):
            await stream.prompt(number)
            answers.append(await stream.hear("answer"))
        await stream.finish()
        await stream.part()
        summary = await playing

    assert [answer.choice for answer in answers] == [1, 1]
    assert summary.exceptions == 2


@scene
async def test_a_plain_choose_goes_with_coroutine_hooks() -> None:
    class Mixed(Bot):
        def choose(self, prompt: Prompt) -> int:
            return 2

        async def seated(self, table: Table) -> None:
            await asyncio.sleep(0)

    async with arbiter() as server:
        playing = asyncio.create_task(play(Mixed(), server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        answer = await stream.hear("answer")
        await stream.finish()
        await stream.part()
        await playing

    assert answer.choice == 2
