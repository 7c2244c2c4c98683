"""The arbiter's clock: moments that never run backwards."""

import time
from collections.abc import Callable

import msgspec

from keylore_services.ledger.ledger import Ledger

Now = Callable[[], int]
"""Gives the present moment in microseconds since 1970."""

MICROSECONDS = 1_000_000


def steady_clock(begin: int = 0) -> Now:
    """A clock that reads the wall once, then follows the monotonic clock; it begins at *begin* if later."""
    anchor = max(time.time_ns(), begin * 1_000) - time.monotonic_ns()
    return lambda: (anchor + time.monotonic_ns()) // 1_000


def clock_after(ledger: Ledger) -> Now:
    """A steady clock that does not begin before the newest event of *ledger*, whatever the wall clock says.

    Raises:
        LedgerError: the ledger cannot be read.
    """
    newest = ledger.notifications(max(ledger.last_position() - 1, 0), 1)
    return steady_clock(msgspec.json.decode(newest[0].state, type=_Moment).at if newest else 0)


class _Moment(msgspec.Struct):
    at: int
