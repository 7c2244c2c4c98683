"""A hall with a real arbiter: bots that come, go and hang, and a tournament of all of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from keylore_domain.swiss.tournaments import Tournament
from keylore_services.bots import Bot, Prompt, builtin
from keylore_services.bots.connection import play
from keylore_services.bots.settings import Settings
from keylore_services.tournament.director import Director
from keylore_services.tournament.progress import Progress
from keylore_services.tournament.service import TournamentService
from tests.domain.engine.toy import toy_catalog
from tests.services.arbiter.house import House, house
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
