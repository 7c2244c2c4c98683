"""Bots that hang, dawdle, flood, send rubbish or go away: each hurts its own seat only."""

import asyncio
import time
from pathlib import Path

import grpc
import pytest

from keylore.v1 import arbiter_pb2 as pb
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import MoveDefaulted, SeatForfeited
from keylore_services.transport.session import Limits
from tests.services.arbiter.house import QUICK, House, house, raises_status, wire


def causes(home: House, match_id: str) -> list[tuple[int, str]]:
    """Seat and cause of every default move of a match."""
    events = [decode_event(row.topic, row.state) for row in home.ledger.stored(match_id)]
    return [(event.seat, event.cause) for event in events if isinstance(event, MoveDefaulted)]


def test_a_bot_that_never_answers_is_decided_at_its_deadline_and_told_why(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("mute", "bob")
            async with wire(home.server.address, "mute") as mute, wire(home.server.address, "bob") as bob:
                await home.open("m/one", "mute", "bob", time=QUICK)
                began = time.monotonic()
                await mute.next("prompt")
                bobs_end = asyncio.create_task(bob.play_on())
                ruling = await mute.next("ruling")
                assert time.monotonic() - began < QUICK.move_ms / 1000 + 5
                assert ruling.cause == "timeout"
                assert "no answer came in time" in ruling.message
                assert ruling.clock.spent_us == QUICK.move_ms * 1000
                assert (ruling.faults, ruling.faults_allowed) == (1, 3)
                assert (await bobs_end).status == "concluded"
            assert ("forfeit" in {cause for _, cause in causes(home, "m/one")}) or home.match("m/one").is_over
            assert {seat for seat, _ in causes(home, "m/one")} == {0}

    asyncio.run(story())


def test_a_seat_forfeits_after_its_faults_and_the_match_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("mute", "bob")
            quick = TimeControl(move_ms=50, credit_ms=0, faults=2)
            async with wire(home.server.address, "mute") as mute, wire(home.server.address, "bob") as bob:
                await home.open("m/one", "mute", "bob", time=quick, rounds=6, coins=30)
                end = await bob.play_on()
                assert end.status == "concluded"
                await mute.next("ended")
            events = [decode_event(row.topic, row.state) for row in home.ledger.stored("m/one")]
            (forfeit,) = [event for event in events if isinstance(event, SeatForfeited)]
            assert (forfeit.seat, forfeit.faults) == (0, 2)
            assert causes(home, "m/one")[:3] == [(0, "timeout"), (0, "timeout"), (0, "forfeit")]
            assert home.match("m/one").outcome is not None

    asyncio.run(story())


def test_an_answer_that_comes_too_late_is_refused_with_what_was_played(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("slow", "bob")
            async with wire(home.server.address, "slow") as slow:
                await home.open("m/one", "slow", "bob", time=QUICK)
                prompt = await slow.next("prompt")
                ruling = await slow.next("ruling", lambda it: it.prompt == prompt.prompt)
                await slow.answer(prompt, 1)
                refusal = await slow.next("refusal")
            assert refusal.code == "late"
            assert "too late" in refusal.message
            assert refusal.clock.spent_us == ruling.clock.spent_us
            assert ruling.choice == prompt.default_choice

    asyncio.run(story())


def test_rubbish_costs_tries_and_then_the_default_is_played(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/one", "ann", "bob", time=TimeControl(attempts=3))
                prompt = await ann.next("prompt")
                await ann.answer(prompt, 999)
                first = await ann.next("refusal")
                assert (first.code, first.attempts_left) == ("illegal_move", 2)
                assert "choice 999 is not legal at 'bid'; legal: 0 to 3" in first.message
                await ann.say(answer=pb.Answer(match="m/one", prompt=prompt.prompt, move_json=b"{not json"))
                second = await ann.next("refusal")
                assert second.attempts_left == 1
                assert "JSON" in second.message
                await ann.say(
                    answer=pb.Answer(match="m/one", prompt=prompt.prompt, move_json=b'{"coins":77}')
                )
                assert "no more tries" in (await ann.next("refusal")).message
                ruling = await ann.next("ruling")
            assert ruling.cause == "illegal"
            assert causes(home, "m/one")[0] == (0, "illegal")

    asyncio.run(story())


def test_an_illegal_try_leaves_the_prompt_open(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/one", "ann", "bob")
                prompt = await ann.next("prompt")
                await ann.answer(prompt, 999)
                await ann.next("refusal")
                await ann.answer(prompt, 1)
                assert (await ann.next("receipt")).choice == 1

    asyncio.run(story())


def test_answers_nobody_asked_for_are_refused_with_a_reason(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob", "eve")
            async with wire(home.server.address, "ann") as ann, wire(home.server.address, "eve") as eve:
                await home.open("m/one", "ann", "bob")
                prompt = await ann.next("prompt")
                await ann.say(answer=pb.Answer(match="m/one", prompt=50, choice=0))
                assert (await ann.next("refusal")).code == "not_prompted"
                await ann.say(answer=pb.Answer(match="m/nowhere", prompt=1, choice=0))
                assert (await ann.next("refusal")).code == "not_found"
                await eve.answer(prompt, 0)
                assert (await eve.next("refusal")).code == "not_found"
            assert len(home.ledger.stored("m/one")) == 2

    asyncio.run(story())


def test_an_answer_to_a_match_that_is_over_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/self", "ann", "ann")
                await ann.play_on()
                await ann.say(answer=pb.Answer(match="m/self", prompt=1, choice=0))
                assert (await ann.next("refusal")).code == "match_over"

    asyncio.run(story())


def test_a_flood_slows_only_the_bot_that_floods(tmp_path: Path) -> None:
    limits = Limits(messages_per_second=200, burst=50)

    async def story() -> None:
        async with house(tmp_path, limits=limits) as home:
            home.enrol("flood", "ann", "bob")
            async with (
                wire(home.server.address, "flood") as flood,
                wire(home.server.address, "ann") as ann,
                wire(home.server.address, "bob") as bob,
            ):
                await flood.next("welcome")
                for _ in range(400):
                    await flood.say(answer=pb.Answer(match="m/nowhere", prompt=1, choice=0))
                began = time.monotonic()
                await home.open("m/one", "ann", "bob")
                ends = await asyncio.gather(ann.play_on(), bob.play_on())
                assert time.monotonic() - began < 1.5
                assert {end.status for end in ends} == {"concluded"}
                told = await flood.next("refusal", lambda it: it.code == "rate")
                assert "200 messages a second" in told.message

    asyncio.run(story())


@pytest.mark.slow
def test_a_bot_that_does_not_read_is_cut_off(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path, limits=Limits(unread=100, burst=50_000)) as home:
            home.enrol("deaf")
            async with wire(home.server.address, "deaf") as deaf:
                await deaf.next("welcome")
                session = home.arbiter.hub.session("bot/deaf")
                assert session is not None
                rubbish = pb.Answer(match="x" * 200, prompt=1, choice=0)
                async with asyncio.timeout(30):
                    while home.arbiter.hub.session("bot/deaf") is session:
                        await deaf.say(answer=rubbish)
            assert home.arbiter.is_away("bot/deaf")

    asyncio.run(story())


def test_a_message_over_the_limit_ends_only_that_stream(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path, limits=Limits(message_bytes=10_000)) as home:
            home.enrol("fat", "ann")
            async with wire(home.server.address, "fat") as fat, wire(home.server.address, "ann") as ann:
                await fat.next("welcome")
                await fat.say(answer=pb.Answer(match="m/x", prompt=1, move_json=b"x" * 20_000))
                with raises_status(grpc.StatusCode.RESOURCE_EXHAUSTED):
                    await fat.next("going_away")
                await home.open("m/self", "ann", "ann")
                assert (await ann.play_on()).status == "concluded"

    asyncio.run(story())


def test_a_bot_that_disconnects_is_decided_at_its_deadline_and_told_when_it_returns(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob", time=TimeControl(move_ms=300, credit_ms=0))
            async with wire(home.server.address, "ann") as ann:
                prompt = await ann.next("prompt")
            async with wire(home.server.address, "bob") as bob:
                await bob.answer(await bob.next("prompt"))
                await bob.next("prompt")
            resume = pb.Hello(resume=[pb.Resume(match="m/one", event=prompt.event)])
            async with wire(home.server.address, "ann", hello=resume) as ann:
                ruling = await ann.next("ruling")
                assert ruling.prompt == prompt.prompt
                assert ruling.cause == "disconnect"
                assert "was not connected" in ruling.message

    asyncio.run(story())


def test_a_bot_that_returns_in_time_is_asked_the_same_prompt_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                first = await ann.next("prompt")
            async with wire(home.server.address, "ann") as ann:
                again = await ann.next("prompt")
                assert (again.prompt, again.view_json, again.legal_json) == (
                    first.prompt,
                    first.view_json,
                    first.legal_json,
                )
                assert again.budget_ms <= first.budget_ms
                await ann.answer(again, 2)
                assert (await ann.next("receipt")).choice == 2
            assert causes(home, "m/one") == []

    asyncio.run(story())


def test_a_second_connection_of_a_bot_replaces_the_first(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            async with wire(home.server.address, "ann") as old:
                await old.next("prompt")
                async with wire(home.server.address, "ann") as new:
                    prompt = await new.next("prompt")
                    away = await old.next("going_away")
                    assert "connected again" in away.reason
                    await new.answer(prompt, 1)
                    await new.next("receipt")

    asyncio.run(story())


def test_what_a_bot_missed_of_a_match_that_ended_is_told_when_it_returns(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob", time=TimeControl(move_ms=50, credit_ms=0, faults=1))
            async with wire(home.server.address, "ann") as ann:
                prompt = await ann.next("prompt")
            await home.arbiter.ended("m/one")
            resume = pb.Hello(news=True, resume=[pb.Resume(match="m/one", event=prompt.event)])
            async with wire(home.server.address, "ann", hello=resume) as ann:
                end = await ann.next("ended")
            assert end.status == "concluded"
            assert {"ruling", "news", "seated"} <= set(ann.kinds())

    asyncio.run(story())


def test_a_bot_that_resumes_an_unknown_match_is_told(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob", "eve")
            await home.open("m/one", "bob", "eve")
            await home.arbiter.stop("for now")
            resume = pb.Hello(
                resume=[pb.Resume(match="m/nowhere", event=3), pb.Resume(match="m/one", event=1)]
            )
            async with wire(home.server.address, "ann", hello=resume) as ann:
                first, second = await ann.next("refusal"), await ann.next("refusal")
            assert {first.match, second.match} == {"m/nowhere", "m/one"}
            assert (first.code, first.prompt) == ("not_found", 0)

    asyncio.run(story())


def test_a_stray_answer_does_not_have_its_match_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played_again(*_: object) -> None:
        raise AssertionError

    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/self", "ann", "ann")
                await ann.play_on()
                assert (await home.arbiter.ended("m/self")).status == "concluded"
                monkeypatch.setattr(home.ledger, "load", played_again)
                for _ in range(3):
                    await ann.say(answer=pb.Answer(match="m/self", prompt=1, choice=0))
                    assert (await ann.next("refusal")).code == "match_over"
            monkeypatch.undo()

    asyncio.run(story())
