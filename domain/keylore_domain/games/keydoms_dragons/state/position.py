"""The position, and the decisions and steps it can wait for (spec §3).

Each field's comment says who may see it: public, its owner, or nobody until it is revealed. Parties are
numbered through: seats from 0, then the ghosts light and dark (`Party`).
"""

from typing import Annotated, Literal

import msgspec

from keylore_domain.engine.game import Options
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import Counter, Location

Party = int
NOBODY: Party = -1
Vector = tuple[int, ...]  # units by type, in canonical order
NOTHING: Vector = (0, 0, 0, 0, 0)
Status = Literal["inactive", "open", "resolving", "closed"]
WindowKind = Literal[
    "round_start", "turn", "placement_end", "resolve", "after_caves", "buy", "round_end", "response"
]  # fmt: skip
RoundCap = Annotated[int, msgspec.Meta(ge=5, le=30)]
Region = Literal["caves", "keytown", "board"]


class DragonsOptions(Options, frozen=True, kw_only=True):
    """The config keys of the spec, section 1; the default of ``ghosts`` goes with the number of seats."""

    seats: Literal[1, 2, 3, 4, 5, 6]
    ghosts: Literal["default", 0, 1, 2] = "default"
    muggles: bool = False
    foreknown: bool = False
    ghost_extra_spells: Literal[0, 1, 2] = 0
    ghost_artefacts_per_round: Literal[1, 2] = 1
    start_seat: Literal["random", 0, 1, 2, 3, 4, 5] = "random"
    round_cap: RoundCap = 15
    six_party_ledge: Literal["next_only", "all_below"] = "next_only"
    open_holdings: bool = False


class Piece(msgspec.Struct, frozen=True):
    """A treasure on a ledge."""

    type: int
    large: bool

    @property
    def units(self) -> int:
        """What it is worth."""
        return 3 if self.large else 1


Ledge = tuple[Piece, ...]


class Token(msgspec.Struct, frozen=True):
    """Something that stands at a location for a party.

    ``number`` is printed (a ghost's: the number elsewhere); hidden while face down. A mirror copy carries the
    numbers of its original ``of``.
    """

    id: str
    owner: Party
    serial: int
    kind: Literal["worker", "raven", "mirror"]
    location: Location
    up: bool
    number: int
    castle: int = 0
    of: str = ""


class Player(msgspec.Struct, frozen=True):
    """What belongs to one seat."""

    holdings: Vector = NOTHING  # owner; all under open_holdings
    hand: tuple[int, ...] = ()  # owner; the count is public
    out_shown: tuple[int, ...] = ()  # public: they were face up
    out_hidden: tuple[int, ...] = ()  # owner; the count is public
    artefacts: Vector = (0, 0, 0, 0, 0, 0)  # by type; owner; the count is public
    invoked: Vector = (0, 0, 0, 0, 0, 0)  # of them; public
    inv_max: int = 1  # public
    spells: tuple[int, ...] = ()  # owner; the count is public
    admitted: Literal["unknown", "yes", "no"] = "unknown"  # public
    key: bool = False  # a key effect is in force; public
    muted: bool = False  # owner
    serial: int = 0  # tokens of this round; public

    @property
    def units(self) -> int:
        """All treasure held."""
        return sum(self.holdings)


class GhostCard(msgspec.Struct, frozen=True):
    """A card of a ghost's draw deck: its back (public on top) and its face (hidden)."""

    kind: Literal["action", "spell"]
    number: int


class Ghost(msgspec.Struct, frozen=True):
    """What belongs to one ghost."""

    counters: tuple[Counter, ...] = ()  # unplaced; hidden, the count is public
    out_shown: tuple[Counter, ...] = ()  # public
    out_hidden: tuple[Counter, ...] = ()  # hidden
    deck: tuple[GhostCard, ...] = ()  # top first; hidden but for the back of the top card
    discards: tuple[int, ...] = ()  # action cards; public
    waiting: tuple[int, ...] = ()  # drawn spells; public
    stack: tuple[int, ...] = ()  # spells gained this round; hidden
    artefacts: Vector = (0, 0, 0, 0, 0, 0)  # public
    face_up: Vector = (0, 0, 0, 0, 0, 0)  # of them; public
    invoked: tuple[int, ...] = ()  # artefact types invoked this round; public
    powers: tuple[int, ...] = ()  # GA powers in force; public
    charms: tuple[int, ...] = ()  # GS1, GS2, GS3, GS21 in force; public
    placed: int = 0  # public
    begun: bool = False  # had its first turn of the round; public
    finished: bool = False  # public
    serial: int = 0  # public


class State(msgspec.Struct, frozen=True):
    """A position; the last entry of ``pending`` is what the match waits for or does next."""

    options: DragonsOptions
    seats: int
    parties: int  # seats and ghosts
    round: int
    start: Party  # public
    phase: Literal["placement", "resolution", "over"]
    location: Location | None  # being resolved
    treasury: Vector  # public
    caves: tuple[tuple[Ledge, ...], ...]  # public
    status: tuple[Status, ...]  # public
    players: tuple[Player, ...]
    ghosts: tuple[Ghost, ...]
    stacks: tuple[tuple[int, ...], ...]  # artefact types, top first; hidden but for a face-up top
    face_up: tuple[bool, ...]  # of each stack's top; public
    spell_deck: tuple[int, ...]  # top first; hidden
    treasure_deck: tuple[str, ...]  # hidden
    guard: int  # hidden until J is revealed
    guard_shown: bool = False
    treasure_used: tuple[str, ...] = ()  # public; the last is the current card
    spell_discard: tuple[int, ...] = ()  # public
    spell_used: tuple[int, ...] = ()  # public
    display: tuple[int, ...] = ()  # public
    tokens: tuple[Token, ...] = ()
    taboo: tuple[Location, ...] = ()  # public
    substituted: tuple[Location, ...] = ()  # locations; public
    curses: tuple[int, ...] = ()  # GS10, GS14, GS17 in force; public
    disclosure: tuple[Seat, ...] = ()  # its casters; public
    cottage_locked: bool = False  # public
    waiting: tuple["Waiting", ...] = ()  # GS13, GS18, GS19 that took effect; public
    ended_by: str = ""
    pending: tuple[Decision, ...] = ()


class Waiting(msgspec.Struct, frozen=True):
    """A ghost spell whose effect comes later in the round."""

    party: Party
    spell: int
