"""How good a move in Keydom looks to the greedy bot.

It earns cubes in pairs, buys tiles as soon as it can, goes to Keywood early, and to the chamber with its
best counters once it has, or will have, all tiles.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from keylore_services.bots.heuristics.keydom_values import (
    COLOURS,
    HOMES,
    PRICES,
    SMITHS,
    Cubes,
    Json,
    cubes_of,
    paid,
    plus,
    worth,
)

ACT: Final = 1_000
CUBE_SPELLS: Final = ("shoal", "windfall", "rockfall", "gleaning", "deep_cellar")


class Look(NamedTuple):
    """What a seat looks at when it weighs a move."""

    view: Json
    context: Json
    seat: int

    @property
    def own(self) -> Json:
        """The seat's own part of the view."""
        own: Json = self.view["seats"][self.seat]
        return own

    @property
    def held(self) -> Cubes:
        """Its cubes."""
        return cubes_of(self.own["cubes"])

    @property
    def missing(self) -> tuple[str, ...]:
        """The tiles of the smiths that it still wants."""
        owned = self.own["tiles"]
        return tuple(tile for tile in self.view["required"] if tile in PRICES and tile not in owned)

    def at(self, location: str) -> list[Json]:
        """Its tokens at a location."""
        board: list[Json] = self.view["board"]
        return [item for item in board if item["owner"] == self.seat and item["location"] == location]

    def is_mine(self, token: str) -> bool:
        """Whether a token is its own."""
        return token.startswith(f"{self.seat}.")


class Plan(NamedTuple):
    """What the tokens that lie already will bring: cubes, and tiles still wanted after that."""

    held: Cubes
    missing: tuple[str, ...]
    keylore: bool


def score(view: Mapping[str, Any], kind: str, context: Json | None, seat: int, move: Json) -> int:
    """What *move* is worth to *seat*; the greatest is played."""
    weigh = WEIGHTS.get(kind)
    return 0 if weigh is None else weigh(Look(view, context or {}, seat), move)


def planned(look: Look) -> Plan:
    """The wages and purchases to be expected of the tokens placed so far."""
    held, missing = look.held, look.missing
    for location, colour in HOMES.items():
        held = plus(held, colour, len(look.at(location)) // 2 * _wages(look, colour))
    for location, tile in SMITHS.items():
        left = paid(held, PRICES[tile]) if tile in missing and look.at(location) else None
        if left is not None:
            held, missing = left, tuple(other for other in missing if other != tile)
    learning = look.at("keywood")
    keylore = "keylore" in look.own["tiles"] or any(item["track"] == 2 for item in learning)
    return Plan(held, missing, keylore)


def _wages(look: Look, colour: int) -> int:
    return 4 if look.own["colour"] == COLOURS[colour] else 2


def _place(look: Look, move: Json) -> int:
    if move["action"] == "cast":
        return 3 * ACT if move["spell"] in CUBE_SPELLS else -ACT
    if move["action"] == "discard_spell":
        return -2 * ACT
    location: str = move["location"]
    counter: int = move["counter"]
    if location in HOMES:
        return _work(look, location) - counter
    return _visit(look, location, counter)


def _work(look: Look, location: str) -> int:
    """A worker is worth the wages of the pair that it completes, half of them if it begins one."""
    plan = planned(look)
    colour = HOMES[location]
    richer = plus(plan.held, colour, _wages(look, colour))
    gain = worth(richer, plan.missing) - worth(plan.held, plan.missing)
    crowd = sum(1 for item in look.view["board"] if item["location"] == location)
    completes = len(look.at(location)) % 2 == 1
    return 10 * (gain if completes else gain // 2) - 4 * max(0, crowd - 6)


def _visit(look: Look, location: str, counter: int) -> int:
    if look.at(location) and location != "chamber":
        return -ACT
    plan = planned(look)
    if location == "chamber":
        ready = not plan.missing and plan.keylore
        return 2 * ACT + counter if ready and len(look.at("chamber")) < 2 else -ACT
    if location in SMITHS:
        wanted = SMITHS[location] in plan.missing
        can_pay = wanted and paid(plan.held, PRICES[SMITHS[location]]) is not None
        return ACT + 10 * counter if can_pay else -ACT
    if location == "keywood":
        return ACT - 100 + 10 * counter if not plan.keylore and max(plan.held) >= 2 else -ACT
    if location == "midwife":
        return 200 - 5 * abs(counter - 5) if look.own["number_one"] and look.view["round"] < 6 else -ACT
    return -ACT // 2 - counter


def _space(look: Look, move: Json) -> int:
    """Beside an own counter; with more to come alone; else beside somebody, at the worst as supervisor."""
    if move["space"] == "supervisor":
        return 1
    location = look.view["location"]
    others = [item for item in look.view["board"] if item["location"] == location]
    beside = [item for item in others if item["space"] == f"pair {move['pair']}"]
    to_come = [
        item for item in look.at(location) if item["space"] is None and item["token"] != look.context["token"]
    ]
    if beside:
        return 9 if beside[0]["owner"] == look.seat else 4
    return 6 if to_come else 0


def _split(look: Look, move: Json) -> int:
    first: int
    second: int
    first, second = move["split"]
    return first * look.is_mine(look.context["first"]) + second * look.is_mine(look.context["second"])


def _after(look: Look, give: str | None = None, take: str | None = None) -> int:
    """What is gained by giving one cube and taking another."""
    held = look.held
    if give is not None:
        held = plus(held, COLOURS.index(give), -1)
    if take is not None:
        held = plus(held, COLOURS.index(take), 1)
    return worth(held, look.missing) - worth(look.held, look.missing)


def _exchange(look: Look, move: Json) -> int:
    return _after(look, move["give"], move["take"]) if "give" in move else 0


def _payment(look: Look, move: Json) -> int:
    """The cubes that are left are worth as much as possible."""
    left = tuple(have - due for have, due in zip(look.held, cubes_of(move["payment"]), strict=True))
    return worth(left, look.missing)


def _buy(look: Look, move: Json) -> int:
    if move["action"] == "withdraw":
        return -ACT
    tile = SMITHS[look.view["location"]]
    others = tuple(other for other in look.missing if other != tile)
    left = tuple(have - due for have, due in zip(look.held, cubes_of(move["payment"]), strict=True))
    return worth(left, others)


def _learn(look: Look, move: Json) -> int:
    if "keylore" in look.own["tiles"]:
        return int(move["action"] == "withdraw")
    return -ACT if move["action"] == "withdraw" else _payment(look, move)


def _arrest(look: Look, move: Json) -> int:
    if move["action"] == "withdraw":
        return 0
    target = next(item for item in look.view["board"] if item["token"] == move["token"])
    return 1 if target["location"] == "chamber" else -1


def _donation(_look: Look, move: Json) -> int:
    return 1 if move.get("kind") == "any" else -len(move)


def _amount(look: Look, move: Json) -> int:
    held = look.held
    left = plus(held, COLOURS.index(look.context["colour"]), -move["amount"])
    amount: int = move["amount"]
    return worth(left, look.missing) + 4 * amount


def _wizard(look: Look, move: Json) -> int:
    if "space" not in move:
        return 0
    card = look.view["market"][move["space"] - 1]
    return 1 if card["spell"] in CUBE_SPELLS else -1


def _theft(look: Look, move: Json) -> int:
    if move["action"] == "withdraw":
        return 0
    last = len(look.missing) + ("keylore" not in look.own["tiles"]) == 1
    return 1 if move["kind"] == "tile" and last else -1


def _attack(look: Look, move: Json) -> int:
    sure = ACT if move["source"] != "seat" else 0
    if "tile" in move:
        return sure + int(move["tile"] == "keylore")
    return sure + _after(look, take=move["colour"])


WEIGHTS: Final[Mapping[str, Callable[[Look, Json], int]]] = {
    "bid_counter": lambda _, move: -int(move["counter"]),
    "choose_start_player": lambda look, move: int(move["seat"] == look.seat),
    "place_counter": _place,
    "respond": lambda _, move: int(move["action"] == "cast"),
    "exchange_cube": _exchange,
    "choose_space": _space,
    "supervise_pair": _split,
    "soldiers_arrest": _arrest,
    "trader_exchange": _exchange,
    "priest_choose": _donation,
    "donate_amount": _amount,
    "donate_cube": lambda look, move: _after(look, give=move["colour"]),
    "wizard_space": _wizard,
    "outlaws_choose": _theft,
    "outlaws_attack": _attack,
    "purchase_tile": _buy,
    "keywood_pay": _learn,
    "pay": _payment,
}
