"""The exchange of shares over the wire: the order of things, silence, lies, and restarts in the middle."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from keylore.v1 import arbiter_pb2 as pb
from keylore_domain.bots import bot_id
from keylore_domain.engine.audit import Report, audit
from keylore_domain.engine.chance import commitment
from keylore_domain.engine.events import SeatEntry
from keylore_domain.engine.shares import Beacon, combined_seed, share_commitment
from keylore_services.arbiter import sharing
from keylore_services.arbiter.keys import is_signature
from keylore_services.tournament.tables import MatchSpec
from tests.domain.engine.toy import toy_catalog
from tests.services.arbiter import house as houses
from tests.services.arbiter.house import KEYS, PATIENT, QUICK, House, Wire, house, wire

MATCH = "m/one"
ANN, BOB = "aa" * 32, "bb" * 32
BEACON = Beacon(value="cd" * 32, source="drand round 7")


def willing() -> pb.Hello:
    return pb.Hello(agent="by hand", shares=True)


def kinds(home: House) -> list[str]:
    return [row.topic.rpartition(".")[2] for row in home.ledger.stored(MATCH)]


def stored(home: House, version: int) -> Mapping[str, Any]:
    found: Mapping[str, Any] = msgspec.json.decode(home.ledger.stored(MATCH)[version - 1].state)
    return found


def report(home: House) -> Report:
    rows = [(row.originator_version, row.topic, row.state) for row in home.ledger.stored(MATCH)]
    key = KEYS.public_key
    return audit(MATCH, rows, toy_catalog, trusted_key=key, check_signature=is_signature)


async def commit(bot: Wire, share: str) -> pb.ShareRequest:
    """Answer the next request with the commitment to *share*."""
    request: pb.ShareRequest = await bot.next("share_request")
    assert not request.commitments
    said = share_commitment(MATCH, request.seat, share)
    await bot.say(share=pb.Share(match=MATCH, seat=request.seat, commitment=said))
    return request


async def reveal(bot: Wire, share: str) -> pb.ShareRequest:
    """Answer the next request with *share*."""
    request: pb.ShareRequest = await bot.next("share_request")
    assert request.commitments
    await bot.say(share=pb.Share(match=MATCH, seat=request.seat, share=share))
    return request


async def finish(*bots: Wire) -> pb.Ended:
    ended = await asyncio.gather(*(bot.play_on() for bot in bots))
    assert len({one.seed for one in ended}) == 1
    last: pb.Ended = ended[0]
    return last


def test_the_seats_commit_then_reveal_and_the_seed_is_everybodys(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path, beacon=BEACON) as home:
            home.enrol("ann", "bob")
            async with (
                wire(home.server.address, "ann", hello=willing()) as ann,
                wire(home.server.address, "bob", hello=willing()) as bob,
            ):
                await ann.next("welcome")
                await bob.next("welcome")
                await home.open(MATCH, "ann", "bob")
                seated = await ann.next("seated")
                assert (seated.shares, seated.seed_name, seated.beacon.value) == (True, MATCH, BEACON.value)
                assert (await commit(ann, ANN)).budget_ms <= sharing.COMMIT_MS
                await commit(bob, BOB)
                request = await reveal(ann, ANN)
                assert kinds(home) == ["Opened", "SharesCommitted"]
                assert list(request.commitments) == stored(home, 2)["commitments"]
                await reveal(bob, BOB)
                shares = await ann.next("shares")
                assert (list(shares.shares), shares.event) == ([ANN, BOB], 3)
                assert kinds(home) == ["Opened", "SharesCommitted", "SharesRevealed", "SetUp"]
                assert "prompt" not in ann.kinds()
                ended = await finish(ann, bob)
            share = bytes.fromhex(ended.share)
            assert commitment(share) == seated.seed_commitment
            assert ended.seed == combined_seed(MATCH, share, (ANN, BOB), BEACON).hex()
            assert report(home).is_valid

    asyncio.run(story())


def test_no_share_is_told_to_anybody_before_all_are_stored(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with (
                wire(home.server.address, "ann", hello=willing()) as ann,
                wire(home.server.address, "bob", hello=willing()) as bob,
            ):
                await ann.next("welcome")
                await bob.next("welcome")
                await home.open(MATCH, "ann", "bob")
                await asyncio.gather(commit(ann, ANN), commit(bob, BOB))
                await reveal(ann, ANN)
                await bob.next("share_request")
                assert all(ANN not in str(message) for message in bob.seen)
                assert all(ANN.encode() not in row.state for row in home.ledger.stored(MATCH))
                await bob.say(share=pb.Share(match=MATCH, seat=1, share=BOB))
                await finish(ann, bob)

    asyncio.run(story())


def test_bots_that_give_no_shares_play_at_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann") as ann, wire(home.server.address, "bob") as bob:
                await ann.next("welcome")
                await bob.next("welcome")
                await home.open(MATCH, "ann", "bob")
                await finish(ann, bob)
            assert kinds(home)[:3] == ["Opened", "SetUp", "MovePlayed"]
            assert {"share_request", "shares"}.isdisjoint(ann.kinds())
            assert report(home).is_valid

    asyncio.run(story())


@pytest.mark.parametrize("said", [None, BOB, "", "x" * 300])
def test_a_share_kept_back_is_a_fault_and_has_no_say(tmp_path: Path, said: str | None) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with (
                wire(home.server.address, "ann", hello=willing()) as ann,
                wire(home.server.address, "bob", hello=willing()) as bob,
            ):
                await ann.next("welcome")
                await bob.next("welcome")
                await home.open(MATCH, "ann", "bob", time=QUICK)
                await asyncio.gather(commit(ann, ANN), commit(bob, BOB))
                await reveal(bob, BOB)
                await ann.next("share_request")
                if said is not None:
                    await ann.say(share=pb.Share(match=MATCH, seat=0, share=said))
                shares = await bob.next("shares")
                assert list(shares.shares) == [said if said == BOB else "", BOB]
                match = home.arbiter.match(MATCH)
                assert (match.counted, match.faults) == (("", BOB), [1, 0])
                await finish(ann, bob)
            found = report(home)
            assert found.is_valid
            assert "seat 0 had committed to a share" in found.remarks[0]

    asyncio.run(story())


def test_silence_at_the_first_request_costs_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with (
                wire(home.server.address, "ann", hello=willing()) as ann,
                wire(home.server.address, "bob", hello=willing()) as bob,
            ):
                await ann.next("welcome")
                await bob.next("welcome")
                await home.open(MATCH, "ann", "bob", time=QUICK)
                await ann.next("share_request")
                await commit(bob, BOB)
                await reveal(bob, BOB)
                await finish(ann, bob)
            assert stored(home, 3)["shares"] == ["", BOB]
            assert report(home).remarks == ()

    asyncio.run(story())


def test_what_does_not_belong_there_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with (
                wire(home.server.address, "ann", hello=willing()) as ann,
                wire(home.server.address, "bob", hello=willing()) as bob,
            ):
                await ann.next("welcome")
                await bob.next("welcome")
                await home.open(MATCH, "ann", "bob")
                for share in (
                    pb.Share(match=MATCH, seat=1, commitment="ee" * 32),  # not her seat
                    pb.Share(match=MATCH, seat=7, commitment="ee" * 32),
                    pb.Share(match=MATCH, seat=0, share=ANN),  # too early
                    pb.Share(match=MATCH, seat=0),
                    pb.Share(match="m/other", seat=0, commitment="ee" * 32),
                ):
                    await ann.say(share=share)
                await commit(ann, ANN)
                await ann.say(share=pb.Share(match=MATCH, seat=0, commitment="ee" * 32))  # a second one
                await commit(bob, BOB)
                await asyncio.gather(reveal(ann, ANN), reveal(bob, BOB))
                await ann.next("shares")
                await ann.say(share=pb.Share(match=MATCH, seat=0, share=BOB))  # too late
                assert stored(home, 3)["shares"] == [ANN, BOB]
                await finish(ann, bob)

    asyncio.run(story())


def test_a_bot_that_comes_while_others_commit_is_asked_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann", hello=willing()) as ann:
                await ann.next("welcome")
                await home.open(MATCH, "ann", "bob")
                await ann.next("share_request")
                async with wire(home.server.address, "bob", hello=willing()) as bob:
                    await commit(bob, BOB)
                    await ann.say(
                        share=pb.Share(match=MATCH, seat=0, commitment=share_commitment(MATCH, 0, ANN))
                    )
                    await asyncio.gather(reveal(ann, ANN), reveal(bob, BOB))
                    await finish(ann, bob)
            assert stored(home, 3)["shares"] == [ANN, BOB]

    asyncio.run(story())


def test_a_bot_that_was_cut_off_is_asked_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann", hello=willing()) as ann:
                await ann.next("welcome")
                async with wire(home.server.address, "bob", hello=willing()) as bob:
                    await bob.next("welcome")
                    await home.open(MATCH, "ann", "bob")
                    await asyncio.gather(commit(ann, ANN), commit(bob, BOB))
                    await bob.next("share_request")
                async with wire(home.server.address, "bob", hello=willing()) as bob:
                    await asyncio.gather(reveal(ann, ANN), reveal(bob, BOB))
                    await finish(ann, bob)
            assert stored(home, 3)["shares"] == [ANN, BOB]

    asyncio.run(story())


def test_a_restart_before_the_commitments_are_stored_asks_for_them_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann", hello=willing()) as ann:
                await ann.next("welcome")
                await home.open(MATCH, "ann", "bob")
                await ann.next("share_request")
                first = stored(home, 1)["commitment"]
        async with house(tmp_path) as home:
            assert kinds(home) == ["Opened"]
            async with (
                wire(home.server.address, "ann", hello=willing()) as ann,
                wire(home.server.address, "bob", hello=willing()) as bob,
            ):
                await ann.next("welcome")
                await bob.next("welcome")
                assert await home.arbiter.resume_all() == 1
                await asyncio.gather(commit(ann, ANN), commit(bob, BOB))
                await asyncio.gather(reveal(ann, ANN), reveal(bob, BOB))
                await finish(ann, bob)
            assert stored(home, 1)["commitment"] == first
            assert report(home).is_valid

    asyncio.run(story())


def test_a_restart_after_the_commitments_gives_nobody_a_second_choice(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with (
                wire(home.server.address, "ann", hello=willing()) as ann,
                wire(home.server.address, "bob", hello=willing()) as bob,
            ):
                await ann.next("welcome")
                await bob.next("welcome")
                await home.open(MATCH, "ann", "bob")
                await asyncio.gather(commit(ann, ANN), commit(bob, BOB))
                await reveal(ann, ANN)  # what she said is lost with the process
                await bob.next("share_request")
        async with house(tmp_path) as home:
            async with (
                wire(home.server.address, "ann", hello=willing()) as ann,
                wire(home.server.address, "bob", hello=willing()) as bob,
            ):
                await ann.next("welcome")
                await bob.next("welcome")
                await home.arbiter.resume_all()
                other = "cc" * 32
                said = share_commitment(MATCH, 1, other)
                await bob.say(share=pb.Share(match=MATCH, seat=1, commitment=said))
                await asyncio.gather(reveal(ann, ANN), reveal(bob, other))
                await finish(ann, bob)
            assert home.match(MATCH).counted == (ANN, "")
            assert home.match(MATCH).faults == [0, 1]
            assert report(home).is_valid

    asyncio.run(story())


def test_a_match_that_waits_for_shares_can_be_aborted(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with wire(home.server.address, "ann", hello=willing()) as ann:
                await ann.next("welcome")
                await home.open(MATCH, "ann", "bob")
                await ann.next("share_request")
                home.arbiter.abort(MATCH, "the hall burned down")
                ended = await ann.next("ended")
            assert (ended.status, ended.seed) == ("aborted", "")
            assert commitment(bytes.fromhex(ended.share)) == stored(home, 1)["commitment"]
            assert report(home).is_valid

    asyncio.run(story())


def test_the_last_fault_may_be_a_share_kept_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            home.enrol("ann", "bob")
            async with (
                wire(home.server.address, "ann", hello=willing()) as ann,
                wire(home.server.address, "bob", hello=willing()) as bob,
            ):
                await ann.next("welcome")
                await bob.next("welcome")
                strict = msgspec.structs.replace(PATIENT, faults=1)
                await home.open(MATCH, "ann", "bob", time=strict)
                await asyncio.gather(commit(ann, ANN), commit(bob, BOB))
                await asyncio.gather(reveal(ann, BOB), reveal(bob, BOB))
                await finish(ann, bob)
            assert kinds(home)[:5] == [
                "Opened",
                "SharesCommitted",
                "SharesRevealed",
                "SetUp",
                "SeatForfeited",
            ]
            assert "kept back its share" in stored(home, 5)["cause"]
            assert report(home).is_valid

    asyncio.run(story())


def test_nothing_is_mixed_into_a_public_seed(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path, beacon=BEACON) as home:
            home.enrol("ann", "bob")
            async with (
                wire(home.server.address, "ann", hello=willing()) as ann,
                wire(home.server.address, "bob", hello=willing()) as bob,
            ):
                await ann.next("welcome")
                await bob.next("welcome")
                seats = tuple(SeatEntry(bot_id(name), name) for name in ("ann", "bob"))
                spec = MatchSpec(
                    match_id=MATCH, game="pearls", seats=seats, time=PATIENT, public_seed="spring"
                )
                await home.arbiter.open(spec)
                ended = await finish(ann, bob)
            assert "share_request" not in ann.kinds()
            assert (stored(home, 1)["shares"], stored(home, 1)["beacon"]) == (False, None)
            assert ended.seed == ended.share == houses.KEYS.match_seed(MATCH, "spring").hex()

    asyncio.run(story())
