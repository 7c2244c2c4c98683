"""Payments by slots: a price is a list of slots, each paid with one of several kinds (keyper-at-sea §6.1)."""

from collections.abc import Sequence
from functools import lru_cache

Slots = tuple[tuple[int, ...], ...]
"""For each slot of a price the kinds that pay it."""

Payment = tuple[int, ...]
"""Kinds in ascending order, with repetition."""


def slot_payments(held: Sequence[int], prices: Sequence[Slots]) -> tuple[Payment, ...]:
    """All different payments of any of *prices* from *held* (counts by kind), in ascending order.

    Payments are compared kind by kind; one that is the beginning of another comes first.
    """
    asked = tuple(prices)
    return _payments(tuple([(kind, held[kind]) for kind in _kinds(asked) if held[kind]]), asked)


@lru_cache(maxsize=4096)
def _kinds(prices: tuple[Slots, ...]) -> tuple[int, ...]:
    """The kinds that may pay a slot of *prices*, in ascending order."""
    return tuple(sorted({kind for price in prices for slot in price for kind in slot}))


@lru_cache(maxsize=16384)
def _payments(held: tuple[tuple[int, int], ...], prices: tuple[Slots, ...]) -> tuple[Payment, ...]:
    stock = dict(held)
    return tuple(sorted({found for price in prices for found in _fill(stock, price, ())}))


def _fill(stock: dict[int, int], slots: Slots, spent: Payment) -> list[Payment]:
    if not slots:
        return [tuple(sorted(spent))]
    return [
        payment
        for kind in slots[0]
        if stock.get(kind, 0) > spent.count(kind)
        for payment in _fill(stock, slots[1:], (*spent, kind))
    ]
