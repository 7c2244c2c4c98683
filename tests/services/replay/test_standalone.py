"""Both verifiers: every forged file is rejected at the right event, no sound one is."""

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from bench.matches import RING, played
from keylore_domain import catalog
from keylore_domain.engine.chance import match_seed
from keylore_domain.engine.events import sealed_statement
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.matches import Secrets
from keylore_services.arbiter.keys import KeyRing
from keylore_services.arbiter.rotation import exported_history, history_rows, keys_of, reveal, rotate
from keylore_services.ledger.ledger import open_ledger
from keylore_services.replay import verify_standalone
from keylore_services.replay.gamefile import write_game
from keylore_services.replay.verify import verify_file
from keylore_services.replay.verify_standalone import verify
from tests.domain.engine.playing import MATCH, SEED, START, LiveMatch, eventful, sharing
from tests.services.proof.logs import sealed
from tests.services.replay import forgeries
from tests.services.replay.forgeries import Forgery, edited, encoded, renumbered, resealed
from tests.services.replay.game_forgeries import ForgedFile, Source, forged_files

SCRIPT = Path(verify_standalone.__file__)
KEY = RING.public_key


@lru_cache
def source(game: str) -> Source:
    match = f"m/{game}"
    rows, other = (
        played(game, "greedy", number, match_id=name) for number, name in ((1, match), (2, f"{match}-2"))
    )
    return Source(match, rows, other, RING, KeyRing(b"\x09" * 32, bytes(32)))


def check(game: str, forged: ForgedFile, path: Path) -> list[object]:
    """What a verifier got wrong about a forgery; empty if nothing."""
    path.write_bytes(forged.content(source(game).match))
    full, alone = verify_file(path, trusted_key=KEY), verify(str(path), KEY)
    end = len(forged.lines)
    wrong: list[object] = []
    if full.verdict != "invalid" or not forged.first <= full.first_bad <= forged.last:
        wrong += [forged.what, forged.first, full.verdict, full.first_bad, full.reason]
    # A rule that it does not check shows at the end, where the signature does not fit, if not before.
    same = alone["first_bad"] == full.first_bad
    blamed = same or (not forged.is_plain and full.first_bad < alone["first_bad"] <= end)
    if alone["verdict"] != "invalid" or not blamed:
        wrong += [forged.what, forged.first, "standalone", *alone.values()]
    return wrong


def missed(game: str, count: int, seed: str, folder: Path) -> list[list[object]]:
    found = (check(game, one, folder / "forged") for one in forged_files(source(game), count, seed))
    return [wrong for wrong in found if wrong]


@pytest.mark.slow
@pytest.mark.parametrize("game", catalog.game_ids())
def test_forged_files_are_rejected_at_the_right_event(game: str, tmp_path: Path) -> None:
    assert missed(game, 42, "quick", tmp_path) == []


@pytest.mark.long
@pytest.mark.parametrize("game", catalog.game_ids())
def test_a_thousand_forged_files_are_rejected_at_the_right_event(game: str, tmp_path: Path) -> None:
    assert missed(game, 1_000, "long", tmp_path) == []


def sound(game: str, number: int, folder: Path) -> list[object]:
    """What a verifier found wrong with a sound file; empty if nothing."""
    match = f"m/{game}-{number}"
    rows = played(game, "random", number, match_id=match)
    path = folder / f"game{['', '.gz', '.xz'][number % 3]}"
    log = Source(match, rows, rows, RING, RING).log(size=1 + number % 20, index=number % (1 + number % 20))
    write_game(path, match, rows, log)
    full, alone = verify_file(path, trusted_key=KEY), verify(str(path), KEY)
    if full.is_valid and full.log and alone["verdict"] == "valid" and alone["draws"] == full.draws:
        return []
    return [number, full.verdict, full.reason, alone]


@pytest.mark.slow
@pytest.mark.parametrize("game", catalog.game_ids())
def test_sound_files_are_valid(game: str, tmp_path: Path) -> None:
    assert [wrong for number in range(2) if (wrong := sound(game, number, tmp_path))] == []


@pytest.mark.long
@pytest.mark.parametrize("game", catalog.game_ids())
def test_none_of_many_random_games_is_rejected(game: str, tmp_path: Path) -> None:
    assert [wrong for number in range(250) if (wrong := sound(game, number, tmp_path))] == []


# --- the script by itself -------------------------------------------------------------------------------

ROWS = sealed(1, ring=RING)
EVENTFUL = eventful(Secrets(SEED, RING)).rows
SHARED = sharing(Secrets(SEED, RING)).rows


def run(*arguments: object) -> tuple[int, str]:
    """The script in a Python without any other package; exit code and output."""
    command = [sys.executable, "-I", "-S", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def test_it_imports_nothing_but_the_standard_library() -> None:
    modules = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(SCRIPT.read_text()))
        for name in (
            [item.name for item in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }

    assert modules - sys.stdlib_module_names == {"cryptography"}


@pytest.mark.slow
def test_a_copy_of_it_runs_anywhere(tmp_path: Path) -> None:
    script = shutil.copy(SCRIPT, tmp_path / "check.py")
    good, bad, short, junk = (tmp_path / name for name in ("good.xz", "bad.gz", "short", "junk"))
    write_game(good, "m/game-1", ROWS)
    write_game(bad, "m/game-1", [*ROWS[:4], *ROWS[5:]])
    write_game(short, "m/game-1", ROWS[:-1])
    junk.write_text("{}\n")

    assert run(script, good)[0] == 0
    assert "not checked: signatures: the package cryptography is not here" in run(script, good)[1]
    assert run(script, bad) == (1, "m/game-1: invalid at event 5: " + verify(str(bad))["reason"] + "\n")
    assert run(script, short)[0] == 4
    assert run(script, junk)[0] == 2
    assert json.loads(run(script, good, "--json")[1])["verdict"] == "valid"


def test_the_report_is_told_in_words_and_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.gz"
    write_game(path, "m/game-1", ROWS)
    told = []
    for extra in ([], ["--json"], ["--key", RING.public_key], ["--key", "00" * 32]):
        monkeypatch.setattr(sys, "argv", ["verify", str(path), *extra])
        told.append((verify_standalone.main(), capsys.readouterr().out))

    assert [code for code, _ in told] == [0, 0, 0, 1]
    key = f"  opened and sealed under the key {RING.public_key}\n"
    assert told[0][1].startswith(f"m/game-1: valid\n{key}  not checked: the rules")
    assert "whose key" in told[0][1]
    assert "whose key" not in told[2][1]
    assert "the seal is by another key" in told[3][1]
    assert json.loads(told[1][1])["plies"] > 0


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]\n", b"\xfd7zXZ\0", b"\x1f\x8b", b'{"format":"keylore.game/3"}\n']
)
def test_what_is_no_game_file_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "junk"
    path.write_bytes(content)
    monkeypatch.setattr(sys, "argv", ["verify", str(path)])

    assert verify_standalone.main() == 2
    assert "is no game file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("missing", "arguments"), [("none.xz", ["none.xz"]), ("keys", ["game.gz", "--keys", "keys"])]
)
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    missing: str,
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path / "game.gz", "m/game-1", ROWS)
    monkeypatch.setattr(sys, "argv", ["verify", *arguments])

    assert verify_standalone.main() == 2
    assert capsys.readouterr().err == f"{missing} cannot be read: No such file or directory\n"


def alone(rows: Sequence[Row], path: Path, match: str = MATCH) -> dict[str, Any]:
    write_game(path, match, rows)
    return verify(str(path), RING.public_key)


def test_a_match_with_every_kind_of_event_is_valid(tmp_path: Path) -> None:
    aborted = LiveMatch(secrets=Secrets(SEED, RING)).abort("fire").rows

    assert alone(EVENTFUL, tmp_path / "game")["verdict"] == "valid"
    assert alone(aborted, tmp_path / "game")["verdict"] == "valid"
    assert alone([], tmp_path / "game")["first_bad"] == 1


def test_files_of_format_1_are_verified_too(tmp_path: Path) -> None:
    head: dict[str, object] = {"format": "keylore.game/1", "match": MATCH, "producer": "keylore 0.1.0"}
    lines = [{"version": at, "topic": topic, "state": state.decode()} for at, topic, state in EVENTFUL]
    (tmp_path / "old").write_text("".join(json.dumps(line) + "\n" for line in [head, *lines]))

    assert verify(str(tmp_path / "old"), RING.public_key)["verdict"] == "valid"


def test_a_public_seed_is_derived(tmp_path: Path) -> None:
    secrets = Secrets(match_seed(b"cup 2026", MATCH), RING)
    live = LiveMatch(public_seed="cup 2026", secrets=secrets).finish()

    assert alone(live.rows, tmp_path / "game")["verdict"] == "valid"
    rigged = resealed(edited(live.rows, 2, ("draws", 0, "values"), [0, 1, 2, 3, 4]), RING)
    assert alone(rigged[:-2], tmp_path / "game")["first_bad"] == 2


def test_the_seed_of_a_shared_deal_is_derived_from_its_label(tmp_path: Path) -> None:
    secrets = Secrets(match_seed(b"cup 2026", "cup/r1/p1"), RING)
    live = LiveMatch(public_seed="cup 2026", seed_label="cup/r1/p1", secrets=secrets).finish()

    assert alone(live.rows, tmp_path / "game")["verdict"] == "valid"


# Lies of an arbiter that chains and signs them; what no rule of a game is needed for, this verifier sees too.
@pytest.mark.parametrize(
    ("version", "path", "value", "problem"),
    [
        (1, ("commitment",), "0" * 64, "the commitment is to another share"),
        (1, ("commitment",), None, "the commitment is to another share"),
        (2, ("at",), 0, "its moment is wrong"),
        (2, ("draws", 0, "values"), [0, 1, 2, 3, 4], "does not follow from the seed"),
        (2, ("draws", 0, "values"), [0], "is not where it belongs"),
        (2, ("draws", 0, "index"), 1, "is not where it belongs"),
        (2, ("draws", 0, "kind"), "roll", "has a wrong form"),
        (3, ("at",), 0, "time ran backwards"),
        (3, ("ply",), 2, "wrong ply or seat"),
        (3, ("seat",), 7, "wrong ply or seat"),
        (3, ("seat",), "x", "has a wrong form"),
        (3, ("clock", "left"), 9_000_000, "the clock does not add up"),
        (3, ("clock", "credited"), 200_000, "its clock is out of order"),
        (7, ("clock", "ready"), START, "its clock is out of order"),
        (19, ("seed",), "0" * 64, "the seed is not the one"),
        (19, ("seed",), "xx", "the seed is not the one"),
        (19, ("share",), "0" * 64, "the share is not the one"),
        (19, ("share",), "xx", "the share is not the one"),
    ],
)
def test_lies_that_need_no_rules_are_named(
    tmp_path: Path, version: int, path: tuple[str, ...], value: object, problem: str
) -> None:
    found = alone(resealed(edited(EVENTFUL, version, path, value), RING), tmp_path / "game")

    assert (found["verdict"], found["first_bad"]) == ("invalid", version)
    assert problem in found["reason"]


@pytest.mark.parametrize(
    ("version", "path", "value", "verdict"),
    [
        (1, ("shares",), False, (2, "SharesCommitted cannot come here")),
        (1, ("beacon",), None, (4, "does not follow from the seed")),
        (1, ("beacon", "value"), "ce" * 32, (4, "does not follow from the seed")),
        (1, ("commitment",), "0" * 64, (1, "the commitment is to another share")),
        (2, ("commitments",), [], (2, "have a wrong form")),
        (2, ("commitments",), ["", "", ""], (2, "a share of a seat without one")),
        (2, ("commitments", 0), "x", (2, "have a wrong form")),
        (2, ("commitments", 0), "", (3, "a share of a seat without one")),
        (3, ("shares", 0), "AA" * 32, (3, "have a wrong form")),
        (3, ("shares", 0), "", (4, "does not follow from the seed")),
        (3, ("shares", 2), "aa" * 32, (3, "a share of a seat without one")),
        (4, ("at",), START, (4, "its moment is wrong")),
    ],
)
def test_lies_about_shares_are_named(
    tmp_path: Path, version: int, path: tuple[str, ...], value: object, verdict: tuple[int, str]
) -> None:
    found = alone(resealed(edited(SHARED, version, path, value), RING), tmp_path / "game")

    assert (found["verdict"], found["first_bad"]) == ("invalid", verdict[0])
    assert verdict[1] in found["reason"]


def test_a_match_with_shares_is_valid(tmp_path: Path) -> None:
    secrets = Secrets(SEED, RING)
    alone_at_first = LiveMatch(shares=True, secrets=secrets)
    alone_at_first.begin()
    ended = LiveMatch(shares=True, secrets=secrets)
    ended.commit("aa" * 32, "", "")

    assert alone(SHARED, tmp_path / "game")["verdict"] == "valid"
    assert alone(alone_at_first.finish().rows, tmp_path / "game")["verdict"] == "valid"
    assert alone(ended.abort("fire").rows, tmp_path / "game")["verdict"] == "valid"


def rotated(tmp_path: Path) -> tuple[bytes, str, str]:
    """A history of two keys as a file, and these keys."""
    ledger = open_ledger(":memory:")
    old = keys_of(ledger, tmp_path / "keys", at=1).public_key
    new = rotate(ledger, tmp_path / "keys", 2, "once a year").current.key
    reveal(ledger, tmp_path / "keys", 3, old)
    data = exported_history(history_rows(ledger))
    ledger.close()
    return data, old, new


def test_a_history_of_keys_is_checked(tmp_path: Path) -> None:
    data, old, new = rotated(tmp_path)
    path = tmp_path / "keys.jsonl"
    path.write_bytes(data)

    for key in (None, old, new):
        assert verify_standalone.known_keys(str(path), key) == {old, new}
    with pytest.raises(verify_standalone.BadEventError):
        verify_standalone.known_keys(str(path), "00" * 32)


def test_a_match_under_a_key_outside_of_the_history_is_refused(tmp_path: Path) -> None:
    data, old, _ = rotated(tmp_path)
    path, game = tmp_path / "keys.jsonl", tmp_path / "game"
    path.write_bytes(data)
    write_game(game, MATCH, EVENTFUL)

    assert verify(str(game), RING.public_key)["key"] == RING.public_key
    for key in (None, old):
        found = verify(str(game), key, str(path))
        assert (found["verdict"], found["first_bad"]) == ("invalid", 1)
        assert "a key that the history does not hold" in found["reason"]


def test_an_altered_history_of_keys_is_refused(tmp_path: Path) -> None:
    data, *_ = rotated(tmp_path)
    path = tmp_path / "keys.jsonl"
    unsigned = data.rindex(b'{"type"')  # the last event is not signed: it reveals what was committed to
    wrong = (verify_standalone.BadEventError, *verify_standalone.WRONG_FORM)

    for at in range(0, unsigned, 7):
        forged = bytearray(data)
        forged[at] ^= 1
        path.write_bytes(forged)
        with pytest.raises(wrong):
            verify_standalone.known_keys(str(path), None)
    path.write_bytes(data[:-1])
    with pytest.raises(wrong):
        verify_standalone.known_keys(str(path), None)


def test_a_late_move_is_not_a_move(tmp_path: Path) -> None:
    live = LiveMatch(secrets=Secrets(SEED, RING))
    live.play(1, spent=1_001_001)

    assert alone(live.rows, tmp_path / "game")["reason"] == "the move came too late"


def test_events_come_only_in_order(tmp_path: Path) -> None:
    rows = resealed(renumbered([*EVENTFUL[:2], EVENTFUL[4], EVENTFUL[3], EVENTFUL[-1]]), RING)

    found = alone(rows, tmp_path / "game")

    assert (found["first_bad"], "the match is paused" in found["reason"]) == (4, True)


def test_a_seal_for_another_head_is_refused(tmp_path: Path) -> None:
    *rows, (version, topic, state) = EVENTFUL
    seal = json.loads(state) | {"head": "00" * 32}
    seal["signature"] = RING.sign(sealed_statement(MATCH, version - 1, seal["head"], seal["seed"]))

    found = alone([*rows, (version, topic, encoded(seal))], tmp_path / "game")

    assert (found["first_bad"], found["reason"]) == (19, "the seal is for another head")


@pytest.mark.slow
def test_whatever_is_altered_is_found(tmp_path: Path) -> None:
    forged: list[Forgery] = [
        *forgeries.flips(EVENTFUL, 0x04, step=41),
        *forgeries.drops(EVENTFUL),
        *forgeries.swaps(EVENTFUL),
        *forgeries.topics(EVENTFUL),
        *forgeries.appended(EVENTFUL),
        *(forgery for _, _, forgery in forgeries.fields(EVENTFUL, 1)),
    ]

    found = [(one, alone(_text_only(one.rows), tmp_path / "game")) for one in forged]

    assert [one.what for one, report in found if report["verdict"] != "invalid"] == []
    assert [one.what for one, report in found if report["first_bad"] < one.version] == []


def _text_only(rows: Sequence[Row]) -> list[Row]:
    """Rows whose bytes can be written: what is no UTF-8 becomes so."""
    return [(version, topic, state.decode(errors="replace").encode()) for version, topic, state in rows]
