"""Heads of the transparency log: which checkpoints were signed, and where a record stands in the log.

Each sealed match and each event of a tournament is a leaf, in the order of storing. A leaf names one stored
event by id, version and digest; with the chain it stands for the whole record up to that event.
"""

from typing import Final

import msgspec

from keylore_domain.engine.aggregates import Aggregate, Event, topic
from keylore_domain.engine.checkpoints import CheckSignature, NoteKey, opened_checkpoint, parsed_checkpoint
from keylore_domain.engine.merkle import HASH_BYTES, leaf_hash, verify_inclusion
from keylore_domain.errors import ConflictError, DataFileError

LOG_ID: Final = "log/heads"


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


class Heads(Aggregate):
    """The checkpoints that were signed, so that none is ever signed that contradicts them.

    Attributes:
        latest: the last one; ``None`` before the first.
    """

    def __init__(self, aggregate_id: str = LOG_ID) -> None:
        super().__init__(aggregate_id)
        self.latest: CheckpointSigned | None = None

    def sign(self, note: str, at: int) -> None:
        """Record the signed checkpoint *note*.

        Raises:
            DataFileError: it is not a checkpoint.
            ConflictError: it is for fewer leaves than the last one.
        """
        head = parsed_checkpoint(note.rpartition("\n\n")[0] + "\n")
        if self.latest is not None and head.size < self.latest.size:
            msg = (
                f"a checkpoint of {self.latest.size} leaves was signed; the log cannot shrink to {head.size}"
            )
            raise ConflictError(msg)
        self.record(CheckpointSigned(**self.stamp(at), size=head.size, root=head.root.hex(), note=note))

    def apply(self, event: Event) -> None:
        """Take over what *event* says."""
        assert isinstance(event, CheckpointSigned)
        self.latest = event
