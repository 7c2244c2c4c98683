"""Receipts in a game file: both verifiers check them, as far as each claims."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.matches import RING, played
from keylore_domain import catalog
from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.matches import Match, Secrets
from keylore_domain.engine.receipts import Receipt, record_difference, signed_receipt
from keylore_domain.errors import DataFileError
from keylore_services.arbiter.keys import KeyRing
from keylore_services.proof.receipts import last_receipts
from keylore_services.replay.gamefile import read_game, write_game
from keylore_services.replay.verify import verify_file
from keylore_services.replay.verify_standalone import verify
from tests.services.replay.forgeries import edited, resealed

MATCH = "m/receipts"
STRANGER = KeyRing(b"\7" * 32, bytes(32))


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """A match that was aborted after a few moves, and sealed."""
    begun = list(played("keydom", "random", match_id=MATCH, moves=30))
    match = Match(MATCH, catalog.game)
    for _, topic, state in begun:
        match.replay(topic, state)
    match.abort(Secrets(RING.match_seed(MATCH), RING), at=2_000_000_000_000_000, cause="enough")
    ended = match.collect_events()
    return [*begun, *((event.originator_version, topic_of(event), encode_event(event)) for event in ended)]


@pytest.fixture(scope="module")
def receipts(rows: list[Row]) -> tuple[Receipt, ...]:
    return last_receipts(MATCH, rows, RING)


def reasons(folder: Path, rows: Sequence[Row], receipts: Sequence[Receipt]) -> list[tuple[int, str]]:
    """What both verifiers say of a file: the event to blame, and why."""
    path = folder / "game.xz"
    write_game(path, MATCH, rows, receipts=receipts)
    full, alone = verify_file(path), verify(str(path))
    return [(full.first_bad, full.reason), (alone["first_bad"], alone["reason"])]


def changed(receipt: Receipt, ring: KeyRing = RING, **fields: Any) -> Receipt:
    return signed_receipt(msgspec.structs.replace(receipt, **fields), ring)


def test_each_seat_has_its_last_receipt(rows: list[Row], receipts: tuple[Receipt, ...]) -> None:
    assert [receipt.seat for receipt in receipts] == list(range(len(receipts)))
    assert all(record_difference(receipt, rows) == "" for receipt in receipts)


def test_receipts_travel_in_the_file_and_fit(
    tmp_path: Path, rows: list[Row], receipts: tuple[Receipt, ...]
) -> None:
    assert reasons(tmp_path, rows, receipts) == [(0, ""), (0, "")]
    assert read_game(tmp_path / "game.xz").receipts == receipts


@pytest.mark.parametrize(
    "fields",
    [
        {"head": "0" * 64},
        {"choice": 99},
        {"received": 5},
        {"cause": "illegal"},
        {"move": "0" * 64},
        {"seat": 5},
    ],
)
def test_a_receipt_that_does_not_fit_is_found_by_both(
    tmp_path: Path, rows: list[Row], receipts: tuple[Receipt, ...], fields: dict[str, Any]
) -> None:
    wrong = changed(receipts[1], **fields)

    (full, why), (alone, reason) = reasons(tmp_path, rows, [receipts[0], wrong])

    assert full == alone == wrong.event
    assert "does not fit" in why
    assert f"its {next(iter(fields))} is not that of the record" in reason


def test_what_was_asked_is_found_by_the_full_verifier(
    tmp_path: Path, rows: list[Row], receipts: tuple[Receipt, ...]
) -> None:
    (full, why), (alone, _) = reasons(tmp_path, rows, [changed(receipts[0], asked="0" * 64)])

    assert (full, alone) == (receipts[0].event, 0)
    assert "was another one by the rules" in why


def test_receipts_by_others_or_of_others_are_found_by_both(
    tmp_path: Path, rows: list[Row], receipts: tuple[Receipt, ...]
) -> None:
    for wrong in (
        changed(receipts[0], STRANGER),
        msgspec.structs.replace(receipts[0], left=receipts[0].left + 1),
        changed(receipts[0], match="m/other"),
        changed(receipts[0], event=10**6),
    ):
        full, alone = reasons(tmp_path, rows, [wrong])
        assert full[0] > 0, full
        assert alone[0] > 0, alone


def test_nothing_is_signed_that_was_not_sealed(rows: list[Row]) -> None:
    assert last_receipts(MATCH, rows, STRANGER) == ()
    assert last_receipts(MATCH, rows[:-1], RING) == ()
    assert last_receipts(MATCH, resealed(rows, STRANGER), STRANGER) != ()
    assert last_receipts(MATCH, edited(rows, 5, ("at",), 1), RING) == ()
    assert last_receipts(MATCH, edited(rows, len(rows), ("signature",), "0" * 128), RING) == ()


def test_an_old_format_holds_no_receipts(
    tmp_path: Path, rows: list[Row], receipts: tuple[Receipt, ...]
) -> None:
    path = tmp_path / "game.jsonl"
    write_game(path, MATCH, rows, receipts=receipts)
    path.write_bytes(path.read_bytes().replace(b"keylore.game/2", b"keylore.game/1", 1))

    with pytest.raises(DataFileError, match="line 1"):
        read_game(path)
