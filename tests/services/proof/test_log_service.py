"""The log over the wire: anyone may ask, within limits, and believes nothing that is not proved."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from structlog.testing import capture_logs

from keylore.v1 import log_pb2 as pb
from keylore.v1 import log_pb2_grpc as pb_grpc
from keylore_domain.engine.checkpoints import opened_checkpoint
from keylore_domain.engine.heads import proof_flaw
from keylore_domain.engine.merkle import verify_consistency
from keylore_domain.errors import ConflictError, LedgerError, NotFoundError
from keylore_services.arbiter.keys import is_signature
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.proof import desk as desks
from keylore_services.proof.desk import LogDesk, signed_head
from keylore_services.proof.log import TransparencyLog
from keylore_services.proof.monitor import Monitor
from keylore_services.transport.allowances import MOST_CALLERS, Allowances, Rate, caller_of
from keylore_services.transport.log_client import RemoteLog
from keylore_services.transport.log_servicer import LARGEST, LogServicer
from keylore_services.transport.server import Listening, start_server
from tests.services.arbiter.house import house, raises_status
from tests.services.proof.logs import KEY, NOW, RING, sealed, store, store_pause


def now() -> int:
    return NOW


@asynccontextmanager
async def served(ledger: Ledger, rate: Rate | None = None) -> AsyncIterator[str]:
    """A server with nothing but the log of *ledger*; gives its address."""
    server = grpc.aio.server()
    with TransparencyLog(ledger, KEY) as log:
        pb_grpc.add_LogServiceServicer_to_server(LogServicer(LogDesk(log, RING, now), now, rate), server)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            await server.stop(0)


def asked(ledger: Ledger, story: Callable[[RemoteLog], Any]) -> Any:
    """What *story* gives that asks a server with the log of *ledger*."""

    async def run() -> Any:
        async with served(ledger) as address:
            with RemoteLog(address) as remote:
                return await asyncio.to_thread(story, remote)

    return asyncio.run(run())


@pytest.fixture
def ledger() -> Any:
    opened = open_ledger(":memory:")
    for number in range(3):
        store(opened, sealed(number))
    yield opened
    opened.close()


def test_the_newest_head_is_signed_when_somebody_asks(ledger: Ledger) -> None:
    def story(remote: RemoteLog) -> None:
        note, key = remote.newest()
        assert key == str(KEY)
        assert opened_checkpoint(note, KEY, is_signature).size == 3
        assert remote.latest() == note, "it is not signed anew"
        store_pause(ledger)
        assert opened_checkpoint(remote.latest(), KEY, is_signature).size == 4

    asked(ledger, story)


def test_records_are_proved_to_be_in_the_log(ledger: Ledger) -> None:
    store_pause(ledger)

    def story(remote: RemoteLog) -> None:
        for identity in ("m/game-0", "m/game-2", "t/tea"):
            leaf, proof = remote.proof_of(identity)
            assert leaf.id == identity
            assert proof_flaw(proof, leaf.data, KEY.key, is_signature) == ""
        store(ledger, sealed(3))
        assert remote.proof_of("m/game-3")[1].index == 4, "a head is signed for it"
        with pytest.raises(NotFoundError, match="m/none is not in the log"):
            remote.proof_of("m/none")
        with pytest.raises(LedgerError, match="too long"):
            remote.proof_of("m/" + "x" * 500)
        with pytest.raises(NotFoundError):
            remote.proof_of("t/tea", 7)
        with pytest.raises(LedgerError, match="'version'"):
            remote.proof_of("t/tea", LARGEST + 1)

    asked(ledger, story)


def test_two_sizes_are_joined_by_a_proof(ledger: Ledger) -> None:
    def story(remote: RemoteLog) -> None:
        old = opened_checkpoint(remote.latest(), KEY, is_signature)
        for number in range(3, 8):
            store(ledger, sealed(number))
        new = opened_checkpoint(remote.latest(), KEY, is_signature)
        path = [bytes.fromhex(step) for step in remote.consistency(old.size, new.size)]
        assert verify_consistency(old.size, new.size, old.root, new.root, path)
        with pytest.raises(NotFoundError, match="the log has 8 leaves"):
            remote.consistency(3, 2**64 - 1)

    asked(ledger, story)


def test_leaves_are_given_in_stretches(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "MOST_LEAVES", 2)

    def story(remote: RemoteLog) -> None:
        assert [leaf.id for leaf in remote.leaves()] == ["m/game-0", "m/game-1"]
        assert [leaf.id for leaf in remote.leaves(2, 1_000)] == ["m/game-2"]
        assert remote.leaves(3) == []
        with pytest.raises(LedgerError, match="'first'"):
            remote.leaves(2**64 - 1)

    asked(ledger, story)


def test_a_monitor_follows_a_server_and_sees_that_it_forked(ledger: Ledger, tmp_path: Path) -> None:
    monitor = Monitor(tmp_path / "seen.txt", KEY)
    other = open_ledger(":memory:")
    for number in range(4):
        store(other, sealed(number, first=0))

    assert asked(ledger, monitor.look).verdict == "first"
    store(ledger, sealed(3))
    assert asked(ledger, monitor.look).verdict == "grown"
    assert asked(other, monitor.look).is_fork
    other.close()


def test_a_server_that_is_not_there_is_no_fork(tmp_path: Path) -> None:
    with (
        RemoteLog("127.0.0.1:1") as remote,
        pytest.raises(LedgerError, match=r"127\.0\.0\.1:1 gives no answer"),
    ):
        Monitor(tmp_path / "seen.txt", KEY).look(remote)


def test_who_asks_too_often_is_refused(ledger: Ledger) -> None:
    async def story() -> None:
        rate = Rate(per_second=1, burst=3)
        async with served(ledger, rate) as address, grpc.aio.insecure_channel(address) as channel:
            stub: Any = pb_grpc.LogServiceStub(channel)
            for _ in range(3):
                await stub.GetCheckpoint(pb.GetCheckpointRequest())
            with raises_status(grpc.StatusCode.RESOURCE_EXHAUSTED):
                await stub.GetCheckpoint(pb.GetCheckpointRequest())

    asyncio.run(story())


def test_an_allowance_comes_back_with_time_and_each_caller_has_its_own() -> None:
    moment = [0]
    allowances = Allowances(Rate(per_second=10, burst=2), lambda: moment[0])
    assert [allowances.take("ann") for _ in range(3)] == [True, True, False]
    assert allowances.take("bob")
    moment[0] += 100_000
    assert [allowances.take("ann") for _ in range(2)] == [True, False]
    for number in range(MOST_CALLERS):
        allowances.take(str(number))
    assert [allowances.take("ann") for _ in range(3)] == [True, True, False], "it was forgotten"


def test_a_caller_is_a_machine_not_a_connection() -> None:
    assert caller_of("ipv4:10.0.0.1:4711") == "ipv4:10.0.0.1"
    assert caller_of("ipv6:[::1]:4711") == "ipv6:[::1]"
    assert caller_of("unix:/tmp/socket") == "unix:/tmp/socket"


def test_the_log_is_among_the_services_of_a_server(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as home:
            with TransparencyLog(home.ledger, KEY) as log:
                server = await start_server(
                    home.arbiter, Listening(), now=now, version="test", log=LogDesk(log, RING, now)
                )
                async with grpc.aio.insecure_channel(server.address) as channel:
                    checks: Any = health_pb2_grpc.HealthStub(channel)
                    request = health_pb2.HealthCheckRequest(service="keylore.v1.LogService")
                    assert (await checks.Check(request)).status == health_pb2.HealthCheckResponse.SERVING
                    stub: Any = reflection_pb2_grpc.ServerReflectionStub
                    reflected = stub(channel)
                    call = reflected.ServerReflectionInfo(
                        iter([reflection_pb2.ServerReflectionRequest(list_services="")])
                    )
                    names = [
                        one.name async for answer in call for one in answer.list_services_response.service
                    ]
                    assert "keylore.v1.LogService" in names
                await server.stop(0)

    asyncio.run(story())


# --- signing --------------------------------------------------------------------------------------------


async def eventually(check: Callable[[], Awaitable[bool] | bool]) -> None:
    async with asyncio.timeout(20):
        while not check():
            await asyncio.sleep(0.005)


def test_a_head_is_signed_whenever_the_log_has_grown(ledger: Ledger) -> None:
    async def story() -> None:
        with TransparencyLog(ledger, KEY) as log:
            desk = LogDesk(log, RING, now)
            signing = asyncio.create_task(desk.keep_signing(ledger, pause=0.001))
            await eventually(lambda: bool(ledger.stored("log/heads")))
            store(ledger, sealed(3))
            await eventually(lambda: opened_checkpoint(log.latest(), KEY, is_signature).size == 4)
            assert len(ledger.stored("log/heads")) == 2
            signing.cancel()
            await asyncio.gather(signing, return_exceptions=True)
            store(ledger, sealed(4))
            await desk.close()
            assert opened_checkpoint(log.latest(), KEY, is_signature).size == 5

    asyncio.run(story())


def test_over_an_altered_ledger_signing_ends_and_says_so(ledger: Ledger) -> None:
    doctored = open_ledger(":memory:")
    with TransparencyLog(ledger, KEY) as log:
        log.checkpoint(RING, NOW)
    store(doctored, sealed(0, first=0))
    store(doctored, [(row.originator_version, row.topic, row.state) for row in ledger.stored("log/heads")])

    async def story() -> None:
        with TransparencyLog(doctored, KEY) as log, capture_logs() as said:
            desk = LogDesk(log, RING, now)
            await desk.keep_signing(doctored)
            await desk.close()
        assert [entry["event"] for entry in said] == ["log_not_signed"] * 2
        assert "altered" in said[0]["reason"]

    asyncio.run(story())
    doctored.close()


class Busy:
    """A log that others sign at the same time."""

    def __init__(self, times: int) -> None:
        self.times = times

    def checkpoint(self, signer: object, at: int) -> str:
        self.times -= 1
        if self.times >= 0:
            msg = "somebody else was faster"
            raise ConflictError(msg)
        return "signed"


def test_a_head_is_signed_even_if_others_sign_too() -> None:
    few: Any = Busy(3)
    many: Any = Busy(30)
    assert signed_head(few, RING, now) == "signed"
    with pytest.raises(ConflictError):
        signed_head(many, RING, now)
