"""Legal moves inside an action: P6 to P18 (keyper-at-sea §5.5, §6.2)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Final

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea import moves
from keylore_domain.games.keyper_at_sea.components import ops
from keylore_domain.games.keyper_at_sea.components.boards import PlotPlace
from keylore_domain.games.keyper_at_sea.components.entries import Season
from keylore_domain.games.keyper_at_sea.components.items import counts_of
from keylore_domain.games.keyper_at_sea.components.parts import Parts
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import Household, State, season_number
from keylore_domain.games.keyper_at_sea.state.spots import fishing_grounds, regular_boats
from keylore_domain.games.keyper_at_sea.state.stock import held, in_supply, payments, prices

DECLINE: Final = moves.Decline()
Moves = tuple[moves.AnyMove, ...]


def gains(parts: Parts, state: State, decision: wait.ChooseGain) -> Moves:
    """P6: the items of the op that are in supply; of a boat op the cargo of all regular boats in play."""
    if isinstance(decision.op, ops.BoatTake):
        boats = regular_boats(parts, state)
        offered: Iterable[str] = {item for boat in boats for item in parts.boats[boat].cargo}
    else:
        offered = decision.op.items
    there = [name for name in offered if name not in decision.barred and in_supply(parts, state, name)]
    return tuple(moves.ChooseItem(name) for name in _in_order(parts, there))


def _in_order(parts: Parts, names: Iterable[str]) -> list[str]:
    return sorted(set(names), key=parts.item.__getitem__)


def refinements(parts: Parts, state: State, decision: wait.ChooseRefine) -> Moves:
    """P7: raw materials of the seat whose finished good is in supply."""
    found = [
        moves.Refine(name)
        for name in _in_order(parts, decision.op.of)
        if held(parts, state, decision.seat, name)
        and in_supply(parts, state, parts.items[parts.refined[parts.item[name]]])
    ]
    return (*found, DECLINE)


def exchanges(parts: Parts, state: State, decision: wait.ChooseExchange) -> Moves:
    """P8: what the seat can pay, with everything it can get in full."""
    return (*[moves.Exchange(*deal) for deal in _deals(parts, state, decision.seat, decision.op)], DECLINE)


def _deals(parts: Parts, state: State, seat: Seat, op: ops.Exchange) -> list[tuple[str, tuple[str, ...]]]:
    pick = combinations if op.distinct else combinations_with_replacement
    gets = [
        get
        for get in pick(_in_order(parts, op.get_one_of), op.picks)
        if all(in_supply(parts, state, name) >= get.count(name) for name in get)
    ]
    pays = [parts.items[at] for at in parts.payable[op.pay[0]] if state.households[seat].items[at]]
    return [(pay, get) for pay in pays for get in gets]


def tiles(parts: Parts, state: State, decision: wait.ChooseTile) -> Moves:
    """P9: tiles of the display, then country tiles of the discard pile (E5)."""
    found = []
    if "display" in decision.op.places:
        found += [moves.TakeTile("display", tile) for tile in state.display]
    if "discard" in decision.op.places:
        found += [moves.TakeTile("discard", tile) for tile in state.discard if tile in parts.tiles]
    return (*found, DECLINE)


def areas(parts: Parts, op: ops.Build, tile: str) -> tuple[str, ...]:
    """The areas in which *op* may build *tile* (T5)."""
    kind = parts.tiles[tile].kind
    own = ("farm", "village") if kind == "flex" else (kind,)
    return own if op.area == "any" else tuple(area for area in own if area == op.area)


def builds(parts: Parts, state: State, decision: wait.ChooseBuild) -> Moves:
    """P10: unbuilt tiles with a place and a payable cost."""
    op, seat = decision.op, decision.seat
    found = [
        moves.Build(tile)
        for tile in state.households[seat].tiles
        if parts.tiles[tile].kind != "site"
        and areas(parts, op, tile)
        and payments(parts, state, seat, prices(op, parts.tiles[tile].build))
    ]
    return (*found, DECLINE)


def build_plots(parts: Parts, state: State, decision: wait.ChooseBuildPlot) -> Moves:
    """P11: plots, extensions with a site, and free extensions for a country tile with a site (T6)."""
    household = state.households[decision.seat]
    allowed = areas(parts, decision.op, decision.tile)
    site = _spare_site(parts, household) if parts.tiles[decision.tile].owner == "country" else None
    found = []
    for place, plot in zip(parts.plots, household.plots, strict=True):
        if place.area in allowed:
            found += _places(place, bool(plot.stack), site)
    return tuple(found)


def _places(place: PlotPlace, used: bool, site: str | None) -> list[moves.ChoosePlot]:
    if used or not place.extension:
        return [moves.ChoosePlot(place.id, None)]
    return [] if site is None else [moves.ChoosePlot(place.id, site)]


def _spare_site(parts: Parts, household: Household) -> str | None:
    return next((tile for tile in household.tiles if parts.tiles[tile].kind == "site"), None)


def build_payments(parts: Parts, state: State, decision: wait.PayBuild) -> Moves:
    """P12: payments for a tile."""
    return _pays(parts, state, decision.seat, prices(decision.op, parts.tiles[decision.tile].build))


def upgrade_payments(parts: Parts, state: State, decision: wait.PayUpgrade) -> Moves:
    """P12: payments for an upgrade."""
    printed = printed_upgrade(parts, state.households[decision.seat], decision.target)
    return _pays(parts, state, decision.seat, prices(decision.op, printed))


def _pays(parts: Parts, state: State, seat: Seat, due: Sequence[tuple[str, ...]]) -> Moves:
    found = payments(parts, state, seat, due)
    return tuple(moves.Pay(counts_of(parts.items[at] for at in payment)) for payment in found)


def printed_upgrade(parts: Parts, household: Household, target: str) -> tuple[str, ...]:
    """The printed upgrade cost of the tile on a plot, or of a store."""
    if target in parts.stores:
        return parts.stores[target].upgrade
    at = parts.plot[target]
    cost = parts.upgrade_cost(household.plots[at].stack[-1], parts.plots[at].area)
    assert cost is not None
    return cost


def upgrades(parts: Parts, state: State, decision: wait.ChooseUpgrade) -> Moves:
    """P13: tiles, then stores, that are not upgraded and whose cost is payable (T12)."""
    household = state.households[decision.seat]
    targets = [
        place.id
        for place, plot in zip(parts.plots, household.plots, strict=True)
        if plot.stack and not plot.upgraded
    ]
    targets += [store for store in parts.stores if can_upgrade_store(household, store)]
    found = [
        moves.Upgrade(target)
        for target in targets
        if payments(
            parts, state, decision.seat, prices(decision.op, printed_upgrade(parts, household, target))
        )
    ]
    return (*found, DECLINE)


def can_upgrade_store(household: Household, store: str) -> bool:
    """Whether the household has this store, not upgraded."""
    return any(owned.id == store and not owned.upgraded for owned in household.stores)


def effects(parts: Parts, state: State, decision: wait.ChooseEffect) -> Moves:
    """P14: the options whose first op can be carried out (E8)."""
    found = [
        moves.Use(number)
        for number, option in enumerate(decision.op.options)
        if can_do(parts, state, decision.seat, decision.slot, option[0])
    ]
    return (*found, DECLINE)


def boat_actions(parts: Parts, state: State, decision: wait.ChooseBoatAction) -> Moves:
    """P15: cargo, creatures on the boat, ship offers (B5)."""
    boat = parts.boats[decision.slot.spot]
    moored = state.moored_as(boat.id)
    assert moored is not None
    cargo = [name for name in _in_order(parts, boat.cargo) if in_supply(parts, state, name)]
    offers = _offers(parts, state, decision.seat, boat.id)
    return (
        *[moves.TakeCargo(name) for name in cargo],
        *[moves.TakeCreature(name) for name in _in_order(parts, moored.tiles)],
        *[moves.Ship(offer) for offer in offers],
        DECLINE,
    )


def _offers(parts: Parts, state: State, seat: Seat, boat: str) -> list[int]:
    return [
        number
        for number, offer in enumerate(parts.boats[boat].ship)
        if held(parts, state, seat, offer.pay[0])
    ]


def ships(parts: Parts, state: State, decision: wait.ChooseShip) -> Moves:
    """P16: offers of all regular boats in play (E10)."""
    found = [
        moves.ShipWith(boat, offer)
        for boat in regular_boats(parts, state)
        for offer in _offers(parts, state, decision.seat, boat)
    ]
    return (*found, DECLINE)


def fish_actions(parts: Parts, state: State, decision: wait.ChooseFishAction) -> Moves:
    """P17: take a tile, turn one up, take a fish (X5)."""
    moored = state.moored_as(decision.slot.spot)
    assert moored is not None
    grounds = fishing_grounds(parts, state, moored.id)
    flipped = decision.flipped
    up = [cell for cell, water in grounds if water.face_up]
    return (
        *([moves.TakeBoatTile()] if moored.tiles and not flipped else []),
        *[moves.TakeCell(cell) for cell in up if not flipped or cell == flipped[-1]],
        *[moves.Flip(cell) for cell, water in grounds if not water.face_up],
        *([moves.Fish()] if in_supply(parts, state, "fish") else []),
        DECLINE,
    )


def fish_default(legal: Moves) -> int:
    """Fish if legal, else decline."""
    return legal.index(moves.Fish()) if moves.Fish() in legal else len(legal) - 1


def market_actions(parts: Parts, state: State, decision: wait.ChooseMarketAction) -> Moves:
    """P18: activities of opened seasons, stalls, the fish fair (M2 to M6)."""
    found: list[moves.AnyMove] = []
    for activity in parts.data.fish_market.activities:
        if activity.season in state.opened:
            found += _activity(parts, state, decision.seat, activity.season, activity.op)
    found += [moves.TakeStall(number) for number, stall in enumerate(state.stalls) if stall]
    if can_exhibit(parts, state, decision.seat):
        found.append(moves.Exhibit())
    return (*found, DECLINE)


def _activity(
    parts: Parts,
    state: State,
    seat: Seat,
    season: Season,
    op: ops.Exchange | ops.Gain | ops.TakeMarketTreasure,
) -> list[moves.AnyMove]:
    if isinstance(op, ops.Exchange):
        return [moves.SeasonExchange(season, *deal) for deal in _deals(parts, state, seat, op)]
    if isinstance(op, ops.Gain):
        return [moves.TakeFish()] if in_supply(parts, state, op.item) else []
    return [moves.TakeTreasure(name) for name in op.items if name in state.treasures]


def can_exhibit(parts: Parts, state: State, seat: Seat) -> bool:
    """Whether *seat* has the pair of the season's fish fair, once more than it has shown this turn (M5)."""
    pair = parts.fish_fairs[state.fish_fairs[season_number(state.season)]].pair
    return all(held(parts, state, seat, name) > state.exhibited[seat] for name in pair)


def can_do(parts: Parts, state: State, seat: Seat, slot: wait.Slot, op: ops.AnyOp) -> bool:
    """Whether *op* could do anything for *seat* now (E15)."""
    if isinstance(op, ops.Gain):
        return in_supply(parts, state, op.item) > 0
    if isinstance(op, ops.TakeTile) and op.refresh:
        return bool(state.display or state.discard or state.bag)
    asked, legal = OPENING[type(op)]
    found = legal(parts, state, asked(seat, slot, op))
    return bool(found) and found != (DECLINE,)


def opening(seat: Seat, slot: wait.Slot, op: ops.AnyOp) -> wait.OpDecision:
    """The first decision that *op* asks for."""
    return OPENING[type(op)][0](seat, slot, op)


def _counted(kind: Callable[..., wait.OpDecision]) -> Callable[..., wait.OpDecision]:
    return lambda seat, slot, op: kind(seat, slot, op, op.n)


OPENING: Final[Mapping[type[ops.Op], tuple[Callable[..., wait.OpDecision], Callable[..., Moves]]]] = {
    ops.GainOneOf: (_counted(wait.ChooseGain), gains),
    ops.Refine: (_counted(wait.ChooseRefine), refinements),
    ops.Exchange: (_counted(wait.ChooseExchange), exchanges),
    ops.TakeTile: (_counted(wait.ChooseTile), tiles),
    ops.Build: (wait.ChooseBuild, builds),
    ops.Upgrade: (wait.ChooseUpgrade, upgrades),
    ops.Choose: (wait.ChooseEffect, effects),
    ops.BoatTake: (_counted(wait.ChooseGain), gains),
    ops.BoatShip: (_counted(wait.ChooseShip), ships),
    ops.BoatWork: (wait.ChooseBoatAction, boat_actions),
    ops.Fish: (wait.ChooseFishAction, fish_actions),
    ops.FishMarket: (wait.ChooseMarketAction, market_actions),
}
"""For each op that asks: the decision it opens, and the legal moves of that decision."""
