"""The types of the component data of Keyside (keyside §2, §6)."""

from typing import Literal

import msgspec

from keylore_domain.engine.data import Provenance
from keylore_domain.games.keyside.state.decisions import Part
from keylore_domain.games.keyside.state.position import Animal, Colour, Icon, Item, Material

Three = tuple[int, int, int]
Dice = tuple[int, int, int, int, int, int]
Icons = tuple[Icon, Icon, Icon, Icon]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of everything with a provenance of its own."""

    provenance: Provenance


class Counts(Entry, frozen=True, forbid_unknown_fields=False):
    """How many there are of what is limited."""

    gem_per_type: int
    solo_gem_per_type: int
    keyples_per_seat: int
    keyples_on_mat: int
    keyples_in_town: int
    skill_tile_values: tuple[int, ...]


class Seating(Entry, frozen=True):
    """The numbers that depend on the number of seats."""

    keyple_spaces: int
    dice_spaces: int
    tokens: int
    boats: int
    boat_gap: int
    keyple_spaces_provenance: Provenance = "rulebook"


class Chosen(Entry, frozen=True):
    """One number."""

    value: int


class Bands(Entry, frozen=True):
    """The dice totals of the three bands."""

    low: tuple[int, int]
    mid: tuple[int, int]
    high: tuple[int, None]


class BoardData(Entry, frozen=True, forbid_unknown_fields=False):
    """The road graph."""

    roads: dict[str, tuple[str, ...]]


class SourceTile(Entry, frozen=True):
    """Forest, quarry or wheat fields."""

    item: Material
    harbour: str
    flips_when_empty: bool
    end_points: int


class FarmTile(Entry, frozen=True):
    """The icons on both sides of a farm."""

    a: Icons
    b: Icons


class TradeData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a market side asks and gives."""

    pay: Item | Literal["gem"] | tuple[Item, ...] | None
    pay_n: int
    gain: Item | Literal["gem"] | None = None
    gain_n: int = 0
    effect: Literal["advance_any", "move", "recruit", "build"] | None = None
    effect_n: int = 1


class MarketTile(Entry, frozen=True):
    """A market tile: ``none`` is the only side of a one-sided one."""

    tile: str
    top: TradeData | None = None
    reverse: TradeData | None = None
    none: TradeData | None = None


class StripTile(Entry, frozen=True):
    """A dice strip."""

    strip: str
    light: Dice
    dark: Dice


class HarbourTile(Entry, frozen=True, tag_field="effect"):
    """Base of the harbour tiles; amounts are for the bands low, mid and high."""


class ImportTile(HarbourTile, frozen=True, tag="import"):
    """Animals into the barn."""

    low: tuple[Animal, int]
    mid: tuple[Animal, int]
    high: tuple[Animal, int]


class PlacingTile(HarbourTile, frozen=True, tag="place_animals_then_resource_move"):
    """Animals onto farms."""

    amount: Three


class GainTile(HarbourTile, frozen=True, tag="gain"):
    """Wheat, stone or wood."""

    item: Material
    amount: Three
    doubled_by: Literal["forest", "quarry", "wheat_fields"]


class HeadlandTile(HarbourTile, frozen=True, tag="headland"):
    """A headland."""

    pay: Literal["stone", "wood"]
    cost: Three


class BuildTile(HarbourTile, frozen=True, tag="build"):
    """A cottage or house."""

    pay: Literal["wheat"]
    cost: Three


class MarkerTile(HarbourTile, frozen=True, tag="start_marker"):
    """The start player marker; the others have one of some parts."""

    others_one_of: tuple[Part, ...]
    red_space: bool


class PartsTile(HarbourTile, frozen=True, tag="parts"):
    """Several parts in any order."""

    parts: tuple[Part, ...]


class RecruitTile(HarbourTile, frozen=True, tag="recruit"):
    """Keyples from the mat."""

    amount: Three


AnyHarbourTile = (
    ImportTile | PlacingTile | GainTile | HeadlandTile | BuildTile | MarkerTile | PartsTile | RecruitTile
)


class Cottage(Entry, frozen=True):
    """A cottage; ``points`` for its cottage and house side, per ``each`` of what is counted."""

    colour: Colour
    per: str
    points: tuple[int, int]
    each: int = 1
    set: tuple[Item, ...] = ()
    tile: str = ""


class FirstGame(Entry, frozen=True):
    """Cottage letter and the harbour number of the first keyple."""

    start: dict[str, int]


class Headland(Entry, frozen=True):
    """A headland tile."""

    name: str
    oriented: bool
    trigger: Literal["fish", "choice", "recruit"] | None = None
    favoured: int | str = 0
    other: int | str = 0
    amount: int = 0
    end_points: int = 0
    end: Literal["extra_keyple"] | None = None
    end_points_per_keyple: int = 0


class ScoringSide(Entry, frozen=True):
    """One side of a harbour scoring tile."""

    kind: Literal["unit", "distinct", "sets", "ladder", "buildings", "half"]
    count: str = ""
    each: int = 1
    points: int = 1
    max: int = 12
    of: tuple[str, ...] = ()
    ladder: str = ""
    cottage: int = 0
    house: int = 0


class ScoringTile(msgspec.Struct, frozen=True):
    """Both sides of a harbour scoring tile."""

    black: ScoringSide
    red: ScoringSide


class Rung(Entry, frozen=True):
    """From, to (null: no bound), points."""

    step: tuple[int, int | None, int]


class BoxAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One action in a box of a mat: exactly one of the fields but ``n`` and ``pay``."""

    gain: Item | None = None
    n: int = 1
    advance_any: int | None = None
    build: int | None = None
    own_cottage: Colour | None = None
    choose_animal: int | None = None
    place_animals: int | None = None
    resource_move: int | None = None
    exchange_animals: int | None = None
    recruit: int | None = None
    move: int | None = None
    market: int | None = None
    skill: int | None = None
    gems: int | None = None
    headland_option: int | None = None
    headland: int | None = None
    pay: tuple[Material, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The fields that say what is done."""
        fields = (field for field in self.__struct_fields__ if field not in ("n", "pay"))
        return tuple(field for field in fields if getattr(self, field) is not None)


Boxes = tuple[tuple[BoxAction, ...], ...]
Levels = dict[int, Boxes]


class MatTile(Entry, frozen=True):
    """The boxes of a mat; what is left out equals the basic mat."""

    yellow: Levels = {}
    green: Levels = {}
    red: Levels = {}
    blue: Levels = {}
    purple: Levels = {}
    orange: Levels = {}
    gem_types_scored: dict[int, int] = {}
    headland_discount: dict[int, int] = {}


class Fronts(Entry, frozen=True):
    """Front letter to mat."""

    A: str
    B: str
    C: str
    D: str


class Mats(msgspec.Struct, frozen=True):
    """All mats."""

    basic: MatTile
    fronts: Fronts
    backs: Fronts
    E: MatTile
    F: MatTile
    G: MatTile
    H: MatTile


class Materials(Entry, frozen=True):
    """Some materials."""

    value: tuple[Material, ...]


class LevelList(Entry, frozen=True):
    """Some levels."""

    value: tuple[int, ...]


class OrangeOption(msgspec.Struct, frozen=True):
    """The build of orange levels 2 and 3."""

    levels: LevelList
    pay: Materials
    base_cost: Chosen


class FollowRoll(msgspec.Struct, frozen=True):
    """From which roll Keytoma follows."""

    with_flag: int
    without_flag: int


class Win(msgspec.Struct, frozen=True):
    """What wins a solo game."""

    points: int
    beacons: int
    beacons_hard: int


class BeaconTerms(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"points_from_headland_f": "points_from_headland_F"},
):
    """What a beacon asks for; zero or nothing where it does not ask.

    ``harbours`` is how many, or which two numbers.
    """

    headlands_in_row: int = 0
    headlands_built_of: tuple[str, ...] = ()
    at_least: int = 0
    points_from_headland_f: int = 0
    harbours: int | tuple[int, int] = 0
    keyples_each: int = 0
    farms: int = 0
    skill_tiles_same_colour: int = 0
    skill_tiles_same_value: int = 0
    fish: int = 0
    markers_on_level_4: int = 0
    gems_same_type: int = 0
    gems: int = 0
    harbours_worth_12: int = 0
    points: int = 0

    @property
    def asked(self) -> frozenset[str]:
        """The fields that ask for something."""
        return frozenset(field for field in self.__struct_fields__ if getattr(self, field))


class SoloData(Entry, frozen=True, forbid_unknown_fields=False):
    """The numbers of the solo game."""

    flag_gap: int
    keytoma_keyples: int
    pirates: int
    landslides: int
    keytoma_strips: int
    follow_roll: FollowRoll
    effect_by_number: dict[int, Colour]
    icon_order: tuple[Icon, ...]
    win: Win
    beacons: dict[str, BeaconTerms]


class DataFile(msgspec.Struct, frozen=True):
    """A whole data file."""

    data_version: int
    counts: Counts
    by_seats: dict[int, Seating]
    boat_icon_number: Chosen
    dice_bands: Bands
    board: BoardData
    resource_tiles: dict[str, SourceTile]
    farms: dict[str, FarmTile]
    markets: tuple[MarketTile, ...]
    dice_strips: tuple[StripTile, ...]
    harbour_tiles: dict[str, AnyHarbourTile]
    cottages: dict[str, Cottage]
    first_game: FirstGame
    headland_tiles: dict[str, Headland]
    scoring_tiles: dict[int, ScoringTile]
    ladders: dict[str, tuple[Rung, ...]]
    mats: Mats
    orange_build_option: OrangeOption
    solo: SoloData
