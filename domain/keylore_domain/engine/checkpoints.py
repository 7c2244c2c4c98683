"""Checkpoints: signed heads of a transparency log, as public notes that other tools can read.

The formats are C2SP's: the text of a checkpoint (``c2sp.org/tlog-checkpoint``) is three lines, origin, number
of leaves, and root in base64; a note (``c2sp.org/signed-note``) is a text, an empty line, and one signature
line per key. A key is known by name and id; as text it is written ``NAME+ID+BASE64``. A witness that has
checked that a checkpoint continues what it saw before adds a line of its own
(``c2sp.org/tlog-cosignature``), which holds the time too.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import msgspec

from keylore_domain.engine.merkle import HASH_BYTES
from keylore_domain.errors import DataFileError

CheckSignature = Callable[[str, bytes, str], bool]

MAX_NOTE: Final = 65_536  # characters

_ED25519: Final = b"\x01"
_COSIGNATURE: Final = b"\x04"
_TIME_BYTES: Final = 8
_NAME: Final = re.compile(r"[^\s+\x00-\x1f]+")
_SIGNATURE: Final = re.compile(r"— ([^\s+\x00-\x1f]+) ([A-Za-z0-9+/]+=*)")
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


class NoteSigner(Protocol):
    """Signs notes with Ed25519."""

    @property
    def public_key(self) -> str:
        """The raw public key, hexadecimal."""

    def sign(self, statement: bytes) -> str:
        """The signature over *statement*, hexadecimal."""


class NoteKey(msgspec.Struct, frozen=True):
    """A public key that is expected under a note: its name, and the raw Ed25519 key, hexadecimal.

    ``is_witness``: whether it signs as a witness does, with the time.
    """

    name: str
    key: str
    is_witness: bool = False

    def __str__(self) -> str:
        """As other tools take it: ``NAME+ID+BASE64``."""
        material = _text(self._material)
        return f"{self.name}+{self.id.hex()}+{material}"

    @property
    def id(self) -> bytes:
        """The four bytes by which signature lines name the key."""
        return hashlib.sha256(self.name.encode() + b"\n" + self._material).digest()[:4]

    @property
    def _material(self) -> bytes:
        return (_COSIGNATURE if self.is_witness else _ED25519) + bytes.fromhex(self.key)

    @classmethod
    def parse(cls, text: str) -> "NoteKey":
        """The key that *text* writes.

        Raises:
            DataFileError: it is not ``NAME+ID+BASE64`` of an Ed25519 key.
        """
        name, _, rest = text.partition("+")
        _, _, material = rest.partition("+")
        raw = _bytes(material)
        kinds = (_ED25519, _COSIGNATURE)
        if _NAME.fullmatch(name) and raw is not None and len(raw) == 33 and raw[:1] in kinds:
            found = cls(name, raw[1:].hex(), is_witness=raw[:1] == _COSIGNATURE)
            if str(found) == text:
                return found
        raise DataFileError("key", f"{text!r} is not NAME+ID+BASE64 of an Ed25519 key")


class Checkpoint(msgspec.Struct, frozen=True):
    """The head of a log: ``size`` leaves have this ``root``."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{_text(self.root)}\n"


def text_of(note: str) -> str:
    """The text of a note, whoever has signed it; of something else, whatever comes out."""
    return note.rpartition("\n\n")[0] + "\n"


def signed_note(text: str, name: str, *signers: NoteSigner) -> str:
    """The note that *signers* make of *text* under *name*, a line each."""
    lines = []
    for signer in signers:
        key = NoteKey(name, signer.public_key)
        blob = key.id + bytes.fromhex(signer.sign(text.encode()))
        lines.append(f"— {name} {_text(blob)}\n")
    return f"{text}\n{''.join(lines)}"


def opened_note(note: str, key: NoteKey, check: CheckSignature) -> str:
    """The text of *note*, if *key* has signed it.

    Signatures by other keys are passed over.

    Raises:
        DataFileError: it is no note, *key* has not signed it, or its signature does not fit.
    """
    text, blobs = _signed_by(note, key)
    if not all(check(key.key, text.encode(), blob[4:].hex()) for blob in blobs):
        raise DataFileError("signatures", f"the one by {key.name} does not fit")
    return text


def opened_checkpoint(note: str, key: NoteKey, check: CheckSignature) -> Checkpoint:
    """The checkpoint that *note* holds, if *key* has signed it and it is of the log of that name.

    Raises:
        DataFileError: it is not; names the line.
    """
    found = parsed_checkpoint(opened_note(note, key, check))
    if found.origin != key.name:
        raise DataFileError("line 1", f"the log is {found.origin!r}, not {key.name!r}")
    return found


def parsed_checkpoint(text: str) -> Checkpoint:
    """The checkpoint that the *text* of a note writes; lines after the third are passed over.

    Raises:
        DataFileError: it is not one; names the line.
    """
    lines = text.split("\n")
    if len(lines) < 4 or not all(lines[:-1]) or lines[-1]:
        raise DataFileError("checkpoint", "is not three or more lines: origin, size, root")
    origin, size, root = lines[:3]
    if not _SIZE.fullmatch(size):
        raise DataFileError("line 2", f"{size[:40]!r} is not a number of leaves")
    raw = _bytes(root)
    if raw is None or len(raw) != HASH_BYTES:
        raise DataFileError("line 3", f"{root[:80]!r} is not a root hash in base64")
    return Checkpoint(origin, int(size), raw)


def cosigned(text: str, name: str, signer: NoteSigner, time: int) -> str:
    """The signature line, without line end, that the witness *name* adds to the checkpoint *text*.

    Args:
        time: when it had checked that the checkpoint continues the last one that it saw, in seconds since
            1970.
    """
    key = NoteKey(name, signer.public_key, is_witness=True)
    signature = bytes.fromhex(signer.sign(_witnessed(text, time)))
    return f"— {key.name} {_text(key.id + time.to_bytes(_TIME_BYTES, 'big') + signature)}"


def cosigned_at(note: str, witness: NoteKey, check: CheckSignature) -> int:
    """When *witness* has cosigned *note*, in seconds since 1970.

    Raises:
        DataFileError: it is no note, *witness* has not cosigned it, or its cosignature does not fit.
    """
    text, blobs = _signed_by(note, witness)
    for blob in blobs:
        begin = len(witness.id) + _TIME_BYTES
        time = int.from_bytes(blob[len(witness.id) : begin], "big")
        if check(witness.key, _witnessed(text, time), blob[begin:].hex()):
            return time
    raise DataFileError("signatures", f"the one by {witness.name} does not fit")


def with_cosignature(note: str, line: str) -> str:
    """*note* with one more signature line, unless it has it already."""
    return note if f"\n{line}\n" in note else f"{note}{line}\n"


def expect_witnesses(
    note: str, witnesses: Sequence[NoteKey], quorum: int, check: CheckSignature
) -> tuple[NoteKey, ...]:
    """Those of the *witnesses* that have cosigned *note*.

    Raises:
        DataFileError: they are fewer than *quorum*; names those that are missing.
    """
    reasons = []
    found = []
    for witness in dict.fromkeys(witnesses):
        try:
            cosigned_at(note, witness, check)
            found.append(witness)
        except DataFileError as error:
            reasons.append(str(error))
    if len(found) < quorum:
        missing = "; ".join(reasons)
        raise DataFileError("witnesses", f"{len(found)} of the {quorum} needed have cosigned it: {missing}")
    return tuple(found)


def _witnessed(text: str, time: int) -> bytes:
    """What a witness signs."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def _signed_by(note: str, key: NoteKey) -> tuple[str, list[bytes]]:
    """The text of *note*, and its signatures by *key*, of which there is one at least.

    Raises:
        DataFileError: there is none, or it is no note.
    """
    text, signatures = _parts(note)
    blobs = [blob for name, blob in signatures if (name, blob[:4]) == (key.name, key.id)]
    if not blobs:
        raise DataFileError("signatures", f"none is by {key}")
    return text, blobs


def _parts(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """The text of a note, and name and bytes of each signature."""
    head, gap, tail = note.rpartition("\n\n")
    if not gap or not tail.endswith("\n") or len(note) > MAX_NOTE:
        raise DataFileError("note", "is not a text, an empty line and signature lines")
    signatures = []
    for line in tail[:-1].split("\n"):
        found = _SIGNATURE.fullmatch(line)
        blob = _bytes(found[2]) if found else None
        if found is None or blob is None or len(blob) < 5:
            raise DataFileError("note", f"{line[:80]!r} is not a signature line")
        signatures.append((found[1], blob))
    return head + "\n", signatures


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes | None:
    """What *text* writes in base64; ``None`` if it is not the one way to write it."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if _text(data) == text else None
