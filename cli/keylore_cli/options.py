"""Options of a game on the command line."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from keylore_cli.failures import not_found
from keylore_domain import catalog
from keylore_domain.errors import OptionError

_PAIRS: Final = re.compile(r",(?=[\w.]+=)")  # values may have commas of their own: keys=[1,2]


def game_options(pairs: Sequence[str]) -> dict[str, object]:
    """Pairs such as ``short_game=true``, ``round_cap=12`` as plain values: JSON where it is JSON, else text.

    Raises:
        OptionError: one of them has no ``=``.
    """
    options: dict[str, object] = {}
    for pair in pairs:
        key, found, value = pair.partition("=")
        if not found:
            raise OptionError("option", f"{pair!r} has no '='", "KEY=VALUE, such as short_game=true")
        options[key.strip()] = _value(value.strip())
    return options


def game_with_options(text: str, usual: Mapping[str, object]) -> dict[str, object]:
    """A game and what it is played with, as the fields of `GameTerms`.

    Args:
        text: such as ``keyside:mats=advanced,time.move_ms=500``. The keys are options of the game, fields of
            a time control behind ``time.``, or ``data`` for the file of a league's own component data.
        usual: the fields of the time control that are not given.

    Raises:
        OptionError: what stands behind the game are no pairs.
        NotFoundError: there is no such game.
        OSError: the file cannot be read.
    """
    game, _, behind = text.partition(":")
    expect_game(game)
    pairs = game_options(_PAIRS.split(behind)) if behind else {}
    time = {key.removeprefix("time."): pairs.pop(key) for key in list(pairs) if key.startswith("time.")}
    found: dict[str, object] = {"game": game, "time": {**usual, **time} if time else None}
    if "data" in pairs:
        found["data_text"] = Path(str(pairs.pop("data"))).read_text()
    return {**found, "options": pairs}


def expect_game(name: str) -> None:
    """Check that there is such a game.

    Raises:
        NotFoundError: there is none; suggests a near one and lists all.
    """
    games = catalog.game_ids()
    if name not in games:
        raise not_found("game", name, games, f"games: {', '.join(games)}")


def _value(text: str) -> object:
    try:
        value: object = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    return value
