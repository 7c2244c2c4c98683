"""Checkpoints: signed heads of a transparency log, as public notes that other tools can read.

The formats are C2SP's: the text of a checkpoint (``c2sp.org/tlog-checkpoint``) is three lines, origin, number
of leaves, and root in base64; a note (``c2sp.org/signed-note``) is a text, an empty line, and one signature
line per key. A key is known by name and id; as text it is written ``NAME+ID+BASE64``.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from keylore_domain.engine.merkle import HASH_BYTES
from keylore_domain.errors import DataFileError

CheckSignature = Callable[[str, bytes, str], bool]

MAX_NOTE: Final = 65_536  # characters

_ED25519: Final = b"\x01"
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
    """A public key that is expected under a note: its name, and the raw Ed25519 key, hexadecimal."""

    name: str
    key: str

    def __str__(self) -> str:
        """As other tools take it: ``NAME+ID+BASE64``."""
        material = _text(_ED25519 + bytes.fromhex(self.key))
        return f"{self.name}+{self.id.hex()}+{material}"

    @property
    def id(self) -> bytes:
        """The four bytes by which signature lines name the key."""
        full = hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + bytes.fromhex(self.key))
        return full.digest()[:4]

    @classmethod
    def parse(cls, text: str) -> "NoteKey":
        """The key that *text* writes.

        Raises:
            DataFileError: it is not ``NAME+ID+BASE64`` of an Ed25519 key.
        """
        name, _, rest = text.partition("+")
        _, _, material = rest.partition("+")
        raw = _bytes(material)
        if _NAME.fullmatch(name) and raw is not None and len(raw) == 33 and raw[:1] == _ED25519:
            found = cls(name, raw[1:].hex())
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


def signed_note(text: str, name: str, signer: NoteSigner) -> str:
    """The note that *signer* makes of *text* under *name*."""
    key = NoteKey(name, signer.public_key)
    blob = key.id + bytes.fromhex(signer.sign(text.encode()))
    return f"{text}\n— {name} {_text(blob)}\n"


def opened_note(note: str, key: NoteKey, check: CheckSignature) -> str:
    """The text of *note*, if *key* has signed it.

    Signatures by other keys are passed over.

    Raises:
        DataFileError: it is no note, *key* has not signed it, or its signature does not fit.
    """
    text, signatures = _parts(note)
    blobs = [blob for name, blob in signatures if (name, blob[:4]) == (key.name, key.id)]
    if not blobs:
        raise DataFileError("signatures", f"none is by {key}")
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
