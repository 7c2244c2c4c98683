"""What a search for tables has to solve: who plays, at tables of which sizes, and what tables cost.

The cost of a set of tables is a vector, strictly in this order: forbidden meetings; repeats (earlier
meetings); clashes (tables of two both of whom need the same seat); odd (earlier tables of another size of
those who sit at such a table); spread (60/size times the squared score differences), each summed over all
pairs, or entrants, of a table. For the search the vector is one whole number, each term weighed above all
that follow it. With a ``repeat_cost`` a repeat is worth that much spread instead, and comes after odd tables.
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Final

import msgspec

SPREAD_UNIT: Final = 60  # divisible by every table size, and by every number of others at a table

Group = tuple[int, ...]


class Cost(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """What a table, or a whole round, costs; less is better, in this order.

    ``forbidden``: pairs at a table that must not meet. ``repeats``: earlier meetings, summed over all pairs
    at a table. ``clashes``: tables of two both of whom had the same seat two times more often than
    the other one. ``odd``: for those at a table of another than the preferred size, how often they sat at one
    before (or, as the terms say, how many stand below or above them). ``spread``: 60/size times the squared
    differences in half points of all pairs at a table.
    """

    forbidden: int = 0
    repeats: int
    clashes: int = 0
    odd: int = 0
    spread: int


class Problem:
    """What is to be seated: entrants 0 ... n-1, by falling score.

    Attributes:
        scores: half points of each.
        met: for each, how often it met whom.
        sizes: seats of each table.
        forbidden: for each, whom it must not meet.
        leans: for each, -1 or 1 if it needs one of the seats of a table of two, 0 if either will do.
        odd: for each, what it costs at a table of another than the preferred size.
        preferred: that size.
    """

    def __init__(
        self,
        scores: Sequence[int],
        met: Sequence[dict[int, int]],
        sizes: Sequence[int],
        *,
        forbidden: Sequence[Collection[int]] = (),
        leans: Sequence[int] = (),
        odd: Sequence[int] = (),
        preferred: int = 0,
        repeat_cost: int | None = None,
    ) -> None:
        self.scores = tuple(scores)
        self.met = tuple(met)
        self.sizes = tuple(sizes)
        self.forbidden = tuple(forbidden) or ((),) * len(scores)
        self.leans = tuple(leans) or (0,) * len(scores)
        self.odd = tuple(odd) or (0,) * len(scores)
        self.preferred = preferred or max(sizes)
        self._weigh(repeat_cost)
        self._tables: dict[int, list[list[int]]] = {}

    def _weigh(self, repeat_cost: int | None) -> None:
        """Give each term the weight that puts one above the most there can be of all that follow it."""
        reach = max(self.scores) - min(self.scores)
        below = SPREAD_UNIT // 4 * len(self.scores) * reach * reach  # the most spread there can be
        repeats = sum(sum(others.values()) for others in self.met) // 2
        if repeat_cost is not None:
            below += repeats * repeat_cost
        self.odd_weight = below + 1
        self.clash_weight = (sum(self.odd) + 1) * self.odd_weight
        leaning = sum(map(abs, self.leans)) if min(self.sizes) == 2 else 0
        above = (leaning // 2 + 1) * self.clash_weight
        self.repeat_weight = above if repeat_cost is None else repeat_cost
        self.forbidden_weight = above if repeat_cost is not None else (repeats + 1) * above

    def pairs(self, size: int) -> list[list[int]]:
        """What each entrant costs with each other at a table of *size* seats; nothing with itself."""
        if size not in self._tables:
            spreads = {score: self._spread(size, score) for score in sorted(set(self.scores))}
            self._tables[size] = [
                self._row(size, one, spreads[self.scores[one]]) for one in range(len(self.scores))
            ]
        return self._tables[size]

    def _spread(self, size: int, score: int) -> list[int]:
        unit = SPREAD_UNIT * (SPREAD_UNIT // size)
        return [unit * (score - other) ** 2 for other in self.scores]

    def _row(self, size: int, one: int, spread: list[int]) -> list[int]:
        row = spread[:]
        for other, times in self.met[one].items():
            row[other] += times * self.repeat_weight * SPREAD_UNIT
        for other in sorted(self.forbidden[one]):
            row[other] += self.forbidden_weight * SPREAD_UNIT
        if size == 2 and self.leans[one]:
            for other, lean in enumerate(self.leans):
                row[other] += SPREAD_UNIT * self.clash_weight * (lean == self.leans[one])
        if size != self.preferred and any(self.odd):
            # so divided that all pairs of a table add up to the odd cost of each entrant
            unit = self.odd_weight * (SPREAD_UNIT // max(size - 1, 1))
            row = [cost + unit * (self.odd[one] + other) for cost, other in zip(row, self.odd, strict=True)]
        row[one] = 0
        return row

    def cost(self, group: Group) -> int:
        """The cost of a table in one number: that of its vector, times `SPREAD_UNIT`."""
        pairs = self.pairs(len(group))
        return sum(pairs[one][other] for one, other in combinations(group, 2))

    def vector(self, group: Group) -> Cost:
        """The cost of a table, term by term."""
        pairs = tuple(combinations(group, 2))
        return Cost(
            forbidden=sum(other in self.forbidden[one] for one, other in pairs),
            repeats=sum(self.met[one].get(other, 0) for one, other in pairs),
            clashes=int(len(group) == 2 and sum(self.leans[one] for one in group) in {-2, 2}),
            odd=0 if len(group) == self.preferred else sum(self.odd[one] for one in group),
            spread=SPREAD_UNIT
            // len(group)
            * sum((self.scores[one] - self.scores[other]) ** 2 for one, other in pairs),
        )

    def weighed(self, cost: Cost) -> int:
        """A vector as the number that the search compares, on the scale of `cost`."""
        return SPREAD_UNIT * (
            cost.forbidden * self.forbidden_weight
            + cost.repeats * self.repeat_weight
            + cost.clashes * self.clash_weight
            + cost.odd * self.odd_weight
            + cost.spread
        )


def total(costs: Sequence[Cost]) -> Cost:
    """The sum of *costs*, term by term."""
    return Cost(
        forbidden=sum(cost.forbidden for cost in costs),
        repeats=sum(cost.repeats for cost in costs),
        clashes=sum(cost.clashes for cost in costs),
        odd=sum(cost.odd for cost in costs),
        spread=sum(cost.spread for cost in costs),
    )
