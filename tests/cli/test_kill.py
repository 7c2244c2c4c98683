"""Kill -9 the server of a running tournament again and again: nothing is lost, nothing counts twice."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import MovePlayed
from keylore_services.ledger.ledger import open_ledger
from tests.cli.commands import keylore, keylore_json, write_bot
from tests.cli.killing import check_counts, check_storm, play, played, prepare, server

KILLS = 20
TERMS = ("--game", "keydom", "--table", "3", "--rounds", "3", "--seed", "autumn", "-o", "round_cap=4")

SWISS = ("--game", "keydom", "--rounds", "7", "--seed", "autumn", "-o", "round_cap=1", "--move-ms", "60000")


@pytest.mark.slow
def test_a_tournament_that_is_killed_twenty_times_ends_as_if_undisturbed(tmp_path: Path) -> None:
    calm, stormy = tmp_path / "calm", tmp_path / "stormy"
    bot = write_bot(tmp_path, tmp_path / "receipts.jsonl")
    prepare(calm, TERMS, f"{bot}:6")
    undisturbed = play(calm)
    (tmp_path / "receipts.jsonl").unlink()

    prepare(stormy, TERMS, f"{bot}:6")
    kills = _killed_often(stormy, undisturbed)
    keylore(stormy, "tournament", "run", "cup", "--port", "0")

    assert kills == KILLS
    assert played(stormy).standings() == played(calm).standings()
    _check_ledger(stormy, tmp_path / "receipts.jsonl")
    assert keylore_json(stormy, "game", "verify", "--all")[0]["verdict"] == "valid"
    keylore(stormy, "tournament", "verify", "cup")


def _killed_often(league: Path, undisturbed: float) -> int:
    """Run the tournament and kill it, at moments spread over its whole course."""
    rng, kills, ledger_size = random.Random(7), 0, 0
    while kills < KILLS:
        with server(league) as process:
            try:
                process.wait(rng.uniform(0, undisturbed / 6))
            except subprocess.TimeoutExpired:
                kills += 1
        if process.returncode == 0:
            break
        size = len(played(league).rounds)
        assert size >= ledger_size
        ledger_size = size
    return kills


def _check_ledger(league: Path, receipts: Path) -> None:
    check_counts(league, 6)
    ledger = open_ledger(league / "ledger.db")
    try:
        stored = {match: ledger.stored(match) for match in ledger.ids("m/")}
    finally:
        ledger.close()
    acknowledged = [json.loads(line) for line in receipts.read_text().splitlines()]
    assert acknowledged
    for match, prompt, event, choice, head in acknowledged:
        row = stored[match][event - 1]
        played = decode_event(row.topic, row.state)
        assert isinstance(played, MovePlayed)
        assert (played.prompt, played.choice, sha256_hex(row.state)) == (prompt, choice, head)


@pytest.mark.slow
def test_sixteen_bots_at_tables_of_four_are_killed_twice(tmp_path: Path) -> None:
    """P4 of the situations reported elsewhere: some tables of a round have ended, others play."""
    terms = (*SWISS, "--table", "4", "--rounds", "3")

    check_storm(tmp_path, terms, "random:16", games=12, kills=2)


@pytest.mark.long
def test_sixty_four_bots_at_tables_of_four_are_killed_five_times(tmp_path: Path) -> None:
    terms = (*SWISS, "--table", "4", "-o", "round_cap=2")

    check_storm(tmp_path, terms, "random:64", games=112, kills=5)


@pytest.mark.long
def test_sixty_four_bots_of_a_fide_event_are_killed_five_times(tmp_path: Path) -> None:
    pytest.importorskip("gacrux")
    terms = (*SWISS, "--table", "2", "--pairing", "system=dutch-2026")

    check_storm(tmp_path, terms, "random:64", games=224, kills=5)
