"""The arbiter's secrets: its signing key, and the key behind the seeds of its matches.

Both are made on first start and lie in one folder that only the owner may read. They are never logged.
"""

import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from keylore_domain.engine import chance
from keylore_domain.errors import LedgerError

_KEY_BYTES = 32


class KeyRing:
    """Signs sealed matches and makes match seeds.

    The key behind a match seed is the arbiter's secret, or, for reproducible tournaments, the text that the
    organiser published.
    """

    def __init__(self, signing_key: bytes, chance_key: bytes) -> None:
        self._signer = Ed25519PrivateKey.from_private_bytes(signing_key)
        self._chance_key = chance_key

    @classmethod
    def in_folder(cls, folder: Path) -> "KeyRing":
        """The keys in *folder*; made there on first use.

        Raises:
            LedgerError: a key file cannot be read or written, or is damaged.
        """
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return cls(_key(folder / "signing.key"), _key(folder / "chance.key"))
        except (OSError, ValueError) as error:
            msg = f"the keys in {folder} cannot be used: {error}"
            raise LedgerError(msg) from error

    @property
    def public_key(self) -> str:
        """The raw Ed25519 public key, 64 hexadecimal digits."""
        return self._signer.public_key().public_bytes_raw().hex()

    def sign(self, statement: bytes) -> str:
        """The Ed25519 signature over *statement*, 128 hexadecimal digits."""
        return self._signer.sign(statement).hex()

    def match_seed(self, name: str, public_seed: str | None = None) -> bytes:
        """The seed of a match, or of a deal that matches share, 32 bytes; the same on every call."""
        key = self._chance_key if public_seed is None else public_seed.encode()
        return chance.match_seed(key, name)


def is_signature(key: str, statement: bytes, signature: str) -> bool:
    """Whether *signature* over *statement* is by the Ed25519 public *key* (both hexadecimal)."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), statement)
    except (InvalidSignature, ValueError):
        return False
    return True


def _key(path: Path) -> bytes:
    try:
        return _read(path)
    except FileNotFoundError:
        draft = path.with_suffix(f".{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(_KEY_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)  # fails if another process was first: its key is the key
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        return _read(path)


def _read(path: Path) -> bytes:
    key = bytes.fromhex(path.read_text().strip())
    if len(key) != _KEY_BYTES:
        msg = f"{path.name} does not hold {_KEY_BYTES} bytes"
        raise ValueError(msg)
    return key
