"""Random matches over all options: invariants, prompts, replay, secrecy (keyper-at-sea §11)."""

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from keylore_domain.engine import positions
from keylore_domain.engine.chance import Draw, LiveChance, RecordedChance
from keylore_domain.engine.encoding import canonical_json, state_digest
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.positions import Position
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea.facts import ItemsMoved, SeasonStarted
from keylore_domain.games.keyper_at_sea.rules import KeyperAtSea, max_turns
from keylore_domain.games.keyper_at_sea.scoring.housing import homeless
from keylore_domain.games.keyper_at_sea.state.position import KeyperOptions, State
from tests.domain.keyper_at_sea.invariants import check

GAME = KeyperAtSea()
KEY = bytes(32)
LARGEST_LIST = 120


def seed_of(number: int) -> bytes:
    return hashlib.sha256(f"keyper-at-sea {number}".encode()).digest()


def random_options(number: int) -> KeyperOptions:
    chance = Random(number)
    mode = ("base", "shallow", "deep")[number % 3]
    seats = 2 + number // 3 % 3
    chosen = parse_options(
        GAME,
        {
            "mode": mode,
            "seats": seats,
            "first_out_stores": mode == "shallow" and chance.random() < 0.4,
            "start_seat": chance.choice(["random", *range(seats)]),
            "unlimited_supply": chance.random() < 0.2,
            "open_fairs": chance.random() < 0.2,
        },
    )
    assert isinstance(chosen, KeyperOptions)
    return chosen


def choose(position: Position, chance: Random) -> int:
    """A random choice that plays sensibly often enough to reach deep positions."""
    prompt = position.open[0].prompt
    size = len(prompt.legal)
    return chance.randrange(size - 1) if size > 1 and chance.random() < 0.5 else chance.randrange(size)


def check_prompt(position: Position) -> None:
    """I16: between 2 and the largest number of moves, all different, the default among them."""
    (item,) = position.open
    prompt = item.prompt
    assert 2 <= len(prompt.legal) <= LARGEST_LIST
    forms = [canonical_json(move) for move in prompt.legal]
    assert len(set(forms)) == len(forms)
    assert 0 <= prompt.default < len(prompt.legal)
    assert all(isinstance(move, GAME.move_types[prompt.kind]) for move in prompt.legal)


def check_progress(before: State, after: State) -> None:
    """I12: shipping points and held fairs never decrease."""
    for old, new in zip(before.households, after.households, strict=True):
        assert new.shipping >= old.shipping
        assert set(old.held) <= set(new.held)


def check_housing(state: State, facts: Sequence[Fact]) -> None:
    """I15: nothing is homeless when a season starts."""
    starts = [at for at, fact in enumerate(facts) if isinstance(fact, SeasonStarted)]
    if state.deep or not starts or any(isinstance(fact, ItemsMoved) for fact in facts[starts[-1] :]):
        return
    assert not any(homeless(GAME.parts, household) for household in state.households)


def check_secrecy(position: Position, number: int) -> bool:
    """I19: what a viewer may not know can be dealt anew without a visible change."""
    state: State = position.state
    changed = False
    for viewer in (None, *map(Seat, range(state.seats))):
        other = GAME.alternative(state, viewer, LiveChance(seed_of(number)))
        assert canonical_json(GAME.view(other, viewer)) == canonical_json(GAME.view(state, viewer))
        check(GAME, other)
        if position.open and position.open[0].prompt.seat == viewer:
            assert GAME.prompts(other) == GAME.prompts(state)
        changed = changed or other != state
    return changed


def play_out(number: int, *, secrets_every: int) -> int:
    """One random match with every check, its bounds (I17) included; counts where hidden things changed."""
    options, seed, chance = random_options(number), seed_of(number), Random(number)
    live = LiveChance(seed)
    position, facts = positions.begin(GAME, options, live)
    records: list[tuple[int, list[Draw], str]] = [(-1, live.draws, state_digest(position.state, KEY))]
    changed = 0
    while position.open:
        check(GAME, position.state)
        check_prompt(position)
        if position.ply % secrets_every == 0:
            changed += check_secrecy(position, position.ply)
        live = LiveChance(seed, position.drawn)
        choice, before = choose(position, chance), position.state
        position, facts = positions.advance(GAME, position, position.open[0].prompt.seat, choice, live)
        assert all(isinstance(fact, GAME.fact_types) for fact in facts)
        check_progress(before, position.state)
        check_housing(position.state, facts)
        records.append((choice, live.draws, state_digest(position.state, KEY)))
    check(GAME, position.state)
    assert not check_secrecy(position, 0)
    assert position.state.turn <= max_turns(options)
    assert position.ply <= GAME.max_plies(options)
    check_result(position.state)
    check_rebuild(options, records)
    return changed


def check_result(state: State) -> None:
    """I20: the score is the sum of its parts, and the ranks follow it."""
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.turns == state.turn
    for result in outcome.seats:
        assert result.score == result.shipping + result.fairs + result.tiles + result.treasure
        assert result.rank == 1 + sum(_beats(other, result) for other in outcome.seats)


def _beats(first: Any, second: Any) -> bool:
    names = ("score", "finished", "wheat", "raw", "animals")
    return [getattr(first, name) for name in names] > [getattr(second, name) for name in names]


def check_rebuild(options: KeyperOptions, records: list[tuple[int, list[Draw], str]]) -> None:
    """I18: the recorded draws and choices give the same positions again."""
    (_, draws, digest), *rest = records
    recorded = RecordedChance(draws)
    position, _ = positions.begin(GAME, options, recorded)
    recorded.finish()
    assert state_digest(position.state, KEY) == digest
    for choice, draws, digest in rest:
        recorded = RecordedChance(draws, position.drawn)
        position, _ = positions.advance(GAME, position, position.open[0].prompt.seat, choice, recorded)
        recorded.finish()
        assert state_digest(position.state, KEY) == digest


@pytest.mark.slow
@pytest.mark.parametrize("number", range(54))
def test_every_law_holds_in_a_random_match(number: int) -> None:
    assert play_out(number, secrets_every=50) > 0


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(1, 22))
def test_every_law_holds_in_many_random_matches(hundred: int) -> None:
    for number in range(100 * hundred, 100 * hundred + 100):
        play_out(number, secrets_every=60)
