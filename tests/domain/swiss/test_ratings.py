from itertools import permutations
from math import exp, log
from random import Random
from statistics import mean

import choix
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from keylore_domain.swiss.ratings import ELO, Game, Rating, Ratings, rate
from tests.domain.swiss.rating_leagues import League, bots


def by_bot(found: Ratings) -> dict[str, Rating]:
    return {one.bot: one for one in found.ratings}


def test_nobody_has_no_rating() -> None:
    assert rate([]) == Ratings(ratings=())


@pytest.mark.parametrize("seats", list(permutations("abcde"))[::17])
def test_equal_losers_are_rated_equally_wherever_they_sit(seats: tuple[str, ...]) -> None:
    """P6: one table of five new entrants, places 1, 2, 2, 2, 2."""
    found = rate([Game(seats, tuple(1 if bot == "c" else 2 for bot in seats))])

    winner, *losers = found.ratings
    assert (winner.bot, winner.rank) == ("c", 1)
    assert [loser.bot for loser in losers] == ["a", "b", "d", "e"]
    assert {(loser.rank, loser.strength, loser.error, loser.low, loser.high) for loser in losers} == {
        (2, losers[0].strength, losers[0].error, losers[0].low, losers[0].high)
    }


@pytest.mark.parametrize("order", list(permutations("abc")))
def test_three_entrants_are_rated_as_they_finish_in_any_order(order: tuple[str, ...]) -> None:
    """P6, second part: whoever sits where."""
    found = rate([Game(("a", "b", "c"), tuple(1 + order.index(bot) for bot in "abc"))])

    assert [one.bot for one in found.ratings] == list(order)
    assert [one.rank for one in found.ratings] == [1, 2, 3]


def test_a_rating_holds_what_a_leaderboard_shows() -> None:
    """With one game of two: strength x where x = 1 / (1 + exp(2 x))."""
    found = by_bot(rate([Game(("a", "b"), (1, 2)), Game(("c", "d"), (1, 1))]))

    a = found["a"].strength
    assert a == pytest.approx(1 / (1 + exp(2 * a)), abs=1e-3)
    assert found["b"].strength == -a
    assert (found["a"].games, found["a"].firsts, found["b"].firsts) == (1, 1, 0)
    assert (found["c"].firsts, found["d"].firsts, found["c"].strength) == (1, 1, 0)
    assert found["a"].points == round(1500 + ELO * a)
    assert found["a"].high - a == pytest.approx(1.96 * found["a"].error, abs=2e-3)
    assert found["a"].low < a < found["a"].high


def test_more_games_make_intervals_narrower() -> None:
    once, often = (rate([Game(("a", "b"), (1, 2)), Game(("a", "b"), (2, 1))] * times) for times in (1, 20))

    assert by_bot(often)["a"].error < by_bot(once)["a"].error / 2
    assert [one.rank for one in often.ratings] == [1, 1]


results = st.lists(
    st.lists(st.integers(0, 9), min_size=2, max_size=5, unique=True).flatmap(
        lambda seats: st.tuples(
            st.just(seats), st.lists(st.integers(0, 3), min_size=len(seats), max_size=len(seats))
        )
    ),
    min_size=1,
    max_size=25,
)


def games_of(raw: list[tuple[list[int], list[int]]]) -> list[Game]:
    return [
        Game(tuple(f"b{bot}" for bot in seats), tuple(1 + sum(other > own for other in luck) for own in luck))
        for seats, luck in raw
    ]


@settings(max_examples=50, deadline=None)
@given(raw=results, seed=st.integers(0, 10**6))
def test_the_order_of_games_and_seats_does_not_change_a_bit(
    raw: list[tuple[list[int], list[int]]], seed: int
) -> None:
    games = games_of(raw)
    random = Random(seed)
    other = [_reseated(game, random) for game in games]
    random.shuffle(other)

    assert rate(other) == rate(games)


def _reseated(game: Game, random: Random) -> Game:
    order = random.sample(range(len(game.bots)), len(game.bots))
    return Game(tuple(game.bots[at] for at in order), tuple(game.ranks[at] for at in order))


@settings(max_examples=50, deadline=None)
@given(raw=results)
def test_nothing_near_explains_the_results_better(raw: list[tuple[list[int], list[int]]]) -> None:
    """Worked out again in the plainest way; half a unit of the last digit to either side is no better."""
    games = games_of(raw)
    strengths = {one.bot: one.strength for one in rate(games).ratings}

    best = _log_probability(games, strengths)
    for bot, strength in strengths.items():
        for step in (-0.002, 0.002):
            assert _log_probability(games, {**strengths, bot: strength + step}) < best


def _log_probability(games: list[Game], strengths: dict[str, float]) -> float:
    total = -sum(strength**2 for strength in strengths.values()) / 2
    for game in games:
        ranks = dict(zip(game.bots, game.ranks, strict=True))
        for place in set(ranks.values()):
            left = sum(exp(strengths[bot]) for bot, rank in ranks.items() if rank >= place)
            total += sum(strengths[bot] - log(left) for bot, rank in ranks.items() if rank == place)
    return total


def test_ratings_equal_an_independent_optimiser() -> None:
    """choix minimises with a penalty of half the squares, which is the same prior; ties it does not know."""
    league = League(3, entrants=24, rounds=7)
    names = bots(24)
    data = [
        tuple(names.index(bot) for _, bot in sorted(zip(game.ranks, game.bots, strict=True)))
        for game in league.games
    ]

    expected = choix.opt_rankings(24, data, alpha=0.5)

    found = by_bot(rate(league.games))
    assert [found[bot].strength for bot in names] == pytest.approx(list(expected), abs=6e-4)


def test_ratings_order_a_league_much_as_an_online_method_does() -> None:
    league = League(5, rounds=14)
    model = PlackettLuce()
    known = {bot: model.rating(name=bot) for bot in bots(64)}
    for game in league.games:
        rated = model.rate([[known[bot]] for bot in game.bots], ranks=[float(rank) for rank in game.ranks])
        known |= {bot: team[0] for bot, team in zip(game.bots, rated, strict=True)}

    found = rate(league.games).ratings
    theirs = [known[one.bot].mu for one in found]

    signs = [1 if theirs[at] > theirs[later] else -1 for at in range(64) for later in range(at + 1, 64)]
    assert mean(signs) > 0.8


@pytest.mark.slow
def test_the_advantage_of_a_seat_is_found_and_taken_out() -> None:
    """The first seat has an edge of 0.7 over the others."""
    league = League(11, entrants=32, rounds=40, edges=(0.7, 0.0, 0.0, 0.0))

    found = rate(league.games, seat_effects=True)

    assert [(one.size, one.seat) for one in found.seats] == [(4, 1), (4, 2), (4, 3)]
    for one in found.seats:
        assert abs(one.effect + 0.7) < 3.5 * one.error
    assert rate(league.games).seats == ()


@pytest.mark.slow
def test_a_league_is_put_in_order_with_honest_intervals() -> None:
    fits = [League(seed).fit() for seed in range(3)]

    assert mean(tau for tau, _ in fits) > 0.75
    assert 0.88 < mean(share for _, share in fits) < 0.995


@pytest.mark.long
@pytest.mark.parametrize("rounds", [7, 21, 70])
def test_ten_leagues_are_put_in_order_with_honest_intervals(rounds: int) -> None:
    fits = [League(seed, rounds=rounds).fit() for seed in range(10)]

    assert mean(tau for tau, _ in fits) >= {7: 0.63, 21: 0.78, 70: 0.87}[rounds]
    assert 0.90 <= mean(share for _, share in fits) <= 0.99
