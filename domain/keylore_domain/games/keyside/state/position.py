"""The position of a game of Keyside (keyside §3), built of frozen values.

Everything is public but the dice between their choice and the reveal (keyside §9). The decisions and steps
on the agenda are in ``decisions.py``.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

from keylore_domain.engine.game import Options
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat

Colour = Literal["yellow", "green", "red", "blue", "purple", "orange"]
Animal = Literal["cow", "pig", "sheep"]
Material = Literal["wheat", "stone", "wood"]
Gem = Literal["emerald", "ruby", "sapphire"]
Item = Literal["cow", "pig", "sheep", "fish", "wheat", "stone", "wood", "emerald", "ruby", "sapphire"]
Box = Literal["left", "right", "none"]
Favours = Literal["ccw", "cw", "none"]
MarketSide = Literal["top", "reverse", "none"]
Icon = Literal["wood", "stone", "wheat", "fish", "gem"]
Player: TypeAlias = Seat | Literal["K"]
Owner: TypeAlias = Seat | Literal["K", "pirate"]
Numbers: TypeAlias = tuple[int, ...]

KEYTOMA: Final = "K"
PIRATE: Final = "pirate"
COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
ANIMALS: Final[tuple[Animal, ...]] = get_args(Animal)
GEMS: Final[tuple[Gem, ...]] = get_args(Gem)
ITEMS: Final[tuple[Item, ...]] = get_args(Item)
COLOUR_AT: Final[Mapping[Colour, int]] = {colour: at for at, colour in enumerate(COLOURS)}
ITEM_AT: Final[Mapping[Item, int]] = {item: at for at, item in enumerate(ITEMS)}
FISH: Final = ITEM_AT["fish"]
FIRST_GEM: Final = ITEM_AT["emerald"]

HEADLANDS: Final = ("A", "B", "C", "D", "E", "F")
ORIENTED: Final = ("A", "B", "E")
SOURCES: Final = ("forest", "quarry", "wheat_fields")
FLAGS: Final = ("1-2", "3-4", "5-6")

# The 29 locations as nodes of the road graph, in the order in which moves are listed (keyside §2.1, §5.5).
HARBOURS: Final = 12
RING: Final = 8
TOWN: Final = 0
MARKET: Final = 1
RESOURCE: Final = MARKET + RING
HARBOUR: Final = RESOURCE + RING
NODES: Final[tuple[str, ...]] = (
    "town",
    *(f"m{at}" for at in range(RING)),
    *(f"r{at}" for at in range(RING)),
    *(f"h{at}" for at in range(HARBOURS)),
)
NODE_AT: Final[Mapping[str, int]] = {node: at for at, node in enumerate(NODES)}
MAT_PAIRS: Final = ("A", "B", "C", "D")  # the letters of the fronts


class KeysideOptions(Options, frozen=True, kw_only=True):
    """The options of keyside §1."""

    seats: Annotated[int, msgspec.Meta(ge=1, le=4)]
    start_seat: Literal["random"] | Annotated[int, msgspec.Meta(ge=0, le=3)] = "random"
    first_game: bool = False
    dice_strips: Literal["off", "optional", "scheduled"] = "optional"
    scoring_sides: Literal["black", "red", "mixed"] = "black"
    mats: Literal["basic", "advanced", "mixed"] = "basic"
    orange_build: Literal["levels_2_to_4", "level4_only"] = "levels_2_to_4"
    solo_difficulty: Literal["none", "all_beacons", "keytoma_keyple", "landslide", "pirates"] = "none"
    solo_keyple_spaces: Literal[4, 5] = 5


class Die(msgspec.Struct, frozen=True):
    """A die on a harbour or in the sea beside it."""

    owner: Player
    colour: Colour
    value: int


class Harbour(msgspec.Struct, frozen=True):
    """One harbour position with its two tiles.

    ``dice`` has the lead die first. ``landed`` stays true when the harbour has been resolved; ``sea`` and
    ``sea_sailors`` hold what the resolution moved off the tile.
    """

    tile: str
    number: int
    side: Literal["black", "red"]
    top: tuple[Owner, ...] = ()
    red_space: Owner | None = None
    sailor: Colour | None = None
    dice: tuple[Die, ...] = ()
    landed: bool = False
    resolved: bool = False
    sea: tuple[Die, ...] = ()
    sea_sailors: tuple[Colour, ...] = ()


class Boat(msgspec.Struct, frozen=True):
    """A boat at harbour ``at`` with the sailors still aboard, in colour order."""

    at: int
    sailors: tuple[Colour, ...] = COLOURS


class Built(msgspec.Struct, frozen=True):
    """A headland tile, or a landslide, on a headland space."""

    owner: Seat | Literal["landslide"]
    tile: str
    favours: Favours = "none"


class Market(msgspec.Struct, frozen=True):
    """A market tile with the seats that have a keyple on it, in seat order."""

    tile: str
    side: MarketSide = "none"
    keyples: tuple[Seat, ...] = ()


class Source(msgspec.Struct, frozen=True, tag_field="kind", tag="source"):
    """Forest, quarry or wheat fields; ``flipped`` exactly when no token is left."""

    tile: str
    tokens: int
    flipped: bool = False
    keyple: Owner | None = None


class Farm(msgspec.Struct, frozen=True, tag_field="kind", tag="farm"):
    """A farm; ``animals[i]`` stands on ``icons[i]``."""

    tile: str
    side: Literal["a", "b"]
    icons: tuple[Icon, ...]
    animals: tuple[Animal | None, ...] = (None, None, None, None)
    keyple: Owner | None = None


class Building(msgspec.Struct, frozen=True):
    """A cottage on a mat, or the house on its back."""

    letter: str
    house: bool = False


class SkillTile(msgspec.Struct, frozen=True):
    """A skill tile; each exists once."""

    colour: Colour
    value: int


class Mat(msgspec.Struct, frozen=True):
    """What one seat has on and beside its mat, and its keyples in the town.

    Tuples of six are in colour order. ``dice`` holds the unplayed dice (0: none of this colour) and
    ``dice_on_mat`` those of the advance option. ``setting`` says how far the secret dice set-up is.
    """

    letter: str
    strip: str
    store: Numbers = (0,) * 10
    keyples: int = 12
    town: int = 6
    levels: Numbers = (0,) * 6
    boxes: tuple[Box, ...] = ("none",) * 6
    buildings: tuple[Building | None, ...] = (None,) * 6
    skill_tiles: tuple[SkillTile, ...] = ()
    headlands_left: tuple[str, ...] = HEADLANDS
    dice: Numbers = (0,) * 6
    dice_on_mat: Numbers = (0,) * 6
    setting: Literal["strip", "dice", "ready"] = "ready"


class Removed(msgspec.Struct, frozen=True):
    """What has left the game."""

    skill_tiles: tuple[SkillTile, ...] = ()
    cottages: tuple[str, ...] = ()
    gems: Numbers = (0,) * 3
    sailors: Numbers = (0,) * 6
    strips: tuple[str, ...] = ()


class Solo(msgspec.Struct, frozen=True):
    """Keytoma's things; ``flags`` are the harbours of flags 1-2, 3-4 and 5-6."""

    flags: Numbers
    beacons: tuple[str, ...]
    strips: tuple[str, ...]
    dice: Numbers = (0,) * 6
    keyples: int = 18
    pirates: int = 18
    landslides: int = 15


class State(msgspec.Struct, frozen=True):
    """A position; ``pending[-1]`` is what happens or is decided next.

    ``spaces`` is the number of keyple spaces on top of each harbour. ``markets_used`` and
    ``markets_activated`` are the bookkeeping of the current turn. During the final spending ``lead_seat`` is
    the seat whose window is open.
    """

    options: KeysideOptions
    spaces: int
    harbours: tuple[Harbour, ...]
    boats: tuple[Boat, ...]
    headlands: tuple[tuple[Built, ...], ...]
    markets: tuple[Market, ...]
    resources: tuple[Source | Farm, ...]
    mats: tuple[Mat, ...]
    cottages_left: tuple[str, ...]
    skill_stacks: tuple[Numbers, ...]
    gem_bag: Numbers
    start_seat: Player = Seat(0)
    lead_seat: Player = Seat(0)
    next_start: Player | None = None
    year: int = 1
    phase: Literal["dice", "turns", "final", "over"] = "dice"
    end_triggered: bool = False
    markets_used: tuple[tuple[Seat, str], ...] = ()
    markets_activated: tuple[str, ...] = ()
    marker_item: Item | None = None
    removed: Removed = Removed()
    solo: Solo | None = None
    pending: tuple[Decision, ...] = ()


def has_keyple(harbour: Harbour, owner: Owner) -> bool:
    """Whether *owner* has a keyple in *harbour*, on top or in the red space."""
    return owner in harbour.top or harbour.red_space == owner


def keyples_in(harbour: Harbour, owner: Owner) -> int:
    """How many keyples *owner* has in *harbour*, red space included."""
    return harbour.top.count(owner) + (harbour.red_space == owner)


def open_harbours(state: State) -> tuple[int, ...]:
    """The harbours left to resolve: with dice and a keyple that is no pirate (keyside §3, ruling R5)."""
    return tuple(
        at
        for at, harbour in enumerate(state.harbours)
        if harbour.dice
        and (harbour.red_space not in (None, PIRATE) or any(owner != PIRATE for owner in harbour.top))
    )


def turn_order(state: State) -> tuple[Player, ...]:
    """Everybody who takes turns, seat 0 first."""
    if state.solo is not None:
        return (Seat(0), KEYTOMA)
    return tuple(Seat(at) for at in range(len(state.mats)))


def from_start(state: State) -> tuple[Player, ...]:
    """Everybody who takes turns, the start player first."""
    order = turn_order(state)
    first = order.index(state.start_seat)
    return (*order[first:], *order[:first])


def source_at(state: State, tile: str) -> int:
    """The resource location of forest, quarry or wheat fields."""
    return next(at for at, resource in enumerate(state.resources) if resource.tile == tile)


def market_at(state: State, tile: str) -> int:
    """The market location of a market tile."""
    return next(at for at, market in enumerate(state.markets) if market.tile == tile)
