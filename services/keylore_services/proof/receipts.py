"""Receipts that somebody kept, checked against each other and against the records of their matches."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from keylore_domain import catalog
from keylore_domain.engine.checkpoints import CheckSignature
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.receipts import Receipt, asked_digests, record_difference, signature_flaw
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
