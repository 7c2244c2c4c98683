"""What a score line counts (keyper-at-sea §7 V5)."""

from typing import Literal

import msgspec

from keylore_domain.engine.facts import snake_case
from keylore_domain.games.keyper_at_sea.components.ops import Names, Positive


class Unit(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """Base of all units; the tag is the name in the data file."""


class Flat(Unit, frozen=True):
    """Always 1."""


class Housed(Unit, frozen=True):
    """Items of the kinds *points* that live in this tile."""

    points: Names


class HousedKinds(Unit, frozen=True):
    """Different kinds that live in this tile."""


class Items(Unit, frozen=True):
    """Items owned of the listed kinds."""

    items: Names


class ItemSet(Unit, frozen=True):
    """Complete sets of the listed items."""

    items: Names


class Tiles(Unit, frozen=True):
    """Uncovered tiles of an area that pass the filter."""

    area: Literal["any", "farm", "village"]
    filter: Literal["all", "upgraded", "no_keyple_icon"]
    on_board_only: bool = False


class TilePairs(Unit, frozen=True):
    """Pairs of a farm tile and a village tile."""


class Rows(Unit, frozen=True):
    """Rows of the area with a tile on each plot."""

    area: Literal["farm", "village"]


class ClaimedKeyples(Unit, frozen=True):
    """Keyples of one colour on the claimed board."""

    colour: str


class Fairs(Unit, frozen=True):
    """Fairs held, of one season or of any."""

    season: Literal["spring", "summer", "autumn", "winter", "any"]


class Shipping(Unit, frozen=True):
    """Points on the shipping track."""


class OverbuiltCountry(Unit, frozen=True):
    """Country tiles directly covered by a country tile (T13)."""


class Pearls(Unit, frozen=True):
    """Pearls declared as pearls (V7)."""


AnyUnit = (
    Flat
    | Housed
    | HousedKinds
    | Items
    | ItemSet
    | Tiles
    | TilePairs
    | Rows
    | ClaimedKeyples
    | Fairs
    | Shipping
    | OverbuiltCountry
    | Pearls
)


class Line(msgspec.Struct, frozen=True):
    """One score line: ``points`` for every ``per`` units, at most ``cap`` times (V3)."""

    unit: AnyUnit
    points: Positive
    per: Positive
    cap: Positive


class Lines(msgspec.Struct, frozen=True):
    """The score lines of the two states of a tile."""

    base: tuple[Line, ...]
    upgraded: tuple[Line, ...]
