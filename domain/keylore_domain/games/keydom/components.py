"""The printed components of Keydom: types of the data file, its checks and look-ups."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from keylore_domain.engine.data import Provenance, parse_data
from keylore_domain.engine.payments import Vector
from keylore_domain.errors import DataFileError

Colour = Literal["blue", "green", "black", "yellow", "red"]
TileType = Literal["safe", "key", "regalia", "keylore"]
Region = Literal["country", "town", "castle", "chamber"]
Window = Literal[
    "turn", "before_reveal", "after_reveal", "reaction_spell", "reaction_outlaws", "reaction_priest"
]
DonationKind = Literal["excess", "same", "any"]
TheftKind = Literal["cube", "tile"]

COLOURS: Final[tuple[Colour, ...]] = ("blue", "green", "black", "yellow", "red")
TILES: Final[tuple[TileType, ...]] = ("safe", "key", "regalia", "keylore")
COUNTRY: Final = ("harbour", "forest", "quarry", "farm", "brewery")
TOWN: Final = ("soldiers", "trader", "priest", "midwife", "wizard", "outlaws")
CASTLE: Final = ("blacksmith", "locksmith", "goldsmith", "keywood")
LOCATIONS: Final = (*COUNTRY, *TOWN, *CASTLE, "chamber")
SMITHS: Final[Mapping[str, TileType]] = {"blacksmith": "safe", "locksmith": "key", "goldsmith": "regalia"}
REGIONS: Final[Mapping[str, Region]] = {
    **dict.fromkeys(COUNTRY, "country"),
    **dict.fromkeys(TOWN, "town"),
    **dict.fromkeys(CASTLE, "castle"),
    "chamber": "chamber",
}
TRACK_LOCATIONS: Final = ("midwife", "keywood")
SPELL_FREE: Final = ("soldiers", "chamber")  # no window opens there and no spell reaches in (SPL-3, SOL-4)
NUMBERS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9)
START_NUMBERS: Final = NUMBERS[1:]

Count = Annotated[int, msgspec.Meta(ge=1)]
Cost = Annotated[int, msgspec.Meta(ge=0, le=6)]


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the entries of the data file."""


class Value(Entry, frozen=True):
    """A number with its provenance."""

    value: Count
    provenance: Provenance
    note: str = ""


class Players(Entry, frozen=True):
    """How many can play."""

    min: Literal[2]
    max: Literal[5]
    provenance: Provenance


class ColourEntry(Entry, frozen=True):
    """A colour: of cubes, of a family, and of the location where the cubes are earned."""

    id: Colour
    resource: str
    skill: str
    location: str
    provenance: Provenance


class CubeSupply(Entry, frozen=True):
    """The cubes in the box."""

    per_colour: Count
    total: int
    provenance: Provenance


class CounterSet(Entry, frozen=True):
    """The counters of one family."""

    numbers: tuple[int, ...]
    start_numbers: tuple[int, ...]
    side_numbers: tuple[int, ...]
    provenance: Provenance


class TileEntry(Entry, frozen=True):
    """A type of tile and whether the Keymaster needs it."""

    id: TileType
    location: str
    copies: Annotated[int, msgspec.Meta(ge=2)]
    required: bool
    required_in_short_game: bool
    provenance: Provenance


class Limits(Entry, frozen=True):
    """Limits that hold all game long."""

    tiles_per_type_per_player: Value
    spells_per_player: Value
    spell_market_spaces: Value
    priest_keep: Value
    round_cap_default: Value
    round_cap_max: Value


class TrackSpaces(Entry, frozen=True):
    """A track of three spaces, entered at the first."""

    value: Literal[3]
    entry: Literal[1]
    provenance: Provenance


class ArrestCost(Entry, frozen=True):
    """What the soldiers ask for an arrest in a region."""

    target_region: Literal["town", "castle", "chamber"]
    pattern: str
    provenance: Provenance


class DonationPrice(Entry, frozen=True):
    """What the priest asks for a kind of donation."""

    kind: DonationKind
    pattern: str
    provenance: Provenance
    keep: int | None = None


class TheftPrice(Entry, frozen=True):
    """What the outlaws ask for a kind of theft."""

    kind: TheftKind
    pattern: str
    provenance: Provenance
    note: str = ""


class LocationEntry(Entry, frozen=True):
    """A location of the board; which fields it has depends on the location."""

    id: str
    order: int
    region: Region
    provenance: Provenance
    colour: Colour | None = None
    supervisor_spaces: Value | None = None
    pair_spaces: Value | None = None
    spaces: Value | None = None
    track_spaces: TrackSpaces | None = None
    arrest_costs: tuple[ArrestCost, ...] = ()
    donations: tuple[DonationPrice, ...] = ()
    thefts: tuple[TheftPrice, ...] = ()
    tile: TileType | None = None
    pattern: str | None = None
    letter_provenance: Provenance | None = None
    not_in_short_game: bool = False


class SpellParams(Entry, frozen=True):
    """The numbers of a spell's effect; each effect has its own."""

    colour: Colour | None = None
    count: Count | None = None
    max: Count | None = None
    target: Literal["own", "other"] | None = None
    delta: int | None = None


class SpellCard(Entry, frozen=True):
    """A spell card."""

    id: str
    number: int
    name: str
    cost: Cost
    windows: tuple[Window, ...]
    effect: str
    params: SpellParams
    provenance: Provenance
    text: str
    regions: tuple[Region, ...] = ()
    excluded_when: Mapping[str, bool | str] = {}


class SpellDeck(Entry, frozen=True):
    """Where the spell cards come from."""

    printed_count: Value
    blank_cards: Value
    contents_provenance: Provenance


class OptionDefault(Entry, frozen=True):
    """The default of an option; the options themselves are checked by the rules."""

    value: bool | int | str
    provenance: Provenance


class DataFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The data file as it is written."""

    schema: str
    game: str
    data_version: int
    title: str
    provenance_values: Mapping[str, str]
    sources: tuple[Mapping[str, str], ...]
    players: Players
    colours: tuple[ColourEntry, ...]
    colour_order_provenance: Provenance
    cubes: CubeSupply
    counters: CounterSet
    tiles: tuple[TileEntry, ...]
    limits: Limits
    locations: tuple[LocationEntry, ...]
    spell_deck: SpellDeck
    spells: tuple[SpellCard, ...]
    option_defaults: Mapping[str, OptionDefault]


class EffectForm(NamedTuple):
    """What a card with a certain effect may look like."""

    windows: tuple[Window, ...]
    params: tuple[str, ...] = ()
    regions: tuple[Region, ...] = ()


_ANY_TIME: Final[tuple[Window, ...]] = ("turn", "before_reveal", "after_reveal")

EFFECT_FORMS: Final[Mapping[str, EffectForm]] = {
    "gain_cubes": EffectForm(_ANY_TIME, ("colour", "count")),
    "exchange_cubes": EffectForm(_ANY_TIME, ("max",)),
    "levy_richer": EffectForm(_ANY_TIME, ("count",)),
    "pick_cube": EffectForm(_ANY_TIME),
    "move_own": EffectForm(("before_reveal",)),
    "return_other": EffectForm(("before_reveal",)),
    "swap_with_other": EffectForm(("before_reveal",)),
    "modify_number": EffectForm(("after_reveal",), ("target", "delta")),
    "match_highest": EffectForm(("after_reveal",)),
    "look_at_location": EffectForm(("turn",)),
    "play_open": EffectForm(("turn",)),
    "take_back_own": EffectForm(("turn",)),
    "close_location": EffectForm(("turn",)),
    "reverse_order": EffectForm(("after_reveal",)),
    "extra_wages": EffectForm(("after_reveal",), ("count",), ("country",)),
    "cancel_spell": EffectForm(("reaction_spell",)),
    "block_outlaws": EffectForm(("reaction_outlaws",)),
    "exempt_from_priest": EffectForm(("reaction_priest",)),
}


class Cubes(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cubes by colour, zeros left out: ``{"blue": 2, "red": 1}``."""

    blue: int = 0
    green: int = 0
    black: int = 0
    yellow: int = 0
    red: int = 0


@lru_cache(maxsize=65536)
def cubes(vector: Vector) -> Cubes:
    """*vector* as named cubes."""
    return Cubes(*vector)


def vector(named: Cubes) -> Vector:
    """*named* as a vector in canonical order."""
    return msgspec.structs.astuple(named)


class Components:
    """The components of one match, ready to look things up."""

    def __init__(self, file: DataFile) -> None:
        self.file = file
        self.cards: Final[Mapping[str, SpellCard]] = {card.id: card for card in file.spells}
        self.card_order: Final[Mapping[str, int]] = {card.id: at for at, card in enumerate(file.spells)}
        self.locations: Final[Mapping[str, LocationEntry]] = {entry.id: entry for entry in file.locations}
        self.arrest_patterns: Final[Mapping[str, str]] = {
            cost.target_region: cost.pattern for cost in self.locations["soldiers"].arrest_costs
        }
        self.donation_patterns: Final[Mapping[DonationKind, str]] = {
            price.kind: price.pattern for price in self.locations["priest"].donations
        }
        self.theft_patterns: Final[Mapping[TheftKind, str]] = {
            price.kind: price.pattern for price in self.locations["outlaws"].thefts
        }
        self.spaces: Final[Mapping[str, int]] = {
            entry.id: entry.spaces.value for entry in file.locations if entry.spaces is not None
        }
        self.pairs: Final[Mapping[str, int]] = {
            entry.id: entry.pair_spaces.value for entry in file.locations if entry.pair_spaces is not None
        }

    @property
    def keep(self) -> int:
        """The cubes that a seat keeps when the priest asks for all in excess."""
        return self.file.limits.priest_keep.value

    @property
    def spell_limit(self) -> int:
        """How many spells a seat may hold."""
        return self.file.limits.spells_per_player.value

    def pattern(self, location: str) -> str:
        """The price at a castle location."""
        pattern = self.locations[location].pattern
        assert pattern is not None
        return pattern

    def in_play(self, *, short_game: bool, spells: bool) -> tuple[str, ...]:
        """The ids of the locations in play, in the order in which they are resolved (§3)."""
        return tuple(
            entry.id
            for entry in self.file.locations
            if not (short_game and entry.not_in_short_game) and (spells or entry.id != "wizard")
        )

    def required(self, *, short_game: bool) -> tuple[TileType, ...]:
        """The tiles that the Keymaster needs, in canonical order."""
        return tuple(
            tile.id
            for tile in self.file.tiles
            if (tile.required_in_short_game if short_game else tile.required)
        )


def parse(text: str) -> Components:
    """The components in the data file *text*.

    Raises:
        DataFileError: an entry has a wrong shape or breaks a rule of spec section 2.
    """
    file = parse_data(text, "keydom", DataFile)
    _check_fixed(file)
    for at, entry in enumerate(file.locations):
        _check_location(f"locations[{at}]", entry)
    _check_limits(file)
    for at, card in enumerate(file.spells):
        _check_card(f"spells[{at}]", card, file.spells[:at])
    return Components(file)


@lru_cache(maxsize=1)
def standard() -> str:
    """The text of the shipped data file."""
    return files(__package__).joinpath("data.yaml").read_text(encoding="utf-8")


def _require(entry: str, problem: str, *, holds: bool) -> None:
    if not holds:
        raise DataFileError(entry, problem)


def _same_ids(entry: str, found: Sequence[str], expected: Sequence[str]) -> None:
    _require(entry, f"must list exactly {', '.join(expected)}", holds=tuple(found) == tuple(expected))


def _check_fixed(file: DataFile) -> None:
    _same_ids("colours", [entry.id for entry in file.colours], COLOURS)
    for at, colour in enumerate(file.colours):
        _require(f"colours[{at}].location", f"must be {COUNTRY[at]}", holds=colour.location == COUNTRY[at])
    _same_ids("tiles", [tile.id for tile in file.tiles], TILES)
    for at, tile in enumerate(file.tiles):
        home = CASTLE[at]
        _require(f"tiles[{at}].location", f"must be {home}", holds=tile.location == home)
    _same_ids("locations", [entry.id for entry in file.locations], LOCATIONS)
    counters = file.counters
    _require("counters.numbers", "must be 1 to 9", holds=counters.numbers == NUMBERS)
    _require("counters.start_numbers", "must be 2 to 9", holds=counters.start_numbers == START_NUMBERS)
    _require("counters.side_numbers", "must be 1", holds=counters.side_numbers == NUMBERS[:1])
    total = len(COLOURS) * file.cubes.per_colour
    _require("cubes.total", f"must be {total}, five times per_colour", holds=file.cubes.total == total)


def _check_location(path: str, entry: LocationEntry) -> None:
    _require(f"{path}.order", "must count from 1", holds=entry.order == LOCATIONS.index(entry.id) + 1)
    region = REGIONS[entry.id]
    _require(f"{path}.region", f"must be {region}", holds=entry.region == region)
    if region == "country":
        _check_country(path, entry)
    else:
        _check_spaces(path, entry)
    for field, prices, kinds in _price_lists(entry):
        _same_ids(f"{path}.{field}", [kind for kind, _ in prices], kinds)
        for at, (_, pattern) in enumerate(prices):
            _check_pattern(f"{path}.{field}[{at}].pattern", pattern)
    if region == "castle":
        tile = TILES[CASTLE.index(entry.id)]
        _require(f"{path}.tile", f"must be {tile}", holds=entry.tile == tile)
        _check_pattern(f"{path}.pattern", entry.pattern or "")
    short = entry.id == "blacksmith"
    _require(f"{path}.not_in_short_game", f"must be {short}", holds=entry.not_in_short_game is short)


def _check_country(path: str, entry: LocationEntry) -> None:
    colour = COLOURS[COUNTRY.index(entry.id)]
    _require(f"{path}.colour", f"must be {colour}", holds=entry.colour == colour)
    supervisors = entry.supervisor_spaces
    one = supervisors is not None and supervisors.value == 1
    _require(f"{path}.supervisor_spaces", "must be 1", holds=one)
    _require(f"{path}.pair_spaces", "is missing", holds=entry.pair_spaces is not None)


def _check_spaces(path: str, entry: LocationEntry) -> None:
    spaces = entry.spaces
    _require(f"{path}.spaces", "is missing", holds=spaces is not None)
    single = (*TRACK_LOCATIONS, "chamber")
    one = spaces is not None and spaces.value == 1
    _require(f"{path}.spaces", "must be 1", holds=one or entry.id not in single)
    tracked = entry.id in TRACK_LOCATIONS
    has_track = entry.track_spaces is not None
    _require(f"{path}.track_spaces", "belongs to midwife and keywood", holds=has_track is tracked)


def _price_lists(
    entry: LocationEntry,
) -> tuple[tuple[str, list[tuple[str, str]], tuple[str, ...]], ...]:
    arrests = [(cost.target_region, cost.pattern) for cost in entry.arrest_costs]
    donations = [(price.kind, price.pattern) for price in entry.donations]
    thefts = [(price.kind, price.pattern) for price in entry.thefts]
    return (
        ("arrest_costs", list(arrests), ("town", "castle", "chamber") if entry.id == "soldiers" else ()),
        ("donations", list(donations), ("excess", "same", "any") if entry.id == "priest" else ()),
        ("thefts", list(thefts), ("cube", "tile") if entry.id == "outlaws" else ()),
    )


def _check_pattern(path: str, pattern: str) -> None:
    good = re.fullmatch(r"x{1,6}|[A-E]{1,60}", pattern) is not None
    _require(path, f"{pattern!r} must be 1 to 6 x, or letters A to E", holds=good)


def _check_limits(file: DataFile) -> None:
    by_id = {entry.id: entry for entry in file.locations}
    limits = file.limits
    wizard = by_id["wizard"].spaces
    assert wizard is not None
    same = limits.spell_market_spaces.value == wizard.value
    _require("limits.spell_market_spaces", "must be the number of spaces at the wizard", holds=same)
    one = limits.tiles_per_type_per_player.value == 1
    _require("limits.tiles_per_type_per_player", "must be 1", holds=one)
    for at, price in enumerate(by_id["priest"].donations):
        path = f"locations[{LOCATIONS.index('priest')}].donations[{at}]"
        keep = limits.priest_keep.value if price.kind == "excess" else None
        _require(f"{path}.keep", f"must be {keep}", holds=price.keep == keep)
        one_colour = price.kind != "same" or set(price.pattern) == {"A"}
        _require(f"{path}.pattern", "must be of one colour, all A", holds=one_colour)


def _check_card(path: str, card: SpellCard, before: Sequence[SpellCard]) -> None:
    fresh = all(card.id != other.id and card.number != other.number for other in before)
    _require(f"{path}.id", f"{card.id!r} or its number is used twice", holds=fresh)
    form = EFFECT_FORMS.get(card.effect)
    if form is None:
        raise DataFileError(f"{path}.effect", f"{card.effect!r} is not one of {', '.join(EFFECT_FORMS)}")
    windows = bool(card.windows) and set(card.windows) <= set(form.windows)
    allowed = ", ".join(form.windows)
    _require(f"{path}.windows", f"must be among {allowed} for {card.effect}", holds=windows)
    needed = f"must be {', '.join(form.regions) or 'left out'} for {card.effect}"
    _require(f"{path}.regions", needed, holds=card.regions == form.regions)
    fields = msgspec.structs.fields(SpellParams)
    names = {field.name for field in fields if getattr(card.params, field.name) is not None}
    needed = f"must be {', '.join(form.params) or 'empty'} for {card.effect}"
    _require(f"{path}.params", needed, holds=names == set(form.params))
