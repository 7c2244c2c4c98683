"""Terms of a tournament that say how its rounds are paired."""

from typing import Annotated, Final, Literal

import msgspec

FormatName = Literal["swiss", "round_robin", "knockout", "gauntlet", "ladder", "solo"]
System = Literal["tables", "dutch-2026"]
RULESET: Final = "dutch-2026"
Seeding = Literal["lot", "registration", "rating"]
OddTables = Literal["spread", "low", "high"]
Rotation = Literal["rotate", "fixed"]


class PairingTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How rounds are paired.

    ``system``: tables formed by the rules of this package, or ``dutch-2026`` for tables of two: the FIDE
    Dutch System of February 2026, where seat 0 is white and ``first_colour`` that of the first entrant in the
    first round; ``None`` lets the service choose, and is tables where it chose nothing.

    ``seeding``: what orders entrants of equal points: lots that follow from the seed, the order of
    registration, or their ratings. ``smallest``, ``largest``: seats of a table where these differ from what
    ``uneven`` says. ``odd_tables``: who sits at tables of another than the preferred size: those who did so
    least (``spread``), or those with the fewest (``low``) or most points (``high``).

    ``repeats``: whether a round in which somebody must meet again is played or ``refused``. ``repeat_cost``:
    how much spread one repeat meeting is worth; ``None`` for more than any. ``same_author``: whether bots of
    one author may meet; ``apart``: pairs of bots (their ids) that may not. ``forbid``: with ``hard`` a round
    that cannot do without such a meeting is refused; with ``soft`` there are as few as possible.

    ``games``: how many games each table plays in a round; with ``rotate`` everybody moves on by one seat from
    game to game. ``duplicate``: all games of a table have the same deal. ``acceleration``: at tables of two,
    the Baku method. ``half_byes``: how many byes worth half a win a bot may ask for in all, and
    ``last_without`` in how many rounds at the end none. ``late_entry``: the last round that a new bot may
    enter; ``None`` for any.

    ``cycles``: how often everybody meets everybody in a round robin, or each champion in a gauntlet, whose
    ``champions`` are the first of the seeding. ``advance``: how many of a table go on in a knock-out (by
    default half of it), and ``third_place``: whether the losers of the last round before the final play.
    ``memory``: how many rounds back a ladder looks for meetings.
    """

    system: System | None = None
    first_colour: Literal["lot", "white", "black"] = "lot"
    seeding: Seeding = "lot"
    smallest: Annotated[int, msgspec.Meta(ge=2, le=6)] | None = None
    largest: Annotated[int, msgspec.Meta(ge=2, le=6)] | None = None
    odd_tables: OddTables = "spread"
    repeats: Literal["least", "refused"] = "least"
    repeat_cost: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    same_author: Literal["allowed", "apart"] = "allowed"
    apart: tuple[tuple[str, str], ...] = ()
    forbid: Literal["hard", "soft"] = "hard"
    games: Annotated[int, msgspec.Meta(ge=1, le=24)] = 1
    rotation: Rotation = "rotate"
    duplicate: bool = False
    acceleration: Literal["none", "baku"] = "none"
    half_byes: Annotated[int, msgspec.Meta(ge=0, le=100)] = 1
    last_without: Annotated[int, msgspec.Meta(ge=0, le=100)] = 1
    late_entry: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None
    cycles: Annotated[int, msgspec.Meta(ge=1, le=24)] = 1
    champions: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    advance: Annotated[int, msgspec.Meta(ge=1, le=5)] | None = None
    third_place: bool = True
    memory: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 3
