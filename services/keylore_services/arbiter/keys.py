"""The arbiter's secrets: the keys it signs with, and those behind its shares of seeds.

They come in pairs, one pair for each period of the arbiter; the newest serves new matches, the older ones the
matches that were opened under them. All lie in one folder that only the owner may read, and are never logged.
"""

import os
import secrets
from pathlib import Path
from typing import Final

import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from keylore_domain.engine import chance
from keylore_domain.engine.keyhistory import chance_commitment, key_id
from keylore_domain.errors import LedgerError

log = structlog.get_logger()

_KEY_BYTES: Final = 32
_OTHERS: Final = 0o077  # what group and world may do


class KeyPair:
    """The keys of one period: one signs records, the other is behind the arbiter's shares of seeds.

    Attributes:
        public_key: the raw Ed25519 public key, 64 hexadecimal digits.
        chance: the commitment to the chance key.
    """

    def __init__(self, signing_key: bytes, chance_key: bytes) -> None:
        self._signer = Ed25519PrivateKey.from_private_bytes(signing_key)
        self._secret = chance_key
        self.public_key = self._signer.public_key().public_bytes_raw().hex()
        self.chance = chance_commitment(chance_key)

    def sign(self, statement: bytes) -> str:
        """The Ed25519 signature over *statement*, 128 hexadecimal digits."""
        return self._signer.sign(statement).hex()

    def share(self, name: str) -> bytes:
        """The arbiter's share of the seed of that name, 32 bytes; the same on every call."""
        return chance.match_seed(self._secret, name)

    def reveal(self) -> bytes:
        """The chance key itself, to be revealed when no match of its period is left."""
        return self._secret


class KeyRing:
    """Signs, and makes shares of seeds, with the pair of the present period; knows the older pairs too.

    For reproducible tournaments a share is made of the text that the organiser published.

    Attributes:
        older: the pairs of earlier periods, the oldest first.
    """

    def __init__(self, signing_key: bytes, chance_key: bytes, older: tuple[KeyPair, ...] = ()) -> None:
        self._current = KeyPair(signing_key, chance_key)
        self.older = older

    @classmethod
    def in_folder(cls, folder: Path, periods: int | None = None) -> "KeyRing":
        """The keys in *folder*; the first pair is made there on first use.

        Args:
            periods: how many pairs there must be; by default all that are there.

        Raises:
            LedgerError: a key file is missing, cannot be read or written, is open to others, or is damaged.
        """
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _close_to_others(folder)
            found = [(_key(folder / _name("signing", 1)), _key(folder / _name("chance", 1)))]
            while len(found) != periods:
                files = [folder / _name(kind, len(found) + 1) for kind in ("signing", "chance")]
                if periods is None and not all(file.exists() for file in files):
                    break
                found.append((_read(files[0]), _read(files[1])))
        except (OSError, ValueError) as error:
            msg = f"the keys in {folder} cannot be used: {error}"
            raise LedgerError(msg) from error
        return cls(*found[-1], tuple(KeyPair(*pair) for pair in found[:-1]))

    @property
    def public_key(self) -> str:
        """The public key of the present period."""
        return self._current.public_key

    @property
    def chance(self) -> str:
        """The commitment to the chance key of the present period."""
        return self._current.chance

    @property
    def log_name(self) -> str:
        """The name of the transparency log; it stays when keys are rotated."""
        first = (*self.older, self._current)[0]
        return f"keylore/{key_id(first.public_key)}"

    def sign(self, statement: bytes) -> str:
        """The signature over *statement* by the key of the present period."""
        return self._current.sign(statement)

    def pair(self, key: str) -> KeyPair:
        """The pair of a public key.

        Raises:
            LedgerError: it is not in this folder.
        """
        for pair in (self._current, *self.older):
            if pair.public_key == key:
                return pair
        msg = (
            f"the key {key_id(key)} is not here; put the keys folder that belongs to this ledger back, or "
            "abort the match"
        )
        raise LedgerError(msg)

    def match_seed(self, name: str, public_seed: str | None = None) -> bytes:
        """The arbiter's share of the seed of a match, or of a deal that matches share."""
        if public_seed is None:
            return self._current.share(name)
        return chance.match_seed(public_seed.encode(), name)


def next_pair(folder: Path, number: int) -> KeyPair:
    """The pair of period *number*, made in *folder* unless it is there: nothing was signed with it yet.

    Raises:
        LedgerError: its files cannot be read or written.
    """
    try:
        return KeyPair(_key(folder / _name("signing", number)), _key(folder / _name("chance", number)))
    except (OSError, ValueError) as error:
        msg = f"the keys in {folder} cannot be used: {error}"
        raise LedgerError(msg) from error


def is_signature(key: str, statement: bytes, signature: str) -> bool:
    """Whether *signature* over *statement* is by the Ed25519 public *key* (both hexadecimal)."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), statement)
    except (InvalidSignature, ValueError):
        return False
    return True


def _name(kind: str, number: int) -> str:
    return f"{kind}.key" if number == 1 else f"{kind}.{number}.key"


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
    _close_to_others(path)
    text = path.read_text().strip()
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != _KEY_BYTES:
        msg = f"{path.name} does not hold {_KEY_BYTES} bytes"
        raise ValueError(msg)
    return key


def _close_to_others(path: Path) -> None:
    """Take away what others may do to a key file or its folder; OSError if that is not possible."""
    mode = path.stat().st_mode
    if mode & _OTHERS:
        path.chmod(mode & ~_OTHERS & 0o777)
        log.warning("key_was_open_to_others", file=str(path), was=f"{mode & 0o777:03o}", hint="rotate it")
