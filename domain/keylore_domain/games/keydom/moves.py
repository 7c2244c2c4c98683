"""The moves of Keydom: what a seat can answer (§5.6)."""

from typing import Literal

import msgspec

from keylore_domain.engine.moves import Action, Move
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.components.names import Colour, Cubes, DonationKind, TheftKind, TileType


class ChooseColour(Move, frozen=True):
    """Take a free colour (SETUP-1)."""

    colour: Colour


class BidCounter(Move, frozen=True):
    """Bid a counter of the hand (BID-1)."""

    counter: int


class NameStartPlayer(Move, frozen=True):
    """Name the start player (BID-5)."""

    seat: Seat


class Place(Action, frozen=True, tag="place"):
    """Put a counter of the hand on a location (§5.3)."""

    counter: int
    location: str


class Cast(Action, frozen=True, tag="cast"):
    """Cast a held spell (SPL-2)."""

    spell: str


class DiscardSpell(Action, frozen=True, tag="discard_spell"):
    """Discard a held spell unused (SPL-5)."""

    spell: str


class PassWindow(Action, frozen=True, tag="pass"):
    """Cast nothing in this window, or in no window of this round any more (§5.5)."""

    scope: Literal["window", "round"]


class Pass(Action, frozen=True, tag="pass"):
    """Do nothing."""


class Target(Move, frozen=True, omit_defaults=True):
    """One target of a spell: a token, a location, a seat, or a seat and a colour (SP table)."""

    token: str | None = None
    location: str | None = None
    seat: Seat | None = None
    colour: Colour | None = None


class Swap(Move, frozen=True):
    """Give a cube to the stock and take another (SP6)."""

    give: Colour
    take: Colour


class Done(Action, frozen=True, tag="done"):
    """Exchange no more (SP6)."""


class Raise(Action, frozen=True, tag="raise"):
    """Pay a cube of the own colour: an own counter counts one more (VAR-3)."""

    token: str


class Lower(Action, frozen=True, tag="lower"):
    """Pay a cube of another seat's colour: a counter of that seat counts one less (VAR-3)."""

    token: str


class TakeWorkplace(Move, frozen=True, omit_defaults=True):
    """Take a space in the countryside (RES-2)."""

    space: Literal["supervisor", "pair"]
    pair: int | None = None


class Split(Move, frozen=True):
    """Share two cubes among the first and second worker of a pair (RES-5)."""

    split: tuple[int, int]


class Arrest(Action, frozen=True, tag="arrest"):
    """Have a counter arrested (SOL-2)."""

    token: str


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take the counter back (COM-4)."""


class Exchange(Action, frozen=True, tag="exchange"):
    """Give a cube to the stock and take another (TRA-2)."""

    give: Colour
    take: Colour


class Donation(Action, frozen=True, tag="donation"):
    """Have the others donate (PRI-1)."""

    kind: DonationKind


class DonateAmount(Move, frozen=True):
    """Donate so many cubes of the colour asked for (PRI-3)."""

    amount: int


class DonateCube(Move, frozen=True):
    """Give a cube of this colour (PRI-4, SP8)."""

    colour: Colour


class Take(Action, frozen=True, tag="take"):
    """Take the first space at the midwife (MID-3)."""


class Stay(Action, frozen=True, tag="stay"):
    """Leave the counter at the midwife (§5.7)."""


class Remove(Action, frozen=True, tag="remove"):
    """Take the counter away from the midwife (§5.7)."""


class TakeWizardSpace(Move, frozen=True):
    """Take space 1, 2, 3 at the wizard (WIZ-1)."""

    space: int


class GiveUpSpell(Move, frozen=True):
    """Discard this spell to make room for another (WIZ-2)."""

    spell: str


class Steal(Action, frozen=True, tag="steal"):
    """Pay the outlaws for a theft (OUT-1)."""

    kind: TheftKind


class Attack(Move, frozen=True, omit_defaults=True):
    """Name the source and the thing to steal (OUT-3); a seat only with source ``seat``."""

    source: Literal["stock", "pile", "seat"]
    seat: Seat | None = None
    colour: Colour | None = None
    tile: TileType | None = None


class Buy(Action, frozen=True, tag="buy"):
    """Buy the tile of a smith with these cubes (CAS-1)."""

    payment: Cubes


class PayKeywood(Action, frozen=True, tag="pay"):
    """Pay for a step of the instruction (KEY-1 to KEY-3)."""

    payment: Cubes


class Pay(Move, frozen=True):
    """Pay a price with these cubes (COM-6)."""

    payment: Cubes


KeydomMove = (
    ChooseColour
    | BidCounter
    | NameStartPlayer
    | Place
    | Cast
    | DiscardSpell
    | PassWindow
    | Pass
    | Target
    | Swap
    | Done
    | Raise
    | Lower
    | TakeWorkplace
    | Split
    | Arrest
    | Withdraw
    | Exchange
    | Donation
    | DonateAmount
    | DonateCube
    | Take
    | Stay
    | Remove
    | TakeWizardSpace
    | GiveUpSpell
    | Steal
    | Attack
    | Buy
    | PayKeywood
    | Pay
)

MOVE_TYPES: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "choose_colour": (ChooseColour,),
    "bid_counter": (BidCounter,),
    "choose_start_player": (NameStartPlayer,),
    "place_counter": (Place, Cast, DiscardSpell),
    "window_action": (PassWindow, Cast),
    "spell_target": (Target,),
    "respond": (Pass, Cast),
    "exchange_cube": (Swap, Done),
    "adjust_number": (Pass, Raise, Lower),
    "choose_space": (TakeWorkplace,),
    "supervise_pair": (Split,),
    "soldiers_arrest": (Arrest, Withdraw),
    "trader_exchange": (Exchange, Withdraw),
    "priest_choose": (Donation, Withdraw),
    "donate_amount": (DonateAmount,),
    "donate_cube": (DonateCube,),
    "midwife_claim": (Take, Withdraw),
    "midwife_stay": (Stay, Remove),
    "wizard_space": (TakeWizardSpace, Withdraw),
    "discard_for_limit": (GiveUpSpell,),
    "outlaws_choose": (Steal, Withdraw),
    "outlaws_attack": (Attack,),
    "purchase_tile": (Buy, Withdraw),
    "keywood_pay": (PayKeywood, Withdraw),
    "pay": (Pay,),
}
