"""The position while one move (or the set-up) is carried out: each change makes a new frozen state."""

from typing import Any, Final

from msgspec.structs import replace

from keylore_domain.engine.facts import ChanceDrawn, Fact
from keylore_domain.engine.game import Turn
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside.board import Board
from keylore_domain.games.keyside.state import HARBOURS, Island, Mat

SPACES: Final = tuple(f"s{at}" for at in range(HARBOURS))


class Play:
    """A state that moves on, with the board it is played on and the turn that takes its facts."""

    __slots__ = ("board", "state", "turn")

    def __init__(self, board: Board, state: Island, turn: Turn) -> None:
        self.board = board
        self.state = state
        self.turn = turn

    def note(self, fact: Fact) -> None:
        """Record *fact* as the next thing that happened."""
        self.turn.note(fact)

    def change(self, **fields: Any) -> None:
        """Replace fields of the state."""
        self.state = replace(self.state, **fields)

    def push(self, *steps: Decision) -> None:
        """Put *steps* on the agenda, the first one on top."""
        self.state = replace(self.state, pending=(*self.state.pending, *reversed(steps)))

    def pop(self) -> None:
        """Take the top step off the agenda."""
        self.state = replace(self.state, pending=self.state.pending[:-1])

    def mat(self, seat: Seat) -> Mat:
        """The mat of *seat*."""
        return self.state.mats[seat]

    def change_mat(self, seat: Seat, **fields: Any) -> None:
        """Replace fields of the mat of *seat*."""
        mats = self.state.mats
        self.change(mats=with_item(mats, seat, replace(mats[seat], **fields)))

    def change_harbour(self, at: int, **fields: Any) -> None:
        """Replace fields of harbour *at*."""
        harbours = self.state.harbours
        self.change(harbours=with_item(harbours, at, replace(harbours[at], **fields)))

    def change_market(self, at: int, **fields: Any) -> None:
        """Replace fields of market *at*."""
        markets = self.state.markets
        self.change(markets=with_item(markets, at, replace(markets[at], **fields)))

    def change_resource(self, at: int, **fields: Any) -> None:
        """Replace fields of resource location *at*."""
        resources = self.state.resources
        self.change(resources=with_item(resources, at, replace(resources[at], **fields)))

    def change_solo(self, **fields: Any) -> None:
        """Replace fields of Keytoma's things."""
        assert self.state.solo is not None
        self.change(solo=replace(self.state.solo, **fields))

    def change_removed(self, **fields: Any) -> None:
        """Replace fields of what has left the game."""
        self.change(removed=replace(self.state.removed, **fields))

    def shuffled(self, point: str, label: str, items: tuple[str, ...]) -> tuple[str, ...]:
        """*items* in a new order, noted as chance *point*."""
        order = self.turn.chance.shuffled(label, items)
        self.note(ChanceDrawn(point, order))
        return order

    def drawn(self, point: str, label: str, items: tuple[str, ...]) -> str:
        """One of *items*, noted as chance *point*."""
        item = self.turn.chance.pick(label, items)
        self.note(ChanceDrawn(point, (item,)))
        return item

    def rolled(self, point: str, label: str) -> int:
        """A roll of a die, 1 to 6, noted as chance *point*."""
        value = self.turn.chance.below(label, 6) + 1
        self.note(ChanceDrawn(point, (str(value),)))
        return value
