"""What the chain costs.

P10: recording an event with its link and the digest of the position, against encoding and hashing both with
nothing around it. P11: checking the chain of a stored match, against hashing the same bytes.
"""

import hashlib
import hmac
from collections.abc import Sequence

import msgspec

from bench.harness import Prepare, Row, Work, interleave, ready
from bench.subjects import Recorded, next_move, played
from keylore_domain.engine.aggregates import Event, encode_event
from keylore_domain.engine.encoding import state_digest

KEY = b"k" * 32


class Piece(msgspec.Struct, frozen=True):
    """A piece on a board."""

    owner: int
    kind: str
    column: int
    row: int


class Board(msgspec.Struct, frozen=True):
    """A position of a usual size: about 3 kB of MessagePack."""

    pieces: tuple[Piece, ...]
    scores: tuple[int, ...] = (3, 14, 15, 9)


BOARD = Board(tuple(Piece(n % 4, "cube" if n % 3 else "counter", n % 30, n // 30) for n in range(90)))


def run(quick: bool) -> list[Row]:
    """Every row of this module."""
    rounds, steps = (3, 300) if quick else (25, 300)
    return recording(rounds, steps) + checking(rounds, steps)


def bare(events: Sequence[Event], *, keyed: bool) -> None:
    """Encode and hash each event and the position."""
    json, binary = msgspec.json.Encoder(order="deterministic"), msgspec.msgpack.Encoder(order="deterministic")
    for event in events:
        hashlib.sha256(json.encode(event)).hexdigest()
        state = binary.encode(BOARD)
        (hmac.digest(KEY, state, "sha256") if keyed else hashlib.sha256(state).digest()).hex()


def record(events: Sequence[Event]) -> None:
    """Record ready events."""
    match = Recorded("m/1")
    for event in events:
        state_digest(BOARD, KEY)
        match.record(event)


def make_and_record(steps: int) -> None:
    """Record events that are made for it."""
    match = Recorded("m/1")
    for _ in range(steps):
        match.record(next_move(match, state_digest(BOARD, KEY)))


def recording(rounds: int, steps: int) -> list[Row]:
    """P10."""
    events = played("m/1", steps).collect_events()
    variants: dict[str, Work] = {
        "floor": lambda: bare(events, keyed=False),
        "keyed floor": lambda: bare(events, keyed=True),
        "ours": lambda: record(events),
        "whole": lambda: make_and_record(len(events)),
    }
    turns = {name: ready(work) for name, work in variants.items()}
    times = interleave(turns, rounds=rounds, units=steps, judged="cpu")
    return [
        times.at_most("P10 record with link and digest: encode and hash", "ours", "floor", 1.3),
        times.at_most("P10 record with link and digest: encode and hash, keyed", "ours", "keyed floor"),
        times.at_most("P10 the same, and making the event: encode and hash", "whole", "floor"),
    ]


def checking(rounds: int, steps: int) -> list[Row]:
    """P11."""
    stored = [
        ("keylore:Match.MovePlayed", encode_event(event)) for event in played("m/1", steps).collect_events()
    ]

    def floor() -> None:
        for _, state in stored:
            hashlib.sha256(state).hexdigest()

    def ours() -> None:
        match = Recorded("m/1")
        for topic, state in stored:
            match.replay(topic, state)

    turns: dict[str, Prepare] = {"floor": ready(floor), "ours": ready(ours)}
    times = interleave(turns, rounds=rounds, units=steps, judged="cpu")
    return [times.at_most("P11 check a stored chain: SHA-256 of the bytes", "ours", "floor", 3.5)]
