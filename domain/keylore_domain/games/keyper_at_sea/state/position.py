"""A position of Keyper at Sea (keyper-at-sea §3).

Who may see what stands in §9 and is carried out in view.py: hidden are the creatures of face-down tiles, the
order of the piles, fairs in stacks and bag, later fish fairs, and the fairs that others were dealt.
"""

from typing import Annotated, Literal

import msgspec

from keylore_domain.engine.game import Options
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea.components.entries import Mode, Season
from keylore_domain.games.keyper_at_sea.components.parts import SEASONS

Counts = tuple[int, ...]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=3)]


class KeyperOptions(Options, frozen=True, kw_only=True):
    """The options of keyper-at-sea §1."""

    seats: Annotated[int, msgspec.Meta(ge=2, le=4)]
    mode: Mode = "shallow"
    first_out_stores: bool = False
    start_seat: Literal["random"] | SeatNumber = "random"
    unlimited_supply: bool = False
    open_fairs: bool = False


class Keyple(msgspec.Struct, frozen=True):
    """A keyple on a spot, standing or lying."""

    colour: str
    lying: bool = False


class Cell(msgspec.Struct, frozen=True):
    """A cell of a board; on water a creature tile (may be none) or a boat that covers it."""

    field: str
    keyples: tuple[Keyple, ...] = ()
    creature: str = ""
    face_up: bool = False
    boat: str = ""


class Board(msgspec.Struct, frozen=True):
    """A folding board; ``keyper`` is the seat that claimed it, ``marker`` its season marker (deep)."""

    id: str
    display: str
    rotation: int
    season: Season
    cells: tuple[Cell, ...]
    keyper: Seat | None = None
    marker: bool = False


class Moored(msgspec.Struct, frozen=True):
    """A boat or fishing boat on the water, with the creature tiles lying on it."""

    id: str
    board: str
    cells: tuple[str, ...]
    keyples: tuple[Keyple, ...] = ()
    tiles: tuple[str, ...] = ()


class Plot(msgspec.Struct, frozen=True):
    """A place for tiles: the stack from bottom to top; ``upgraded`` is that of the top tile."""

    stack: tuple[str, ...] = ()
    upgraded: bool = False
    keyple: Keyple | None = None


class OwnedStore(msgspec.Struct, frozen=True):
    """A store tile of a seat."""

    id: str
    upgraded: bool = False


class Household(msgspec.Struct, frozen=True):
    """What one seat has. ``team`` counts by colour; ``keyper`` is a board, or empty when in hand.

    ``secret`` are the fairs dealt at setup (seen by the seat only, unless the option opens them), ``fairs``
    those taken from the display; ``season`` is the seat's own season.
    """

    team: Counts
    items: Counts
    tiles: tuple[str, ...]
    plots: tuple[Plot, ...]
    keyper: str = ""
    keyp: tuple[Keyple, ...] = ()
    shipping: int = 0
    stores: tuple[OwnedStore, ...] = ()
    secret: tuple[str, ...] = ()
    fairs: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    season: Season = "spring"
    completed: tuple[Season, ...] = ()

    @property
    def pieces(self) -> bool:
        """Whether a keyple or the keyper is still to be played (R75)."""
        return not self.keyper or any(self.team)


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A position; ``pending[-1]`` is what comes next: a decision to ask for, or a step to carry out."""

    options: KeyperOptions
    season: Season = "spring"
    turn: int = 0
    current: Seat
    phase: Literal["turns", "season_end", "over"] = "turns"
    boards: tuple[Board, ...]
    moored: tuple[Moored, ...] = ()
    boats_available: tuple[str, ...]
    boats_aside: tuple[str, ...]
    fishing_available: tuple[str, ...]
    sea_pile: tuple[str, ...] = ()
    sea_discard: tuple[str, ...] = ()
    display: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    bag: tuple[str, ...] = ()
    reserve: tuple[str, ...] = ()
    fair_stacks: tuple[tuple[str, ...], ...]
    removed_open: tuple[str, ...] = ()
    removed_unseen: tuple[str, ...] = ()
    supply: Counts
    stalls: tuple[tuple[str, ...], ...] = ()
    treasures: tuple[str, ...] = ()
    fish_fairs: tuple[str, ...] = ()
    opened: tuple[Season, ...] = ("spring",)
    markers_left: Counts = (0, 0, 0, 0)
    player_a: tuple[Seat | None, ...] = (None, None, None, None)
    stores_left: tuple[str, ...] = ()
    trigger: Seat | None = None
    final_turns_left: int = 0
    exhibited: Counts
    first_out: tuple[Seat | None, ...] = (None, None, None, None)
    households: tuple[Household, ...]
    pending: tuple[Decision, ...] = ()

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.households)

    @property
    def deep(self) -> bool:
        """Whether seats change season on different turns."""
        return self.options.mode == "deep"

    def board(self, board_id: str) -> Board:
        """The board in play with this id."""
        return next(board for board in self.boards if board.id == board_id)

    def moored_as(self, boat: str) -> Moored | None:
        """The moored boat or fishing boat with this id, if it is moored."""
        return next((moored for moored in self.moored if moored.id == boat), None)


def season_number(season: Season) -> int:
    """0 for spring to 3 for winter."""
    return SEASONS.index(season)


def season_after(season: Season) -> Season:
    """The season that follows spring, summer or autumn."""
    return SEASONS[season_number(season) + 1]
