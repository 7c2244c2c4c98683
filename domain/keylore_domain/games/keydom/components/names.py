"""The words of Keydom (ids of colours, tiles, locations) and cubes as values (§2)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal

import msgspec

from keylore_domain.engine.payments import Vector

Colour = Literal["blue", "green", "black", "yellow", "red"]
TileType = Literal["safe", "key", "regalia", "keylore"]
Region = Literal["country", "town", "castle", "chamber"]
Window = Literal[
    "turn", "before_reveal", "after_reveal", "reaction_spell", "reaction_outlaws", "reaction_priest"
]
DonationKind = Literal["excess", "same", "any"]
TheftKind = Literal["cube", "tile"]

COLOURS: Final[tuple[Colour, ...]] = ("blue", "green", "black", "yellow", "red")
TILES: Final[tuple[TileType, ...]] = ("safe", "key", "regalia", "keylore")
COUNTRY: Final = ("harbour", "forest", "quarry", "farm", "brewery")
TOWN: Final = ("soldiers", "trader", "priest", "midwife", "wizard", "outlaws")
CASTLE: Final = ("blacksmith", "locksmith", "goldsmith", "keywood")
LOCATIONS: Final = (*COUNTRY, *TOWN, *CASTLE, "chamber")
SMITHS: Final[Mapping[str, TileType]] = {"blacksmith": "safe", "locksmith": "key", "goldsmith": "regalia"}
REGIONS: Final[Mapping[str, Region]] = {
    **dict.fromkeys(COUNTRY, "country"),
    **dict.fromkeys(TOWN, "town"),
    **dict.fromkeys(CASTLE, "castle"),
    "chamber": "chamber",
}
TRACK_LOCATIONS: Final = ("midwife", "keywood")
SPELL_FREE: Final = ("soldiers", "chamber")  # no window opens there and no spell reaches in (SPL-3, SOL-4)
NUMBERS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9)
START_NUMBERS: Final = NUMBERS[1:]
OPTION_KEYS: Final = (
    "short_game",
    "no_supervisors",
    "letter_a_rule",
    "number_adjustment",
    "face_up_counters",
    "turn_marker_bidding",
    "spells",
    "open_holdings",
    "colour_assignment",
    "round_cap",
)


class Cubes(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cubes by colour, zeros left out: ``{"blue": 2, "red": 1}``."""

    blue: int = 0
    green: int = 0
    black: int = 0
    yellow: int = 0
    red: int = 0


@lru_cache(maxsize=65536)
def cubes(vector: Vector) -> Cubes:
    """*vector* as named cubes."""
    return Cubes(*vector)


def vector(named: Cubes) -> Vector:
    """*named* as a vector in canonical order."""
    return msgspec.structs.astuple(named)
