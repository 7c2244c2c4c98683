from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from keylore_domain.engine.outcomes import Outcome, SeatResult
from keylore_domain.engine.seats import Seat
from keylore_domain.swiss.ratings import Game, Rating, rate
from keylore_domain.swiss.rounds import Placing, finished_tables
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.tournament.leaderboards import Leaderboard
from keylore_services.tournament.reports import Reports
from keylore_services.tournament.service import TournamentService
from keylore_services.tournament.tables import MatchEnd, MatchSpec
from tests.domain.swiss.leagues import lonely
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


# --- what counts ----------------------------------------------------------------------------------------


def rule(house: House, change: Callable[[Tournament], None], name: str = "t/cup") -> None:
    tournament = house.ledger.load(name, Tournament)
    change(tournament)
    house.ledger.save(tournament)


def recounted(house: House) -> tuple[Rating, ...]:
    """The ratings from what counts now, found table by table."""
    reports, games = Reports(house.ledger), []
    for card in house.service.list():
        for played in reports.tournament(card.id).rounds:
            games += [
                Game(table.seats, tuple(one.rank for one in table.placings))
                for table in played.tables
                if table.placings and not table.void
            ]
    return rate(games).ratings


def board(house: House) -> Leaderboard:
    (found,) = Reports(house.ledger).leaderboards(table_size=0)
    return found


def test_what_was_ruled_counts_in_place_of_what_was_played(house: House) -> None:
    before = board(house)
    table = Reports(house.ledger).tournament("cup").rounds[0].tables[0]
    placings = tuple(Placing(bot, 3 - seat, 0) for seat, bot in enumerate(table.seats))

    rule(house, lambda one: one.override_result(
        table.match, "places", at=house.now(), by="referee", reason="a bug", placings=placings))  # fmt: skip

    after = board(house)
    assert after.tables == before.tables
    assert after.rows != before.rows
    assert tuple(row.rating for row in after.rows) == recounted(house)


def test_a_table_that_was_made_void_does_not_count_until_it_does_again(house: House) -> None:
    before = board(house)
    match = Reports(house.ledger).tournament("cup").rounds[0].tables[0].match

    rule(house, lambda one: one.override_result(match, "void", at=house.now(), by="referee", reason="a bug"))
    void = board(house)
    rule(
        house, lambda one: one.override_result(match, "original", at=house.now(), by="referee", reason="none")
    )

    assert void.tables == before.tables - 1
    assert tuple(row.rating for row in void.rows) != tuple(row.rating for row in before.rows)
    assert board(house) == before


def test_an_entrant_that_was_removed_counts_as_it_was_ruled(house: House) -> None:
    before = board(house)

    rule(house, lambda one: one.remove_entrant(
        "bot/b01", at=house.now(), by="referee", reason="copied", results="void"))  # fmt: skip

    after = board(house)
    assert after.tables == before.tables - 3
    assert tuple(row.rating for row in after.rows) == recounted(house)
    assert Reports(house.ledger).compare("b01", tournaments=["cup"]).tables == 0


def test_of_a_tournament_that_was_aborted_the_results_count_that_there_are(house: House) -> None:
    def half(tournament: Tournament) -> None:
        tournament.pair_round(at=house.now())
        table = tournament.rounds[0].tables[0]
        places = tuple(Placing(bot, rank, 0) for rank, bot in enumerate(table.seats, 1))
        tournament.record_result(table.match, places, at=house.now(), cause="rules")
        tournament.record_abort(tournament.rounds[0].tables[1].match, at=house.now(), cause="power failure")
        tournament.abort(at=house.now(), by="organiser", reason="the hall burns")

    before = board(house)
    rule(house, half, "t/next")

    after = board(house)
    assert (after.tables, after.tournaments) == (before.tables + 1, before.tournaments + 1)


def test_the_ratings_are_those_of_any_reader_of_the_ledger(house: House) -> None:
    """They are kept nowhere: two readers, and one that begins anew, agree to the last digit."""
    first, again = Reports(house.ledger).leaderboards(), Reports(house.ledger).leaderboards()

    assert first == again
    assert tuple(row.rating for row in board(house).rows) == recounted(house)


# --- playing alone --------------------------------------------------------------------------------------


SOLO = {
    "format": "solo",
    "table_size": 1,
    "rounds": 2,
    "scoring": {"rule": "game_score"},
    "tie_breaks": ["lot"],
}


def by_number(spec: MatchSpec) -> MatchEnd:
    """b01 has 60 points, b02 59, and so on; b09 as many as b08."""
    score = 60 - min(int(spec.seats[0].bot[-2:]), 8)
    seats = (SeatResult(seat=Seat(0), rank=1, score=score),)
    outcome = Outcome(ended_by="rules", round=1, seats=seats)
    return MatchEnd(match_id=spec.match_id, status="concluded", cause="rules", outcome=outcome, plies=9)


def alone(house: House) -> House:
    house.service = TournamentService(house.ledger, lonely, house.now)
    house.run(house.started("alone", **SOLO), FakeTables(by_number))
    return house


def test_who_plays_alone_is_ranked_by_score_with_all_who_had_the_deal(house: House) -> None:
    alone(house)
    bots = tuple(f"bot/b0{number}" for number in range(1, 10))
    ranks = (1, 2, 3, 4, 5, 6, 7, 8, 8)

    (board,) = Reports(house.ledger).leaderboards(table_size=1, seat_effects=True)

    assert (board.tables, board.tournaments, board.seats) == (2, 1, ())
    assert tuple(row.rating for row in board.rows) == rate([Game(bots, ranks)] * 2).ratings


def test_playing_alone_does_not_count_for_tables_of_all_sizes(house: House) -> None:
    before = board(house)

    alone(house)

    assert board(house) == before
    assert [one.table_size for one in Reports(house.ledger).leaderboards()] == [0, 1, 2, 3]


def test_a_game_that_was_only_played_alone_has_no_other_board() -> None:
    with open_house(entrants=9) as opened:
        alone(opened)

        assert sizes(Reports(opened.ledger).leaderboards()) == [("pearls", 1, 2, 1)]


def test_who_plays_alone_is_compared_deal_by_deal(house: House) -> None:
    reports = Reports(alone(house).ledger)

    third, eighth = (
        reports.compare(bot, against, tournaments=["alone"])
        for bot, against in (("b03", None), ("b08", "b09"))
    )

    assert (third.tables, third.left, third.estimate.rotations) == (2, 0, 2)
    assert third.estimate.score == pytest.approx(6 / 8)
    assert eighth.estimate.counts == ((0.5, 2),)
