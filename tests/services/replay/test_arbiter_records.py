"""What the real arbiter records, an audit finds valid: time-outs, absences, forfeits and restarts."""

import asyncio
import time
from pathlib import Path

import pytest

from keylore_domain.bots import Bot
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.audit import audit
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import MoveDefaulted, Refused, answer_digest
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.seats import Seat
from keylore_services.arbiter.keys import is_signature
from keylore_services.arbiter.messages import Answer
from keylore_services.arbiter.times import clock_after
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.replay.verify import stored_rows
from tests.domain.engine.toy import toy_catalog
from tests.services.arbiter.house import KEYS, House, Wire, house, wire

TIME = TimeControl(move_ms=150, bank_ms=60_000, increment_ms=10, credit_ms=20, attempts=2, faults=3)


async def first_sitting(home: House) -> None:
    """Ann plays, Bob is absent, Cid sends rubbish, Dan says nothing; then the arbiter stops."""
    home.enrol("ann", "bob", "cid", "dan")
    names = ("ann", "cid", "dan", "bob")
    async with (
        wire(home.server.address, "ann") as ann,
        wire(home.server.address, "cid") as cid,
        wire(home.server.address, "dan") as dan,
    ):
        await home.open("m/one", *names, time=TIME, rounds=4)
        await ann.answer(await ann.next("prompt"), 1)
        await asyncio.gather(talk_rubbish(cid), dan.next("ruling"))


async def talk_rubbish(held: Wire) -> None:
    """Answer the first prompt with an illegal choice until the arbiter has enough."""
    prompt = await held.next("prompt")
    for _ in range(TIME.attempts):
        await held.answer(prompt, 99)
    await held.next("ruling")


async def second_sitting(home: House) -> None:
    """Ann plays to the end, alone."""
    await home.arbiter.resume_all()
    async with wire(home.server.address, "ann") as ann:
        ended = await ann.play_on()
    assert ended.status == "concluded"


def moves_of(rows: list[Row], cause: str) -> list[MoveDefaulted]:
    events = [decode_event(topic, state) for _, topic, state in rows]
    return [event for event in events if isinstance(event, MoveDefaulted) and event.cause == cause]


def kinds_of(ledger: Ledger) -> set[str]:
    return {topic.rpartition(".")[2] for _, topic, _ in stored_rows(ledger, "m/one")}


@pytest.mark.slow
def test_what_the_arbiter_records_is_valid(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            await first_sitting(home)
        async with house(tmp_path) as home:
            await second_sitting(home)
            rows = stored_rows(home.ledger, "m/one")
            kinds = kinds_of(home.ledger)
            report = audit(
                "m/one", rows, toy_catalog, trusted_key=KEYS.public_key, check_signature=is_signature
            )
        assert [len(event.refused) for event in moves_of(rows, "illegal")] == [TIME.attempts]
        assert report.is_valid, f"{report.first_bad}: {report.reason} {report.expected} {report.found}"
        assert {"MoveDefaulted", "SeatForfeited", "Paused", "Resumed", "Sealed"} <= kinds

    asyncio.run(story())


def test_a_late_answer_stands_in_the_record(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob", time=TimeControl(move_ms=20_000, credit_ms=0))
            async with wire(home.server.address, "ann") as ann:
                prompt = await ann.next("prompt")
                runner = home.arbiter._runners["m/one"]
                late = runner._waiting[Seat(0)].sent + 20_000_001
                runner.post(
                    Answer(
                        bot="bot/ann",
                        match="m/one",
                        prompt=prompt.prompt,
                        choice=1,
                        move=None,
                        received=late,
                    )
                )
                await ann.next("ruling")
            (event,) = moves_of(stored_rows(home.ledger, "m/one"), "timeout")
        assert event.refused == (Refused(code="late", received=late, answer=answer_digest(1, None)),)

    asyncio.run(story())


def test_an_aborted_match_is_sealed_and_valid(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            home.arbiter.abort("m/one", "the machine was on fire")
            await home.arbiter.ended("m/one")
            rows = stored_rows(home.ledger, "m/one")
        report = audit("m/one", rows, toy_catalog, trusted_key=KEYS.public_key, check_signature=is_signature)
        assert (report.verdict, report.status) == ("valid", "aborted")

    asyncio.run(story())


def test_the_clock_does_not_begin_before_the_newest_event() -> None:
    ledger = open_ledger(":memory:")
    future = time.time_ns() // 1_000 + 3_600_000_000
    try:
        assert clock_after(ledger)() < future
        ledger.save(Bot.enrol("ann", "token", at=future))
        assert future <= clock_after(ledger)() < future + 600_000_000
    finally:
        ledger.close()
