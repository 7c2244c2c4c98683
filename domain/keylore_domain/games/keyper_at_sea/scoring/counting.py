"""What the score lines of tiles and stores count (keyper-at-sea §7 V5), one function per unit."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea.components import units
from keylore_domain.games.keyper_at_sea.components.boards import PlotPlace
from keylore_domain.games.keyper_at_sea.components.parts import Parts
from keylore_domain.games.keyper_at_sea.state.position import Household, Plot, State
from keylore_domain.games.keyper_at_sea.state.spots import spots_of


class Scored(NamedTuple):
    """A seat whose lines are counted; ``items`` with pearls as declared, ``pearls`` those left as pearls."""

    parts: Parts
    state: State
    seat: Seat
    items: Sequence[int]
    pearls: int

    @property
    def household(self) -> Household:
        """What the seat has."""
        return self.state.households[self.seat]

    def count(self, name: str) -> int:
        """How many of an item count."""
        return self.items[self.parts.item[name]]

    def built(self, area: str) -> list[tuple[PlotPlace, Plot]]:
        """The plots of an area (or ``any``) with a tile on them."""
        return [
            (place, plot)
            for place, plot in zip(self.parts.plots, self.household.plots, strict=True)
            if plot.stack and area in ("any", place.area)
        ]


def _flat(scored: Scored, unit: units.Flat) -> int:
    return 1


def _items(scored: Scored, unit: units.Items) -> int:
    return sum(scored.count(name) for name in unit.items)


def _item_set(scored: Scored, unit: units.ItemSet) -> int:
    return min(scored.count(name) for name in unit.items)


def _tiles(scored: Scored, unit: units.Tiles) -> int:
    passes = FILTERS[unit.filter]
    return sum(
        passes(scored.parts, plot)
        for place, plot in scored.built(unit.area)
        if not (unit.on_board_only and place.extension)
    )


def _icon_less(parts: Parts, plot: Plot) -> bool:
    return not parts.tiles[plot.stack[-1]].keyple_icon


FILTERS: Final[Mapping[str, Callable[[Parts, Plot], bool]]] = {
    "all": lambda parts, plot: True,
    "upgraded": lambda parts, plot: plot.upgraded,
    "no_keyple_icon": _icon_less,
}


def _tile_pairs(scored: Scored, unit: units.TilePairs) -> int:
    return min(len(scored.built("farm")), len(scored.built("village")))


def _rows(scored: Scored, unit: units.Rows) -> int:
    built = [place.row for place, _ in scored.built(unit.area)]
    width = [place.row for place in scored.parts.plots if place.area == unit.area]
    return sum(built.count(row) == width.count(row) for row in sorted(set(width)) if row)


def _claimed_keyples(scored: Scored, unit: units.ClaimedKeyples) -> int:
    claimed = [board for board in scored.state.boards if board.keyper == scored.seat]
    return sum(
        keyple.colour == unit.colour for _, keyples in spots_of(scored.state, claimed) for keyple in keyples
    )


def _fairs(scored: Scored, unit: units.Fairs) -> int:
    seasons = [scored.parts.fairs[fair].season for fair in scored.household.held]
    return len(seasons) if unit.season == "any" else seasons.count(unit.season)


def _shipping(scored: Scored, unit: units.Shipping) -> int:
    return scored.household.shipping


def _overbuilt_country(scored: Scored, unit: units.OverbuiltCountry) -> int:
    country = [
        name for name, tile in scored.parts.tiles.items() if tile.owner == "country" and tile.kind != "site"
    ]
    return sum(
        below in country and above in country
        for plot in scored.household.plots
        for below, above in pairwise(plot.stack)
    )


def _pearls(scored: Scored, unit: units.Pearls) -> int:
    return scored.pearls


COUNTS: Final[Mapping[type[units.Unit], Callable[[Scored, Any], int]]] = {
    units.Flat: _flat,
    units.Items: _items,
    units.ItemSet: _item_set,
    units.Tiles: _tiles,
    units.TilePairs: _tile_pairs,
    units.Rows: _rows,
    units.ClaimedKeyples: _claimed_keyples,
    units.Fairs: _fairs,
    units.Shipping: _shipping,
    units.OverbuiltCountry: _overbuilt_country,
    units.Pearls: _pearls,
}
"""Units that a line counts by itself; housed items are assigned for all tiles together (V6)."""


def line_points(scored: Scored, line: units.Line) -> int:
    """The points of one score line (V3); 0 for a line that counts housed items."""
    count = COUNTS.get(type(line.unit))
    return 0 if count is None else line.points * min(line.cap, count(scored, line.unit) // line.per)
