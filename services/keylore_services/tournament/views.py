"""What is shown of a tournament; every value is plain, so that it can be printed or sent as JSON."""

from collections.abc import Mapping

import msgspec

from keylore_domain.swiss.absences import AbsenceRule
from keylore_domain.swiss.checks import reasons
from keylore_domain.swiss.duplicates import PairedScore, paired_scores
from keylore_domain.swiss.history import Record
from keylore_domain.swiss.problem import Cost
from keylore_domain.swiss.records import Status, TournamentRecord
from keylore_domain.swiss.rounds import Entrant, PlayedTable, Result, Ruling
from keylore_domain.swiss.rulings import RULED
from keylore_domain.swiss.standings import StandingsRow
from keylore_domain.swiss.terms import Terms, game_ids
from keylore_services.tournament.by_game import standings_in
from keylore_services.tournament.effects import correction_text
from keylore_services.tournament.luck import deals_of


class TournamentCard(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a list; ``round`` is the last one paired, ``winners`` are known at the end.

    ``rounds``: how many there will be, as far as is known; 0 for no end.
    """

    id: str
    name: str
    title: str
    games: tuple[str, ...]
    status: Status
    entrants: int
    round: int
    rounds: int
    winners: tuple[str, ...]


class AbortedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match that ended without a result, why, and the match that its table plays instead."""

    match: str
    cause: str
    next: str


class CorrectionLine(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling of the record: the number of its event, when, what was ruled, by whom, why, on what ground."""

    event: int
    at: int
    what: str
    by: str
    reason: str
    ground: str


class AbsenceLine(msgspec.Struct, frozen=True, kw_only=True):
    """Bots (their ids) that did not come to a match in time, and what follows from that by the terms."""

    match: str
    bots: tuple[str, ...]
    waited_ms: int
    then: AbsenceRule


class TournamentView(msgspec.Struct, frozen=True, kw_only=True):
    """All about a tournament but its rounds and standings.

    ``round`` is the last one paired; ``rounds``: how many there will be, as far as is known; 0 for no end.
    ``waiting_for``: matches of the last round whose results are missing. ``pause_cause``: why it is paused,
    if it is; ``stop_cause``, ``stopped_by``: why and by whom it was aborted, if it was. ``absences``: what
    was ruled on bots that were away when their match was to begin. ``corrections``: what was ruled, in order.
    """

    id: str
    name: str
    status: Status
    terms: Terms
    data: tuple[str, ...]
    created: int
    entrants: tuple[Entrant, ...]
    round: int
    rounds: int
    waiting_for: tuple[str, ...]
    aborted: tuple[AbortedMatch, ...]
    pause_cause: str
    stop_cause: str
    stopped_by: str
    absences: tuple[AbsenceLine, ...]
    corrections: tuple[CorrectionLine, ...]


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a table: who sits there, with how many half points it came, and how it did.

    ``rank`` and ``score`` are ``None`` until the result is in. ``seat_before``: how often it had this seat
    before.
    """

    bot: str
    name: str
    half_points: int
    seat_before: int
    rank: int | None
    score: int | None


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """One table of a round and why it is as it is.

    ``met_before``: pairs that shared a table in earlier rounds, and how often; ``must_not_meet``: pairs that
    should not have. Tables of one ``pod`` seat the same bots; ``game`` counts their games, ``plays`` is what
    is played, such as ``keydom``. ``ruling``: what was ruled about its result; then ``played`` is what the
    match gave. A ``void`` table gives nobody anything.
    """

    number: int
    match: str
    pod: int
    game: int
    plays: str
    attempt: int
    seats: tuple[SeatView, ...]
    met_before: tuple[tuple[str, str, int], ...]
    must_not_meet: tuple[tuple[str, str], ...]
    cost: Cost
    cause: str
    void: bool
    ruling: Ruling | None
    played: Result | None


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """One round: its tables, who has a bye, and how good the pairing is.

    ``half_byes`` and ``away``: who asked for a bye, worth half a win or nothing.
    """

    tournament: str
    number: int
    rounds: int
    is_complete: bool
    tables: tuple[TableView, ...]
    byes: tuple[str, ...]
    half_byes: tuple[str, ...]
    away: tuple[str, ...]
    algorithm: str
    cost: Cost
    bound: Cost
    proved: bool


class StandingsView(msgspec.Struct, frozen=True, kw_only=True):
    """The standings after a round; ``is_final`` if nothing will change any more.

    ``game``: the only one that counts, of several; ``None`` for all. ``paired``: who scored more than luck
    over deals that several games share; empty where none do.
    """

    tournament: str
    title: str
    round: int
    rounds: int
    is_complete: bool
    is_final: bool
    rows: tuple[StandingsRow, ...]
    paired: tuple[PairedScore, ...]
    game: str | None = None


def card_of(tournament: TournamentRecord) -> TournamentCard:
    """One line about *tournament*."""
    final = tournament.standings() if tournament.finished else ()
    return TournamentCard(
        id=tournament.id,
        name=tournament.name,
        title=tournament.terms.title or tournament.name,
        games=game_ids(tournament.terms),
        status=tournament.status,
        entrants=len(tournament.entrants),
        round=len(tournament.rounds),
        rounds=tournament.planned_rounds,
        winners=tuple(row.bot for row in final if row.rank == 1),
    )


def view_of(tournament: TournamentRecord) -> TournamentView:
    """All about *tournament*."""
    tables = tournament.rounds[-1].tables if tournament.rounds else ()
    return TournamentView(
        id=tournament.id,
        name=tournament.name,
        status=tournament.status,
        terms=tournament.terms,
        data=tournament.entry.data,
        created=tournament.entry.at,
        entrants=tuple(tournament.entrants.values()),
        round=len(tournament.rounds),
        rounds=tournament.planned_rounds,
        waiting_for=tuple(table.match for table in tables if not table.is_done),
        aborted=tuple(
            AbortedMatch(match=event.match, cause=event.cause, next=event.next)
            for event in tournament.aborted
        ),
        pause_cause=tournament.pause_cause if tournament.status == "paused" else "",
        stop_cause=tournament.stopped.reason if tournament.stopped else "",
        stopped_by=tournament.stopped.by if tournament.stopped else "",
        absences=tuple(
            AbsenceLine(match=one.match, bots=one.bots, waited_ms=one.waited_ms, then=one.then)
            for one in tournament.absences.values()
        ),
        corrections=tuple(
            CorrectionLine(
                event=one.originator_version,
                at=one.at,
                what=correction_text(one),
                by=one.by,
                reason=one.reason,
                ground=one.ground,
            )
            for one in tournament.corrections
        ),
    )


def round_of(tournament: TournamentRecord, number: int) -> RoundView:
    """Round *number* of *tournament*.

    Raises:
        NotFoundError: it was not paired.
    """
    played = tournament.round(number)
    event = tournament.pairings[number - 1]
    known = reasons(event.inputs, event.pairing)
    brought = {record.bot: record for record in event.inputs.entrants}
    return RoundView(
        tournament=tournament.id,
        number=number,
        rounds=tournament.planned_rounds,
        is_complete=played.is_complete,
        tables=tuple(
            TableView(
                number=table.number,
                match=table.match,
                pod=table.pod,
                game=table.game,
                plays=tournament.plays(table.match).game,
                attempt=table.attempt,
                seats=_seats(tournament, table, brought),
                met_before=known[table.pod - 1].met_before,
                must_not_meet=known[table.pod - 1].must_not_meet,
                cost=known[table.pod - 1].cost,
                cause=table.cause,
                void=table.void,
                ruling=table.ruling,
                played=table.played if table.cause == RULED else None,
            )
            for table in played.tables
        ),
        byes=played.byes,
        half_byes=played.half_byes,
        away=event.inputs.away,
        algorithm=event.pairing.algorithm,
        cost=event.pairing.cost,
        bound=event.pairing.bound,
        proved=event.pairing.proved,
    )


def standings_of(tournament: TournamentRecord, after: int | None, game: str | None = None) -> StandingsView:
    """The standings of *tournament* after round *after*, or now; in one *game* of several, or in all.

    Raises:
        NotFoundError: that round was not paired, or there is no such game.
    """
    rows = tournament.standings(after) if game is None else standings_in(tournament, game, after)
    reached = len(tournament.rounds) if after is None else after
    return StandingsView(
        tournament=tournament.id,
        title=tournament.terms.title or tournament.name,
        round=reached,
        rounds=tournament.planned_rounds,
        is_complete=all(played.is_complete for played in tournament.rounds[:reached]),
        is_final=tournament.status == "finished" and reached == len(tournament.rounds),
        rows=rows,
        paired=paired_scores(deals_of(tournament, after)),
        game=game,
    )


def _seats(
    tournament: TournamentRecord, table: PlayedTable, brought: Mapping[str, Record]
) -> tuple[SeatView, ...]:
    placed = {placing.bot: placing for placing in table.placings}
    return tuple(
        SeatView(
            bot=bot,
            name=tournament.entrants[bot].name,
            half_points=brought[bot].half_points,
            seat_before=brought[bot].seats[seat],
            rank=placed[bot].rank if placed else None,
            score=placed[bot].score if placed else None,
        )
        for seat, bot in enumerate(table.seats)
    )
