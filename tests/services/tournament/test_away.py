"""Bots that are away, come back, hang or never answer, in tournaments at a real arbiter."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.audit import audit
from keylore_domain.engine.events import MoveDefaulted, Opened, Sealed
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.arbiter.keys import is_signature
from keylore_services.bots import Bot, Prompt, builtin
from keylore_services.bots.connection import play
from keylore_services.bots.settings import Settings
from keylore_services.replay.verify import stored_rows
from keylore_services.tournament.director import Director
from keylore_services.tournament.progress import BotsAway, Progress, TableEnded
from keylore_services.tournament.service import TournamentService
from tests.domain.engine.toy import toy_catalog
from tests.services.arbiter.house import KEYS, House, house
from tests.services.bots.scripted import scene
from tests.services.tournament.houses import moments

BOTS = ("ada", "bob", "cleo", "dan", "eve", "fay", "gus", "hal")


class Hanging(Bot):
    """Never answers."""

    async def choose(self, prompt: Prompt) -> int:
        await asyncio.Event().wait()
        raise AssertionError


class Hall:
    """Bots that come and go, and a tournament of all of them."""

    def __init__(self, table: House, **terms: Any) -> None:
        self.table = table
        self.told: list[Progress] = []
        self.tasks: dict[str, asyncio.Task[Any]] = {}
        table.enrol(*BOTS)
        self.service = TournamentService(table.ledger, toy_catalog, moments())
        self.service.create("cup", {"game": "pearls", "table_size": 2, "rounds": 2, "seed": "x", **terms})
        for name in BOTS:
            self.service.register("cup", name)
        self.service.start("cup")

    def comes(self, *names: str, bot: Bot | None = None) -> None:
        for name in names:
            settings = Settings(server=self.table.server.address, token=f"token-{name}")
            self.tasks[name] = asyncio.create_task(play(bot or builtin.make("random", name), settings))

    def leaves(self, name: str) -> None:
        self.tasks.pop(name).cancel()

    async def play(self, **settings: Any) -> str:
        table = self.table
        director = Director(table.ledger, table.writer, table.arbiter, moments(), **settings)
        director.listener = self.hear
        return await director.run("t/cup")

    def hear(self, told: Progress) -> None:
        self.told.append(told)

    @property
    def record(self) -> Tournament:
        return self.table.ledger.load("t/cup", Tournament)

    def match_of(self, bot: str, number: int) -> str:
        return next(one.match for one in self.record.round(number).tables if f"bot/{bot}" in one.seats)


@asynccontextmanager
async def hall(folder: Path, **terms: Any) -> AsyncIterator[Hall]:
    async with house(folder) as table:
        opened = Hall(table, **terms)
        try:
            yield opened
        finally:
            for task in opened.tasks.values():
                task.cancel()
            await asyncio.gather(*opened.tasks.values(), return_exceptions=True)


@pytest.mark.slow
@scene
async def test_a_bot_that_comes_in_time_plays_as_if_it_had_been_there(tmp_path: Path) -> None:
    async with hall(tmp_path, absence={"wait_ms": 40_000, "then": "forfeit"}) as here:
        here.comes(*BOTS[1:])
        playing = asyncio.create_task(here.play())
        while sum(isinstance(told, TableEnded) for told in here.told) < 3:
            await asyncio.sleep(0.01)
        here.comes("ada")

        assert await playing == "finished"

        assert here.record.absences == {}
        assert not any(table.forfeited for played in here.record.rounds for table in played.tables)


@pytest.mark.slow
@scene
async def test_a_bot_that_does_not_come_forfeits_that_game_and_plays_the_next(tmp_path: Path) -> None:
    async with hall(tmp_path, absence={"wait_ms": 3_000, "then": "forfeit"}) as here:

        def comes_late(told: Progress) -> None:
            here.told.append(told)
            if isinstance(told, BotsAway):
                here.comes("ada")

        here.hear = comes_late  # type: ignore[method-assign]
        here.comes(*BOTS[1:])
        await here.table.arbiter.hub.wait_for(frozenset(f"bot/{name}" for name in BOTS[1:]), 20)

        assert await here.play() == "finished"

        first, second = here.match_of("ada", 1), here.match_of("ada", 2)
        assert set(here.record.absences) == {first}
        (told,) = [one for one in here.told if isinstance(one, BotsAway)]
        assert 2_900 <= told.waited_ms < 30_000
        _, lost = here.record.table_of(first)
        _, played = here.record.table_of(second)
        assert [lost.seats[seat] for seat in lost.forfeited] == ["bot/ada"]
        assert not played.forfeited
        rows = stored_rows(here.table.ledger, first)
        report = audit(first, rows, toy_catalog, trusted_key=KEYS.public_key, check_signature=is_signature)
        assert report.is_valid
        assert any("forfeited by decision" in remark for remark in report.remarks)


@pytest.mark.slow
@scene
async def test_a_bot_that_never_answers_holds_up_no_table_longer_than_its_clocks_allow(
    tmp_path: Path,
) -> None:
    time = {"move_ms": 250, "credit_ms": 0, "faults": 4}
    async with hall(tmp_path, rounds=1, time=time, options={"rounds": 6}) as here:
        here.comes(*BOTS[1:])
        here.comes("ada", bot=Hanging())
        await here.table.arbiter.hub.wait_for(frozenset(f"bot/{name}" for name in BOTS), 20)

        assert await here.play() == "finished"

        hung = here.match_of("ada", 1)
        ended = [told.match for told in here.told if isinstance(told, TableEnded)]
        assert (len(ended), ended[-1]) == (4, hung)
        events = [decode_event(one.topic, one.state) for one in here.table.ledger.stored(hung)]
        waited = [one for one in events if isinstance(one, MoveDefaulted) and one.cause == "timeout"]
        assert len(waited) == 4
        assert isinstance(events[0], Opened)
        assert isinstance(events[-1], Sealed)
        clocks = 4 * time["move_ms"] * 1_000
        assert clocks <= events[-1].at - events[0].at < clocks + 10_000_000


@pytest.mark.slow
@scene
async def test_a_tournament_that_is_aborted_seals_its_running_matches(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        here.comes(*BOTS[1:])
        here.comes("ada", bot=Hanging())
        await here.table.arbiter.hub.wait_for(frozenset(f"bot/{name}" for name in BOTS), 20)
        playing = asyncio.create_task(here.play())
        while sum(isinstance(told, TableEnded) for told in here.told) < 3:
            await asyncio.sleep(0.01)

        here.service.abort("cup", by="ops", reason="rules question")

        assert await playing == "aborted"
        match = here.table.match(here.match_of("ada", 1))
        assert (match.status, match.abort_cause) == ("aborted", "the tournament was aborted: rules question")
        assert match.sealed is not None
        assert here.table.arbiter.live() == ()
        assert here.service.audit("cup") == ()
