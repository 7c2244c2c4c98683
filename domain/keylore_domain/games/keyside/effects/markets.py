"""Markets and skill tiles: trades, flips, taking and spending (keyside §6.2, §6.1 E-SKILL, §5.1)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.moves import Asked, Step
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside.components.entries import TradeData
from keylore_domain.games.keyside.components.parts import Parts
from keylore_domain.games.keyside.effects.buildings import sites
from keylore_domain.games.keyside.effects.goods import spend, spend_animal
from keylore_domain.games.keyside.facts import MarketActivated, MarketFlipped, TileMoved
from keylore_domain.games.keyside.moves import (
    ChooseColour,
    Decline,
    FlipMarket,
    FromBarn,
    FromFarm,
    Payment,
    SpendSkill,
    Trade,
)
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.state.decisions import (
    Advance,
    AnyAdvance,
    CottageSite,
    GemDraw,
    Import,
    KeypleMove,
    MarketVisit,
    Recruitment,
    SkillVisit,
)
from keylore_domain.games.keyside.state.position import (
    ANIMALS,
    COLOUR_AT,
    COLOURS,
    GEMS,
    ITEM_AT,
    NODES,
    RESOURCE,
    Colour,
    Farm,
    Item,
    Market,
    SkillTile,
    State,
    market_at,
)

TURNED: Final = {"top": "reverse", "reverse": "top"}
_BARN: Final = FromBarn()


def visible_markets(parts: Parts, state: State, seat: Seat) -> Iterator[Market]:
    """The markets with a keyple of *seat* that it has not activated this turn, in the order of the tiles."""
    own = {market.tile: market for market in state.markets if seat in market.keyples}
    for tile in parts.market_tiles:
        if tile in own and (seat, tile) not in state.markets_used:
            yield own[tile]


def trades(parts: Parts, state: State, seat: Seat) -> tuple[Trade, ...]:
    """Every activation that *seat* can pay for now and that gains something (ruling R14)."""
    return tuple(
        Trade(market.tile, pay)
        for market in visible_markets(parts, state, seat)
        for pay in payments(parts, state, seat, parts.trade(market))
    )


def payments(parts: Parts, state: State, seat: Seat, trade: TradeData) -> tuple[Payment, ...]:
    """The ways in which *seat* can pay for a market side, or none."""
    if not _gains(parts, state, seat, trade):
        return ()
    if trade.pay is None:
        return ("none",)
    found: list[Payment] = []
    store = state.mats[seat].store
    for item in prices(trade):
        enough = store[ITEM_AT[item]] >= trade.pay_n
        if item in ANIMALS:
            found += [_BARN] if enough else []
            found += _on_farms(state, seat, item)
        elif enough:
            found.append(item)
    return tuple(found)


def prices(trade: TradeData) -> tuple[Item, ...]:
    """The items that a market side accepts, one at a time."""
    if trade.pay == "gem":
        return GEMS
    if trade.pay is None:
        return ()
    return (trade.pay,) if isinstance(trade.pay, str) else trade.pay


def _on_farms(state: State, seat: Seat, animal: str) -> list[Payment]:
    return [
        FromFarm(NODES[RESOURCE + at], icon)
        for at, tile in enumerate(state.resources)
        if isinstance(tile, Farm) and tile.keyple == seat
        for icon, standing in enumerate(tile.animals)
        if standing == animal
    ]


def _gains(parts: Parts, state: State, seat: Seat, trade: TradeData) -> bool:
    if trade.gain == "gem":
        return any(state.gem_bag)
    if trade.effect == "recruit":
        return state.mats[seat].keyples > 0
    if trade.effect == "build":
        return bool(sites(parts, state, seat, 0))
    return True


def flips_of_use(parts: Parts, state: State, seat: Seat) -> tuple[FlipMarket, ...]:
    """The flips after which *seat* could activate the flipped tile (keyside §5.5 market_action)."""
    store = state.mats[seat].store
    fish = store[ITEM_AT["fish"]]
    if not fish:
        return ()
    poorer = with_item(store, ITEM_AT["fish"], fish - 1)
    after = replace(state, mats=with_item(state.mats, seat, replace(state.mats[seat], store=poorer)))
    return tuple(
        FlipMarket(market.tile)
        for market in visible_markets(parts, state, seat)
        if market.side != "none" and payments(parts, after, seat, parts.trade(turned(market)))
    )


def turned(market: Market) -> Market:
    """The market with its other side up."""
    return replace(market, side=TURNED[market.side])


def turn_over(play: Play, tile: str) -> None:
    """Turn a two-sided market tile over."""
    at = market_at(play.state, tile)
    play.change_market(at, side=TURNED[play.state.markets[at].side])
    play.note(MarketFlipped(tile, play.state.markets[at].side))


def turn_over_activated(play: Play) -> None:
    """End of turn: each activated two-sided tile turns over once; the bookkeeping is cleared (§5.7)."""
    for tile in play.state.markets_activated:
        if tile in play.parts.two_sided:
            turn_over(play, tile)
    play.change(markets_used=(), markets_activated=())


def flip(play: Play, seat: Seat, move: FlipMarket) -> None:
    """Pay a fish and turn a market tile over."""
    spend(play, seat, "fish", 1)
    turn_over(play, move.tile)


def activate(play: Play, step: MarketVisit, move: Trade | Decline) -> None:
    """E-MARKET: pay, mark the tile as used and activated, then gain."""
    if isinstance(move, Decline):
        return
    market = play.state.markets[market_at(play.state, move.tile)]
    trade = play.parts.trade(market)
    _pay(play, step.seat, trade, move.pay)
    used = (*play.state.markets_used, (step.seat, move.tile))
    activated = play.state.markets_activated
    if move.tile not in activated:
        activated = (*activated, move.tile)
    play.change(markets_used=used, markets_activated=activated)
    play.note(MarketActivated(step.seat, move.tile, market.side))
    label = f"E-MK-{move.tile.upper()}" + {"top": "-T", "reverse": "-R", "none": ""}[market.side]
    play.push(_gain(step.seat, trade, label))


def _pay(play: Play, seat: Seat, trade: TradeData, pay: Payment) -> None:
    if isinstance(pay, str):
        for item in prices(trade):
            if item == pay:
                spend(play, seat, item, trade.pay_n)
    else:
        (animal,) = (animal for animal in ANIMALS if animal == trade.pay)
        spend_animal(play, seat, animal, pay)


def _gain(seat: Seat, trade: TradeData, label: str) -> Asked | Step:
    if trade.gain == "gem":
        return GemDraw(seat, trade.gain_n)
    if trade.gain is not None:
        return Import(seat, trade.gain, trade.gain_n)
    assert trade.effect is not None
    return _EFFECTS[trade.effect](seat, trade.effect_n, label)


_EFFECTS: Final[Mapping[str, Callable[[Seat, int, str], Asked | Step]]] = {
    "advance_any": lambda seat, _, label: AnyAdvance(seat, label),
    "move": lambda seat, number, label: KeypleMove(seat, label, number),
    "recruit": lambda seat, number, _: Recruitment(seat, number),
    "build": lambda seat, _, label: CottageSite(seat, label, 0),
}


def skills(state: State, seat: Seat) -> tuple[Colour, ...]:
    """The colours of whose stacks *seat* can take the top tile (E-SKILL)."""
    own = [market.tile for market in state.markets if seat in market.keyples]
    return tuple(
        colour for colour, stack in zip(COLOURS, state.skill_stacks, strict=True) if stack and colour in own
    )


def take_skill(play: Play, step: SkillVisit, move: ChooseColour | Decline) -> None:
    """E-SKILL: the top tile of the stack."""
    if isinstance(move, Decline):
        return
    tile = lift_skill(play, move.colour)
    tiles = (*play.mat(step.seat).skill_tiles, tile)
    play.change_mat(
        step.seat, skill_tiles=tuple(sorted(tiles, key=lambda own: (COLOUR_AT[own.colour], own.value)))
    )
    play.note(TileMoved(move.colour, step.seat, tile))


def lift_skill(play: Play, colour: Colour) -> SkillTile:
    """Take the top tile off a stack."""
    stacks = play.state.skill_stacks
    at = COLOUR_AT[colour]
    play.change(skill_stacks=with_item(stacks, at, stacks[at][1:]))
    return SkillTile(colour, stacks[at][0])


def spend_skill(play: Play, seat: Seat, move: SpendSkill) -> None:
    """Anytime move: the tile leaves the game, its marker advances."""
    tile = SkillTile(move.colour, move.value)
    own = play.mat(seat).skill_tiles
    play.change_mat(seat, skill_tiles=tuple(other for other in own if other != tile))
    remove_skill(play, tile, seat)
    play.push(Advance(seat, move.colour))


def remove_skill(play: Play, tile: SkillTile, origin: Seat | str) -> None:
    """A skill tile leaves the game."""
    play.change_removed(skill_tiles=(*play.state.removed.skill_tiles, tile))
    play.note(TileMoved(origin, "box", tile))
