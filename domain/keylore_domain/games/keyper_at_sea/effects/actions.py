"""The effect vocabulary carried out (keyper-at-sea §6.2): one function per op and per answer inside an op."""

from collections.abc import Callable, Mapping
from typing import Any, Final, assert_never

from msgspec.structs import replace

from keylore_domain.engine.seats import with_item
from keylore_domain.games.keyper_at_sea import facts, moves
from keylore_domain.games.keyper_at_sea.components import ops
from keylore_domain.games.keyper_at_sea.effects.tiles import refresh_display
from keylore_domain.games.keyper_at_sea.play import (
    Play,
    add_items,
    gain,
    give_up,
    place_of,
    score_shipping,
)
from keylore_domain.games.keyper_at_sea.prompts.actions import gains, opening
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import season_number
from keylore_domain.games.keyper_at_sea.state.spots import cell_of


def run_ops(play: Play, step: wait.RunOps) -> None:
    """Carry out the next op of a slot (J7)."""
    op, *rest = step.ops
    if rest:
        play.push(wait.RunOps(step.seat, step.slot, tuple(rest)))
    START.get(type(op), _ask)(play, step, op)


def _ask(play: Play, step: wait.RunOps, op: ops.AnyOp) -> None:
    _push_if_open(play, opening(step.seat, step.slot, op))


def _push_if_open(play: Play, decision: Any) -> None:
    """E15: a gain without anything to choose is passed over; other decisions can be declined."""
    if not isinstance(decision, wait.ChooseGain) or gains(play.parts, play.state, decision):
        play.push(decision)


def _gain(play: Play, step: wait.RunOps, op: ops.Gain) -> None:
    gain(play, step.seat, [op.item] * op.n)


def _take_tile(play: Play, step: wait.RunOps, op: ops.TakeTile) -> None:
    if op.refresh:
        refresh_display(play)
    _ask(play, step, op)


START: Final[Mapping[type[ops.Op], Callable[[Play, wait.RunOps, Any], None]]] = {
    ops.Gain: _gain,
    ops.TakeTile: _take_tile,
}
"""The ops that do something before, or without, asking."""


def again(play: Play, decision: Any) -> None:
    """Ask once more if the op may be repeated."""
    if decision.left > 1:
        _push_if_open(play, replace(decision, left=decision.left - 1))


def choose_gain(play: Play, decision: wait.ChooseGain, move: moves.ChooseItem) -> None:
    """E2, E9: gain the chosen item."""
    gain(play, decision.seat, [move.item])
    distinct = isinstance(decision.op, ops.GainOneOf) and decision.op.distinct
    again(play, replace(decision, barred=(*decision.barred, move.item)) if distinct else decision)


def refine(play: Play, decision: wait.ChooseRefine, move: moves.Refine) -> None:
    """E3: a raw material becomes its finished good."""
    parts = play.parts
    give_up(play, decision.seat, [move.item])
    gain(play, decision.seat, [parts.items[parts.refined[parts.item[move.item]]]])
    again(play, decision)


def exchange(play: Play, decision: wait.ChooseExchange, move: moves.Exchange) -> None:
    """E4: pay one item, gain others."""
    give_up(play, decision.seat, [move.pay])
    gain(play, decision.seat, move.get)
    again(play, decision)


def use(play: Play, decision: wait.ChooseEffect, move: moves.Use) -> None:
    """E8: carry out the chosen option."""
    play.push(wait.RunOps(decision.seat, decision.slot, decision.op.options[move.option]))


def boat_action(
    play: Play,
    decision: wait.ChooseBoatAction,
    move: moves.TakeCargo | moves.TakeCreature | moves.Ship,
) -> None:
    """B5: cargo, a creature, or shipping."""
    boat = decision.slot.spot
    match move:
        case moves.TakeCargo():
            gain(play, decision.seat, [move.item])
        case moves.TakeCreature():
            _take_from_boat(play, decision, move.item)
        case moves.Ship():
            _ship(play, decision, boat, move.offer)
        case _:
            assert_never(move)


def ship(play: Play, decision: wait.ChooseShip, move: moves.ShipWith) -> None:
    """E10: ship with any regular boat in play."""
    _ship(play, decision, move.boat, move.offer)
    again(play, decision)


def _ship(play: Play, decision: wait.ChooseShip | wait.ChooseBoatAction, boat: str, number: int) -> None:
    offer = play.parts.boats[boat].ship[number]
    give_up(play, decision.seat, offer.pay)
    score_shipping(play, decision.seat, offer.points, boat)


def _take_from_boat(play: Play, decision: wait.ChooseBoatAction | wait.ChooseFishAction, item: str) -> None:
    boat = decision.slot.spot
    moored = play.state.moored_as(boat)
    assert moored is not None
    left = list(moored.tiles)
    left.remove(item)
    play.change_moored(boat, tiles=tuple(left))
    add_items(play, decision.seat, [item], boat)


def fish_action(play: Play, decision: wait.ChooseFishAction, move: Any) -> None:
    """X5: take a tile or a fish, which ends the action, or turn a tile up and go on."""
    FISHING[type(move)](play, decision, move)


def _take_boat_tile(play: Play, decision: wait.ChooseFishAction, move: moves.TakeBoatTile) -> None:
    moored = play.state.moored_as(decision.slot.spot)
    assert moored is not None
    _take_from_boat(play, decision, moored.tiles[0])


def _take_cell(play: Play, decision: wait.ChooseFishAction, move: moves.TakeCell) -> None:
    creature = cell_of(play.state, move.cell).creature
    play.change_cell(move.cell, creature="", face_up=False)
    add_items(play, decision.seat, [creature], move.cell)


def _flip(play: Play, decision: wait.ChooseFishAction, move: moves.Flip) -> None:
    play.change_cell(move.cell, face_up=True)
    play.note(facts.CreatureRevealed(move.cell, cell_of(play.state, move.cell).creature))
    play.push(replace(decision, flipped=(*decision.flipped, move.cell)))


def _fish(play: Play, decision: wait.ChooseFishAction, move: moves.Fish) -> None:
    gain(play, decision.seat, ["fish"])


FISHING: Final[Mapping[type[Any], Callable[[Play, wait.ChooseFishAction, Any], None]]] = {
    moves.TakeBoatTile: _take_boat_tile,
    moves.TakeCell: _take_cell,
    moves.Flip: _flip,
    moves.Fish: _fish,
}


def market_action(play: Play, decision: wait.ChooseMarketAction, move: Any) -> None:
    """M2: an activity, a stall or the fish fair."""
    MARKET[type(move)](play, decision, move)


def _season_exchange(play: Play, decision: wait.ChooseMarketAction, move: moves.SeasonExchange) -> None:
    give_up(play, decision.seat, [move.pay])
    gain(play, decision.seat, move.get)


def _take_fish(play: Play, decision: wait.ChooseMarketAction, move: moves.TakeFish) -> None:
    for activity in play.parts.data.fish_market.activities:
        if isinstance(activity.op, ops.Gain):
            gain(play, decision.seat, [activity.op.item] * activity.op.n)


def _take_treasure(play: Play, decision: wait.ChooseMarketAction, move: moves.TakeTreasure) -> None:
    left = list(play.state.treasures)
    left.remove(move.item)
    play.change(treasures=tuple(left))
    add_items(play, decision.seat, [move.item], "market")


def _take_stall(play: Play, decision: wait.ChooseMarketAction, move: moves.TakeStall) -> None:
    creatures = play.state.stalls[move.stall]
    play.change(stalls=with_item(play.state.stalls, move.stall, ()))
    add_items(play, decision.seat, creatures, f"stall_{move.stall}")


def _exhibit(play: Play, decision: wait.ChooseMarketAction, move: moves.Exhibit) -> None:
    state, seat = play.state, decision.seat
    fair = state.fish_fairs[season_number(state.season)]
    play.change(exhibited=with_item(state.exhibited, seat, state.exhibited[seat] + 1))
    score_shipping(play, seat, play.parts.constants.fish_fair_points.value[state.season], fair)


MARKET: Final[Mapping[type[Any], Callable[[Play, wait.ChooseMarketAction, Any], None]]] = {
    moves.SeasonExchange: _season_exchange,
    moves.TakeFish: _take_fish,
    moves.TakeTreasure: _take_treasure,
    moves.TakeStall: _take_stall,
    moves.Exhibit: _exhibit,
}


def take_tile(play: Play, decision: wait.ChooseTile, move: moves.TakeTile) -> None:
    """E5, T3: a country tile joins the unbuilt tiles, a fair the fairground."""
    state, seat, tile = play.state, decision.seat, move.tile
    household = play.household(seat)
    left = tuple(name for name in getattr(state, move.place) if name != tile)
    play.change(**{move.place: left})
    if tile in play.parts.tiles:
        play.change_household(seat, tiles=play.parts.sorted_tiles((*household.tiles, tile)))
    else:
        play.change_household(seat, fairs=play.parts.sorted_tiles((*household.fairs, tile)))
    play.note(facts.TileMoved(move.place, place_of(seat), tile))
    again(play, decision)
