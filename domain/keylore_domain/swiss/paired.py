"""From the event that paired a round to the round: its tables, their matches and their seats."""

from keylore_domain.swiss.events import RoundPaired, RoundRepaired
from keylore_domain.swiss.rounds import PlayedTable, Round, rotated
from keylore_domain.swiss.terms import Terms, turn_of


def round_of(event: RoundPaired | RoundRepaired, terms: Terms, attempt: int = 1) -> Round:
    """The round that *event* says, on *terms*; its matches are attempt number *attempt* of their tables."""
    games = event.inputs.games
    return Round(
        number=event.round,
        tables=tuple(
            PlayedTable(
                number=at + 1,
                seats=_turned(event, at),
                match=match,
                pod=at // games + 1,
                game=at % games + 1,
                turn=turn_of(terms, event.round, at % games + 1),
                attempt=attempt,
            )
            for at, match in enumerate(event.matches)
        ),
        byes=event.pairing.byes,
        half_byes=event.pairing.half_byes,
        idle=event.pairing.idle,
        away=event.inputs.away,
    )


def _turned(event: RoundPaired | RoundRepaired, match: int) -> tuple[str, ...]:
    """The seats of match number *match* (from 0) of a round."""
    inputs = event.inputs
    seats = event.pairing.tables[match // inputs.games].seats
    return rotated(seats, match % inputs.games) if inputs.rotation == "rotate" else seats
