"""What a director decides next, given a tournament; nothing waits here."""

from collections.abc import Mapping, Sequence

from keylore_domain.engine.events import Origin, SeatEntry
from keylore_domain.errors import ConflictError
from keylore_domain.swiss.rounds import Placing
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.tournament.tables import Forfeit, MatchEnd, MatchSpec


def spec_of(tournament: Tournament, number: int, table: int) -> MatchSpec | None:
    """The match that a table of round *number* plays next; ``None`` if it is not to play."""
    tables = tournament.round(number).tables
    if tournament.status != "running" or table > len(tables) or tables[table - 1].is_done:
        return None
    played = tables[table - 1]
    plays = tournament.plays(played.match)
    return MatchSpec(
        match_id=played.match,
        game=plays.game,
        rules=plays.rules,
        options=plays.options,
        data_text=plays.data_text,
        seats=tuple(SeatEntry(bot, tournament.entrants[bot].name) for bot in played.seats),
        time=plays.time,
        origin=Origin(tournament=tournament.id, round=number, table=table, attempt=played.attempt),
        public_seed=tournament.terms.seed,
        seed_label=tournament.deal_of(played.match),
        forfeits=forfeits_of(tournament, played.match),
    )


def paired_or_finished(
    tournament: Tournament, at: int, engines: Engines, ratings: Mapping[str, int] | None
) -> bool:
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
        tournament.pair_round(at=at, engines=engines, ratings=ratings)
    except ConflictError as refused:
        tournament.pause(at=at, cause=str(refused))
        return False
    return True


def paused(tournament: Tournament, at: int, cause: str) -> None:
    """Pause it, if it runs."""
    if tournament.status == "running":
        tournament.pause(at=at, cause=cause)


def ruled_absent(tournament: Tournament, match: str, bots: Sequence[str], at: int, waited_ms: int) -> bool:
    """Rule on bots that did not come to *match*, if it is still to begin; whether that was done."""
    if tournament.status != "running":
        return False
    return tournament.rule_absence(match, bots, at=at, waited_ms=waited_ms)


def recorded(tournament: Tournament, end: MatchEnd, at: int) -> bool:
    """Record how a match ended; whether there was something to record."""
    if tournament.status == "aborted":
        return False
    if end.outcome is None:
        return tournament.record_abort(end.match_id, at=at, cause=end.cause)
    placings = placings_of(tournament, end)
    return tournament.record_result(end.match_id, placings, at=at, cause=end.cause, forfeited=end.forfeited)


def placings_of(tournament: Tournament, end: MatchEnd) -> tuple[Placing, ...]:
    """The places of the bots of a match that has an outcome."""
    assert end.outcome is not None
    _, table = tournament.table_of(end.match_id)
    return tuple(Placing(table.seats[one.seat], one.rank, one.score) for one in end.outcome.seats)


def forfeits_of(tournament: Tournament, match: str) -> tuple[Forfeit, ...]:
    """The seats that forfeit *match* from its start, because their bots were ruled to be away."""
    ruling = tournament.absences.get(match)
    tables = (table for played in tournament.rounds for table in played.tables)
    seats = next((table.seats for table in tables if table.match == match), ())
    if ruling is None or ruling.then == "play":
        return ()
    cause = f"it was away when the match was to begin, and did not come within {ruling.waited_ms} ms"
    return tuple(Forfeit(seat, cause) for seat, bot in enumerate(seats) if bot in ruling.bots)
