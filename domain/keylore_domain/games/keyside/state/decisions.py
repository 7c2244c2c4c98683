"""What stands on the agenda of a position (keyside §5.1): decisions, and steps that run by themselves.

A decision is also the context of its prompt, so its fields are for bots to read: ``effect`` is the id of
the effect it belongs to (``E-C``, ``E-Y2``), ``left`` how often it is still to come, itself included.
"""

from typing import Literal

from keylore_domain.engine.moves import Asked, Decision, Step
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.state.position import Colour, Item, Material

Part = Literal["move", "market", "skill"]


class DiceSetting(Decision, frozen=True):
    """All seats set their dice in secret, each at its own pace (keyside §5.3)."""


class LandingTurn(Asked, frozen=True):
    """The lead plays a die (keyside §5.4)."""


class Response(Asked, frozen=True):
    """A seat follows a landing or not (L7)."""

    harbour: str
    colour: Colour
    value: int
    to: Literal["landing"] = "landing"


class Introduction(Asked, frozen=True):
    """A seat whose die was placed may move a keyple into the harbour (L10)."""

    harbour: str


class ResolvingTurn(Asked, frozen=True):
    """The lead without dice resolves a harbour or takes an idle action (keyside §5.6)."""


class Window(Asked, frozen=True):
    """A moment for anytime moves of the lead (keyside §5.6, §5.7, §7.1)."""

    window: Literal["interlude", "end_turn", "final_spend"]


class GainOffer(Asked, frozen=True):
    """Take all of a gain or nothing, while taking it takes tokens off a tile (E-GAIN).

    ``harbour_tile`` names the resource tile whose owner gets the double (harbours C, E, G), or is empty.
    """

    item: Material
    number: int
    effect: str
    doubled_by: str = ""


class AnimalChoice(Asked, frozen=True):
    """One animal of any type into the barn (green 2 and 3)."""

    effect: str
    left: int = 1


class BoxChoice(Asked, frozen=True):
    """Which of two boxes of a level is used (E-ADV)."""

    colour: Colour
    level: int


class AnyAdvance(Asked, frozen=True):
    """Advance a marker of any colour (E-ADV-ANY)."""

    effect: str


class KeypleMove(Asked, frozen=True):
    """Which keyple moves (E-MOVE), or moves onto a resource location (E-RMOVE, ``footprint``)."""

    effect: str
    left: int = 1
    footprint: bool = False


class KeypleWay(Asked, frozen=True):
    """Where the keyple chosen at ``start`` moves."""

    effect: str
    start: str
    footprint: bool = False


class AnimalPlacing(Asked, frozen=True):
    """An animal of the barn onto an icon of a farm (E-PLACE)."""

    effect: str
    left: int = 1


class AnimalExchange(Asked, frozen=True):
    """An own animal for one of another type (green 4)."""

    effect: str
    left: int = 1


class MarketVisit(Asked, frozen=True):
    """Activate a market (E-MARKET)."""

    effect: str


class SkillVisit(Asked, frozen=True):
    """Take a skill tile (E-SKILL)."""

    effect: str


class CottageSite(Asked, frozen=True):
    """Build a cottage or upgrade one for ``cost`` wheat (E-BUILD)."""

    effect: str
    cost: int


class OwnSite(Asked, frozen=True):
    """Build or upgrade the cottage of one colour free of charge (E-OWN)."""

    colour: Colour


class HeadlandSite(Asked, frozen=True):
    """Build a headland; ``base`` is the cost before the orange discount (E-HEADLAND)."""

    effect: str
    base: int
    materials: tuple[Material, ...]


class PartChoice(Asked, frozen=True):
    """Which part of a harbour's benefit comes next; only one of them with ``single`` (harbours I, J, K)."""

    effect: str
    parts: tuple[Part, ...]
    single: bool = False


class GoodsChoice(Asked, frozen=True):
    """Two of wheat, stone and wood (idle action 5)."""


class MarkerAllocation(Asked, frozen=True):
    """Which item the start player marker counts as (keyside §7.1)."""


class YearStart(Step, frozen=True):
    """The dice set-up begins (keyside §5.2)."""


class TurnStart(Step, frozen=True):
    """The lead's turn begins."""


class TurnEnd(Step, frozen=True):
    """Markets turn over, the end of the year is triggered, the lead moves on (keyside §5.7)."""


class Docking(Step, frozen=True):
    """The headlands on both sides of a harbour are activated (L8)."""

    harbour: int


class HeadlandCall(Step, frozen=True):
    """One headland takes effect for its owner (keyside §6.5)."""

    seat: Seat
    tile: str
    space: int
    favoured: bool


class Advance(Step, frozen=True):
    """A marker advances and its box is used (E-ADV)."""

    seat: Seat
    colour: Colour


class Arrivals(Step, frozen=True):
    """Keyples are introduced by everybody whose die lies on the harbour, the lead first (L10)."""

    harbour: int


class Import(Step, frozen=True):
    """Goods or animals come in by themselves (E-GAIN)."""

    seat: Seat
    item: Item
    number: int


class GemDraw(Step, frozen=True):
    """Gems from the bag (E-GEM)."""

    seat: Seat
    number: int


class Recruitment(Step, frozen=True):
    """Keyples from the mat to the town (E-RECRUIT)."""

    seat: Seat
    number: int


class Benefit(Step, frozen=True):
    """A seat gains the benefit of a resolved harbour (keyside §6.3)."""

    seat: Seat
    harbour: int
    total: int
    lead: bool


class FinalTurn(Step, frozen=True):
    """A seat's window for spending skill tiles after the last year (keyside §7.1)."""

    seat: Seat


class FinalTurnEnd(Step, frozen=True):
    """Markets activated in that window turn over."""


class FinalScoring(Step, frozen=True):
    """The score pad is filled in (keyside §7.2)."""


class KeytomaFollow(Step, frozen=True):
    """Keytoma follows the human's landing or not (keyside §8.4)."""

    harbour: int


class KeytomaPlacing(Step, frozen=True):
    """Keytoma places a keyple at a harbour or the first one clockwise with a space (keyside §8.4)."""

    harbour: int


class KeytomaEffect(Step, frozen=True):
    """An effect of the resolution card; ``harbour`` -1: without a harbour (keyside §8.7, ruling R42)."""

    colour: Colour
    harbour: int


class FlagMoves(Step, frozen=True):
    """The flags on a harbour that was landed on move (keyside §8.6)."""

    harbour: int


class FlagParting(Step, frozen=True):
    """A shared harbour of flags is left for one just resolved (keyside §8.6)."""

    harbour: int
