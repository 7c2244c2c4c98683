"""Disputes as commands use them, and as a person reads them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from keylore_cli.auditing import arbiter_key, is_file, record
from keylore_cli.context import Context
from keylore_domain.disputes.disputes import RULES
from keylore_domain.disputes.events import DisputeRuled, EffectRecorded
from keylore_domain.disputes.evidence import Claim
from keylore_domain.engine.receipts import Receipt
from keylore_services.arbiter.times import clock_after
from keylore_services.bots.keeping import read_receipts
from keylore_services.disputes.service import Disputes, DisputeView, Trial, tried

_EFFECTS = {"void": "the result is void", "original": "the result counts again as it was played"}


@contextmanager
def disputes(settings: Context) -> Iterator[Disputes]:
    """The use cases of an existing league.

    Raises:
        NotFoundError: there is no league here.
    """
    ledger = settings.existing_ledger()
    try:
        yield Disputes(ledger, clock_after(ledger), key_of=lambda rows: arbiter_key(settings, rows))
    finally:
        ledger.close()


def trial(settings: Context, name: str, claim: Claim, receipts: Sequence[Receipt], key: str | None) -> Trial:
    """What would be ruled on a claim about a match of the league, or a game file; nothing is stored.

    Args:
        claim: its match is that of the record.
        key: the arbiter's public key; by default that of the league for its matches, and for a file the one
            that it names.

    Raises:
        NotFoundError, DataFileError: there is no such match or file.
        OptionError: the event or seat does not fit the claim.
    """
    match, rows = record(settings, name)
    signer = key or (None if is_file(name) else arbiter_key(settings, rows))
    return tried(msgspec.structs.replace(claim, match=match), rows, receipts, key=signer)


def trial_text(found: Trial) -> str:
    """A trial in words."""
    lines = [f"{found.claim.match}: by the evidence: {found.verdict.decision.upper()}"]
    lines += [f"  {ground}" for ground in found.verdict.grounds]
    return "\n".join([*lines, f"SHA-256 of the evidence: {found.digest}"])


def handed_in(files: tuple[Path, ...]) -> list[Receipt]:
    """The receipts in *files*, in order.

    Raises:
        DataFileError: a file holds none.
    """
    return [receipt for file in files for receipt in read_receipts(file.read_bytes(), str(file))]


def text(view: DisputeView) -> str:
    """A dispute in words, some lines."""
    claim = view.claim
    about = f"event {claim.event} of {claim.match}" if claim.event else claim.match
    seat = "" if claim.seat is None else f", seat {claim.seat}"
    lines = [f"{view.id}: {claim.kind.replace('_', ' ')}: {about}{seat}; claimed by {claim.by}"]
    lines += [f'  "{claim.statement}"'] if claim.statement else []
    lines += _evidence(view)
    lines += [line for ruling in view.rulings for line in _ruling(ruling)]
    if view.appealed_by:
        lines.append(f'appealed by {view.appealed_by}: "{view.appeal_reason}"')
    lines += map(_effect, view.effects)
    return "\n".join([*lines, *_outlook(view)])


def _evidence(view: DisputeView) -> Iterator[str]:
    if view.evidence is None:
        return
    record = view.evidence.record
    state = f"does not hold at event {record.broken_at}" if record.broken_at else "holds"
    yield f"evidence: the record of {record.events} events {state}; {view.receipts} receipts were handed in"
    for heard in view.evidence.receipts:
        if heard.flaw:
            yield f"  the receipt for event {heard.receipt.event} weighs nothing: {heard.flaw}"


def _ruling(ruling: DisputeRuled) -> Iterator[str]:
    by = "by the evidence" if ruling.by == RULES else f"by {ruling.by}"
    yield f"ruling {ruling.instance}, {by}: {ruling.decision.upper()}"
    yield from (f"  {ground}" for ground in ruling.grounds)


def _effect(effect: EffectRecorded) -> str:
    if effect.problem:
        return f"no effect on {effect.tournament}: {effect.problem}"
    return f"effect: {_EFFECTS[effect.remedy]} (event {effect.correction} of {effect.tournament})"


def _outlook(view: DisputeView) -> Iterator[str]:
    follows = view.follows
    if view.status == "open" and follows is not None:
        yield f"not ruled yet: {follows.grounds[0]}"
    if view.status == "appealed":
        yield f"to be ruled again: keylore dispute rule {view.id}"
    last = view.rulings[-1] if view.rulings else None
    if last and last.by != RULES and follows and follows.decision != last.decision:
        yield f"by the evidence alone it would be: {follows.decision}"
