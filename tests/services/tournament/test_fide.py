"""Rounds by the FIDE Dutch System, worked out by gacrux."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError

import pytest

from keylore_domain.swiss.dutch.cards import Card, Cards, Game, Worth
from keylore_domain.swiss.dutch.checks import problems
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.tournament import fide
from keylore_services.tournament.corrections import Authority, Verdict
from tests.domain.swiss.leagues import AT, catalog, placings
from tests.domain.swiss.reports import Report, reports
from tests.services.tournament.houses import FakeTables, House, open_house

needs_gacrux = pytest.mark.skipif(not fide.is_available(), reason="needs the extra fide")


@pytest.fixture
def house() -> Iterator[House]:
    with open_house(9) as opened:
        yield opened


def check(report: Report) -> int:
    """Every round of *report* comes out as it was paired, colours included; gives how many."""
    for number in report.rounds:
        before, right = report.cards(number), report.answer(number)

        found = fide.pair_dutch(before)

        assert found is not None, (report.name, number)
        assert (sorted(found.pairs), found.bye) == (sorted(right.pairs), right.bye), (report.name, number)
        assert problems(before, found) == ()
    return len(report.rounds)


@needs_gacrux
@pytest.mark.slow
def test_twenty_tournaments_come_out_as_by_the_reference_program() -> None:
    assert sum(check(report) for report in reports()[::10]) > 120


@needs_gacrux
@pytest.mark.long
def test_two_hundred_tournaments_come_out_as_by_the_reference_program() -> None:
    assert sum(check(report) for report in reports()) == 1366


@needs_gacrux
def test_p2_the_parity_of_the_first_round_counts_only_those_who_came() -> None:
    """Ten entrants, 1 and 9 have a bye worth nothing, the first colour is black."""
    cards = tuple(
        Card(bot=f"bot/{number}", half_points=0, now="Z" if number in {1, 9} else "-")
        for number in range(1, 11)
    )

    found = fide.pair_dutch(Cards(round=1, rounds=5, first="black", worth=Worth(), cards=cards))

    assert found is not None
    assert found.pairs == ((6, 2), (3, 7), (8, 4), (5, 10))
    assert found.engine.startswith("gacrux 1.")


@needs_gacrux
def test_forbidden_meetings_and_byes_worth_half_are_told() -> None:
    cards = tuple(
        Card(bot=f"bot/{number}", half_points=0, now="H" if number == 5 else "-") for number in range(1, 6)
    )
    worth = Worth(win=6, draw=2, bye=3)

    found = fide.pair_dutch(
        Cards(round=1, rounds=3, first="white", worth=worth, cards=cards, apart=((1, 3), (2, 4)))
    )

    assert found is not None
    assert {frozenset(pair) for pair in found.pairs} == {frozenset((1, 4)), frozenset((2, 3))}


@needs_gacrux
def test_where_all_have_met_there_is_no_round() -> None:
    cards = (
        Card(bot="a", half_points=2, games=(Game(2, "w", "1"),)),
        Card(bot="b", half_points=0, games=(Game(1, "b", "0"),)),
    )

    assert fide.pair_dutch(Cards(round=2, rounds=3, first="white", worth=Worth(), cards=cards)) is None


@needs_gacrux
def test_a_tournament_for_two_seats_is_paired_by_the_rules_where_they_can_be_worked_out(house: House) -> None:
    scoring = {"rule": "win_draw_loss", "bye": "win", "unplayed": "fide"}
    cup = house.started(table_size=2, rounds=5, scoring=scoring)
    assert house.service.show("cup").terms.pairing.system == "dutch-2026"
    house.service.request_bye("cup", "b02", 2, "half")

    assert house.run(cup, FakeTables()) == "finished"

    rounds = [house.reports.pairings("cup", number) for number in range(1, 6)]
    assert all(one.algorithm.startswith("dutch-2026 (gacrux ") for one in rounds)
    met = [frozenset(seat.bot for seat in table.seats) for one in rounds for table in one.tables]
    assert len(met) == len(set(met))
    assert house.audit("t/cup") == ()
    found = house.service.audit("cup")  # the matches of these tests are made up; all else is sound
    assert all("is not in the ledger" in problem for problem in found)


@needs_gacrux
def test_rulings_in_a_tournament_by_the_rules_leave_it_one_by_the_rules(house: House) -> None:
    """A bye is moved in two rounds, results are overridden between them, and one is removed."""
    ada = Authority(by="op/ada", reason="a ruling")
    scoring = {"rule": "win_draw_loss", "bye": "win", "unplayed": "fide"}
    cup = house.started(table_size=2, rounds=5, scoring=scoring)
    house.service.pause("cup")
    for bye in ("b03", "b05"):
        house.corrections.repair("cup", ada, byes=(bye,))
        tournament = house.ledger.load(cup, Tournament)
        for table in tournament.rounds[-1].tables:
            tournament.record_result(table.match, placings(table), at=AT, cause="rules")
        house.ledger.save(tournament)
        house.corrections.override("cup", f"r{len(tournament.rounds)}/t1", Verdict(kind="void"), ada)
        loser = tournament.rounds[-1].tables[1].seats[0]
        verdict = Verdict(kind="forfeit", losers=(loser,))
        house.corrections.override("cup", f"r{len(tournament.rounds)}/t2", verdict, ada)
    house.corrections.remove("cup", "b09", ada, results="forfeit")
    house.service.resume("cup")

    assert house.run(cup, FakeTables()) == "finished"

    rounds = [house.reports.pairings("cup", number) for number in range(1, 6)]
    assert all(one.algorithm.startswith("dutch-2026 (gacrux ") for one in rounds)
    assert [rounds[0].byes, rounds[1].byes] == [("bot/b03",), ("bot/b05",)]
    later = {bot for one in rounds[2:] for bot in one.byes}
    assert not later & {"bot/b03", "bot/b05", "bot/b09"}
    assert house.audit(cup) == ()
    for number in range(1, 6):
        found = house.reports.pairing_reasons("cup", number)
        assert len(found.entrants) == (9 if number < 3 else 8)
        assert "colours are those of FIDE C.04.3, article 5" in found.constraints


@needs_gacrux
def test_more_rounds_than_the_rules_allow_are_played_with_the_fewest_repeats(house: House) -> None:
    cup = house.started(table_size=2, rounds=11, pairing={"system": "dutch-2026"})

    assert house.run(cup, FakeTables()) == "finished"

    assert house.reports.pairings("cup", 1).algorithm.startswith("dutch-2026")
    assert house.reports.pairings("cup", 11).algorithm == "tables/2"
    assert house.audit("t/cup") == ()


def test_without_the_extra_two_seats_are_tables_like_others(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: str) -> str:
        raise PackageNotFoundError

    monkeypatch.setattr(fide, "version", missing)
    assert fide.engines() == {}

    house.service = type(house.service)(house.ledger, catalog, house.now)
    cup = house.started(table_size=2, rounds=2)
    assert house.service.show("cup").terms.pairing.system is None
    assert house.run(cup, FakeTables()) == "finished"
    assert house.reports.pairings("cup", 1).algorithm == "tables/2"


def test_a_round_that_nothing_here_can_work_out_pauses_the_tournament(house: House) -> None:
    cup = house.started(table_size=2, rounds=2, pairing={"system": "dutch-2026"})

    assert house.run(cup, FakeTables(), engines={}) == "paused"
    assert "need the extra 'fide'" in house.service.show("cup").pause_cause


def test_gacrux_is_loaded_only_when_it_is_used() -> None:
    program = (
        "import sys, keylore_services.tournament.service, keylore_services.tournament.director; "
        "sys.exit(any(name.partition('.')[0] in ('gacrux', 'networkx') for name in sys.modules))"
    )
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path))}

    assert subprocess.run([sys.executable, "-c", program], env=environment, check=False).returncode == 0
