import msgspec
import pytest

from keylore_domain.bots import Enrolled
from keylore_domain.engine.aggregates import Event, encode_event, genesis, topic_of
from keylore_domain.engine.data import data_hash
from keylore_domain.errors import ConflictError, NotFoundError, OptionError, ReplayMismatchError
from keylore_domain.swiss.rounds import Placing
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.swiss.leagues import (
    AT,
    WIDE,
    bots,
    by_lot,
    catalog,
    placings,
    play_out,
    play_round,
    registered,
    started,
    terms,
)


def rebuilt(tournament: Tournament) -> tuple[Tournament, list[Event]]:
    events = tournament.collect_events()
    fresh = Tournament(tournament.id)
    for event in events:
        fresh.replay(topic_of(event), encode_event(event))
    return fresh, events


def test_creation_records_the_terms_and_the_hash_of_the_data() -> None:
    tournament = Tournament.create("cup", terms(rules=None), catalog, at=AT)

    assert tournament.id == "t/cup"
    assert tournament.status == "registering"
    assert tournament.terms == msgspec.structs.replace(terms(rules="1"), pairing=tournament.terms.pairing)
    assert tournament.entry.data == (data_hash(WIDE.data_text),)


def test_a_league_may_bring_its_own_data() -> None:
    text = WIDE.data_text + "\n"

    tournament = Tournament.create("cup", terms(data_text=text), catalog, at=AT)

    assert tournament.entry.data == (data_hash(text),)


def test_a_name_with_a_slash_is_refused() -> None:
    with pytest.raises(OptionError, match="name"):
        Tournament.create("cup/2", terms(), catalog, at=AT)


def test_topics_are_stable() -> None:
    tournament = started(9, rounds=1)
    tournament.withdraw("bot/b09", at=AT)
    tournament.pause(at=AT)
    tournament.resume(at=AT)
    tournament.pair_round(at=AT)
    tournament.record_abort("m/cup/r1/t1", at=AT, cause="power failure")
    for table in tournament.rounds[-1].tables:
        tournament.record_result(table.match, placings(table), at=AT, cause="rules")
    tournament.finish(at=AT)

    topics = list(dict.fromkeys(topic_of(event) for event in tournament.collect_events()))

    assert topics == [
        f"keylore:Tournament.{name}"
        for name in (
            "Created",
            "EntrantRegistered",
            "Started",
            "EntrantWithdrawn",
            "Paused",
            "Resumed",
            "RoundPaired",
            "MatchAborted",
            "ResultRecorded",
            "Finished",
        )
    ]


def test_nobody_registers_twice() -> None:
    tournament = registered(4)

    with pytest.raises(ConflictError, match="registered already"):
        tournament.register("bot/b01", "b01", at=AT)


def test_a_late_entrant_is_paired_from_the_next_round_on() -> None:
    tournament = started(4)
    play_round(tournament)

    for number in range(5, 9):
        tournament.register(f"bot/b{number:02}", f"b{number:02}", at=AT)
    last = play_round(tournament)

    assert len(last.tables) == 2
    assert sum(row.played == 1 for row in tournament.standings()) == 4


def test_who_withdraws_and_comes_back_gets_nothing_for_the_rounds_between() -> None:
    tournament = started(5)
    play_round(tournament)
    before = {row.bot: row.half_points for row in tournament.standings()}
    tournament.withdraw("bot/b01", at=AT)
    play_round(tournament)

    tournament.register("bot/b01", "b01", at=AT)

    after = {row.bot: row.half_points for row in tournament.standings()}
    assert after["bot/b01"] == before["bot/b01"]
    assert len(tournament.active) == 5
    assert tournament.entrants["bot/b01"].number == 1


def test_a_withdrawn_entrant_is_not_paired_but_stays_in_the_standings() -> None:
    tournament = started(5)
    tournament.withdraw("bot/b03", at=AT, cause="broken")

    paired = play_round(tournament)

    assert all("bot/b03" not in table.seats for table in paired.tables)
    (row,) = (row for row in tournament.standings() if row.bot == "bot/b03")
    assert (row.active, row.half_points) == (False, 0)


def test_only_who_is_registered_and_active_can_withdraw() -> None:
    tournament = registered(5)
    tournament.withdraw("bot/b01", at=AT)

    with pytest.raises(NotFoundError, match="not registered"):
        tournament.withdraw("bot/nobody", at=AT)
    with pytest.raises(ConflictError, match="withdrawn already"):
        tournament.withdraw("bot/b01", at=AT)


def test_a_start_needs_a_full_table() -> None:
    with pytest.raises(ConflictError, match="needs 4 active entrants, it has 3"):
        started(3)


def test_a_tournament_starts_once() -> None:
    tournament = started(4)

    with pytest.raises(ConflictError, match="t/cup is running"):
        tournament.start(at=AT)


def test_tables_have_readable_match_ids() -> None:
    tournament = started(8)

    tournament.pair_round(at=AT)

    assert [table.match for table in tournament.round(1).tables] == ["m/cup/r1/t1", "m/cup/r1/t2"]
    assert tournament.pairings[0].matches == ("m/cup/r1/t1", "m/cup/r1/t2")


def test_a_round_waits_for_all_results_of_the_one_before() -> None:
    tournament = started(8)
    tournament.pair_round(at=AT)
    (first, _) = tournament.round(1).tables
    tournament.record_result(first.match, placings(first), at=AT, cause="rules")

    with pytest.raises(ConflictError, match=r"results are missing: m/cup/r1/t2$"):
        tournament.pair_round(at=AT)


def test_a_result_is_counted_once() -> None:
    tournament = started(4)
    tournament.pair_round(at=AT)
    (table,) = tournament.round(1).tables
    result = placings(table)

    first = tournament.record_result(table.match, result, at=AT, cause="rules", forfeited=(2,))
    version = tournament.version
    again = tournament.record_result(table.match, result, at=AT, cause="rules")

    assert (first, again) == (True, False)
    assert tournament.version == version
    assert tournament.round(1).is_complete


def test_another_result_for_the_same_match_is_a_conflict() -> None:
    tournament = started(4)
    tournament.pair_round(at=AT)
    (table,) = tournament.round(1).tables
    tournament.record_result(table.match, placings(table), at=AT, cause="rules")

    other = tuple(Placing(bot, 1, 0) for bot in table.seats)

    with pytest.raises(ConflictError, match="another result"):
        tournament.record_result(table.match, other, at=AT, cause="rules")
    with pytest.raises(ConflictError, match="has a result already"):
        tournament.record_abort(table.match, at=AT, cause="late")


def test_an_aborted_match_is_followed_by_another_attempt() -> None:
    tournament = started(4)
    tournament.pair_round(at=AT)

    first = tournament.record_abort("m/cup/r1/t1", at=AT, cause="power failure")
    again = tournament.record_abort("m/cup/r1/t1", at=AT, cause="power failure")
    tournament.record_abort("m/cup/r1/t1/a2", at=AT, cause="power failure")

    assert (first, again) == (True, False)
    (table,) = tournament.round(1).tables
    assert (table.match, table.attempt) == ("m/cup/r1/t1/a3", 3)
    assert [event.match for event in tournament.aborted] == ["m/cup/r1/t1", "m/cup/r1/t1/a2"]
    with pytest.raises(ConflictError, match="m/cup/r1/t1/a3 is played instead"):
        tournament.record_result("m/cup/r1/t1", placings(table), at=AT, cause="rules")
    assert tournament.record_result(table.match, placings(table), at=AT, cause="rules")


def test_a_result_must_be_of_a_match_of_the_tournament() -> None:
    tournament = started(4)
    tournament.pair_round(at=AT)

    with pytest.raises(NotFoundError, match="m/cup/r1/t2 is not a match of t/cup"):
        tournament.record_result("m/cup/r1/t2", (), at=AT, cause="rules")


@pytest.mark.parametrize(
    ("ranks", "order"),
    [((1, 2, 3, 5), 1), ((2, 3, 4, 5), 1), ((1, 1, 2, 3), 1), ((1, 2, 3, 4), -1)],
)
def test_a_result_must_rank_the_bots_of_the_table(ranks: tuple[int, ...], order: int) -> None:
    tournament = started(4)
    tournament.pair_round(at=AT)
    (table,) = tournament.round(1).tables
    wrong = [Placing(bot, rank, 0) for bot, rank in zip(table.seats[::order], ranks, strict=True)]

    with pytest.raises(OptionError, match="placings"):
        tournament.record_result(table.match, wrong, at=AT, cause="rules")
    with pytest.raises(OptionError, match="nobody"):
        tournament.record_result(table.match, (), at=AT, cause="rules")


def test_results_still_count_while_paused_but_no_round_is_paired() -> None:
    tournament = started(4)
    tournament.pair_round(at=AT)
    tournament.pause(at=AT, cause="lunch")
    (table,) = tournament.round(1).tables

    assert tournament.record_result(table.match, placings(table), at=AT, cause="rules")
    with pytest.raises(ConflictError, match="is paused; it would have to be running"):
        tournament.pair_round(at=AT)
    tournament.resume(at=AT)
    tournament.pair_round(at=AT)


def test_only_a_running_tournament_pauses_and_only_a_paused_one_resumes() -> None:
    tournament = registered(4)

    with pytest.raises(ConflictError):
        tournament.pause(at=AT)
    with pytest.raises(ConflictError):
        tournament.resume(at=AT)


def test_the_end_comes_after_the_last_round() -> None:
    tournament = started(8, rounds=2)
    play_round(tournament)
    with pytest.raises(ConflictError, match="1 of 2 were played"):
        tournament.finish(at=AT)
    play_round(tournament)
    with pytest.raises(ConflictError, match="has had its 2 rounds"):
        tournament.pair_round(at=AT)

    tournament.finish(at=AT)

    assert tournament.status == "finished"
    assert tournament.finished is not None
    assert tournament.finished.cause == "rounds"
    assert tournament.finished.standings == tournament.standings()
    with pytest.raises(ConflictError, match="finished"):
        tournament.register("bot/late", "late", at=AT)


def test_the_end_comes_early_when_no_table_can_be_filled() -> None:
    tournament = started(4)
    play_round(tournament)
    tournament.withdraw("bot/b01", at=AT)

    with pytest.raises(ConflictError, match="3 active entrants do not fill a table of 4"):
        tournament.pair_round(at=AT)
    tournament.finish(at=AT)

    assert tournament.finished is not None
    assert tournament.finished.cause == "entrants"


def test_standings_of_a_past_round_can_be_asked_for() -> None:
    tournament = started(8)
    play_round(tournament, by_lot)
    then = tournament.standings()
    play_round(tournament, by_lot)

    assert tournament.standings(after=1) == then
    assert tournament.standings(after=2) == tournament.standings()
    assert all(row.half_points == 0 for row in tournament.standings(after=0))
    with pytest.raises(NotFoundError, match="has 2 rounds, not 3"):
        tournament.standings(after=3)


def test_a_round_that_was_not_paired_is_not_found() -> None:
    with pytest.raises(NotFoundError, match="no round 1 yet"):
        started(8).round(1)


def test_the_events_rebuild_the_tournament() -> None:
    tournament = play_out(started(9, rounds=3, uneven="smaller_tables"), by_lot)

    fresh, _ = rebuilt(tournament)

    assert fresh.rounds == tournament.rounds
    assert fresh.entrants == tournament.entrants
    assert fresh.standings() == tournament.standings()
    assert (fresh.status, fresh.head, fresh.version) == ("finished", tournament.head, tournament.version)


def test_events_of_other_aggregates_are_refused() -> None:
    foreign = Enrolled(
        originator_id="t/cup",
        originator_version=1,
        at=AT,
        prev=genesis("t/cup"),
        name="x",
        author="",
        token_digest="",
    )

    with pytest.raises(ReplayMismatchError, match="Enrolled is not an event of a tournament"):
        Tournament("t/cup").replay(topic_of(foreign), encode_event(foreign))


def test_the_order_of_registration_does_not_matter_to_the_pairing() -> None:
    forward, backward = (Tournament.create("cup", terms(), catalog, at=AT) for _ in range(2))
    for bot in bots(12):
        forward.register(bot, bot, at=AT)
    for bot in reversed(bots(12)):
        backward.register(bot, bot, at=AT)

    assert forward.history() == backward.history()


def test_without_a_seed_the_id_decides_the_lots() -> None:
    assert registered(8, "one", seed=None).history().seed == "t/one"
    assert registered(8, "one", seed="spring").history().seed == "spring"
