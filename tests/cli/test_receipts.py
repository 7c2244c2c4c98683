"""`keylore receipt`: receipts and contradictions as they are shown to others."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from keylore_domain import catalog
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import MovePlayed
from keylore_domain.engine.receipts import (
    Receipt,
    Standing,
    asked_digests,
    contradiction,
    receipt_of,
    signed_receipt,
    signed_standing,
)
from keylore_services.arbiter.keys import KeyRing
from keylore_services.ledger.ledger import open_ledger
from keylore_services.replay.verify import stored_rows
from tests.cli.running import Terminal

GAME = "m/cup/r1/t1"
OTHER = "m/cup/r2/t1"


@pytest.fixture(scope="session")
def receipts(played: Path) -> list[Receipt]:
    """The receipts of a game of the league, as its bots were given them."""
    ring = KeyRing.in_folder(played / "keys")
    ledger = open_ledger(played / "ledger.db")
    try:
        rows = stored_rows(ledger, GAME)
    finally:
        ledger.close()
    asked = asked_digests(GAME, rows, catalog.game)
    found = []
    for _, topic, state in rows:
        event = decode_event(topic, state)
        if isinstance(event, MovePlayed):
            receipt = receipt_of(event, asked[event.prompt], sha256_hex(state))
            found.append(signed_receipt(receipt, ring))
    return found


def written(path: Path, receipts: list[Receipt]) -> str:
    path.write_bytes(b"".join(msgspec.json.encode(receipt) + b"\n" for receipt in receipts))
    return str(path)


def resigned(played: Path, receipt: Receipt, **fields: Any) -> Receipt:
    changed = msgspec.structs.replace(receipt, **fields)
    return signed_receipt(changed, KeyRing.in_folder(played / "keys"))


def test_receipts_are_listed(here: Terminal, receipts: list[Receipt], tmp_path: Path) -> None:
    file = written(tmp_path / "receipts.jsonl", receipts)

    lines = here.out("receipt", "list", file).splitlines()

    first = receipts[0]
    assert len(lines) == len(receipts)
    assert lines[0] == f"{GAME} event {first.event}: seat {first.seat}, prompt 1: choice {first.choice}"
    assert json.loads(here.out("receipt", "list", file, "--json").splitlines()[0])["head"] == first.head


def test_receipts_of_a_game_fit_its_record(here: Terminal, receipts: list[Receipt], tmp_path: Path) -> None:
    file, record = written(tmp_path / "receipts.jsonl", receipts), str(tmp_path / "game.xz")
    here.out("game", "export", GAME, record)
    key = receipts[0].key

    for game in (GAME, record):
        text = here.out("receipt", "verify", file, "--game", game, "--key", key)
        count = len(receipts)
        assert (
            text
            == f"{count} receipts of 1 game: {count} sound, {count} compared with the record of the game\n"
        )
    found = here.json("receipt", "verify", file)
    assert (found["receipts"], found["compared"], found["keys"], found["flaws"]) == (count, 0, [key], [])
    assert "nobody vouched" in here.out("receipt", "verify", file)
    other = here.run("receipt", "verify", file, "--game", OTHER)
    assert (other.code, f"no receipt in {file} is about {OTHER}" in other.err) == (0, True)


def test_a_game_that_was_altered_later_does_not_fit(
    here: Terminal, receipts: list[Receipt], tmp_path: Path
) -> None:
    altered = resigned(here.league, receipts[3], head="0" * 64)
    file = written(tmp_path / "receipts.jsonl", [*receipts[:3], altered])

    done = here.run("receipt", "verify", file, "--game", GAME)

    assert done.code == 1
    assert done.out.startswith(
        f"receipt 4, event {altered.event} of {GAME}: head of event {altered.event} is "
    )
    assert "4 receipts of 1 game: 3 sound" in done.out


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"asked": "0" * 64}, "was another one by the rules"),
        ({"event": 10_000}, "the record ends at event"),
    ],
)
def test_receipts_about_something_else_are_named(
    here: Terminal, receipts: list[Receipt], tmp_path: Path, fields: dict[str, Any], reason: str
) -> None:
    file = written(tmp_path / "receipts.jsonl", [resigned(here.league, receipts[0], **fields)])

    done = here.run("receipt", "verify", file, "--game", GAME)

    assert (done.code, reason in done.out) == (1, True)


def test_receipts_that_contradict_each_other_or_are_by_others_are_named(
    here: Terminal, receipts: list[Receipt], tmp_path: Path
) -> None:
    stranger = KeyRing(b"\7" * 32, bytes(32))
    mixed = [
        receipts[0],
        resigned(here.league, receipts[0], head="0" * 64),
        signed_receipt(receipts[1], stranger),
        msgspec.structs.replace(receipts[2], choice=receipts[2].choice + 1),
    ]
    file = written(tmp_path / "receipts.jsonl", mixed)

    done = here.run("receipt", "verify", file, "--key", receipts[0].key, "--json")

    reasons = [(flaw["place"], flaw["reason"]) for flaw in json.loads(done.out)["flaws"]]
    assert done.code == 1
    assert [place for place, _ in reasons] == [2, 3, 4]
    assert "says something else" in reasons[0][1]
    assert f"signed with {stranger.public_key}" in reasons[1][1]
    assert "does not fit" in reasons[2][1]


def test_a_file_of_something_else_is_refused(here: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "receipts.jsonl"
    file.write_text('{"match": 1}\n')

    assert "line 1: is not a receipt" in here.fails(2, "receipt", "verify", str(file))
    assert "is not a contradiction" in here.fails(2, "receipt", "prove", str(file))
    assert "is no public key" in here.fails(2, "receipt", "verify", str(file), "--key", "abc")


def test_a_contradiction_convicts_the_key_that_signed_both(
    here: Terminal, receipts: list[Receipt], tmp_path: Path
) -> None:
    receipt, ring = receipts[0], KeyRing.in_folder(here.league / "keys")
    denial = Standing(match=receipt.match, event=receipt.event, head=receipt.head, kept=False)
    second = resigned(here.league, receipt, head="0" * 64)
    file = tmp_path / "proof.json"

    for statement, says in (
        (signed_standing(denial, ring), "denies that its history holds it"),
        (second, "gave another receipt for it"),
    ):
        file.write_bytes(msgspec.json.encode(contradiction(receipt, statement)))
        text = here.out("receipt", "prove", str(file), "--key", ring.public_key)
        assert ring.public_key in text
        assert says in text
        assert here.json("receipt", "prove", str(file))["convicted"] is True


def test_statements_that_agree_convict_nobody(
    here: Terminal, receipts: list[Receipt], tmp_path: Path
) -> None:
    file = tmp_path / "proof.json"
    file.write_bytes(msgspec.json.encode(contradiction(receipts[0], receipts[1])))

    done = here.run("receipt", "prove", str(file))

    assert (done.code, done.out) == (1, "the file convicts nobody: the two statements agree\n")
