"""A dispute goes from its opening to a ruling, and once more after an appeal."""

import msgspec
import pytest

from keylore_domain.disputes.disputes import MOST_TEXT, Dispute, dispute_id
from keylore_domain.disputes.events import DisputeRuled, EvidenceAdded
from keylore_domain.engine.aggregates import Event, encode_event, topic_of
from keylore_domain.errors import ConflictError, OptionError, ReplayMismatchError
from tests.domain.disputes.test_verdicts import RECEIPT, claim, clock, draws, move

AT = 1_800_000_000_000_000


def opened() -> Dispute:
    return Dispute.open(dispute_id("m/x", 1), claim("in_time"), (RECEIPT,), at=AT)


def dismissed() -> Dispute:
    dispute = opened()
    dispute.add_evidence(clock(), at=AT)
    dispute.rule(at=AT)
    return dispute


def upheld() -> Dispute:
    dispute = opened()
    dispute.add_evidence(clock(due_budget=5), at=AT)
    dispute.rule(at=AT)
    return dispute


def test_a_dispute_is_opened_with_its_claim_and_receipts() -> None:
    dispute = opened()

    assert dispute.id == "d/x/1"
    assert (dispute.status, dispute.claim, dispute.receipts) == ("open", claim("in_time"), (RECEIPT,))
    assert (dispute.follows, dispute.is_unsettled) == (None, False)


def test_the_rules_rule_without_anybodys_word() -> None:
    dispute = dismissed()

    (ruling,) = dispute.rulings
    assert (dispute.status, ruling.decision, ruling.by, ruling.remedy) == (
        "ruled",
        "dismissed",
        "rules",
        "none",
    )
    assert ruling.digest == clock().digest
    assert not dispute.is_unsettled
    assert upheld().rulings[0].remedy == "void"


def test_nothing_is_ruled_before_it_can_be_told() -> None:
    dispute = opened()
    with pytest.raises(ConflictError, match="there is no evidence"):
        dispute.rule(at=AT)
    dispute.add_evidence(draws(is_seed_known=False), at=AT)
    with pytest.raises(ConflictError, match="until then its draws cannot be compared"):
        dispute.rule(at=AT)
    dispute.add_evidence(draws(), at=AT)
    assert dispute.rule(at=AT).decision == "dismissed"


def test_a_ruling_takes_effect_once() -> None:
    dispute = upheld()
    assert dispute.is_unsettled

    dispute.record_effect("t/cup", 9, "", at=AT)

    assert not dispute.is_unsettled
    (effect,) = dispute.effects
    assert (effect.tournament, effect.correction, effect.remedy) == ("t/cup", 9, "void")


def test_an_appeal_is_ruled_once_more_and_then_it_is_final() -> None:
    dispute = upheld()
    dispute.record_effect("t/cup", 9, "", at=AT)
    dispute.appeal("bob", "the clock was right", (RECEIPT,), at=AT)
    assert (dispute.status, dispute.instance, len(dispute.receipts)) == ("appealed", 2, 2)
    assert not dispute.is_unsettled

    dispute.add_evidence(clock(), at=AT)
    ruling = dispute.rule(at=AT)

    assert (ruling.instance, ruling.decision, ruling.remedy, dispute.status) == (
        2,
        "dismissed",
        "original",
        "final",
    )
    assert dispute.is_unsettled
    for again in (lambda: dispute.appeal("bob", "again", at=AT), lambda: dispute.rule(at=AT)):
        with pytest.raises(ConflictError, match="is final"):
            again()


def test_a_person_rules_on_an_appeal_only_and_it_shows() -> None:
    dispute = dismissed()
    with pytest.raises(ConflictError, match="is ruled"):
        dispute.rule_by("eve", "upheld", "the network was down", at=AT)
    dispute.appeal("ann", "the network was down", at=AT)
    for by in ("", "rules"):
        with pytest.raises(OptionError, match="'by'"):
            dispute.rule_by(by, "upheld", "why not", at=AT)
    with pytest.raises(OptionError, match="'reason'"):
        dispute.rule_by("eve", "upheld", " ", at=AT)

    ruling = dispute.rule_by("eve", "upheld", "the network was down for all", at=AT)

    assert (ruling.by, ruling.decision, ruling.grounds) == (
        "eve",
        "upheld",
        ("the network was down for all",),
    )
    assert ruling.remedy == "void"
    follows = dispute.follows
    assert follows is not None
    assert follows.decision == "dismissed", "what follows from the evidence is still to be seen"


def test_upheld_twice_is_void_once() -> None:
    dispute = upheld()
    dispute.record_effect("t/cup", 9, "", at=AT)
    dispute.appeal("bob", "no", at=AT)
    assert dispute.rule(at=AT).remedy == "none"


def test_an_appeal_may_be_ruled_without_evidence() -> None:
    dispute = dismissed()
    dispute.appeal("ann", "no", at=AT)
    dispute.evidence = None

    assert dispute.rule_by("eve", "dismissed", "no", at=AT).digest == ""


@pytest.mark.parametrize(
    ("by", "statement", "field"), [("", "x", "by"), ("ann", "x" * (MOST_TEXT + 1), "statement")]
)
def test_a_claim_needs_somebody_and_is_short(by: str, statement: str, field: str) -> None:
    with pytest.raises(OptionError, match=f"'{field}'"):
        Dispute.open("d/x/1", claim("in_time", by=by, statement=statement), (), at=AT)


def replayed(*events: Event) -> Dispute:
    dispute = Dispute("d/x/1")
    for event in events:
        dispute.replay(topic_of(event), encode_event(event))
    return dispute


def test_a_dispute_is_read_back_as_it_was() -> None:
    dispute = upheld()
    dispute.record_effect("t/cup", 9, "", at=AT)
    dispute.appeal("bob", "no", at=AT)
    dispute.add_evidence(move(), at=AT)

    again = replayed(*dispute.collect_events())

    assert (again.status, again.evidence, again.rulings) == ("appealed", move(), dispute.rulings)
    assert again.head == dispute.head


def test_a_ruling_of_the_rules_that_does_not_follow_is_refused() -> None:
    first, evidence, ruling = dismissed().collect_events()
    assert isinstance(evidence, EvidenceAdded)
    assert isinstance(ruling, DisputeRuled)

    with pytest.raises(ReplayMismatchError, match="is not what follows from the evidence"):
        replayed(first, evidence, msgspec.structs.replace(ruling, decision="upheld"))
    with pytest.raises(ReplayMismatchError, match="expected evidence"):
        Dispute("d/x/1").apply(ruling)
    with pytest.raises(ReplayMismatchError, match="the digest is not that of the evidence"):
        replayed(first, msgspec.structs.replace(evidence, digest="ab"))
