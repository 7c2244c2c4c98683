from collections.abc import Iterator, Sequence

import msgspec
import pytest

from keylore_domain.engine.outcomes import Outcome, SeatResult
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import NotFoundError, OptionError
from keylore_domain.swiss.comparisons import Hypotheses
from keylore_services.tournament.comparing import Comparison
from keylore_services.tournament.reports import Reports
from keylore_services.tournament.tables import MatchEnd, MatchSpec
from tests.services.tournament.houses import FakeTables, House, open_house


@pytest.fixture
def house() -> Iterator[House]:
    with open_house(entrants=4) as opened:
        yield opened


def smaller_wins(spec: MatchSpec) -> MatchEnd:
    """The bot with the smaller number always wins."""
    bots = [entry.bot for entry in spec.seats]
    results = tuple(
        SeatResult(seat=Seat(seat), rank=1 + sorted(bots).index(bot), score=0)
        for seat, bot in enumerate(bots)
    )
    outcome = Outcome(ended_by="rules", round=1, seats=results)
    return MatchEnd(match_id=spec.match_id, status="concluded", cause="rules", outcome=outcome, plies=9)


def seats_of(house: House, bot: str, opponents: Sequence[str]) -> list[int]:
    """The seats of *bot* at its tables with any of *opponents*."""
    rounds = Reports(house.ledger).tournament("cup").rounds
    tables = [table for played in rounds for table in played.tables if bot in table.seats]
    return [table.seats.index(bot) for table in tables if set(opponents) & set(table.seats)]


def test_a_bot_is_compared_with_all_whom_it_met(house: House) -> None:
    """b01 wins all of its eight games of two."""
    house.run(house.started(table_size=2, rounds=8), FakeTables(smaller_wins))
    seats = seats_of(house, "bot/b01", ["bot/b02", "bot/b03", "bot/b04"])
    rotations = min(seats.count(0), seats.count(1))

    found = Reports(house.ledger).compare("b01")

    assert (found.tables, found.ahead, found.between, found.behind) == (8, 8, 0, 0)
    assert (found.estimate.rotations, found.left) == (rotations, 8 - 2 * rotations)
    assert found.estimate.counts == ((1.0, rotations),)
    assert found.verdict.decision == "open"


def test_a_bot_is_compared_with_one_other(house: House) -> None:
    house.run(house.started(table_size=2, rounds=8), FakeTables(smaller_wins))

    found = Reports(house.ledger).compare("bot/b02", "b01", tournaments=["t/cup"])

    assert found.tables == len(seats_of(house, "bot/b02", ["bot/b01"])) == found.behind > 0
    assert (found.bot, found.against) == ("bot/b02", "bot/b01")


def test_at_larger_tables_the_part_of_the_opponents_that_was_beaten_counts(house: House) -> None:
    """b02 beats two of three at each table, and sits on each seat once in four rounds."""
    house.run(house.started(table_size=4, rounds=4), FakeTables(smaller_wins))
    reports = Reports(house.ledger)

    everybody, one = reports.compare("b02"), reports.compare("b02", "b03")

    assert everybody.estimate.score == pytest.approx(2 / 3)
    assert everybody.estimate.rotations == 1
    assert (everybody.left, everybody.between) == (0, 4)
    assert (one.estimate.counts, one.ahead) == (((1.0, 1),), 4)


def test_a_long_match_is_decided(house: House) -> None:
    house.run(house.started(table_size=2, rounds=40), FakeTables(smaller_wins))

    found = Reports(house.ledger).compare("b01", hypotheses=Hypotheses(elo0=0, elo1=200))

    assert found.verdict.decision == "accepted"
    assert 0 < found.verdict.after <= found.estimate.rotations


def test_all_tournaments_count_or_those_that_are_named(house: House) -> None:
    for name, rounds in (("cup", 2), ("next", 4)):
        house.run(house.started(name, table_size=2, rounds=rounds), FakeTables(smaller_wins))
    reports = Reports(house.ledger)

    everything, last = reports.compare("b01"), reports.compare("b01", tournaments=["next"])

    assert (everything.tournaments, everything.tables) == (("t/cup", "t/next"), 6)
    assert (last.tournaments, last.tables) == (("t/next",), 4)
    assert reports.compare("b01", game="pearls") == everything
    assert reports.compare("b01", game="keydom").tables == 0
    with pytest.raises(NotFoundError, match="t/none"):
        reports.compare("b01", tournaments=["none"])


def test_without_a_tournament_nobody_can_be_compared(house: House) -> None:
    with pytest.raises(NotFoundError, match="bot/b01 is not registered in any tournament"):
        Reports(house.ledger).compare("b01")


def test_strangers_and_wrong_hypotheses_are_refused(house: House) -> None:
    house.started()
    reports = Reports(house.ledger)

    with pytest.raises(NotFoundError, match="bot/stranger is not registered"):
        reports.compare("stranger")
    with pytest.raises(NotFoundError, match="bot/stranger is not registered"):
        reports.compare("b01", "stranger")
    with pytest.raises(OptionError, match="elo1"):
        reports.compare("b01", hypotheses=Hypotheses(elo0=10, elo1=0))


def test_a_comparison_can_be_printed_as_json(house: House) -> None:
    house.started()
    found = Reports(house.ledger).compare("b01")

    assert msgspec.json.decode(msgspec.json.encode(found), type=Comparison) == found
