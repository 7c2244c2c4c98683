"""Tie-breaks, worked out by hand; FIDE's for two seats have an oracle of their own in ``test_fide``."""

from fractions import Fraction
from typing import Any, get_args

import pytest

from keylore_domain.swiss.rounds import Entrant, Placing, PlayedTable, Round
from keylore_domain.swiss.scoring_terms import Scoring, TieBreak
from keylore_domain.swiss.standings import StandingsRow, standings
from keylore_domain.swiss.terms import Terms
from keylore_domain.swiss.tiebreaks.field import Field, field_of
from keylore_domain.swiss.tiebreaks.table import OF_ENTRANTS, OF_GROUPS, tallies
from tests.domain.swiss.leagues import terms


def table(
    seats: str, ranks: str, scores: tuple[int, ...] = (), forfeited: tuple[int, ...] = ()
) -> PlayedTable:
    values = scores or tuple(10 - int(rank) for rank in ranks)
    placings = tuple(
        Placing(bot, int(rank), score) for bot, rank, score in zip(seats, ranks, values, strict=True)
    )
    return PlayedTable(number=1, seats=tuple(seats), match="m", placings=placings, forfeited=forfeited)


def rounds(*played: list[PlayedTable], byes: dict[int, str] | None = None) -> list[Round]:
    """Rounds of these tables; *byes* by round."""
    return [
        Round(number=number, tables=tuple(tables), byes=tuple((byes or {}).get(number, "")))
        for number, tables in enumerate(played, 1)
    ]


def field(names: str, played: list[Round], chosen: Terms, ratings: dict[str, int] | None = None) -> Field:
    entrants = [
        Entrant(bot=bot, name=bot, number=number, rating=(ratings or {}).get(bot, 0))
        for number, bot in enumerate(names, 1)
    ]
    return field_of(entrants, played, chosen, "spring")


def values(name: TieBreak, seen: Field) -> dict[str, Fraction]:
    return {bot: tally.value for bot, tally in tallies(name, seen, list(seen.sheets)).items()}


def ranked(names: str, played: list[Round], *tie_breaks: TieBreak, size: int = 2) -> list[tuple[int, str]]:
    entrants = [Entrant(bot=bot, name=bot, number=number) for number, bot in enumerate(names, 1)]
    rows = standings(entrants, played, terms(table_size=size, tie_breaks=tie_breaks), "spring")
    return [(row.rank, row.bot) for row in rows]


def test_every_tie_break_of_the_terms_has_its_rule() -> None:
    assert set(get_args(TieBreak)) == set(OF_ENTRANTS) | set(OF_GROUPS)
    assert not set(OF_ENTRANTS) & set(OF_GROUPS)


THREES = rounds(
    [table("abc", "123"), table("def", "123")],
    [table("adb", "213"), table("ecf", "122")],
)
"""Points: a 2 + 1, b 1 + 0, c 0 + 1/2, d 2 + 2, e 1 + 2, f 0 + 1/2."""


def test_buchholz_at_tables_adds_the_mean_points_of_each_table() -> None:
    """a met b and c (1 and 1/2: 3/4), then d and b (4 and 1: 5/2)."""
    found = field("abcdef", THREES, terms(table_size=3))

    assert found.points == {"a": 3, "b": 1, "c": Fraction(1, 2), "d": 4, "e": 3, "f": Fraction(1, 2)}
    assert values("buchholz", found)["a"] == Fraction(13, 4)
    assert values("buchholz_cut1", found)["a"] == Fraction(5, 2)
    assert values("buchholz_median", found)["a"] == Fraction(13, 4)  # two terms are too few to cut both ends


def test_the_median_leaves_out_the_least_and_the_greatest() -> None:
    """a met b (0 points), c (1) and d (2) and beat them."""
    played = rounds(
        [table("ab", "12"), table("cd", "12")],
        [table("ac", "12"), table("bd", "21")],
        [table("ad", "12"), table("bc", "11")],
    )

    found = field("abcd", played, terms(table_size=2))

    assert found.points == {"a": 3, "b": Fraction(1, 2), "c": Fraction(3, 2), "d": 1}
    assert values("buchholz", found)["a"] == 3
    assert values("buchholz_cut1", found)["a"] == Fraction(5, 2)
    assert values("buchholz_median", found)["a"] == 1


def test_sonneborn_berger_at_tables_weighs_each_opponent_by_the_result_against_it() -> None:
    """a beat b and c (mean of 1 and 1/2), then lost to d and beat b (mean of 0 and 1)."""
    found = field("abcdef", THREES, terms(table_size=3))

    assert values("sonneborn_berger", found)["a"] == Fraction(3, 4) + Fraction(1, 2)
    assert values("sonneborn_berger", found)["c"] == 0 + Fraction(1, 2) * Fraction(1, 2) / 2


def test_the_mean_of_opponents_can_leave_out_the_weakest() -> None:
    """a met b (1), c (1/2), d (4) and b again."""
    found = field("abcdef", THREES, terms(table_size=3))

    assert values("opponents_mean", found)["a"] == Fraction(13, 8)
    assert values("opponents_mean_cut1", found)["a"] == 2


def test_rounds_without_a_table_are_left_out_of_tie_breaks_on_opponents() -> None:
    played = rounds([table("ab", "12")], [table("bc", "12")], byes={1: "c", 2: "a"})

    found = field("abcz", played, terms(table_size=2, scoring=Scoring(bye="win")))

    assert values("buchholz", found) == {"a": 1, "b": 3, "c": 1, "z": 0}
    assert values("opponents_mean", found) == {"a": 1, "b": Fraction(3, 2), "c": 1, "z": 0}


def test_a_single_opponent_is_not_cut() -> None:
    found = field("ab", rounds([table("ab", "12")]), terms(table_size=2))

    assert values("buchholz_cut1", found) == {"a": 0, "b": 1}
    assert values("opponents_mean_cut1", found) == {"a": 0, "b": 1}


def test_progressive_adds_the_points_after_each_round() -> None:
    """a won first and lost then: 1 + 1; b the other way round: 0 + 1. The absent c keeps what it had."""
    played = rounds([table("ad", "12"), table("bc", "21")], [table("ad", "21"), table("be", "12")])

    found = values("progressive", field("abcde", played, terms(table_size=2)))

    assert found == {"a": 2, "b": 1, "c": 2, "d": 1, "e": 0}


def test_shared_first_places_are_no_wins() -> None:
    found = field("abc", rounds([table("abc", "113")], [table("abc", "123")]), terms(table_size=3))

    assert values("first_places", found) == {"a": 2, "b": 1, "c": 0}
    assert values("wins", found) == values("won", found) == {"a": 1, "b": 0, "c": 0}


def test_a_bye_that_is_worth_a_win_is_a_round_won_but_no_game() -> None:
    found = field(
        "abc", rounds([table("ab", "12")], byes={1: "c"}), terms(table_size=2, scoring=Scoring(bye="win"))
    )

    assert values("wins", found) == {"a": 1, "b": 0, "c": 1}
    assert values("won", found) == {"a": 1, "b": 0, "c": 0}


def test_scores_and_shares_of_the_tables_add_up() -> None:
    found = field(
        "abc", rounds([table("abc", "123", (6, 3, 0))], [table("abc", "213", (4, 4, 0))]), terms(table_size=3)
    )

    assert values("score", found) == {"a": 10, "b": 7, "c": 0}
    assert values("table_share", found) == {"a": Fraction(7, 6), "b": Fraction(5, 6), "c": 0}


def test_ratings_of_opponents_are_averaged_over_the_rated_ones_and_rounded() -> None:
    """d met a (1500) and c (1501): 1500 1/2 goes up; b, without a rating, does not count."""
    played = rounds([table("ad", "12")], [table("cd", "12")], [table("bd", "12")])

    found = values("opponents_rating", field("abcd", played, terms(table_size=2), {"a": 1500, "c": 1501}))

    assert found == {"a": 0, "b": 0, "c": 0, "d": 1501}


def test_percentages_leave_out_byes_and_omw_has_a_floor() -> None:
    """a met b, who won one of two games (and had a bye), and c, who won none of one."""
    played = rounds([table("ab", "12")], [table("ac", "12")], [table("bd", "12")], byes={2: "b"})

    found = field("abcde", played, terms(table_size=2, scoring=Scoring(bye="win")))

    assert values("opponents_percentage", found)["a"] == Fraction(1, 4)
    assert values("omw", found)["a"] == (Fraction(1, 2) + Fraction(33, 100)) / 2
    assert values("omw", found)["e"] == 0


def test_a_forfeited_match_counts_against_who_forfeited() -> None:
    played = rounds([table("abc", "123", forfeited=(2,))])

    assert values("fewest_forfeits", field("abc", played, terms(table_size=3))) == {"a": 0, "b": 0, "c": -1}


@pytest.mark.parametrize(
    ("unplayed", "kinds"), [("left_out", ["played"] * 3), ("fide", ["forfeit_win", "forfeit_loss", "played"])]
)
def test_a_forfeited_game_is_unplayed_by_fides_rules_only(unplayed: Any, kinds: list[str]) -> None:
    """c forfeited and had a draw all the same; that game was played."""
    chosen = terms(table_size=2, scoring=Scoring(unplayed=unplayed))

    found = field(
        "abcd", rounds([table("ab", "12", forfeited=(1,)), table("cd", "11", forfeited=(0,))]), chosen
    )

    assert [found.sheets[bot].entries[0].kind for bot in "abc"] == kinds


def test_a_game_that_both_forfeited_gives_neither_anything_by_fides_rules() -> None:
    void = rounds([table("ab", "12", forfeited=(0, 1))])

    fide = field("ab", void, terms(table_size=2, scoring=Scoring(unplayed="fide")))
    other = field("ab", void, terms(table_size=2))

    assert fide.points == values("wins", fide) == {"a": 0, "b": 0}
    assert [fide.sheets[bot].entries[0].kind for bot in "ab"] == ["forfeit_loss"] * 2
    assert other.points == {"a": 1, "b": 0}


@pytest.mark.parametrize(
    ("bye", "worth"), [("mean", Fraction(1, 2)), ("zero", Fraction(0)), ("win", Fraction(1))]
)
def test_byes_in_fides_rules_meet_a_virtual_opponent(bye: Any, worth: Fraction) -> None:
    """It has the points of a itself, but two draws' worth at most; a beat b, who has none."""
    chosen = terms(table_size=2, scoring=Scoring(bye=bye, unplayed="fide"))

    found = field("abc", rounds([table("ab", "12")], [table("cb", "12")], byes={1: "c", 2: "a"}), chosen)

    assert found.points["a"] == 1 + worth
    assert values("buchholz", found)["a"] == 1
    assert values("sonneborn_berger", found)["a"] == worth


def test_direct_encounter_is_a_table_among_the_tied() -> None:
    """a beat b, b beat c, a and c drew: 3/2, 1 and 1/2 points. What they did against d does not matter."""
    played = rounds(
        [table("ab", "12"), table("cd", "12")],
        [table("bc", "12"), table("ad", "21")],
        [table("ac", "11"), table("bd", "21")],
    )

    found = values("direct_encounter", field("abc", played, terms(table_size=2)))
    assert found == {"a": 2, "b": 1, "c": 0}


def test_direct_encounter_compares_those_still_equal_once_more() -> None:
    """Of four who all met, b, c and d have one point each; among these b has one, c one, d one: no more."""
    played = rounds(
        [table("ab", "12"), table("cd", "12")],
        [table("ac", "12"), table("bd", "21")],
        [table("ad", "12"), table("bc", "12")],
    )

    found = values("direct_encounter", field("abcd", played, terms(table_size=2)))

    assert found == {"a": 3, "b": 0, "c": 0, "d": 0}


def test_direct_encounter_waits_for_missing_games_unless_they_change_nothing() -> None:
    """a beat b and c; even a win of b over c leaves a ahead, but b and c have not met."""
    played = rounds([table("ab", "12")], [table("ac", "12")])

    found = values("direct_encounter", field("abc", played, terms(table_size=2)))

    assert found == {"a": 2, "b": 0, "c": 0}


def test_direct_encounter_puts_all_in_order_if_a_missing_game_cannot_matter() -> None:
    """a has 2 points, b 3/2, c 1, d 1/2; a and d have not met, but d could not catch up with a."""
    played = rounds(
        [table("ab", "12"), table("cd", "12")],
        [table("ac", "12"), table("bd", "11")],
        [table("bc", "12")],
    )

    found = values("direct_encounter", field("abcd", played, terms(table_size=2)))

    assert found == {"a": 3, "b": 2, "c": 1, "d": 0}


def test_direct_encounter_at_tables_takes_each_two_of_the_tied_alone() -> None:
    """a finished ahead of b twice and behind it once; z was between them and does not matter."""
    played = rounds([table("azb", "123")], [table("azb", "321")], [table("abz", "123")])

    found = field("abz", played, terms(table_size=3))

    assert {bot: tally.value for bot, tally in tallies("direct_encounter", found, ["a", "b"]).items()} == {
        "a": 1,
        "b": 0,
    }
    assert {bot: tally.value for bot, tally in tallies("head_to_head", found, ["b", "a"]).items()} == {
        "a": 1,
        "b": -1,
    }


def test_draws_are_even_in_head_to_head_whatever_they_are_worth() -> None:
    chosen = terms(table_size=2, scoring=Scoring(rule="win_draw_loss", win=6, draw=0))

    assert values("head_to_head", field("ab", rounds([table("ab", "11")]), chosen)) == {"a": 0, "b": 0}


def test_the_lot_follows_from_the_seed_and_the_ids_alone() -> None:
    def order(names: str, seed: str) -> list[str]:
        entrants = [Entrant(bot=bot, name=bot, number=number) for number, bot in enumerate(names, 1)]
        rows: tuple[StandingsRow, ...] = standings(entrants, [], terms(tie_breaks=("lot",)), seed)
        assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]
        return [row.bot for row in rows]

    assert order("abcdef", "spring") == order("fdbeca", "spring")
    assert order("abcdef", "spring") != order("abcdef", "autumn")


def test_tie_breaks_decide_in_the_order_of_the_terms() -> None:
    """a has the greater score, b more first places."""
    played = rounds(
        [table("ac", "12", (50, 0)), table("bd", "12", (3, 2))],
        [table("ad", "11", (50, 50)), table("bc", "21", (0, 1))],
        [table("ae", "11", (50, 50)), table("bf", "12", (3, 2))],
    )

    assert ranked("abcdef", played, "wins", "score")[:2] == [(1, "b"), (2, "a")]
    assert ranked("abcdef", played, "score", "wins")[:2] == [(1, "a"), (2, "b")]
    assert ranked("abcdef", played)[:2] == [(1, "a"), (1, "b")]


def test_rows_hold_the_values_as_exact_texts() -> None:
    played = rounds([table("abc", "123", (6, 3, 0))])
    chosen = terms(table_size=3, scoring=Scoring(rule="table_share"), tie_breaks=("table_share", "wins"))
    entrants = [Entrant(bot=bot, name=bot, number=number) for number, bot in enumerate("abc", 1)]

    rows = standings(entrants, played, chosen)

    assert [(row.points, row.values) for row in rows] == [
        ("200/3", ("2/3", "1")),
        ("100/3", ("1/3", "0")),
        ("0", ("0", "0")),
    ]
