"""What a position can ask a seat. The tag of a decision is the kind of its prompt (§5.6)."""

import msgspec

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.components.names import DonationKind, TheftKind, Window
from keylore_domain.games.keydom.moves import Attack, Target


class Asked(Decision, frozen=True):
    """Base of the decisions that one seat answers."""

    seat: Seat


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
