"""What ratings cost: a league of 64 over 21 rounds, tables of four, against choix on the same results.

choix minimises the same function with scipy, but knows no ties and gives no intervals.
"""

from collections.abc import Sequence

import choix

from bench.harness import Row, interleave, ready
from keylore_domain.swiss.ratings import Game, rate
from tests.domain.swiss.rating_leagues import League, bots


def run(quick: bool) -> list[Row]:
    """Every row of this module."""
    games = League(1, rounds=7 if quick else 21).games
    data = placings(games)
    times = interleave(
        {"ours": ready(lambda: rate(games)), "choix": ready(lambda: choix.opt_rankings(64, data, alpha=0.5))},
        rounds=2 if quick else 7,
        units=len(games),
        judged="cpu",
    )
    return [times.at_most("ratings, per table of four: choix", "ours", "choix", 1.0)]


def placings(games: Sequence[Game]) -> list[tuple[int, ...]]:
    """Each game as choix wants it: who was first, second and so on."""
    number = {bot: at for at, bot in enumerate(bots(64))}
    return [
        tuple(number[bot] for _, bot in sorted(zip(game.ranks, game.bots, strict=True))) for game in games
    ]
