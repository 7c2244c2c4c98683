"""A server that is started again on a doctored ledger: every client that is connected stops with the proof.

The clients are processes of their own and speak gRPC; each plays a few moves and then thinks for ever.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.keyhistory import KeyHistory
from keylore_domain.engine.matches import Secrets
from keylore_domain.engine.receipts import Contradiction, contradiction_flaw
from keylore_services.arbiter.keys import KeyPair, KeyRing, is_signature
from keylore_services.bots.keeping import RECEIPTS, read_receipts
from keylore_services.bots.logwatch import FORK, LOG
from keylore_services.ledger.ledger import open_ledger
from keylore_services.proof.log import log_key
from keylore_services.proof.monitor import Observation, confirmed
from tests.domain.engine.playing import LiveMatch
from tests.services.arbiter import house as houses
from tests.services.arbiter.house import KEYS, PATIENT, house
from tests.services.proof.doctoring import Doctor, Records, doctored
from tests.services.replay.forgeries import edited, rechained, resealed

NAMES = ("ann", "bob")
MATCH = "m/live"
FINISHED = "m/finished"
MOVES = 2
"""The moves of each client before it thinks for ever."""

BOT = f"""
import asyncio
from keylore_services.bots import Bot, Prompt, Receipt


class Ponderer(Bot):
    answered = 0

    async def choose(self, prompt: Prompt) -> int:
        self.answered += 1
        if self.answered > {MOVES}:
            await asyncio.Event().wait()
        return prompt.default

    async def receipt(self, receipt: Receipt) -> None:
        print("receipt", receipt.event, flush=True)
"""


@dataclass
class Client:
    """A bot in a process of its own, and the folder of what it keeps."""

    process: Process
    folder: Path

    async def ready(self) -> None:
        """Wait until it has all its receipts."""
        assert self.process.stdout is not None
        for _ in range(MOVES):
            assert (await self.process.stdout.readline()).startswith(b"receipt")

    async def end(self) -> tuple[int, str]:
        """Wait for its end; gives the exit code and what it said."""
        _, said = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, said.decode()

    def proof(self, said: str) -> Path:
        """The one file that it has written a proof to, and has named."""
        (found,) = [*self.folder.glob("contradiction-*.json"), *self.folder.glob(FORK)]
        assert str(found) in said
        return found


@asynccontextmanager
async def client(folder: Path, name: str, address: str) -> AsyncIterator[Client]:
    bot, kept = folder / "ponderer.py", folder / name
    bot.write_text(BOT)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "keylore_cli.main", "bot", "run", str(bot), "--server", address),
        *("--token", f"token-{name}", "--keep", str(kept)),
        stdout=PIPE,
        stderr=PIPE,
        cwd=folder,
    )
    try:
        yield Client(process, kept)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def altered(records: Records) -> None:
    """A moment in the first move is another one; all that follows is hashed again."""
    rows = edited(records[MATCH], 3, ("at",), 4_000_000_000_000_000)
    records[MATCH] = rechained(rows)


def truncated(records: Records) -> None:
    """All moves are gone."""
    records[MATCH] = records[MATCH][:2]


def another_history(records: Records) -> None:
    """The same seats have played otherwise."""
    seed = KEYS.match_seed(MATCH)
    other = LiveMatch(seats=2, match_id=MATCH, secrets=Secrets(seed, KEYS), origin=None, time=PATIENT)
    for _ in range(2 * MOVES):
        other.play(len(other.first().prompt.legal) - 1)
    seated = edited(other.rows, 1, ("seats",), [{"bot": f"bot/{name}", "name": name} for name in NAMES])
    records[MATCH] = rechained(seated)


def never_opened(records: Records) -> None:
    """There was no such match."""
    del records[MATCH]


def resigned_log(records: Records) -> None:
    """A finished match has another moment in it, is sealed again, and the log is made anew."""
    rows = edited(records[FINISHED], 3, ("at",), 4_000_000_000_000_000)
    records[FINISHED] = resealed(rows, KEYS)


@asynccontextmanager
async def clients(folder: Path) -> AsyncIterator[tuple[str, list[Client]]]:
    """Two clients that have played their moves, their server gone again; gives its address and them."""
    async with AsyncExitStack() as stack:
        async with house(folder, logged=True) as home:
            home.enrol(*NAMES)
            seed = Secrets(KEYS.match_seed(FINISHED), KEYS)
            finished = LiveMatch(match_id=FINISHED, secrets=seed, origin=None).finish()
            home.ledger.append([decode_event(topic, state) for _, topic, state in finished.rows])
            await home.open(MATCH, *NAMES)
            address = home.server.address
            started = [await stack.enter_async_context(client(folder, name, address)) for name in NAMES]
            await asyncio.gather(*(one.ready() for one in started))
        yield address, started


async def proofs_of(
    folder: Path, doctor: Doctor, *, forget_heads: bool = False, anew: bool = False
) -> list[Path]:
    """The proofs with which two clients leave a server that was started again on a doctored ledger.

    Args:
        anew: the clients were killed, and are started again too.
    """
    async with clients(folder) as (address, playing), AsyncExitStack() as stack:
        doctored(folder / "ledger.db", doctor, forget_heads=forget_heads)
        async with house(folder, port=int(address.rpartition(":")[2]), logged=True) as home:
            await home.arbiter.resume_all()
            started = playing
            if anew:
                for killed in playing:
                    killed.process.kill()
                fresh = (client(folder, name, address) for name in NAMES)
                started = [await stack.enter_async_context(one) for one in fresh]
            ends = await asyncio.gather(*(one.end() for one in started))
    for code, said in ends:
        assert code == 1, said
        assert "Traceback" not in said
    return [one.proof(said) for one, (_, said) in zip(started, ends, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("doctor", [altered, truncated, another_history, never_opened])
def test_every_client_stops_with_the_proof_when_its_match_was_doctored(
    tmp_path: Path, doctor: Doctor
) -> None:
    for proof in asyncio.run(asyncio.wait_for(proofs_of(tmp_path, doctor), 120)):
        shown = msgspec.json.decode(proof.read_bytes(), type=Contradiction)
        assert contradiction_flaw(shown, is_signature, KEYS.public_key) == ""
        held = read_receipts((proof.parent / RECEIPTS).read_bytes(), "kept")
        assert shown.receipt in held


@pytest.mark.slow
def test_clients_that_are_started_again_remember_and_stop_with_the_proof(tmp_path: Path) -> None:
    proofs = asyncio.run(asyncio.wait_for(proofs_of(tmp_path, truncated, anew=True), 120))
    for proof in proofs:
        shown = msgspec.json.decode(proof.read_bytes(), type=Contradiction)
        assert contradiction_flaw(shown, is_signature, KEYS.public_key) == ""


@pytest.mark.slow
def test_every_client_stops_with_the_proof_when_the_log_was_made_anew(tmp_path: Path) -> None:
    proofs = asyncio.run(asyncio.wait_for(proofs_of(tmp_path, resigned_log, forget_heads=True), 120))
    for proof in proofs:
        shown = msgspec.json.decode(proof.read_bytes(), type=Observation)
        assert shown.key == str(log_key(KEYS.public_key))
        assert confirmed(shown) != ""
        assert (proof.parent / LOG).exists()


@pytest.mark.slow
@pytest.mark.parametrize(("doctor", "denied_by"), [(altered, "old"), (never_opened, "new")])
def test_clients_follow_a_server_whose_keys_were_rotated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, doctor: Doctor, denied_by: str
) -> None:
    """And find it out all the same when its ledger was doctored then.

    It answers about a match with the key of the match, if it has one.
    """
    old = KeyPair(b"\1" * 32, b"\2" * 32)
    new = KeyRing(b"\3" * 32, b"\4" * 32, older=(old,))

    def rotate(file: Path) -> None:
        ledger = open_ledger(file, synchronous="normal")
        history = KeyHistory()
        history.make(at=1, key=old.public_key, chance=old.chance)
        history.rotate(at=2, old=old, new=new, chance=new.chance, reason="yearly")
        ledger.save(history)
        ledger.close()

    async def story() -> None:
        async with clients(tmp_path) as (address, started):
            port = int(address.rpartition(":")[2])
            rotate(tmp_path / "ledger.db")
            monkeypatch.setattr(houses, "KEYS", new)
            async with house(tmp_path, port=port, logged=True) as home:
                await home.arbiter.resume_all()
                assert not await home.arbiter.hub.wait_for(frozenset(f"bot/{name}" for name in NAMES), 30)
            doctored(tmp_path / "ledger.db", doctor)
            async with house(tmp_path, port=port, logged=True) as home:
                await home.arbiter.resume_all()
                ends = await asyncio.gather(*(one.end() for one in started))
            for one, (code, said) in zip(started, ends, strict=True):
                assert code == 1, said
                shown = msgspec.json.decode(one.proof(said).read_bytes(), type=Contradiction)
                assert shown.standing is not None
                keys = {"old": old.public_key, "new": new.public_key}
                assert (shown.receipt.key, shown.standing.key) == (keys["old"], keys[denied_by])
                assert bool(shown.keys) is (denied_by == "new")
                assert contradiction_flaw(shown, is_signature, old.public_key) == ""

    asyncio.run(asyncio.wait_for(story(), 120))


@pytest.mark.slow
def test_a_server_that_is_started_again_on_its_own_ledger_is_played_with(tmp_path: Path) -> None:
    async def story() -> None:
        async with clients(tmp_path) as (address, started):
            doctored(tmp_path / "ledger.db", lambda records: None)
            async with house(tmp_path, port=int(address.rpartition(":")[2]), logged=True) as home:
                await home.arbiter.resume_all()
                assert not await home.arbiter.hub.wait_for(frozenset(f"bot/{name}" for name in NAMES), 30)
                assert [one.process.returncode for one in started] == [None, None]
        assert not list(tmp_path.glob("*/contradiction-*"))

    asyncio.run(asyncio.wait_for(story(), 120))
