"""Game files: what is written is read again, byte for byte; what is damaged is named by its line."""

import gzip
import io
import json
import lzma
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from keylore_domain.engine.audit import audit
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.heads import LogProof
from keylore_domain.errors import DataFileError
from keylore_services.replay import gamefile, packing
from keylore_services.replay.gamefile import UNREADABLE, Limits, game_lines, parse_game, read_game, write_game
from tests.domain.engine.playing import MATCH, SIGNER, LiveMatch, eventful, fake_check
from tests.domain.engine.toy import DATA, toy_catalog

ROWS = LiveMatch(data_text=DATA + "# “é” \u2028\n").finish().rows


@pytest.mark.parametrize("name", ["game.jsonl", "game.jsonl.gz", "game.jsonl.xz"])
def test_a_game_is_written_and_read_byte_for_byte(tmp_path: Path, name: str) -> None:
    path = tmp_path / name

    write_game(path, MATCH, ROWS)
    found = read_game(path)

    assert (found.match, found.rows) == (MATCH, tuple(ROWS))
    assert found.producer.startswith("keylore")
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == name.endswith(".gz")
    assert (path.read_bytes()[:5] == b"\xfd7zXZ") == name.endswith(".xz")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("ending", ["gz", "xz"])
def test_the_same_game_gives_the_same_file(tmp_path: Path, ending: str) -> None:
    write_game(tmp_path / f"a.{ending}", MATCH, ROWS)
    write_game(tmp_path / f"b.{ending}", MATCH, ROWS)

    assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


def test_each_line_is_the_stored_bytes_of_an_event() -> None:
    header, *lines = game_lines(MATCH, ROWS)

    assert json.loads(header)["format"] == "keylore.game/2"
    assert json.loads(header)["match"] == MATCH
    assert [line[:-1] for line in lines] == [state for _, _, state in ROWS]


ODD: list[Row] = [
    (1, "keylore:Match.Opened", b'{"type":"SetUp","originator_version":1}'),
    (3, "keylore:Match.SetUp", b'{"type":"SetUp","originator_version":2}'),
    (3, "keylore:Match.SetUp", b'{"type":"SetUp",\n"originator_version":3}'),
    (4, "keylore:Match.SetUp", b'{"version":4,"type":"SetUp","originator_version":4}'),
    (5, "keylore:Bot.Enrolled", b"{}"),
    (6, "", b""),
]


def test_rows_that_are_not_what_their_bytes_say_are_written_as_they_are() -> None:
    assert parse_game(io.BytesIO(b"".join(game_lines(MATCH, ODD)))).rows == tuple(ODD)


def test_an_event_that_cannot_be_read_goes_to_the_audit() -> None:
    lines = list(game_lines(MATCH, ROWS))
    lines[4] = b"{" + b"[" * 100_000 + b"\n"

    found = parse_game(io.BytesIO(b"".join(lines)))
    report = audit(MATCH, found.rows, toy_catalog, trusted_key=None, check_signature=fake_check)

    assert found.rows[3] == (4, UNREADABLE, lines[4][:-1])
    assert (report.verdict, report.first_bad) == ("invalid", 4)


def version_1(rows: Iterable[Row]) -> bytes:
    """A file as format 1 had it."""
    head: dict[str, object] = {"format": "keylore.game/1", "match": MATCH, "producer": "keylore 0.1.0"}
    lines = [{"version": at, "topic": topic, "state": state.decode()} for at, topic, state in rows]
    return b"".join(json.dumps(line).encode() + b"\n" for line in [head, *lines])


def test_files_of_format_1_are_read_still() -> None:
    for content in (version_1(ROWS), gzip.compress(version_1(ROWS))):
        found = parse_game(io.BytesIO(content))
        assert (found.match, found.rows, found.log) == (MATCH, tuple(ROWS), None)
    with pytest.raises(DataFileError, match="line 2: is not an event"):
        parse_game(io.BytesIO(version_1([]) + ROWS[0][2] + b"\n"))


PROOF = LogProof(index=4, path=("00" * 32,), checkpoint="log\n7\n")


def test_the_proof_of_the_log_stands_in_the_header() -> None:
    content = b"".join(game_lines(MATCH, ROWS, PROOF))

    assert parse_game(io.BytesIO(content)).log == PROOF
    with pytest.raises(DataFileError, match="it holds a proof"):
        parse_game(io.BytesIO(content.replace(b"game/2", b"game/1")))


def test_a_file_is_audited_without_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl.gz"
    write_game(path, MATCH, eventful().rows)
    found = read_game(path)

    report = audit(
        found.match, found.rows, toy_catalog, trusted_key=SIGNER.public_key, check_signature=fake_check
    )

    assert report.is_valid


def test_a_renamed_match_in_the_header_is_found_by_the_audit() -> None:
    content = b"".join(game_lines("m/other", ROWS))
    found = parse_game(io.BytesIO(content))

    report = audit(found.match, found.rows, toy_catalog, trusted_key=None, check_signature=fake_check)

    assert (report.verdict, report.first_bad) == ("invalid", 1)


LINES = list(game_lines(MATCH, ROWS))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "line 1: is missing; a game file begins with a header of keylore.game/2"),
        (b"PK\x03\x04\n", "line 1: is not a header"),
        (b"{}\n", "line 1: is not a header"),
        (LINES[0].replace(b"game/2", b"game/3"), "line 1: is not a header of keylore.game/2"),
        (LINES[0].replace(b'{"format"', b'{"x":1,"format"'), "line 1: is not a header"),
        (LINES[0] + LINES[1] + b'{"version":"2"}\n', "line 3: is not an event"),
        (LINES[0] + LINES[1][:-1], "line 2: is cut off"),
        (LINES[0] + b'{"version":1,"topic":"\xff","state":""}\n', "line 2: is not an event"),
        (gzip.compress(b"".join(LINES))[:-9], r"\(file\): the gzip data is damaged"),
        (gzip.compress(b"".join(LINES))[:30] + b"\0" * 99, r"\(file\): the gzip data is damaged"),
        (b"\x1f\x8b\x00\x00", r"\(file\): the gzip data is damaged"),
        (lzma.compress(b"".join(LINES))[:-9], r"\(file\): the xz data is damaged: it ends too early"),
        (lzma.compress(b"".join(LINES))[:40] + b"\0" * 999, r"\(file\): the xz data is damaged"),
        (lzma.compress(b"".join(LINES)) + b"x", r"\(file\): the xz data is damaged: something follows"),
        (lzma.compress(b"".join(LINES)) * 2, r"\(file\): the xz data is damaged: something follows"),
        (lzma.compress(LINES[0], preset=9, filters=None)[:12], r"\(file\): the xz data is damaged"),
    ],
)
def test_what_is_damaged_is_named_by_its_line(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "game"
    path.write_bytes(content)

    with pytest.raises(DataFileError, match=problem):
        read_game(path)


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        (Limits(line=100), "line 2: is longer than 100 bytes"),
        (Limits(total=1_000), "the file holds more than 1000 bytes"),
        (Limits(events=3), "line 5: there are more than 3 events"),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_a_file_that_is_too_large_is_refused(
    limits: Limits, problem: str, pack: Callable[[bytes], bytes]
) -> None:
    with pytest.raises(DataFileError, match=problem):
        parse_game(io.BytesIO(pack(b"".join(LINES))), limits)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_small_file_that_unpacks_to_much_is_refused(pack: Callable[[bytes], bytes]) -> None:
    bomb = pack(LINES[0] + b" " * 5_000_000)

    with pytest.raises(DataFileError, match="line 2: is longer than 1000000 bytes"):
        parse_game(io.BytesIO(bomb), Limits(line=1_000_000))


def test_a_file_that_wants_too_much_memory_is_refused() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": packing.MEMORY * 2}]
    greedy = lzma.compress(b"".join(LINES), filters=filters)

    with pytest.raises(DataFileError, match="xz data is damaged: Memory usage limit exceeded"):
        parse_game(io.BytesIO(greedy))


def test_a_missing_file_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="cannot be read: No such file"):
        read_game(tmp_path / "none.jsonl")


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "game.jsonl"
    target.mkdir()

    with pytest.raises(DataFileError, match="cannot be written"):
        write_game(target, MATCH, ROWS)
    assert list(tmp_path.iterdir()) == [target]


def test_an_event_that_is_no_text_is_not_written() -> None:
    with pytest.raises(DataFileError, match="event 1: is not UTF-8"):
        list(game_lines(MATCH, [(1, "keylore:Match.Opened", b"\xff")]))


def test_a_copy_that_is_not_installed_still_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(gamefile, "version", missing)

    assert gamefile.producer() == "keylore"


def test_an_open_file_stays_open() -> None:
    file = io.BytesIO(b"".join(LINES))

    parse_game(file)

    assert not file.closed
