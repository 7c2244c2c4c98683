"""What verifying a game costs: the full verifier by a rebuild, the second one by hashing the same bytes."""

import hashlib
import tempfile
from pathlib import Path

from bench.harness import Prepare, Row, interleave, ready
from bench.matches import RING, played
from keylore_domain import catalog
from keylore_domain.engine.records import MatchRecord
from keylore_services.proof.receipts import last_receipts
from keylore_services.replay.gamefile import read_game, write_game
from keylore_services.replay.verify import verify_file
from keylore_services.replay.verify_standalone import verify

MATCH = "m/keydom-random-0"


def run(quick: bool) -> list[Row]:
    """A game of about 1,200 moves, per event, reading the file included."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.xz"
        rows = played("keydom", "random", match_id=MATCH)
        write_game(path, MATCH, rows, receipts=last_receipts(MATCH, rows, RING))
        return _measured(path, len(rows), rounds=2 if quick else 9)


def _measured(path: Path, events: int, rounds: int) -> list[Row]:
    def rebuild() -> None:
        match = MatchRecord(MATCH, catalog.game)
        for _, topic, state in read_game(path).rows:
            match.replay(topic, state)

    def hashing() -> None:
        for _, _, state in read_game(path).rows:
            hashlib.sha256(state).hexdigest()

    variants: dict[str, Prepare] = {
        "rebuild": ready(rebuild),
        "hash": ready(hashing),
        "full": ready(lambda: verify_file(path, trusted_key=RING.public_key)),
        "alone": ready(lambda: verify(str(path), RING.public_key)),
    }
    times = interleave(variants, rounds=rounds, units=events, judged="cpu")
    return [
        times.at_most("verify a game of 1,200 moves: rebuild it", "full", "rebuild", 3.0),
        times.at_most("the second verifier: read and hash", "alone", "hash"),
    ]
