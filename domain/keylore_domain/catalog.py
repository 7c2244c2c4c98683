"""The catalog: which games there are, under which versions of their rules.

Games are loaded on first use. Old rules stay listed when a ruling changes the result of an old game, so
that every stored match is replayed under the rules it names.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Final, cast

from keylore_domain.engine.game import AnyGame
from keylore_domain.errors import NotFoundError

ENGINE_VERSION: Final = "1"

# game id -> rules version -> "module:class"; the last version is the current one
_GAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "keydom": {"1": "keylore_domain.games.keydom.rules:Keydom"},
    "keydoms-dragons": {"1": "keylore_domain.games.keydoms_dragons.rules:KeydomsDragons"},
    "keyside": {"1": "keylore_domain.games.keyside.rules:Keyside"},
    "keyper-at-sea": {"1": "keylore_domain.games.keyper_at_sea.rules:KeyperAtSea"},
}


def game_ids() -> tuple[str, ...]:
    """The ids of all games."""
    return tuple(_GAMES)


def rules_versions(game_id: str) -> tuple[str, ...]:
    """All versions of the rules of a game, the oldest first.

    Raises:
        NotFoundError: there is no such game.
    """
    if game_id not in _GAMES:
        msg = f"there is no game {game_id!r}; games: {', '.join(_GAMES)}"
        raise NotFoundError(msg)
    return tuple(_GAMES[game_id])


def game(game_id: str, rules: str | None = None, data: str | None = None) -> AnyGame:
    """A game under version *rules* (the current one by default), with the data file text *data*.

    Raises:
        NotFoundError: there is no such game or version.
        DataFileError: the data file breaks a rule.
    """
    versions = rules_versions(game_id)
    chosen = versions[-1] if rules is None else rules
    if chosen not in versions:
        msg = f"{game_id} has no rules version {chosen!r}; versions: {', '.join(versions)}"
        raise NotFoundError(msg)
    return _loaded(_GAMES[game_id][chosen], data)


@lru_cache(maxsize=64)
def _loaded(topic: str, data: str | None) -> AnyGame:
    module, _, name = topic.partition(":")
    make = cast("Callable[[str | None], AnyGame]", getattr(import_module(module), name))
    return make(data)
