"""The tournament: from registration to final standings, as an event-sourced aggregate.

The commands decide and record; the base classes put things right and take over stored events.
"""

from collections.abc import Mapping, Sequence

from keylore_domain.bots import checked_name
from keylore_domain.engine.data import data_hash
from keylore_domain.engine.records import Catalog
from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_domain.swiss.certificates import certificate_of
from keylore_domain.swiss.corrections import CorrectableTournament, check_placings, checked_text
from keylore_domain.swiss.events import (
    Aborted,
    AbsenceRuled,
    ByeRequested,
    Created,
    EntrantRegistered,
    EntrantWithdrawn,
    FinishCause,
    Finished,
    MatchAborted,
    MeetingRuled,
    Paused,
    ResultRecorded,
    Resumed,
    RoundPaired,
    Started,
)
from keylore_domain.swiss.formats.kinds import field_of
from keylore_domain.swiss.formats.table import FORMATS
from keylore_domain.swiss.inputs import ByeKind
from keylore_domain.swiss.pairing import Pairing
from keylore_domain.swiss.records import match_id, tournament_id
from keylore_domain.swiss.rounds import Placing
from keylore_domain.swiss.systems import NO_ENGINES, Engines
from keylore_domain.swiss.terms import Terms, pinned, programme, smallest_table


class Tournament(CorrectableTournament):
    """One tournament, and what may be done with it now."""

    @classmethod
    def create(cls, name: str, terms: Terms, catalog: Catalog, *, at: int) -> "Tournament":
        """A new tournament, open for registration.

        Raises:
            OptionError: the name or a term is not allowed, or the game cannot be played so.
            NotFoundError: there is no such game or version of its rules.
            DataFileError: the component data break a rule.
        """
        tournament = cls(tournament_id(checked_name(name)))
        full, games = pinned(terms, catalog)
        FORMATS[full.format].check(full)
        texts = zip(programme(full), games, strict=True)
        data = tuple(
            data_hash(game.data_text if one.data_text is None else one.data_text) for one, game in texts
        )
        tournament.record(Created(**tournament.stamp(at), name=name, terms=full, data=data))
        return tournament

    def register(self, bot: str, name: str, *, at: int, rating: int = 0, author: str = "") -> None:
        """Let *bot* take part, from the next round on.

        Rounds that it missed give nothing; a bot that withdrew comes back with what it had, its *rating*
        (whole points, 0 for none) and its *author* too.

        Raises:
            ConflictError: it takes part already, was removed, or the tournament is over.
        """
        self._expect("registering", "running", "paused")
        if bot in self.removals:
            msg = f"{bot} was removed from {self.id} for good"
            raise ConflictError(msg)
        if bot in self.entrants and self.entrants[bot].active:
            msg = f"{bot} is registered already"
            raise ConflictError(msg)
        if self.rounds and self.format.is_closed and bot not in field_of(self.past):
            msg = f"{self.id} takes nobody new once it has begun"
            raise ConflictError(msg)
        last = self.terms.pairing.late_entry
        if bot not in self.entrants and last is not None and len(self.rounds) >= last:
            msg = f"{self.id} takes new entrants up to round {last}; rounds paired: {len(self.rounds)}"
            raise ConflictError(msg)
        self.record(EntrantRegistered(**self.stamp(at), bot=bot, name=name, rating=rating, author=author))

    def withdraw(self, bot: str, *, at: int, cause: str = "") -> None:
        """Pair *bot* no more; a table at which it sits is still played.

        Raises:
            NotFoundError: it never registered.
            ConflictError: it has withdrawn already, or the tournament is over.
        """
        self._expect("registering", "running", "paused")
        if bot not in self.entrants:
            msg = f"{bot} is not registered in {self.id}"
            raise NotFoundError(msg)
        if not self.entrants[bot].active:
            msg = f"{bot} has withdrawn already"
            raise ConflictError(msg)
        self.record(EntrantWithdrawn(**self.stamp(at), bot=bot, cause=cause))

    def request_bye(self, bot: str, number: int, kind: ByeKind | None, *, at: int, cause: str = "") -> None:
        """Leave *bot* out of round *number*: with half a win, with nothing, or (``None``) not any more.

        A round that was asked off counts when byes are allotted: with half a win like a bye, else as missed.

        Raises:
            NotFoundError: it never registered.
            ConflictError: that round was paired already, nothing was asked for, the tournament is over, or
                the terms allow no (further) bye worth half a win then.
        """
        self._expect("registering", "running", "paused")
        if bot not in self.entrants:
            msg = f"{bot} is not registered in {self.id}"
            raise NotFoundError(msg)
        if number <= len(self.rounds):
            msg = f"round {number} of {self.id} was paired already"
            raise ConflictError(msg)
        if kind is None and (bot, number) not in self.requests:
            msg = f"{bot} asked for no bye in round {number}"
            raise ConflictError(msg)
        if kind == "half":
            self._expect_half_bye(bot, number)
        self.record(ByeRequested(**self.stamp(at), bot=bot, round=number, kind=kind or "none", cause=cause))

    def rule_meeting(self, one: str, other: str, *, apart: bool, at: int, cause: str) -> None:
        """From the next round on keep two bots apart, or let them meet, whatever the terms say.

        Raises:
            NotFoundError: one of them never registered.
            ConflictError: the tournament is over.
            OptionError: they are the same.
        """
        self._expect("registering", "running", "paused")
        for bot in (one, other):
            if bot not in self.entrants:
                msg = f"{bot} is not registered in {self.id}"
                raise NotFoundError(msg)
        if one == other:
            raise OptionError("bots", f"{one} cannot meet itself", "two entrants")
        first, second = sorted((one, other))
        self.record(MeetingRuled(**self.stamp(at), bots=(first, second), apart=apart, cause=cause))

    def start(self, *, at: int) -> None:
        """Let the rounds begin.

        Raises:
            ConflictError: it has started already, or too few are registered.
        """
        self._expect("registering")
        if not self.can_fill_a_table:
            msg = f"{self.id} needs {smallest_table(self.terms)} active entrants, it has {len(self.active)}"
            raise ConflictError(msg)
        self.record(Started(**self.stamp(at)))

    def pair_round(
        self,
        *,
        at: int,
        engines: Engines = NO_ENGINES,
        ratings: Mapping[str, int] | None = None,
        while_paused: bool = False,
    ) -> Pairing:
        """Pair the next round.

        Args:
            engines: by ruleset, what works out rounds that the domain only checks.
            ratings: what a ladder goes by, if not by its own results.
            while_paused: in a paused tournament, so that it can be looked at before it begins.

        Raises:
            ConflictError: results are missing, all rounds were played, too few entrants are left, or the
                terms refuse every round that was found.
        """
        self._expect("paused" if while_paused else "running")
        self._expect_complete()
        if self.is_played_out:
            msg = f"{self.id} has had its {len(self.rounds)} rounds"
            raise ConflictError(msg)
        inputs = self.history(ratings)
        pairing = self.format.pair(inputs, engines)
        numbers = range(1, len(pairing.tables) * inputs.games + 1)
        matches = tuple(match_id(self.name, inputs.round, number) for number in numbers)
        self.record(
            RoundPaired(
                **self.stamp(at),
                round=inputs.round,
                inputs=inputs,
                pairing=pairing,
                certificate=certificate_of(inputs, pairing),
                matches=matches,
            )
        )
        return pairing

    def record_result(
        self,
        match: str,
        placings: Sequence[Placing],
        *,
        at: int,
        cause: str,
        forfeited: Sequence[int] = (),
    ) -> bool:
        """Record the result of *match*; gives false, and records nothing, if it stands there already.

        It counts, unless something else was ruled before.

        Args:
            placings: of all seats, in seat order.
            cause: how the match ended.
            forfeited: the seats for which the arbiter played on.

        Raises:
            NotFoundError: no table has such a match.
            ConflictError: another result counts, the match was aborted and another is played instead, or the
                tournament was aborted.
            OptionError: these are not the bots of the table, or their ranks are no ranking.
        """
        number, table = self.table_of(match)
        if table.match != match:
            msg = f"{match} was aborted; {table.match} is played instead"
            raise ConflictError(msg)
        if table.played is not None:
            if table.played.placings == tuple(placings):
                return False
            msg = f"{match} has another result already"
            raise ConflictError(msg)
        self._expect_not_aborted()
        check_placings(table, placings)
        self.record(
            ResultRecorded(
                **self.stamp(at),
                match=match,
                round=number,
                table=table.number,
                placings=tuple(placings),
                cause=cause,
                forfeited=tuple(forfeited),
            )
        )
        return True

    def record_abort(self, match: str, *, at: int, cause: str) -> bool:
        """Have *match* replayed; gives false, and records nothing, if another attempt has begun already.

        The same if a ruling has decided the table meanwhile: then nobody waits for it.

        Raises:
            NotFoundError: no table has such a match.
            ConflictError: its result counts already, or the tournament was aborted.
        """
        number, table = self.table_of(match)
        if table.match != match or (table.is_done and table.played is None):
            return False
        if table.played is not None:
            msg = f"{match} has a result already"
            raise ConflictError(msg)
        self._expect_not_aborted()
        following = match_id(self.name, number, table.number, table.attempt + 1)
        self.record(MatchAborted(**self.stamp(at), match=match, cause=cause, next=following))
        return True

    def rule_absence(self, match: str, bots: Sequence[str], *, at: int, waited_ms: int) -> bool:
        """Rule by the terms on *bots* that are away when *match* is to begin; gives false if that is done.

        Also if the table waits for no such match any more.

        Raises:
            NotFoundError: no table has such a match.
            ConflictError: the tournament does not run.
            OptionError: they do not sit at that table.
        """
        self._expect("running")
        _, table = self.table_of(match)
        if match in self.absences or table.match != match or table.is_done:
            return False
        if not bots or not set(bots) <= set(table.seats):
            raise OptionError("bots", f"are {', '.join(bots) or 'none'}", f"some of {', '.join(table.seats)}")
        then = self.terms.absence.then
        self.record(
            AbsenceRuled(**self.stamp(at), match=match, bots=tuple(bots), waited_ms=waited_ms, then=then)
        )
        for bot in bots if then == "withdraw" else ():
            if self.entrants[bot].active:
                self.withdraw(bot, at=at, cause=f"it was away when {match} was to begin")
        return True

    def abort(self, *, at: int, by: str, reason: str) -> None:
        """End it now: nothing is played on, and matches without a result give none.

        Raises:
            ConflictError: it is over.
            OptionError: *by* or *reason* are missing.
        """
        self._expect("registering", "running", "paused")
        named = checked_text("by", by, "who aborts it")
        told = checked_text("reason", reason, "why")
        self.record(Aborted(**self.stamp(at), by=named, reason=told))

    def pause(self, *, at: int, cause: str = "") -> None:
        """Open no further table.

        Raises:
            ConflictError: it does not run.
        """
        self._expect("running")
        self.record(Paused(**self.stamp(at), cause=cause))

    def resume(self, *, at: int, cause: str = "") -> None:
        """Let it run on.

        Raises:
            ConflictError: it is not paused.
        """
        self._expect("paused")
        self.record(Resumed(**self.stamp(at), cause=cause))

    def finish(self, *, at: int) -> None:
        """End it, with the final standings; what has no end of its own may end after any round.

        Raises:
            ConflictError: results are missing, or there are rounds left and entrants to play them.
        """
        planned = self.planned_rounds
        self._expect("running", *(() if planned else ("paused",)))
        self._expect_complete()
        if planned and not self.is_played_out and self.can_fill_a_table:
            msg = f"{self.id} has rounds left: {len(self.rounds)} of {planned} were played"
            raise ConflictError(msg)
        left: FinishCause = "organiser" if not planned and self.can_fill_a_table else "entrants"
        cause: FinishCause = "rounds" if self.is_played_out else left
        self.record(Finished(**self.stamp(at), cause=cause, standings=self.standings()))

    # --- deciding -------------------------------------------------------------------------------------

    def _expect_half_bye(self, bot: str, number: int) -> None:
        terms = self.terms.pairing
        asked = [at for (who, at), kind in self.requests.items() if who == bot and kind == "half"]
        if len(set(asked) | {number}) > terms.half_byes:
            msg = f"{bot} may ask for {terms.half_byes} byes worth half a win in {self.id}"
            raise ConflictError(msg)
        planned = self.planned_rounds
        if planned and number > planned - terms.last_without:
            msg = f"in the last {terms.last_without} rounds of {self.id} no bye is worth half a win"
            raise ConflictError(msg)

    def _expect_not_aborted(self) -> None:
        if self.stopped is not None:
            msg = f"{self.id} was aborted: {self.stopped.reason}"
            raise ConflictError(msg)

    def _expect_complete(self) -> None:
        if not self.is_complete:
            missing = [table.match for table in self.rounds[-1].tables if not table.is_done]
            msg = f"results are missing: {', '.join(missing)}"
            raise ConflictError(msg)
