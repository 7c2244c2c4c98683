"""Every game of the catalog, as a league plays it: built-in bots over gRPC, a tournament, audits."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
import structlog

from keylore_domain import catalog
from keylore_domain.bots import Bot, bot_id
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.chance import Draw
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import MovePlayed, Opened, SeatEntry, SetUp
from keylore_services.arbiter.arbiter import Arbiter
from keylore_services.arbiter.keys import KeyRing
from keylore_services.arbiter.times import steady_clock
from keylore_services.bots import builtin
from keylore_services.bots.connection import play
from keylore_services.bots.settings import Settings
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.ledger.writer import Writer
from keylore_services.replay.verify import stored_rows, verify
from keylore_services.tournament.director import Director
from keylore_services.tournament.service import TournamentService
from keylore_services.tournament.tables import MatchSpec
from keylore_services.transport.server import Listening, start_server

KEYS = KeyRing(b"\1" * 32, b"\2" * 32)
PATIENT = TimeControl(move_ms=60_000)

TOURNAMENTS: tuple[tuple[str, int, Mapping[str, object]], ...] = (
    ("keydom", 2, {"round_cap": 2}),
    ("keydom", 4, {"round_cap": 2, "short_game": True}),
    ("keydoms-dragons", 3, {"round_cap": 5}),
    ("keydoms-dragons", 4, {"round_cap": 5, "ghosts": 1}),
    ("keydoms-dragons", 6, {"round_cap": 5}),
    ("keyside", 2, {}),
    ("keyside", 3, {}),
    ("keyside", 4, {}),
    *(
        ("keyper-at-sea", seats, {"mode": mode})
        for mode in ("base", "shallow", "deep")
        for seats in (2, 3, 4)
    ),
)

SMALL: tuple[tuple[str, int, Mapping[str, object]], ...] = (
    ("keydoms-dragons", 1, {"round_cap": 5}),
    ("keydoms-dragons", 2, {"round_cap": 5}),
    ("keyside", 1, {"solo_difficulty": "pirates"}),
)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    yield
    structlog.reset_defaults()


class Hall:
    """A ledger, an arbiter on a free port, and bots in this process."""

    def __init__(self, folder: Path) -> None:
        self.ledger: Ledger = open_ledger(folder / "ledger.db", synchronous="normal")
        self.writer = Writer(self.ledger)
        self.now = steady_clock()
        self.arbiter = Arbiter(self.ledger, self.writer, KEYS, self.now)

    async def seat(self, address: str, kinds: list[str]) -> list[asyncio.Task[object]]:
        """Enrol and connect one bot per kind; they are called ``greedy-0``, ``random-1``, ..."""
        names = [f"{kind}-{number}" for number, kind in enumerate(kinds)]
        self.ledger.save(*(Bot.enrol(name, f"token-{name}", self.now()) for name in names))
        tasks: list[asyncio.Task[object]] = [
            asyncio.create_task(
                play(builtin.make(kind, name), Settings(server=address, token=f"token-{name}"))
            )
            for kind, name in zip(kinds, names, strict=True)
        ]
        missing = await self.arbiter.hub.wait_for(frozenset(map(bot_id, names)), 30)
        assert not missing
        return tasks

    async def close(self, tasks: list[asyncio.Task[object]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.writer.close()

    def check_matches(self) -> None:
        for match_id in self.ledger.ids("m/"):
            report = verify(match_id, stored_rows(self.ledger, match_id), trusted_key=KEYS.public_key)
            assert report.is_valid, report


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options"), TOURNAMENTS)
def test_a_tournament_of_built_in_bots_ends_and_every_match_is_valid(
    tmp_path: Path, game: str, seats: int, options: Mapping[str, object]
) -> None:
    async def story() -> None:
        hall = Hall(tmp_path)
        server = await start_server(hall.arbiter, Listening(), now=hall.now, version="test")
        kinds = ["greedy" if seat % 2 == 0 else "random" for seat in range(seats)]
        tasks = await hall.seat(server.address, kinds)
        service = TournamentService(hall.ledger, catalog.game, hall.now)
        terms = {"game": game, "table_size": seats, "rounds": 1, "options": options, "seed": "spring"}
        service.create("cup", {**terms, "time": {"move_ms": 60_000}})
        for entry in hall.ledger.ids("bot/"):
            service.register("cup", entry)
        service.start("cup")
        assert await Director(hall.ledger, hall.writer, hall.arbiter, hall.now).run("t/cup") == "finished"
        await server.stop(0)
        await hall.close(tasks)
        hall.check_matches()
        assert service.audit("cup") == ()
        rows = service.standings("cup").rows
        assert [row.played for row in rows] == [1] * seats
        hall.ledger.close()

    asyncio.run(story())


class Deal(NamedTuple):
    """What chance gave a match: in the set-up, and later by label, index, kind and size."""

    set_up: tuple[Draw, ...]
    later: dict[tuple[str, int, str, int], tuple[int, ...]]


def deal_of(hall: Hall, match_id: str) -> tuple[str | None, Deal]:
    """The label of a match's deal, and the deal."""
    opened, set_up, *moves = (decode_event(row.topic, row.state) for row in hall.ledger.stored(match_id))
    assert isinstance(opened, Opened)
    assert isinstance(set_up, SetUp)
    later = [draw for move in moves if isinstance(move, MovePlayed) for draw in move.draws]
    named = {(draw.label, draw.index, str(draw.kind), draw.n): draw.values for draw in later}
    return opened.seed_label, Deal(set_up.draws, named)


SHARED: tuple[tuple[Mapping[str, object], int, int], ...] = (
    ({"format": "solo", "table_size": 1, "scoring": {"rule": "game_score"}, "rounds": 2}, 3, 3),
    ({"table_size": 2, "pairing": {"games": 2, "duplicate": True, "system": "tables"}, "rounds": 2}, 4, 2),
)


@pytest.mark.slow
@pytest.mark.parametrize(("terms", "entrants", "sharing"), SHARED, ids=["solo league", "duplicate pods"])
def test_those_who_share_a_deal_meet_the_same_draws(
    tmp_path: Path, terms: Mapping[str, object], entrants: int, sharing: int
) -> None:
    async def story() -> None:
        hall = Hall(tmp_path)
        server = await start_server(hall.arbiter, Listening(), now=hall.now, version="test")
        tasks = await hall.seat(server.address, ["random"] * entrants)
        service = TournamentService(hall.ledger, catalog.game, hall.now)
        service.create("cup", {**terms, "game": "keyside", "time": {"move_ms": 60_000}})
        for entry in hall.ledger.ids("bot/"):
            service.register("cup", entry)
        service.start("cup")
        assert await Director(hall.ledger, hall.writer, hall.arbiter, hall.now).run("t/cup") == "finished"
        await server.stop(0)
        await hall.close(tasks)
        hall.check_matches()
        assert service.audit("cup") == ()
        deals: dict[str, list[Deal]] = {}
        for match_id in hall.ledger.ids("m/"):
            label, deal = deal_of(hall, match_id)
            deals.setdefault(str(label), []).append(deal)
        assert all(len(games) == sharing for games in deals.values())
        for first, *others in deals.values():
            for other in others:
                assert other.set_up == first.set_up
                both = first.later.keys() & other.later.keys()
                assert both
                assert [first.later[one] for one in both] == [other.later[one] for one in both]
        set_ups = [games[0].set_up for games in deals.values()]
        assert all(one != other for at, one in enumerate(set_ups) for other in set_ups[:at])
        hall.ledger.close()

    asyncio.run(story())


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options"), SMALL)
def test_solo_and_two_seat_games_run_as_matches(
    tmp_path: Path, game: str, seats: int, options: Mapping[str, object]
) -> None:
    async def story() -> None:
        hall = Hall(tmp_path)
        server = await start_server(hall.arbiter, Listening(), now=hall.now, version="test")
        tasks = await hall.seat(server.address, ["greedy", "random"][:seats])
        seated = tuple(SeatEntry(bot, bot.removeprefix("bot/")) for bot in hall.ledger.ids("bot/"))
        spec = MatchSpec(match_id="m/small", game=game, options=options, seats=seated, time=PATIENT)
        await hall.arbiter.open(spec)
        end = await hall.arbiter.ended("m/small")
        assert end.outcome is not None
        assert len(end.outcome.seats) == seats
        await server.stop(0)
        await hall.close(tasks)
        hall.check_matches()
        hall.ledger.close()

    asyncio.run(story())
