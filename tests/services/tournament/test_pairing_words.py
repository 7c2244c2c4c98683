"""Why a round is as it is, in words; the sentences of whole rounds stand here as they are read."""

from typing import Any

import pytest
from msgspec.structs import replace

from keylore_domain.errors import NotFoundError
from keylore_domain.swiss.certificates import certificate_of
from keylore_domain.swiss.dutch.cards import Cards, DutchRound
from keylore_domain.swiss.pairing import pair
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.tournament.pairing_words import round_reasons
from tests.domain.swiss.leagues import (
    AT,
    bots,
    by_lot,
    by_number,
    lonely,
    placings,
    play_round,
    started,
    terms,
)

BY_NUMBER = PairingTerms(seeding="registration")


def said(tournament: Tournament, number: int = 0) -> dict[str, str]:
    """The sentence for each entrant, by name."""
    found = round_reasons(tournament, number or len(tournament.rounds))
    texts = {one.bot.removeprefix("bot/"): one.text for one in found.entrants}
    assert len(texts) == len(found.entrants)
    return texts


def two(entrants: int, **changes: Any) -> Tournament:
    return started(entrants, **{"table_size": 2, "rounds": 5, "pairing": BY_NUMBER, **changes})


def test_everybody_in_a_round_has_a_sentence() -> None:
    tournament = two(9)
    tournament.request_bye("bot/b01", 1, "half", at=AT)
    tournament.request_bye("bot/b02", 1, "zero", at=AT)
    tournament.pair_round(at=AT)

    texts = said(tournament)

    assert set(texts) == {bot.removeprefix("bot/") for bot in bots(9)}
    assert texts["b01"] == "b01 asked for a bye, worth half a win"
    assert texts["b02"] == "b02 asked to stay away, for no points"
    assert texts["b09"] == (
        "b09 (0) has a bye: 7 entrants at tables of 2; it had 0 before, and nobody who plays had fewer; "
        "of those with as many none has fewer points than its 0, and of equals it comes last in the seeding"
    )


def test_a_table_says_who_met_whom_which_seat_and_what_could_not_be_better() -> None:
    tournament = two(4)
    for _ in range(4):
        play_round(tournament, by_number)

    assert said(tournament) == {
        "b01": "b01 (3) sits at table 1 with b02 (2), on seat 0 for the 2nd time; it had met b02 once, "
        "as no round has fewer; points differ at the table, as no round is more even",
        "b02": "b02 (2) sits at table 1 with b01 (3), on seat 1 for the 2nd time; it had met b01 once, "
        "as no round has fewer; points differ at the table, as no round is more even",
        "b03": "b03 (1) sits at table 2 with b04 (0), on seat 0 for the 2nd time; it had met b04 once, "
        "as no round has fewer; points differ at the table, as no round is more even",
        "b04": "b04 (0) sits at table 2 with b03 (1), on seat 1 for the 2nd time; it had met b03 once, "
        "as no round has fewer; points differ at the table, as no round is more even",
    }


def test_what_is_not_proved_says_so() -> None:
    tournament = started(16, rounds=7, pairing=BY_NUMBER)
    for _ in range(5):
        play_round(tournament, by_lot)
    found = round_reasons(tournament, 5)
    (spread,) = (text for text in found.criteria if text.startswith("unevenness of points:"))

    assert ", where no round can have less than " in spread
    texts = said(tournament).values()
    assert any("as none was found that is more even with so few repeats" in one for one in texts)
    assert found.constraints[0] == "everybody who takes part has exactly one place"
    assert len(found.criteria) == len(found.certificate.criteria) == 11


def test_uneven_tables_and_seats_had_before_are_explained() -> None:
    tournament = started(10, rounds=7, uneven="smaller_tables", pairing=replace(BY_NUMBER, games=2))
    for _ in range(7):
        play_round(tournament, by_lot)
    texts = [text for number in range(1, 8) for text in said(tournament, number).values()]

    uneven = "; the table has 3 seats: 10 entrants at tables of 3 to 4, best 4"
    assert sum(uneven in one for one in texts) == 42
    assert all(" of the first game for the " in one for one in texts)
    assert any(", as no order of seats repeats fewer" in one for one in texts)


def test_meetings_that_should_not_be_and_clashes_are_explained() -> None:
    apart = (("bot/b01", "bot/b02"),)
    tournament = two(2, pairing=replace(BY_NUMBER, apart=apart, forbid="soft"))
    tournament.pair_round(at=AT)

    text = said(tournament)["b01"]

    assert "; b01 and b02 meet although they should not, as no round has fewer" in text


def test_both_need_the_same_seat() -> None:
    """As if both had had the first seat three times."""
    tournament = two(2)
    tournament.pair_round(at=AT)
    event = tournament.pairings[0]
    records = [replace(one, seats=(3, 0)) for one in event.inputs.entrants]
    inputs = replace(event.inputs, entrants=tuple(records))
    pairing = pair(inputs)
    tournament.pairings[0] = replace(
        event, inputs=inputs, pairing=pairing, certificate=certificate_of(inputs, pairing)
    )

    assert "; both need the same seat, as none was found that has fewer" in said(tournament)["b01"]


def test_repeats_at_a_price_are_weighed_with_the_points() -> None:
    tournament = two(4, pairing=replace(BY_NUMBER, repeat_cost=1))
    for _ in range(4):
        play_round(tournament, by_number)

    assert any("it had met b0" in text for text in said(tournament).values())
    assert any("at their price" in text for text in round_reasons(tournament, 4).criteria)


def test_a_bye_by_ruling_names_who_ruled_and_what_was_proposed() -> None:
    tournament = two(7)
    tournament.pair_round(at=AT)
    tournament.pause(at=AT)
    tournament.repair_round(byes=["bot/b01"], at=AT, by="op/ada", reason="asked in time")
    tournament.repair_round(byes=["bot/b02"], at=AT, by="op/ada", reason="a mistake")

    assert said(tournament)["b02"] == (
        "b02 has a bye by a ruling of op/ada (event 13): a mistake; proposed for b01"
    )


@pytest.mark.parametrize(
    ("rounds", "part"), [(1, "of those with as many"), (5, "and nobody who plays had fewer")]
)
def test_later_byes_are_explained(rounds: int, part: str) -> None:
    tournament = two(5)
    for _ in range(rounds):
        play_round(tournament, by_number)

    (bye,) = tournament.rounds[-1].byes

    assert part in said(tournament)[bye.removeprefix("bot/")]


def test_the_one_with_the_fewest_points_has_the_bye() -> None:
    tournament = two(3)
    play_round(tournament, by_number)
    tournament.pair_round(at=AT)
    (bye,) = tournament.rounds[-1].byes

    assert said(tournament)[bye.removeprefix("bot/")].endswith(
        "; of those with as many none has fewer points than its 0"
    )


def test_who_was_away_has_no_bye_sooner() -> None:
    tournament = two(4)
    play_round(tournament)
    tournament.register("bot/late", "late", at=AT)
    play_round(tournament, by_number)
    (bye,) = tournament.rounds[-1].byes

    assert bye != "bot/late"
    assert "of those with as many none has fewer points" in said(tournament)[bye.removeprefix("bot/")]


def test_others_who_have_had_more_byes_or_were_away_more_settle_it() -> None:
    tournament = two(3)
    for _ in range(2):
        play_round(tournament, by_number)
    tournament.pair_round(at=AT)
    (third,) = tournament.rounds[-1].byes
    late = two(2, rounds=9)
    play_round(late)
    late.register("bot/b03", "b03", at=AT)
    late.register("bot/b04", "b04", at=AT)
    late.request_bye("bot/b01", 2, "half", at=AT)
    late.pair_round(at=AT)
    (second,) = late.rounds[-1].byes

    assert said(tournament)[third.removeprefix("bot/")].endswith(
        "it had 0 before, and nobody who plays had fewer"
    )
    assert second == "bot/b02"
    assert said(late)["b02"].endswith("of those with as many it was away least")


# --- other systems ------------------------------------------------------------------------------------


def engine(cards: Cards) -> DutchRound | None:
    """Two rounds of four, and a bye for the fifth."""
    if cards.round == 1:
        return DutchRound(engine="test", pairs=((1, 3), (4, 2)), bye=5 if 5 in cards.present else 0)
    return DutchRound(engine="test", pairs=((2, 1), (3, 4)), bye=0)


def dutch(entrants: int) -> Tournament:
    pairing = replace(BY_NUMBER, system="dutch-2026", first_colour="white")
    return two(entrants, pairing=pairing, scoring=Scoring(rule="win_draw_loss"))


def test_by_the_fide_rules_the_engine_and_the_colour_are_named() -> None:
    tournament = dutch(4)
    engines = {"dutch-2026": engine}
    play_round(tournament, by_number, engines)
    first = said(tournament)
    tournament.pair_round(at=AT, engines=engines)

    assert first["b01"] == (
        "b01 (0) has white at table 1 against b03 (0), chosen by dutch-2026 (test); "
        "they have not played each other; it had no wish for a colour"
    )
    assert said(tournament)["b01"].endswith("; its strong wish for black is met")
    found = round_reasons(tournament, 1)
    assert "colours are those of FIDE C.04.3, article 5" in found.constraints
    assert found.criteria[1] == "wishes for a colour that are not met: 0, for which the engine answers"


def test_a_wish_that_is_not_met_and_a_bye_are_told() -> None:
    tournament = dutch(5)
    tournament.pair_round(at=AT, engines={"dutch-2026": engine})

    assert "b05 (0) has the bye: the number of entrants, 5, is odd; it had no win" in said(tournament)["b05"]
    play_open(tournament)
    event = tournament.pairings[-1]
    tournament.pairings[-1] = replace(
        event, inputs=tournament.history(), pairing=replace(event.pairing, byes=())
    )
    assert said(tournament)["b01"].endswith(
        "; its strong wish for black gives way to that of its opponent (FIDE C.04.3, article 5)"
    )


def play_open(tournament: Tournament) -> None:
    for table in tournament.rounds[-1].tables:
        tournament.record_result(table.match, placings(table), at=AT, cause="rules")


SCHEDULES: list[tuple[str, int, dict[str, Any], str, str]] = [
    (
        "round_robin",
        6,
        {},
        "b01",
        "b01, number 1, meets b06, number 6, at table 1: so says round 1 of the Berger",
    ),
    (
        "round_robin",
        5,
        {},
        "b01",
        "b01 has a bye: whom it would meet in round 1 of the Berger table is not there",
    ),
    (
        "round_robin",
        9,
        {"table_size": 3},
        "b01",
        ": a line of the plane of order 3, in which everybody meets",
    ),
    ("knockout", 8, {}, "b01", "b01 sits at table 1 with b08: they have places 1 and 2 of the bracket"),
    ("knockout", 7, {}, "b01", "b01 has a bye: it has no opponent in the bracket, and goes on"),
    ("knockout", 9, {"table_size": 3}, "b01", ": those who are left are dealt out by seeding, up and down"),
    (
        "gauntlet",
        3,
        {},
        "b01",
        "b01, a champion, sits at table 1 with b02, of those who were free the ones that",
    ),
    ("gauntlet", 3, {}, "b02", "b02 challenges b01 at table 1"),
    ("gauntlet", 3, {}, "b03", "b03 waits: no champion is free for it in this round"),
    ("gauntlet", 3, {"table_size": 3}, "b02", "b02 challenges b01 at table 1, beside b03"),
    ("ladder", 4, {}, "b01", "b01 (0, rated 0) sits at table 1 with b"),
]


@pytest.mark.parametrize(("form", "entrants", "changes", "bot", "part"), SCHEDULES)
def test_every_format_says_why(
    form: str, entrants: int, changes: dict[str, Any], bot: str, part: str
) -> None:
    tournament = two(entrants, **{"format": form, "rounds": 0, **changes})
    tournament.pair_round(at=AT)

    assert part in said(tournament)[bot]


def test_the_last_tables_of_a_knock_out() -> None:
    tournament = two(4, format="knockout", rounds=0)
    play_round(tournament, by_number)
    tournament.pair_round(at=AT)

    texts = said(tournament)

    assert texts["b03"] == "b03 sits at table 2 with b04: they play for third place"
    eight = two(8, format="knockout", rounds=0)
    for _ in range(2):
        play_round(eight, by_number)
    assert said(eight)["b08"] == "b08 is out of the knock-out"


def test_a_solo_league_has_no_others() -> None:
    chosen = terms(format="solo", table_size=1, rounds=1, scoring=Scoring(rule="game_score"))
    tournament = Tournament.create("cup", chosen, lonely, at=AT)
    for bot in bots(2):
        tournament.register(bot, bot.removeprefix("bot/"), at=AT)
    tournament.start(at=AT)
    tournament.pair_round(at=AT)

    assert all("plays alone at table" in text for text in said(tournament).values())


def test_virtual_points_are_told() -> None:
    tournament = two(8, rounds=7, pairing=replace(BY_NUMBER, acceleration="baku"))
    tournament.pair_round(at=AT)

    assert said(tournament)["b01"].startswith("b01 (0, paired as 1) sits at table")


def test_a_round_that_was_not_paired_has_no_reasons() -> None:
    with pytest.raises(NotFoundError, match="no round 1 yet"):
        round_reasons(two(4), 1)
