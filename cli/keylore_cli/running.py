"""Running tournaments: the arbiter, the director and the bots of this machine together."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

import msgspec
import structlog
from eventsourcing.persistence import Notification

from keylore_cli import identities
from keylore_cli.context import Context
from keylore_cli.progress import lines
from keylore_cli.wiring import House, closed_house, running_house, stop_asked, until_stopped
from keylore_domain import catalog
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.errors import KeyloreError
from keylore_domain.swiss.events import EntrantRegistered
from keylore_domain.swiss.records import Status
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.arbiter.arbiter import Arbiter
from keylore_services.bots.children import Children
from keylore_services.ledger.feed import Feed
from keylore_services.ledger.ledger import Ledger
from keylore_services.tournament.decisions import forfeits_of
from keylore_services.tournament.director import Director, abort_matches
from keylore_services.tournament.progress import Listener
from keylore_services.tournament.service import TournamentService
from keylore_services.transport.server import Listening

log = structlog.get_logger()

Say = Callable[[str], None]

Welcome = Callable[[House], None]

Heed = Callable[[Notification], Awaitable[None]]

_LONG: Final = 86_400.0
_STARTS: Final = ("keylore:Tournament.Started", "keylore:Tournament.Resumed")
_ENTRY: Final = "keylore:Tournament.EntrantRegistered"
_ABORTED: Final = "keylore:Tournament.Aborted"

STARTING: Final = 1.0
"""Seconds more that bots may take to connect for each that this machine has to start."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """How tournaments are run here.

    ``parallel``: tables at the same time. ``wait``: seconds that bots may take to connect when the server
    starts, if that is longer than the terms of a tournament say. ``together``: run the bots of this machine
    in one process.
    """

    parallel: int = 50
    wait: float = 30.0
    together: bool = False

    def patience(self, settings: Context) -> float:
        """Seconds that bots may take to connect when the server starts, those of this machine included."""
        return self.wait + STARTING * sum(1 for _ in settings.bots.glob("*.json"))


async def serve_league(settings: Context, listening: Listening, rules: Rules, *, welcome: Welcome) -> None:
    """Serve the league until a signal comes; every started tournament is played on.

    Args:
        welcome: is called when bots can connect.

    Raises:
        LedgerError: somebody serves the league already, or it cannot be served.
    """
    asked = stop_asked()
    async with _hall(settings, listening, rules) as hall:
        welcome(hall.house)
        directing = asyncio.create_task(hall.direct_all())
        try:
            await until_stopped(hall.house.arbiter, asked)
        finally:
            directing.cancel()
            await asyncio.gather(directing, return_exceptions=True)


async def run_tournament(
    settings: Context, name: str, listening: Listening, rules: Rules, *, listener: Listener, ready: Say
) -> Status:
    """Serve the league until the tournament *name* is finished, paused or aborted; gives which of these.

    Or ``running``, if a signal stopped it before; the same call goes on.

    Raises:
        NotFoundError: there is no such tournament.
        ConflictError: it has not started.
        LedgerError: somebody serves the league already, or it cannot be served.
    """
    asked = stop_asked()
    async with _hall(settings, listening, rules) as hall:
        ready(hall.house.server.address)
        playing = asyncio.create_task(hall.direct(name, listener))
        stopping = asyncio.create_task(until_stopped(hall.house.arbiter, asked))
        await asyncio.wait({playing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        for task in (playing, stopping):
            if not task.done():
                task.cancel()
        await asyncio.gather(playing, stopping, return_exceptions=True)
        if stopping.done() and not stopping.cancelled():
            stopping.result()
            return "running"
        return playing.result()


async def end_matches(settings: Context, tournament: str) -> None:
    """Abort and seal the unfinished matches of an aborted tournament (its id), in a league nobody serves.

    Raises:
        LedgerError: somebody serves the league; then that has done so.
    """
    async with closed_house(settings) as (ledger, arbiter):
        await arbiter.resume_all(_LONG, only=f"m/{tournament.removeprefix('t/')}/")
        await _end_live(ledger.load(tournament, Tournament), arbiter)


async def _end_live(tournament: Tournament, arbiter: Arbiter) -> None:
    live = arbiter.live()
    abort_matches(tournament, arbiter)
    await asyncio.gather(*(arbiter.ended(match) for match in live))


@asynccontextmanager
async def _hall(settings: Context, listening: Listening, rules: Rules) -> "AsyncIterator[_Hall]":
    """A running house with the bots of this machine, that heeds what others do to its tournaments."""
    async with AsyncExitStack() as stack:
        patience = rules.patience(settings)
        house = await stack.enter_async_context(running_house(settings, listening, patience=patience))
        children = Children(house.server.address, settings.logs, together=rules.together)
        hall = _Hall(settings, house, await stack.enter_async_context(children), rules)
        hall.settle()
        heeding = asyncio.create_task(hall.news.follow())
        try:
            yield hall
        finally:
            heeding.cancel()
            await asyncio.gather(heeding, return_exceptions=True)


class _News:
    """What is stored from now on, told to who wants to know of it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._place = ledger.last_position()
        self._heeds: dict[str, Heed] = {}

    def heed(self, topic: str, what: Heed) -> None:
        """Let *what* be told of every event of *topic*."""
        self._heeds[topic] = what

    async def follow(self) -> None:
        """Tell of events as they come, for ever."""
        async with Feed(self._ledger) as feed:
            async for event in feed.events(self._place):
                if event.topic in self._heeds:
                    await self._tell(event)

    async def _tell(self, event: Notification) -> None:
        """Heed *event*; what goes wrong with one tournament or bot must not keep others from being heeded."""
        try:
            await self._heeds[event.topic](event)
        except KeyloreError as error:
            log.error("event_not_heeded", topic=event.topic, id=str(event.originator_id), reason=str(error))


class _Hall:
    """The tournaments that are played in this process, and the bots of this machine."""

    def __init__(self, settings: Context, house: House, children: Children, rules: Rules) -> None:
        self.house = house
        self.news = _News(house.ledger)
        self._settings = settings
        self._children = children
        self._rules = rules
        self._service = TournamentService(house.ledger, catalog.game, house.now)
        self._courses: dict[str, asyncio.Task[None]] = {}
        self._directed: set[str] = set()
        self.news.heed(_ENTRY, self._bring_newcomer)
        self.news.heed(_ABORTED, self._heed_abortion)

    async def direct(self, name: str, listener: Listener) -> Status:
        """Start the bots of a tournament, and play it."""
        view, house = self._service.show(name), self.house
        if view.status == "running":
            self._directed.add(view.id)
            names = [entrant.name for entrant in view.entrants if entrant.active]
            await self._start_own(names, view.terms.seed)
        director = Director(
            house.ledger,
            house.writer,
            house.arbiter,
            house.now,
            parallel=self._rules.parallel,
            grace=self._rules.patience(self._settings),
            listener=listener,
        )
        return await director.run(view.id)

    async def direct_all(self) -> None:
        """Play every running tournament, also those that start or are resumed later, for ever."""
        for topic in _STARTS:
            self.news.heed(topic, self._take_up)
        try:
            for card in self._service.list():
                if card.status == "running":
                    self._begin(card.id)
            await asyncio.Event().wait()
        finally:
            for course in self._courses.values():
                course.cancel()
            await asyncio.gather(*self._courses.values(), return_exceptions=True)

    def settle(self) -> None:
        """Carry out what was decided about matches that were taken up: to be aborted, or forfeited."""
        arbiter = self.house.arbiter
        origins = {match: arbiter.match(match).entry.origin for match in arbiter.live()}
        for name in sorted({origin.tournament for origin in origins.values() if origin}):
            tournament = self.house.ledger.load(name, Tournament)
            for match, origin in origins.items():
                if origin is not None and origin.tournament == name:
                    arbiter.forfeit(match, forfeits_of(tournament, match))
            if tournament.status == "aborted":
                abort_matches(tournament, arbiter)

    async def _heed_abortion(self, event: Notification) -> None:
        abort_matches(self.house.ledger.load(str(event.originator_id), Tournament), self.house.arbiter)

    async def _take_up(self, event: Notification) -> None:
        self._begin(str(event.originator_id))

    def _begin(self, tournament: str) -> None:
        course = self._courses.get(tournament)
        if course is None or course.done():
            self._courses[tournament] = asyncio.create_task(self._direct_quietly(tournament))

    async def _direct_quietly(self, tournament: str) -> None:
        told = lines(f"{tournament.removeprefix('t/')}: ")
        try:
            await self.direct(tournament, told)
            while self._service.show(tournament).status == "running":  # it was resumed just when it paused
                await self.direct(tournament, told)
        except KeyloreError as error:
            log.error("tournament_stopped", tournament=tournament, reason=str(error))

    async def _bring_newcomer(self, event: Notification) -> None:
        """Start a bot of this machine that registers while others play."""
        if event.originator_id in self._directed:
            entered = decode_event(event.topic, event.state)
            assert isinstance(entered, EntrantRegistered)
            await self._start_own([entered.name], self._service.show(str(event.originator_id)).terms.seed)

    async def _start_own(self, names: list[str], seed: str | None) -> None:
        """Start those of the bots *names* that this machine runs and that are not here yet."""
        here = {bot.removeprefix("bot/") for bot in self.house.arbiter.hub.connected()}
        here |= self._children.names
        own = [
            bot for bot in identities.children(self._settings.bots, names, seed or "") if bot.name not in here
        ]
        await self._children.start(own)
