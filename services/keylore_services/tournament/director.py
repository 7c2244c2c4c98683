"""The director: runs a tournament from wherever it stands to its end.

The ledger is the only record. Everything the director knows it reads from there, so that after a crash a
new one goes on: a match that was opened is opened again, which changes nothing, and a result that counts
already is not counted twice. Whoever else changes the tournament meanwhile (an entrant withdraws, the
organiser pauses it) wins: the director loads it again and decides anew.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import structlog

from keylore_domain.errors import ConflictError, NotFoundError
from keylore_domain.swiss.records import Status, match_id
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.ledger.feed import Feed
from keylore_services.ledger.ledger import Ledger
from keylore_services.ledger.writer import Writer
from keylore_services.tournament.decisions import (
    paired_or_finished,
    paused,
    placings_of,
    recorded,
    ruled_absent,
    spec_of,
)
from keylore_services.tournament.fide import engines as installed_engines
from keylore_services.tournament.progress import (
    BotsAway,
    Listener,
    Progress,
    RoundEnded,
    RoundPaired,
    RunEnded,
    TableAborted,
    TableEnded,
    TableOpened,
)
from keylore_services.tournament.tables import MatchEnd, MatchSpec, Tables

T = TypeVar("T")

log = structlog.get_logger()

PARALLEL: Final = 64
ATTEMPTS: Final = 3
NOTICED_AFTER: Final = 0.1
"""Seconds between two looks at what others have changed."""


Ratings = Callable[[Tournament], Mapping[str, int] | None]


def no_ratings(_: Tournament) -> None:
    """A ladder goes by its own results."""


def silence(_: Progress) -> None:
    """Nobody listens."""


class Director:
    """Runs tournaments whose matches are played at *tables*."""

    def __init__(
        self,
        ledger: Ledger,
        writer: Writer,
        tables: Tables,
        now: Callable[[], int],
        *,
        parallel: int = PARALLEL,
        attempts: int = ATTEMPTS,
        grace: float = 0.0,
        listener: Listener = silence,
        engines: Engines | None = None,
        ratings: Ratings = no_ratings,
    ) -> None:
        """Start nothing yet.

        Args:
            now: the moment, in microseconds since 1970.
            parallel: tables that play at the same time, at least 1; fewer if a bot that sits at several of
                them cannot play so many at once. The results do not depend on it.
            attempts: a tournament is paused when this many matches of one table in a row were aborted.
            grace: seconds after the start of a run in which no bot is ruled to be away, if that is longer
                than the terms say.
            engines: what pairs rounds by other rules than this package's; by default what is installed.
            ratings: what a ladder goes by; by default its own results.
            listener: is told of everything that happens, in the event loop of `run`.
        """
        assert parallel > 0 < attempts
        self.ledger = ledger
        self.writer = writer
        self.tables = tables
        self.now = now
        self.parallel = parallel
        self.attempts = attempts
        self.grace = grace
        self.listener = listener
        self.engines = installed_engines() if engines is None else engines
        self.ratings = ratings

    async def run(self, tournament_id: str) -> Status:
        """Play a started tournament on until it is finished, paused or aborted; gives which of these.

        May be called again at any time: after a crash, after a pause, after the end.

        Raises:
            NotFoundError: there is no such tournament.
            ConflictError: it has not started, or somebody recorded another result than that of a match.
            OptionError, DataFileError: a match cannot be opened as the terms say.
            LedgerError: the ledger cannot be read or written.
        """
        course = _Course(self, tournament_id)
        with structlog.contextvars.bound_contextvars(tournament=tournament_id):
            status = await course.play()
            log.info("tournament_run_ended", status=status)
        return status


class _Course:
    """One run of one tournament."""

    def __init__(self, director: Director, tournament_id: str) -> None:
        self._director = director
        self._tell = director.listener
        self._id = tournament_id
        self._changing = asyncio.Lock()
        self._halted = asyncio.Event()
        self._tournament = self._load()
        self._began = asyncio.get_running_loop().time()

    async def play(self) -> Status:
        if self._tournament.status == "registering":
            msg = f"{self._id} has not started"
            raise ConflictError(msg)
        async with Feed(self._director.ledger) as feed:
            following = asyncio.create_task(self._follow(feed))
            try:
                await self._play_rounds()
            finally:
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)
        status, stopped = self._tournament.status, self._tournament.stopped
        cause = self._tournament.pause_cause if status == "paused" else stopped.reason if stopped else ""
        self._tell(RunEnded(status=status, cause=cause))
        return status

    async def _play_rounds(self) -> None:
        while self._tournament.status == "running":
            if self._tournament.is_complete:
                await self._go_on()
            else:
                await self._play_round()

    async def _go_on(self) -> None:
        """Pair the next round, or finish."""
        at, director = self._director.now(), self._director
        if await self._change(
            lambda tournament: paired_or_finished(
                tournament, at, director.engines, director.ratings(tournament)
            )
        ):
            paired = self._tournament.rounds[-1]
            matches = tuple(table.match for table in paired.tables)
            self._tell(RoundPaired(round=paired.number, matches=matches, byes=paired.byes))
            log.info("round_paired", round=paired.number, tables=len(matches), byes=len(paired.byes))

    async def _play_round(self) -> None:
        number = len(self._tournament.rounds)
        missing = [table.number for table in self._tournament.rounds[-1].tables if not table.is_done]
        try:
            async with asyncio.TaskGroup() as group:
                for table in missing:
                    group.create_task(self._play_table(number, table))
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        if self._tournament.is_complete:
            self._tell(RoundEnded(round=number, standings=self._tournament.standings()))
            log.info("round_ended", round=number)

    async def _play_table(self, number: int, table: int) -> None:
        """Have a table play until its result is in; stop before a match if the tournament is paused."""
        for _ in range(self._director.attempts):
            spec = await self._opened_match(number, table)
            if spec is None:
                return
            end = await self._director.tables.ended(spec.match_id)
            is_settled = await self._take(end)
            self._director.tables.turns.leave(spec.match_id)
            if is_settled:
                return
        await self._give_up(number, table)

    # --- opening --------------------------------------------------------------------------------------

    async def _opened_match(self, number: int, table: int) -> MatchSpec | None:
        """Open the match of a table when its bots are here and it is its turn; ``None`` if none is to be."""
        turns, waited = self._director.tables.turns, 0.0
        while (spec := self._spec(number, table)) is not None:
            waited += await self._gather(spec, waited)
            match, bots = spec.match_id, [entry.bot for entry in spec.seats]
            turn = turns.take(match, bots, group=self._id, most=self._director.parallel)
            is_new = await self._unless_halted(turn)
            try:
                opened = await self._open_now(number, table, match)
            except BaseException:
                turns.leave(match)
                raise
            if opened is not None:
                return opened
            if is_new:
                turns.leave(match)
        return None

    async def _open_now(self, number: int, table: int, match: str) -> MatchSpec | None:
        """Open *match* if it is still what the table is to play, and nobody has left meanwhile."""
        spec = self._spec(number, table)
        if spec is None or spec.match_id != match or self._waits_for(spec):
            return None
        await self._director.tables.open(spec)
        bots = tuple(entry.bot for entry in spec.seats)
        away = tuple(bot for bot in bots if self._director.tables.is_away(bot))
        self._tell(TableOpened(match=match, seats=bots, away=away))
        return spec

    def _spec(self, number: int, table: int) -> MatchSpec | None:
        return spec_of(self._tournament, number, table)

    def _waits_for(self, spec: MatchSpec) -> frozenset[str]:
        """The bots that have to come before the match may begin; none if it has begun, or they had time."""
        if spec.match_id in self._tournament.absences:
            return frozenset()
        away = frozenset(entry.bot for entry in spec.seats if self._director.tables.is_away(entry.bot))
        has_begun = bool(away) and self._director.ledger.stored_one(spec.match_id, 1) is not None
        return frozenset() if has_begun else away

    async def _gather(self, spec: MatchSpec, waited: float) -> float:
        """Wait for the bots of a match, as long as the terms say, and rule on those that do not come.

        Args:
            waited: seconds that the table has waited for bots before.

        Returns:
            The seconds that it has waited now.
        """
        away = self._waits_for(spec)
        if not away:
            return 0.0
        begun = asyncio.get_running_loop().time()
        allowed = self._tournament.terms.absence.wait_ms / 1000 - waited
        grace = self._began + self._director.grace - begun
        missing = self._director.tables.missing(away, max(allowed, grace, 0.0))
        absent = await self._unless_halted(missing)
        took = asyncio.get_running_loop().time() - begun
        if absent:
            await self._rule(spec, sorted(absent), waited + took)
        return took

    async def _rule(self, spec: MatchSpec, bots: Sequence[str], waited: float) -> None:
        at, match, waited_ms = self._director.now(), spec.match_id, round(waited * 1000)
        if await self._change(lambda tournament: ruled_absent(tournament, match, bots, at, waited_ms)):
            then = self._tournament.terms.absence.then
            self._tell(BotsAway(match=match, bots=tuple(bots), waited_ms=waited_ms, then=then))
            log.info("bots_away", match=match, bots=list(bots), then=then)

    # --- ending ---------------------------------------------------------------------------------------

    async def _take(self, end: MatchEnd) -> bool:
        """Record how a match ended; whether its table is done with, and not to be played again."""
        at, match = self._director.now(), end.match_id
        is_new = await self._change(lambda tournament: recorded(tournament, end, at))
        if self._tournament.status == "aborted":
            return True
        if end.outcome is None:
            _, table = self._tournament.table_of(match)
            if table.is_done:  # by a ruling
                return True
            self._tell(TableAborted(match=match, cause=end.cause, next=table.match))
            log.warning("match_aborted", match=match, cause=end.cause, next=table.match)
            return False
        if is_new:
            self._tell(TableEnded(match=match, placings=placings_of(self._tournament, end)))
            log.info("result_recorded", match=match)
        return True

    async def _give_up(self, number: int, table: int) -> None:
        """Pause: something is wrong that another attempt does not mend."""
        at = self._director.now()
        first = match_id(self._tournament.name, number, table)
        cause = f"{self._director.attempts} matches in a row were aborted at the table of {first}"
        await self._change(lambda tournament: paused(tournament, at, cause))

    async def _change(self, decide: Callable[[Tournament], T]) -> T:
        """Let *decide* change the tournament, and store that.

        If somebody else was faster, it decides again, on what they left. Deciding goes on in a thread, since
        a large round takes a moment to pair and live matches must not wait for it.
        """
        async with self._changing:
            while True:
                result = await asyncio.to_thread(decide, self._tournament)
                try:
                    await self._director.writer.save(self._tournament)
                except ConflictError:
                    log.info("tournament_changed_elsewhere")
                    self._take_over()
                else:
                    return result

    async def _follow(self, feed: Feed) -> None:
        """Notice what others change, within a moment."""
        async for _ in feed.changes():
            if self._director.ledger.stored_one(self._id, self._tournament.version + 1) is not None:
                async with self._changing:
                    self._take_over()
            await asyncio.sleep(NOTICED_AFTER)

    def _take_over(self) -> None:
        """Go on from what is stored; matches for which nobody waits any more are aborted."""
        self._tournament = self._load()
        if self._tournament.status == "running":
            self._halted.clear()
        else:
            self._halted.set()
        if self._tournament.status == "aborted":
            abort_matches(self._tournament, self._director.tables)
        else:
            abort_ruled(self._tournament, self._director.tables)

    async def _unless_halted(self, work: Coroutine[Any, Any, T]) -> T | None:
        """What *work* gives; it is cancelled, for ``None``, once the tournament runs no more."""
        working = asyncio.create_task(work)
        halted = asyncio.create_task(self._halted.wait())
        try:
            await asyncio.wait({working, halted}, return_when=asyncio.FIRST_COMPLETED)
            return working.result() if working.done() else None
        finally:
            working.cancel()
            halted.cancel()
            await asyncio.gather(working, halted, return_exceptions=True)

    def _load(self) -> Tournament:
        return self._director.ledger.load(self._id, Tournament)


def abort_matches(tournament: Tournament, tables: Tables) -> None:
    """Abort the matches of an aborted tournament that are being played at *tables*."""
    assert tournament.stopped is not None
    cause = f"the tournament was aborted: {tournament.stopped.reason}"
    for table in (table for played in tournament.rounds for table in played.tables):
        with suppress(NotFoundError):
            tables.abort(table.match, cause)


def abort_ruled(tournament: Tournament, tables: Tables) -> None:
    """Abort the matches that are being played at *tables* although a ruling has decided their table."""
    for table in tournament.rounds[-1].tables if tournament.rounds else ():
        if table.is_done and table.played is None:
            why = "its table is void" if table.ruling is None else table.ruling.reason
            with suppress(NotFoundError):
                tables.abort(table.match, f"a ruling has decided the table: {why}")
