"""What a data file must fulfil (keyper-at-sea §2.6)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import msgspec

from keylore_domain.errors import DataFileError
from keylore_domain.games.keyper_at_sea.components import ops
from keylore_domain.games.keyper_at_sea.components.boards import BOARDS, KEYP, PAIRS, SIZE, WATER
from keylore_domain.games.keyper_at_sea.components.entries import (
    DataFile,
    Display,
    Named,
    Place,
    Tile,
    UpgradeCosts,
)
from keylore_domain.games.keyper_at_sea.components.items import ITEM_NAMES

MOST_SLOTS: Final = 3
FEWEST_FAIRS: Final = 4
BOUND: Final = (ops.BoatWork, ops.Fish, ops.TakeMarketTreasure)
WHITE: Final = "white"
HOME_TILES: Final = {"base": 12, "sea": 2}

NAMED: Final[Mapping[str, str]] = {
    "Offer.pay": "item",
    "item": "item",
    "items": "item",
    "of": "item",
    "get_one_of": "item",
    "points": "item",
    "houses": "item",
    "cargo": "item",
    "exhibit": "item",
    "pair": "item",
    "payable_with": "item",
    "refines_to": "item",
    "pay": "slot",
    "cost": "slot",
    "build": "slot",
    "upgrade": "slot",
    "UpgradeCosts.farm": "slot",
    "UpgradeCosts.village": "slot",
    "colour": "colour",
    "border": "colour",
    "two_player_ninth_from": "colour",
}
"""Fields that name something of the file, and what: by field name, or by struct and field name."""


def check(data: DataFile) -> None:
    """Raise DataFileError, naming the entry, if *data* breaks a rule of §2.6."""
    for part in (
        _check_provenance,
        _check_ids,
        _check_names,
        _check_grids,
        _check_displays,
        _check_formations,
        _check_room,
        _check_costs,
        _check_tiles,
        _check_counts,
        _check_constants,
        _check_market,
        _check_ops,
    ):
        part(data)


def _require(entry: str, condition: object, problem: str) -> None:
    if not condition:
        raise DataFileError(entry, problem)


def _lists(data: DataFile) -> Iterator[tuple[str, Any, Sequence[Named]]]:
    for name in msgspec.structs.asdict(data):
        section = getattr(data, name)
        if hasattr(section, "entries"):
            yield name, section, section.entries
    yield "keyples.colours", data.keyples, data.keyples.colours


def _check_provenance(data: DataFile) -> None:
    for name, section, entries in _lists(data):
        for entry in entries:
            _require(f"{name}.{entry.id}", entry.provenance or section.provenance, "has no provenance")
    _require("formations", data.formations.provenance, "has no provenance")
    _require("fish_market", data.fish_market.provenance, "has no provenance")


def _check_ids(data: DataFile) -> None:
    for name, _, entries in _lists(data):
        for entry in _repeated([entry.id for entry in entries]):
            raise DataFileError(f"{name}.{entry}", "stands twice")
    for code in _repeated([field.code for field in data.fields.entries]):
        raise DataFileError(f"fields.{code}", "stands twice")
    _require(
        "items", {i.id for i in data.items.entries} == set(ITEM_NAMES), "must be the 26 items of the game"
    )


def _repeated(names: Iterable[str]) -> list[str]:
    seen: list[str] = []
    return [name for name in names if name in seen or seen.append(name)]  # type: ignore[func-returns-value]


def _check_names(data: DataFile) -> None:
    known = {
        "item": set(ITEM_NAMES),
        "slot": {slot.id for slot in data.cost_slots.entries},
        "colour": {colour.id for colour in data.keyples.colours},
    }
    for name, section, entries in _lists(data):
        for entry in entries:
            _check_words(f"{name}.{entry.id}", entry, known)
        _check_words(name, section, known)
    _check_words("fish_market", data.fish_market, known)
    _check_words("constants.keyp_yield", ops.GainOneOf(data.constants.keyp_yield.value, 1), known)
    for item in data.constants.start_finished.value:
        _require("constants.start_finished", item in known["item"], f"{item!r} is no item")
    for colour in data.keyples.start_team:
        _require("keyples.start_team", colour in known["colour"], f"{colour!r} is no colour")


def _check_words(entry: str, value: msgspec.Struct, known: Mapping[str, set[str]]) -> None:
    for field, word in _words(value):
        kind = NAMED.get(field) or NAMED.get(field.partition(".")[2])
        if kind is not None:
            _require(entry, word in known[kind], f"{word!r} is no {kind}")


def _words(value: object, field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if value:
            yield field, value
    elif isinstance(value, tuple):
        for part in value:
            yield from _words(part, field)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _words(getattr(value, name), f"{type(value).__name__}.{name}")


def _check_grids(data: DataFile) -> None:
    codes = {field.code for field in data.fields.entries}
    markets = {field.code for field in data.fields.entries if ops.FishMarket() in field.ops}
    _require("fields", {KEYP, WATER} <= codes, f"must hold {KEYP} and {WATER}")
    for display in data.displays.entries:
        entry = f"displays.{display.id}"
        _require(entry, [len(row) for row in display.grid] == [SIZE] * SIZE, "must be 4 by 4")
        flat = _flat(display)
        for code in flat:
            _require(entry, code in codes, f"{code!r} is no field code")
        _require(entry, flat.count(KEYP) == 1, "must have exactly one keyp field")
        _check_water(entry, display)
        has_market = any(code in markets for code in flat)
        _require(
            entry, has_market == (display.board == "sea"), "fish market fields stand on sea displays only"
        )


def _flat(display: Display) -> list[str]:
    return [code for row in display.grid for code in row]


def _check_water(entry: str, display: Display) -> None:
    flat = _flat(display)
    together = any(flat[a] == flat[b] == WATER for a, b in PAIRS)
    _require(entry, together, "must have two adjacent water cells")
    _require(entry, display.board == "sea" or flat.count(WATER) == 2, "must have exactly two water cells")


def _check_displays(data: DataFile) -> None:
    displays = {display.id: display for display in data.displays.entries}
    for display in displays.values():
        twin = displays.get(display.same_as, None if display.same_as else display)
        _require(f"displays.{display.id}", twin and twin.grid == display.grid, "differs from its same_as")
    for kind in ("country", "sea"):
        for season in ("spring", "summer", "autumn", "winter"):
            found = any(d.board == kind and d.season == season for d in displays.values())
            _require("displays", found, f"none for a {kind} board in {season}")
    for board in BOARDS:
        first = displays.get(data.formations.spring_display.get(board, ""))
        kind = "sea" if board == "sea" else "country"
        fits = first and first.board == kind and first.season == "spring"
        _require(f"formations.spring_display.{board}", fits, f"must name a spring display of a {kind} board")


def _check_formations(data: DataFile) -> None:
    formations = data.formations
    for mode in ("base", "shallow", "deep"):
        places = formations.without_sea if mode == "base" else formations.with_sea
        for seats in (2, 3, 4):
            entry = f"formations.boards_in_play.{mode}.{seats}"
            boards = formations.boards_in_play.get(mode, {}).get(seats, ())
            right = len(set(boards)) == len(boards) == seats + (mode == "deep")
            _require(entry, right, "has the wrong number of boards")
            _require(entry, ("sea" in boards) == (mode != "base"), "the sea board is for the sea modes")
            _require(entry, set(boards) <= set(places) & set(BOARDS), "names a board without a place")
            _require(
                entry, _connected([places[board] for board in boards]), "must be connected by whole edges"
            )


def _connected(places: Sequence[Place]) -> bool:
    spots = {(place.x, place.y) for place in places}
    reached, edge = set[tuple[int, int]](), [min(spots)]
    while edge:
        x, y = edge.pop()
        reached.add((x, y))
        edge += {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & spots - reached
    return len(spots) == len(places) and reached == spots


def _check_room(data: DataFile) -> None:
    smallest = {
        kind: min(_actions(display) for display in data.displays.entries if display.board == kind)
        for kind in ("country", "sea")
    }
    for mode, by_seats in data.formations.boards_in_play.items():
        for seats, boards in by_seats.items():
            room = sum(smallest["sea" if board == "sea" else "country"] for board in boards)
            keyples = seats * (sum(data.keyples.start_team.values()) + (seats == 2))
            entry = f"formations.boards_in_play.{mode}.{seats}"
            _require(entry, room >= keyples, f"only {room} fields for {keyples} keyples")


def _actions(display: Display) -> int:
    return sum(code not in (KEYP, WATER) for code in _flat(display))


def _check_costs(data: DataFile) -> None:
    for tile in data.tiles.entries:
        for cost in _costs(tile):
            _require(f"tiles.{tile.id}", len(cost) <= MOST_SLOTS, f"costs at most {MOST_SLOTS} slots")
    for store in data.stores.entries:
        _require(f"stores.{store.id}", len(store.upgrade) <= MOST_SLOTS, f"costs at most {MOST_SLOTS} slots")


def _costs(tile: Tile) -> list[tuple[str, ...]]:
    if tile.upgrade is None:
        return [tile.build]
    if isinstance(tile.upgrade, tuple):
        return [tile.build, tile.upgrade]
    return [tile.build, tile.upgrade.farm, tile.upgrade.village]


def _check_tiles(data: DataFile) -> None:
    for tile in data.tiles.entries:
        entry = f"tiles.{tile.id}"
        active = tile.activate is not None and bool(tile.activate.base) and bool(tile.activate.upgraded)
        _require(entry, active == tile.keyple_icon, "a keyple icon and an activation go together")
        if tile.kind == "site":
            _require(entry, not tile.build and tile.upgrade is None, "a site has no costs")
        else:
            _require(entry, tile.upgrade is not None, "has no upgrade cost")
        by_area = isinstance(tile.upgrade, UpgradeCosts)
        _require(entry, by_area == (tile.kind == "flex"), "an upgrade cost by area is for flex tiles")
    for game, number in HOME_TILES.items():
        found = sum(tile.owner == "home" and tile.game == game for tile in data.tiles.entries)
        _require("tiles", found == number, f"{found} home tiles of {game}; must be {number}")


def _check_counts(data: DataFile) -> None:
    creatures = [item.id for item in data.items.entries if item.group == "creature"]
    pairs = {frozenset(fair.pair) for fair in data.fish_fairs.entries}
    every = {frozenset(pair) for pair in combinations(creatures, 2)}
    _require(
        "fish_fairs", pairs == every and len(data.fish_fairs.entries) == len(every), "must be all six pairs"
    )
    borders = {boat.border for boat in data.fishing_boats.entries}
    _require("fishing_boats", len(borders) == len(data.fishing_boats.entries) == 6, "must have six borders")
    _require("stores", len(data.stores.entries) == 4, "must be four")
    for season in ("spring", "summer", "autumn"):
        found = sum(fair.season == season for fair in data.fairs.entries)
        _require("fairs", found >= FEWEST_FAIRS, f"at least {FEWEST_FAIRS} in {season}")


def _check_constants(data: DataFile) -> None:
    constants = data.constants
    _require(
        "constants.team_limit", set(constants.team_limit.value) == {2, 3, 4}, "must name 2, 3 and 4 seats"
    )
    seasons = set(constants.fish_fair_points.value)
    _require("constants.fish_fair_points", len(seasons) == 4, "must name the four seasons")
    _require("constants.start_fish", len(constants.start_fish.value) == 3, "must name the three modes")
    colours = {colour.id: colour.total for colour in data.keyples.colours}
    _require("keyples.colours", WHITE in colours, f"must hold {WHITE}")
    for colour, n in data.keyples.start_team.items():
        _require("keyples.start_team", 4 * n <= colours[colour], f"too few keyples are {colour}")
    ninth = data.keyples.two_player_ninth_from
    _require(
        "keyples.two_player_ninth_from", len(set(ninth)) == len(ninth) >= 2, "must be two colours or more"
    )
    refinable = {item.id for item in data.items.entries if item.refines_to}
    for entry, op in _all_ops(data):
        if isinstance(op, ops.Refine):
            _require(entry, set(op.of) <= refinable, "refines what has no finished good")


def _check_market(data: DataFile) -> None:
    activities = data.fish_market.activities
    seasons = [activity.season for activity in activities]
    _require("fish_market", len(set(seasons)) == len(seasons), "one activity a season")
    gains = [activity for activity in activities if isinstance(activity.op, ops.Gain)]
    takes = [activity for activity in activities if isinstance(activity.op, ops.TakeMarketTreasure)]
    _require(
        "fish_market", len(gains) <= 1 and len(takes) <= 1, "at most one activity gains or takes treasure"
    )


def _check_ops(data: DataFile) -> None:
    """Boat, fishing and market ops need their spot; a tile or field cannot have them (E11 to E14)."""
    for entry, op in _all_ops(data):
        bound = BOUND if entry.startswith("fields") else (*BOUND, ops.FishMarket)
        _require(entry, not isinstance(op, bound), "has an op that needs a boat or the fish market")


def _all_ops(data: DataFile) -> Iterator[tuple[str, ops.AnyOp]]:
    """Every op of a field or tile with the name of its entry."""
    for field in data.fields.entries:
        yield from ((f"fields.{field.id}", op) for op in _flattened(field.ops))
    for tile in data.tiles.entries:
        if tile.activate is not None:
            todo = (*tile.activate.base, *tile.activate.upgraded)
            yield from ((f"tiles.{tile.id}", op) for op in _flattened(todo))


def _flattened(todo: Iterable[ops.AnyOp]) -> Iterator[ops.AnyOp]:
    for op in todo:
        yield op
        if isinstance(op, ops.Choose):
            for option in op.options:
                yield from _flattened(option)
