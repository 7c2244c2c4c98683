"""Options of a game on the command line."""

from collections.abc import Sequence

import msgspec

from keylore_domain.errors import OptionError


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


def _value(text: str) -> object:
    try:
        value: object = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    return value
