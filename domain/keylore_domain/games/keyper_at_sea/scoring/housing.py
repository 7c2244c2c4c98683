"""Where animals, fish and sea creatures live (keyper-at-sea §6.12)."""

from collections.abc import Sequence
from typing import Final

from keylore_domain.games.keyper_at_sea.components.parts import Parts
from keylore_domain.games.keyper_at_sea.state.position import Household

LIVING: Final = ("animal", "fish", "creature")
Houses = Sequence[tuple[int, ...]]


def houses_of(parts: Parts, household: Household) -> list[tuple[int, ...]]:
    """For each uncovered tile with houses the kinds it takes, by item number (A1)."""
    return [
        tuple(parts.item[name] for name in parts.tiles[plot.stack[-1]].houses)
        for plot in household.plots
        if plot.stack and parts.tiles[plot.stack[-1]].houses
    ]


def homeless(parts: Parts, household: Household) -> int:
    """How many items stay without a house under the best assignment (A3)."""
    return _homeless(parts, houses_of(parts, household), household.items)


def losable(parts: Parts, household: Household) -> list[int]:
    """The kinds of which giving up one lowers the number of homeless items (A4)."""
    houses, items = houses_of(parts, household), household.items
    deficit = _homeless(parts, houses, items)
    return [
        kind
        for group in LIVING
        for kind in parts.groups[group]
        if items[kind]
        and _homeless(parts, houses, (*items[:kind], items[kind] - 1, *items[kind + 1 :])) < deficit
    ]


def _homeless(parts: Parts, houses: Houses, items: Sequence[int]) -> int:
    capacity = parts.constants.house_capacity.value
    rooms: list[list[int]] = [[] for _ in houses]
    living = [kind for group in LIVING for kind in parts.groups[group] for _ in range(items[kind])]
    return sum(not _moved_in(kind, houses, rooms, capacity, set()) for kind in living)


def _moved_in(kind: int, houses: Houses, rooms: list[list[int]], capacity: int, tried: set[int]) -> bool:
    """Find room for one more item, moving others to other houses where that helps."""
    for at, kinds in enumerate(houses):
        if kind not in kinds or at in tried:
            continue
        tried.add(at)
        if len(rooms[at]) < capacity:
            rooms[at].append(kind)
            return True
        for other in sorted(set(rooms[at]) - {kind}):
            if _moved_in(other, houses, rooms, capacity, tried):
                rooms[at].remove(other)
                rooms[at].append(kind)
                return True
    return False
