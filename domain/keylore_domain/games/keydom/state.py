"""A position of Keydom, and the decisions and steps it can wait for (§3).

Open to all: the board but for the numbers of face-down tokens, the stock, piles and market, held spells and
everything in effect. A seat alone knows its hand, its cubes and tiles (but with ``open_holdings``), its bid
until it is revealed, the numbers under its tokens and those that it has looked at. Nobody knows the deck.
"""

from bisect import bisect_right
from typing import Annotated, Literal, NamedTuple

import msgspec

from keylore_domain.engine.game import Options, Turn
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.payments import Vector
from keylore_domain.engine.seats import Seat, clockwise
from keylore_domain.games.keydom.components import (
    Colour,
    Components,
    DonationKind,
    TheftKind,
    TileType,
    Window,
)
from keylore_domain.games.keydom.moves import Attack, Target

Phase = Literal["setup", "bid", "place", "resolve", "pick_up", "over"]
Face = Literal["up", "down"]


class KeydomOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a match (§1)."""

    seats: Annotated[int, msgspec.Meta(ge=2, le=5)]
    short_game: bool = False
    no_supervisors: bool = False
    letter_a_rule: Literal["free", "own", "not_own"] = "free"
    number_adjustment: Literal["off", "to_stock", "to_owner"] = "off"
    face_up_counters: bool = False
    turn_marker_bidding: bool = False
    spells: bool = True
    open_holdings: bool = False
    colour_assignment: Literal["choose", "seat_order", "random"] = "choose"
    round_cap: Annotated[int, msgspec.Meta(ge=1, le=200)] = 30


class Token(msgspec.Struct, frozen=True):
    """A counter on the board; its id is public, its number while face down is not.

    ``space`` is the space it took at the location being resolved, ``track`` its space on a track (0: none).
    """

    token: str
    owner: Seat
    number: int
    location: str
    face: Face
    placed_round: int
    k: int
    space: str | None = None
    track: int = 0
    modifier: int = 0

    @property
    def eff(self) -> int:
        """The number that counts; modifiers are never so large that it falls below 0."""
        return self.number + self.modifier


class Returned(msgspec.Struct, frozen=True):
    """A counter back from the board; ``seen`` if all know its number."""

    number: int
    seen: bool


class Family(msgspec.Struct, frozen=True):
    """What one seat has. ``side``: its number 1 lies at the side of the board still."""

    colour: Colour | None
    cubes: Vector
    hand: tuple[int, ...]
    side: bool = True
    bid: tuple[int, ...] = ()
    returned: tuple[Returned, ...] = ()
    tiles: tuple[TileType, ...] = ()
    spells: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    muted: bool = False
    plays_open: bool = False
    placements: int = 0


class OvertimeClaim(msgspec.Struct, frozen=True):
    """A seat gains up to ``count`` cubes if one of its pairs is paid (SP21)."""

    seat: Seat
    spell: str
    count: int


class Visit(msgspec.Struct, frozen=True):
    """What lasts until location number ``at`` of those in play is resolved.

    ``placed`` holds the tokens that took a space, in that order; ``paid`` the last price paid; ``earners``
    the owners of paid pairs; ``failed``, ``warded`` and ``exempt`` belong to the present attack or donation.
    """

    at: int
    location: str
    reversed: bool = False
    overtime: tuple[OvertimeClaim, ...] = ()
    placed: tuple[str, ...] = ()
    paid: Vector = ()
    earners: tuple[Seat, ...] = ()
    failed: tuple[Attack, ...] = ()
    warded: tuple[Seat, ...] = ()
    exempt: tuple[Seat, ...] = ()


class State(msgspec.Struct, frozen=True):
    """A position; ``pending[-1]`` is the decision the match waits for."""

    options: KeydomOptions
    in_play: tuple[str, ...]
    required: tuple[TileType, ...]
    families: tuple[Family, ...]
    stock: Vector
    piles: Vector
    deck: tuple[str, ...] = ()
    market: tuple[str | None, ...] = ()
    board: tuple[Token, ...] = ()
    round: int = 1
    phase: Phase = "setup"
    start_seat: Seat | None = None
    closed: tuple[str, ...] = ()
    visit: Visit | None = None
    pending: tuple[Decision, ...] = ()
    ended_by: Literal["keymaster", "round_cap"] | None = None
    keymaster: Seat | None = None


class Table(NamedTuple):
    """What the rules use besides the position: the components, and chance and log of the turn."""

    data: Components
    turn: Turn


# Decisions: a seat is asked. The tag is the kind of the prompt.


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


# Steps: the rules carry them out when they come to the top of the stack.


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


# Questions about a position.


def turn_order(state: State) -> tuple[Seat, ...]:
    """All seats, the start player first (§1)."""
    assert state.start_seat is not None
    return clockwise(state.start_seat, len(state.families))


def here(state: State) -> Visit:
    """The location being resolved."""
    assert state.visit is not None
    return state.visit


def unresolved(state: State) -> tuple[str, ...]:
    """The locations that are not resolved yet in this round (§3)."""
    return state.in_play if state.visit is None else state.in_play[state.visit.at :]


def current_at(state: State, location: str) -> tuple[Token, ...]:
    """The tokens of this round at *location*, in canonical order."""
    now = state.round
    return tuple(token for token in state.board if token.location == location and token.placed_round == now)


def token_of(state: State, token: str) -> Token:
    """The token with id *token*."""
    return next(item for item in state.board if item.token == token)


def on_track(state: State, location: str, track: int) -> Token | None:
    """The token at space *track* of the track of *location*."""
    return next((token for token in state.board if token.track == track and token.location == location), None)


def canonical(token: Token) -> tuple[int, int, int]:
    """The key of the canonical order of tokens (§2)."""
    return (token.owner, token.placed_round, token.k)


def with_token(board: tuple[Token, ...], token: Token) -> tuple[Token, ...]:
    """*board* with a new token, in canonical order."""
    at = bisect_right(board, canonical(token), key=canonical)
    return (*board[:at], token, *board[at:])
