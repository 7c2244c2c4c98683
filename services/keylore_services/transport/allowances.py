"""Allowances: how often a caller may ask a public service."""

from collections import OrderedDict
from typing import Final

import msgspec

from keylore_services.arbiter.times import MICROSECONDS, Now

MOST_CALLERS: Final = 10_000  # remembered at once; the one that was longest silent is forgotten


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """Calls a second, and how many may come at once."""

    per_second: int = 50
    burst: int = 200


class Allowances:
    """What is left of the allowance of each caller."""

    def __init__(self, rate: Rate, now: Now) -> None:
        self._rate = rate
        self._now = now
        self._left: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def take(self, caller: str) -> bool:
        """Take one call off the allowance of *caller*; gives whether it had one left."""
        now = self._now()
        left, since = self._left.pop(caller, (float(self._rate.burst), now))
        gained = (now - since) * self._rate.per_second / MICROSECONDS
        left = min(left + gained, float(self._rate.burst))
        is_allowed = left >= 1
        self._left[caller] = (left - is_allowed, now)
        if len(self._left) > MOST_CALLERS:
            self._left.popitem(last=False)
        return is_allowed


def caller_of(peer: str) -> str:
    """The machine behind *peer*, as gRPC names it: its address without the port."""
    return peer.rpartition(":")[0] if peer.startswith("ipv") else peer
