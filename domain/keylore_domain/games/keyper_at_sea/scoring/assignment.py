"""The best assignment of items to houses at the end of the game (keyper-at-sea §7 V6)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from keylore_domain.games.keyper_at_sea.components import units
from keylore_domain.games.keyper_at_sea.components.parts import Parts
from keylore_domain.games.keyper_at_sea.state.position import Household, Plot

Counts = tuple[int, ...]


class House(NamedTuple):
    """A tile that houses: for each useful kind the most of it that can count, and its score lines."""

    most: tuple[tuple[int, int], ...]
    lines: tuple[units.Line, ...]


def housing_points(parts: Parts, household: Household) -> int:
    """The most points that all ``housed`` and ``housed_kinds`` lines of a seat can score together."""
    houses = sorted(_houses(parts, household), key=lambda house: (-(len(house.most) > 4), house.most))
    best = {household.items: 0}
    for at, house in enumerate(houses):
        later = [
            sum(dict(other.most).get(kind, 0) for other in houses[at + 1 :])
            for kind in range(len(parts.items))
        ]
        best = _after(parts, house, later, best)
    return max(best.values())


def _after(parts: Parts, house: House, later: Sequence[int], before: dict[Counts, int]) -> dict[Counts, int]:
    """For all that may be left for the later houses the most points up to *house*."""
    best: dict[Counts, int] = {}
    for items, points in before.items():
        for housed in _fillings(house.most, items, parts.constants.house_capacity.value):
            rest = list(items)
            for kind, n in housed.items():
                rest[kind] -= n
            left = tuple(map(min, rest, later))
            best[left] = max(best.get(left, 0), points + _line_points(parts, house.lines, housed))
    return best


def _houses(parts: Parts, household: Household) -> Iterator[House]:
    for plot in household.plots:
        lines = tuple(
            line for line in _lines(parts, plot) if isinstance(line.unit, units.Housed | units.HousedKinds)
        )
        if lines:
            yield House(tuple(_most(parts, plot, lines)), lines)


def _lines(parts: Parts, plot: Plot) -> tuple[units.Line, ...]:
    if not plot.stack:
        return ()
    score = parts.tiles[plot.stack[-1]].score
    return score.upgraded if plot.upgraded else score.base


def _most(parts: Parts, plot: Plot, lines: Sequence[units.Line]) -> Iterator[tuple[int, int]]:
    capacity = parts.constants.house_capacity.value
    for name in sorted(parts.tiles[plot.stack[-1]].houses, key=parts.item.__getitem__):
        counted = [line.unit for line in lines if isinstance(line.unit, units.Housed)]
        if any(name in unit.points for unit in counted):
            yield parts.item[name], capacity
        elif len(counted) < len(lines):
            yield parts.item[name], 1


def _fillings(most: Sequence[tuple[int, int]], items: Counts, room: int) -> Iterator[dict[int, int]]:
    if not most:
        yield {}
        return
    (kind, limit), *others = most
    for n in range(min(limit, items[kind], room) + 1):
        for filling in _fillings(others, items, room - n):
            yield {kind: n, **filling} if n else filling


def _line_points(parts: Parts, lines: Sequence[units.Line], housed: dict[int, int]) -> int:
    total = 0
    for line in lines:
        if isinstance(line.unit, units.Housed):
            found = sum(housed.get(parts.item[name], 0) for name in line.unit.points)
        else:
            found = len(housed)
        total += line.points * min(line.cap, found // line.per)
    return total
