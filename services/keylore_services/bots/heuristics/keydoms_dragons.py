"""The greedy bot's opinion of moves in Keydom's Dragons; ten units are one treasure.

Public knowledge only. The plan: one worker that can be paid for in each of a few castle rooms, one at the
guard, the others where treasure is.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

Json = Mapping[str, Any]
UNIT: Final = 10
ARTEFACT: Final = 1000
NEVER: Final = -500
CASTLE: Final = "KLMNO"
TYPES: Final = ("red", "white", "black", "blue", "gold")
SPELL: Final[Mapping[int, int]] = {
    1: 20, 2: 10, 3: 5, 4: -1, 5: -1, 6: -1, 7: 12, 8: -1, 9: 18, 10: -1, 11: 40, 12: 14, 13: -1, 14: -1,
    15: -1, 16: 30, 17: -1, 18: -1, 19: -1, 20: -1, 21: -1,
}  # fmt: skip
"""What casting is worth; less than nothing: only kept, never cast."""
WEAK: Final = 2
"""A worker that wins nothing by itself."""


class Sight:
    """What a seat knows, prepared for scoring."""

    def __init__(self, view: Json, seat: int) -> None:
        self.view = view
        self.seat = seat
        self.own: Json = view["seats"][seat]
        self.held: dict[str, int] = {kind: self.own["treasures"].get(kind, 0) for kind in TYPES}

    @cached_property
    def tokens(self) -> dict[str, list[Json]]:
        """The tokens on the board, by location."""
        return {at["id"]: at["tokens"] for at in self.view["locations"]}

    def own_at(self, location: str) -> list[Json]:
        """The own tokens at *location*."""
        return [token for token in self.tokens[location] if token["owner"] == self.seat]

    def rivals_at(self, location: str) -> int:
        """How many tokens of others stand at *location*."""
        return len(self.tokens[location]) - len(self.own_at(location))

    def strength_at(self, location: str) -> int:
        """The own strength at *location*."""
        return sum(token["strength"] or 0 for token in self.own_at(location))

    def best_rival(self, location: str) -> int:
        """The greatest strength of another party at *location*, as far as it is seen."""
        totals: dict[object, int] = {}
        for token in self.tokens[location]:
            if token["owner"] != self.seat:
                totals[token["owner"]] = totals.get(token["owner"], 0) + (token["strength"] or 4)
        return max(totals.values(), default=0)

    @cached_property
    def planned(self) -> list[int]:
        """The own strengths in castle rooms, each still to be paid for, the greatest first."""
        own = [token["strength"] or 0 for room in CASTLE for token in self.own_at(room)]
        return sorted((strength for strength in own if strength), reverse=True)

    @cached_property
    def piles(self) -> list[int]:
        """What is left of the piles of treasure after the planned purchases, the greatest first."""
        piles = sorted(self.held.values(), reverse=True)
        for price in self.planned:
            fitting = [pile for pile in piles if pile >= price]
            if fitting:
                piles[piles.index(min(fitting))] -= price
        return sorted(piles, reverse=True)


def score(view: Json, kind: str, context: Json | None, seat: int, move: Json) -> int:
    """What *move* is worth to *seat*; declining and passing are worth nothing."""
    if move.get("action") in {"decline", "pass", "none", "done"}:
        return 0
    if move.get("action") == "cast":
        return SPELL[move["spell"]]
    scorer = SCORES.get(kind)
    return 0 if scorer is None else scorer(Sight(view, seat), context or {}, move)


def potential(held: Mapping[str, int]) -> int:
    """What a hoard is worth: large piles of one type buy strong workers' artefacts."""
    return sum(units * UNIT + min(units, 9) ** 2 for units in held.values())


def _changed(sight: Sight, gains: Mapping[str, int], losses: Mapping[str, int]) -> int:
    after = {kind: sight.held[kind] + gains.get(kind, 0) - losses.get(kind, 0) for kind in TYPES}
    return potential(after) - potential(sight.held)


# -- placement ---------------------------------------------------------------------------------------------


def _place(sight: Sight, _: Json, move: Json) -> int:
    location, worker = move["location"], move["worker"]
    if location in CASTLE:
        return _room(sight, location, worker)
    return PLACES.get(location, _cave)(sight, location, worker)


def _room(sight: Sight, room: str, worker: int) -> int:
    """A room is worth a worker that a pile can pay, and only one."""
    if sight.own_at(room) or len(sight.planned) > 2 or sight.piles[0] < worker or worker <= WEAK:
        return NEVER + worker
    return 90 + 12 * worker - 6 * sight.rivals_at(room)


def _guard(sight: Sight, location: str, worker: int) -> int:
    """One worker for the guard, once there is something to buy."""
    if not sight.planned:
        return NEVER + 1
    missing = max(0, 6 - sight.strength_at(location))
    return 150 * bool(missing) - 9 * abs(missing - worker)


def _cave(sight: Sight, cave: str, worker: int) -> int:
    """The ledge that the worker will probably win."""
    ledges = next(each["ledges"] for each in sight.view["caves"] if each["id"] == cave)
    values = [sum(3 if piece["large"] else 1 for piece in ledge) for ledge in ledges]
    strength = worker + sight.strength_at(cave)
    expected = min(len(values) - 1, sum(4 + 2 * at < 12 - strength for at in range(sight.rivals_at(cave))))
    before = values[expected] if sight.own_at(cave) else 0
    return UNIT * values[expected] + 3 * worker - UNIT * before * 9 // 10


def _market(sight: Sight, location: str, worker: int) -> int:
    if sight.own_at(location) or sum(sight.held.values()) == 0:
        return 0
    return 18 + 3 * worker - 8 * sight.rivals_at(location)


def _cottage(sight: Sight, location: str, worker: int) -> int:
    return 1 if sight.own_at(location) else 4 + worker


def _roundhouse(sight: Sight, location: str, worker: int) -> int:
    return 1 if sight.own_at(location) else 16 + 2 * worker - 6 * sight.rivals_at(location)


def _stables(sight: Sight, location: str, worker: int) -> int:
    return 1 if sight.own_at(location) else 8 - worker


PLACES: Final[Mapping[str, Callable[[Sight, str, int], int]]] = {
    "F": _stables,
    "G": _market,
    "H": _cottage,
    "I": _roundhouse,
    "J": _guard,
}


# -- windows -----------------------------------------------------------------------------------------------


def _window(sight: Sight, context: Json, move: Json) -> int:
    """Artefacts are used where they turn a location, and can be paid for."""
    location = context["location"]
    if move["action"] == "key":
        return 40 * len(sight.planned)
    added = 3
    if move["action"] == "mirror":
        added = next(token["strength"] for token in sight.tokens[location] if token["token"] == move["token"])
    return _reinforce(sight, location, added)


def _reinforce(sight: Sight, location: str, added: int) -> int:
    mine, rival = sight.strength_at(location), sight.best_rival(location)
    if location == "J":
        return 15 * len(sight.planned) if mine < 6 else NEVER
    if location in CASTLE and sum(pile >= added for pile in sight.piles) < 1:
        return NEVER
    wins = mine <= rival < mine + added
    return 60 if wins and location in f"{CASTLE}ABCDEG" else NEVER


# -- the castle --------------------------------------------------------------------------------------------


def _buy(sight: Sight, _: Json, move: Json) -> int:
    return ARTEFACT + _changed(sight, {}, move["payment"])


def _bribe(sight: Sight, context: Json, _: Json) -> int:
    return 100 * len(sight.planned) - 25 * int(context.get("due", 0))


# -- treasure ----------------------------------------------------------------------------------------------


def _pay(sight: Sight, _: Json, move: Json) -> int:
    amount: int = move["amount"]
    return ARTEFACT + _changed(sight, {}, {move["type"]: amount}) + UNIT * amount


def _gain(sight: Sight, _: Json, move: Json) -> int:
    amount: int = move["amount"]
    return _changed(sight, {move["type"]: amount}, {}) - UNIT * amount


def _take(sight: Sight, _: Json, move: Json) -> int:
    return _changed(sight, move["take"], {})


def _exchange(sight: Sight, _: Json, move: Json) -> int:
    return _changed(sight, move["take"], {move["give"]: 1})


def _start(sight: Sight, _: Json, move: Json) -> int:
    return sum(("gold", "red", "blue").count(kind) for kind in move["take"])


# -- answers -----------------------------------------------------------------------------------------------


def _amulet(sight: Sight, context: Json, _: Json) -> int:
    return 10 if context["spell"] in {4, 7, 9, 12, 20} else NEVER


def _extortion(sight: Sight, _: Json, move: Json) -> int:
    return 10 if move["action"] == "pay" else 0


def _levy(sight: Sight, _: Json, move: Json) -> int:
    return 10 if (move["action"] == "pay") == (sum(sight.held.values()) >= 6) else 0


def _own_loss(sight: Sight, _: Json, move: Json) -> int:
    """The weakest own worker goes first, those of the castle last."""
    return -_worth(sight, move["token"])


def _rivals_loss(sight: Sight, _: Json, move: Json) -> int:
    return _worth(sight, move["token"])


def _worth(sight: Sight, name: str) -> int:
    for location, tokens in sight.tokens.items():
        for token in tokens:
            if token["token"] == name:
                return (token["strength"] or 5) + 10 * (location in CASTLE)
    return 0


def _evicted(sight: Sight, _: Json, move: Json) -> int:
    own = move["token"].startswith(f"{sight.seat}.")
    return _own_loss(sight, {}, move) if own else _rivals_loss(sight, {}, move)


def _target(sight: Sight, _: Json, move: Json) -> int:
    return _evicted(sight, {}, move) if "token" in move else 0


def _keep(sight: Sight, _: Json, move: Json) -> int:
    return SPELL[move["keep"]]


def _tile(sight: Sight, _: Json, move: Json) -> int:
    return ("amulet", "mirror", "key", "raven", "scroll").index(move["artefact"])


def _marker(sight: Sight, _: Json, move: Json) -> int:
    return int(move["party"] == sight.seat)


SCORES: Final[Mapping[str, Callable[[Sight, Json, Json], int]]] = {
    "choose_start_treasures": _start,
    "place_worker": _place,
    "window_action": _window,
    "spell_target": _target,
    "respond": _amulet,
    "pay_any": _pay,
    "take_treasures": _take,
    "trade_give": _pay,
    "trade_take": _gain,
    "extortion_response": _extortion,
    "levy_response": _levy,
    "evict_reply": _evicted,
    "remove_own_worker": _own_loss,
    "remove_ghost_worker": _rivals_loss,
    "choose_start_player": _marker,
    "market_exchange": _exchange,
    "choose_spell": _keep,
    "bribe_guard": _bribe,
    "buy_artefact": _buy,
    "choose_from_stack": _tile,
}
