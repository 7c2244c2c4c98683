"""Text: views, facts and moves as lines for a terminal; the same walk over the JSON of every game."""

import textwrap
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from keylore_domain.engine.facts import Fact

WIDTH: Final = 100

_INDENT: Final = "  "
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST: Final = 250_000_000_000_000_000  # in the year 9892


def fact_text(fact: Fact) -> str:
    """A fact as one line: ``counter placed: owner 0, token 0.1.1, location farm``."""
    return _tagged_text(msgspec.to_builtins(fact), "fact")


def move_text(move: object) -> str:
    """A move as one line: ``place: location farm, counter 3``, or ``colour blue``."""
    return _tagged_text(msgspec.to_builtins(move), "action")


def view_lines(view: object, *, width: int = WIDTH) -> list[str]:
    """A view, position or outcome as lines of about *width* columns; what fits stands on one line."""
    return list(_lines(msgspec.to_builtins(view), width))


def inline(value: object) -> str:
    """A plain value in one line: ``3``, ``yes``, ``-`` if unknown, ``1 0 2``, ``(seat 0, coins 3)``."""
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return f"({_pairs(value)})" if value else "none"
        case list() | tuple():
            return _listed(value)
        case _:
            return str(value)


def moment_text(at: int) -> str:
    """A moment (microseconds since 1970) as ``2026-03-01 12:00:00.000000 UTC``."""
    if not 0 <= at < _LAST:
        return f"{at} µs after 1970"
    return (_EPOCH + timedelta(microseconds=at)).strftime("%Y-%m-%d %H:%M:%S.%f UTC")


def span_text(microseconds: int) -> str:
    """A span of time in milliseconds, ``5.250 ms``, or seconds from 10 s on, ``12.500 s``."""
    if abs(microseconds) < 10_000_000:
        return f"{microseconds / 1_000:.3f} ms"
    return f"{microseconds / 1_000_000:.3f} s"


def words(name: str) -> str:
    """A name of the JSON for people: ``counter_placed`` as ``counter placed``."""
    return name.replace("_", " ")


def _tagged_text(fields: Any, tag: str) -> str:
    if not isinstance(fields, dict):
        return inline(fields)
    name = fields.pop(tag, None)
    pairs = _pairs(fields)
    if name is None:
        return pairs or "(nothing)"
    return f"{words(name)}: {pairs}" if pairs else words(name)


def _pairs(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{words(str(key))} {inline(value)}" for key, value in fields.items())


def _listed(items: list[Any] | tuple[Any, ...]) -> str:
    if not items:
        return "none"
    if any(isinstance(item, list | tuple) for item in items):
        return "; ".join(inline(item) for item in items)
    return " ".join(inline(item) for item in items)


def _lines(value: Any, width: int) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from _mapping_lines(value, width)
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in value):
        for item in value:
            yield from _item_lines(item, width)
    else:
        yield from textwrap.wrap(inline(value), width)


def _mapping_lines(fields: Mapping[str, Any], width: int) -> Iterator[str]:
    row = ""
    for key, value in fields.items():
        short = f"{words(str(key))} {inline(value)}"
        if not _is_table(value) and len(short) <= width:
            if row and len(row) + len(short) + 2 > width:
                yield row
                row = ""
            row = f"{row}, {short}" if row else short
            continue
        if row:
            yield row
            row = ""
        yield f"{words(str(key))}:"
        yield from (_INDENT + line for line in _lines(value, width - len(_INDENT)))
    if row:
        yield row


def _item_lines(item: Any, width: int) -> Iterator[str]:
    short = _pairs(item) if isinstance(item, Mapping) else inline(item)
    if len(short) <= width:
        yield short
        return
    first, *rest = _lines(item, width - len(_INDENT))
    yield first
    yield from (_INDENT + line for line in rest)


def _is_table(value: Any) -> bool:
    """Whether *value* is a list of records, which is easier to read one below the other."""
    return (
        isinstance(value, list | tuple)
        and len(value) > 1
        and all(isinstance(item, Mapping) for item in value)
    )
