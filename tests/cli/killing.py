"""Tournaments played by `keylore tournament run`, killed on the way, and held against undisturbed ones."""

import json
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from keylore_cli.context import Context
from keylore_cli.leagues import tournaments
from keylore_domain.swiss.tournaments import Tournament
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.ledger.matches import MatchIndex
from tests.cli.commands import command, environment, keylore
from tests.cli.running import quietly

PATIENCE = 600.0
RESULT = "keylore:Tournament.ResultRecorded"


def prepare(league: Path, terms: Sequence[str], bots: str) -> None:
    """A tournament ``cup`` of bots that this machine runs, such as ``random:6``."""
    quietly(league, "tournament", "new", "cup", *terms, "--builtin", bots)


def play(league: Path) -> float:
    """Play it to its end; gives the seconds."""
    began = time.monotonic()
    keylore(league, "tournament", "run", "cup", "--port", "0", "--together", seconds=PATIENCE)
    return time.monotonic() - began


@contextmanager
def server(league: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that plays it, and listens; it is killed at the end of the block."""
    said = league / "said.txt"
    with (
        said.open("wb") as output,
        subprocess.Popen(
            command(league, "tournament", "run", "cup", "--port", "0", *options),
            stdout=subprocess.DEVNULL,
            stderr=output,
            env=environment(),
        ) as process,
    ):
        try:
            _wait(process, lambda: "bots connect" in said.read_text())
            yield process
        finally:
            process.send_signal(signal.SIGKILL)


def kill_on_the_way(league: Path, kills: int, results: int) -> list[int]:
    """Play it and kill it *kills* times, spread over its *results*; gives how many were in each time."""
    ledger = open_ledger(league / "ledger.db")
    seen = []
    try:
        for number in range(kills):
            due = results * (2 * number + 1) // (2 * kills)
            with server(league, "--together") as process:
                _wait(process, partial(_has, ledger, due))
            seen.append(recorded(ledger).total())
    finally:
        ledger.close()
    return seen


def _wait(process: subprocess.Popen[bytes], asked: Callable[[], bool]) -> None:
    """Wait until that is so; what another process writes can only be looked at again."""
    last = time.monotonic() + PATIENCE
    while not asked():
        assert process.poll() is None, "it ended by itself"
        assert time.monotonic() < last, "it does not go on"
        time.sleep(0.01)


def _has(ledger: Ledger, results: int) -> bool:
    return recorded(ledger).total() >= results


def recorded(ledger: Ledger) -> Counter[str]:
    """How often the result of each match was recorded."""
    rows = [row for row in ledger.stored("t/cup") if row.topic == RESULT]
    return Counter(json.loads(row.state)["match"] for row in rows)


def played(league: Path) -> Tournament:
    """The tournament as the ledger has it."""
    ledger = open_ledger(league / "ledger.db")
    try:
        return ledger.load("t/cup", Tournament)
    finally:
        ledger.close()


def check_counts(league: Path, games: int) -> None:
    """Each game was played once, to its end, and its result counts once."""
    ledger = open_ledger(league / "ledger.db")
    index = MatchIndex(ledger)
    try:
        matches = ledger.ids("m/")
        assert len(matches) == len(set(matches)) == games, "no game is played twice"
        assert recorded(ledger) == Counter(matches), "every result counts once"
        assert Counter(entry.status for entry in index.entries()) == {"concluded": games}
    finally:
        index.close()
        ledger.close()


def check_storm(folder: Path, terms: Sequence[str], bots: str, *, games: int, kills: int) -> None:
    """A tournament that is killed on the way ends as one that was left alone."""
    calm, stormy = folder / "calm", folder / "stormy"
    prepare(calm, terms, bots)
    play(calm)

    prepare(stormy, terms, bots)
    seen = kill_on_the_way(stormy, kills, games)
    play(stormy)

    assert seen == sorted(seen)
    assert seen[-1] < games, "the last kill came in time"
    undisturbed, killed = played(calm), played(stormy)
    assert killed.status == "finished"
    assert killed.standings() == undisturbed.standings()
    assert killed.rounds == undisturbed.rounds
    assert killed.finished is not None
    assert killed.finished.standings == killed.standings()
    check_counts(stormy, games)
    with tournaments(Context(folder=stormy), "cup") as service:
        assert service.audit("cup") == ()
