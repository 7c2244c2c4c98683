"""From what was played to the inputs of the next pairing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, assert_never

import msgspec

from keylore_domain.swiss.acceleration import virtual_half_points
from keylore_domain.swiss.dutch.cards import Cards
from keylore_domain.swiss.dutch.rounds import cards_of
from keylore_domain.swiss.history import NO_SEAT, History, Record, SeatCounts, lot
from keylore_domain.swiss.rounds import Entrant, Round
from keylore_domain.swiss.standings import totals
from keylore_domain.swiss.terms import Terms, largest_table, smallest_table

ByeKind = Literal["half", "zero"]


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """All that a pairing may depend on.

    ``entrants``: all that ever registered. ``rulings``: for pairs of bots (in order of their ids) whether
    they must stay apart, whatever the terms say. ``asked``: who asked for a bye in the next round.
    ``ratings``: of a ladder, where they come from elsewhere. ``ruled_byes``: who has a bye by a ruling.
    """

    seed: str
    terms: Terms
    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...]
    rulings: Mapping[tuple[str, str], bool] = {}
    asked: Mapping[str, ByeKind] = {}
    ratings: Mapping[str, int] | None = None
    ruled_byes: tuple[str, ...] = ()


def seeded(past: Past) -> tuple[Entrant, ...]:
    """All entrants in the order of the terms' seeding, best first."""
    match past.terms.pairing.seeding:
        case "lot":
            return tuple(sorted(past.entrants, key=lambda one: lot(past.seed, "seeding", one.bot)))
        case "registration":
            return tuple(sorted(past.entrants, key=lambda one: one.number))
        case "rating":
            return tuple(sorted(past.entrants, key=lambda one: (-one.rating, one.number)))
        case _:
            assert_never(past.terms.pairing.seeding)


def present(past: Past) -> tuple[Entrant, ...]:
    """Who is to be paired in the next round, in the order of the seeding."""
    out = {*past.asked, *past.ruled_byes}
    return tuple(one for one in seeded(past) if one.active and one.bot not in out)


def history_of(past: Past) -> History:
    """The inputs of the round that follows."""
    terms = past.terms
    total = totals(past.rounds, terms)
    here = present(past)
    virtual = virtual_half_points(
        terms, [one.bot for one in seeded(past)], {one.bot for one in here}, past.rounds
    )
    ordered = sorted(here, key=lambda one: -total[one.bot] - virtual.get(one.bot, 0))
    records = Records(terms, past.rounds)
    forbidden = _forbidden(ordered, past)
    return History(
        seed=past.seed,
        round=len(past.rounds) + 1,
        table_size=terms.table_size,
        smallest=smallest_table(terms),
        largest=largest_table(terms),
        entrants=tuple(records.of(one.bot, total[one.bot], virtual.get(one.bot)) for one in ordered),
        meetings=meetings([one.bot for one in ordered], past.rounds),
        forbidden=forbidden,
        half_byes=_asking(past, "half"),
        away=_asking(past, "zero"),
        ruled_byes=tuple(one.bot for one in seeded(past) if one.bot in past.ruled_byes),
        forbid=terms.pairing.forbid,
        repeats=terms.pairing.repeats,
        repeat_cost=terms.pairing.repeat_cost,
        odd_tables=terms.pairing.odd_tables,
        games=terms.pairing.games,
        rotation=terms.pairing.rotation,
        format=terms.format,
        cards=_cards(past, ordered, forbidden) if terms.pairing.system == "dutch-2026" else None,
    )


def _cards(past: Past, ordered: Sequence[Entrant], forbidden: Sequence[tuple[int, int]]) -> Cards:
    return cards_of(
        past.terms,
        past.seed,
        seeded(past),
        past.rounds,
        here=[one.bot for one in ordered],
        half_byes=_asking(past, "half"),
        apart=[(ordered[first].bot, ordered[second].bot) for first, second in forbidden],
    )


class Records:
    """What each bot did in earlier rounds."""

    def __init__(self, terms: Terms, rounds: Sequence[Round]) -> None:
        self._sizes: Final = range(smallest_table(terms), largest_table(terms) + 1)
        self._size: Final = terms.table_size
        self._rounds: Final = len(rounds)
        self._sat: dict[str, list[tuple[int, int]]] = {}  # size and seat of each table
        self._odd: Counter[str] = Counter()
        self._byes: Counter[str] = Counter()
        self._here: Counter[str] = Counter()
        for played in rounds:
            self._take(played)

    def _take(self, played: Round) -> None:
        byes = (*played.byes, *played.half_byes)
        self._byes.update(byes)
        self._here.update({*byes, *(bot for table in played.tables for bot in table.seats)})
        for table in played.tables:
            if table.game == 1 and len(table.seats) != self._size:
                self._odd.update(table.seats)
            for seat, bot in enumerate(table.seats):
                self._sat.setdefault(bot, []).append((len(table.seats), seat))

    def of(self, bot: str, half_points: int, virtual: int | None) -> Record:
        """What *bot* brings; *virtual* half points count for the pairing only."""
        sat = self._sat.get(bot, [])
        by_size = tuple(
            SeatCounts(size, _counted([seat for at, seat in sat if at == size], size)) for size in self._sizes
        )
        return Record(
            bot=bot,
            half_points=half_points,
            level=None if virtual is None else half_points + virtual,
            byes=self._byes[bot],
            missed=self._rounds - self._here[bot],
            seats=_counted([seat for _, seat in sat], self._sizes[-1]),
            last=sat[-1][1] if sat else NO_SEAT,
            odd=self._odd[bot],
            by_size=by_size if len(self._sizes) > 1 else (),
        )


def meetings(active: Sequence[str], rounds: Sequence[Round]) -> tuple[tuple[int, int, int], ...]:
    """How often each pair of *active* bots sat at a table; several games there are one meeting."""
    place = {bot: at for at, bot in enumerate(active)}
    times: Counter[tuple[int, int]] = Counter()
    for played in rounds:
        for table in played.tables:
            if table.game == 1:
                times.update(combinations(sorted(place[bot] for bot in table.seats if bot in place), 2))
    return tuple((first, second, count) for (first, second), count in sorted(times.items()))


def _counted(seats: Sequence[int], size: int) -> tuple[int, ...]:
    return tuple(seats.count(seat) for seat in range(size))


def _asking(past: Past, kind: ByeKind) -> tuple[str, ...]:
    return tuple(one.bot for one in seeded(past) if one.active and past.asked.get(one.bot) == kind)


def _forbidden(ordered: Sequence[Entrant], past: Past) -> tuple[tuple[int, int], ...]:
    terms = past.terms.pairing
    apart = {_pair(*pair): True for pair in terms.apart} | dict(past.rulings)
    by_author = terms.same_author == "apart"
    if not apart and not by_author:
        return ()
    return tuple(
        (first, second)
        for (first, one), (second, other) in combinations(enumerate(ordered), 2)
        if apart.get(_pair(one.bot, other.bot), by_author and one.author != "" and one.author == other.author)
    )


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
