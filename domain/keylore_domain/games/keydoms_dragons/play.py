"""What the rules use while they carry out a move: chance, facts, components.

Chance points (spec §9) and their labels: C1 ``start``; C2 ``stacks``; C3 ``deck.treasures``; C4
``deck.spells``; C5 ``guard``; for each ghost C6 ``light.deck``, C7 ``light.worker``, C8 ``light.artefact``,
C9 ``light.roundhouse``; C10 ``evict``; C11 ``stack.K``; C12 ``deck.spells.again``.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import Turn
from keylore_domain.games.keydoms_dragons.components import Components
from keylore_domain.games.keydoms_dragons.facts import ChanceDrawn

T = TypeVar("T")


class Play:
    """One move, or the set-up, being carried out with these components."""

    __slots__ = ("_turn", "note", "parts")

    def __init__(self, turn: Turn, parts: Components) -> None:
        self._turn = turn
        self.note: Callable[[Fact], None] = turn.note
        self.parts = parts

    def shuffled(
        self, point: str, label: str, items: Sequence[T], name: Callable[[T], str] = str
    ) -> tuple[T, ...]:
        """*items* in a new order, drawn at chance point *point*."""
        drawn = self._turn.chance.shuffled(label, items)
        self.note(ChanceDrawn(point, tuple(map(name, drawn))))
        return drawn

    def pick(self, point: str, label: str, items: Sequence[T], name: Callable[[T], str] = str) -> T:
        """One of *items*, drawn at chance point *point*."""
        drawn = self._turn.chance.pick(label, items)
        self.note(ChanceDrawn(point, (name(drawn),)))
        return drawn
