import csv
import io
import json
from collections.abc import Iterator
from typing import get_args

import msgspec
import pytest

from keylore_domain.errors import NotFoundError
from keylore_domain.swiss.rounds import Round
from keylore_services.tournament.exchange.crosstables import Report, report_of
from keylore_services.tournament.exchange.formats import FORMATS, Format
from keylore_services.tournament.exchange.results import results_of
from keylore_services.tournament.exchange.texts import (
    csv_results,
    csv_standings,
    decimal,
    json_report,
    markdown_report,
)
from keylore_services.tournament.exchange.trf_reading import read_trf
from keylore_services.tournament.reports import Reports
from tests.services.tournament.exchange.samples import DATA, NAMES, pairs, table, threes
from tests.services.tournament.houses import FakeTables, House, open_house


@pytest.fixture
def house() -> Iterator[House]:
    with open_house() as opened:
        yield opened


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_a_line_for_each_entrant_in_order_of_rank() -> None:
    found = rows(csv_standings(report_of(pairs())))

    assert [row["rank"] for row in found] == ["1", "2", "3", "4", "5"]
    by_name = {row["name"]: row for row in found}
    assert by_name["alice"] == {
        "rank": "1",
        "number": "1",
        "bot": "bot/1",
        "name": "alice",
        "rating": "1507",
        "active": "yes",
        "points": "1.5",
        "buchholz_cut1": "1.5",
        "buchholz": "1.5",
        "sonneborn_berger": "0.75",
        "lot": by_name["alice"]["lot"],
        "played": "2",
        "byes": "0",
        "round 1": "2 s1 1",
        "round 2": "4 s2 =",
    }
    assert (by_name["dave"]["round 1"], by_name["carol|x"]["round 1"]) == ("3 s2 +", "4 s1 -")
    assert (by_name["dave"]["rating"], by_name["dave"]["active"]) == ("", "yes")


def test_no_spreadsheet_takes_a_name_for_a_formula() -> None:
    last = rows(csv_standings(report_of(pairs())))[2]

    assert last["name"] == "'=SUM(1)"
    assert (last["round 1"], last["round 2"]) == ("bye", "requested bye")


def test_at_larger_tables_a_round_shows_the_rank_and_all_opponents() -> None:
    found = {row["name"]: row for row in rows(csv_standings(report_of(threes())))}

    assert found["alice"]["round 1"] == "1. of 3, 2"
    assert found["alice"]["points"] == "66.666667"
    assert (found["dave"]["round 1"], found["'=SUM(1)"]["round 1"]) == ("bye", "-")
    assert found["<b>bob</b>"]["active"] == "no"


def test_csv_of_results_has_a_line_for_each_seat() -> None:
    found = rows(csv_results(report_of(threes())))

    assert [(row["seat"], row["name"], row["rank"], row["score"]) for row in found] == [
        ("1", "carol|x", "2", "3"),
        ("2", "alice", "1", "6"),
        ("3", "<b>bob</b>", "3", "0"),
    ]
    assert {(row["round"], row["table"], row["match"], row["cause"]) for row in found} == {
        ("1", "1", "m/cup/t1", "rules")
    }


def test_a_table_that_still_plays_has_no_ranks() -> None:
    playing = Round(number=3, tables=(table(1, "15", "", cause=""),), byes=())

    found = rows(csv_results(report_of(pairs(rounds=(*pairs().rounds, playing)))))

    assert [(row["rank"], row["score"], row["points"]) for row in found[-2:]] == [("", "", "")] * 2
    assert [row["forfeited"] for row in found] == [
        "no",
        "no",
        "yes",
        "no",
        "no",
        "no",
        "yes",
        "yes",
        "no",
        "no",
    ]


def test_json_is_the_whole_report_with_exact_values() -> None:
    report = report_of(threes())

    text = json_report(report)

    assert msgspec.json.decode(text, type=Report) == report
    plain = json.loads(text)
    assert plain["schema"] == "keylore.tournament-report/1"
    assert [line["points"] for line in plain["lines"]] == ["200/3", "100/3", "100/3", "0", "0"]
    assert plain["byes"] == [["dave"]]


def test_markdown_has_standings_and_cross_table_and_escapes_names() -> None:
    text = markdown_report(report_of(pairs()))

    assert text.startswith('# Spring & "Cup" \\<2026\\>\n')
    assert "standings after round 2 of 3" in text
    assert "| rank | bot | points | buchholz cut1 | buchholz | sonneborn berger | lot |" in text
    assert "carol\\|x" in text
    assert "\\<b\\>bob\\</b\\>" in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in tables[:7]} == {8}
    assert len(tables) == 2 * (2 + len(NAMES))


def test_final_standings_are_called_so() -> None:
    text = markdown_report(report_of(threes()))

    assert "final standings after round 1" in text
    assert "bob\\</b\\> (withdrew)" in text
    assert "66 2/3" in text


@pytest.mark.parametrize(
    ("value", "shown"),
    [("0", "0"), ("7/2", "3.5"), ("2/3", "0.666667"), ("-1/3", "-0.333333"), ("100", "100")],
)
def test_decimals_have_six_digits_at_most(value: str, shown: str) -> None:
    assert decimal(value) == shown


def test_every_format_is_offered_by_its_name() -> None:
    assert set(FORMATS) == set(get_args(Format))


@pytest.mark.parametrize("form", [name for name in FORMATS if not name.startswith("trf")])
def test_a_recorded_tournament_is_exported_as_of_any_round(house: House, form: Format) -> None:
    house.run(house.started(), FakeTables())
    reports = Reports(house.ledger)

    whole, first = reports.export("cup", form), reports.export("t/cup", form, after=1)

    assert "b07" in whole
    assert whole != first
    assert reports.export("cup", form, at=len(house.topics("t/cup"))) == whole
    with pytest.raises(NotFoundError):
        reports.export("cup", form, after=4)


def test_a_recorded_tournament_of_two_seats_is_exported_to_trf_and_read_again(house: House) -> None:
    scoring = {"bye": "win", "unplayed": "fide"}
    house.run(house.started(table_size=2, rounds=3, scoring=scoring), FakeTables())
    reports = Reports(house.ledger)

    again = read_trf(reports.export("cup", "trf26"))

    recorded = reports.standings("cup").rows
    assert {row.number: row.points for row in again.standings()} == {
        row.number: row.points for row in recorded
    }


def test_several_games_of_a_round_share_a_cell_and_a_bye_counts_for_each(house: House) -> None:
    house.run(house.started(table_size=2, rounds=1, pairing={"games": 2}), FakeTables())

    found = rows(Reports(house.ledger).export("cup", "csv"))

    (bye,) = (row for row in found if row["byes"] == "1")
    assert (bye["round 1"], bye["points"]) == ("bye", "1")
    assert all(row["round 1"].count("; ") == 1 for row in found if row is not bye)
    assert sum(float(row["points"]) for row in found) == 9


def test_results_say_whether_they_are_final(house: House) -> None:
    house.run(house.started(), FakeTables())
    tournament = Reports(house.ledger).tournament("cup")

    assert results_of(tournament).is_final
    assert not results_of(tournament, 2).is_final
    assert results_of(tournament, 0).pairing == ""


def test_a_foreign_event_is_reported_like_our_own() -> None:
    results = read_trf((DATA / "t095.trf").read_text())

    assert len(rows(csv_standings(report_of(results)))) == 30
