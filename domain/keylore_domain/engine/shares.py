"""Shares: a seed that nobody chose.

The arbiter is committed to its own share of a match's seed before any seat gives one. Each seat commits to
a share and reveals it only when all commitments are stored; the seed is the hash of all shares, and of a
public beacon value if there is one. ``docs/chance.md`` specifies the texts that are hashed, and says why a
seat gains nothing by keeping its share back.
"""

import hashlib
from collections.abc import Sequence

import msgspec

from keylore_domain.engine.encoding import is_hex, sha256_hex
from keylore_domain.errors import DataFileError

SHARE_DIGITS = 64

NOTHING = ""
"""Stands for the commitment or the share of a seat that gave none."""

_BEACON_DIGITS = range(32, 513)
_SOURCE_LENGTH = 200


class Beacon(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A public value that nobody could know beforehand.

    ``value``: 32 to 512 small hexadecimal digits. ``source``: where anybody can look it up, in words.
    """

    value: str
    source: str


def checked_beacon(beacon: Beacon) -> Beacon:
    """*beacon*, if it can be mixed into a seed.

    Raises:
        DataFileError: it cannot.
    """
    if len(beacon.value) not in _BEACON_DIGITS or not is_hex(beacon.value, len(beacon.value)):
        raise DataFileError("value", f"{beacon.value[:80]!r} is not 32 to 512 small hexadecimal digits")
    if not beacon.source.isprintable() or not 0 < len(beacon.source) <= _SOURCE_LENGTH:
        problem = f"{beacon.source[:80]!r} is not 1 to {_SOURCE_LENGTH} printable characters"
        raise DataFileError("source", problem)
    return beacon


def share_commitment(match_id: str, seat: int, share: str) -> str:
    """What a seat says before it reveals its *share* (64 hexadecimal digits).

    Match and seat are part of it, so that nobody can hand in the commitment of somebody else.
    """
    return sha256_hex(f"keylore.share/1\n{match_id}\n{seat}\n{share}\n".encode())


def is_revealed(match_id: str, seat: int, commitment: str, said: str) -> bool:
    """Whether what a seat *said* is the share to which it committed."""
    return is_hex(said, SHARE_DIGITS) and share_commitment(match_id, seat, said) == commitment


def counted_shares(match_id: str, commitments: Sequence[str], said: Sequence[str]) -> tuple[str, ...]:
    """The shares that count, by seat: `NOTHING` where what was *said* is not what was committed to."""
    return tuple(
        share if is_revealed(match_id, seat, commitment, share) else NOTHING
        for seat, (commitment, share) in enumerate(zip(commitments, said, strict=True))
    )


def combined_seed(name: str, arbiter: bytes, shares: Sequence[str], beacon: Beacon | None) -> bytes:
    """The seed that all shares make together.

    Args:
        name: the id of the match, or the label of its deal.
        arbiter: the arbiter's share.
        shares: those of the seats that count, as hexadecimal digits; `NOTHING` for a seat without one.
    """
    lines = ["keylore.match-seed/2", name, f"arbiter {arbiter.hex()}"]
    lines += [f"seat {seat} {share or '-'}" for seat, share in enumerate(shares)]
    lines.append(f"beacon {beacon.value} {beacon.source}" if beacon else "beacon -")
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()
