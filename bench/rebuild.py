"""Rebuilding a match of 500 moves from the ledger (P4): the rules do nothing, so that only our part counts.

`Aggregate.replay` hashes every event to check the chain; the floor is measured with and without that.
"""

import hashlib
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import msgspec

from bench.harness import Row, Work, interleave, ready
from bench.ledger import StockApplication, StockMatch, bare
from bench.subjects import Recorded, played
from keylore_domain.engine.aggregates import Event, decode_event, encode_event
from keylore_domain.engine.events import MovePlayed
from keylore_services.ledger.ledger import open_ledger

MOVES = 500
MATCH = "m/1"


class Unchecked(Recorded):
    """An aggregate that trusts its chain; only to measure what checking costs."""

    def replay(self, name: str, data: bytes) -> Event:
        """Apply a stored event."""
        event = decode_event(name, data)
        self.apply(event)
        self.version = event.originator_version
        return event


def bare_loop(connection: sqlite3.Connection, *, hashing: bool) -> None:
    """Select, decode, apply; and hash, if asked to."""
    decode = msgspec.json.Decoder(MovePlayed).decode
    match = Recorded(MATCH)
    rows = connection.execute(
        "SELECT state FROM stored_events WHERE originator_id = ? ORDER BY originator_version", (MATCH,)
    )
    for (state,) in rows:
        event = decode(state)
        match.apply(event)
        match.version = event.originator_version
        if hashing:
            match.head = hashlib.sha256(state).hexdigest()


def run(quick: bool) -> list[Row]:
    """Every row of this module."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "league.db"
        with (
            open_ledger(file, synchronous="normal") as ledger,
            closing(bare(file, "normal")) as raw,
            StockApplication(str(Path(folder) / "stock.db"), "normal") as stock,
        ):
            ledger.save(played(MATCH, MOVES))
            stock_match = StockMatch()
            for event in played(MATCH, MOVES - 1).collect_events():
                stock_match.play(msgspec.json.decode(encode_event(event)))
            stock.save(stock_match)
            variants: dict[str, Work] = {
                "floor": lambda: bare_loop(raw, hashing=False),
                "floor and hash": lambda: bare_loop(raw, hashing=True),
                "unchecked": lambda: ledger.load(MATCH, Unchecked),
                "load": lambda: ledger.load(MATCH, Recorded),
                "stock": lambda: stock.repository.get(stock_match.id),
            }
            turns = {name: ready(work) for name, work in variants.items()}
            times = interleave(turns, rounds=5 if quick else 25, units=MOVES, judged="cpu")
    return [
        times.at_most("P4 rebuild, chain not checked: bare loop", "unchecked", "floor", 1.8),
        times.at_most("P4 rebuild: bare loop with SHA-256", "load", "floor and hash", 1.8),
        times.at_most("P4 rebuild: bare loop", "load", "floor"),
        times.at_least("P4 rebuild: stock eventsourcing", "load", "stock", 5),
    ]
