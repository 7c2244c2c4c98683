"""The moves of Keyside in the JSON form of keyside §5; answers with an ``action`` carry it as their tag."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from keylore_domain.engine.moves import Action, Move
from keylore_domain.games.keyside.state.decisions import Part
from keylore_domain.games.keyside.state.position import Animal, Box, Colour, Favours, Item, Material


class Decline(Action, frozen=True):
    """Do without an optional action (keyside §5.1)."""


class SpendSkill(Action, frozen=True):
    """Anytime move: a skill tile leaves the game and its marker advances."""

    colour: Colour
    value: int


class FlipMarket(Action, frozen=True):
    """Anytime move, and part of a market action: pay a fish and turn a market tile over."""

    tile: str


class ChooseStrip(Move, frozen=True):
    """Set all dice by a side of the own strip, or none of them."""

    side: Literal["light", "dark", "none"]


class SetDie(Move, frozen=True):
    """Set the next die."""

    colour: Colour
    value: int


class Land(Action, frozen=True):
    """Move a boat and place its sailor and the die of the colour in the harbour."""

    colour: Colour
    boat: int
    harbour: str


class AdvanceMarker(Action, frozen=True, tag="advance"):
    """Spend a die, or the idle action, to advance the marker of the colour."""

    colour: Colour


class Pass(Action, frozen=True):
    """Do not follow."""


class Follow(Action, frozen=True):
    """Place the own die of the colour behind the lead die."""


class PassWindow(Action, frozen=True, tag="pass"):
    """No anytime move now."""

    scope: Literal["window"] = "window"


class From(Move, frozen=True, rename={"location": "from"}):
    """The location of the keyple that moves."""

    location: str


class To(Move, frozen=True, rename={"location": "to"}):
    """The location that the keyple moves to."""

    location: str


class Take(Action, frozen=True):
    """Take all of the gain."""


class ChooseAnimal(Move, frozen=True):
    """The type of an imported animal."""

    animal: Animal


class ChooseBox(Move, frozen=True):
    """The box that is used."""

    box: Box


class ChooseColour(Move, frozen=True):
    """The colour of a marker or of a stack of skill tiles."""

    colour: Colour


class PlaceAnimal(Move, frozen=True):
    """An animal of the barn onto an empty icon of a farm, which is named by its location."""

    animal: Animal
    farm: str
    icon: int


class ExchangeInBarn(Move, frozen=True, tag_field="where", tag="barn"):
    """One animal of the barn becomes another."""

    animal: Animal
    to: Animal


class ExchangeOnFarm(Move, frozen=True, tag_field="where", tag="farm"):
    """The animal on an icon of an own farm becomes another."""

    farm: str
    icon: int
    to: Animal


class FromBarn(msgspec.Struct, frozen=True, tag_field="where", tag="barn"):
    """An animal that is paid from the barn."""


class FromFarm(msgspec.Struct, frozen=True, tag_field="where", tag="farm"):
    """An animal that is paid from an icon of an own farm."""

    farm: str
    icon: int


Payment: TypeAlias = FromBarn | FromFarm | str


class Trade(Action, frozen=True):
    """Activate a market; ``pay`` is an item, ``none``, or where an animal comes from."""

    tile: str
    pay: Payment


class Build(Action, frozen=True):
    """Place an available cottage on its plot."""

    cottage: str


class Upgrade(Action, frozen=True):
    """Turn the cottage of the colour into its house."""

    colour: Colour


class BuildHeadland(Move, frozen=True):
    """A headland tile onto a space."""

    tile: str
    space: str
    favours: Favours
    pay: Material


class ChoosePart(Move, frozen=True):
    """The part of the benefit that comes next."""

    part: Part


class Goods(Action, frozen=True):
    """Idle action 5: take two goods."""


class TakeGoods(Move, frozen=True):
    """The two goods."""

    goods: tuple[Material, Material]


class ResolveHarbour(Move, frozen=True):
    """The harbour that is resolved."""

    harbour: str


class AllocateMarker(Move, frozen=True):
    """The item that the start player marker counts as."""

    item: Item


KeysideMove: TypeAlias = (
    Decline
    | SpendSkill
    | FlipMarket
    | ChooseStrip
    | SetDie
    | Land
    | AdvanceMarker
    | Pass
    | Follow
    | PassWindow
    | From
    | To
    | Take
    | ChooseAnimal
    | ChooseBox
    | ChooseColour
    | PlaceAnimal
    | ExchangeInBarn
    | ExchangeOnFarm
    | Trade
    | Build
    | Upgrade
    | BuildHeadland
    | ChoosePart
    | Goods
    | TakeGoods
    | ResolveHarbour
    | AllocateMarker
)

_ANYTIME: Final[tuple[type[msgspec.Struct], ...]] = (SpendSkill, FlipMarket)

MOVE_TYPES: Final[Mapping[str, tuple[type[msgspec.Struct], ...]]] = {
    "choose_strip": (ChooseStrip,),
    "set_die": (SetDie,),
    "lead_landing": (Land, AdvanceMarker, *_ANYTIME),
    "respond": (Pass, Follow),
    "introduce_keyple": (From, Decline, *_ANYTIME),
    "resolve_select": (ResolveHarbour, *_ANYTIME),
    "idle_action": (Goods, AdvanceMarker, *_ANYTIME),
    "window_action": (PassWindow, *_ANYTIME),
    "take_gain": (Take, Decline, *_ANYTIME),
    "choose_animal": (ChooseAnimal, *_ANYTIME),
    "choose_box": (ChooseBox, *_ANYTIME),
    "advance_any": (ChooseColour, Decline, *_ANYTIME),
    "move_from": (From, Decline, *_ANYTIME),
    "move_to": (To, Decline, *_ANYTIME),
    "resource_move_from": (From, Decline, *_ANYTIME),
    "resource_move_to": (To, Decline, *_ANYTIME),
    "place_animal": (PlaceAnimal, Decline, *_ANYTIME),
    "exchange_animal": (ExchangeInBarn, ExchangeOnFarm, Decline, *_ANYTIME),
    "market_action": (Trade, Decline, *_ANYTIME),
    "take_skill": (ChooseColour, Decline, *_ANYTIME),
    "build_cottage": (Build, Upgrade, Decline, *_ANYTIME),
    "own_cottage": (Build, Upgrade, Decline, *_ANYTIME),
    "build_headland": (BuildHeadland, Decline, *_ANYTIME),
    "choose_part": (ChoosePart, Decline, *_ANYTIME),
    "take_goods": (TakeGoods, *_ANYTIME),
    "allocate_marker": (AllocateMarker,),
}
