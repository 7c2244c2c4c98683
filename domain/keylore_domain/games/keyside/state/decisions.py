"""What stands on the agenda of a position (keyside §5.1): decisions, and tasks that run by themselves.

A decision is also the context of its prompt, so its fields are for bots to read: ``effect`` is the id of
the effect it belongs to (``E-C``, ``E-Y2``), ``left`` how often it is still to come, itself included.
"""

from typing import Literal

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.state.position import Colour, Item, Material

Part = Literal["move", "market", "skill"]


class Step(Decision, frozen=True):
    """A decision of one seat."""

    seat: Seat


class DiceSetting(Decision, frozen=True):
    """All seats set their dice in secret, each at its own pace (keyside §5.3)."""


class LandingTurn(Step, frozen=True):
    """The lead plays a die (keyside §5.4)."""


class Response(Step, frozen=True):
    """A seat follows a landing or not (L7)."""

    harbour: str
    colour: Colour
    value: int
    to: Literal["landing"] = "landing"


class Introduction(Step, frozen=True):
    """A seat whose die was placed may move a keyple into the harbour (L10)."""

    harbour: str


class ResolvingTurn(Step, frozen=True):
    """The lead without dice resolves a harbour or takes an idle action (keyside §5.6)."""


class Window(Step, frozen=True):
    """A moment for anytime moves of the lead (keyside §5.6, §5.7, §7.1)."""

    window: Literal["interlude", "end_turn", "final_spend"]


class GainOffer(Step, frozen=True):
    """Take all of a gain or nothing, while taking it takes tokens off a tile (E-GAIN).

    ``harbour_tile`` names the resource tile whose owner gets the double (harbours C, E, G), or is empty.
    """

    item: Material
    number: int
    effect: str
    doubled_by: str = ""


class AnimalChoice(Step, frozen=True):
    """One animal of any type into the barn (green 2 and 3)."""

    effect: str
    left: int = 1


class BoxChoice(Step, frozen=True):
    """Which of two boxes of a level is used (E-ADV)."""

    colour: Colour
    level: int


class AnyAdvance(Step, frozen=True):
    """Advance a marker of any colour (E-ADV-ANY)."""

    effect: str


class KeypleMove(Step, frozen=True):
    """Which keyple moves (E-MOVE), or moves onto a resource location (E-RMOVE, ``footprint``)."""

    effect: str
    left: int = 1
    footprint: bool = False


class KeypleWay(Step, frozen=True):
    """Where the keyple chosen at ``start`` moves."""

    effect: str
    start: str
    footprint: bool = False


class AnimalPlacing(Step, frozen=True):
    """An animal of the barn onto an icon of a farm (E-PLACE)."""

    effect: str
    left: int = 1


class AnimalExchange(Step, frozen=True):
    """An own animal for one of another type (green 4)."""

    effect: str
    left: int = 1


class MarketVisit(Step, frozen=True):
    """Activate a market (E-MARKET)."""

    effect: str


class SkillVisit(Step, frozen=True):
    """Take a skill tile (E-SKILL)."""

    effect: str


class CottageSite(Step, frozen=True):
    """Build a cottage or upgrade one for ``cost`` wheat (E-BUILD)."""

    effect: str
    cost: int


class OwnSite(Step, frozen=True):
    """Build or upgrade the cottage of one colour free of charge (E-OWN)."""

    colour: Colour


class HeadlandSite(Step, frozen=True):
    """Build a headland; ``base`` is the cost before the orange discount (E-HEADLAND)."""

    effect: str
    base: int
    materials: tuple[Material, ...]


class PartChoice(Step, frozen=True):
    """Which part of a harbour's benefit comes next; only one of them with ``single`` (harbours I, J, K)."""

    effect: str
    parts: tuple[Part, ...]
    single: bool = False


class GoodsChoice(Step, frozen=True):
    """Two of wheat, stone and wood (idle action 5)."""


class MarkerAllocation(Step, frozen=True):
    """Which item the start player marker counts as (keyside §7.1)."""


class Task(Decision, frozen=True):
    """Something that the rules do by themselves."""


class YearStart(Task, frozen=True):
    """The dice set-up begins (keyside §5.2)."""


class TurnStart(Task, frozen=True):
    """The lead's turn begins."""


class TurnEnd(Task, frozen=True):
    """Markets turn over, the end of the year is triggered, the lead moves on (keyside §5.7)."""


class Docking(Task, frozen=True):
    """The headlands on both sides of a harbour are activated (L8)."""

    harbour: int


class HeadlandCall(Task, frozen=True):
    """One headland takes effect for its owner (keyside §6.5)."""

    seat: Seat
    tile: str
    space: int
    favoured: bool


class Advance(Task, frozen=True):
    """A marker advances and its box is used (E-ADV)."""

    seat: Seat
    colour: Colour


class Arrivals(Task, frozen=True):
    """Keyples are introduced by everybody whose die lies on the harbour, the lead first (L10)."""

    harbour: int


class Import(Task, frozen=True):
    """Goods or animals come in by themselves (E-GAIN)."""

    seat: Seat
    item: Item
    number: int


class GemDraw(Task, frozen=True):
    """Gems from the bag (E-GEM)."""

    seat: Seat
    number: int


class Recruitment(Task, frozen=True):
    """Keyples from the mat to the town (E-RECRUIT)."""

    seat: Seat
    number: int


class Benefit(Task, frozen=True):
    """A seat gains the benefit of a resolved harbour (keyside §6.3)."""

    seat: Seat
    harbour: int
    total: int
    lead: bool


class FinalTurn(Task, frozen=True):
    """A seat's window for spending skill tiles after the last year (keyside §7.1)."""

    seat: Seat


class FinalTurnEnd(Task, frozen=True):
    """Markets activated in that window turn over."""


class FinalScoring(Task, frozen=True):
    """The score pad is filled in (keyside §7.2)."""


class KeytomaFollow(Task, frozen=True):
    """Keytoma follows the human's landing or not (keyside §8.4)."""

    harbour: int


class KeytomaPlacing(Task, frozen=True):
    """Keytoma places a keyple at a harbour or the first one clockwise with a space (keyside §8.4)."""

    harbour: int


class KeytomaEffect(Task, frozen=True):
    """An effect of the resolution card; ``harbour`` -1: without a harbour (keyside §8.7, ruling R42)."""

    colour: Colour
    harbour: int


class FlagMoves(Task, frozen=True):
    """The flags on a harbour that was landed on move (keyside §8.6)."""

    harbour: int


class FlagParting(Task, frozen=True):
    """A shared harbour of flags is left for one just resolved (keyside §8.6)."""

    harbour: int
