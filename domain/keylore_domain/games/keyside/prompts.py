"""Open decisions: their legal moves in the fixed order, and the defaults (keyside §5.1 to §5.7).

A prompt without a choice is given with its one move, which the engine plays: so is a prompt whose only own
move is to decline, and one with a single own move, though anytime moves would be there as well. The
exceptions of §5.1 are the offers with ``stands``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from keylore_domain.engine.moves import Asked
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.components.parts import Parts
from keylore_domain.games.keyside.effects.buildings import headland_moves, own_sites, sites
from keylore_domain.games.keyside.effects.goods import SOURCE_OF, source
from keylore_domain.games.keyside.effects.keyples import ends, near, starts
from keylore_domain.games.keyside.effects.markets import flips_of_use, skills, trades
from keylore_domain.games.keyside.moves import (
    AdvanceMarker,
    AllocateMarker,
    ChooseAnimal,
    ChooseBox,
    ChooseColour,
    ChoosePart,
    ChooseStrip,
    Decline,
    ExchangeInBarn,
    ExchangeOnFarm,
    FlipMarket,
    Follow,
    From,
    Goods,
    KeysideMove,
    Land,
    Pass,
    PassWindow,
    PlaceAnimal,
    ResolveHarbour,
    SetDie,
    SpendSkill,
    Take,
    TakeGoods,
    To,
)
from keylore_domain.games.keyside.scoring import totals
from keylore_domain.games.keyside.state.decisions import (
    AnimalChoice,
    AnimalExchange,
    AnimalPlacing,
    AnyAdvance,
    BoxChoice,
    CottageSite,
    DiceSetting,
    GainOffer,
    GoodsChoice,
    HeadlandSite,
    Introduction,
    KeypleMove,
    KeypleWay,
    LandingTurn,
    MarkerAllocation,
    MarketVisit,
    OwnSite,
    PartChoice,
    ResolvingTurn,
    Response,
    SkillVisit,
    Window,
)
from keylore_domain.games.keyside.state.position import (
    ANIMALS,
    COLOUR_AT,
    COLOURS,
    FISH,
    HARBOUR,
    HARBOURS,
    ITEM_AT,
    ITEMS,
    NODE_AT,
    NODES,
    RESOURCE,
    Farm,
    Mat,
    State,
    has_keyple,
    open_harbours,
)

Moves = tuple[KeysideMove, ...]


class Offer(NamedTuple):
    """The own moves of a decision; with ``stands`` anytime moves alone make it worth asking."""

    kind: str
    moves: Moves
    default: int = 0
    stands: bool = False


DECLINE: Final = Decline()
_FROM: Final = tuple(From(node) for node in NODES)
_TO: Final = tuple(To(node) for node in NODES)
_COLOURS: Final[Moves] = tuple(ChooseColour(colour) for colour in COLOURS)
_ADVANCES: Final[Moves] = tuple(AdvanceMarker(colour) for colour in COLOURS)
_ANIMALS: Final[Moves] = tuple(ChooseAnimal(animal) for animal in ANIMALS)
_BOXES: Final[Moves] = (ChooseBox("left"), ChooseBox("right"))
_STRIPS: Final[Moves] = (ChooseStrip("light"), ChooseStrip("dark"), ChooseStrip("none"))
_ITEMS: Final[Moves] = tuple(AllocateMarker(item) for item in ITEMS)
_RESOLVE: Final[Moves] = tuple(ResolveHarbour(NODES[HARBOUR + at]) for at in range(HARBOURS))
_LAND: Final = {
    (colour, boat): tuple(Land(colour, boat, NODES[HARBOUR + at]) for at in range(HARBOURS))
    for colour in COLOURS
    for boat in range(3)
}
_REACHED: Final = tuple(
    tuple(
        tuple(at for at in range(HARBOURS) if min((at - boat) % HARBOURS, (boat - at) % HARBOURS) <= value)
        for value in range(7)
    )
    for boat in range(HARBOURS)
)
_GOODS: Final[Moves] = (
    TakeGoods(("wheat", "wheat")),
    TakeGoods(("wheat", "stone")),
    TakeGoods(("wheat", "wood")),
    TakeGoods(("stone", "stone")),
    TakeGoods(("stone", "wood")),
    TakeGoods(("wood", "wood")),
)


def open_prompts(parts: Parts, state: State) -> tuple[Prompt[KeysideMove], ...]:
    """What the match waits for; nothing when the game is over."""
    if not state.pending:
        return ()
    step = state.pending[-1]
    if isinstance(step, DiceSetting):
        return _dice_prompts(state)
    assert isinstance(step, Asked)
    offer = OFFERS[type(step)](parts, state, step)
    legal = offer.moves or (DECLINE,)
    if (len(legal) > 1 or offer.stands) and not isinstance(step, MarkerAllocation):
        legal = (*legal, *anytime(parts, state, step))
    return (Prompt(seat=step.seat, kind=offer.kind, legal=legal, default=offer.default, context=step),)


def anytime(parts: Parts, state: State, step: Asked) -> Moves:
    """The anytime moves of the lead at its own prompts; none for anybody else (keyside §5.1)."""
    if step.seat != state.lead_seat:
        return ()
    mat = state.mats[step.seat]
    spends = tuple(SpendSkill(tile.colour, tile.value) for tile in mat.skill_tiles)
    no_flips = isinstance(step, Window) and step.window == "final_spend" and not spends
    if not mat.store[FISH] or no_flips:
        return spends
    return (*spends, *(FlipMarket(tile) for tile in parts.two_sided))


def _dice_prompts(state: State) -> tuple[Prompt[KeysideMove], ...]:
    """The secret dice set-up, for every seat that has not finished (keyside §5.3)."""
    found = []
    for seat, mat in enumerate(state.mats):
        if mat.setting == "strip":
            found.append(Prompt(seat=Seat(seat), kind="choose_strip", legal=_STRIPS, hidden=True))
        elif mat.setting == "dice":
            found.append(Prompt(seat=Seat(seat), kind="set_die", legal=_die_moves(mat), hidden=True))
    return tuple(found)


def _die_moves(mat: Mat) -> Moves:
    colour = COLOURS[mat.dice.index(0)]
    return tuple(SetDie(colour, value) for value in range(1, 7) if value not in mat.dice)


# Turns


def _landing(_: Parts, state: State, step: LandingTurn) -> Offer:
    dice = state.mats[step.seat].dice
    free = free_harbours(state)
    lands = tuple(
        _LAND[colour, boat][at]
        for colour, value in zip(COLOURS, dice, strict=True)
        if value
        for boat, vessel in enumerate(state.boats)
        if colour in vessel.sailors
        for at in _REACHED[vessel.at][value]
        if free[at]
    )
    advances = tuple(move for move, value in zip(_ADVANCES, dice, strict=True) if value)
    return Offer("lead_landing", (*lands, *advances), len(lands), stands=True)


def free_harbours(state: State) -> tuple[bool, ...]:
    """For each harbour whether a boat can dock: no boat, no sailor, no dice, not resolved this year."""
    docked = [boat.at for boat in state.boats]
    return tuple(
        not harbour.dice and not harbour.resolved and at not in docked
        for at, harbour in enumerate(state.harbours)
    )


def _respond(_board: Parts, _state: State, _step: Response) -> Offer:
    return Offer("respond", (Pass(), Follow()))


def _introduce(parts: Parts, state: State, step: Introduction) -> Offer:
    node = NODE_AT[step.harbour]
    found = near(parts, state, step.seat, node - HARBOUR)
    steps = parts.distance[node]
    default = found.index(min(found, key=lambda at: steps[at])) if found else 0
    return Offer("introduce_keyple", (*(_FROM[at] for at in found), DECLINE), default)


def _resolving(_: Parts, state: State, step: ResolvingTurn) -> Offer:
    """An idle action once the end is triggered, or when no open harbour has an own keyple (ruling R10)."""
    mine = [at for at in open_harbours(state) if has_keyple(state.harbours[at], step.seat)]
    if mine and not state.end_triggered:
        return Offer("resolve_select", tuple(_RESOLVE[at] for at in mine), stands=True)
    return Offer("idle_action", (Goods(), *_ADVANCES), stands=True)


def _window(_board: Parts, _state: State, _step: Window) -> Offer:
    return Offer("window_action", (PassWindow(),), stands=True)


def _take_goods(_board: Parts, _state: State, _step: GoodsChoice) -> Offer:
    return Offer("take_goods", _GOODS)


def _allocate(parts: Parts, state: State, step: MarkerAllocation) -> Offer:
    return Offer("allocate_marker", _ITEMS, ITEM_AT[totals.best_marker_item(parts, state, step.seat)])


# Effects


def _take_gain(_: Parts, state: State, step: GainOffer) -> Offer:
    tokens = source(state, SOURCE_OF[step.item]).tokens
    return Offer("take_gain", (Take(), DECLINE) if tokens else (Take(),))


def _choose_animal(_board: Parts, _state: State, _step: AnimalChoice) -> Offer:
    return Offer("choose_animal", _ANIMALS, ANIMALS.index("sheep"))


def _choose_box(_board: Parts, _state: State, _step: BoxChoice) -> Offer:
    return Offer("choose_box", _BOXES)


def _advance_any(_board: Parts, _state: State, _step: AnyAdvance) -> Offer:
    return Offer("advance_any", (*_COLOURS, DECLINE))


def _move_from(parts: Parts, state: State, step: KeypleMove) -> Offer:
    found = starts(parts, state, step.seat, footprint=step.footprint)
    kind = "resource_move_from" if step.footprint else "move_from"
    return Offer(kind, (*(_FROM[at] for at in found), DECLINE), len(found))


def _move_to(parts: Parts, state: State, step: KeypleWay) -> Offer:
    found = ends(parts, state, step.seat, NODE_AT[step.start], footprint=step.footprint)
    kind = "resource_move_to" if step.footprint else "move_to"
    return Offer(kind, tuple(_TO[at] for at in found))


def _place_animal(_: Parts, state: State, step: AnimalPlacing) -> Offer:
    store = state.mats[step.seat].store
    icons = [
        (NODES[RESOURCE + at], icon)
        for at, tile in enumerate(state.resources)
        if isinstance(tile, Farm)
        for icon, animal in enumerate(tile.animals)
        if animal is None
    ]
    moves = [
        PlaceAnimal(animal, farm, icon)
        for animal in ANIMALS
        if store[ITEM_AT[animal]]
        for farm, icon in icons
    ]
    return Offer("place_animal", (*moves, DECLINE), len(moves))


def _exchange_animal(_: Parts, state: State, step: AnimalExchange) -> Offer:
    store = state.mats[step.seat].store
    barn = [
        ExchangeInBarn(animal, to)
        for animal in ANIMALS
        if store[ITEM_AT[animal]]
        for to in ANIMALS
        if to != animal
    ]
    farms = [
        ExchangeOnFarm(NODES[RESOURCE + at], icon, to)
        for at, tile in enumerate(state.resources)
        if isinstance(tile, Farm) and tile.keyple == step.seat
        for icon, animal in enumerate(tile.animals)
        if animal is not None
        for to in ANIMALS
        if to != animal
    ]
    return Offer("exchange_animal", (*barn, *farms, DECLINE), len(barn) + len(farms))


def _market(parts: Parts, state: State, step: MarketVisit) -> Offer:
    """The lead's flips are anytime moves; the others have only flips that help them (keyside §5.5)."""
    own = trades(parts, state, step.seat)
    flips = flips_of_use(parts, state, step.seat)
    if step.seat == state.lead_seat:
        return Offer("market_action", (*own, DECLINE), len(own), stands=bool(flips))
    return Offer("market_action", (*own, *flips, DECLINE), len(own) + len(flips))


def _take_skill(_: Parts, state: State, step: SkillVisit) -> Offer:
    found = skills(state, step.seat)
    values = [state.skill_stacks[COLOUR_AT[colour]][0] for colour in found]
    default = values.index(max(values)) if values else 0
    return Offer("take_skill", (*(_COLOURS[COLOUR_AT[colour]] for colour in found), DECLINE), default)


def _build_cottage(parts: Parts, state: State, step: CottageSite) -> Offer:
    found = sites(parts, state, step.seat, step.cost)
    return Offer("build_cottage", (*found, DECLINE), len(found))


def _own_cottage(parts: Parts, state: State, step: OwnSite) -> Offer:
    return Offer("own_cottage", (*own_sites(parts, state, step.seat, step.colour), DECLINE))


def _build_headland(parts: Parts, state: State, step: HeadlandSite) -> Offer:
    found = headland_moves(parts, state, step)
    return Offer("build_headland", (*found, DECLINE), len(found))


def _choose_part(parts: Parts, state: State, step: PartChoice) -> Offer:
    moves = tuple(ChoosePart(part) for part in step.parts if _CAN[part](parts, state, step.seat))
    return Offer("choose_part", (*moves, DECLINE), len(moves))


_CAN: Final[Mapping[str, Callable[[Parts, State, Seat], bool]]] = {
    "move": lambda parts, state, seat: bool(starts(parts, state, seat)),
    "market": lambda parts, state, seat: bool(trades(parts, state, seat) or flips_of_use(parts, state, seat)),
    "skill": lambda _, state, seat: bool(skills(state, seat)),
}

OFFERS: Final[Mapping[type[Asked], Callable[[Parts, State, Any], Offer]]] = {
    LandingTurn: _landing,
    Response: _respond,
    Introduction: _introduce,
    ResolvingTurn: _resolving,
    Window: _window,
    GoodsChoice: _take_goods,
    MarkerAllocation: _allocate,
    GainOffer: _take_gain,
    AnimalChoice: _choose_animal,
    BoxChoice: _choose_box,
    AnyAdvance: _advance_any,
    KeypleMove: _move_from,
    KeypleWay: _move_to,
    AnimalPlacing: _place_animal,
    AnimalExchange: _exchange_animal,
    MarketVisit: _market,
    SkillVisit: _take_skill,
    CottageSite: _build_cottage,
    OwnSite: _own_cottage,
    HeadlandSite: _build_headland,
    PartChoice: _choose_part,
}
