"""What holds in every position of Keyper at Sea (keyper-at-sea §11)."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea.components.boards import CELLS, PAIRS, WATER
from keylore_domain.games.keyper_at_sea.components.parts import SEA_GROUPS, SEASONS, Parts
from keylore_domain.games.keyper_at_sea.rules import KeyperAtSea
from keylore_domain.games.keyper_at_sea.scoring.totals import score_parts
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import Household, State, season_number
from keylore_domain.games.keyper_at_sea.state.spots import spots_of


def check(game: KeyperAtSea, state: State) -> None:
    """Assert I1 to I15 and I20 in *state*."""
    for invariant in INVARIANTS:
        invariant(game.parts, state)


def items(parts: Parts, state: State) -> None:
    """I1: items are conserved and never negative."""
    for at, item in enumerate(parts.data.items.entries):
        counts = [household.items[at] for household in state.households]
        owned = sum(counts)
        assert min(*counts, state.supply[at]) >= 0
        if item.group in SEA_GROUPS:
            assert state.supply[at] == 0
        elif not state.options.unlimited_supply:
            there = 0 if item.group == "fish" and state.options.mode == "base" else item.supply
            assert state.supply[at] + owned == there, item.id


def creatures(parts: Parts, state: State) -> None:
    """I2: each creature tile is in exactly one place."""
    found = Counter([*state.sea_pile, *state.sea_discard, *state.treasures])
    found.update(tile for stall in state.stalls for tile in stall)
    found.update(tile for moored in state.moored for tile in moored.tiles)
    found.update(cell.creature for board in state.boards for cell in board.cells if cell.creature)
    for item in parts.data.items.entries:
        if item.group in SEA_GROUPS:
            owned = sum(household.items[parts.item[item.id]] for household in state.households)
            there = 0 if state.options.mode == "base" else item.supply
            assert found[item.id] + owned == there, item.id
    assert all(len(stall) <= parts.constants.creatures_per_stall.value for stall in state.stalls)


def keyples(parts: Parts, state: State) -> None:
    """I3: keyples by colour are constant; two a spot, one a tile."""
    found: Counter[str] = Counter()
    for household in state.households:
        assert min(household.team) >= 0
        found.update({colour: n for colour, n in zip(parts.colours, household.team, strict=True) if n})
        found.update(keyple.colour for keyple in household.keyp)
        found.update(plot.keyple.colour for plot in household.plots if plot.keyple is not None)
    for _, here in spots_of(state, state.boards):
        assert len(here) <= 2
        found.update(keyple.colour for keyple in here)
    start = Counter(parts.data.keyples.start_team)
    ninth = found - Counter({colour: n * state.seats for colour, n in start.items()})
    assert found.total() == state.seats * (start.total() + (state.seats == 2))
    assert ninth.total() == (2 if state.seats == 2 else 0)
    assert set(ninth) <= set(parts.data.keyples.two_player_ninth_from)


def keypers(parts: Parts, state: State) -> None:
    """I4: a keyper is in hand or on one board of the seat's season, and no board has two."""
    for seat, household in enumerate(state.households):
        claimed = [board for board in state.boards if board.keyper == seat]
        assert [board.id for board in claimed] == ([household.keyper] if household.keyper else [])
        assert all(board.season == household.season for board in claimed)


def tiles(parts: Parts, state: State) -> None:
    """I5: each country tile is in one place; each seat has its own home tiles."""
    country = [*state.reserve, *state.bag, *state.display, *state.discard]
    sea = state.options.mode != "base"
    for household in state.households:
        own = [*household.tiles, *(tile for plot in household.plots for tile in plot.stack)]
        home = [tile for tile in own if parts.tiles[tile].owner == "home"]
        wanted = [t.id for t in parts.tiles.values() if t.owner == "home" and (sea or t.game == "base")]
        assert sorted(home) == sorted(wanted)
        country += [tile for tile in own if parts.tiles[tile].owner == "country"]
    there = [t.id for t in parts.tiles.values() if t.owner == "country" and (sea or t.game == "base")]
    assert sorted(tile for tile in country if tile in parts.tiles) == sorted(there)


def fairs(parts: Parts, state: State) -> None:
    """I6: each fair is in one place."""
    found = [fair for stack in state.fair_stacks for fair in stack]
    found += [*state.removed_open, *state.removed_unseen]
    found += [name for name in (*state.bag, *state.display, *state.discard) if name in parts.fairs]
    for household in state.households:
        found += [*household.secret, *household.fairs, *household.held]
    assert sorted(found) == sorted(parts.fairs)


def boats(parts: Parts, state: State) -> None:
    """I7: six boats and six fishing boats, four boats available at most."""
    moored = [boat.id for boat in state.moored]
    regular = [*state.boats_available, *state.boats_aside, *(boat for boat in moored if boat in parts.boats)]
    assert sorted(regular) == sorted(parts.boats)
    assert len(state.boats_available) <= parts.constants.boats_per_season.value
    fishing = [*state.fishing_available, *(boat for boat in moored if boat in parts.fishing_boats)]
    assert sorted(fishing) == (sorted(parts.fishing_boats) if state.options.mode != "base" else [])


def water(parts: Parts, state: State) -> None:
    """I8: tiles lie on uncovered water only; a boat covers two adjacent cells, a fishing boat one."""
    covered = {}
    for board in state.boards:
        for name, cell in zip(CELLS[board.id], board.cells, strict=True):
            assert cell.field == WATER or not (cell.creature or cell.boat)
            assert cell.field in parts.action_codes or not cell.keyples
            assert not (cell.creature and cell.boat)
            if cell.boat:
                covered[name] = cell.boat
    for moored in state.moored:
        assert [name for name, boat in covered.items() if boat == moored.id] == list(moored.cells)
        assert all(name.startswith(moored.board + ".") for name in moored.cells)
        at = tuple(CELLS[moored.board].index(name) for name in moored.cells)
        assert at in PAIRS if moored.id in parts.boats else len(at) == 1
    assert set(covered.values()) == {moored.id for moored in state.moored}


def display(parts: Parts, state: State) -> None:
    """I9: the display is full when a turn starts, unless bag and discard pile are empty."""
    full = parts.constants.display_size.value
    assert len(state.display) <= full
    if state.pending and isinstance(state.pending[-1], wait.TakeTurn) and (state.bag or state.discard):
        assert len(state.display) == full


def places(parts: Parts, state: State) -> None:
    """I10: sites lie under extensions and nowhere else; tiles stand in their areas."""
    for household in state.households:
        for place, plot in zip(parts.plots, household.plots, strict=True):
            if not plot.stack:
                assert plot.keyple is None
                continue
            kinds = [parts.tiles[tile].kind for tile in plot.stack]
            assert kinds[:1] == ["site"] if place.extension else "site" not in kinds
            assert all(kind in (place.area, "flex") for kind in (kinds[1:] if place.extension else kinds))
            assert not place.extension or len(kinds) > 1


def teams(parts: Parts, state: State) -> None:
    """I11: no team is over the limit in a turn, and at the start of a pass the keyp fills it first."""
    if state.pending and isinstance(state.pending[-1], wait.TakeTurn):
        limit = parts.constants.team_limit.value[state.seats]
        for household in state.households:
            assert sum(household.team) <= limit


def markers(parts: Parts, state: State) -> None:
    """I13: season markers are conserved; the season of the game follows the latest Player A."""
    if not state.deep or (state.pending and not isinstance(state.pending[-1], wait.TakeTurn)):
        return
    for season in SEASONS:
        at = season_number(season)
        on_boards = sum(board.marker and board.season == season for board in state.boards)
        completed = sum(season in household.completed for household in state.households)
        on_stores = (state.player_a[at] is not None) if season != "winter" else state.trigger is not None
        assert on_boards + state.markers_left[at] + completed + on_stores == state.seats + 1
    owned = sum(len(household.stores) for household in state.households)
    assert len(state.stores_left) + owned == len(parts.stores)
    first_ends = [seat is not None for seat in state.player_a]
    assert season_number(state.season) == min(first_ends.count(True), 3)
    assert first_ends == sorted(first_ends, reverse=True)
    for household in state.households:
        assert season_number(household.season) <= season_number(state.season)
        assert household.completed == SEASONS[: season_number(household.season)]


def boards_to_claim(parts: Parts, state: State) -> None:
    """I14: a seat with its keyper in hand finds a board of its season."""
    if state.pending and isinstance(state.pending[-1], wait.TakeTurn):
        for household in state.households:
            if state.deep and not household.keyper:
                assert any(
                    board.keyper is None and board.marker and board.season == household.season
                    for board in state.boards
                )


def scores(parts: Parts, state: State) -> None:
    """I20: no part of a score is negative."""
    if not state.pending:
        for household, seat in _seats(state):
            shipping, held, built, treasure = score_parts(parts, state, seat)
            assert shipping == household.shipping
            assert min(shipping, held, built, treasure) >= 0


def _seats(state: State) -> Iterator[tuple[Household, Seat]]:
    return ((household, Seat(seat)) for seat, household in enumerate(state.households))


INVARIANTS: Final[tuple[Callable[[Parts, State], None], ...]] = (
    items,
    creatures,
    keyples,
    keypers,
    tiles,
    fairs,
    boats,
    water,
    display,
    places,
    teams,
    markers,
    boards_to_claim,
    scores,
)
