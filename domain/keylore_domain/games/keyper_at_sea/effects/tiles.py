"""Display, building and upgrading (keyper-at-sea §6.10)."""

from msgspec.structs import replace

from keylore_domain.games.keyper_at_sea import facts, moves
from keylore_domain.games.keyper_at_sea.components.items import ITEM_NAMES, ItemCounts
from keylore_domain.games.keyper_at_sea.play import Play, give_up
from keylore_domain.games.keyper_at_sea.state import decisions as wait


def refill_display(play: Play) -> None:
    """T4: draw from the bag until the display is full; an empty bag takes in the discard pile first."""
    laid: list[str] = []
    while len(play.state.display) + len(laid) < play.parts.constants.display_size.value:
        tile = _draw_tile(play)
        if not tile:
            break
        laid.append(tile)
    if laid:
        play.change(display=play.parts.sorted_tiles((*play.state.display, *laid)))
        play.note(facts.DisplayRefilled(tuple(laid)))


def _draw_tile(play: Play) -> str:
    state = play.state
    if not state.bag and state.discard:
        play.change(bag=play.parts.sorted_tiles(state.discard), discard=())
        play.note(facts.BagRefilled())
    bag = play.state.bag
    if not bag:
        return ""
    tile = play.picked("C5", "bag.tiles", bag)
    play.change(bag=tuple(name for name in bag if name != tile))
    return tile


def refresh_display(play: Play) -> None:
    """E5: the whole display is discarded and laid out anew (R72)."""
    for tile in play.state.display:
        play.note(facts.TileMoved("display", "discard", tile))
    play.change(discard=play.parts.sorted_tiles((*play.state.discard, *play.state.display)), display=())
    refill_display(play)


def choose_build(play: Play, decision: wait.ChooseBuild, move: moves.Build) -> None:
    """T5: then choose the place."""
    play.push(wait.ChooseBuildPlot(decision.seat, decision.slot, decision.op, move.tile))


def choose_plot(play: Play, decision: wait.ChooseBuildPlot, move: moves.ChoosePlot) -> None:
    """T5: then pay."""
    play.push(wait.PayBuild(decision.seat, decision.slot, decision.op, decision.tile, move.plot, move.site))


def pay_build(play: Play, decision: wait.PayBuild, move: moves.Pay) -> None:
    """T6, T8, T10: the tile covers what is there and is not upgraded; a keyple stays (T9)."""
    seat, tile, site = decision.seat, decision.tile, decision.site
    give_up(play, seat, paid(move.payment))
    household = play.household(seat)
    plot = household.plots[play.parts.plot[decision.plot]]
    covered = plot.stack[-1] if plot.stack else None
    bottom = () if site is None else (site,)
    play.change_household(seat, tiles=tuple(name for name in household.tiles if name not in (tile, site)))
    play.change_plot(seat, decision.plot, stack=(*plot.stack, *bottom, tile), upgraded=False)
    play.note(facts.TileBuilt(seat, decision.plot, tile, site, covered))


def choose_upgrade(play: Play, decision: wait.ChooseUpgrade, move: moves.Upgrade) -> None:
    """T12: then pay."""
    play.push(wait.PayUpgrade(decision.seat, decision.slot, decision.op, move.target))


def pay_upgrade(play: Play, decision: wait.PayUpgrade, move: moves.Pay) -> None:
    """T12: the tile or store is upgraded."""
    seat, target = decision.seat, decision.target
    give_up(play, seat, paid(move.payment))
    if target in play.parts.stores:
        stores = play.household(seat).stores
        changed = tuple(replace(store, upgraded=True) if store.id == target else store for store in stores)
        play.change_household(seat, stores=changed)
    else:
        play.change_plot(seat, target, upgraded=True)
    play.note(facts.TileUpgraded(seat, target))


def paid(payment: ItemCounts) -> list[str]:
    """The items of a payment, one by one."""
    return [name for name in ITEM_NAMES for _ in range(getattr(payment, name))]
