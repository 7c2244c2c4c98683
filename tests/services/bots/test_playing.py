"""How the kit plays: prompts, answers, hooks, and what goes wrong in a bot."""

import asyncio
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
import structlog
from structlog.testing import capture_logs

from keylore.v1 import arbiter_pb2 as pb
from keylore_services.bots import Bot, End, Head, News, Prompt, Receipt, Refusal, Ruling, Summary, Table
from keylore_services.bots.connection import play
from keylore_services.bots.logs import log_to_stderr
from tests.services.bots.scripted import LEGAL, arbiter, scene


@pytest.fixture
def own_log() -> Iterator[None]:
    """Lets a test call `log_to_stderr` (not this fixture: pytest gives each phase a stderr of its own)."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


class Scripted(Bot):
    """Gives the *choices* one after the other and remembers what it is told."""

    inline: ClassVar[bool] = True

    def __init__(self, *choices: Any) -> None:
        self.choices = list(choices)
        self.prompts: list[Prompt] = []
        self.told: list[Any] = []

    def choose(self, prompt: Prompt) -> Any:
        self.prompts.append(prompt)
        choice = self.choices.pop(0)
        if isinstance(choice, Exception):
            raise choice
        return choice

    def seated(self, table: Table) -> None:
        self.told.append(table)

    def heard(self, news: News) -> None:
        self.told.append(news)

    def receipt(self, receipt: Receipt) -> None:
        self.told.append(receipt)

    def refused(self, refusal: Refusal) -> None:
        self.told.append(refusal)

    def ruled(self, ruling: Ruling) -> None:
        self.told.append(ruling)

    def ended(self, end: End) -> None:
        self.told.append(end)


class Threaded(Scripted):
    """The same in a thread of its own."""

    inline: ClassVar[bool] = False


@pytest.mark.parametrize("kind", [Scripted, Threaded])
@scene
async def test_a_bot_plays_a_match_and_sums_it_up(kind: type[Scripted]) -> None:
    bot = kind(2, {"colour": "red"})
    async with arbiter() as server:
        playing = asyncio.create_task(play(bot, server.settings(until=1)))
        stream = await server.stream()
        hello = await stream.open()
        await stream.seat()

        await stream.prompt(1, event=2)
        by_index = await stream.hear("answer")
        await stream.receipt(1, 3, choice=2)
        await stream.prompt(2, event=3)
        by_move = await stream.hear("answer")
        await stream.receipt(2, 4)
        await stream.finish()
        await stream.part()
        summary = await playing

    assert (hello.capacity, hello.news, list(hello.resume)) == (0, True, [])
    assert by_index == pb.Answer(match="m/1", prompt=1, choice=2)
    assert by_move == pb.Answer(match="m/1", prompt=2, move_json=b'{"colour":"red"}')
    assert summary == Summary(matches=1, moves=2, heads={"m/1": Head(4, "head-4")})
    assert [type(told) for told in bot.told] == [Table, Receipt, Receipt, End]


@scene
async def test_a_prompt_tells_all_that_there_is_to_know() -> None:
    bot = Scripted(0)
    async with arbiter() as server:
        playing = asyncio.create_task(play(bot, server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat(seat=1)
        await stream.prompt(7, seat=1)
        await stream.hear("answer")
        await stream.finish()
        await stream.part()
        await playing

    (prompt,) = bot.prompts
    assert (prompt.match, prompt.number, prompt.seat, prompt.kind) == ("m/1", 7, 1, "colour")
    assert (prompt.view, prompt.legal, prompt.default, prompt.context) == ({"turn": 7}, LEGAL, 1, None)
    assert (prompt.budget, prompt.bank) == (5.0, 60.0)
    assert 0 < prompt.remaining() <= 5.0
    assert (prompt.table.game, prompt.table.rules, prompt.table.options) == ("toy", "1", {"seats": 2})
    assert (prompt.table.bots, prompt.table.seat, prompt.table.time.move_ms) == (("alice", "bob"), 1, 5_000)


@scene
async def test_hooks_are_told_what_the_arbiter_says() -> None:
    bot = Scripted(0)
    async with arbiter() as server:
        playing = asyncio.create_task(play(bot, server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        await stream.hear("answer")
        await stream.receipt(1, 3)
        await stream.say(
            news=pb.News(match="m/1", event=4, ply=2, facts_json=b'[{"fact":"rain"}]', waiting=[1])
        )
        ruling = pb.Ruling(match="m/1", prompt=2, event=5, choice=1, move_json=b"{}", cause="timeout")
        await stream.say(ruling=ruling)
        await stream.finish(event=6)
        await stream.part()
        summary = await playing

    _, receipt, news, ruled, end = bot.told
    assert (receipt.prompt, receipt.event, receipt.head, receipt.clock.spent) == (1, 3, "head-3", 1.5)
    assert news == News(match="m/1", event=4, ply=2, facts=[{"fact": "rain"}], waiting=(1,))
    assert (ruled.event, ruled.cause, ruled.move) == (5, "timeout", {})
    assert (end.status, end.outcome, end.seed) == ("concluded", {"ranks": [1, 2]}, "00")
    assert (summary.moves, summary.faults) == (1, 1)


@scene
async def test_news_is_asked_for_only_by_a_bot_that_hears_it() -> None:
    class Deaf(Bot):
        capacity: ClassVar[int] = 3

        def choose(self, prompt: Prompt) -> int:
            return 0

    async with arbiter() as server:
        stop = asyncio.Event()
        playing = asyncio.create_task(play(Deaf(), server.settings(), stop))
        stream = await server.stream()
        hello = await stream.open()
        stop.set()
        await stream.part()
        await playing

    assert (hello.news, hello.capacity, hello.agent) == (False, 3, "keylore-kit/1 Deaf")


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        (ValueError("no idea"), "no idea"),
        (StopIteration(), "StopIteration"),
        (None, "must give the index of a legal move (0 to 2)"),
        (True, "must give the index"),
        (-1, "legal are 0 to 2"),
        ({"colour": "x" * 20_000}, "a move has at most"),
    ],
)
@pytest.mark.usefixtures("own_log")
@pytest.mark.parametrize("kind", [Scripted, Threaded])
@scene
async def test_a_bot_that_fails_plays_the_default_and_goes_on(
    kind: type[Scripted], choice: Any, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log_to_stderr()
    async with arbiter() as server:
        playing = asyncio.create_task(play(kind(choice, 0), server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        first = await stream.hear("answer")
        await stream.prompt(2)
        second = await stream.hear("answer")
        await stream.finish()
        await stream.part()
        summary = await playing

    assert (first.choice, second.choice, summary.exceptions) == (1, 0, 1)
    assert problem in (log := capsys.readouterr().err)
    assert "Traceback" in log


@scene
async def test_a_hook_that_fails_is_counted_and_hurts_nothing() -> None:
    class Clumsy(Scripted):
        def seated(self, table: Table) -> None:
            raise KeyError(table.game)

    async with arbiter() as server:
        playing = asyncio.create_task(play(Clumsy(2), server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        with capture_logs() as logs:
            await stream.seat()
            await stream.prompt(1)
            answer = await stream.hear("answer")
        await stream.finish()
        await stream.part()
        summary = await playing

    assert (answer.choice, summary.exceptions) == (2, 1)
    assert {"event": "bot_failed", "method": "seated", "match": "m/1"}.items() <= logs[-1].items()


@scene
async def test_an_illegal_answer_is_chosen_anew_and_the_default_follows_a_repetition() -> None:
    bot = Scripted(9, {"colour": "pink"}, {"colour": "pink"})
    refusal = pb.Refusal(match="m/1", prompt=1, code="illegal_move", message="legal: 0 to 2")
    answers = []
    async with arbiter() as server:
        playing = asyncio.create_task(play(bot, server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        for left in (2, 1):
            answers.append(await stream.hear("answer"))
            refusal.attempts_left = left
            await stream.say(refusal=refusal)
        answers.append(await stream.hear("answer"))
        await stream.finish()
        await stream.part()
        summary = await playing

    assert [answer.WhichOneof("move") for answer in answers] == ["choice", "move_json", "choice"]
    assert [answer.choice for answer in answers] == [9, 0, 1]
    assert [told.attempts_left for told in bot.told if isinstance(told, Refusal)] == [2, 1]
    assert (summary.refusals, summary.exceptions) == (2, 0)


@scene
async def test_a_refusal_without_a_further_try_settles_the_prompt() -> None:
    bot = Scripted(9, 0)
    async with arbiter() as server:
        playing = asyncio.create_task(play(bot, server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        await stream.hear("answer")
        await stream.say(refusal=pb.Refusal(match="m/1", prompt=1, code="illegal_move"))
        await stream.say(refusal=pb.Refusal(match="m/1", prompt=1, code="late"))
        await stream.prompt(2)
        answer = await stream.hear("answer")
        await stream.finish()
        await stream.part()
        await playing

    assert (answer.prompt, len(bot.prompts)) == (2, 2)


@scene
async def test_an_answer_refused_for_its_rate_is_sent_again() -> None:
    bot = Scripted(2)
    async with arbiter() as server:
        playing = asyncio.create_task(play(bot, server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat()
        await stream.prompt(1)
        first = await stream.hear("answer")
        await stream.say(refusal=pb.Refusal(match="m/1", prompt=1, code="rate"))
        again = await stream.hear("answer")
        await stream.finish()
        await stream.part()
        await playing

    assert first == again


@scene
async def test_the_kit_keeps_to_the_rate_that_the_server_allows() -> None:
    loop = asyncio.get_running_loop()
    bot = Scripted(*[0] * 6)
    async with arbiter() as server:
        playing = asyncio.create_task(play(bot, server.settings(until=1)))
        stream = await server.stream()
        await stream.open(messages_per_second=20, burst=2)
        await stream.seat()
        began = loop.time()
        for number in range(1, 7):
            await stream.prompt(number)
            await stream.hear("answer")
        took = loop.time() - began
        await stream.finish()
        await stream.part()
        await playing

    assert took > 0.15  # six messages; two at once, the others at most 20 in a second


@scene
async def test_a_match_that_the_arbiter_does_not_know_is_forgotten() -> None:
    bot = Scripted()
    async with arbiter() as server:
        playing = asyncio.create_task(play(bot, server.settings(until="idle", idle_seconds=0.01)))
        stream = await server.stream()
        await stream.open()
        await stream.seat("m/1")
        await stream.seat("m/2")
        await stream.say(refusal=pb.Refusal(match="m/2", code="not_found"))
        await stream.finish("m/1")
        await stream.part()
        summary = await playing

    assert summary.matches == 1


@scene
async def test_one_bot_can_sit_on_two_seats_of_a_match() -> None:
    bot = Scripted(0, 2)
    async with arbiter() as server:
        playing = asyncio.create_task(play(bot, server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.seat(seat=0)
        await stream.seat(seat=1)
        await stream.prompt(1, seat=0)
        await stream.prompt(2, seat=1)
        answers = [await stream.hear("answer") for _ in range(2)]
        await stream.receipt(1, 3)
        await stream.receipt(2, 4)
        await stream.finish()
        await stream.part()
        summary = await playing

    assert [(answer.prompt, answer.choice) for answer in answers] == [(1, 0), (2, 2)]
    assert [prompt.table.seat for prompt in bot.prompts] == [0, 1]
    assert summary.moves == 2


@scene
async def test_a_message_that_comes_twice_counts_once() -> None:
    bot = Scripted(0)
    async with arbiter() as server:
        playing = asyncio.create_task(play(bot, server.settings(until=1)))
        stream = await server.stream()
        await stream.open()
        await stream.say()  # a message that this kit does not know
        await stream.prompt(1, match="m/9")  # of a table that it does not know
        await stream.seat("m/1")
        await stream.seat("m/1")
        await stream.prompt(1)
        await stream.hear("answer")
        await stream.receipt(1, 3)
        await stream.receipt(1, 3)
        await stream.finish("m/7")
        await stream.finish()
        await stream.finish()
        await stream.part()
        summary = await playing

    assert (summary.matches, summary.moves) == (1, 1)
    assert [type(told) for told in bot.told] == [Table, Receipt, End]
