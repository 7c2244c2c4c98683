"""What a receipt says, who can check it, and what contradicts it."""

import hashlib
import itertools
from typing import Any

import msgspec
import pytest

from keylore_domain.engine.aggregates import decode_event, encode_event, topic_of
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import MoveDefaulted, MovePlayed
from keylore_domain.engine.keyhistory import KeyHistory
from keylore_domain.engine.receipts import (
    Contradiction,
    KeyEvent,
    Receipt,
    Standing,
    asked_digest,
    asked_digests,
    contradiction,
    contradiction_flaw,
    contradicts,
    keys_of_one,
    receipt_of,
    record_difference,
    signature_flaw,
    signed_receipt,
    signed_standing,
)
from keylore_domain.errors import ReplayMismatchError
from tests.domain.engine.playing import MATCH, SIGNER, FakeSigner, LiveMatch, Row, fake_check
from tests.domain.engine.toy import toy_catalog

RECEIPT = Receipt(
    match="m/cup/r1/t2",
    seat=1,
    prompt=7,
    asked="aa",
    view="bb",
    cause="played",
    choice=3,
    move="cc",
    received=1_000_000,
    left=250,
    event=9,
    head="dd",
)


def played() -> tuple[list[Row], list[Receipt]]:
    """A match with a default, and the receipts of all its moves."""
    live = LiveMatch()
    live.play(0)
    live.default("timeout")
    live.finish()
    asked = asked_digests(MATCH, live.rows, toy_catalog)
    receipts = []
    for _, topic, state in live.rows:
        event = decode_event(topic, state)
        if isinstance(event, MovePlayed):
            receipts.append(signed_receipt(receipt_of(event, asked[event.prompt], sha256_hex(state)), SIGNER))
    return live.rows, receipts


def changed(receipt: Receipt, **fields: Any) -> Receipt:
    return msgspec.structs.replace(receipt, **fields)


def standing(receipt: Receipt, *, kept: bool, signer: FakeSigner = SIGNER) -> Standing:
    return signed_standing(
        Standing(match=receipt.match, event=receipt.event, head=receipt.head, kept=kept), signer
    )


def test_the_signed_text_has_a_line_for_each_field() -> None:
    lines = ["keylore.receipt/1", "m/cup/r1/t2", "1", "7", "aa", "bb", "played", "3", "cc"]
    lines += ["1000000", "250", "9", "dd", ""]
    assert RECEIPT.statement.decode() == "\n".join(lines)


def test_the_digest_of_a_prompt_can_be_made_by_hand() -> None:
    legal, context = b'[{"type":"pass"}]', b"null"
    parts = ["keylore.prompt/1", "7", "take", "0"]
    parts += [hashlib.sha256(legal).hexdigest(), hashlib.sha256(context).hexdigest(), ""]
    assert asked_digest(7, "take", 0, legal, context) == hashlib.sha256("\n".join(parts).encode()).hexdigest()


def test_every_receipt_of_a_match_fits_its_record() -> None:
    rows, receipts = played()
    assert len(receipts) > 3
    assert [record_difference(receipt, rows) for receipt in receipts] == [""] * len(receipts)
    assert {receipt.cause for receipt in receipts} == {"played", "timeout"}
    assert all(signature_flaw(receipt, fake_check, SIGNER.public_key) == "" for receipt in receipts)


def test_a_receipt_says_what_the_event_says() -> None:
    rows, receipts = played()
    event = decode_event(*rows[receipts[1].event - 1][1:])
    assert isinstance(event, MoveDefaulted)
    assert receipts[1].move == sha256_hex(bytes(event.move))
    assert (receipts[1].received, receipts[1].left) == (event.clock.received, event.clock.left)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"seat": 9}, "seat of event 3 is 0, the receipt says 9"),
        ({"view": "ff"}, "view of event 3"),
        ({"cause": "illegal"}, "cause of event 3 is played"),
        ({"choice": 99}, "choice of event 3"),
        ({"move": "ff"}, "move of event 3"),
        ({"received": 1}, "received of event 3"),
        ({"left": 1}, "left of event 3"),
        ({"head": "ff"}, "head of event 3"),
        ({"event": 2}, "event 2 is SetUp, not a move"),
        ({"event": 0}, "before event 0"),
        ({"event": 10_000}, "before event 10000"),
    ],
)
def test_a_record_that_is_not_as_the_receipt_says_is_named(fields: dict[str, Any], reason: str) -> None:
    rows, receipts = played()
    assert reason in record_difference(changed(receipts[0], **fields), rows)


def test_a_record_that_cannot_be_read_is_named() -> None:
    rows, receipts = played()
    version, topic, _ = rows[2]
    rows[2] = (version, topic, b"{}")
    assert "event 3 cannot be read" in record_difference(receipts[0], rows)


def test_a_changed_receipt_is_not_signed() -> None:
    signed = signed_receipt(RECEIPT, SIGNER)
    assert signature_flaw(signed, fake_check) == ""
    for name in Receipt.__struct_fields__:
        value = getattr(signed, name)
        other = changed(signed, **{name: value + 1 if isinstance(value, int) else value[:-1] + "0"})
        assert other == signed or signature_flaw(other, fake_check) != "", name


def test_a_receipt_by_another_key_is_told_apart() -> None:
    stranger = signed_receipt(RECEIPT, FakeSigner("stranger"))
    assert signature_flaw(stranger, fake_check) == ""
    assert "not with" in signature_flaw(stranger, fake_check, SIGNER.public_key)
    assert "no key" in signature_flaw(RECEIPT, fake_check, SIGNER.public_key)


def test_an_arbiter_that_does_not_stand_by_its_receipt_is_convicted() -> None:
    receipt = signed_receipt(RECEIPT, SIGNER)
    shown = contradiction(receipt, standing(receipt, kept=False))
    assert contradiction_flaw(shown, fake_check) == ""
    assert contradiction_flaw(shown, fake_check, SIGNER.public_key) == ""


def test_two_receipts_for_one_event_convict() -> None:
    receipt = signed_receipt(RECEIPT, SIGNER)
    shown = contradiction(receipt, signed_receipt(changed(RECEIPT, head="ee"), SIGNER))
    assert contradiction_flaw(shown, fake_check) == ""


def test_statements_that_can_both_be_true_convict_nobody() -> None:
    receipt = signed_receipt(RECEIPT, SIGNER)
    for other in (
        receipt,
        signed_receipt(changed(RECEIPT, event=10, head="ee"), SIGNER),
        signed_receipt(changed(RECEIPT, match="m/other", head="ee"), SIGNER),
        standing(receipt, kept=True),
        standing(changed(receipt, head="ee"), kept=False),  # a head that nobody was given
        standing(changed(receipt, event=8), kept=False),
    ):
        assert not contradicts(receipt, other)
        assert contradiction_flaw(contradiction(receipt, other), fake_check) == "the two statements agree"


def test_statements_that_the_accused_did_not_sign_convict_nobody() -> None:
    receipt = signed_receipt(RECEIPT, SIGNER)
    stranger = FakeSigner("stranger")
    denied = standing(receipt, kept=False)
    forged = msgspec.structs.replace(denied, signature=denied.signature[::-1])
    by_stranger = standing(receipt, kept=False, signer=stranger)
    assert "the statement" in contradiction_flaw(contradiction(receipt, forged), fake_check)
    assert "the statement" in contradiction_flaw(contradiction(receipt, by_stranger), fake_check)
    assert "the receipt" in contradiction_flaw(
        contradiction(receipt, denied), fake_check, stranger.public_key
    )


def test_a_contradiction_holds_just_two_statements() -> None:
    receipt = signed_receipt(RECEIPT, SIGNER)
    denied = standing(receipt, kept=False)
    for shown in (
        Contradiction(receipt=receipt),
        Contradiction(receipt=receipt, standing=denied, other=receipt),
    ):
        assert "one statement" in contradiction_flaw(shown, fake_check)


# --- an arbiter that has had several keys ---------------------------------------------------------------

OLD, NEW, LATER = (FakeSigner(name) for name in ("old", "new", "later"))


def history(*signers: FakeSigner) -> list[KeyEvent]:
    keys = KeyHistory()
    keys.make(at=1, key=signers[0].public_key, chance=sha256_hex(b"0"))
    for number, (old, new) in enumerate(itertools.pairwise(signers), 1):
        keys.rotate(at=2, old=old, new=new, chance=sha256_hex(b"%d" % number), reason="yearly")
    return [KeyEvent(topic_of(event), encode_event(event).decode()) for event in keys.collect_events()]


def test_a_history_joins_the_keys_of_one_arbiter() -> None:
    every = {signer.public_key for signer in (OLD, NEW, LATER)}

    for signer in (OLD, NEW, LATER):
        assert keys_of_one(signer.public_key, history(OLD, NEW, LATER), fake_check) == every
    assert keys_of_one(OLD.public_key, (), fake_check) == {OLD.public_key}


def test_a_history_that_is_of_others_or_forged_joins_nothing() -> None:
    forged = history(OLD, NEW)
    forged[1] = KeyEvent(forged[1].topic, forged[1].state.replace(NEW.public_key, LATER.public_key))
    for bad in (history(NEW, LATER), forged, history(OLD, NEW)[1:]):
        with pytest.raises(ReplayMismatchError):
            keys_of_one(OLD.public_key, bad, fake_check)


def test_an_arbiter_is_convicted_by_statements_under_two_of_its_keys() -> None:
    receipt = signed_receipt(RECEIPT, OLD)
    denial = standing(receipt, kept=False, signer=NEW)
    keys = history(OLD, NEW)

    for accused in (None, OLD.public_key, NEW.public_key):
        assert contradiction_flaw(contradiction(receipt, denial, keys), fake_check, accused) == ""
    assert "the statement" in contradiction_flaw(contradiction(receipt, denial), fake_check)
    stranger = contradiction(receipt, standing(receipt, kept=False, signer=LATER), keys)
    assert "the statement" in contradiction_flaw(stranger, fake_check)
    assert "does not hold" in contradiction_flaw(
        contradiction(receipt, denial, history(NEW, LATER)), fake_check
    )


def test_keys_are_shown_only_if_they_are_needed() -> None:
    receipt = signed_receipt(RECEIPT, OLD)
    assert contradiction(receipt, standing(receipt, kept=False, signer=OLD), history(OLD, NEW)).keys == ()
