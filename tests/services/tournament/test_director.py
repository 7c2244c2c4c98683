import asyncio
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import Origin, SeatEntry
from keylore_domain.errors import ConflictError, LedgerError, NotFoundError, OptionError
from keylore_services.ledger.ledger import open_ledger
from keylore_services.ledger.writer import Writer
from keylore_services.tournament.director import Director
from keylore_services.tournament.progress import (
    RoundEnded,
    RoundPaired,
    RunEnded,
    TableAborted,
    TableEnded,
    TableOpened,
)
from keylore_services.tournament.service import TournamentService
from keylore_services.tournament.tables import MatchEnd, MatchSpec
from tests.domain.swiss.leagues import catalog, lonely
from tests.services.tournament.houses import (
    CrashError,
    FailingWriter,
    FakeTables,
    House,
    aborted,
    concluded,
    open_house,
)


@pytest.fixture
def house() -> Iterator[House]:
    with open_house() as opened:
        yield opened


def test_a_tournament_is_played_to_its_final_standings(house: House) -> None:
    tables = FakeTables()
    cup = house.started()

    status = house.run(cup, tables)

    assert status == "finished"
    standings = house.service.standings("cup")
    assert (standings.round, standings.is_final, len(standings.rows)) == (3, True, 9)
    assert all(row.played == 3 for row in standings.rows)
    assert len(tables.specs) == 9
    assert house.topics(cup).count("ResultRecorded") == 9
    assert house.audit("t/cup") == ()


def test_a_match_is_opened_as_the_terms_say(house: House) -> None:
    tables = FakeTables()
    cup = house.started(options={"rounds": 2}, time={"move_ms": 700})

    house.run(cup, tables)

    spec = tables.specs["m/cup/r2/t3"]
    assert (spec.game, spec.rules, dict(spec.options)) == ("pearls", "1", {"rounds": 2})
    assert (spec.time, spec.public_seed) == (TimeControl(move_ms=700), "spring")
    assert spec.origin == Origin(tournament="t/cup", round=2, table=3)
    assert len(spec.seats) == 3
    assert all(entry == SeatEntry(f"bot/{entry.name}", entry.name) for entry in spec.seats)


def test_tables_play_side_by_side_but_no_more_than_allowed(house: House) -> None:
    together, alone = FakeTables(), FakeTables()

    house.run(house.started("one"), together)
    house.run(house.started("two"), alone, parallel=1)

    assert (together.most, alone.most) == (3, 1)


def test_a_bot_that_sits_at_many_tables_plays_as_many_at_once_as_it_can(house: House) -> None:
    for capacity in (1, 2, 0):
        capacities = {f"bot/{name}": capacity for name in house.names}
        tables = FakeTables(capacities=capacities)
        pairing = {"games": 4, "seeding": "registration"}
        cup = house.started(f"cup{capacity}", format="gauntlet", table_size=2, rounds=0, pairing=pairing)

        assert house.run(cup, tables) == "finished"

        assert max(tables.busiest.values()) == (capacity or 4)
        assert {row.played for row in house.service.standings(f"cup{capacity}").rows} == {4, 32}


def test_the_results_do_not_depend_on_how_many_tables_play_at_a_time(house: House) -> None:
    rows = []
    for parallel in (1, 2, 8):
        with open_house() as other:
            other.run(other.started(), FakeTables(), parallel=parallel)
            rows.append(other.service.standings("cup").rows)

    assert rows[0] == rows[1] == rows[2]


def test_all_that_happens_is_told(house: House) -> None:
    cup = house.started(rounds=1, table_size=4)

    house.run(cup, FakeTables(away="bot/b03"))

    paired, *rest, ended, last = house.told
    assert isinstance(paired, RoundPaired)
    assert (paired.matches, len(paired.byes)) == (("m/cup/r1/t1", "m/cup/r1/t2"), 1)
    opened = [one for one in rest if isinstance(one, TableOpened)]
    assert {bot for one in opened for bot in one.away} == {"bot/b03"} - set(paired.byes)
    assert {one.match for one in rest if isinstance(one, TableEnded)} == set(paired.matches)
    assert isinstance(ended, RoundEnded)
    assert ended.standings == house.service.standings("cup").rows
    assert last == RunEnded(status="finished", cause="")


def test_rounds_and_results_are_logged_without_secrets(house: House) -> None:
    cup = house.started(rounds=1)

    with capture_logs() as entries:
        house.run(cup, FakeTables())

    assert [entry["event"] for entry in entries if entry["event"] != "result_recorded"] == [
        "round_paired",
        "round_ended",
        "tournament_run_ended",
    ]
    assert all("spring" not in str(entry) for entry in entries)


def test_an_aborted_match_is_played_again(house: House) -> None:
    tables = FakeTables(lambda spec: aborted(spec) if spec.match_id == "m/cup/r2/t1" else concluded(spec))
    cup = house.started()

    status = house.run(cup, tables)

    assert status == "finished"
    assert (
        house.told.count(TableAborted(match="m/cup/r2/t1", cause="power failure", next="m/cup/r2/t1/a2")) == 1
    )
    first, second = tables.specs["m/cup/r2/t1"], tables.specs["m/cup/r2/t1/a2"]
    assert second.seats == first.seats
    assert second.origin == Origin(tournament="t/cup", round=2, table=1, attempt=2)
    assert [one.match for one in house.service.show("cup").aborted] == ["m/cup/r2/t1"]
    assert house.topics(cup).count("ResultRecorded") == 9


def test_a_table_that_is_aborted_again_and_again_pauses_the_tournament(house: House) -> None:
    broken = FakeTables(lambda spec: aborted(spec) if "/r1/t2" in spec.match_id else concluded(spec))
    cup = house.started()

    status = house.run(cup, broken, attempts=2)

    assert status == "paused"
    shown = house.service.show("cup")
    assert shown.pause_cause == "2 matches in a row were aborted at the table of m/cup/r1/t2"
    assert shown.waiting_for == ("m/cup/r1/t2/a3",)
    assert house.told[-1] == RunEnded(status="paused", cause=shown.pause_cause)

    house.service.resume("cup")
    assert house.run(cup, FakeTables()) == "finished"


def test_two_broken_tables_pause_the_tournament_once(house: House) -> None:
    cup = house.started()

    status = house.run(cup, FakeTables(aborted), attempts=1)

    assert status == "paused"
    assert house.topics(cup).count("Paused") == 1


def test_a_finished_tournament_stays_as_it_is(house: House) -> None:
    cup = house.started()
    house.run(cup, FakeTables())
    before = house.topics(cup)

    status = house.run(cup, FakeTables())

    assert (status, house.topics(cup)) == ("finished", before)


def test_a_tournament_must_be_started_first(house: House) -> None:
    house.service.create("cup", {"game": "pearls", "table_size": 3, "rounds": 3})

    with pytest.raises(ConflictError, match="t/cup has not started"):
        house.run("t/cup", FakeTables())
    with pytest.raises(NotFoundError):
        house.run("t/none", FakeTables())


def test_it_ends_early_when_too_few_entrants_are_left(house: House) -> None:
    cup = house.started(rounds=9)

    def script(spec: MatchSpec) -> MatchEnd:
        if spec.match_id == "m/cup/r1/t1":
            for bot in house.names[:7]:
                house.service.withdraw("cup", bot)
        return concluded(spec)

    assert house.run(cup, FakeTables(script)) == "finished"
    assert house.service.standings("cup").round == 1


# --- others change the tournament meanwhile -----------------------------------------------------------


def test_who_withdraws_during_a_round_is_not_paired_again(house: House) -> None:
    cup = house.started()

    def script(spec: MatchSpec) -> MatchEnd:
        if spec.match_id == "m/cup/r1/t2":
            house.service.withdraw("cup", "b05", "broken")
        return concluded(spec)

    assert house.run(cup, FakeTables(script)) == "finished"
    (row,) = (row for row in house.service.standings("cup").rows if row.bot == "bot/b05")
    assert (row.played + row.byes, row.active) == (1, False)
    assert house.audit("t/cup") == ()


def test_a_pause_lets_running_tables_end_and_opens_no_other(house: House) -> None:
    cup = house.started()

    def script(spec: MatchSpec) -> MatchEnd:
        if spec.match_id == "m/cup/r1/t1":
            house.service.pause("cup", "lunch")
        return concluded(spec)

    tables = FakeTables(script)
    status = house.run(cup, tables, parallel=1)

    assert (status, sorted(tables.specs)) == ("paused", ["m/cup/r1/t1"])
    assert house.service.show("cup").waiting_for == ("m/cup/r1/t2", "m/cup/r1/t3")
    house.service.resume("cup")
    assert house.run(cup, FakeTables()) == "finished"


def test_a_pause_in_the_last_moment_of_a_round_keeps_the_next_from_being_paired(house: House) -> None:
    cup = house.started()

    def listener_pauses(told: object) -> None:
        if isinstance(told, RoundEnded):
            house.service.pause("cup", "lunch")

    writer = Writer(house.ledger)
    director = Director(house.ledger, writer, FakeTables(), house.now, listener=listener_pauses)
    status = asyncio.run(director.run(cup))
    writer.close()

    assert status == "paused"
    assert house.service.show("cup").round == 1


def test_two_directors_on_one_tournament_count_every_result_once(house: House) -> None:
    cup = house.started()

    async def both() -> list[str]:
        directors = [
            Director(house.ledger, writer, tables, house.now, parallel=parallel)
            for parallel, writer in zip((1, 3), writers, strict=True)
        ]
        return list(await asyncio.gather(*(director.run(cup) for director in directors)))

    tables = FakeTables()
    writers = [Writer(house.ledger), Writer(house.ledger)]
    statuses = asyncio.run(both())
    for writer in writers:
        writer.close()

    assert statuses == ["finished", "finished"]
    assert house.topics(cup).count("ResultRecorded") == 9
    assert house.topics(cup).count("RoundPaired") == 3
    assert house.audit("t/cup") == ()


def test_a_round_that_the_terms_refuse_pauses_the_tournament_until_somebody_decides() -> None:
    with open_house(2) as house:
        pairing = {"repeats": "refused"}
        cup = house.started(table_size=2, rounds=2, pairing=pairing)

        assert house.run(cup, FakeTables()) == "paused"
        cause = house.service.show("cup").pause_cause
        assert cause == "round 2 needs 1 repeat meetings, which are refused"

        house.service.resume("cup")
        assert house.run(cup, FakeTables()) == "paused"


def test_a_round_for_which_too_many_asked_off_pauses_the_tournament(house: House) -> None:
    cup = house.started()
    for bot in house.names[:7]:
        house.service.request_bye("cup", bot, 1, "zero")

    assert house.run(cup, FakeTables()) == "paused"
    assert house.service.show("cup").pause_cause == "2 active entrants do not fill a table of 3"

    house.service.request_bye("cup", house.names[0], 1, None)
    house.service.resume("cup")
    assert house.run(cup, FakeTables()) == "finished"


@pytest.mark.parametrize(
    ("format_name", "changes", "rounds", "tables"),
    [
        ("round_robin", {"table_size": 2}, 9, 36),
        ("round_robin", {"table_size": 3}, 4, 12),
        ("knockout", {"table_size": 2}, 4, 9),
        ("knockout", {"table_size": 3}, 2, 5),
        ("gauntlet", {"table_size": 2}, 8, 8),
        ("ladder", {"table_size": 3, "rounds": 5}, 5, 15),
    ],
)
def test_every_format_is_played_to_its_end(
    format_name: str, changes: dict[str, Any], rounds: int, tables: int
) -> None:
    with open_house(9) as house:
        cup = house.started(**{"format": format_name, "rounds": 0, **changes})

        assert house.run(cup, FakeTables()) == "finished"

        shown = house.service.show("cup")
        assert (shown.round, house.topics(cup).count("ResultRecorded")) == (rounds, tables)
        assert house.service.standings("cup").rows[0].rank == 1
        assert house.audit("t/cup") == ()
        (card,) = house.service.list()
        assert card.rounds == rounds


def test_a_solo_league_deals_everybody_the_same(house: House) -> None:
    house.service = TournamentService(house.ledger, lonely, house.now)
    scoring, pairing = {"rule": "game_score"}, {"games": 2}
    cup = house.started(format="solo", table_size=1, rounds=1, scoring=scoring, pairing=pairing)
    tables = FakeTables()

    assert house.run(cup, tables) == "finished"

    assert {len(spec.seats) for spec in tables.specs.values()} == {1}
    assert Counter(spec.seed_label for spec in tables.specs.values()) == {"cup/r1/g1": 9, "cup/r1/g2": 9}
    assert house.audit("t/cup") == ()


def test_a_crash_in_a_knock_out_changes_nothing() -> None:
    def final(fatal: int) -> object:
        with open_house(9) as house:
            cup = house.started(format="knockout", table_size=2, rounds=0)
            tables = FakeTables(crashing_once)
            if fatal:
                with pytest.raises(CrashError):
                    house.run(cup, tables, FailingWriter(house.ledger, fatal, stored=bool(fatal % 2)))
            assert house.run(cup, tables) == "finished"
            assert house.audit("t/cup") == ()
            return house.service.standings("cup").rows

    expected = final(0)
    assert all(final(fatal) == expected for fatal in (1, 4, 7, 10, 13))


def test_a_ladder_goes_by_the_ratings_of_the_director_until_the_organiser_ends_it(house: House) -> None:
    cup = house.started(format="ladder", table_size=3, rounds=0)
    ratings = {f"bot/{name}": 1000 - 10 * at for at, name in enumerate(house.names)}

    def script(spec: MatchSpec) -> MatchEnd:
        if spec.match_id == "m/cup/r4/t1":
            house.service.pause("cup", "enough")
        return concluded(spec)

    house.service.create("early", {"game": "pearls", "format": "ladder", "table_size": 3})
    with pytest.raises(ConflictError, match="it would have to be"):
        house.service.finish("early")
    assert house.run(cup, FakeTables(script), ratings=lambda _: ratings) == "paused"
    assert house.service.show("cup").round == 4

    shown = house.service.finish("cup")

    assert shown.status == "finished"
    first = house.reports.pairings("cup", 1)
    assert {seat.bot for seat in first.tables[0].seats} == {"bot/b01", "bot/b02", "bot/b03"}
    assert house.audit("t/cup") == ()


def test_duplicate_games_are_opened_with_a_common_label(house: House) -> None:
    tables = FakeTables()
    cup = house.started(rounds=1, pairing={"games": 3, "duplicate": True})

    assert house.run(cup, tables) == "finished"

    labels = [spec.seed_label for _, spec in sorted(tables.specs.items())]
    assert labels == [f"cup/r1/p{pod}" for pod in (1, 1, 1, 2, 2, 2, 3, 3, 3)]
    first = [[seat.bot for seat in tables.specs[f"m/cup/r1/t{number}"].seats] for number in (1, 2, 3)]
    assert all(len(set(column)) == 3 for column in zip(*first, strict=True))
    assert house.audit("t/cup") == ()


# --- failures -----------------------------------------------------------------------------------------


def test_a_match_that_cannot_be_opened_ends_the_run_with_its_error(house: House) -> None:
    class Refusing(FakeTables):
        async def open(self, spec: MatchSpec) -> None:
            raise OptionError("rounds", "is too many", "1")

    with pytest.raises(OptionError, match="is too many"):
        house.run(house.started(), Refusing())


def test_a_result_of_other_bots_than_those_of_the_table_is_refused(house: House) -> None:
    def script(spec: MatchSpec) -> MatchEnd:
        end = concluded(spec)
        assert end.outcome is not None
        house.told.clear()
        return type(end)(
            match_id=spec.match_id,
            status="concluded",
            cause="rules",
            outcome=type(end.outcome)(ended_by="rules", round=1, seats=end.outcome.seats[:2]),
            plies=1,
        )

    with pytest.raises(OptionError, match="placings"):
        house.run(house.started(), FakeTables(script))


def undisturbed() -> tuple[object, int]:
    """The final standings of a run without any failure, and how many saves it took."""
    with open_house() as house:
        cup = house.started()
        writer = FailingWriter(house.ledger, 10**9, stored=True)
        assert house.run(cup, FakeTables(crashing_once), writer) == "finished"
        return house.service.standings("cup").rows, writer.saves


def crashing_once(spec: MatchSpec) -> MatchEnd:
    """The second table of the second round is aborted once."""
    return aborted(spec) if spec.match_id == "m/cup/r2/t2" else concluded(spec)


@pytest.mark.slow
@pytest.mark.parametrize("stored", [False, True], ids=["before_the_commit", "after_the_commit"])
def test_after_a_crash_at_any_save_a_new_director_comes_to_the_same_standings(stored: bool) -> None:
    """However often: the crash comes at save k of the first run, then a fresh director goes on."""
    expected, saves = undisturbed()
    assert saves == 3 + 9 + 1 + 1

    for fatal in range(1, saves + 1):
        with open_house() as house:
            cup = house.started()
            tables = FakeTables(crashing_once)
            with pytest.raises(CrashError):
                house.run(cup, tables, FailingWriter(house.ledger, fatal, stored=stored))

            assert house.run(cup, tables) == "finished"

            assert house.service.standings("cup").rows == expected
            assert house.topics(cup).count("ResultRecorded") == 9
            assert house.topics(cup).count("RoundPaired") == 3
            assert len(tables.specs) == 10
            assert house.audit("t/cup") == ()


_PROGRAM = """
import os, signal, sys
from keylore_services.ledger.ledger import open_ledger
from tests.services.tournament.houses import FakeTables, House, concluded

def script(spec):
    script.left -= 1
    if script.left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return concluded(spec)

script.left = int(sys.argv[2])
House(open_ledger(sys.argv[1]), enrol=False).run("t/cup", FakeTables(script))
"""


@pytest.mark.slow
def test_after_kill_9_in_a_round_another_process_goes_on_without_any_flag(tmp_path: Path) -> None:
    expected, _ = undisturbed()
    file = tmp_path / "league" / "keylore.db"
    ledger = open_ledger(file)
    house = House(ledger)
    house.started()
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path))}

    ends = []
    for results in (2, 4, 3, 99):
        command = [sys.executable, "-c", _PROGRAM, str(file), str(results)]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        ends.append(run.returncode)

    assert ends == [-signal.SIGKILL] * 3 + [0]
    assert house.service.show("cup").status == "finished"
    assert house.service.standings("cup").rows == expected
    assert house.topics("t/cup").count("ResultRecorded") == 9
    assert house.audit("t/cup") == ()
    ledger.close()


@pytest.mark.slow
def test_a_director_that_crashes_at_every_save_still_comes_to_the_end() -> None:
    """Each run stores one step and dies; the steps add up to the undisturbed tournament."""
    expected, _ = undisturbed()
    with open_house() as house:
        cup = house.started()
        tables = FakeTables(crashing_once)
        runs = 0
        while house.service.show("cup").status != "finished":
            with pytest.raises(CrashError):
                house.run(cup, tables, FailingWriter(house.ledger, 1, stored=True))
            runs += 1

        assert house.service.standings("cup").rows == expected
        assert runs <= 14


def test_a_ledger_that_cannot_be_written_ends_the_run(house: House) -> None:
    writer = Writer(house.ledger)
    writer.close()

    with pytest.raises(LedgerError, match="the writer is closed"):
        house.run(house.started(), FakeTables(), writer)


def test_a_service_without_a_director_sees_what_it_did(house: House) -> None:
    cup = house.started()
    house.run(cup, FakeTables())

    other = TournamentService(house.ledger, catalog, house.now)

    assert other.standings("cup") == house.service.standings("cup")
