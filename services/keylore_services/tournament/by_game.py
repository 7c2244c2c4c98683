"""One game of a tournament of several, as if it had been a tournament of its own."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from keylore_domain.errors import NotFoundError
from keylore_domain.swiss.records import TournamentRecord
from keylore_domain.swiss.rounds import Round
from keylore_domain.swiss.standings import StandingsRow, standings
from keylore_domain.swiss.terms import Terms, game_ids, programme, turn_of


def standings_in(tournament: TournamentRecord, game: str, after: int | None) -> tuple[StandingsRow, ...]:
    """The standings from the tables of one *game* alone, up to round *after* of all, or now.

    A bye counts for as many games of it as tables played in that round.

    Raises:
        NotFoundError: the tournament has no such game, or that round was not paired.
    """
    terms = tournament.terms
    turns = {turn for turn, plays in enumerate(programme(terms)) if plays.game == game}
    if not turns:
        msg = f"{tournament.id} does not play {game!r}; its games: {', '.join(game_ids(terms))}"
        raise NotFoundError(msg)
    rounds = _rounds_of(tournament.rounds_until(after), terms, turns)
    entrants = tuple(tournament.entrants.values())
    return standings(entrants, rounds, _terms_of(terms, len(turns)), tournament.seed)


def _rounds_of(rounds: Sequence[Round], terms: Terms, turns: Collection[int]) -> list[Round]:
    """The rounds in which one game was played, numbered anew, with its tables only."""
    if terms.turns == "rounds":
        rounds = [played for played in rounds if turn_of(terms, played.number, 1) in turns]
    return [
        replace(played, number=number, tables=tuple(one for one in played.tables if one.turn in turns))
        for number, played in enumerate(rounds, 1)
    ]


def _terms_of(terms: Terms, turns: int) -> Terms:
    """The terms with as many games of a table as are of this game."""
    if terms.turns == "rounds":
        return terms
    games = terms.pairing.games * turns // (1 + len(terms.more))
    return replace(terms, pairing=replace(terms.pairing, games=games))
