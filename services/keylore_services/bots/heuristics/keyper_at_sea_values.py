"""What a move is worth in Keyper at Sea, one step ahead; ten units are one point.

Public knowledge only: what the view shows, and the values of tiles, fields and boats in the data that ships
with the game. A bot is not sent a league's own data, so what only that has counts as nothing special.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, TypeVar

from keylore_domain.games.keyper_at_sea.components import units
from keylore_domain.games.keyper_at_sea.components.entries import (
    Boat,
    Display,
    Fair,
    Field,
    FishFair,
    Named,
    Store,
    Tile,
)
from keylore_domain.games.keyper_at_sea.components.parts import SEASONS, Parts, parse, standard

Json = Mapping[str, Any]
POINT: Final = 10
WHITE: Final = "white"
WORTH: Final[Mapping[str, int]] = {
    "raw": 7,
    "finished": 10,
    "wheat": 8,
    "animal": 2,
    "gem": 4,
    "fish": 3,
    "creature": 3,
    "pearl": 8,
    "treasure": 20,
}
"""What an item of a group is worth when nothing particular is known of it."""
STORES: Final = {"raw_store": 8, "finished_store": 6, "gems_store": 5, "wheat_store": 4}
HOPE: Final[Mapping[type[units.Unit], int]] = {
    units.Flat: 0,
    units.Items: 2,
    units.ItemSet: 1,
    units.Housed: 2,
    units.HousedKinds: 2,
    units.Tiles: 2,
    units.TilePairs: 2,
    units.Rows: 1,
    units.ClaimedKeyples: 1,
    units.Fairs: 1,
    units.Shipping: 4,
    units.OverbuiltCountry: 0,
    units.Pearls: 1,
}
"""How many more units of a kind may still come."""


N = TypeVar("N", bound=Named)


class Known(dict[str, N]):
    """Entries by id; what a league's own data file has besides is taken for *plain*."""

    def __init__(self, entries: Mapping[str, N], plain: N) -> None:
        super().__init__(entries)
        self._plain = plain

    def __missing__(self, name: str) -> N:
        return self._plain


NO_LINES: Final = units.Lines(base=(), upgraded=())
PLAIN_TILE: Final = Tile(
    id="",
    owner="country",
    game="base",
    kind="farm",
    spring=False,
    keyple_icon=False,
    build=(),
    upgrade=None,
    score=NO_LINES,
)


@lru_cache(maxsize=1)
def parts() -> Parts:
    """The components that ship with the game; an id that they do not have stands for a plain entry."""
    shipped = parse(standard())
    shipped.fields = Known(shipped.fields, Field(id="", code="", border=None, ops=()))
    shipped.displays = Known(shipped.displays, Display(id="", board="country", season="spring", grid=()))
    shipped.tiles = Known(shipped.tiles, PLAIN_TILE)
    shipped.stores = Known(shipped.stores, Store(id="", upgrade=(), score=NO_LINES))
    shipped.fairs = Known(shipped.fairs, Fair(id="", season="spring", exhibit=(), points=1))
    shipped.fish_fairs = Known(shipped.fish_fairs, FishFair(id="", pair=("", "")))
    shipped.boats = Known(shipped.boats, Boat(id="", cargo=(), ship=()))
    return shipped


class Sight:
    """What one seat sees, with what it makes of it."""

    def __init__(self, view: Json, seat: int) -> None:
        self.view = view
        self.seat = seat
        self.own: Json = view["households"][seat]
        self.items: Mapping[str, int] = self.own["items"]
        self.season = SEASONS.index(self.own["season"])

    @cached_property
    def plots(self) -> Mapping[str, Json]:
        """The built plots by id."""
        return {plot["plot"]: plot for plot in self.own["plots"]}

    @cached_property
    def tops(self) -> list[tuple[str, Tile, bool]]:
        """Plot, tile and state of each uncovered tile."""
        return [
            (plot["plot"], parts().tiles[plot["stack"][-1]], plot["upgraded"]) for plot in self.own["plots"]
        ]

    @cached_property
    def fairs(self) -> list[str]:
        """The fairs of the seat."""
        return [*self.own["fairs"], *(self.own["secret_fairs"] or ())]

    @cached_property
    def room(self) -> Mapping[str, int]:
        """For each kind the free room in houses, taken one kind at a time."""
        room: dict[str, int] = {}
        for _, tile, _ in self.tops:
            for kind in tile.houses:
                room[kind] = room.get(kind, 0) + 4
        return {kind: n - self.items.get(kind, 0) for kind, n in room.items()}

    @cached_property
    def lines(self) -> list[units.Line]:
        """The score lines of the seat's tiles and stores."""
        scores = [(tile.score, upgraded) for _, tile, upgraded in self.tops]
        scores += [(parts().stores[store["id"]].score, store["upgraded"]) for store in self.own["stores"]]
        return [line for lines, upgraded in scores for line in (lines.upgraded if upgraded else lines.base)]


# --- points ---


def _count(sight: Sight, unit: units.AnyUnit) -> int:
    """Units of a kind now; housed items as if the tile stood alone."""
    counter = COUNTERS.get(type(unit))
    return 1 if counter is None else counter(sight, unit)


def _owned(sight: Sight, names: Sequence[str]) -> int:
    return sum(sight.items.get(name, 0) for name in names)


def _tiles(sight: Sight, unit: units.Tiles) -> int:
    return sum(
        unit.area in ("any", "farm" if plot[0] == "f" else "village")
        and (unit.filter != "upgraded" or upgraded)
        and (unit.filter != "no_keyple_icon" or not tile.keyple_icon)
        and not (unit.on_board_only and plot[1] == "x")
        for plot, tile, upgraded in sight.tops
    )


def _pairs(sight: Sight, unit: units.TilePairs) -> int:
    farm = sum(plot[0] == "f" for plot, _, _ in sight.tops)
    return min(farm, len(sight.tops) - farm)


def _rows(sight: Sight, unit: units.Rows) -> int:
    built = [plot[:2] for plot in sight.plots if plot[0] == unit.area[0] and plot[1] != "x"]
    width = 2 if unit.area == "farm" else 3
    return sum(built.count(f"{unit.area[0]}{row}") == width for row in range(1, 5))


def _claimed(sight: Sight, unit: units.ClaimedKeyples) -> int:
    colours = [colour for board, colour in keyples_on_boards(sight.view) if board == sight.own["keyper"]]
    return colours.count(unit.colour)


def _fairs(sight: Sight, unit: units.Fairs) -> int:
    return sum(unit.season in ("any", parts().fairs[fair].season) for fair in sight.own["held_fairs"])


COUNTERS: Final[Mapping[type[units.Unit], Callable[[Sight, Any], int]]] = {
    units.Items: lambda sight, unit: _owned(sight, unit.items),
    units.ItemSet: lambda sight, unit: min(sight.items.get(name, 0) for name in unit.items),
    units.Housed: lambda sight, unit: _owned(sight, unit.points),
    units.HousedKinds: lambda sight, unit: 1,
    units.Tiles: _tiles,
    units.TilePairs: _pairs,
    units.Rows: _rows,
    units.ClaimedKeyples: _claimed,
    units.Fairs: _fairs,
    units.Shipping: lambda sight, unit: sight.own["shipping"],
    units.OverbuiltCountry: lambda sight, unit: 0,
    units.Pearls: lambda sight, unit: sight.items.get("pearl", 0),
}


def keyples_on_boards(view: Json) -> list[tuple[str, str]]:
    """Board and colour of every keyple on a board."""
    found = [
        (board["id"], keyple["colour"])
        for board in view["boards"]
        for cell in board["cells"]
        for keyple in cell.get("keyples", ())
    ]
    for boat in (*view["boats"], *view["fishing_boats"]):
        found += [(boat["board"], keyple["colour"]) for keyple in boat["keyples"]]
    return found


def line_value(sight: Sight, line: units.Line, more: int) -> int:
    """The value of a score line with *more* units than now."""
    return POINT * line.points * min(line.cap, (_count(sight, line.unit) + more) // line.per)


def tile_value(sight: Sight, tile: Tile, *, upgraded: bool = False) -> int:
    """What an own tile may come to, with some hope, and what a keyple may do on it."""
    lines = tile.score.upgraded if upgraded else tile.score.base
    left = 4 - sight.season
    hope = sum(line_value(sight, line, min(left, HOPE[type(line.unit)])) for line in lines)
    return hope + (6 * left if tile.keyple_icon else 0) + (3 * left if tile.houses else 0)


# --- items ---


def item_value(sight: Sight, name: str) -> int:
    """What one more of an item is worth."""
    return worth(name) + 2 * (sight.room.get(name, 0) > 0) + _scored(sight, name) + _shown(sight, name)


def worth(name: str) -> int:
    """What an item is worth when nothing particular is known of it."""
    return WORTH[next(item.group for item in parts().data.items.entries if item.id == name)]


def _scored(sight: Sight, name: str) -> int:
    """What tiles and stores pay for one more."""
    best = 0
    for line in sight.lines:
        unit = line.unit
        if isinstance(unit, units.Housed) and name in unit.points and sight.room.get(name, 0) > 0:
            best += _next_unit(line, _owned(sight, unit.points))
        elif isinstance(unit, units.Items) and name in unit.items:
            best += _next_unit(line, _owned(sight, unit.items))
        elif isinstance(unit, units.ItemSet) and name in unit.items:
            fewest = min(sight.items.get(other, 0) for other in unit.items)
            best += POINT * line.points // 3 if sight.items.get(name, 0) == fewest < line.cap else 0
    return best


def _next_unit(line: units.Line, now: int) -> int:
    return POINT * line.points // line.per if now < line.cap * line.per else 0


def _shown(sight: Sight, name: str) -> int:
    """What fairs pay for one more; nearer ones more than later ones."""
    best = 0
    for fair in sight.fairs:
        entry = parts().fairs[fair]
        missing = sum(
            max(0, entry.exhibit.count(item) - sight.items.get(item, 0))
            for item in dict.fromkeys(entry.exhibit)
        )
        away = SEASONS.index(entry.season) - sight.season
        if away >= 0 and entry.exhibit.count(name) > sight.items.get(name, 0):
            best = max(best, POINT * entry.points // (missing * (1 + 2 * away)))
    return best
