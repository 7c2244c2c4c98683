"""The inputs of a pairing: all that `pairing.pair` may look at, as it stands in the event of the round."""

import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from keylore_domain.swiss.pairing_terms import OddTables
from keylore_domain.swiss.rounds import Entrant, Round
from keylore_domain.swiss.standings import totals
from keylore_domain.swiss.terms import Terms, largest_table, smallest_table

NO_SEAT = -1


class SeatCounts(msgspec.Struct, frozen=True):
    """How often an entrant sat on each seat of tables of one ``size``."""

    size: int
    seats: tuple[int, ...]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What an active entrant brings into a round.

    ``byes``: rounds in which it had one, asked for or not. ``missed``: rounds without a table or a bye, those
    before a late entry too. ``seats``: how often it sat on each seat so far, at all tables; ``by_size``: at
    tables of each size, where sizes differ. ``last``: the seat of its last table, -1 for none. ``odd``: how
    often it sat at a table of another than the preferred size.
    """

    bot: str
    half_points: int
    byes: int
    seats: tuple[int, ...]
    last: int = NO_SEAT
    missed: int = 0
    odd: int = 0
    by_size: tuple[SeatCounts, ...] = ()

    def counts(self, size: int) -> tuple[int, ...]:
        """How often it sat on each seat of a table of *size*; where all tables are alike, of any."""
        for one in self.by_size:
            if one.size == size:
                return one.seats
        return (0,) * size if self.by_size else self.seats


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The inputs of one pairing.

    ``seed``: the tournament's text, or its id. ``entrants``: the active ones in pairing order: most points
    first, equal ones by seeding. ``meetings``: ``(i, j, times)`` for every pair i < j of ``entrants`` that
    sat at a table together, in order. ``smallest``, ``largest``: the fewest and the most seats of a table (0:
    ``table_size``). ``forbidden``: the pairs i < j that must not meet. The rest are terms, see
    `PairingTerms`.
    """

    seed: str
    round: int
    table_size: int
    smallest: int
    entrants: tuple[Record, ...]
    meetings: tuple[tuple[int, int, int], ...]
    largest: int = 0
    forbidden: tuple[tuple[int, int], ...] = ()
    forbid: Literal["hard", "soft"] = "hard"
    repeats: Literal["least", "refused"] = "least"
    repeat_cost: int | None = None
    odd_tables: OddTables = "spread"

    @property
    def most_seats(self) -> int:
        """The most seats of a table."""
        return self.largest or self.table_size


def lot(seed: str, purpose: Literal["seeding", "table"], bot: str) -> str:
    """The lot of *bot*: SHA-256 over *purpose*, *seed* and the id; decides where nothing else does.

    Only the seed and the ids matter, never the order of registration.
    """
    return hashlib.sha256(f"keylore.lot/1\0{purpose}\0{seed}\0{bot}".encode()).hexdigest()


def seeded(seed: str, terms: Terms, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """*entrants* in the order of the terms' seeding, best first."""
    match terms.pairing.seeding:
        case "lot":
            return tuple(sorted(entrants, key=lambda entrant: lot(seed, "seeding", entrant.bot)))
        case "registration":
            return tuple(sorted(entrants, key=lambda entrant: entrant.number))
        case "rating":
            return tuple(sorted(entrants, key=lambda entrant: (-entrant.rating, entrant.number)))


def history_of(
    seed: str,
    terms: Terms,
    entrants: Sequence[Entrant],
    rounds: Sequence[Round],
    apart: Collection[tuple[str, str]] = (),
) -> History:
    """The inputs of the round that follows *rounds*.

    Args:
        apart: pairs of bots that must not meet, besides those of one author.
    """
    total = totals(rounds, terms)
    ordered = sorted(
        (entrant for entrant in seeded(seed, terms, entrants) if entrant.active),
        key=lambda entrant: -total[entrant.bot],
    )
    active = [entrant.bot for entrant in ordered]
    records = _Records(terms, rounds)
    pairing = terms.pairing
    return History(
        seed=seed,
        round=len(rounds) + 1,
        table_size=terms.table_size,
        smallest=smallest_table(terms),
        largest=largest_table(terms),
        entrants=tuple(records.of(bot, total[bot]) for bot in active),
        meetings=_meetings(active, rounds),
        forbidden=_forbidden(ordered, terms, apart),
        forbid=pairing.forbid,
        repeats=pairing.repeats,
        repeat_cost=pairing.repeat_cost,
        odd_tables=pairing.odd_tables,
    )


class _Records:
    """What each bot did in earlier rounds."""

    def __init__(self, terms: Terms, rounds: Sequence[Round]) -> None:
        self._sizes = range(smallest_table(terms), largest_table(terms) + 1)
        self._size = terms.table_size
        self._rounds = len(rounds)
        self._sat: dict[str, list[tuple[int, int]]] = {}  # size and seat of each table
        self._byes: Counter[str] = Counter()
        self._here: Counter[str] = Counter()
        for played in rounds:
            self._take(played)

    def _take(self, played: Round) -> None:
        at_table = [bot for table in played.tables for bot in table.seats]
        byes = (*played.byes, *played.half_byes)
        self._byes.update(byes)
        self._here.update({*at_table, *byes})
        for table in played.tables:
            for seat, bot in enumerate(table.seats):
                self._sat.setdefault(bot, []).append((len(table.seats), seat))

    def of(self, bot: str, half_points: int) -> Record:
        """What *bot* brings."""
        sat = self._sat.get(bot, [])
        return Record(
            bot=bot,
            half_points=half_points,
            byes=self._byes[bot],
            missed=self._rounds - self._here[bot],
            seats=_counted([seat for _, seat in sat], self._sizes[-1]),
            last=sat[-1][1] if sat else NO_SEAT,
            odd=sum(size != self._size for size, _ in sat),
            by_size=tuple(
                SeatCounts(size, _counted([seat for at, seat in sat if at == size], size))
                for size in self._sizes
            )
            if len(self._sizes) > 1
            else (),
        )


def _counted(seats: Sequence[int], size: int) -> tuple[int, ...]:
    return tuple(seats.count(seat) for seat in range(size))


def _meetings(active: Sequence[str], rounds: Sequence[Round]) -> tuple[tuple[int, int, int], ...]:
    place = {bot: at for at, bot in enumerate(active)}
    times: Counter[tuple[int, int]] = Counter()
    for played in rounds:
        for table in played.tables:
            present = sorted(place[bot] for bot in table.seats if bot in place)
            times.update(combinations(present, 2))
    return tuple((first, second, count) for (first, second), count in sorted(times.items()))


def _forbidden(
    ordered: Sequence[Entrant], terms: Terms, apart: Collection[tuple[str, str]]
) -> tuple[tuple[int, int], ...]:
    pairs = {frozenset(pair) for pair in (*terms.pairing.apart, *apart)}
    by_author = terms.pairing.same_author == "apart"
    return tuple(
        (first, second)
        for (first, one), (second, other) in combinations(enumerate(ordered), 2)
        if (by_author and one.author and one.author == other.author)
        or (pairs and frozenset((one.bot, other.bot)) in pairs)
    )
