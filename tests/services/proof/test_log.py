"""The transparency log: its leaves follow from the ledger, its heads never contradict each other."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from eventsourcing.persistence import StoredEvent

from keylore_domain.bots import Bot
from keylore_domain.engine.checkpoints import opened_checkpoint
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.heads import LogProof, leaf_data, proof_flaw
from keylore_domain.engine.merkle import EMPTY_ROOT, MerkleTree, leaf_hash, verify_consistency
from keylore_domain.errors import ConflictError, LedgerError, NotFoundError
from keylore_services.arbiter.keys import KeyRing, is_signature
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.proof.log import Leaf, TransparencyLog, log_key
from tests.domain.engine.playing import LiveMatch
from tests.services.proof.logs import KEY, NOW, RING, grow, sealed, store, store_pause


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    opened = open_ledger(":memory:")
    yield opened
    opened.close()


@pytest.fixture
def log(ledger: Ledger) -> Iterator[TransparencyLog]:
    with TransparencyLog(ledger, KEY) as opened:
        yield opened


def test_sealed_matches_and_tournament_events_are_leaves_in_the_order_of_storing(
    ledger: Ledger, log: TransparencyLog
) -> None:
    ledger.save(Bot.enrol("ann", "token", at=1))
    store(ledger, rows := sealed(1))
    store_pause(ledger)
    unfinished = LiveMatch(match_id="m/open", origin=None)
    store(ledger, unfinished.rows)

    first, second = log.leaves()

    assert first == Leaf(0, "m/game-1", len(rows), sha256_hex(rows[-1][2]))
    assert (second.number, second.id, second.version) == (1, "t/tea", 1)
    assert log.leaves(1, 1) == [second]
    assert log.leaf_of("t/tea", 1) == second == log.leaf_of("t/tea")


def test_an_empty_log_has_a_head(log: TransparencyLog) -> None:
    head = opened_checkpoint(log.checkpoint(RING, NOW), KEY, is_signature)

    assert (head.origin, head.size, head.root) == ("league.example/log", 0, EMPTY_ROOT)


def test_a_checkpoint_is_signed_once_per_head(ledger: Ledger, log: TransparencyLog) -> None:
    with pytest.raises(NotFoundError, match="no checkpoint yet"):
        log.latest()
    first = grow(log, ledger, range(3))

    assert log.checkpoint(RING, NOW + 1) == first == log.latest()
    second = grow(log, ledger, range(3, 5))
    assert (second != first, log.latest(), log.size) == (True, second, 5)
    assert len(ledger.stored("log/heads")) == 2


def test_a_log_under_a_new_name_signs_the_same_head_again(ledger: Ledger, log: TransparencyLog) -> None:
    first = grow(log, ledger, range(2))

    with TransparencyLog(ledger, log_key(RING.public_key)) as renamed:
        second = renamed.checkpoint(RING, NOW)

    assert second != first
    assert second.startswith(f"keylore/{RING.public_key[:16]}\n2\n")


def test_anyone_can_make_the_root_from_the_leaves(ledger: Ledger, log: TransparencyLog) -> None:
    head = opened_checkpoint(grow(log, ledger, range(5)), KEY, is_signature)
    tree = MerkleTree()
    for leaf in log.leaves():
        tree.append(leaf_hash(leaf.data))

    assert tree.root(head.size) == head.root


def test_each_match_has_a_proof_that_holds_for_its_record_alone(ledger: Ledger, log: TransparencyLog) -> None:
    grow(log, ledger, range(6))
    for number in range(6):
        rows, proof = sealed(number), log.proof_of(f"m/game-{number}")
        leaf = leaf_data(f"m/game-{number}", len(rows), sha256_hex(rows[-1][2]))
        other = leaf_data(f"m/game-{number}", len(rows), sha256_hex(rows[-2][2]))

        assert proof_flaw(proof, leaf, RING.public_key, is_signature) == ""
        assert "does not lead" in proof_flaw(proof, other, RING.public_key, is_signature)
        wrong = KeyRing(bytes(32), bytes(32)).public_key
        assert "none is by" in proof_flaw(proof, leaf, wrong, is_signature)


@pytest.mark.parametrize("path", [("zz",), ("AB" * 32,), ("00" * 32,), ("00" * 32,) * 9, ()])
def test_a_wrong_path_proves_nothing(ledger: Ledger, log: TransparencyLog, path: tuple[str, ...]) -> None:
    grow(log, ledger, range(3))
    rows, proof = sealed(0), log.proof_of("m/game-0")
    leaf = leaf_data("m/game-0", len(rows), sha256_hex(rows[-1][2]))

    forged = LogProof(index=proof.index, path=path, checkpoint=proof.checkpoint)

    assert proof_flaw(forged, leaf, RING.public_key, is_signature)


def test_what_is_not_in_the_last_head_has_no_proof_yet(ledger: Ledger, log: TransparencyLog) -> None:
    with pytest.raises(NotFoundError, match="no checkpoint yet"):
        log.proof_of("m/game-1")
    grow(log, ledger, range(1))
    store(ledger, sealed(1))

    with pytest.raises(NotFoundError, match="after its last checkpoint"):
        log.proof_of("m/game-1")
    with pytest.raises(NotFoundError, match="m/none is not in the log"):
        log.proof_of("m/none")
    log.checkpoint(RING, NOW)
    assert log.proof_of("m/game-1").index == 1


def test_heads_are_joined_by_proofs(ledger: Ledger, log: TransparencyLog) -> None:
    heads = [
        opened_checkpoint(grow(log, ledger, range(at, at + 2)), KEY, is_signature) for at in range(0, 6, 2)
    ]
    for old, new in itertools.pairwise(heads):
        proof = [bytes.fromhex(step) for step in log.consistency(old.size, new.size)]
        assert verify_consistency(old.size, new.size, old.root, new.root, proof)
    with pytest.raises(NotFoundError):
        log.consistency(3, 99)


def test_the_list_of_leaves_may_be_deleted(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path / "ledger.db", synchronous="normal")
    with TransparencyLog(ledger, KEY) as log:
        note = grow(log, ledger, range(3))
    ledger.close()
    for file in tmp_path.glob("ledger.views.db*"):
        file.unlink()

    ledger = open_ledger(tmp_path / "ledger.db", synchronous="normal")
    with TransparencyLog(ledger, KEY) as log:
        assert log.checkpoint(RING, NOW) == note
    ledger.close()


def test_nothing_is_signed_over_an_altered_ledger() -> None:
    ledger, doctored = open_ledger(":memory:"), open_ledger(":memory:")
    with TransparencyLog(ledger, KEY) as log:
        grow(log, ledger, range(3))
        heads = ledger.stored("log/heads")
    store(doctored, sealed(0))
    store(doctored, sealed(1, first=0))
    store(doctored, sealed(2))
    store(doctored, [(row.originator_version, row.topic, row.state) for row in heads])

    with TransparencyLog(doctored, KEY) as log, pytest.raises(LedgerError, match="it was altered"):
        grow(log, doctored, range(3, 5))
    ledger.close()
    doctored.close()


def test_nothing_is_signed_over_a_ledger_that_has_lost_matches() -> None:
    ledger, shorter = open_ledger(":memory:"), open_ledger(":memory:")
    with TransparencyLog(ledger, KEY) as log:
        grow(log, ledger, range(3))
        heads = ledger.stored("log/heads")
    store(shorter, sealed(0))
    store(shorter, [(row.originator_version, row.topic, row.state) for row in heads])

    with TransparencyLog(shorter, KEY) as log, pytest.raises(LedgerError, match="or is not whole"):
        log.checkpoint(RING, NOW)
    ledger.close()
    shorter.close()


def test_heads_that_others_signed_meanwhile_are_known_and_only_those_are_read(
    ledger: Ledger, log: TransparencyLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    stored = ledger.stored

    def counted(name: str, *, after: int = 0) -> list[StoredEvent]:
        asked.append(after)
        return stored(name, after=after)

    monkeypatch.setattr(ledger, "stored", counted)
    with TransparencyLog(ledger, KEY) as other:
        for number in range(3):
            note = grow((log, other)[number % 2], ledger, range(number, number + 1))
            assert log.latest() == other.latest() == note
    assert max(asked) == 3
    assert asked.count(0) == 2


def test_a_head_that_could_not_be_stored_is_not_known(
    ledger: Ledger, log: TransparencyLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = grow(log, ledger, range(2))
    store(ledger, sealed(2))

    def fail(*_: object) -> None:
        msg = "somebody else was faster"
        raise ConflictError(msg)

    with monkeypatch.context() as patch:
        patch.setattr(ledger, "save", fail)
        with pytest.raises(ConflictError):
            log.checkpoint(RING, NOW)

    assert log.latest() == note
    assert opened_checkpoint(log.checkpoint(RING, NOW), KEY, is_signature).size == 3
