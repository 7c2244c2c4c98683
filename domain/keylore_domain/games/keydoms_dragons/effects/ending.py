"""How the game ends (spec §7.1, §7.4)."""

from typing import Literal

from msgspec.structs import replace

from keylore_domain.games.keydoms_dragons.facts import GameEnded
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.state import State


def end_if_empty(state: State, play: Play) -> State:
    """The game ends at once when the last tile has left the castle (§7.1)."""
    return state if any(state.stacks) else end(state, "last_artefact", play)


def end(state: State, cause: Literal["last_artefact", "round_cap"], play: Play) -> State:
    """The game is over; nothing that was pending is done any more."""
    play.note(GameEnded(cause, state.round))
    return replace(state, ended_by=cause, phase="over", pending=())
