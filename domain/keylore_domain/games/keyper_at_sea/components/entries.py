"""The data file as typed entries (keyper-at-sea §2)."""

from typing import Annotated, Generic, Literal, TypeVar

import msgspec

from keylore_domain.engine.data import Provenance
from keylore_domain.games.keyper_at_sea.components.ops import (
    AnyOp,
    Exchange,
    Gain,
    Names,
    Positive,
    TakeMarketTreasure,
)
from keylore_domain.games.keyper_at_sea.components.units import Lines

Season = Literal["spring", "summer", "autumn", "winter"]
Mode = Literal["base", "shallow", "deep"]
BoardKind = Literal["country", "sea"]
Group = Literal["raw", "finished", "wheat", "animal", "gem", "fish", "creature", "pearl", "treasure"]
Count = Annotated[int, msgspec.Meta(ge=0)]
T = TypeVar("T")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all entries; without a provenance of its own an entry has that of its section."""

    provenance: Provenance | None = None


class Named(Entry, frozen=True, kw_only=True):
    """Base of the entries with an id."""

    id: str


class Section(Entry, Generic[T], frozen=True, kw_only=True):
    """A list of entries with a common provenance."""

    entries: tuple[T, ...] = msgspec.field(name="list")


class Constant(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A number or list of the rules."""

    value: T
    provenance: Provenance


class Grid(msgspec.Struct, frozen=True):
    """Size of a player board."""

    farm_columns: Positive
    village_columns: Positive
    rows: Positive


class Constants(msgspec.Struct, frozen=True):
    """Numbers of the rules (§2.5)."""

    display_size: Constant[Positive]
    boats_per_season: Constant[Positive]
    plots: Constant[Grid]
    house_capacity: Constant[Positive]
    team_limit: Constant[dict[int, Positive]]
    recruit_threshold: Constant[Positive]
    recruit_target: Constant[Positive]
    treasure_points: Constant[Positive]
    stalls: Constant[Positive]
    creatures_per_stall: Constant[Positive]
    fish_fair_points: Constant[dict[Season, Positive]]
    keyp_yield: Constant[Names]
    start_finished: Constant[dict[str, Positive]]
    start_fish: Constant[dict[Mode, Count]]


class Item(Named, frozen=True, kw_only=True):
    """A kind of item and its supply."""

    group: Group
    supply: Positive
    refines_to: str = ""
    kind: Literal["domestic", "wild", ""] = ""


class Colour(Named, frozen=True, kw_only=True):
    """A colour of keyples."""

    total: Positive


class Keyples(Entry, frozen=True, kw_only=True):
    """The keyples and the teams they start in."""

    colours: tuple[Colour, ...]
    start_team: dict[str, Positive]
    two_player_ninth_from: tuple[str, ...]


class Field(Named, frozen=True, kw_only=True):
    """A kind of field: its border and what one action does."""

    code: str
    border: str | None
    ops: tuple[AnyOp, ...]
    order: Literal["AJAJ", "AJJA"] = "AJAJ"


class Display(Named, frozen=True, kw_only=True):
    """One way to fold a board."""

    board: BoardKind
    season: Season
    grid: tuple[tuple[str, ...], ...]
    same_as: str = ""


class Place(msgspec.Struct, frozen=True):
    """Where a board lies in the formation."""

    x: int
    y: int
    rotation: Literal[0, 90, 180, 270]


class Formations(Entry, frozen=True, kw_only=True):
    """How the boards lie together at setup."""

    with_sea: dict[str, Place]
    without_sea: dict[str, Place]
    boards_in_play: dict[Mode, dict[int, tuple[str, ...]]]
    spring_display: dict[str, str]


class UpgradeCosts(msgspec.Struct, frozen=True):
    """Upgrade costs of a tile that may stand in either area."""

    farm: tuple[str, ...]
    village: tuple[str, ...]


class Activation(msgspec.Struct, frozen=True):
    """What a keyple on the tile does, by the tile's state."""

    base: tuple[AnyOp, ...]
    upgraded: tuple[AnyOp, ...]


class Tile(Named, frozen=True, kw_only=True):
    """A home or country tile."""

    owner: Literal["home", "country"] = msgspec.field(name="set")
    game: Literal["base", "sea"]
    kind: Literal["farm", "village", "flex", "site"]
    spring: bool
    keyple_icon: bool
    build: tuple[str, ...]
    upgrade: tuple[str, ...] | UpgradeCosts | None
    houses: tuple[str, ...] = ()
    activate: Activation | None = None
    score: Lines


class Store(Named, frozen=True, kw_only=True):
    """A store tile."""

    upgrade: tuple[str, ...]
    score: Lines


class Fair(Named, frozen=True, kw_only=True):
    """A fair tile: what must be shown, and its points."""

    season: Season
    exhibit: Names
    points: Positive


class FishFair(Named, frozen=True, kw_only=True):
    """A fish fair tile: a pair of sea creatures."""

    pair: tuple[str, str]


class Offer(msgspec.Struct, frozen=True):
    """What a boat ships, and for how many points."""

    pay: tuple[str]
    points: Positive


class Boat(Named, frozen=True, kw_only=True):
    """A boat tile."""

    cargo: Names
    ship: tuple[Offer, ...]


class Boats(Section[Boat], frozen=True, kw_only=True):
    """The boats and their common border."""

    border: str


class FishingBoat(Named, frozen=True, kw_only=True):
    """A fishing boat tile."""

    border: str


class Activity(msgspec.Struct, frozen=True):
    """What the fish market offers once its season is open."""

    season: Season
    op: Exchange | Gain | TakeMarketTreasure


class FishMarket(Entry, frozen=True, kw_only=True):
    """The seasonal activities of the fish market board."""

    activities: tuple[Activity, ...]


class CostSlot(Named, frozen=True, kw_only=True):
    """What may pay one slot of a cost."""

    payable_with: Names


class DataFile(msgspec.Struct, frozen=True):
    """The whole component data file."""

    data_version: int
    title: str
    constants: Constants
    items: Section[Item]
    keyples: Keyples
    fields: Section[Field]
    displays: Section[Display]
    formations: Formations
    tiles: Section[Tile]
    stores: Section[Store]
    fairs: Section[Fair]
    fish_fairs: Section[FishFair]
    boats: Boats
    fishing_boats: Section[FishingBoat]
    fish_market: FishMarket
    cost_slots: Section[CostSlot]
