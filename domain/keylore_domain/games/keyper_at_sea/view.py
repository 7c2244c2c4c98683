"""What one seat sees (keyper-at-sea §9), what it may know of facts, and what it cannot tell apart."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.facts import ChanceDrawn, Fact, Redactions, redacted
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.components.boards import CELL_AT, CELLS
from keylore_domain.games.keyper_at_sea.components.entries import Mode, Season
from keylore_domain.games.keyper_at_sea.components.parts import SEASONS, Parts
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import (
    Board,
    Cell,
    Household,
    Keyple,
    Moored,
    OwnedStore,
    State,
    season_number,
)

HIDDEN_DRAWS: Final = ("C1", "C2", "C6", "C8")
"""Chance points whose outcome nobody may know during the game (§4)."""


class CellView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cell; ``creature`` is empty without a tile, and null for a tile that lies face down."""

    cell: str
    field: str
    keyples: tuple[Keyple, ...] = ()
    creature: str | None = ""
    boat: str = ""


class BoardView(msgspec.Struct, frozen=True):
    """A board in play; ``x`` and ``y`` are its place in the formation."""

    id: str
    x: int
    y: int
    display: str
    rotation: int
    season: Season
    keyper: Seat | None
    marker: bool
    cells: tuple[CellView, ...]


class PlotView(msgspec.Struct, frozen=True):
    """A plot with tiles on it, from bottom to top."""

    plot: str
    stack: tuple[str, ...]
    upgraded: bool
    keyple: Keyple | None


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat has; ``dealt_fairs`` counts its secret fairs, null for those who may not know them."""

    seat: Seat
    season: Season
    completed: tuple[Season, ...]
    final_done: bool
    team: Mapping[str, int]
    keyper: str | None
    keyp: tuple[Keyple, ...]
    items: Mapping[str, int]
    tiles: tuple[str, ...]
    plots: tuple[PlotView, ...]
    stores: tuple[OwnedStore, ...]
    shipping: int
    fairs: tuple[str, ...]
    dealt_fairs: Mapping[str, int]
    secret_fairs: tuple[str, ...] | None
    held_fairs: tuple[str, ...]


class KeyperView(msgspec.Struct, frozen=True, kw_only=True):
    """A position as one seat or the public may see it; hidden values are null, piles are sizes."""

    mode: Mode
    seats: int
    viewer: Seat | None
    season: Season
    turn: int
    current: Seat
    phase: str
    boards: tuple[BoardView, ...]
    boats: tuple[Moored, ...]
    fishing_boats: tuple[Moored, ...]
    boats_available: tuple[str, ...]
    boats_aside: tuple[str, ...]
    fishing_boats_available: tuple[str, ...]
    sea_pile_size: int
    sea_pile: tuple[str, ...] | None
    sea_discard: Mapping[str, int]
    display: tuple[str, ...]
    discard: tuple[str, ...]
    bag_size: int
    bag: tuple[str, ...] | None
    reserve: tuple[str, ...]
    fair_stack_sizes: Mapping[str, int]
    fair_stacks: Mapping[str, tuple[str, ...]] | None
    removed_fairs: tuple[str, ...]
    removed_unseen: int
    unseen_fairs: tuple[str, ...] | None
    supply: Mapping[str, int] | None
    stalls: tuple[tuple[str, ...], ...]
    market_treasure: Mapping[str, int]
    fish_fairs: Mapping[str, str | None]
    opened: tuple[Season, ...]
    markers_left: Mapping[str, int]
    player_a: Mapping[str, Seat | None]
    stores_left: tuple[str, ...]
    trigger_seat: Seat | None
    final_turns_left: int
    exhibited: tuple[int, ...]
    first_out: Mapping[str, Seat | None]
    households: tuple[SeatView, ...]


def view_of(parts: Parts, state: State, viewer: Seat | None) -> KeyperView:
    """What *viewer* may see; ``None`` is the public. After the end everything is open."""
    over = state.phase == "over"
    return KeyperView(
        mode=state.options.mode,
        seats=state.seats,
        viewer=viewer,
        season=state.season,
        turn=state.turn,
        current=state.current,
        phase=state.phase,
        boards=tuple(_board_view(parts, state, board) for board in state.boards),
        boats=tuple(moored for moored in state.moored if moored.id in parts.boats),
        fishing_boats=tuple(moored for moored in state.moored if moored.id in parts.fishing_boats),
        boats_available=state.boats_available,
        boats_aside=state.boats_aside,
        fishing_boats_available=state.fishing_available,
        sea_pile_size=len(state.sea_pile),
        sea_pile=state.sea_pile if over else None,
        sea_discard=_counts(state.sea_discard),
        display=state.display,
        discard=state.discard,
        bag_size=len(state.bag),
        bag=state.bag if over else None,
        reserve=state.reserve,
        fair_stack_sizes=dict(zip(SEASONS, map(len, state.fair_stacks), strict=True)),
        fair_stacks=dict(zip(SEASONS, state.fair_stacks, strict=True)) if over else None,
        removed_fairs=state.removed_open,
        removed_unseen=len(state.removed_unseen),
        unseen_fairs=state.removed_unseen if over else None,
        supply=None if state.options.unlimited_supply else _named(parts.items, state.supply),
        stalls=state.stalls,
        market_treasure=_counts(state.treasures),
        fish_fairs=_fish_fairs(state, over),
        opened=state.opened,
        markers_left=dict(zip(SEASONS, state.markers_left, strict=True)),
        player_a=dict(zip(SEASONS, state.player_a, strict=True)),
        stores_left=state.stores_left,
        trigger_seat=state.trigger,
        final_turns_left=state.final_turns_left,
        exhibited=state.exhibited,
        first_out=dict(zip(SEASONS, state.first_out, strict=True)),
        households=tuple(_seat_view(parts, state, Seat(seat), viewer) for seat in range(state.seats)),
    )


def _counts(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts


def _named(names: Sequence[str], counts: Sequence[int]) -> dict[str, int]:
    return {name: n for name, n in zip(names, counts, strict=True) if n}


def _board_view(parts: Parts, state: State, board: Board) -> BoardView:
    x, y, _ = parts.place(state.options.mode, board.id)
    hide = state.phase != "over"
    return BoardView(
        board.id,
        x,
        y,
        board.display,
        board.rotation,
        board.season,
        board.keyper,
        board.marker,
        tuple(_cell_view(name, cell, hide) for name, cell in zip(CELLS[board.id], board.cells, strict=True)),
    )


def _cell_view(name: str, cell: Cell, hide: bool) -> CellView:
    unknown = hide and cell.creature and not cell.face_up
    return CellView(name, cell.field, cell.keyples, None if unknown else cell.creature, cell.boat)


def _fish_fairs(state: State, over: bool) -> dict[str, str | None]:
    """The fish fairs of the seasons so far; later ones lie face down."""
    return {
        season: fair if over or number <= season_number(state.season) else None
        for number, (season, fair) in enumerate(zip(SEASONS, state.fish_fairs, strict=False))
    }


def _seat_view(parts: Parts, state: State, seat: Seat, viewer: Seat | None) -> SeatView:
    household = state.households[seat]
    known = viewer == seat or state.options.open_fairs or state.phase == "over"
    return SeatView(
        seat=seat,
        season=household.season,
        completed=household.completed,
        final_done=_final_done(state, seat),
        team=_named(parts.colours, household.team),
        keyper=household.keyper or None,
        keyp=household.keyp,
        items=_named(parts.items, household.items),
        tiles=household.tiles,
        plots=_plot_views(parts, household),
        stores=household.stores,
        shipping=household.shipping,
        fairs=household.fairs,
        dealt_fairs=_counts(parts.fairs[fair].season for fair in household.secret),
        secret_fairs=household.secret if known else None,
        held_fairs=household.held,
    )


def _final_done(state: State, seat: Seat) -> bool:
    """Whether the seat has had its last turn (D22)."""
    if state.trigger is None:
        return False
    turns_after = (seat - state.trigger) % state.seats
    return turns_after < state.seats - state.final_turns_left


def _plot_views(parts: Parts, household: Household) -> tuple[PlotView, ...]:
    return tuple(
        PlotView(place.id, plot.stack, plot.upgraded, plot.keyple)
        for place, plot in zip(parts.plots, household.plots, strict=True)
        if plot.stack
    )


# --- facts ---


def _redact_draw(fact: ChanceDrawn, viewer: Seat | None) -> Fact:
    return replace(fact, outcome=None) if fact.point in HIDDEN_DRAWS else fact


def _redact_tile(fact: facts.TileMoved, viewer: Seat | None) -> Fact:
    return replace(fact, tile=None) if fact.secret and fact.to != f"seat_{viewer}" else fact


REDACTIONS: Final[Redactions] = {
    ChanceDrawn: _redact_draw,
    facts.TileMoved: _redact_tile,
}
"""The facts of which not everybody may know everything."""


def redact(fact: Fact, viewer: Seat | None) -> Fact:
    """What *viewer* may know of *fact*."""
    return redacted(fact, viewer, REDACTIONS)


# --- what cannot be told apart ---


def alternative(parts: Parts, state: State, viewer: Seat | None, chance: Chance) -> State:
    """*state* with everything dealt anew that *viewer* may not know; the same after the end."""
    if state.phase == "over":
        return state
    state = _other_creatures(state, chance)
    state = _other_fish_fairs(state, chance)
    for season in SEASONS:
        state = _other_fairs(parts, state, viewer, season, chance)
    return state


def _other_creatures(state: State, chance: Chance) -> State:
    """The pile and the face-down tiles on the water, mixed."""
    down = [
        name
        for board in state.boards
        for name, cell in zip(CELLS[board.id], board.cells, strict=True)
        if cell.creature and not cell.face_up
    ]
    known = {board.id: board.cells for board in state.boards}
    hidden = [known[CELL_AT[name][0]][CELL_AT[name][1]].creature for name in down]
    mixed = chance.shuffled("alternative.creatures", (*hidden, *state.sea_pile))
    on_water = dict(zip(down, mixed, strict=False))
    boards = tuple(
        replace(
            board,
            cells=tuple(
                replace(cell, creature=on_water[name]) if name in on_water else cell
                for name, cell in zip(CELLS[board.id], board.cells, strict=True)
            ),
        )
        for board in state.boards
    )
    return replace(state, boards=boards, sea_pile=mixed[len(down) :])


def _other_fish_fairs(state: State, chance: Chance) -> State:
    shown = season_number(state.season) + 1
    later = chance.shuffled("alternative.fish_fairs", state.fish_fairs[shown:])
    return replace(state, fish_fairs=(*state.fish_fairs[:shown], *later))


def _other_fairs(parts: Parts, state: State, viewer: Seat | None, season: Season, chance: Chance) -> State:
    """The fairs of a season in stack, bag and other hands, and those removed unseen, mixed."""
    masked = _masked(state, viewer, season)
    number = season_number(season)
    places = (
        state.fair_stacks[number],
        state.bag,
        state.removed_unseen,
        *(state.households[seat].secret for seat in masked),
    )
    fairs = [
        name
        for place in places
        for name in place
        if name in parts.fairs and parts.fairs[name].season == season
    ]
    swap = dict(zip(fairs, chance.shuffled(f"alternative.fairs.{season}", fairs), strict=True))

    def swapped(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(swap.get(name, name) for name in names)

    return replace(
        state,
        fair_stacks=with_item(state.fair_stacks, number, swapped(state.fair_stacks[number])),
        bag=parts.sorted_tiles(swapped(state.bag)),
        removed_unseen=parts.sorted_tiles(swapped(state.removed_unseen)),
        households=tuple(
            replace(household, secret=swapped(household.secret)) if seat in masked else household
            for seat, household in enumerate(state.households)
        ),
    )


def _masked(state: State, viewer: Seat | None, season: Season) -> list[int]:
    """The seats whose dealt fairs *viewer* may not know.

    A seat that is asked to hold fairs of the season is left out: that it is asked shows that it can.
    """
    if state.options.open_fairs:
        return []
    return [seat for seat in range(state.seats) if seat != viewer and not _asked(state, seat, season)]


def _asked(state: State, seat: int, season: Season) -> bool:
    top = state.pending[-1]
    return isinstance(top, wait.HoldFair) and top.seat == seat and top.season == season
