"""Watching a tournament from its ledger, whoever plays it: what happens, and how it stands now."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final

import msgspec
from eventsourcing.persistence import Notification

from keylore_domain.engine.aggregates import Event, decode_event
from keylore_domain.engine.events import MoveDefaulted, MovePlayed, Opened
from keylore_domain.swiss import events as facts
from keylore_domain.swiss.records import Status
from keylore_domain.swiss.standings import StandingsRow
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.ledger.feed import Feed
from keylore_services.ledger.ledger import Ledger
from keylore_services.tournament import progress as told

OVER: Final = frozenset({"finished", "aborted"})


class TableNow(msgspec.Struct, kw_only=True):
    """A table of the last round without a result: its match, who sits there (names), its moves so far.

    ``since``: the moment when the match was opened, in microseconds since 1970; 0 if it was not yet.
    """

    match: str
    seats: tuple[str, ...]
    moves: int = 0
    since: int = 0


class Now(msgspec.Struct, frozen=True, kw_only=True, tag="now"):
    """How a tournament stands; ``cause`` says why it is paused or aborted, if it is."""

    tournament: str
    title: str
    status: Status
    cause: str
    round: int
    rounds: int
    tables: tuple[TableNow, ...]
    standings: tuple[StandingsRow, ...]


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened: the number of its event in the tournament or match, its moment, and what."""

    event: int
    at: int
    what: told.Told


class Watch:
    """One tournament, followed event by event."""

    def __init__(self, ledger: Ledger, tournament_id: str) -> None:
        """Begin with what is stored now.

        Raises:
            NotFoundError: there is no such tournament.
        """
        self._ledger = ledger
        self._place = ledger.last_position()
        self._tournament = ledger.load(tournament_id, Tournament)
        self._tables: dict[str, TableNow] = {}
        self._known: tuple[int, tuple[StandingsRow, ...]] = (0, ())
        self._matches = f"m/{self._tournament.name}/"
        self._find_tables()

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen any more."""
        return self._tournament.status in OVER

    def now(self) -> Now:
        """How it stands."""
        tournament = self._tournament
        return Now(
            tournament=tournament.id,
            title=tournament.terms.title or tournament.name,
            status=tournament.status,
            cause=_cause(tournament),
            round=len(tournament.rounds),
            rounds=tournament.planned_rounds,
            tables=tuple(self._tables.values()),
            standings=self._standings(),
        )

    async def follow(self, feed: Feed) -> AsyncIterator[Seen]:
        """What happens from now on, until the tournament is over or *feed* is closed.

        Raises:
            LedgerError: the ledger cannot be read.
        """
        if self.is_over:
            return
        async for notification in feed.events(self._place):
            for seen in self._take(notification):
                yield seen
            if self.is_over:
                return

    def _standings(self) -> tuple[StandingsRow, ...]:
        version, rows = self._known
        if version != self._tournament.version:
            version, rows = self._tournament.version, self._tournament.standings()
            self._known = version, rows
        return rows

    def _take(self, stored: Notification) -> list[Seen]:
        source = str(stored.originator_id)
        if source == self._tournament.id and stored.originator_version > self._tournament.version:
            event = self._tournament.replay(stored.topic, stored.state)
            self._find_tables()
            told_of = self._of_tournament(event)
        elif source.startswith(self._matches):
            event = decode_event(stored.topic, stored.state)
            told_of = self._of_match(event)
        else:
            return []
        return [Seen(event=event.originator_version, at=event.at, what=what) for what in told_of]

    def _find_tables(self) -> None:
        """Keep what is known of the tables that play, and look at those that are new."""
        last = self._tournament.rounds[-1].tables if self._tournament.rounds else ()
        known, self._tables = self._tables, {}
        for table in last if not self.is_over else ():
            if not table.is_done:
                self._tables[table.match] = known.get(table.match) or self._looked_at(
                    table.match, table.seats
                )

    def _looked_at(self, match: str, bots: tuple[str, ...]) -> TableNow:
        names = tuple(self._tournament.entrants[bot].name for bot in bots)
        table = TableNow(match=match, seats=names)
        for row in self._ledger.stored(match):
            _count(table, decode_event(row.topic, row.state))
        return table

    def _of_match(self, event: Event) -> list[told.Told]:
        table = self._tables.get(event.originator_id)
        if table is not None:
            _count(table, event)
        if not isinstance(event, Opened):
            return []
        bots = tuple(entry.bot for entry in event.seats)
        return [told.TableOpened(match=event.originator_id, seats=bots, away=())]

    def _of_tournament(self, event: Event) -> list[told.Told]:
        found: list[told.Told] = [_TOLD.get(type(event), _noted)(event)]
        if isinstance(event, facts.ResultRecorded) and self._tournament.is_complete:
            number = len(self._tournament.rounds)
            found.append(told.RoundEnded(round=number, standings=self._tournament.standings()))
        return found


def _count(table: TableNow, event: Event) -> None:
    if isinstance(event, Opened):
        table.since = event.at
    elif isinstance(event, MovePlayed | MoveDefaulted):
        table.moves = event.ply


def _cause(tournament: Tournament) -> str:
    if tournament.stopped is not None:
        return tournament.stopped.reason
    return tournament.pause_cause if tournament.status == "paused" else ""


def _paired(event: facts.RoundPaired | facts.RoundRepaired) -> told.RoundPaired:
    return told.RoundPaired(round=event.round, matches=event.matches, byes=event.pairing.byes)


def _away(event: facts.AbsenceRuled) -> told.BotsAway:
    return told.BotsAway(match=event.match, bots=event.bots, waited_ms=event.waited_ms, then=event.then)


def _became(status: Status) -> Callable[[Any], told.StatusChanged]:
    def change(event: Any) -> told.StatusChanged:
        cause = getattr(event, "reason", "") or getattr(event, "cause", "")
        return told.StatusChanged(status=status, cause=cause, by=getattr(event, "by", ""))

    return change


_TOLD: Final[Mapping[type[Event], Callable[[Any], Any]]] = {
    facts.RoundPaired: _paired,
    facts.RoundRepaired: _paired,
    facts.AbsenceRuled: _away,
    facts.MatchAborted: lambda event: told.TableAborted(
        match=event.match, cause=event.cause, next=event.next
    ),
    facts.ResultRecorded: lambda event: told.TableEnded(match=event.match, placings=event.placings),
    facts.Started: _became("running"),
    facts.Resumed: _became("running"),
    facts.Paused: _became("paused"),
    facts.Finished: _became("finished"),
    facts.Aborted: _became("aborted"),
}

_CAPITAL: Final = re.compile("(?<!^)(?=[A-Z])")


def _noted(event: Event) -> told.Noted:
    """Any other event: what it is, and whom and what it is about, as far as it says."""
    what = _CAPITAL.sub("_", type(event).__name__).lower()
    bots = getattr(event, "bots", ()) or tuple(filter(None, [getattr(event, "bot", "")]))
    cause = getattr(event, "reason", "") or getattr(event, "cause", "")
    return told.Noted(what=what, bots=bots, match=getattr(event, "match", ""), cause=cause)
