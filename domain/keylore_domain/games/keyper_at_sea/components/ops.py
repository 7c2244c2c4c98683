"""The closed vocabulary of effects (keyper-at-sea §6.2): every activation is a list of these ops."""

from typing import Annotated, Literal

import msgspec

from keylore_domain.engine.facts import snake_case

Positive = Annotated[int, msgspec.Meta(ge=1)]
Names = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
Area = Literal["any", "farm", "village"]
BuildMode = Literal["printed", "discount", "fixed", "minus_one"]


class Op(msgspec.Struct, frozen=True, tag_field="op", tag=snake_case):
    """Base of all ops; the tag is the name in the data file."""


class Gain(Op, frozen=True):
    """E1: take up to *n* of one item from the supply."""

    item: str
    n: Positive


class GainOneOf(Op, frozen=True):
    """E2: *n* times choose an item; ``distinct``: none twice."""

    items: Names
    n: Positive
    distinct: bool = False


class Refine(Op, frozen=True):
    """E3: up to *n* times turn a raw material into its finished good."""

    of: Names
    n: Positive


class Exchange(Op, frozen=True):
    """E4: up to *n* times pay one item that fits the slot, gain *picks* items."""

    pay: tuple[str]
    get_one_of: Names
    picks: Positive
    distinct: bool
    n: Positive


class TakeTile(Op, frozen=True):
    """E5: up to *n* times take a tile; ``refresh``: lay out a new display first."""

    places: tuple[Literal["display", "discard"], ...] = msgspec.field(name="from")
    n: Positive
    refresh: bool = False


class Build(Op, frozen=True):
    """E6: build one tile."""

    mode: BuildMode
    area: Area
    cost: tuple[str, ...] = ()
    single_only: bool = False


class Upgrade(Op, frozen=True):
    """E7: upgrade one tile or store."""

    mode: BuildMode
    cost: tuple[str, ...] = ()
    single_only: bool = False


class Choose(Op, frozen=True):
    """E8: carry out one of several op lists, or none."""

    options: tuple[Annotated[tuple["AnyOp", ...], msgspec.Meta(min_length=1)], ...]


class BoatTake(Op, frozen=True):
    """E9: *n* times gain a cargo item of a regular boat in play."""

    n: Positive


class BoatShip(Op, frozen=True):
    """E10: up to *n* times use a ship offer of a regular boat in play."""

    n: Positive


class BoatWork(Op, frozen=True):
    """E11: one action of the boat on which the keyple stands (B5)."""


class Fish(Op, frozen=True):
    """E12: one fishing action (X5)."""


class FishMarket(Op, frozen=True):
    """E13: one fish market action (M2)."""


class TakeMarketTreasure(Op, frozen=True):
    """E14: take one of these from the market's treasure spaces (only inside M3)."""

    items: Names
    n: Positive


AnyOp = (
    Gain
    | GainOneOf
    | Refine
    | Exchange
    | TakeTile
    | Build
    | Upgrade
    | Choose
    | BoatTake
    | BoatShip
    | BoatWork
    | Fish
    | FishMarket
    | TakeMarketTreasure
)
