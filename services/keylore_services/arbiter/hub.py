"""Who is connected: one session per bot at a time, kept apart from the matches it plays."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

import structlog

from keylore_services.arbiter.messages import GoingAway, Held, Message

log = structlog.get_logger()


class Session(Protocol):
    """An open stream to a bot."""

    @property
    def news(self) -> bool:
        """Whether the bot wants News."""

    @property
    def shares(self) -> bool:
        """Whether the bot gives shares of seeds."""

    @property
    def resume(self) -> Mapping[str, int]:
        """For each match that the bot knows, the last event it was told of."""

    @property
    def held(self) -> Sequence[Held]:
        """The receipts that the bot asks about, the last one of each match."""

    @property
    def round_trip(self) -> int:
        """The measured round trip in microseconds; 0 before the first measurement."""

    @property
    def capacity(self) -> int:
        """The most matches it plays at once; 0 for any number."""

    def send(self, message: Message) -> None:
        """Queue *message*; never blocks. A bot that does not read is cut off."""

    def close(self, message: Message) -> None:
        """Send *message* as the last one and end the stream."""


class Hub:
    """The sessions by bot id."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}
        self._capacities: dict[str, int] = {}
        self._changed = asyncio.Condition()

    async def attach(self, bot: str, session: Session) -> None:
        """*bot* is connected through *session*; an older session is closed."""
        older = self._sessions.get(bot)
        self._sessions[bot] = session
        self._capacities[bot] = session.capacity
        if older is not None:
            older.close(GoingAway(reason="this bot connected again elsewhere", retry=0))
        log.info("bot_attached", bot=bot)
        async with self._changed:
            self._changed.notify_all()

    def detach(self, bot: str, session: Session) -> None:
        """*session* is gone; does nothing if another one took its place."""
        if self._sessions.get(bot) is session:
            del self._sessions[bot]
            log.info("bot_detached", bot=bot)

    def session(self, bot: str) -> Session | None:
        """The session of *bot*, if it is connected."""
        return self._sessions.get(bot)

    def capacity(self, bot: str) -> int:
        """The most matches that *bot* plays at once, as it said last; 0 for any number."""
        return self._capacities.get(bot, 0)

    def send(self, bot: str, message: Message) -> None:
        """Send *message* to *bot* if it is connected; it gets what it missed when it comes back."""
        session = self._sessions.get(bot)
        if session is not None:
            session.send(message)

    def connected(self) -> tuple[str, ...]:
        """The ids of the connected bots."""
        return tuple(self._sessions)

    async def wait_for(self, bots: frozenset[str], timeout: float) -> frozenset[str]:
        """Wait until all *bots* are connected, at most *timeout* seconds; gives those that are missing."""
        try:
            async with asyncio.timeout(timeout), self._changed:
                await self._changed.wait_for(lambda: bots <= self._sessions.keys())
        except TimeoutError:
            pass
        return bots - self._sessions.keys()

    def close_all(self, reason: str, retry: int) -> None:
        """End every stream; the bots may come back after *retry* milliseconds."""
        for session in list(self._sessions.values()):
            session.close(GoingAway(reason=reason, retry=retry))
