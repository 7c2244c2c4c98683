"""Ladder: no end, or as many rounds as the terms say; entrants of near rating sit together.

Ratings are handed in; without, an entrant's rating is its mean points per round, drawn towards the middle
while it has played little. Only the last rounds count as meetings.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from keylore_domain.swiss.formats.kinds import Format, anything
from keylore_domain.swiss.history import History
from keylore_domain.swiss.inputs import Past, history_of, meetings
from keylore_domain.swiss.pairing import Pairing, pair
from keylore_domain.swiss.scoring import table_points
from keylore_domain.swiss.systems import Engines

_DOUBT: Final = 2  # as many rounds at the middle are added to each entrant's own
_SCALE: Final = 100


def mean_ratings(past: Past) -> Mapping[str, int]:
    """Hundredths of the points that each bot has had per game, with two games at the mean of all added."""
    points: Counter[str] = Counter()
    games: Counter[str] = Counter()
    exact: dict[str, Fraction] = {}
    for played in past.rounds:
        for table in played.tables:
            for bot, worth in zip(table.seats, table_points(table, past.terms), strict=False):
                exact[bot] = exact.get(bot, Fraction(0)) + worth
                games[bot] += 1
    total = sum(exact.values(), Fraction(0))
    middle = total / games.total() if games else Fraction(0)
    for one in past.entrants:
        own = exact.get(one.bot, Fraction(0)) + _DOUBT * middle
        points[one.bot] = int(_SCALE * own / (games[one.bot] + _DOUBT))
    return points


def _inputs(past: Past) -> History:
    ratings = mean_ratings(past) if past.ratings is None else past.ratings
    base = history_of(past)
    records = [replace(one, level=ratings.get(one.bot, 0)) for one in base.entrants]
    place = {one.bot: at for at, one in enumerate(base.entrants)}
    records.sort(key=lambda one: -one.paired_by)  # stable: equal ones stay in the order of points and seeding
    memory = past.terms.pairing.memory
    recent = past.rounds[len(past.rounds) - memory :] if memory < len(past.rounds) else past.rounds
    order = {place[one.bot]: at for at, one in enumerate(records)}
    forbidden = sorted(tuple(sorted((order[one], order[other]))) for one, other in base.forbidden)
    return replace(
        base,
        entrants=tuple(records),
        meetings=meetings([one.bot for one in records], recent if memory else ()),
        forbidden=tuple((one, other) for one, other in forbidden),
    )


def _pair(history: History, _: Engines) -> Pairing:
    return pair(history)


def _rounds(past: Past) -> int:
    return past.terms.rounds


def _is_over(past: Past) -> bool:
    return 0 < past.terms.rounds <= len(past.rounds)


LADDER: Final = Format(check=anything, inputs=_inputs, pair=_pair, rounds=_rounds, is_over=_is_over)
