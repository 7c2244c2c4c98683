"""Bots that are away when their match is to begin, and tournaments that are aborted."""

import msgspec
import pytest

from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_domain.swiss.absences import AbsenceTerms
from keylore_domain.swiss.audit import audit
from keylore_domain.swiss.events import Aborted, AbsenceRuled, EntrantWithdrawn
from keylore_domain.swiss.terms import parse_terms
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.swiss.leagues import AT, placings, play_round, started

FIRST = "m/cup/r1/t1"


def paired(then: str = "play") -> Tournament:
    tournament = started(9, table_size=3, absence=AbsenceTerms(wait_ms=500, then=then))  # type: ignore[arg-type]
    tournament.pair_round(at=AT)
    return tournament


def rebuilt(tournament: Tournament) -> Tournament:
    fresh = Tournament(tournament.id)
    for event in tournament.collect_events():
        fresh.replay(topic_of(event), encode_event(event))
    return fresh


def test_a_bot_that_is_away_is_ruled_upon_once_and_as_the_terms_say() -> None:
    tournament = paired("forfeit")
    away = tournament.rounds[0].tables[0].seats[1]

    assert tournament.rule_absence(FIRST, [away], at=AT, waited_ms=500)
    assert not tournament.rule_absence(FIRST, [away], at=AT, waited_ms=900)

    again = rebuilt(tournament).absences[FIRST]
    assert isinstance(again, AbsenceRuled)
    assert (again.bots, again.waited_ms, again.then) == ((away,), 500, "forfeit")
    assert tournament.entrants[away].active


def test_by_the_terms_a_bot_that_is_away_may_be_withdrawn() -> None:
    tournament = paired("withdraw")
    away = tournament.rounds[0].tables[0].seats[:2]
    tournament.withdraw(away[1], at=AT)

    tournament.rule_absence(FIRST, away, at=AT, waited_ms=500)

    events = tournament.collect_events()
    left = [event for event in events if isinstance(event, EntrantWithdrawn)]
    assert [event.bot for event in left] == [away[1], away[0]]
    assert left[1].cause == "it was away when m/cup/r1/t1 was to begin"
    tournament.register(away[0], "back", at=AT)
    assert tournament.entrants[away[0]].active


def test_only_who_sits_there_can_be_away_from_a_table() -> None:
    tournament = paired()
    seats = tournament.rounds[0].tables[0].seats
    other = tournament.rounds[0].tables[1].seats[0]

    for bots in ([], [other], [seats[0], other]):
        with pytest.raises(OptionError, match="some of bot/") as refused:
            tournament.rule_absence(FIRST, bots, at=AT, waited_ms=0)
        assert refused.value.field == "bots"
    with pytest.raises(NotFoundError, match="m/cup/r1/t9 is not a match of t/cup"):
        tournament.rule_absence("m/cup/r1/t9", [other], at=AT, waited_ms=0)


def test_nobody_is_away_from_a_table_that_waits_for_another_match_or_none() -> None:
    tournament = paired()
    seats = tournament.rounds[0].tables[0].seats
    tournament.record_abort(FIRST, at=AT, cause="power failure")
    assert not tournament.rule_absence(FIRST, seats[:1], at=AT, waited_ms=0)

    tournament.record_result(f"{FIRST}/a2", placings(tournament.rounds[0].tables[0]), at=AT, cause="rules")
    assert not tournament.rule_absence(f"{FIRST}/a2", seats[:1], at=AT, waited_ms=0)

    tournament.pause(at=AT)
    with pytest.raises(ConflictError, match="it would have to be running"):
        tournament.rule_absence("m/cup/r1/t2", seats[:1], at=AT, waited_ms=0)


def test_a_tournament_that_was_aborted_takes_no_result_and_no_change_any_more() -> None:
    tournament = paired()
    tournament.record_result(FIRST, placings(tournament.rounds[0].tables[0]), at=AT, cause="rules")
    before = tournament.standings()

    tournament.abort(at=AT, by="ops", reason="the hall is on fire")

    assert (tournament.status, tournament.stopped) == ("aborted", tournament.collect_events()[-1])
    assert tournament.standings() == before
    assert not tournament.record_result(FIRST, placings(tournament.rounds[0].tables[0]), at=AT, cause="rules")
    other = tournament.rounds[0].tables[1]
    with pytest.raises(ConflictError, match="t/cup was aborted: the hall is on fire"):
        tournament.record_result(other.match, placings(other), at=AT, cause="rules")
    with pytest.raises(ConflictError, match="was aborted"):
        tournament.record_abort(other.match, at=AT, cause="power failure")
    for change in (
        lambda: tournament.pause(at=AT),
        lambda: tournament.resume(at=AT),
        lambda: tournament.finish(at=AT),
        lambda: tournament.pair_round(at=AT),
        lambda: tournament.register("bot/late", "late", at=AT),
        lambda: tournament.abort(at=AT, by="ops", reason="once more"),
    ):
        with pytest.raises(ConflictError, match="t/cup is aborted"):
            change()


def test_a_tournament_may_be_aborted_before_it_starts_and_while_it_is_paused() -> None:
    registering = started(9)
    registering.pause(at=AT)
    registering.abort(at=AT, by="ops", reason="no sponsor")
    events = registering.collect_events()

    assert isinstance(events[-1], Aborted)
    assert audit("t/cup", [(topic_of(event), encode_event(event)) for event in events]) == ()


@pytest.mark.parametrize(("field", "given"), [("by", {"by": " "}), ("reason", {"reason": ""})])
def test_who_aborts_a_tournament_and_why_must_be_said(field: str, given: dict[str, str]) -> None:
    with pytest.raises(OptionError) as refused:
        paired().abort(at=AT, **{"by": "ops", "reason": "fire", **given})

    assert refused.value.field == field


def test_a_finished_tournament_cannot_be_aborted() -> None:
    tournament = started(3, table_size=3, rounds=1)
    play_round(tournament)
    tournament.finish(at=AT)

    with pytest.raises(ConflictError, match="t/cup is finished"):
        tournament.abort(at=AT, by="ops", reason="too late")


@pytest.mark.parametrize(
    ("given", "field", "allowed"),
    [
        ({"wait_ms": -1}, "wait_ms", "0 to 86400000"),
        ({"then": "shout"}, "then", "play, forfeit or withdraw"),
        ({"wait": 3}, "wait", "wait_ms, then"),
        ("forfeit", "absence", "a table of wait_ms, then"),
    ],
)
def test_a_wrong_term_about_absence_is_named_with_what_is_allowed(
    given: object, field: str, allowed: str
) -> None:
    with pytest.raises(OptionError) as error:
        parse_terms({"game": "pearls", "table_size": 3, "rounds": 3, "absence": given})

    assert error.value.field == field
    assert allowed in error.value.allowed


def forged(tournament: Tournament, **changes: object) -> tuple[str, ...]:
    """What an audit says when the ruling on absence is changed."""
    events = [
        msgspec.structs.replace(event, **changes) if isinstance(event, AbsenceRuled) else event
        for event in tournament.collect_events()
    ]
    return audit("t/cup", [(topic_of(event), encode_event(event)) for event in events])


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, ()),
        ({"bots": ("bot/b99",)}, ("m/cup/r1/t1: bot/b99 cannot be away from it",)),
        ({"match": "m/cup/r9/t9", "bots": ("bot/b01",)}, ("m/cup/r9/t9: bot/b01 cannot be away from it",)),
        ({"then": "play"}, ("m/cup/r1/t1: absence means forfeit by the terms, not play",)),
        ({"waited_ms": 3}, ("m/cup/r1/t1: ruled after 3 ms; the terms say 500",)),
    ],
)
def test_an_audit_finds_rulings_that_the_terms_do_not_give(
    changes: dict[str, object], found: tuple[str, ...]
) -> None:
    tournament = paired("forfeit")
    tournament.rule_absence(FIRST, tournament.rounds[0].tables[0].seats[:1], at=AT, waited_ms=500)

    version = tournament.version
    assert forged(tournament, **changes) == tuple(f"event {version}: {one}" for one in found)
