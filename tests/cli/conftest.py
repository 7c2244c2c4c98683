"""A small league, played once, and a terminal in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.cli.running import SMALL, Terminal, quietly


@pytest.fixture(autouse=True)
def plain_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No setting of the developer has a say, and no logger is left behind."""
    for name in ("KEYLORE_LEAGUE", "KEYLORE_TOKEN", "KEYLORE_DEBUG", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with the finished tournament ``cup`` (two rounds of one table and a bye).

    Nothing may change it.
    """
    league = tmp_path_factory.mktemp("played") / "league"
    quietly(league, "tournament", "new", "cup", *SMALL, "--builtin", "first:1", "--builtin", "random:2")
    quietly(league, "tournament", "run", "cup", "--port", "0")
    structlog.reset_defaults()
    return league


@pytest.fixture
def here(played: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal in the played league."""
    return Terminal(played, capsys)


@pytest.fixture
def fresh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal in a league that does not exist yet."""
    return Terminal(tmp_path / "league", capsys)
