"""The invariants of keyside §11 that a single position must keep."""

from collections import Counter

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.rules import Keyside
from keylore_domain.games.keyside.scoring import totals
from keylore_domain.games.keyside.state.decisions import LandingTurn, ResolvingTurn
from keylore_domain.games.keyside.state.position import (
    COLOURS,
    FIRST_GEM,
    HEADLANDS,
    KEYTOMA,
    PIRATE,
    Farm,
    Harbour,
    Source,
    State,
    keyples_in,
)


def check(game: Keyside, state: State) -> None:
    """Assert the invariants of keyside §11 on *state*."""
    _keyples(state)
    _places(state)
    _dice(state)
    _sailors(game, state)
    _harbour_dice(game, state)
    _mats(state)
    _gems(game, state)
    _tiles(game, state)
    _headlands(state)
    _tokens(state)
    _scores(game, state)
    _prompts(game, state)
    if state.solo is not None:
        _solo(game, state)


def _keyples(state: State) -> None:
    for seat, mat in enumerate(state.mats):
        owner = Seat(seat)
        placed = (
            mat.town
            + sum(owner in market.keyples for market in state.markets)
            + sum(tile.keyple == owner for tile in state.resources)
            + sum(keyples_in(harbour, owner) for harbour in state.harbours)
        )
        assert mat.keyples + placed == 18
        assert 0 <= mat.keyples <= 12
        assert mat.town >= 0


def _places(state: State) -> None:
    for market in state.markets:
        assert list(market.keyples) == sorted(set(market.keyples))
    for harbour in state.harbours:
        assert len(harbour.top) <= state.spaces
        assert harbour.red_space is None or harbour.tile == "I"
        assert harbour.red_space in (None, *range(len(state.mats)))
    for tile in state.resources:
        assert isinstance(tile, Farm) or tile.flipped or tile.keyple is None


def _dice(state: State) -> None:
    if state.phase == "dice":
        return
    for seat, mat in enumerate(state.mats):
        values = [[mat.dice[at], mat.dice_on_mat[at]] for at in range(6)]
        for harbour in state.harbours:
            for die in (*harbour.dice, *harbour.sea):
                if die.owner == seat:
                    values[COLOURS.index(die.colour)].append(die.value)
        found = [[value for value in column if value] for column in values]
        assert all(len(column) == 1 for column in found)
        assert sorted(column[0] for column in found) == [1, 2, 3, 4, 5, 6]


def _sailors(game: Keyside, state: State) -> None:
    assert len({boat.at for boat in state.boats}) == len(state.boats)
    aboard: Counter[str] = Counter()
    for boat in state.boats:
        aboard.update(boat.sailors)
        assert len(set(boat.sailors)) == len(boat.sailors)
    for harbour in state.harbours:
        aboard.update(harbour.sea_sailors)
        aboard.update([harbour.sailor] if harbour.sailor else [])
    for colour, gone in zip(COLOURS, state.removed.sailors, strict=True):
        assert aboard[colour] + gone == game.parts.seating(state.options).boats


def _harbour_dice(game: Keyside, state: State) -> None:
    limit = min(2, len(state.mats) + 1) if state.solo else game.parts.seating(state.options).dice_spaces
    for harbour in state.harbours:
        assert len(harbour.dice) <= limit
        assert len({die.colour for die in harbour.dice}) <= 1
        assert all(die.value <= harbour.dice[0].value for die in harbour.dice)
        assert len({die.owner for die in harbour.dice}) == len(harbour.dice)
        _sailor_matches(state, harbour)


def _sailor_matches(state: State, harbour: Harbour) -> None:
    if harbour.sailor is not None:
        assert harbour.dice
        assert harbour.dice[0].colour == harbour.sailor
    elif state.solo is None:
        assert not harbour.dice
    if harbour.dice:
        assert harbour.landed
        assert not harbour.resolved
    if harbour.resolved:
        assert harbour.landed
        assert harbour.sea


def _mats(state: State) -> None:
    for mat in state.mats:
        assert min(mat.store) >= 0
        assert all(0 <= level <= 4 for level in mat.levels)


def _gems(game: Keyside, state: State) -> None:
    counts = game.parts.data.counts
    expected = counts.solo_gem_per_type if state.solo is not None else counts.gem_per_type
    for at in range(3):
        stored = sum(mat.store[FIRST_GEM + at] for mat in state.mats)
        assert state.gem_bag[at] >= 0
        assert state.gem_bag[at] + stored + state.removed.gems[at] == expected


def _tiles(game: Keyside, state: State) -> None:
    cottages = [*state.cottages_left, *state.removed.cottages]
    for mat in state.mats:
        for colour, plot in zip(COLOURS, mat.buildings, strict=True):
            if plot is not None:
                assert game.parts.data.cottages[plot.letter].colour == colour
                cottages.append(plot.letter)
    assert sorted(cottages) == list("ABCDEFGHIJKLMNOPQRSTUVWX")
    assert list(state.cottages_left) == sorted(state.cottages_left)
    tiles = [(tile.colour, tile.value) for mat in state.mats for tile in mat.skill_tiles]
    tiles += [(tile.colour, tile.value) for tile in state.removed.skill_tiles]
    for colour, stack in zip(COLOURS, state.skill_stacks, strict=True):
        assert stack == (5, 3, 1)[3 - len(stack) :]
        tiles += [(colour, value) for value in stack]
    assert sorted(tiles) == sorted((colour, value) for colour in COLOURS for value in (5, 3, 1))


def _headlands(state: State) -> None:
    for seat, mat in enumerate(state.mats):
        placed = [tile.tile for stack in state.headlands for tile in stack if tile.owner == seat]
        assert sorted([*placed, *mat.headlands_left]) == list(HEADLANDS)
    for stack in state.headlands:
        assert len({tile.owner for tile in stack}) <= 1


def _tokens(state: State) -> None:
    for tile in state.resources:
        if isinstance(tile, Source):
            assert tile.tokens >= 0
            assert tile.flipped == (tile.tokens == 0)


def _scores(game: Keyside, state: State) -> None:
    """Every seat at the dice and at the end, in between one seat for each year (scoring is slow)."""
    everybody = range(len(state.mats))
    for seat in everybody if state.phase in ("dice", "over") else (state.year % len(state.mats),):
        rows = totals.rows(game.parts, state, Seat(seat))
        points = {row.row: row.points for row in rows}
        assert min(points.values()) >= 0
        assert sum(points.values()) == 2 * points["total"]
        for harbour in state.harbours:
            own = keyples_in(harbour, Seat(seat))
            assert points[f"harbour_{harbour.number}"] <= 12 * own
        assert points["headland_d"] <= 8
        assert points["headland_e"] <= 12
        assert points["headland_f"] <= 36
        assert points["resource_locations"] <= 9


def _prompts(game: Keyside, state: State) -> None:
    prompts = game.prompts(state)
    assert bool(prompts) == (state.phase != "over")
    assert len({prompt.seat for prompt in prompts}) == len(prompts)
    for prompt in prompts:
        assert 2 <= len(prompt.legal) <= 300
        assert len(set(prompt.legal)) == len(prompt.legal)
        assert 0 <= prompt.default < len(prompt.legal)
        assert all(isinstance(move, game.move_types[prompt.kind]) for move in prompt.legal)


def _solo(game: Keyside, state: State) -> None:
    solo = state.solo
    assert solo is not None
    counts = Counter[object](owner for harbour in state.harbours for owner in harbour.top)
    counts.update(tile.keyple for tile in state.resources)
    assert counts[KEYTOMA] + solo.keyples == 18
    assert counts[PIRATE] + solo.pirates == 18
    slides = sum(tile.owner == "landslide" for stack in state.headlands for tile in stack)
    assert slides + solo.landslides == 15
    if state.phase == "turns":
        placed = sum(
            die.owner == KEYTOMA for harbour in state.harbours for die in (*harbour.dice, *harbour.sea)
        )
        assert placed + sum(value > 0 for value in solo.dice) == 6
    at_turn_start = bool(state.pending) and isinstance(state.pending[-1], (LandingTurn, ResolvingTurn))
    if at_turn_start and any(solo.dice):
        assert not any(state.harbours[at].dice for at in solo.flags)
