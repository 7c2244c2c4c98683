"""Reading a position: what the supply and a seat have, and what costs come to (keyper-at-sea §6.1)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea.components import ops
from keylore_domain.games.keyper_at_sea.components.parts import DISCOUNTED, SEA_GROUPS, Parts
from keylore_domain.games.keyper_at_sea.state.payments import Payment, slot_payments
from keylore_domain.games.keyper_at_sea.state.position import State

PLENTY: Final = 1_000
Cost = tuple[str, ...]


def in_supply(parts: Parts, state: State, name: str) -> int:
    """How many of an item the supply has; with an unlimited supply always enough (CO5)."""
    at = parts.item[name]
    return PLENTY if state.options.unlimited_supply and parts.supply[at] else state.supply[at]


def held(parts: Parts, state: State, seat: Seat, name: str) -> int:
    """How many of an item *seat* has."""
    return state.households[seat].items[parts.item[name]]


def is_sea_tile(parts: Parts, name: str) -> bool:
    """Whether an item is one of the sea creature tiles."""
    return any(parts.item[name] in parts.groups[group] for group in SEA_GROUPS)


def payments(parts: Parts, state: State, seat: Seat, prices: Sequence[Cost]) -> tuple[Payment, ...]:
    """How *seat* can pay one of *prices*, in the order of CO3; items by number."""
    return slot_payments(state.households[seat].items, [parts.slots(price) for price in prices])


def prices(op: ops.Build | ops.Upgrade, printed: Cost) -> tuple[Cost, ...]:
    """The costs of which one must be paid for a tile with this *printed* cost (E6)."""
    return _prices(op.mode, op.cost, op.single_only, printed)


@lru_cache(maxsize=4096)
def _prices(mode: str, fixed: Cost, single_only: bool, printed: Cost) -> tuple[Cost, ...]:
    if mode == "fixed":
        return (fixed,)
    if single_only and len(printed) != 1:
        return ()
    if mode == "discount" and len(printed) > 1:
        return _less_one(printed, DISCOUNTED) or (printed,)
    if mode == "minus_one":
        return _less_one(printed, frozenset(printed)) or (printed,)
    return (printed,)


def _less_one(printed: Cost, droppable: frozenset[str]) -> tuple[Cost, ...]:
    fewer = [(*printed[:at], *printed[at + 1 :]) for at, slot in enumerate(printed) if slot in droppable]
    return tuple(dict.fromkeys(fewer))
