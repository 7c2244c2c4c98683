"""What a seat has: the counts that scoring tiles, cottages and beacons ask for (keyside §6.6, §6.7)."""

from collections.abc import Mapping
from typing import Final

import msgspec

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.state.position import (
    ANIMALS,
    GEMS,
    ITEMS,
    Built,
    Farm,
    Mat,
    State,
    keyples_in,
)

NAMES: Final = frozenset(
    {
        *ITEMS,
        *(f"{animal}_in_farms" for animal in ANIMALS),
        *("animal_in_farms", "gem", "gem_type", "stone_and_wood"),
        *("keyples_on_mat", "keyples_on_harbours", "keyple_in_market", "keyple_on_resource_tile"),
        *("keyple_on_island", "farm", "source", "flat", "building", "house", "cottage", "empty_plot"),
        *("headlands_built", "skill_value", "skill_colours"),
    }
)
"""Everything that is counted, by the names that the data file uses."""


class Tally(msgspec.Struct, frozen=True):
    """The counts of one seat by name, its keyples by harbour position, its visible headlands by tile.

    ``shown`` gives for each visible own headland its space and the way it faces.
    """

    counts: Mapping[str, int]
    keyples: tuple[int, ...]
    shown: Mapping[str, tuple[int, Built]]


def tally(state: State, seat: Seat) -> Tally:
    """Count everything of *seat*; the start player marker counts as its item (keyside §7.1)."""
    mat = state.mats[seat]
    keyples = tuple(keyples_in(harbour, seat) for harbour in state.harbours)
    counts = {
        **_items(state, seat, mat),
        **_places(state, seat, mat, sum(keyples)),
        **_mat(mat),
    }
    shown = {
        stack[-1].tile: (space, stack[-1])
        for space, stack in enumerate(state.headlands)
        if stack and stack[-1].owner == seat
    }
    return Tally(counts, keyples, shown)


def _items(state: State, seat: Seat, mat: Mat) -> dict[str, int]:
    counts: dict[str, int] = dict(zip(ITEMS, mat.store, strict=True))
    if state.marker_item is not None and state.start_seat == seat:
        counts[state.marker_item] += 1
    for animal in ANIMALS:
        counts[f"{animal}_in_farms"] = 0
    for tile in state.resources:
        if isinstance(tile, Farm) and tile.keyple == seat:
            for standing in tile.animals:
                if standing is not None:
                    counts[standing] += 1
                    counts[f"{standing}_in_farms"] += 1
    counts["animal_in_farms"] = sum(counts[f"{animal}_in_farms"] for animal in ANIMALS)
    counts["gem"] = sum(counts[gem] for gem in GEMS)
    counts["gem_type"] = sum(counts[gem] > 0 for gem in GEMS)
    counts["stone_and_wood"] = counts["stone"] + counts["wood"]
    return counts


def _places(state: State, seat: Seat, mat: Mat, harbours: int) -> dict[str, int]:
    markets = sum(seat in market.keyples for market in state.markets)
    resources = [tile for tile in state.resources if tile.keyple == seat]
    farms = sum(isinstance(tile, Farm) for tile in resources)
    return {
        "keyples_on_mat": mat.keyples,
        "keyples_on_harbours": harbours,
        "keyple_in_market": markets,
        "keyple_on_resource_tile": len(resources),
        "farm": farms,
        "source": len(resources) - farms,
        "keyple_on_island": mat.town + markets + len(resources) + harbours,
    }


def _mat(mat: Mat) -> dict[str, int]:
    built = [plot for plot in mat.buildings if plot is not None]
    houses = sum(plot.house for plot in built)
    return {
        "flat": 1,
        "building": len(built),
        "house": houses,
        "cottage": len(built) - houses,
        "empty_plot": len(mat.buildings) - len(built),
        "headlands_built": 6 - len(mat.headlands_left),
        "skill_value": sum(tile.value for tile in mat.skill_tiles),
        "skill_colours": len({tile.colour for tile in mat.skill_tiles}),
    }
