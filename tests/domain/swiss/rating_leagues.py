"""Simulated leagues with known strengths, for the tests and the bench of ratings."""

from collections.abc import Sequence
from math import log
from random import Random

from keylore_domain.swiss.ratings import Game, Ratings, rate


def bots(count: int) -> list[str]:
    return [f"bot/b{number:03}" for number in range(count)]


class League:
    """Entrants of normally distributed strength, seated by points, with Plackett-Luce results.

    Attributes:
        strengths: the true ones, by bot.
        games: of all rounds.
    """

    def __init__(
        self, seed: int, *, entrants: int = 64, size: int = 4, rounds: int = 21, edges: Sequence[float] = ()
    ) -> None:
        self._random = Random(seed)
        self._edges = edges or (0.0,) * size
        names = bots(entrants)
        self.strengths = {bot: self._random.gauss(0, 1) for bot in names}
        self.games: list[Game] = []
        points = dict.fromkeys(names, 0)
        for _ in range(rounds):
            order = sorted(names, key=lambda bot: (-points[bot], self._random.random()))
            for start in range(0, entrants, size):
                game = self._play(order[start : start + size])
                self.games.append(game)
                for bot, rank in zip(game.bots, game.ranks, strict=True):
                    points[bot] += size - rank

    def _play(self, seats: list[str]) -> Game:
        self._random.shuffle(seats)
        luck = [
            self.strengths[bot] + edge - log(-log(self._random.random()))
            for bot, edge in zip(seats, self._edges, strict=True)
        ]
        return Game(tuple(seats), tuple(1 + sum(other > own for other in luck) for own in luck))

    def fit(self) -> tuple[float, float]:
        """Kendall's tau of the ratings, and the share of true strengths in their intervals."""
        found = rate(self.games)
        return tau(self.strengths, found), covered(self.strengths, found)


def tau(strengths: dict[str, float], found: Ratings) -> float:
    """Kendall's tau between true strengths and ratings."""
    pairs = [(strengths[one.bot], one.strength) for one in found.ratings]
    signs = [
        1 if (true - other_true) * (own - other_own) > 0 else -1
        for at, (true, own) in enumerate(pairs)
        for other_true, other_own in pairs[:at]
    ]
    return sum(signs) / len(signs)


def covered(strengths: dict[str, float], found: Ratings) -> float:
    """The share of true strengths inside the intervals, after a linear fit."""
    true = [strengths[one.bot] for one in found.ratings]
    own = [one.strength for one in found.ratings]
    mean_true, mean_own = sum(true) / len(true), sum(own) / len(own)
    spread = sum((x - mean_own) ** 2 for x in own)
    slope = sum((x - mean_own) * (y - mean_true) for x, y in zip(own, true, strict=True)) / spread
    inside = [
        mean_true + slope * (one.low - mean_own) <= y <= mean_true + slope * (one.high - mean_own)
        for one, y in zip(found.ratings, true, strict=True)
    ]
    return sum(inside) / len(inside)
