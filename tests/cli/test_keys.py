"""The keys of the arbiter from the command line, a beacon in a game, and that no secret is ever shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from keylore_domain.engine.encoding import sha256_hex
from keylore_services.ledger.ledger import open_ledger
from keylore_services.replay import verify_standalone
from tests.cli.running import Terminal

PLAY = ("game", "play", "keyside", "--seat", "random", "--seat", "first")
ONE, TWO = "m/keyside-1", "m/keyside-2"


def opened(here: Terminal, match: str) -> dict[str, Any]:
    ledger = open_ledger(here.league / "ledger.db")
    try:
        found: dict[str, Any] = json.loads(ledger.stored(match)[0].state)
        return found
    finally:
        ledger.close()


def secrets(here: Terminal) -> list[str]:
    return [file.read_text().strip() for file in sorted((here.league / "keys").iterdir())]


def test_the_keys_are_the_first_event_of_a_league(fresh: Terminal) -> None:
    fresh.out("bot", "new", "alice", "--no-file")

    ledger = open_ledger(fresh.league / "ledger.db")
    assert [event.topic for event in ledger.notifications(0, 2)] == [
        "keylore:Keys.Made",
        "keylore:Bot.Enrolled",
    ]
    ledger.close()
    (period,) = json.loads(fresh.out("keys", "show", "--json"))
    assert (period["number"], period["secret"]) == (1, "")


def test_without_a_league_there_are_no_keys(fresh: Terminal) -> None:
    assert "no league" in fresh.fails(3, "keys", "show")


@pytest.mark.slow
def test_a_league_goes_on_under_new_keys(
    fresh: Terminal, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    beacon = tmp_path / "beacon.json"
    beacon.write_text(json.dumps({"round": 7, "randomness": "cd" * 32}))
    said = fresh.out(*PLAY, "--beacon", str(beacon))
    said += fresh.out("keys", "rotate", "--reason", "once a year")
    said += fresh.out(*PLAY)
    first, second = opened(fresh, ONE), opened(fresh, TWO)
    assert first["key"] != second["key"]
    assert (first["shares"], first["beacon"]) == (True, {"value": "cd" * 32, "source": "drand round 7"})
    assert second["beacon"] is None

    for match, key in ((ONE, first["key"]), (TWO, second["key"])):
        said += (report := fresh.out("game", "verify", match))
        assert f"signed by {key} (as it must be)" in report
    assert "key 1 of 2 of the arbiter" in fresh.out("game", "verify", ONE)
    assert "not checked" in fresh.out("game", "verify", ONE)
    said += fresh.out("keys", "reveal", first["key"][:16])
    assert "not checked" not in fresh.out("game", "verify", ONE)
    said += fresh.out("keys", "show")
    assert "current: rotate the keys first" in fresh.fails(2, "keys", "reveal", second["key"])

    keys, game = tmp_path / "keys.jsonl", tmp_path / "one.gz"
    said += fresh.out("keys", "export", str(keys))
    said += fresh.out("game", "export", ONE, str(game))
    away = Terminal(tmp_path / "away", capsys)
    for key in (first["key"], second["key"]):
        told = away.out("game", "verify", str(game), "--keys", str(keys), "--key", key)
        assert "key 1 of 2 of the arbiter" in told
        assert verify_standalone.verify(str(game), key, str(keys))["verdict"] == "valid"
    assert "INVALID" in away.run("game", "verify", str(game), "--key", second["key"]).out
    assert "INVALID" in away.run("game", "verify", str(game), "--keys", str(keys), "--key", "0" * 64).out
    assert verify_standalone.verify(str(game), second["key"])["verdict"] == "invalid"

    hidden = [one for one in secrets(fresh) if sha256_hex(one.encode())]
    revealed = json.loads(fresh.out("keys", "show", "--json"))[0]["secret"]
    kept = [one for one in hidden if one != revealed]
    assert len(kept) == 3
    logs = "".join(file.read_text() for file in (fresh.league / "logs").rglob("*") if file.is_file())
    stored = (fresh.league / "ledger.db").read_bytes()
    wal = fresh.league / "ledger.db-wal"
    stored += wal.read_bytes() if wal.exists() else b""
    for one in kept:
        assert one not in said + logs
        assert one.encode() not in stored
        assert bytes.fromhex(one) not in stored
