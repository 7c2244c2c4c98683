"""`keylore serve`, and commands beside a server that runs."""

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from keylore_cli.context import Context
from keylore_cli.leagues import tournaments
from keylore_cli.occupancy import Occupant, occupant, occupied
from keylore_domain.errors import LedgerError
from keylore_services.tournament.views import TournamentView
from tests.cli.commands import command, environment, keylore, write_bot
from tests.cli.running import SMALL, Terminal

SECONDS = 60.0

PATIENT = """\
import time
from keylore_services.bots import Bot


class Patient(Bot):
    def choose(self, prompt):
        time.sleep(0.03)
        return 0
"""


def eventually(asked: Callable[[], Any]) -> Any:
    """What *asked* gives as soon as that is true; files of other processes can only be looked at again."""
    last = time.monotonic() + SECONDS
    while not (answer := asked()):
        assert time.monotonic() < last, "it did not happen"
        threading.Event().wait(0.05)
    return answer


@contextmanager
def served(league: Path, *options: str) -> Iterator[dict[str, Any]]:
    """A server in a process of its own; gives what it says of itself."""
    with subprocess.Popen(
        command(league, "serve", "--port", "0", "--json", *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        try:
            yield json.loads(server.stdout.readline())
        finally:
            server.send_signal(signal.SIGTERM)
            said = server.stderr.read()
            assert server.wait(SECONDS) == 0, said


def in_the_background(work: Callable[[], None]) -> Callable[[], None]:
    """Do *work* beside a server in this process, then stop that; gives what raises its failure."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)
        finally:
            if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
                os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=run)
    thread.start()

    def finish() -> None:
        thread.join()
        if failures:
            raise failures[0]

    return finish


def seen(league: Path, name: str) -> TournamentView:
    """A tournament as the ledger has it at this moment."""
    with tournaments(Context(folder=league), name) as service:
        return service.show(name)


def is_finished(league: Path, name: str) -> bool:
    return seen(league, name).status == "finished"


# --- the lock -------------------------------------------------------------------------------------------


def test_a_league_is_served_by_one_process(tmp_path: Path) -> None:
    lock = tmp_path / "league" / "server.lock"
    assert occupant(lock) is None

    with occupied(lock) as mine:
        mine.tell("127.0.0.1:9")
        assert occupant(lock) == Occupant(pid=os.getpid(), address="127.0.0.1:9")
        with pytest.raises(LedgerError, match=f"served already, by process {os.getpid()} on 127.0.0.1:9"):
            occupied(lock).__enter__()

    assert occupant(lock) is None
    with occupied(lock):
        assert str(occupant(lock)) == f"process {os.getpid()}"


def test_a_lock_that_is_just_being_written_names_nobody(tmp_path: Path) -> None:
    lock = tmp_path / "server.lock"
    with occupied(lock):
        lock.write_text("")

        assert occupant(lock) == Occupant()


@pytest.mark.slow
def test_commands_that_play_are_refused_beside_a_server(fresh: Terminal) -> None:
    with occupied(fresh.league / "server.lock"):
        said = fresh.fails(6, "game", "play", "keydom", "-s", "first", "-s", "first")

    assert f"is served already, by process {os.getpid()}" in said
    assert "--league" in said


def test_run_and_resume_leave_a_tournament_to_the_server(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:2")

    with occupied(fresh.league / "server.lock"):
        run = fresh.run("tournament", "run", "cup")
        fresh.out("tournament", "pause", "cup")
        resume = fresh.run("tournament", "resume", "cup")

    for done in (run, resume):
        assert done.code == 4
        assert f"process {os.getpid()} serves this league and plays cup" in done.err
        assert "standings after round 0" in done.out
    assert fresh.json("tournament", "show", "cup")["status"] == "running"


# --- a server in this process ---------------------------------------------------------------------------


@pytest.mark.slow
def test_a_tournament_that_is_started_beside_a_server_is_played(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:2")
    fresh.out("tournament", "new", "late", *SMALL, "--builtin", "first:1")

    def organise() -> None:
        eventually(lambda: (found := occupant(fresh.league / "server.lock")) and found.address)
        assert "plays it" in keylore(fresh.league, "tournament", "start", "cup")
        keylore(fresh.league, "tournament", "register", "late", "--builtin", "random:1")
        keylore(fresh.league, "tournament", "start", "late")
        eventually(lambda: is_finished(fresh.league, "cup") and is_finished(fresh.league, "late"))

    finish = in_the_background(organise)
    done = fresh.run("serve", "--port", "0")
    finish()

    assert done.code == 0, done.err
    first, second = done.out.splitlines()
    assert first.startswith(f"keylore serves {fresh.league} on 127.0.0.1:")
    assert second.startswith("games are signed with the key ")
    assert "cup: round 1: 1 table\n" in done.err
    assert "late: m/late/r2/t1 ended: 1. first-1, 2. random-1\n" in done.err


@pytest.mark.slow
def test_a_server_goes_on_with_what_runs_and_takes_newcomers_in(fresh: Terminal, tmp_path: Path) -> None:
    bot = tmp_path / "patient.py"
    bot.write_text(PATIENT)
    fresh.out("tournament", "new", "cup", *SMALL, "--rounds", "8", "--builtin", f"{bot}:2")
    fresh.out("tournament", "start", "cup")

    def organise() -> None:
        eventually(lambda: seen(fresh.league, "cup").round)
        keylore(fresh.league, "tournament", "register", "cup", "--builtin", "first:2")
        eventually(lambda: is_finished(fresh.league, "cup"))

    finish = in_the_background(organise)
    done = fresh.run("serve", "--port", "0", "--parallel", "1", "--json")
    finish()

    assert done.code == 0, done.err
    assert set(json.loads(done.out)) == {"league", "address", "key"}
    rows = fresh.json("tournament", "standings", "cup")["rows"]
    assert len(rows) == 4
    assert all(row["played"] for row in rows)
    games = fresh.out("game", "step", fresh.json("game", "list")[0]["id"], "--json").splitlines()
    assert not any(json.loads(line)["default_cause"] for line in games), "newcomers play themselves"


@pytest.mark.slow
def test_a_tournament_that_is_stopped_by_a_signal_is_run_on(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--builtin", "first:2")

    finish = in_the_background(
        lambda: eventually(lambda: (found := occupant(fresh.league / "server.lock")) and found.address)
    )
    stopped = fresh.run("tournament", "run", "cup", "--port", "0")
    finish()

    assert stopped.code == 4
    assert f"stopped; go on with `keylore --league {fresh.league} tournament run cup`" in stopped.err
    assert fresh.json("tournament", "run", "cup", "--port", "0")["is_final"]


@pytest.mark.slow
def test_an_address_in_use_says_what_to_do(fresh: Terminal) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        said = fresh.fails(6, "serve", "--port", str(port))

    assert f"cannot listen on 127.0.0.1:{port}" in said
    assert "is another server running there? choose another port" in said


@pytest.mark.slow
def test_a_certificate_needs_its_key(fresh: Terminal, tmp_path: Path) -> None:
    certificate = tmp_path / "server.pem"
    certificate.write_text("")

    assert "private_key" in fresh.fails(2, "serve", "--port", "0", "--tls-cert", str(certificate))


# --- a server in a process of its own -------------------------------------------------------------------


@pytest.mark.slow
def test_bots_connect_to_a_server_and_games_are_signed_with_the_key_that_it_tells(
    fresh: Terminal, tmp_path: Path
) -> None:
    bot = write_bot(tmp_path, tmp_path / "receipts.jsonl")
    for name in ("alice", "bob"):
        fresh.out("bot", "new", name, "--no-file")
    fresh.out("tournament", "new", "cup", *SMALL, "--bot", "alice", "--bot", "bob")

    with served(fresh.league) as told:
        keylore(fresh.league, "tournament", "start", "cup")
        players = [
            subprocess.Popen(
                command(
                    fresh.league, "bot", "run", str(bot), "--as", name, "--server", told["address"],
                    "--until", "2", "--json",
                ),
                stdout=subprocess.PIPE,
                env=environment(),
            )
            for name in ("alice", "bob")
        ]  # fmt: skip
        summaries = [json.loads(player.communicate(timeout=SECONDS)[0]) for player in players]
        eventually(lambda: is_finished(fresh.league, "cup"))

    assert told["league"] == str(fresh.league)
    assert [player.returncode for player in players] == [0, 0]
    assert [(one["matches"], one["faults"], one["exceptions"]) for one in summaries] == [(2, 0, 0)] * 2
    assert fresh.json("game", "verify", "m/cup/r1/t1", "--key", told["key"])["key_is_trusted"]


@pytest.mark.slow
def test_a_server_that_is_stopped_and_started_goes_on(fresh: Terminal) -> None:
    fresh.out("tournament", "new", "cup", *SMALL, "--rounds", "6", "--builtin", "first:2")
    fresh.out("tournament", "start", "cup")

    with served(fresh.league):
        eventually(lambda: seen(fresh.league, "cup").round)
    with served(fresh.league):
        eventually(lambda: is_finished(fresh.league, "cup"))

    assert fresh.json("game", "verify", "--all")[0]["verdict"] == "valid"
    assert fresh.json("tournament", "verify", "cup")["valid"]
