"""What actions are worth in Keyper at Sea, one step ahead: one function per op of the game's vocabulary."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from keylore_domain.games.keyper_at_sea.components import ops
from keylore_domain.games.keyper_at_sea.components.entries import Tile
from keylore_domain.games.keyper_at_sea.components.parts import SEASONS
from keylore_domain.games.keyper_at_sea.state.spots import KEYP_TILE
from keylore_services.bots.heuristics.keyper_at_sea_values import (
    POINT,
    WHITE,
    WORTH,
    Json,
    Sight,
    item_value,
    line_value,
    parts,
    tile_value,
    worth,
)


def action_value(sight: Sight, op: ops.AnyOp, place: str = "") -> int:
    """What doing an op once is worth."""
    return ACTIONS[type(op)](sight, op, place)


def _gain(sight: Sight, op: ops.Gain, place: str) -> int:
    return op.n * item_value(sight, op.item)


def _gain_one_of(sight: Sight, op: ops.GainOneOf, place: str) -> int:
    return op.n * max(item_value(sight, name) for name in op.items)


def _refine(sight: Sight, op: ops.Refine, place: str) -> int:
    return max((refining(sight, name) for name in op.of if sight.items.get(name)), default=0)


def refining(sight: Sight, raw: str) -> int:
    """What refining this raw material gains."""
    good = parts().refined.get(parts().item[raw])
    return 0 if good is None else item_value(sight, parts().items[good]) - WORTH["raw"] // 2


def _exchange(sight: Sight, op: ops.Exchange, place: str) -> int:
    return op.picks * max(item_value(sight, name) for name in op.get_one_of) - 8


def _take_tile(sight: Sight, op: ops.TakeTile, place: str) -> int:
    return op.n * max((taking(sight, tile) for tile in sight.view["display"]), default=0)


def taking(sight: Sight, tile: str) -> int:
    """What taking a tile or fair is worth."""
    if tile in parts().fairs:
        return _fair_taking(sight, tile)
    waiting = sum(parts().tiles[name].owner == "country" for name in sight.own["tiles"])
    return tile_value(sight, parts().tiles[tile]) // 2 - 6 * waiting


def _fair_taking(sight: Sight, fair: str) -> int:
    entry = parts().fairs[fair]
    missing = sum(
        max(0, entry.exhibit.count(item) - sight.items.get(item, 0)) for item in dict.fromkeys(entry.exhibit)
    )
    late = SEASONS.index(entry.season) < sight.season
    return 0 if late else POINT * entry.points // (1 + missing)


def can_pay(sight: Sight, slots: Sequence[str]) -> bool:
    """Whether the seat has something for each slot, the scarcest first."""
    left = dict(sight.items)
    for slot in sorted(slots, key=lambda slot: len(parts().payable[slot])):
        found = next((parts().items[at] for at in parts().payable[slot] if left.get(parts().items[at])), None)
        if found is None:
            return False
        left[found] -= 1
    return True


def building(sight: Sight, tile: str) -> int:
    """What building a tile is worth, its cost paid."""
    entry = parts().tiles[tile]
    return tile_value(sight, entry) - 5 * len(entry.build)


def _build(sight: Sight, op: ops.Build, place: str) -> int:
    cost: Callable[[Tile], Sequence[str]] = lambda tile: op.cost or tile.build  # noqa: E731 - one use
    known = (parts().tiles[name] for name in sight.own["tiles"])
    return max(
        (building(sight, tile.id) for tile in known if tile.kind != "site" and can_pay(sight, cost(tile))),
        default=0,
    )


def upgrading(sight: Sight, target: str) -> int:
    """What upgrading a tile or store is worth."""
    if target in sight.plots:
        tile = parts().tiles[sight.plots[target]["stack"][-1]]
        return tile_value(sight, tile, upgraded=True) - tile_value(sight, tile) - 5
    score = parts().stores[target].score
    more = [sum(line_value(sight, line, 1) for line in lines) for lines in (score.upgraded, score.base)]
    return more[0] - more[1]


def _upgrade(sight: Sight, op: ops.Upgrade, place: str) -> int:
    found = []
    for plot, tile, upgraded in sight.tops:
        cost = parts().upgrade_cost(tile.id, "farm" if plot[0] == "f" else "village")
        if not upgraded and cost is not None and can_pay(sight, op.cost or cost):
            found.append(upgrading(sight, plot))
    return max(found, default=0)


def _choose(sight: Sight, op: ops.Choose, place: str) -> int:
    return max(action_value(sight, option[0], place) for option in op.options)


def shipping(sight: Sight, boat: str) -> int:
    """What the best ship offer of a boat gains."""
    offers = (offer for offer in parts().boats[boat].ship if sight.items.get(offer.pay[0]))
    return max((POINT * offer.points - worth(offer.pay[0]) // 2 for offer in offers), default=0)


def _boat_take(sight: Sight, op: ops.BoatTake, place: str) -> int:
    cargo = (item for boat in sight.view["boats_available"] for item in parts().boats[boat].cargo)
    return op.n * max((item_value(sight, item) for item in cargo), default=0)


def _boat_ship(sight: Sight, op: ops.BoatShip, place: str) -> int:
    boats = [*sight.view["boats_available"], *(boat["id"] for boat in sight.view["boats"])]
    return max((shipping(sight, boat) for boat in boats), default=0)


def _boat_work(sight: Sight, op: ops.BoatWork, place: str) -> int:
    cargo = max((item_value(sight, item) for item in parts().boats[place].cargo), default=0)
    return max(cargo, shipping(sight, place))


def _fish(sight: Sight, op: ops.Fish, place: str) -> int:
    return max(8, item_value(sight, "fish"))


def _fish_market(sight: Sight, op: ops.FishMarket, place: str) -> int:
    fair = exhibit_value(sight)
    return max([fair, *(sum(item_value(sight, name) for name in stall) for stall in sight.view["stalls"])])


def exhibit_value(sight: Sight) -> int:
    """What showing the pair of the season's fish fair is worth; nothing without the pair."""
    fair = sight.view["fish_fairs"].get(sight.view["season"])
    if fair is None or not all(sight.items.get(name) for name in parts().fish_fairs[fair].pair):
        return 0
    return POINT * parts().constants.fish_fair_points.value[sight.view["season"]]


ACTIONS: Final[Mapping[type[ops.Op], Callable[[Sight, Any, str], int]]] = {
    ops.Gain: _gain,
    ops.GainOneOf: _gain_one_of,
    ops.Refine: _refine,
    ops.Exchange: _exchange,
    ops.TakeTile: _take_tile,
    ops.Build: _build,
    ops.Upgrade: _upgrade,
    ops.Choose: _choose,
    ops.BoatTake: _boat_take,
    ops.BoatShip: _boat_ship,
    ops.BoatWork: _boat_work,
    ops.Fish: _fish,
    ops.FishMarket: _fish_market,
}


def spot_ops(sight: Sight, spot: str) -> Sequence[ops.AnyOp]:
    """What an action on a spot does."""
    if "." in spot:
        return parts().fields[field_of(sight.view, spot)].ops
    if spot in sight.plots:
        plot = sight.plots[spot]
        active = parts().tiles[plot["stack"][-1]].activate
        return () if active is None else active.upgraded if plot["upgraded"] else active.base
    if spot == KEYP_TILE:
        return parts().keyp_ops
    fishing = any(boat["id"] == spot for boat in sight.view["fishing_boats"])
    return (ops.Fish(),) if fishing else (ops.BoatWork(),)


def field_of(view: Json, spot: str) -> str:
    """The field code of a cell."""
    board = next(board for board in view["boards"] if board["id"] == spot.partition(".")[0])
    code: str = next(cell["field"] for cell in board["cells"] if cell["cell"] == spot)
    return code


def border_of(sight: Sight, spot: str) -> str | None:
    """The border of a field or boat."""
    if "." in spot:
        return parts().fields[field_of(sight.view, spot)].border
    return parts().borders.get(spot)


def spot_value(sight: Sight, spot: str, colours: Sequence[str], joined: int = 0) -> int:
    """What placing or laying keyples of these colours on a spot is worth."""
    border = border_of(sight, spot)
    matched = border is not None and any(colour in (border, WHITE) for colour in colours)
    once = sum(action_value(sight, op, spot) for op in spot_ops(sight, spot))
    slots = len(colours) + matched + joined if spot not in sight.plots else 1
    return once + (slots - 1) * once * 3 // 4
