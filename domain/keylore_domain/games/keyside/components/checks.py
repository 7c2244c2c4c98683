"""What a data file must fulfil besides its types (keyside §2)."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, get_args

from keylore_domain.engine.data import require
from keylore_domain.games.keyside.components.entries import DataFile, MarkerTile, MatTile
from keylore_domain.games.keyside.components.roads import REACH, distances
from keylore_domain.games.keyside.scoring.tally import NAMES
from keylore_domain.games.keyside.state.position import (
    COLOURS,
    FLAGS,
    HARBOUR,
    HARBOURS,
    HEADLANDS,
    MAT_PAIRS,
    NODE_AT,
    NODES,
    ORIENTED,
    RESOURCE,
    SOURCES,
    TOWN,
    Icon,
)

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWX"
FARMS: Final = ("F1", "F2", "F3", "F4", "F5")
TWO_SIDED: Final = ("blue", "green", "orange", "purple")
ONE_SIDED: Final = ("red", "yellow", "grey1", "grey2")
ACTIVE: Final = ("A", "B", "C")
MOST_BOATS: Final = 3
# beacon -> what it asks for
BEACONS: Final[Mapping[str, frozenset[str]]] = {
    "A1": frozenset({"headlands_in_row"}),
    "A2": frozenset({"headlands_built_of", "at_least"}),
    "A3": frozenset({"points_from_headland_f"}),
    "A4": frozenset({"harbours", "keyples_each"}),
    "A5": frozenset({"farms"}),
    "A6": frozenset({"harbours", "keyples_each"}),
    "B1": frozenset({"skill_tiles_same_colour"}),
    "B2": frozenset({"skill_tiles_same_value"}),
    "B3": frozenset({"fish"}),
    "B4": frozenset({"markers_on_level_4"}),
    "B5": frozenset({"gems_same_type"}),
    "B6": frozenset({"gems"}),
    "C1": frozenset({"harbours_worth_12"}),
    **{f"C{number}": frozenset({"harbours", "points"}) for number in range(2, 7)},
}


def check(data: DataFile) -> None:
    """Check what the types of the entries cannot say.

    Raises:
        DataFileError: an entry breaks a constraint of keyside §2; names the entry.
    """
    for part in _CHECKS:
        part(data)


def _check_names(data: DataFile) -> None:
    for entry, found, names in (
        ("board.roads", tuple(data.board.roads), NODES),
        ("by_seats", tuple(data.by_seats), (1, 2, 3, 4)),
        ("resource_tiles", tuple(data.resource_tiles), SOURCES),
        ("farms", tuple(data.farms), FARMS),
        ("markets", tuple(tile.tile for tile in data.markets), (*TWO_SIDED, *ONE_SIDED)),
        ("harbour_tiles", tuple(data.harbour_tiles), tuple(LETTERS[:HARBOURS])),
        ("cottages", tuple(data.cottages), tuple(LETTERS)),
        ("headland_tiles", tuple(data.headland_tiles), HEADLANDS),
        ("scoring_tiles", tuple(data.scoring_tiles), tuple(range(1, HARBOURS + 1))),
        ("solo.beacons", tuple(data.solo.beacons), tuple(BEACONS)),
    ):
        good = Counter[object](found) == Counter[object](names)
        require(entry, f"must have exactly the entries {', '.join(map(str, names))}", holds=good)


def _check_roads(data: DataFile) -> None:
    roads = data.board.roads
    for node, others in roads.items():
        for other in others:
            require(f"board.roads.{node}", f"{other!r} is no location", holds=other in NODE_AT)
            require(f"board.roads.{other}", f"does not lead back to {node}", holds=node in roads[other])
    graph = tuple(tuple(NODE_AT[other] for other in roads[node]) for node in NODES)
    for node, steps in zip(NODES, distances(graph, TOWN), strict=True):
        require(f"board.roads.{node}", "is not connected with the town", holds=steps >= 0)
        near = not node.startswith("h") or 2 <= steps <= REACH
        require(f"board.roads.{node}", f"must be 2 or {REACH} steps from the town, is {steps}", holds=near)
    for node in NODES[HARBOUR:]:
        inland = sum(RESOURCE <= NODE_AT[other] < HARBOUR for other in roads[node])
        problem = f"must have one resource location beside it, has {inland}"
        require(f"board.roads.{node}", problem, holds=inland == 1)


def _check_markets(data: DataFile) -> None:
    for at, tile in enumerate(data.markets):
        two = tile.top is not None and tile.reverse is not None and tile.none is None
        one = tile.top is None and tile.reverse is None and tile.none is not None
        good = two if tile.tile in TWO_SIDED else one
        require(f"markets[{at}]", "must have top and reverse, or none alone if it is one-sided", holds=good)


def _check_strips(data: DataFile) -> None:
    names = [strip.strip for strip in data.dice_strips]
    good = len(set(names)) == len(names) == data.solo.keytoma_strips + 1
    require("dice_strips", "must be 4 strips with different names", holds=good)
    for at, strip in enumerate(data.dice_strips):
        for side, dice in (("light", strip.light), ("dark", strip.dark)):
            good = sorted(dice) == [1, 2, 3, 4, 5, 6]
            require(f"dice_strips[{at}].{side}", "must be the numbers 1 to 6 in some order", holds=good)


def _check_cottages(data: DataFile) -> None:
    colours = Counter(cottage.colour for cottage in data.cottages.values())
    require("cottages", "must be 4 of each colour", holds=all(colours[colour] == 4 for colour in COLOURS))
    first = [data.cottages[letter].colour for letter in data.first_game.start if letter in data.cottages]
    good = len(set(first)) == len(data.first_game.start) == 4
    require("first_game.start", "must be 4 cottages of different colours", holds=good)
    good = set(data.first_game.start.values()) <= set(data.scoring_tiles)
    require("first_game.start", "must lead to numbers of harbour scoring tiles", holds=good)


def _check_bands(data: DataFile) -> None:
    bands = data.dice_bands
    good = (1, bands.low[1] + 1, bands.mid[1] + 1) == (bands.low[0], bands.mid[0], bands.high[0])
    require("dice_bands", "must follow each other from 1 on", holds=good)


def _check_mats(data: DataFile) -> None:
    _check_boxes("basic", data.mats.basic, full=True)
    for pair in MAT_PAIRS:
        back = getattr(data.mats.backs, pair)
        require(f"mats.backs.{pair}", "must be one of E, F, G, H", holds=back in ("E", "F", "G", "H"))
        _check_boxes(back, getattr(data.mats, back), full=False)


def _check_boxes(letter: str, mat: MatTile, *, full: bool) -> None:
    for colour in COLOURS:
        levels = getattr(mat, colour)
        good = sorted(levels) == [1, 2, 3, 4] if full else set(levels) <= {1, 2, 3, 4}
        require(f"mats.{letter}.{colour}", "must have boxes for the levels 1 to 4", holds=good)
        for level, boxes in levels.items():
            entry = f"mats.{letter}.{colour}.{level}"
            require(entry, "must have one or two boxes", holds=len(boxes) in (1, 2))
            single = all(len(action.kinds) == 1 for box in boxes for action in box)
            require(entry, "each action must be of one kind", holds=single)


def _check_ladders(data: DataFile) -> None:
    for name, rungs in data.ladders.items():
        steps = sorted(rung.step[:2] for rung in rungs)
        starts = [0, *(end + 1 for _, end in steps if end is not None)]
        good = starts[: len(steps)] == [start for start, _ in steps]
        require(f"ladders.{name}", "must cover every number from 0 on once", holds=good)
    for number, tile in data.scoring_tiles.items():
        for side in (tile.black, tile.red):
            good = side.kind != "ladder" or side.ladder in data.ladders
            require(f"scoring_tiles.{number}", f"there is no ladder {side.ladder!r}", holds=good)


def _check_counts(data: DataFile) -> None:
    counts = data.counts
    good = counts.keyples_on_mat + counts.keyples_in_town == counts.keyples_per_seat
    require("counts.keyples_per_seat", "must be the keyples on the mat and in the town", holds=good)
    good = sorted(data.solo.effect_by_number) == [1, 2, 3, 4, 5, 6]
    require("solo.effect_by_number", "must have the numbers 1 to 6", holds=good)


def _check_beacons(data: DataFile) -> None:
    for beacon, terms in data.solo.beacons.items():
        numbers = isinstance(terms.harbours, tuple) == (len(BEACONS[beacon] & {"harbours", "points"}) == 2)
        good = terms.asked == BEACONS[beacon] and numbers
        asked = ", ".join(sorted(BEACONS[beacon]))
        require(f"solo.beacons.{beacon}", f"must say {asked}, each above 0", holds=good)


def _check_sources(data: DataFile) -> None:
    for tile, item in (("forest", "wood"), ("quarry", "stone"), ("wheat_fields", "wheat")):
        require(
            f"resource_tiles.{tile}.item", f"must be {item}", holds=data.resource_tiles[tile].item == item
        )


def _check_counted(data: DataFile) -> None:
    """Tiles and cottages count only what is counted."""
    for number, tile in data.scoring_tiles.items():
        for side in (tile.black, tile.red):
            names = {side.count, side.ladder, *side.of} - {""}
            _need_names(f"scoring_tiles.{number}", names)
            good = bool(side.of) == (side.kind in ("distinct", "sets")) and side.each > 0
            require(f"scoring_tiles.{number}", f"does not fit its kind {side.kind!r}", holds=good)
    for letter, cottage in data.cottages.items():
        _need_names(f"cottages.{letter}", {cottage.per, *cottage.set} - {"set", "headland_built"})
        good = bool(cottage.set) == (cottage.per == "set") and cottage.each > 0
        require(f"cottages.{letter}", f"does not fit its kind {cottage.per!r}", holds=good)
        good = cottage.per != "headland_built" or cottage.tile in HEADLANDS
        require(f"cottages.{letter}.tile", "must be a headland", holds=good)


def _need_names(entry: str, names: set[str]) -> None:
    unknown = sorted(names - NAMES)
    require(entry, f"counts {', '.join(unknown)}, which nobody has", holds=not unknown)


def _check_headlands(data: DataFile) -> None:
    for letter, tile in data.headland_tiles.items():
        good = (tile.trigger is not None) == (letter in ACTIVE)
        require(f"headland_tiles.{letter}.trigger", "must be there for A, B and C alone", holds=good)
        good = tile.oriented == (letter in ORIENTED)
        require(f"headland_tiles.{letter}.oriented", f"must be {letter in ORIENTED}", holds=good)


def _check_marker(data: DataFile) -> None:
    marked = [
        letter
        for letter, tile in data.harbour_tiles.items()
        if isinstance(tile, MarkerTile) and tile.red_space
    ]
    require("harbour_tiles", "must have I alone as the tile of the start marker", holds=marked == ["I"])


def _check_rings(data: DataFile) -> None:
    """Boats and flags stand in different harbours."""
    for seats, seating in data.by_seats.items():
        good = 1 <= seating.boats <= MOST_BOATS and 0 < (seating.boats - 1) * seating.boat_gap < HARBOURS
        require(f"by_seats.{seats}", "must have 1 to 3 boats in different harbours", holds=good)
    good = 0 < (len(FLAGS) - 1) * data.solo.flag_gap < HARBOURS
    require("solo.flag_gap", "must put the flags on different harbours", holds=good)
    good = sorted(data.solo.icon_order) == sorted(get_args(Icon))
    require("solo.icon_order", "must have each icon once", holds=good)


_CHECKS: Final[tuple[Callable[[DataFile], None], ...]] = (
    _check_names,
    _check_roads,
    _check_markets,
    _check_strips,
    _check_cottages,
    _check_bands,
    _check_mats,
    _check_ladders,
    _check_counts,
    _check_beacons,
    _check_sources,
    _check_counted,
    _check_headlands,
    _check_marker,
    _check_rings,
)
