"""A game file carries the proof that its match is in the log; one that does not hold is not believed."""

from pathlib import Path

import msgspec
import pytest

from keylore_domain import catalog
from keylore_domain.engine.audit import Report, audit
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.heads import LogProof
from keylore_services.arbiter.keys import KeyRing, is_signature
from keylore_services.ledger.ledger import open_ledger
from keylore_services.proof.log import TransparencyLog, log_key
from keylore_services.replay.gamefile import read_game, write_game
from keylore_services.replay.verify import NOT_LOGGED, report_lines, verify_file
from tests.domain.engine.toy import toy_catalog
from tests.services.proof.logs import KEY, NOW, RING, grow, sealed

ROWS = sealed(1)


def proofs(first: int = 1, size: int = 5) -> tuple[LogProof, LogProof]:
    """The proofs of games 1 and 2 in a log of *size* games."""
    ledger = open_ledger(":memory:")
    with TransparencyLog(ledger, KEY) as log:
        grow(log, ledger, range(size), first=first)
        found = log.proof_of("m/game-1"), log.proof_of("m/game-2")
    ledger.close()
    return found


PROOF, OTHER = proofs()


def report(log: LogProof | None, rows: list[Row] = ROWS, log_key: str | None = None) -> Report:
    return audit(
        "m/game-1",
        rows,
        toy_catalog,
        trusted_key=RING.public_key,
        check_signature=is_signature,
        log=log,
        log_key=log_key,
    )


def changed(**fields: object) -> LogProof:
    return msgspec.structs.replace(PROOF, **fields)


def test_a_logged_game_is_verified_with_its_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "game", toy_catalog)
    write_game(tmp_path / "game.xz", "m/game-1", ROWS, PROOF)
    write_game(tmp_path / "bare.xz", "m/game-1", ROWS)

    logged = verify_file(tmp_path / "game.xz", trusted_key=RING.public_key)
    bare = verify_file(tmp_path / "bare.xz", trusted_key=RING.public_key)

    assert read_game(tmp_path / "game.xz").log == PROOF
    assert (logged.verdict, logged.log, logged.unchecked) == ("valid", "league.example/log, leaf 1 of 5", ())
    assert "in the log league.example/log, leaf 1 of 5" in report_lines(logged)
    assert (bare.verdict, bare.log, bare.unchecked) == ("valid", "", (NOT_LOGGED,))


@pytest.mark.parametrize(
    ("log", "problem"),
    [
        (OTHER, "does not lead from this record"),
        (proofs(first=0)[0], "does not lead from this record"),
        (changed(index=2), "does not lead"),
        (changed(index=-1), "does not lead"),
        (changed(index=10**30), "does not lead"),
        (changed(path=()), "does not lead"),
        (changed(path=PROOF.path * 30), "does not lead"),
        (changed(path=(*PROOF.path[:-1], "0" * 63)), "64 small hexadecimal digits"),
        (changed(checkpoint=""), "the checkpoint or its path cannot be used"),
        (changed(checkpoint=PROOF.checkpoint.replace("\n5\n", "\n0\n")), "does not fit"),
        (changed(checkpoint=PROOF.checkpoint.replace("\n5\n", "\n6\n")), "does not fit"),
    ],
)
def test_a_proof_that_does_not_hold_is_blamed_on_the_seal(log: LogProof, problem: str) -> None:
    found = report(log)

    assert (found.verdict, found.first_bad, found.log) == ("invalid", len(ROWS), "")
    assert problem in found.reason


def test_a_log_of_its_own_key_is_named() -> None:
    keeper = KeyRing(b"\6" * 32, bytes(32))
    ledger = open_ledger(":memory:")
    with TransparencyLog(ledger, log_key(keeper.public_key)) as log:
        grow(log, ledger, range(3))
        log.checkpoint(keeper, NOW)
        proof = log.proof_of("m/game-1")
    ledger.close()

    assert "none is by" in report(proof).reason
    assert report(proof, log_key=keeper.public_key).is_valid


def test_what_is_not_sealed_is_not_in_the_log() -> None:
    found = report(PROOF, ROWS[:-1])

    assert (found.verdict, found.first_bad) == ("invalid", len(ROWS) - 1)
    assert "is not sealed" in found.reason
