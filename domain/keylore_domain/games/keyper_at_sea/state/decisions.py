"""What a position can wait for: steps to carry out, decisions to ask for (keyper-at-sea §5.5)."""

import msgspec

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea.components import ops
from keylore_domain.games.keyper_at_sea.components.entries import Season

Counts = tuple[int, ...]


class Slot(msgspec.Struct, frozen=True):
    """Where an action happens: its spot, and which slot of how many."""

    spot: str
    number: int
    of: int


# --- steps: carried out without asking ---


class Step(Decision, frozen=True):
    """Base of what is carried out as soon as it is on top of ``pending``."""


class Do(Step, frozen=True):
    """A named step of the course of play, for one seat."""

    step: str
    seat: Seat


class RunSlots(Step, frozen=True):
    """The action slots of a placement or lay-down; ``at`` of them are over (J6)."""

    spot: str
    owners: tuple[Seat, ...]
    at: int = 0


class RunOps(Step, frozen=True):
    """The ops of a slot that are still to come (J7)."""

    seat: Seat
    slot: Slot
    ops: tuple[ops.AnyOp, ...]


class Owe(Step, frozen=True):
    """A seat owes Player A this many keyples (D8)."""

    seat: Seat
    to: Seat
    left: int


# --- decisions: asked ---


class TakeTurn(Decision, frozen=True):
    """P1: what to do this turn."""

    seat: Seat


class ChooseKeypBoard(Decision, frozen=True):
    """P2: the board to claim."""

    seat: Seat


class ChooseSpotFor(Decision, frozen=True):
    """P3: the spot for a keyple."""

    seat: Seat
    colour: str


class ChooseMooring(Decision, frozen=True):
    """P4: the water that the boat covers."""

    seat: Seat
    colour: str
    boat: str


class Respond(Decision, frozen=True):
    """P5: join or not; ``later`` seats are asked after this one."""

    seat: Seat
    active: Seat
    spot: str
    colour: str
    later: tuple[Seat, ...]


class ChooseGain(Decision, frozen=True):
    """P6: an item to gain; *left* times; ``barred`` were gained before and are distinct."""

    seat: Seat
    slot: Slot
    op: ops.GainOneOf | ops.BoatTake
    left: int
    barred: tuple[str, ...] = ()


class ChooseRefine(Decision, frozen=True):
    """P7: a raw material to refine."""

    seat: Seat
    slot: Slot
    op: ops.Refine
    left: int


class ChooseExchange(Decision, frozen=True):
    """P8: what to pay and to get."""

    seat: Seat
    slot: Slot
    op: ops.Exchange
    left: int


class ChooseTile(Decision, frozen=True):
    """P9: a tile to take."""

    seat: Seat
    slot: Slot
    op: ops.TakeTile
    left: int


class ChooseBuild(Decision, frozen=True):
    """P10: a tile to build."""

    seat: Seat
    slot: Slot
    op: ops.Build


class ChooseBuildPlot(Decision, frozen=True):
    """P11: where to build it."""

    seat: Seat
    slot: Slot
    op: ops.Build
    tile: str


class PayBuild(Decision, frozen=True):
    """P12: what to pay for a tile."""

    seat: Seat
    slot: Slot
    op: ops.Build
    tile: str
    plot: str
    site: str | None


class ChooseUpgrade(Decision, frozen=True):
    """P13: what to upgrade."""

    seat: Seat
    slot: Slot
    op: ops.Upgrade


class PayUpgrade(Decision, frozen=True):
    """P12: what to pay for an upgrade."""

    seat: Seat
    slot: Slot
    op: ops.Upgrade
    target: str


class ChooseEffect(Decision, frozen=True):
    """P14: one of several op lists."""

    seat: Seat
    slot: Slot
    op: ops.Choose


class ChooseBoatAction(Decision, frozen=True):
    """P15: one action of the moored boat."""

    seat: Seat
    slot: Slot
    op: ops.BoatWork


class ChooseShip(Decision, frozen=True):
    """P16: an offer of any regular boat in play."""

    seat: Seat
    slot: Slot
    op: ops.BoatShip
    left: int


class ChooseFishAction(Decision, frozen=True):
    """P17: a fishing action; ``flipped`` are the cells turned up during it, in order."""

    seat: Seat
    slot: Slot
    op: ops.Fish
    flipped: tuple[str, ...] = ()


class ChooseMarketAction(Decision, frozen=True):
    """P18: a fish market action."""

    seat: Seat
    slot: Slot
    op: ops.FishMarket


class ChooseLayDown(Decision, frozen=True):
    """P19: the keyples to lay down."""

    seat: Seat


class HoldFair(Decision, frozen=True):
    """P20: a fair to hold; ``shown`` counts the items shown at fairs in this step."""

    seat: Seat
    season: Season
    shown: Counts


class LoseItem(Decision, frozen=True):
    """P21: a homeless item to give up."""

    seat: Seat


class ChooseExcess(Decision, frozen=True):
    """P22: a keyple for the keyp."""

    seat: Seat


class ChooseDisplayOf(Decision, frozen=True):
    """P23: how to fold a board."""

    seat: Seat
    board: str
    season: Season


class ChooseStoreTile(Decision, frozen=True):
    """P24: a store tile."""

    seat: Seat


class GiveKeyple(Decision, frozen=True):
    """P25: a keyple for Player A; *left* are owed by this seat."""

    seat: Seat
    to: Seat
    left: int


OpDecision = (
    ChooseGain
    | ChooseRefine
    | ChooseExchange
    | ChooseTile
    | ChooseBuild
    | ChooseUpgrade
    | ChooseEffect
    | ChooseBoatAction
    | ChooseShip
    | ChooseFishAction
    | ChooseMarketAction
)
"""The decisions with which an op begins."""
