"""Seats: places in a match, numbered from 0, clockwise."""

from collections.abc import Sequence
from typing import Literal, NewType, TypeVar

T = TypeVar("T")

Seat = NewType("Seat", int)
StartSeat = Literal["random"] | int


def clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All *seats* seats of a match, *first* first, then clockwise."""
    return tuple(Seat((first + step) % seats) for step in range(seats))


def others_clockwise(seat: Seat, seats: int) -> tuple[Seat, ...]:
    """Every other seat, beginning on the left of *seat*."""
    return clockwise(seat, seats)[1:]


def left_of(seat: Seat, seats: int) -> Seat:
    """The next seat clockwise."""
    return Seat((seat + 1) % seats)


def distance(start: Seat, seat: Seat, seats: int) -> int:
    """How many steps clockwise lie between *start* and *seat*; 0 for *start* itself."""
    return (seat - start) % seats


def with_item(values: Sequence[T], index: int, value: T) -> tuple[T, ...]:
    """*values* as a tuple in which entry *index* is *value*."""
    return (*values[:index], value, *values[index + 1 :])
