"""Keyside while one move (or the set-up) is carried out: the changes that all effects are made of."""

from typing import Any, Final

from msgspec.structs import replace

from keylore_domain.engine import play as engine
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keyside.components.parts import Parts
from keylore_domain.games.keyside.state.position import HARBOURS, Mat, State

SPACES: Final = tuple(f"s{at}" for at in range(HARBOURS))


class Play(engine.Play[State, Parts]):
    """The position, the parts and the turn."""

    __slots__ = ()

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

    def rolled(self, point: str, label: str) -> int:
        """A roll of a die, 1 to 6, noted as chance *point*."""
        return self.picked(point, label, range(1, 7))
