"""Tie-breaks from what an entrant did itself."""

from fractions import Fraction

from keylore_domain.swiss.scoring import first_points
from keylore_domain.swiss.sheets import Entry
from keylore_domain.swiss.tiebreaks.field import Field, Tally, Term, summed


def progressive(field: Field, bot: str) -> Tally:
    """The sum of the points after each round (FIDE C.07 7.5): who won early counts more."""
    total, reached = Fraction(0), []
    gained: dict[int, Fraction] = {}
    for entry in field.sheets[bot].entries:
        gained[entry.round] = gained.get(entry.round, Fraction(0)) + entry.points
    for number in range(1, field.rounds + 1):
        total += gained.get(number, Fraction(0))
        reached.append(Term(number, (), total))
    return summed(reached)


def first_places(field: Field, bot: str) -> Tally:
    """Tables at which it was first, alone or shared."""
    return _counted([entry for entry in field.sheets[bot].games if entry.rank == 1])


def wins(field: Field, bot: str) -> Tally:
    """Rounds that gave as much as being alone in first place, played or not (FIDE C.07 7.1)."""
    won_byes = field.terms.scoring.bye == "win"
    return _counted(
        [entry for entry in field.sheets[bot].entries if entry.is_first or (won_byes and entry.kind == "bye")]
    )


def won(field: Field, bot: str) -> Tally:
    """Games that were played, with it alone in first place (FIDE C.07 7.2)."""
    return _counted([one for one in field.sheets[bot].entries if one.is_first and one.kind == "played"])


def score(field: Field, bot: str) -> Tally:
    """The sum of the game scores."""
    games = field.sheets[bot].games
    return summed([Term(entry.round, _bots(entry), Fraction(entry.score), entry.kind) for entry in games])


def table_share(field: Field, bot: str) -> Tally:
    """The sum of the parts of each table's game score."""
    games = field.sheets[bot].games
    return summed([Term(entry.round, _bots(entry), entry.share, entry.kind) for entry in games])


def fewest_forfeits(field: Field, bot: str) -> Tally:
    """Each match that it forfeited counts -1."""
    lost = [entry for entry in field.sheets[bot].games if entry.is_forfeit]
    return summed([Term(entry.round, _bots(entry), Fraction(-1), entry.kind) for entry in lost])


def percentage(field: Field, bot: str) -> Fraction:
    """The points it took at tables, of which there is one, as a part of what first places are worth."""
    games = [entry for entry in field.sheets[bot].entries if entry.kind == "played"]
    return sum((entry.points for entry in games), Fraction(0)) / (len(games) * first_points(field.terms))


def _counted(entries: list[Entry]) -> Tally:
    return summed([Term(entry.round, _bots(entry), Fraction(1), entry.kind) for entry in entries])


def _bots(entry: Entry) -> tuple[str, ...]:
    return tuple(meeting.bot for meeting in entry.meetings)
