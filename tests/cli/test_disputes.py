"""`keylore dispute`: from a claim to its effect on the standings, and back on appeal."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from keylore_cli.disputing import text
from keylore_domain import catalog
from keylore_domain.disputes.events import EffectRecorded
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import MovePlayed
from keylore_domain.engine.receipts import Receipt, asked_digests, receipt_of, signed_receipt
from keylore_services.arbiter.keys import KeyRing
from keylore_services.ledger.ledger import open_ledger
from tests.cli.running import Terminal
from tests.cli.test_tournaments import copied, forge
from tests.services.disputes.test_disputes import MOVE, claim, disputes, honest, live, receipt_for
from tests.services.replay.forgeries import edited, rechained

MATCH = "m/cup/r1/t1"


@pytest.fixture
def league(here: Terminal, tmp_path: Path) -> Terminal:
    """A copy of the played league, which may be changed."""
    return Terminal(copied(here.league, tmp_path / "league"), here._captured)


def first_move(league: Path) -> tuple[int, Receipt]:
    """The event of the first move of the match, and the receipt that was given for it."""
    ledger = open_ledger(league / "ledger.db", synchronous="normal")
    rows = [(row.originator_version, row.topic, row.state) for row in ledger.stored(MATCH)]
    ledger.close()
    event, state = next(
        (found, state)
        for _, topic, state in rows
        if isinstance(found := decode_event(topic, state), MovePlayed)
    )
    asked = asked_digests(MATCH, rows, catalog.game)[event.prompt]
    receipt = signed_receipt(receipt_of(event, asked, sha256_hex(state)), KeyRing.in_folder(league / "keys"))
    return event.originator_version, receipt


def points(league: Terminal) -> dict[str, Any]:
    return {row["name"]: row["points"] for row in league.json("tournament", "standings", "cup")["rows"]}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["in-time", "rigged-draw", "shown-too-much", "illegal-move"])
def test_a_claim_against_a_sound_game_is_dismissed(league: Terminal, kind: str) -> None:
    event = str(first_move(league.league)[0])
    before = points(league)

    said = league.out("dispute", "open", MATCH, "--kind", kind, "--event", event, "--by", "ann")

    assert said.startswith(
        f"d/cup/r1/t1/1: {kind.replace('-', ' ')}: event {event} of {MATCH}; claimed by ann\n"
    )
    assert "evidence: the record of " in said
    assert "ruling 1, by the evidence: DISMISSED\n" in said
    assert points(league) == before
    assert "the same evidence, the same ruling" in league.out("dispute", "verify", "d/cup/r1/t1/1")


@pytest.mark.slow
def test_an_upheld_claim_makes_the_result_void_and_an_appeal_can_take_that_back(
    league: Terminal, tmp_path: Path
) -> None:
    """The record of one move was altered; the receipt for it was kept by the bot."""
    version, receipt = first_move(league.league)
    file = tmp_path / "receipts.jsonl"
    file.write_bytes(msgspec.json.encode(receipt) + b"\n")
    before = points(league)
    forge(league.league, MATCH, f'"received":{receipt.received}'.encode(), b'"received":7')

    told = league.json(
        "dispute", "open", MATCH, "--kind", "in-time", "--event", str(version), "--by", "ann",
        "--statement", "my clock said otherwise", "--receipts", str(file),
    )  # fmt: skip

    (ruling,) = told["rulings"]
    assert ruling["decision"] == "upheld"
    assert any("contradicts the receipt that the arbiter signed" in ground for ground in ruling["grounds"])
    (effect,) = told["effects"]
    assert (effect["tournament"], effect["remedy"], effect["problem"]) == ("t/cup", "void", "")
    after = points(league)
    assert after != before
    corrections = league.json("tournament", "show", "cup")["corrections"]
    assert [one["ground"] for one in corrections] == ["d/cup/r1/t1/1"]

    forge(league.league, MATCH, b'"received":7', f'"received":{receipt.received}'.encode())
    assert "give other evidence today" in league.run("dispute", "verify", "d/cup/r1/t1/1").out
    appealed = league.out("dispute", "appeal", "d/cup/r1/t1/1", "--by", "bob", "--reason", "look again")
    assert "to be ruled again: keylore dispute rule d/cup/r1/t1/1" in appealed
    final = league.out("dispute", "rule", "d/cup/r1/t1/1")
    assert "ruling 2, by the evidence: DISMISSED" in final
    assert "effect: the result counts again as it was played" in final
    assert points(league) == before
    assert "is final" in league.fails(2, "dispute", "rule", "d/cup/r1/t1/1")
    assert league.json("tournament", "verify", "cup")["valid"]


@pytest.mark.slow
def test_a_person_rules_on_an_appeal_and_it_is_listed(league: Terminal) -> None:
    event = str(first_move(league.league)[0])
    league.out("dispute", "open", MATCH, "--kind", "illegal-move", "--event", event, "--statement", "no!")
    league.out("dispute", "appeal", "d/cup/r1/t1/1", "--reason", "the rules are unclear")

    said = league.out("dispute", "rule", "d/cup/r1/t1/1", "--uphold", "--by", "eve", "--reason", "they are")

    assert "appealed by" in said
    assert "ruling 2, by eve: UPHELD\n  they are\n" in said
    assert "effect: the result is void" in said
    assert "by the evidence alone it would be: dismissed" in said
    assert league.out("dispute", "show", "d/cup/r1/t1/1") == said
    (row,) = league.json("dispute", "list", "--game", MATCH)
    assert (row["id"], row["status"]) == ("d/cup/r1/t1/1", "final")
    assert "final" in league.out("dispute", "list")
    assert league.json("dispute", "show", "d/cup/r1/t1/1") == row


@pytest.mark.slow
def test_a_ruling_is_repeated_by_anybody_who_has_the_game_file(league: Terminal, tmp_path: Path) -> None:
    file, event = str(tmp_path / "game.jsonl.xz"), str(first_move(league.league)[0])
    claim = ("--kind", "illegal-move", "--event", event)
    league.out("game", "export", MATCH, file)
    told = league.json("dispute", "open", MATCH, *claim)
    elsewhere = Terminal(tmp_path / "none", league._captured)

    tried = elsewhere.json("dispute", "try", file, *claim)

    assert tried["digest"] == told["rulings"][0]["digest"]
    assert tried["verdict"] == {key: told["rulings"][0][key] for key in ("decision", "grounds")}
    said = league.out("dispute", "try", MATCH, *claim)
    assert said.startswith(f"{MATCH}: by the evidence: DISMISSED\n")
    assert said.endswith(f"SHA-256 of the evidence: {tried['digest']}\n")
    assert len(league.json("dispute", "list")) == 1, "a trial is not stored"


def test_a_trial_that_has_to_wait_is_told_so(here: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    here.out("game", "export", MATCH, str(file))
    header, *events = file.read_bytes().splitlines()[:10]
    bare = {key: value for key, value in json.loads(header).items() if key in {"format", "match", "producer"}}
    rows = edited([(n, "", state) for n, state in enumerate(events, 1)], 1, ("public_seed",), None)
    states = [state for _, _, state in rechained(rows)]
    file.write_bytes(b"\n".join([json.dumps(bare).encode(), *states, b""]))

    done = here.run("dispute", "try", str(file), "--kind", "rigged-draw")

    assert done.code == 4
    assert "by the evidence: PENDING" in done.out


def test_a_claim_that_has_to_wait_is_told_so() -> None:
    ledger = open_ledger(":memory:")
    game = live()
    service = disputes(ledger, game.rows)

    view = service.open(claim("rigged_draw", 0))
    bare = msgspec.structs.replace(view, evidence=None, follows=None)

    assert text(view).splitlines()[-1].startswith("not ruled yet: the seed is revealed when")
    assert text(bare) == 'd/game/1: rigged draw: m/game; claimed by ann\n  "not so"'
    ledger.close()


def test_receipts_that_weigh_nothing_and_effects_that_failed_are_told() -> None:
    ledger = open_ledger(":memory:")
    stray = msgspec.structs.replace(receipt_for(honest(), MOVE), match="m/other")

    view = disputes(ledger, honest()).open(claim("in_time"), [stray])
    effect = EffectRecorded(
        originator_id=view.id, originator_version=4, at=1, prev="", tournament="t/cup", correction=0,
        remedy="void", problem="the next round has begun",
    )  # fmt: skip
    said = text(msgspec.structs.replace(view, effects=(effect,)))

    assert "  the receipt for event 5 weighs nothing: it is for m/other\n" in said
    assert "no effect on t/cup: the next round has begun" in said
    ledger.close()


def test_what_cannot_be_claimed_is_refused(here: Terminal, tmp_path: Path) -> None:
    def said(code: int, *arguments: str) -> str:
        return here.fails(code, "dispute", *arguments)

    assert "'event': is missing; allowed: an event of" in said(2, "open", MATCH, "--kind", "in-time")
    assert "is Opened; allowed: the event of a move" in said(
        2, "open", MATCH, "--kind", "in-time", "--event", "1"
    )
    assert "there is no match" in said(3, "open", "m/none", "--kind", "rigged-draw")
    assert "there is no dispute 'x'" in said(3, "show", "x")
    assert "there is no dispute 'd/cup/r1/t1/9'" in said(3, "show", "d/cup/r1/t1/9")
    junk = tmp_path / "junk"
    junk.write_text("{")
    assert "junk" in said(2, "open", MATCH, "--kind", "rigged-draw", "--receipts", str(junk))
    assert json.loads(here.out("dispute", "list", "--json")) == []


@pytest.mark.slow
def test_a_game_that_another_key_signed_defends_nobody(here: Terminal) -> None:
    told = here.json("dispute", "try", MATCH, "--kind", "rigged-draw", "--key", "ab" * 32)

    assert told["verdict"]["decision"] == "upheld"
    assert "another key than the arbiter's" in told["verdict"]["grounds"][0]
