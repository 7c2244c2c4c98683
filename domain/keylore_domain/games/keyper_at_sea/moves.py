"""The moves of Keyper at Sea, one type per form of keyper-at-sea §5.5."""

from typing import Literal

import msgspec

from keylore_domain.engine.moves import Action, Move
from keylore_domain.games.keyper_at_sea.components.entries import Season
from keylore_domain.games.keyper_at_sea.components.items import ItemCounts


class PlayKeyple(Action, frozen=True):
    """Play a keyple of this colour (U4)."""

    colour: str


class PlayKeyper(Action, frozen=True):
    """Play the keyper (U3)."""


class LayDown(Action, frozen=True):
    """Lay keyples down (U5)."""


class EndSeason(Action, frozen=True):
    """End the season of the seat, deep only (U6)."""


class Pass(Action, frozen=True):
    """Do nothing; as a response: do not join."""


class ChooseBoard(Move, frozen=True):
    """Claim this board (P2)."""

    board: str


class ChooseSpot(Move, frozen=True):
    """Put the keyple here (P3)."""

    spot: str


class Moor(Move, frozen=True):
    """Cover these water cells with the boat (P4)."""

    cells: tuple[str, ...]


class Join(Action, frozen=True):
    """Join the placement with a keyple of this colour (P5)."""

    colour: str


class ChooseItem(Move, frozen=True):
    """The item to gain (P6) or to lose (P21)."""

    item: str


class Decline(Action, frozen=True):
    """Do nothing more with this op."""


class Refine(Action, frozen=True):
    """Turn this raw material into its finished good (P7)."""

    item: str


class Exchange(Action, frozen=True):
    """Pay one item for others (P8)."""

    pay: str
    get: tuple[str, ...]


class TakeTile(Action, frozen=True, tag="take"):
    """Take this tile or fair (P9)."""

    place: Literal["display", "discard"] = msgspec.field(name="from")
    tile: str


class Build(Action, frozen=True):
    """Build this tile (P10)."""

    tile: str


class ChoosePlot(Move, frozen=True):
    """Where to build, and the site to put under the tile (P11)."""

    plot: str
    site: str | None


class Pay(Move, frozen=True):
    """Pay these items (P12)."""

    payment: ItemCounts


class Upgrade(Action, frozen=True):
    """Upgrade the tile on this plot, or this store (P13)."""

    target: str


class Use(Action, frozen=True):
    """Carry out this option, numbered from 0 (P14)."""

    option: int


class TakeCargo(Action, frozen=True):
    """Take one item of the boat's cargo (P15)."""

    item: str


class TakeCreature(Action, frozen=True):
    """Take a creature tile that lies on the boat (P15)."""

    item: str


class Ship(Action, frozen=True):
    """Use this ship offer of the boat, numbered from 0 (P15)."""

    offer: int


class ShipWith(Action, frozen=True, tag="ship"):
    """Use a ship offer of this boat (P16)."""

    boat: str
    offer: int


class TakeBoatTile(Action, frozen=True):
    """Take the tile that lies on the fishing boat (P17, 1a)."""


class TakeCell(Action, frozen=True, tag="take"):
    """Take the face-up tile of this cell (P17, 1b)."""

    cell: str


class Flip(Action, frozen=True):
    """Turn up the tile of this cell (P17, 2)."""

    cell: str


class Fish(Action, frozen=True):
    """Take a fish (P17, 3)."""


class SeasonExchange(Action, frozen=True, tag="exchange"):
    """The activity of this season: pay one item for others (P18)."""

    season: Season
    pay: str
    get: tuple[str, ...]


class TakeFish(Action, frozen=True):
    """The market activity that gives fish (P18)."""


class TakeTreasure(Action, frozen=True):
    """Take a pearl or a treasure from the market board (P18)."""

    item: str


class TakeStall(Action, frozen=True):
    """Take all creatures of this stall, numbered from 0 (P18)."""

    stall: int


class Exhibit(Action, frozen=True):
    """Show the pair of the fish fair (P18)."""


class LayHere(Move, frozen=True):
    """Lay keyples of these colours on this spot (P19)."""

    spot: str
    colours: tuple[str, ...]


class LayOnKeyp(Move, frozen=True):
    """Lay this many keyples on the keyp tile (P19)."""

    spot: Literal["keyp"]
    count: int


class Hold(Action, frozen=True):
    """Hold this fair (P20)."""

    fair: str


class Done(Action, frozen=True):
    """Hold no more fairs (P20)."""


class ChooseColour(Move, frozen=True):
    """The keyple that goes to the keyp (P22)."""

    colour: str


class ChooseDisplay(Move, frozen=True):
    """How to fold and turn the board (P23)."""

    display: str
    rotation: int


class ChooseStore(Move, frozen=True):
    """The store tile to take (P24)."""

    store: str


class Give(Move, frozen=True):
    """Give a keyple from the team or the keyp (P25)."""

    spot: Literal["team", "keyp"]
    colour: str


class GiveFrom(Move, frozen=True):
    """Give a keyple from a spot (P25)."""

    spot: str
    colour: str
    lying: bool


AnyMove = (
    PlayKeyple
    | PlayKeyper
    | LayDown
    | EndSeason
    | Pass
    | ChooseBoard
    | ChooseSpot
    | Moor
    | Join
    | ChooseItem
    | Decline
    | Refine
    | Exchange
    | TakeTile
    | Build
    | ChoosePlot
    | Pay
    | Upgrade
    | Use
    | TakeCargo
    | TakeCreature
    | Ship
    | ShipWith
    | TakeBoatTile
    | TakeCell
    | Flip
    | Fish
    | SeasonExchange
    | TakeFish
    | TakeTreasure
    | TakeStall
    | Exhibit
    | LayHere
    | LayOnKeyp
    | Hold
    | Done
    | ChooseColour
    | ChooseDisplay
    | ChooseStore
    | Give
    | GiveFrom
)
