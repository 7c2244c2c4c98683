"""The laws that every game of the catalog keeps, at every ply of random matches under random options."""

import itertools
import random
from functools import partial

import jsonschema
import msgspec
import pytest

from keylore_domain import catalog
from keylore_domain.engine import positions
from keylore_domain.engine.chance import LiveChance, RecordedChance
from keylore_domain.engine.encoding import canonical_json, state_digest
from keylore_domain.engine.game import AnyGame, Options
from keylore_domain.engine.leaks import Step, answer_leaks, fact_leaks, position_leaks, viewers
from keylore_domain.engine.schemas import schema_id, schemas
from keylore_domain.engine.seats import Seat
from tests.conformance.playouts import Ply, match, random_options, seed_of

KEY = b"k" * 32
LARGEST_LIST = 300

Case = tuple[str, int]


def cases(each: int) -> list[Case]:
    return [(game_id, number) for game_id in catalog.game_ids() for number in range(each)]


QUICK = cases(25)
LONG = cases(600)


def story(case: Case) -> tuple[AnyGame, Options, list[Ply]]:
    game = catalog.game(case[0])
    text = f"{case[0]}/{case[1]}"
    options = random_options(game, random.Random(text))
    plies = list(match(game, options, text))
    assert len(plies) - 1 <= game.max_plies(options), "the game ends within its bound"
    return game, options, plies


def sampled(plies: list[Ply], count: int, text: str) -> list[Ply]:
    return plies if len(plies) <= count else random.Random(text).sample(plies, count)


def check_all(case: Case) -> None:
    game, options, plies = story(case)
    check_prompts(game, plies)
    check_rebuild(game, options, plies)
    check_views(game, options, plies, str(case))
    check_facts(game, options, sampled(plies, 60, str(case)))
    check_outcome(game, plies)


@pytest.mark.slow
@pytest.mark.parametrize("case", QUICK, ids=lambda case: f"{case[0]}-{case[1]}")
def test_every_game_keeps_the_laws(case: Case) -> None:
    check_all(case)


@pytest.mark.long
@pytest.mark.parametrize("case", LONG, ids=lambda case: f"{case[0]}-{case[1]}")
def test_every_game_keeps_the_laws_over_thousands_of_matches(case: Case) -> None:
    check_all((case[0], case[1] + 1_000))


def check_prompts(game: AnyGame, plies: list[Ply]) -> None:
    """At least two different legal moves, of the declared types; a default; one prompt per seat, in order."""
    for ply in plies:
        seats = [item.prompt.seat for item in ply.position.open]
        assert seats == sorted(set(seats))
        for item in ply.position.open:
            prompt = item.prompt
            assert 2 <= len(prompt.legal) <= LARGEST_LIST, prompt.kind
            assert len({canonical_json(move) for move in prompt.legal}) == len(prompt.legal), prompt.kind
            assert 0 <= prompt.default < len(prompt.legal)
            assert {type(move) for move in prompt.legal} <= set(game.move_types[prompt.kind]), prompt.kind
    numbers = [item.number for ply in plies for item in ply.position.open]
    assert max(numbers, default=0) == plies[-1].position.opened


def check_rebuild(game: AnyGame, options: Options, plies: list[Ply]) -> None:
    """The recorded draws and choices give the same states, facts and prompts at every ply."""
    position = None
    for ply in plies:
        chance = RecordedChance(ply.draws, position.drawn if position else None)
        if position is None:
            position, facts = positions.begin(game, options, chance)
        else:
            assert ply.seat is not None
            assert ply.choice is not None
            position, facts = positions.advance(game, position, Seat(ply.seat), ply.choice, chance)
        chance.finish()
        assert state_digest(position.state, KEY) == state_digest(ply.position.state, KEY)
        assert facts == ply.facts
        assert position.open == ply.position.open
        assert position.drawn == ply.position.drawn


def check_views(game: AnyGame, options: Options, plies: list[Ply], text: str) -> None:
    """Who may not know something cannot see it: other secrets give the same bytes."""
    chance = LiveChance(seed_of(f"other secrets of {text}"))
    chosen = sampled(plies, 40, text)
    for ply in chosen:
        state = ply.position.state
        for viewer in viewers(options.seats):
            assert not list(position_leaks(game, state, viewer, chance))
    for before, ply in itertools.pairwise(plies):
        if ply in chosen:
            check_step(game, before, ply, options, chance)


def check_step(game: AnyGame, before: Ply, ply: Ply, options: Options, chance: LiveChance) -> None:
    """What others are told of a move does not depend on what they may not know."""
    assert ply.seat is not None
    assert ply.choice is not None
    step = Step(before.position, Seat(ply.seat), ply.choice, ply.position, ply.facts)
    draws = partial(RecordedChance, ply.draws, before.position.drawn)
    for viewer in viewers(options.seats):
        assert not list(fact_leaks(game, step, viewer, draws, chance))
        assert not list(answer_leaks(game, step, viewer, draws))


def check_facts(game: AnyGame, options: Options, plies: list[Ply]) -> None:
    """Facts are stored and read back whole; what a viewer gets of them is a fact of the game too."""
    for ply in plies:
        stored = canonical_json(ply.facts)
        assert tuple(msgspec.json.decode(stored, type=game.fact_list)) == ply.facts
        for viewer in viewers(options.seats):
            for fact in ply.facts:
                shown = game.redact(fact, viewer)
                assert shown is None or type(shown) in game.fact_types
                assert shown is None or game.redact(shown, viewer) == shown, "redacting twice changes nothing"


def check_outcome(game: AnyGame, plies: list[Ply]) -> None:
    """No outcome before the end; then ranks that are a ranking."""
    assert all(game.outcome(ply.position.state) is None for ply in plies[:-1])
    outcome = game.outcome(plies[-1].position.state)
    assert outcome is not None
    assert [result.seat for result in outcome.seats] == list(range(len(outcome.seats)))
    ranks = sorted(result.rank for result in outcome.seats)
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
    again = msgspec.json.decode(canonical_json(outcome), type=game.outcome_type)
    assert again == outcome


@pytest.mark.parametrize("game_id", catalog.game_ids())
def test_documents_fit_the_published_schemas(game_id: str) -> None:
    game, options, plies = story((game_id, 0))
    published = schemas(game)
    rng = random.Random(game_id)
    view = jsonschema.Draft202012Validator(published[schema_id(game, "view")])
    for ply in rng.sample(plies, min(len(plies), 10)):
        for viewer in viewers(options.seats):
            view.validate(_plain(game.view(ply.position.state, viewer)))
        for item in ply.position.open:
            kind = schema_id(game, f"moves/{item.prompt.kind}")
            for move in item.prompt.legal[:5]:
                jsonschema.validate(_plain(move), published[kind])
        jsonschema.validate(_plain(ply.facts), published[schema_id(game, "facts")])
    outcome = game.outcome(plies[-1].position.state)
    jsonschema.validate(_plain(outcome), published[schema_id(game, "outcome")])


def _plain(value: object) -> object:
    return msgspec.json.decode(canonical_json(value))
