from fractions import Fraction
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keylore_domain.errors import NotFoundError
from keylore_domain.swiss.explaining import Explained, Explanation, Part
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.scoring_terms import Scoring, TieBreak
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.swiss.leagues import AT, bots, by_lot, play_out, play_round, started


def part(round_: int, bot: str, amount: str) -> Part:
    return Part(round=round_, bots=(f"bot/{bot}",), amount=amount, kind="played", counts=True)


def by_name(found: Explanation) -> dict[str, Explained]:
    return {one.name: one for one in found.values}


def test_every_value_is_explained_by_its_terms() -> None:
    """Two rounds of four; the smaller number wins: b01 beat two, and met b02 or the like once."""
    tournament = started(4, table_size=2, rounds=2, tie_breaks=("buchholz", "wins"))
    play_round(tournament)
    play_round(tournament)
    met = [
        (number, next(bot for bot in table.seats if bot != "bot/b01"))
        for number, played in enumerate(tournament.rounds, 1)
        for table in played.tables
        if "bot/b01" in table.seats
    ]
    points = {row.bot: row.points for row in tournament.standings()}

    found = tournament.explain("bot/b01")

    values = by_name(found)
    assert (found.bot, found.rank, found.above) == ("bot/b01", 1, None)
    assert values["points"].value == "2"
    assert values["points"].parts == tuple(part(at, bot[4:], "1") for at, bot in met)
    assert values["buchholz"].parts == tuple(part(at, bot[4:], points[bot]) for at, bot in met)
    assert values["wins"].parts == values["points"].parts


def test_a_cut_term_is_shown_and_does_not_count() -> None:
    tournament = started(4, table_size=2, rounds=2, tie_breaks=("buchholz_cut1",))
    play_round(tournament)
    play_round(tournament)

    (_, cut) = tournament.explain("bot/b01").values

    assert [one.counts for one in cut.parts].count(False) == 1
    least = min(cut.parts, key=lambda one: Fraction(one.amount))
    assert not least.counts or Fraction(least.amount) == Fraction(cut.value)


def test_neighbours_are_named_with_what_parts_them() -> None:
    tournament = started(4, table_size=4, rounds=1)
    play_round(tournament)

    found = tournament.explain("bot/b02")

    assert found.above is not None
    assert found.below is not None
    assert (found.above.bot, found.above.rank, found.above.decided_by) == ("bot/b01", 1, "points")
    assert (found.below.bot, found.below.rank, found.below.decided_by) == ("bot/b03", 3, "points")
    assert tournament.explain("bot/b04").below is None


def test_equal_neighbours_are_parted_by_nothing() -> None:
    found = started(4).explain("bot/b01")

    assert found.below is not None
    assert (found.rank, found.below.rank, found.below.decided_by) == (1, 1, "")


def test_standings_are_explained_as_of_any_round() -> None:
    tournament = started(4, table_size=4, rounds=3)
    play_round(tournament)
    play_round(tournament)

    assert [len(tournament.explain("bot/b01", after).values[0].parts) for after in (0, 1, 2, None)] == [
        0,
        1,
        2,
        2,
    ]
    with pytest.raises(NotFoundError, match="2 rounds, not 3"):
        tournament.explain("bot/b01", 3)


def test_a_stranger_has_no_place_to_explain() -> None:
    with pytest.raises(NotFoundError, match="bot/stranger"):
        started(4).explain("bot/stranger")


NAMES = get_args(TieBreak)


@st.composite
def played(draw: st.DrawFn) -> Tournament:
    """A tournament with any scoring that fits its tables, any tie-breaks, and some who come and go."""
    size = draw(st.integers(2, 4))
    scoring: dict[str, Any] = {"bye": draw(st.sampled_from(("mean", "zero")))}
    rules = ["rank_points", "scale", "table_share", "game_score"]
    rule = draw(st.sampled_from([*rules, "win_draw_loss", "fide"] if size == 2 else rules))
    known: dict[str, dict[str, Any]] = {
        "scale": {"scale": tuple(range(3 * size, 2 * size, -1))},
        "fide": {"unplayed": "fide"},
    }
    scoring |= known.get(rule, {"rule": rule})
    names = [name for name in NAMES if rule != "game_score" or name not in {"omw", "opponents_percentage"}]
    tournament = started(
        draw(st.integers(size, 14)),
        table_size=size,
        rounds=3,
        scoring=Scoring(**scoring),
        tie_breaks=tuple(draw(st.permutations(names))),
    )
    for _ in range(3):
        if draw(st.booleans()) and len(tournament.active) > size:
            tournament.withdraw(tournament.active[0].bot, at=AT)
        play_round(tournament, by_lot)
    return tournament


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(tournament=played())
def test_each_value_is_what_its_parts_make_of_it_and_ranks_follow_from_the_values(
    tournament: Tournament,
) -> None:
    rows = tournament.standings()
    keys = [[Fraction(row.points), *map(Fraction, row.values)] for row in rows]
    assert keys == sorted(keys, reverse=True)
    assert [row.rank for row in rows] == [1 + sum(other > own for other in keys) for own in keys]
    for row, key in zip(rows, keys, strict=True):
        found = tournament.explain(row.bot)
        assert found.rank == row.rank
        assert [Fraction(one.value) for one in found.values] == key
        for one in found.values:
            _check(one)


def _check(one: Explained) -> None:
    amounts = [Fraction(part.amount) for part in one.parts if part.counts]
    mean = sum(amounts, Fraction(0)) / max(len(amounts), 1)
    match one.how:
        case "sum":
            assert Fraction(one.value) == sum(amounts)
        case "mean":
            assert Fraction(one.value) == mean
        case "rounded_mean":
            assert Fraction(one.value) == (2 * mean + 1) // 2
        case "order":
            assert 0 <= int(one.value) < len(bots(14))


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(tournament=played(), data=st.data())
def test_standings_do_not_depend_on_the_order_of_registration_but_for_listing_equals(
    tournament: Tournament, data: st.DataObject
) -> None:
    from keylore_domain.swiss.standings import standings

    entrants = data.draw(st.permutations(list(tournament.entrants.values())))

    rows = standings(entrants, tournament.rounds, tournament.terms, tournament.seed)

    assert rows == tournament.standings()


def test_in_a_knock_out_places_follow_from_its_course() -> None:
    """The losers of the first round of four share the third place."""
    pairing = PairingTerms(seeding="registration", third_place=False)
    tournament = started(4, table_size=2, rounds=0, format="knockout", pairing=pairing)
    play_out(tournament)

    found = {row.bot: tournament.explain(row.bot) for row in tournament.standings()}

    assert [one.rank for one in found.values()] == [1, 2, 3, 3]
    first, second, third, last = found.values()
    assert (first.above, last.below) == (None, None)
    parted = [one.below.decided_by for one in (first, second, third) if one.below is not None]
    assert parted == ["course", "course", ""]
    assert third.above is not None
    assert third.above.bot == second.bot
