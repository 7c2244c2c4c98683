"""What the rules did, step by step (keyper-at-sea §5.8).

Places are texts: ``supply``, ``seat_0``, ``sea_discard``, ``market``, ``stall_0``, a board, a cell, a boat, a
store, ``display``, ``discard``, ``stack``.
"""

from typing import ClassVar

import msgspec

from keylore_domain.engine.facts import ChanceDrawn, Fact, GameEnded, StartPlayerSet
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea.components.entries import Season
from keylore_domain.games.keyper_at_sea.components.items import ItemCounts


class SeasonStarted(Fact, frozen=True):
    """The season of the game began."""

    rule: ClassVar[str] = "keyper-at-sea §6 S13, D13"
    season: Season


class KeyperPlaced(Fact, frozen=True):
    """A keyper claimed a board."""

    rule: ClassVar[str] = "keyper-at-sea §6 K1"
    seat: Seat
    board: str


class KeyplePlaced(Fact, frozen=True):
    """A keyple was played."""

    rule: ClassVar[str] = "keyper-at-sea §6 J1"
    seat: Seat
    spot: str
    colour: str


class KeypleJoined(Fact, frozen=True):
    """Another seat joined a placement."""

    rule: ClassVar[str] = "keyper-at-sea §6 J3"
    seat: Seat
    spot: str
    colour: str


class KeyplesLaid(Fact, frozen=True):
    """Keyples were laid down."""

    rule: ClassVar[str] = "keyper-at-sea §6 L3"
    seat: Seat
    spot: str
    colours: tuple[str, ...]


class KeypleGiven(Fact, frozen=True):
    """A seat gave a keyple to Player A."""

    rule: ClassVar[str] = "keyper-at-sea §6 D8"
    giver: Seat = msgspec.field(name="from")
    to: Seat
    spot: str
    colour: str


class KeypleToKeyp(Fact, frozen=True):
    """An excess keyple went to the keyp."""

    rule: ClassVar[str] = "keyper-at-sea §6 S11"
    seat: Seat
    colour: str


class BoatMoored(Fact, frozen=True):
    """A boat or fishing boat was moored."""

    rule: ClassVar[str] = "keyper-at-sea §6 B2, X2"
    boat: str
    cells: tuple[str, ...]


class CreatureRevealed(Fact, frozen=True):
    """A face-down creature tile was turned up."""

    rule: ClassVar[str] = "keyper-at-sea §6 B4, X3, X5"
    cell: str
    creature: str


class SlotStarted(Fact, frozen=True):
    """An action slot began, numbered from 1."""

    rule: ClassVar[str] = "keyper-at-sea §6 J6"
    seat: Seat
    slot: int
    of: int


class SlotPassedOver(Fact, frozen=True):
    """Nothing could be done in an action slot."""

    rule: ClassVar[str] = "keyper-at-sea §6 E15"
    seat: Seat
    slot: int


class ItemsMoved(Fact, frozen=True):
    """Items changed their place."""

    rule: ClassVar[str] = "keyper-at-sea §6 E1, CO2"
    source: str = msgspec.field(name="from")
    to: str
    items: ItemCounts


class ShippingScored(Fact, frozen=True):
    """Points were scored on the shipping track, by a boat or a fish fair."""

    rule: ClassVar[str] = "keyper-at-sea §6 B5, M5"
    seat: Seat
    points: int
    by: str


class TileMoved(Fact, frozen=True):
    """A tile or fair changed its place; ``tile`` is null for a viewer who may not know a dealt fair."""

    rule: ClassVar[str] = "keyper-at-sea §6 T3, S7"
    source: str = msgspec.field(name="from")
    to: str
    tile: str | None
    secret: bool = False


class TileBuilt(Fact, frozen=True):
    """A tile was built, on a site, over another tile, or on an empty plot."""

    rule: ClassVar[str] = "keyper-at-sea §6 T5, T8"
    seat: Seat
    plot: str
    tile: str
    site: str | None
    covered: str | None


class TileUpgraded(Fact, frozen=True):
    """A tile or store was upgraded."""

    rule: ClassVar[str] = "keyper-at-sea §6 T12"
    seat: Seat
    target: str


class DisplayRefilled(Fact, frozen=True):
    """These tiles were laid out."""

    rule: ClassVar[str] = "keyper-at-sea §6 T4"
    tiles: tuple[str, ...]


class BagRefilled(Fact, frozen=True):
    """The discard pile went back into the bag."""

    rule: ClassVar[str] = "keyper-at-sea §6 T4"


class FairHeld(Fact, frozen=True):
    """A fair was held."""

    rule: ClassVar[str] = "keyper-at-sea §6 H2"
    seat: Seat
    fair: str


class FairRemoved(Fact, frozen=True):
    """A fair left the game; ``fair`` is null when it was not shown (R77)."""

    rule: ClassVar[str] = "keyper-at-sea §6 H3, S7"
    fair: str | None


class BoardTaken(Fact, frozen=True):
    """A seat took its claimed board with the keyples on it."""

    rule: ClassVar[str] = "keyper-at-sea §6 S5, D5"
    seat: Seat
    board: str
    keyples: tuple[str, ...]


class BoardSetUp(Fact, frozen=True):
    """A board was folded for a season."""

    rule: ClassVar[str] = "keyper-at-sea §6 S9, D10"
    board: str
    display: str
    rotation: int


class CreaturesLaid(Fact, frozen=True):
    """Creature tiles were laid face down on the water of a board."""

    rule: ClassVar[str] = "keyper-at-sea §6 S9"
    board: str
    number: int


class StallsFilled(Fact, frozen=True):
    """The stalls after filling, and what lies on the treasure spaces."""

    rule: ClassVar[str] = "keyper-at-sea §5.6 Q3"
    stalls: tuple[tuple[str, ...], ...]
    treasures: ItemCounts


class BoatsSelected(Fact, frozen=True):
    """The boats that are available now."""

    rule: ClassVar[str] = "keyper-at-sea §6 S8, D15"
    boats: tuple[str, ...]


class FishFairTurned(Fact, frozen=True):
    """The fish fair of a season was turned up."""

    rule: ClassVar[str] = "keyper-at-sea §6 S12, D13"
    season: Season
    fair: str


class SeasonOpened(Fact, frozen=True):
    """The market activity of a season became available."""

    rule: ClassVar[str] = "keyper-at-sea §6 S12, D11"
    season: Season


class MarkerMoved(Fact, frozen=True):
    """A season marker changed its place."""

    rule: ClassVar[str] = "keyper-at-sea §6 D3, D11, D17"
    source: str = msgspec.field(name="from")
    to: str
    season: Season


class StoreClaimed(Fact, frozen=True):
    """A seat took a store tile."""

    rule: ClassVar[str] = "keyper-at-sea §6 D3"
    seat: Seat
    store: str


class FirstOutSet(Fact, frozen=True):
    """A seat was the first without a piece this season (variant)."""

    rule: ClassVar[str] = "keyper-at-sea §5.7"
    seat: Seat
    season: Season


class SeasonEnded(Fact, frozen=True):
    """A seat ended its season; base, shallow: the season of all."""

    rule: ClassVar[str] = "keyper-at-sea §6 S1, D1"
    seat: Seat | None
    season: Season


class EndTriggered(Fact, frozen=True):
    """The first end of winter: every other seat has one turn left."""

    rule: ClassVar[str] = "keyper-at-sea §6 D21"
    seat: Seat


FACT_TYPES: tuple[type[Fact], ...] = (
    ChanceDrawn,
    StartPlayerSet,
    SeasonStarted,
    KeyperPlaced,
    KeyplePlaced,
    KeypleJoined,
    KeyplesLaid,
    KeypleGiven,
    KeypleToKeyp,
    BoatMoored,
    CreatureRevealed,
    SlotStarted,
    SlotPassedOver,
    ItemsMoved,
    ShippingScored,
    TileMoved,
    TileBuilt,
    TileUpgraded,
    DisplayRefilled,
    BagRefilled,
    FairHeld,
    FairRemoved,
    BoardTaken,
    BoardSetUp,
    CreaturesLaid,
    StallsFilled,
    BoatsSelected,
    FishFairTurned,
    SeasonOpened,
    MarkerMoved,
    StoreClaimed,
    FirstOutSet,
    SeasonEnded,
    EndTriggered,
    GameEnded,
)
