"""The greedy bot's opinion of moves in Keydom's Dragons."""

import random
from typing import Any

import msgspec
import pytest

from keylore_domain.engine import positions
from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.options import parse_options
from keylore_domain.games.keydoms_dragons.rules import KeydomsDragons
from keylore_domain.games.keydoms_dragons.scoring import DragonsOutcome
from keylore_services.bots.heuristics import keydoms_dragons

GAME = KeydomsDragons()


def plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def finished(seed: int, greedy: set[int], **options: object) -> DragonsOutcome:
    """The result of a game in which some seats are greedy and the others random."""
    source = random.Random(seed)
    key = source.randbytes(32)
    position, _ = positions.begin(GAME, parse_options(GAME, options), LiveChance(key))
    while position.open:
        prompt = position.open[0].prompt
        choice = source.randrange(len(prompt.legal))
        if prompt.seat in greedy:
            view, context = plain(GAME.view(position.state, prompt.seat)), plain(prompt.context)
            scores = [
                keydoms_dragons.score(view, prompt.kind, context, prompt.seat, plain(move))
                for move in prompt.legal
            ]
            choice = scores.index(max(scores))
        chance = LiveChance(key, position.drawn)
        position, _ = positions.advance(GAME, position, prompt.seat, choice, chance)
    outcome = GAME.outcome(position.state)
    assert outcome is not None
    return outcome


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 6])
def test_greedy_beats_random_clearly(seats: int) -> None:
    """Two games with each number of seats."""
    for seed in range(2):
        outcome = finished(seed, {seed % seats}, seats=seats)
        assert outcome.seats[seed % seats].rank == 1


@pytest.mark.slow
def test_greedy_buys_artefacts_among_its_like_and_among_ghosts() -> None:
    """A random seat owns two or three tiles at the end, the wand included."""
    outcomes = [finished(1, {0, 1, 2}, seats=3, foreknown=True), finished(2, {0}, seats=1)]

    assert min(result.score for outcome in outcomes for result in outcome.seats) >= 4


def test_every_kind_of_prompt_is_scored() -> None:
    """A new prompt kind must not go unnoticed."""
    assert set(keydoms_dragons.SCORES) == set(GAME.move_types)
