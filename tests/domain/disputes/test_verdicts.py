"""Verdicts follow from the evidence alone: each kind upheld, dismissed, or told to wait."""

from typing import Any

import msgspec
import pytest

from keylore_domain.disputes.evidence import (
    Claim,
    ClockEvidence,
    DrawEvidence,
    Heard,
    Kind,
    MoveEvidence,
    RecordNote,
    Refusal,
    Sight,
    SightEvidence,
)
from keylore_domain.disputes.verdicts import Verdict, verdict
from keylore_domain.engine.receipts import Receipt

SOUND = RecordNote(events=9, head="ab" * 32, is_sealed=True, broken_at=0, problem="")
BROKEN = msgspec.structs.replace(SOUND, broken_at=4, problem="the signature does not fit")

RECEIPT = Receipt(
    match="m/x", seat=0, prompt=1, asked="", view="", cause="played", choice=1, move="", received=5, left=0,
    event=3, head="cd" * 32,
)  # fmt: skip


def claim(kind: Kind, **fields: Any) -> Claim:
    plain: dict[str, Any] = {"match": "m/x", "event": 3, "seat": None, "by": "ann", "statement": ""}
    return Claim(kind=kind, **{**plain, **fields})


def clock(**fields: Any) -> ClockEvidence:
    """A default for a time-out after an answer that came a millisecond late."""
    plain: dict[str, Any] = {
        "record": SOUND,
        "seat": 0,
        "cause": "timeout",
        "sent": 1_000_000,
        "received": 2_101_000,
        "budget": 1_000_000,
        "credited": 100_000,
        "due_budget": 1_000_000,
        "most_credit": 100_000,
        "refused": (Refusal("late", 2_101_000),),
    }
    return ClockEvidence(**{**plain, **fields})


def ruled(evidence: Any, **fields: Any) -> Verdict:
    kind: Kind = msgspec.json.decode(msgspec.json.encode(evidence))["about"]
    return verdict(claim(kind, **fields), evidence)


@pytest.mark.parametrize(
    ("evidence", "decision", "ground"),
    [
        (clock(), "dismissed", "the answer came late: 2101000 - 1000000 - 100000 = 1001000 µs of 1000000 µs"),
        (clock(refused=()), "dismissed", "no answer came until the time was up"),
        (clock(cause="played"), "dismissed", "was taken: no default was played"),
        (clock(cause="forfeit"), "dismissed", "seat 0 had forfeited before"),
        (
            clock(cause="illegal", refused=(Refusal("illegal_move", 1_500_000),) * 3),
            "dismissed",
            "its 3 answers came in time, but none of them was legal",
        ),
        (clock(cause="disconnect", received=1_600_000, refused=()), "upheld", "before the time was up"),
        (
            clock(refused=(Refusal("illegal_move", 1_200_000), Refusal("late", 2_100_000))),
            "upheld",
            "refused as late that came in time: 2100000 - 1000000 - 100000 = 1000000 µs of 1000000 µs",
        ),
        (clock(due_budget=2_000_000), "upheld", "2000000 µs were due"),
        (clock(most_credit=50_000), "upheld", "0 to 50000 µs are allowed"),
    ],
)
def test_an_answer_was_in_time_or_not(evidence: ClockEvidence, decision: str, ground: str) -> None:
    found = ruled(evidence)

    assert found.decision == decision
    assert ground in found.grounds[0]


def draws(**fields: Any) -> DrawEvidence:
    plain: dict[str, Any] = {
        "record": SOUND,
        "is_seed_known": True,
        "draws": 12,
        "wrong_at": 0,
        "problem": "",
    }
    return DrawEvidence(**{**plain, **fields})


@pytest.mark.parametrize(
    ("evidence", "decision", "ground"),
    [
        (draws(), "dismissed", "all 12 draws follow from the seed"),
        (draws(wrong_at=2, problem="draw deck#0 does not follow"), "upheld", "event 2: draw deck#0 does not"),
        (draws(is_seed_known=False), "pending", "revealed when the match is sealed"),
    ],
)
def test_a_draw_was_rigged_or_not(evidence: DrawEvidence, decision: str, ground: str) -> None:
    found = ruled(evidence)

    assert found.decision == decision
    assert ground in found.grounds[0]


SIGHTS = (Sight(event=5, viewer=1, what="view"), Sight(event=7, viewer=None, what="facts"))


@pytest.mark.parametrize(
    ("sights", "about", "decision", "ground"),
    [
        ((), {"event": 0}, "dismissed", "everything that was sent comes out the same (10 moments, 30 looks)"),
        (SIGHTS, {"event": 0}, "upheld", "event 5: view of seat 1"),
        (SIGHTS[1:], {"event": 0}, "upheld", "event 7: facts of the public"),
        (SIGHTS, {"event": 5, "seat": 1}, "upheld", "event 5: view of seat 1"),
        (SIGHTS, {"event": 5, "seat": 0}, "dismissed", "comes out the same"),
        (SIGHTS, {"event": 6}, "dismissed", "comes out the same"),
    ],
)
def test_too_much_was_shown_or_not(
    sights: tuple[Sight, ...], about: dict[str, Any], decision: str, ground: str
) -> None:
    found = ruled(SightEvidence(record=SOUND, moments=10, looks=30, sights=sights), **about)

    assert found.decision == decision
    assert ground in found.grounds[0]


def move(**fields: Any) -> MoveEvidence:
    plain: dict[str, Any] = {
        "record": SOUND, "seat": 0, "kind": "bid", "legal": 4, "choice": 1, "move": '{"coins":1}',
        "due": '{"coins":1}', "problem": "",
    }  # fmt: skip
    return MoveEvidence(**{**plain, **fields})


@pytest.mark.parametrize(
    ("evidence", "decision", "ground"),
    [
        (move(), "dismissed", "{\"coins\":1} is legal move 1 of 4 at 'bid'"),
        (move(choice=4), "upheld", "choice 4 at 'bid' is not among its 4 legal moves"),
        (move(move='{"coins":9}'), "upheld", 'is {"coins":1}, the record has {"coins":9}'),
        (move(problem="it is asked nothing"), "upheld", "a move that nobody asked for: it is asked nothing"),
    ],
)
def test_an_illegal_move_was_accepted_or_not(evidence: MoveEvidence, decision: str, ground: str) -> None:
    found = ruled(evidence)

    assert found.decision == decision
    assert ground in found.grounds[0]


@pytest.mark.parametrize("evidence", [clock(), draws(), draws(is_seed_known=False), move()])
def test_a_record_that_contradicts_what_was_signed_cannot_speak_for_the_arbiter(evidence: Any) -> None:
    heard = Heard(receipt=RECEIPT, flaw="", difference="cause of event 3 is timeout, the receipt says played")

    found = ruled(msgspec.structs.replace(evidence, receipts=(heard,)))

    assert found.decision == "upheld"
    (ground,) = found.grounds
    assert ground.startswith("the record contradicts the receipt that the arbiter signed for event 3: cause")


def test_a_record_that_does_not_hold_cannot_speak_for_the_arbiter() -> None:
    found = ruled(clock(record=BROKEN))
    both = ruled(move(record=BROKEN, choice=9))

    told = "the record does not hold at event 4: the signature does not fit"
    assert (found.decision, found.grounds) == ("upheld", (told,))
    assert (both.decision, both.grounds[1:]) == ("upheld", (told,))


def test_receipts_that_fit_or_that_nobody_signed_change_nothing() -> None:
    fits = Heard(receipt=RECEIPT, flaw="", difference="")
    forged = Heard(receipt=RECEIPT, flaw="the signature does not fit", difference="")

    assert ruled(clock(receipts=(fits, forged))) == ruled(clock())


def test_the_same_evidence_has_the_same_digest() -> None:
    assert clock().digest == clock().digest
    assert clock().digest != clock(sent=0).digest
