"""Canonical encoding: the same value gives the same bytes, on every machine, for ever.

JSON for everything that is stored or sent (a stranger can read it); MessagePack for the state digest, where
nobody reads it and speed counts. Structs encode their fields in the order of their declaration; keys of
mappings are sorted.
"""

import hashlib
import hmac
from typing import Any

import msgspec

_JSON = msgspec.json.Encoder(order="deterministic")
_MSGPACK = msgspec.msgpack.Encoder(order="deterministic")

DIGEST_DOMAIN = b"keylore.state/1"


def canonical_json(value: object) -> bytes:
    """*value* as canonical JSON: UTF-8, no white space, sorted mapping keys."""
    return _JSON.encode(value)


def sha256_hex(data: bytes) -> str:
    """SHA-256 of *data*, 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def is_hex(text: str, digits: int) -> bool:
    """Whether *text* is that many small hexadecimal digits: one value, one spelling."""
    return len(text) == digits and all(digit in "0123456789abcdef" for digit in text)


def digest_key(seed: bytes) -> bytes:
    """The key of the state digests of a match; derived from its *seed* (32 bytes)."""
    return hmac.digest(seed, DIGEST_DOMAIN, "sha256")


def state_digest(state: Any, key: bytes) -> str:
    """Keyed digest of a whole position, 64 hexadecimal digits.

    It is keyed with a secret of the match until the seed is revealed: a plain hash would let a bot test
    guesses about hidden components against it.
    """
    return hmac.digest(key, _MSGPACK.encode(state), "sha256").hex()
