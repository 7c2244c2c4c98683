"""Standings: points and tie-breaks, recounted from the results.

All is exact: points are fractions and never rounded. Values are written as texts, ``7`` or ``7/2``, which
`fractions.Fraction` reads.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby

import msgspec

from keylore_domain.swiss.rounds import Entrant, Round, finished_tables
from keylore_domain.swiss.scoring import bye_points, mean_points, table_points
from keylore_domain.swiss.scoring_terms import TieBreak
from keylore_domain.swiss.terms import Terms
from keylore_domain.swiss.tiebreaks.encounters import head_to_head
from keylore_domain.swiss.tiebreaks.field import Field, Tally, field_of, met
from keylore_domain.swiss.tiebreaks.own import first_places, score
from keylore_domain.swiss.tiebreaks.table import tallies


class StandingsRow(msgspec.Struct, frozen=True, kw_only=True):
    """Where an entrant stands, with everything that decided it, in the order in which it decides.

    ``points``: see `Scoring`; then ``values``, one for each tie-break of the terms, greater is better. Who is
    equal in all shares a ``rank`` and is listed in order of registration (``number``). Who was ``removed``
    stands behind all others, whatever its points.

    For reports: ``half_points``, the points in halves, rounded down (pairing looks at them).
    ``head_to_head``: among those with the same points, seats beaten less seats lost to at shared tables.
    ``opponents_half_points`` of ``opponents`` met (one met twice counts twice). ``wins``: first places,
    shared ones included. ``score``: sum of the game scores.
    """

    rank: int
    bot: str
    name: str
    half_points: int
    head_to_head: int
    opponents_half_points: int
    opponents: int
    wins: int
    score: int
    played: int
    byes: int
    active: bool
    number: int
    removed: bool = False
    points: str = ""
    values: tuple[str, ...] = ()


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant's place: its rank, and the tallies of the tie-breaks, in their order."""

    bot: str
    rank: int
    tallies: tuple[Tally, ...]


def totals(rounds: Sequence[Round], terms: Terms) -> Counter[str]:
    """The half points of each bot after *rounds*, rounded down."""
    total: dict[str, Fraction] = {}
    for table in finished_tables(rounds):
        for placing, points in zip(table.placings, table_points(table, terms), strict=True):
            total[placing.bot] = total.get(placing.bot, Fraction(0)) + points
    games = terms.pairing.games
    for played in rounds:
        for bot in played.byes:
            total[bot] = total.get(bot, Fraction(0)) + games * bye_points(terms, played)
        for bot in played.half_byes:
            total[bot] = total.get(bot, Fraction(0)) + games * mean_points(terms, played)
    return Counter({bot: _halves(points) for bot, points in total.items()})


def standings(
    entrants: Sequence[Entrant], rounds: Sequence[Round], terms: Terms, seed: str = ""
) -> tuple[StandingsRow, ...]:
    """All *entrants* after *rounds*, the best first; withdrawn ones stay listed with what they have.

    Args:
        seed: decides lots, if the terms ask for them.
    """
    field = field_of(entrants, rounds, terms, seed)
    known = {entrant.bot: entrant for entrant in entrants}
    byes = Counter(bot for played in rounds for bot in played.byes)
    balance = _balance(field)
    return tuple(_row(field, known[one.bot], one, balance[one.bot], byes[one.bot]) for one in placed(field))


def placed(field: Field) -> tuple[Placed, ...]:
    """Everybody's place, the best first, equal ones in order of registration, removed ones behind all."""
    sheets, points = field.sheets, field.points
    order = sorted(sheets, key=lambda bot: (sheets[bot].removed, -points[bot], sheets[bot].number))
    equal = groupby(order, key=lambda bot: (sheets[bot].removed, points[bot]))
    groups = [list(group) for _, group in equal]
    found: dict[str, list[Tally]] = {bot: [] for bot in order}
    for name in field.terms.tie_breaks:
        groups = [part for group in groups for part in _split(field, name, group, found)]
    ranked: list[Placed] = []
    for group in groups:
        rank = len(ranked) + 1
        ranked += [Placed(bot=bot, rank=rank, tallies=tuple(found[bot])) for bot in group]
    return tuple(ranked)


def _split(
    field: Field, name: TieBreak, group: Sequence[str], found: Mapping[str, list[Tally]]
) -> list[list[str]]:
    """*group* by the values of a tie-break, the greatest first; each value is added to those *found*."""
    values = tallies(name, field, group)
    for bot in group:
        found[bot].append(values[bot])
    order = sorted(group, key=lambda bot: values[bot].value, reverse=True)  # stable: by registration
    return [list(part) for _, part in groupby(order, key=lambda bot: values[bot].value)]


def _balance(field: Field) -> dict[str, int]:
    order = sorted(field.sheets, key=field.points.__getitem__)
    found: dict[str, int] = {}
    for _, group in groupby(order, key=field.points.__getitem__):
        found |= {bot: int(tally.value) for bot, tally in head_to_head(field, list(group)).items()}
    return found


def _row(field: Field, entrant: Entrant, place: Placed, balance: int, byes: int) -> StandingsRow:
    sheet, points = field.sheets[entrant.bot], field.points[entrant.bot]
    opponents = [one.bot for entry in met(sheet) for one in entry.meetings]
    return StandingsRow(
        rank=place.rank,
        bot=entrant.bot,
        name=entrant.name,
        half_points=_halves(points),
        head_to_head=balance,
        opponents_half_points=sum(_halves(field.points[bot]) for bot in opponents),
        opponents=len(opponents),
        wins=int(first_places(field, entrant.bot).value),
        score=int(score(field, entrant.bot).value),
        played=len(sheet.games),
        byes=byes,
        active=entrant.active,
        number=entrant.number,
        removed=entrant.removed,
        points=str(points),
        values=tuple(str(tally.value) for tally in place.tallies),
    )


def _halves(points: Fraction) -> int:
    return int(2 * points // 1)
