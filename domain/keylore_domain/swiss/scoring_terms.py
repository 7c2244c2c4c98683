"""The terms of a tournament that say how results become points, and what decides among equals."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal, get_args

import msgspec

from keylore_domain.errors import OptionError

ScoringRule = Literal["rank_points", "win_draw_loss", "table_share", "game_score"]

TieBreak = Literal[
    "head_to_head",
    "direct_encounter",
    "opponents_mean",
    "opponents_mean_cut1",
    "buchholz",
    "buchholz_cut1",
    "buchholz_median",
    "sonneborn_berger",
    "progressive",
    "first_places",
    "wins",
    "won",
    "score",
    "table_share",
    "opponents_rating",
    "opponents_percentage",
    "omw",
    "fewest_forfeits",
    "lot",
]

DEFAULT_TIE_BREAKS: Final[tuple[TieBreak, ...]] = ("head_to_head", "opponents_mean", "first_places", "score")


class Scoring(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How results become points; all numbers are half points.

    ``rank_points``: at a table of n, rank r is worth n - r points; equal ranks share the mean of their
    places. That is one point for each seat beaten and half a point for each seat drawn with, and an empty
    seat counts as drawn with: a smaller table has the same mean. With a ``scale``, the places of a full table
    are worth what it says, best first, and a smaller table is stretched over it.
    ``win_draw_loss``: ``win``, ``draw`` and ``loss`` at tables of two.
    ``table_share``: 100 points, divided at each table in proportion to the game scores.
    ``game_score``: the game score itself.

    ``bye`` is worth the ``mean`` of a table, a ``win`` (what the first of a table gets) or ``zero``, for each
    game that tables play in a round; a bye that was asked for is worth the mean. ``unplayed``: in tie-breaks,
    rounds without a game are ``left_out``, or treated by the rules of FIDE (C.07 article 16 of 2026, tables
    of two only), where a forfeited game is an unplayed one.
    """

    rule: ScoringRule = "rank_points"
    scale: tuple[int, ...] = ()
    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: Literal["mean", "win", "zero"] = "mean"
    unplayed: Literal["left_out", "fide"] = "left_out"


def check_tie_breaks(raw: object) -> None:
    """Check that *raw* is a list of tie-breaks.

    Raises:
        OptionError: it is not, or one is unknown or stands there twice.
    """
    known = get_args(TieBreak)
    allowed = "a list, each at most once, of " + ", ".join(known)
    if not isinstance(raw, list | tuple):
        raise OptionError("tie_breaks", f"{raw!r} is not allowed", allowed)
    for at, name in enumerate(raw):
        if name not in known:
            raise OptionError("tie_breaks", f"there is no {name!r}", allowed)
        if name in raw[:at]:
            raise OptionError("tie_breaks", f"{name!r} stands there twice", allowed)


def check_scoring(scoring: Scoring, tie_breaks: Sequence[TieBreak], table_size: int) -> None:
    """Check that the parts of *scoring* go together, and with tie-breaks and tables.

    Raises:
        OptionError: they do not; names the field.
    """
    if table_size > 2:
        if scoring.rule == "win_draw_loss":
            raise OptionError(
                "rule", "win_draw_loss is for tables of 2", "rank_points, table_share, game_score"
            )
        if scoring.unplayed == "fide":
            raise OptionError("unplayed", "fide is for tables of 2", "left_out")
    _check_game_scores(scoring, tie_breaks)
    if not scoring.loss <= scoring.draw <= scoring.win or scoring.loss == scoring.win:
        raise OptionError(
            "win", "a win must be worth most and a loss least", "win >= draw >= loss, not all equal"
        )
    _check_scale(scoring, table_size)


def _check_game_scores(scoring: Scoring, tie_breaks: Sequence[TieBreak]) -> None:
    if scoring.unplayed == "fide" and scoring.rule not in {"rank_points", "win_draw_loss"}:
        raise OptionError("unplayed", f"fide does not know {scoring.rule}", "left_out")
    if scoring.rule == "game_score":
        if scoring.bye == "win":
            raise OptionError("bye", "nobody knows what score would win", "mean, zero")
        for name in ("omw", "opponents_percentage"):
            if name in tie_breaks:
                raise OptionError("tie_breaks", f"game scores have no percentage for {name}", "leave it out")


def _check_scale(scoring: Scoring, table_size: int) -> None:
    scale = scoring.scale
    if not scale:
        return
    if scoring.rule != "rank_points":
        raise OptionError("scale", f"is not for {scoring.rule}", "leave it out")
    falls = all(better >= worse for better, worse in pairwise(scale)) and scale[0] > scale[-1] >= 0
    if len(scale) != table_size or not falls:
        allowed = f"{table_size} whole numbers, none below 0, falling from the first to the last"
        raise OptionError("scale", f"{', '.join(map(str, scale))} is not allowed", allowed)
