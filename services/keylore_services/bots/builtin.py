"""The built-in bots: random, first and greedy. They choose at once and need no thread."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from random import Random
from typing import Any, ClassVar, Final, TypeAlias

from keylore_domain.errors import NotFoundError
from keylore_services.bots.kit import Bot, Json, Prompt

Score: TypeAlias = Callable[[Any, str, Json | None, int, Json], int]
"""``score(view, kind, context, seat, move)``: what a move is worth to a seat; higher is better."""

_HEURISTICS: Final = "keylore_services.bots.heuristics"
_GAME_ID: Final = re.compile(r"[a-z][a-z0-9_-]*")


class RandomBot(Bot):
    """Any legal move, each as likely as the others; the same again for the same prompt."""

    inline: ClassVar[bool] = True

    def __init__(self, seed: int | str = 0) -> None:
        self._seed = seed

    def choose(self, prompt: Prompt) -> int:
        """An index that depends on the seed, the match and the number of the prompt alone."""
        chance = Random(f"{self._seed}/{prompt.match}/{prompt.number}")  # noqa: S311 - repeatable, no secret
        return chance.randrange(len(prompt.legal))


class FirstBot(Bot):
    """The first legal move."""

    inline: ClassVar[bool] = True

    def choose(self, prompt: Prompt) -> int:
        """Always 0."""
        return 0


class GreedyBot(Bot):
    """The move that the heuristic of the game scores highest; the default move in a game without one."""

    inline: ClassVar[bool] = True

    def choose(self, prompt: Prompt) -> int:
        """The index of the best move, the first of equals."""
        score = heuristic(prompt.table.game)
        if score is None:
            return prompt.default
        scores = [score(prompt.view, prompt.kind, prompt.context, prompt.seat, move) for move in prompt.legal]
        return scores.index(max(scores))


_MAKERS: Final[Mapping[str, Callable[[int | str], Bot]]] = {
    "random": RandomBot,
    "first": lambda _: FirstBot(),
    "greedy": lambda _: GreedyBot(),
}


def names() -> tuple[str, ...]:
    """The names of the built-in bots."""
    return tuple(_MAKERS)


def make(name: str, seed: int | str = 0) -> Bot:
    """The built-in bot *name*; *seed* matters to ``random`` only.

    Raises:
        NotFoundError: there is no such bot.
    """
    if name not in _MAKERS:
        msg = f"there is no built-in bot {name!r}; built-in bots: {', '.join(_MAKERS)}"
        raise NotFoundError(msg)
    return _MAKERS[name](seed)


@lru_cache(maxsize=64)
def heuristic(game: str) -> Score | None:
    """What the greedy bot thinks of moves in *game*, or ``None`` if it has no opinion."""
    if not _GAME_ID.fullmatch(game):
        return None
    module = f"{_HEURISTICS}.{game.replace('-', '_')}"
    try:
        score: Score = import_module(module).score
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return None
    return score
