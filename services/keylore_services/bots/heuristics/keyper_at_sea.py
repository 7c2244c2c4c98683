"""The greedy bot's opinion of moves in Keyper at Sea; ten units are one point."""

from collections.abc import Callable, Mapping
from typing import Final

from keylore_services.bots.heuristics.keyper_at_sea_actions import (
    building,
    exhibit_value,
    refining,
    spot_value,
    taking,
    upgrading,
)
from keylore_services.bots.heuristics.keyper_at_sea_values import (
    POINT,
    STORES,
    WHITE,
    Json,
    Sight,
    item_value,
    keyples_on_boards,
    parts,
    tile_value,
    worth,
)

DISPLAY_WORTH: Final[Mapping[str, int]] = {
    "bu": 6,
    "db": 8,
    "up": 6,
    "ct": 5,
    "fm": 5,
    "W": 2,
    "mk": 3,
    "wh": 3,
}
"""How welcome a field is on a board that one folds."""
EARLY: Final = 12
KEPT: Final = 30
TEMPO: Final = 28


def score(view: Json, kind: str, context: Json | None, seat: int, move: Json) -> int:
    """What *move* is worth to *seat*; declining, passing and doing no more are worth nothing."""
    if move.get("action") in ("decline", "done"):
        return 0
    return SCORES[kind](Sight(view, seat), context or {}, move)


def _take_turn(sight: Sight, context: Json, move: Json) -> int:
    return TURNS[move["action"]](sight, move)


def _play_keyple(sight: Sight, move: Json) -> int:
    """The best field for the colour; white keyples are kept for later."""
    free = {
        cell["field"]: cell["cell"]
        for board in sight.view["boards"]
        for cell in board["cells"]
        if not cell.get("keyples") and cell["field"] in parts().action_codes
    }
    spots = [*free.values(), *_free_tiles(sight)]
    values = [spot_value(sight, spot, (move["colour"],)) for spot in spots]
    return max(values, default=1) - (3 if move["colour"] == WHITE else 0)


def _free_tiles(sight: Sight) -> list[str]:
    return [plot for plot, tile, _ in sight.tops if tile.keyple_icon and sight.plots[plot]["keyple"] is None]


def _play_keyper(sight: Sight, move: Json) -> int:
    """Claim late, but not when all good boards may be gone."""
    counts = [board for board, _ in keyples_on_boards(sight.view)]
    free = [board["id"] for board in sight.view["boards"] if board["keyper"] is None]
    return 5 * max((counts.count(board) for board in free), default=0) - EARLY


def _lay(sight: Sight, move: Json) -> int:
    """The best spot to lay down on, in deep less what the time costs."""
    standing = {
        cell["cell"]: keyple["colour"]
        for board in sight.view["boards"]
        if board["id"] == sight.own["keyper"]
        for cell in board["cells"]
        for keyple in cell.get("keyples", ())
        if not keyple["lying"]
    }
    best = max((spot_value(sight, spot, (colour,)) for spot, colour in standing.items()), default=1)
    return best - TEMPO if sight.view["mode"] == "deep" else max(best, 1)


TURNS: Final[Mapping[str, Callable[[Sight, Json], int]]] = {
    "play_keyple": _play_keyple,
    "play_keyper": _play_keyper,
    "lay_down": _lay,
    "end_season": lambda sight, move: -1,
    "pass": lambda sight, move: 0,
}


def _board(sight: Sight, context: Json, move: Json) -> int:
    return [board for board, _ in keyples_on_boards(sight.view)].count(move["board"])


def _spot(sight: Sight, context: Json, move: Json) -> int:
    value = spot_value(sight, move["spot"], (context.get("colour", WHITE),))
    return 4 * value + int(move["spot"].partition(".")[0] == sight.own["keyper"])


def _mooring(sight: Sight, context: Json, move: Json) -> int:
    """Where most tiles lie under the boat, or around it."""
    cells = {cell["cell"]: cell for board in sight.view["boards"] for cell in board["cells"]}
    under = [cells[cell] for cell in move["cells"]]
    around = [cells[cell] for cell in parts().neighbours[move["cells"][0]] if cell in cells]
    return sum(
        weight for weight, cell in [*((3, c) for c in under), *((1, c) for c in around)] if _has_tile(cell)
    )


def _has_tile(cell: Json) -> bool:
    """Whether a creature tile lies on the cell, face up or down."""
    return "creature" in cell


def _respond(sight: Sight, context: Json, move: Json) -> int:
    """A join gives an action more than a placement of one's own, but not on a spot of one's choice."""
    if move["action"] == "pass":
        return KEPT
    spot, active = context["spot"], context["colour"]
    return spot_value(sight, spot, (active,), joined=1) - (3 if move["colour"] == WHITE else 0)


def _gain(sight: Sight, context: Json, move: Json) -> int:
    return item_value(sight, move["item"])


def _refine(sight: Sight, context: Json, move: Json) -> int:
    return refining(sight, move["item"])


def _exchange(sight: Sight, context: Json, move: Json) -> int:
    return sum(item_value(sight, name) for name in move["get"]) - worth(move["pay"]) // 2 - 2


def _tile(sight: Sight, context: Json, move: Json) -> int:
    return taking(sight, move["tile"])


def _build(sight: Sight, context: Json, move: Json) -> int:
    return building(sight, move["tile"])


def _plot(sight: Sight, context: Json, move: Json) -> int:
    """An empty plot, else the least valuable tile is covered."""
    under = sight.plots.get(move["plot"])
    if under is None:
        return POINT
    return -tile_value(sight, parts().tiles[under["stack"][-1]], upgraded=under["upgraded"])


def _pay(sight: Sight, context: Json, move: Json) -> int:
    payment: Mapping[str, int] = move["payment"]
    return -sum(n * item_value(sight, item) for item, n in payment.items())


def _upgrade(sight: Sight, context: Json, move: Json) -> int:
    return upgrading(sight, move["target"])


def _effect(sight: Sight, context: Json, move: Json) -> int:
    return 2 - int(move["option"])


def _boat(sight: Sight, context: Json, move: Json) -> int:
    if move["action"] != "ship":
        return item_value(sight, move["item"])
    for offer in parts().boats[move.get("boat", context.get("spot"))].ship[move["offer"] :]:
        return POINT * offer.points - worth(offer.pay[0]) // 2
    return POINT


def _fishing(sight: Sight, context: Json, move: Json) -> int:
    return FISHING[move["action"]](sight, context, move)


def _boat_tile(sight: Sight, context: Json, move: Json) -> int:
    boat = next(boat for boat in sight.view["fishing_boats"] if boat["id"] == context["spot"])
    return item_value(sight, boat["tiles"][0])


def _cell_tile(sight: Sight, context: Json, move: Json) -> int:
    cells = (cell for board in sight.view["boards"] for cell in board["cells"])
    return item_value(sight, next(cell["creature"] for cell in cells if cell["cell"] == move["cell"]))


FISHING: Final[Mapping[str, Callable[[Sight, Json, Json], int]]] = {
    "take_boat_tile": _boat_tile,
    "take": _cell_tile,
    "flip": lambda sight, context, move: 5,
    "fish": lambda sight, context, move: item_value(sight, "fish"),
}


def _market(sight: Sight, context: Json, move: Json) -> int:
    return MARKET[move["action"]](sight, move)


MARKET: Final[Mapping[str, Callable[[Sight, Json], int]]] = {
    "exchange": lambda sight, move: _exchange(sight, {}, move),
    "take_fish": lambda sight, move: 2 * item_value(sight, "fish"),
    "take_treasure": lambda sight, move: item_value(sight, move["item"]),
    "take_stall": lambda sight, move: sum(
        item_value(sight, name) for name in sight.view["stalls"][move["stall"]]
    ),
    "exhibit": lambda sight, move: exhibit_value(sight),
}


def _lay_down(sight: Sight, context: Json, move: Json) -> int:
    """In deep the keyples are laid one by one, which gives more; else time is short."""
    if move["spot"] == "keyp":
        return 8 * int(move["count"])
    value = spot_value(sight, move["spot"], move["colours"])
    return value // len(move["colours"]) if sight.view["mode"] == "deep" else value


def _hold(sight: Sight, context: Json, move: Json) -> int:
    return POINT * parts().fairs[move["fair"]].points


def _lose(sight: Sight, context: Json, move: Json) -> int:
    return -item_value(sight, move["item"])


def _excess(sight: Sight, context: Json, move: Json) -> int:
    team: Mapping[str, int] = sight.own["team"]
    return team.get(move["colour"], 0) - (5 if move["colour"] == WHITE else 0)


def _fold(sight: Sight, context: Json, move: Json) -> int:
    return sum(DISPLAY_WORTH.get(code, 1) for row in parts().displays[move["display"]].grid for code in row)


def _store(sight: Sight, context: Json, move: Json) -> int:
    return STORES.get(move["store"], 0)


def _give(sight: Sight, context: Json, move: Json) -> int:
    """Lying ones first, then those on the keyp, then those that could still work."""
    kept = 2 if move["colour"] == WHITE else 0
    return 5 * bool(move.get("lying")) + 3 * int(move["spot"] == "keyp") - kept


SCORES: Final[Mapping[str, Callable[[Sight, Json, Json], int]]] = {
    "take_turn": _take_turn,
    "choose_keyp_board": _board,
    "choose_spot": _spot,
    "choose_mooring": _mooring,
    "respond": _respond,
    "choose_gain": _gain,
    "refine": _refine,
    "exchange": _exchange,
    "take_tile": _tile,
    "build_tile": _build,
    "build_plot": _plot,
    "pay": _pay,
    "upgrade_tile": _upgrade,
    "choose_effect": _effect,
    "boat_action": _boat,
    "ship": _boat,
    "fish_action": _fishing,
    "fish_market_action": _market,
    "choose_lay_down": _lay_down,
    "hold_fair": _hold,
    "lose_item": _lose,
    "choose_excess": _excess,
    "choose_display": _fold,
    "choose_store": _store,
    "give_keyple": _give,
}
