"""Bots that are away when their match is to begin, and tournaments that end before their end."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import pytest

from keylore_domain.swiss.absences import AbsenceTerms
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.ledger.writer import Writer
from keylore_services.tournament.corrections import Authority, Verdict
from keylore_services.tournament.director import Director
from keylore_services.tournament.progress import BotsAway, Progress, RunEnded, TableOpened
from keylore_services.tournament.tables import MatchEnd, MatchSpec
from tests.services.tournament.houses import (
    CrashError,
    FailingWriter,
    FakeTables,
    House,
    concluded,
    open_house,
)

AWAY = "bot/b03"


@pytest.fixture
def house() -> Iterator[House]:
    with open_house() as opened:
        yield opened


def forfeits(tables: FakeTables) -> dict[str, list[str]]:
    """By match: who forfeited it from the start."""
    return {
        match: [spec.seats[one.seat].bot for one in spec.forfeits]
        for match, spec in tables.specs.items()
        if spec.forfeits
    }


def test_a_table_waits_for_its_bots_and_then_plays_without_them(house: House) -> None:
    cup = house.started(rounds=1, absence={"wait_ms": 2_500})
    tables = FakeTables(away=AWAY)

    assert house.run(cup, tables) == "finished"

    (told,) = [one for one in house.told if isinstance(one, BotsAway)]
    assert (told.bots, told.then) == ((AWAY,), "play")
    assert tables.waited == [pytest.approx(2.5, abs=0.5)]
    opened = [one for one in house.told if isinstance(one, TableOpened) and one.away]
    assert [one.match for one in opened] == [told.match]
    assert forfeits(tables) == {}
    assert house.topics(cup).count("AbsenceRuled") == 1
    (found,) = house.audit("t/cup")
    assert "ms; the terms say 2500" in found, "here time passes at once"


def test_the_other_tables_do_not_wait(house: House) -> None:
    cup = house.started(rounds=1)

    house.run(cup, FakeTables(away=AWAY))

    kinds = [type(one) for one in house.told]
    assert kinds.index(TableOpened) < kinds.index(BotsAway)


def test_by_the_terms_a_bot_that_does_not_come_forfeits_each_match_anew(house: House) -> None:
    cup = house.started(rounds=2, absence={"wait_ms": 100, "then": "forfeit"})
    tables = FakeTables(away=AWAY)

    assert house.run(cup, tables) == "finished"

    assert list(forfeits(tables).values()) == [[AWAY], [AWAY]]
    cause = next(spec.forfeits[0].cause for spec in tables.specs.values() if spec.forfeits)
    assert cause.startswith("it was away when the match was to begin, and did not come within ")
    assert house.service.show("cup").entrants[2].active


def test_by_the_terms_a_bot_that_does_not_come_is_not_paired_again_until_it_registers(house: House) -> None:
    cup = house.started(rounds=3, absence={"wait_ms": 0, "then": "withdraw"})

    def script(spec: MatchSpec) -> MatchEnd:
        if spec.origin and spec.origin.round == 2 and not house.service.show("cup").entrants[2].active:
            tables.comes("bot/b03")
            house.service.register("cup", "b03")
        return concluded(spec)

    tables = FakeTables(script, away=AWAY)
    assert house.run(cup, tables) == "finished"

    seated = {spec.origin.round for spec in tables.specs.values() if spec.origin and _sits(spec)}
    assert seated == {1, 3}
    assert list(forfeits(tables).values()) == [[AWAY]]


def _sits(spec: MatchSpec) -> bool:
    return AWAY in {entry.bot for entry in spec.seats}


def test_at_the_start_of_a_run_bots_have_more_time_if_the_organiser_says_so(house: House) -> None:
    cup = house.started(rounds=1, absence={"wait_ms": 1_000})
    tables = FakeTables(away=AWAY)

    house.run(cup, tables, grace=60.0)

    assert tables.waited == [pytest.approx(60, abs=5)]


@pytest.mark.parametrize("fatal", [2, 3, 4, 5])
@pytest.mark.parametrize("stored", [False, True], ids=["before_the_commit", "after_the_commit"])
def test_a_ruling_holds_after_a_crash_even_if_the_bot_has_come(fatal: int, stored: bool) -> None:
    with open_house(3) as house:
        cup = house.started(rounds=1, absence={"wait_ms": 0, "then": "forfeit"})
        writer = FailingWriter(house.ledger, fatal, stored=stored)
        with suppress(CrashError):
            house.run(cup, FakeTables(away=AWAY), writer)
        ruled = "AbsenceRuled" in house.topics(cup)
        tables = FakeTables()

        assert house.run(cup, tables) == "finished"

        assert house.topics(cup).count("AbsenceRuled") == int(ruled)
        assert bool(forfeits(tables)) == (ruled and bool(tables.specs))


# --- pausing and aborting while tables wait or play -----------------------------------------------------


class Waiting(FakeTables):
    """Waits for bots until somebody gives up; matches end when they are told to, or aborted."""

    def __init__(self, away: str = AWAY) -> None:
        super().__init__(away=away)
        self.waits = asyncio.Event()
        self.plays = asyncio.Event()
        self.ends: dict[str, asyncio.Event] = {}

    async def missing(self, bots: frozenset[str], seconds: float) -> frozenset[str]:
        self.waits.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def ended(self, match_id: str) -> MatchEnd:
        self.plays.set()
        self.ends[match_id] = asyncio.Event()
        self._playing.add(match_id)
        await self.ends[match_id].wait()
        return await super().ended(match_id)

    def abort(self, match_id: str, cause: str) -> None:
        super().abort(match_id, cause)
        self.ends[match_id].set()


async def _run(house: House, tables: FakeTables) -> str:
    writer = Writer(house.ledger)
    try:
        director = Director(house.ledger, writer, tables, house.now, listener=house.told.append)
        return await asyncio.wait_for(director.run("t/cup"), 20)
    finally:
        writer.close()


def test_a_pause_ends_the_waiting_for_bots_at_once(house: House) -> None:
    house.started(rounds=1, absence={"wait_ms": 86_400_000})

    async def story() -> None:
        tables = Waiting()
        running = asyncio.create_task(_run(house, tables))
        await tables.waits.wait()
        await tables.plays.wait()
        house.service.pause("cup", "lunch")
        for match in tuple(tables.ends):
            tables.ends[match].set()
        assert await running == "paused"
        assert len(tables.specs) == 2

    asyncio.run(story())
    assert "AbsenceRuled" not in house.topics("t/cup")


def test_a_tournament_that_is_aborted_ends_its_matches_and_waits_for_nobody(house: House) -> None:
    house.started(rounds=2, absence={"wait_ms": 86_400_000})
    tables_of: list[Waiting] = []

    async def story() -> None:
        tables = Waiting()
        tables_of.append(tables)
        running = asyncio.create_task(_run(house, tables))
        await tables.waits.wait()
        while len(tables.ends) < 2:
            await asyncio.sleep(0)
        house.service.abort("cup", by="ops", reason="the hall is on fire")
        assert await running == "aborted"

    asyncio.run(story())

    assert set(tables_of[0].stopped.values()) == {"the tournament was aborted: the hall is on fire"}
    assert len(tables_of[0].stopped) == 2
    assert house.topics("t/cup")[-1] == "Aborted"
    assert house.told[-1] == RunEnded(status="aborted", cause="the hall is on fire")
    assert house.run("t/cup", FakeTables()) == "aborted"
    assert house.audit("t/cup") == ()


def test_a_result_that_comes_with_the_abortion_is_not_counted(house: House) -> None:
    cup = house.started(rounds=1)

    def script(spec: MatchSpec) -> MatchEnd:
        if spec.match_id == "m/cup/r1/t1":
            house.service.abort("cup", by="ops", reason="enough")
        return concluded(spec)

    assert house.run(cup, FakeTables(script), parallel=1) == "aborted"
    assert "ResultRecorded" not in house.topics(cup)


def test_a_bot_that_leaves_while_its_table_waits_for_its_turn_is_waited_for_again(house: House) -> None:
    """It was there when the round began; its table had to wait for another table."""
    cup = house.started(rounds=1, absence={"wait_ms": 700})
    tables = FakeTables()

    def listener(told: Progress) -> None:
        house.told.append(told)
        if isinstance(told, TableOpened) and told.match == "m/cup/r1/t1":
            tables.leaves(house.ledger.load(cup, Tournament).rounds[0].tables[2].seats[0])

    async def story() -> str:
        writer = Writer(house.ledger)
        try:
            director = Director(house.ledger, writer, tables, house.now, parallel=1, listener=listener)
            return await director.run(cup)
        finally:
            writer.close()

    assert asyncio.run(story()) == "finished"
    (ruled,) = [one for one in house.told if isinstance(one, BotsAway)]
    assert ruled.match == "m/cup/r1/t3"
    assert tables.waited == [pytest.approx(0.7, abs=0.3)]


def test_the_terms_are_what_the_organiser_wrote(house: House) -> None:
    house.started(absence={"wait_ms": 5, "then": "withdraw"})

    assert house.service.show("cup").terms.absence == AbsenceTerms(wait_ms=5, then="withdraw")


def test_a_match_whose_table_is_decided_by_a_ruling_is_ended_and_not_played_again(house: House) -> None:
    house.started(rounds=1)
    ada = Authority(by="op/ada", reason="it hangs")

    async def story() -> None:
        tables = Waiting(away="")
        running = asyncio.create_task(_run(house, tables))
        while len(tables.ends) < 3:
            await asyncio.sleep(0)
        house.corrections.override("cup", "r1/t1", Verdict(kind="void"), ada)
        await tables.ends["m/cup/r1/t1"].wait()
        removed = tables.specs["m/cup/r1/t2"].seats[0].bot
        house.corrections.remove("cup", removed, ada, results="void")
        await tables.ends["m/cup/r1/t2"].wait()
        tables.ends["m/cup/r1/t3"].set()
        assert await running == "finished"
        assert tables.stopped == {
            "m/cup/r1/t1": "a ruling has decided the table: it hangs",
            "m/cup/r1/t2": "a ruling has decided the table: its table is void",
        }

    asyncio.run(story())

    assert "TableAborted" not in {type(told).__name__ for told in house.told}
    assert "MatchAborted" not in house.topics("t/cup")
    assert house.audit("t/cup") == ()
