"""What cubes are worth on the way to the tiles of Keydom."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Json: TypeAlias = Mapping[str, Any]
Cubes: TypeAlias = tuple[int, ...]

COLOURS: Final = ("blue", "green", "black", "yellow", "red")
HOMES: Final = {"harbour": 0, "forest": 1, "quarry": 2, "farm": 3, "brewery": 4}
SMITHS: Final = {"blacksmith": "safe", "locksmith": "key", "goldsmith": "regalia"}
PRICES: Final = {"safe": (4, 4), "key": (2, 2, 2, 2), "regalia": (2, 2, 2, 1, 1)}
TOWARDS_A_TILE: Final = 6
SPARE: Final = 2


def cubes_of(named: Json | None) -> Cubes:
    """Named cubes as a tuple in canonical order."""
    return tuple((named or {}).get(colour, 0) for colour in COLOURS)


def plus(held: Cubes, colour: int, count: int) -> Cubes:
    """*held* with *count* more of a colour."""
    return (*held[:colour], held[colour] + count, *held[colour + 1 :])


def covered(held: Cubes, price: tuple[int, ...]) -> int:
    """How many squares of a price the cubes cover, the richest colours first."""
    return sum(min(have, due) for have, due in zip(sorted(held, reverse=True), price, strict=False))


def paid(held: Cubes, price: tuple[int, ...]) -> Cubes | None:
    """What is left of *held* after *price* is paid from the richest colours, if it can be."""
    if covered(held, price) < sum(price):
        return None
    order = sorted(range(len(held)), key=lambda at: -held[at])
    left = list(held)
    for at, due in zip(order, price, strict=False):
        left[at] -= due
    return tuple(left)


def worth(held: Cubes, missing: tuple[str, ...]) -> int:
    """What cubes are worth to a seat that still wants the *missing* tiles of the smiths."""
    towards = sum(covered(held, PRICES[tile]) for tile in missing)
    return TOWARDS_A_TILE * towards + SPARE * sum(held)
