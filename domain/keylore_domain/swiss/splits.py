"""Splitting the entrants of a few tables anew in the best of all ways.

For tables of given sizes all ways are listed once; the cost of every possible group is worked out once per
call, so that a way costs two or three additions: 5,775 ways for three tables of four, 126 and 462 for two of
five and six.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from operator import add, itemgetter

from keylore_domain.swiss.problem import Group, Problem

_Getter = Callable[[Sequence[int]], tuple[int, ...]]


class Plan:
    """All ways to split ``sum(sizes)`` places into groups of *sizes* (two or three, large ones first).

    Groups of a size are numbered in the order of `combinations`; those of a smaller size follow.
    """

    def __init__(self, sizes: tuple[int, ...]) -> None:
        places = range(sum(sizes))
        self.sizes = sizes
        self.groups: list[Group] = []
        for size in sorted(set(sizes), reverse=True):
            self.groups += combinations(places, size)
        self._number = {group: at for at, group in enumerate(self.groups)}
        self._pairs = [
            (size, self._pair_getters(len(places), size)) for size in sorted(set(sizes), reverse=True)
        ]
        self.firsts = [self._completions(group) for group in self._canonical(tuple(places), sizes)]

    def best(self, problem: Problem, members: Group, limit: int) -> tuple[Group, ...] | None:
        """The cheapest way to split *members*, if it costs less than *limit*; the first one of equals."""
        costs = self._costs(problem, members)
        found, best = limit, None
        for number, seconds, thirds in self.firsts:
            spent = costs[number]
            if spent >= found:
                continue
            rests = list(map(add, seconds(costs), thirds(costs))) if thirds else list(seconds(costs))
            rest = min(rests)
            if spent + rest < found:
                found, best = spent + rest, (number, rests.index(rest))
        return None if best is None else self._chosen(members, *best)

    def _chosen(self, members: Group, number: int, way: int) -> tuple[Group, ...]:
        first = self.groups[number]
        rest = tuple(at for at in range(len(members)) if at not in first)
        others = list(_ways(rest, self.sizes[1:]))[way]
        return tuple(tuple(members[at] for at in group) for group in (first, *others))

    def _costs(self, problem: Problem, members: Group) -> list[int]:
        """The cost of every group."""
        costs: list[int] = []
        for size, getters in self._pairs:
            rows = problem.pairs(size)
            pairs = [rows[one][other] for one, other in combinations(members, 2)]
            costs += map(sum, zip(*(getter(pairs) for getter in getters), strict=True))
        return costs

    def _pair_getters(self, places: int, size: int) -> list[_Getter]:
        """For each pair of places in a group: where, for every group, its cost stands among all pairs."""
        number = {pair: at for at, pair in enumerate(combinations(range(places), 2))}
        inside = [
            [number[pair] for pair in combinations(group, 2)] for group in self.groups if len(group) == size
        ]
        return [_getter(column) for column in zip(*inside, strict=True)]

    def _canonical(self, places: Group, sizes: tuple[int, ...]) -> Iterator[Group]:
        """Every first group, but for those that only exchange tables of the same size."""
        same = sizes.count(sizes[0])
        for group in combinations(places, sizes[0]):
            if same == len(sizes) and places[0] not in group:
                continue
            yield group

    def _completions(self, group: Group) -> tuple[int, _Getter, _Getter | None]:
        rest = tuple(at for at in range(sum(self.sizes)) if at not in group)
        ways = list(_ways(rest, self.sizes[1:]))
        columns = [_getter([self._number[way[at]] for way in ways]) for at in range(len(self.sizes) - 1)]
        return self._number[group], columns[0], columns[1] if len(columns) > 1 else None


@lru_cache(maxsize=64)
def plan(sizes: tuple[int, ...]) -> Plan:
    """The plan for tables of these *sizes*."""
    return Plan(sizes)


def _ways(places: Group, sizes: tuple[int, ...]) -> Iterator[tuple[Group, ...]]:
    """Every way to split *places* into one or two groups, tables of the same size not exchanged."""
    if len(sizes) == 1:
        yield (places,)
        return
    for group in combinations(places, sizes[0]):
        if sizes[0] == sizes[1] and places[0] not in group:
            continue
        yield group, tuple(at for at in places if at not in group)


def _getter(places: Sequence[int]) -> _Getter:
    """What gives the values at *places*, always as a tuple."""
    if len(places) > 1:
        return itemgetter(*places)
    (place,) = places
    return lambda values: (values[place],)
