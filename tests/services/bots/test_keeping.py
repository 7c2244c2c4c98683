"""What the kit keeps, what it refuses, and what it writes down as proof."""

import asyncio
import base64
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest
from structlog.testing import capture_logs

from keylore.v1 import arbiter_pb2 as pb
from keylore.v1 import log_pb2, log_pb2_grpc
from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.engine.checkpoints import Checkpoint, signed_note
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.heads import LOG_ID
from keylore_domain.engine.keyhistory import KeyHistory
from keylore_domain.engine.receipts import (
    Contradiction,
    KeyEvent,
    Receipt,
    Standing,
    contradiction_flaw,
    signed_receipt,
    signed_standing,
)
from keylore_domain.errors import DataFileError, HistoryError, OptionError
from keylore_services.arbiter.keys import KeyRing, is_signature
from keylore_services.arbiter.times import steady_clock
from keylore_services.bots import Bot, Prompt, connection
from keylore_services.bots.connection import play
from keylore_services.bots.keeping import ARBITER, MOST_ASKED, RECEIPTS, Keeper, read_receipts
from keylore_services.bots.logwatch import FORK, LOG, LogWatch
from keylore_services.bots.settings import Settings
from keylore_services.ledger.ledger import open_ledger
from keylore_services.proof.desk import LogDesk
from keylore_services.proof.log import TransparencyLog, log_key
from keylore_services.proof.monitor import Observation, confirmed
from keylore_services.transport.log_servicer import LogServicer
from keylore_services.transport.statuses import errors_as_statuses
from tests.services.arbiter.house import KEYS, house
from tests.services.bots.scripted import Stream, arbiter, scene
from tests.services.proof.logs import grow

RING = KeyRing(b"\1" * 32, b"\2" * 32)
STRANGER = KeyRing(b"\7" * 32, b"\2" * 32)


class Default(Bot):
    inline = True

    def choose(self, prompt: Prompt) -> int:
        return prompt.default


def given(match: str = "m/1", event: int = 3, *, ring: KeyRing = RING, **fields: Any) -> Receipt:
    """A receipt that the arbiter has signed."""
    whole: dict[str, Any] = {"match": match, "seat": 0, "prompt": 1, "asked": "a", "view": "b"}
    whole |= {"cause": "played", "choice": 1, "move": "c", "received": 1, "left": 0}
    whole |= {"event": event, "head": f"head-{event}"}
    return signed_receipt(Receipt(**whole | fields), ring)


def answered(receipt: Receipt, *, kept: bool = True, ring: KeyRing = RING, **fields: Any) -> Standing:
    whole: dict[str, Any] = {"match": receipt.match, "event": receipt.event, "head": receipt.head}
    return signed_standing(Standing(**whole | fields, kept=kept), ring)


def keeper(folder: Path, *receipts: Receipt) -> Keeper:
    """A keeper that has met the arbiter and got these receipts."""
    made = Keeper(folder)
    made.meet(RING.public_key)
    for receipt in receipts:
        made.take(receipt)
    return made


# --- receipts -------------------------------------------------------------------------------------------


def test_the_last_receipt_of_each_match_is_asked_about_after_a_restart(tmp_path: Path) -> None:
    keeper(tmp_path, given("m/1", 3), given("m/2", 4), given("m/1", 9), given("m/1", 3))

    again = Keeper(tmp_path)

    assert again.key == RING.public_key
    assert [(item.match, item.event) for item in again.ask()] == [("m/2", 4), ("m/1", 9)]
    assert len(read_receipts((tmp_path / RECEIPTS).read_bytes(), "kept")) == 3


def test_no_more_receipts_are_asked_about_than_the_arbiter_answers(tmp_path: Path) -> None:
    kept = keeper(tmp_path, *(given(f"m/{number}") for number in range(MOST_ASKED + 1)))

    asked = kept.ask()

    assert len(asked) == MOST_ASKED
    assert asked[0].match == "m/1"


def test_a_line_that_was_cut_off_by_a_crash_is_dropped(tmp_path: Path) -> None:
    keeper(tmp_path, given(event=3), given(event=5))
    file = tmp_path / RECEIPTS
    file.write_bytes(file.read_bytes()[:-9])

    again = Keeper(tmp_path)
    again.take(given(event=7))

    assert [item.event for item in read_receipts(file.read_bytes(), "kept")] == [3, 7]


def test_receipts_can_be_written_through_to_the_disk(tmp_path: Path) -> None:
    kept = Keeper(tmp_path, sync=True)
    kept.meet(RING.public_key)
    kept.take(given())

    assert len(read_receipts((tmp_path / RECEIPTS).read_bytes(), "kept")) == 1


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFileError, match="cannot be used"):
        Keeper(tmp_path / "file")
    (tmp_path / RECEIPTS).write_text("nonsense\n")
    with pytest.raises(DataFileError, match="line 1: is not a receipt"):
        Keeper(tmp_path)


def test_an_arbiter_without_a_key_is_not_checked(tmp_path: Path) -> None:
    kept = Keeper(tmp_path)
    kept.meet("")
    kept.take(msgspec.structs.replace(given(), key="", signature=""))
    kept.confirm(answered(given(), kept=False))

    assert not kept.ask()


@pytest.mark.parametrize(
    "receipt",
    [
        given(ring=STRANGER),
        msgspec.structs.replace(given(), choice=2),
        msgspec.structs.replace(given(), key=""),
    ],
)
def test_a_receipt_that_is_not_signed_is_refused(tmp_path: Path, receipt: Receipt) -> None:
    with pytest.raises(HistoryError, match="worth nothing") as caught:
        keeper(tmp_path).take(receipt)

    assert caught.value.proof == ""


def test_another_key_is_refused(tmp_path: Path) -> None:
    keeper(tmp_path)

    for other in (STRANGER.public_key, ""):
        with pytest.raises(HistoryError, match="but had the key"):
            Keeper(tmp_path).meet(other)
    with pytest.raises(HistoryError, match="but had the key"):
        Keeper(tmp_path, key=STRANGER.public_key)
    with pytest.raises(HistoryError, match="start the bot again"):
        Keeper(key=RING.public_key).meet(STRANGER.public_key)
    assert json.loads((tmp_path / ARBITER).read_text()) == {"key": RING.public_key}


def test_a_second_receipt_for_one_event_is_proof(tmp_path: Path) -> None:
    kept = keeper(tmp_path, given())

    with pytest.raises(HistoryError) as caught:
        kept.take(given(head="another"))

    shown = msgspec.json.decode(Path(caught.value.proof).read_bytes(), type=Contradiction)
    assert contradiction_flaw(shown, is_signature, RING.public_key) == ""


def test_without_a_folder_the_proof_goes_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kept = Keeper()
    kept.meet(RING.public_key)
    kept.take(given("m/cup/r1/t1", 3))

    with pytest.raises(HistoryError):
        kept.confirm(answered(given("m/cup/r1/t1", 3), kept=False))

    assert (tmp_path / "contradiction-m-cup-r1-t1-3.json").exists()


# --- whether the arbiter stands by them -----------------------------------------------------------------


def test_a_match_goes_on_when_its_receipt_is_confirmed(tmp_path: Path) -> None:
    kept = keeper(tmp_path, given("m/1"))
    kept.ask()

    with pytest.raises(HistoryError, match="does not say whether"):
        kept.check_confirmed("m/1")
    kept.check_confirmed("m/2")
    kept.confirm(answered(given("m/1")))
    kept.check_confirmed("m/1")


def test_an_answer_about_something_else_confirms_nothing(tmp_path: Path) -> None:
    kept = keeper(tmp_path, given("m/1"))
    kept.ask()

    kept.confirm(answered(given("m/1"), event=2))
    kept.confirm(answered(given("m/1"), head="another"))
    kept.confirm(answered(given("m/9")))

    with pytest.raises(HistoryError, match="does not say whether"):
        kept.check_confirmed("m/1")


def test_an_answer_that_is_not_signed_is_refused(tmp_path: Path) -> None:
    kept = keeper(tmp_path, given("m/1"))

    for bad in (
        answered(given("m/1"), ring=STRANGER),
        msgspec.structs.replace(answered(given("m/1"), kept=False), kept=True),
    ):
        with pytest.raises(HistoryError, match="worth nothing"):
            kept.confirm(bad)


# --- over the wire --------------------------------------------------------------------------------------


async def welcomed(stream: Stream) -> Any:
    """Open a stream as an arbiter that signs; gives the Hello."""
    hello = await stream.hear("hello")
    await stream.say(welcome=pb.Welcome(bot="bot/alice", server="test", key=RING.public_key))
    return hello


async def acknowledge(stream: Stream, receipt: Receipt, **ruling: Any) -> None:
    signed = pb.Signed(
        seat=receipt.seat,
        asked=receipt.asked,
        view=receipt.view,
        move=receipt.move,
        received_us=receipt.received,
        left_us=receipt.left,
        key=receipt.key,
        signature=receipt.signature,
    )
    shared: dict[str, Any] = {"match": receipt.match, "prompt": receipt.prompt, "event": receipt.event}
    shared |= {"choice": receipt.choice, "head": receipt.head, "signed": signed}
    if ruling:
        await stream.say(ruling=pb.Ruling(**shared, **ruling))
    else:
        await stream.say(receipt=pb.Receipt(**shared))


@scene
async def test_receipts_and_rulings_are_kept_and_asked_about(tmp_path: Path) -> None:
    async with arbiter() as server:
        task = asyncio.create_task(play(Default(), server.settings(keep=tmp_path, until=1)))
        stream = await server.stream()
        assert not (await welcomed(stream)).held
        await stream.seat()
        await stream.prompt(1)
        await stream.hear("answer")
        with capture_logs() as logs:
            await acknowledge(stream, given(event=3, prompt=1))  # not about what was sent
            await stream.prompt(2, event=4)
            await stream.hear("answer")
            await acknowledge(stream, given(event=5, prompt=2, cause="timeout"), cause="timeout")
            stream.ended.set()
            stream = await server.stream()
            asked = await welcomed(stream)
        told = answered(given(event=5))
        await stream.say(standing=pb.Standing(**msgspec.structs.asdict(told)))
        await stream.seat(event=5)
        await stream.finish()
        await stream.part()
        summary = await task

    assert [(item.match, item.event, item.head) for item in asked.held] == [("m/1", 5, "head-5")]
    assert (summary.moves, summary.faults) == (1, 1)
    assert [item.cause for item in read_receipts((tmp_path / RECEIPTS).read_bytes(), "")] == [
        "played",
        "timeout",
    ]
    assert sum(entry["event"] == "receipt_about_something_else" for entry in logs) == 2


@scene
async def test_a_bot_leaves_an_arbiter_that_goes_on_without_confirming(tmp_path: Path) -> None:
    keeper(tmp_path, given())
    async with arbiter() as server:
        task = asyncio.create_task(play(Default(), server.settings(keep=tmp_path)))
        stream = await server.stream()
        assert len((await welcomed(stream)).held) == 1
        await stream.seat()
        with pytest.raises(HistoryError, match="does not say whether"):
            await task


@scene
async def test_a_ruling_without_a_known_cause_is_refused(tmp_path: Path) -> None:
    async with arbiter() as server:
        task = asyncio.create_task(play(Default(), server.settings(keep=tmp_path)))
        stream = await server.stream()
        await welcomed(stream)
        await stream.seat()
        await acknowledge(stream, given(), cause="whim")
        with pytest.raises(HistoryError, match="worth nothing"):
            await task


def test_a_key_that_is_none_is_named() -> None:
    with pytest.raises(OptionError, match="64 small hexadecimal digits"):
        Settings(server="127.0.0.1:1", token="x", key="abc")


# --- the log --------------------------------------------------------------------------------------------


class ShownLog(LogServicer):
    """A log service that shows what it is told to."""

    def __init__(self, log: TransparencyLog) -> None:
        super().__init__(LogDesk(log, RING, steady_clock()), steady_clock())
        self.log = log
        self.key = str(log.key)
        self.refusal: grpc.StatusCode | None = None
        self.gives_proofs = True
        self.note = ""
        self.keys: list[pb.KeyEvent] = []

    async def GetCheckpoint(self, request: Any, context: Any) -> Any:
        if self.refusal is not None:
            await context.abort(self.refusal, "no")
        note = self.note or self.log.latest()
        return log_pb2.GetCheckpointResponse(checkpoint=note, key=self.key, keys=self.keys)

    async def GetConsistencyProof(self, request: Any, context: Any) -> Any:
        if not self.gives_proofs:
            await context.abort(grpc.StatusCode.NOT_FOUND, "none")
        async with errors_as_statuses(context):
            path = self.log.consistency(request.old_size, request.new_size)
        return log_pb2.GetConsistencyProofResponse(path=[bytes.fromhex(step) for step in path])


@asynccontextmanager
async def shown(log: TransparencyLog) -> AsyncIterator[tuple[ShownLog, grpc.aio.Channel]]:
    server, servicer = grpc.aio.server(), ShownLog(log)
    log_pb2_grpc.add_LogServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield servicer, channel
    finally:
        await server.stop(None)


@asynccontextmanager
async def growing(to: int, *, first: int = 1) -> AsyncIterator[tuple[TransparencyLog, Any]]:
    """A log of so many matches, and what makes it grow."""
    ledger = open_ledger(":memory:")
    try:
        with TransparencyLog(ledger, log_key(KEY_OF_LOG)) as log:
            grow(log, ledger, range(to), first=first)
            yield log, lambda more: grow(log, ledger, range(log.size, more), first=first)
    finally:
        ledger.close()


KEY_OF_LOG = KeyRing(b"\5" * 32, bytes(32)).public_key


@scene
async def test_a_log_that_grows_is_followed_over_restarts_of_the_bot(tmp_path: Path) -> None:
    async with growing(2) as (log, grown), shown(log) as (_, channel):
        for size in (2, 2, 5):
            grown(size)
            await LogWatch(tmp_path).look(channel)
            note = json.loads((tmp_path / LOG).read_text())["checkpoint"]
            assert note.split("\n")[1] == str(size)
    assert not (tmp_path / FORK).exists()


@scene
@pytest.mark.parametrize("size", [2, 3, 4])
async def test_a_log_that_was_made_anew_is_proof(tmp_path: Path, size: int) -> None:
    async with growing(3) as (log, _), shown(log) as (_, channel):
        await LogWatch(tmp_path).look(channel)
    async with growing(size, first=0) as (log, _), shown(log) as (_, channel):
        with pytest.raises(HistoryError) as caught:
            await LogWatch(tmp_path).look(channel)

    evidence = msgspec.json.decode(Path(caught.value.proof).read_bytes(), type=Observation)
    assert caught.value.proof == str(tmp_path / FORK)
    assert confirmed(evidence) != ""


@scene
async def test_a_log_that_gives_no_proof_or_has_another_key_is_refused(tmp_path: Path) -> None:
    watch = LogWatch(tmp_path)
    async with growing(2) as (log, grown), shown(log) as (servicer, channel):
        await watch.look(channel)
        grown(3)
        servicer.gives_proofs = False
        with pytest.raises(HistoryError, match="no proof"):
            await watch.look(channel)
        servicer.gives_proofs = True
        servicer.key = str(log_key(KEY_OF_LOG, "another.example/log"))
        with pytest.raises(HistoryError, match="none is by another"):
            await watch.look(channel)


@scene
async def test_a_log_that_is_withheld_is_refused_and_a_busy_one_is_told() -> None:
    watch = LogWatch()
    async with growing(2) as (log, _), shown(log) as (servicer, channel):
        servicer.refusal = grpc.StatusCode.UNIMPLEMENTED
        await watch.look(channel)  # it never had a log
        servicer.refusal = None
        await watch.look(channel)
        servicer.refusal = grpc.StatusCode.UNIMPLEMENTED
        with pytest.raises(HistoryError, match="does not show its transparency log"):
            await watch.look(channel)
        servicer.refusal = grpc.StatusCode.RESOURCE_EXHAUSTED
        with capture_logs() as logs:
            await watch.look(channel)
            servicer.refusal = grpc.StatusCode.UNAVAILABLE
            await watch.look(channel)

    assert [entry["event"] for entry in logs] == ["log_not_checked"]  # that it is away, the connection tells


@scene
async def test_a_checkpoint_that_is_not_signed_is_refused(tmp_path: Path) -> None:
    async with growing(2) as (log, _), shown(log) as (servicer, channel):
        servicer.key = str(log_key(STRANGER.public_key, log.key.name))
        with pytest.raises(HistoryError, match="worth nothing"):
            await LogWatch(tmp_path).look(channel)


def test_what_was_kept_of_the_log_must_be_readable(tmp_path: Path) -> None:
    (tmp_path / LOG).write_text("{}")
    with pytest.raises(DataFileError, match="is not a checkpoint"):
        LogWatch(tmp_path)


@scene
async def test_a_bot_that_keeps_things_cosigns_the_head_once(tmp_path: Path) -> None:
    ann = (("authorization", "Bearer token-ann"),)
    async with house(tmp_path, logged=True) as home:
        home.enrol("ann")
        async with grpc.aio.insecure_channel(home.server.address) as channel:
            watch, forgetful = LogWatch(tmp_path / "ann"), LogWatch()
            with capture_logs() as logs:
                for one in (watch, forgetful):
                    await one.cosign(channel, "bot/ann", ann)  # nothing was seen yet
                    await one.look(channel)
                await watch.cosign(channel, "bot/bob", ann)
                await watch.cosign(channel, "bot/ann", ann)
                await watch.cosign(channel, "bot/ann", ann)
                await home.open("m/1", "ann", "ann")
                home.arbiter.abort("m/1", "so that the log grows")
                await home.arbiter.ended("m/1")
                await watch.look(channel)
                await watch.cosign(channel, "bot/ann", ann)  # it has just cosigned another one
                await forgetful.cosign(channel, "bot/ann", ann)
        topics = [row.topic for row in home.ledger.stored(LOG_ID)]

    signed, cosigned = "keylore:Log.CheckpointSigned", "keylore:Log.CheckpointCosigned"
    assert topics == [signed, cosigned, signed]
    refused = [entry["reason"] for entry in logs if entry["event"] == "head_not_cosigned"]
    assert refused == ["the token is not that of bot/bob"]


@scene
async def test_a_log_that_forks_while_a_bot_is_connected_ends_its_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_LOOK_SECONDS", 0.01)
    async with house(tmp_path, logged=True) as home:
        home.enrol("ann")
        settings = Settings(server=home.server.address, token="token-ann", keep=tmp_path / "ann")
        name = log_key(KEYS.public_key).name
        other = signed_note(Checkpoint(name, 0, b"\1" * 32).text, name, KEYS)
        playing = asyncio.create_task(play(Default(), settings))
        await home.arbiter.hub.wait_for(frozenset({"bot/ann"}), 30)
        monkeypatch.setattr(TransparencyLog, "checkpoint", lambda *_: other)
        with pytest.raises(HistoryError, match="two different logs of 0 leaves") as caught:
            await playing

    assert caught.value.proof == str(tmp_path / "ann" / FORK)


# --- an arbiter that has changed its key ----------------------------------------------------------------


def rotated(*rings: KeyRing) -> KeyHistory:
    """The history of the keys of an arbiter."""
    keys = KeyHistory()
    keys.make(at=1, key=rings[0].public_key, chance=sha256_hex(b"0"))
    for number, (old, new) in enumerate(itertools.pairwise(rings), 1):
        keys.rotate(at=2, old=old, new=new, chance=sha256_hex(b"%d" % number), reason="yearly")
    return keys


def told(keys: KeyHistory) -> list[KeyEvent]:
    return [KeyEvent(topic_of(event), encode_event(event).decode()) for event in keys.collect_events()]


def test_a_key_that_follows_from_the_known_one_is_taken(tmp_path: Path) -> None:
    keeper(tmp_path, given())
    again = Keeper(tmp_path)

    again.meet(STRANGER.public_key, told(rotated(RING, STRANGER)))
    again.ask()
    again.confirm(answered(given(), ring=STRANGER))
    again.check_confirmed("m/1")
    again.take(given(event=4))
    again.take(given("m/2", ring=STRANGER))
    with pytest.raises(HistoryError) as caught:
        again.confirm(answered(given(event=4), ring=STRANGER, kept=False))

    shown = msgspec.json.decode(Path(caught.value.proof).read_bytes(), type=Contradiction)
    assert contradiction_flaw(shown, is_signature, RING.public_key) == ""
    assert json.loads((tmp_path / ARBITER).read_text()) == {"key": RING.public_key}


def test_a_key_that_does_not_follow_is_refused(tmp_path: Path) -> None:
    third = KeyRing(b"\x08" * 32, bytes(32))
    keeper(tmp_path)

    for history in (told(rotated(STRANGER, third)), told(rotated(RING, third)), []):
        with pytest.raises(HistoryError, match="but had the key"):
            Keeper(tmp_path).meet(STRANGER.public_key, history)


@scene
async def test_a_log_under_a_key_that_follows_is_compared_with_the_one_before(tmp_path: Path) -> None:
    first, second = KeyRing(b"\5" * 32, bytes(32)), KeyRing(b"\6" * 32, bytes(32))
    history = [pb.KeyEvent(topic=event.topic, state=event.state) for event in told(rotated(first, second))]
    name = log_key(first.public_key).name

    def head(log: TransparencyLog, *, root: bytes | None = None) -> str:
        size = int(log.latest().split("\n")[1])
        whole = base64.b64decode(log.latest().split("\n")[2]) if root is None else root
        return signed_note(Checkpoint(name, size, whole).text, name, second)

    async with growing(2) as (log, grown), shown(log) as (servicer, channel):
        await LogWatch(tmp_path).look(channel)
        grown(4)
        servicer.key, servicer.note = str(log_key(second.public_key, name)), head(log)
        with pytest.raises(HistoryError, match="no rotation of keys joins the two"):
            await LogWatch(tmp_path).look(channel)
        servicer.keys = history
        servicer.note = head(log, root=bytes(32))
        with pytest.raises(HistoryError, match="does not continue") as caught:
            await LogWatch(tmp_path).look(channel)
        servicer.note = head(log)
        await LogWatch(tmp_path).look(channel)

    assert json.loads((tmp_path / LOG).read_text())["key"] == servicer.key
    assert confirmed(msgspec.json.decode(Path(caught.value.proof).read_bytes(), type=Observation)) != ""
