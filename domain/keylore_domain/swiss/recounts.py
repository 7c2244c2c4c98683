"""The lower bounds of a round, worked out a second time for the check, in the plainest way."""

from collections.abc import Sequence
from itertools import combinations

from keylore_domain.swiss.history import History
from keylore_domain.swiss.problem import Cost


def recounted_bound(
    history: History, playing: Sequence[int], sizes: Sequence[int], odd: Sequence[int]
) -> Cost:
    """What tables of *sizes* for the entrants at *playing* cost at least.

    Args:
        odd: what each of them costs at a table of another size.
    """
    pairs = list(combinations(playing, 2))
    apart = set(history.forbidden) & set(pairs)
    met = {(first, second): times for first, second, times in history.meetings}
    forbidden = sum(_crowd(group, len(sizes)) for group in _cliques(playing, apart))
    open_pairs = [pair for pair in pairs if pair not in apart]
    seats = sum(size * (size - 1) // 2 for size in sizes) - forbidden
    repeats = sum(sorted(met.get(pair, 0) for pair in open_pairs)[:seats])
    if not forbidden:
        repeats = max(repeats, _each(playing, open_pairs, met, min(sizes) - 1))
    return Cost(
        forbidden=forbidden,
        repeats=repeats,
        odd=sum(sorted(odd)[: sum(size for size in sizes if size != history.table_size)]),
        spread=_blocks([history.entrants[at].paired_by for at in playing], sizes),
    )


def _cliques(playing: Sequence[int], apart: set[tuple[int, int]]) -> list[list[int]]:
    """The groups in which all are forbidden to meet each other, and nobody to meet anybody else."""
    found, seen = [], set[int]()
    for one in playing:
        if one in seen or not any(one in pair for pair in apart):
            continue
        group = [other for other in playing if other == one or (min(one, other), max(one, other)) in apart]
        seen.update(group)
        inside = {pair for pair in apart if set(pair) & set(group)}
        if inside == set(combinations(group, 2)):
            found.append(group)
    return found


def _crowd(group: Sequence[int], tables: int) -> int:
    """The fewest pairs of *group* at one table: they sit down one by one at the emptiest."""
    seated = [0] * tables
    pairs = 0
    for _ in group:
        emptiest = seated.index(min(seated))
        pairs += seated[emptiest]
        seated[emptiest] += 1
    return pairs


def _each(
    playing: Sequence[int], pairs: Sequence[tuple[int, int]], met: dict[tuple[int, int], int], others: int
) -> int:
    """Half of what all pay who sit with those they met least, rounded up."""
    times: dict[int, list[int]] = {one: [] for one in playing}
    for pair in pairs:
        for one in pair:
            times[one].append(met.get(pair, 0))
    total = sum(sum(sorted(own)[:others]) for own in times.values())
    return -(-total // 2)


def _blocks(points: Sequence[int], sizes: Sequence[int]) -> int:
    """The least spread of tables of neighbours, over every order of the sizes."""
    kinds = sorted(set(sizes))
    costs = {tuple(sizes.count(kind) for kind in kinds): 0}  # tables that are left -> spread so far
    for _ in sizes:
        following: dict[tuple[int, ...], int] = {}
        for left, cost in costs.items():
            start = len(points) - sum(count * kind for count, kind in zip(left, kinds, strict=True))
            for at, kind in enumerate(kinds):
                if left[at]:
                    after = (*left[:at], left[at] - 1, *left[at + 1 :])
                    table = points[start : start + kind]
                    spread = sum((one - other) ** 2 for one, other in combinations(table, 2)) * 60 // kind
                    following[after] = min(following.get(after, cost + spread), cost + spread)
        costs = following
    return min(costs.values())
