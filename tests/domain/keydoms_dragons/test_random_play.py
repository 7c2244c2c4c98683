"""Random games under random options keep the invariants, replay to the same bytes, and leak nothing."""

import random

import pytest
from msgspec.structs import replace

from keylore_domain.engine import positions
from keylore_domain.engine.chance import LiveChance, RecordedChance
from keylore_domain.engine.encoding import canonical_json, state_digest
from keylore_domain.engine.positions import Position
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import STACKS
from keylore_domain.games.keydoms_dragons.facts import ArtefactMoved
from keylore_domain.games.keydoms_dragons.state.position import State
from tests.domain.keydoms_dragons import invariants
from tests.domain.keydoms_dragons.playing import GAME, Facts, Record, key_of, random_options, with_magic

KEY = b"k" * 32


def check_step(before: State, after: State, facts: Facts) -> None:
    """I10: the stacks lose exactly what is acquired; swaps lay down one tile for each taken."""
    old, new = (sum(map(len, state.stacks)) for state in (before, after))
    moved = [fact for fact in facts if isinstance(fact, ArtefactMoved)]
    taken = [fact for fact in moved if fact.source in STACKS]
    laid = [fact for fact in moved if fact.target in STACKS]
    assert old - new == len(taken) - len(laid) >= 0
    assert before.round <= after.round <= after.options.round_cap


def check_round(acquired: list[tuple[int, ArtefactMoved]], with_two_stacks: bool) -> None:
    """I12: at most one tile leaves a room in a round, in room M with two stacks two, to two parties."""
    seen: dict[tuple[int, str], list[object]] = {}
    for number, fact in acquired:
        seen.setdefault((number, str(fact.source)[0]), []).append(fact.target)
    for (_, room), targets in seen.items():
        assert len(targets) <= (2 if room == "M" and with_two_stacks else 1)
        assert len(set(targets)) == len(targets)


def purchases(facts: Facts) -> list[ArtefactMoved]:
    """The tiles bought or taken from castle rooms, without those swapped."""
    moved = [fact for fact in facts if isinstance(fact, ArtefactMoved)]
    swapped = {fact.target for fact in moved if fact.target in STACKS}
    return [fact for fact in moved if fact.source in STACKS and fact.source not in swapped]


def check_secrecy(state: State, number: int) -> bool:
    """No viewer can tell the position from one with other secrets; whether there were any."""
    changed = False
    for viewer in (None, *range(state.seats)):
        seat = None if viewer is None else Seat(viewer)
        other = GAME.alternative(state, seat, LiveChance(key_of(number)))
        assert canonical_json(GAME.view(other, seat)) == canonical_json(GAME.view(state, seat))
        own = [prompt for prompt in GAME.prompts(state) if prompt.seat == seat]
        assert own == [prompt for prompt in GAME.prompts(other) if prompt.seat == seat]
        invariants.check(GAME, other)
        changed = changed or other != state
    return changed


def play(number: int, *, secrecy: int, magic: bool, rounds: int = 18) -> int:
    """A random game with all checks after every move; every *secrecy*-th position is tried for leaks."""
    source = random.Random(number)
    options = random_options(source, rounds)
    key = key_of(number)
    chance = LiveChance(key)
    position, _ = positions.begin(GAME, options, chance)
    if magic and not options.muggles:
        position = replace(position, state=with_magic(position.state))
    first = position
    record: Record = []
    acquired: list[tuple[int, ArtefactMoved]] = []
    invariants.check(GAME, position.state)
    while position.open:
        if position.ply % secrecy == 0:
            assert check_secrecy(position.state, number)
        prompt = position.open[0].prompt
        choice = source.randrange(len(prompt.legal))
        chance = LiveChance(key, position.drawn)
        before = position.state
        position, facts = positions.advance(GAME, position, prompt.seat, choice, chance)
        record.append((prompt.seat, choice, chance.draws))
        acquired.extend((before.round, fact) for fact in purchases(facts))
        invariants.check(GAME, position.state)
        check_step(before, position.state, facts)
    assert position.ply <= GAME.max_plies(options)
    check_end(position)
    check_round(acquired, position.state.parties == 6)
    assert rebuilt_digest(first, record) == state_digest(position.state, KEY)
    return position.ply


def check_end(position: Position) -> None:
    """I14, §7.2: everything is open, no rank is shared."""
    state = position.state
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert sorted(result.rank for result in outcome.parties) == list(range(1, state.parties + 1))
    assert sorted(result.rank for result in outcome.seats) == list(range(1, state.seats + 1))
    assert outcome.ended_by == ("round_cap" if any(state.stacks) else "last_artefact")
    views = [replace(GAME.view(state, viewer), viewer=None) for viewer in (None, *range(state.seats))]
    assert all(view == views[0] for view in views)
    assert views[0].spell_deck == state.spell_deck
    assert GAME.alternative(state, None, LiveChance(KEY)) == state


def rebuilt_digest(first: Position, record: Record) -> str:
    """The digest of the game played again from its recorded draws."""
    position = first
    for seat, choice, draws in record:
        chance = RecordedChance(draws, position.drawn)
        position, _ = positions.advance(GAME, position, seat, choice, chance)
        chance.finish()
    return state_digest(position.state, KEY)


@pytest.mark.slow
@pytest.mark.parametrize("magic", [False, True])
@pytest.mark.parametrize("part", range(5))
def test_random_games_keep_the_invariants(part: int, magic: bool) -> None:
    """Keydoms-dragons §11."""
    for number in range(10):
        assert play(100 * part + number, secrecy=53, magic=magic, rounds=5) > 40


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_many_random_games_keep_the_invariants(part: int) -> None:
    """Keydoms-dragons §11, over 2,400 games."""
    for number in range(120):
        play(10_000 + 1_000 * part + number, secrecy=23, magic=number % 2 == 0)
