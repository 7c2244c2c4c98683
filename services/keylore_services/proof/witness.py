"""A witness: cosigns the heads of a log that continue what it saw before, and no others.

Its line under a head (``c2sp.org/tlog-cosignature``) says: at this time, this was the largest head that I had
seen, and it continues all that I saw before. Whoever asks for the lines of several witnesses cannot be shown
another history than they.
"""

import os
import secrets
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keylore_domain.engine.checkpoints import NoteKey, NoteSigner, cosigned, parsed_checkpoint, text_of
from keylore_domain.errors import DataFileError
from keylore_services.proof.monitor import Observation

_KEY_BYTES: Final = 32


class FileSigner:
    """Signs with the Ed25519 key in a file that only its owner may read; made there on first use.

    Raises:
        DataFileError: the file cannot be read or written, or holds no key.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._key = Ed25519PrivateKey.from_private_bytes(_secret(path))
        except (OSError, ValueError) as error:
            raise DataFileError(str(path), f"cannot be used as a key: {error}") from error

    @property
    def public_key(self) -> str:
        """The raw public key, hexadecimal."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, statement: bytes) -> str:
        """The signature over *statement*, hexadecimal."""
        return self._key.sign(statement).hex()


class Witnessed(msgspec.Struct, frozen=True, kw_only=True):
    """What a witness found when it looked at a log.

    Attributes:
        found: how the head compares with what was seen before.
        size: the number of leaves of the head.
        witness: the key of the witness, as ``NAME+ID+BASE64``.
        line: its cosignature on the head; empty if it refuses, or was shown an older head.
    """

    found: Observation
    size: int
    witness: str
    line: str


class Witness:
    """Cosigns heads of a log that a monitor has looked at.

    Args:
        name: the name of the witness, best an address without scheme, such as ``witness.example/w1``.

    Attributes:
        key: the key under which it cosigns.

    Raises:
        DataFileError: no witness can have this name.
    """

    def __init__(self, name: str, signer: NoteSigner) -> None:
        self.key = NoteKey.parse(str(NoteKey(name, signer.public_key, is_witness=True)))
        self._signer = signer

    def cosign(self, found: Observation, time: int) -> Witnessed:
        """Cosign the head that was *found*, unless it is a fork or an older one.

        Args:
            time: when it was found, in seconds since 1970.
        """
        text = text_of(found.seen)
        refuses = found.verdict in {"fork", "behind"}
        line = "" if refuses else cosigned(text, self.key.name, self._signer, time)
        return Witnessed(found=found, size=parsed_checkpoint(text).size, witness=str(self.key), line=line)


def _secret(path: Path) -> bytes:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(_KEY_BYTES) + "\n")
    return bytes.fromhex(path.read_text().strip())
