"""What holds in all games, on seeded random play under random options (specification, section 11)."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from keylore_domain.engine import positions
from keylore_domain.engine.chance import Chance, Draw, LiveChance, RecordedChance
from keylore_domain.engine.encoding import canonical_json, state_digest
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import Turn
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.positions import Position
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom import facts as kinds
from keylore_domain.games.keydom.components.names import TILES
from keylore_domain.games.keydom.moves import Withdraw
from keylore_domain.games.keydom.rules import Keydom
from keylore_domain.games.keydom.state.position import Family, KeydomOptions, State
from tests.domain.keydom.invariants import check

GAMES = 110
Watcher = Callable[[Position, Position, tuple[Fact, ...]], None]


class Rich(Keydom):
    """Keydom in which seats begin with cubes, tiles and spells, so that random play sees everything."""

    def __init__(self, seed: int) -> None:
        vars(self).update(vars(STANDARD))
        self._seed = seed

    def setup(self, options: KeydomOptions, turn: Turn) -> State:
        state = super().setup(options, turn)
        random = Random(self._seed)
        for seat in range(options.seats):
            state = _enriched(state, seat, random)
        return state


STANDARD = Keydom()


def _enriched(state: State, seat: int, random: Random) -> State:
    cubes = tuple(random.randint(0, 5) for _ in range(5))
    tiles = tuple(tile for tile in TILES if tile in state.required and random.random() < 0.6)
    spells = tuple(random.sample(state.deck, random.randint(0, 2) if state.deck else 0))
    order = STANDARD.parts.card_order
    family: Family = msgspec.structs.replace(
        state.families[seat], cubes=cubes, tiles=tiles, spells=tuple(sorted(spells, key=order.__getitem__))
    )
    return msgspec.structs.replace(
        state,
        families=(*state.families[:seat], family, *state.families[seat + 1 :]),
        stock=tuple(a - b for a, b in zip(state.stock, cubes, strict=True)),
        piles=tuple(pile - (tile in tiles) for tile, pile in zip(TILES, state.piles, strict=True)),
        deck=tuple(card for card in state.deck if card not in spells),
    )


def random_options(random: Random) -> dict[str, object]:
    return {
        "seats": random.randint(2, 5),
        "short_game": random.random() < 0.3,
        "no_supervisors": random.random() < 0.3,
        "letter_a_rule": random.choice(["free", "free", "own", "not_own"]),
        "number_adjustment": random.choice(["off", "off", "to_stock", "to_owner"]),
        "face_up_counters": random.random() < 0.2,
        "turn_marker_bidding": random.random() < 0.3,
        "spells": random.random() < 0.85,
        "open_holdings": random.random() < 0.3,
        "colour_assignment": random.choice(["choose", "seat_order", "random"]),
        "round_cap": random.choice([1, 2, 3]),
    }


def play(seed: int, watch: Watcher, **fixed: object) -> Position:
    """A random game; seats rarely withdraw, so that much happens."""
    random = Random(seed)
    game = Rich(seed) if random.random() < 0.8 else STANDARD
    options = parse_options(game, {**random_options(random), **fixed})
    match_seed = random.randbytes(32)
    record: list[list[Draw]] = []
    position = _begin(game, options, LiveChance(match_seed), record)
    check(game, position.state)
    choices = []
    while position.open:
        item = random.choice(position.open)
        choice = _choose(item.prompt.legal, random)
        choices.append((item.prompt.seat, choice))
        chance = LiveChance(match_seed, position.drawn)
        after, facts = positions.advance(game, position, item.prompt.seat, choice, chance)
        record.append(chance.draws)
        check(game, after.state)
        watch(position, after, facts)
        position = after
    assert position.ply <= game.max_plies(position.state.options)
    if seed % 4 == 0:
        _check_rebuild(game, options, record, choices, position)
    return position


def _begin(game: Keydom, options: Any, chance: Chance, record: list[list[Draw]]) -> Position:
    position, _ = positions.begin(game, options, chance)
    record.append(chance.draws)
    return position


def _choose(legal: tuple[object, ...], random: Random) -> int:
    choice = random.randrange(len(legal))
    if isinstance(legal[choice], Withdraw) and random.random() < 0.8:
        choice = random.randrange(len(legal))
    return choice


def _check_rebuild(
    game: Keydom,
    options: Any,
    record: list[list[Draw]],
    choices: list[tuple[Seat, int]],
    live: Position,
) -> None:
    """Invariant 14: the recorded draws and the choices give the same position."""
    position, _ = positions.begin(game, options, RecordedChance(record[0]))
    for (seat, choice), draws in zip(choices, record[1:], strict=True):
        chance = RecordedChance(draws, position.drawn)
        position, _ = positions.advance(game, position, seat, choice, chance)
        chance.finish()
    key = bytes(32)
    assert state_digest(position.state, key) == state_digest(live.state, key)


def nothing(_before: Position, _after: Position, _facts: tuple[Fact, ...]) -> None:
    """Watch nothing."""


def check_old_tokens(before: Position, after: Position, facts: tuple[Fact, ...]) -> None:
    """Invariant 8: what lies on a track stays there, and is neither arrested nor banished."""
    if before.state.round != after.state.round or after.state.phase == "over":
        return
    now = {token.token: token for token in after.state.board}
    reasons = {fact.token: fact.reason for fact in facts if isinstance(fact, kinds.CounterReturned)}
    for token in before.state.board:
        if token.placed_round == before.state.round:
            continue
        if token.token in now:
            same = now[token.token]
            assert (same.location, same.number, same.owner) == (token.location, token.number, token.owner)
        else:
            assert reasons[token.token] in ("completed", "lapsed")


def check_flows(before: Position, after: Position, facts: tuple[Fact, ...]) -> None:
    """Invariant 9: cubes go from seat to seat by theft, Fair Shares, Light Fingers and adjustment only."""
    for fact in facts:
        if isinstance(fact, kinds.CubesMoved) and "stock" not in (fact.source, fact.target):
            asked = {item.prompt.kind for item in before.open}
            assert asked <= {
                "adjust_number",
                "donate_cube",
                "outlaws_attack",
                "place_counter",
                "respond",
                "spell_target",
            }
    assert after.ply == before.ply + 1


def test_random_games_keep_the_invariants() -> None:
    """keydom section 11, 1 to 14, 16, 17."""
    ended = {"keymaster": 0, "round_cap": 0}

    def watch(before: Position, after: Position, facts: tuple[Fact, ...]) -> None:
        check_old_tokens(before, after, facts)
        check_flows(before, after, facts)

    for seed in range(GAMES):
        position = play(seed, watch)
        ended[position.state.ended_by] += 1

    assert min(ended.values()) > 3


class ViewCheck:
    """Compares what a viewer gets in a position and in its alternative, and counts what differs."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.positions = 0
        self.changed = 0

    def __call__(self, _before: Position, after: Position, facts: tuple[Fact, ...]) -> None:
        state: State = after.state
        viewer = self._random.choice([None, *(Seat(at) for at in range(len(state.families)))])
        check_view(state, viewer)
        other = STANDARD.alternative(state, viewer, LiveChance(self._random.randbytes(32)))
        check(STANDARD, other)
        assert canonical_json(STANDARD.view(state, viewer)) == canonical_json(STANDARD.view(other, viewer))
        assert own_prompts(state, viewer) == own_prompts(other, viewer)
        for fact in facts:
            shown = STANDARD.redact(fact, viewer)
            assert type(shown) is type(fact)
        self.positions += state.phase != "over"
        self.changed += other != state


def own_prompts(state: State, viewer: Seat | None) -> list[object]:
    return [prompt for prompt in STANDARD.prompts(state) if prompt.seat == viewer]


def check_view(state: State, viewer: Seat | None) -> None:
    """Invariant 15."""
    view = STANDARD.view(state, viewer)
    if state.phase == "over":
        return
    assert view.deck is None
    known = () if viewer is None else state.families[viewer].known
    for shown, token in zip(view.board, state.board, strict=True):
        open_number = token.face == "up" or token.owner == viewer or token.token in known
        assert shown.number == (token.number if open_number else None)
    for seat in view.seats:
        if seat.seat != viewer:
            assert (seat.hand, seat.secret_bid) == (None, None)
            if not state.options.open_holdings:
                assert (seat.cubes, seat.tiles) == (None, None)


def test_views_show_nothing_that_is_hidden() -> None:
    """keydom section 11, 15."""
    watch = ViewCheck(1)

    for seed in range(GAMES, GAMES + 25):
        play(seed, watch)

    assert watch.positions > 1_000
    assert watch.changed > 0.95 * watch.positions


@pytest.mark.long
def test_many_random_games_keep_the_invariants() -> None:
    """keydom section 11."""
    watch = ViewCheck(2)

    def watch_all(before: Position, after: Position, facts: tuple[Fact, ...]) -> None:
        check_old_tokens(before, after, facts)
        check_flows(before, after, facts)
        watch(before, after, facts)

    for seed in range(1_000, 3_000):
        play(seed, watch_all)


@pytest.mark.long
def test_long_games_end_within_the_bound() -> None:
    """keydom section 11, 13."""
    for seed in range(3_000, 3_050):
        position = play(seed, nothing, round_cap=30)
        assert position.state.round <= 30
