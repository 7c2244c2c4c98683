"""Tie-breaks from the strength of the opponents.

Buchholz and Sonneborn-Berger have one term for each round; at a larger table it is the mean over the
opponents there, so tables of different size count alike. Rounds without a game are left out, or by FIDE's
rules a virtual opponent takes the place of the real one.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import msgspec

from keylore_domain.swiss.scoring import HALF
from keylore_domain.swiss.sheets import Entry, pair_worth
from keylore_domain.swiss.tiebreaks.field import Field, Tally, Term, averaged, met, summed
from keylore_domain.swiss.tiebreaks.own import percentage

LEAST_PERCENTAGE: Final = Fraction(33, 100)


def opponents_mean(field: Field, bot: str) -> Tally:
    """The mean points of all opponents met; one met twice counts twice."""
    return averaged(_each(field, bot))


def opponents_mean_cut1(field: Field, bot: str) -> Tally:
    """The same without the opponent with the fewest points."""
    return averaged(_without_least(_each(field, bot)))


def opponents_rating(field: Field, bot: str) -> Tally:
    """The mean rating of the rated opponents met, to a whole number, a half up (FIDE C.07 10.1)."""
    terms = [
        Term(entry.round, (one.bot,), Fraction(field.sheets[one.bot].rating))
        for entry in met(field.sheets[bot])
        for one in entry.meetings
        if field.sheets[one.bot].rating > 0
    ]
    return Tally(Fraction((averaged(terms).value + HALF) // 1), tuple(terms), "rounded_mean")


def opponents_percentage(field: Field, bot: str) -> Tally:
    """The mean percentage of points of the opponents met; what byes gave them is left out."""
    return averaged(_percentages(field, bot, Fraction(0)))


def omw(field: Field, bot: str) -> Tally:
    """The same, where no opponent counts less than 33 % (Magic tournament rules, appendix C)."""
    return averaged(_percentages(field, bot, LEAST_PERCENTAGE))


def buchholz(field: Field, bot: str) -> Tally:
    """The sum of the opponents' points (FIDE C.07 8.1)."""
    return summed(_buchholz(field, bot))


def buchholz_cut1(field: Field, bot: str) -> Tally:
    """Buchholz without its least term (FIDE C.07 14.1), unless it is the only one.

    By FIDE's rules, a round that the entrant chose not to play is cut first (16.5).
    """
    return summed(_without_least(_buchholz(field, bot)))


def buchholz_median(field: Field, bot: str) -> Tally:
    """Buchholz without its least and its greatest term (FIDE C.07 14.3), if there are three at least."""
    terms = _buchholz(field, bot)
    if len(terms) < 3:
        return summed(terms)
    cut = _without_least(terms)
    counted = [at for at, term in enumerate(cut) if term.counts]
    greatest = max(counted, key=lambda at: cut[at].amount)
    return summed(_without(cut, greatest))


def sonneborn_berger(field: Field, bot: str) -> Tally:
    """The opponents' points, each times the result against that opponent (FIDE C.07 9.1)."""
    terms = []
    for entry in _counting(field, bot):
        if entry.kind == "played":
            parts = [field.adjusted[one.bot] * one.result for one in entry.meetings]
            amount = sum(parts, Fraction(0)) / len(parts)
        else:
            amount = _virtual(field, bot, entry) * pair_worth(entry, field.terms)
        terms.append(_term(entry, amount))
    return summed(terms)


def _each(field: Field, bot: str) -> list[Term]:
    return [
        Term(entry.round, (one.bot,), field.points[one.bot])
        for entry in met(field.sheets[bot])
        for one in entry.meetings
    ]


def _percentages(field: Field, bot: str, least: Fraction) -> list[Term]:
    return [
        Term(entry.round, (one.bot,), max(percentage(field, one.bot), least))
        for entry in met(field.sheets[bot])
        for one in entry.meetings
    ]


def _counting(field: Field, bot: str) -> Sequence[Entry]:
    sheet = field.sheets[bot]
    return sheet.entries if field.is_fide else met(sheet)


def _buchholz(field: Field, bot: str) -> list[Term]:
    terms = []
    for entry in _counting(field, bot):
        if entry.kind == "played":
            points = [field.adjusted[one.bot] for one in entry.meetings]
            amount = sum(points, Fraction(0)) / len(points)
        else:
            amount = _virtual(field, bot, entry)
        terms.append(_term(entry, amount))
    return terms


def _virtual(field: Field, bot: str, entry: Entry) -> Fraction:
    """The points of the opponent that stands in for an unplayed round (FIDE C.07 16.4).

    It has the entrant's own points, but no more than the opponent of a forfeited game, or than draws in all
    games.
    """
    opponents = [field.adjusted[one.bot] for one in entry.meetings]
    return min(field.points[bot], *(opponents or [field.draw * field.games]))


def _term(entry: Entry, amount: Fraction) -> Term:
    return Term(entry.round, tuple(one.bot for one in entry.meetings), amount, entry.kind)


def _without_least(terms: Sequence[Term]) -> list[Term]:
    """*terms* with the least one cut; of those given away the least, if there are any; never the only one."""
    if len(terms) < 2:
        return list(terms)
    given_away = [at for at, term in enumerate(terms) if term.kind in {"forfeit_loss", "half_bye", "absent"}]
    return _without(terms, min(given_away or range(len(terms)), key=lambda at: terms[at].amount))


def _without(terms: Sequence[Term], cut: int) -> list[Term]:
    return [msgspec.structs.replace(term, counts=term.counts and at != cut) for at, term in enumerate(terms)]
