"""Forged game files: random ones of every kind, made from a sound file, for both verifiers."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from keylore_domain.engine.checkpoints import Checkpoint, signed_note
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.heads import LogProof, leaf_data
from keylore_domain.engine.matches import Signer
from keylore_domain.engine.merkle import EMPTY_ROOT, MerkleTree, leaf_hash
from tests.services.replay.forgeries import (
    LATER,
    SEAL_ONLY,
    encoded,
    named,
    rechained,
    renumbered,
    resealed,
    some_field,
)

ORIGIN: Final = "league.example/log"


class Source(NamedTuple):
    """A sound file: its match and rows; another match with the same seats; who signs, and who must not."""

    match: str
    rows: list[Row]
    other: list[Row]
    signer: Signer
    stranger: Signer

    def log(self, size: int = 9, index: int = 4, *, signer: Signer | None = None) -> LogProof:
        """The proof of the match in a log of *size* leaves."""
        return proof_in_log(self.match, self.rows, signer or self.signer, size, index)


class ForgedFile(NamedTuple):
    """A forged file.

    Attributes:
        lines: its events, line by line.
        first: the first event that was altered.
        last: the last event that may be blamed by one who checks all rules.
        is_plain: whether one who knows no rules must find the same event.
    """

    what: str
    lines: list[bytes]
    first: int
    last: int
    log: LogProof | None
    is_plain: bool = True

    def content(self, match: str) -> bytes:
        """The bytes of the file."""
        head: dict[str, Any] = {"format": "keylore.game/2", "match": match, "producer": "a forger"}
        if self.log is not None:
            head["log"] = msgspec.to_builtins(self.log)
        return b"\n".join([encoded(head), *self.lines, b""])


def proof_in_log(match: str, rows: Sequence[Row], signer: Signer, size: int, index: int) -> LogProof:
    """A proof as a log of *size* leaves gives it."""
    tree = MerkleTree()
    for number in range(size):
        data = b"leaf %d" % number
        tree.append(leaf_hash(data if number != index else leaf_of(match, rows)))
    note = signed_note(Checkpoint(ORIGIN, size, tree.root(size)).text, ORIGIN, signer)
    path = tree.inclusion(index, size)
    return LogProof(index=index, path=tuple(step.hex() for step in path), checkpoint=note)


def leaf_of(match: str, rows: Sequence[Row]) -> bytes:
    """The leaf of a sealed match."""
    return leaf_data(match, len(rows), sha256_hex(rows[-1][2]))


def forged_files(source: Source, count: int, seed: str) -> Iterator[ForgedFile]:
    """*count* forgeries, each kind in its turn, the rest at random."""
    chance = random.Random(seed)
    for number in range(count):
        yield KINDS[number % len(KINDS)](source, chance)


def _lines(rows: Sequence[Row]) -> list[bytes]:
    return [state for _, _, state in rows]


def _made(source: Source, what: str, rows: Sequence[Row], first: int, last: int | None = None) -> ForgedFile:
    return ForgedFile(what, _lines(rows), first, first if last is None else last, source.log())


def _flip(source: Source, chance: random.Random) -> ForgedFile:
    lines = _lines(source.rows)
    at = chance.randrange(len(lines))
    place, mask = chance.randrange(len(lines[at])), chance.randrange(1, 256)
    flipped = bytearray(lines[at])
    flipped[place] ^= mask
    lines[at] = bytes(flipped)
    return ForgedFile(f"byte {place} of event {at + 1} ^ {mask}", lines, at + 1, at + 1, source.log())


def _drop(source: Source, chance: random.Random) -> ForgedFile:
    at = chance.randrange(len(source.rows) - 1)
    rest = [*source.rows[:at], *source.rows[at + 1 :]]
    rows = chance.choice([rest, renumbered(rest)])
    return _made(source, f"without event {at + 1}", rows, at + 1)


def _swap(source: Source, chance: random.Random) -> ForgedFile:
    at = chance.randrange(len(source.rows) - 1)
    turned = [*source.rows[:at], source.rows[at + 1], source.rows[at], *source.rows[at + 2 :]]
    rows = chance.choice([turned, renumbered(turned)])
    return _made(source, f"events {at + 1}, {at + 2} swapped", rows, at + 1)


def _swap_chained(source: Source, chance: random.Random) -> ForgedFile:
    at = chance.randrange(len(source.rows) - 1)
    turned = [*source.rows[:at], source.rows[at + 1], source.rows[at], *source.rows[at + 2 :]]
    rows = rechained(renumbered(turned))
    made = _made(source, f"events {at + 1}, {at + 2} swapped, chained", rows, at + 1, at + 2)
    return made._replace(is_plain=False)


def _append(source: Source, chance: random.Random) -> ForgedFile:
    again = chance.choice(source.rows)
    rows = renumbered([*source.rows, again])
    rows = chance.choice([rows, rechained(rows, first=len(rows))])
    return _made(source, f"event {again[0]} again at the end", rows, len(rows))


def _splice(source: Source, chance: random.Random) -> ForgedFile:
    at = chance.randrange(min(len(source.rows), len(source.other)))
    foreign = source.other[at]
    if chance.random() < 0.5:
        event = json.loads(foreign[2])
        event["originator_id"] = source.match
        foreign = (*foreign[:2], encoded(event))
    rows = [*source.rows[:at], foreign, *source.rows[at + 1 :]]
    return _made(source, f"foreign event {at + 1}", rows, at + 1)


def _splice_chained(source: Source, chance: random.Random) -> ForgedFile:
    at = chance.randrange(2, min(len(source.rows), len(source.other)) - 2)
    version, topic, state = source.other[at]
    event = json.loads(state)
    event["originator_id"] = source.match
    rows = rechained([*source.rows[:at], (version, topic, encoded(event)), *source.rows[at + 1 :]])
    return _made(source, f"foreign event {at + 1}, chained", rows, at + 1)._replace(is_plain=False)


def _cut_and_sign(source: Source, chance: random.Random) -> ForgedFile:
    length = chance.randrange(2, len(source.rows) - 1)
    rows = resealed(renumbered([*source.rows[:length], source.rows[-1]]), source.stranger)
    return _made(source, f"cut after {length} events and signed by a stranger", rows, length + 1)


def _cut(source: Source, chance: random.Random) -> ForgedFile:
    length = chance.randrange(1, len(source.rows))
    return _made(source, f"cut after {length} events", source.rows[:length], length)


def _resign(source: Source, chance: random.Random) -> ForgedFile:
    rows = list(source.rows)
    if chance.random() < 0.5:
        at = chance.randrange(2, len(rows) - 2)
        event = json.loads(rows[at][2])
        event["at"] -= 1
        rows[at] = (*rows[at][:2], encoded(event))
    rows = resealed(rows, source.stranger)
    return _made(source, "signed by a stranger", rows, 1, len(rows))


def _rehash(source: Source, chance: random.Random) -> ForgedFile:
    at = chance.randrange(len(source.rows))
    kind, path, row = some_field(source.rows[at], chance)
    rows = [*source.rows[:at], row, *source.rows[at + 1 :]]
    if path != ("prev",):
        rows = rechained(rows, first=at + 2)
    binds = path != ("at",) and named(kind, path) not in SEAL_ONLY and (kind, path[0]) not in LATER
    made = _made(source, f"event {at + 1}: {path}", rows, at + 1, at + 1 if binds else len(rows))
    return made._replace(is_plain=False)


def _proof(source: Source, chance: random.Random) -> ForgedFile:
    proof = source.log()
    change = msgspec.structs.replace
    empty = signed_note(Checkpoint(ORIGIN, 0, EMPTY_ROOT).text, ORIGIN, source.signer)
    stranger = source.log(signer=source.stranger)
    others = proof_in_log(source.match, source.other, source.signer, 9, 4)
    forged = [
        change(proof, path=()),
        change(proof, path=proof.path * chance.randrange(2, 40)),
        change(proof, path=(*proof.path, "00" * 32)),
        change(proof, path=proof.path[:-1]),
        change(proof, path=(*proof.path[:-1], "x")),
        change(proof, path=tuple(chance.sample(proof.path, len(proof.path)))[::-1][1:]),
        change(proof, index=chance.choice([0, 3, 5, 9, -1, 10**9])),
        change(proof, checkpoint=empty),
        change(proof, checkpoint=empty, path=()),
        change(proof, checkpoint=stranger.checkpoint),
        stranger,
        others,
        change(proof, checkpoint=others.checkpoint),
        change(proof, checkpoint=source.log(size=8).checkpoint),
        change(proof, checkpoint=proof.checkpoint.replace("\n9\n", "\n0\n")),
        change(proof, checkpoint=proof.checkpoint.partition("\n\n")[0]),
        change(proof, checkpoint=""),
    ]
    number = chance.randrange(len(forged))
    end = len(source.rows)
    return ForgedFile(f"proof {number}", _lines(source.rows), end, end, forged[number])


Maker = Callable[[Source, random.Random], ForgedFile]

KINDS: Final[Sequence[Maker]] = (
    _flip,
    _rehash,
    _drop,
    _swap,
    _swap_chained,
    _append,
    _splice,
    _splice_chained,
    _cut,
    _cut_and_sign,
    _resign,
    _proof,
    _flip,
    _rehash,
)
