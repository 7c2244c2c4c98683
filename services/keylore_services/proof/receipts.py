"""Receipts that somebody kept, checked against each other and against the records of their matches."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from keylore_domain import catalog
from keylore_domain.engine.aggregates import Event, decode_event
from keylore_domain.engine.checkpoints import CheckSignature
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import MovePlayed, Sealed, sealed_statement
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.matches import Signer
from keylore_domain.engine.receipts import (
    Receipt,
    asked_digests,
    receipt_of,
    record_difference,
    signature_flaw,
    signed_receipt,
)
from keylore_domain.engine.records import Catalog
from keylore_domain.errors import ReplayMismatchError
from keylore_services.arbiter.keys import is_signature


class Flaw(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with receipt number ``place`` (from 1)."""

    place: int
    match: str
    event: int
    reason: str


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What a check of receipts found.

    Attributes:
        receipts: how many were checked.
        matches: the matches that they are about.
        keys: the public keys that signed them.
        compared: how many were compared with the record of their match.
        flaws: what is wrong, in the order of the receipts.
    """

    receipts: int
    matches: tuple[str, ...]
    keys: tuple[str, ...]
    compared: int
    flaws: tuple[Flaw, ...]


def last_receipts(
    match: str, rows: Sequence[Row], signer: Signer, games: Catalog = catalog.game
) -> tuple[Receipt, ...]:
    """The last receipt of each seat of a recorded match, signed as it was given.

    Each stands for the whole record up to its move. There is none if *signer* did not seal this very record:
    nothing is signed that was not signed before.
    """
    try:
        asked = asked_digests(match, rows, games)
    except ReplayMismatchError:
        return ()
    events = [decode_event(topic, state) for _, topic, state in rows]
    if not _is_sealed_by(match, events, signer.public_key):
        return ()
    last: dict[int, Receipt] = {}
    for event, (_, _, state) in zip(events, rows, strict=True):
        if isinstance(event, MovePlayed):
            last[event.seat] = receipt_of(event, asked[event.prompt], sha256_hex(state))
    return tuple(signed_receipt(last[seat], signer) for seat in sorted(last))


def _is_sealed_by(match: str, events: Sequence[Event], key: str) -> bool:
    seal = events[-1] if events else None
    if not isinstance(seal, Sealed) or (seal.key, seal.head) != (key, seal.prev):
        return False
    statement = sealed_statement(match, seal.originator_version - 1, seal.head, seal.seed)
    return is_signature(key, statement, seal.signature)


def check_receipts(
    receipts: Sequence[Receipt],
    records: Mapping[str, Sequence[Row]],
    *,
    key: str | None = None,
    games: Catalog = catalog.game,
    check: CheckSignature = is_signature,
) -> Findings:
    """Check signatures, and that the *records* (the stored events by match) hold what the receipts say.

    What was asked is compared too, if the record can be played by the rules that it names; whether it can is
    for an audit.

    Args:
        key: the public key that must have signed; any by default.
    """
    asked = {match: _asked(match, rows, games) for match, rows in records.items()}
    first: dict[tuple[str, int], Receipt] = {}
    flaws: list[Flaw] = []
    for place, receipt in enumerate(receipts, 1):
        reasons = [signature_flaw(receipt, check, key)]
        known = first.setdefault((receipt.match, receipt.event), receipt)
        if known.statement != receipt.statement:
            reasons.append("another receipt for this event says something else")
        if receipt.match in records:
            reasons.extend(_differences(receipt, records[receipt.match], asked[receipt.match]))
        found = "; ".join(reason for reason in reasons if reason)
        if found:
            flaws.append(Flaw(place=place, match=receipt.match, event=receipt.event, reason=found))
    return Findings(
        receipts=len(receipts),
        matches=tuple(dict.fromkeys(receipt.match for receipt in receipts)),
        keys=tuple(dict.fromkeys(receipt.key for receipt in receipts)),
        compared=sum(receipt.match in records for receipt in receipts),
        flaws=tuple(flaws),
    )


def _differences(receipt: Receipt, rows: Sequence[Row], asked: Mapping[int, str]) -> Iterator[str]:
    yield record_difference(receipt, rows)
    by_rules = asked.get(receipt.prompt, receipt.asked)
    if by_rules != receipt.asked:
        yield f"prompt {receipt.prompt} was another one by the rules ({by_rules}, not {receipt.asked})"


def _asked(match: str, rows: Sequence[Row], games: Catalog) -> Mapping[int, str]:
    try:
        return asked_digests(match, rows, games)
    except ReplayMismatchError:
        return {}
