"""The director: runs a tournament from wherever it stands to its end.

The ledger is the only record. Everything the director knows it reads from there, so that after a crash a
new one goes on: a match that was opened is opened again, which changes nothing, and a result that counts
already is not counted twice. Whoever else changes the tournament meanwhile (an entrant withdraws, the
organiser pauses it) wins: the director loads it again and decides anew.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import structlog

from keylore_domain.engine.events import Origin, SeatEntry
from keylore_domain.errors import ConflictError
from keylore_domain.swiss.records import Status, match_id
from keylore_domain.swiss.rounds import Placing
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.ledger.ledger import Ledger
from keylore_services.ledger.writer import Writer
from keylore_services.tournament.fide import engines as installed_engines
from keylore_services.tournament.progress import (
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
        self.listener = listener
        self.engines = installed_engines() if engines is None else engines
        self.ratings = ratings

    async def run(self, tournament_id: str) -> Status:
        """Play a started tournament on until it is finished or paused; gives which of the two.

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
        self._tournament = self._load()

    async def play(self) -> Status:
        if self._tournament.status == "registering":
            msg = f"{self._id} has not started"
            raise ConflictError(msg)
        while self._tournament.status == "running":
            if self._tournament.is_complete:
                await self._go_on()
            else:
                await self._play_round()
        status = self._tournament.status
        self._tell(RunEnded(status=status, cause=self._tournament.pause_cause if status == "paused" else ""))
        return status

    async def _go_on(self) -> None:
        """Pair the next round, or finish."""
        at = self._director.now()
        if await self._change(lambda tournament: _paired_or_finished(tournament, at, self._director)):
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
            has_result = await self._take(end)
            self._director.tables.turns.leave(spec.match_id)
            if has_result:
                return
        await self._give_up(number, table)

    async def _opened_match(self, number: int, table: int) -> MatchSpec | None:
        """Open the match of a table when it is its turn; ``None`` if none is to be played."""
        planned, tables = self._spec(number, table), self._director.tables
        if planned is None:
            return None
        match, bots = planned.match_id, [entry.bot for entry in planned.seats]
        await tables.turns.take(match, bots, group=self._id, most=self._director.parallel)
        try:
            spec = self._spec(number, table)  # somebody may have paused it meanwhile
            if spec is None:
                tables.turns.leave(match)
                return None
            await tables.open(spec)
        except BaseException:
            tables.turns.leave(match)
            raise
        self._tell(self._opened(spec))
        return spec

    def _spec(self, number: int, table: int) -> MatchSpec | None:
        """The match that the table plays next; ``None`` if it is not to play."""
        tournament = self._tournament
        played = tournament.round(number).tables[table - 1]
        if played.is_done or tournament.status != "running":
            return None
        plays = tournament.plays(played.match)
        return MatchSpec(
            match_id=played.match,
            game=plays.game,
            rules=plays.rules,
            options=plays.options,
            data_text=plays.data_text,
            seats=tuple(SeatEntry(bot, tournament.entrants[bot].name) for bot in played.seats),
            time=plays.time,
            origin=Origin(tournament=self._id, round=number, table=table, attempt=played.attempt),
            public_seed=tournament.terms.seed,
            seed_label=tournament.deal_of(played.match),
        )

    def _opened(self, spec: MatchSpec) -> TableOpened:
        bots = tuple(entry.bot for entry in spec.seats)
        away = tuple(bot for bot in bots if self._director.tables.is_away(bot))
        return TableOpened(match=spec.match_id, seats=bots, away=away)

    async def _take(self, end: MatchEnd) -> bool:
        """Record how a match ended; whether it gave a result."""
        at = self._director.now()
        if end.outcome is None:
            await self._change(
                lambda tournament: tournament.record_abort(end.match_id, at=at, cause=end.cause)
            )
            _, table = self._tournament.table_of(end.match_id)
            self._tell(TableAborted(match=end.match_id, cause=end.cause, next=table.match))
            log.warning("match_aborted", match=end.match_id, cause=end.cause, next=table.match)
            return False
        placings = self._placings(end)
        if await self._change(
            lambda tournament: tournament.record_result(
                end.match_id, placings, at=at, cause=end.cause, forfeited=end.forfeited
            )
        ):
            self._tell(TableEnded(match=end.match_id, placings=placings))
            log.info("result_recorded", match=end.match_id)
        return True

    def _placings(self, end: MatchEnd) -> tuple[Placing, ...]:
        assert end.outcome is not None
        _, table = self._tournament.table_of(end.match_id)
        return tuple(Placing(table.seats[one.seat], one.rank, one.score) for one in end.outcome.seats)

    async def _give_up(self, number: int, table: int) -> None:
        """Pause: something is wrong that another attempt does not mend."""
        at = self._director.now()
        first = match_id(self._tournament.name, number, table)
        cause = f"{self._director.attempts} matches in a row were aborted at the table of {first}"
        await self._change(lambda tournament: _paused(tournament, at, cause))

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
                    self._tournament = self._load()
                else:
                    return result

    def _load(self) -> Tournament:
        return self._director.ledger.load(self._id, Tournament)


def _paired_or_finished(tournament: Tournament, at: int, director: Director) -> bool:
    """Take the next step of a running tournament with all results in; whether that was another round.

    A round that the terms refuse, or that has too few entrants, pauses the tournament: somebody has to
    decide.
    """
    if tournament.status != "running" or not tournament.is_complete:
        return False
    if tournament.is_played_out or not tournament.can_fill_a_table:
        tournament.finish(at=at)
        return False
    try:
        tournament.pair_round(at=at, engines=director.engines, ratings=director.ratings(tournament))
    except ConflictError as refused:
        tournament.pause(at=at, cause=str(refused))
        return False
    return True


def _paused(tournament: Tournament, at: int, cause: str) -> None:
    if tournament.status == "running":
        tournament.pause(at=at, cause=cause)
