"""Round robin, knock-out, gauntlet, ladder and solo league."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_domain.swiss.audit import audit
from keylore_domain.swiss.checks import problems
from keylore_domain.swiss.formats.designs import berger, blocks, has_plane, plane
from keylore_domain.swiss.formats.knockout import course
from keylore_domain.swiss.formats.ladder import mean_ratings
from keylore_domain.swiss.formats.seeding import dealt, in_bracket
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.rounds import Placing
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.swiss.leagues import (
    AT,
    bots,
    by_lot,
    by_number,
    catalog,
    lonely,
    placings,
    play_out,
    play_round,
    registered,
    started,
    terms,
)

BY_NUMBER = PairingTerms(seeding="registration")


def of(format_name: str, entrants: int, **changes: Any) -> Tournament:
    """A started tournament of this format, seeded by registration; the smaller number wins."""
    return started(entrants, **{"format": format_name, "rounds": 0, "pairing": BY_NUMBER, **changes})


def meetings(tournament: Tournament) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(pair)
        for played in tournament.rounds
        for table in played.tables
        for pair in combinations(table.seats, 2)
    )


def names(*groups: Sequence[str]) -> list[list[str]]:
    return [sorted(bot.removeprefix("bot/b") for bot in group) for group in groups]


def last_tables(tournament: Tournament) -> list[list[str]]:
    return names(*(table.seats for table in tournament.rounds[-1].tables))


def ranks(tournament: Tournament) -> dict[str, int]:
    return {row.bot.removeprefix("bot/b"): row.rank for row in tournament.standings()}


def sound(tournament: Tournament) -> None:
    """The checks find nothing, and all follows from the events."""
    for event in tournament.pairings:
        assert problems(event.inputs, event.pairing) == ()
    rows = [(topic_of(event), encode_event(event)) for event in tournament.collect_events()]
    assert audit(tournament.id, rows) == ()


# --- round robin --------------------------------------------------------------------------------------


def test_berger_tables_are_those_of_the_handbook() -> None:
    """FIDE C.05 annex 1, for 3 or 4 and for 5 or 6 players."""
    four = [berger(4, number) for number in range(3)]
    six = [berger(6, number) for number in range(5)]

    assert [[(a + 1, b + 1) for a, b in pairs] for pairs in four] == [
        [(1, 4), (2, 3)],
        [(4, 3), (1, 2)],
        [(2, 4), (3, 1)],
    ]
    assert [[(a + 1, b + 1) for a, b in pairs] for pairs in six] == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]
    assert berger(4, 3) == ((3, 0), (2, 1))


@pytest.mark.parametrize(
    ("entrants", "cycles", "rounds"), [(2, 1, 1), (5, 1, 5), (6, 1, 5), (4, 2, 6), (9, 1, 9)]
)
def test_in_a_round_robin_of_two_everybody_meets_everybody(entrants: int, cycles: int, rounds: int) -> None:
    tournament = of("round_robin", entrants, table_size=2, pairing=replace(BY_NUMBER, cycles=cycles))
    assert tournament.planned_rounds == rounds

    play_out(tournament)

    assert len(tournament.rounds) == rounds
    assert set(meetings(tournament).values()) == {cycles}
    assert len(meetings(tournament)) == entrants * (entrants - 1) // 2
    seats = [one.seats for one in tournament.history().entrants]
    assert all(abs(first - second) <= 1 for first, second in seats)
    sound(tournament)


def test_who_would_meet_a_bot_that_left_has_a_bye() -> None:
    tournament = of("round_robin", 4, table_size=2)
    play_round(tournament)
    tournament.withdraw("bot/b03", at=AT)

    play_round(tournament)
    play_round(tournament)

    assert [names(played.byes)[0] for played in tournament.rounds] == [[], ["04"], ["01"]]
    sound(tournament)


def test_nobody_enters_a_round_robin_that_has_begun_but_who_left_may_come_back() -> None:
    tournament = of("round_robin", 4, table_size=2)
    tournament.register("bot/b05", "b05", at=AT)
    play_round(tournament)
    tournament.withdraw("bot/b01", at=AT)

    with pytest.raises(ConflictError, match="takes nobody new once it has begun"):
        tournament.register("bot/b06", "b06", at=AT)
    tournament.register("bot/b01", "b01", at=AT)


@pytest.mark.parametrize("form", ["round_robin", "knockout"])
def test_who_left_before_it_began_does_not_come_back_into_what_has_begun(form: str) -> None:
    tournament = registered(5, format=form, table_size=2, rounds=0, pairing=BY_NUMBER)
    tournament.withdraw("bot/b05", at=AT)
    tournament.start(at=AT)
    play_round(tournament, by_number)

    with pytest.raises(ConflictError, match="takes nobody new once it has begun"):
        tournament.register("bot/b05", "b05", at=AT)


def test_who_misses_the_first_round_of_a_round_robin_meets_the_others_later() -> None:
    tournament = registered(4, format="round_robin", table_size=2, rounds=0, pairing=BY_NUMBER)
    tournament.request_bye("bot/b01", 1, "zero", at=AT)
    tournament.start(at=AT)

    play_out(tournament, by_number)

    assert len(tournament.rounds) == 3
    assert sum(any("bot/b01" in table.seats for table in one.tables) for one in tournament.rounds) == 2
    assert sorted(tournament.rounds[0].byes) == ["bot/b04"]
    sound(tournament)


def test_who_misses_the_first_round_of_a_knock_out_is_out() -> None:
    tournament = registered(4, format="knockout", table_size=2, rounds=0, pairing=BY_NUMBER)
    tournament.request_bye("bot/b01", 1, "half", at=AT)
    tournament.start(at=AT)

    play_out(tournament, by_number)

    assert tournament.rounds[0].byes == ("bot/b04",)
    assert ranks(tournament)["01"] > 2
    sound(tournament)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_plane_lets_every_two_meet_once(size: int) -> None:
    tournament = of("round_robin", size * size, table_size=size)
    assert tournament.planned_rounds == size + 1

    play_out(tournament)

    assert set(meetings(tournament).values()) == {1}
    assert len(meetings(tournament)) == size * size * (size * size - 1) // 2
    assert {event.pairing.algorithm for event in tournament.pairings} == {"plane/1"}
    sound(tournament)


def test_planes_begin_again() -> None:
    assert plane(4, 5) == plane(4, 0)
    assert not has_plane(4, 2)
    assert not has_plane(36, 6)


def test_without_a_plane_tables_are_formed_for_the_fewest_repeats_whatever_the_points() -> None:
    """Seven at tables of three and two: 21 pairs, at most 5 of them in each round."""
    tournament = of("round_robin", 7, table_size=3, uneven="smaller_tables")
    assert tournament.planned_rounds == 5

    play_out(tournament)

    assert max(meetings(tournament).values()) <= 2
    assert len(meetings(tournament)) >= 19
    sound(tournament)


def test_a_plane_is_left_when_somebody_leaves() -> None:
    tournament = of("round_robin", 9, table_size=3, uneven="smaller_tables")
    play_round(tournament)
    tournament.withdraw("bot/b09", at=AT)

    play_out(tournament)

    assert [event.pairing.algorithm for event in tournament.pairings] == ["plane/1", *["tables/2"] * 3]
    sound(tournament)


def test_a_round_robin_may_be_cut_short() -> None:
    tournament = play_out(of("round_robin", 6, table_size=2, rounds=2))

    assert len(tournament.rounds) == 2
    assert registered(1, format="round_robin", table_size=2, rounds=0).planned_rounds == 0


def test_pieces_of_a_list() -> None:
    assert blocks("abcde", 2) == (("a", "b"), ("c", "d"), ("e",))


# --- knock-out ----------------------------------------------------------------------------------------


def test_a_bracket_keeps_the_best_apart() -> None:
    assert in_bracket("12345678") == tuple("18452736")
    assert in_bracket("123456") == ("1", "", "4", "5", "2", "", "3", "6")
    assert in_bracket("12") == ("1", "2")


def test_entrants_are_dealt_out_up_and_down() -> None:
    assert dealt("12345678", (4, 4)) == [tuple("1458"), tuple("2367")]
    assert dealt("1234567", (4, 3)) == [tuple("1457"), tuple("236")]


def test_a_knock_out_of_eight_ends_with_a_final_and_a_table_for_third_place() -> None:
    tournament = of("knockout", 8, table_size=2)
    assert tournament.planned_rounds == 3

    play_round(tournament)
    assert last_tables(tournament) == [["01", "08"], ["04", "05"], ["02", "07"], ["03", "06"]]
    play_round(tournament)
    assert last_tables(tournament) == [["01", "04"], ["02", "03"]]
    assert names(tournament.rounds[-1].idle) == [["05", "06", "07", "08"]]
    play_round(tournament)
    assert sorted(last_tables(tournament)) == [["01", "02"], ["03", "04"]]

    assert tournament.is_played_out
    tournament.finish(at=AT)
    assert ranks(tournament) == {"01": 1, "02": 2, "03": 3, "04": 4, "05": 5, "06": 5, "07": 5, "08": 5}
    sound(tournament)


def test_in_mid_course_those_who_are_left_share_the_first_place() -> None:
    tournament = of("knockout", 8, table_size=2)
    play_round(tournament)

    found = ranks(tournament)

    assert [found[f"0{number}"] for number in range(1, 9)] == [1, 1, 1, 1, 5, 5, 5, 5]
    assert ranks(tournament) == {row.bot.removeprefix("bot/b"): row.rank for row in tournament.standings(1)}
    tournament.pair_round(at=AT)
    assert ranks(tournament) == found


@pytest.mark.parametrize(
    ("entrants", "byes"), [(3, ["01"]), (5, ["01", "02", "03"]), (6, ["01", "02"]), (7, ["01"])]
)
def test_the_first_of_the_seeding_have_byes_where_the_bracket_is_not_full(
    entrants: int, byes: list[str]
) -> None:
    tournament = of("knockout", entrants, table_size=2)
    play_round(tournament)

    assert names(tournament.rounds[0].byes) == [byes]
    play_out(tournament)
    assert ranks(tournament)["01"] == 1
    assert len(set(ranks(tournament))) == entrants
    sound(tournament)


def test_the_third_place_can_be_left_out() -> None:
    tournament = of("knockout", 4, table_size=2, pairing=replace(BY_NUMBER, third_place=False))

    play_out(tournament)

    assert [len(played.tables) for played in tournament.rounds] == [2, 1]
    assert ranks(tournament) == {"01": 1, "02": 2, "03": 3, "04": 3}


def test_equals_are_decided_by_score_then_by_seeding() -> None:
    tournament = of("knockout", 4, table_size=2)
    tournament.pair_round(at=AT)
    scores = {"bot/b01": 5, "bot/b04": 7, "bot/b02": 3, "bot/b03": 3}
    for table in tournament.rounds[-1].tables:
        drawn = [Placing(bot, 1, scores[bot]) for bot in table.seats]
        tournament.record_result(table.match, drawn, at=AT, cause="rules")

    assert set(course(tournament.past).left) == {"bot/b04", "bot/b02"}


def test_several_games_of_a_pairing_count_together() -> None:
    tournament = of("knockout", 2, table_size=2, pairing=replace(BY_NUMBER, games=2))
    tournament.pair_round(at=AT)
    for table, best in zip(tournament.rounds[-1].tables, ("bot/b01", "bot/b02"), strict=True):
        found = [
            Placing(bot, 1 if bot == best else 2, 9 if best == "bot/b02" == bot else 5) for bot in table.seats
        ]
        tournament.record_result(table.match, found, at=AT, cause="rules")

    assert course(tournament.past).out[0] == ("bot/b02",)


def test_who_leaves_a_knock_out_lets_the_other_through() -> None:
    tournament = of("knockout", 4, table_size=2)
    play_round(tournament)
    tournament.withdraw("bot/b02", at=AT)

    assert tournament.is_played_out
    tournament.finish(at=AT)
    assert ranks(tournament) == {"01": 1, "02": 2, "03": 3, "04": 3}


def test_a_withdrawal_before_the_semifinal_is_a_bye() -> None:
    tournament = of("knockout", 8, table_size=2)
    play_round(tournament)
    tournament.withdraw("bot/b01", at=AT)

    play_round(tournament)
    assert names(tournament.rounds[-1].byes) == [["04"]]
    play_round(tournament)

    assert sorted(last_tables(tournament)) == [["02", "04"]]
    tournament.finish(at=AT)
    assert [ranks(tournament)[f"0{number}"] for number in range(1, 5)] == [3, 1, 3, 2]
    sound(tournament)


def test_a_round_may_have_no_table_at_all() -> None:
    """In both halves only one is left before the semifinals; they meet in the final."""
    tournament = of("knockout", 8, table_size=2)
    play_round(tournament)
    tournament.withdraw("bot/b04", at=AT)
    tournament.withdraw("bot/b03", at=AT)

    play_round(tournament)
    assert (tournament.rounds[-1].tables, names(tournament.rounds[-1].byes)) == ((), [["01", "02"]])
    play_round(tournament)

    tournament.finish(at=AT)
    assert [ranks(tournament)[f"0{number}"] for number in (1, 2)] == [1, 2]
    sound(tournament)


def test_too_few_for_a_table_need_no_round() -> None:
    assert registered(3, format="knockout", table_size=4, rounds=0).planned_rounds == 0


def test_a_half_that_is_empty_makes_the_other_semifinal_the_final() -> None:
    tournament = of("knockout", 8, table_size=2)
    play_round(tournament)
    tournament.withdraw("bot/b01", at=AT)
    tournament.withdraw("bot/b04", at=AT)

    play_round(tournament)

    assert tournament.is_played_out
    tournament.finish(at=AT)
    assert (ranks(tournament)["02"], ranks(tournament)["03"]) == (1, 2)


def test_at_larger_tables_half_of_each_goes_on() -> None:
    tournament = of("knockout", 16, table_size=4)
    assert tournament.planned_rounds == 3

    play_round(tournament)
    assert last_tables(tournament)[0] == ["01", "08", "09", "16"]
    play_round(tournament)
    assert len(tournament.rounds[-1].tables) == 2
    play_round(tournament)

    assert sorted(last_tables(tournament)) == [["01", "02", "03", "04"], ["05", "06", "07", "08"]]
    tournament.finish(at=AT)
    found = ranks(tournament)
    assert [found[f"{number:02}"] for number in range(1, 10)] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert found["16"] == 9
    sound(tournament)


def test_the_best_of_the_others_come_along_if_a_table_would_not_be_full() -> None:
    """Six at tables of three, one of each goes on: two would not fill a table."""
    tournament = of("knockout", 6, table_size=3)
    assert tournament.planned_rounds == 2

    play_round(tournament)
    play_round(tournament)

    assert len(tournament.rounds[-1].tables[0].seats) == 3
    tournament.finish(at=AT)
    assert [ranks(tournament)[f"0{number}"] for number in (1, 2)] == [1, 2]
    sound(tournament)


def test_byes_of_larger_tables_go_to_the_first_of_the_seeding() -> None:
    tournament = of("knockout", 9, table_size=4)

    play_out(tournament)

    assert names(tournament.rounds[0].byes) == [["01"]]
    assert ranks(tournament)["01"] == 1
    sound(tournament)


def test_how_many_go_on_can_be_chosen() -> None:
    tournament = of("knockout", 16, table_size=4, pairing=replace(BY_NUMBER, advance=1))

    assert tournament.planned_rounds == 2
    play_out(tournament)
    assert len(tournament.rounds) == 2
    sound(tournament)


def test_a_knock_out_that_cannot_fill_a_table_any_more_is_over() -> None:
    tournament = of("knockout", 8, table_size=4)
    play_round(tournament)
    for bot in bots(2):
        tournament.withdraw(bot, at=AT)

    assert tournament.is_played_out
    tournament.finish(at=AT)
    found = ranks(tournament)
    assert max(found["03"], found["04"]) < min(found["01"], found["02"]) < found["08"]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(entrants=st.integers(2, 30), size=st.integers(2, 6), data=st.data())
def test_every_knock_out_ends_with_one_first(entrants: int, size: int, data: st.DataObject) -> None:
    if entrants < size:
        entrants += size
    tournament = of("knockout", entrants, table_size=size)
    for _ in range(40):
        if tournament.is_played_out or not tournament.can_fill_a_table:
            break
        play_round(tournament, by_lot)
        if data.draw(st.booleans()):
            tournament.withdraw(data.draw(st.sampled_from([one.bot for one in tournament.active])), at=AT)
    tournament.finish(at=AT)

    assert next(row.rank for row in tournament.standings()) == 1
    assert len(tournament.standings()) == entrants
    sound(tournament)


# --- gauntlet -----------------------------------------------------------------------------------------


def test_the_champion_meets_every_challenger() -> None:
    tournament = of("gauntlet", 6, table_size=2)
    assert tournament.planned_rounds == 5

    play_out(tournament)

    assert len(tournament.rounds) == 5
    assert all(len(played.tables) == 1 and len(played.idle) == 4 for played in tournament.rounds)
    assert {len(pair & {"bot/b01"}) for pair in meetings(tournament)} == {1}
    assert set(meetings(tournament).values()) == {1}
    sound(tournament)


def test_several_champions_play_at_the_same_time() -> None:
    tournament = of("gauntlet", 7, table_size=2, pairing=replace(BY_NUMBER, champions=2, cycles=2))

    play_out(tournament)

    champions = {"bot/b01", "bot/b02"}
    assert set(meetings(tournament)) == {
        frozenset((one, other)) for one in champions for other in bots(7)[2:]
    }
    assert set(meetings(tournament).values()) == {2}
    assert len(tournament.rounds) == tournament.planned_rounds == 10
    sound(tournament)


def test_at_larger_tables_a_champion_meets_several_at_once() -> None:
    tournament = of("gauntlet", 8, table_size=4)

    play_out(tournament)

    assert len(tournament.rounds) == tournament.planned_rounds == 3
    with_champion = Counter(
        bot for pair in meetings(tournament).elements() if "bot/b01" in pair for bot in pair
    )
    assert min(with_champion[bot] for bot in bots(8)[1:]) == 1
    seats = tournament.history().entrants[0].seats
    assert max(seats) - min(seats) <= 1
    sound(tournament)


def test_a_challenger_that_comes_late_is_met_too() -> None:
    tournament = of("gauntlet", 3, table_size=2)
    play_round(tournament)
    tournament.register("bot/b04", "b04", at=AT)

    play_out(tournament)

    assert frozenset(("bot/b01", "bot/b04")) in meetings(tournament)
    assert len(tournament.rounds) == 3
    sound(tournament)


def test_a_gauntlet_ends_when_its_champion_leaves_or_challengers_are_too_few() -> None:
    alone, few = of("gauntlet", 4, table_size=2), of("gauntlet", 7, table_size=4)
    for tournament in (alone, few):
        play_round(tournament)
    alone.withdraw("bot/b01", at=AT)
    for bot in bots(7)[1:4]:
        few.withdraw(bot, at=AT)

    assert alone.is_played_out
    assert not few.is_played_out
    few.withdraw("bot/b05", at=AT)
    assert few.is_played_out


def test_a_gauntlet_may_have_a_number_of_rounds() -> None:
    tournament = play_out(of("gauntlet", 6, table_size=2, rounds=2))

    assert len(tournament.rounds) == 2


def test_without_a_challenger_there_is_no_round() -> None:
    tournament = of("gauntlet", 3, table_size=2)
    for bot in bots(3)[1:]:
        tournament.request_bye(bot, 1, "zero", at=AT)

    with pytest.raises(ConflictError, match="no champion of round 1 finds 1 challengers"):
        tournament.pair_round(at=AT)


# --- ladder -------------------------------------------------------------------------------------------


def test_a_ladder_goes_on_until_it_is_ended() -> None:
    tournament = of("ladder", 8, table_size=2)
    for number in range(1, 13):
        play_round(tournament, by_number)
        assert not tournament.is_played_out
        assert tournament.pairings[-1].pairing.algorithm == "tables/2"
        if number == 5:
            tournament.register("bot/b09", "b09", at=AT)
    tournament.pause(at=AT)

    tournament.finish(at=AT)

    assert tournament.planned_rounds == 0
    assert tournament.finished is not None
    assert tournament.finished.cause == "organiser"
    sound(tournament)


def test_a_ladder_seats_near_ratings_together_and_forgets_old_meetings() -> None:
    tournament = of("ladder", 8, table_size=2, pairing=replace(BY_NUMBER, memory=1))
    for _ in range(6):
        play_round(tournament, by_number)

    inputs = tournament.history()

    assert len(inputs.meetings) == 4
    levels = [one.paired_by for one in inputs.entrants]
    assert levels == sorted(levels, reverse=True)
    assert of("ladder", 4, table_size=2, pairing=replace(BY_NUMBER, memory=0)).history().meetings == ()


def test_ratings_can_come_from_elsewhere() -> None:
    tournament = of(
        "ladder", 4, table_size=2, pairing=replace(BY_NUMBER, apart=(("bot/b01", "bot/b04"),), forbid="soft")
    )
    ratings = {"bot/b01": 1500, "bot/b02": 2000, "bot/b03": 1990, "bot/b04": 1490}

    tournament.pair_round(at=AT, ratings=ratings)

    inputs = tournament.pairings[0].inputs
    assert [one.level for one in inputs.entrants] == [2000, 1990, 1500, 1490]
    assert inputs.forbidden == ((2, 3),)
    assert {"bot/b01", "bot/b04"} not in [set(plan.seats) for plan in tournament.pairings[0].pairing.tables]
    for table in tournament.rounds[-1].tables:
        tournament.record_result(table.match, placings(table), at=AT, cause="rules")
    sound(tournament)


def test_ratings_are_drawn_towards_the_middle_while_little_is_known() -> None:
    """After one round of two: a win of 1 point is (1 + 2 * 1/2) / 3 points."""
    tournament = of("ladder", 3, table_size=2)
    assert set(mean_ratings(tournament.past).values()) == {0}
    play_round(tournament, by_number)

    found = mean_ratings(tournament.past)

    assert sorted(found.values()) == [33, 50, 66]


def test_a_ladder_may_have_an_end() -> None:
    tournament = play_out(of("ladder", 4, table_size=4, rounds=3))

    assert len(tournament.rounds) == 3


def test_other_formats_end_by_themselves() -> None:
    tournament = of("round_robin", 4, table_size=2)
    play_round(tournament)
    tournament.pause(at=AT)

    with pytest.raises(ConflictError, match="is paused; it would have to be running"):
        tournament.finish(at=AT)


# --- solo league --------------------------------------------------------------------------------------


SCORES = Scoring(rule="game_score")


def solo(entrants: int, **changes: Any) -> Tournament:
    chosen = terms(**{"format": "solo", "table_size": 1, "rounds": 2, "scoring": SCORES, **changes})
    tournament = Tournament.create("cup", chosen, lonely, at=AT)
    for bot in bots(entrants):
        tournament.register(bot, bot, at=AT)
    tournament.start(at=AT)
    return tournament


def test_in_a_solo_league_everybody_plays_the_same_deals_alone() -> None:
    tournament = solo(3, pairing=PairingTerms(games=2))

    while not tournament.is_played_out:
        tournament.pair_round(at=AT)
        for table in tournament.rounds[-1].tables:
            score = 10 * int(table.seats[0][-1])
            tournament.record_result(table.match, [Placing(table.seats[0], 1, score)], at=AT, cause="rules")
    tournament.finish(at=AT)

    assert {table.seats for table in tournament.rounds[0].tables} == {(bot,) for bot in bots(3)}
    deals = [tournament.deal_of(table.match) for table in tournament.rounds[1].tables]
    assert deals == ["cup/r2/g1", "cup/r2/g2"] * 3
    assert [(row.bot, row.points) for row in tournament.standings()] == [
        ("bot/b03", "120"),
        ("bot/b02", "80"),
        ("bot/b01", "40"),
    ]
    sound(tournament)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"table_size": 2}, "table_size"),
        ({"scoring": Scoring()}, "rule"),
        ({"table_size": 2, "format": "swiss", "rounds": 0}, "rounds"),
    ],
)
def test_a_solo_league_needs_one_seat_and_scores(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(OptionError) as error:
        solo(2, **changes)

    assert error.value.field == field


def test_a_game_without_a_solo_mode_has_no_solo_league() -> None:
    with pytest.raises(OptionError, match="pearls cannot have 1 seats"):
        Tournament.create("cup", terms(format="solo", table_size=1, scoring=SCORES), catalog, at=AT)


# --- random tournaments -------------------------------------------------------------------------------


@st.composite
def courses(draw: st.DrawFn) -> Tournament:
    """A tournament of any format in which bots come, go and ask for byes."""
    size = draw(st.integers(2, 5))
    pairing = PairingTerms(
        seeding=draw(st.sampled_from(("lot", "registration"))),
        games=draw(st.sampled_from((1, 1, 2))),
        champions=draw(st.integers(1, 3)),
        cycles=draw(st.sampled_from((1, 1, 2))) if size < 4 else 1,
        third_place=draw(st.booleans()),
        memory=draw(st.integers(0, 3)),
        last_without=0,
    )
    tournament = started(
        draw(st.integers(size, 12)),
        format=draw(st.sampled_from(("round_robin", "knockout", "gauntlet", "ladder"))),
        table_size=size,
        rounds=0,
        uneven=draw(st.sampled_from(("byes", "smaller_tables"))) if size > 2 else "byes",
        pairing=pairing,
    )
    for _ in range(draw(st.integers(1, 12))):
        if tournament.is_played_out or not tournament.can_fill_a_table:
            break
        try:
            play_round(tournament, by_lot)
        except ConflictError:  # too many stay away
            break
        _something_happens(draw, tournament)
    return tournament


def _something_happens(draw: st.DrawFn, tournament: Tournament) -> None:
    bot = draw(st.sampled_from(bots(14)))
    with suppress(ConflictError, NotFoundError):
        match draw(st.sampled_from(("nothing", "come", "go", "stay away"))):
            case "come":
                tournament.register(bot, bot, at=AT)
            case "go":
                tournament.withdraw(bot, at=AT)
            case "stay away":
                tournament.request_bye(bot, len(tournament.rounds) + 1, "zero", at=AT)
            case _:
                pass


def _check(tournament: Tournament) -> None:
    everybody = set(tournament.entrants)
    for played in tournament.rounds:
        pods = {table.pod: table.seats for table in played.tables}
        busy = [
            *played.byes,
            *played.half_byes,
            *played.idle,
            *(bot for seats in pods.values() for bot in seats),
        ]
        assert len(busy) == len(set(busy))
        assert set(busy) <= everybody
    assert {row.bot for row in tournament.standings()} == everybody
    assert [row.rank for row in tournament.standings()] == sorted(row.rank for row in tournament.standings())
    sound(tournament)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(tournament=courses())
def test_whatever_happens_a_tournament_of_any_format_stays_sound(tournament: Tournament) -> None:
    _check(tournament)


@pytest.mark.long
@settings(max_examples=1000, deadline=None)
@given(tournament=courses())
def test_whatever_happens_in_many_they_stay_sound(tournament: Tournament) -> None:
    _check(tournament)


# --- checks -------------------------------------------------------------------------------------------


def first_round(format_name: str, entrants: int, **changes: Any) -> tuple[Any, Any]:
    tournament = of(format_name, entrants, **changes)
    tournament.pair_round(at=AT)
    return tournament.pairings[0].inputs, tournament.pairings[0].pairing


def exchanged(pairing: Any, first: int, second: int) -> Any:
    """*pairing* with the last entrants of two tables exchanged."""
    tables = list(pairing.tables)
    one, other = tables[first].seats, tables[second].seats
    tables[first] = replace(tables[first], seats=(*one[:-1], other[-1]))
    tables[second] = replace(tables[second], seats=(*other[:-1], one[-1]))
    return replace(pairing, tables=tuple(tables))


def test_pairs_that_are_not_in_the_berger_table_are_found() -> None:
    inputs, pairing = first_round("round_robin", 6, table_size=2)

    found = problems(inputs, exchanged(pairing, 0, 1))

    assert any("do not meet in round 1" in problem for problem in found)


def test_a_bye_that_is_not_in_the_berger_table_is_found() -> None:
    inputs, pairing = first_round("round_robin", 4, table_size=2)
    (first, second) = pairing.tables
    wrong = replace(pairing, tables=(first,), byes=second.seats)

    found = problems(inputs, wrong)

    assert f"{second.seats[0]} has a bye, but should meet {second.seats[1]}" in found


def test_lines_of_a_plane_are_full() -> None:
    inputs, pairing = first_round("round_robin", 9, table_size=3)
    first, *others = pairing.tables
    wrong = replace(pairing, tables=(replace(first, seats=first.seats[:2]), *others), byes=first.seats[2:])

    found = problems(inputs, wrong)

    assert "table 1 has 2 seats instead of 3" in found
    assert "a bye, though all tables can be full" in found


def test_tables_that_are_not_in_the_bracket_are_found() -> None:
    inputs, pairing = first_round("knockout", 7, table_size=2)

    crossed = problems(inputs, exchanged(pairing, 0, 1))
    out = replace(inputs, bracket=tuple("" if bot == "bot/b01" else bot for bot in inputs.bracket))
    waiting = replace(pairing, tables=pairing.tables[1:], idle=pairing.tables[0].seats)

    assert "table 1 is not one of the bracket" in crossed
    assert "bot/b01 is out, and has a bye" in problems(out, pairing)
    assert f"{waiting.idle[0]} is left in the tournament, and waits" in problems(inputs, waiting)
    gone = replace(inputs, bracket=("bot/b01",) * 8)
    assert "table 1 seats somebody who is out" in problems(gone, pairing)


def test_tables_without_a_champion_are_found() -> None:
    inputs, pairing = first_round("gauntlet", 4, table_size=2)

    found = problems(replace(inputs, champions=()), pairing)

    assert "table 1 seats 0 champions instead of one" in found


def test_company_in_a_solo_league_is_found() -> None:
    tournament = solo(2)
    tournament.pair_round(at=AT)
    event = tournament.pairings[0]
    first, second = event.pairing.tables
    together = replace(first, seats=(*first.seats, *second.seats))

    found = problems(event.inputs, replace(event.pairing, tables=(together,)))

    assert "table 1 has 2 seats instead of one" in found


def test_only_some_formats_let_somebody_wait() -> None:
    inputs, pairing = first_round("swiss", 8, rounds=3)
    wrong = replace(pairing, tables=pairing.tables[:1], idle=pairing.tables[1].seats)

    assert "4 have neither a table nor a bye" in problems(inputs, wrong)
