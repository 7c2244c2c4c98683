"""The greedy bot's opinion of moves in Keyper at Sea."""

import random
from typing import Any

import msgspec
import pytest
import yaml

from keylore_domain.engine import positions
from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea.components.parts import standard
from keylore_domain.games.keyper_at_sea.rules import KeyperAtSea
from keylore_services.bots.heuristics import keyper_at_sea, keyper_at_sea_actions, keyper_at_sea_values

GAME = KeyperAtSea()


def _plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _results(
    seed: int, mode: str, greedy: set[int], seats: int, game: KeyperAtSea = GAME
) -> list[tuple[int, int]]:
    """Score and rank of each seat of a game in which these seats are greedy and the others random."""
    source = random.Random(seed)
    key = source.randbytes(32)
    options = parse_options(game, {"seats": seats, "mode": mode})
    position, _ = positions.begin(game, options, LiveChance(key))
    while position.open:
        prompt = position.open[0].prompt
        choice = source.randrange(len(prompt.legal))
        if prompt.seat in greedy:
            view, context = _plain(game.view(position.state, prompt.seat)), _plain(prompt.context)
            scores = [
                keyper_at_sea.score(view, prompt.kind, context, prompt.seat, _plain(move))
                for move in prompt.legal
            ]
            assert all(type(score) is int for score in scores)
            choice = scores.index(max(scores))
        chance = LiveChance(key, position.drawn)
        position, _ = positions.advance(game, position, prompt.seat, choice, chance)
    outcome = game.outcome(position.state)
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


def _league_data() -> str:
    """The data file with other ids, other field codes and other things to ship and refine."""
    raw = yaml.safe_load(standard())
    for section in ("tiles", "stores", "fairs", "fish_fairs", "boats", "fishing_boats", "displays"):
        for entry in raw[section]["list"]:
            entry["id"] = f"our_{entry['id']}"
    for entry in raw["displays"]["list"]:
        entry["same_as"] = f"our_{entry['same_as']}" if entry.get("same_as") else ""
        entry["grid"] = [[_code(code) for code in row] for row in entry["grid"]]
    for entry in raw["fields"]["list"]:
        entry["code"] = _code(entry["code"])
    raw["items"]["list"] = [
        {**item, "refines_to": "gold"} if item["id"] == "fish" else item for item in raw["items"]["list"]
    ]
    first = raw["formations"]["spring_display"]
    raw["formations"]["spring_display"] = {board: f"our_{display}" for board, display in first.items()}
    return str(yaml.safe_dump(raw))


def _code(code: str) -> str:
    return code if code in ("K", "W") else f"our_{code}"


@pytest.mark.parametrize("mode", ["base", "shallow", "deep"])
def test_a_league_may_play_with_other_tiles_boats_and_fields(mode: str) -> None:
    game = KeyperAtSea(_league_data())

    assert len(_results(1, mode, {0, 1}, 2, game)) == 2


def test_what_the_league_added_to_a_known_boat_counts_a_little() -> None:
    position, _ = positions.begin(GAME, parse_options(GAME, {"seats": 2}), LiveChance(bytes(32)))
    view = _plain(GAME.view(position.state, Seat(0)))
    boat = next(iter(keyper_at_sea_values.parts().boats))
    move = {"action": "ship", "boat": boat, "offer": 99}

    assert keyper_at_sea.score(view, "boat_action", {}, 0, move) == keyper_at_sea_values.POINT
    assert keyper_at_sea.score(view, "refine", {}, 0, {"item": "fish"}) == 0


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
