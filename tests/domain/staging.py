"""For tests of all games: a match that a test plays, from a position of our own, with chance by script."""

import copy
from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, TypeVar

import msgspec

from keylore_domain.engine import positions
from keylore_domain.engine.chance import Chance, Draw, LiveChance, derive
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import AnyGame, Options, Turn
from keylore_domain.engine.play import Play, Steps, run
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat

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


def plain(value: object) -> Any:
    """A value as it comes out of its JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def live(seed: bytes) -> Callable[[Mapping[str, int]], Chance]:
    """Chance from *seed*, for `Driven`."""
    return lambda drawn: LiveChance(seed, drawn)


class Driven(Generic[G]):
    """A match driven as the engine drives it, so that forced prompts are resolved; all facts are kept.

    ``chance``: gives the chance for a move, after so many draws by label.
    """

    def __init__(self, game: G, options: Options, chance: Callable[[Mapping[str, int]], Chance]) -> None:
        self.game = game
        self._chance = chance
        self.position, facts = positions.begin(game, options, chance({}))
        self.facts: list[Fact] = list(facts)

    @property
    def state(self) -> Any:
        """The position."""
        return self.position.state

    def prompt_of(self, seat: int | None = None) -> Prompt[Any]:
        """The open prompt of *seat*; of the only asked seat if left out."""
        (prompt,) = [item.prompt for item in self.position.open if seat in (None, item.prompt.seat)]
        return prompt

    @property
    def prompt(self) -> Prompt[Any]:
        """The one open prompt."""
        return self.prompt_of()

    @property
    def asked(self) -> tuple[int, str] | None:
        """Who is asked, and what for; ``None`` when nothing is open."""
        return (self.prompt.seat, self.prompt.kind) if self.position.open else None

    @property
    def legal(self) -> list[Any]:
        """The legal moves of the one open prompt, as a bot gets them."""
        return self.legal_of()

    def legal_of(self, seat: int | None = None) -> list[Any]:
        """The legal moves of one of several open prompts."""
        return [plain(move) for move in self.prompt_of(seat).legal]

    @property
    def default(self) -> Any:
        """The default move."""
        return self.legal[self.prompt.default]

    @property
    def context(self) -> Any:
        """What the one open prompt is about, as a bot gets it."""
        return plain(self.prompt.context)

    def answer(self, move: Mapping[str, Any], seat: int | None = None) -> None:
        """Answer the open prompt of *seat*."""
        prompt = self.prompt_of(seat)
        choice = positions.choice_of(prompt, dict(move))
        chance = self._chance(self.position.drawn)
        self.position, facts = positions.advance(self.game, self.position, prompt.seat, choice, chance)
        self.facts.extend(facts)

    def view(self, viewer: int | None) -> Any:
        """What *viewer* sees."""
        return self.game.view(self.state, None if viewer is None else Seat(viewer))
