"""Moves: the legal answers to prompts.

A move is a small frozen struct without references. Its JSON form is the one the game's spec writes: an
`Action` carries its name in the field ``action`` (``class Place(Action, frozen=True, tag="place")``), the
others are told apart by the kind of the prompt they answer.
"""

import msgspec

from keylore_domain.engine.facts import snake_case
from keylore_domain.engine.seats import Seat


class Move(msgspec.Struct, frozen=True):
    """Base of all moves, e.g. ``{"colour": "blue"}``."""


class Action(Move, frozen=True, tag_field="action", tag=snake_case):
    """Base of the moves that carry an ``action``, e.g. ``{"action": "place", "counter": 3}``."""


class Decision(msgspec.Struct, frozen=True, tag_field="decision", tag=snake_case):
    """Base of what a position can wait for; lies on the position's ``pending`` stack."""


class Asked(Decision, frozen=True):
    """Base of the decisions that one seat answers."""

    seat: Seat


class Step(Decision, frozen=True):
    """Base of what the rules carry out by themselves as soon as it lies on top."""
