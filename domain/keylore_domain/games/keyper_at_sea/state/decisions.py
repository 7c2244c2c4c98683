"""What a position can wait for: steps to carry out, decisions to ask for (keyper-at-sea §5.5)."""

import msgspec

from keylore_domain.engine.moves import Asked, Step
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


class TakeTurn(Asked, frozen=True):
    """P1: what to do this turn."""


class ChooseKeypBoard(Asked, frozen=True):
    """P2: the board to claim."""


class ChooseSpotFor(Asked, frozen=True):
    """P3: the spot for a keyple."""

    colour: str


class ChooseMooring(Asked, frozen=True):
    """P4: the water that the boat covers."""

    colour: str
    boat: str


class Respond(Asked, frozen=True):
    """P5: join or not; ``later`` seats are asked after this one."""

    active: Seat
    spot: str
    colour: str
    later: tuple[Seat, ...]


class ChooseGain(Asked, frozen=True):
    """P6: an item to gain; *left* times; ``barred`` were gained before and are distinct."""

    slot: Slot
    op: ops.GainOneOf | ops.BoatTake
    left: int
    barred: tuple[str, ...] = ()


class ChooseRefine(Asked, frozen=True):
    """P7: a raw material to refine."""

    slot: Slot
    op: ops.Refine
    left: int


class ChooseExchange(Asked, frozen=True):
    """P8: what to pay and to get."""

    slot: Slot
    op: ops.Exchange
    left: int


class ChooseTile(Asked, frozen=True):
    """P9: a tile to take."""

    slot: Slot
    op: ops.TakeTile
    left: int


class ChooseBuild(Asked, frozen=True):
    """P10: a tile to build."""

    slot: Slot
    op: ops.Build


class ChooseBuildPlot(Asked, frozen=True):
    """P11: where to build it."""

    slot: Slot
    op: ops.Build
    tile: str


class PayBuild(Asked, frozen=True):
    """P12: what to pay for a tile."""

    slot: Slot
    op: ops.Build
    tile: str
    plot: str
    site: str | None


class ChooseUpgrade(Asked, frozen=True):
    """P13: what to upgrade."""

    slot: Slot
    op: ops.Upgrade


class PayUpgrade(Asked, frozen=True):
    """P12: what to pay for an upgrade."""

    slot: Slot
    op: ops.Upgrade
    target: str


class ChooseEffect(Asked, frozen=True):
    """P14: one of several op lists."""

    slot: Slot
    op: ops.Choose


class ChooseBoatAction(Asked, frozen=True):
    """P15: one action of the moored boat."""

    slot: Slot
    op: ops.BoatWork


class ChooseShip(Asked, frozen=True):
    """P16: an offer of any regular boat in play."""

    slot: Slot
    op: ops.BoatShip
    left: int


class ChooseFishAction(Asked, frozen=True):
    """P17: a fishing action; ``flipped`` are the cells turned up during it, in order."""

    slot: Slot
    op: ops.Fish
    flipped: tuple[str, ...] = ()


class ChooseMarketAction(Asked, frozen=True):
    """P18: a fish market action."""

    slot: Slot
    op: ops.FishMarket


class ChooseLayDown(Asked, frozen=True):
    """P19: the keyples to lay down."""


class HoldFair(Asked, frozen=True):
    """P20: a fair to hold; ``shown`` counts the items shown at fairs in this step."""

    season: Season
    shown: Counts


class LoseItem(Asked, frozen=True):
    """P21: a homeless item to give up."""


class ChooseExcess(Asked, frozen=True):
    """P22: a keyple for the keyp."""


class ChooseDisplayOf(Asked, frozen=True):
    """P23: how to fold a board."""

    board: str
    season: Season


class ChooseStoreTile(Asked, frozen=True):
    """P24: a store tile."""


class GiveKeyple(Asked, frozen=True):
    """P25: a keyple for Player A; *left* are owed by this seat."""

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
