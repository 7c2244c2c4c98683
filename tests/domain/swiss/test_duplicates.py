"""Luck and skill at tables that share a deal."""

from fractions import Fraction

import pytest

from keylore_domain.swiss.duplicates import (
    DealReport,
    MeanLuck,
    PairedScore,
    deal_report,
    mean_luck,
    paired_scores,
)
from keylore_domain.swiss.rounds import Placing, PlayedTable, Result


def game(number: int, seats: str, scores: tuple[int, ...], turn: int = 0) -> PlayedTable:
    placings = tuple(Placing(bot, 1, score) for bot, score in zip(seats, scores, strict=True))
    return PlayedTable(number=number, seats=tuple(seats), match="", game=number, placings=placings, turn=turn)


def pair(first: tuple[int, int], second: tuple[int, int], turn: int = 0) -> DealReport:
    """Two games of a and b, who change seats."""
    return deal_report("deal", 1, [game(1, "ab", first, turn), game(2, "ba", second, turn)])


def test_luck_is_what_a_seat_brings_whoever_has_it() -> None:
    """Seat 0 brings 10 more; a is 4 better than b: 16-2 and 12-6 on a mean of 9."""
    report = pair((16, 2), (12, 6))

    assert (report.deal, report.round, report.turn, report.size, report.is_complete) == (
        "deal",
        1,
        0,
        2,
        True,
    )
    assert [Fraction(seat.luck) for seat in report.seats] == [5, -5]
    assert [(own.bot, own.mean, own.above_luck) for own in report.entrants] == [
        ("a", "11", "2"),
        ("b", "7", "-2"),
    ]


def test_an_unfinished_deal_tells_what_it_knows() -> None:
    report = deal_report("deal", 1, [game(1, "ab", (3, 2))])

    assert not report.is_complete
    assert [seat.luck for seat in report.seats] == ["1/2", "-1/2"]
    assert [own.above_luck for own in report.entrants] == ["0", "0"]


def test_what_was_ruled_on_a_match_changes_no_luck() -> None:
    """a won 16-2, and was ruled to have lost."""
    ruled = PlayedTable(
        number=1,
        seats=("a", "b"),
        match="",
        placings=(Placing("a", 2, 0), Placing("b", 1, 2)),
        played=Result(placings=(Placing("a", 1, 16), Placing("b", 2, 2)), cause="rules"),
    )

    report = deal_report("deal", 1, [ruled, game(2, "ba", (12, 6))])

    assert report.entrants == pair((16, 2), (12, 6)).entrants


def test_over_many_deals_luck_averages_out_and_an_error_is_known() -> None:
    """a is 2, then 4 above luck: 3 on the average, give or take 1."""
    deals = [pair((16, 2), (12, 6)), pair((10, 2), (6, 6)), deal_report("deal", 3, [game(1, "ab", (99, 0))])]

    first, second = paired_scores(deals)

    assert first == PairedScore(turn=0, bot="a", deals=2, games=4, above="2", error=0.0)
    assert (second.bot, second.above) == ("b", "-2")
    assert mean_luck(deals) == (
        MeanLuck(turn=0, size=2, seat=0, deals=2, luck="7/2", error=1.5),
        MeanLuck(turn=0, size=2, seat=1, deals=2, luck="-7/2", error=1.5),
    )


def test_a_single_deal_has_no_error_and_games_are_told_apart() -> None:
    found = paired_scores([pair((16, 2), (12, 6)), pair((2, 2), (2, 2), turn=1)])

    assert [(one.turn, one.bot, one.above, one.error) for one in found] == [
        (0, "a", "2", None),
        (0, "b", "-2", None),
        (1, "a", "0", None),
        (1, "b", "0", None),
    ]


def test_who_plays_alone_is_held_against_all_with_the_same_deal() -> None:
    report = deal_report(
        "deal", 1, [game(at, bot, (score,)) for at, bot, score in ((1, "a", 7), (2, "b", 5), (3, "c", 3))]
    )

    assert [one.above_luck for one in report.entrants] == ["2", "0", "-2"]
    assert report.is_complete
    assert mean_luck([report]) == ()


@pytest.mark.parametrize("size", [2, 3, 4])
def test_scores_above_luck_add_up_to_nothing(size: int) -> None:
    bots = "abcd"[:size]
    games = [
        game(by, bots[-by:] + bots[:-by] if by else bots, tuple(7 * by % 5 + seat for seat in range(size)))
        for by in range(size)
    ]

    report = deal_report("deal", 1, games)

    assert report.is_complete
    assert sum(Fraction(one.above_luck) for one in report.entrants) == 0
    assert sum(Fraction(one.luck) for one in report.seats) == 0
