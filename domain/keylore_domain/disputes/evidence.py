"""What a dispute is about, and what stands in evidence: facts that anyone can work out from the records."""

from typing import Literal

import msgspec

from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.engine.receipts import Receipt

Kind = Literal["in_time", "rigged_draw", "shown_too_much", "illegal_move"]


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody says of a match.

    ``in_time``: the answer of ``seat`` at ``event`` came in time, though a default was played for it.
    ``rigged_draw``: lots did not fall as the committed seed gives them. ``shown_too_much``: ``seat`` (anybody
    if it is ``None``) was shown what it must not know. ``illegal_move``: the move at ``event`` was not legal.
    An ``event`` of 0 means the whole match.
    """

    kind: Kind
    match: str
    event: int
    seat: int | None
    by: str
    statement: str


class RecordNote(msgspec.Struct, frozen=True, kw_only=True):
    """What a full audit says of the record: how far it goes, and where it breaks (0: nowhere), and why."""

    events: int
    head: str
    is_sealed: bool
    broken_at: int
    problem: str


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """A receipt that was handed in.

    ``flaw``: why it is worth nothing; empty if the arbiter signed it. ``difference``: how the record differs
    from it; empty if it does not.
    """

    receipt: Receipt
    flaw: str
    difference: str


class Evidence(msgspec.Struct, frozen=True, kw_only=True, tag_field="about", forbid_unknown_fields=True):
    """Base: the record as a whole, and the receipts of both sides."""

    record: RecordNote
    receipts: tuple[Heard, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the evidence as canonical JSON: who collects it anew gets the same."""
        return sha256_hex(canonical_json(self))


class Refusal(msgspec.Struct, frozen=True):
    """An answer that was not taken, and the moment in which it was received."""

    code: str
    received: int


class ClockEvidence(Evidence, frozen=True, kw_only=True, tag="in_time"):
    """The clock ledger of one prompt.

    ``cause`` is ``played``, or why the default was played. The moments and spans are those of the record, in
    microseconds; ``due_budget`` is the budget that follows from the time control and the bank before, and
    ``most_credit`` the greatest credit.
    """

    seat: int
    cause: str
    sent: int
    received: int
    budget: int
    credited: int
    due_budget: int
    most_credit: int
    refused: tuple[Refusal, ...]


class DrawEvidence(Evidence, frozen=True, kw_only=True, tag="rigged_draw"):
    """The draws of the match against its seed; ``wrong_at`` is the first event with a wrong one, or 0."""

    is_seed_known: bool
    draws: int
    wrong_at: int
    problem: str


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """Something that ``viewer`` (``None``: the public) was shown after ``event``.

    ``what`` is as in a leakcheck: ``view``, ``prompts``, ``facts``, ``answer``, ``sent``.
    """

    event: int
    viewer: int | None
    what: str


class SightEvidence(Evidence, frozen=True, kw_only=True, tag="shown_too_much"):
    """What was sent, made again with other hidden things: how often it was looked, and what differs."""

    moments: int
    looks: int
    sights: tuple[Sight, ...]


class MoveEvidence(Evidence, frozen=True, kw_only=True, tag="illegal_move"):
    """The prompt that the disputed move answers, made again from the record before it.

    ``legal`` counts its legal moves; ``choice`` and ``move`` are what the record holds, ``due`` is the legal
    move of that number. ``problem``: why the seat had no such prompt; empty if it had.
    """

    seat: int
    kind: str
    legal: int
    choice: int
    move: str
    due: str
    problem: str


AnyEvidence = ClockEvidence | DrawEvidence | SightEvidence | MoveEvidence
