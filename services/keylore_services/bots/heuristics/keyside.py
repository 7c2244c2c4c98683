"""The greedy bot's opinion of moves in Keyside; ten units are one point."""

from collections.abc import Callable, Mapping
from typing import Final

from keylore_services.bots.heuristics.keyside_values import POINT, Json, Sight

ADVANCE: Final[Mapping[str, tuple[int, int, int, int]]] = {
    "yellow": (24, 26, 26, 34),
    "green": (14, 12, 14, 28),
    "red": (16, 16, 16, 32),
    "blue": (8, 14, 28, 46),
    "purple": (14, 24, 34, 36),
    "orange": (10, 26, 28, 42),
}
"""What reaching the levels 1 to 4 is worth; level 4 again is worth half of it."""
BENEFIT: Final[Mapping[str, int]] = {
    "A": 16,
    "B": 14,
    "C": 18,
    "D": 24,
    "E": 18,
    "F": 24,
    "G": 18,
    "H": 26,
    "I": 8,
    "J": 22,
    "K": 36,
    "L": 10,
}
HEADLAND: Final[Mapping[str, int]] = {"A": 16, "B": 22, "C": 12}
"""Per year that is still to come."""
PARTS: Final[Mapping[str, int]] = {"skill": 40, "market": 20, "move": 10}
SCARCE: Final = -30
"""Skill tiles and fish are kept."""


def score(view: Json, kind: str, context: Json | None, seat: int, move: Json) -> int:
    """What *move* is worth to *seat*; declining and passing are worth nothing."""
    action = move.get("action")
    if action in ("decline", "pass"):
        return 0
    if action in ("spend_skill", "flip_market"):
        return SCARCE
    return SCORES[kind](Sight(view, seat), context or {}, move)


def _landing(sight: Sight, _: Json, move: Json) -> int:
    worth = _advance(sight, move["colour"])
    if move["action"] == "advance":
        return worth
    keyple = max(0, sight.place(move["harbour"])) if sight.has_space(move["harbour"]) else 0
    return worth + keyple + _half_benefit(sight, move["harbour"]) - int(sight.dice[move["colour"]])


def _half_benefit(sight: Sight, harbour: str) -> int:
    """What a benefit still to come may be worth."""
    return BENEFIT[sight.harbour(harbour)["tile"]] // 2


def _advance(sight: Sight, colour: str) -> int:
    level = sight.level(colour)
    return ADVANCE[colour][level] if level < 4 else ADVANCE[colour][3] // 2


def _respond(sight: Sight, context: Json, _: Json) -> int:
    """A die that follows brings a keyple and a benefit, but no advance of its own."""
    if not sight.has_space(context["harbour"]):
        return -POINT
    own = _advance(sight, context["colour"]) // 2
    return sight.place(context["harbour"]) + _half_benefit(sight, context["harbour"]) - own


def _introduce(sight: Sight, context: Json, move: Json) -> int:
    return 3 + sight.place(context["harbour"]) - sight.stay(move["from"])


def _resolve(sight: Sight, _: Json, move: Json) -> int:
    harbour = sight.harbour(move["harbour"])
    others = {owner for owner in harbour["top"] if owner not in (sight.seat, "pirate")}
    return BENEFIT[harbour["tile"]] - 6 * len(others)


def _idle(sight: Sight, _: Json, move: Json) -> int:
    return 14 if move["action"] == "goods" else _advance(sight, move["colour"])


def _take_gain(_sight: Sight, _context: Json, _move: Json) -> int:
    return POINT


def _animal(sight: Sight, _: Json, move: Json) -> int:
    return sight.gain({move["animal"]: 1})


def _box(sight: Sight, context: Json, move: Json) -> int:
    return BOXES[context["colour"]](sight, context["level"])[move["box"] == "right"]


def _yellow(sight: Sight, level: int) -> tuple[int, int]:
    best = max(_advance(sight, colour) for colour in ADVANCE) - 4
    builds = sight.counts["wheat"] > 0 and sight.best_building() > 0
    return (20 if level == 1 else sight.best_building() if builds else 0), best


def _green(sight: Sight, _level: int) -> tuple[int, int]:
    barn = sum(sight.store[animal] for animal in ("cow", "pig", "sheep"))
    return 12, 9 * min(2, barn) + 6


def _red(sight: Sight, _level: int) -> tuple[int, int]:
    return 5 * min(2, sight.counts["keyples_on_mat"]), sight.best_move() + 2


def _blue(sight: Sight, level: int) -> tuple[int, int]:
    if level == 2:
        return 6, 14 if sight.counts["keyple_in_market"] else 0
    return 12, 10 * sight.best_skill()


def _orange(sight: Sight, _level: int) -> tuple[int, int]:
    return sight.gain({"stone": 1}), sight.gain({"wood": 1})


BOXES: Final[Mapping[str, Callable[[Sight, int], tuple[int, int]]]] = {
    "yellow": _yellow,
    "green": _green,
    "red": _red,
    "blue": _blue,
    "orange": _orange,
}


def _colour(sight: Sight, _: Json, move: Json) -> int:
    return _advance(sight, move["colour"])


def _from(sight: Sight, _: Json, move: Json) -> int:
    return sight.best_place() - sight.stay(move["from"])


def _from_footprint(sight: Sight, _: Json, move: Json) -> int:
    return sight.best_resource() - sight.stay(move["from"])


def _to(sight: Sight, _: Json, move: Json) -> int:
    return sight.place(move["to"])


def _place_animal(sight: Sight, _: Json, move: Json) -> int:
    farm = sight.resource(move["farm"])
    worth = {"gem": 12, "fish": 8, "wheat": 9, "stone": 8, "wood": 8}[farm["icons"][move["icon"]]]
    if farm["keyple"] == sight.seat:
        return worth + 4 + sight.gain({f"{move['animal']}_in_farms": 1, "animal_in_farms": 1})
    return worth + sight.gain({move["animal"]: -1}) + (0 if farm["keyple"] is None else -8)


def _exchange(sight: Sight, _: Json, move: Json) -> int:
    if move["where"] == "barn":
        return sight.gain({move["animal"]: -1, move["to"]: 1}) - 1
    before = sight.resource(move["farm"])["animals"][move["icon"]]
    return sight.gain({before: -1, f"{before}_in_farms": -1, move["to"]: 1, f"{move['to']}_in_farms": 1}) - 1


TRADES: Final[Mapping[tuple[str, str], tuple[str, int]]] = {
    ("blue", "top"): ("pig", 2),
    ("blue", "reverse"): ("fish", 2),
    ("green", "top"): ("sheep", 2),
    ("green", "reverse"): ("wheat", 2),
    ("orange", "top"): ("stone", 3),
    ("orange", "reverse"): ("wood", 3),
    ("purple", "top"): ("gem", 2),
    ("purple", "reverse"): ("stone", 3),
}
ANIMALS_PAID: Final[Mapping[str, str]] = {"blue": "pig", "green": "sheep"}
OTHER_TRADES: Final[Mapping[str, int]] = {"grey1": 26, "grey2": 14, "red": 8, "yellow": 24}


def _market(sight: Sight, _: Json, move: Json) -> int:
    pay = move["pay"] if isinstance(move["pay"], str) else ANIMALS_PAID[move["tile"]]
    cost = {} if pay == "none" else {pay: -1}
    if move["tile"] in OTHER_TRADES:
        return OTHER_TRADES[move["tile"]] + sight.gain(cost)
    item, number = TRADES[move["tile"], sight.market(move["tile"])["side"]]
    return sight.gain({**cost, item: number})


def _skill(sight: Sight, _: Json, move: Json) -> int:
    return POINT * sight.skill_value(move["colour"]) + sight.gain({"skill_value": 1})


def _cottage(sight: Sight, _: Json, move: Json) -> int:
    if move["action"] == "build":
        return 8 + sight.building(move["cottage"], house=False)
    return 8 + sight.upgrade(move["colour"])


def _headland(sight: Sight, _: Json, move: Json) -> int:
    """What the tile scores or brings, less what it covers."""
    years = 4 - sight.year
    space = int(move["space"][1:])
    worth = HEADLAND.get(move["tile"], 0) * (years - 1) + sight.gain({"headlands_built": 1}) + 2
    if move["tile"] == "D":
        worth += 8 * POINT
    elif move["tile"] == "E":
        favoured = space if move["favours"] == "ccw" else (space + 1) % 12
        worth += sight.harbour_worth(f"h{favoured}")
    elif move["tile"] == "F":
        worth += 2 * POINT * (sight.keyples(f"h{space}") + sight.keyples(f"h{(space + 1) % 12}"))
    return worth - (60 if sight.view["headlands"][space] else 0)


def _part(sight: Sight, _: Json, move: Json) -> int:
    return sight.best_move() if move["part"] == "move" else PARTS[move["part"]]


def _goods(sight: Sight, _: Json, move: Json) -> int:
    first, second = move["goods"]
    return sight.gain({first: 2} if first == second else {first: 1, second: 1})


def _marker(sight: Sight, _: Json, move: Json) -> int:
    return sight.points({move["item"]: 1})


def _first(_sight: Sight, _context: Json, _move: Json) -> int:
    return 0


SCORES: Final[Mapping[str, Callable[[Sight, Json, Json], int]]] = {
    "choose_strip": _first,
    "set_die": _first,
    "lead_landing": _landing,
    "respond": _respond,
    "introduce_keyple": _introduce,
    "resolve_select": _resolve,
    "idle_action": _idle,
    "window_action": _first,
    "take_gain": _take_gain,
    "choose_animal": _animal,
    "choose_box": _box,
    "advance_any": _colour,
    "move_from": _from,
    "move_to": _to,
    "resource_move_from": _from_footprint,
    "resource_move_to": _to,
    "place_animal": _place_animal,
    "exchange_animal": _exchange,
    "market_action": _market,
    "take_skill": _skill,
    "build_cottage": _cottage,
    "own_cottage": _cottage,
    "build_headland": _headland,
    "choose_part": _part,
    "take_goods": _goods,
    "allocate_marker": _marker,
}
