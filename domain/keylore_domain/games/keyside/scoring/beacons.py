"""The eighteen beacons of the solo game (keyside §8.10)."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.components.entries import BeaconTerms
from keylore_domain.games.keyside.scoring.tally import Tally
from keylore_domain.games.keyside.state.position import COLOURS, GEMS, HARBOURS, State

HUMAN: Final = Seat(0)


class Sheet(msgspec.Struct, frozen=True):
    """What beacons ask of the score pad: rows by number, values per keyple by position, row F."""

    rows: tuple[int, ...]
    values: tuple[int, ...]
    beach: int


Beacon = Callable[[BeaconTerms, State, Tally, Sheet], bool]


def _row_of_headlands(terms: BeaconTerms, _state: State, counted: Tally, _sheet: Sheet) -> bool:
    spaces = {space for space, _ in counted.shown.values()}
    return any(
        all((start + step) % HARBOURS in spaces for step in range(terms.headlands_in_row))
        for start in range(HARBOURS)
    )


def _headlands_built(terms: BeaconTerms, state: State, _counted: Tally, _sheet: Sheet) -> bool:
    left = state.mats[HUMAN].headlands_left
    return sum(tile not in left for tile in terms.headlands_built_of) >= terms.at_least


def _beach(terms: BeaconTerms, _state: State, _counted: Tally, sheet: Sheet) -> bool:
    return sheet.beach >= terms.points_from_headland_f


def _manned_harbours(terms: BeaconTerms, _state: State, counted: Tally, _sheet: Sheet) -> bool:
    assert isinstance(terms.harbours, int)
    return sum(keyples >= terms.keyples_each for keyples in counted.keyples) >= terms.harbours


def _farms(terms: BeaconTerms, _state: State, counted: Tally, _sheet: Sheet) -> bool:
    return counted.counts["farm"] >= terms.farms


def _skills_of_a_colour(terms: BeaconTerms, state: State, _counted: Tally, _sheet: Sheet) -> bool:
    kept = [tile.colour for tile in state.mats[HUMAN].skill_tiles]
    return max(kept.count(colour) for colour in COLOURS) >= terms.skill_tiles_same_colour


def _skills_of_a_value(terms: BeaconTerms, state: State, _counted: Tally, _sheet: Sheet) -> bool:
    kept = [tile.value for tile in state.mats[HUMAN].skill_tiles]
    return max((kept.count(value) for value in kept), default=0) >= terms.skill_tiles_same_value


def _fish(terms: BeaconTerms, _state: State, counted: Tally, _sheet: Sheet) -> bool:
    return counted.counts["fish"] >= terms.fish


def _top_markers(terms: BeaconTerms, state: State, _counted: Tally, _sheet: Sheet) -> bool:
    return state.mats[HUMAN].levels.count(4) >= terms.markers_on_level_4


def _gems_of_a_type(terms: BeaconTerms, _state: State, counted: Tally, _sheet: Sheet) -> bool:
    return max(counted.counts[gem] for gem in GEMS) >= terms.gems_same_type


def _gems(terms: BeaconTerms, _state: State, counted: Tally, _sheet: Sheet) -> bool:
    return counted.counts["gem"] >= terms.gems


def _full_values(terms: BeaconTerms, _state: State, counted: Tally, sheet: Sheet) -> bool:
    pairs = zip(sheet.values, counted.keyples, strict=True)
    return sum(value >= 12 and keyples > 0 for value, keyples in pairs) >= terms.harbours_worth_12


def _two_rows(terms: BeaconTerms, _state: State, _counted: Tally, sheet: Sheet) -> bool:
    assert isinstance(terms.harbours, tuple)
    return sum(sheet.rows[number - 1] for number in terms.harbours) >= terms.points


BEACONS: Final[Mapping[str, Beacon]] = {
    "A1": _row_of_headlands,
    "A2": _headlands_built,
    "A3": _beach,
    "A4": _manned_harbours,
    "A5": _farms,
    "A6": _manned_harbours,
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
