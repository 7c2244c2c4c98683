from fractions import Fraction

import pytest

from keylore_domain.swiss.rounds import Entrant, Placing, PlayedTable, Round
from keylore_domain.swiss.scoring import half_points
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.standings import StandingsRow, standings
from tests.domain.swiss.leagues import terms


def entrants(names: str) -> list[Entrant]:
    """One entrant for each letter, registered in this order."""
    return [Entrant(bot=name, name=name, number=number) for number, name in enumerate(names, 1)]


def table(seats: str, ranks: tuple[int, ...], scores: tuple[int, ...] = ()) -> PlayedTable:
    scores = scores or (0,) * len(ranks)
    placings = tuple(Placing(*row) for row in zip(seats, ranks, scores, strict=True))
    return PlayedTable(number=1, seats=tuple(seats), match="m", placings=placings)


def rounds(*played: list[PlayedTable], byes: str = "") -> list[Round]:
    """Rounds of these tables; the first has these byes."""
    return [
        Round(number=number, tables=tuple(tables), byes=tuple(byes) if number == 1 else ())
        for number, tables in enumerate(played, 1)
    ]


def order(rows: tuple[StandingsRow, ...]) -> list[tuple[int, str]]:
    return [(row.rank, row.bot) for row in rows]


@pytest.mark.parametrize(
    ("ranks", "worth"),
    [
        ((1, 2, 3, 4), (6, 4, 2, 0)),
        ((1, 1, 3, 4), (5, 5, 2, 0)),
        ((1, 2, 2, 4), (6, 3, 3, 0)),
        ((1, 2, 2, 2), (6, 2, 2, 2)),
        ((1, 1, 1, 1), (3, 3, 3, 3)),
        ((1, 2, 3), (5, 3, 1)),
        ((1, 1, 1), (3, 3, 3)),
    ],
)
def test_rank_r_of_n_is_worth_n_minus_r_points_and_ties_share_the_mean(
    ranks: tuple[int, ...], worth: tuple[int, ...]
) -> None:
    """Half points at a table of four; the empty seat of a table of three counts as drawn with."""
    placings = [Placing(str(seat), rank, 0) for seat, rank in enumerate(ranks)]

    assert tuple(half_points(placing, ranks, 4) for placing in placings) == worth


@pytest.mark.parametrize(("bye", "worth"), [("mean", 3), ("zero", 0)])
def test_a_bye_is_worth_the_mean_of_a_table_or_nothing(bye: str, worth: int) -> None:
    chosen = terms(scoring=Scoring(bye=bye))  # type: ignore[arg-type]

    (row,) = standings(entrants("a"), rounds([], byes="a"), chosen)

    assert (row.half_points, row.byes, row.played) == (worth, 1, 0)


def test_points_come_first() -> None:
    rows = standings(entrants("abcd"), rounds([table("dcba", (1, 2, 3, 4))]), terms())

    assert order(rows) == [(1, "d"), (2, "c"), (3, "b"), (4, "a")]
    assert [row.half_points for row in rows] == [6, 4, 2, 0]


def test_then_comes_who_did_better_at_shared_tables() -> None:
    """b and c have the same points, and c finished ahead of b where they met."""
    played = rounds(
        [table("bc", (2, 1)), table("ad", (1, 2))],
        [table("bd", (1, 2)), table("ac", (1, 2))],
    )

    rows = standings(entrants("abcd"), played, terms(table_size=2))

    assert order(rows) == [(1, "a"), (2, "c"), (3, "b"), (4, "d")]
    assert [(row.half_points, row.head_to_head) for row in rows] == [(4, 0), (2, 1), (2, -1), (0, 0)]


def test_head_to_head_looks_only_at_those_with_the_same_points() -> None:
    """At the table of three, c and b lost to a, who has more points; only their own order counts."""
    rows = standings(entrants("abc"), rounds([table("abc", (1, 2, 2))]), terms(table_size=3))

    assert [(row.rank, row.head_to_head) for row in rows] == [(1, 0), (2, 0), (2, 0)]


def test_then_come_the_opponents_points_as_a_mean_over_those_met() -> None:
    """a, b and d won once; a beat d, who won afterwards; b and d beat c, who never did."""
    played = rounds([table("ad", (1, 2)), table("bc", (1, 2))], [table("dc", (1, 2))])

    rows = standings(entrants("bacd"), played, terms(table_size=2))

    means = {row.bot: Fraction(row.opponents_half_points, row.opponents) for row in rows}
    assert means == {"a": 2, "b": 0, "c": 2, "d": 1}
    assert order(rows) == [(1, "a"), (2, "b"), (3, "d"), (4, "c")]


def test_a_mean_of_opponents_is_not_diluted_by_a_bye() -> None:
    """The opponents of a had two points on average, one of b's as well; b met two of them, a one."""
    played = rounds([table("ac", (1, 2)), table("bd", (1, 2))], [table("bc", (2, 2))])

    rows = {row.bot: row for row in standings(entrants("abcd"), played, terms(table_size=2))}

    assert (rows["a"].opponents, rows["b"].opponents) == (1, 2)


def test_then_come_first_places() -> None:
    """x has a first and a last place, y two middle ones; they met the same four, and never each other."""
    played = rounds(
        [table("xab", (1, 2, 3)), table("ycd", (2, 1, 3))],
        [table("xcd", (3, 1, 2)), table("yab", (2, 3, 1))],
        [table("abcd", (1, 1, 3, 3))],
    )

    rows = {row.bot: row for row in standings(entrants("yxabcd"), played, terms(table_size=3))}

    x, y = rows["x"], rows["y"]
    assert x.half_points == y.half_points == 4
    assert x.opponents_half_points == y.opponents_half_points
    assert (x.head_to_head, y.head_to_head) == (0, 0)
    assert (x.wins, y.wins) == (1, 0)
    assert x.rank + 1 == y.rank


def test_then_comes_the_sum_of_game_scores() -> None:
    played = rounds([table("ac", (1, 2), (30, 5)), table("bd", (1, 2), (31, 5))])

    rows = standings(entrants("abcd"), played, terms(table_size=2))

    assert order(rows) == [(1, "b"), (2, "a"), (3, "c"), (3, "d")]
    assert [row.score for row in rows] == [31, 30, 5, 5]


def test_who_is_equal_in_all_shares_the_rank_in_order_of_registration() -> None:
    rows = standings(entrants("zya"), [], terms())

    assert order(rows) == [(1, "z"), (1, "y"), (1, "a")]


def test_the_rank_after_a_shared_one_counts_all_before_it() -> None:
    rows = standings(entrants("abcd"), rounds([table("abcd", (1, 1, 3, 4))]), terms())

    assert order(rows) == [(1, "a"), (1, "b"), (3, "c"), (4, "d")]


def test_tables_without_a_result_do_not_count_yet() -> None:
    open_table = PlayedTable(number=2, seats=("c", "d"), match="m/2")

    rows = standings(entrants("abcd"), rounds([table("ab", (1, 2)), open_table]), terms(table_size=2))

    assert [(row.bot, row.played) for row in rows] == [("a", 1), ("b", 1), ("c", 0), ("d", 0)]
