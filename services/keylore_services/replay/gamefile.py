"""Game files: one match as JSON lines, so that it can be kept, sent and audited without the ledger.

The first line is a header, each further line one event: its version, its topic, and its state as a JSON
string that holds exactly the stored bytes. A name that ends in ``.gz`` makes it gzip; reading looks at the
content.
"""

import gzip
import io
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, TypeVar, cast

import msgspec

from keylore_domain.engine.evidence import Row
from keylore_domain.errors import DataFileError

FORMAT: Final = "keylore.game/1"

_GZIP: Final = b"\x1f\x8b"

T = TypeVar("T")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The most that is read of a file that a stranger handed in (bytes after unpacking)."""

    line: int = 16 * 1024 * 1024
    total: int = 256 * 1024 * 1024
    events: int = 200_000


LIMITS: Final = Limits()


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a game file; ``producer`` names the software that wrote it."""

    format: Literal["keylore.game/1"]
    match: str
    producer: str


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One event of a game file."""

    version: int
    topic: str
    state: str


class GameFile(msgspec.Struct, frozen=True, kw_only=True):
    """What a game file holds; ``rows`` is what an audit or a timeline takes."""

    match: str
    producer: str
    rows: tuple[Row, ...]


def producer() -> str:
    """This software and its version."""
    try:
        return f"keylore {version('keylore')}"
    except PackageNotFoundError:
        return "keylore"


def game_lines(match_id: str, rows: Iterable[Row]) -> Iterator[bytes]:
    """The lines of a game file, each with its line end.

    Raises:
        DataFileError: an event is not text; it was not written by keylore.
    """
    yield msgspec.json.encode(Header(format=FORMAT, match=match_id, producer=producer())) + b"\n"
    for at, topic, state in rows:
        try:
            text = state.decode()
        except UnicodeDecodeError as error:
            raise DataFileError(f"event {at}", f"is not UTF-8: {error}") from None
        yield msgspec.json.encode(Line(version=at, topic=topic, state=text)) + b"\n"


def write_game(path: Path, match_id: str, rows: Sequence[Row]) -> None:
    """Write a game file; whoever looks sees the old file or the whole new one.

    Raises:
        DataFileError: it cannot be written.
    """
    content = b"".join(game_lines(match_id, rows))
    if path.name.endswith(".gz"):
        content = gzip.compress(content, mtime=0)  # no time inside: the same match gives the same bytes
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise DataFileError(str(path), f"cannot be written: {error.strerror}") from error


def read_game(path: Path, limits: Limits = LIMITS) -> GameFile:
    """Read a game file, plain or gzip.

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
    is_packed = file.peek(2)[:2] == _GZIP
    source = cast("BinaryIO", gzip.GzipFile(fileobj=file) if is_packed else file)
    try:
        return _parsed(_numbered_lines(source, limits), limits)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataFileError("(file)", f"the gzip data is damaged: {error}") from error


def _parsed(lines: Iterator[tuple[int, bytes]], limits: Limits) -> GameFile:
    number, first = next(lines, (1, b""))
    if not first:
        raise DataFileError("line 1", f"is missing; a game file begins with a header of {FORMAT}")
    header = _decoded(number, first, Header, f"a header of {FORMAT}")
    rows: list[Row] = []
    for number, line in lines:
        if len(rows) == limits.events:
            raise DataFileError(f"line {number}", f"there are more than {limits.events} events")
        item = _decoded(number, line, Line, "an event")
        rows.append((item.version, item.topic, item.state.encode()))
    return GameFile(match=header.match, producer=header.producer, rows=tuple(rows))


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
