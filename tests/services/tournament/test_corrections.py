"""Corrections as use cases: tried first or stored, with what moves."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from keylore_domain.bots import Enrolled
from keylore_domain.engine.aggregates import genesis
from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.tournament.corrections import Authority, Corrections, Verdict
from tests.domain.swiss.leagues import AT, placings
from tests.services.tournament.houses import FakeTables, House, open_house

ADA = Authority(by="op/ada", reason="it looked up the deck", ground="dispute/7")
VOID = Verdict(kind="void")
TWO: dict[str, Any] = {"table_size": 2, "pairing": {"seeding": "registration"}}


@pytest.fixture
def house() -> Iterator[House]:
    with open_house() as opened:
        yield opened


def paused(house: House, **changes: Any) -> None:
    house.started(**{**TWO, **changes})
    house.service.pause("cup")


def versions(house: House) -> int:
    return len(house.ledger.stored("t/cup"))


def test_a_dry_run_shows_who_would_move_and_stores_nothing(house: House) -> None:
    house.run(house.started(), FakeTables())
    before, rows = versions(house), house.service.standings("cup").rows

    tried = house.corrections.override("cup", "r1/t1", VOID, ADA, dry_run=True)
    assert (versions(house), house.service.standings("cup").rows) == (before, rows)
    done = house.corrections.override("cup", "r1/t1", VOID, ADA)

    assert (tried.stored, done.stored) == (False, True)
    assert msgspec.structs.replace(tried, stored=True) == done
    assert (done.event, versions(house)) == (before + 1, before + 1)
    assert (done.by, done.reason, done.ground) == ("op/ada", "it looked up the deck", "dispute/7")
    after = {row.bot: row for row in house.service.standings("cup").rows}
    moved = {move.bot: (move.rank_after, move.points_after) for move in done.moves}
    assert moved == {
        row.bot: (after[row.bot].rank, after[row.bot].points)
        for row in rows
        if (row.rank, row.points) != (after[row.bot].rank, after[row.bot].points)
    }
    assert len(moved) >= 3
    assert house.audit("t/cup") == ()


def test_rounds_that_were_paired_on_the_old_result_are_told(house: House) -> None:
    house.run(house.started(), FakeTables())

    first = house.corrections.override("cup", "r1/t1", VOID, ADA, dry_run=True)
    last = house.corrections.override("t/cup", "m/cup/r3/t1", VOID, ADA, dry_run=True)

    assert (first.stayed, last.stayed) == ((2, 3), ())
    assert first.what == "m/cup/r1/t1: the game does not count"
    assert (first.next_round.before, first.next_round.problem) == (None, "no round follows")


def test_the_next_pairing_is_shown_before_and_after(house: House) -> None:
    """Round 1 is over and the tournament paused, so that the next round is still open."""
    paused(house, rounds=3)
    house.corrections.repair("cup", ADA)
    tournament = house.ledger.load("t/cup", Tournament)
    for table in tournament.rounds[0].tables:
        tournament.record_result(table.match, placings(table), at=AT, cause="rules")
    house.ledger.save(tournament)
    loser = tournament.rounds[0].tables[0].seats

    view = house.corrections.override(
        "cup", "r1/t1", Verdict(kind="forfeit", losers=("b01",)), ADA, dry_run=True
    )

    assert view.next_round.number == 2
    assert view.next_round.before is not None
    assert view.next_round.after is not None
    assert view.next_round.is_changed
    (winner,) = (bot for bot in loser if bot != "bot/b01")
    with_winner = [set(seats) for seats in view.next_round.after.tables if winner in seats]
    assert with_winner != [set(seats) for seats in view.next_round.before.tables if winner in seats]


def test_places_are_named_by_bot_and_scores_kept_where_none_is_given(house: House) -> None:
    house.run(house.started(), FakeTables())
    table = house.reports.pairings("cup", 1).tables[0]
    names = [seat.name for seat in table.seats]
    verdict = Verdict(
        kind="places",
        places=dict(zip(names, (1, 2, 2), strict=True)),
        scores={f"bot/{names[0]}": 99},
    )

    view = house.corrections.override("cup", "r1/t1", verdict, ADA)

    after = house.reports.pairings("cup", 1).tables[0]
    assert [(seat.rank, seat.score) for seat in after.seats] == [
        (1, 99),
        (2, table.seats[1].score),
        (2, table.seats[2].score),
    ]
    assert after.played is not None
    assert [one.rank for one in after.played.placings] == [seat.rank for seat in table.seats]
    assert after.ruling is not None
    assert (after.ruling.by, after.ruling.event) == ("op/ada", view.event)
    assert view.what == f"m/cup/r1/t1: ruled 1. {names[0]}, 2. {names[1]}, 2. {names[2]}"
    assert house.reports.pairings("cup", 1, view.event - 1).tables[0] == table
    assert house.reports.standings("cup", at=view.event - 1) != house.reports.standings("cup")


def test_every_ruling_is_told_in_words(house: House) -> None:
    house.run(house.started(), FakeTables())
    correct = house.corrections
    seat = house.reports.pairings("cup", 1).tables[0].seats[0].name

    lost = correct.override("cup", "r1/t1", Verdict(kind="forfeit", losers=(seat,)), ADA)
    again = correct.override("cup", "r1/t1", Verdict(kind="original"), ADA)
    kept = correct.remove("cup", "b01", ADA)
    correct.remove("cup", "bot/b02", ADA, results="forfeit")
    correct.remove("cup", "b03", ADA, results="void")

    assert f"forfeited by {seat} (" in lost.what
    assert "the result of the game counts again (1. " in again.what
    assert kept.what == "b01 was removed; the games that it has played stay"
    shown = house.service.show("cup").corrections
    assert [line.what for line in shown[-2:]] == [
        "b02 was removed; the games that it has played are lost by it",
        "b03 was removed; the games that it has played do not count",
    ]
    assert (shown[0].event, shown[0].by, shown[0].ground) == (lost.event, "op/ada", "dispute/7")
    assert house.audit("t/cup") == ()


@pytest.mark.parametrize(
    ("verdict", "field", "problem"),
    [
        (Verdict(kind="places", places={"zoe": 1}), "places", "zoe does not sit at m/cup/r1/t1"),
        (Verdict(kind="places", scores={"zoe": 1}), "places", "zoe does not sit at m/cup/r1/t1"),
        (Verdict(kind="places"), "places", "has none"),
        (Verdict(kind="forfeit", losers=("zoe",)), "losers", "bot/zoe does not sit at m/cup/r1/t1"),
    ],
)
def test_a_verdict_that_does_not_fit_names_what_is_allowed(
    house: House, verdict: Verdict, field: str, problem: str
) -> None:
    house.run(house.started(), FakeTables())

    with pytest.raises(OptionError, match=problem) as error:
        house.corrections.override("cup", "r1/t1", verdict, ADA)

    assert error.value.field == field
    assert "b0" in error.value.allowed


def test_a_table_that_is_not_there_is_not_found(house: House) -> None:
    house.run(house.started(), FakeTables())

    for table in ("r1/t9", "r9/t1", "m/cup/r1/t9", "first"):
        with pytest.raises(NotFoundError):
            house.corrections.override("cup", table, VOID, ADA)


def test_p5_a_bye_is_moved_before_the_round_begins(house: House) -> None:
    """Seven of nine play; the next round is paired, and at once again with the bye that is wished."""
    paused(house)
    for bot in ("b08", "b09"):
        house.service.withdraw("cup", bot)

    tried = house.corrections.repair("cup", ADA, byes=("b02",), dry_run=True)
    with pytest.raises(ConflictError, match="confirm 3 byes"):
        house.corrections.repair("cup", ADA, byes=("b02", "b03"))
    assert house.service.show("cup").round == 0
    done = house.corrections.repair("cup", ADA, byes=("b02",))

    assert tried.next_round == done.next_round
    assert done.next_round.before is not None
    assert done.next_round.after is not None
    assert (len(done.next_round.before.byes), done.next_round.after.byes) == (1, ("bot/b02",))
    assert done.what == "round 1 was paired again, with a bye by ruling for b02"
    assert house.reports.pairings("cup").byes == ("bot/b02",)
    house.service.resume("cup")
    assert house.run("t/cup", FakeTables()) == "finished"
    assert house.audit("t/cup") == ()


def test_a_round_of_which_a_match_was_opened_is_not_paired_again(house: House) -> None:
    paused(house)
    house.corrections.repair("cup", ADA)
    match = house.reports.pairings("cup").tables[0].match
    opened = Enrolled(
        originator_id=match,
        originator_version=1,
        at=AT,
        prev=genesis(match),
        name="x",
        author="",
        token_digest="",
    )
    house.ledger.append([opened])

    with pytest.raises(ConflictError, match="cannot be paired again: m/cup/r1/t1/a2 has begun"):
        house.corrections.repair("cup", ADA)


def test_missing_results_and_too_few_entrants_and_refused_rounds_are_told(house: House) -> None:
    paused(house, rounds=9, table_size=3, pairing={"repeats": "refused"})

    def problem() -> str:
        return house.corrections.remove("cup", "b09", ADA, dry_run=True).next_round.problem

    assert problem() == ""
    house.service.resume("cup")
    assert house.run("t/cup", FakeTables()) == "paused"
    assert "repeat meetings, which are refused" in problem()
    for number in range(1, 8):
        house.service.withdraw("cup", f"b0{number}")
    assert problem() == "too few entrants are left"


def test_a_running_round_is_waited_for(house: House) -> None:
    paused(house)
    house.corrections.repair("cup", ADA)

    view = house.corrections.remove("cup", "b09", ADA, dry_run=True)

    assert view.next_round.problem == "results of the running round are missing"


def test_who_is_slower_corrects_anew(house: House) -> None:
    house.run(house.started(), FakeTables())
    looks: list[int] = []

    def now() -> int:
        looks.append(1)
        if len(looks) == 1:
            house.corrections.remove("cup", "b02", ADA)
        return AT

    view = Corrections(house.ledger, now).remove("cup", "b03", ADA)

    assert len(looks) == 2
    assert view.event == versions(house)
    assert [line.what[:3] for line in house.service.show("cup").corrections] == ["b02", "b03"]


def test_the_winner_of_a_corrected_tournament_is_the_one_that_stands_first_now(house: House) -> None:
    house.run(house.started(), FakeTables())
    (card,) = house.service.list()

    house.corrections.remove("cup", card.winners[0], ADA)

    (after,) = house.service.list()
    assert card.winners[0] not in after.winners
    assert house.service.standings("cup").rows[-1].bot == card.winners[0]


def test_reports_to_print_tell_of_rulings(house: House) -> None:
    house.run(house.started(), FakeTables())
    house.corrections.override("cup", "r1/t1", VOID, msgspec.structs.replace(ADA, reason="<cheating>"))
    house.corrections.override("cup", "r1/t2", VOID, ADA)
    house.corrections.override("cup", "r1/t2", Verdict(kind="original"), ADA)

    page, data = house.reports.export("cup", "html"), msgspec.json.decode(house.reports.export("cup", "json"))

    first, second, third = data["tables"][:3]
    assert first["ruling"].startswith("does not count by op/ada (event ")
    assert "<cheating>; as played: 1. b0" in first["ruling"]
    assert second["ruling"].startswith("counts as played by op/ada (event ")
    assert (third["ruling"], first["seats"][0]["rank"]) == ("", 0)
    assert "<p>Table 1 does not count by op/ada (event " in page
    assert "&lt;cheating&gt;" in page
    assert {cell["text"] for line in data["lines"] for cell in line["cells"][0]} >= {"void"}
