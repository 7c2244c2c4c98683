"""Who sits together: a search that is deterministic, bounded, and uses whole numbers only.

The cost of a set of tables is, strictly in this order, R: the sum of earlier meetings over all pairs at a
table, and S: the sum over tables of 60/size times the squared score differences of all pairs. Both stand in
one number, R * weight + S, with a weight above every possible S.

Tables of neighbours in order of score come first. Then, again and again, two tables are taken together and
split anew in the best way (every way is tried for up to 8 seats, or up to 4 tables; else every swap),
until no two tables get better. Then three entrants at a time are moved round three tables chosen by lot,
the same descent follows, and what is not worse is kept.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from keylore_domain.engine.chance import Chance
from keylore_domain.swiss.bounds import SPREAD_UNIT

Group = tuple[int, ...]
Split = tuple[Group, Group, Group]

WINDOW: Final = 12  # a table is taken together with this many tables on each side
KICKS: Final = 40
_SEATS: Final = 8  # two tables with no more seats than this are split in every way,
_TABLES: Final = 4  # and larger ones if there are no more tables than this


class Problem:
    """What is to be seated: entrants 0 ... n-1, by falling score.

    Attributes:
        scores: half points of each.
        met: for each, how often it met whom.
        sizes: seats of each table.
        weight: what one repeat meeting costs.
    """

    def __init__(self, scores: Sequence[int], met: Sequence[dict[int, int]], sizes: Sequence[int]) -> None:
        self.scores = tuple(scores)
        self.met = tuple(met)
        self.sizes = tuple(sizes)
        reach = max(scores) - min(scores)
        self.weight = SPREAD_UNIT * len(scores) * max(sizes) * reach * reach + 1

    def pairs(self, members: Group, size: int) -> list[int]:
        """The costs of all pairs of *members* at a table of *size* seats, in the order of `combinations`."""
        scores, met, weight, factor = self.scores, self.met, self.weight, SPREAD_UNIT // size
        return [  # written out: most of the time of a pairing is spent here
            weight * met[a].get(b, 0) + factor * (scores[a] - scores[b]) ** 2
            for a, b in combinations(members, 2)
        ]

    def cost(self, group: Group) -> int:
        """The cost of a table."""
        return sum(self.pairs(group, len(group)))


def arrange(problem: Problem, chance: Chance, enough: int) -> tuple[Group, ...]:
    """The tables found for *problem*, each in rising order; stops early at a total cost of *enough*."""
    search = _Search(problem, _blocks(problem.sizes))
    search.descend(range(len(search.groups)))
    tables = len(search.groups)
    for _ in range(KICKS if tables > 1 else 0):
        if search.total <= enough:
            break
        before = list(search.groups), list(search.costs)
        total = search.total
        search.descend(search.kick(chance))
        if search.total > total:
            search.groups, search.costs = before
    return tuple(search.groups)


class _Search:
    def __init__(self, problem: Problem, groups: list[Group]) -> None:
        self.problem = problem
        self.groups = groups
        self.costs = [problem.cost(group) for group in groups]

    @property
    def total(self) -> int:
        return sum(self.costs)

    def descend(self, changed: Sequence[int]) -> None:
        """Split pairs of tables anew, beginning with those that *changed*, until none gets better.

        Ends, because every change lowers the total cost.
        """
        waiting = sorted(changed)
        while waiting:
            again: set[int] = set()
            for first, second in _neighbours(waiting, len(self.groups)):
                if self._split_anew(first, second):
                    again |= {first, second}
            waiting = sorted(again)

    def kick(self, chance: Chance) -> list[int]:
        """Move one entrant each from table to table round two or three tables chosen by lot."""
        tables = len(self.groups)
        start = chance.below("kick.table", tables)
        span = min(tables, 1 + 2 * WINDOW)
        chosen = chance.shuffled("kick.others", range(1, span))[:2]
        ring = [start, *((start + step) % tables for step in chosen)]
        movers = [self.groups[at][chance.below("kick.entrant", len(self.groups[at]))] for at in ring]
        for place, at in enumerate(ring):
            stay = tuple(entrant for entrant in self.groups[at] if entrant != movers[place])
            self._put(at, (*stay, movers[place - 1]))
        return ring

    def _split_anew(self, first: int, second: int) -> bool:
        old = self.costs[first] + self.costs[second]
        if old == 0:
            return False
        left, right = self.groups[first], self.groups[second]
        members = left + right
        table = self._pair_costs(members, len(left), len(right))
        found, best = old, None
        every = len(members) <= _SEATS or len(self.groups) <= _TABLES
        for split in _splits(len(left), len(right), every):
            cost = sum(map(table.__getitem__, split[2]))
            if cost < found:
                found, best = cost, split
        if best is None:
            return False
        self._put(first, tuple(members[at] for at in best[0]))
        self._put(second, tuple(members[at] for at in best[1]))
        return True

    def _pair_costs(self, members: Group, left: int, right: int) -> list[int]:
        """The costs of all pairs of *members* at the left table, then of all at the right one."""
        one = self.problem.pairs(members, left)
        return one + (one if left == right else self.problem.pairs(members, right))

    def _put(self, table: int, group: Group) -> None:
        self.groups[table] = tuple(sorted(group))
        self.costs[table] = self.problem.cost(group)


def _blocks(sizes: Sequence[int]) -> list[Group]:
    groups, start = [], 0
    for size in sizes:
        groups.append(tuple(range(start, start + size)))
        start += size
    return groups


def _neighbours(changed: Sequence[int], tables: int) -> Iterator[tuple[int, int]]:
    """Every pair of tables within the window of which one *changed*, each once."""
    marked = set(changed)
    for at in changed:
        for other in range(max(0, at - WINDOW), min(tables, at + WINDOW + 1)):
            if other > at or (other < at and other not in marked):
                yield min(at, other), max(at, other)


@lru_cache(maxsize=32)
def _splits(left: int, right: int, every: bool) -> tuple[Split, ...]:
    """The ways to split ``left + right`` places: both groups, and where `_pair_costs` has their pairs."""
    everyone = range(left + right)
    ways = combinations(everyone, left) if every else _swaps(left, right)
    found = []
    for group in ways:
        rest = tuple(at for at in everyone if at not in group)
        twice = every and left == right and 0 not in group
        if not twice:
            found.append((group, rest, _places(group, rest, left + right)))
    return tuple(found)


def _swaps(left: int, right: int) -> Iterator[Group]:
    for out in range(left):
        for come in range(left, left + right):
            yield (*(at for at in range(left) if at != out), come)


def _places(group: Group, rest: Group, width: int) -> Group:
    place = {pair: at for at, pair in enumerate(combinations(range(width), 2))}
    one = [place[pair] for pair in combinations(sorted(group), 2)]
    return (*one, *(len(place) + place[pair] for pair in combinations(rest, 2)))
