"""Ratings: the strengths that explain all results at once best, with honest intervals.

The model is Plackett and Luce's: at a table, the first place goes to an entrant with a chance in proportion
to exp(strength), then the second among the rest, and so on; equal ranks count as Breslow has it. Strengths
are normally distributed with mean 0 and deviation 1 to begin with. What is given is the most probable set of
strengths (Newton's method, its equations solved by conjugate gradients).

Every sum here is correctly rounded (`math.fsum`), so neither the order of games nor that of seats or bots
changes a single bit, and equal records give equal ratings. These numbers are reports: floats, and no input of
a pairing unless an organiser registers a bot with one.
"""

from collections.abc import Sequence
from math import exp, fsum, log, log1p, sqrt
from typing import Final

import msgspec

ELO: Final = 400 / log(10)
"""Points of the usual scale for one unit of strength."""

ELO_MEAN: Final = 1500
CONFIDENCE: Final = 1.959964
"""Deviations on either side that hold 95 % of a normal distribution."""

SEAT_PRECISION: Final = 4.0
"""The advantage of a seat has a deviation of a half to begin with."""

DIGITS: Final = 3
_SMALLEST_STEP: Final = 1e-9
_RESIDUAL: Final = 1e-2


class Game(msgspec.Struct, frozen=True):
    """A result at one table: bots in seat order, and their ranks (1 for the best, shared by equals)."""

    bots: tuple[str, ...]
    ranks: tuple[int, ...]


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """How strong a bot is.

    ``strength`` is rounded to three digits, and equal ones share a ``rank``; 1 more means e times the chance
    of being first. The true one lies between ``low`` and ``high`` in 95 of 100 cases. ``points``,
    ``low_points``, ``high_points``: the same on the usual scale, 1500 for the mean.
    """

    rank: int
    bot: str
    strength: float
    error: float
    low: float
    high: float
    points: int
    low_points: int
    high_points: int
    games: int
    firsts: int


class SeatEffect(msgspec.Struct, frozen=True, kw_only=True):
    """How much better a ``seat`` is than the first one, at tables of ``size``, in units of strength."""

    size: int
    seat: int
    effect: float
    error: float


class Ratings(msgspec.Struct, frozen=True, kw_only=True):
    """All bots, the best first, equal ones by id; ``seats`` only where they were asked for."""

    ratings: tuple[Rating, ...]
    seats: tuple[SeatEffect, ...] = ()


def rate(games: Sequence[Game], *, seat_effects: bool = False) -> Ratings:
    """The ratings after all of *games*.

    Args:
        seat_effects: estimate the advantage of each seat too, and take it out of the ratings.
    """
    own: dict[str, list[int]] = {}
    for game in games:
        for bot, rank in zip(game.bots, game.ranks, strict=True):
            own.setdefault(bot, []).append(rank)
    bots = sorted(own)
    seats = sorted({(len(game.bots), seat) for game in games for seat in range(1, len(game.bots))})
    places: list[str | tuple[int, int]] = [*bots, *(seats if seat_effects else ())]
    index = {place: at for at, place in enumerate(places)}
    precision = [1.0] * len(bots) + [SEAT_PRECISION] * (len(places) - len(bots))
    tables = [_table(game, index) for game in games]
    strengths = _most_probable(tables, precision)
    errors = [1 / sqrt(bend) for bend in _Slope(tables, strengths, precision).diagonal]
    return Ratings(
        ratings=_ranked([_rating(bot, own[bot], strengths[index[bot]], errors[index[bot]]) for bot in bots]),
        seats=tuple(
            SeatEffect(
                size=size,
                seat=seat,
                effect=round(strengths[index[size, seat]], DIGITS),
                error=round(errors[index[size, seat]], DIGITS),
            )
            for size, seat in (seats if seat_effects else ())
        ),
    )


_Unknowns = tuple[int, ...]  # whose sum is the strength of a seat: its bot, and the seat itself
_Stage = tuple[int, int]  # of those from a place on, so many share the place


class _Table(msgspec.Struct, frozen=True):
    """A game as the model sees it: the seats from the best on, and for each place who is left for it."""

    seats: tuple[_Unknowns, ...]
    stages: tuple[_Stage, ...]


def _table(game: Game, index: dict[str | tuple[int, int], int]) -> _Table:
    size = len(game.bots)
    seats: list[_Unknowns] = []
    for seat, bot in enumerate(game.bots):
        own = index[bot]
        seats.append((own, index[size, seat]) if (size, seat) in index else (own,))
    order = sorted(range(size), key=game.ranks.__getitem__)
    places = sorted(set(game.ranks))
    return _Table(
        tuple(seats[at] for at in order),
        tuple((place - 1, game.ranks.count(place)) for place in places if place < size),
    )


class _Weighed(msgspec.Struct, frozen=True):
    """A table at some strengths: exp(strength) of each seat, and for each stage the sum of those left.

    ``share`` sums, for each seat, the stages it was left in: how many places over the sum of weights.
    """

    seats: tuple[_Unknowns, ...]
    weights: list[float]
    stages: list[tuple[int, float, float]]
    share: list[float]


def _weighed(table: _Table, strengths: Sequence[float]) -> _Weighed:
    have = _ways(table.seats, strengths)
    greatest = max(have)
    weights = [exp(one - greatest) for one in have]
    stages, share = [], [0.0] * len(weights)
    for start, times in table.stages:
        total = fsum(weights[start:])
        stages.append((start, times / total, total))
        for at in range(start, len(weights)):
            share[at] += times / total
    return _Weighed(table.seats, weights, stages, share)


def _ways(seats: Sequence[_Unknowns], values: Sequence[float]) -> list[float]:
    return [values[one[0]] if len(one) == 1 else values[one[0]] + values[one[1]] for one in seats]


class _Slope:
    """First and second derivatives of the log probability at some strengths."""

    def __init__(
        self, tables: Sequence[_Table], strengths: Sequence[float], precision: Sequence[float]
    ) -> None:
        self._precision = precision
        self._tables = [_weighed(table, strengths) for table in tables]
        gradient = [[-have * much] for have, much in zip(strengths, precision, strict=True)]
        diagonal = [[much] for much in precision]
        for table, weighed in zip(tables, self._tables, strict=True):
            placed = sum(times for _, times in table.stages)
            for place, unknowns in enumerate(weighed.seats):
                weight = weighed.weights[place]
                chance = weight * weighed.share[place]
                bend = chance - weight * weight * _squares(weighed, place)
                for at in unknowns:
                    gradient[at].append((place < placed) - chance)
                    diagonal[at].append(bend)
        self.gradient = list(map(fsum, gradient))
        self.diagonal = list(map(fsum, diagonal))

    def curved(self, direction: Sequence[float]) -> list[float]:
        """The negative second derivatives times *direction*."""
        parts = [[much * x] for much, x in zip(self._precision, direction, strict=True)]
        for table in self._tables:
            ways = _ways(table.seats, direction)
            moved = [weight * way for weight, way in zip(table.weights, ways, strict=True)]
            means = [0.0] * len(ways)
            for start, times, total in table.stages:
                mean = times * fsum(moved[start:]) / total
                for place in range(start, len(ways)):
                    means[place] += mean
            for place, unknowns in enumerate(table.seats):
                bent = moved[place] * table.share[place] - table.weights[place] * means[place]
                for at in unknowns:
                    parts[at].append(bent)
        return list(map(fsum, parts))


def _squares(table: _Weighed, place: int) -> float:
    """For a seat, the stages it was left in: how many places over the squared sum of weights."""
    return sum(times / total for start, times, total in table.stages if start <= place)


def _most_probable(tables: Sequence[_Table], precision: Sequence[float]) -> list[float]:
    """The strengths by Newton's method, until the largest step does not matter.

    Each step is shortened so that it cannot overshoot: as far as strengths at a table move apart, so many
    times, as a power of e, the curvature may change.
    """
    strengths = [0.0] * len(precision)
    unknowns = max((len(seat) for table in tables for seat in table.seats), default=1)
    largest = 1.0
    while largest >= _SMALLEST_STEP:
        step = _solved(_Slope(tables, strengths, precision))
        largest = max(map(abs, step), default=0.0)
        apart = 2 * unknowns * largest
        part = log1p(apart) / apart if apart else 1.0
        strengths = [have + part * move for have, move in zip(strengths, step, strict=True)]
    return strengths


def _solved(slope: _Slope) -> list[float]:
    """The Newton step, by conjugate gradients with the diagonal for a measure."""
    solution = [0.0] * len(slope.gradient)
    residual = slope.gradient
    scaled = [left / size for left, size in zip(residual, slope.diagonal, strict=True)]
    direction, length = scaled, _dot(residual, scaled)
    enough = _RESIDUAL * length
    while length > enough:
        curved = slope.curved(direction)
        far = length / _dot(direction, curved)
        solution = [have + far * one for have, one in zip(solution, direction, strict=True)]
        residual = [left - far * one for left, one in zip(residual, curved, strict=True)]
        scaled = [left / size for left, size in zip(residual, slope.diagonal, strict=True)]
        before, length = length, _dot(residual, scaled)
        direction = [one + length / before * old for one, old in zip(scaled, direction, strict=True)]
    return solution


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return fsum([x * y for x, y in zip(one, other, strict=True)])


def in_points(strength: float) -> int:
    """*strength* on the usual scale, 1500 for the mean."""
    return round(ELO_MEAN + ELO * strength)


def _rating(bot: str, own: Sequence[int], strength: float, error: float) -> Rating:
    low, high = strength - CONFIDENCE * error, strength + CONFIDENCE * error
    return Rating(
        rank=0,
        bot=bot,
        strength=round(strength, DIGITS) + 0.0,
        error=round(error, DIGITS),
        low=round(low, DIGITS),
        high=round(high, DIGITS),
        points=in_points(strength),
        low_points=in_points(low),
        high_points=in_points(high),
        games=len(own),
        firsts=own.count(1),
    )


def _ranked(found: list[Rating]) -> tuple[Rating, ...]:
    ordered = sorted(found, key=lambda one: (-one.strength, one.bot))
    strengths = [one.strength for one in ordered]
    return tuple(msgspec.structs.replace(one, rank=1 + strengths.index(one.strength)) for one in ordered)
