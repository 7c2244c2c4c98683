"""The field: all score sheets of a tournament, as the tie-breaks see them, and what a tie-break gives."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from keylore_domain.swiss.rounds import Entrant, Round
from keylore_domain.swiss.scoring import mean_points
from keylore_domain.swiss.sheets import Entry, Kind, Sheet, sheets_of
from keylore_domain.swiss.terms import Terms

How = Literal["sum", "mean", "rounded_mean", "order"]


class Term(msgspec.Struct, frozen=True):
    """One part of a value: the round, whom it is about, how much it adds.

    ``counts`` is false for a part that is cut. ``kind`` says what round it was for the entrant.
    """

    round: int
    bots: tuple[str, ...]
    amount: Fraction
    kind: Kind = "played"
    counts: bool = True


class Tally(msgspec.Struct, frozen=True):
    """A value, greater is better, and how it comes about.

    ``how``: it is the sum or the mean of the terms that count, or their mean rounded to a whole number (a
    half up); or they put the tied entrants in an order, and it says how many of these come behind.
    """

    value: Fraction
    terms: tuple[Term, ...] = ()
    how: How = "sum"


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the tie-breaks look at.

    ``points``: of each entrant. ``adjusted``: the same as opponents count it. ``rounds``: paired so far.
    ``games``: how many there were for each entrant in these.
    ``draw``: the points of a draw; used with FIDE's rules only. ``seed``: decides lots.
    """

    terms: Terms
    seed: str
    rounds: int
    games: int
    sheets: Mapping[str, Sheet]
    points: Mapping[str, Fraction]
    adjusted: Mapping[str, Fraction]
    draw: Fraction

    @property
    def is_fide(self) -> bool:
        """Whether unplayed rounds are treated by FIDE's rules."""
        return self.terms.scoring.unplayed == "fide"


def field_of(entrants: Sequence[Entrant], rounds: Sequence[Round], terms: Terms, seed: str) -> Field:
    """The field after *rounds*."""
    sheets = sheets_of(entrants, rounds, terms)
    points = {bot: sheet.points for bot, sheet in sheets.items()}
    is_fide = terms.scoring.unplayed == "fide"
    draw = mean_points(terms, rounds[-1]) if rounds else Fraction(0)
    return Field(
        terms=terms,
        seed=seed,
        rounds=len(rounds),
        games=len(rounds) * terms.pairing.games,
        sheets=sheets,
        points=points,
        adjusted={bot: _adjusted(sheet, draw) for bot, sheet in sheets.items()} if is_fide else points,
        draw=draw,
    )


def summed(terms: Sequence[Term]) -> Tally:
    """The sum of those of *terms* that count."""
    return Tally(sum((term.amount for term in terms if term.counts), Fraction(0)), tuple(terms))


def averaged(terms: Sequence[Term]) -> Tally:
    """The mean of those of *terms* that count; 0 if there are none."""
    counted = [term.amount for term in terms if term.counts]
    return Tally(sum(counted, Fraction(0)) / max(len(counted), 1), tuple(terms), "mean")


def _adjusted(sheet: Sheet, draw: Fraction) -> Fraction:
    """The points that opponents count (FIDE C.07 16.3).

    Rounds that the entrant chose not to play are draws, unless it came back later.
    """
    total = Fraction(0)
    came_back = False
    for entry in reversed(sheet.entries):
        came_back = came_back or not entry.is_given_away
        total += draw if entry.is_requested and not came_back else entry.points
    return total


def met(sheet: Sheet) -> Sequence[Entry]:
    """The rounds in which the entrant met opponents."""
    return [entry for entry in sheet.entries if entry.kind == "played"]
