"""The inputs of a pairing: all that `pairing.pair` may look at, as it stands in the event of the round."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import msgspec

from keylore_domain.swiss.rounds import Entrant, Round
from keylore_domain.swiss.standings import totals
from keylore_domain.swiss.terms import Terms, smallest_table

NO_SEAT = -1


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What an active entrant brings into a round.

    ``seats``: how often it sat on each seat so far; ``last``: the seat of its last table, -1 for none.
    """

    bot: str
    half_points: int
    byes: int
    seats: tuple[int, ...]
    last: int = NO_SEAT


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The inputs of one pairing.

    ``seed``: the tournament's text, or its id. ``entrants``: the active ones in pairing order: most points
    first, equal ones by `lot`. ``meetings``: ``(i, j, times)`` for every pair i < j of ``entrants`` that
    sat at a table together, in order. ``smallest``: the fewest seats of a table.
    """

    seed: str
    round: int
    table_size: int
    smallest: int
    entrants: tuple[Record, ...]
    meetings: tuple[tuple[int, int, int], ...]


def lot(seed: str, purpose: Literal["seeding", "table"], bot: str) -> str:
    """The lot of *bot*: SHA-256 over *purpose*, *seed* and the id; decides where nothing else does.

    Only the seed and the ids matter, never the order of registration.
    """
    return hashlib.sha256(f"keylore.lot/1\0{purpose}\0{seed}\0{bot}".encode()).hexdigest()


def history_of(seed: str, terms: Terms, entrants: Sequence[Entrant], rounds: Sequence[Round]) -> History:
    """The inputs of the round that follows *rounds*."""
    total = totals(rounds, terms)
    active = sorted(
        (entrant.bot for entrant in entrants if entrant.active),
        key=lambda bot: (-total[bot], lot(seed, "seeding", bot)),
    )
    byes = Counter(bot for played in rounds for bot in played.byes)
    seats = _seats(rounds)
    return History(
        seed=seed,
        round=len(rounds) + 1,
        table_size=terms.table_size,
        smallest=smallest_table(terms),
        entrants=tuple(
            Record(
                bot=bot,
                half_points=total[bot],
                byes=byes[bot],
                seats=tuple(seats.get(bot, []).count(seat) for seat in range(terms.table_size)),
                last=seats[bot][-1] if bot in seats else NO_SEAT,
            )
            for bot in active
        ),
        meetings=_meetings(active, rounds),
    )


def _seats(rounds: Sequence[Round]) -> dict[str, list[int]]:
    """For each bot the seats it sat on, round by round."""
    found: dict[str, list[int]] = {}
    for played in rounds:
        for table in played.tables:
            for seat, bot in enumerate(table.seats):
                found.setdefault(bot, []).append(seat)
    return found


def _meetings(active: Sequence[str], rounds: Sequence[Round]) -> tuple[tuple[int, int, int], ...]:
    place = {bot: at for at, bot in enumerate(active)}
    times: Counter[tuple[int, int]] = Counter()
    for played in rounds:
        for table in played.tables:
            present = sorted(place[bot] for bot in table.seats if bot in place)
            times.update(combinations(present, 2))
    return tuple((first, second, count) for (first, second), count in sorted(times.items()))
