"""What a data file must fulfil (keyper-at-sea §2.6)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import msgspec

from keylore_domain.engine.data import require
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


def _lists(data: DataFile) -> Iterator[tuple[str, Any, Sequence[Named]]]:
    for name in msgspec.structs.asdict(data):
        section = getattr(data, name)
        if hasattr(section, "entries"):
            yield name, section, section.entries
    yield "keyples.colours", data.keyples, data.keyples.colours


def _check_provenance(data: DataFile) -> None:
    for name, section, entries in _lists(data):
        for entry in entries:
            require(f"{name}.{entry.id}", "has no provenance", holds=entry.provenance or section.provenance)
    require("formations", "has no provenance", holds=data.formations.provenance)
    require("fish_market", "has no provenance", holds=data.fish_market.provenance)


def _check_ids(data: DataFile) -> None:
    for name, _, entries in _lists(data):
        for entry in _repeated([entry.id for entry in entries]):
            raise DataFileError(f"{name}.{entry}", "stands twice")
    for code in _repeated([field.code for field in data.fields.entries]):
        raise DataFileError(f"fields.{code}", "stands twice")
    require(
        "items",
        "must be the 26 items of the game",
        holds={i.id for i in data.items.entries} == set(ITEM_NAMES),
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
        require("constants.start_finished", f"{item!r} is no item", holds=item in known["item"])
    for colour in data.keyples.start_team:
        require("keyples.start_team", f"{colour!r} is no colour", holds=colour in known["colour"])


def _check_words(entry: str, value: msgspec.Struct, known: Mapping[str, set[str]]) -> None:
    for field, word in _words(value):
        kind = NAMED.get(field) or NAMED.get(field.partition(".")[2])
        if kind is not None:
            require(entry, f"{word!r} is no {kind}", holds=word in known[kind])


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
    require("fields", f"must hold {KEYP} and {WATER}", holds={KEYP, WATER} <= codes)
    for display in data.displays.entries:
        entry = f"displays.{display.id}"
        require(entry, "must be 4 by 4", holds=[len(row) for row in display.grid] == [SIZE] * SIZE)
        flat = _flat(display)
        for code in flat:
            require(entry, f"{code!r} is no field code", holds=code in codes)
        require(entry, "must have exactly one keyp field", holds=flat.count(KEYP) == 1)
        _check_water(entry, display)
        has_market = any(code in markets for code in flat)
        require(
            entry,
            "fish market fields stand on sea displays only",
            holds=has_market == (display.board == "sea"),
        )


def _flat(display: Display) -> list[str]:
    return [code for row in display.grid for code in row]


def _check_water(entry: str, display: Display) -> None:
    flat = _flat(display)
    together = any(flat[a] == flat[b] == WATER for a, b in PAIRS)
    require(entry, "must have two adjacent water cells", holds=together)
    require(
        entry, "must have exactly two water cells", holds=display.board == "sea" or flat.count(WATER) == 2
    )


def _check_displays(data: DataFile) -> None:
    displays = {display.id: display for display in data.displays.entries}
    for display in displays.values():
        twin = displays.get(display.same_as, None if display.same_as else display)
        require(
            f"displays.{display.id}", "differs from its same_as", holds=twin and twin.grid == display.grid
        )
    for kind in ("country", "sea"):
        for season in ("spring", "summer", "autumn", "winter"):
            found = any(d.board == kind and d.season == season for d in displays.values())
            require("displays", f"none for a {kind} board in {season}", holds=found)
    for board in BOARDS:
        first = displays.get(data.formations.spring_display.get(board, ""))
        kind = "sea" if board == "sea" else "country"
        fits = first and first.board == kind and first.season == "spring"
        require(
            f"formations.spring_display.{board}", f"must name a spring display of a {kind} board", holds=fits
        )


def _check_formations(data: DataFile) -> None:
    formations = data.formations
    for mode in ("base", "shallow", "deep"):
        places = formations.without_sea if mode == "base" else formations.with_sea
        for seats in (2, 3, 4):
            entry = f"formations.boards_in_play.{mode}.{seats}"
            boards = formations.boards_in_play.get(mode, {}).get(seats, ())
            right = len(set(boards)) == len(boards) == seats + (mode == "deep")
            require(entry, "has the wrong number of boards", holds=right)
            require(entry, "the sea board is for the sea modes", holds=("sea" in boards) == (mode != "base"))
            require(entry, "names a board without a place", holds=set(boards) <= set(places) & set(BOARDS))
            require(
                entry,
                "must be connected by whole edges",
                holds=_connected([places[board] for board in boards]),
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
            require(entry, f"only {room} fields for {keyples} keyples", holds=room >= keyples)


def _actions(display: Display) -> int:
    return sum(code not in (KEYP, WATER) for code in _flat(display))


def _check_costs(data: DataFile) -> None:
    for tile in data.tiles.entries:
        for cost in _costs(tile):
            require(f"tiles.{tile.id}", f"costs at most {MOST_SLOTS} slots", holds=len(cost) <= MOST_SLOTS)
    for store in data.stores.entries:
        require(
            f"stores.{store.id}", f"costs at most {MOST_SLOTS} slots", holds=len(store.upgrade) <= MOST_SLOTS
        )


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
        require(entry, "a keyple icon and an activation go together", holds=active == tile.keyple_icon)
        if tile.kind == "site":
            require(entry, "a site has no costs", holds=not tile.build and tile.upgrade is None)
        else:
            require(entry, "has no upgrade cost", holds=tile.upgrade is not None)
        by_area = isinstance(tile.upgrade, UpgradeCosts)
        require(entry, "an upgrade cost by area is for flex tiles", holds=by_area == (tile.kind == "flex"))
    for game, number in HOME_TILES.items():
        found = sum(tile.owner == "home" and tile.game == game for tile in data.tiles.entries)
        require("tiles", f"{found} home tiles of {game}; must be {number}", holds=found == number)


def _check_counts(data: DataFile) -> None:
    creatures = [item.id for item in data.items.entries if item.group == "creature"]
    pairs = {frozenset(fair.pair) for fair in data.fish_fairs.entries}
    every = {frozenset(pair) for pair in combinations(creatures, 2)}
    require(
        "fish_fairs",
        "must be all six pairs",
        holds=pairs == every and len(data.fish_fairs.entries) == len(every),
    )
    borders = {boat.border for boat in data.fishing_boats.entries}
    require(
        "fishing_boats", "must have six borders", holds=len(borders) == len(data.fishing_boats.entries) == 6
    )
    require("stores", "must be four", holds=len(data.stores.entries) == 4)
    for season in ("spring", "summer", "autumn"):
        found = sum(fair.season == season for fair in data.fairs.entries)
        require("fairs", f"at least {FEWEST_FAIRS} in {season}", holds=found >= FEWEST_FAIRS)


def _check_constants(data: DataFile) -> None:
    constants = data.constants
    require(
        "constants.team_limit",
        "must name 2, 3 and 4 seats",
        holds=set(constants.team_limit.value) == {2, 3, 4},
    )
    seasons = set(constants.fish_fair_points.value)
    require("constants.fish_fair_points", "must name the four seasons", holds=len(seasons) == 4)
    require("constants.start_fish", "must name the three modes", holds=len(constants.start_fish.value) == 3)
    colours = {colour.id: colour.total for colour in data.keyples.colours}
    require("keyples.colours", f"must hold {WHITE}", holds=WHITE in colours)
    for colour, n in data.keyples.start_team.items():
        require("keyples.start_team", f"too few keyples are {colour}", holds=4 * n <= colours[colour])
    ninth = data.keyples.two_player_ninth_from
    require(
        "keyples.two_player_ninth_from",
        "must be two colours or more",
        holds=len(set(ninth)) == len(ninth) >= 2,
    )
    refinable = {item.id for item in data.items.entries if item.refines_to}
    for entry, op in _all_ops(data):
        if isinstance(op, ops.Refine):
            require(entry, "refines what has no finished good", holds=set(op.of) <= refinable)


def _check_market(data: DataFile) -> None:
    activities = data.fish_market.activities
    seasons = [activity.season for activity in activities]
    require("fish_market", "one activity a season", holds=len(set(seasons)) == len(seasons))
    gains = [activity for activity in activities if isinstance(activity.op, ops.Gain)]
    takes = [activity for activity in activities if isinstance(activity.op, ops.TakeMarketTreasure)]
    require(
        "fish_market",
        "at most one activity gains or takes treasure",
        holds=len(gains) <= 1 and len(takes) <= 1,
    )


def _check_ops(data: DataFile) -> None:
    """Boat, fishing and market ops need their spot; a tile or field cannot have them (E11 to E14)."""
    for entry, op in _all_ops(data):
        bound = BOUND if entry.startswith("fields") else (*BOUND, ops.FishMarket)
        require(entry, "has an op that needs a boat or the fish market", holds=not isinstance(op, bound))


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
