from collections.abc import Iterator

import pytest

from keylore_domain.errors import NotFoundError
from keylore_services.tournament.reports import Reports
from keylore_services.tournament.words import exact, explanation_lines
from tests.services.tournament.houses import FakeTables, House, open_house


@pytest.fixture
def house() -> Iterator[House]:
    with open_house() as opened:
        yield opened


def test_standings_are_as_of_any_event(house: House) -> None:
    """After each recorded result one more table counts; the last event changes nothing."""
    tournament = house.started()
    house.run(tournament, FakeTables())
    reports = Reports(house.ledger)
    topics = house.topics(tournament)

    played = [
        sum(row.played for row in reports.standings("cup", at=at).rows) for at in range(1, len(topics) + 1)
    ]

    results = [3 * topics[:at].count("ResultRecorded") for at in range(1, len(topics) + 1)]
    assert played == results
    assert (
        reports.standings("cup")
        == reports.standings("t/cup", at=len(topics))
        == house.service.standings("cup")
    )


def test_standings_after_a_round_are_the_same_at_any_later_event(house: House) -> None:
    house.run(house.started(), FakeTables())
    reports = Reports(house.ledger)
    second = house.topics("t/cup").index("RoundPaired", 12) + 1

    assert reports.standings("cup", after=1, at=second).rows == reports.standings("cup", after=1).rows


def test_events_that_did_not_happen_are_not_found(house: House) -> None:
    house.started()
    reports = Reports(house.ledger)

    for at in (0, 12):
        with pytest.raises(NotFoundError, match=f"11 events, not {at}"):
            reports.standings("cup", at=at)
    with pytest.raises(NotFoundError, match="t/none"):
        reports.standings("none")


def test_every_value_of_a_row_is_explained(house: House) -> None:
    house.run(house.started(), FakeTables())
    reports = Reports(house.ledger)
    rows = reports.standings("cup").rows

    for row in rows:
        found = reports.why("cup", row.name)
        assert found == reports.why("t/cup", row.bot)
        assert (found.rank, [one.value for one in found.values]) == (row.rank, [row.points, *row.values])


def test_an_explanation_reads_as_sentences(house: House) -> None:
    house.run(house.started(tie_breaks=["opponents_mean_cut1", "direct_encounter"]), FakeTables())

    first, points, mean, order, *rest = explanation_lines(Reports(house.ledger).why("cup", "b03"))

    assert first.startswith("b03 has rank ")
    assert points.startswith("points ")
    assert "the sum of" in points
    assert all(f"(round {number} " in points for number in (1, 2, 3))
    assert "the mean of" in mean
    assert "; cut: " in mean
    assert order.startswith("direct encounter ")
    assert any(" by " in line or line.startswith("equal with") for line in rest)


def test_unplayed_rounds_are_named_in_an_explanation(house: House) -> None:
    """Nine entrants at tables of two: somebody has a bye."""
    house.run(house.started(table_size=2, rounds=1, tie_breaks=[]), FakeTables())
    reports = Reports(house.ledger)
    (bye,) = (row.name for row in reports.standings("cup").rows if row.byes)

    lines = explanation_lines(reports.why("cup", bye))

    assert lines[1] == "points 0.5: the sum of 0.5 (round 1 bye)"


def test_who_has_nothing_yet_and_equals_are_told_so(house: House) -> None:
    house.started()

    lines = explanation_lines(Reports(house.ledger).why("cup", "b01"))

    assert lines[1] == "points 0: the sum of nothing"
    assert lines[-1] == "shares the rank with b02"


@pytest.mark.parametrize(
    ("value", "shown"),
    [("3", "3"), ("7/2", "3.5"), ("-7/2", "-3.5"), ("50/3", "16 2/3"), ("-1/3", "-1/3"), ("-4/3", "-1 1/3")],
)
def test_exact_values_are_shown_exactly(value: str, shown: str) -> None:
    assert exact(value) == shown


def test_in_a_knock_out_it_is_told_how_far_one_came(house: House) -> None:
    """Nine entrants at tables of two; who lost in the same round shares the rank."""
    house.run(house.started(table_size=2, rounds=0, format="knockout"), FakeTables())
    reports = Reports(house.ledger)
    rows = reports.standings("cup").rows

    for row in rows:
        found = reports.why("cup", row.name)
        assert found.rank == row.rank
        for other in filter(None, (found.above, found.below)):
            assert other.decided_by == ("" if other.rank == row.rank else "course")
            assert other.rank == next(one.rank for one in rows if one.bot == other.bot)
    told = [line for row in rows for line in explanation_lines(reports.why("cup", row.name))]
    assert told[-1].endswith("by how far it came")
    assert any(line.startswith("shares the rank with ") for line in told)
