"""The dispute: one claim, from its opening to the last ruling."""

from collections.abc import Sequence
from typing import Final, Literal

from keylore_domain.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    EffectRecorded,
    EvidenceAdded,
    Remedy,
)
from keylore_domain.disputes.evidence import AnyEvidence, Claim
from keylore_domain.disputes.verdicts import Decision, Verdict, verdict
from keylore_domain.engine.aggregates import Aggregate, Event
from keylore_domain.engine.receipts import Receipt
from keylore_domain.errors import ConflictError, OptionError, ReplayMismatchError

Status = Literal["open", "ruled", "appealed", "final"]

RULES: Final = "rules"
"""Who ruled, where the ruling is what follows from the evidence."""

MOST_TEXT: Final = 1_000

PREFIX: Final = "d/"


def dispute_id(match: str, number: int) -> str:
    """The id of the dispute *number* (from 1) about *match*: ``d/cup/r1/t1/1``."""
    return f"{PREFIX}{match.removeprefix('m/')}/{number}"


class Dispute(Aggregate):
    """A claim against a match.

    Attributes:
        claim: what is claimed.
        receipts: all that were handed in.
        evidence: what was collected last; ``None`` before.
        rulings: at most two, the second after an appeal.
        effects: what the rulings did to the standings.
    """

    def __init__(self, aggregate_id: str) -> None:
        super().__init__(aggregate_id)
        self.status: Status = "open"
        self.opened: DisputeOpened | None = None
        self.receipts: tuple[Receipt, ...] = ()
        self.evidence: AnyEvidence | None = None
        self.rulings: tuple[DisputeRuled, ...] = ()
        self.appeal_made: DisputeAppealed | None = None
        self.effects: tuple[EffectRecorded, ...] = ()

    @property
    def claim(self) -> Claim:
        """What is claimed."""
        opened = self.opened
        assert opened is not None
        return Claim(
            kind=opened.kind,
            match=opened.match,
            event=opened.event,
            seat=opened.seat,
            by=opened.by,
            statement=opened.statement,
        )

    @property
    def instance(self) -> int:
        """1, or 2 after an appeal."""
        return 1 if self.appeal_made is None else 2

    @property
    def is_unsettled(self) -> bool:
        """Whether the last ruling is to change the standings, and nothing says yet what became of that."""
        if not self.rulings or self.rulings[-1].remedy == "none" or self.status == "appealed":
            return False
        return not self.effects or self.effects[-1].originator_version < self.rulings[-1].originator_version

    @property
    def follows(self) -> Verdict | None:
        """What follows from the evidence that was collected last."""
        return verdict(self.claim, self.evidence) if self.evidence is not None else None

    # --- commands -------------------------------------------------------------------------------------

    @classmethod
    def open(cls, identity: str, claim: Claim, receipts: Sequence[Receipt], *, at: int) -> "Dispute":
        """A new dispute.

        Raises:
            OptionError: nobody claims it, or a text is too long.
        """
        dispute = cls(identity)
        _check_text("by", claim.by, is_needed=True)
        _check_text("statement", claim.statement, is_needed=False)
        dispute.record(
            DisputeOpened(
                **dispute.stamp(at),
                kind=claim.kind,
                match=claim.match,
                event=claim.event,
                seat=claim.seat,
                by=claim.by,
                statement=claim.statement,
                receipts=tuple(receipts),
            )
        )
        return dispute

    def add_evidence(self, evidence: AnyEvidence, *, at: int) -> None:
        """Take in what was collected.

        Raises:
            ConflictError: the last ruling is final, or waits for an appeal.
        """
        self._expect("open", "appealed")
        self.record(EvidenceAdded(**self.stamp(at), evidence=evidence, digest=evidence.digest))

    def rule(self, *, at: int) -> DisputeRuled:
        """Rule what follows from the evidence; nobody's word is needed.

        Raises:
            ConflictError: there is no evidence yet, it cannot be told yet, or it is ruled already.
        """
        self._expect("open", "appealed")
        found = self.follows
        if found is None or found.decision == "pending":
            msg = f"{self.id} cannot be ruled yet: " + (found.grounds[0] if found else "there is no evidence")
            raise ConflictError(msg)
        return self._rule(found, RULES, at)

    def rule_by(
        self, by: str, decision: Literal["upheld", "dismissed"], reason: str, *, at: int
    ) -> DisputeRuled:
        """Let a person rule on an appeal; what follows from the evidence stays to be seen beside it.

        Raises:
            ConflictError: there was no appeal, or it is ruled already.
            OptionError: nobody rules, or for no reason.
        """
        self._expect("appealed")
        _check_text("by", by, is_needed=True)
        _check_text("reason", reason, is_needed=True)
        if by == RULES:
            raise OptionError("by", f"is {by!r}", "the name of a person")
        return self._rule(Verdict(decision=decision, grounds=(reason,)), by, at)

    def appeal(self, by: str, reason: str, receipts: Sequence[Receipt] = (), *, at: int) -> None:
        """Ask for a second ruling.

        Raises:
            ConflictError: nothing is ruled yet, or the ruling is final.
            OptionError: nobody appeals, or for no reason.
        """
        self._expect("ruled")
        _check_text("by", by, is_needed=True)
        _check_text("reason", reason, is_needed=True)
        self.record(DisputeAppealed(**self.stamp(at), by=by, reason=reason, receipts=tuple(receipts)))

    def record_effect(self, tournament: str, correction: int, problem: str, *, at: int) -> None:
        """Note what the last ruling did to the standings of *tournament*."""
        remedy = self.rulings[-1].remedy
        self.record(
            EffectRecorded(
                **self.stamp(at), tournament=tournament, correction=correction, remedy=remedy, problem=problem
            )
        )

    # --- inside ---------------------------------------------------------------------------------------

    def _rule(self, found: Verdict, by: str, at: int) -> DisputeRuled:
        event = DisputeRuled(
            **self.stamp(at),
            instance=self.instance,
            decision=found.decision,
            grounds=found.grounds,
            digest=self.evidence.digest if self.evidence is not None else "",
            by=by,
            remedy=self._remedy(found.decision),
        )
        self.record(event)
        return event

    def _remedy(self, decision: Decision) -> Remedy:
        """An upheld claim makes the result void; a dismissal on appeal takes that back."""
        was_void = any(one.remedy == "void" for one in self.rulings)
        if decision == "upheld":
            return "none" if was_void else "void"
        return "original" if was_void else "none"

    def _expect(self, *allowed: Status) -> None:
        if self.status not in allowed:
            msg = f"{self.id} is {self.status}; that needs it to be {' or '.join(allowed)}"
            raise ConflictError(msg)

    def apply(self, event: Event) -> None:
        """Take over what *event* says.

        Raises:
            ReplayMismatchError: a ruling of the rules is not what follows from the evidence.
        """
        match event:
            case DisputeOpened():
                self.opened, self.receipts = event, event.receipts
            case EvidenceAdded():
                self._take_evidence(event)
            case DisputeRuled():
                self._check_ruling(event)
                self.rulings += (event,)
                self.status = "ruled" if event.instance == 1 else "final"
            case DisputeAppealed():
                self.appeal_made, self.status = event, "appealed"
                self.receipts += event.receipts
            case EffectRecorded():
                self.effects += (event,)
            case _:
                raise AssertionError(event)

    def _take_evidence(self, event: EvidenceAdded) -> None:
        if event.digest != event.evidence.digest:
            problem = "the digest is not that of the evidence"
            raise ReplayMismatchError(
                problem, event.originator_version, expected=event.evidence.digest, found=event.digest
            )
        self.evidence = event.evidence

    def _check_ruling(self, event: DisputeRuled) -> None:
        found = self.follows
        if event.by != RULES or (
            found and (found.decision, found.grounds) == (event.decision, event.grounds)
        ):
            return
        raise ReplayMismatchError(
            "the ruling is not what follows from the evidence",
            event.originator_version,
            expected=found.decision if found else "evidence",
            found=event.decision,
        )


def _check_text(field: str, text: str, *, is_needed: bool) -> None:
    if (is_needed and not text.strip()) or len(text) > MOST_TEXT:
        problem = "is missing" if not text.strip() else f"has {len(text)} characters"
        raise OptionError(field, problem, f"a text of at most {MOST_TEXT} characters")
