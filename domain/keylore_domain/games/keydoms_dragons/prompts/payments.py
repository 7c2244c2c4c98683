"""Payments and other choices of treasure (spec §5.8, L3, L7, S11, S21)."""

from collections.abc import Iterator
from functools import lru_cache

from keylore_domain.engine.payments import multisets, pay_options
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import TYPES, Location
from keylore_domain.games.keydoms_dragons.effects.treasury import treasures
from keylore_domain.games.keydoms_dragons.moves import Exchange, PayType, TakeTreasures
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.decisions import TradeGive
from keylore_domain.games.keydoms_dragons.state.position import State, Vector

TAKEN = 3  # units at the market and for Gift


def purchases(state: State, seat: Seat, room: Location) -> tuple[Vector, ...]:
    """The payments *seat* could make in *room*: for each token its strength in a type of its own (L7)."""
    due = [board.strength(state, t) for t in board.tokens_at(state, room) if t.owner == seat]
    pattern = "".join(chr(ord("A") + at) * units for at, units in enumerate(sorted(due, reverse=True)))
    return pay_options(state.players[seat].holdings, pattern)


def parts(held: Vector, due: int, first: int) -> Iterator[PayType]:
    """The next part of a payment of *due* units out of *held*, from type *first* on (§5.8)."""
    for kind in range(first, len(TYPES)):
        least = max(1, due - sum(held[kind + 1 :]))
        for amount in range(least, min(held[kind], due) + 1):
            yield PayType(TYPES[kind], amount)


def gifts(treasury: Vector) -> tuple[TakeTreasures, ...]:
    """What Gift may take: three units, or all there are (S11)."""
    size = min(TAKEN, sum(treasury))
    return tuple(TakeTreasures(treasures(taken)) for taken in multisets(treasury, size))


def exchanges(held: Vector, treasury: Vector) -> tuple[Exchange, ...]:
    """What the market offers: one unit of a held type for three units, or all there are (L3)."""
    types = tuple(at for at, units in enumerate(held) if units)
    clipped = tuple(min(TAKEN, units) for units in treasury)
    return _exchanges(types, clipped)


@lru_cache(maxsize=4096)
def _exchanges(types: tuple[int, ...], treasury: Vector) -> tuple[Exchange, ...]:
    size = min(TAKEN, sum(treasury))
    taken = [treasures(vector) for vector in multisets(treasury, size)] if size else []
    return tuple(Exchange(TYPES[kind], take) for kind in types for take in taken)


def gives(state: State, question: TradeGive) -> tuple[PayType, ...]:
    """What Trade may give next: never more in all than the other types in the treasury make up (S21)."""
    held = state.players[question.seat].holdings
    given = sum(question.given)
    supply = sum(without(state.treasury, question.given))
    return tuple(
        PayType(TYPES[kind], amount)
        for kind in range(question.first, len(TYPES))
        for amount in range(1, min(held[kind], supply - state.treasury[kind] - given) + 1)
    )


def without(treasury: Vector, given: Vector) -> Vector:
    """*treasury* without the types in *given*."""
    return tuple(0 if gone else units for units, gone in zip(treasury, given, strict=True))
