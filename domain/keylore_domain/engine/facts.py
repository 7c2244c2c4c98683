"""Facts: what the rules did, step by step, after a move or at set-up.

A fact is a small tagged record. It is stored whole in the event of the move that caused it; what a viewer
may see of it is decided by the game's ``redact``.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec

from keylore_domain.engine.seats import Seat


def snake_case(name: str) -> str:
    """``CounterPlaced`` as ``counter_placed``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Fact(msgspec.Struct, frozen=True, tag_field="fact", tag=snake_case):
    """Base of all facts; the wire name is the class name in snake case.

    ``rule`` cites the paragraph that the fact carries out, e.g. ``keydom §6 RES-4``.
    """

    rule: ClassVar[str] = ""


Redactions = Mapping[type[Fact], Callable[[Any, Seat | None], Fact]]
"""For the types of fact that hold secrets: what a viewer may know of one."""


def redacted(fact: Fact, viewer: Seat | None, redactions: Redactions) -> Fact:
    """What *viewer* may know of *fact*; all of it if its type has no redaction."""
    hide = redactions.get(type(fact))
    return fact if hide is None else hide(fact, viewer)


class ChanceDrawn(Fact, frozen=True):
    """A chance point was drawn; ``outcome`` is null for a viewer who may not know it."""

    point: str
    outcome: tuple[str, ...] | None


class StartPlayerSet(Fact, frozen=True):
    """A seat (or ghost) received the start marker."""

    seat: Seat


class RoundStarted(Fact, frozen=True):
    """A new round began, numbered from 1."""

    round: int


class GameEnded(Fact, frozen=True):
    """The game is over; ``ended_by`` is the cause that the game's spec names."""

    ended_by: str
    round: int
