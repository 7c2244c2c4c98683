"""Final scores in the order of the score pad, ranking, and the solo game's victory (keyside §7, §8.9)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from keylore_domain.engine.outcomes import Outcome, SeatResult, ranks
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.components.entries import Cottage, ScoringSide
from keylore_domain.games.keyside.components.parts import Parts
from keylore_domain.games.keyside.scoring.beacons import BEACONS, Sheet
from keylore_domain.games.keyside.scoring.tally import Tally, tally
from keylore_domain.games.keyside.state.position import (
    COLOUR_AT,
    COLOURS,
    GEMS,
    HARBOURS,
    ITEMS,
    SOURCES,
    Building,
    Item,
    State,
    source_at,
)

PURPLE: Final = COLOUR_AT["purple"]


class Row(msgspec.Struct, frozen=True):
    """One line of the score pad."""

    row: str
    points: int


class KeysideResult(SeatResult, frozen=True, kw_only=True):
    """How a seat did, with its column of the score pad."""

    rows: tuple[Row, ...]


class KeysideOutcome(Outcome, frozen=True, kw_only=True):
    """The result record of keyside §7.4; ``won`` and ``beacons`` are for the solo game."""

    year: int
    seats: tuple[KeysideResult, ...]
    won: bool | None = None
    beacons: tuple[str, ...] = ()


# Harbour scoring tiles (keyside §6.7)


def value_per_keyple(parts: Parts, state: State, counted: Tally, harbour: int) -> int:
    """What each keyple in a harbour scores."""
    side = parts.scoring(state.harbours[harbour])
    return _VALUES[side.kind](parts, side, counted.counts)


def _unit(_: Parts, side: ScoringSide, counts: Mapping[str, int]) -> int:
    return min(side.max, side.points * (counts[side.count] // side.each))


def _distinct(_: Parts, side: ScoringSide, counts: Mapping[str, int]) -> int:
    return min(side.max, side.points * sum(counts[item] > 0 for item in side.of))


def _sets(_: Parts, side: ScoringSide, counts: Mapping[str, int]) -> int:
    return min(side.max, side.points * min(counts[item] for item in side.of))


def _ladder(parts: Parts, side: ScoringSide, counts: Mapping[str, int]) -> int:
    count = counts[side.ladder]
    steps = (rung.step for rung in parts.data.ladders[side.ladder])
    return next(points for start, end, points in steps if start <= count and (end is None or count <= end))


def _buildings(_: Parts, side: ScoringSide, counts: Mapping[str, int]) -> int:
    return side.cottage * counts["cottage"] + side.house * counts["house"]


def _half(_: Parts, side: ScoringSide, counts: Mapping[str, int]) -> int:
    return min(side.max, counts[side.count] // 2)


_VALUES: Final[Mapping[str, Callable[[Parts, ScoringSide, Mapping[str, int]], int]]] = {
    "unit": _unit,
    "distinct": _distinct,
    "sets": _sets,
    "ladder": _ladder,
    "buildings": _buildings,
    "half": _half,
}


def harbour_rows(parts: Parts, state: State, counted: Tally) -> tuple[int, ...]:
    """Points of the harbours with numbers 1 to 12; real keyples only (ruling R16)."""
    points = {
        harbour.number: counted.keyples[at]
        and counted.keyples[at] * value_per_keyple(parts, state, counted, at)
        for at, harbour in enumerate(state.harbours)
    }
    return tuple(points[number] for number in range(1, HARBOURS + 1))


# The other rows


def building_points(parts: Parts, state: State, seat: Seat, counted: Tally) -> tuple[int, ...]:
    """Points of the six buildings, in colour order (keyside §6.6)."""
    left = state.mats[seat].headlands_left
    return tuple(_building(parts, plot, left, counted.counts) for plot in state.mats[seat].buildings)


def _building(
    parts: Parts, plot: Building | None, headlands_left: tuple[str, ...], counts: Mapping[str, int]
) -> int:
    if plot is None:
        return 0
    cottage = parts.data.cottages[plot.letter]
    if cottage.per == "headland_built":
        times = int(cottage.tile not in headlands_left)
    else:
        times = _times(cottage, counts)
    return cottage.points[plot.house] * times


def _times(cottage: Cottage, counts: Mapping[str, int]) -> int:
    if cottage.per == "set":
        return min(counts[item] for item in cottage.set)
    return counts[cottage.per] // cottage.each


def gem_points(parts: Parts, state: State, seat: Seat, counted: Tally) -> int:
    """One point for each gem of the most frequent types, as many types as purple allows."""
    mat = state.mats[seat]
    types = parts.gem_types(mat.letter, mat.levels[PURPLE])
    return sum(sorted((counted.counts[gem] for gem in GEMS), reverse=True)[:types])


def statue_points(parts: Parts, counted: Tally) -> int:
    """Row D, while the tile is visible."""
    return parts.data.headland_tiles["D"].end_points if "D" in counted.shown else 0


def support_points(parts: Parts, state: State, counted: Tally) -> int:
    """Row E: the value per keyple of the favoured harbour, once (ruling R16)."""
    if "E" not in counted.shown:
        return 0
    space, tile = counted.shown["E"]
    favoured = space if tile.favours == "ccw" else (space + 1) % HARBOURS
    return value_per_keyple(parts, state, counted, favoured)


def beach_points(parts: Parts, counted: Tally) -> int:
    """Row F: 2 for each real keyple in the two adjacent harbours."""
    if "F" not in counted.shown:
        return 0
    space, _ = counted.shown["F"]
    keyples = counted.keyples[space] + counted.keyples[(space + 1) % HARBOURS]
    return parts.data.headland_tiles["F"].end_points_per_keyple * keyples


def source_points(parts: Parts, state: State, seat: Seat) -> int:
    """3 for each of forest, quarry and wheat fields that the seat owns."""
    own = (tile for tile in SOURCES if state.resources[source_at(state, tile)].keyple == seat)
    return sum(parts.data.resource_tiles[tile].end_points for tile in own)


def rows(parts: Parts, state: State, seat: Seat) -> tuple[Row, ...]:
    """The column of *seat* on the score pad, the total last."""
    counted = tally(state, seat)
    harbours = harbour_rows(parts, state, counted)
    buildings = building_points(parts, state, seat, counted)
    found = [Row(f"harbour_{number}", points) for number, points in enumerate(harbours, 1)]
    found += [Row(colour, points) for colour, points in zip(COLOURS, buildings, strict=True)]
    found += [
        Row("gems", gem_points(parts, state, seat, counted)),
        Row("headland_d", statue_points(parts, counted)),
        Row("headland_e", support_points(parts, state, counted)),
        Row("headland_f", beach_points(parts, counted)),
        Row("skill_tiles", counted.counts["skill_value"]),
        Row("resource_locations", source_points(parts, state, seat)),
    ]
    return (*found, Row("total", sum(row.points for row in found)))


def total(parts: Parts, state: State, seat: Seat) -> int:
    """What *seat* would score now."""
    return rows(parts, state, seat)[-1].points


def best_marker_item(parts: Parts, state: State, seat: Seat) -> Item:
    """The item as which the marker scores most, the first of equals."""
    return max(ITEMS, key=lambda item: total(parts, replace(state, marker_item=item), seat))


# Result


def lit(parts: Parts, state: State) -> tuple[str, ...]:
    """The beacons of a solo game that are lit (keyside §8.10)."""
    assert state.solo is not None
    counted = tally(state, Seat(0))
    points = harbour_rows(parts, state, counted)
    values = tuple(value_per_keyple(parts, state, counted, at) for at in range(HARBOURS))
    sheet = Sheet(points, values, beach_points(parts, counted))
    terms = parts.data.solo.beacons
    return tuple(
        beacon for beacon in state.solo.beacons if BEACONS[beacon](terms[beacon], state, counted, sheet)
    )


def has_won(parts: Parts, state: State, points: int, beacons: Sequence[str]) -> bool:
    """Enough points and enough beacons (keyside §8.9)."""
    win = parts.data.solo.win
    hard = state.options.solo_difficulty == "all_beacons"
    return points >= win.points and len(beacons) >= (win.beacons_hard if hard else win.beacons)


def outcome(parts: Parts, state: State) -> KeysideOutcome:
    """The result record of a finished game."""
    columns = [rows(parts, state, Seat(seat)) for seat in range(len(state.mats))]
    totals = [column[-1].points for column in columns]
    results = tuple(
        KeysideResult(seat=Seat(seat), rank=rank, score=score, rows=column)
        for seat, (rank, score, column) in enumerate(zip(ranks(totals), totals, columns, strict=True))
    )
    ending = KeysideOutcome(ended_by="last_year", round=state.year, year=state.year, seats=results)
    if state.solo is None:
        return ending
    beacons = lit(parts, state)
    return replace(ending, beacons=beacons, won=has_won(parts, state, totals[0], beacons))
