"""What the rules carry out by themselves when it comes to the top of the stack (§5)."""

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.components.names import DonationKind, TheftKind, Window
from keylore_domain.games.keydom.moves import Attack, Target
from keylore_domain.games.keydom.state.decisions import Answered, SpellTarget


class OpenBid(Decision, frozen=True):
    """All seats with a counter are asked to bid."""

    totals: tuple[int, ...]


class NextPlacement(Decision, frozen=True):
    """The first seat with a counter in hand is asked, beginning with ``seat``."""

    seat: Seat


class EnterLocation(Decision, frozen=True):
    """Location number ``at`` of those in play is next."""

    at: int


class OpenWindow(Decision, frozen=True):
    """The ``seats`` still to be asked in a window."""

    window: Window
    seats: tuple[Seat, ...]


class Reveal(Decision, frozen=True):
    """The tokens at the location are turned up."""


class Adjust(Decision, frozen=True):
    """``seat`` is next to change a number; ``passes`` seats passed in succession."""

    seat: Seat
    passes: int


class Resolve(Decision, frozen=True):
    """The location is resolved."""


class NextToken(Decision, frozen=True):
    """The next token is offered a space."""


class LeaveLocation(Decision, frozen=True):
    """The location is done."""


class PayPairs(Decision, frozen=True):
    """Pairs from number ``pair`` on are paid."""

    pair: int


class PayOvertime(Decision, frozen=True):
    """Overtime claims are paid."""


class MakeArrest(Decision, frozen=True):
    """A paid arrest is made."""

    token: str


class AskDonations(Decision, frozen=True):
    """The payer's left and so on clockwise are asked for donations."""

    by: Seat
    kind: DonationKind


class DueDonation(Decision, frozen=True):
    """A seat may answer with a spell if it has to donate."""

    seat: Seat
    by: Seat
    kind: DonationKind


class Donate(Decision, frozen=True):
    """A seat donates, unless it is exempt."""

    seat: Seat
    kind: DonationKind


class SellSpells(Decision, frozen=True):
    """Spaces from number ``space`` on are handled at the wizard."""

    space: int


class GainSpell(Decision, frozen=True):
    """A paid spell is taken from the market."""

    seat: Seat
    space: int


class MakeAttack(Decision, frozen=True):
    """The outlaws attack."""

    seat: Seat
    kind: TheftKind
    attack: Attack


class AdvanceKeywood(Decision, frozen=True):
    """The token at a track space of Keywood moves on, if it is paid for (step 1 or 2)."""

    step: int


class PickUp(Decision, frozen=True):
    """Phase 3 ends: counters go back to hand."""


class CastSpell(Decision, frozen=True):
    """A spell is being cast; its targets are chosen one by one."""

    seat: Seat
    spell: str
    chosen: tuple[Target, ...] = ()


class AskResponses(Decision, frozen=True):
    """Cards, each with its holder, that may still answer."""

    queue: tuple[tuple[Seat, str], ...]
    to: Answered


class ResolveSpell(Decision, frozen=True):
    """A spell takes effect, unless it was cancelled."""

    seat: Seat
    spell: str
    targets: tuple[Target, ...]
    cancelled: bool = False


class CardToBottom(Decision, frozen=True):
    """A card that was cast goes to the bottom of the deck."""

    spell: str


CARD_HOLDERS = (CastSpell, SpellTarget, ResolveSpell, CardToBottom)  # each holds a card that is being cast
