"""Prompts: the decisions a match waits for."""

from typing import Generic, TypeVar

import msgspec

from keylore_domain.engine.seats import Seat

M_co = TypeVar("M_co", covariant=True)


class Prompt(msgspec.Struct, Generic[M_co], frozen=True, kw_only=True):
    """One open decision of one seat.

    ``legal`` is in the order that the game's spec fixes; a bot answers with an index into it.
    ``default`` is the index of the move that the arbiter plays when the seat does not answer.
    ``context`` says what the decision is about (window, location, what is still due); its owner may see it.
    ``hidden``: whether other seats are kept from knowing who is asked and for what kind of decision.
    """

    seat: Seat
    kind: str
    legal: tuple[M_co, ...]
    default: int = 0
    context: msgspec.Struct | None = None
    hidden: bool = False
