"""What an organiser may choose about rounds: byes, late entries, meetings, acceleration, several games."""

from typing import Any

import pytest

from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_domain.swiss.checks import problems
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.rounds import rotated
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.terms import pinned
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.swiss.leagues import (
    AT,
    bots,
    by_lot,
    by_number,
    catalog,
    play_out,
    play_round,
    registered,
    started,
    terms,
)


def points(tournament: Tournament) -> dict[str, int]:
    return {row.bot: row.half_points for row in tournament.standings()}


# --- byes that were asked for -------------------------------------------------------------------------


def test_a_bye_that_was_asked_for_is_worth_a_mean_table_or_nothing() -> None:
    tournament = started(8, rounds=3, pairing=PairingTerms(half_byes=2))
    for bot in bots(4)[:2]:
        tournament.request_bye(bot, 1, "half", at=AT)
    for bot in bots(4)[2:]:
        tournament.request_bye(bot, 1, "zero", at=AT, cause="moving house")

    played = play_round(tournament)

    inputs = tournament.pairings[0].inputs
    assert set(played.half_byes) == set(inputs.half_byes) == {"bot/b01", "bot/b02"}
    assert set(inputs.away) == {"bot/b03", "bot/b04"}
    assert len(played.tables) == 1
    assert [points(tournament)[bot] for bot in bots(4)] == [3, 3, 0, 0]
    assert problems(inputs, tournament.pairings[0].pairing) == ()


def test_a_bye_is_for_one_round_and_can_be_taken_back() -> None:
    tournament = started(8)
    tournament.request_bye("bot/b01", 1, "zero", at=AT)
    tournament.request_bye("bot/b02", 1, "half", at=AT)

    tournament.request_bye("bot/b02", 1, None, at=AT)

    assert {one.bot for one in tournament.history().entrants} == set(bots(8)) - {"bot/b01"}
    play_round(tournament)
    assert len(tournament.history().entrants) == 8


def test_who_has_withdrawn_has_no_bye() -> None:
    tournament = started(9)
    tournament.request_bye("bot/b01", 1, "half", at=AT)
    tournament.withdraw("bot/b01", at=AT)

    assert play_round(tournament).half_byes == ()


def test_a_bye_that_was_asked_for_counts_when_byes_are_allotted() -> None:
    """Five entrants at tables of two; who had the half-point bye is the last to have another."""
    tournament = started(5, table_size=2, rounds=6)
    tournament.request_bye("bot/b05", 1, "half", at=AT)

    for _ in range(5):
        play_round(tournament, by_number)

    assert sum("bot/b05" in played.byes for played in tournament.rounds) == 0


def test_byes_worth_points_are_few_and_not_at_the_end() -> None:
    tournament = started(8, rounds=4)
    tournament.request_bye("bot/b01", 2, "half", at=AT)
    tournament.request_bye("bot/b01", 2, "half", at=AT)  # the same again

    with pytest.raises(ConflictError, match="may ask for 1 byes worth half a win"):
        tournament.request_bye("bot/b01", 3, "half", at=AT)
    with pytest.raises(ConflictError, match="in the last 1 rounds of t/cup no bye is worth half a win"):
        tournament.request_bye("bot/b02", 4, "half", at=AT)
    tournament.request_bye("bot/b02", 4, "zero", at=AT)


def test_a_bye_needs_an_entrant_and_a_round_to_come() -> None:
    tournament = started(8)
    play_round(tournament)

    with pytest.raises(NotFoundError, match="bot/x is not registered"):
        tournament.request_bye("bot/x", 2, "zero", at=AT)
    with pytest.raises(ConflictError, match="round 1 of t/cup was paired already"):
        tournament.request_bye("bot/b01", 1, "zero", at=AT)
    with pytest.raises(ConflictError, match="asked for no bye in round 2"):
        tournament.request_bye("bot/b01", 2, None, at=AT)


def test_a_check_finds_byes_that_nobody_asked_for() -> None:
    from msgspec.structs import replace

    tournament = started(8)
    play_round(tournament)
    event = tournament.pairings[0]

    found = problems(event.inputs, replace(event.pairing, half_byes=("bot/b09",)))

    assert "the half-point byes are not those that were asked for" in found


# --- coming and going ---------------------------------------------------------------------------------


def test_new_bots_may_enter_up_to_the_round_that_the_terms_name() -> None:
    tournament = started(8, pairing=PairingTerms(late_entry=2))
    play_round(tournament)
    tournament.register("bot/late", "late", at=AT)
    tournament.withdraw("bot/b01", at=AT)
    play_round(tournament)

    with pytest.raises(ConflictError, match="takes new entrants up to round 2; rounds paired: 2"):
        tournament.register("bot/later", "later", at=AT)
    tournament.register("bot/b01", "b01", at=AT)  # who was there before may come back


def test_leaving_and_coming_back_earns_nothing() -> None:
    """Five bots at tables of two; b01 always loses, and leaves for every second round: it never has a bye."""
    tournament = started(5, table_size=2, rounds=6, pairing=PairingTerms(seeding="registration"))
    for number in range(1, 7):
        if number % 2 == 0:
            tournament.withdraw("bot/b01", at=AT)
        play_round(tournament, lambda _, seats: [3 - rank for rank in by_number("", seats)])
        if number % 2 == 0:
            tournament.register("bot/b01", "b01", at=AT)

    byes = {row.bot: row.byes for row in tournament.standings()}
    assert byes["bot/b01"] == 0
    assert points(tournament)["bot/b01"] == 0
    assert sum(byes.values()) == 3


# --- meetings -----------------------------------------------------------------------------------------


def test_a_ruling_keeps_two_apart_or_lets_them_meet() -> None:
    tournament = registered(0, table_size=2, pairing=PairingTerms(same_author="apart", forbid="soft"))
    for bot in bots(4):
        tournament.register(bot, bot, at=AT, author="ada" if bot <= "bot/b02" else bot)
    tournament.start(at=AT)

    def apart() -> set[frozenset[str]]:
        inputs = tournament.history()
        names = [one.bot for one in inputs.entrants]
        return {frozenset((names[first], names[second])) for first, second in inputs.forbidden}

    assert apart() == {frozenset(("bot/b01", "bot/b02"))}
    tournament.rule_meeting("bot/b02", "bot/b01", apart=False, at=AT, cause="asked for")
    tournament.rule_meeting("bot/b03", "bot/b04", apart=True, at=AT, cause="same team")
    assert apart() == {frozenset(("bot/b03", "bot/b04"))}
    assert tournament.rulings == {("bot/b01", "bot/b02"): False, ("bot/b03", "bot/b04"): True}


def test_a_ruling_needs_two_entrants() -> None:
    tournament = started(4)

    with pytest.raises(NotFoundError, match="bot/x is not registered"):
        tournament.rule_meeting("bot/b01", "bot/x", apart=True, at=AT, cause="")
    with pytest.raises(OptionError, match="cannot meet itself"):
        tournament.rule_meeting("bot/b01", "bot/b01", apart=True, at=AT, cause="")


# --- acceleration -------------------------------------------------------------------------------------


def test_the_upper_half_begins_with_a_win_more() -> None:
    """Ten entrants, nine rounds: six bots are accelerated for five rounds, by a win in the first three."""
    tournament = started(
        10, table_size=2, rounds=9, pairing=PairingTerms(acceleration="baku", seeding="registration")
    )
    seen = []
    for _ in range(6):
        inputs = tournament.history()
        virtual = {one.bot: (one.paired_by - one.half_points) for one in inputs.entrants}
        seen.append([virtual[bot] for bot in bots(10)])
        play_round(tournament, by_lot)
        assert problems(inputs, tournament.pairings[-1].pairing) == ()

    assert seen[0] == seen[2] == [2] * 6 + [0] * 4
    assert seen[3] == seen[4] == [1] * 6 + [0] * 4
    assert seen[5] == [0] * 10
    first = tournament.pairings[0].pairing.tables
    assert all((plan.seats[0] <= "bot/b06") == (plan.seats[1] <= "bot/b06") for plan in first)


def test_a_late_entrant_is_accelerated_if_it_is_seeded_in_the_upper_half() -> None:
    tournament = registered(
        0, table_size=2, rounds=9, pairing=PairingTerms(acceleration="baku", seeding="rating")
    )
    for bot, rating in zip(bots(4), (2000, 1900, 1800, 1700), strict=True):
        tournament.register(bot, bot, at=AT, rating=rating)
    tournament.start(at=AT)
    play_round(tournament)

    tournament.register("bot/high", "high", at=AT, rating=1950)
    tournament.register("bot/low", "low", at=AT, rating=1850)

    levels = {one.bot: one.level for one in tournament.history().entrants}
    assert (levels["bot/high"], levels["bot/low"]) == (2, 0)


def test_acceleration_adds_what_a_win_is_worth() -> None:
    scoring = Scoring(rule="win_draw_loss", win=6, draw=2)
    tournament = registered(
        4, table_size=2, rounds=3, scoring=scoring, pairing=PairingTerms(acceleration="baku")
    )

    assert sorted(one.paired_by for one in tournament.history().entrants) == [0, 0, 6, 6]


# --- several games ------------------------------------------------------------------------------------


def test_everybody_moves_on_by_one_seat() -> None:
    assert [rotated("abc", by) for by in range(4)] == [tuple("abc"), tuple("cab"), tuple("bca"), tuple("abc")]


def test_a_table_plays_several_games_with_other_seats() -> None:
    tournament = started(8, table_size=4, rounds=2, pairing=PairingTerms(games=4))

    played = play_round(tournament, by_lot)

    assert [table.match for table in played.tables] == [f"m/cup/r1/t{number}" for number in range(1, 9)]
    assert [(table.pod, table.game) for table in played.tables[2:6]] == [(1, 3), (1, 4), (2, 1), (2, 2)]
    for pod in (1, 2):
        seats = [table.seats for table in played.tables if table.pod == pod]
        assert all(len(set(column)) == 4 for column in zip(*seats, strict=True))
    after = tournament.history()
    assert all(one.seats == (1, 1, 1, 1) for one in after.entrants)
    assert {times for *_, times in after.meetings} == {1}


def test_seats_can_stay_as_they_are() -> None:
    tournament = started(4, rounds=1, pairing=PairingTerms(games=2, rotation="fixed"))

    first, second = play_round(tournament).tables

    assert first.seats == second.seats


def test_several_games_follow_from_the_events() -> None:
    from keylore_domain.engine.aggregates import encode_event, topic_of
    from keylore_domain.swiss.audit import audit

    tournament = started(9, rounds=3, uneven="smaller_tables", pairing=PairingTerms(games=3, duplicate=True))
    tournament.request_bye("bot/b03", 2, "half", at=AT)
    tournament.rule_meeting("bot/b01", "bot/b02", apart=True, at=AT, cause="rivals")
    play_out(tournament, by_lot)

    stored = [(topic_of(event), encode_event(event)) for event in tournament.collect_events()]

    assert audit("t/cup", stored) == ()


def test_duplicate_games_of_a_table_share_their_deal_and_no_others_do() -> None:
    tournament = started(8, rounds=2, pairing=PairingTerms(games=2, duplicate=True))
    for _ in range(2):
        play_round(tournament)

    deals = [tournament.deal_of(table.match) for played in tournament.rounds for table in played.tables]

    assert deals == [f"cup/r{number}/p{pod}" for number in (1, 2) for pod in (1, 1, 2, 2)]
    assert started(4, rounds=1).history().games == 1


def test_a_match_has_a_deal_of_its_own_unless_the_terms_say_otherwise() -> None:
    tournament = started(4)
    play_round(tournament)

    assert tournament.deal_of("m/cup/r1/t1") is None


@pytest.mark.parametrize(
    ("pairing", "field"),
    [
        (PairingTerms(acceleration="baku"), "acceleration"),
        (PairingTerms(duplicate=True), "duplicate"),
        (PairingTerms(duplicate=True, games=2, rotation="fixed"), "duplicate"),
    ],
)
@pytest.mark.parametrize("format_name", ["swiss", "round_robin"])
def test_options_that_do_not_go_together_are_refused(pairing: Any, field: str, format_name: str) -> None:
    with pytest.raises(OptionError) as error:
        pinned(terms(pairing=pairing, format=format_name), catalog)

    assert error.value.field == field
