"""A peer beside us: random playouts of every game against RLCard's gin rummy, another rules engine in Python.

RLCard is not a dependency. Make an environment for it and name its Python:

    python3 -m venv /tmp/rlcard && /tmp/rlcard/bin/pip install rlcard==1.2.0
    RLCARD_PYTHON=/tmp/rlcard/bin/python python -m bench peers

Both sides are timed by the processor time that they use, in turns. Without RLCARD_PYTHON there are no rows.
"""

import os
import subprocess
from statistics import median
from time import process_time

from bench.games import play, usual_options
from bench.harness import Row
from keylore_domain import catalog

_PEER = """
import time, rlcard
from rlcard.agents import RandomAgent
env = rlcard.make("gin-rummy", config={"seed": 1})
env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
began, moves = time.process_time(), 0
while time.process_time() - began < %s:
    trajectories, _ = env.run(is_training=False)
    moves += sum(len(one) // 2 for one in trajectories)
print((time.process_time() - began) / moves * 1e6)
"""
LEAST = 0.5
"""A random move of ours may take twice as long as one of gin rummy."""


def run(quick: bool) -> list[Row]:
    """One row per game: microseconds of processor time per random move, ours and the peer's."""
    python = os.environ.get("RLCARD_PYTHON")
    if not python:
        return []
    rounds, seconds, moves = (1, 1, 500) if quick else (5, 3, 5_000)
    peer: list[float] = []
    ours: dict[str, list[float]] = {game_id: [] for game_id in catalog.game_ids()}
    for _ in range(rounds):
        printed = subprocess.run([python, "-c", _PEER % seconds], capture_output=True, text=True, check=True)
        peer.append(float(printed.stdout))
        for game_id, times in ours.items():
            times.append(_micros(game_id, moves))
    return [_row(game_id, times, peer) for game_id, times in ours.items()]


def _micros(game_id: str, moves: int) -> float:
    game = catalog.game(game_id)
    options = usual_options(game)
    began = process_time()
    play(game, options, moves)
    return (process_time() - began) / moves * 1e6


def _row(game_id: str, ours: list[float], peer: list[float]) -> Row:
    ratio = median(theirs / mine for mine, theirs in zip(ours, peer, strict=True))
    return Row(
        name=f"{game_id}: random moves/s against RLCard's gin rummy",
        ours=median(ours),
        floor=median(peer),
        ratio=ratio,
        cpu=ratio,
        bar=f">= {LEAST}",
        judged="cpu",
    )
