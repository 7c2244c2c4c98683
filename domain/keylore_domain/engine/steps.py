"""Steps: running what a position's ``pending`` stack holds, up to the next decision.

A game pushes what has to happen as values on the stack: decisions, which a seat answers, and steps, which
the rules carry out by themselves. So a position always says what comes next, and nothing is lost between
two moves.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from keylore_domain.engine.moves import Decision


class Stacked(Protocol):
    """A state with a stack of what is pending; the last entry is next."""

    @property
    def pending(self) -> tuple[Decision, ...]:
        """The stack."""
        ...


S = TypeVar("S", bound=Stacked)
Steps = Mapping[type[Decision], Callable[..., S]]


def push(state: S, *items: Decision) -> S:
    """*state* with *items* on its stack; the last of them comes first."""
    return with_pending(state, (*state.pending, *items))


def pop(state: S) -> S:
    """*state* without the top of its stack."""
    return with_pending(state, state.pending[:-1])


def with_pending(state: S, pending: tuple[Decision, ...]) -> S:
    """*state* with another stack."""
    struct: Any = state
    changed: S = msgspec.structs.replace(struct, pending=pending)
    return changed


def run(state: S, steps: Steps[S], table: object) -> S:
    """Carry out steps until a decision lies on top or the stack is empty.

    Args:
        state: the position.
        steps: for each type of step its function of (state without the step, step, table).
        table: handed to each function.
    """
    while state.pending:
        top = state.pending[-1]
        step = steps.get(type(top))
        if step is None:
            return state
        state = step(pop(state), top, table)
    return state
