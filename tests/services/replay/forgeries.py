"""Forgeries: every way that a record can be altered, made from a sound one."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from keylore_domain.engine.aggregates import genesis
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import sealed_statement
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.matches import Signer

Path = tuple[str | int, ...]


# What only the arbiter knows: after such a change, with the chain rebuilt, no rule is broken.
SEAL_ONLY: Final = {
    ("Opened", "time", "credit_ms"),
    ("Opened", "time", "faults"),
    ("MovePlayed", "at"),
    ("MovePlayed", "clock", "ready"),
    ("MovePlayed", "refused"),
    ("MoveDefaulted", "at"),
    ("MoveDefaulted", "clock", "ready"),
    ("MoveDefaulted", "clock", "sent"),
    ("MoveDefaulted", "clock", "received"),
    ("MoveDefaulted", "clock", "credited"),
    ("MoveDefaulted", "refused"),
    ("Paused", "at"),
    ("Paused", "cause"),
    ("Resumed", "at"),
    ("Resumed", "cause"),
    ("SeatForfeited", "at"),
    ("SeatForfeited", "cause"),
}

# Where the record contradicts itself, but only at a later event.
LATER: Final = {("Opened", "at"), ("Opened", "options"), ("Opened", "shares"), ("Opened", "time")}


class Forgery(NamedTuple):
    """A record that was altered: what was done, the first event that it was done to, the forged rows."""

    what: str
    version: int
    rows: list[Row]


def flips(rows: Sequence[Row], mask: int, step: int = 1) -> Iterator[Forgery]:
    """Each *step*-th byte of each event, changed by *mask*."""
    for at, (version, topic, state) in enumerate(rows):
        for place in range(version % step, len(state), step):
            flipped = bytearray(state)
            flipped[place] ^= mask
            forged = (version, topic, bytes(flipped))
            yield Forgery(f"byte {place} of event {version}", version, _with(rows, at, forged))


def topics(rows: Sequence[Row]) -> Iterator[Forgery]:
    """Each event under the topic of each other kind."""
    names = sorted({topic for _, topic, _ in rows} | {"keylore:Match.Aborted", "keylore:Bot.Enrolled", ""})
    for at, (version, topic, state) in enumerate(rows):
        for name in names:
            if name != topic:
                yield Forgery(f"event {version} as {name}", version, _with(rows, at, (version, name, state)))


def drops(rows: Sequence[Row]) -> Iterator[Forgery]:
    """Each event but the last, left out; as it is, renumbered, and with a chain rebuilt to the end."""
    for at in range(len(rows) - 1):
        rest = [*rows[:at], *rows[at + 1 :]]
        version = rows[at][0]
        yield Forgery(f"without event {version}", version, rest)
        yield Forgery(f"without event {version}, renumbered", version, renumbered(rest))
        yield Forgery(f"without event {version}, chained", version, rechained(renumbered(rest)))


def swaps(rows: Sequence[Row]) -> Iterator[Forgery]:
    """Each two neighbours in the wrong order; as they are, renumbered, and with a rebuilt chain."""
    for at in range(len(rows) - 1):
        turned = [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]]
        version = rows[at][0]
        yield Forgery(f"events {version}, {version + 1} swapped", version, turned)
        yield Forgery(f"events {version}, {version + 1} renumbered", version, renumbered(turned))
        yield Forgery(f"events {version}, {version + 1} chained", version, rechained(renumbered(turned)))


def appended(rows: Sequence[Row]) -> Iterator[Forgery]:
    """Each event once more after the end, with a proper chain."""
    for version, _, _ in rows:
        longer = rechained(renumbered([*rows, rows[version - 1]]), first=len(rows) + 1)
        yield Forgery(f"event {version} again at the end", len(rows) + 1, longer)


def spliced(rows: Sequence[Row], other: Sequence[Row]) -> Iterator[Forgery]:
    """Each event exchanged for the event of that number in another match; plain, renamed, and chained."""
    match_id = json.loads(rows[0][2])["originator_id"]
    for at in range(min(len(rows), len(other))):
        version = at + 1
        yield Forgery(f"foreign event {version}", version, _with(rows, at, other[at]))
        renamed = _with(rows, at, _edited(other[at], ("originator_id",), match_id))
        yield Forgery(f"foreign event {version}, renamed", version, renamed)
        yield Forgery(f"foreign event {version}, chained", version, rechained(renamed))


def fields(rows: Sequence[Row], each: int) -> Iterator[tuple[str, Path, Forgery]]:
    """Each field of *each* events of every kind changed in each plausible way, the chain rebuilt to the end.

    Gives the kind of the event and the path of the field besides. The seal keeps its signature, but is made
    to name the new head.
    """
    met: Counter[str] = Counter()
    for at, row in enumerate(rows):
        event = json.loads(row[2])
        met[event["type"]] += 1
        if met[event["type"]] > each:
            continue
        for path, value in _leaves(event):
            for other in _others(value):
                forged = _with(rows, at, _edited(row, path, other))
                if path != ("prev",):
                    forged = rechained(forged, first=row[0] + 1)
                what = f"event {row[0]}: {path} = {other!r}, was {value!r}"
                yield event["type"], path, Forgery(what, row[0], forged)


def some_field(row: Row, chance: random.Random) -> tuple[str, Path, Row]:
    """The row with one of its fields changed at random; gives the kind of the event and the path besides."""
    event = json.loads(row[2])
    path, value = chance.choice(list(_leaves(event)))
    return event["type"], path, _edited(row, path, chance.choice(list(_others(value))))


def cut_off(rows: Sequence[Row]) -> Iterator[Forgery]:
    """The record without its last events."""
    for length in range(1, len(rows)):
        yield Forgery(f"the first {length} events", length + 1, list(rows[:length]))


def resealed(rows: Sequence[Row], signer: Signer) -> list[Row]:
    """The record with its chain rebuilt and its seal signed by *signer*."""
    rows = rechained(list(rows))
    version, topic, state = rows[-1]
    seal = json.loads(state)
    statement = sealed_statement(seal["originator_id"], version - 1, seal["head"], seal["seed"])
    seal |= {"key": signer.public_key, "signature": signer.sign(statement)}
    return [*rows[:-1], (version, topic, encoded(seal))]


def renumbered(rows: Sequence[Row]) -> list[Row]:
    """The rows with versions 1, 2, 3, ... inside and outside."""
    return [
        (version, topic, _edited((version, topic, state), ("originator_version",), version)[2])
        for version, (_, topic, state) in enumerate(rows, 1)
    ]


def rechained(rows: Sequence[Row], first: int = 1) -> list[Row]:
    """The rows with the chain rebuilt from event *first* to the end; a seal names the new head."""
    chained: list[Row] = list(rows[: first - 1])
    for version, topic, state in rows[first - 1 :]:
        try:
            event = json.loads(state)
        except ValueError:
            chained.append((version, topic, state))
            continue
        before = chained[-1][2] if chained else None
        event["prev"] = genesis(event["originator_id"]) if before is None else sha256_hex(before)
        if "head" in event:
            event["head"] = event["prev"]
        chained.append((version, topic, encoded(event)))
    return chained


def encoded(event: object) -> bytes:
    """An event as canonical JSON."""
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()


def edited(rows: Sequence[Row], version: int, path: Path, value: object) -> list[Row]:
    """The rows with one field changed, chain as it was."""
    return _with(rows, version - 1, _edited(rows[version - 1], path, value))


def _with(rows: Sequence[Row], at: int, row: Row) -> list[Row]:
    return [*rows[:at], row, *rows[at + 1 :]]


def _edited(row: Row, path: Path, value: object) -> Row:
    version, topic, state = row
    event = json.loads(state)
    place: Any = event
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return version, topic, encoded(event)


def _leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    if path:
        yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _leaves(item, (*path, at))


def _others(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, value * 2 + 7, float(value), str(value))
        case str():
            others = (value + "x", value.upper() + "Y", "", "é\u2028" + value, value[::-1] + "0")
            yield from (other for other in others if other != value)
            if value[-1:].isalnum():
                yield value[:-1] + ("0" if value[-1] != "0" else "1")
        case list():
            yield from ([*value, *value[:1]] if value else [0], value[1:] if value else {})
        case dict():
            yield {**value, "more": 1}
            yield dict(list(value.items())[:-1])
        case None:
            yield from ("x", 0, {})


def named(kind: str, path: Path) -> tuple[str, ...]:
    """The kind and the field, down to the fields of clock and time control."""
    depth = 2 if path[0] in {"clock", "time"} else 1
    return (kind, *(str(step) for step in path[:depth]))
