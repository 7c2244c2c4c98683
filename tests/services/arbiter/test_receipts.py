"""What the arbiter signs: receipts, rulings, and whether it stands by a receipt."""

import asyncio
from pathlib import Path
from typing import Any

from keylore.v1 import arbiter_pb2 as pb
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import MoveDefaulted
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.receipts import (
    Receipt,
    Standing,
    asked_digest,
    asked_digests,
    record_difference,
    signature_flaw,
)
from keylore_services.arbiter.keys import is_signature
from keylore_services.bots.wire import signed_of, standing_of
from tests.domain.engine.toy import toy_catalog
from tests.services.arbiter.house import KEYS, QUICK, House, house, wire


def rows_of(home: House, match: str) -> list[Row]:
    return [(row.originator_version, row.topic, row.state) for row in home.ledger.stored(match)]


def signed_in(seen: list[pb.PlayResponse]) -> list[Receipt]:
    """The receipts and rulings among what a bot was told; one that was told twice counts once."""
    told: list[Any] = [getattr(item, str(item.WhichOneof("message"))) for item in seen]
    signed = [signed_of(item) for item in told if isinstance(item, pb.Receipt | pb.Ruling)]
    return list(dict.fromkeys(signed))


def hello(receipt: Receipt | None = None, *, resume: int | None = None, **changed: Any) -> pb.Hello:
    asked = pb.Hello(agent="by hand")
    if receipt is not None:
        known: dict[str, Any] = {
            "match": receipt.match,
            "event": receipt.event,
            "head": receipt.head,
        } | changed
        asked.held.append(pb.Held(**known))
    if resume is not None:
        asked.resume.append(pb.Resume(match="m/one", event=resume))
    return asked


async def told_on_return(home: House, name: str, said: pb.Hello, kind: str) -> Any:
    async with wire(home.server.address, name, hello=said) as bot:
        return await bot.next(kind)


def test_every_acknowledgement_of_a_match_is_signed_and_fits_its_record(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann, wire(home.server.address, "bob") as bob:
                await home.open("m/one", "ann", "bob")
                await asyncio.gather(ann.play_on(), bob.play_on())
            signed = signed_in(ann.seen) + signed_in(bob.seen)
            rows = rows_of(home, "m/one")
        moves = [decode_event(topic, state) for _, topic, state in rows if "Move" in topic]
        asked = asked_digests("m/one", rows, toy_catalog)
        assert sorted(item.event for item in signed) == [event.originator_version for event in moves]
        for item in signed:
            assert signature_flaw(item, is_signature, KEYS.public_key) == ""
            assert record_difference(item, rows) == ""
            assert item.asked == asked[item.prompt]

    asyncio.run(story())


def test_a_receipt_holds_the_digests_of_what_was_sent(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                welcome = await ann.next("welcome")
                sent = await ann.next("prompt")
                await ann.answer(sent, 1)
                receipt = signed_of(await ann.next("receipt"))
        documents = (sent.legal_json, sent.context_json)
        assert receipt.asked == asked_digest(sent.prompt, sent.kind, sent.default_choice, *documents)
        assert receipt.view == sha256_hex(sent.view_json)
        assert (receipt.choice, receipt.seat, receipt.cause) == (1, sent.seat, "played")
        assert welcome.key == receipt.key == KEYS.public_key

    asyncio.run(story())


def test_a_ruling_is_signed_with_its_cause(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/one", "ann", "bob", time=QUICK)
                ruling = signed_of(await ann.next("ruling"))
            rows = rows_of(home, "m/one")
        assert ruling.cause == "timeout"
        assert signature_flaw(ruling, is_signature, KEYS.public_key) == ""
        assert record_difference(ruling, rows) == ""

    asyncio.run(story())


def test_a_seat_that_forfeits_gets_signed_rulings_to_the_end(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann, wire(home.server.address, "bob") as bob:
                await home.open("m/one", "ann", "bob", time=QUICK)
                await bob.play_on()
                await ann.next("ended")
            rows = rows_of(home, "m/one")
        signed = signed_in(ann.seen)
        asked = asked_digests("m/one", rows, toy_catalog)
        events = [decode_event(topic, state) for _, topic, state in rows]
        ruled = [event for event in events if isinstance(event, MoveDefaulted) and event.seat == 0]
        assert [item.event for item in signed] == [event.originator_version for event in ruled]
        assert "forfeit" in {item.cause for item in signed}
        assert all(item.asked == asked[item.prompt] for item in signed)

    asyncio.run(story())


def test_a_receipt_is_the_same_after_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                prompt = await ann.next("prompt")
                await ann.answer(prompt, 1)
                first = signed_of(await ann.next("receipt"))
        async with house(tmp_path) as home:
            await home.arbiter.resume_all()
            async with wire(home.server.address, "ann", hello=hello(resume=2)) as ann:
                missed = signed_of(await ann.next("receipt"))
                await ann.answer(prompt, 0)
                again = signed_of(await ann.next("receipt"))
        assert first == missed == again

    asyncio.run(story())


def test_who_was_away_at_the_end_of_a_match_gets_its_receipts(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann, wire(home.server.address, "bob") as bob:
                await home.open("m/one", "ann", "bob")
                await asyncio.gather(ann.play_on(), bob.play_on())
            async with wire(home.server.address, "ann", hello=hello(resume=2)) as again:
                await again.next("ended")
        assert signed_in(again.seen) == signed_in(ann.seen)

    asyncio.run(story())


def test_the_arbiter_says_whether_it_stands_by_a_receipt(tmp_path: Path) -> None:
    async def story() -> list[Standing]:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await ann.answer(await ann.next("prompt"), 1)
                receipt = signed_of(await ann.next("receipt"))
            asked = [
                hello(receipt),
                hello(receipt, head="0" * 64),
                hello(receipt, event=receipt.event + 1),
                hello(receipt, event=2**60),
                hello(receipt, match="m/never"),
            ]
            told = [
                await told_on_return(home, name, said, "standing")
                for said in asked
                for name in ("ann", "bob")
            ]
        standings = [standing_of(item) for item in told]
        assert all(signature_flaw(item, is_signature, KEYS.public_key) == "" for item in standings)
        return standings

    kept = [item.kept for item in asyncio.run(story())]
    assert kept == [True, True] + [False] * 8


def test_a_bot_that_starts_again_gets_the_receipts_that_came_after_the_one_it_holds(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            async with wire(home.server.address, "ann") as ann, wire(home.server.address, "bob") as bob:
                for bot in (ann, bob, ann):
                    await bot.answer(await bot.next("prompt"))
                    await bot.next("receipt")
            first, second = signed_in(ann.seen)
            async with wire(home.server.address, "ann", hello=hello(first)) as again:
                await again.next("receipt")
        assert signed_in(again.seen) == [second]

    asyncio.run(story())


def test_the_answer_about_a_receipt_comes_before_anything_else(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await ann.answer(await ann.next("prompt"), 1)
                receipt = signed_of(await ann.next("receipt"))
            said = hello(receipt, resume=2)
            said.held.append(pb.Held(match="m/one", event=2**64 - 1, head="no event has this number"))
            said.held.append(pb.Held(match="m/one", event=0, head="nor this"))
            async with wire(home.server.address, "ann", hello=said) as ann:
                await ann.next("receipt")
        told = [kind for kind in ann.kinds() if kind != "ping"]
        assert told == ["welcome", "standing", "seated", "receipt"]

    asyncio.run(story())
