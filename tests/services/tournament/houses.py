"""A house for the tests of tournaments: a ledger in memory, and tables whose matches are made up."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any, Final

from keylore_domain.bots import Bot
from keylore_domain.engine.aggregates import Aggregate
from keylore_domain.engine.outcomes import Outcome, SeatResult
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import LedgerError, NotFoundError
from keylore_domain.swiss.audit import audit
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.ledger.writer import Writer
from keylore_services.tournament.corrections import Corrections
from keylore_services.tournament.director import Director
from keylore_services.tournament.progress import Progress
from keylore_services.tournament.reports import Reports
from keylore_services.tournament.service import TournamentService
from keylore_services.tournament.tables import MatchEnd, MatchSpec
from keylore_services.tournament.turns import Turns
from tests.domain.swiss.leagues import AT, bots, by_lot, catalog

Script = Callable[[MatchSpec], MatchEnd]

TERMS: Final = {"game": "pearls", "table_size": 3, "rounds": 3, "seed": "spring"}


def moments() -> Callable[[], int]:
    """A clock that goes on by a microsecond with every look."""
    ticks = count(AT)
    return lambda: next(ticks)


def concluded(spec: MatchSpec) -> MatchEnd:
    """A result that follows from the match id without its attempt, so that a replay ends alike."""
    table = spec.match_id.partition("/a2")[0]
    ranks = by_lot(table, [entry.bot for entry in spec.seats])
    results = tuple(
        SeatResult(seat=Seat(seat), rank=rank, score=50 - 7 * rank) for seat, rank in enumerate(ranks)
    )
    outcome = Outcome(ended_by="rules", round=1, seats=results)
    return MatchEnd(match_id=spec.match_id, status="concluded", cause="rules", outcome=outcome, plies=9)


def aborted(spec: MatchSpec) -> MatchEnd:
    return MatchEnd(match_id=spec.match_id, status="aborted", cause="power failure", outcome=None, plies=4)


class FakeTables:
    """Tables that end their matches as a script says, a few turns of the event loop later.

    Attributes:
        specs: every match that was opened, by id.
        opened: how often each match was opened.
        most: the most matches that played at the same time.
        busiest: for each bot, the most matches that it played at the same time.
        waited: how many seconds it was allowed to wait for bots, each time.
        stopped: why matches were aborted.
    """

    def __init__(
        self, script: Script = concluded, away: str = "", capacities: Mapping[str, int] | None = None
    ) -> None:
        self.specs: dict[str, MatchSpec] = {}
        self.opened: Counter[str] = Counter()
        self.most = 0
        self.busiest: Counter[str] = Counter()
        self.waited: list[float] = []
        self.stopped: dict[str, str] = {}
        known = capacities or {}
        self.turns = Turns(lambda bot: known.get(bot, 0))
        self._script = script
        self._away = frozenset({away})
        self._playing: set[str] = set()

    async def open(self, spec: MatchSpec) -> None:
        assert self.specs.setdefault(spec.match_id, spec) == spec
        self.opened[spec.match_id] += 1

    async def ended(self, match_id: str) -> MatchEnd:
        if match_id not in self.specs:
            raise NotFoundError(match_id)
        self._playing.add(match_id)
        self.most = max(self.most, len(self._playing))
        self.busiest |= Counter(seat.bot for one in self._playing for seat in self.specs[one].seats)
        for _ in range(len(match_id) % 5):
            await asyncio.sleep(0)
        self._playing.discard(match_id)
        if match_id in self.stopped:
            return aborted(self.specs[match_id])
        return self._script(self.specs[match_id])

    async def missing(self, bots: frozenset[str], seconds: float) -> frozenset[str]:
        """The time passes at once."""
        await asyncio.sleep(0)
        self.waited.append(seconds)
        return bots & self._away

    def comes(self, bot: str) -> None:
        self._away -= {bot}

    def leaves(self, bot: str) -> None:
        self._away |= {bot}

    def is_away(self, bot: str) -> bool:
        return bot in self._away

    def abort(self, match_id: str, cause: str) -> None:
        if match_id not in self._playing:
            raise NotFoundError(match_id)
        self.stopped[match_id] = cause


class CrashError(LedgerError):
    """The process died here."""


class FailingWriter(Writer):
    """A writer that fails at save number *fatal* (from 1), before or after the commit."""

    def __init__(self, ledger: Ledger, fatal: int, *, stored: bool) -> None:
        super().__init__(ledger)
        self.saves = 0
        self._fatal = fatal
        self._stored = stored

    async def save(self, *aggregates: Aggregate) -> list[int]:
        self.saves += 1
        if self.saves == self._fatal and not self._stored:
            raise CrashError
        positions = await super().save(*aggregates)
        if self.saves >= self._fatal:
            raise CrashError
        return positions


class House:
    """A ledger with enrolled bots, and everything that works on it."""

    def __init__(self, ledger: Ledger, entrants: int = 9, *, enrol: bool = True) -> None:
        self.ledger = ledger
        self.now = moments()
        self.service = TournamentService(ledger, catalog, self.now)
        self.reports = Reports(ledger)
        self.corrections = Corrections(ledger, self.now)
        self.names = [bot.removeprefix("bot/") for bot in bots(entrants)]
        self.told: list[Progress] = []
        if enrol:
            ledger.save(*(Bot.enrol(name, f"token of {name}", self.now()) for name in self.names))

    def started(self, name: str = "cup", **changes: Any) -> str:
        """A started tournament of all bots; gives its id."""
        self.service.create(name, {**TERMS, **changes})
        for bot in self.names:
            self.service.register(name, bot)
        return self.service.start(name).id

    def run(self, tournament: str, tables: FakeTables, writer: Writer | None = None, **settings: Any) -> str:
        """Have a new director run it, as far as it goes."""
        chosen = Writer(self.ledger) if writer is None else writer
        director = Director(self.ledger, chosen, tables, self.now, listener=self.told.append, **settings)
        try:
            return asyncio.run(director.run(tournament))
        finally:
            chosen.close()

    def audit(self, tournament: str) -> tuple[str, ...]:
        """What does not follow from its events; its matches were made up and are not in the ledger."""
        stored = self.ledger.stored(tournament)
        return audit(tournament, [(event.topic, event.state) for event in stored])

    def topics(self, tournament: str) -> list[str]:
        """The last words of the topics of all its events."""
        return [event.topic.partition(".")[2] for event in self.ledger.stored(tournament)]


@contextmanager
def open_house(entrants: int = 9) -> Iterator[House]:
    ledger = open_ledger(":memory:")
    try:
        yield House(ledger, entrants)
    finally:
        ledger.close()
