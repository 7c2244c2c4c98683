from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from keylore_domain.swiss.ratings import Game, rate
from keylore_domain.swiss.rounds import finished_tables
from keylore_services.tournament.leaderboards import Leaderboard
from keylore_services.tournament.reports import Reports
from tests.services.tournament.houses import TERMS, FakeTables, House, open_house


@pytest.fixture
def house() -> Iterator[House]:
    """Two finished tournaments, of tables of three and of two, and one that has not begun."""
    with open_house() as opened:
        opened.run(opened.started("cup"), FakeTables())
        opened.run(opened.started("pairs", table_size=2, rounds=2), FakeTables())
        opened.started("next")
        yield opened


def sizes(boards: tuple[Leaderboard, ...]) -> list[tuple[str, int, int, int]]:
    return [(one.game, one.table_size, one.tables, one.tournaments) for one in boards]


def test_there_is_a_board_for_all_tables_of_a_game_and_one_for_each_size(house: House) -> None:
    boards = Reports(house.ledger).leaderboards()

    assert sizes(boards) == [("pearls", 0, 17, 2), ("pearls", 2, 8, 1), ("pearls", 3, 9, 1)]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"game": "pearls", "table_size": 0}, [("pearls", 0, 17, 2)]),
        ({"table_size": 2}, [("pearls", 2, 8, 1)]),
        ({"table_size": 5}, []),
        ({"game": "keydom"}, []),
    ],
)
def test_boards_are_asked_for_by_game_and_size(
    house: House, asked: dict[str, Any], found: list[tuple[str, int, int, int]]
) -> None:
    assert sizes(Reports(house.ledger).leaderboards(**asked)) == found


def test_ratings_follow_from_the_recorded_results_and_bots_have_names(house: House) -> None:
    reports = Reports(house.ledger)
    tables = [
        table for name in ("pairs", "cup") for table in finished_tables(reports.tournament(name).rounds)
    ]
    games = [Game(one.seats, tuple(placing.rank for placing in one.placings)) for one in tables]

    (board,) = reports.leaderboards(table_size=0)

    assert tuple(row.rating for row in board.rows) == rate(games).ratings
    assert [row.name for row in board.rows] == [row.rating.bot.removeprefix("bot/") for row in board.rows]


def test_seats_are_weighed_on_request(house: House) -> None:
    reports = Reports(house.ledger)

    assert [one.seats for one in reports.leaderboards()] == [(), (), ()]
    assert [len(one.seats) for one in reports.leaderboards(seat_effects=True)] == [3, 1, 2]


def test_a_rating_of_the_leaderboard_is_what_a_bot_enters_the_next_tournament_with(house: House) -> None:
    """It counts for its opponents; who has none does not."""
    reports = Reports(house.ledger)
    (board,) = reports.leaderboards(table_size=0)
    best = board.rows[0]
    house.service.create("last", {**TERMS, "table_size": 2, "rounds": 1, "tie_breaks": ["opponents_rating"]})
    house.service.register("last", best.name, best.rating.points)
    house.service.register("last", board.rows[1].name)

    house.run(house.service.start("last").id, FakeTables())

    values = {row.name: row.values for row in reports.standings("last").rows}
    assert values == {best.name: ("0",), board.rows[1].name: (str(best.rating.points),)}


def test_boards_can_be_printed_as_json(house: House) -> None:
    boards = Reports(house.ledger).leaderboards()

    assert msgspec.json.decode(msgspec.json.encode(boards), type=tuple[Leaderboard, ...]) == boards
