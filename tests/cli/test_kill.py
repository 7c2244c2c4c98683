"""Kill -9 the server of a running tournament again and again: nothing is lost, nothing counts twice."""

import json
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import MovePlayed
from keylore_services.ledger.ledger import open_ledger
from tests.cli.commands import command, environment, keylore, keylore_json, write_bot

KILLS = 20
TERMS = ("--game", "keydom", "--table", "3", "--rounds", "3", "--seed", "autumn", "-o", "round_cap=4")


def prepare(league: Path, bot: Path) -> None:
    keylore(league, "tournament", "new", "cup", *TERMS, "--builtin", f"{bot}:6")


def standings(league: Path) -> list[object]:
    return list(keylore_json(league, "tournament", "standings", "cup")["rows"])


@pytest.mark.slow
def test_a_tournament_that_is_killed_twenty_times_ends_as_if_undisturbed(tmp_path: Path) -> None:
    calm, stormy = tmp_path / "calm", tmp_path / "stormy"
    bot = write_bot(tmp_path, tmp_path / "receipts.jsonl")
    prepare(calm, bot)
    began = time.monotonic()
    keylore(calm, "tournament", "run", "cup", "--port", "0")
    undisturbed = time.monotonic() - began
    (tmp_path / "receipts.jsonl").unlink()

    prepare(stormy, bot)
    kills = _killed_often(stormy, undisturbed)
    keylore(stormy, "tournament", "run", "cup", "--port", "0")

    assert kills == KILLS
    assert standings(stormy) == standings(calm)
    _check_ledger(stormy, tmp_path / "receipts.jsonl")
    assert keylore_json(stormy, "game", "verify", "--all")[0]["verdict"] == "valid"
    keylore(stormy, "tournament", "verify", "cup")


def _killed_often(league: Path, undisturbed: float) -> int:
    """Run the tournament and kill it, at moments spread over its whole course."""
    rng, kills, ledger_size = random.Random(7), 0, 0
    while kills < KILLS:
        server = subprocess.Popen(
            command(league, "tournament", "run", "cup", "--port", "0"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        assert server.stderr is not None
        assert "bots connect" in server.stderr.readline()
        try:
            server.wait(rng.uniform(0, undisturbed / 6))
        except subprocess.TimeoutExpired:
            server.send_signal(signal.SIGKILL)
            server.wait()
            kills += 1
        else:
            assert server.returncode == 0
            break
        finally:
            server.stderr.close()
        size = keylore_json(league, "tournament", "show", "cup")["round"]
        assert size >= ledger_size
        ledger_size = size
    return kills


def _check_ledger(league: Path, receipts: Path) -> None:
    ledger = open_ledger(league / "ledger.db")
    try:
        matches = ledger.ids("m/")
        assert matches == sorted(set(matches))
        assert len(matches) == 6, "no game is played twice"
        results = [row for row in ledger.stored("t/cup") if row.topic == "keylore:Tournament.ResultRecorded"]
        counted = Counter(json.loads(row.state)["match"] for row in results)
        assert counted == Counter(matches), "every result counts once"
        stored = {match: ledger.stored(match) for match in matches}
    finally:
        ledger.close()
    acknowledged = [json.loads(line) for line in receipts.read_text().splitlines()]
    assert acknowledged
    for match, prompt, event, choice, head in acknowledged:
        row = stored[match][event - 1]
        played = decode_event(row.topic, row.state)
        assert isinstance(played, MovePlayed)
        assert (played.prompt, played.choice, sha256_hex(row.state)) == (prompt, choice, head)
