"""The types of the data file."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from keylore_domain.engine.data import Provenance
from keylore_domain.games.keydom.components.names import (
    Colour,
    DonationKind,
    Region,
    TheftKind,
    TileType,
    Window,
)

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
