"""How good and how fast rounds are paired: the simulated league, and states whose best tables are known.

The league: skills are normal, places at a table follow Plackett and Luce, points are 3, 2, 1 and 0; everybody
plays seven rounds at tables of four. The states come from such leagues; their least costs were found by an
exact solver (16 to 32 entrants) or are what a constraint solver came to in a minute (64 entrants).

Here ``ours`` is what the row counts, ``floor`` the bound or limit that it is held against.
"""

import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Final

import msgspec

from bench.harness import Row
from keylore_domain.swiss.history import Record
from keylore_domain.swiss.inputs import Past, history_of
from keylore_domain.swiss.pairing import Pairing, pair
from keylore_domain.swiss.problem import Problem, total
from keylore_domain.swiss.rounds import Entrant, Placing, PlayedTable, Round
from keylore_domain.swiss.search import arrange
from keylore_domain.swiss.stream import Stream
from keylore_domain.swiss.terms import Terms

ROUNDS: Final = 7
STATES: Final = Path(__file__).parents[1] / "tests" / "domain" / "swiss" / "data" / "optima.json"
REPEATS: Final = {16: 48, 64: 0, 256: 0, 1024: 0}
SECONDS: Final = 2.0


class State(msgspec.Struct, frozen=True):
    """Entrants at tables of four, and what their best tables cost."""

    seed: int
    round: int
    scores: list[int]
    met: list[tuple[int, int, int]]
    repeats: int
    spread: int


class Season(msgspec.Struct):
    """What a simulated league came to."""

    pairings: list[Pairing]
    seconds: list[float]
    entrants: Sequence[Record]
    meetings: list[int]


def run(quick: bool) -> list[Row]:
    """The rows of this benchmark."""
    rows: list[Row] = []
    for entrants in (16, 64, 256) if quick else (16, 64, 256, 1024):
        rows += _league_rows(entrants, season(entrants))
    return [*rows, *_state_rows(quick)]


def season(count: int, seed: int = 1, size: int = 4) -> Season:
    """A simulated league of *count* entrants."""
    lots = random.Random(seed)
    terms = Terms(game="league", table_size=size, rounds=ROUNDS, seed=str(seed))
    entrants = [Entrant(bot=f"bot/b{number}", name="", number=number) for number in range(count)]
    skills = {entrant.bot: lots.gauss(0, 1) for entrant in entrants}
    played: list[Round] = []
    pairings, seconds = [], []
    for number in range(1, ROUNDS + 1):
        start = process_time()
        pairing = pair(history_of(_past(seed, terms, entrants, played)))
        seconds.append(process_time() - start)
        pairings.append(pairing)
        tables = tuple(
            PlayedTable(number=at, seats=plan.seats, match="", placings=_placings(plan.seats, skills, lots))
            for at, plan in enumerate(pairing.tables, 1)
        )
        played.append(Round(number=number, tables=tables, byes=pairing.byes))
    after = history_of(_past(seed, terms, entrants, played))
    return Season(pairings, seconds, after.entrants, [times for *_, times in after.meetings])


def _past(seed: int, terms: Terms, entrants: Sequence[Entrant], played: Sequence[Round]) -> Past:
    return Past(seed=str(seed), terms=terms, entrants=tuple(entrants), rounds=tuple(played))


def cost(state: State) -> tuple[int, int]:
    """What the search finds for a state, in one number, and the best cost on the same scale."""
    met: list[dict[int, int]] = [{} for _ in state.scores]
    for one, other, times in state.met:
        met[one][other] = met[other][one] = times
    problem = Problem(state.scores, met, (4,) * (len(state.scores) // 4))
    groups = arrange(problem, lambda start: Stream(f"{state.seed}/{state.round}/{start}"), 0)
    found = total([problem.vector(group) for group in groups])
    weight = problem.repeat_weight
    return found.repeats * weight + found.spread, state.repeats * weight + state.spread


def states(entrants: int) -> list[State]:
    """The stored states of this size."""
    return [
        one
        for one in msgspec.json.decode(STATES.read_bytes(), type=list[State])
        if len(one.scores) == entrants
    ]


def _league_rows(count: int, league: Season) -> Iterator[Row]:
    name = f"{count} entrants, {ROUNDS} rounds at tables of 4"
    repeats = sum(pairing.cost.repeats for pairing in league.pairings)
    yield _row(f"{name}: repeat meetings", repeats, REPEATS[count], above=True)
    yield _row(f"{name}: most meetings of a pair", max(league.meetings), 2 if count == 16 else 1)
    apart = [max(record.seats) - min(record.seats) for record in league.entrants]
    yield _row(f"{name}: greatest difference of seat counts", max(apart), 2)
    yield _row(f"{name}: entrants with a difference of 2", sum(one > 1 for one in apart), count // 10)
    yield _row(f"{name}: seconds of the slowest round", max(league.seconds), SECONDS)


def _state_rows(quick: bool) -> Iterator[Row]:
    for entrants in (16, 24, 32, 64):
        pairs = [cost(state) for state in states(entrants)[: 3 if quick else None]]
        best = sum(found <= least for found, least in pairs)
        found, least = sum(found for found, _ in pairs), sum(least for _, least in pairs)
        limit = {16: 1.0, 24: 1.02, 32: 1.1, 64: 1.2}[entrants]
        yield _row(
            f"{entrants} entrants: cost of {len(pairs)} states, {best} at the best", found, least, limit
        )


def _row(name: str, ours: float, floor: float, limit: float = 1.0, *, above: bool = False) -> Row:
    """A row that is held against *limit* times the floor, or (*above*) against the floor itself."""
    ratio = ours - floor if above else ours / floor
    return Row(name, ours, floor, ratio, ratio, f"<= {0 if above else limit}", "cpu")


def _placings(seats: Sequence[str], skills: dict[str, float], lots: random.Random) -> tuple[Placing, ...]:
    left = list(seats)
    ranks: dict[str, int] = {}
    while left:
        chosen = lots.choices(left, [math.exp(1.5 * skills[bot]) for bot in left])[0]
        left.remove(chosen)
        ranks[chosen] = len(ranks) + 1
    return tuple(Placing(bot, ranks[bot], 0) for bot in seats)
