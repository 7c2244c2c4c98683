"""Bots that say how many matches they can play at once, at a real arbiter."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from keylore_services.bots import Bot, End, Prompt, Table
from keylore_services.bots.connection import play
from keylore_services.bots.settings import Settings
from keylore_services.tournament.director import Director
from keylore_services.tournament.service import TournamentService
from tests.domain.engine.toy import toy_catalog
from tests.services.arbiter.house import House, house
from tests.services.bots.scripted import scene
from tests.services.tournament.houses import moments


class Busy(Bot):
    """Plays the last move and counts the matches that it plays at the same time."""

    inline = True

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity  # type: ignore[misc]  # this one is told how many
        self.now: set[str] = set()
        self.most = 0

    def seated(self, table: Table) -> None:
        self.now.add(table.match)
        self.most = max(self.most, len(self.now))

    def choose(self, prompt: Prompt) -> int:
        return len(prompt.legal) - 1

    def ended(self, end: End) -> None:
        self.now.discard(end.match)


@asynccontextmanager
async def seated(table: House, bots: Mapping[str, Busy]) -> AsyncIterator[None]:
    table.enrol(*bots)
    playing = [
        asyncio.create_task(play(bot, Settings(server=table.server.address, token=f"token-{name}")))
        for name, bot in bots.items()
    ]
    try:
        await table.arbiter.hub.wait_for(frozenset(f"bot/{name}" for name in bots), 20)
        yield
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def played(folder: Path, bots: Mapping[str, Busy], *tournaments: dict[str, Any]) -> Counter[str]:
    """Play *tournaments* of all bots side by side; gives how many results each has."""
    async with house(folder) as table, seated(table, bots):
        service = TournamentService(table.ledger, toy_catalog, moments())
        courses = []
        for number, terms in enumerate(tournaments):
            name = f"cup{number}"
            service.create(name, {"game": "pearls", "rounds": 0, "seed": "autumn", **terms})
            for bot in bots:
                service.register(name, bot)
            service.start(name)
            courses.append(Director(table.ledger, table.writer, table.arbiter, moments()).run(f"t/{name}"))
        assert set(await asyncio.gather(*courses)) == {"finished"}
        return Counter(match.split("/")[1] for match in table.ledger.ids("m/"))


@pytest.mark.slow
@scene
async def test_one_that_plays_one_match_at_a_time_sits_in_a_whole_pod(tmp_path: Path) -> None:
    """Six games of each table at once, for all but one of its bots."""
    bots = {name: Busy(0) for name in ("ada", "bob", "cleo", "dan", "eve")} | {"solo": Busy(1)}
    pairing = {"games": 6, "duplicate": True}

    games = await played(tmp_path, bots, {"table_size": 3, "rounds": 2, "pairing": pairing})

    assert games == {"cup0": 24}
    assert bots["solo"].most == 1
    assert max(bot.most for bot in bots.values()) > 1


@pytest.mark.slow
@scene
async def test_a_champion_of_two_tournaments_at_once_keeps_to_its_capacity_over_both(tmp_path: Path) -> None:
    bots = {name: Busy(2) for name in ("ada", "bob", "cleo", "dan")}
    gauntlet = {"format": "gauntlet", "table_size": 2, "pairing": {"games": 4, "seeding": "registration"}}

    games = await played(tmp_path, bots, gauntlet, gauntlet)

    assert games == {"cup0": 12, "cup1": 12}
    assert all(1 <= bot.most <= 2 for bot in bots.values())


@pytest.mark.slow
@scene
async def test_if_everybody_plays_one_match_at_a_time_all_tables_are_played_nevertheless(
    tmp_path: Path,
) -> None:
    bots = {name: Busy(1) for name in ("ada", "bob", "cleo", "dan", "eve", "fay")}
    robin = {"format": "round_robin", "table_size": 3, "pairing": {"games": 3}}

    games = await played(tmp_path, bots, robin, robin, robin)

    assert len(set(games.values())) == 1
    assert all(bot.most == 1 for bot in bots.values())
