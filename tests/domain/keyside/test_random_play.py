"""Random games under random options keep the invariants, replay to the same bytes, and leak nothing."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from keylore_domain.engine import positions
from keylore_domain.engine.chance import Draw, LiveChance, RecordedChance
from keylore_domain.engine.encoding import canonical_json, state_digest
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.positions import Position
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside import rules
from keylore_domain.games.keyside.effects.tables import STEPS
from keylore_domain.games.keyside.effects.turns import start_turn
from keylore_domain.games.keyside.facts import HarbourResolved, TileMoved
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.rules import Keyside
from keylore_domain.games.keyside.state.decisions import TurnStart
from keylore_domain.games.keyside.state.position import KeysideOptions, State
from tests.domain.keyside import invariants

GAME = Keyside()
KEY = b"k" * 32


def random_options(source: random.Random, seats: int) -> KeysideOptions:
    """Any options for *seats* seats."""
    raw: dict[str, object] = {
        "seats": seats,
        "first_game": source.random() < 0.5,
        "dice_strips": source.choice(["off", "optional", "scheduled"]),
        "scoring_sides": source.choice(["black", "red", "mixed"]),
        "mats": source.choice(["basic", "advanced", "mixed"]),
        "orange_build": source.choice(["levels_2_to_4", "level4_only"]),
        "start_seat": source.choice(["random", source.randrange(seats)]),
    }
    if seats == 1:
        raw["solo_difficulty"] = source.choice(
            ["none", "all_beacons", "keytoma_keyple", "landslide", "pirates"]
        )
        raw["solo_keyple_spaces"] = source.choice([4, 5])
    options = parse_options(GAME, raw)
    assert isinstance(options, KeysideOptions)
    return options


def chosen(source: random.Random, position: Position) -> tuple[Seat, int]:
    """A random answer to a random open prompt."""
    prompt = source.choice(position.open).prompt
    return prompt.seat, source.randrange(len(prompt.legal))


def check_step(before: State, after: State) -> None:
    """What never goes backwards: levels, tokens, years; and at most 12 resolutions a year."""
    for old, new in zip(before.mats, after.mats, strict=True):
        assert all(a <= b for a, b in zip(old.levels, new.levels, strict=True))
    old_tokens = {tile.tile: getattr(tile, "tokens", 0) for tile in before.resources}
    assert all(getattr(tile, "tokens", 0) <= old_tokens[tile.tile] for tile in after.resources)
    assert before.year <= after.year


def check_secrecy(position: Position) -> None:
    """No viewer can tell the position from one with other secrets."""
    state = position.state
    for viewer in (None, *range(state.options.seats)):
        seat = None if viewer is None else Seat(viewer)
        other = GAME.alternative(state, seat, LiveChance(KEY))
        assert canonical_json(GAME.view(other, seat)) == canonical_json(GAME.view(state, seat))
        own = [prompt for prompt in GAME.prompts(state) if prompt.seat == seat]
        assert own == [prompt for prompt in GAME.prompts(other) if prompt.seat == seat]
        invariants.check(GAME, other)
        secret = any(any(mat.dice) for other_seat, mat in enumerate(state.mats) if other_seat != viewer)
        assert (other != state) == (state.phase == "dice" and secret)


def play(seed: int, seats: int, *, secrecy: bool) -> int:
    """A random game with all checks after every move; the number of its moves."""
    source = random.Random(seed)
    options = random_options(source, seats)
    key = source.randbytes(32)
    chance = LiveChance(key)
    position, _ = positions.begin(GAME, options, chance)
    record: list[tuple[Seat, int, list[Draw]]] = [(Seat(0), 0, chance.draws)]
    invariants.check(GAME, position.state)
    resolved: list[tuple[int, str]] = []
    while position.open:
        if secrecy and position.state.phase == "dice":
            check_secrecy(position)
        seat, choice = chosen(source, position)
        chance = LiveChance(key, position.drawn)
        before = position.state
        position, facts = positions.advance(GAME, position, seat, choice, chance)
        record.append((seat, choice, chance.draws))
        assert tuple(msgspec.json.decode(canonical_json(facts), type=GAME.fact_list)) == facts
        resolved += [(before.year, fact.harbour) for fact in facts if isinstance(fact, HarbourResolved)]
        invariants.check(GAME, position.state)
        check_step(before, position.state)
    assert position.ply <= GAME.max_plies(options)
    assert seats == 1 or len(set(resolved)) == len(resolved)
    assert all([year for year, _ in resolved].count(year) <= 12 for year in (1, 2, 3))
    check_end(position)
    assert rebuilt_digest(options, record) == state_digest(position.state, KEY)
    return position.ply


def check_end(position: Position) -> None:
    """Scores, ranks and the open view of a finished game."""
    outcome = GAME.outcome(position.state)
    assert outcome is not None
    assert outcome.year == outcome.round == 3
    for result in outcome.seats:
        assert result.score == sum(row.points for row in result.rows[:-1]) == result.rows[-1].points
        assert result.rank == 1 + sum(other.score > result.score for other in outcome.seats)
    public, own = (GAME.view(position.state, viewer) for viewer in (None, Seat(0)))
    assert public.seats == own.seats


def rebuilt_digest(options: KeysideOptions, record: list[tuple[Seat, int, list[Draw]]]) -> str:
    """The digest of the game played again from its recorded draws."""
    chance = RecordedChance(record[0][2])
    position, _ = positions.begin(GAME, options, chance)
    chance.finish()
    for seat, choice, draws in record[1:]:
        chance = RecordedChance(draws, position.drawn)
        position, _ = positions.advance(GAME, position, seat, choice, chance)
        chance.finish()
    return state_digest(position.state, KEY)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "games"), [(1, 32), (2, 28), (3, 20), (4, 12)])
def test_random_games_keep_the_invariants(seats: int, games: int) -> None:
    """Keyside §11, 1 to 17."""
    for seed in range(games):
        assert play(1000 * seats + seed, seats, secrecy=seed < 5) > 60


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_many_random_games_keep_the_invariants(seats: int) -> None:
    """Keyside §11, 1 to 17, over 2,400 games."""
    for seed in range(600):
        play(100_000 * seats + seed, seats, secrecy=seed % 10 == 0)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_year_has_few_turns(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keyside §11, 12: at most n (19 + S) - 1 turns a year, S the skill tiles spent in it."""
    turns: Counter[int] = Counter()

    def counted(play: Play, step: TurnStart) -> None:
        turns[play.state.year] += 1
        start_turn(play, step)

    steps: dict[type[Decision], Any] = {**STEPS, TurnStart: counted}
    monkeypatch.setattr(rules, "STEPS", steps)
    takers = max(seats, 2)
    for seed in range(3):
        turns.clear()
        spent: Counter[int] = Counter()
        source = random.Random(seed)
        position, _ = positions.begin(GAME, random_options(source, seats), LiveChance(KEY))
        while position.open:
            seat, choice = chosen(source, position)
            year = position.state.year
            chance = LiveChance(KEY, position.drawn)
            position, facts = positions.advance(GAME, position, seat, choice, chance)
            spent[year] += sum(isinstance(fact, TileMoved) and fact.target == "box" for fact in facts)
        assert sorted(turns) == [1, 2, 3]
        assert all(6 <= turns[year] <= takers * (19 + spent[year]) - 1 for year in turns)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("last", [False, True])
def test_games_of_defaults_and_of_last_moves_end(seats: int, *, last: bool) -> None:
    """Keyside §5.9: a seat that has forfeited goes on with the defaults; the last moves are anytime moves."""
    position, _ = positions.begin(GAME, random_options(random.Random(seats), seats), LiveChance(KEY))

    while position.open:
        prompt = position.open[-1].prompt
        choice = len(prompt.legal) - 1 if last else prompt.default
        chance = LiveChance(KEY, position.drawn)
        position, _ = positions.advance(GAME, position, prompt.seat, choice, chance)

    invariants.check(GAME, position.state)
    assert position.ply <= 100 * seats + 100
    check_end(position)
