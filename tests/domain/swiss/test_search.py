"""The search and its bounds against every way of filling the tables."""

import hashlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from keylore_domain.engine.chance import LiveChance
from keylore_domain.swiss.bounds import bound_of, forbidden_bound, repeats_bound, spread_bound
from keylore_domain.swiss.problem import SPREAD_UNIT, Cost, Group, Problem
from keylore_domain.swiss.problem import total as summed
from keylore_domain.swiss.search import Effort, arrange, effort
from keylore_domain.swiss.splits import plan
from keylore_domain.swiss.stream import Stream

DATA = Path(__file__).parent / "data"
LITTLE = Effort(1, 50, 2)


def lots(start: int) -> Stream:
    return Stream(f"lots {start}")


@lru_cache(maxsize=32)
def partitions(members: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[tuple[Group, ...], ...]:
    """Every way to fill tables of these sizes."""
    return tuple(_partitions(members, sizes))


def _partitions(members: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[Group, ...]]:
    if not sizes:
        yield ()
        return
    rest_sizes = sizes[1:]
    for group in combinations(members, sizes[0]):
        if sizes.count(sizes[0]) == len(sizes) and members[0] not in group:
            continue  # tables of one size have no order
        left = tuple(member for member in members if member not in group)
        for others in _partitions(left, rest_sizes):
            yield (group, *others)


def best_cost(problem: Problem) -> Cost:
    """The least cost over every way of filling the tables."""
    members = tuple(range(len(problem.scores)))
    costs = {
        group: problem.cost(group) for size in set(problem.sizes) for group in combinations(members, size)
    }
    ways = partitions(members, problem.sizes)
    best = min(ways, key=lambda way: sum(costs[group] for group in way))
    return summed([problem.vector(group) for group in best])


def problem_of(scores: list[int], times: list[int], sizes: tuple[int, ...], **more: Any) -> Problem:
    """Entrants with these scores; *times* says how often each pair has met."""
    met: list[dict[int, int]] = [{} for _ in scores]
    for (first, second), count in zip(combinations(range(len(scores)), 2), times, strict=True):
        if count:
            met[first][second] = met[second][first] = count
    return Problem(sorted(scores, reverse=True), met, sizes, **more)


def apart(count: int, pairs: Iterable[tuple[int, int]]) -> list[set[int]]:
    """For each entrant whom it must not meet."""
    found: list[set[int]] = [set() for _ in range(count)]
    for first, second in pairs:
        found[first].add(second)
        found[second].add(first)
    return found


@st.composite
def problems(draw: st.DrawFn, sizes: tuple[int, ...]) -> Problem:
    count = sum(sizes)
    pairs = list(combinations(range(count), 2))
    scores = draw(st.lists(st.integers(0, 12), min_size=count, max_size=count))
    times = draw(st.lists(st.sampled_from((0, 0, 1, 1, 2)), min_size=len(pairs), max_size=len(pairs)))
    forbidden = draw(st.lists(st.sampled_from(pairs), max_size=6, unique=True))
    odd = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    leans = draw(st.lists(st.sampled_from((-1, 0, 0, 1)), min_size=count, max_size=count))
    return problem_of(
        scores, times, sizes, forbidden=apart(count, forbidden), odd=odd, leans=leans, preferred=max(sizes)
    )


def drawn(number: int, sizes: tuple[int, ...], **more: Any) -> Problem:
    """Problem *number* of a fixed series; from problem to problem more pairs have met."""
    chance = LiveChance(hashlib.sha256(str(number).encode()).digest())
    count = sum(sizes)
    scores = [chance.below("score", 13) for _ in range(count)]
    times = [max(0, chance.below("met", 4 + number % 7) - 3) for _ in combinations(range(count), 2)]
    return problem_of(scores, times, sizes, **more)


def found_cost(problem: Problem, tried: Effort | None = None) -> Cost:
    return summed([problem.vector(group) for group in arrange(problem, lots, 0, tried)])


SIZES = [(2, 2, 2, 2), (3, 3, 3), (4, 4), (4, 3), (5, 4), (3, 2, 2), (4, 3, 3), (2, 2, 2, 2, 2), (6, 5)]


@pytest.mark.slow
@pytest.mark.parametrize("sizes", SIZES)
def test_with_few_tables_no_way_of_filling_them_is_better_than_the_one_found(sizes: tuple[int, ...]) -> None:
    for number in range(8):
        problem = drawn(number, sizes)

        assert found_cost(problem) == best_cost(problem)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(4, 4, 3), (3, 3, 2), (5, 4), (2, 2, 2, 2)])
@settings(max_examples=10, deadline=None, phases=[Phase.generate])
@given(data=st.data())
def test_with_all_terms_no_way_is_better_and_none_is_below_the_bound(
    sizes: tuple[int, ...], data: st.DataObject
) -> None:
    problem = data.draw(problems(sizes))

    found = found_cost(problem)

    assert found == best_cost(problem)
    assert bound_of(problem) <= found


@pytest.mark.slow
@pytest.mark.parametrize("sizes", SIZES)
@settings(max_examples=10, deadline=None, phases=[Phase.generate])
@given(data=st.data())
def test_no_way_of_filling_the_tables_is_below_the_bounds(
    sizes: tuple[int, ...], data: st.DataObject
) -> None:
    problem = data.draw(problems(sizes))
    free = Problem(problem.scores, problem.met, sizes)
    unmet = Problem(problem.scores, [{} for _ in problem.scores], sizes)

    assert repeats_bound(problem.met, sizes) <= best_cost(free).repeats
    assert spread_bound(problem.scores, sizes) == best_cost(unmet).spread


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_search_keeps_sizes_and_seats_everybody_once(data: st.DataObject) -> None:
    sizes = data.draw(st.sampled_from([(6, 6, 5), (5, 5), (4,), (2, 2), (6, 6)]))
    problem = data.draw(problems(sizes))

    found = arrange(problem, lots, 0, LITTLE)

    assert tuple(len(group) for group in found) == sizes
    assert sorted(member for group in found for member in group) == list(range(sum(sizes)))


# --- states with known optima -------------------------------------------------------------------------


class State(msgspec.Struct, frozen=True):
    """Entrants at tables of four in a league; the least cost (16 to 32), or what an exact solver that was
    stopped after a minute came to (64)."""

    scores: list[int]
    met: list[tuple[int, int, int]]
    repeats: int
    spread: int


def states(entrants: int) -> list[State]:
    stored = msgspec.json.decode((DATA / "optima.json").read_bytes(), type=list[State])
    return [one for one in stored if len(one.scores) == entrants]


def costs(state: State) -> tuple[int, int]:
    """What is found for *state*, and its least cost, each as one number."""
    met: list[dict[int, int]] = [{} for _ in state.scores]
    for one, other, times in state.met:
        met[one][other] = met[other][one] = times
    problem = Problem(state.scores, met, (4,) * (len(state.scores) // 4))
    best = Cost(repeats=state.repeats, spread=state.spread)
    return problem.weighed(found_cost(problem)), problem.weighed(best)


@pytest.mark.slow
def test_sixteen_entrants_sit_as_well_as_can_be_in_all_states() -> None:
    assert len(states(16)) == 18
    for state in states(16):
        found, best = costs(state)

        assert found == best


@pytest.mark.slow
def test_twenty_four_entrants_cost_at_most_two_percent_too_much() -> None:
    pairs = [costs(state) for state in states(24)]

    assert len(pairs) == 12
    assert all(found >= best for found, best in pairs)
    assert sum(found for found, _ in pairs) <= 1.02 * sum(best for _, best in pairs)


@pytest.mark.slow
def test_thirty_two_entrants_cost_at_most_a_tenth_too_much() -> None:
    pairs = [costs(state) for state in states(32)]

    assert len(pairs) == 10
    assert all(found >= best for found, best in pairs)
    assert sum(found for found, _ in pairs) <= 1.1 * sum(best for _, best in pairs)


@pytest.mark.slow
def test_sixty_four_entrants_cost_no_more_than_a_solver_finds_in_a_minute() -> None:
    pairs = [costs(state) for state in states(64)]

    assert len(pairs) == 2
    assert all(found <= 1.2 * best for found, best in pairs)


# --- parts --------------------------------------------------------------------------------------------


def test_the_weights_put_each_term_above_all_that_follow_it() -> None:
    scores = (100, 100, 100, 0, 0, 0)
    problem = Problem(
        scores,
        [dict.fromkeys({0, 1} - {at}, 1) for at in range(6)],
        (4, 2),
        odd=(1, 2, 3, 0, 0, 0),
        leans=(1,) * 6,
    )
    none = Cost(repeats=0, spread=0)
    worst = {"spread": SPREAD_UNIT * 9 * 10_000 // 6, "odd": 6, "clashes": 3, "repeats": 5}

    ordered = [
        problem.weighed(Cost(**{"repeats": 0, "spread": 0, **terms}))
        for terms in (
            {"spread": worst["spread"]},
            {"odd": 1},
            {"odd": worst["odd"], "spread": worst["spread"]},
            {"clashes": 1},
            {"clashes": worst["clashes"], "odd": worst["odd"]},
            {"repeats": 1},
            {**worst},
            {"forbidden": 1},
        )
    ]

    assert problem.weighed(none) == 0
    assert ordered == sorted(ordered)
    assert len(set(ordered)) == len(ordered)


def test_the_cost_of_a_table_is_that_of_its_vector() -> None:
    problem = problem_of(
        [9, 7, 6, 3, 1],
        [1, 0, 2, 0, 0, 1, 0, 0, 0, 0],
        (3, 2),
        forbidden=apart(5, [(0, 3)]),
        odd=(1, 0, 2, 0, 1),
        leans=(1, 1, 0, 0, 0),
        preferred=4,
    )

    for group in [(0, 1, 2), (1, 3, 4), (0, 1), (0, 3), (2, 4)]:
        assert problem.cost(group) == problem.weighed(problem.vector(group))


def test_a_repeat_is_worth_as_much_spread_as_the_terms_say() -> None:
    """The two best have met once; apart they cost 60 more (30 for each of two tables)."""
    met = [0] * 6
    met[0] = 1
    dear, cheap = (problem_of([2, 2, 0, 0], met, (2, 2), repeat_cost=cost) for cost in (500, 100))

    assert found_cost(dear) == Cost(repeats=0, spread=240)
    assert found_cost(cheap) == Cost(repeats=1, spread=0)


def test_with_a_price_on_repeats_odd_tables_still_come_first() -> None:
    problem = problem_of(
        [0, 0, 0, 0, 0], [1, *[0] * 9], (3, 2), odd=(0, 0, 1, 1, 1), preferred=3, repeat_cost=5
    )

    assert found_cost(problem) == Cost(repeats=1, odd=0, spread=0)


def test_the_search_stops_at_what_is_proved_to_be_enough() -> None:
    problem = Problem((4, 4, 4, 4, 0, 0, 0, 0), [{} for _ in range(8)], (2, 2, 2, 2))

    def no_lots(_: int) -> Stream:
        raise AssertionError

    assert arrange(problem, no_lots, 0) == ((0, 1), (2, 3), (4, 5), (6, 7))


def test_fewer_entrants_get_more_effort() -> None:
    kinds = [effort(count) for count in (20, 28, 32, 48, 100, 400, 1024)]

    assert [kind.reach for kind in kinds] == [20, 28, 32, 12, 8, 2, 2]
    assert [kind.starts for kind in kinds] == [6, 12, 24, 10, 4, 2, 1]


def test_repeats_are_bounded_by_entrant_where_pairs_alone_say_nothing() -> None:
    """Entrant 0 has met all five others; there are fresh pairs enough, but none for it."""
    met: list[dict[int, int]] = [dict.fromkeys(range(1, 6), 1), *({0: 1} for _ in range(5))]

    assert repeats_bound(met, (2, 2, 2)) == 1


def test_forbidden_pairs_make_repeats_necessary() -> None:
    """The only one whom entrant 0 has not met is one whom it must not meet."""
    met: list[dict[int, int]] = [{1: 1, 2: 1}, {0: 1}, {0: 1}, {}]

    assert repeats_bound(met, (2, 2)) == 0
    assert repeats_bound(met, (2, 2), apart(4, [(0, 3)])) == 1
    assert repeats_bound(met, (2, 2), apart(4, [(0, 3)]), unavoidable=1) == 0


def test_five_bots_of_one_author_at_two_tables_must_meet_four_times() -> None:
    group = apart(8, combinations(range(5), 2))

    assert forbidden_bound(group, 2) == 3 + 1
    assert forbidden_bound(apart(8, [(0, 1), (1, 2)]), 2) == 0


def test_all_ways_to_split_are_listed() -> None:
    """The numbers of ways for two and three tables."""
    counts = {
        (4, 4, 4): 5775,
        (3, 3, 3): 280,
        (2, 2, 2): 15,
        (5, 5): 126,
        (6, 6): 462,
        (4, 3): 35,
        (4, 3, 3): 2100,
    }
    for sizes, ways in counts.items():
        listed = plan(sizes)
        numbers = list(range(len(listed.groups)))
        assert sum(len(seconds(numbers)) for _, seconds, _ in listed.firsts) == ways


def test_the_stream_is_splitmix() -> None:
    """The first words of SplitMix64 for the first 8 bytes of a SHA-256; the algorithm redone here."""
    state = int.from_bytes(hashlib.sha256(b"spring").digest()[:8], "big")
    stream = Stream("spring")

    for _ in range(3):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        assert stream.word() == z ^ (z >> 31)


def test_lots_are_spread_over_their_range() -> None:
    stream = Stream("range")

    found = [stream.below(5) for _ in range(1000)]

    assert min(found.count(value) for value in range(5)) > 150
    assert set(found) == set(range(5))
