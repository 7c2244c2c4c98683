"""Standings: points and tie-breaks, recounted from the results.

All points are whole numbers of half points, so nothing is ever rounded.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

import msgspec

from keylore_domain.swiss.rounds import Entrant, Placing, PlayedTable, Round, finished_tables
from keylore_domain.swiss.terms import Terms


class StandingsRow(msgspec.Struct, frozen=True, kw_only=True):
    """Where an entrant stands, with everything that decided it, in the order in which it decides.

    ``half_points``: see `Scoring`. ``head_to_head``: among those with the same points, seats beaten less
    seats lost to at shared tables. ``opponents_half_points`` of ``opponents`` met (one met twice counts
    twice): their mean decides, so byes and smaller tables neither help nor hurt. ``wins``: first places,
    shared ones included. ``score``: sum of the game scores. Who is equal in all shares a ``rank`` and is
    listed in order of registration (``number``).
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


def half_points(placing: Placing, ranks: Sequence[int], table_size: int) -> int:
    """What *placing* at a table with these *ranks* is worth: 2 for each seat beaten, 1 for each equal one.

    An empty seat, up to *table_size*, counts as an equal one.
    """
    beaten = sum(rank > placing.rank for rank in ranks)
    equal = sum(rank == placing.rank for rank in ranks) - 1
    return 2 * beaten + equal + table_size - len(ranks)


def bye_half_points(terms: Terms) -> int:
    """What a bye is worth."""
    return terms.table_size - 1 if terms.scoring.bye == "mean" else 0


def totals(rounds: Sequence[Round], terms: Terms) -> Counter[str]:
    """The half points of each bot after *rounds*."""
    total: Counter[str] = Counter()
    for table in finished_tables(rounds):
        ranks = [placing.rank for placing in table.placings]
        for placing in table.placings:
            total[placing.bot] += half_points(placing, ranks, terms.table_size)
    for played in rounds:
        for bot in played.byes:
            total[bot] += bye_half_points(terms)
    return total


def standings(entrants: Sequence[Entrant], rounds: Sequence[Round], terms: Terms) -> tuple[StandingsRow, ...]:
    """All *entrants* after *rounds*, the best first; withdrawn ones stay listed with what they have."""
    total = totals(rounds, terms)
    tables = tuple(finished_tables(rounds))
    own = _by_bot(tables)
    byes = Counter(bot for played in rounds for bot in played.byes)
    rows = [_row(entrant, total, own.get(entrant.bot, ()), byes[entrant.bot]) for entrant in entrants]
    rows.sort(key=lambda row: (-row.half_points, row.number))
    tied = (list(group) for _, group in groupby(rows, key=lambda row: row.half_points))
    return _ranked([row for group in tied for row in _among(group, tables)])


_Played = tuple[PlayedTable, Placing]


def _by_bot(tables: Sequence[PlayedTable]) -> dict[str, list[_Played]]:
    own: dict[str, list[_Played]] = {}
    for table in tables:
        for placing in table.placings:
            own.setdefault(placing.bot, []).append((table, placing))
    return own


def _row(entrant: Entrant, total: Mapping[str, int], own: Sequence[_Played], byes: int) -> StandingsRow:
    met = [bot for table, _ in own for bot in table.seats if bot != entrant.bot]
    return StandingsRow(
        rank=0,
        bot=entrant.bot,
        name=entrant.name,
        half_points=total.get(entrant.bot, 0),
        head_to_head=0,
        opponents_half_points=sum(total.get(bot, 0) for bot in met),
        opponents=len(met),
        wins=sum(placing.rank == 1 for _, placing in own),
        score=sum(placing.score for _, placing in own),
        played=len(own),
        byes=byes,
        active=entrant.active,
        number=entrant.number,
    )


def _among(group: list[StandingsRow], tables: Sequence[PlayedTable]) -> Iterator[StandingsRow]:
    """The rows of *group*, which have the same points, with their head-to-head values."""
    bots = {row.bot for row in group}
    balance: Counter[str] = Counter()
    for table in tables:
        shared = [placing for placing in table.placings if placing.bot in bots]
        for placing in shared:
            balance[placing.bot] += sum(other.rank > placing.rank for other in shared)
            balance[placing.bot] -= sum(other.rank < placing.rank for other in shared)
    return (msgspec.structs.replace(row, head_to_head=balance[row.bot]) for row in group)


def _ranked(rows: list[StandingsRow]) -> tuple[StandingsRow, ...]:
    ordered = sorted(rows, key=lambda row: (_deciding(row), -row.number), reverse=True)
    ranked: list[StandingsRow] = []
    for place, row in enumerate(ordered):
        shares = place > 0 and _deciding(row) == _deciding(ordered[place - 1])
        ranked.append(msgspec.structs.replace(row, rank=ranked[-1].rank if shares else place + 1))
    return tuple(ranked)


def _deciding(row: StandingsRow) -> tuple[int, int, Fraction, int, int]:
    mean = Fraction(row.opponents_half_points, max(row.opponents, 1))
    return row.half_points, row.head_to_head, mean, row.wins, row.score
