"""Lower bounds: no way of filling the tables costs less, so a pairing that meets them is proved best."""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import accumulate

from keylore_domain.swiss.problem import SPREAD_UNIT, Cost, Problem


def bound_of(problem: Problem) -> Cost:
    """What no tables for *problem* cost less than: each term as long as those before it are met."""
    forbidden = forbidden_bound(problem.forbidden, len(problem.sizes))
    others = problem.forbidden if any(problem.forbidden) else ()
    return Cost(
        forbidden=forbidden,
        repeats=repeats_bound(problem.met, problem.sizes, others, forbidden),
        odd=odd_bound(problem.odd, problem.sizes, problem.preferred),
        spread=spread_bound(problem.scores, problem.sizes),
    )


def forbidden_bound(forbidden: Sequence[Collection[int]], tables: int) -> int:
    """The fewest forbidden pairs at the tables.

    Of a group in which nobody may meet anybody, like the bots of one author, as many sit at one table as at
    any other.
    """
    total = 0
    for one, others in enumerate(forbidden):
        group = {one, *others}
        if one == min(group) and all({other, *forbidden[other]} == group for other in others):
            each, more = divmod(len(group), tables)
            total += more * _pairs(each + 1) + (tables - more) * _pairs(each)
    return total


def repeats_bound(
    met: Sequence[dict[int, int]],
    sizes: Sequence[int],
    forbidden: Sequence[Collection[int]] = (),
    unavoidable: int = 0,
) -> int:
    """The least sum of earlier meetings over all pairs that share a table.

    The greater of two bounds: all pairs of seats take the pairs of entrants that met least; and each entrant
    sits with the others whom it met least. Pairs that are *forbidden* are not taken, but for those that are
    *unavoidable*.
    """
    apart = forbidden or ((),) * len(met)
    by_entrants = 0 if unavoidable else _by_entrants(met, apart, min(sizes) - 1)
    return max(_by_pairs(met, apart, sum(_pairs(size) for size in sizes) - unavoidable), by_entrants)


def odd_bound(odd: Sequence[int], sizes: Sequence[int], preferred: int) -> int:
    """The least sum of *odd* over those who sit at tables of another size."""
    seats = sum(size for size in sizes if size != preferred)
    return sum(sorted(odd)[:seats])


def spread_bound(scores: Sequence[int], sizes: Sequence[int]) -> int:
    """The least sum over tables of 60/size times the squared score differences of all pairs at the table.

    Tables of neighbours in order of score are best; what remains is the order of the sizes.

    Args:
        scores: of all who play, in falling order.
        sizes: of the tables.
    """
    sums = (0, *accumulate(scores))
    squares = (0, *accumulate(score * score for score in scores))
    kinds = sorted(set(sizes), reverse=True)

    def block(start: int, size: int) -> int:
        total = sums[start + size] - sums[start]
        return SPREAD_UNIT // size * (size * (squares[start + size] - squares[start]) - total * total)

    best: dict[tuple[int, ...], int] = {(0,) * len(kinds): 0}
    for taken in _counts([sizes.count(kind) for kind in kinds]):
        end = sum(count * kind for count, kind in zip(taken, kinds, strict=True))
        ways = [
            best[(*taken[:at], taken[at] - 1, *taken[at + 1 :])] + block(end - kind, kind)
            for at, kind in enumerate(kinds)
            if taken[at]
        ]
        best[taken] = min(ways, default=0)
    return best[tuple(sizes.count(kind) for kind in kinds)]


def _counts(most: Sequence[int]) -> list[tuple[int, ...]]:
    """Every tuple of counts up to *most*, smaller ones first."""
    found: list[tuple[int, ...]] = [()]
    for limit in most:
        found = [(*start, count) for start in found for count in range(limit + 1)]
    return found


def _by_pairs(met: Sequence[dict[int, int]], apart: Sequence[Collection[int]], pairs: int) -> int:
    times: Counter[int] = Counter()
    for one, others in enumerate(met):
        times.update(count for other, count in others.items() if other > one and other not in apart[one])
    allowed = _pairs(len(met)) - sum(map(len, apart)) // 2
    times[0] = allowed - sum(times.values())
    return _cheapest(times, pairs)


def _by_entrants(met: Sequence[dict[int, int]], apart: Sequence[Collection[int]], others: int) -> int:
    total = 0
    for one, known in enumerate(met):
        times = Counter(count for other, count in known.items() if other not in apart[one])
        times[0] = len(met) - 1 - len(apart[one]) - sum(times.values())
        total += _cheapest(times, others)
    return (total + 1) // 2


def _cheapest(times: Counter[int], wanted: int) -> int:
    """The sum of the *wanted* smallest values; *times* says how often there is each value."""
    total = 0
    for count, number in sorted(times.items()):
        taken = min(number, wanted)
        total, wanted = total + count * taken, wanted - taken
    return total


@lru_cache(maxsize=64)
def _pairs(count: int) -> int:
    return count * (count - 1) // 2
