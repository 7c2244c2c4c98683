from collections import Counter
from fractions import Fraction
from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keylore_domain.errors import OptionError
from keylore_domain.swiss.comparisons import (
    Decision,
    Encounter,
    Hypotheses,
    elo,
    estimate,
    expected,
    log_ratio,
    rotations,
    sequential,
)

HALF = Fraction(1, 2)


class Pairs:
    """Endless pairs of games: the bot has this mean score, and *edge* more on the first seat."""

    def __init__(self, random: Random, mean: float, draws: float = 0.3, edge: float = 0.1) -> None:
        self._random = random
        self._draws = draws
        self._means = (mean + edge, mean - edge)

    def __iter__(self) -> "Pairs":
        return self

    def __next__(self) -> Fraction:
        return sum((self._game(mean) for mean in self._means), Fraction(0)) / 2

    def _game(self, mean: float) -> Fraction:
        luck = self._random.random()
        win = mean - self._draws / 2
        return Fraction(1) if luck < win else HALF if luck < win + self._draws else Fraction(0)


def test_a_rotation_has_one_table_for_each_seat() -> None:
    """First seat 1 and 1/2, second seat 0: the second game on the first seat waits for another."""
    played = [
        Encounter(2, 0, Fraction(1)),
        Encounter(2, 0, HALF),
        Encounter(3, 1, HALF),
        Encounter(2, 1, Fraction(0)),
    ]

    assert rotations(played) == ((HALF,), 2)
    assert rotations([*played, Encounter(2, 1, Fraction(1))]) == ((HALF, Fraction(3, 4)), 1)
    assert rotations([]) == ((), 0)


def test_games_of_different_kinds_are_no_rotation() -> None:
    played = [Encounter(2, 0, HALF, "keydom"), Encounter(2, 1, HALF, "keyside")]

    assert rotations(played) == ((), 2)
    assert rotations([*played, Encounter(2, 1, HALF, "keydom")]) == ((HALF,), 1)


def test_larger_tables_rotate_over_all_seats() -> None:
    played = [Encounter(3, seat, Fraction(seat, 4)) for seat in (2, 0, 1, 1)]

    assert rotations(played) == ((Fraction(1, 4),), 1)


def test_elo_and_score_are_two_words_for_the_same() -> None:
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)
    assert elo(expected(-37.5)) == pytest.approx(-37.5)
    assert elo(1) == pytest.approx(1199.83, abs=0.01) == -elo(0)


def test_the_ratio_of_two_scores_is_that_of_plain_likelihoods() -> None:
    """With wins and losses alone nothing is left to choose: 7 log(s1/s0) + 3 log((1-s1)/(1-s0))."""
    found = log_ratio({Fraction(1): 7, Fraction(0): 3}, 0.5, 0.6)

    assert found == pytest.approx(7 * log(0.6 / 0.5) + 3 * log(0.4 / 0.5), abs=1e-3)


def test_the_ratio_is_that_of_the_most_likely_chances() -> None:
    """Three scores: one free chance is left, tried on a fine grid for both means."""
    counts = {Fraction(0): 4, HALF: 9, Fraction(1): 7}

    def greatest(mean: float) -> float:
        tried = []
        for step in range(1, 20_000):
            half = step / 20_000
            win = mean - half / 2
            loss = 1 - win - half
            if win > 0 < loss:
                tried.append(4 * log(loss) + 9 * log(half) + 7 * log(win))
        return max(tried)

    assert log_ratio(counts, 0.5, 0.58) == pytest.approx(greatest(0.58) - greatest(0.5), abs=1e-3)


@settings(max_examples=50, deadline=None)
@given(times=st.lists(st.integers(0, 50), min_size=5, max_size=5))
def test_swapping_bots_and_hypotheses_turns_the_ratio_round(times: list[int]) -> None:
    counts = {Fraction(at, 4): count for at, count in enumerate(times)}
    other = {1 - score: count for score, count in counts.items()}

    assert log_ratio(counts, 0.5, 0.55) == pytest.approx(-log_ratio(other, 0.45, 0.5), abs=1e-6)


def test_a_test_ends_with_the_first_rotation_that_decides() -> None:
    wins = [Fraction(1)] * 200
    asked = Hypotheses(elo0=0, elo1=50)

    accepted = sequential(wins, asked)
    later = sequential([*wins, *[Fraction(0)] * 500], asked)
    rejected = sequential([Fraction(0)] * 200, asked)

    assert accepted == later
    assert (accepted.decision, rejected.decision) == ("accepted", "rejected")
    assert sequential(wins[: accepted.after - 1], asked).decision == "open"
    assert accepted.ratio >= accepted.upper == pytest.approx(log(19))
    assert rejected.ratio <= rejected.lower == pytest.approx(-log(19))


def test_a_test_without_results_is_open() -> None:
    found = sequential([], Hypotheses())

    assert (found.decision, found.after, found.ratio) == ("open", 0, 0)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (Hypotheses(elo0=5, elo1=5), "elo1"),
        (Hypotheses(alpha=0), "alpha"),
        (Hypotheses(beta=0.5), "beta"),
        (Hypotheses(elo1=float("nan")), "elo1"),
    ],
)
def test_hypotheses_that_cannot_be_tested_are_refused(asked: Hypotheses, field: str) -> None:
    with pytest.raises(OptionError) as error:
        sequential([], asked)

    assert error.value.field == field


def test_an_estimate_says_how_good_a_bot_is_and_how_sure_that_is() -> None:
    found = estimate([Fraction(3, 4)] * 30 + [HALF] * 60 + [Fraction(1, 4)] * 10)

    assert (found.rotations, found.counts) == (100, ((0.25, 10), (0.5, 60), (0.75, 30)))
    assert found.score == pytest.approx(0.55)
    assert found.low < 0.55 < found.high
    assert (found.elo_low, found.elo_high) == (elo(found.low), elo(found.high))
    assert found.better > 0.99


def test_an_estimate_of_nothing_is_wide_open() -> None:
    found = estimate([])

    assert (found.score, found.low, found.high, found.better) == (0.5, 0.0, 1.0, 0.5)


def errors(asked: Hypotheses, difference: float, runs: int, seed: int) -> Counter[Decision]:
    random = Random(seed)
    return Counter(sequential(Pairs(random, expected(difference)), asked).decision for _ in range(runs))


@pytest.mark.slow
def test_wrong_decisions_are_as_rare_as_promised() -> None:
    """60 tests on either side; more than 9 errors of 5 % would come once in 1,000 times."""
    asked = Hypotheses(elo0=0, elo1=80)

    assert errors(asked, 0, 60, 1)["accepted"] <= 9
    assert errors(asked, 80, 60, 2)["rejected"] <= 9


@pytest.mark.long
@pytest.mark.parametrize("draws", [0.0, 0.3, 0.6])
@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.02, 0.1)])
def test_wrong_decisions_are_as_rare_as_promised_in_many_tests(
    draws: float, alpha: float, beta: float
) -> None:
    """1,000 tests on either side, with a hundredth of tolerance for chance."""
    asked = Hypotheses(elo0=-10, elo1=50, alpha=alpha, beta=beta)
    random = Random(7)
    sides: tuple[tuple[int, Decision, float], ...] = ((-10, "accepted", alpha), (50, "rejected", beta))
    for difference, wrong, bound in sides:
        found = Counter(
            sequential(Pairs(random, expected(difference), draws), asked).decision for _ in range(1000)
        )
        assert found[wrong] / 1000 <= bound + 0.012
        assert found["open"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(("count", "most"), [(4, 1.0), (10, 0.995), (40, 0.99)])
def test_intervals_hold_the_true_score_in_95_of_100_cases_or_more_if_there_are_few(
    count: int, most: float
) -> None:
    random = Random(count)
    source = Pairs(random, 0.58)

    inside = [
        found.low <= 0.58 <= found.high
        for found in (estimate([next(source) for _ in range(count)]) for _ in range(1500))
    ]

    assert 0.93 <= sum(inside) / len(inside) <= most


@pytest.mark.slow
def test_tables_of_four_are_tested_with_the_same_error_rates() -> None:
    """A bot among three others of one strength, by Plackett and Luce."""
    asked = Hypotheses(elo0=0, elo1=120)
    sides: tuple[tuple[int, Decision, int], ...] = ((0, "accepted", 5), (120, "rejected", 6))
    for difference, wrong, seed in sides:
        random = Random(seed)
        found = Counter(sequential(_fours(random, difference), asked).decision for _ in range(40))
        assert found[wrong] <= 7
        assert found["open"] == 0


def _fours(random: Random, difference: float) -> tuple[Fraction, ...]:
    strength = difference * log(10) / 400
    tables = []
    for number in range(800):
        own = strength - log(-log(random.random()))
        beaten = sum(own > -log(-log(random.random())) for _ in range(3))
        tables.append(Encounter(4, number % 4, Fraction(beaten, 3)))
    return rotations(tables)[0]
