"""Round robin: everybody meets everybody, as often as there are cycles.

Tables of two follow the Berger table; who would meet somebody that has left has a bye. Larger tables follow a
plane where there is one (9, 16 or 25 entrants at tables of 3, 4 or 5) and nobody has left; else they are
formed for the fewest repeat meetings, whatever the points.
"""

from typing import Final

from msgspec.structs import replace

from keylore_domain.swiss.formats.designs import berger, berger_rounds, has_plane, plane
from keylore_domain.swiss.formats.kinds import Format, anything, field_of, played_all
from keylore_domain.swiss.history import History
from keylore_domain.swiss.inputs import Past, history_of
from keylore_domain.swiss.pairing import Pairing, in_seats, pair, seated
from keylore_domain.swiss.problem import Group
from keylore_domain.swiss.sizes import table_sizes
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.terms import largest_table, smallest_table

BERGER: Final = "berger/1"
PLANE: Final = "plane/1"


def _inputs(past: Past) -> History:
    base = history_of(past)
    if past.terms.table_size == 2:
        return replace(base, field=field_of(past))
    level = tuple(replace(one, level=0) for one in base.entrants)
    return replace(base, entrants=level, field=field_of(past))


def _pair(history: History, _: Engines) -> Pairing:
    place = {one.bot: at for at, one in enumerate(history.entrants)}
    if history.table_size == 2:
        return _by_berger(history, place)
    everybody_stays = set(place) == set(history.field)
    if everybody_stays and has_plane(len(history.field), history.table_size):
        lines = plane(history.table_size, history.round - 1)
        groups = [tuple(sorted(place[history.field[at]] for at in line)) for line in lines]
        return seated(history, PLANE, groups, ())
    return pair(history)


def _by_berger(history: History, place: dict[str, int]) -> Pairing:
    names = (*history.field, "")
    orders: list[Group] = []
    byes: list[int] = []
    for pair_of in berger(len(history.field), history.round - 1):
        here = tuple(place[names[at]] for at in pair_of if names[at] in place)
        if len(here) > 1:
            orders.append(here)
        else:
            byes += here
    return in_seats(history, BERGER, orders, byes)


def _rounds(past: Past) -> int:
    terms, entrants = past.terms, len(field_of(past))
    if terms.rounds or entrants < smallest_table(terms):
        return terms.rounds
    cycles, size = terms.pairing.cycles, terms.table_size
    if size == 2:
        return cycles * berger_rounds(entrants)
    if has_plane(entrants, size):
        return cycles * (size + 1)
    sizes = table_sizes(entrants, size, smallest_table(terms), largest_table(terms))
    pairs = entrants * (entrants - 1) // 2
    return -(-cycles * pairs // sum(one * (one - 1) // 2 for one in sizes))


ROUND_ROBIN: Final = Format(
    check=anything,
    inputs=_inputs,
    pair=_pair,
    rounds=_rounds,
    is_over=played_all(_rounds),
    is_closed=True,
)
