"""Verdicts: what follows from the evidence. A pure function, so the same evidence gives the same verdict.

The record is the arbiter's word. Where it contradicts what the arbiter signed, or breaks the rules that it
names, it cannot speak for the arbiter, and the claim is upheld.
"""

from collections.abc import Iterator
from typing import Literal, assert_never

import msgspec

from keylore_domain.disputes.evidence import (
    AnyEvidence,
    Claim,
    ClockEvidence,
    DrawEvidence,
    MoveEvidence,
    Sight,
    SightEvidence,
)

Decision = Literal["upheld", "dismissed", "pending"]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided and on what grounds; ``pending``: it cannot be told yet."""

    decision: Decision
    grounds: tuple[str, ...]


def verdict(claim: Claim, evidence: AnyEvidence) -> Verdict:
    """What follows from *evidence* for *claim*."""
    against = tuple(_against_record(evidence))
    match evidence:
        case ClockEvidence():
            found = _in_time(evidence)
        case DrawEvidence():
            found = _rigged(evidence)
        case SightEvidence():
            found = _shown(claim, evidence)
        case MoveEvidence():
            found = _illegal(evidence)
        case _:
            assert_never(evidence)
    if found.decision == "upheld":
        return Verdict(decision="upheld", grounds=(*found.grounds, *against))
    return Verdict(decision="upheld", grounds=against) if against else found


def _against_record(evidence: AnyEvidence) -> Iterator[str]:
    """Why the record cannot speak for the arbiter."""
    for heard in evidence.receipts:
        if not heard.flaw and heard.difference:
            signed = f"the receipt that the arbiter signed for event {heard.receipt.event}"
            yield f"the record contradicts {signed}: {heard.difference}"
    if evidence.record.broken_at:
        where = f"event {evidence.record.broken_at}"
        yield f"the record does not hold at {where}: {evidence.record.problem}"


def _in_time(clock: ClockEvidence) -> Verdict:
    if clock.cause == "played":
        return _dismissed(f"the answer of seat {clock.seat} was taken: no default was played")
    if clock.budget != clock.due_budget:
        return _upheld(f"the budget was {clock.budget} µs; {clock.due_budget} µs were due")
    if not 0 <= clock.credited <= clock.most_credit:
        return _upheld(f"the credit was {clock.credited} µs; 0 to {clock.most_credit} µs are allowed")
    spent = clock.received - clock.sent - clock.credited
    sum_of = f"{clock.received} - {clock.sent} - {clock.credited} = {spent} µs of {clock.budget} µs"
    match clock.cause:
        case "forfeit":
            return _dismissed(f"seat {clock.seat} had forfeited before")
        case "illegal":
            tries = sum(one.code == "illegal_move" for one in clock.refused)
            return _dismissed(f"its {tries} answers came in time, but none of them was legal")
        case _:
            return _late(clock, spent, sum_of)


def _late(clock: ClockEvidence, spent: int, sum_of: str) -> Verdict:
    for one in clock.refused:
        used = one.received - clock.sent - clock.credited
        if one.code == "late" and used <= clock.budget:
            told = f"{one.received} - {clock.sent} - {clock.credited} = {used} µs of {clock.budget} µs"
            return _upheld(f"an answer was refused as late that came in time: {told}")
    if spent < clock.budget:
        return _upheld(f"the default was played before the time was up: {sum_of}")
    if any(one.code == "late" for one in clock.refused):
        return _dismissed(f"the answer came late: {sum_of}")
    return _dismissed(f"no answer came until the time was up: {sum_of}, and no receipt says otherwise")


def _rigged(drawn: DrawEvidence) -> Verdict:
    if drawn.wrong_at:
        return _upheld(f"event {drawn.wrong_at}: {drawn.problem}")
    if not drawn.is_seed_known:
        told = "the seed is revealed when the match is sealed; until then its draws cannot be compared"
        return Verdict(decision="pending", grounds=(told,))
    return _dismissed(f"all {drawn.draws} draws follow from the seed to which the first events are committed")


def _shown(claim: Claim, sight: SightEvidence) -> Verdict:
    found = [one for one in sight.sights if _is_meant(claim, one)]
    if found:
        return _upheld(*(f"event {one.event}: {one.what} of {_name(one.viewer)}" for one in found[:5]))
    where = f"{sight.moments} moments, {sight.looks} looks"
    return _dismissed(f"whatever is hidden, everything that was sent comes out the same ({where})")


def _is_meant(claim: Claim, sight: Sight) -> bool:
    return claim.seat in {None, sight.viewer} and claim.event in {0, sight.event}


def _name(viewer: int | None) -> str:
    return "the public" if viewer is None else f"seat {viewer}"


def _illegal(made: MoveEvidence) -> Verdict:
    if made.problem:
        return _upheld(f"seat {made.seat} made a move that nobody asked for: {made.problem}")
    if not 0 <= made.choice < made.legal:
        return _upheld(f"choice {made.choice} at {made.kind!r} is not among its {made.legal} legal moves")
    if made.move != made.due:
        return _upheld(f"legal move {made.choice} at {made.kind!r} is {made.due}, the record has {made.move}")
    return _dismissed(f"{made.move} is legal move {made.choice} of {made.legal} at {made.kind!r}")


def _upheld(*grounds: str) -> Verdict:
    return Verdict(decision="upheld", grounds=grounds)


def _dismissed(*grounds: str) -> Verdict:
    return Verdict(decision="dismissed", grounds=grounds)
