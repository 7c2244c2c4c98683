"""How everything here is measured.

Absolute times say more about a machine and its load than about the code. So each alternative takes its turn
in every round, right beside the floor it is compared with; what counts is the median, over the rounds, of the
ratio to the floor of the same round. Processor time is kept beside wall time, because it stays meaningful
when the disk or a neighbour does not; what waits for neither disk nor other processes is judged by it.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time
from typing import Final, Literal

Work = Callable[[], object]
Prepare = Callable[[], Work]
Clock = Literal["wall", "cpu"]

_COMPARE: Final = {"<=": operator.le, ">=": operator.ge}


@dataclass(frozen=True)
class Row:
    """One comparison.

    ``ours`` and ``floor`` are microseconds per unit of work; ``ratio`` says how many times the floor's time
    ours takes (or, where the bar is a least speed, how many times as fast it is); ``cpu`` is the same ratio
    in processor time. Without a bar the row is for information; otherwise ``judged`` says which ratio counts.
    """

    name: str
    ours: float
    floor: float
    ratio: float
    cpu: float
    bar: str | None = None
    judged: Clock = "wall"

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; ``None`` without one."""
        if self.bar is None:
            return None
        sign, limit = re.fullmatch(r"([<>]=) ([0-9.]+)", self.bar).groups()  # type: ignore[union-attr]
        return bool(_COMPARE[sign](self.cpu if self.judged == "cpu" else self.ratio, float(limit)))


class Timings:
    """Times of each variant, round by round, in seconds."""

    def __init__(self, names: Mapping[str, object], units: int, judged: Clock) -> None:
        self._units = units
        self._judged = judged
        self.wall: dict[str, list[float]] = {name: [] for name in names}
        self.cpu: dict[str, list[float]] = {name: [] for name in names}

    def micros(self, name: str) -> float:
        """Median wall time of *name* per unit of work, in microseconds."""
        return median(self.wall[name]) / self._units * 1e6

    def at_most(self, title: str, ours: str, floor: str, limit: float | None = None) -> Row:
        """A row whose ratio is the time of *ours* by that of *floor*, which may be *limit* at most."""
        bar = None if limit is None else f"<= {limit}"
        return self._row(title, ours, floor, bar, (ours, floor))

    def at_least(self, title: str, ours: str, peer: str, limit: float | None = None) -> Row:
        """A row whose ratio is the speed of *ours* by that of *peer*, which must be *limit* at least."""
        bar = None if limit is None else f">= {limit}"
        return self._row(title, ours, peer, bar, (peer, ours))

    def _row(self, title: str, ours: str, floor: str, bar: str | None, over: tuple[str, str]) -> Row:
        return Row(
            name=title,
            ours=self.micros(ours),
            floor=self.micros(floor),
            ratio=_ratio(self.wall[over[0]], self.wall[over[1]]),
            cpu=_ratio(self.cpu[over[0]], self.cpu[over[1]]),
            bar=bar,
            judged=self._judged,
        )


def interleave(
    variants: Mapping[str, Prepare], *, rounds: int, units: int, judged: Clock = "wall"
) -> Timings:
    """Measure *variants* side by side; each does *units* units of work per round.

    Each variant is called once per round, untimed, to prepare; what it returns is timed. A first round warms
    up and does not count.

    Args:
        judged: the clock that bars are held against; ``cpu`` for what waits for nothing.
    """
    timings = Timings(variants, units, judged)
    for number in range(rounds + 1):
        for name, prepare in variants.items():
            work = prepare()
            wall, cpu = perf_counter(), process_time()
            work()
            spent = perf_counter() - wall, process_time() - cpu
            if number:
                timings.wall[name].append(spent[0])
                timings.cpu[name].append(spent[1])
    return timings


def ready(work: Work) -> Prepare:
    """A variant that has nothing to prepare."""
    return lambda: work


def _ratio(above: list[float], below: list[float]) -> float:
    return median(x / max(y, 1e-9) for x, y in zip(above, below, strict=True))
