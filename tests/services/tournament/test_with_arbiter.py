"""A whole tournament at a real arbiter, with bots that connect over the network."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from keylore_services.bots import builtin
from keylore_services.bots.connection import play
from keylore_services.bots.settings import Settings
from keylore_services.tournament.director import Director
from keylore_services.tournament.progress import Progress, TableEnded
from keylore_services.tournament.service import TournamentService
from keylore_services.tournament.views import StandingsView
from tests.domain.engine.toy import toy_catalog
from tests.services.arbiter.house import House, house
from tests.services.bots.scripted import scene
from tests.services.tournament.houses import moments

BOTS = ("ada", "bob", "cleo", "dan", "eve", "fay", "gus")
TERMS = {"game": "pearls", "table_size": 3, "rounds": 3, "uneven": "smaller_tables", "seed": "autumn"}


@asynccontextmanager
async def connected(table: House) -> AsyncIterator[None]:
    """All bots sit in the hall; each plays at random, but the same again for the same prompt."""
    table.enrol(*BOTS)
    playing = [
        asyncio.create_task(
            play(builtin.make("random", seed), Settings(server=table.server.address, token=f"token-{name}"))
        )
        for seed, name in enumerate(BOTS)
    ]
    try:
        yield
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


def begin(service: TournamentService) -> None:
    service.create("cup", TERMS)
    for name in BOTS:
        service.register("cup", name)
    service.start("cup")


async def undisturbed(folder: Path) -> StandingsView:
    async with house(folder) as table, connected(table):
        service = TournamentService(table.ledger, toy_catalog, moments())
        begin(service)
        director = Director(table.ledger, table.writer, table.arbiter, moments())
        assert await director.run("t/cup") == "finished"
        assert service.audit("cup") == ()
        return service.standings("cup")


@pytest.mark.slow
@scene
async def test_a_seeded_tournament_ends_alike_when_it_is_run_again(tmp_path: Path) -> None:
    once, again = await undisturbed(tmp_path / "once"), await undisturbed(tmp_path / "again")

    assert once == again
    assert once.is_final
    assert all(row.played == 3 for row in once.rows)


@pytest.mark.slow
@scene
async def test_a_tournament_goes_on_at_another_arbiter_after_the_first_has_stopped(tmp_path: Path) -> None:
    """The first house is left in the second round, as soon as one of its tables has ended."""
    expected = await undisturbed(tmp_path / "other")
    second_round = asyncio.Event()

    def listener(told: Progress) -> None:
        if isinstance(told, TableEnded) and "/r2/" in told.match:
            second_round.set()

    async with house(tmp_path) as table, connected(table):
        begin(TournamentService(table.ledger, toy_catalog, moments()))
        director = Director(table.ledger, table.writer, table.arbiter, moments(), listener=listener)
        running = asyncio.create_task(director.run("t/cup"))
        await second_round.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    async with house(tmp_path) as table, connected(table):
        await table.arbiter.resume_all()
        director = Director(table.ledger, table.writer, table.arbiter, moments())
        assert await director.run("t/cup") == "finished"
        service = TournamentService(table.ledger, toy_catalog, moments())

        assert service.standings("cup") == expected
        assert service.audit("cup") == ()
        assert len(table.ledger.ids("m/cup/")) == 9
