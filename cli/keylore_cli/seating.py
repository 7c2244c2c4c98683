"""Single games from the command line: who sits where, and playing them to the end."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any, Final

import msgspec

from keylore_cli import identities
from keylore_cli.context import Context
from keylore_cli.leagues import check_bot
from keylore_cli.wiring import House, running_house
from keylore_domain.bots import bot_id
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import SeatEntry
from keylore_domain.errors import NotFoundError
from keylore_services.bots.children import ChildBot, Children
from keylore_services.bots.connection import play
from keylore_services.bots.kit import Bot
from keylore_services.bots.loading import bot as load
from keylore_services.bots.settings import Settings
from keylore_services.ledger.ledger import Ledger
from keylore_services.tournament.tables import MatchEnd, MatchSpec
from keylore_services.transport.server import Listening

HUMAN: Final = "human"
PATIENCE: Final = 30.0  # seconds that bots may take to connect

_FAREWELL: Final = 2.0  # seconds for people to be told how it ended


class GamePlan(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be played.

    ``sitting``: for each seat ``human``, a built-in bot, a bot file, or ``@NAME`` for an enrolled bot that
    connects by itself.
    """

    game: str
    sitting: tuple[str, ...]
    options: Mapping[str, object]
    time: TimeControl
    seed: str | None = None
    data_text: str | None = None
    match_id: str | None = None


Progress = Callable[[int], None]
"""Is told the number of moves so far."""


async def play_game(
    settings: Context,
    plan: GamePlan,
    *,
    listening: Listening,
    human: Bot | None = None,
    progress: Progress = lambda _: None,
    ready: Callable[[str], None] = lambda _: None,
) -> MatchEnd:
    """Play one game in the league and give how it ended.

    Args:
        human: plays the seats of ``human``.
        progress: is told the number of moves, from time to time.
        ready: is told the address for bots that connect by themselves.

    Raises:
        OptionError: a seat or an option is wrong.
        NotFoundError: a bot is not enrolled, or did not connect in time.
    """
    async with running_house(settings, listening) as house:
        entries = seated(house.ledger, settings, plan.sitting, house)
        ready(house.server.address)
        match_id = plan.match_id or _free_id(house.ledger, plan.game)
        async with playing(settings, house, entries, plan, human):
            await house.arbiter.open(
                MatchSpec(
                    match_id=match_id,
                    game=plan.game,
                    options=plan.options,
                    data_text=plan.data_text,
                    seats=tuple(entries),
                    time=plan.time,
                    public_seed=plan.seed,
                )
            )
            return await _watched(house, match_id, progress)


def seated(ledger: Ledger, settings: Context, sitting: Sequence[str], house: House) -> list[SeatEntry]:
    """The bots of the seats; those that this machine runs are enrolled under a name of their own.

    Raises:
        NotFoundError: ``@NAME`` is not enrolled.
        OptionError: a bot file does not work.
    """
    known = ledger.ids(bot_id(""))
    entries: list[SeatEntry] = []
    for seat, spec in enumerate(sitting):
        if spec.startswith("@"):
            check_bot(ledger, spec[1:])
            entries.append(SeatEntry(bot_id(spec[1:]), spec[1:]))
            continue
        if spec != HUMAN:
            load(spec)
        name = f"{identities.local_stem(spec)}.{seat}"
        if identities.find(settings.bots, name) is None or bot_id(name) not in known:
            identities.enrol(ledger, settings.bots, name, house.now, bot=None if spec == HUMAN else spec)
        entries.append(SeatEntry(bot_id(name), name))
    return entries


@asynccontextmanager
async def playing(
    settings: Context, house: House, entries: Sequence[SeatEntry], plan: GamePlan, human: Bot | None
) -> AsyncIterator[None]:
    """Run the bots of the seats until the block ends.

    Raises:
        NotFoundError: a bot did not connect in time.
    """
    mine = [
        ChildBot(
            name=entry.name,
            token=identities.token_of(settings.bots, entry.name),
            bot=spec,
            seed=f"{plan.seed}/{seat}",
        )
        for seat, (entry, spec) in enumerate(zip(entries, plan.sitting, strict=True))
        if not spec.startswith("@") and spec != HUMAN
    ]
    people: list[asyncio.Task[object]] = []
    for entry, spec in zip(entries, plan.sitting, strict=True):
        if spec == HUMAN:
            assert human is not None
            token = identities.token_of(settings.bots, entry.name)
            people.append(
                asyncio.create_task(play(human, Settings(server=house.server.address, token=token, until=1)))
            )
    async with Children(house.server.address, settings.logs, together=True) as children:
        await children.start(mine)
        await _connected(house, entries)
        try:
            yield
            if people:
                await asyncio.wait(people, timeout=_FAREWELL)
        finally:
            for person in people:
                person.cancel()
            await asyncio.gather(*people, return_exceptions=True)


async def _connected(house: House, entries: Sequence[SeatEntry]) -> None:
    missing = await house.arbiter.hub.wait_for(frozenset(entry.bot for entry in entries), PATIENCE)
    if missing:
        names = ", ".join(sorted(bot.removeprefix("bot/") for bot in missing))
        msg = f"{names} did not connect to {house.server.address} within {PATIENCE:g} s; start, and try again"
        raise NotFoundError(msg)


async def _watched(house: House, match_id: str, progress: Progress) -> MatchEnd:
    """How the match ends; it is aborted if nobody waits for that any more."""
    ending = asyncio.create_task(house.arbiter.ended(match_id))
    try:
        await _follow(house, match_id, ending, progress)
        return await ending
    except asyncio.CancelledError:
        with suppress(NotFoundError):
            house.arbiter.abort(match_id, "it was stopped by the one who started it")
        await asyncio.wait({ending}, timeout=_FAREWELL)
        raise
    finally:
        ending.cancel()
        await asyncio.gather(ending, return_exceptions=True)


async def _follow(house: House, match_id: str, ending: asyncio.Task[MatchEnd], progress: Progress) -> None:
    """Tell *progress* how far the match is, until it ends.

    Raises:
        LedgerError: the store failed meanwhile.
    """
    either: set[asyncio.Future[Any]] = {ending, house.arbiter.failed}
    while not ending.done():
        try:
            position = house.arbiter.match(match_id).position
        except NotFoundError:
            return
        progress(position.ply if position else 0)
        await asyncio.wait(either, timeout=0.1, return_when=asyncio.FIRST_COMPLETED)
        if house.arbiter.failed.done():
            house.arbiter.failed.result()


def _free_id(ledger: Ledger, game: str) -> str:
    taken = set(ledger.ids(f"m/{game}-"))
    return next(name for number in count(1) if (name := f"m/{game}-{number}") not in taken)
