"""What the stored events of a tournament say: entrants, rounds, results, and the questions about them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from keylore_domain.engine.aggregates import Aggregate, Event
from keylore_domain.errors import NotFoundError, ReplayMismatchError
from keylore_domain.swiss.events import (
    Aborted,
    AbsenceRuled,
    ByeRequested,
    Created,
    EntrantRegistered,
    EntrantRemoved,
    EntrantWithdrawn,
    Finished,
    MatchAborted,
    MeetingRuled,
    Paused,
    ResultOverridden,
    ResultRecorded,
    Resumed,
    RoundPaired,
    RoundRepaired,
    Started,
)
from keylore_domain.swiss.explaining import Explanation, explain
from keylore_domain.swiss.formats.kinds import Format, Places
from keylore_domain.swiss.formats.table import FORMATS
from keylore_domain.swiss.game_terms import Plays
from keylore_domain.swiss.history import History
from keylore_domain.swiss.inputs import ByeKind, Past
from keylore_domain.swiss.paired import round_of
from keylore_domain.swiss.rounds import Entrant, PlayedTable, Removal, Result, Round
from keylore_domain.swiss.rulings import counted, overridden
from keylore_domain.swiss.standings import StandingsRow, standings
from keylore_domain.swiss.terms import Terms, programme, smallest_table

Correction = ResultOverridden | RoundRepaired | EntrantRemoved
Status = Literal["new", "registering", "running", "paused", "finished", "aborted"]


def tournament_id(name: str) -> str:
    """The id of a tournament by its name."""
    return f"t/{name}"


def match_id(name: str, number: int, table: int, attempt: int = 1) -> str:
    """The id of the match at a table of round *number* of the tournament *name*."""
    base = f"m/{name}/r{number}/t{table}"
    return base if attempt == 1 else f"{base}/a{attempt}"


class TournamentRecord(Aggregate):
    """Entrants, rounds and results of one tournament.

    Attributes:
        created: the first event: name and terms.
        entrants: by bot id, in order of registration.
        rounds: those paired so far; only the last can be incomplete.
        pairings: the pairing of each round.
        replaced: pairings of rounds that were paired again, in order.
        corrections: what was ruled about results, pairings and entrants, in order.
        removals: who was removed, by bot.
        aborted: matches that ended without a result.
        absences: rulings on bots that were away when a match was to begin, by match.
        finished: the last event, once the tournament is over.
        stopped: the last event, if the tournament was aborted.
        pause_cause: why it was paused last.
        rulings: pairs of bots, in order of their ids, that must stay apart or may meet by a ruling.
        requests: byes that were asked for, by bot and round.
    """

    def __init__(self, aggregate_id: str) -> None:
        super().__init__(aggregate_id)
        self.status: Status = "new"
        self.created: Created | None = None
        self.entrants: dict[str, Entrant] = {}
        self.rounds: list[Round] = []
        self.pairings: list[RoundPaired | RoundRepaired] = []
        self.replaced: list[RoundPaired | RoundRepaired] = []
        self.corrections: list[Correction] = []
        self.removals: dict[str, Removal] = {}
        self.aborted: list[MatchAborted] = []
        self.absences: dict[str, AbsenceRuled] = {}
        self.finished: Finished | None = None
        self.stopped: Aborted | None = None
        self.pause_cause = ""
        self.rulings: dict[tuple[str, str], bool] = {}
        self.requests: dict[tuple[str, int], ByeKind] = {}
        self._places: dict[str, tuple[int, int]] = {}  # match id -> round and table

    # --- questions ------------------------------------------------------------------------------------

    @property
    def entry(self) -> Created:
        """The first event."""
        assert self.created is not None
        return self.created

    @property
    def name(self) -> str:
        """The name in its id."""
        return self.entry.name

    @property
    def terms(self) -> Terms:
        """What was fixed at the start."""
        return self.entry.terms

    @property
    def active(self) -> tuple[Entrant, ...]:
        """The entrants that would be paired now."""
        return tuple(entrant for entrant in self.entrants.values() if entrant.active)

    @property
    def can_fill_a_table(self) -> bool:
        """Whether enough entrants are active for a round."""
        return len(self.active) >= smallest_table(self.terms)

    @property
    def is_complete(self) -> bool:
        """Whether no result is missing."""
        return not self.rounds or self.rounds[-1].is_complete

    @property
    def is_played_out(self) -> bool:
        """Whether all rounds were paired."""
        return self.format.is_over(self.past)

    @property
    def format(self) -> Format:
        """The format that the terms name."""
        return FORMATS[self.terms.format]

    @property
    def planned_rounds(self) -> int:
        """How many rounds there will be, as far as is known; 0 for no end."""
        return self.format.rounds(self.past)

    @property
    def seed(self) -> str:
        """The text from which all lots of the tournament follow."""
        return self.id if self.terms.seed is None else self.terms.seed

    @property
    def past(self) -> Past:
        """All that the next pairing may depend on."""
        return self.past_of(len(self.rounds) + 1)

    def past_of(self, number: int) -> Past:
        """All that the pairing of round *number* depends on, if it is paired now."""
        return Past(
            seed=self.seed,
            terms=self.terms,
            entrants=tuple(self.entrants.values()),
            rounds=tuple(self.rounds[: number - 1]),
            rulings=self.rulings,
            asked={bot: kind for (bot, at), kind in self.requests.items() if at == number},
        )

    def history(self, ratings: Mapping[str, int] | None = None) -> History:
        """The inputs of the next pairing.

        Args:
            ratings: what a ladder goes by, if not by its own results.
        """
        return self.format.inputs(msgspec.structs.replace(self.past, ratings=ratings))

    def standings(self, after: int | None = None) -> tuple[StandingsRow, ...]:
        """The standings now, or after round *after*.

        Raises:
            NotFoundError: that round was not paired.
        """
        past = msgspec.structs.replace(self.past, rounds=tuple(self.rounds_until(after)))
        rows = standings(past.entrants, past.rounds, self.terms, self.seed)
        places = self.format.places
        return rows if places is None else _by_places(rows, places(past))

    def explain(self, bot: str, after: int | None = None) -> Explanation:
        """Why *bot* stands where it does now, or after round *after*.

        Raises:
            NotFoundError: it is no entrant, or that round was not paired.
        """
        rounds = self.rounds_until(after)
        by_course = self.format.places is not None
        ranks = {row.bot: row.rank for row in self.standings(after)} if by_course else None
        return explain(tuple(self.entrants.values()), rounds, self.terms, bot, self.seed, ranks=ranks)

    def rounds_until(self, after: int | None) -> Sequence[Round]:
        """The rounds up to number *after*, or all.

        Raises:
            NotFoundError: that round was not paired.
        """
        if after is not None and not 0 <= after <= len(self.rounds):
            msg = f"{self.id} has {len(self.rounds)} rounds, not {after}"
            raise NotFoundError(msg)
        return self.rounds[:after]

    def round(self, number: int) -> Round:
        """Round *number*, from 1.

        Raises:
            NotFoundError: it was not paired.
        """
        if not 1 <= number <= len(self.rounds):
            asked = f"round {number}" if number else "round"
            msg = f"{self.id} has no {asked} yet; rounds paired: {len(self.rounds)}"
            raise NotFoundError(msg)
        return self.rounds[number - 1]

    def table_of(self, match: str) -> tuple[int, PlayedTable]:
        """The round and the table at which *match* is or was played.

        Raises:
            NotFoundError: there is none.
        """
        if match not in self._places:
            msg = f"{match} is not a match of {self.id}"
            raise NotFoundError(msg)
        number, table = self._places[match]
        return number, self.rounds[number - 1].tables[table - 1]

    def deal_of(self, match: str) -> str | None:
        """The label of the deal that *match* shares with others; ``None`` if it has one of its own.

        Raises:
            NotFoundError: there is no such match.
        """
        number, table = self.table_of(match)
        if self.terms.format == "solo":
            return f"{self.name}/r{number}/g{table.game}"
        if self.terms.pairing.duplicate:
            one_of_several = f"/g{table.turn + 1}" if self.terms.more else ""
            return f"{self.name}/r{number}/p{table.pod}{one_of_several}"
        return None

    def plays(self, match: str) -> Plays:
        """The game that *match* is, and on which terms.

        Raises:
            NotFoundError: there is no such match.
        """
        _, table = self.table_of(match)
        return programme(self.terms)[table.turn]

    # --- applying -------------------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        """Take over what *event* says.

        Raises:
            ReplayMismatchError: it is not an event of a tournament.
        """
        if type(event) not in _APPLY:
            msg = f"{type(event).__name__} is not an event of a tournament"
            raise ReplayMismatchError(msg, event.originator_version)
        _APPLY[type(event)](self, event)

    def _created(self, event: Created) -> None:
        self.created, self.status = event, "registering"

    def _goes_on(self, _: Started | Resumed) -> None:
        self.status = "running"

    def _pauses(self, event: Paused) -> None:
        self.status, self.pause_cause = "paused", event.cause

    def _ended(self, event: Finished) -> None:
        self.finished, self.status = event, "finished"

    def _stops(self, event: Aborted) -> None:
        self.stopped, self.status = event, "aborted"

    def _away(self, event: AbsenceRuled) -> None:
        self.absences[event.match] = event

    def _withdrawn(self, event: EntrantWithdrawn) -> None:
        self._activate(event.bot, active=False)

    def _ruled(self, event: MeetingRuled) -> None:
        self.rulings[event.bots] = event.apart

    def _registered(self, event: EntrantRegistered) -> None:
        if event.bot in self.entrants:
            self._activate(event.bot, active=True)
        else:
            number = len(self.entrants) + 1
            self.entrants[event.bot] = Entrant(
                bot=event.bot,
                name=event.name,
                number=number,
                rating=event.rating,
                author=event.author,
            )

    def _activate(self, bot: str, *, active: bool) -> None:
        self.entrants[bot] = msgspec.structs.replace(self.entrants[bot], active=active)

    def _removed(self, event: EntrantRemoved) -> None:
        self.entrants[event.bot] = msgspec.structs.replace(
            self.entrants[event.bot], active=False, removed=True
        )
        self.removals[event.bot] = Removal(event=event.originator_version, results=event.results)
        self.corrections.append(event)
        for played in list(self.rounds):
            for table in played.tables:
                if event.bot in table.seats:
                    self._put(played.number, table)

    def _repaired(self, event: RoundRepaired) -> None:
        attempt = 1 + max((table.attempt for table in self.rounds[-1].tables), default=0)
        for table in self.rounds.pop().tables:
            del self._places[table.match]
        self.replaced.append(self.pairings.pop())
        self.corrections.append(event)
        self._paired(event, attempt)

    def _paired(self, event: RoundPaired | RoundRepaired, attempt: int = 1) -> None:
        played = round_of(event, self.terms, attempt)
        self.rounds.append(played)
        self.pairings.append(event)
        self._places.update({table.match: (event.round, table.number) for table in played.tables})

    def _bye(self, event: ByeRequested) -> None:
        if event.kind == "none":
            del self.requests[event.bot, event.round]
        else:
            self.requests[event.bot, event.round] = event.kind

    def _aborted(self, event: MatchAborted) -> None:
        number, table = self.table_of(event.match)
        self.aborted.append(event)
        self._places[event.next] = number, table.number
        self._put(number, msgspec.structs.replace(table, match=event.next, attempt=table.attempt + 1))

    def _result(self, event: ResultRecorded) -> None:
        table = self.round(event.round).tables[event.table - 1]
        result = Result(placings=event.placings, cause=event.cause, forfeited=event.forfeited)
        self._put(event.round, msgspec.structs.replace(table, played=result))

    def _overridden(self, event: ResultOverridden) -> None:
        table = self.round(event.round).tables[event.table - 1]
        self.corrections.append(event)
        self._put(event.round, overridden(table, event))

    def _put(self, number: int, table: PlayedTable) -> None:
        """Put *table* in its place in round *number*, with what counts of it now."""
        played = self.rounds[number - 1]
        tables = list(played.tables)
        tables[table.number - 1] = counted(table, self.removals)
        self.rounds[number - 1] = msgspec.structs.replace(played, tables=tuple(tables))


_APPLY: Final[Mapping[type[Event], Callable[[TournamentRecord, Any], None]]] = {
    Created: TournamentRecord._created,
    EntrantRegistered: TournamentRecord._registered,
    EntrantWithdrawn: TournamentRecord._withdrawn,
    EntrantRemoved: TournamentRecord._removed,
    ByeRequested: TournamentRecord._bye,
    MeetingRuled: TournamentRecord._ruled,
    Started: TournamentRecord._goes_on,
    RoundPaired: TournamentRecord._paired,
    RoundRepaired: TournamentRecord._repaired,
    MatchAborted: TournamentRecord._aborted,
    ResultRecorded: TournamentRecord._result,
    ResultOverridden: TournamentRecord._overridden,
    Paused: TournamentRecord._pauses,
    Resumed: TournamentRecord._goes_on,
    AbsenceRuled: TournamentRecord._away,
    Finished: TournamentRecord._ended,
    Aborted: TournamentRecord._stops,
}


def _by_places(rows: Sequence[StandingsRow], places: Places) -> tuple[StandingsRow, ...]:
    """*rows* with the ranks of their groups; within a group in their own order."""
    ranks: dict[str, int] = {}
    for group in places:
        ranks |= dict.fromkeys(group, len(ranks) + 1)
    ordered = sorted(rows, key=lambda row: ranks[row.bot])
    return tuple(msgspec.structs.replace(row, rank=ranks[row.bot]) for row in ordered)
