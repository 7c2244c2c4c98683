"""The greedy bot's opinion of moves in Keyside."""

import random
from typing import Any

import msgspec
import pytest

from keylore_domain.engine import positions
from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.options import parse_options
from keylore_domain.games.keyside.rules import Keyside
from keylore_services.bots.heuristics import keyside

GAME = Keyside()


def _plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _scores(seed: int, seats: int) -> list[int]:
    """The final scores of a game in which seat 0 is greedy and the others are random."""
    source = random.Random(seed)
    key = source.randbytes(32)
    options = parse_options(GAME, {"seats": seats, "scoring_sides": "mixed", "mats": "mixed"})
    position, _ = positions.begin(GAME, options, LiveChance(key))
    while position.open:
        prompt = position.open[0].prompt
        choice = source.randrange(len(prompt.legal))
        if prompt.seat == 0:
            view, context = _plain(GAME.view(position.state, prompt.seat)), _plain(prompt.context)
            scores = [keyside.score(view, prompt.kind, context, 0, _plain(move)) for move in prompt.legal]
            choice = scores.index(max(scores))
        chance = LiveChance(key, position.drawn)
        position, _ = positions.advance(GAME, position, prompt.seat, choice, chance)
    outcome = GAME.outcome(position.state)
    assert outcome is not None
    return [result.score for result in outcome.seats]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random_clearly(seats: int) -> None:
    """Two games with each number of seats."""
    games = [_scores(seed, seats) for seed in range(2)]

    assert all(scores[0] > max(scores[1:]) for scores in games)


def test_greedy_plays_the_solo_game() -> None:
    """Against Keytoma a random seat scores about 25."""
    assert _scores(5, 1)[0] > 40


def test_every_kind_of_prompt_is_scored() -> None:
    """A new prompt kind must not go unnoticed."""
    assert set(keyside.SCORES) == set(GAME.move_types)
