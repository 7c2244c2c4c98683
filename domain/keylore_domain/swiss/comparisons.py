"""Is one bot better than another? Confidence and sequential tests over results at tables.

The unit is a rotation: tables of one game and size at which the bot sat on every seat once, so that no seat's
advantage counts. At tables of two that is a pair of games with swapped seats, and its five possible scores
make the test the pentanomial one. A score is the part of the opponents that was beaten, equal ones counting
half; a difference in Elo means the same chance to finish ahead at tables of all sizes.

The sequential test is the generalised one: the ratio of the greatest likelihoods under which the mean score
is that of either hypothesis. These numbers are reports, and floats.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import erf, fsum, log, log10, sqrt
from typing import Final, Literal

import msgspec

from keylore_domain.errors import OptionError
from keylore_domain.swiss.ratings import CONFIDENCE

Decision = Literal["accepted", "rejected", "open"]

PSEUDO_COUNT: Final = 1e-3
"""How often the scores 0 and 1 count as seen before the test begins, so that every mean is possible."""

_HALVINGS: Final = 50
_LEAST_SCORE: Final = 1e-3  # Elo differences end at about 1200


class Encounter(msgspec.Struct, frozen=True):
    """One table of the bot: its size, the bot's seat, the part of the opponents that it beat, the game."""

    size: int
    seat: int
    score: Fraction
    game: str = ""


class Hypotheses(msgspec.Struct, frozen=True, kw_only=True):
    """What a test decides: is the bot ``elo0`` better (or less), or ``elo1`` (or more)?

    ``alpha``: how often at most it may be accepted though it is only ``elo0`` better; ``beta``: how often at
    most rejected though it is ``elo1`` better.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05


DEFAULT_HYPOTHESES: Final = Hypotheses()
"""20 Elo better, or not better at all; each error once in 20 times."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """How a test ended, or stands: ``accepted`` once the log ratio reaches ``upper``.

    ``after`` so many rotations; those that came later do not count.
    """

    decision: Decision
    after: int
    ratio: float
    lower: float
    upper: float


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """How good the bot is: its mean score and the Elo difference, with intervals of 95 %.

    ``better``: how likely it is that its mean score is above a half. ``counts``: how many rotations had which
    score, ascending. Elo differences beyond about 1200 are shown as 1200.
    """

    rotations: int
    counts: tuple[tuple[float, int], ...]
    score: float
    low: float
    high: float
    elo: float
    elo_low: float
    elo_high: float
    better: float


def checked(hypotheses: Hypotheses) -> Hypotheses:
    """*hypotheses*, if a test can decide between them.

    Raises:
        OptionError: elo1 is not above elo0, or an error rate is out of range.
    """
    if not hypotheses.elo0 < hypotheses.elo1:
        raise OptionError("elo1", f"{hypotheses.elo1} is not above elo0", f"more than {hypotheses.elo0}")
    for name, rate in (("alpha", hypotheses.alpha), ("beta", hypotheses.beta)):
        if not 0 < rate < 0.5:
            raise OptionError(name, f"{rate} is not allowed", "between 0 and 0.5, both excluded")
    return hypotheses


def rotations(encounters: Iterable[Encounter]) -> tuple[tuple[Fraction, ...], int]:
    """The mean score of each complete rotation, in the order of completion, and how many tables are left.

    A table belongs to the first rotation of its game and size that has none yet with the bot on this seat.
    """
    waiting: dict[tuple[str, int], defaultdict[int, deque[Fraction]]] = {}
    found = []
    for one in encounters:
        seats = waiting.setdefault((one.game, one.size), defaultdict(deque))
        seats[one.seat].append(one.score)
        if all(seats[seat] for seat in range(one.size)):
            found.append(sum((seats[seat].popleft() for seat in range(one.size)), Fraction(0)) / one.size)
    left = sum(len(queue) for seats in waiting.values() for queue in seats.values())
    return tuple(found), left


def estimate(scores: Sequence[Fraction]) -> Estimate:
    """What the *scores* of rotations say; two more, 0 and 1, keep intervals of few rotations honest."""
    count = len(scores)
    mean = float(sum(scores, Fraction(0)) / count) if count else 0.5
    widened = [0.0, *map(float, scores), 1.0]
    middle = fsum(widened) / len(widened)
    deviation = sqrt(fsum([(score - middle) ** 2 for score in widened]) / (len(widened) - 1))
    error = deviation / sqrt(len(widened))
    low, high = max(middle - CONFIDENCE * error, 0.0), min(middle + CONFIDENCE * error, 1.0)
    return Estimate(
        rotations=count,
        counts=tuple((float(score), times) for score, times in sorted(Counter(scores).items())),
        score=mean,
        low=low,
        high=high,
        elo=elo(mean),
        elo_low=elo(low),
        elo_high=elo(high),
        better=(1 + erf((middle - 0.5) / error / sqrt(2))) / 2,
    )


def sequential(scores: Iterable[Fraction], hypotheses: Hypotheses) -> Verdict:
    """The test over the *scores* of rotations, in their order; it ends with the first that decides.

    Raises:
        OptionError: the hypotheses cannot be tested.
    """
    asked = checked(hypotheses)
    lower, upper = log(asked.beta / (1 - asked.alpha)), log((1 - asked.beta) / asked.alpha)
    counts: Counter[Fraction] = Counter()
    decision: Decision = "open"
    ratio = 0.0
    for score in scores:
        counts[score] += 1
        ratio = log_ratio(counts, expected(asked.elo0), expected(asked.elo1))
        if not lower < ratio < upper:
            decision = "accepted" if ratio >= upper else "rejected"
            break
    return Verdict(decision=decision, after=counts.total(), ratio=ratio, lower=lower, upper=upper)


def log_ratio(counts: Mapping[Fraction, int], mean0: float, mean1: float) -> float:
    """The logarithm of the greatest likelihood of *counts* with *mean1* over that with *mean0*.

    Under a mean s, the most likely chance of a score a is its frequency over 1 + x (a - s), with the x for
    which the chances have that mean.
    """
    seen = {0.0: PSEUDO_COUNT, 1.0: PSEUDO_COUNT}
    for score, times in counts.items():
        seen[float(score)] = seen.get(float(score), 0.0) + times
    total = fsum(seen.values())
    chances = {score: times / total for score, times in seen.items()}
    tilt0, tilt1 = _tilt(chances, mean0), _tilt(chances, mean1)
    return fsum(
        [
            times * log((1 + tilt0 * (score - mean0)) / (1 + tilt1 * (score - mean1)))
            for score, times in seen.items()
        ]
    )


def expected(difference: float) -> float:
    """The score that an Elo *difference* gives on average."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo(score: float) -> float:
    """The Elo difference that a mean *score* stands for, within about 1200."""
    inside = min(max(score, _LEAST_SCORE), 1 - _LEAST_SCORE)
    return 400 * log10(inside / (1 - inside))


def _tilt(chances: Mapping[float, float], mean: float) -> float:
    """The x for which the tilted chances have this *mean*, by halving: more x, less mean."""
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(_HALVINGS):
        x = (low + high) / 2
        slope = 0.0
        for score, chance in chances.items():
            slope += chance * (score - mean) / (1 + x * (score - mean))
        if slope > 0:
            low = x
        else:
            high = x
    return (low + high) / 2
