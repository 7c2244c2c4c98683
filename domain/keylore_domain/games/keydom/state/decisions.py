"""What a position can wait for: decisions of seats, and steps that the rules carry out by themselves (§5).

The tag of a decision is the kind of its prompt.
"""

import msgspec

from keylore_domain.engine.moves import Asked, Decision, Step
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.components.names import DonationKind, TheftKind, Window
from keylore_domain.games.keydom.moves import Attack, Target


class AskedAbout(Asked, frozen=True):
    """Base of the decisions about a token whose turn has come."""

    token: str


class ChooseColour(Asked, frozen=True):
    """A seat takes a colour."""


class BidCounter(Decision, frozen=True):
    """All seats bid in secret; ``chosen`` by seat, 0 for none yet."""

    totals: tuple[int, ...]
    chosen: tuple[int, ...]


class ChooseStartPlayer(Asked, frozen=True):
    """The seat that won the bid names the start player."""


class PlaceCounter(Asked, frozen=True):
    """A seat places a counter; before it may cast and discard spells."""


class WindowAction(Asked, frozen=True):
    """A seat may cast a spell; ``rest`` is asked after it."""

    window: Window
    rest: tuple[Seat, ...]


class SpellTarget(Asked, frozen=True):
    """A seat names the next target of its spell."""

    spell: str
    chosen: tuple[Target, ...]


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a response answers: a spell with its targets, a donation, or an attack, of seat ``by``."""

    by: Seat
    spell: str | None = None
    targets: tuple[Target, ...] = ()
    donation: DonationKind | None = None
    attack: Attack | None = None


class Respond(Asked, frozen=True):
    """A seat may answer with one card."""

    spell: str
    to: Answered


class ExchangeCube(Asked, frozen=True):
    """A seat exchanges a cube, at most ``left`` times more."""

    spell: str
    left: int
    begun: bool


class AdjustNumber(Asked, frozen=True):
    """A seat may change a number for a cube; ``passes`` seats passed before it in succession."""

    passes: int


class ChooseSpace(AskedAbout, frozen=True):
    """A token takes a space in the countryside."""


class SupervisePair(Asked, frozen=True):
    """The supervisor shares the wages of a pair."""

    pair: int
    first: str
    second: str


class SoldiersArrest(AskedAbout, frozen=True):
    """A seat names a counter to arrest."""


class TraderExchange(AskedAbout, frozen=True):
    """A seat exchanges a cube."""


class PriestChoose(AskedAbout, frozen=True):
    """A seat names the kind of donation."""


class DonateAmount(Asked, frozen=True):
    """A seat donates cubes of colour number ``colour``; ``due`` cubes are due in this and later colours."""

    colour: int
    due: int


class DonateCube(Asked, frozen=True):
    """A seat gives a cube of its choice to seat ``to``, or to the stock."""

    to: Seat | None


class MidwifeClaim(AskedAbout, frozen=True):
    """A token may take the first space at the midwife."""


class MidwifeStay(AskedAbout, frozen=True):
    """A seat may take its token away from the midwife."""


class WizardSpace(AskedAbout, frozen=True):
    """A token takes a space at the wizard."""


class DiscardForLimit(Asked, frozen=True):
    """A seat gives up a spell before it gets ``gained``."""

    gained: str


class OutlawsChoose(AskedAbout, frozen=True):
    """A seat names the kind of theft."""


class OutlawsAttack(Asked, frozen=True):
    """A seat names what to steal, and from where."""

    kind: TheftKind


class PurchaseTile(AskedAbout, frozen=True):
    """A seat may buy the tile of a smith."""


class KeywoodPay(AskedAbout, frozen=True):
    """A seat may pay for step 1, 2 or 3 at Keywood."""

    step: int


class PayPrice(Asked, frozen=True, tag="pay"):
    """A seat pays a price."""

    pattern: str


# -- steps -------------------------------------------------------------------------------------------------


class OpenBid(Step, frozen=True):
    """All seats with a counter are asked to bid."""

    totals: tuple[int, ...]


class NextPlacement(Step, frozen=True):
    """The first seat with a counter in hand is asked, beginning with ``seat``."""

    seat: Seat


class EnterLocation(Step, frozen=True):
    """Location number ``at`` of those in play is next."""

    at: int


class OpenWindow(Step, frozen=True):
    """The ``seats`` still to be asked in a window."""

    window: Window
    seats: tuple[Seat, ...]


class Reveal(Step, frozen=True):
    """The tokens at the location are turned up."""


class Adjust(Step, frozen=True):
    """``seat`` is next to change a number; ``passes`` seats passed in succession."""

    seat: Seat
    passes: int


class Resolve(Step, frozen=True):
    """The location is resolved."""


class NextToken(Step, frozen=True):
    """The next token is offered a space."""


class LeaveLocation(Step, frozen=True):
    """The location is done."""


class PayPairs(Step, frozen=True):
    """Pairs from number ``pair`` on are paid."""

    pair: int


class PayOvertime(Step, frozen=True):
    """Overtime claims are paid."""


class MakeArrest(Step, frozen=True):
    """A paid arrest is made."""

    token: str


class AskDonations(Step, frozen=True):
    """The payer's left and so on clockwise are asked for donations."""

    by: Seat
    kind: DonationKind


class DueDonation(Step, frozen=True):
    """A seat may answer with a spell if it has to donate."""

    seat: Seat
    by: Seat
    kind: DonationKind


class Donate(Step, frozen=True):
    """A seat donates, unless it is exempt."""

    seat: Seat
    kind: DonationKind


class SellSpells(Step, frozen=True):
    """Spaces from number ``space`` on are handled at the wizard."""

    space: int


class GainSpell(Step, frozen=True):
    """A paid spell is taken from the market."""

    seat: Seat
    space: int


class MakeAttack(Step, frozen=True):
    """The outlaws attack."""

    seat: Seat
    kind: TheftKind
    attack: Attack


class AdvanceKeywood(Step, frozen=True):
    """The token at a track space of Keywood moves on, if it is paid for (step 1 or 2)."""

    step: int


class PickUp(Step, frozen=True):
    """Phase 3 ends: counters go back to hand."""


class CastSpell(Step, frozen=True):
    """A spell is being cast; its targets are chosen one by one."""

    seat: Seat
    spell: str
    chosen: tuple[Target, ...] = ()


class AskResponses(Step, frozen=True):
    """Cards, each with its holder, that may still answer."""

    queue: tuple[tuple[Seat, str], ...]
    to: Answered


class ResolveSpell(Step, frozen=True):
    """A spell takes effect, unless it was cancelled."""

    seat: Seat
    spell: str
    targets: tuple[Target, ...]
    cancelled: bool = False


class CardToBottom(Step, frozen=True):
    """A card that was cast goes to the bottom of the deck."""

    spell: str


CARD_HOLDERS = (CastSpell, SpellTarget, ResolveSpell, CardToBottom)  # each holds a card that is being cast
