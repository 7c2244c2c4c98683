"""The arbiter's clock: moments that never run backwards."""

import time
from collections.abc import Callable

Now = Callable[[], int]
"""Gives the present moment in microseconds since 1970."""

MICROSECONDS = 1_000_000


def steady_clock() -> Now:
    """A clock that reads the wall once and then follows the monotonic clock."""
    anchor = time.time_ns() - time.monotonic_ns()
    return lambda: (anchor + time.monotonic_ns()) // 1_000
