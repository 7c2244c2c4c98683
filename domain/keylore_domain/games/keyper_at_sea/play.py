"""A move that is being carried out, and the small changes that all effects are made of."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from keylore_domain.engine import play as engine
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.components.boards import CELL_AT
from keylore_domain.games.keyper_at_sea.components.items import counts_of
from keylore_domain.games.keyper_at_sea.components.parts import Parts
from keylore_domain.games.keyper_at_sea.state.position import Household, Keyple, Plot, State
from keylore_domain.games.keyper_at_sea.state.spots import KEYP_TILE
from keylore_domain.games.keyper_at_sea.state.stock import in_supply, is_sea_tile


class Play(engine.Play[State, Parts]):
    """The position, the parts it is played with and the turn."""

    __slots__ = ()

    def household(self, seat: Seat) -> Household:
        """What *seat* has."""
        return self.state.households[seat]

    def change_household(self, seat: Seat, **fields: Any) -> None:
        """Give the household of *seat* these new values."""
        changed = replace(self.state.households[seat], **fields)
        self.change(households=with_item(self.state.households, seat, changed))

    def change_board(self, board_id: str, **fields: Any) -> None:
        """Give a board these new values."""
        self.change(
            boards=tuple(
                replace(board, **fields) if board.id == board_id else board for board in self.state.boards
            )
        )

    def change_cell(self, cell: str, **fields: Any) -> None:
        """Give a cell these new values."""
        board_id, at = CELL_AT[cell]
        cells = self.state.board(board_id).cells
        self.change_board(board_id, cells=with_item(cells, at, replace(cells[at], **fields)))

    def change_moored(self, boat: str, **fields: Any) -> None:
        """Give a moored boat or fishing boat these new values."""
        self.change(
            moored=tuple(
                replace(moored, **fields) if moored.id == boat else moored for moored in self.state.moored
            )
        )

    def change_plot(self, seat: Seat, plot: str, **fields: Any) -> None:
        """Give a plot of *seat* these new values."""
        at = self.parts.plot[plot]
        plots = self.household(seat).plots
        self.change_household(seat, plots=with_item(plots, at, replace(plots[at], **fields)))


def place_of(seat: Seat) -> str:
    """The name of a seat as a place in facts."""
    return f"seat_{seat}"


def add_items(play: Play, seat: Seat, names: Iterable[str], source: str) -> None:
    """Give *seat* these items, which come from *source* (not the supply)."""
    names = tuple(names)
    held = list(play.household(seat).items)
    for name in names:
        held[play.parts.item[name]] += 1
    play.change_household(seat, items=tuple(held))
    play.note(facts.ItemsMoved(source, place_of(seat), counts_of(names)))


def gain(play: Play, seat: Seat, names: Sequence[str]) -> None:
    """Take these items from the supply as far as it has them (E1)."""
    given: list[str] = []
    supply = list(play.state.supply)
    for name in names:
        if in_supply(play.parts, play.state, name) > given.count(name):
            given.append(name)
            supply[play.parts.item[name]] -= not play.state.options.unlimited_supply
    if given:
        play.change(supply=tuple(supply))
        add_items(play, seat, given, "supply")


def give_up(play: Play, seat: Seat, names: Sequence[str]) -> None:
    """Return items of *seat* to the supply, sea creature tiles to the discard (CO2)."""
    parts, state = play.parts, play.state
    held, supply = list(play.household(seat).items), list(state.supply)
    tiles = [name for name in names if is_sea_tile(parts, name)]
    for name in names:
        held[parts.item[name]] -= 1
        supply[parts.item[name]] += not (name in tiles or state.options.unlimited_supply)
    play.change_household(seat, items=tuple(held))
    play.change(supply=tuple(supply), sea_discard=(*state.sea_discard, *tiles))
    others = [name for name in names if name not in tiles]
    for to, moved in (("supply", others), ("sea_discard", tiles)):
        if moved:
            play.note(facts.ItemsMoved(place_of(seat), to, counts_of(moved)))


def discard_creatures(play: Play, names: Sequence[str], source: str) -> None:
    """Put creature tiles face up on the sea discard."""
    if names:
        play.change(sea_discard=(*play.state.sea_discard, *names))
        play.note(facts.ItemsMoved(source, "sea_discard", counts_of(names)))


def draw_creature(play: Play) -> str:
    """The top creature tile; an empty pile is made of the discard (Q2). Empty text if none is left."""
    state = play.state
    if not state.sea_pile and state.sea_discard:
        pile = play.shuffled("C8", "deck.creatures", state.sea_discard)
        play.change(sea_pile=pile, sea_discard=())
    pile = play.state.sea_pile
    if not pile:
        return ""
    play.change(sea_pile=pile[1:])
    return pile[0]


def team_with(parts: Parts, team: Sequence[int], colours: Iterable[str], by: int = 1) -> tuple[int, ...]:
    """*team* with one more (or one less) of each of *colours*."""
    counts = list(team)
    for colour in colours:
        counts[parts.colour[colour]] += by
    return tuple(counts)


def put_keyples(play: Play, seat: Seat, spot: str, keyples: Iterable[Keyple]) -> None:
    """Let exactly *keyples* be on a spot; plots and the keyp are those of *seat*."""
    ordered = tuple(sorted(keyples, key=lambda keyple: (play.parts.colour[keyple.colour], keyple.lying)))
    if spot in CELL_AT:
        play.change_cell(spot, keyples=ordered)
    elif spot in play.parts.plot:
        play.change_plot(seat, spot, keyple=ordered[0] if ordered else None)
    elif spot == KEYP_TILE:
        play.change_household(seat, keyp=ordered)
    else:
        play.change_moored(spot, keyples=ordered)


def score_shipping(play: Play, seat: Seat, points: int, by: str) -> None:
    """Advance *seat* on the shipping track."""
    play.change_household(seat, shipping=play.household(seat).shipping + points)
    play.note(facts.ShippingScored(seat, points, by))


def empty_plots(parts: Parts) -> tuple[Plot, ...]:
    """The plots of a player board at setup."""
    return (Plot(),) * len(parts.plots)
