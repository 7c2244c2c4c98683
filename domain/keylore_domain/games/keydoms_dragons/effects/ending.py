"""How the game ends (spec §7.1, §7.4)."""

from typing import Literal

from keylore_domain.games.keydoms_dragons.facts import GameEnded
from keylore_domain.games.keydoms_dragons.play import Play


def end_if_empty(play: Play) -> None:
    """The game ends at once when the last tile has left the castle (§7.1)."""
    if not any(play.state.stacks):
        end(play, "last_artefact")


def end(play: Play, cause: Literal["last_artefact", "round_cap"]) -> None:
    """The game is over; nothing that was pending is done any more."""
    play.note(GameEnded(cause, play.state.round))
    play.change(ended_by=cause, phase="over")
    play.stack.clear()
