"""Moves: the legal answers to prompts.

A move is a small frozen struct without references. Its JSON form is the one the game's spec writes: moves
with an ``action`` carry it as their tag (``class Place(Move, frozen=True, tag="place")``), the others are
told apart by the kind of the prompt they answer.
"""

import msgspec


class Move(msgspec.Struct, frozen=True, tag_field="action", tag=False, omit_defaults=False):
    """Base of all moves. Subclasses set ``tag="..."`` if the spec gives the move an ``action``."""


class Decision(msgspec.Struct, frozen=True, tag_field="decision", tag=True):
    """Base of what a position can wait for; lies on the position's ``pending`` stack."""
