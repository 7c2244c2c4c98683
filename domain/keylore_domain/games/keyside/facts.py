"""Facts of Keyside: what the rules did after a move or at set-up (keyside §5.9).

Places are written as ``supply``, ``bag``, ``mat``, ``box`` (out of the game), a resource tile, a location or
a seat. All facts are public: the dice are noted only at their reveal.
"""

from collections.abc import Mapping
from typing import ClassVar, Final, Literal, TypeAlias

import msgspec

from keylore_domain.engine.facts import ChanceDrawn, Fact, GameEnded
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.state.position import (
    Animal,
    Box,
    Colour,
    Favours,
    Item,
    MarketSide,
    Numbers,
    Player,
    SkillTile,
)

Place: TypeAlias = Seat | str

ROUTE: Final[Mapping[str, str]] = {"origin": "from", "target": "to"}


class ItemCount(msgspec.Struct, frozen=True):
    """So many of one item."""

    item: Item
    number: int


class StartPlayerSet(Fact, frozen=True):
    """A player received the start player marker."""

    rule: ClassVar[str] = "keyside §4 step 13, §5.8"
    seat: Player


class RoundStarted(Fact, frozen=True):
    """A year began."""

    rule: ClassVar[str] = "keyside §5.2"
    year: int


class DiceRevealed(Fact, frozen=True):
    """The dice of a player became public, in colour order."""

    rule: ClassVar[str] = "keyside §5.3, §8.3"
    seat: Player
    dice: Numbers


class BoatMoved(Fact, frozen=True, rename=ROUTE):
    """A boat docked."""

    rule: ClassVar[str] = "keyside §5.4 L5"
    boat: int
    origin: str
    target: str


class DiePlaced(Fact, frozen=True):
    """A die was placed in a harbour."""

    rule: ClassVar[str] = "keyside §5.4 L6, L7"
    seat: Player
    colour: Colour
    value: int
    harbour: str


class DiePutOnMat(Fact, frozen=True):
    """A die was spent for the advance option."""

    rule: ClassVar[str] = "keyside §5.4 L11"
    seat: Seat
    colour: Colour
    value: int


class HeadlandActivated(Fact, frozen=True):
    """A headland took effect for its owner."""

    rule: ClassVar[str] = "keyside §6.5"
    seat: Seat
    tile: str
    space: str


class MarkerAdvanced(Fact, frozen=True):
    """A marker reached (or repeated) a level and a box of it is used."""

    rule: ClassVar[str] = "keyside §6.1 E-ADV"
    seat: Seat
    colour: Colour
    level: int
    box: Box


class KeypleMoved(Fact, frozen=True, rename=ROUTE):
    """A keyple moved."""

    rule: ClassVar[str] = "keyside §6.1 E-MOVE"
    seat: Player
    origin: str
    target: str


class KeyplesRecruited(Fact, frozen=True):
    """Keyples went from the mat to the town."""

    rule: ClassVar[str] = "keyside §6.1 E-RECRUIT"
    seat: Seat
    number: int


class RedSpaceTaken(Fact, frozen=True):
    """A keyple went from the top of harbour I into its red space; ``swapped`` is whose it displaced."""

    rule: ClassVar[str] = "keyside §6.3 E-I"
    seat: Seat
    swapped: Seat | None


class ItemsMoved(Fact, frozen=True, rename=ROUTE):
    """Goods, animals or gems changed place."""

    rule: ClassVar[str] = "keyside §6.1 E-GAIN, E-GEM"
    origin: Place
    target: Place
    items: tuple[ItemCount, ...]


class ResourceFlipped(Fact, frozen=True):
    """Forest, quarry or wheat fields lost its last token and turned over."""

    rule: ClassVar[str] = "keyside §6.1 E-GAIN"
    tile: str


class AnimalPlaced(Fact, frozen=True):
    """An animal was placed on an icon of a farm, by a seat or by Keytoma."""

    rule: ClassVar[str] = "keyside §6.1 E-PLACE, §8.7 FARM"
    seat: Player
    animal: Animal
    farm: str
    icon: int


class AnimalExchanged(Fact, frozen=True, rename=ROUTE):
    """An animal became one of another type, in the barn or on a farm."""

    rule: ClassVar[str] = "keyside §5.5 exchange_animal"
    seat: Seat
    where: str
    origin: Animal
    target: Animal


class MarketActivated(Fact, frozen=True):
    """A market was paid and activated."""

    rule: ClassVar[str] = "keyside §6.2"
    seat: Seat
    tile: str
    side: MarketSide


class MarketFlipped(Fact, frozen=True):
    """A market tile turned over; ``side`` is the new one."""

    rule: ClassVar[str] = "keyside §5.7, §6.2"
    tile: str
    side: MarketSide


class TileMoved(Fact, frozen=True, rename=ROUTE):
    """A skill tile was taken, spent or removed."""

    rule: ClassVar[str] = "keyside §6.1 E-SKILL, §5.1"
    origin: Place
    target: Place
    tile: SkillTile


class CottageRemoved(Fact, frozen=True):
    """An available cottage left the game."""

    rule: ClassVar[str] = "keyside §8.7 E-K-Y"
    cottage: str


class BuildingPlaced(Fact, frozen=True):
    """A cottage was built."""

    rule: ClassVar[str] = "keyside §6.1 E-BUILD, E-OWN"
    seat: Seat
    cottage: str


class BuildingUpgraded(Fact, frozen=True):
    """A cottage became its house."""

    rule: ClassVar[str] = "keyside §6.1 E-BUILD, E-OWN"
    seat: Seat
    colour: Colour


class HeadlandBuilt(Fact, frozen=True):
    """A headland was built."""

    rule: ClassVar[str] = "keyside §6.1 E-HEADLAND"
    seat: Seat
    tile: str
    space: str
    favours: Favours


class HarbourResolved(Fact, frozen=True):
    """A harbour was resolved; ``seats`` have a keyple there, in the order of their gains."""

    rule: ClassVar[str] = "keyside §5.6"
    harbour: str
    total: int
    band: Literal["low", "mid", "high"]
    seats: tuple[Player, ...]


class BenefitStarted(Fact, frozen=True):
    """A seat gains the benefit of a harbour."""

    rule: ClassVar[str] = "keyside §6.3"
    seat: Seat
    harbour: str


class BenefitLost(Fact, frozen=True):
    """An action came to nothing: an own cottage that cannot be built, a move whose way has gone."""

    rule: ClassVar[str] = "keyside §6.1 E-OWN, ruling R61"
    seat: Seat
    effect: str


class EndTriggered(Fact, frozen=True):
    """Nothing is left to land or to resolve: the year ends with this round of turns."""

    rule: ClassVar[str] = "keyside §5.7"
    year: int


class DiceReturned(Fact, frozen=True):
    """All dice went back to their owners."""

    rule: ClassVar[str] = "keyside §5.8"


class SailorsReturned(Fact, frozen=True):
    """The boats were filled again (in solo: the sailors placed left the game)."""

    rule: ClassVar[str] = "keyside §5.8, §8.9"


class MarkerItemSet(Fact, frozen=True):
    """The start player marker counts as an item of its owner."""

    rule: ClassVar[str] = "keyside §7.1"
    seat: Seat
    item: Item


class RowScored(Fact, frozen=True):
    """One line of the score pad."""

    rule: ClassVar[str] = "keyside §7.2"
    seat: Seat
    row: str
    points: int


class BeaconsLit(Fact, frozen=True):
    """The beacons whose conditions are met at the end of a solo game."""

    rule: ClassVar[str] = "keyside §8.9, §8.10"
    beacons: tuple[str, ...]


class BeaconsSet(Fact, frozen=True):
    """The beacons of a solo game were revealed."""

    rule: ClassVar[str] = "keyside §8.2"
    beacons: tuple[str, ...]


class FlagMoved(Fact, frozen=True):
    """A flag came to a harbour."""

    rule: ClassVar[str] = "keyside §8.2, §8.6"
    flag: str
    harbour: str


class KeytomaLanded(Fact, frozen=True):
    """Keytoma placed a die of its own in a harbour."""

    rule: ClassVar[str] = "keyside §8.5"
    harbour: str


class KeytomaActed(Fact, frozen=True, tag="keytoma_effect"):
    """An effect of the resolution card begins."""

    rule: ClassVar[str] = "keyside §8.7"
    id: str


class PiratePlaced(Fact, frozen=True):
    """A pirate was placed on a keyple space."""

    rule: ClassVar[str] = "keyside §8.7"
    location: str


class LandslidePlaced(Fact, frozen=True):
    """A landslide blocks a headland space."""

    rule: ClassVar[str] = "keyside §8.7 E-K-O"
    space: str


FACT_TYPES: Final[tuple[type[Fact], ...]] = (
    ChanceDrawn,
    StartPlayerSet,
    RoundStarted,
    DiceRevealed,
    BoatMoved,
    DiePlaced,
    DiePutOnMat,
    HeadlandActivated,
    MarkerAdvanced,
    KeypleMoved,
    KeyplesRecruited,
    RedSpaceTaken,
    ItemsMoved,
    ResourceFlipped,
    AnimalPlaced,
    AnimalExchanged,
    MarketActivated,
    MarketFlipped,
    TileMoved,
    CottageRemoved,
    BuildingPlaced,
    BuildingUpgraded,
    HeadlandBuilt,
    HarbourResolved,
    BenefitStarted,
    BenefitLost,
    EndTriggered,
    DiceReturned,
    SailorsReturned,
    MarkerItemSet,
    RowScored,
    BeaconsLit,
    BeaconsSet,
    FlagMoved,
    KeytomaLanded,
    KeytomaActed,
    PiratePlaced,
    LandslidePlaced,
    GameEnded,
)
