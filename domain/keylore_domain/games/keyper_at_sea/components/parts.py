"""The parts of the game: the data file, indexed for the rules."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from keylore_domain.engine.data import parse_data, shipped
from keylore_domain.games.keyper_at_sea.components import boards, ops
from keylore_domain.games.keyper_at_sea.components.checks import check
from keylore_domain.games.keyper_at_sea.components.entries import (
    BoardKind,
    DataFile,
    Display,
    Field,
    Mode,
    Named,
    Season,
    Tile,
    UpgradeCosts,
)

GAME: Final = "keyper-at-sea"
SEASONS: Final[tuple[Season, ...]] = ("spring", "summer", "autumn", "winter")
SEA_GROUPS: Final = ("creature", "pearl", "treasure")
DISCOUNTED: Final = frozenset({"log", "clay", "rock", "raw", "wood", "brick", "stone", "finished"})
"""The slots that a discount may drop (E6)."""

Slots = tuple[tuple[int, ...], ...]
N = TypeVar("N", bound=Named)


class Parts:
    """The data file, indexed; never changes. Items and colours are numbered in canonical order (§2.7)."""

    def __init__(self, data: DataFile) -> None:
        self.data = data
        self.constants = data.constants
        self.items = tuple(item.id for item in data.items.entries)
        self.item: Mapping[str, int] = {name: at for at, name in enumerate(self.items)}
        self.supply = tuple(0 if item.group in SEA_GROUPS else item.supply for item in data.items.entries)
        self.groups = _groups(data)
        self.refined = {self.item[i.id]: self.item[i.refines_to] for i in data.items.entries if i.refines_to}
        self.colours = tuple(colour.id for colour in data.keyples.colours)
        self.colour: Mapping[str, int] = {name: at for at, name in enumerate(self.colours)}
        self._index_boards()
        self._index_tiles()
        self._index_boats()
        self._index_costs()

    def _index_boards(self) -> None:
        data = self.data
        self.fields: Mapping[str, Field] = {field.code: field for field in data.fields.entries}
        self.action_codes = frozenset(self.fields) - {boards.KEYP, boards.WATER}
        self.displays = _by_id(data.displays.entries)
        self.grids = {
            (display.id, rotation): boards.turned(display.grid, rotation)
            for display in data.displays.entries
            for rotation in boards.ROTATIONS
        }
        self.neighbours = boards.neighbours(data.formations.with_sea)
        self.plots = boards.plot_places(data.constants.plots.value)
        self.plot: Mapping[str, int] = {place.id: at for at, place in enumerate(self.plots)}

    def _index_tiles(self) -> None:
        data = self.data
        self.tiles: Mapping[str, Tile] = _by_id(data.tiles.entries)
        self.fairs = _by_id(data.fairs.entries)
        self.fish_fairs = _by_id(data.fish_fairs.entries)
        self.stores = _by_id(data.stores.entries)
        self.rank: Mapping[str, int] = {name: at for at, name in enumerate([*self.tiles, *self.fairs])}
        self.exhibits = {fair.id: self.vector(fair.exhibit) for fair in data.fairs.entries}

    def _index_boats(self) -> None:
        data = self.data
        self.boats = _by_id(data.boats.entries)
        self.fishing_boats = _by_id(data.fishing_boats.entries)
        self.boat_rank = {name: at for at, name in enumerate([*self.boats, *self.fishing_boats])}
        self.borders: Mapping[str, str] = {
            **dict.fromkeys(self.boats, data.boats.border),
            **{boat.id: boat.border for boat in data.fishing_boats.entries},
        }
        self.keyp_ops = (ops.GainOneOf(self.constants.keyp_yield.value, 1),)

    def _index_costs(self) -> None:
        self.payable = {
            slot.id: tuple(sorted(self.item[name] for name in slot.payable_with))
            for slot in self.data.cost_slots.entries
        }

    def vector(self, names: Iterable[str]) -> tuple[int, ...]:
        """How often each item stands in *names*, in canonical order."""
        counts = [0] * len(self.items)
        for name in names:
            counts[self.item[name]] += 1
        return tuple(counts)

    def sorted_tiles(self, names: Iterable[str]) -> tuple[str, ...]:
        """*names* of tiles and fairs in canonical order."""
        return tuple(sorted(names, key=self.rank.__getitem__))

    def displays_for(self, kind: BoardKind, season: Season) -> list[Display]:
        """The displays of a kind of board for one season."""
        return [item for item in self.data.displays.entries if item.board == kind and item.season == season]

    def boards_in_play(self, mode: Mode, seats: int) -> tuple[str, ...]:
        """The boards of a match in canonical order (setup 1)."""
        chosen = self.data.formations.boards_in_play[mode][seats]
        return tuple(board for board in boards.BOARDS if board in chosen)

    def place(self, mode: Mode, board: str) -> tuple[int, int, int]:
        """Column, row and first rotation of *board* in the formation."""
        formations = self.data.formations
        found = (formations.without_sea if mode == "base" else formations.with_sea)[board]
        return found.x, found.y, found.rotation

    def border(self, spot: str, code: str) -> str | None:
        """The border of a boat *spot*, or of a field with *code*."""
        return self.fields[code].border if code else self.borders[spot]

    def slots(self, cost: Sequence[str]) -> Slots:
        """For each slot of *cost* the items that pay it."""
        return tuple(self.payable[slot] for slot in cost)

    def upgrade_cost(self, tile: str, area: str) -> tuple[str, ...] | None:
        """The upgrade cost of *tile* where it stands; ``None`` when it has none (T12)."""
        cost = self.tiles[tile].upgrade
        if isinstance(cost, UpgradeCosts):
            return cost.farm if area == "farm" else cost.village
        return cost


def _by_id(entries: Iterable[N]) -> dict[str, N]:
    return {entry.id: entry for entry in entries}


def _groups(data: DataFile) -> dict[str, tuple[int, ...]]:
    groups: dict[str, tuple[int, ...]] = {}
    for at, item in enumerate(data.items.entries):
        groups[item.group] = (*groups.get(item.group, ()), at)
    return groups


def parse(text: str) -> Parts:
    """The parts of the data file *text*.

    Raises:
        DataFileError: the file breaks a rule; names the entry.
    """
    data = parse_data(text, GAME, DataFile)
    check(data)
    return Parts(data)


def standard() -> str:
    """The text of the data file that ships with the game."""
    return shipped("keylore_domain.games.keyper_at_sea")
