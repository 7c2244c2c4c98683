"""Chance: every random outcome of a match, by label.

Each draw has a label (``deck.spells``) and an index: how many draws with that label came before it in the
match. Label, index and the match seed alone decide the outcome, so a branch of a match keeps every draw
that it does not touch. ``docs/chance.md`` specifies the derivation well enough to redo it elsewhere.

Three sources share one interface: `LiveChance` derives and records, `RecordedChance` reads a record
(rebuild), `AuditedChance` derives, compares with a record, and raises where they differ.
"""

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeVar

import msgspec

from keylore_domain.errors import ReplayMismatchError

T = TypeVar("T")

DOMAIN = b"keylore.chance/1"
SEED_BYTES = 32
_SEED_DOMAIN = b"keylore.match-seed/1\0"
_WORD = 1 << 64


class Draw(msgspec.Struct, frozen=True):
    """One recorded draw.

    ``below``: ``values`` is one number in 0 ... n-1. ``shuffle``: ``values`` is the new order, as positions
    in the old one.
    """

    label: str
    index: int
    kind: Literal["below", "shuffle"]
    n: int
    values: tuple[int, ...]


def words(seed: bytes, label: str, index: int) -> Iterator[int]:
    """The endless stream of unsigned 64-bit words behind draw *index* of *label*.

    Block j is HMAC-SHA256 with key *seed* over ``"keylore.chance/1" 0x00 label 0x00 index j`` (index and j as
    8 bytes, big-endian); each block gives four words, big-endian.
    """
    head = DOMAIN + b"\0" + label.encode() + b"\0" + index.to_bytes(8, "big")
    block = 0
    while True:
        data = hmac.digest(seed, head + block.to_bytes(8, "big"), "sha256")
        for at in range(0, 32, 8):
            yield int.from_bytes(data[at : at + 8], "big")
        block += 1


def _below(stream: Iterator[int], n: int) -> int:
    limit = _WORD - _WORD % n
    return next(word for word in stream if word < limit) % n


def derive(seed: bytes, label: str, index: int, kind: Literal["below", "shuffle"], n: int) -> Draw:
    """The draw that *seed* gives: ``below`` by rejection sampling, ``shuffle`` by Fisher-Yates."""
    stream = words(seed, label, index)
    if kind == "below":
        return Draw(label, index, kind, n, (_below(stream, n),))
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        pick = _below(stream, last + 1)
        order[last], order[pick] = order[pick], order[last]
    return Draw(label, index, kind, n, tuple(order))


def commitment(seed: bytes) -> str:
    """What is published before a match so that its *seed* cannot be changed later; 64 hexadecimal digits."""
    return hashlib.sha256(b"keylore.seed/1\0" + seed).hexdigest()


def match_seed(key: bytes, name: str) -> bytes:
    """The seed of a match: HMAC-SHA256 with *key* over ``"keylore.match-seed/1" 0x00 name``.

    *name* is the id of the match, or the label of a deal that it shares with others.

    *key* is the arbiter's secret, or the UTF-8 bytes of the text that the organiser published.
    """
    return hmac.digest(key, _SEED_DOMAIN + name.encode(), "sha256")


class Chance(ABC):
    """The source of all random outcomes while one move (or the set-up) is carried out."""

    def __init__(self, drawn: Mapping[str, int] | None = None) -> None:
        self.drawn: dict[str, int] = dict(drawn or {})
        self.draws: list[Draw] = []

    def below(self, label: str, n: int) -> int:
        """A number in 0 ... n-1, each equally likely."""
        return self._draw(label, "below", n).values[0]

    def pick(self, label: str, items: Sequence[T]) -> T:
        """One of *items*, each equally likely."""
        return items[self.below(label, len(items))]

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """*items* in a new order, each order equally likely."""
        return tuple(items[at] for at in self._draw(label, "shuffle", len(items)).values)

    def _draw(self, label: str, kind: Literal["below", "shuffle"], n: int) -> Draw:
        assert n > 0 or kind == "shuffle"
        index = self.drawn.get(label, 0)
        draw = self._next(label, index, kind, n)
        self.drawn[label] = index + 1
        self.draws.append(draw)
        return draw

    @abstractmethod
    def _next(self, label: str, index: int, kind: Literal["below", "shuffle"], n: int) -> Draw: ...


class LiveChance(Chance):
    """Derives each draw from the seed of the match."""

    def __init__(self, seed: bytes, drawn: Mapping[str, int] | None = None) -> None:
        super().__init__(drawn)
        assert len(seed) == SEED_BYTES
        self._seed = seed

    def _next(self, label: str, index: int, kind: Literal["below", "shuffle"], n: int) -> Draw:
        return derive(self._seed, label, index, kind, n)


class RecordedChance(Chance):
    """Reads the draws of a stored event.

    Raises:
        ReplayMismatchError: the rules ask for a draw that was not recorded, or in another form.
    """

    def __init__(self, record: Sequence[Draw], drawn: Mapping[str, int] | None = None) -> None:
        super().__init__(drawn)
        self._record = list(record)

    def _next(self, label: str, index: int, kind: Literal["below", "shuffle"], n: int) -> Draw:
        at = len(self.draws)
        asked = f"draw {label}#{index} ({kind} {n})"
        if at >= len(self._record):
            msg = f"{asked} is not in the record"
            raise ReplayMismatchError(msg)
        draw = self._record[at]
        if (draw.label, draw.index, draw.kind, draw.n) != (label, index, kind, n):
            msg = f"{asked} is recorded as {draw.label}#{draw.index} ({draw.kind} {draw.n})"
            raise ReplayMismatchError(msg)
        _check_shape(draw)
        return draw

    def finish(self) -> None:
        """Raise ReplayMismatchError if the record holds draws that nobody asked for."""
        if len(self.draws) != len(self._record):
            extra = self._record[len(self.draws)]
            msg = f"draw {extra.label}#{extra.index} is recorded but the rules do not ask for it"
            raise ReplayMismatchError(msg)


class AuditedChance(RecordedChance):
    """Reads the record and compares each draw with what the revealed seed gives."""

    def __init__(self, seed: bytes, record: Sequence[Draw], drawn: Mapping[str, int] | None = None) -> None:
        super().__init__(record, drawn)
        self._seed = seed

    def _next(self, label: str, index: int, kind: Literal["below", "shuffle"], n: int) -> Draw:
        draw = super()._next(label, index, kind, n)
        if draw != derive(self._seed, label, index, kind, n):
            msg = f"draw {label}#{index} does not follow from the revealed seed"
            raise ReplayMismatchError(msg)
        return draw


def _check_shape(draw: Draw) -> None:
    if draw.kind == "below":
        good = len(draw.values) == 1 and 0 <= draw.values[0] < draw.n
    else:
        good = sorted(draw.values) == list(range(draw.n))
    if not good:
        msg = f"draw {draw.label}#{draw.index} has values that cannot be drawn"
        raise ReplayMismatchError(msg)
