"""Lower bounds: no way of filling the tables costs less, so a pairing that meets them is proved best."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

SPREAD_UNIT = (
    60  # divisible by every table size, so that tables of different size are weighed in whole numbers
)


def repeats_bound(met: Sequence[dict[int, int]], sizes: Sequence[int]) -> int:
    """The least sum of earlier meetings over all pairs that share a table.

    The greater of two bounds: all pairs of seats take the pairs of entrants that met least; and each entrant
    sits with the others whom it met least.
    """
    return max(_by_pairs(met, sizes), _by_entrants(met, min(sizes) - 1))


def spread_bound(scores: Sequence[int], sizes: Sequence[int]) -> int:
    """The least sum over tables of 60/size times the squared score differences of all pairs at the table.

    Tables of neighbours in order of score are best; what remains is the order of the two table sizes.

    Args:
        scores: of all who play, in falling order.
        sizes: of the tables, at most two different ones.
    """
    sums = (0, *accumulate(scores))
    squares = (0, *accumulate(score * score for score in scores))
    large, small = max(sizes), min(sizes)

    def block(start: int, size: int) -> int:
        total = sums[start + size] - sums[start]
        return SPREAD_UNIT // size * (size * (squares[start + size] - squares[start]) - total * total)

    larges = len(sizes) if large == small else sizes.count(large)
    best = {(0, 0): 0}
    for a in range(larges + 1):
        for b in range(len(sizes) - larges + 1):
            start = a * large + b * small
            ways = [best[a - 1, b] + block(start - large, large)] if a else []
            ways += [best[a, b - 1] + block(start - small, small)] if b else []
            best[a, b] = min(ways, default=0)
    return best[larges, len(sizes) - larges]


def _by_pairs(met: Sequence[dict[int, int]], sizes: Sequence[int]) -> int:
    pairs = sum(_pairs(size) for size in sizes)
    times = Counter(count for others in met for count in others.values())
    times = Counter({count: number // 2 for count, number in times.items()})
    times[0] = _pairs(len(met)) - sum(times.values())
    return _cheapest(times, pairs)


def _by_entrants(met: Sequence[dict[int, int]], others: int) -> int:
    total = 0
    for known in met:
        times = Counter(known.values())
        times[0] = len(met) - 1 - len(known)
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
