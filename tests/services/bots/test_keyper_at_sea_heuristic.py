"""The greedy bot's opinion of moves in Keyper at Sea."""

import random
from typing import Any

import msgspec
import pytest

from keylore_domain.engine import positions
from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.options import parse_options
from keylore_domain.games.keyper_at_sea.rules import KeyperAtSea
from keylore_services.bots.heuristics import keyper_at_sea, keyper_at_sea_actions, keyper_at_sea_values

GAME = KeyperAtSea()


def _plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _results(seed: int, mode: str, greedy: set[int], seats: int) -> list[tuple[int, int]]:
    """Score and rank of each seat of a game in which these seats are greedy and the others random."""
    source = random.Random(seed)
    key = source.randbytes(32)
    options = parse_options(GAME, {"seats": seats, "mode": mode})
    position, _ = positions.begin(GAME, options, LiveChance(key))
    while position.open:
        prompt = position.open[0].prompt
        choice = source.randrange(len(prompt.legal))
        if prompt.seat in greedy:
            view, context = _plain(GAME.view(position.state, prompt.seat)), _plain(prompt.context)
            scores = [
                keyper_at_sea.score(view, prompt.kind, context, prompt.seat, _plain(move))
                for move in prompt.legal
            ]
            assert all(type(score) is int for score in scores)
            choice = scores.index(max(scores))
        chance = LiveChance(key, position.drawn)
        position, _ = positions.advance(GAME, position, prompt.seat, choice, chance)
    outcome = GAME.outcome(position.state)
    assert outcome is not None
    return [(result.score, result.rank) for result in outcome.seats]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "seats"), [("base", 4), ("shallow", 3), ("deep", 2), ("deep", 4)])
def test_greedy_beats_random_clearly(mode: str, seats: int) -> None:
    games = [_results(seed, mode, {seed}, seats) for seed in range(2)]
    assert [game[seed][1] for seed, game in enumerate(games)] == [1, 1]


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "seats", "least", "most"),
    [
        *[("base", seats, 31, 64) for seats in (2, 3, 4)],
        *[("shallow", seats, 31, 68) for seats in (2, 3, 4)],
        ("deep", 2, 54, 108),
        ("deep", 3, 45, 89),
        ("deep", 4, 42, 84),
    ],
)
def test_the_mean_score_lies_in_the_range_of_the_spec(mode: str, seats: int, least: int, most: int) -> None:
    """keyper-at-sea §11.1, guide values."""
    games = [_results(seed, mode, set(range(seats)), seats) for seed in range(10)]
    scores = [score for game in games for score, _ in game]
    assert least <= sum(scores) / len(scores) <= most


def test_every_kind_of_prompt_is_scored() -> None:
    """A new prompt kind must not go unnoticed."""
    assert set(keyper_at_sea.SCORES) == set(GAME.move_types)


def test_every_unit_and_op_has_a_value() -> None:
    parts = keyper_at_sea_values.parts()
    tiles = parts.tiles.values()
    lines = {type(line.unit) for tile in tiles for line in (*tile.score.base, *tile.score.upgraded)}
    assert lines <= set(keyper_at_sea_values.HOPE)
    done = {
        type(op) for tile in tiles if tile.activate for op in (*tile.activate.base, *tile.activate.upgraded)
    }
    assert done <= set(keyper_at_sea_actions.ACTIONS)
