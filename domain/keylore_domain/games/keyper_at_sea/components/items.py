"""Counts of items by name, as they travel in moves and facts."""

from collections.abc import Iterable

import msgspec


class ItemCounts(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many of each item; zeros are left out (§2.1)."""

    log: int = 0
    clay: int = 0
    rock: int = 0
    wood: int = 0
    brick: int = 0
    stone: int = 0
    wheat: int = 0
    cow: int = 0
    horse: int = 0
    pig: int = 0
    sheep: int = 0
    chicken: int = 0
    deer: int = 0
    goat: int = 0
    boar: int = 0
    ruby: int = 0
    sapphire: int = 0
    emerald: int = 0
    gold: int = 0
    fish: int = 0
    crab: int = 0
    lobster: int = 0
    mussels: int = 0
    squid: int = 0
    pearl: int = 0
    treasure: int = 0


ITEM_NAMES = ItemCounts.__struct_fields__


def counts_of(names: Iterable[str]) -> ItemCounts:
    """How often each name stands in *names*."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return ItemCounts(**counts)
