"""For tests of all games: a game that begins with a position of our own, and chance by script."""

import copy
from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from keylore_domain.engine.chance import Chance, Draw, derive
from keylore_domain.engine.game import AnyGame, Turn
from keylore_domain.engine.play import Play, Steps, run

G = TypeVar("G", bound=AnyGame)
P = TypeVar("P", bound=Play[Any, Any])

Script = dict[str, list[Any]]


def staged(game: G, play: type[P], steps: Steps[P], state: object) -> G:
    """*game* with the position *state* as its set-up; steps that lie on top of its stack are carried out."""

    def setup(_options: object, turn: Turn) -> Any:
        playing = play(vars(game)["parts"], state, turn)
        run(playing, steps)
        return playing.position

    stage = copy.copy(game)
    vars(stage)["setup"] = setup
    return stage


class ScriptedChance(Chance):
    """Chance that gives the scripted values of a label first (below: a number; shuffle: a tuple)."""

    def __init__(self, script: Script, seed: bytes, drawn: Mapping[str, int] | None = None) -> None:
        super().__init__(drawn)
        self._script = script
        self._seed = seed

    def _next(self, label: str, index: int, kind: Literal["below", "shuffle"], n: int) -> Draw:
        if self._script.get(label):
            found = self._script[label].pop(0)
            return Draw(label, index, kind, n, found if isinstance(found, tuple) else (found,))
        return derive(self._seed, label, index, kind, n)
