"""What the rules record, step by step (spec §5.15); `view.redact` says who may know which field."""

from typing import ClassVar, Literal

import msgspec

from keylore_domain.engine.facts import ChanceDrawn as _ChanceDrawn
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.facts import GameEnded as _GameEnded
from keylore_domain.engine.facts import RoundStarted as _RoundStarted
from keylore_domain.games.keydoms_dragons.components import Artefact, Location, Stack
from keylore_domain.games.keydoms_dragons.moves import PartyName, Treasures

Reason = Literal["evicted", "returned", "levied", "withdrawn", "not_admitted", "directed", "original_left"]
Place = PartyName | Literal["treasury", "caves"]
Holder = PartyName | Stack


class Targets(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a spell was announced for; empty fields do not apply."""

    token: str = ""
    location: Location | None = None
    stack: Stack | None = None
    give: Artefact | None = None
    artefact: Artefact | None = None


class ChanceDrawn(_ChanceDrawn, frozen=True, tag="chance_drawn"):
    """A chance point of spec §9 was drawn."""

    rule: ClassVar[str] = "keydoms-dragons §9"


class RoundStarted(_RoundStarted, frozen=True, tag="round_started"):
    """A new round began, numbered from 1."""

    rule: ClassVar[str] = "keydoms-dragons §5.2"


class GameEnded(_GameEnded, frozen=True, tag="game_ended"):
    """The game is over."""

    rule: ClassVar[str] = "keydoms-dragons §7"


class StartPlayerSet(Fact, frozen=True):
    """A seat or ghost received the start marker."""

    rule: ClassVar[str] = "keydoms-dragons §4, L2"
    seat: PartyName


class LedgesFilled(Fact, frozen=True):
    """A cave was laid out: for each ledge its pieces, ``red L`` or ``red s``."""

    rule: ClassVar[str] = "keydoms-dragons §5.2"
    cave: Location
    pieces: tuple[tuple[str, ...], ...]


class StacksRedistributed(Fact, frozen=True):
    """The last stack was dealt to several rooms; the new heights of stacks K, L, M, M2, N, O."""

    rule: ClassVar[str] = "keydoms-dragons §5.11"
    heights: tuple[int, ...]


class TileRevealed(Fact, frozen=True):
    """The top tile of a stack lies face up now."""

    rule: ClassVar[str] = "keydoms-dragons §5.2"
    stack: Stack
    type: Artefact


class WorkerPlaced(Fact, frozen=True):
    """A party placed a worker; its numbers (``castle``: a ghost's) are null for who may not see them."""

    rule: ClassVar[str] = "keydoms-dragons §5.5"
    token: str
    party: PartyName
    location: Location
    face: Literal["up", "down"]
    number: int | None
    castle: int | None = None


class TokenNumber(msgspec.Struct, frozen=True, omit_defaults=True):
    """A token and its printed number; ``castle`` is a ghost worker's other number."""

    token: str
    number: int
    castle: int = 0


class WorkersRevealed(Fact, frozen=True):
    """All tokens of a location lie face up now."""

    rule: ClassVar[str] = "keydoms-dragons §5.9"
    location: Location
    tokens: tuple[TokenNumber, ...]


class TokenAdded(Fact, frozen=True):
    """A raven or a mirror copy came to a location."""

    rule: ClassVar[str] = "keydoms-dragons AR3, AR4"
    token: str
    kind: Literal["raven", "mirror"]
    location: Location
    of: str


class TokenMoved(Fact, frozen=True, rename={"source": "from", "target": "to"}):
    """A worker moved; ``number`` is null for those who may not see it."""

    rule: ClassVar[str] = "keydoms-dragons S13, S19, GS13"
    token: str
    party: PartyName
    source: Location
    target: Location
    face: Literal["up", "down"]
    number: int | None


class TokenRemoved(Fact, frozen=True):
    """A token left the board; ``number`` is null for those who may not see it."""

    rule: ClassVar[str] = "keydoms-dragons §5.5"
    token: str
    party: PartyName
    location: Location
    reason: Reason
    face: Literal["up", "down"]
    number: int | None


class LocationRanked(Fact, frozen=True):
    """The order of the parties at a location, with their strengths."""

    rule: ClassVar[str] = "keydoms-dragons §3"
    location: Location
    order: tuple[PartyName, ...]
    strengths: tuple[int, ...]


class LocationClosed(Fact, frozen=True):
    """A location is resolved, or shut for the round."""

    rule: ClassVar[str] = "keydoms-dragons §5.9"
    location: Location


class TreasuresMoved(Fact, frozen=True, rename={"source": "from", "target": "to"}):
    """Units went from one place to another."""

    rule: ClassVar[str] = "keydoms-dragons §5.8"
    source: Place
    target: Place
    treasures: Treasures


class ArtefactMoved(Fact, frozen=True, rename={"source": "from", "target": "to"}):
    """A tile went from one holder to another; ``known`` false: only the receiver may see its type."""

    rule: ClassVar[str] = "keydoms-dragons L7, S8, GL-K"
    source: Holder
    target: Holder
    type: Artefact | None
    known: bool = True


class ArtefactInvoked(Fact, frozen=True):
    """A seat invoked an artefact."""

    rule: ClassVar[str] = "keydoms-dragons §5.4"
    party: PartyName
    type: Artefact


class ArtefactTurned(Fact, frozen=True):
    """A ghost's tile was turned."""

    rule: ClassVar[str] = "keydoms-dragons §8.4"
    owner: PartyName
    type: Artefact
    face: Literal["up", "down"]


class StackSeen(Fact, frozen=True):
    """A seat looks through a stack; ``tiles`` is null for the others."""

    rule: ClassVar[str] = "keydoms-dragons S1, S15"
    party: PartyName
    stack: Stack
    tiles: tuple[Artefact, ...] | None


class SecondInvocationGained(Fact, frozen=True):
    """A seat may invoke two artefacts this round."""

    rule: ClassVar[str] = "keydoms-dragons L4"
    party: PartyName


class CottageLocked(Fact, frozen=True):
    """No seat may invoke an artefact other than the wand this round."""

    rule: ClassVar[str] = "keydoms-dragons GL-H"
    party: PartyName


class SpellGained(Fact, frozen=True):
    """A party got a spell card; ``spell`` is null for those who may not see it.

    ``giver`` is the seat that saw the card before it gave it away.
    """

    rule: ClassVar[str] = "keydoms-dragons L5, §8.6"
    party: PartyName
    spell: int | None
    giver: int | None = None


class SpellsOffered(Fact, frozen=True):
    """A seat looks at the spell cards it may keep one of; ``spells`` is null for the others."""

    rule: ClassVar[str] = "keydoms-dragons L5"
    party: PartyName
    spells: tuple[int, ...] | None
    open: bool


class SpellCast(Fact, frozen=True):
    """A spell was announced with its targets."""

    rule: ClassVar[str] = "keydoms-dragons §5.4, §8.5"
    party: PartyName
    spell: int
    targets: Targets


class SpellCancelled(Fact, frozen=True):
    """A spell was cancelled before it took effect."""

    rule: ClassVar[str] = "keydoms-dragons §5.7"
    spell: int
    by: PartyName


class SpellNoEffect(Fact, frozen=True):
    """A spell found nothing to do."""

    rule: ClassVar[str] = "keydoms-dragons §5.6"
    spell: int


class SpellDisplayRenewed(Fact, frozen=True):
    """The open spell cards of the round."""

    rule: ClassVar[str] = "keydoms-dragons §5.14"
    spells: tuple[int, ...]


class GuardRevealed(Fact, frozen=True):
    """The strength of the guard, with what ghosts' keys add."""

    rule: ClassVar[str] = "keydoms-dragons L6"
    strength: int


class SeatAdmitted(Fact, frozen=True):
    """A seat passed the guard."""

    rule: ClassVar[str] = "keydoms-dragons L6"
    seat: int
    how: Literal["key", "strength", "bribe"]


class SeatRefused(Fact, frozen=True):
    """A seat did not pass the guard."""

    rule: ClassVar[str] = "keydoms-dragons L6"
    seat: int


class GhostCardDrawn(Fact, frozen=True):
    """A ghost turned the top card of its deck; ``card`` is null for a spell that goes under it unseen."""

    rule: ClassVar[str] = "keydoms-dragons §8.4"
    party: PartyName
    kind: Literal["action", "spell"]
    card: int | None
    seen: bool = True


class GhostEffect(Fact, frozen=True):
    """An effect of section 8 came into force or was carried out (GA.., GS.., GL..)."""

    rule: ClassVar[str] = "keydoms-dragons §8.8 to §8.10"
    id: str
    party: PartyName


class WorkersPickedUp(Fact, frozen=True):
    """All workers went back to their owners."""

    rule: ClassVar[str] = "keydoms-dragons §5.12"
    round: int


FACT_TYPES: tuple[type[Fact], ...] = (
    ChanceDrawn, RoundStarted, StartPlayerSet, LedgesFilled, StacksRedistributed, TileRevealed,
    WorkerPlaced, WorkersRevealed, TokenAdded, TokenMoved, TokenRemoved, LocationRanked, LocationClosed,
    TreasuresMoved, ArtefactMoved, ArtefactInvoked, ArtefactTurned, StackSeen, SecondInvocationGained,
    CottageLocked, SpellGained, SpellsOffered, SpellCast, SpellCancelled, SpellNoEffect,
    SpellDisplayRenewed, GuardRevealed, SeatAdmitted, SeatRefused, GhostCardDrawn, GhostEffect,
    WorkersPickedUp, GameEnded,
)  # fmt: skip
