"""Witnesses cosign what continues, refuse what does not, and their lines come with heads and proofs."""

import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from keylore_domain.engine.checkpoints import NoteKey, cosigned_at, expect_witnesses
from keylore_domain.engine.heads import LOG_ID
from keylore_domain.errors import DataFileError, LedgerError, NotFoundError
from keylore_services.arbiter.keys import is_signature
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.proof.log import TransparencyLog, log_key
from keylore_services.proof.monitor import LogSource, Monitor
from keylore_services.proof.witness import FileSigner, Witness, Witnessed
from keylore_services.replay.verify import witness_flaw
from keylore_services.transport.log_client import RemoteLog
from tests.services.arbiter.house import KEYS, house
from tests.services.proof.logs import KEY, NOW, grow

TIME = 1_800_000_000


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    opened = open_ledger(":memory:")
    yield opened
    opened.close()


@pytest.fixture
def log(ledger: Ledger) -> Iterator[TransparencyLog]:
    with TransparencyLog(ledger, KEY) as opened:
        yield opened


class Looking:
    """A witness with its own monitor."""

    def __init__(self, folder: Path, name: str, log: NoteKey) -> None:
        file = name.replace("/", "-")
        self._witness = Witness(name, FileSigner(folder / f"{file}.key"))
        self.monitor = Monitor(folder / f"{file}.txt", log)
        self.key = self._witness.key

    def look(self, source: LogSource, time: int) -> Witnessed:
        return self._witness.cosign(self.monitor.look(source), time)


def witness(folder: Path, name: str = "witness.example/w1", log: NoteKey = KEY) -> Looking:
    return Looking(folder, name, log)


def kept(log: TransparencyLog, seen: Witnessed, by: Looking) -> bool:
    return log.cosign(seen.size, seen.line, by.key, NOW)


def test_heads_that_continue_are_cosigned(ledger: Ledger, log: TransparencyLog, tmp_path: Path) -> None:
    own = witness(tmp_path)
    for size in (2, 3, 3):
        grow(log, ledger, range(log.size, size))
        seen = own.look(log, TIME)
        kept(log, seen, own)
        assert cosigned_at(log.latest(), own.key, is_signature) == TIME

    assert (seen.found.verdict, seen.size, seen.witness) == ("same", 3, str(own.key))
    assert [row.topic for row in ledger.stored(LOG_ID)].count("keylore:Log.CheckpointCosigned") == 2


def test_a_fork_or_an_older_head_is_not_cosigned(
    ledger: Ledger, log: TransparencyLog, tmp_path: Path
) -> None:
    own = witness(tmp_path)
    grow(log, ledger, range(2))
    older = log.latest()
    grow(log, ledger, range(2, 4))
    own.look(log, TIME)

    class Older:
        def latest(self) -> str:
            return older

        def consistency(self, old: int, new: int) -> tuple[str, ...]:
            return log.consistency(old, new)

    assert (own.look(Older(), TIME).found.verdict, own.look(Older(), TIME).line) == ("behind", "")
    other = open_ledger(":memory:")
    with TransparencyLog(other, KEY) as forked:
        grow(forked, other, range(5), first=0)
        seen = own.look(forked, TIME)
    other.close()
    assert (seen.found.is_fork, seen.line) == (True, "")
    assert own.monitor.evidence.exists()


def test_the_key_of_a_witness_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    file = tmp_path / "keys" / "w.key"

    assert FileSigner(file).public_key == FileSigner(file).public_key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("nonsense")
    with pytest.raises(DataFileError, match="cannot be used as a key"):
        FileSigner(file)


def test_a_name_that_no_note_takes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="is not NAME"):
        witness(tmp_path, "two words")


def test_proofs_lead_to_the_head_with_the_most_witnesses(
    ledger: Ledger, log: TransparencyLog, tmp_path: Path
) -> None:
    first, second = witness(tmp_path), witness(tmp_path, "witness.example/w2")
    grow(log, ledger, range(2))
    for own in (first, second):
        kept(log, own.look(log, TIME), own)
    grow(log, ledger, range(2, 3))
    kept(log, first.look(log, TIME), first)

    proof = log.proof_of("m/game-0")

    assert expect_witnesses(proof.checkpoint, [first.key, second.key], 2, is_signature)
    assert proof.checkpoint.split("\n")[1] == "2"
    assert log.proof_of("m/game-2").checkpoint.split("\n")[1] == "3"


def test_a_game_file_can_be_held_to_its_witnesses(
    ledger: Ledger, log: TransparencyLog, tmp_path: Path
) -> None:
    first, second = witness(tmp_path), witness(tmp_path, "witness.example/w2")
    grow(log, ledger, range(2))
    kept(log, first.look(log, TIME), first)
    proof = log.proof_of("m/game-0")

    assert witness_flaw(proof, (first.key, second.key), 1) == ""
    assert "1 of the 2 needed have cosigned" in witness_flaw(proof, (first.key, second.key), 2)
    assert "no proof of a log" in witness_flaw(None, (first.key,), 1)
    assert witness_flaw(None, (), 0) == ""


def test_witnesses_that_are_listed_and_bots_may_cosign_over_the_wire(tmp_path: Path) -> None:
    names = ("witness.example/w1", "witness.example/w2", "bot/ann", "bot/bob")
    of_house = log_key(KEYS.public_key)
    listed, stranger, bot, other = (witness(tmp_path, name, of_house) for name in names)

    def story(address: str) -> None:
        with RemoteLog(address) as remote:

            def send(own: Looking, token: str = "") -> bool:
                seen = own.look(remote, TIME)
                return remote.cosign(seen.size, seen.line, own.key, token)

            assert send(listed)
            assert not send(listed)
            assert send(bot, "token-ann")
            for own, token in ((stranger, ""), (stranger, "token-ann"), (other, "token-ann"), (bot, "wrong")):
                with pytest.raises(LedgerError):
                    send(own, token)
            with pytest.raises(LedgerError, match="none is by"):
                remote.cosign(0, bot.look(remote, TIME).line, listed.key)
            with pytest.raises(NotFoundError, match="no head of 7 leaves"):
                remote.cosign(7, bot.look(remote, TIME).line, listed.key)
            assert expect_witnesses(remote.latest(), [listed.key, bot.key], 2, is_signature)

    async def serve() -> None:
        async with house(tmp_path, logged=True, witnesses=(listed.key,)) as home:
            home.enrol("ann", "bob")
            await asyncio.to_thread(story, home.server.address)

    asyncio.run(serve())
