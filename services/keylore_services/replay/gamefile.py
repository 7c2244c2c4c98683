"""Game files: one match as JSON lines, so that it can be kept, sent and audited without the ledger.

The first line is a header; it may hold the proof that the match is in the transparency log, and receipts that
its seats were given. Each further line
is one event, and nothing but the bytes that are stored: these name their own kind and version. (A row that is
not what its bytes say is written as ``{"version", "topic", "state"}`` with the bytes as a string; format 1
wrote all rows so.) A name that ends in ``.xz`` or ``.gz`` packs the file; reading looks at the content.

An event that cannot be read is no reason not to read the file: its row goes to the audit, which names it.
"""

import io
import os
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, TypeVar, cast

import msgspec

from keylore_domain.engine.evidence import TOPIC_PREFIX, Row
from keylore_domain.engine.heads import LogProof
from keylore_domain.engine.receipts import Receipt
from keylore_domain.errors import DataFileError
from keylore_services.replay.packing import packed, unpacked

FORMAT: Final = "keylore.game/2"

UNREADABLE: Final = f"{TOPIC_PREFIX}Unreadable"
"""The topic of a row whose bytes do not name their kind."""

_EXPLICIT: Final = b'{"version":'

T = TypeVar("T")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The most that is read of a file that a stranger handed in (bytes after unpacking)."""

    line: int = 16 * 1024 * 1024
    total: int = 256 * 1024 * 1024
    events: int = 200_000


LIMITS: Final = Limits()


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of a game file; ``producer`` names the software that wrote it."""

    format: Literal["keylore.game/1", "keylore.game/2"]
    match: str
    producer: str
    log: LogProof | None = None
    receipts: tuple[Receipt, ...] = ()


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One event of a game file, if its bytes alone would not do."""

    version: int
    topic: str
    state: str


class GameFile(msgspec.Struct, frozen=True, kw_only=True):
    """What a game file holds; ``rows`` is what an audit or a timeline takes."""

    match: str
    producer: str
    rows: tuple[Row, ...]
    log: LogProof | None = None
    receipts: tuple[Receipt, ...] = ()


class _Named(msgspec.Struct):
    """What the bytes of an event say of themselves."""

    type: str
    originator_version: int


_named: Final = msgspec.json.Decoder(_Named).decode


def producer() -> str:
    """This software and its version."""
    try:
        return f"keylore {version('keylore')}"
    except PackageNotFoundError:
        return "keylore"


def game_lines(
    match_id: str, rows: Iterable[Row], log: LogProof | None = None, receipts: Sequence[Receipt] = ()
) -> Iterator[bytes]:
    """The lines of a game file, each with its line end.

    Raises:
        DataFileError: an event is not text; it was not written by keylore.
    """
    header = Header(format=FORMAT, match=match_id, producer=producer(), log=log, receipts=tuple(receipts))
    yield msgspec.json.encode(header) + b"\n"
    for row in rows:
        yield _line(row) + b"\n"


def write_game(
    path: Path,
    match_id: str,
    rows: Sequence[Row],
    log: LogProof | None = None,
    receipts: Sequence[Receipt] = (),
) -> None:
    """Write a game file; whoever looks sees the old file or the whole new one.

    Args:
        log: the proof that the match is in the transparency log, if it is.
        receipts: signed receipts of its moves.

    Raises:
        DataFileError: it cannot be written.
    """
    content = packed(path.name, b"".join(game_lines(match_id, rows, log, receipts)))
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise DataFileError(str(path), f"cannot be written: {error.strerror}") from error


def read_game(path: Path, limits: Limits = LIMITS) -> GameFile:
    """Read a game file, plain or packed.

    Raises:
        DataFileError: it cannot be read, is no game file, or is larger than *limits*; names the line.
    """
    try:
        with path.open("rb") as file:
            return parse_game(file, limits)
    except OSError as error:
        raise DataFileError(str(path), f"cannot be read: {error.strerror or error}") from error


def parse_game(file: BinaryIO, limits: Limits = LIMITS) -> GameFile:
    """Read a game file from an open binary *file*.

    Raises:
        DataFileError: as for `read_game`.
    """
    if isinstance(file, io.BufferedReader):
        return _parsed_buffered(file, limits)
    buffered = io.BufferedReader(cast("io.RawIOBase", file))
    try:
        return _parsed_buffered(buffered, limits)
    finally:
        buffered.detach()  # the file stays the caller's


def _parsed_buffered(file: "io.BufferedReader[Any]", limits: Limits) -> GameFile:
    with unpacked(file) as source:
        return _parsed(_numbered_lines(source, limits), limits)


def _parsed(lines: Iterator[tuple[int, bytes]], limits: Limits) -> GameFile:
    number, first = next(lines, (1, b""))
    if not first:
        raise DataFileError("line 1", f"is missing; a game file begins with a header of {FORMAT}")
    header = _decoded(number, first, Header, f"a header of {FORMAT}")
    is_explicit = header.format != FORMAT
    if is_explicit and (header.log is not None or header.receipts):
        raise DataFileError("line 1", f"is not a header of {header.format}: it holds a proof")
    rows: list[Row] = []
    for number, line in lines:
        if len(rows) == limits.events:
            raise DataFileError(f"line {number}", f"there are more than {limits.events} events")
        rows.append(
            _explicit_row(number, line)
            if is_explicit or line.startswith(_EXPLICIT)
            else _row(len(rows) + 1, line[:-1])
        )
    return GameFile(
        match=header.match,
        producer=header.producer,
        rows=tuple(rows),
        log=header.log,
        receipts=header.receipts,
    )


def _line(row: Row) -> bytes:
    """A row as a line of format 2."""
    at, topic, state = row
    try:
        text = state.decode()
    except UnicodeDecodeError as error:
        raise DataFileError(f"event {at}", f"is not UTF-8: {error}") from None
    if b"\n" not in state and not state.startswith(_EXPLICIT) and _row(at, state) == row:
        return state
    return msgspec.json.encode(Line(version=at, topic=topic, state=text))


def _row(place: int, state: bytes) -> Row:
    """The row that the bytes of an event name; that of *place* if they name none."""
    try:
        named = _named(state)
    except (msgspec.DecodeError, RecursionError):
        return (place, UNREADABLE, state)
    return (named.originator_version, TOPIC_PREFIX + named.type, state)


def _explicit_row(number: int, line: bytes) -> Row:
    item = _decoded(number, line, Line, "an event")
    return (item.version, item.topic, item.state.encode())


def _numbered_lines(source: BinaryIO, limits: Limits) -> Iterator[tuple[int, bytes]]:
    number = total = 0
    while line := source.readline(limits.line + 1):
        number += 1
        total += len(line)
        if len(line) > limits.line:
            raise DataFileError(f"line {number}", f"is longer than {limits.line} bytes")
        if total > limits.total:
            raise DataFileError(f"line {number}", f"the file holds more than {limits.total} bytes")
        if not line.endswith(b"\n"):
            raise DataFileError(f"line {number}", "is cut off: it has no line end")
        yield number, line


def _decoded(number: int, line: bytes, kind: type[T], what: str) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        raise DataFileError(f"line {number}", f"is not {what}: {error}") from None
