"""The eighteen beacons of the solo game (keyside §8.10)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.state import COLOURS, GEMS, HARBOURS, Farm, Island
from keylore_domain.games.keyside.tally import Tally

HUMAN: Final = Seat(0)


class Sheet(msgspec.Struct, frozen=True):
    """What beacons ask of the score pad: rows by number, values per keyple by position, row F."""

    rows: tuple[int, ...]
    values: tuple[int, ...]
    beach: int


Terms = Mapping[str, Any]
Beacon = Callable[[Terms, Island, Tally, Sheet], bool]


def _row_of_headlands(terms: Terms, _state: Island, counted: Tally, _sheet: Sheet) -> bool:
    spaces = {space for space, _ in counted.shown.values()}
    length = terms["headlands_in_row"]
    return any(
        all((start + step) % HARBOURS in spaces for step in range(length)) for start in range(HARBOURS)
    )


def _headlands_built(terms: Terms, state: Island, _counted: Tally, _sheet: Sheet) -> bool:
    built = [tile for tile in terms["headlands_built_of"] if tile not in state.mats[HUMAN].headlands_left]
    return len(built) >= int(terms["at_least"])


def _beach(terms: Terms, _state: Island, _counted: Tally, sheet: Sheet) -> bool:
    return sheet.beach >= int(terms["points_from_headland_F"])


def _crowded_harbours(terms: Terms, _state: Island, counted: Tally, _sheet: Sheet) -> bool:
    enough = [keyples for keyples in counted.keyples if keyples >= int(terms["keyples_each"])]
    return len(enough) >= int(terms["harbours"])


def _farms(terms: Terms, state: Island, _counted: Tally, _sheet: Sheet) -> bool:
    own = [tile for tile in state.resources if isinstance(tile, Farm) and tile.keyple == HUMAN]
    return len(own) >= int(terms["farms"])


def _skills_of_a_colour(terms: Terms, state: Island, _counted: Tally, _sheet: Sheet) -> bool:
    kept = [tile.colour for tile in state.mats[HUMAN].skill_tiles]
    return max(kept.count(colour) for colour in COLOURS) >= int(terms["skill_tiles_same_colour"])


def _skills_of_a_value(terms: Terms, state: Island, _counted: Tally, _sheet: Sheet) -> bool:
    kept = [tile.value for tile in state.mats[HUMAN].skill_tiles]
    return max((kept.count(value) for value in kept), default=0) >= int(terms["skill_tiles_same_value"])


def _fish(terms: Terms, _state: Island, counted: Tally, _sheet: Sheet) -> bool:
    return counted.counts["fish"] >= int(terms["fish"])


def _top_markers(terms: Terms, state: Island, _counted: Tally, _sheet: Sheet) -> bool:
    return state.mats[HUMAN].levels.count(4) >= int(terms["markers_on_level_4"])


def _gems_of_a_type(terms: Terms, _state: Island, counted: Tally, _sheet: Sheet) -> bool:
    return max(counted.counts[gem] for gem in GEMS) >= int(terms["gems_same_type"])


def _gems(terms: Terms, _state: Island, counted: Tally, _sheet: Sheet) -> bool:
    return counted.counts["gem"] >= int(terms["gems"])


def _full_values(terms: Terms, _state: Island, counted: Tally, sheet: Sheet) -> bool:
    pairs = zip(sheet.values, counted.keyples, strict=True)
    full = [value for value, keyples in pairs if value >= 12 and keyples]
    return len(full) >= int(terms["harbours_worth_12"])


def _two_rows(terms: Terms, _state: Island, _counted: Tally, sheet: Sheet) -> bool:
    numbers: tuple[int, ...] = tuple(terms["harbours"])
    return sum(sheet.rows[number - 1] for number in numbers) >= int(terms["points"])


BEACONS: Final[Mapping[str, Beacon]] = {
    "A1": _row_of_headlands,
    "A2": _headlands_built,
    "A3": _beach,
    "A4": _crowded_harbours,
    "A5": _farms,
    "A6": _crowded_harbours,
    "B1": _skills_of_a_colour,
    "B2": _skills_of_a_value,
    "B3": _fish,
    "B4": _top_markers,
    "B5": _gems_of_a_type,
    "B6": _gems,
    "C1": _full_values,
    "C2": _two_rows,
    "C3": _two_rows,
    "C4": _two_rows,
    "C5": _two_rows,
    "C6": _two_rows,
}
