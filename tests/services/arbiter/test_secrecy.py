"""What others can tell of an open prompt: recorded transcripts of games that differ in secret only."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from keylore.v1 import arbiter_pb2 as pb
from keylore_domain import catalog
from keylore_domain.bots import bot_id
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.events import MovePlayed, SeatEntry
from keylore_domain.engine.matches import Match
from keylore_domain.engine.seats import Seat
from keylore_services.arbiter.telling import waiting_seats
from keylore_services.tournament.tables import MatchSpec
from tests.services.arbiter.house import PATIENT, House, Wire, house, wire

SEEN = {
    "prompt": ("kind", "view_json", "legal_json", "context_json", "default_choice", "budget_ms"),
    "news": ("facts_json", "waiting"),
}


def transcript(bot: Wire) -> list[tuple[str, tuple[Any, ...]]]:
    """What a bot was sent, in order: everything but numbers of events, heads and the clock."""
    return [
        (kind, tuple(_plain(getattr(getattr(message, kind), field)) for field in SEEN.get(kind, ())))
        for message in bot.seen
        if (kind := str(message.WhichOneof("message"))) != "ping"
    ]


def _plain(value: Any) -> Any:
    return value if isinstance(value, bytes | str | int) else tuple(value)


async def set_by_strip(ann: Wire) -> None:
    """Ann sets all dice by her strip: one decision."""
    await ann.answer(await ann.next("prompt"), 0)
    await ann.next("receipt")


async def set_by_hand(ann: Wire) -> None:
    """Ann sets the same values die by die: six decisions."""
    prompt = await ann.next("prompt")
    view = msgspec.json.decode(prompt.view_json)
    strip = {one.strip: one for one in _strips()}[view["seats"][0]["strip"]]
    await ann.answer(prompt, 2)
    for value in strip.light[:5]:
        prompt = await ann.next("prompt")
        legal: list[int] = [move["value"] for move in msgspec.json.decode(prompt.legal_json)]
        await ann.answer(prompt, legal.index(value))
    await ann.next("receipt")


def _strips() -> Any:
    game: Any = catalog.game("keyside")
    return game.parts.strips.values()


async def opened(home: House) -> None:
    seats = tuple(SeatEntry(bot_id(name), name) for name in ("ann", "bob"))
    await home.arbiter.open(
        MatchSpec(match_id="m/one", game="keyside", options={}, seats=seats, time=PATIENT)
    )


async def seen_by_bob(folder: Path, set_dice: Any) -> list[tuple[str, tuple[Any, ...]]]:
    """What bob is sent while ann sets her dice in secret, and until all dice are shown."""
    async with house(folder, games=catalog.game) as home:
        home.enrol("ann", "bob")
        hello = pb.Hello(news=True)
        async with (
            wire(home.server.address, "ann") as ann,
            wire(home.server.address, "bob", hello=hello) as bob,
        ):
            await ann.next("welcome")
            await bob.next("welcome")
            await opened(home)
            prompt = await bob.next("prompt")
            await set_dice(ann)
            await bob.answer(prompt, 1)
            await bob.next("news", lambda one: b"dice_revealed" in one.facts_json)
            return transcript(bob)


@pytest.mark.slow
def test_how_often_a_seat_decides_in_secret_does_not_show(tmp_path: Path) -> None:
    by_strip = asyncio.run(seen_by_bob(tmp_path / "strip", set_by_strip))
    by_hand = asyncio.run(seen_by_bob(tmp_path / "hand", set_by_hand))

    assert by_strip == by_hand
    assert [kind for kind, _ in by_strip].count("news") == 1


def test_a_bot_that_comes_back_is_not_told_of_secret_answers_either(tmp_path: Path) -> None:
    async def story() -> list[str]:
        async with house(tmp_path, games=catalog.game) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await ann.next("welcome")
                await opened(home)
                await set_by_hand(ann)
            resume = pb.Hello(news=True, resume=[pb.Resume(match="m/one", event=2)])
            async with wire(home.server.address, "bob", hello=resume) as bob:
                await bob.next("prompt")
                return bob.kinds()

    assert "news" not in asyncio.run(story())


def test_who_is_asked_in_secret_is_told_to_nobody_else(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path, games=catalog.game) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await opened(home)
                await ann.next("prompt")
            match = home.ledger.load("m/one", lambda one: Match(one, catalog.game))
            assert {item.prompt.seat for item in match.live_position.open} == {0, 1}
            assert waiting_seats(match, Seat(0)) == (0,)
            assert waiting_seats(match, None) == ()

    asyncio.run(story())


@pytest.mark.slow
def test_the_mover_and_the_record_know_every_answer(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path, games=catalog.game) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann", hello=pb.Hello(news=True)) as ann:
                await ann.next("welcome")
                await opened(home)
                await set_by_hand(ann)
                assert ann.kinds().count("receipt") == 6
                assert ann.kinds().count("news") >= 5
            events = [decode_event(row.topic, row.state) for row in home.ledger.stored("m/one")]
            assert sum(isinstance(event, MovePlayed) for event in events) == 6

    asyncio.run(story())
