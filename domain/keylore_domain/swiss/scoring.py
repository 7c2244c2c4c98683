"""What a place at a table, or a round without one, is worth; in exact points."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, assert_never

from keylore_domain.swiss.rounds import Placing, PlayedTable, Round
from keylore_domain.swiss.terms import Terms

HALF: Final = Fraction(1, 2)
WHOLE_TABLE: Final = Fraction(100)


def half_points(placing: Placing, ranks: Sequence[int], table_size: int) -> int:
    """What *placing* at a table with these *ranks* is worth: 2 for each seat beaten, 1 for each equal one.

    An empty seat, up to *table_size*, counts as an equal one.
    """
    beaten = sum(rank > placing.rank for rank in ranks)
    equal = sum(rank == placing.rank for rank in ranks) - 1
    return 2 * beaten + equal + table_size - len(ranks)


def table_points(table: PlayedTable, terms: Terms) -> tuple[Fraction, ...]:
    """The points of each seat of a finished *table*, in the order of its placings.

    By FIDE's rules, a game that both seats forfeited gives neither anything.
    """
    placings = table.placings
    if is_void(table, terms):
        return (Fraction(0),) * len(placings)
    match terms.scoring.rule:
        case "game_score":
            return tuple(Fraction(placing.score) for placing in placings)
        case "table_share":
            return tuple(share * WHOLE_TABLE for share in shares([placing.score for placing in placings]))
        case "win_draw_loss":
            return _by_scale(placings, (terms.scoring.win, terms.scoring.loss), terms.scoring.draw)
        case "rank_points" if terms.scoring.scale:
            return _by_scale(placings, terms.scoring.scale)
        case "rank_points":
            ranks = [placing.rank for placing in placings]
            return tuple(HALF * half_points(placing, ranks, terms.table_size) for placing in placings)
        case _:
            assert_never(terms.scoring.rule)


def is_void(table: PlayedTable, terms: Terms) -> bool:
    """Whether every seat of *table* forfeited, and FIDE's rules hold."""
    return terms.scoring.unplayed == "fide" and len(table.forfeited) == len(table.placings)


def shares(scores: Sequence[int]) -> tuple[Fraction, ...]:
    """What part of the scores of a table each one is; a score below 0 counts as 0, all 0 as all equal."""
    counted = [max(score, 0) for score in scores]
    total = sum(counted)
    return tuple(Fraction(score, total) if total else Fraction(1, len(scores)) for score in counted)


def first_points(terms: Terms) -> Fraction:
    """What being alone in first place at a full table is worth; never asked of game scores."""
    scoring = terms.scoring
    match scoring.rule:
        case "win_draw_loss":
            return HALF * scoring.win
        case "rank_points":
            return HALF * scoring.scale[0] if scoring.scale else Fraction(terms.table_size - 1)
        case "table_share" | "game_score":
            return WHOLE_TABLE
        case _:
            assert_never(scoring.rule)


def bye_points(terms: Terms, played: Round) -> Fraction:
    """What a bye in *played* is worth for each game of a table; if asked for, it is worth `mean_points`."""
    match terms.scoring.bye:
        case "zero":
            return Fraction(0)
        case "win":
            return first_points(terms)
        case "mean":
            return mean_points(terms, played)
        case _:
            assert_never(terms.scoring.bye)


def mean_points(terms: Terms, played: Round) -> Fraction:
    """The mean of a full table: a draw, at tables of two; for game scores, of those reached in *played*."""
    scoring = terms.scoring
    match scoring.rule:
        case "win_draw_loss":
            return HALF * scoring.draw
        case "rank_points" if scoring.scale:
            return HALF * Fraction(sum(scoring.scale), len(scoring.scale))
        case "rank_points":
            return HALF * (terms.table_size - 1)
        case "table_share":
            return WHOLE_TABLE / terms.table_size
        case "game_score":
            scores = [placing.score for table in played.tables for placing in table.placings]
            return Fraction(sum(scores), max(len(scores), 1))
        case _:
            assert_never(scoring.rule)


def _by_scale(
    placings: Sequence[Placing], scale: Sequence[int], draw: int | None = None
) -> tuple[Fraction, ...]:
    """Points by place; equal ranks share the mean of their places, or have *draw* each."""
    worth = _stretched(scale, len(placings))
    ranks = [placing.rank for placing in placings]
    points = []
    for rank in ranks:
        equal = ranks.count(rank)
        mean = sum(worth[rank - 1 : rank - 1 + equal], Fraction(0)) / equal
        points.append(HALF * (mean if draw is None or equal == 1 else draw))
    return tuple(points)


def _stretched(scale: Sequence[int], size: int) -> tuple[Fraction, ...]:
    """*scale* over a table of *size*: first and last place keep their worth, the others lie between."""
    if size == len(scale):
        return tuple(map(Fraction, scale))
    worth = []
    for place in range(size):
        at = Fraction(place * (len(scale) - 1), max(size - 1, 1))
        low = int(at)
        high = min(low + 1, len(scale) - 1)
        worth.append(scale[low] + (at - low) * (scale[high] - scale[low]))
    return tuple(worth)
