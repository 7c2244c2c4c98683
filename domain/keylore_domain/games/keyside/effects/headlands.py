"""Headlands that a docking boat activates (keyside §5.4 L8, §6.5)."""

from collections.abc import Callable, Mapping
from typing import Final

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.components.entries import Headland
from keylore_domain.games.keyside.facts import HeadlandActivated
from keylore_domain.games.keyside.play import SPACES, Play
from keylore_domain.games.keyside.state.decisions import (
    Docking,
    HeadlandCall,
    Import,
    MarketVisit,
    Recruitment,
    SkillVisit,
)
from keylore_domain.games.keyside.state.position import HARBOURS, Built, State, turn_order

ORDER: Final = ("A", "C", "B")


def dock(play: Play, step: Docking) -> None:
    """The visible tiles beside the harbour, by owner clockwise from the lead, then A, C, B (ruling R9)."""
    state = play.state
    calls = [
        HeadlandCall(top.owner, top.tile, space, top.favours == favoured)
        for space, favoured in (((step.harbour - 1) % HARBOURS, "cw"), (step.harbour, "ccw"))
        if (top := visible(state, space)) is not None
        and top.owner != "landslide"
        and play.parts.data.headland_tiles[top.tile].trigger is not None
    ]
    first = turn_order(state).index(state.lead_seat)
    calls.sort(key=lambda call: ((call.seat - first) % len(turn_order(state)), ORDER.index(call.tile)))
    play.push(*calls)


def visible(state: State, space: int) -> Built | None:
    """The tile on top of a headland space."""
    stack = state.headlands[space]
    return stack[-1] if stack else None


def call(play: Play, step: HeadlandCall) -> None:
    """One headland takes effect for its owner."""
    play.note(HeadlandActivated(step.seat, step.tile, SPACES[step.space]))
    tile = play.parts.data.headland_tiles[step.tile]
    assert tile.trigger is not None
    play.push(_CALLS[tile.trigger](step.seat, tile, step.favoured))


def _wharf(seat: Seat, tile: Headland, favoured: bool) -> Decision:
    return Import(seat, "fish", int(tile.favoured if favoured else tile.other))


def _lighthouse(seat: Seat, tile: Headland, favoured: bool) -> Decision:
    visit = SkillVisit if (tile.favoured if favoured else tile.other) == "skill" else MarketVisit
    return visit(seat, "E-HL-B")


def _rally_point(seat: Seat, tile: Headland, _favoured: bool) -> Decision:
    return Recruitment(seat, tile.amount)


_CALLS: Final[Mapping[str, Callable[[Seat, Headland, bool], Decision]]] = {
    "fish": _wharf,
    "choice": _lighthouse,
    "recruit": _rally_point,
}
