"""A position of Keydom (§3), and small questions about it.

Open to all: the board but for the numbers of face-down tokens, the stock, piles and market, held spells and
everything in effect. A seat alone knows its hand, its cubes and tiles (but with ``open_holdings``), its bid
until it is revealed, the numbers under its tokens and those that it has looked at. Nobody knows the deck.
"""

from bisect import bisect_right
from typing import Annotated, Literal

import msgspec

from keylore_domain.engine.game import Options
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.payments import Vector
from keylore_domain.engine.seats import Seat, clockwise
from keylore_domain.games.keydom.components.names import Colour, TileType
from keylore_domain.games.keydom.moves import Attack

Phase = Literal["setup", "bid", "place", "resolve", "pick_up", "over"]
Face = Literal["up", "down"]
EndedBy = Literal["keymaster", "round_cap"]


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
    ended_by: EndedBy | None = None
    keymaster: Seat | None = None


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
