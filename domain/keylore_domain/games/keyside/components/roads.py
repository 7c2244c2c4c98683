"""The roads between town, markets, resource locations and harbours (keyside §2.2)."""

from collections.abc import Sequence
from typing import Final

REACH: Final = 3


def distances(roads: Sequence[Sequence[int]], start: int) -> tuple[int, ...]:
    """Steps from *start* to every node along *roads*; -1 where no road leads."""
    found = [-1] * len(roads)
    found[start] = 0
    queue = [start]
    for node in queue:
        for other in roads[node]:
            if found[other] < 0:
                found[other] = found[node] + 1
                queue.append(other)
    return tuple(found)
