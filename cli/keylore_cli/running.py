"""Running tournaments: the arbiter, the director and the bots of this machine together."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Final

import msgspec
import structlog

from keylore_cli import identities
from keylore_cli.context import Context
from keylore_cli.progress import lines
from keylore_cli.wiring import House, running_house, stop_asked, until_stopped
from keylore_domain import catalog
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.errors import KeyloreError
from keylore_domain.swiss.events import EntrantRegistered
from keylore_domain.swiss.records import Status
from keylore_services.bots.children import Children
from keylore_services.ledger.feed import Feed
from keylore_services.tournament.director import Director
from keylore_services.tournament.progress import Listener
from keylore_services.tournament.service import TournamentService
from keylore_services.tournament.views import TournamentView
from keylore_services.transport.server import Listening

log = structlog.get_logger()

Say = Callable[[str], None]

Welcome = Callable[[House], None]

_STARTS: Final = {"keylore:Tournament.Started", "keylore:Tournament.Resumed"}
_ENTRY: Final = "keylore:Tournament.EntrantRegistered"


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """How tournaments are run here.

    ``parallel``: tables at the same time. ``wait``: seconds that bots may take to connect before the first
    table opens; after that the clocks run for those that are away. ``together``: run the bots of this
    machine in one process.
    """

    parallel: int = 50
    wait: float = 30.0
    together: bool = False


async def serve_league(settings: Context, listening: Listening, rules: Rules, *, welcome: Welcome) -> None:
    """Serve the league until a signal comes; every started tournament is played on.

    Args:
        welcome: is called when bots can connect.

    Raises:
        LedgerError: somebody serves the league already, or it cannot be served.
    """
    asked = stop_asked()
    async with running_house(settings, listening) as house:
        welcome(house)
        async with Children(house.server.address, settings.logs, together=rules.together) as children:
            directing = asyncio.create_task(_direct_all(settings, house, children, rules))
            try:
                await until_stopped(house.arbiter, asked)
            finally:
                directing.cancel()
                await asyncio.gather(directing, return_exceptions=True)


async def run_tournament(
    settings: Context, name: str, listening: Listening, rules: Rules, *, listener: Listener, ready: Say
) -> Status:
    """Serve the league until the tournament *name* is finished or paused; gives which, or ``running``.

    It is ``running`` if a signal stopped it before; the same call goes on.

    Raises:
        NotFoundError: there is no such tournament.
        ConflictError: it has not started.
        LedgerError: somebody serves the league already, or it cannot be served.
    """
    asked = stop_asked()
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running_house(settings, listening))
        ready(house.server.address)
        children = Children(house.server.address, settings.logs, together=rules.together)
        await stack.enter_async_context(children)
        playing = asyncio.create_task(_direct(settings, house, children, rules, name, listener))
        stopping = asyncio.create_task(until_stopped(house.arbiter, asked))
        await asyncio.wait({playing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        for task in (playing, stopping):
            if not task.done():
                task.cancel()
        await asyncio.gather(playing, stopping, return_exceptions=True)
        if stopping.done() and not stopping.cancelled():
            stopping.result()
            return "running"
        return playing.result()


async def _direct(
    settings: Context, house: House, children: Children, rules: Rules, name: str, listener: Listener
) -> Status:
    """Start the bots of a tournament, wait for them, and play it."""
    service = TournamentService(house.ledger, catalog.game, house.now)
    place = house.ledger.last_position()
    view = service.show(name)
    if view.status == "running":
        await _bring_bots(settings, house, children, rules, view)
    director = Director(
        house.ledger, house.writer, house.arbiter, house.now, parallel=rules.parallel, listener=listener
    )
    newcomers = asyncio.create_task(_bring_newcomers(settings, house, children, view, place))
    try:
        return await director.run(view.id)
    finally:
        newcomers.cancel()
        await asyncio.gather(newcomers, return_exceptions=True)


async def _bring_bots(
    settings: Context, house: House, children: Children, rules: Rules, view: TournamentView
) -> None:
    names = [entrant.name for entrant in view.entrants if entrant.active]
    await _start_own(settings, house, children, names, view.terms.seed)
    expected = frozenset(entrant.bot for entrant in view.entrants if entrant.active)
    missing = await house.arbiter.hub.wait_for(expected, rules.wait)
    if missing:
        log.warning("bots_away", tournament=view.id, bots=sorted(missing))


async def _bring_newcomers(
    settings: Context, house: House, children: Children, view: TournamentView, place: int
) -> None:
    """Start the bots of this machine that register after position *place*, while others play."""
    started = {entrant.name for entrant in view.entrants if entrant.active}
    async with Feed(house.ledger) as feed:
        async for event in feed.events(place):
            if event.topic == _ENTRY and event.originator_id == view.id:
                entered = decode_event(event.topic, event.state)
                assert isinstance(entered, EntrantRegistered)
                if entered.name in started:
                    continue
                started.add(entered.name)
                await _start_own(settings, house, children, [entered.name], view.terms.seed)


async def _start_own(
    settings: Context, house: House, children: Children, names: list[str], seed: str | None
) -> None:
    """Start those of the bots *names* that this machine runs and that are not here yet."""
    here = set(house.arbiter.hub.connected())
    own = [
        bot for bot in identities.children(settings.bots, names, seed or "") if f"bot/{bot.name}" not in here
    ]
    await children.start(own)


async def _direct_all(settings: Context, house: House, children: Children, rules: Rules) -> None:
    """Play every running tournament, also those that start or are resumed later."""
    service = TournamentService(house.ledger, catalog.game, house.now)
    courses: dict[str, asyncio.Task[None]] = {}

    def take_up(tournament: str) -> None:
        course = courses.get(tournament)
        if course is None or course.done():
            courses[tournament] = asyncio.create_task(
                _direct_quietly(settings, house, children, rules, tournament)
            )

    place = house.ledger.last_position()
    try:
        for card in service.list():
            if card.status == "running":
                take_up(card.id)
        async with Feed(house.ledger) as feed:
            async for event in feed.events(place):
                if event.topic in _STARTS:
                    take_up(str(event.originator_id))
    finally:
        for course in courses.values():
            course.cancel()
        await asyncio.gather(*courses.values(), return_exceptions=True)


async def _direct_quietly(
    settings: Context, house: House, children: Children, rules: Rules, name: str
) -> None:
    service, told = TournamentService(house.ledger, catalog.game, house.now), name.removeprefix("t/")
    try:
        await _direct(settings, house, children, rules, name, lines(f"{told}: "))
        while service.show(name).status == "running":  # it was resumed just when it paused
            await _direct(settings, house, children, rules, name, lines(f"{told}: "))
    except KeyloreError as error:
        log.error("tournament_stopped", tournament=name, reason=str(error))
