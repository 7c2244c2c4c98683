"""Clocks: how long a seat may think, and what a move costs it.

All times are whole microseconds; moments are microseconds since 1970-01-01 UTC. The arbiter's receive time
decides. A clock runs from the moment a prompt was sent (or was ready, if the seat's bot was away) and stands
still while the arbiter itself is down or paused.
"""

from typing import Annotated

import msgspec

MILLISECOND = 1_000

Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=86_400_000)]


class TimeControl(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time rule of a match; all times in milliseconds.

    ``move_ms``: the most that one move may take. ``bank_ms`` and ``increment_ms``: a budget for the whole
    match, and what each move adds to it; a bank of 0 means that only ``move_ms`` counts. ``credit_ms``: the
    most that measured network latency is credited per move. ``attempts``: illegal answers to one prompt
    before its default is played. ``faults``: defaults played for a seat, for whatever reason of its own,
    before it forfeits; 0 means never.
    """

    move_ms: Annotated[int, msgspec.Meta(ge=10, le=86_400_000)] = 10_000
    bank_ms: Milliseconds = 0
    increment_ms: Milliseconds = 0
    credit_ms: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 100
    attempts: Annotated[int, msgspec.Meta(ge=1, le=100)] = 3
    faults: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 10


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What the clock said about one move.

    ``ready``, ``sent``, ``received`` are moments; ``budget`` is what the move might cost, ``credited`` the
    latency credit, ``spent`` what was charged, ``left`` the bank after the move (0 without a bank).
    """

    ready: int
    sent: int
    received: int
    budget: int
    credited: int
    spent: int
    left: int


def starting_bank(time: TimeControl) -> int:
    """The bank of each seat at the start, in microseconds."""
    return time.bank_ms * MILLISECOND


def budget(time: TimeControl, left: int) -> int:
    """What the next move of a seat with *left* in its bank may cost, in microseconds."""
    limit = time.move_ms * MILLISECOND
    return min(limit, left) if time.bank_ms else limit


def credit(time: TimeControl, latency: int) -> int:
    """The credit for a measured round trip of *latency* microseconds."""
    return min(max(latency, 0), time.credit_ms * MILLISECOND)


def reading(time: TimeControl, left: int, *, ready: int, sent: int, received: int, credited: int) -> Reading:
    """The reading of a move by a seat that had *left* in its bank; a late move costs its whole budget."""
    allowed = budget(time, left)
    spent = min(max(received - sent - credited, 0), allowed)
    return Reading(
        ready=ready,
        sent=sent,
        received=received,
        budget=allowed,
        credited=credited,
        spent=spent,
        left=left_after(time, left, spent),
    )


def is_late(time: TimeControl, left: int, *, sent: int, received: int, credited: int) -> bool:
    """Whether an answer *received* then is over its budget."""
    return received - sent - credited > budget(time, left)


def left_after(time: TimeControl, left: int, spent: int) -> int:
    """The bank after a move that cost *spent*."""
    return max(left - spent, 0) + time.increment_ms * MILLISECOND if time.bank_ms else 0


def is_consistent(time: TimeControl, left: int, read: Reading) -> bool:
    """Whether a stored reading follows from the bank before it (an auditor's check)."""
    return (
        read.ready <= read.sent <= read.received
        and 0 <= read.credited <= time.credit_ms * MILLISECOND
        and read
        == reading(
            time, left, ready=read.ready, sent=read.sent, received=read.received, credited=read.credited
        )
    )
