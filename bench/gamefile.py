"""How many bytes a move takes in a game file, packed: at most 200 on average.

Of these about 100 cannot be had for less: three SHA-256 per move (link, view, position) are random to a
packer, and so is most of the clock.
"""

import tempfile
from pathlib import Path
from typing import get_args

from bench.harness import Row
from bench.matches import RING, Kind, played
from keylore_domain import catalog
from keylore_services.proof.receipts import last_receipts
from keylore_services.replay.gamefile import write_game

BUDGET = 200


def run(quick: bool) -> list[Row]:
    """Bytes per move of each game; the floor is the budget, not a time."""
    games = 1 if quick else 3
    return [_row(game, kind, games) for game in catalog.game_ids() for kind in get_args(Kind)]


def _row(game: str, kind: Kind, games: int) -> Row:
    size = moves = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.xz"
        for number in range(games):
            rows, match = played(game, kind, number), f"m/{game}-{kind}-{number}"
            write_game(path, match, rows, receipts=last_receipts(match, rows, RING))
            size += path.stat().st_size
            moves += sum(b'"ply":' in state for _, _, state in rows)
    each = size / moves
    name = f"{game}, {kind} bots: bytes per move in a game file (budget {BUDGET})"
    return Row(name=name, ours=each, floor=BUDGET, ratio=each / BUDGET, cpu=each / BUDGET, bar="<= 1.0")
