"""Receipts: what the arbiter signs when it has stored a move, and what contradicts a receipt.

A receipt names the match, the seat, what was asked and shown, the move, its clock, and the digest of the
record up to it. Its holder can ask at any time whether the arbiter still stands by it, and gets a signed
answer. A *no*, or a second receipt for the same event with another digest, is a contradiction: both
statements are signed with one key, so whoever holds them can show them to anyone.
"""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.checkpoints import CheckSignature
from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.engine.events import MoveDefaulted, MovePlayed
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.keyhistory import checked_history
from keylore_domain.engine.matches import Signer
from keylore_domain.engine.positions import OpenPrompt
from keylore_domain.engine.records import Catalog, MatchRecord
from keylore_domain.errors import ReplayMismatchError

Cause = Literal["played", "timeout", "disconnect", "illegal", "forfeit"]

CONTRADICTION: Final = "keylore.contradiction/1"


def asked_digest(number: int, kind: str, default: int, legal: bytes, context: bytes) -> str:
    """The digest of a prompt, of the bytes that are sent: *legal* and *context* are its JSON documents."""
    text = f"keylore.prompt/1\n{number}\n{kind}\n{default}\n{sha256_hex(legal)}\n{sha256_hex(context)}\n"
    return sha256_hex(text.encode())


def prompt_digest(item: OpenPrompt) -> str:
    """The digest of an open prompt."""
    prompt = item.prompt
    legal, context = canonical_json(prompt.legal), canonical_json(prompt.context)
    return asked_digest(item.number, prompt.kind, prompt.default, legal, context)


def asked_digests(match_id: str, rows: Sequence[Row], catalog: Catalog) -> dict[int, str]:
    """The digest of every prompt of a recorded match, by number, as the rules give it.

    Raises:
        ReplayMismatchError: an event does not follow from the rules and the events before it.
    """
    record, found = MatchRecord(match_id, catalog), dict[int, str]()
    for _, topic, state in rows:
        record.replay(topic, state)
        for item in record.position.open if record.position is not None else ():
            if item.number not in found:
                found[item.number] = prompt_digest(item)
    return found


class Receipt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was stored as ``event`` of ``match``: an answer, or the default that the arbiter played.

    ``prompt`` is the number of the prompt, ``asked`` its `asked_digest`, ``view`` the SHA-256 of the view
    that was sent with it. ``choice`` is the index of the move, ``move`` the SHA-256 of the move as canonical
    JSON. ``cause`` is ``played``, or why the default was played. ``received`` is a moment and ``left`` the
    bank after the move, in microseconds. ``head`` is the digest of the stored bytes of the event; through the
    chain it stands for the whole record up to it. ``signature`` is Ed25519 by ``key``.
    """

    match: str
    seat: int
    prompt: int
    asked: str
    view: str
    cause: Cause
    choice: int
    move: str
    received: int
    left: int
    event: int
    head: str
    key: str = ""
    signature: str = ""

    @property
    def statement(self) -> bytes:
        """The bytes that are signed: a line for each field, in the order of their declaration."""
        return (
            f"keylore.receipt/1\n{self.match}\n{self.seat}\n{self.prompt}\n{self.asked}\n{self.view}\n"
            f"{self.cause}\n{self.choice}\n{self.move}\n{self.received}\n{self.left}\n{self.event}\n{self.head}\n"
        ).encode()


class Standing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether the arbiter stands by a receipt: the signed answer to one who showed its event and head.

    ``kept``: the digest of event number ``event`` of ``match`` is ``head``. It says nothing else of the
    match, so it may be given to anyone. Nobody can ask for a head before it exists, as it cannot be guessed.
    """

    match: str
    event: int
    head: str
    kept: bool
    key: str = ""
    signature: str = ""

    @property
    def statement(self) -> bytes:
        """The bytes that are signed."""
        kept = "yes" if self.kept else "no"
        return f"keylore.standing/1\n{self.match}\n{self.event}\n{self.head}\n{kept}\n".encode()


class KeyEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stored event of the history of an arbiter's keys, as it travels."""

    topic: str
    state: str


class Contradiction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A receipt and a statement of the same arbiter that cannot both be true; just one of the two is given.

    ``keys``: the history of the arbiter's keys, if the two are under different ones.
    """

    format: Literal["keylore.contradiction/1"] = CONTRADICTION
    receipt: Receipt
    standing: Standing | None = None
    other: Receipt | None = None
    keys: tuple[KeyEvent, ...] = ()


def receipt_of(event: MovePlayed, asked: str, head: str) -> Receipt:
    """The receipt for a stored *event*, not signed yet.

    Args:
        asked: the digest of the prompt that it answers.
        head: the digest of its stored bytes.
    """
    return Receipt(
        match=event.originator_id,
        seat=event.seat,
        prompt=event.prompt,
        asked=asked,
        view=event.view,
        cause=event.cause if isinstance(event, MoveDefaulted) else "played",
        choice=event.choice,
        move=sha256_hex(bytes(event.move)),
        received=event.clock.received,
        left=event.clock.left,
        event=event.originator_version,
        head=head,
    )


def signed_receipt(receipt: Receipt, signer: Signer) -> Receipt:
    """*receipt* under the signature of *signer*."""
    signature = signer.sign(receipt.statement)
    return msgspec.structs.replace(receipt, key=signer.public_key, signature=signature)


def signed_standing(standing: Standing, signer: Signer) -> Standing:
    """*standing* under the signature of *signer*."""
    signature = signer.sign(standing.statement)
    return msgspec.structs.replace(standing, key=signer.public_key, signature=signature)


def signature_flaw(signed: Receipt | Standing, check: CheckSignature, key: str | None = None) -> str:
    """What is wrong with the signature of a statement; empty if nothing.

    Args:
        key: the public key that must have signed, hexadecimal; the key that the statement names by default.
    """
    if key is not None and signed.key != key:
        return f"it is signed with {signed.key or 'no key'}, not with {key}"
    if not check(signed.key, signed.statement, signed.signature):
        return f"the signature by {signed.key or 'no key'} does not fit"
    return ""


def contradicts(receipt: Receipt, statement: Receipt | Standing) -> bool:
    """Whether *statement* cannot be true if *receipt* is, going by what they say alone."""
    if (statement.match, statement.event) != (receipt.match, receipt.event):
        return False
    if isinstance(statement, Receipt):
        return statement.statement != receipt.statement
    return statement.head == receipt.head and not statement.kept


def contradiction(
    receipt: Receipt, statement: Receipt | Standing, keys: Sequence[KeyEvent] = ()
) -> Contradiction:
    """The two put together, to be shown to others; with the history of *keys* if they have different ones."""
    shown = tuple(keys) if receipt.key != statement.key else ()
    if isinstance(statement, Receipt):
        return Contradiction(receipt=receipt, other=statement, keys=shown)
    return Contradiction(receipt=receipt, standing=statement, keys=shown)


def keys_of_one(key: str, history: Sequence[KeyEvent], check: CheckSignature) -> frozenset[str]:
    """The keys of the arbiter that has *key*: this one, and those that its *history* joins with it.

    Raises:
        ReplayMismatchError: the history is not one, or not that of this key.
    """
    if not history:
        return frozenset({key})
    rows = [(version, event.topic, event.state.encode()) for version, event in enumerate(history, 1)]
    keys = frozenset(period.key for period in checked_history(rows, check).periods)
    if key not in keys:
        msg = f"the history of keys does not hold {key}"
        raise ReplayMismatchError(msg)
    return keys


def contradiction_flaw(shown: Contradiction, check: CheckSignature, key: str | None = None) -> str:
    """Why *shown* does not convict the holder of the key; empty if it does.

    Args:
        key: the key that is accused, hexadecimal; the one under the receipt by default.
    """
    statements = [item for item in (shown.standing, shown.other) if item is not None]
    if len(statements) != 1:
        return "it must hold one statement beside the receipt"
    accused = shown.receipt.key if key is None else key
    try:
        keys = keys_of_one(accused, shown.keys, check)
    except ReplayMismatchError as error:
        return str(error)
    for name, item in (("receipt", shown.receipt), ("statement", statements[0])):
        flaw = signature_flaw(item, check, item.key if item.key in keys else accused)
        if flaw:
            return f"the {name}: {flaw}"
    return "" if contradicts(shown.receipt, statements[0]) else "the two statements agree"


def record_difference(receipt: Receipt, rows: Sequence[Row]) -> str:
    """How the record of a match differs from *receipt*; empty if it holds what the receipt says.

    What was asked is not compared: that takes the rules of the game.

    Args:
        rows: the stored events of the match, from the first on.
    """
    if not 0 < receipt.event <= len(rows):
        return f"the record ends at event {len(rows)}, before event {receipt.event}"
    version, topic, state = rows[receipt.event - 1]
    try:
        event = decode_event(topic, state)
    except ReplayMismatchError as error:
        return f"event {version} cannot be read: {error}"
    if not isinstance(event, MovePlayed):
        return f"event {version} is {type(event).__name__}, not a move"
    found = receipt_of(event, receipt.asked, sha256_hex(state))
    names = (name for name in Receipt.__struct_fields__ if name not in {"key", "signature"})
    differing = [name for name in names if getattr(found, name) != getattr(receipt, name)]
    if not differing:
        return ""
    first = differing[0]
    return (
        f"{first} of event {version} is {getattr(found, first)}, the receipt says {getattr(receipt, first)}"
    )
