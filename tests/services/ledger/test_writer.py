"""The writer: group commits, conflicts that hit only the culprit, failures that nobody overlooks."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing
from typing import Any, TypeVar

import pytest
from eventsourcing.persistence import OperationalError, StoredEvent
from structlog.testing import capture_logs

from keylore_domain.bots import Bot
from keylore_domain.errors import ConflictError, LedgerError
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.ledger.popo import POPOLedgerRecorder
from keylore_services.ledger.writer import MAX_GROUP, Writer

T = TypeVar("T")


class Gate(POPOLedgerRecorder):
    """A store whose appends wait until it is opened, and fail if told so."""

    def __init__(self) -> None:
        super().__init__()
        self.entered = threading.Event()
        self.open = threading.Event()
        self.failure: Exception | None = None

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        self.entered.set()
        assert self.open.wait(10)
        if self.failure is not None:
            raise self.failure
        return super().insert_events(stored_events, **kwargs)


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def gated(gate: Gate) -> Iterator[Ledger]:
    """A ledger behind the gate."""
    with open_ledger("popo:") as ledger:
        ledger.recorder = gate
        yield ledger


def enrolled(name: str) -> Bot:
    return Bot.enrol(name, "token", 1)


def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    return asyncio.run(asyncio.wait_for(work(), 20))


async def started(*saves: Coroutine[Any, Any, list[int]]) -> list["asyncio.Task[list[int]]"]:
    """Tasks that have all handed in their events."""
    tasks = [asyncio.create_task(save) for save in saves]
    await asyncio.sleep(0)
    return tasks


async def held(gate: Gate, writer: Writer) -> "asyncio.Task[list[int]]":
    """A save that is stuck at the gate, so that those after it have to queue."""
    (first,) = await started(writer.save(enrolled("first")))
    await asyncio.to_thread(gate.entered.wait, 10)
    return first


def test_a_save_gives_its_positions_after_the_commit(ledger: Ledger) -> None:
    async def work() -> None:
        with closing(Writer(ledger)) as writer:
            bot = enrolled("ada")
            bot.replace_token("other", 2)
            assert await writer.save(bot, enrolled("bob")) == [1, 2, 3]
            assert ledger.last_position() == 3
            assert await writer.save(bot) == []
            assert (writer.commits, writer.events) == (1, 3)

    run(work)


def test_each_of_many_saves_gets_its_own_positions(ledger: Ledger) -> None:
    async def work() -> None:
        with closing(Writer(ledger)) as writer:
            bots = [enrolled(f"bot-{number}") for number in range(600)]
            positions = await asyncio.gather(*(writer.save(bot) for bot in bots))
        stored = {one.id: one.originator_id for one in ledger.notifications(0, 1000)}
        assert [stored[position] for (position,) in positions] == [bot.id for bot in bots]

    run(work)


def test_what_waits_is_committed_together(gate: Gate, gated: Ledger) -> None:
    async def work() -> None:
        with closing(Writer(gated)) as writer:
            first = await held(gate, writer)
            others = await started(*(writer.save(enrolled(f"bot-{number}")) for number in range(50)))
            gate.open.set()
            assert await asyncio.gather(first, *others) == [[number + 1] for number in range(51)]
            assert (writer.commits, writer.events) == (2, 51)

    run(work)


def test_a_group_has_a_bound(gate: Gate, gated: Ledger) -> None:
    async def work() -> None:
        with closing(Writer(gated)) as writer:
            first = await held(gate, writer)
            others = await started(
                *(writer.save(enrolled(f"bot-{number}")) for number in range(MAX_GROUP + 1))
            )
            gate.open.set()
            await asyncio.gather(first, *others)
            assert writer.commits == 3

    run(work)


def test_events_are_collected_when_save_is_called(gate: Gate, gated: Ledger) -> None:
    async def work() -> None:
        with closing(Writer(gated)) as writer:
            bot = enrolled("ada")
            (save,) = await started(writer.save(bot))
            bot.replace_token("later", 2)
            gate.open.set()
            assert await save == [1]
            assert await writer.save(bot) == [2]

    run(work)


def test_a_conflict_fails_only_the_culprit(gate: Gate, gated: Ledger) -> None:
    gate.open.set()
    gated.save(enrolled("ada"))
    loser, winner = gated.load("bot/ada", Bot), gated.load("bot/ada", Bot)
    winner.replace_token("winner", 2)
    gated.save(winner)
    loser.replace_token("loser", 2)
    gate.open.clear()
    gate.entered.clear()

    async def work() -> None:
        with closing(Writer(gated)) as writer:
            first = await held(gate, writer)
            others = await started(
                *(writer.save(enrolled(f"a-{number}")) for number in range(10)),
                writer.save(loser),
                *(writer.save(enrolled(f"b-{number}")) for number in range(10)),
            )
            gate.open.set()
            await first
            answers = await asyncio.gather(*others, return_exceptions=True)
            assert isinstance(answers.pop(10), ConflictError)
            assert answers == [[number] for number in range(4, 24)]
            assert writer.fatal is None
            assert await writer.save(enrolled("after")) == [24]

    run(work)
    assert gated.load("bot/ada", Bot).digest == winner.digest


def test_what_follows_a_conflict_is_refused_even_if_it_waited_already(gate: Gate, gated: Ledger) -> None:
    """Otherwise the second event would be chained to one that is not stored."""
    gate.open.set()
    gated.save(enrolled("ada"))
    loser, winner = gated.load("bot/ada", Bot), gated.load("bot/ada", Bot)
    winner.replace_token("winner", 2)
    gated.save(winner)
    gate.open.clear()
    gate.entered.clear()

    async def work() -> None:
        with closing(Writer(gated)) as writer:
            first = await held(gate, writer)
            loser.replace_token("loser", 2)
            lost = await started(writer.save(loser))
            loser.replace_token("again", 3)
            lost += await started(writer.save(loser))
            gate.open.set()
            await first
            answers = await asyncio.gather(*lost, return_exceptions=True)
            assert [type(answer) for answer in answers] == [ConflictError, ConflictError]
            with pytest.raises(ConflictError):
                await writer.save(loser)

            again = gated.load("bot/ada", Bot)
            again.replace_token("again", 4)
            assert await writer.save(again) == [4]

    run(work)
    assert gated.load("bot/ada", Bot).version == 3


def test_a_store_that_fails_stops_everything(gate: Gate, gated: Ledger) -> None:
    told: list[tuple[LedgerError, threading.Thread]] = []

    async def work() -> None:
        writer = Writer(gated, on_fatal=lambda error: told.append((error, threading.current_thread())))
        first = await held(gate, writer)
        others = await started(*(writer.save(enrolled(f"bot-{number}")) for number in range(3)))
        gate.failure = OperationalError("disk full")
        gate.open.set()
        answers = await asyncio.gather(first, *others, return_exceptions=True)
        assert [type(answer) for answer in answers] == [LedgerError] * 4
        assert "disk full" in str(writer.fatal)

        gate.failure = None
        bot = enrolled("late")
        with pytest.raises(LedgerError, match="disk full"):
            await writer.save(bot)
        assert len(bot.collect_events()) == 1
        writer.close()

    with capture_logs() as logs:
        run(work)
    assert [(str(error), thread) for error, thread in told] == [
        ("the ledger cannot be read or written: disk full", threading.main_thread())
    ]
    assert [entry["event"] for entry in logs] == ["ledger_failed"]
    assert gated.last_position() == 0


def test_a_mistake_in_the_writer_leaves_nobody_waiting(gate: Gate, gated: Ledger) -> None:
    async def work() -> None:
        with closing(Writer(gated)) as writer:
            gate.failure = ZeroDivisionError("oops")
            gate.open.set()
            with pytest.raises(LedgerError, match="ZeroDivisionError: oops"):
                await writer.save(enrolled("ada"))
            assert writer.fatal is not None

    run(work)


def test_closing_stores_what_waits(gate: Gate, gated: Ledger) -> None:
    async def work() -> None:
        writer = Writer(gated)
        first = await held(gate, writer)
        others = await started(*(writer.save(enrolled(f"bot-{number}")) for number in range(20)))
        closing_thread = asyncio.create_task(asyncio.to_thread(writer.close))
        gate.open.set()
        await closing_thread
        assert gated.last_position() == 21
        assert len(await asyncio.gather(first, *others)) == 21

    run(work)


def test_a_closed_writer_says_so(ledger: Ledger) -> None:
    async def work() -> None:
        writer = Writer(ledger)
        writer.close()
        writer.close()
        with pytest.raises(LedgerError, match="closed"):
            await writer.save(enrolled("ada"))

    run(work)


def test_a_cancelled_caller_loses_no_events(gate: Gate, gated: Ledger) -> None:
    async def work() -> None:
        with closing(Writer(gated)) as writer:
            first = await held(gate, writer)
            (cancelled,) = await started(writer.save(enrolled("ada")))
            cancelled.cancel()
            gate.open.set()
            await first
            assert await writer.save(enrolled("bob")) == [3]
            assert cancelled.cancelled()

    run(work)
    assert gated.ids() == ["bot/first", "bot/ada", "bot/bob"]


def test_a_caller_whose_event_loop_has_gone_does_no_harm(gate: Gate, gated: Ledger) -> None:
    writer = Writer(gated)

    async def leave() -> None:
        (save,) = await started(writer.save(enrolled("ada")))
        await asyncio.to_thread(gate.entered.wait, 10)
        save.cancel()

    run(leave)
    gate.open.set()

    async def work() -> None:
        assert await writer.save(enrolled("bob")) == [2]

    run(work)
    writer.close()
    assert writer.fatal is None


def test_several_event_loops_may_share_a_writer(ledger: Ledger) -> None:
    with closing(Writer(ledger)) as writer:

        def use(name: str) -> None:
            async def work() -> None:
                await asyncio.gather(*(writer.save(enrolled(f"{name}-{number}")) for number in range(50)))

            run(work)

        threads = [threading.Thread(target=use, args=(name,)) for name in ("ada", "bob", "cyd")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert ledger.last_position() == 150


def test_many_events_of_one_aggregate_stay_in_order(ledger: Ledger) -> None:
    async def work() -> None:
        with closing(Writer(ledger)) as writer:
            bot = enrolled("ada")
            saves = []
            for number in range(200):
                saves += await started(writer.save(bot))
                bot.replace_token(f"token {number}", number + 2)
            await asyncio.gather(*saves)

    run(work)
    assert ledger.load("bot/ada", Bot).version == 200
