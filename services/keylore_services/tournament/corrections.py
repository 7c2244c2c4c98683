"""Putting things right: results, pairings and entrants, each by a ruling that stands in the record.

Every use case can be tried first (``dry_run``): it gives the same answer and stores nothing.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
import structlog

from keylore_domain.bots import bot_id
from keylore_domain.errors import ConflictError, OptionError
from keylore_domain.swiss.records import tournament_id
from keylore_domain.swiss.rounds import PastResults, Placing, PlayedTable, RulingKind
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.ledger.ledger import Ledger
from keylore_services.tournament.effects import CorrectionView, effects
from keylore_services.tournament.fide import engines as installed_engines
from keylore_services.tournament.naming import prefixed

log = structlog.get_logger()

_SHORT: Final = re.compile(r"r([1-9]\d{0,6})/t([1-9]\d{0,6})", re.ASCII)


class Authority(msgspec.Struct, frozen=True, kw_only=True):
    """Who rules, why, and on what ground (such as ``dispute/7``; may be empty)."""

    by: str
    reason: str
    ground: str = ""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What shall count at a table; bots by name or id.

    With ``places``: the rank of each bot in ``places`` (1 is the best, equals share), and its game score in
    ``scores``, where that is not the one that it has. With ``forfeit``: who loses it, in ``losers``.
    """

    kind: RulingKind
    places: Mapping[str, int] = {}
    scores: Mapping[str, int] = {}
    losers: tuple[str, ...] = ()


class Corrections:
    """The use cases; tournaments and bots are called by name or id, a table ``r2/t1`` or as its match."""

    def __init__(self, ledger: Ledger, now: Callable[[], int], *, engines: Engines | None = None) -> None:
        """Correct tournaments in *ledger*; arguments as for `TournamentService`."""
        self._ledger = ledger
        self._now = now
        self._engines = installed_engines() if engines is None else engines

    def override(
        self, name: str, table: str, verdict: Verdict, authority: Authority, *, dry_run: bool = False
    ) -> CorrectionView:
        """Let *verdict* count at a table instead of what its match gave.

        Raises:
            NotFoundError: there is no such tournament or table.
            ConflictError: it counts already, or rounds that have begun depend on who goes on from there.
            OptionError: the verdict does not fit the table, or nobody rules, or for no reason.
        """

        def decide(tournament: Tournament) -> None:
            match = _match_of(tournament, table)
            _, played = tournament.table_of(match)
            tournament.override_result(
                match,
                verdict.kind,
                at=self._now(),
                by=authority.by,
                reason=authority.reason,
                ground=authority.ground,
                placings=_placings(played, verdict) if verdict.kind == "places" else (),
                losers=tuple(prefixed(bot, bot_id) for bot in verdict.losers),
                begun=self._begun(tournament),
            )

        return self._correct(name, "result_overridden", decide, dry_run=dry_run)

    def repair(
        self,
        name: str,
        authority: Authority,
        *,
        byes: tuple[str, ...] = (),
        confirmed: int | None = None,
        dry_run: bool = False,
    ) -> CorrectionView:
        """Pair the last round of a paused tournament again, before any of its tables has started.

        If that round is over, the next one is paired, and that again: so a round can be arranged before it
        begins.

        Args:
            byes: who has a bye by this ruling.
            confirmed: so many byes in all are accepted.

        Raises:
            NotFoundError: there is no such tournament, or one of *byes* is not registered.
            ConflictError: it is not paused, a table has started, no round follows, or more byes would follow
                than were confirmed.
            OptionError: a bye cannot be given so, or nobody rules, or for no reason.
        """

        def decide(tournament: Tournament) -> None:
            if tournament.status == "paused" and tournament.is_complete:
                tournament.pair_round(at=self._now(), engines=self._engines, while_paused=True)
            tournament.repair_round(
                at=self._now(),
                by=authority.by,
                reason=authority.reason,
                ground=authority.ground,
                byes=tuple(prefixed(bot, bot_id) for bot in byes),
                confirmed=confirmed,
                begun=self._begun(tournament),
                engines=self._engines,
            )

        return self._correct(name, "round_repaired", decide, dry_run=dry_run)

    def remove(
        self,
        name: str,
        bot: str,
        authority: Authority,
        *,
        results: PastResults | None = None,
        dry_run: bool = False,
    ) -> CorrectionView:
        """Remove a bot (its name or id) from a tournament for good.

        Args:
            results: what becomes of the tables at which it sat; by default what is usual for the format.

        Raises:
            NotFoundError: there is no such tournament, or the bot is not registered.
            ConflictError: it was removed already.
            OptionError: its results cannot be treated so, or nobody rules, or for no reason.
        """

        def decide(tournament: Tournament) -> None:
            tournament.remove_entrant(
                prefixed(bot, bot_id),
                at=self._now(),
                by=authority.by,
                reason=authority.reason,
                ground=authority.ground,
                results=results,
            )

        return self._correct(name, "entrant_removed", decide, dry_run=dry_run)

    def _begun(self, tournament: Tournament) -> tuple[str, ...]:
        """The matches of the last round that were opened."""
        last = tournament.rounds[-1].tables if tournament.rounds else ()
        return tuple(table.match for table in last if self._ledger.stored_one(table.match, 1) is not None)

    def _correct(
        self, name: str, event: str, decide: Callable[[Tournament], None], *, dry_run: bool
    ) -> CorrectionView:
        """Let *decide* correct the tournament; again, on what is there then, if somebody else was faster."""
        known = prefixed(name, tournament_id)
        while True:
            before = self._ledger.load(known, Tournament)
            after = self._ledger.load(known, Tournament)
            decide(after)
            view = effects(before, after, self._engines, stored=not dry_run)
            if dry_run:
                return view
            try:
                self._ledger.save(after)
            except ConflictError:
                log.info("tournament_changed_elsewhere", tournament=known, version=before.version)
            else:
                log.info(event, tournament=known, by=view.by, what=view.what, moves=len(view.moves))
                return view


def _match_of(tournament: Tournament, table: str) -> str:
    """The match that counts at ``r2/t1``, or *table*, which may be the id of a match already."""
    found = _SHORT.fullmatch(table)
    if found is None:
        return table
    number, at = map(int, found.groups())
    tables = tournament.round(number).tables
    return tables[at - 1].match if at <= len(tables) else f"m/{tournament.name}/{table}"


def _placings(table: PlayedTable, verdict: Verdict) -> tuple[Placing, ...]:
    places = {prefixed(bot, bot_id): rank for bot, rank in verdict.places.items()}
    scores = {prefixed(bot, bot_id): score for bot, score in verdict.scores.items()}
    seats = ", ".join(bot.removeprefix(bot_id("")) for bot in table.seats)
    for bot in (*places, *scores):
        if bot not in table.seats:
            problem = f"{bot.removeprefix(bot_id(''))} does not sit at {table.match}"
            raise OptionError("places", problem, f"a place for each of {seats}")
    for bot in table.seats:
        if bot not in places:
            problem = f"{bot.removeprefix(bot_id(''))} has none"
            raise OptionError("places", problem, f"a place for each of {seats}")
    before = table.placings or (table.played.placings if table.played is not None else ())
    known = {placing.bot: placing.score for placing in before} | scores
    return tuple(Placing(bot, places[bot], known.get(bot, 0)) for bot in table.seats)
