"""`keylore demo`, from beginning to end."""

from pathlib import Path

import pytest

from keylore_cli.auditing import opened
from keylore_cli.commands import demo
from keylore_cli.context import Context
from tests.cli.running import Terminal


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same demo with fewer and shorter games."""
    monkeypatch.setattr(demo, "FIELD", ("first:3", "random:1"))
    monkeypatch.setattr(demo, "ROUND_CAP", 1)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_the_demo_plays_verifies_and_shows_a_telling_moment(fresh: Terminal) -> None:
    text = fresh.out("demo", "--seed", "x")

    assert "Keydom demo: final standings" in text
    assert text.count(": valid (") == 3
    assert "[keydom §" in text
    assert "rank 1: seat" in text
    assert f"keylore --league {fresh.league} game step m/demo/r3/t1" in text
    _check_hints(text, fresh)
    kept = fresh.out("demo", "--keep")
    assert kept.split("done in")[0].endswith(text.split("done in")[0].split("final standings")[1])
    assert "not a demo's folder" not in kept


def _check_hints(text: str, terminal: Terminal) -> None:
    """The commands that the demo proposes work as they are."""
    lines = [line.partition("#")[0].split() for line in text.split("What to try next:")[1].splitlines()]
    called = [words[3:] for words in lines if words[:2] == ["keylore", "--league"] and "human" not in words]
    assert [words[:2] for words in called] == [["game", "step"], ["game", "why"], ["tournament", "pairings"]]
    for words in called:
        terminal.out(*words)


def test_the_demo_leaves_a_folder_alone_that_is_not_its_own(fresh: Terminal) -> None:
    fresh.out("bot", "new", "alice", "--no-file")

    assert "is not a demo's folder" in fresh.fails(2, "demo")
    assert fresh.json("bot", "list")


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_without_a_league_the_demo_has_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    here = Terminal(Path("league"), capsys)

    text = here.out("demo")
    again = here.out("demo")

    assert (tmp_path / "demo-league" / "ledger.db").exists()
    assert not (tmp_path / "league").exists()
    assert "keylore --league demo-league game step" in text
    assert text.split("done in")[0].splitlines()[:8] == again.split("done in")[0].splitlines()[:8]


def test_a_telling_moment_has_facts_of_many_kinds(played: Path) -> None:
    timeline, _ = opened(Context(folder=played), "m/cup/r1/t1")

    version = demo.telling_moment(timeline)

    def kinds(at: int) -> int:
        return len({type(fact) for fact in timeline.moment(at).facts})

    assert version > len(timeline) // 2
    assert kinds(version) == max(kinds(at) for at in range(len(timeline) * 2 // 3 + 1, len(timeline) + 1))


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_a_demo_that_finds_a_wrong_game_fails(fresh: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger is right, but held to the key of somebody else."""
    fresh.out("demo")
    monkeypatch.setattr("keylore_cli.auditing.league_history", lambda _: None)
    monkeypatch.setattr("keylore_cli.auditing._own_key", lambda _: "0" * 64)

    done = fresh.run("demo", "--keep")

    assert done.code == 1
    assert "INVALID" in done.out
