"""The greedy bot's opinion of moves in Keydom."""

import random
from typing import Any

import msgspec
import pytest

from keylore_domain.engine import positions
from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.positions import Position
from keylore_domain.engine.prompts import Prompt
from keylore_domain.games.keydom.rules import Keydom
from keylore_domain.games.keydom.state.position import State
from keylore_services.bots.heuristics import keydom
from tests.domain.keydom.test_laws import play

GAME = Keydom()


def _plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _played(game: Keydom, raw: dict[str, object], seed: int, greedy: set[int]) -> Outcome:
    """The outcome of a game in which the seats *greedy* are greedy and the others are random."""
    source = random.Random(seed)
    key = source.randbytes(32)
    position, _ = positions.begin(game, parse_options(game, raw), LiveChance(key))
    while position.open:
        prompt = position.open[0].prompt
        choice = source.randrange(len(prompt.legal))
        if prompt.seat in greedy:
            scores = _scores(game, position.state, prompt)
            choice = scores.index(max(scores))
        chance = LiveChance(key, position.drawn)
        position, _ = positions.advance(game, position, prompt.seat, choice, chance)
    outcome = game.outcome(position.state)
    assert outcome is not None
    return outcome


def _scores(game: Keydom, state: State, prompt: Prompt[Any]) -> list[int]:
    view, context = _plain(game.view(state, prompt.seat)), _plain(prompt.context)
    moves = (_plain(move) for move in prompt.legal)
    return [keydom.score(view, prompt.kind, context, prompt.seat, move) for move in moves]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_greedy_beats_random_clearly(seats: int) -> None:
    """A game with each number of seats; nobody else comes near."""
    outcome = _played(GAME, {"seats": seats}, seats, {0})

    assert outcome.seats[0].rank == 1
    assert outcome.ended_by == "keymaster"


@pytest.mark.slow
def test_greedy_bots_among_themselves_find_a_keymaster() -> None:
    """In about the number of rounds that the rulebook expects."""
    outcome = _played(GAME, {"seats": 4}, 1, {0, 1, 2, 3})

    assert outcome.ended_by == "keymaster"
    assert outcome.round <= 10


@pytest.mark.slow
def test_greedy_has_an_opinion_whatever_it_is_asked() -> None:
    """Random play of rich games under random options asks for everything."""
    asked: set[str] = set()

    def watch(before: Position, _after: Position, _facts: tuple[Fact, ...]) -> None:
        prompt = before.open[0].prompt
        if prompt.kind != "place_counter" or len(prompt.legal) < 20:
            asked.add(prompt.kind)
            assert {type(score) for score in _scores(GAME, before.state, prompt)} == {int}

    for seed in range(16):
        play(seed, watch)

    assert asked >= set(keydom.WEIGHTS)
