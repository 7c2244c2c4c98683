"""What the rules of Keydom record after a move (§5.9)."""

from typing import ClassVar, Literal

import msgspec

from keylore_domain.engine import facts
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.components.names import Cubes, TileType
from keylore_domain.games.keydom.moves import Attack, Target

ReturnReason = Literal[
    "excess", "withdrawn", "unable", "ineligible", "arrested", "banished", "completed", "lapsed"
]
Holder = Seat | Literal["stock"]


class ChanceDrawn(facts.ChanceDrawn, frozen=True):
    """A chance point C1 to C3; the order of the spell deck (C2) is null for everyone."""

    rule: ClassVar[str] = "keydom §4 SETUP-1, SETUP-4; §5.2 BID-4"


class BidsRevealed(Fact, frozen=True):
    """The bids by seat (null: no counter left) and the totals so far."""

    rule: ClassVar[str] = "keydom §5.2 BID-2"

    bids: tuple[int | None, ...]
    totals: tuple[int, ...]


class StartPlayerSet(facts.StartPlayerSet, frozen=True):
    """The chooser named the start player."""

    rule: ClassVar[str] = "keydom §5.2 BID-5"


class CounterPlaced(Fact, frozen=True):
    """A counter was placed; the number is its owner's secret while it lies face down."""

    rule: ClassVar[str] = "keydom §5.3"

    token: str
    owner: Seat
    location: str
    face: Literal["up", "down"]
    number: int | None


class Revealed(msgspec.Struct, frozen=True):
    """A token and its number."""

    token: str
    number: int


class CountersRevealed(Fact, frozen=True):
    """The current tokens at a location lie face up."""

    rule: ClassVar[str] = "keydom §5.4"

    location: str
    counters: tuple[Revealed, ...]


class SpaceTaken(Fact, frozen=True):
    """A token took a space: ``supervisor``, ``pair 1`` to ``pair 4``, or the number of the space."""

    rule: ClassVar[str] = "keydom §6 COM-1"

    token: str
    space: str


class CounterReturned(Fact, frozen=True):
    """A counter came back from the board; face down its number stays its owner's secret."""

    rule: ClassVar[str] = "keydom §6 COM-3"

    token: str
    owner: Seat
    reason: ReturnReason
    face: Literal["up", "down"]
    number: int | None


class CounterMoved(Fact, frozen=True):
    """A spell moved a token."""

    rule: ClassVar[str] = "keydom §6 SP10, SP12"

    token: str
    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")


class CounterTakenBack(Fact, frozen=True):
    """A counter went back to its owner's hand, unseen."""

    rule: ClassVar[str] = "keydom §6 SP18"

    token: str
    owner: Seat
    number: int | None


class WagesPaid(Fact, frozen=True):
    """A pair was paid; ``amounts`` are cubes by seat."""

    rule: ClassVar[str] = "keydom §6 RES-3 to RES-5"

    pair: int
    amounts: tuple[int, ...]


class CubesMoved(Fact, frozen=True):
    """Cubes went from a seat or the stock to another."""

    rule: ClassVar[str] = "keydom §6 COM-6, COM-7"

    source: Holder = msgspec.field(name="from")
    target: Holder = msgspec.field(name="to")
    cubes: Cubes


class HoldingsDisclosed(Fact, frozen=True):
    """All but the payer show their cubes; by seat, null for the payer."""

    rule: ClassVar[str] = "keydom §6 PRI-3"

    holdings: tuple[Cubes | None, ...]


class TileMoved(Fact, frozen=True):
    """A tile went from its pile or a seat to a seat."""

    rule: ClassVar[str] = "keydom §6 CAS-1, KEY-1, OUT-4"

    source: Seat | Literal["pile"] = msgspec.field(name="from")
    target: Seat = msgspec.field(name="to")
    type: TileType


class TrackAdvanced(Fact, frozen=True):
    """A token reached space 1, 2 or 3 of the track of midwife or Keywood."""

    rule: ClassVar[str] = "keydom §6 MID-1 to MID-3, KEY-1 to KEY-3"

    token: str
    track: int


class NumberOneGained(Fact, frozen=True):
    """A family got its number 1 counter."""

    rule: ClassVar[str] = "keydom §6 MID-1"

    seat: Seat


class NumberChanged(Fact, frozen=True):
    """A token counts as another number until its location is resolved."""

    rule: ClassVar[str] = "keydom §6 SP13 to SP15, VAR-3"

    token: str
    number: int


class SpellGained(Fact, frozen=True):
    """A seat got a spell."""

    rule: ClassVar[str] = "keydom §6 WIZ-2"

    seat: Seat
    spell: str


class SpellCast(Fact, frozen=True):
    """A seat cast a spell on targets."""

    rule: ClassVar[str] = "keydom §6 SPL-2"

    seat: Seat
    spell: str
    targets: tuple[Target, ...] = ()


class SpellCancelled(Fact, frozen=True):
    """A spell was dispelled."""

    rule: ClassVar[str] = "keydom §6 SP22"

    spell: str


class SpellNoEffect(Fact, frozen=True):
    """A spell did nothing."""

    rule: ClassVar[str] = "keydom §6 SPL-6"

    spell: str


class SpellToBottom(Fact, frozen=True):
    """A card went to the bottom of the deck."""

    rule: ClassVar[str] = "keydom §6 SPL-2, SPL-5, WIZ-2, WIZ-3"

    spell: str


class MarketRenewed(Fact, frozen=True):
    """New cards lie in the market, null for an empty space."""

    rule: ClassVar[str] = "keydom §4 SETUP-5, §6 WIZ-3"

    market: tuple[str | None, ...]


class AttackFailed(Fact, frozen=True):
    """The outlaws got nothing and attack again."""

    rule: ClassVar[str] = "keydom §6 OUT-4"

    attack: Attack


class CountersPickedUp(Fact, frozen=True):
    """Tokens left the board at the end of a round; bid and returned counters are in hand again too."""

    rule: ClassVar[str] = "keydom §5.7"

    tokens: tuple[str, ...]


class MarkerPassed(Fact, frozen=True):
    """The start player marker went to the next seat."""

    rule: ClassVar[str] = "keydom §5.8"

    seat: Seat


class RoundStarted(facts.RoundStarted, frozen=True):
    """A round began."""

    rule: ClassVar[str] = "keydom §5.1"


class GameEnded(facts.GameEnded, frozen=True):
    """The game is over, by ``keymaster`` or ``round_cap``."""

    rule: ClassVar[str] = "keydom §7 END-1, END-2"


FACT_TYPES: tuple[type[Fact], ...] = (
    ChanceDrawn,
    BidsRevealed,
    StartPlayerSet,
    CounterPlaced,
    CountersRevealed,
    SpaceTaken,
    CounterReturned,
    CounterMoved,
    CounterTakenBack,
    WagesPaid,
    CubesMoved,
    HoldingsDisclosed,
    TileMoved,
    TrackAdvanced,
    NumberOneGained,
    NumberChanged,
    SpellGained,
    SpellCast,
    SpellCancelled,
    SpellNoEffect,
    SpellToBottom,
    MarketRenewed,
    AttackFailed,
    CountersPickedUp,
    MarkerPassed,
    RoundStarted,
    GameEnded,
)
