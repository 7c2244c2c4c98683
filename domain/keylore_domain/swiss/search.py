"""Who sits together: a search that is deterministic, bounded, and uses whole numbers only.

Tables of neighbours in order of score come first. Entrants are exchanged between near tables as long as that
makes the total cheaper. Then a fixed number of exchanges drawn by lot is tried, of which those are made that
cost less than a threshold which sinks to nothing; then two or three tables at a time are split anew in the
best of all ways, until that gains nothing. The best of a few such starts is the result.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

import msgspec

from keylore_domain.swiss.problem import SPREAD_UNIT, Group, Problem
from keylore_domain.swiss.splits import plan
from keylore_domain.swiss.stream import Stream

_WINDOW: Final = 12  # exchanges go this many tables up or down
_TRIPLES: Final = 4  # tables up to this size are split anew by threes, larger ones by twos


class Effort(msgspec.Struct, frozen=True):
    """How much is tried: starts, exchanges by lot in each, and how far apart tables split anew may be.

    ``hot``: exchanges by lot begin with whatever costs less than a repeat meeting. That leads far away, from
    where only a small field finds back to tables of near score.
    """

    starts: int
    moves: int
    reach: int
    hot: bool = False


_EFFORTS: Final = (  # up to so many entrants
    (20, Effort(6, 800, 20, hot=True)),
    (28, Effort(12, 1_500, 28, hot=True)),
    (32, Effort(24, 1_500, 32, hot=True)),
    (48, Effort(10, 1_500, 12, hot=True)),
    (100, Effort(4, 3_000, 8)),
    (400, Effort(2, 4_000, 2)),
)
_LARGE: Final = Effort(1, 4_000, 2)


def effort(entrants: int) -> Effort:
    """What is tried for this many *entrants*: the fewer, the more."""
    return next((tried for limit, tried in _EFFORTS if entrants <= limit), _LARGE)


def arrange(
    problem: Problem, lots: Callable[[int], Stream], enough: int, tried: Effort | None = None
) -> tuple[Group, ...]:
    """The tables found for *problem*, each in rising order; stops early at a total cost of *enough*.

    Args:
        lots: gives the stream of start number 0, 1, ...
        tried: how much to try, by default what `effort` says.
    """
    chosen = effort(len(problem.scores)) if tried is None else tried
    first = _Search(problem, _blocks(problem.sizes))
    first.exchange()
    best = _Search(problem, first.groups)
    best.split_anew(chosen.reach)
    for number in range(0 if best.splits_all else chosen.starts):
        if best.total <= enough:
            break
        search = _Search(problem, first.groups)
        search.wander(lots(number), chosen)
        search.exchange()
        search.split_anew(chosen.reach)
        if search.total < best.total:
            best = search
    return tuple(tuple(sorted(group)) for group in best.groups)


class _Search:
    """Tables that get better."""

    def __init__(self, problem: Problem, groups: Sequence[Group]) -> None:
        self.problem = problem
        self.groups = list(groups)
        self.costs = [problem.cost(group) for group in groups]

    @property
    def total(self) -> int:
        return sum(self.costs)

    @property
    def by_threes(self) -> bool:
        """Whether tables are split anew by threes."""
        return max(self.problem.sizes) <= _TRIPLES and len(self.groups) > 2

    @property
    def splits_all(self) -> bool:
        """Whether every way to fill the tables is tried at once."""
        return len(self.groups) <= (3 if self.by_threes else 2)

    def exchange(self) -> None:
        """Exchange entrants of two near tables, until that gains nothing."""
        self._settle(2, _WINDOW, self._exchange)

    def split_anew(self, reach: int) -> None:
        """Split two or three near tables anew, until that gains nothing."""
        self._settle(3 if self.by_threes else 2, reach, self._split_anew)

    def wander(self, stream: Stream, tried: Effort) -> None:
        """Try exchanges by lot; the threshold sinks with each."""
        tables, moves = len(self.groups), tried.moves
        span = min(_WINDOW, tables - 1)
        top = self._threshold(hot=tried.hot)
        for left in range(moves, 0, -1):
            first = stream.below(tables)
            second = (first + 1 + stream.below(span)) % tables
            one = stream.below(len(self.groups[first]))
            other = stream.below(len(self.groups[second]))
            if self._gain(first, second, one, other) < top * left // moves:
                self._swap(first, second, one, other)

    def _threshold(self, *, hot: bool) -> int:
        """What one repeat meeting costs; else four times what a pair at a table does, if that is less."""
        repeat = SPREAD_UNIT * self.problem.repeat_weight
        pairs = sum(size * (size - 1) // 2 for size in self.problem.sizes)
        return repeat if hot else min(4 * self.total // max(pairs, 1), repeat)

    def _settle(self, tables: int, reach: int, change: Callable[[Group], bool]) -> None:
        """Apply *change* to *tables* near tables, again round those that it changed, until it changes none.

        Ends, because every change lowers the total cost.
        """
        waiting: Sequence[int] = range(len(self.groups))
        while waiting:
            again: set[int] = set()
            for near in _near(waiting, len(self.groups), tables, reach):
                if change(near):
                    again.update(near)
            waiting = sorted(again)

    def _exchange(self, tables: Group) -> bool:
        """Exchange the two entrants of two tables that gain most by it; whether any did."""
        first, second = tables
        if self.costs[first] == 0 == self.costs[second]:
            return False
        left, right = self.groups[first], self.groups[second]
        at_left, at_right = self.problem.pairs(len(left)), self.problem.pairs(len(right))
        leave = [_moved(at_left[one], left, at_right[one], right) for one in left]
        come = [_moved(at_right[one], right, at_left[one], left) for one in right]
        best, a, b = min(
            (leave[a] + come[b] - at_right[one][other] - at_left[other][one], a, b)
            for a, one in enumerate(left)
            for b, other in enumerate(right)
        )
        if best < 0:
            self._swap(first, second, a, b)
        return best < 0

    def _gain(self, first: int, second: int, a: int, b: int) -> int:
        """What it costs to exchange two entrants."""
        left, right = self.groups[first], self.groups[second]
        one, other = left[a], right[b]
        at_left, at_right = self.problem.pairs(len(left)), self.problem.pairs(len(right))
        return (
            _moved(at_left[one], left, at_right[one], right)
            + _moved(at_right[other], right, at_left[other], left)
            - at_right[one][other]
            - at_left[other][one]
        )

    def _swap(self, first: int, second: int, a: int, b: int) -> None:
        left, right = self.groups[first], self.groups[second]
        self._put(first, (*left[:a], right[b], *left[a + 1 :]))
        self._put(second, (*right[:b], left[a], *right[b + 1 :]))

    def _split_anew(self, tables: Group) -> bool:
        """Split tables in the best of all ways; whether that is better."""
        order = sorted(tables, key=lambda at: (-len(self.groups[at]), at))
        groups = [self.groups[at] for at in order]
        members = tuple(sorted(member for group in groups for member in group))
        old = sum(self.costs[at] for at in order)
        found = plan(tuple(map(len, groups))).best(self.problem, members, old) if old else None
        if found is None:
            return False
        for at, group in zip(order, sorted(found, key=lambda group: (-len(group), group)), strict=True):
            self._put(at, group)
        return True

    def _put(self, table: int, group: Group) -> None:
        self.groups[table] = group
        self.costs[table] = self.problem.cost(group)


def _moved(old_row: list[int], old: Group, new_row: list[int], new: Group) -> int:
    """What it costs more to sit with all of *new* than with all of *old*."""
    return sum([new_row[other] for other in new]) - sum([old_row[other] for other in old])


def _blocks(sizes: Sequence[int]) -> list[Group]:
    groups, start = [], 0
    for size in sizes:
        groups.append(tuple(range(start, start + size)))
        start += size
    return groups


def _near(changed: Iterable[int], tables: int, together: int, reach: int) -> Iterator[Group]:
    """Every *together* tables within *reach* of each other of which one *changed*, each once."""
    marked = set(changed)
    for first in range(tables):
        others = range(first + 1, min(tables, first + reach + 1))
        if first not in marked and marked.isdisjoint(others):
            continue
        for rest in combinations(others, together - 1):
            if first in marked or not marked.isdisjoint(rest):
                yield (first, *rest)
