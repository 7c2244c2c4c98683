"""Corrections: rulings on results, pairings and entrants. Each says who ruled, why, and on what ground."""

from collections.abc import Collection, Sequence
from typing import Final

from msgspec.structs import replace

from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_domain.swiss.certificates import certificate_of
from keylore_domain.swiss.events import EntrantRemoved, ResultOverridden, RoundRepaired
from keylore_domain.swiss.formats.ladder import mean_ratings
from keylore_domain.swiss.history import History
from keylore_domain.swiss.pairing import Pairing
from keylore_domain.swiss.records import Status, TournamentRecord, match_id
from keylore_domain.swiss.rounds import (
    PastResults,
    Placing,
    PlayedTable,
    Result,
    Round,
    RulingKind,
    is_ranking,
)
from keylore_domain.swiss.rulings import counted, forfeited, overridden
from keylore_domain.swiss.systems import NO_ENGINES, Engines

MOST_TEXT: Final = 1000


class CorrectableTournament(TournamentRecord):
    """A tournament in which something may be put right."""

    def override_result(
        self,
        match: str,
        kind: RulingKind,
        *,
        at: int,
        by: str,
        reason: str,
        ground: str = "",
        placings: Sequence[Placing] = (),
        losers: Sequence[str] = (),
        begun: Collection[str] = (),
    ) -> None:
        """Let something else count at the table of *match* than what the match gave, or will give.

        Later rounds stay as they were paired; the next one is paired by what counts then.

        Args:
            kind: see `ResultOverridden`.
            by: who rules; *reason*: why; *ground*: what it rests on, such as ``dispute/7``, or empty.
            placings: of all seats, in seat order, where *kind* is ``places``.
            losers: the bots that lose it, where *kind* is ``forfeit``.
            begun: matches that are known to have begun, though the tournament has no word of them yet.

        Raises:
            NotFoundError: no table has such a match.
            ConflictError: it counts like that already, the match has no result of its own to go back to, or
                who goes on in a knock-out would change after the next round has begun.
            OptionError: the ruling does not fit the table or the format, or *by* or *reason* are missing.
        """
        self._expect("running", "paused", "finished", "aborted")
        check_ruling(by, reason, ground)
        number, table = self.table_of(match)
        if table.match != match:
            msg = f"{match} was aborted; {table.match} is played instead"
            raise ConflictError(msg)
        counting, out = self._counting(table, kind, placings, losers)
        event = ResultOverridden(
            **self.stamp(at),
            match=match,
            round=number,
            table=table.number,
            kind=kind,
            placings=counting,
            forfeited=out,
            losers=tuple(losers) if kind == "forfeit" else (),
            by=by,
            reason=reason,
            ground=ground,
        )
        self._expect_no_change_of_course(number, overridden(table, event), begun)
        self.record(event)

    def repair_round(
        self,
        *,
        at: int,
        by: str,
        reason: str,
        ground: str = "",
        byes: Sequence[str] = (),
        confirmed: int | None = None,
        begun: Collection[str] = (),
        engines: Engines = NO_ENGINES,
    ) -> Pairing:
        """Pair the last round again, by what is known now; none of its tables may have started.

        Args:
            byes: who has a bye by this ruling, whatever the rules of byes say.
            confirmed: so many byes in all are accepted, where more follow than those in *byes*.
            begun: matches that are known to have begun, though the tournament has no word of them yet.
            engines: by ruleset, what works out rounds that the domain only checks.

        Raises:
            NotFoundError: one of *byes* never registered.
            ConflictError: the tournament is not paused, no round waits to be played, there is no such
                round, or more byes would follow than were confirmed.
            OptionError: one of *byes* does not play in that round, or its schedule says who has a bye.
        """
        check_ruling(by, reason, ground)
        inputs = self.repair_inputs(byes, begun)
        pairing = self.format.pair(inputs, engines)
        expect_byes(inputs, pairing, confirmed)
        attempt = 1 + max((table.attempt for table in self.rounds[-1].tables), default=0)
        numbers = range(1, len(pairing.tables) * inputs.games + 1)
        self.record(
            RoundRepaired(
                **self.stamp(at),
                round=inputs.round,
                replaces=self.pairings[-1].originator_version,
                inputs=inputs,
                pairing=pairing,
                certificate=certificate_of(inputs, pairing),
                matches=tuple(match_id(self.name, inputs.round, number, attempt) for number in numbers),
                byes=inputs.ruled_byes,
                confirmed=confirmed,
                by=by,
                reason=reason,
                ground=ground,
            )
        )
        return pairing

    def remove_entrant(
        self,
        bot: str,
        *,
        at: int,
        by: str,
        reason: str,
        ground: str = "",
        results: PastResults | None = None,
    ) -> None:
        """Let *bot* take part no more, and rank it behind all others.

        A table at which it sits is still played, unless its tables are void.

        Args:
            results: what becomes of its tables, see `EntrantRemoved`; by default they keep their results,
                but in a round robin of which it has played less than half, they are void.

        Raises:
            NotFoundError: it never registered.
            ConflictError: it was removed already.
            OptionError: in a knock-out results are kept, since others went on by them; or *by* or *reason*
                are missing.
        """
        self._expect("registering", "running", "paused", "finished", "aborted")
        check_ruling(by, reason, ground)
        if bot not in self.entrants:
            msg = f"{bot} is not registered in {self.id}"
            raise NotFoundError(msg)
        if bot in self.removals:
            msg = f"{bot} was removed already"
            raise ConflictError(msg)
        chosen = self.results_of_removed(bot) if results is None else results
        if chosen != "keep" and self.format.going_on is not None:
            raise OptionError("results", f"others went on by their results against {bot}", "keep")
        self.record(
            EntrantRemoved(
                **self.stamp(at),
                bot=bot,
                results=chosen,
                by=by,
                reason=reason,
                ground=ground,
            )
        )

    def results_of_removed(self, bot: str) -> PastResults:
        """What becomes of the tables of *bot* if it is removed now and nothing else is said.

        In a round robin everybody shall have met the same opponents: of less than half they do not count.
        """
        played = sum(any(bot in table.seats for table in one.tables if table.is_done) for one in self.rounds)
        is_early = self.terms.format == "round_robin" and 2 * played < self.planned_rounds
        return "void" if is_early and self.rounds else "keep"

    def repair_inputs(self, byes: Sequence[str], begun: Collection[str] = ()) -> History:
        """The inputs of the last round if it is paired again now; arguments and errors as for `repair_round`.

        A ladder goes by the ratings by which that round was paired first.
        """
        self._expect("paused")
        self._expect_unplayed_round(begun)
        self._check_byes(byes)
        past = replace(self.past_of(len(self.rounds)), ruled_byes=tuple(byes))
        if self.terms.format == "ladder":
            first = {one.bot: one.paired_by for one in self.pairings[-1].inputs.entrants}
            past = replace(past, ratings={**mean_ratings(past), **first})
        return self.format.inputs(past)

    # --- deciding -------------------------------------------------------------------------------------

    def _expect(self, *allowed: Status) -> None:
        if self.status not in allowed:
            msg = f"{self.id} is {self.status}; it would have to be {' or '.join(allowed)}"
            raise ConflictError(msg)

    def _counting(
        self, table: PlayedTable, kind: RulingKind, placings: Sequence[Placing], losers: Sequence[str]
    ) -> tuple[tuple[Placing, ...], tuple[int, ...]]:
        """The placings and the forfeited seats that count by a ruling."""
        if kind == "places":
            check_placings(table, placings)
            return tuple(placings), ()
        if kind == "forfeit":
            result = forfeited(table.seats, _known(table), _seats_of(table, losers))
            return result.placings, result.forfeited
        if kind == "void":
            if self.format.going_on is not None:
                problem = "void: somebody has to go on from each table"
                raise OptionError("ruling", problem, "places, forfeit, original")
            return (), ()
        if table.played is None:
            msg = f"{table.match} has no result of its own yet"
            raise ConflictError(msg)
        return table.played.placings, table.played.forfeited

    def _expect_no_change_of_course(self, number: int, table: PlayedTable, begun: Collection[str]) -> None:
        """Check that *table* of round *number*, as it will be, says something new, and changes no course."""
        before = self.round(number).tables[table.number - 1]
        after = counted(table, self.removals)
        if _result(before) == _result(after):
            msg = f"that is what counts at {table.match} already"
            raise ConflictError(msg)
        later = [one for played in self.rounds[number:] for one in played.tables]
        if self.format.going_on is None or not any(self._has_begun(one, begun) for one in later):
            return
        past = self.past_of(number + 1)
        changed = replace(past, rounds=(*past.rounds[:-1], with_table(past.rounds[-1], after)))
        if self.format.going_on(past) != self.format.going_on(changed):
            msg = f"others would go on from round {number} of {self.id}, but round {number + 1} has begun"
            raise ConflictError(msg)

    def _expect_unplayed_round(self, begun: Collection[str]) -> None:
        if not self.rounds:
            msg = f"no round of {self.id} was paired yet"
            raise ConflictError(msg)
        last = self.rounds[-1]
        played = [table.match for table in last.tables if self._has_begun(table, begun)]
        if played or not last.tables:
            what = f"{played[0]} has begun" if played else "it has no tables"
            msg = f"round {last.number} of {self.id} cannot be paired again: {what}"
            raise ConflictError(msg)

    def _has_begun(self, table: PlayedTable, begun: Collection[str]) -> bool:
        """Whether *table* is known to have been played, or ruled upon."""
        aborted = any(event.next == table.match for event in self.aborted)
        return aborted or table.match in begun or table.played is not None or table.ruling is not None

    def _check_byes(self, byes: Sequence[str]) -> None:
        for bot in byes:
            if bot not in self.entrants:
                msg = f"{bot} is not registered in {self.id}"
                raise NotFoundError(msg)
        if byes and self.terms.format not in {"swiss", "ladder"}:
            raise OptionError("byes", f"they follow from the schedule of a {self.terms.format}", "none")
        past = self.past_of(len(self.rounds))
        playing = [one.bot for one in past.entrants if one.active and one.bot not in past.asked]
        for bot in byes:
            if bot not in playing or byes.count(bot) > 1:
                problem = "stands there twice" if bot in playing else "does not play in that round"
                raise OptionError("byes", f"{bot} {problem}", ", ".join(playing) or "none")


def expect_byes(inputs: History, pairing: Pairing, confirmed: int | None) -> None:
    """Check that a round with byes by ruling has no others, or as many in all as were confirmed.

    Raises:
        ConflictError: it has; says how many there would be.
    """
    ruled, found = len(inputs.ruled_byes), len(pairing.byes)
    left = f"{len(inputs.entrants)} entrants are left for tables of {inputs.table_size}"
    if ruled and found > ruled and confirmed is None:
        msg = f"{left}, so {found - ruled} more would have a bye, {found} in all; confirm {found} byes"
        raise ConflictError(msg)
    if confirmed is not None and confirmed != found:
        msg = f"{left}: {found} byes in all, not the {confirmed} that were confirmed"
        raise ConflictError(msg)


def check_placings(table: PlayedTable, placings: Sequence[Placing]) -> None:
    """Check that *placings* are a result of *table*.

    Raises:
        OptionError: these are not its bots, in the order of seats, or their ranks are no ranking.
    """
    bots = tuple(placing.bot for placing in placings)
    if bots != table.seats:
        raise OptionError("placings", f"are of {', '.join(bots) or 'nobody'}", ", ".join(table.seats))
    if not is_ranking([placing.rank for placing in placings]):
        allowed = "1 for the best, shared by equals, then as many on as shared it (1, 2, 2, 4)"
        raise OptionError("placings", f"have ranks {[placing.rank for placing in placings]}", allowed)


def check_ruling(by: str, reason: str, ground: str) -> None:
    """Check that a ruling says who made it and why.

    Raises:
        OptionError: *by* or *reason* is empty, or a text is too long.
    """
    checked_text("by", by, "who rules")
    checked_text("reason", reason, "why")
    checked_text("ground", ground, "what it rests on", may_be_empty=True)


def checked_text(field: str, text: str, what: str, *, may_be_empty: bool = False) -> str:
    """*text*, if it says something.

    Raises:
        OptionError: it is empty or too long.
    """
    if not text.strip() and not may_be_empty:
        raise OptionError(field, "is empty", f"a text that says {what}")
    if len(text) > MOST_TEXT:
        raise OptionError(field, f"has {len(text)} characters", f"up to {MOST_TEXT} characters")
    return text


def with_table(played: Round, table: PlayedTable) -> Round:
    """*played* with *table* in its place."""
    tables = tuple(table if one.number == table.number else one for one in played.tables)
    return replace(played, tables=tables)


def _known(table: PlayedTable) -> Result | None:
    """What counts now of a table that is to be lost by some; ``None`` if there is nothing."""
    if table.placings:
        return Result(placings=table.placings, cause=table.cause, forfeited=table.forfeited)
    return table.played


def _seats_of(table: PlayedTable, losers: Sequence[str]) -> list[int]:
    for bot in losers:
        if bot not in table.seats:
            raise OptionError("losers", f"{bot} does not sit at {table.match}", ", ".join(table.seats))
    if not losers:
        raise OptionError("losers", "nobody is named", ", ".join(table.seats))
    return [table.seats.index(bot) for bot in losers]


def _result(table: PlayedTable) -> object:
    return table.placings, table.forfeited, table.void
