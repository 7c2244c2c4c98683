"""What the real arbiter records, an audit finds valid: time-outs, absences, forfeits and restarts."""

import asyncio
from pathlib import Path

import pytest

from keylore_domain.engine.audit import audit
from keylore_domain.engine.clocks import TimeControl
from keylore_services.arbiter.keys import is_signature
from keylore_services.ledger.ledger import Ledger
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
        assert report.is_valid, f"{report.first_bad}: {report.reason} {report.expected} {report.found}"
        assert {"MoveDefaulted", "SeatForfeited", "Paused", "Resumed", "Sealed"} <= kinds

    asyncio.run(story())
