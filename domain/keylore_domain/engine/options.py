"""Options of a match: from untyped input to a game's options struct, with errors that name the field."""

import json
import types
import typing
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import msgspec

from keylore_domain.engine.game import Game, Options
from keylore_domain.engine.seats import StartSeat
from keylore_domain.errors import OptionError

T = TypeVar("T", bound=msgspec.Struct)


def parse_options(game: Game[Any, Any, Any], raw: Mapping[str, object]) -> Options:
    """The options of *game* from *raw*.

    Raises:
        OptionError: a key is unknown, missing or out of range; names the key and what is allowed.
    """
    options = parse_struct(game.options_type, raw)
    game.check_options(options)
    return options


def parse_struct(kind: type[T], raw: Mapping[str, object]) -> T:
    """*raw* as the options struct *kind*; each field is checked by itself.

    Raises:
        OptionError: as for `parse_options`.
    """
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for key in raw:
        if key not in fields:
            raise OptionError(key, "there is no such option", "one of " + ", ".join(fields))
    for name, field in fields.items():
        if name not in raw:
            if field.required:
                raise OptionError(name, "is required", allowed_values(field.type))
            continue
        try:
            msgspec.convert(raw[name], field.type)
        except msgspec.ValidationError:
            problem = f"{raw[name]!r} is not allowed"
            raise OptionError(name, problem, allowed_values(field.type)) from None
    return msgspec.convert(dict(raw), kind)


def check_start_seat(chosen: StartSeat, seats: int) -> None:
    """Check that the seat *chosen* to begin is at the table.

    Raises:
        OptionError: there is no such seat.
    """
    if chosen != "random" and chosen >= seats:
        raise OptionError("start_seat", f"there is no seat {chosen}", f"random or 0 to {seats - 1}")


def option_table(kind: type[msgspec.Struct]) -> tuple[tuple[str, str, str], ...]:
    """Name, allowed values and default of each option, as texts."""
    return tuple(
        (
            field.name,
            allowed_values(field.type),
            "required" if field.required else _shown(field.default),
        )
        for field in msgspec.structs.fields(kind)
    )


def _shown(default: object) -> str:
    if default is None or isinstance(default, bool | tuple):
        return json.dumps(default)
    return str(default)


def allowed_values(kind: Any) -> str:
    """The values of a type, in words: ``2 to 5``, ``true or false``, ``free, own or not_own``."""
    origin = get_origin(kind)
    if origin is Annotated:
        base, *metas = get_args(kind)
        for meta in metas:
            if isinstance(meta, msgspec.Meta) and meta.ge is not None and meta.le is not None:
                return f"{meta.ge} to {meta.le}"
        return allowed_values(base)
    if origin is Literal:
        return _listed([str(value) for value in get_args(kind)])
    if origin in (typing.Union, types.UnionType):
        return _listed([allowed_values(part) for part in get_args(kind)])
    if origin is tuple:
        return _sequence(*get_args(kind))
    names: dict[Any, str] = {bool: "true or false", int: "a whole number", str: "a text", type(None): "null"}
    return names.get(kind, getattr(kind, "__name__", str(kind)))


def _sequence(*parts: Any) -> str:
    """The values of a tuple: a list of any length, or one value for each place."""
    if parts[-1] is Ellipsis:
        return f"a list, each {allowed_values(parts[0])}"
    return f"[{', '.join(map(allowed_values, parts))}]"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
