"""Running the command line in this process."""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from keylore_cli.main import main


class Done(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


class Terminal:
    """Runs commands in one league; they see pipes, or with ``interactive`` a terminal."""

    def __init__(
        self, league: Path, captured: pytest.CaptureFixture[str], *, interactive: bool = False
    ) -> None:
        self.league = league
        self.interactive = interactive
        self._captured = captured

    def run(self, *arguments: str) -> Done:
        self._captured.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            for stream in (sys.stdin, sys.stdout, sys.stderr):
                patch.setattr(stream, "isatty", lambda: self.interactive)
            with pytest.raises(SystemExit) as ended:
                main(["--league", str(self.league), *arguments])
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, *self._captured.readouterr())

    def out(self, *arguments: str) -> str:
        """What a command that succeeds prints."""
        done = self.run(*arguments)
        assert done.code == 0, done.err
        return done.out

    def json(self, *arguments: str) -> Any:
        """The data that a command that succeeds prints."""
        return json.loads(self.out(*arguments, "--json"))

    def fails(self, code: int, *arguments: str) -> str:
        """What a command says that fails with *code*."""
        done = self.run(*arguments)
        assert done.code == code, done
        assert "Traceback" not in done.err
        return done.err


SMALL = (
    *("--game", "keydom", "--table", "2", "--rounds", "2", "--seed", "x", "-o", "round_cap=1"),
    *("--pairing", "system=tables"),  # whether the extra for FIDE rules is installed must not matter
)


def quietly(league: Path, *arguments: str) -> None:
    """Run a command that must succeed, outside of a test."""
    with pytest.raises(SystemExit) as ended:
        main(["--league", str(league), *arguments])
    assert not ended.value.code
