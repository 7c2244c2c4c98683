"""The search and its bounds against every way of filling the tables."""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import combinations

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from keylore_domain.engine.chance import LiveChance
from keylore_domain.swiss.bounds import repeats_bound, spread_bound
from keylore_domain.swiss.search import Group, Problem, arrange

KEY = bytes(32)


def partitions(members: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[Group, ...]]:
    """Every way to fill tables of these sizes."""
    if not sizes:
        yield ()
        return
    rest_sizes = sizes[1:]
    for group in combinations(members, sizes[0]):
        if sizes.count(sizes[0]) == len(sizes) and members[0] not in group:
            continue  # tables of one size have no order
        left = tuple(member for member in members if member not in group)
        for others in partitions(left, rest_sizes):
            yield (group, *others)


def best_cost(problem: Problem) -> int:
    """The least cost over every way of filling the tables."""
    members = tuple(range(len(problem.scores)))
    costs = {
        group: problem.cost(group) for size in set(problem.sizes) for group in combinations(members, size)
    }
    return min(sum(costs[group] for group in way) for way in partitions(members, problem.sizes))


def problem_of(scores: list[int], times: list[int], sizes: tuple[int, ...]) -> Problem:
    """Entrants with these scores; *times* says how often each pair has met."""
    met: list[dict[int, int]] = [{} for _ in scores]
    for (first, second), count in zip(combinations(range(len(scores)), 2), times, strict=True):
        if count:
            met[first][second] = met[second][first] = count
    return Problem(sorted(scores, reverse=True), met, sizes)


@st.composite
def problems(draw: st.DrawFn, sizes: tuple[int, ...]) -> Problem:
    count = sum(sizes)
    pairs = count * (count - 1) // 2
    scores = draw(st.lists(st.integers(0, 12), min_size=count, max_size=count))
    times = draw(st.lists(st.sampled_from((0, 0, 1, 1, 2)), min_size=pairs, max_size=pairs))
    return problem_of(scores, times, sizes)


def drawn(number: int, sizes: tuple[int, ...]) -> Problem:
    """Problem *number* of a fixed series; from problem to problem more pairs have met."""
    chance = LiveChance(hashlib.sha256(str(number).encode()).digest())
    count = sum(sizes)
    scores = [chance.below("score", 13) for _ in range(count)]
    times = [max(0, chance.below("met", 4 + number % 7) - 3) for _ in combinations(range(count), 2)]
    return problem_of(scores, times, sizes)


def total(problem: Problem, groups: Iterable[Group]) -> int:
    return sum(problem.cost(group) for group in groups)


SIZES = [(2, 2, 2, 2), (3, 3, 3), (4, 4), (4, 3), (5, 4), (3, 2, 2), (4, 3, 3)]


@pytest.mark.slow
@pytest.mark.parametrize("sizes", SIZES)
def test_with_few_tables_no_way_of_filling_them_is_better_than_the_one_found(sizes: tuple[int, ...]) -> None:
    for number in range(14):
        problem = drawn(number, sizes)

        found = arrange(problem, LiveChance(KEY), 0)

        assert total(problem, found) == best_cost(problem)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", SIZES)
@settings(max_examples=10, deadline=None, phases=[Phase.generate])
@given(data=st.data())
def test_no_way_of_filling_the_tables_is_below_the_bounds(
    sizes: tuple[int, ...], data: st.DataObject
) -> None:
    problem = data.draw(problems(sizes))
    unmet = Problem(problem.scores, [{} for _ in problem.scores], sizes)

    assert repeats_bound(problem.met, sizes) <= best_cost(problem) // problem.weight
    assert spread_bound(problem.scores, sizes) == best_cost(unmet)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_search_keeps_sizes_and_seats_everybody_once(data: st.DataObject) -> None:
    sizes = data.draw(st.sampled_from([(6, 6, 5), (5, 5), (4,), (2, 2), (6, 6)]))
    problem = data.draw(problems(sizes))

    found = arrange(problem, LiveChance(KEY), 0)

    assert tuple(len(group) for group in found) == sizes
    assert sorted(member for group in found for member in group) == list(range(sum(sizes)))


def test_the_weight_puts_one_repeat_above_the_worst_spread() -> None:
    scores = (100, 100, 100, 0, 0, 0)
    problem = Problem(scores, [{} for _ in scores], (6,))

    assert problem.weight > problem.cost((0, 1, 2, 3, 4, 5))


def test_the_search_stops_at_what_is_proved_to_be_enough() -> None:
    scores = (4, 4, 0, 0)
    problem = Problem(scores, [{} for _ in scores], (2, 2))
    chance = LiveChance(KEY)

    found = arrange(problem, chance, 0)

    assert found == ((0, 1), (2, 3))
    assert chance.draws == []


def test_repeats_are_bounded_by_entrant_where_pairs_alone_say_nothing() -> None:
    """Entrant 0 has met all five others; there are fresh pairs enough, but none for it."""
    met: list[dict[int, int]] = [dict.fromkeys(range(1, 6), 1), *({0: 1} for _ in range(5))]

    assert repeats_bound(met, (2, 2, 2)) == 1
