"""Tournaments of several games: the matches that are opened, the audit's view, ratings and comparisons."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from keylore_domain.errors import NotFoundError
from keylore_domain.swiss.ratings import Game, rate
from keylore_services.tournament.reports import Reports
from keylore_services.tournament.service import TournamentService
from tests.domain.swiss.test_several_games import two_games
from tests.services.tournament.houses import FakeTables, House, open_house

STONES = {"game": "stones", "options": {"rounds": 2}, "time": {"move_ms": 50}}


@pytest.fixture
def house() -> Iterator[House]:
    with open_house(entrants=6) as opened:
        opened.service = TournamentService(opened.ledger, two_games, opened.now)
        yield opened


def played(house: House) -> FakeTables:
    tables = FakeTables()
    house.run(house.started(table_size=2, rounds=4, options={"coins": 9}, more=[STONES]), tables)
    return tables


def test_every_match_is_opened_as_its_game_is_to_be_played(house: House) -> None:
    specs = played(house).specs

    found = {
        match: (one.game, one.rules, one.options, one.time.move_ms, one.data_text)
        for match, one in specs.items()
    }
    pearls, stones = ("pearls", "1", {"coins": 9}, 10_000, None), ("stones", "1", {"rounds": 2}, 50, None)
    due = {1: pearls, 2: stones, 3: stones, 4: pearls}
    assert found == {f"m/cup/r{at}/t{table}": due[at] for at in due for table in (1, 2, 3)}
    assert house.audit("t/cup") == ()


def test_a_replay_is_opened_as_the_same_game(house: House) -> None:
    from tests.services.tournament.houses import aborted, concluded

    tables = FakeTables(lambda spec: aborted(spec) if spec.match_id == "m/cup/r2/t1" else concluded(spec))
    house.run(house.started(table_size=2, rounds=2, more=[STONES]), tables)

    assert tables.specs["m/cup/r2/t1/a2"].game == "stones"


def test_each_game_has_a_leaderboard_of_its_own(house: House) -> None:
    played(house)
    reports = Reports(house.ledger)
    rounds = reports.tournament("cup").rounds
    tables = [table for one in rounds[1:3] for table in one.tables]

    pearls, stones = reports.leaderboards(table_size=0)

    assert [(one.game, one.tables, one.tournaments) for one in (pearls, stones)] == [
        ("pearls", 6, 1),
        ("stones", 6, 1),
    ]
    expected = rate([Game(one.seats, tuple(two.rank for two in one.placings)) for one in tables])
    assert tuple(row.rating for row in stones.rows) == expected.ratings
    assert reports.leaderboards("stones", 0) == (stones,)


def test_bots_are_compared_game_by_game_or_over_all(house: House) -> None:
    played(house)
    reports = Reports(house.ledger)

    found = [reports.compare("b01", game=game).tables for game in ("pearls", "stones", None)]

    assert found == [2, 2, 4]


def test_the_standings_in_one_game_are_those_of_a_tournament_of_its_own(house: House) -> None:
    """Recounted from its tables; with six entrants at tables of two there are no byes."""
    played(house)
    reports = Reports(house.ledger)
    rounds = reports.tournament("cup").rounds

    for game, numbers in (("pearls", (1, 4)), ("stones", (2, 3))):
        view = reports.standings("cup", game=game)
        points: Counter[str] = Counter()
        for number in numbers:
            for table in rounds[number - 1].tables:
                first, second = (one.rank for one in table.placings)
                points[table.seats[0]] += 1 + (first < second) - (first > second)
                points[table.seats[1]] += 1 + (second < first) - (second > first)
        assert {row.bot: row.half_points for row in view.rows} == {bot: points[bot] for bot in points}
        assert (view.game, view.round, {row.played for row in view.rows}) == (game, 4, {2})
    assert reports.standings("cup", 1, game="stones").rows[0].points == "0"


def test_the_points_of_the_games_add_up_to_those_of_all(house: House) -> None:
    """Of odd fields, whose byes count for each game of a table: two of each kind."""
    pairing = {"games": 4}
    house.names.pop()
    house.run(
        house.started(table_size=2, rounds=3, more=[STONES], turns="games", pairing=pairing), FakeTables()
    )
    reports = Reports(house.ledger)

    def points(game: str | None) -> dict[str, Fraction]:
        return {row.bot: Fraction(row.points) for row in reports.standings("cup", game=game).rows}

    pearls, stones, both = points("pearls"), points("stones"), points(None)
    assert {bot: pearls[bot] + stones[bot] for bot in both} == both
    assert any(row.byes for row in reports.standings("cup").rows)


def test_a_game_that_is_not_played_has_no_standings(house: House) -> None:
    played(house)

    with pytest.raises(NotFoundError, match="does not play 'keydom'; its games: pearls, stones"):
        Reports(house.ledger).standings("cup", game="keydom")


def test_views_name_the_games(house: House) -> None:
    played(house)

    assert [card.games for card in house.service.list()] == [("pearls", "stones")]
    assert {table.plays for table in Reports(house.ledger).pairings("cup", 2).tables} == {"stones"}
    assert len(house.service.show("cup").data) == 2
    report = Reports(house.ledger).export("cup", "csv-results")
    assert [line.split(",")[2] for line in report.splitlines()[1::6]] == [
        "pearls",
        "stones",
        "stones",
        "pearls",
    ]
