"""`keylore log witness`: heads are cosigned from outside, and games are held to their witnesses."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.running import SMALL, Terminal, quietly
from tests.cli.test_serving import served

GAME = "m/cup/r1/t1"


@pytest.mark.slow
def test_a_game_is_held_to_the_witnesses_of_its_log(played: Path, here: Terminal, tmp_path: Path) -> None:
    league = Terminal(tmp_path / "league", here._captured)
    shutil.copytree(played, league.league)
    nowhere = Terminal(tmp_path / "nowhere", here._captured)
    file = str(tmp_path / "game.xz")

    def watch(name: str, address: str) -> tuple[str, str]:
        own = ("--name", name, "--folder", str(tmp_path / name), "--once")
        done = nowhere.run("log", "witness", "--server", address, *own)
        assert done.code == 0, done.err
        return done.out, done.err.split("you sign as ")[1].split()[0]

    with served(league.league) as told:
        said, first = watch("w1", told["address"])
        assert "the server did not take it" in said
        assert "refuses: w" in said
        assert "w1 with this key is no witness of this league" in said
    (league.league / "witnesses.txt").write_text(f"# our witnesses\n{first}\n\n")
    with served(league.league) as told:
        assert "leaves: cosigned\n" in watch("w1", told["address"])[0]
        assert "leaves: cosigned before\n" in watch("w1", told["address"])[0]
        second = watch("w2", told["address"])[1]
    league.out("game", "export", GAME, file)

    assert nowhere.json("game", "verify", file, "--witness", first)["verdict"] == "valid"
    both = ("--witness", first, "--witness", second)
    assert nowhere.json("game", "verify", file, *both, "--quorum", "1")["verdict"] == "valid"
    done = nowhere.run("game", "verify", file, *both)
    assert done.code == 1
    assert "1 of the 2 needed have cosigned it" in done.out
    kept = (tmp_path / "w2" / "cosigned.txt").read_text()
    assert "— w2 " in kept, "a witness has its cosignature even if the server does not take it"


@pytest.mark.slow
def test_a_witness_does_not_cosign_a_fork(fresh: Terminal, tmp_path: Path) -> None:
    """The league comes back with another history; its keys are the same."""

    def announce(league: Path, *names: str) -> None:
        for name in names:
            quietly(league, "tournament", "new", name, *SMALL, "--builtin", "first:2")

    announce(fresh.league, "cup")
    fresh.out("log", "checkpoint")
    forked = tmp_path / "forked"
    shutil.copytree(fresh.league, forked)
    announce(fresh.league, "true")
    announce(forked, "false", "more")
    witness = ("log", "witness", "--name", "w", "--folder", str(tmp_path / "w"), "--once", "--server")

    with served(fresh.league) as told:
        fresh.out(*witness, told["address"])
    with served(forked) as told:
        done = fresh.run(*witness, told["address"], "--json")

    assert done.code == 1
    seen = json.loads(done.out)
    assert (seen["found"]["verdict"], seen["line"]) == ("fork", "")
    assert "FORK" in done.err
    assert fresh.run("log", "verify", str(tmp_path / "w" / "head.txt.fork.json")).code == 0


def test_a_name_that_no_key_can_have_is_refused(fresh: Terminal, tmp_path: Path) -> None:
    own = ("--name", "two words", "--folder", str(tmp_path / "w"), "--server", "127.0.0.1:1", "--once")

    assert "is not NAME+ID+BASE64" in fresh.fails(2, "log", "witness", *own)
