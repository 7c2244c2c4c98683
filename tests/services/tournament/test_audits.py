"""Results against the matches they come from."""

from collections.abc import Iterator
from typing import Any

import pytest

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.shares import Beacon
from keylore_domain.swiss.absences import AbsenceTerms
from keylore_domain.swiss.game_terms import GameTerms
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.rounds import Placing
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.tournament.service import TournamentService
from keylore_services.tournament.tables import MatchEnd
from tests.domain.engine.playing import LiveMatch
from tests.domain.engine.toy import toy_catalog
from tests.domain.swiss.leagues import AT, terms

FIRST = "m/cup/r1/t1"
SEATS = ("bot/b0", "bot/b1")


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    opened = open_ledger(":memory:")
    yield opened
    opened.close()


def paired(**changes: Any) -> Tournament:
    """One table of two, in the seat order that `LiveMatch` has."""
    for seed in "abcdefgh":
        chosen = terms(table_size=2, rounds=1, options={"rounds": 2}, seed=seed, **changes)
        tournament = Tournament.create("cup", chosen, toy_catalog, at=AT)
        for bot in SEATS:
            tournament.register(bot, bot, at=AT)
        tournament.start(at=AT)
        tournament.pair_round(at=AT)
        if tournament.round(1).tables[0].seats == SEATS:
            return tournament
    raise AssertionError


def played(tournament: Tournament, match_id: str = FIRST, **changes: Any) -> LiveMatch:
    settings = {"rounds": 2, "public_seed": tournament.terms.seed, "time": TimeControl(), **changes}
    return LiveMatch(seats=2, match_id=match_id, **settings).finish()


def record(
    tournament: Tournament,
    live: LiveMatch,
    match_id: str = FIRST,
    *,
    turned: bool = False,
    forfeited: tuple[int, ...] = (),
) -> None:
    outcome = MatchEnd.of(live.match).outcome
    assert outcome is not None
    places = [(one.rank, one.score) for one in outcome.seats][:: -1 if turned else 1]
    placings = [Placing(bot, *place) for bot, place in zip(SEATS, places, strict=True)]
    tournament.record_result(match_id, placings, at=AT, cause="rules", forfeited=forfeited)


def store(ledger: Ledger, *matches: LiveMatch) -> None:
    for live in matches:
        ledger.append([decode_event(topic, data) for _, topic, data in live.rows])


def audit(ledger: Ledger, tournament: Tournament) -> tuple[str, ...]:
    ledger.save(tournament)
    return TournamentService(ledger, toy_catalog, lambda: AT).audit("cup")


def test_a_result_that_is_its_matchs_outcome_is_sound(ledger: Ledger) -> None:
    tournament = paired()
    live = played(tournament)
    record(tournament, live)
    store(ledger, live)

    assert audit(ledger, tournament) == ()


def test_a_result_without_a_match_is_found(ledger: Ledger) -> None:
    tournament = paired()
    record(tournament, played(tournament))

    assert audit(ledger, tournament) == (
        "m/cup/r1/t1: a result was recorded, but the match is not in the ledger",
    )


def test_a_result_that_is_not_the_outcome_is_found(ledger: Ledger) -> None:
    tournament = paired()
    live = played(tournament)
    record(tournament, live, turned=True)
    store(ledger, live)

    assert audit(ledger, tournament) == ("m/cup/r1/t1: its outcome is not the result that was recorded",)


def test_a_result_of_a_match_that_still_plays_is_found(ledger: Ledger) -> None:
    tournament = paired()
    record(tournament, played(tournament))
    store(
        ledger,
        LiveMatch(seats=2, match_id=FIRST, rounds=2, public_seed=tournament.terms.seed, time=TimeControl()),
    )

    assert audit(ledger, tournament) == ("m/cup/r1/t1: a result was recorded, but the match has none",)


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"rounds": 3}, "options"),
        ({"time": TimeControl(move_ms=9_999)}, "time control"),
        ({"public_seed": None}, "seed"),
        ({"seed_label": "cup/r1/g1"}, "deal"),
    ],
)
def test_a_match_on_other_terms_is_found(ledger: Ledger, changes: dict[str, Any], part: str) -> None:
    tournament = paired()
    live = played(tournament, **changes)
    record(tournament, live)
    store(ledger, live)

    assert audit(ledger, tournament) == (f"m/cup/r1/t1: its {part} are not those of the tournament",)


def test_a_replay_of_a_match_that_was_not_aborted_is_found(ledger: Ledger) -> None:
    """Somebody disliked the first result and had another match played."""
    tournament = paired()
    tournament.record_abort(FIRST, at=AT, cause="power failure")
    first, second = played(tournament), played(tournament, f"{FIRST}/a2")
    record(tournament, second, f"{FIRST}/a2")
    store(ledger, first, second)

    assert audit(ledger, tournament) == (
        "m/cup/r1/t1: was replayed as m/cup/r1/t1/a2, but it was not aborted",
    )


def test_a_replay_after_an_abort_is_sound(ledger: Ledger) -> None:
    tournament = paired()
    tournament.record_abort(FIRST, at=AT, cause="power failure")
    first = LiveMatch(seats=2, match_id=FIRST, rounds=2)
    first.play(0, Seat(0))
    first.abort("power failure")
    second = played(tournament, f"{FIRST}/a2")
    record(tournament, second, f"{FIRST}/a2")
    store(ledger, first, second)

    assert audit(ledger, tournament) == ()


RULED: dict[str, Any] = {"at": AT, "by": "op/ada", "reason": "a defect of the rules"}


def test_a_ruling_leaves_the_result_of_the_match_to_be_compared(ledger: Ledger) -> None:
    tournament = paired()
    live = played(tournament)
    record(tournament, live)
    tournament.override_result(FIRST, "forfeit", losers=SEATS[:1], **RULED)
    store(ledger, live)

    assert audit(ledger, tournament) == ()


def test_a_ruling_covers_up_no_forged_result(ledger: Ledger) -> None:
    tournament = paired()
    live = played(tournament)
    record(tournament, live, turned=True)
    tournament.override_result(FIRST, "void", **RULED)
    store(ledger, live)

    assert audit(ledger, tournament) == ("m/cup/r1/t1: its outcome is not the result that was recorded",)


def test_a_table_that_was_ruled_needs_no_match(ledger: Ledger) -> None:
    tournament = paired()
    tournament.override_result(FIRST, "forfeit", losers=SEATS[:1], **RULED)

    assert audit(ledger, tournament) == ()


@pytest.mark.parametrize(("later", "is_found"), [(10**12, True), (-(10**15), False)])
def test_a_round_that_was_paired_again_after_it_had_begun_is_found(
    ledger: Ledger, later: int, is_found: bool
) -> None:
    """A match that was opened in the same moment is only played for nothing."""
    tournament = paired()
    tournament.pause(at=AT)
    tournament.repair_round(**{**RULED, "at": AT + later})
    store(ledger, played(tournament))

    found = audit(ledger, tournament)

    assert found == (("event 7: round 1 was paired again after m/cup/r1/t1 had begun",) if is_found else ())


def two_kinds() -> Tournament:
    """A table that plays a game of two rounds, then one of three with less time, on the same seats."""
    return paired(
        more=(GameTerms(game="pearls", options={"rounds": 3}, time=TimeControl(move_ms=777)),),
        turns="games",
        pairing=PairingTerms(games=2, rotation="fixed"),
    )


def test_each_match_is_held_against_the_terms_of_its_own_game(ledger: Ledger) -> None:
    tournament = two_kinds()
    first = played(tournament)
    second = played(tournament, "m/cup/r1/t2", rounds=3, time=TimeControl(move_ms=777))
    record(tournament, first)
    record(tournament, second, "m/cup/r1/t2")
    store(ledger, first, second)

    assert audit(ledger, tournament) == ()


def test_a_match_on_the_terms_of_another_game_is_found(ledger: Ledger) -> None:
    tournament = two_kinds()
    first, second = played(tournament), played(tournament, "m/cup/r1/t2")
    record(tournament, first)
    record(tournament, second, "m/cup/r1/t2")
    store(ledger, first, second)

    assert audit(ledger, tournament) == (
        "m/cup/r1/t2: its options are not those of the tournament",
        "m/cup/r1/t2: its time control are not those of the tournament",
    )


def test_a_bot_that_was_away_must_have_forfeited_if_that_is_what_the_terms_say(ledger: Ledger) -> None:
    tournament = paired(absence=AbsenceTerms(wait_ms=0, then="forfeit"))
    tournament.rule_absence(FIRST, SEATS[:1], at=AT, waited_ms=7)
    live = played(tournament)
    record(tournament, live)
    store(ledger, live)

    assert audit(ledger, tournament) == (f"{FIRST}: who was away has not forfeited it",)


def test_forfeits_that_the_match_does_not_have_are_found(ledger: Ledger) -> None:
    tournament = paired()
    live = played(tournament)
    record(tournament, live, forfeited=(1,))
    store(ledger, live)

    assert audit(ledger, tournament) == (f"{FIRST}: who forfeited it is not what was recorded",)


def test_matches_that_share_a_deal_have_one_seed(ledger: Ledger) -> None:
    chosen = terms(
        table_size=2,
        rounds=1,
        seed=None,
        options={"rounds": 2},
        pairing={"games": 2, "duplicate": True, "system": "tables"},
    )
    tournament = Tournament.create("cup", chosen, toy_catalog, at=AT)
    for bot in SEATS:
        tournament.register(bot, bot, at=AT)
    tournament.start(at=AT)
    tournament.pair_round(at=AT)
    tables = tournament.round(1).tables
    beacons = (None, Beacon(value="cd" * 32, source="drand round 7"))
    for table, beacon in zip(tables, beacons, strict=True):
        live = played(tournament, table.match, seed_label=tournament.deal_of(table.match), beacon=beacon)
        outcome = MatchEnd.of(live.match).outcome
        assert outcome is not None
        placings = [
            Placing(bot, one.rank, one.score) for bot, one in zip(table.seats, outcome.seats, strict=True)
        ]
        tournament.record_result(table.match, placings, at=AT, cause="rules")
        store(ledger, live)

    found = audit(ledger, tournament)

    assert [line for line in found if "its deal is not that" in line] == [
        f"{tables[1].match}: its deal is not that of {tables[0].match}"
    ]
