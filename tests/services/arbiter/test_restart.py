"""The arbiter stops and starts again: nothing is lost, the same prompt is asked, no clock runs meanwhile."""

import asyncio
import stat
from pathlib import Path
from time import time_ns

import msgspec
import pytest

from keylore.v1 import arbiter_pb2 as pb
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.errors import ConflictError, LedgerError, NotFoundError
from keylore_services.arbiter.keys import KeyRing, is_signature
from tests.services.arbiter import house as houses
from tests.services.arbiter.house import PATIENT, house, wire


def test_a_match_goes_on_after_a_restart_with_the_same_prompt_and_bank(tmp_path: Path) -> None:
    time = TimeControl(move_ms=5_000, bank_ms=60_000, increment_ms=0, credit_ms=0)

    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob", time=time)
            async with wire(home.server.address, "ann") as ann:
                await ann.answer(await ann.next("prompt"), 1)
                bank = (await ann.next("receipt")).clock.left_us
            async with wire(home.server.address, "bob") as bob:
                asked = await bob.next("prompt")
        async with house(tmp_path) as home:
            assert await home.arbiter.resume_all() == 1
            assert home.match("m/one").banks == [bank, 60_000_000]
            async with wire(home.server.address, "bob") as bob:
                again = await bob.next("prompt")
                assert (again.prompt, again.view_json) == (asked.prompt, asked.view_json)
                await bob.answer(again)
                async with wire(home.server.address, "ann") as ann:
                    ends = await asyncio.gather(ann.play_on(), bob.play_on())
            assert {end.status for end in ends} == {"concluded"}
            kinds = [row.topic.rpartition(".")[2] for row in home.ledger.stored("m/one")]
            assert kinds[3:5] == ["Paused", "Resumed"]

    asyncio.run(story())


def test_a_repeated_answer_after_a_restart_gets_the_receipt_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                prompt = await ann.next("prompt")
                await ann.answer(prompt, 1)
                receipt = await ann.next("receipt")
        async with house(tmp_path) as home:
            await home.arbiter.resume_all()
            async with wire(home.server.address, "ann") as ann:
                await ann.next("seated")
                await ann.answer(prompt, 2)
                again = await ann.next("receipt")
            assert (again.event, again.choice, again.head) == (receipt.event, 1, receipt.head)

    asyncio.run(story())


def test_that_the_arbiter_was_away_costs_no_bot_time(tmp_path: Path) -> None:
    """Nobody is asked, and no clock runs, before both are there again."""

    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
        async with house(tmp_path) as home:
            assert await home.arbiter.resume_all(patience=20) == 1
            async with wire(home.server.address, "ann") as ann:
                assert (await ann.next("seated")).match == "m/one"
                assert await home.arbiter.hub.wait_for(frozenset({"bot/bob"}), 0.2)
                assert "prompt" not in ann.kinds()
                came = time_ns() // 1_000
                async with wire(home.server.address, "bob"):
                    prompt = await ann.next("prompt")
                    await ann.answer(prompt)
                    await ann.next("receipt")
            (played,) = [row for row in home.ledger.stored("m/one") if row.topic.endswith("MovePlayed")]
            assert msgspec.json.decode(played.state)["clock"]["sent"] >= came

    asyncio.run(story())


def test_bots_that_do_not_come_back_in_time_are_asked_all_the_same(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob", time=PATIENT)
            await home.open("m/two", "ann", "bob", time=TimeControl(move_ms=50, credit_ms=0, faults=1))
            await home.arbiter.stop("maintenance")
        async with house(tmp_path) as home:
            await home.arbiter.resume_all(patience=0.05)
            end = await home.arbiter.ended("m/two")
            assert end.forfeited == (0, 1)
            home.arbiter.abort("m/one", "enough")
            assert (await home.arbiter.ended("m/one")).status == "aborted"

    asyncio.run(story())


def test_a_match_that_waits_for_its_bots_can_be_aborted_and_stopped(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            await home.open("m/two", "ann", "bob")
        async with house(tmp_path) as home:
            await home.arbiter.resume_all(patience=60)
            home.arbiter.abort("m/one", "the lights went out")
            assert (await home.arbiter.ended("m/one")).cause == "the lights went out"
            await home.arbiter.stop("once more")
            assert home.match("m/two").status == "paused"

    asyncio.run(story())


def test_opening_a_match_again_goes_on_with_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
            await home.open("m/one", "ann", "bob")
            topics = [row.topic for row in home.ledger.stored("m/one")]
            assert topics.count("keylore:Match.Opened") == 1
        async with house(tmp_path) as home:
            await home.open("m/one", "ann", "bob")
            assert home.arbiter.live() == ("m/one",)

    asyncio.run(story())


def test_an_aborted_match_ends_without_an_outcome_and_says_why(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/one", "ann", "bob")
                await ann.next("prompt")
                home.arbiter.abort("m/one", "the machine was on fire")
                end = await ann.next("ended")
            result = await home.arbiter.ended("m/one")
            assert (end.status, end.cause, end.outcome_json) == ("aborted", "the machine was on fire", b"")
            assert (result.status, result.outcome) == ("aborted", None)
            with pytest.raises(NotFoundError):
                home.arbiter.abort("m/one", "again")

    asyncio.run(story())


def test_a_match_is_not_taken_up_with_other_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            await home.open("m/one", "ann", "bob")
        monkeypatch.setattr(houses, "KEYS", KeyRing(b"\1" * 32, b"\3" * 32))
        async with house(tmp_path) as home:
            with pytest.raises(LedgerError, match="another chance key"):
                await home.arbiter.resume_all()

    asyncio.run(story())


def test_a_second_writer_loses_the_match_and_says_nothing_more(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann:
                await home.open("m/one", "ann", "bob")
                prompt = await ann.next("prompt")
                stolen = home.match("m/one")
                stolen.resume(at=1, cause="taken over")
                home.ledger.save(stolen)
                await ann.answer(prompt, 1)
                with pytest.raises((NotFoundError, ConflictError)):
                    await home.arbiter.ended("m/one")
                assert "receipt" not in ann.kinds()
            assert home.arbiter.live() == ()

    asyncio.run(story())


def test_every_bot_is_told_that_the_server_goes(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            async with wire(home.server.address, "ann") as ann:
                await ann.next("welcome")
                await home.arbiter.stop("maintenance")
                away = await ann.next("going_away")
            assert (away.reason, away.retry_ms) == ("maintenance", 1_000)

    asyncio.run(story())


def test_a_bot_can_say_goodbye(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann")
            async with wire(home.server.address, "ann") as ann:
                await ann.next("welcome")
                assert not await home.arbiter.hub.wait_for(frozenset({"bot/ann"}), 1)
                await ann.say(bye=pb.Bye(reason="done"))
                while not home.arbiter.is_away("bot/ann"):
                    await asyncio.sleep(0)
            assert await home.arbiter.hub.wait_for(frozenset({"bot/ann"}), 0.01) == {"bot/ann"}

    asyncio.run(story())


# --- keys -----------------------------------------------------------------------------------------------


def test_keys_are_made_once_and_only_the_owner_may_read_them(tmp_path: Path) -> None:
    first = KeyRing.in_folder(tmp_path / "keys")
    second = KeyRing.in_folder(tmp_path / "keys")
    assert first.public_key == second.public_key
    assert first.match_seed("m/one") == second.match_seed("m/one")
    for file in (tmp_path / "keys").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_seeds_differ_by_match_and_can_be_made_public() -> None:
    mine, other = KeyRing(b"\1" * 32, b"\2" * 32), KeyRing(b"\1" * 32, b"\3" * 32)
    assert mine.match_seed("m/one") != mine.match_seed("m/two")
    assert mine.match_seed("m/one") != other.match_seed("m/one")
    assert mine.match_seed("m/one", "spring") == other.match_seed("m/one", "spring")


def test_a_signature_is_checked_against_its_key() -> None:
    keys = KeyRing(b"\1" * 32, b"\2" * 32)
    signature = keys.sign(b"yes")
    assert is_signature(keys.public_key, b"yes", signature)
    assert not is_signature(keys.public_key, b"no", signature)
    assert not is_signature("zz", b"yes", signature)
    assert not is_signature(keys.public_key, b"yes", "00")


def test_a_damaged_key_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "signing.key").write_text("abc")
    with pytest.raises(LedgerError, match="cannot be used"):
        KeyRing.in_folder(tmp_path)
