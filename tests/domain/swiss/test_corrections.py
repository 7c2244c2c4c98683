"""Rulings on results, pairings and entrants."""

from typing import Any

import pytest
from msgspec.structs import replace

from keylore_domain.engine.aggregates import decode_event, encode_event, topic_of
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_domain.swiss.audit import audit
from keylore_domain.swiss.checks import problems
from keylore_domain.swiss.dutch.cards import Cards, DutchRound
from keylore_domain.swiss.events import EntrantRemoved, ResultOverridden, RoundRepaired
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.rounds import Placing, PlayedTable
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.swiss.leagues import AT, bots, by_lot, by_number, placings, play_round, registered, started

WHO: dict[str, Any] = {"at": AT, "by": "op/ada", "reason": "it looked up the deck"}
BY_NUMBER = PairingTerms(seeding="registration")


def points(tournament: Tournament) -> dict[str, str]:
    return {row.bot: row.points for row in tournament.standings()}


def table_of(tournament: Tournament, bot: str, number: int = -1) -> PlayedTable:
    tables = tournament.rounds[number].tables
    return next(table for table in tables if bot in table.seats)


def placed(table: PlayedTable, *order: str) -> list[Placing]:
    """The bots of *table* in this order of finish, with scores."""
    return [Placing(bot, order.index(bot) + 1, 10 - order.index(bot)) for bot in table.seats]


def two(entrants: int, rounds: int = 3, **changes: Any) -> Tournament:
    return started(entrants, **{"table_size": 2, "rounds": rounds, "pairing": BY_NUMBER, **changes})


# --- results ------------------------------------------------------------------------------------------


def test_a_ruled_result_counts_and_the_original_stays_beside_it() -> None:
    tournament = started(4)
    (table,) = play_round(tournament).tables
    ruled = placed(table, *reversed(bots(4)))

    tournament.override_result(table.match, "places", placings=ruled, ground="dispute/7", **WHO)

    (after,) = tournament.rounds[0].tables
    assert (after.placings, after.cause) == (tuple(ruled), "ruling")
    assert after.played is not None
    assert (after.played.placings, after.played.cause) == (table.placings, "rules")
    assert after.ruling is not None
    assert (after.ruling.by, after.ruling.reason) == ("op/ada", "it looked up the deck")
    assert (after.ruling.ground, after.ruling.event) == ("dispute/7", tournament.version)
    assert points(tournament) == {"bot/b04": "3", "bot/b03": "2", "bot/b02": "1", "bot/b01": "0"}
    assert [row.score for row in tournament.standings()] == [10, 9, 8, 7]


def test_who_forfeits_by_ruling_is_last_and_keeps_no_score() -> None:
    tournament = started(4)
    (table,) = play_round(tournament).tables

    tournament.override_result(table.match, "forfeit", losers=["bot/b01"], **WHO)

    after = {one.bot: one for one in tournament.rounds[0].tables[0].placings}
    assert {bot: one.rank for bot, one in after.items()} == dict(zip(bots(4), (4, 1, 2, 3), strict=True))
    assert [after[bot].score for bot in bots(4)] == [0, 40, 30, 20]
    assert tournament.rounds[0].tables[0].forfeited == (table.seats.index("bot/b01"),)


def test_several_who_forfeit_share_the_last_place_and_a_second_ruling_adds_to_the_first() -> None:
    tournament = started(4)
    (table,) = play_round(tournament).tables

    tournament.override_result(table.match, "forfeit", losers=["bot/b01"], **WHO)
    tournament.override_result(table.match, "forfeit", losers=["bot/b03"], **WHO)

    ranks = {one.bot: one.rank for one in tournament.rounds[0].tables[0].placings}
    assert ranks == {"bot/b02": 1, "bot/b04": 2, "bot/b01": 3, "bot/b03": 3}


def test_a_game_below_zero_stays_below_zero() -> None:
    tournament = two(2, 1)
    tournament.pair_round(at=AT)
    (table,) = tournament.rounds[0].tables
    result = [Placing(table.seats[0], 1, 5), Placing(table.seats[1], 2, -3)]
    tournament.record_result(table.match, result, at=AT, cause="rules")

    tournament.override_result(table.match, "forfeit", losers=table.seats, **WHO)

    assert [one.score for one in tournament.rounds[0].tables[0].placings] == [0, -3]
    assert [one.rank for one in tournament.rounds[0].tables[0].placings] == [1, 1]


def test_a_void_table_gives_nobody_anything_and_does_not_count_as_played() -> None:
    tournament = started(8)
    table = play_round(tournament, by_lot).tables[0]

    tournament.override_result(table.match, "void", **WHO)

    rows = {row.bot: row for row in tournament.standings()}
    assert {(rows[bot].points, rows[bot].played, rows[bot].score) for bot in table.seats} == {("0", 0, 0)}
    assert tournament.is_complete
    assert tournament.explain(table.seats[0]).values[0].parts[0].kind == "void"
    inputs = tournament.history()
    names = [one.bot for one in inputs.entrants]
    met = [times for one, other, times in inputs.meetings if {names[one], names[other]} <= set(table.seats)]
    assert met == [1] * 6


def test_a_void_game_is_no_win_without_a_game_by_fide_rules() -> None:
    scoring = Scoring(rule="win_draw_loss", unplayed="fide")
    breaks = ("buchholz", "sonneborn_berger", "buchholz_cut1")
    tournament = two(4, scoring=scoring, tie_breaks=breaks)
    table = play_round(tournament).tables[0]

    tournament.override_result(table.match, "void", **WHO)

    rows = {row.bot: row for row in tournament.standings()}
    assert [rows[bot].points for bot in table.seats] == ["0", "0"]
    assert [rows[bot].values for bot in table.seats] == [("0", "0", "0")] * 2


def test_the_original_can_count_again() -> None:
    tournament = started(4)
    (table,) = play_round(tournament).tables
    before = tournament.standings()
    tournament.override_result(table.match, "void", **WHO)

    tournament.override_result(table.match, "original", **WHO)

    assert tournament.standings() == before
    assert tournament.rounds[0].tables[0].ruling is not None


def test_a_table_can_be_ruled_before_its_match_has_ended_whose_result_is_kept() -> None:
    tournament = started(4)
    tournament.pair_round(at=AT)
    (table,) = tournament.rounds[0].tables

    tournament.override_result(table.match, "forfeit", losers=["bot/b02"], **WHO)
    assert tournament.is_complete
    assert not tournament.record_abort(table.match, at=AT, cause="power cut")
    came = tournament.record_result(table.match, placings(table), at=AT, cause="rules")
    again = tournament.record_result(table.match, placings(table), at=AT, cause="rules")

    (after,) = tournament.rounds[0].tables
    assert (came, again) == (True, False)
    assert {one.bot: one.rank for one in after.placings} == dict(zip(bots(4), (1, 4, 1, 1), strict=True))
    assert after.played is not None
    assert after.played.placings == placings(table)


def test_later_rounds_stay_as_they_were_paired_and_the_next_goes_by_what_counts() -> None:
    tournament = two(8, 3)
    play_round(tournament)
    play_round(tournament)
    paired = [event.pairing for event in tournament.pairings]
    first = table_of(tournament, "bot/b01", 0)
    loser = next(bot for bot in first.seats if bot != "bot/b01")
    before = tournament.history()

    tournament.override_result(first.match, "forfeit", losers=["bot/b01"], **WHO)

    assert [event.pairing for event in tournament.pairings] == paired
    brought = {one.bot: one.half_points for one in tournament.history().entrants}
    then = {one.bot: one.half_points for one in before.entrants}
    assert (brought["bot/b01"], brought[loser]) == (then["bot/b01"] - 2, then[loser] + 2)


def test_a_finished_tournament_is_corrected_too() -> None:
    tournament = two(4, 1)
    table = play_round(tournament).tables[0]
    tournament.finish(at=AT)

    tournament.override_result(table.match, "forfeit", losers=[table.placings[0].bot], **WHO)

    assert tournament.status == "finished"
    assert tournament.finished is not None
    assert tournament.finished.standings != tournament.standings()


def test_an_aborted_tournament_is_corrected_too() -> None:
    tournament = two(4, 3)
    table = play_round(tournament).tables[0]
    tournament.abort(**{**WHO, "reason": "no power"})

    tournament.override_result(table.match, "void", **WHO)
    tournament.remove_entrant("bot/b03", **WHO)

    assert points(tournament)[table.seats[0]] == "0"
    assert tournament.standings()[-1].bot == "bot/b03"


@pytest.mark.parametrize(
    ("kind", "more", "field", "allowed"),
    [
        ("places", {}, "placings", "bot/b0"),
        ("places", {"placings": "ranks"}, "placings", "1, 2, 2, 4"),
        ("forfeit", {}, "losers", "bot/b0"),
        ("forfeit", {"losers": ["bot/b09"]}, "losers", "bot/b0"),
        ("void", {"by": " "}, "by", "who rules"),
        ("void", {"reason": ""}, "reason", "why"),
        ("void", {"reason": "x" * 1001}, "reason", "1000 characters"),
    ],
)
def test_a_ruling_that_does_not_fit_names_the_field_and_what_is_allowed(
    kind: Any, more: dict[str, Any], field: str, allowed: str
) -> None:
    tournament = started(4)
    (table,) = play_round(tournament).tables
    given = dict(more)
    if given.get("placings"):
        given["placings"] = [Placing(bot, 2, 0) for bot in table.seats]
    version = tournament.version

    with pytest.raises(OptionError) as error:
        tournament.override_result(table.match, kind, **{**WHO, **given})

    assert error.value.field == field
    assert allowed in error.value.allowed
    assert tournament.version == version


def test_a_ruling_must_change_something_and_be_about_a_match_that_counts() -> None:
    tournament = started(4)
    tournament.pair_round(at=AT)
    tournament.record_abort("m/cup/r1/t1", at=AT, cause="power cut")
    (table,) = tournament.rounds[0].tables

    with pytest.raises(ConflictError, match="m/cup/r1/t1/a2 is played instead"):
        tournament.override_result("m/cup/r1/t1", "void", **WHO)
    with pytest.raises(ConflictError, match="has no result of its own yet"):
        tournament.override_result(table.match, "original", **WHO)
    with pytest.raises(NotFoundError, match="m/cup/r2/t1 is not a match"):
        tournament.override_result("m/cup/r2/t1", "void", **WHO)
    tournament.record_result(table.match, placings(table), at=AT, cause="rules")
    with pytest.raises(ConflictError, match="what counts at m/cup/r1/t1/a2 already"):
        tournament.override_result(table.match, "original", **WHO)
    tournament.override_result(table.match, "void", **WHO)
    with pytest.raises(ConflictError, match="already"):
        tournament.override_result(table.match, "void", **WHO)


def test_nothing_is_overridden_before_the_start() -> None:
    with pytest.raises(ConflictError, match="is registering"):
        registered(4).override_result("m/cup/r1/t1", "void", **WHO)


# --- knock-out ----------------------------------------------------------------------------------------


def knockout(entrants: int) -> Tournament:
    return two(entrants, 0, format="knockout")


def test_who_goes_on_in_a_knock_out_can_change_until_the_next_round_has_begun() -> None:
    tournament = knockout(4)
    table = table_of(play(tournament), "bot/b01")
    loser = next(bot for bot in table.seats if bot != "bot/b01")

    tournament.override_result(table.match, "forfeit", losers=["bot/b01"], **WHO)
    tournament.pair_round(at=AT)

    assert loser in tournament.pairings[-1].inputs.bracket
    final = table_of(tournament, loser)
    tournament.record_result(final.match, placings(final), at=AT, cause="rules")
    with pytest.raises(
        ConflictError, match="others would go on from round 1 of t/cup, but round 2 has begun"
    ):
        tournament.override_result(table.match, "original", **WHO)
    winner_stays = placed(table, loser, "bot/b01")
    tournament.override_result(table.match, "places", placings=winner_stays, **WHO)


def play(tournament: Tournament) -> Tournament:
    play_round(tournament, by_number)
    return tournament


def test_somebody_goes_on_from_each_table_of_a_knock_out() -> None:
    tournament = play(knockout(4))
    match = tournament.rounds[0].tables[0].match

    with pytest.raises(OptionError, match="somebody has to go on") as error:
        tournament.override_result(match, "void", **WHO)

    assert error.value.allowed == "places, forfeit, original"


def test_who_is_removed_from_a_knock_out_lets_others_through_and_its_results_stay() -> None:
    tournament = play(knockout(8))

    with pytest.raises(OptionError, match="others went on") as error:
        tournament.remove_entrant("bot/b01", results="void", **WHO)
    tournament.remove_entrant("bot/b01", **WHO)
    play(tournament)

    assert (error.value.field, error.value.allowed) == ("results", "keep")
    assert all("bot/b01" not in table.seats for table in tournament.rounds[1].tables)
    assert [(row.bot, row.rank) for row in tournament.standings()][-1] == ("bot/b01", 8)


# --- entrants -----------------------------------------------------------------------------------------


def test_who_is_removed_stands_behind_all_others_whatever_its_points() -> None:
    tournament = started(8)
    play_round(tournament)
    assert tournament.standings()[0].bot == "bot/b01"

    tournament.remove_entrant("bot/b01", **WHO)
    tournament.register("bot/b09", "b09", at=AT)
    play_round(tournament)

    rows = tournament.standings()
    assert (rows[-1].bot, rows[-1].rank, rows[-1].removed, rows[-1].points) == ("bot/b01", 9, True, "3")
    assert [row.rank for row in rows[:-1]] == sorted(row.rank for row in rows[:-1])
    assert tournament.explain("bot/b01").rank == 9
    above = tournament.explain("bot/b01").above
    assert above is not None
    assert above.decided_by == "removal"
    with pytest.raises(ConflictError, match="was removed from t/cup for good"):
        tournament.register("bot/b01", "b01", at=AT)


@pytest.mark.parametrize(
    ("results", "others"), [("keep", (0, 1, 0)), ("forfeit", (1, 0, 1)), ("void", (0, 1, 0))]
)
def test_the_event_says_what_becomes_of_the_results(results: Any, others: tuple[int, int, int]) -> None:
    """b01 won round 1; its opponent gets that win only when b01's games are lost by forfeit."""
    tournament = two(4)
    table = table_of(play(tournament), "bot/b01")
    loser = next(bot for bot in table.seats if bot != "bot/b01")

    tournament.remove_entrant("bot/b01", results=results, **WHO)

    own, won, loser_has = others
    assert points(tournament)[loser] == str(loser_has)
    assert points(tournament)["bot/b01"] == {"keep": "1", "forfeit": "0", "void": "0"}[results]
    after = table_of(tournament, "bot/b01")
    assert (after.void, after.played is not None) == (results == "void", True)
    assert (len(after.forfeited), bool(won)) == (own, results != "forfeit")


def test_a_removal_holds_for_the_table_that_still_plays_too() -> None:
    tournament = started(8)
    tournament.pair_round(at=AT)
    table = table_of(tournament, "bot/b01")

    tournament.remove_entrant("bot/b01", results="forfeit", **WHO)
    assert not table_of(tournament, "bot/b01").is_done
    tournament.record_result(table.match, placings(table), at=AT, cause="rules")

    assert {one.bot: one.rank for one in table_of(tournament, "bot/b01").placings}["bot/b01"] == 4


def test_a_later_ruling_on_a_table_stands_above_a_removal() -> None:
    tournament = two(4)
    table = table_of(play(tournament), "bot/b01")
    tournament.remove_entrant("bot/b01", results="void", **WHO)

    tournament.override_result(table.match, "original", **WHO)

    assert points(tournament)["bot/b01"] == "1"


def test_what_a_removal_does_without_a_word_depends_on_the_format() -> None:
    early, late, swiss = two(6, 0, format="round_robin"), two(6, 0, format="round_robin"), two(6, 5)
    play(early)
    for _ in range(3):
        play(late)
    play(swiss)
    for tournament in (early, late, swiss):
        tournament.remove_entrant("bot/b01", **WHO)

    found = [tournament.removals["bot/b01"].results for tournament in (early, late, swiss)]
    assert found == ["void", "keep", "keep"]


def test_only_an_entrant_is_removed_and_once() -> None:
    tournament = registered(5)
    tournament.remove_entrant("bot/b05", **WHO)

    with pytest.raises(NotFoundError, match="not registered"):
        tournament.remove_entrant("bot/nobody", **WHO)
    with pytest.raises(ConflictError, match="removed already"):
        tournament.remove_entrant("bot/b05", **WHO)
    assert len(tournament.active) == 4


# --- pairings -----------------------------------------------------------------------------------------


def paused(tournament: Tournament) -> Tournament:
    tournament.pair_round(at=AT)
    tournament.pause(at=AT)
    return tournament


def test_p5_a_bye_is_moved_and_the_round_paired_again_around_it() -> None:
    """Two seats, seven entrants; the record keeps who, when, why, and what had been proposed."""
    tournament = paused(two(7))
    (given,) = tournament.rounds[0].byes
    wanted = next(bot for bot in bots(7) if bot != given)
    proposed = tournament.pairings[-1]

    tournament.repair_round(byes=[wanted], ground="dispute/3", **WHO)

    (played,) = tournament.rounds
    assert (len(played.tables), played.byes) == (3, (wanted,))
    assert {bot for table in played.tables for bot in table.seats} == set(bots(7)) - {wanted}
    assert tournament.replaced == [proposed]
    assert proposed.pairing.byes == (given,)
    event = tournament.corrections[-1]
    assert (event.by, event.reason, event.at, event.ground) == (*list(WHO.values())[1:], AT, "dispute/3")
    tournament.resume(at=AT)
    play_open(tournament)
    assert points(tournament)[wanted] == "1/2"


def play_open(tournament: Tournament) -> None:
    for table in tournament.rounds[-1].tables:
        tournament.record_result(table.match, placings(table), at=AT, cause="rules")


def test_p5_a_third_bye_that_would_follow_is_refused_unless_it_is_confirmed() -> None:
    tournament = paused(two(7))
    fixed = [*tournament.rounds[0].byes, next(bot for bot in bots(7) if bot not in tournament.rounds[0].byes)]
    version = tournament.version

    with pytest.raises(ConflictError, match=r"5 entrants are left .*1 more would .*; confirm 3 byes"):
        tournament.repair_round(byes=fixed, **WHO)
    with pytest.raises(ConflictError, match="3 byes in all, not the 4 that were confirmed"):
        tournament.repair_round(byes=fixed, confirmed=4, **WHO)
    assert tournament.version == version
    tournament.repair_round(byes=fixed, confirmed=3, **WHO)

    assert len(tournament.rounds[0].byes) == 3
    assert set(fixed) < set(tournament.rounds[0].byes)


def test_a_round_that_is_paired_again_has_other_matches() -> None:
    tournament = paused(two(8))
    tournament.withdraw("bot/b03", at=AT)

    tournament.repair_round(**WHO)

    assert all(table.match.endswith("/a2") for table in tournament.rounds[0].tables)
    assert "bot/b03" not in {bot for table in tournament.rounds[0].tables for bot in table.seats}
    with pytest.raises(NotFoundError, match="m/cup/r1/t1 is not a match"):
        tournament.table_of("m/cup/r1/t1")
    tournament.repair_round(**WHO)
    assert tournament.rounds[0].tables[0].match == "m/cup/r1/t1/a3"


def test_byes_by_ruling_count_as_byes_later() -> None:
    tournament = paused(two(7, 3))
    wanted = next(bot for bot in bots(7) if bot not in tournament.rounds[0].byes)
    tournament.repair_round(byes=[wanted], **WHO)
    tournament.resume(at=AT)
    play_open(tournament)

    play_round(tournament)

    assert wanted not in tournament.rounds[1].byes


def test_a_round_is_paired_again_only_while_paused_and_before_anything_was_played() -> None:
    tournament = two(4)
    with pytest.raises(ConflictError, match="would have to be paused"):
        tournament.repair_round(**WHO)
    tournament.pause(at=AT)
    with pytest.raises(ConflictError, match="no round of t/cup was paired yet"):
        tournament.repair_round(**WHO)
    tournament.resume(at=AT)
    tournament.pair_round(at=AT)
    table = tournament.rounds[0].tables[0]
    tournament.record_abort(table.match, at=AT, cause="power cut")
    tournament.pause(at=AT)

    with pytest.raises(ConflictError, match="cannot be paired again: m/cup/r1/t1/a2 has begun"):
        tournament.repair_round(**WHO)


def test_a_round_without_tables_is_not_paired_again() -> None:
    tournament = knockout(8)
    play(tournament)
    for bot in ("bot/b01", "bot/b02"):
        tournament.withdraw(bot, at=AT)
    play(tournament)
    assert tournament.rounds[-1].tables == ()
    tournament.pause(at=AT)

    with pytest.raises(ConflictError, match="it has no tables"):
        tournament.repair_round(**WHO)


@pytest.mark.parametrize(
    ("byes", "problem"),
    [
        (("bot/b01", "bot/b01"), "bot/b01 stands there twice"),
        (("bot/b02",), "bot/b02 does not play in that round"),
        (("bot/b03",), "bot/b03 does not play in that round"),
    ],
)
def test_byes_are_given_to_those_who_play(byes: tuple[str, ...], problem: str) -> None:
    tournament = two(8)
    tournament.request_bye("bot/b03", 1, "zero", at=AT)
    paused(tournament)
    tournament.withdraw("bot/b02", at=AT)

    with pytest.raises(OptionError, match=problem) as error:
        tournament.repair_round(byes=byes, **WHO)

    assert error.value.field == "byes"
    assert error.value.allowed.startswith("bot/b01, bot/b04")
    with pytest.raises(NotFoundError, match="bot/nobody is not registered"):
        tournament.repair_round(byes=["bot/nobody"], **WHO)


def test_a_schedule_says_who_has_a_bye() -> None:
    tournament = paused(two(5, 0, format="round_robin"))

    with pytest.raises(OptionError, match="follow from the schedule of a round_robin"):
        tournament.repair_round(byes=["bot/b01"], **WHO)
    tournament.withdraw("bot/b01", at=AT)
    tournament.repair_round(**WHO)
    assert len(tournament.rounds[0].tables) in {1, 2}


def test_a_ladder_is_paired_again_by_the_same_ratings() -> None:
    tournament = two(4, 0, format="ladder")
    ratings = {"bot/b01": 1500, "bot/b02": 2000, "bot/b03": 1990, "bot/b04": 1490}
    tournament.pair_round(at=AT, ratings=ratings)
    tournament.pause(at=AT)
    tournament.register("bot/b05", "b05", at=AT)

    tournament.repair_round(**WHO)

    levels = {one.bot: one.level for one in tournament.pairings[-1].inputs.entrants}
    assert levels == {**ratings, "bot/b05": 0}


def upside_down(cards: Cards) -> DutchRound:
    """An engine that needs nothing installed: neighbours meet, white as the rule has it."""
    present = list(cards.present)
    half = len(present) // 2
    pairs = tuple((present[at], present[at + half]) for at in range(half))
    turned = tuple(pair if at % 2 == 0 else pair[::-1] for at, pair in enumerate(pairs))
    return DutchRound(engine="test", pairs=turned, bye=present[-1] if len(present) % 2 else 0)


def test_a_bye_by_ruling_leaves_an_even_number_to_the_dutch_system() -> None:
    pairing = replace(BY_NUMBER, system="dutch-2026", first_colour="white")
    tournament = two(7, pairing=pairing, scoring=Scoring(rule="win_draw_loss", bye="win"))
    engines = {"dutch-2026": upside_down}
    tournament.pair_round(at=AT, engines=engines)
    tournament.pause(at=AT)
    assert tournament.rounds[0].byes == ("bot/b07",)

    found = tournament.repair_round(byes=["bot/b01"], engines=engines, **WHO)

    assert (found.byes, len(found.tables)) == (("bot/b01",), 3)
    tournament.resume(at=AT)
    play_open(tournament)
    card = next(one for one in tournament.history().cards.cards if one.bot == "bot/b01")  # type: ignore[union-attr]
    assert card.games[0].result == "U"


# --- the audit ----------------------------------------------------------------------------------------


def corrected() -> list[tuple[str, bytes]]:
    """The events of a tournament in which everything was put right that can be."""
    tournament = paused(two(7))
    tournament.repair_round(byes=["bot/b02"], **WHO)
    tournament.resume(at=AT)
    play_open(tournament)
    first = tournament.rounds[0].tables
    tournament.override_result(first[0].match, "void", **WHO)
    tournament.override_result(first[1].match, "forfeit", losers=first[1].seats[:1], **WHO)
    tournament.override_result(first[2].match, "places", placings=placed(first[2], *first[2].seats), **WHO)
    play_round(tournament, by_lot)
    tournament.remove_entrant("bot/b03", results="forfeit", **WHO)
    tournament.override_result(first[0].match, "original", **WHO)
    play_round(tournament, by_lot)
    tournament.finish(at=AT)
    return [(topic_of(event), encode_event(event)) for event in tournament.collect_events()]


def found(kind: type, at: int = -1, **changes: Any) -> str:
    """All that is wrong after an event of *kind* was changed and the chain mended."""
    rows = [decode_event(*row) for row in corrected()]
    chosen = [place for place, event in enumerate(rows) if isinstance(event, kind)][at]
    rows[chosen] = replace(rows[chosen], **changes)
    for place in range(chosen + 1, len(rows)):
        rows[place] = replace(rows[place], prev=sha256_hex(encode_event(rows[place - 1])))
    wrong = audit("t/cup", [(topic_of(event), encode_event(event)) for event in rows])
    assert wrong
    assert wrong[0].startswith(f"event {chosen + 1}: ")
    return wrong[0]


def test_a_corrected_tournament_follows_from_its_events() -> None:
    rows = corrected()

    assert audit("t/cup", rows) == ()
    rebuilt = Tournament("t/cup")
    for row in rows:
        rebuilt.replay(*row)
    assert [type(event) for event in rebuilt.corrections] == [
        *(RoundRepaired, ResultOverridden, ResultOverridden, ResultOverridden, EntrantRemoved),
        ResultOverridden,
    ]


def test_a_ruling_that_says_more_than_it_decided_is_found() -> None:
    assert "what counts does not follow" in found(ResultOverridden, 0, forfeited=(0, 1))
    assert "what counts does not follow" in found(ResultOverridden, 1, placings=())
    assert "could not be ruled so: option 'placings'" in found(ResultOverridden, 2, placings=())
    assert "could not be ruled so: option 'reason': is empty" in found(ResultOverridden, 3, reason="")
    assert "could not be ruled so: option 'by': is empty" in found(EntrantRemoved, by="")


def test_a_round_that_was_paired_again_wrongly_is_found() -> None:
    assert "could not be paired again: option 'reason'" in found(RoundRepaired, reason="")
    assert "in the place of event 3, which does not pair it" in found(RoundRepaired, replaces=3)
    assert "inputs of the pairing do not follow" in found(RoundRepaired, byes=("bot/b01",))
    assert "1 byes in all, not the 3 that were confirmed" in found(RoundRepaired, confirmed=3)


def test_a_bye_that_was_ruled_is_missed() -> None:
    tournament = paused(two(7))
    tournament.repair_round(byes=["bot/b02"], **WHO)
    event = tournament.pairings[-1]

    wrong = problems(event.inputs, replace(event.pairing, byes=()))

    assert "by a ruling bot/b02 should have byes" in wrong
