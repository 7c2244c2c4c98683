"""`keylore log`: heads and proofs of a league, and a monitor that sees a server fork."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from keylore_domain.engine.checkpoints import NoteKey, opened_checkpoint
from keylore_services.arbiter.keys import is_signature
from tests.cli.commands import command, environment, keylore
from tests.cli.running import SMALL, Terminal, quietly
from tests.cli.test_serving import SECONDS, eventually, served

GAME = "m/cup/r1/t1"

OTHER = "other/log+033de0ae+" + "A" * 44


def announce(league: Path, *names: str) -> None:
    """Tournaments that are only announced: their events are leaves."""
    for name in names:
        quietly(league, "tournament", "new", name, *SMALL, "--builtin", "first:2")


@pytest.fixture
def league(fresh: Terminal) -> Terminal:
    announce(fresh.league, "cup")
    return fresh


def test_the_head_of_a_league_is_printed_and_signed(league: Terminal) -> None:
    told = league.json("log", "checkpoint")

    head = opened_checkpoint(told["note"], NoteKey.parse(told["key"]), is_signature)
    assert (head.origin, head.size, head.root.hex()) == (told["origin"], told["size"], told["root"])
    assert league.out("log", "checkpoint") == told["note"]
    assert league.out("log", "checkpoint", "--key", told["key"]) == told["note"]


def test_a_head_that_another_key_should_have_signed_is_wrong(league: Terminal) -> None:
    stranger = str(NoteKey("other/log", "ab" * 32))

    assert "is not signed with other/log" in league.fails(1, "log", "checkpoint", "--key", stranger)
    assert "is not NAME+ID+BASE64" in league.fails(2, "log", "checkpoint", "--key", OTHER)


def test_an_event_is_proved_to_be_in_the_log(league: Terminal) -> None:
    told = league.json("log", "proof", "t/cup", "--event", "1")

    assert (told["leaf"]["id"], told["leaf"]["version"], told["proof"]["index"]) == ("t/cup", 1, 1)
    said = league.out("log", "proof", "t/cup", "--event", "1")
    assert said.startswith("event 1 of t/cup is leaf 1 of the log\n")
    assert said.endswith(told["proof"]["checkpoint"])
    assert "m/none is not in the log" in league.fails(3, "log", "proof", "m/none")
    assert "event 99 of t/cup is not in the log" in league.fails(3, "log", "proof", "t/cup", "--event", "99")


def test_leaves_and_consistency_are_shown(league: Terminal) -> None:
    leaves = league.json("log", "list")

    assert [leaf["number"] for leaf in leaves] == list(range(len(leaves)))
    assert league.json("log", "list", "--first", "1", "--count", "1") == leaves[1:2]
    assert leaves[0]["digest"] in league.out("log", "list")
    size = len(leaves)
    path = league.json("log", "consistency", "1", str(size))["path"]
    assert league.out("log", "consistency", "1", str(size)) == "".join(f"{step}\n" for step in path)
    assert league.out("log", "consistency", str(size), str(size)) == "no hashes are needed\n"
    assert "leaves" in league.fails(3, "log", "consistency", "1", "9999")


def test_there_must_be_a_league_or_a_server(fresh: Terminal, tmp_path: Path) -> None:
    assert "there is no league" in fresh.fails(3, "log", "checkpoint")
    assert "HOST:PORT" in fresh.fails(2, "log", "checkpoint", "--server", "here")
    assert "127.0.0.1:1 gives no answer" in fresh.fails(6, "log", "checkpoint", "--server", "127.0.0.1:1")
    missing = str(tmp_path / "none.pem")
    assert "certificate" in fresh.fails(3, "log", "checkpoint", "--server", "127.0.0.1:1", "--ca", missing)


def test_the_league_here_is_watched_look_by_look(league: Terminal, tmp_path: Path) -> None:
    kept = tmp_path / "seen.txt"
    watch = ("log", "monitor", "--kept", str(kept), "--once")

    first = league.run(*watch)
    assert first.code == 0
    assert "first look" in first.out
    assert "believing the key" in first.err
    announce(league.league, "late")
    assert "grown" in league.out(*watch)
    assert "nothing new" in league.out(*watch)
    assert json.loads(league.out(*watch, "--json"))["verdict"] == "same"


def test_a_head_that_was_kept_is_what_a_monitor_begins_with(league: Terminal, tmp_path: Path) -> None:
    kept = tmp_path / "seen.txt"
    watch = ("log", "monitor", "--kept", str(kept), "--once")
    kept.write_text(league.out("log", "checkpoint"))
    announce(league.league, "late")

    assert "continues what was kept" in league.out(*watch)
    assert (tmp_path / "seen.txt.key").exists()

    (tmp_path / "seen.txt.key").unlink()
    kept.write_text("a note\n")
    assert "name the key of the log with --key" in league.fails(2, *watch)
    assert not (tmp_path / "seen.txt.key").exists()


def test_a_log_whose_heads_another_key_signs_is_not_followed(league: Terminal, tmp_path: Path) -> None:
    watch = ("log", "monitor", "--kept", str(tmp_path / "seen.txt"), "--once")
    league.out(*watch)
    shutil.rmtree(league.league)
    announce(league.league, "cup")

    assert "no rotation of keys joins the two" in league.fails(1, *watch)


def test_a_log_is_not_signed_with_keys_that_are_not_those_of_its_ledger(league: Terminal) -> None:
    shutil.rmtree(league.league / "keys")

    assert "are not those of this ledger" in league.fails(6, "log", "checkpoint")


def test_a_log_is_watched_from_key_to_key(league: Terminal, tmp_path: Path) -> None:
    kept = tmp_path / "seen.txt"
    watch = ("log", "monitor", "--kept", str(kept), "--once")
    old = league.json("log", "checkpoint")["key"]
    for command_line in (watch, (*watch, "--key", old)):
        league.out(*command_line)
    league.out("keys", "rotate", "--reason", "once a year")
    announce(league.league, "late")

    assert "continues what was kept" in league.out(*watch)
    assert "nothing new" in league.out(*watch, "--key", old)
    new = league.json("log", "checkpoint")["key"]
    assert new != old
    assert (tmp_path / "seen.txt.key").read_text() == f"{new}\n"
    stranger = str(NoteKey("other/log", "ab" * 32))
    assert "does not hold" in league.fails(1, *watch, "--key", stranger)


def test_evidence_must_be_evidence(fresh: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "fork.json"
    assert "cannot be read" in fresh.fails(2, "log", "verify", str(file))
    file.write_text("{}")
    assert "is no evidence of a fork" in fresh.fails(2, "log", "verify", str(file))


@pytest.mark.slow
def test_a_monitor_shouts_when_a_server_forks(fresh: Terminal, tmp_path: Path) -> None:
    """A server in one process, a monitor in another; then the league comes back with another history."""
    announce(fresh.league, "cup")
    fresh.out("log", "checkpoint")
    forked = Terminal(tmp_path / "forked", fresh._captured)
    shutil.copytree(fresh.league, forked.league)
    announce(fresh.league, "true", "more")
    announce(forked.league, "false", "other", "third")
    kept = tmp_path / "seen.txt"

    with served(fresh.league) as told:
        port = told["address"].rpartition(":")[2]
        key = json.loads(keylore(fresh.league, "log", "checkpoint", "--server", told["address"], "--json"))[
            "key"
        ]
        watcher = subprocess.Popen(
            command(
                tmp_path / "nowhere", "log", "monitor", "--server", told["address"], "--kept", str(kept),
                "--key", key, "--every", "0.05",
            ),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
        )  # fmt: skip
        eventually(kept.exists)
        honest = kept.read_text()
        assert fresh.json("log", "proof", "t/true", "--server", told["address"])["leaf"]["id"] == "t/true"
    with served(forked.league, "--port", port):
        said, shouted = watcher.communicate(timeout=SECONDS)

    assert watcher.returncode == 1
    assert "first look" in said
    assert "FORK" in said
    assert "has shown two histories" in shouted
    evidence = f"{kept}.fork.json"
    found = fresh.json("log", "verify", evidence, "--key", key)
    assert found["convicted"]
    assert "does not begin with the signed log" in found["reason"]
    assert "it cannot, that convicts it" in fresh.out("log", "verify", evidence)
    assert kept.read_text() == honest, "the last good head is still the known one"
    assert "accuses the log" in fresh.fails(2, "log", "verify", evidence, "--key", "x")


def test_evidence_of_heads_that_fit_shows_nothing(league: Terminal, tmp_path: Path) -> None:
    told = league.json("log", "checkpoint")
    file = tmp_path / "fork.json"
    accused: dict[str, Any] = {
        "verdict": "fork",
        "key": told["key"],
        "known": told["note"],
        "seen": told["note"],
    }
    file.write_text(json.dumps(accused))

    done = league.run("log", "verify", str(file))

    assert (done.code, done.out) == (1, "the file shows no fork: the heads fit together\n")


def test_an_exported_game_carries_the_proof_of_the_log(here: Terminal, tmp_path: Path) -> None:
    file, again = str(tmp_path / "game.jsonl.xz"), str(tmp_path / "again.jsonl")
    told = here.json("game", "export", GAME, file)
    assert ", leaf " in told["log"]

    elsewhere = Terminal(tmp_path / "none", here._captured)
    report = elsewhere.json("game", "verify", file)
    assert (report["verdict"], report["log"]) == ("valid", told["log"])
    assert elsewhere.json("game", "export", file, again)["log"] == told["log"], "a file keeps its proof"


def test_a_game_is_held_against_a_head_that_somebody_kept(here: Terminal, tmp_path: Path) -> None:
    kept, file = tmp_path / "seen.txt", str(tmp_path / "game.jsonl")
    kept.write_text(here.out("log", "checkpoint"))
    here.out("game", "export", GAME, file)

    for game in (GAME, file):
        assert here.json("game", "verify", game, "--checkpoint", str(kept))["log"]
    kept.write_text(kept.read_text().replace("=\n", "=\nmore\n", 1))
    for game in (GAME, file):
        done = here.run("game", "verify", game, "--checkpoint", str(kept))
        assert done.code == 1
        assert "the proof of the log" in done.out
    kept.write_text("0")
    assert "no checkpoint" in here.fails(2, "game", "verify", file, "--checkpoint", str(kept))
    assert "is not three or more lines" in here.fails(2, "game", "verify", GAME, "--checkpoint", str(kept))


def test_a_game_that_came_later_is_not_in_an_older_head(here: Terminal, tmp_path: Path) -> None:
    kept = tmp_path / "seen.txt"
    kept.write_text(f"here\n1\n{'A' * 43}=\n\n")

    assert "is not in the log of that checkpoint" in here.fails(
        1, "game", "verify", GAME, "--checkpoint", str(kept)
    )


def test_a_file_without_a_proof_cannot_be_held_against_a_head(here: Terminal, tmp_path: Path) -> None:
    league, file, kept = tmp_path / "league", str(tmp_path / "game.jsonl"), tmp_path / "seen.txt"
    shutil.copytree(here.league, league)
    shutil.rmtree(league / "keys")
    kept.write_text(here.out("log", "checkpoint"))
    keyless = Terminal(league, here._captured)

    assert not keyless.json("game", "export", GAME, file)["log"]
    assert "holds no proof" in keyless.fails(2, "game", "verify", file, "--checkpoint", str(kept))
