"""Goods, animals and gems: gains, payments, farms (keyside §6.1)."""

from collections.abc import Mapping
from typing import Final

from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside.facts import (
    AnimalExchanged,
    AnimalPlaced,
    ItemCount,
    ItemsMoved,
    Place,
    ResourceFlipped,
)
from keylore_domain.games.keyside.moves import (
    ChooseAnimal,
    Decline,
    ExchangeInBarn,
    ExchangeOnFarm,
    FromBarn,
    FromFarm,
    Payment,
    PlaceAnimal,
    Take,
    TakeGoods,
)
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.state.decisions import (
    AnimalChoice,
    AnimalExchange,
    AnimalPlacing,
    GainOffer,
    GemDraw,
    GoodsChoice,
    Import,
)
from keylore_domain.games.keyside.state.position import (
    FIRST_GEM,
    GEMS,
    ITEM_AT,
    NODE_AT,
    RESOURCE,
    Animal,
    Farm,
    Icon,
    Item,
    Source,
    State,
    source_at,
)

SOURCE_OF: Final[Mapping[Item, str]] = {"wood": "forest", "stone": "quarry", "wheat": "wheat_fields"}


def source(state: State, tile: str) -> Source:
    """Forest, quarry or wheat fields."""
    found = state.resources[source_at(state, tile)]
    assert isinstance(found, Source)
    return found


def farm(state: State, location: str) -> Farm:
    """The farm at a location."""
    found = state.resources[NODE_AT[location] - RESOURCE]
    assert isinstance(found, Farm)
    return found


def add(play: Play, seat: Seat, item: Item, number: int) -> None:
    """Change a store without saying where it comes from."""
    store = play.mat(seat).store
    at = ITEM_AT[item]
    play.change_mat(seat, store=with_item(store, at, store[at] + number))


def gain(play: Play, seat: Seat, item: Item, number: int) -> None:
    """E-GAIN: always the full *number*, off the resource tile while it holds tokens."""
    tile = SOURCE_OF.get(item)
    taken = 0 if tile is None else _take_tokens(play, seat, item, number)
    if number > taken:
        _moved(play, "supply", seat, item, number - taken)
    add(play, seat, item, number)


def _take_tokens(play: Play, seat: Seat, item: Item, number: int) -> int:
    tile = SOURCE_OF[item]
    tokens = source(play.state, tile).tokens
    taken = min(tokens, number)
    if taken:
        left = tokens - taken
        play.change_resource(source_at(play.state, tile), tokens=left, flipped=left == 0)
        _moved(play, tile, seat, item, taken)
        if left == 0:
            play.note(ResourceFlipped(tile))
    return taken


def _moved(play: Play, origin: Place, target: Place, item: Item, number: int) -> None:
    play.note(ItemsMoved(origin, target, (ItemCount(item, number),)))


def spend(play: Play, seat: Seat, item: Item, number: int) -> None:
    """Pay to the supply; gems go back into the bag (ruling R26)."""
    add(play, seat, item, -number)
    if item in GEMS:
        at = GEMS.index(item)
        play.change(gem_bag=with_item(play.state.gem_bag, at, play.state.gem_bag[at] + number))
    _moved(play, seat, "bag" if item in GEMS else "supply", item, number)


def spend_animal(play: Play, seat: Seat, animal: Animal, pay: Payment) -> None:
    """Pay an animal from the barn or from an icon of an own farm, which is empty then."""
    if isinstance(pay, FromFarm):
        animals = farm(play.state, pay.farm).animals
        at = NODE_AT[pay.farm] - RESOURCE
        play.change_resource(at, animals=with_item(animals, pay.icon, None))
        _moved(play, pay.farm, "supply", animal, 1)
    else:
        assert isinstance(pay, FromBarn)
        spend(play, seat, animal, 1)


def import_items(play: Play, step: Import) -> None:
    """Animals or fish come from the supply."""
    gain(play, step.seat, step.item, step.number)


def draw_gems(play: Play, step: GemDraw) -> None:
    """E-GEM: one by one from the bag, as far as it goes (chance C15)."""
    bag = play.state.gem_bag
    drawn = draw_from_bag(play, "C15", "gems", step.number)
    if not drawn:
        return
    play.change(gem_bag=tuple(count - drawn.count(gem) for gem, count in zip(GEMS, bag, strict=True)))
    store = play.mat(step.seat).store
    gems = tuple(store[FIRST_GEM + at] + drawn.count(gem) for at, gem in enumerate(GEMS))
    play.change_mat(step.seat, store=(*store[:FIRST_GEM], *gems))
    counts = tuple(ItemCount(gem, drawn.count(gem)) for gem in GEMS if gem in drawn)
    play.note(ItemsMoved("bag", step.seat, counts))


def draw_from_bag(play: Play, point: str, label: str, number: int) -> tuple[str, ...]:
    """Up to *number* gems drawn without putting back; the bag itself is left to the caller."""
    left = list(play.state.gem_bag)
    drawn: list[str] = []
    while len(drawn) < number and any(left):
        pick = play.turn.chance.below(label, sum(left))
        at = 0 if pick < left[0] else 1 if pick < left[0] + left[1] else 2
        left[at] -= 1
        drawn.append(GEMS[at])
    if drawn:
        play.drawn(point, drawn)
    return tuple(drawn)


def offered(play: Play, step: GainOffer, move: Take | Decline) -> None:
    """The gain of a box or of harbour C, E or G; doubled if the seat owns the tile before it takes (R25)."""
    if isinstance(move, Take):
        owned = step.doubled_by and source(play.state, step.doubled_by).keyple == step.seat
        gain(play, step.seat, step.item, step.number * 2 if owned else step.number)


def take_goods(play: Play, step: GoodsChoice, move: TakeGoods) -> None:
    """Idle action 5: each of the two is a gain of 1."""
    for item in move.goods:
        gain(play, step.seat, item, 1)


def place_animal(play: Play, step: AnimalPlacing, move: PlaceAnimal | Decline) -> None:
    """E-PLACE: an animal of the barn onto an icon, whose item is gained at once."""
    if isinstance(move, Decline):
        return
    if step.left > 1:
        play.push(AnimalPlacing(step.seat, step.effect, step.left - 1))
    add(play, step.seat, move.animal, -1)
    at = NODE_AT[move.farm] - RESOURCE
    icons = settle(play, at, move.icon, move.animal)
    play.note(AnimalPlaced(step.seat, move.animal, move.farm, move.icon))
    item = icons[move.icon]
    if item == "gem":
        draw_gems(play, GemDraw(step.seat, 1))
    else:
        gain(play, step.seat, item, 1)


def settle(play: Play, at: int, icon: int, animal: Animal) -> tuple[Icon, ...]:
    """Put *animal* on an icon of the farm at resource location *at*; gives the icons."""
    tile = play.state.resources[at]
    assert isinstance(tile, Farm)
    play.change_resource(at, animals=with_item(tile.animals, icon, animal))
    return tile.icons


def exchange_animal(
    play: Play, step: AnimalExchange, move: ExchangeInBarn | ExchangeOnFarm | Decline
) -> None:
    """Green level 4: an own animal becomes one of another type where it stands."""
    if isinstance(move, Decline):
        return
    if step.left > 1:
        play.push(AnimalExchange(step.seat, step.effect, step.left - 1))
    if isinstance(move, ExchangeInBarn):
        add(play, step.seat, move.animal, -1)
        add(play, step.seat, move.to, 1)
        play.note(AnimalExchanged(step.seat, "barn", move.animal, move.to))
    else:
        before = farm(play.state, move.farm).animals[move.icon]
        assert before is not None
        settle(play, NODE_AT[move.farm] - RESOURCE, move.icon, move.to)
        play.note(AnimalExchanged(step.seat, move.farm, before, move.to))


def import_animal(play: Play, step: AnimalChoice, move: ChooseAnimal) -> None:
    """Green 2 and 3: one animal of any type into the barn."""
    if step.left > 1:
        play.push(AnimalChoice(step.seat, step.effect, step.left - 1))
    gain(play, step.seat, move.animal, 1)
