"""The events of a dispute, in the order in which they can occur."""

from typing import Literal

from keylore_domain.disputes.evidence import AnyEvidence, Kind
from keylore_domain.disputes.verdicts import Decision
from keylore_domain.engine.aggregates import Event, topic
from keylore_domain.engine.receipts import Receipt

Remedy = Literal["none", "void", "original"]


@topic("keylore:Dispute.Opened")
class DisputeOpened(Event, frozen=True, kw_only=True):
    """Somebody claims something of a match; the fields are those of a `Claim`.

    ``receipts`` were handed in with the claim.
    """

    kind: Kind
    match: str
    event: int
    seat: int | None
    by: str
    statement: str
    receipts: tuple[Receipt, ...]


@topic("keylore:Dispute.EvidenceAdded")
class EvidenceAdded(Event, frozen=True, kw_only=True):
    """Evidence was collected from the record and the receipts; ``digest`` is that of the evidence."""

    evidence: AnyEvidence
    digest: str


@topic("keylore:Dispute.Ruled")
class DisputeRuled(Event, frozen=True, kw_only=True):
    """A ruling: the claim was upheld or dismissed.

    ``instance``: 1, or 2 after an appeal. ``digest``: the evidence that it rests on. ``by``: ``rules`` if it
    is what follows from the evidence, or the person who ruled on the appeal. ``remedy``: what is to become of
    the result in the standings.
    """

    instance: int
    decision: Decision
    grounds: tuple[str, ...]
    digest: str
    by: str
    remedy: Remedy


@topic("keylore:Dispute.Appealed")
class DisputeAppealed(Event, frozen=True, kw_only=True):
    """Somebody does not accept the ruling; more receipts may be handed in."""

    by: str
    reason: str
    receipts: tuple[Receipt, ...]


@topic("keylore:Dispute.EffectRecorded")
class EffectRecorded(Event, frozen=True, kw_only=True):
    """A ruling took effect: event ``correction`` of ``tournament`` says so; 0 if it could not.

    ``problem`` says why it could not.
    """

    tournament: str
    correction: int
    remedy: Remedy
    problem: str
