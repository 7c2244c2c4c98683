"""Heads of the transparency log: which checkpoints were signed, and where a record stands in the log.

Each sealed match and each event of a tournament is a leaf, in the order of storing. A leaf names one stored
event by id, version and digest; with the chain it stands for the whole record up to that event.
"""

from typing import Final

import msgspec

from keylore_domain.engine.aggregates import Aggregate, Event, topic
from keylore_domain.engine.checkpoints import (
    CheckSignature,
    NoteKey,
    cosigned_at,
    opened_checkpoint,
    parsed_checkpoint,
    text_of,
    with_cosignature,
)
from keylore_domain.engine.merkle import HASH_BYTES, leaf_hash, verify_inclusion
from keylore_domain.errors import ConflictError, DataFileError, NotFoundError

LOG_ID: Final = "log/heads"

MOST_HEADS: Final = 1_000
"""Heads that can still be cosigned: the last ones."""

MOST_WITNESSES: Final = 100
"""Cosignatures on one head."""


def leaf_data(identity: str, version: int, digest: str) -> bytes:
    """The leaf for event *version* of *identity*; *digest* is the SHA-256 of its stored bytes."""
    return f"keylore.leaf/1\n{identity}\n{version}\n{digest}\n".encode()


class LogProof(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a leaf stands in the log: its ``index``, the inclusion ``path``, and the signed ``checkpoint``.

    The hashes of the path are hexadecimal, from the leaf to the root.
    """

    index: int
    path: tuple[str, ...]
    checkpoint: str


def proof_flaw(proof: LogProof, leaf: bytes, key: str, check: CheckSignature) -> str:
    """What is wrong with *proof* for the leaf that holds *leaf*; empty if it holds.

    Args:
        key: the Ed25519 key that must have signed the checkpoint, hexadecimal.
    """
    name = proof.checkpoint.partition("\n")[0]
    try:
        head = opened_checkpoint(proof.checkpoint, NoteKey(name, key), check)
        path = [hash_of(text) for text in proof.path]
    except DataFileError as error:
        return f"the checkpoint or its path cannot be used: {error}"
    if verify_inclusion(leaf_hash(leaf), proof.index, head.size, path, head.root):
        return ""
    return f"the path does not lead from this record to the root of the {head.size} leaves of {name}"


def log_of(proof: LogProof) -> str:
    """The log and its size, in words."""
    name, size = proof.checkpoint.split("\n")[:2]
    return f"{name}, leaf {proof.index} of {size}"


def hash_of(text: str) -> bytes:
    """The hash that *text* writes.

    Raises:
        DataFileError: it is not 64 small hexadecimal digits.
    """
    if len(text) != 2 * HASH_BYTES or not set(text) <= set("0123456789abcdef"):
        raise DataFileError("path", f"{text[:80]!r} is not 64 small hexadecimal digits")
    return bytes.fromhex(text)


@topic("keylore:Log.CheckpointSigned")
class CheckpointSigned(Event, frozen=True, kw_only=True):
    """A head of the log was signed; ``note`` is the checkpoint as it was given out."""

    size: int
    root: str
    note: str


@topic("keylore:Log.CheckpointCosigned")
class CheckpointCosigned(Event, frozen=True, kw_only=True):
    """A witness has cosigned the head of this ``size``: its key, as ``NAME+ID+BASE64``, and its line."""

    size: int
    witness: str
    line: str


class Heads(Aggregate):
    """The checkpoints that were signed, so that none is ever signed that contradicts them.

    Attributes:
        latest: the last one; ``None`` before the first.
    """

    def __init__(self, aggregate_id: str = LOG_ID) -> None:
        super().__init__(aggregate_id)
        self.latest: CheckpointSigned | None = None
        self._notes: dict[int, str] = {}
        self._witnesses: dict[int, set[str]] = {}

    def sign(self, note: str, at: int) -> None:
        """Record the signed checkpoint *note*.

        Raises:
            DataFileError: it is not a checkpoint.
            ConflictError: it is for fewer leaves than the last one.
        """
        head = parsed_checkpoint(text_of(note))
        if self.latest is not None and head.size < self.latest.size:
            msg = (
                f"a checkpoint of {self.latest.size} leaves was signed; the log cannot shrink to {head.size}"
            )
            raise ConflictError(msg)
        self.record(CheckpointSigned(**self.stamp(at), size=head.size, root=head.root.hex(), note=note))

    def cosign(self, size: int, line: str, witness: NoteKey, at: int, check: CheckSignature) -> bool:
        """Record the cosignature *line* of *witness* on the head of *size* leaves; gives whether it is new.

        Raises:
            NotFoundError: no such head was signed, or it was long ago.
            DataFileError: the line is no cosignature of it by *witness*.
            ConflictError: the head has as many cosignatures as are kept.
        """
        note = self.note(size)
        cosigned_at(with_cosignature(_plain(note), line), witness, check)
        known = self._witnesses[size]
        if witness.name in known:
            return False
        if len(known) == MOST_WITNESSES:
            msg = f"the head of {size} leaves has {MOST_WITNESSES} cosignatures already"
            raise ConflictError(msg)
        self.record(CheckpointCosigned(**self.stamp(at), size=size, witness=str(witness), line=line))
        return True

    def note(self, size: int) -> str:
        """The head of *size* leaves as it was signed, with the cosignatures that it got.

        Raises:
            NotFoundError: no such head was signed, or it was long ago.
        """
        if size not in self._notes:
            msg = f"no head of {size} leaves was signed, or {MOST_HEADS} others were signed since"
            raise NotFoundError(msg)
        return self._notes[size]

    def best(self, leaf: int) -> str:
        """Of the heads that are kept and hold *leaf*, the last of those with the most cosignatures.

        Raises:
            NotFoundError: no head holds it.
        """
        holding = [size for size in self._notes if size > leaf]
        if not holding:
            msg = f"no head that was signed holds leaf {leaf}"
            raise NotFoundError(msg)
        return self._notes[max(holding, key=lambda size: (len(self._witnesses[size]), size))]

    def apply(self, event: Event) -> None:
        """Take over what *event* says."""
        if isinstance(event, CheckpointSigned):
            self.latest = event
            self._notes[event.size] = event.note
            self._witnesses[event.size] = set()
            if len(self._notes) > MOST_HEADS:
                oldest = next(iter(self._notes))
                del self._notes[oldest], self._witnesses[oldest]
        else:
            assert isinstance(event, CheckpointCosigned)
            self._notes[event.size] = with_cosignature(self._notes[event.size], event.line)
            self._witnesses[event.size].add(NoteKey.parse(event.witness).name)


def _plain(note: str) -> str:
    """A note with its first signature only."""
    text, _, signatures = note.rpartition("\n\n")
    return f"{text}\n\n{signatures.partition(chr(10))[0]}\n"
