"""`keylore tournament watch` and `abort`: beside a server, after a kill, and when nobody plays."""

import asyncio
import io
import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from keylore_cli.boards import watch_tournament
from keylore_cli.context import Context
from keylore_domain.engine.matches import Status
from keylore_services.ledger.ledger import open_ledger
from keylore_services.ledger.matches import MatchEntry, MatchIndex
from keylore_services.tournament.tables import MatchEnd, MatchSpec
from tests.cli.commands import command, environment
from tests.cli.running import SMALL, Terminal
from tests.cli.test_serving import PATIENT, eventually, seen, served
from tests.services.tournament.houses import FakeTables, concluded, open_house

SECONDS = 60.0


def started(fresh: Terminal, folder: Path, name: str = "cup") -> None:
    """A tournament of two bots that think for a moment, so that its game lasts some seconds."""
    bot = folder / "patient.py"
    bot.write_text(PATIENT)
    fresh.out(
        *("tournament", "new", name, "--game", "keydom", "--table", "2", "--rounds", "9", "--seed", "x"),
        *("--builtin", f"{bot}:2"),
    )


def matches(league: Path, status: Status | None = None, events: int = 0) -> list[MatchEntry]:
    """The matches of the league, or those of this status and so many events at least."""
    ledger = open_ledger(league / "ledger.db")
    index = MatchIndex(ledger)
    try:
        return [entry for entry in index.entries(status=status) if entry.events >= events]
    finally:
        index.close()
        ledger.close()


class Watcher:
    """`keylore tournament watch` in a process of its own."""

    def __init__(self, league: Path, *options: str) -> None:
        self._process = subprocess.Popen(
            command(league, "tournament", "watch", "cup", *options),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        self.lines += self._process.stdout

    def first(self) -> str:
        eventually(lambda: self.lines)
        return self.lines[0]

    def end(self) -> int:
        code = self._process.wait(SECONDS)
        self._reader.join()
        assert self._process.stderr is not None
        assert self._process.stderr.read() == ""
        self._process.stderr.close()
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code


def test_a_finished_tournament_is_shown_and_left(here: Terminal) -> None:
    assert here.out("tournament", "watch", "cup") == "cup: finished, round 2 of 2\n"
    (line,) = here.out("tournament", "watch", "cup", "--json").splitlines()
    assert json.loads(line)["standings"] == here.json("tournament", "standings", "cup")["rows"]
    assert "did you mean 'cup'?" in here.fails(3, "tournament", "watch", "cub")


@pytest.mark.slow
def test_a_tournament_is_watched_while_another_process_plays_it(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:1", "--builtin", "random:1")
    plain, data = Watcher(fresh.league), Watcher(fresh.league, "--json")
    assert plain.first() == "cup: registering, round 0 of 2\n"
    assert json.loads(data.first())["type"] == "now"

    fresh.out("tournament", "run", "cup", "--port", "0", "--together")

    assert (plain.end(), data.end()) == (0, 0)
    assert plain.lines[-1] == "finished\n"
    assert [line for line in plain.lines if line.startswith("m/cup/r2/t1 ended: 1. ")]
    told = [json.loads(line) for line in data.lines]
    assert [one["type"] for one in told].count("table_ended") == 2
    assert told[-1]["status"] == "finished"
    last = [one for one in told if one["type"] == "table_ended"][-1]
    assert last["standings"] == fresh.json("tournament", "standings", "cup")["rows"]


@pytest.mark.slow
def test_a_server_ends_the_games_of_a_tournament_that_is_aborted(fresh: Terminal, tmp_path: Path) -> None:
    started(fresh, tmp_path)
    with served(fresh.league, "--together", "--wait", "20"):
        fresh.out("tournament", "start", "cup")
        eventually(lambda: matches(fresh.league, events=5))
        watcher = Watcher(fresh.league)
        watcher.first()

        said = fresh.out("tournament", "abort", "cup", "--reason", "wrong data", "--by", "Ada")

        assert "ends its games" in said
        assert watcher.end() == 4
        assert watcher.lines[-1] == "aborted (by Ada): wrong data\n"
        (match,) = eventually(lambda: matches(fresh.league, "aborted"))
    assert fresh.json("game", "verify", match.id)["verdict"] == "valid"
    view = seen(fresh.league, "cup")
    assert (view.status, view.stop_cause, view.stopped_by) == ("aborted", "wrong data", "Ada")
    assert "aborted by Ada: wrong data" in fresh.out("tournament", "show", "cup")
    done = fresh.run("tournament", "run", "cup", "--port", "0")
    assert done.code == 4
    assert "nothing is played on" in done.err
    assert "is aborted" in fresh.fails(2, "tournament", "pause", "cup")
    fresh.out("tournament", "verify", "cup")


@pytest.mark.slow
def test_games_of_a_killed_server_are_ended_by_whoever_aborts_the_tournament(
    fresh: Terminal, tmp_path: Path
) -> None:
    started(fresh, tmp_path)
    with subprocess.Popen(
        command(fresh.league, "tournament", "run", "cup", "--port", "0"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
    ) as server:
        eventually(lambda: matches(fresh.league))
        eventually(lambda: matches(fresh.league, events=5))
        server.send_signal(signal.SIGKILL)
    (before,) = matches(fresh.league, "playing")
    fresh.out("game", "play", "keydom", "-o", "round_cap=1", "-s", "first", "-s", "first")
    assert before in matches(fresh.league), "a single game leaves others as they are"

    view = fresh.json("tournament", "abort", "cup", "--reason", "no power")

    assert (view["status"], view["stop_cause"]) == ("aborted", "no power")
    assert view["stopped_by"]
    (match,) = matches(fresh.league, "aborted")
    assert match.id == before.id
    assert fresh.json("game", "verify", match.id)["verdict"] == "valid"
    assert "is aborted" in fresh.fails(2, "tournament", "abort", "cup", "--reason", "again")


@pytest.mark.slow
def test_a_server_ends_games_of_a_tournament_that_was_aborted_before_it_started(
    fresh: Terminal, tmp_path: Path
) -> None:
    """Whoever aborted it was killed before it had sealed the games."""
    started(fresh, tmp_path)
    with subprocess.Popen(
        command(fresh.league, "tournament", "run", "cup", "--port", "0"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
    ) as server:
        eventually(lambda: matches(fresh.league))
        server.send_signal(signal.SIGKILL)
    from keylore_cli.leagues import tournaments

    with tournaments(Context(folder=fresh.league), "cup") as service:
        service.abort("cup", by="Ada", reason="no power")

    with served(fresh.league):
        eventually(lambda: matches(fresh.league, "aborted"))


def test_who_aborts_must_say_why(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:2")

    assert "Missing option '--reason'" in fresh.fails(2, "tournament", "abort", "cup")
    assert "reason" in fresh.fails(2, "tournament", "abort", "cup", "--reason", " ")
    assert "aborted" in fresh.out("tournament", "abort", "cup", "--reason", "no sponsor", "--by", "Ada")


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> FakeTerminal:
    found = FakeTerminal()
    monkeypatch.setattr(sys, "stdout", found)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    return found


def test_on_a_terminal_a_finished_tournament_is_shown_once(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = at_a_terminal(monkeypatch)
    ledger = open_ledger(played / "ledger.db")
    try:
        now = asyncio.run(watch_tournament(ledger, "t/cup", as_json=False))
    finally:
        ledger.close()

    shown = terminal.getvalue()
    assert "cup: finished, round 2 of 2" in shown
    assert all(row.name in shown for row in now.standings)


def test_on_a_terminal_the_board_is_kept_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """Round 2 is paused after its first table; then a bot withdraws, and the tournament is aborted."""
    terminal = at_a_terminal(monkeypatch)

    def until_round_2(spec: MatchSpec) -> MatchEnd:
        if "/r1/" not in spec.match_id:
            house.service.pause("cup", "lunch")
        return concluded(spec)

    async def shown(text: str) -> None:
        while text not in terminal.getvalue():
            await asyncio.sleep(0.01)

    async def story() -> None:
        watching = asyncio.create_task(watch_tournament(house.ledger, "t/cup", as_json=False))
        await shown("m/cup/r2/t2")
        assert "cup: paused (lunch), round 2 of 3, 2 tables without a result" in terminal.getvalue()
        assert "waits" in terminal.getvalue()
        house.service.withdraw("cup", "b01", "broken")
        await shown("entrant withdrawn b01: broken")
        house.service.abort("cup", by="Ada", reason="fire")
        assert (await watching).status == "aborted"

    with open_house() as house:
        assert house.run(house.started(), FakeTables(until_round_2), parallel=1) == "paused"
        asyncio.run(asyncio.wait_for(story(), SECONDS))

    assert "aborted (by Ada): fire" in terminal.getvalue()
