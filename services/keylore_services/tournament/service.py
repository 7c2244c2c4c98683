"""All that an organiser does with tournaments, but for playing their matches."""

from collections.abc import Callable, Mapping

import structlog

from keylore_domain.bots import Bot, bot_id
from keylore_domain.engine.records import Catalog
from keylore_domain.errors import ConflictError
from keylore_domain.swiss.audit import audit
from keylore_domain.swiss.inputs import ByeKind
from keylore_domain.swiss.records import tournament_id
from keylore_domain.swiss.systems import Engines, with_system
from keylore_domain.swiss.terms import game_ids, parse_terms
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.ledger.ledger import Ledger
from keylore_services.tournament.audits import audit_matches
from keylore_services.tournament.fide import engines as installed_engines
from keylore_services.tournament.naming import prefixed
from keylore_services.tournament.views import (
    StandingsView,
    TournamentCard,
    TournamentView,
    card_of,
    standings_of,
    view_of,
)

log = structlog.get_logger()


class TournamentService:
    """The use cases; a tournament is called by its name (``cup``) or its id (``t/cup``)."""

    def __init__(
        self,
        ledger: Ledger,
        catalog: Catalog,
        now: Callable[[], int],
        *,
        engines: Engines | None = None,
    ) -> None:
        """Serve the tournaments in *ledger*.

        Args:
            now: the moment, in microseconds since 1970.
            engines: what pairs rounds by other rules than this package's; by default what is installed.
        """
        self._engines = installed_engines() if engines is None else engines
        self._ledger = ledger
        self._catalog = catalog
        self._now = now

    # --- changing -------------------------------------------------------------------------------------

    def create(self, name: str, terms: Mapping[str, object]) -> TournamentView:
        """A new tournament, open for registration.

        Args:
            terms: the fields of `Terms`, as plain values.

        Raises:
            OptionError: the name or a term is not allowed.
            NotFoundError, DataFileError: there is no such game, or its data are wrong.
            ConflictError: there is a tournament of this name already.
        """
        chosen = with_system(parse_terms(terms), self._engines)
        tournament = Tournament.create(name, chosen, self._catalog, at=self._now())
        if self._ledger.stored(tournament.id):
            msg = f"there is a tournament {name!r} already"
            raise ConflictError(msg)
        self._ledger.save(tournament)
        log.info("tournament_created", tournament=tournament.id, games=game_ids(tournament.terms))
        return view_of(tournament)

    def register(self, name: str, bot: str, rating: int = 0) -> TournamentView:
        """Let an enrolled bot (its name or id) take part, from the next round on.

        Args:
            rating: whole points, such as those of a leaderboard; 0 for none.

        Raises:
            NotFoundError: there is no such tournament or bot.
            ConflictError: it takes part already, or the tournament is over.
        """
        known = self._ledger.load(prefixed(bot, bot_id), Bot)
        return self._change(
            name,
            "entrant_registered",
            lambda one: one.register(
                known.id, known.name, at=self._now(), author=known.author, rating=rating
            ),
        )

    def withdraw(self, name: str, bot: str, cause: str = "") -> TournamentView:
        """Pair a bot (its name or id) no more.

        Raises:
            NotFoundError: there is no such tournament, or the bot is not registered.
            ConflictError: it has withdrawn already, or the tournament is over.
        """
        entrant = prefixed(bot, bot_id)
        return self._change(
            name, "entrant_withdrawn", lambda one: one.withdraw(entrant, at=self._now(), cause=cause)
        )

    def request_bye(
        self, name: str, bot: str, number: int, kind: ByeKind | None, cause: str = ""
    ) -> TournamentView:
        """Leave a bot (name or id) out of round *number*, for half a win or nothing; ``None``: not any more.

        Raises:
            NotFoundError: there is no such tournament, or the bot is not registered.
            ConflictError: that round was paired already, or the terms do not allow it.
        """
        entrant = prefixed(bot, bot_id)
        return self._change(
            name,
            "bye_requested",
            lambda one: one.request_bye(entrant, number, kind, at=self._now(), cause=cause),
        )

    def rule_meeting(self, name: str, one: str, other: str, cause: str, *, apart: bool) -> TournamentView:
        """Keep two bots apart from the next round on, or let them meet, whatever the terms say.

        Raises:
            NotFoundError: there is no such tournament, or a bot is not registered.
            ConflictError: the tournament is over.
            OptionError: they are the same.
        """
        pair = prefixed(one, bot_id), prefixed(other, bot_id)
        return self._change(
            name,
            "meeting_ruled",
            lambda tournament: tournament.rule_meeting(*pair, apart=apart, at=self._now(), cause=cause),
        )

    def start(self, name: str) -> TournamentView:
        """Let the rounds begin.

        Raises:
            NotFoundError: there is no such tournament.
            ConflictError: it has started already, or too few are registered.
        """
        return self._change(name, "tournament_started", lambda one: one.start(at=self._now()))

    def pause(self, name: str, cause: str = "") -> TournamentView:
        """Open no further table; tables that play go on.

        Raises:
            NotFoundError: there is no such tournament.
            ConflictError: it does not run.
        """
        return self._change(name, "tournament_paused", lambda one: one.pause(at=self._now(), cause=cause))

    def resume(self, name: str, cause: str = "") -> TournamentView:
        """Let it run on.

        Raises:
            NotFoundError: there is no such tournament.
            ConflictError: it is not paused.
        """
        return self._change(name, "tournament_resumed", lambda one: one.resume(at=self._now(), cause=cause))

    def abort(self, name: str, *, by: str, reason: str) -> TournamentView:
        """End it before its end; nothing is played on, and whoever plays its matches aborts them.

        Raises:
            NotFoundError: there is no such tournament.
            ConflictError: it is over.
            OptionError: *by* or *reason* are missing.
        """
        return self._change(
            name, "tournament_aborted", lambda one: one.abort(at=self._now(), by=by, reason=reason)
        )

    def finish(self, name: str) -> TournamentView:
        """End a ladder without a fixed number of rounds, once all results are in.

        Raises:
            NotFoundError: there is no such tournament.
            ConflictError: results are missing, or the tournament ends by itself.
        """
        return self._change(name, "tournament_finished", lambda one: one.finish(at=self._now()))

    # --- reading --------------------------------------------------------------------------------------

    def list(self) -> tuple[TournamentCard, ...]:
        """All tournaments, in the order in which they were created."""
        return tuple(card_of(self._load(one)) for one in self._ledger.ids(tournament_id("")))

    def show(self, name: str) -> TournamentView:
        """All about a tournament but its rounds and standings.

        Raises:
            NotFoundError: there is no such tournament.
        """
        return view_of(self._load(name))

    def standings(self, name: str, after: int | None = None) -> StandingsView:
        """The standings after round *after*, or now.

        Raises:
            NotFoundError: there is no such tournament, or that round was not paired.
        """
        return standings_of(self._load(name), after)

    def audit(self, name: str) -> tuple[str, ...]:
        """Work out again all that follows from the events, and compare the results with the matches.

        Gives all that is wrong, in words. The matches themselves are proved one by one elsewhere.

        Raises:
            NotFoundError: there is no such tournament.
            ReplayMismatchError: its events are no chain.
        """
        tournament = self._load(name)
        stored = self._ledger.stored(tournament.id)
        found = audit(tournament.id, [(event.topic, event.state) for event in stored], self._engines)
        return (*found, *audit_matches(tournament, self._ledger, self._catalog))

    def _load(self, name: str) -> Tournament:
        return self._ledger.load(prefixed(name, tournament_id), Tournament)

    def _change(self, name: str, event: str, decide: Callable[[Tournament], None]) -> TournamentView:
        """Let *decide* change the tournament; again, on what is there then, if somebody else was faster."""
        while True:
            tournament = self._load(name)
            decide(tournament)
            version = tournament.version
            try:
                self._ledger.save(tournament)
            except ConflictError:
                log.info("tournament_changed_elsewhere", tournament=tournament.id, version=version)
            else:
                log.info(event, tournament=tournament.id)
                return view_of(tournament)
