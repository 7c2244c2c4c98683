"""Play: a position while the rules carry out one move or the set-up.

A game puts what has to happen as values on a stack: decisions, which a seat answers, and steps, which the
rules carry out by themselves. So a position always says what comes next, and nothing is lost between two
moves.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec.structs import replace

from keylore_domain.engine.facts import ChanceDrawn, Fact
from keylore_domain.engine.game import Turn
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat, StartSeat, clockwise


class Stacked(Protocol):
    """A state with a stack of what is pending; the last entry is next."""

    @property
    def pending(self) -> tuple[Decision, ...]:
        """The stack."""
        ...


S = TypeVar("S", bound=Stacked)
C = TypeVar("C")
T = TypeVar("T")
P = TypeVar("P", bound="Play[Any, Any]")

Steps = Mapping[type[Decision], Callable[[P, Any], None]]
"""How each type of step is carried out: with the play and the step."""

Answers = Mapping[type[Decision], Callable[[P, Any, Any], None]]
"""How the answer to each type of decision is carried out: with the play, the decision and the move."""


class Play(Generic[S, C]):
    """The position while a move is carried out, with the components, and the turn: chance in, facts out.

    ``state`` is always a frozen position; a change puts a new one in its place. The stack of what is pending
    is kept beside it meanwhile, the top last; `position` puts it back. A game adds the changes of its own
    things in a subclass.

    Attributes:
        chance_fact: the game's fact of a chance point.
    """

    chance_fact: ClassVar[type[ChanceDrawn]] = ChanceDrawn

    __slots__ = ("note", "parts", "stack", "state", "turn")

    def __init__(self, parts: C, state: S, turn: Turn) -> None:
        self.parts = parts
        self.state = state
        self.turn = turn
        self.stack: list[Decision] = list(state.pending)
        self.note: Callable[[Fact], None] = turn.note

    @property
    def position(self) -> S:
        """The whole position, its stack included."""
        struct: Any = self.state
        whole: S = replace(struct, pending=tuple(self.stack))
        return whole

    def change(self, **fields: Any) -> None:
        """Give the position these new values."""
        struct: Any = self.state
        self.state = replace(struct, **fields)

    def push(self, *items: Decision) -> None:
        """Put *items* on the stack; the first of them comes first."""
        self.stack.extend(reversed(items))

    def drawn(self, point: str, outcome: Iterable[str]) -> None:
        """Note what the spec's chance *point* gave."""
        self.note(self.chance_fact(point, tuple(outcome)))

    def shuffled(
        self, point: str, label: str, items: Sequence[T], name: Callable[[T], str] = str
    ) -> tuple[T, ...]:
        """*items* in a new order, noted as the spec's chance *point*."""
        order = self.turn.chance.shuffled(label, items)
        self.drawn(point, map(name, order))
        return order

    def picked(self, point: str, label: str, items: Sequence[T], name: Callable[[T], str] = str) -> T:
        """One of *items*, noted as the spec's chance *point*."""
        item = self.turn.chance.pick(label, items)
        self.drawn(point, (name(item),))
        return item

    def start_seat(self, point: str, label: str, chosen: StartSeat, seats: int) -> Seat:
        """The *chosen* seat of *seats*; by lot, noted as chance *point*, if it is ``random``."""
        return self.picked(point, label, clockwise(Seat(0), seats)) if chosen == "random" else Seat(chosen)


def answer(play: P, answers: Answers[P], move: object) -> None:
    """Carry out *move*, the answer to the decision on top of the stack."""
    asked = play.stack.pop()
    answers[type(asked)](play, asked, move)


def run(play: P, steps: Steps[P]) -> None:
    """Carry out steps until a decision lies on top of the stack, or nothing is left."""
    stack = play.stack
    while stack and (carry_out := steps.get(type(stack[-1]))) is not None:
        carry_out(play, stack.pop())
