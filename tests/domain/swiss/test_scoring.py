from fractions import Fraction
from typing import Any

import pytest

from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.rounds import Entrant, Placing, PlayedTable, Round
from keylore_domain.swiss.scoring import bye_points, first_points, mean_points, table_points
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.sheets import Entry, Kind, Meeting, pair_worth
from keylore_domain.swiss.standings import standings, totals
from tests.domain.swiss.leagues import terms


def table(ranks: tuple[int, ...], scores: tuple[int, ...] | None = None) -> PlayedTable:
    seats = tuple("abcdef"[: len(ranks)])
    rows = zip(seats, ranks, scores or (0,) * len(ranks), strict=True)
    return PlayedTable(number=1, seats=seats, match="m", placings=tuple(Placing(*row) for row in rows))


def points(size: int, played: PlayedTable, **scoring: Any) -> list[Fraction]:
    return list(table_points(played, terms(table_size=size, scoring=Scoring(**scoring))))


def halves(*values: int) -> list[Fraction]:
    return [Fraction(value, 2) for value in values]


def test_without_a_scale_each_seat_beaten_is_a_point_and_each_equal_or_empty_one_a_half() -> None:
    assert points(4, table((2, 1, 4, 3))) == [2, 3, 0, 1]
    assert points(4, table((1, 2, 2))) == halves(5, 2, 2)


@pytest.mark.parametrize(
    ("ranks", "worth"),
    [((1, 2, 3, 4), (20, 10, 4, 0)), ((1, 1, 3, 4), (15, 15, 4, 0)), ((2, 2, 1, 2), None)],
)
def test_a_scale_says_what_each_place_is_worth_in_half_points(
    ranks: tuple[int, ...], worth: tuple[int, ...] | None
) -> None:
    """Equal ranks share the mean of their places: three on places 2 to 4 get a third of 10 + 4 + 0 each."""
    shared = [Fraction(14, 6), Fraction(14, 6), Fraction(10), Fraction(14, 6)]

    assert points(4, table(ranks), scale=(20, 10, 4, 0)) == (halves(*worth) if worth else shared)


def test_a_smaller_table_is_stretched_over_the_scale() -> None:
    """The middle place of three lies between the second and the third of four; first and last keep theirs."""
    assert points(4, table((1, 2, 3)), scale=(20, 10, 4, 0)) == halves(20, 7, 0)


@pytest.mark.parametrize(("ranks", "worth"), [((1, 2), (6, 0)), ((2, 1), (0, 6)), ((1, 1), (2, 2))])
def test_win_draw_and_loss_are_worth_what_the_terms_say(
    ranks: tuple[int, ...], worth: tuple[int, ...]
) -> None:
    assert points(2, table(ranks), rule="win_draw_loss", win=6, draw=2) == halves(*worth)


def test_a_share_is_the_part_of_a_hundred_points_that_the_game_score_is() -> None:
    found = points(3, table((1, 2, 3), (6, 3, 0)), rule="table_share")

    assert found == [Fraction(200, 3), Fraction(100, 3), 0]


def test_a_score_below_zero_has_no_share_and_all_zeros_share_equally() -> None:
    assert points(3, table((1, 2, 3), (4, 4, -3)), rule="table_share") == [50, 50, 0]
    assert points(2, table((1, 1), (0, 0)), rule="table_share") == [50, 50]


def test_game_scores_count_as_they_are() -> None:
    assert points(2, table((1, 2), (31, -4)), rule="game_score") == [31, -4]


@pytest.mark.parametrize(
    ("size", "scoring", "first", "mean"),
    [
        (4, {}, Fraction(3), Fraction(3, 2)),
        (4, {"scale": (20, 10, 4, 0)}, Fraction(10), Fraction(17, 4)),
        (2, {"rule": "win_draw_loss", "win": 6, "draw": 2}, Fraction(3), Fraction(1)),
        (4, {"rule": "table_share"}, Fraction(100), Fraction(25)),
    ],
)
def test_a_bye_is_worth_the_mean_of_a_table_a_win_or_nothing(
    size: int, scoring: dict[str, Any], first: Fraction, mean: Fraction
) -> None:
    empty = Round(number=1, tables=(), byes=("x",))

    def worth(bye: Any) -> Fraction:
        return bye_points(terms(table_size=size, scoring=Scoring(**scoring, bye=bye)), empty)

    chosen = terms(table_size=size, scoring=Scoring(**scoring))
    assert (worth("win"), worth("mean"), worth("zero")) == (first, mean, Fraction(0))
    assert (first_points(chosen), mean_points(chosen, empty)) == (first, mean)


def test_the_mean_of_game_scores_is_that_of_the_round() -> None:
    chosen = terms(table_size=2, scoring=Scoring(rule="game_score"))

    assert bye_points(chosen, Round(number=1, tables=(table((1, 2), (31, 4)),), byes=("x",))) == Fraction(
        35, 2
    )
    assert bye_points(chosen, Round(number=1, tables=(), byes=("x",))) == 0


def test_pairing_sees_exact_points_rounded_down_to_halves() -> None:
    """Two thirds of 100 are 66 2/3 points: 133 halves. A bye that was asked for is worth the mean."""
    chosen = terms(table_size=3, scoring=Scoring(rule="table_share", bye="zero"))
    played = Round(number=1, tables=(table((1, 2, 3), (6, 3, 0)),), byes=("x",), half_byes=("y",))

    found = totals([played], chosen)

    assert found == {"a": 133, "b": 66, "c": 0, "x": 0, "y": 66}


def test_a_bye_counts_for_every_game_of_a_round() -> None:
    """Tables of four play three games: a bye is worth 3 times 3/2, and so is one that was asked for."""
    chosen = terms(pairing=PairingTerms(games=3))
    played = Round(number=1, tables=(), byes=("a",), half_byes=("b",))
    entrants = [Entrant(bot=bot, name=bot, number=number) for number, bot in enumerate("abc", 1)]

    rows = standings(entrants, [played], chosen)

    assert [(row.bot, row.points) for row in rows] == [("a", "9/2"), ("b", "9/2"), ("c", "0")]
    assert totals([played], chosen) == {"a": 9, "b": 9}


@pytest.mark.parametrize(
    ("scoring", "best"),
    [
        ({}, ["a", "b", "c"]),
        ({"rule": "game_score"}, ["b", "a", "c"]),
        ({"rule": "table_share"}, ["a", "b", "c"]),
    ],
)
def test_the_scoring_rule_decides_who_is_first(scoring: dict[str, Any], best: list[str]) -> None:
    """b has the greater scores but was last of the table with few."""
    entrants = [Entrant(bot=bot, name=bot, number=number) for number, bot in enumerate("abc", 1)]
    rounds = [
        Round(number=1, tables=(table((2, 1, 3), (90, 100, 0)),), byes=()),
        Round(number=2, tables=(table((1, 3, 2), (2, 0, 1)),), byes=()),
    ]

    rows = standings(entrants, rounds, terms(table_size=3, scoring=Scoring(**scoring)))

    assert [row.bot for row in rows] == best


@pytest.mark.parametrize(
    ("kind", "bye", "worth"),
    [
        ("bye", "win", "3/2"),
        ("bye", "mean", "1/2"),
        ("bye", "zero", "0"),
        ("half_bye", "win", "1/2"),
        ("absent", "win", "0"),
        ("void", "win", "0"),
    ],
)
def test_a_round_without_a_game_is_worth_something_as_the_result_of_one(
    kind: Kind, bye: Any, worth: str
) -> None:
    scoring = Scoring(rule="win_draw_loss", win=3, draw=1, bye=bye)

    found = pair_worth(Entry(round=1, kind=kind, points=Fraction(0)), terms(table_size=2, scoring=scoring))

    assert found == Fraction(worth)


def test_a_game_is_worth_the_mean_of_its_results_against_each() -> None:
    meetings = (Meeting("a", 1, Fraction(1)), Meeting("b", 0, Fraction(1, 2)))

    assert pair_worth(
        Entry(round=1, kind="played", points=Fraction(0), meetings=meetings), terms()
    ) == Fraction(3, 4)
