"""Every command line of docs/leagues.md: all can be typed, and those of most chapters are run in order."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Final

import click
import pytest

from keylore_cli.main import keylore
from tests.cli.running import Terminal

ROOT: Final = Path(__file__).parents[2]
TRF: Final = ROOT / "tests/services/tournament/exchange/data/t095.trf"
RUN: Final = (
    *("Bots", "A tournament", "Corrections", "Certificates"),
    *("Ratings", "Is it better?", "Other programs, and paper"),
)
QUICK: Final = (
    ("--port 4711", "--port 0"),
    (" greedy", " first"),
    ("new cup --game keydom", "new cup --game keydom:round_cap=1"),
    ("new fair --game keydom", "new fair --game keydom:round_cap=1"),
)
"""Smaller games by faster bots, and any free port: what is tested is the command line."""


def chapters() -> dict[str, list[str]]:
    """The command lines of each chapter."""
    found: dict[str, list[str]] = {}
    chapter = ""
    text = (ROOT / "docs/leagues.md").read_text().replace("\\\n", " ")
    for line in text.splitlines():
        if line.startswith("## "):
            chapter = line.removeprefix("## ")
        elif line.startswith("    keylore "):
            found.setdefault(chapter, []).append(line.strip().removeprefix("keylore "))
    return found


def quickly(line: str) -> str:
    for usual, quick in QUICK:
        line = line.replace(usual, quick)
    return line


def leaf(typed: list[str]) -> tuple[click.Command, list[str]]:
    """The command that *typed* begins with, and what stands behind it."""
    found: click.Command = keylore
    rest = list(typed)
    while isinstance(found, click.Group):
        inner = found.get_command(click.Context(found), rest.pop(0))
        assert inner is not None, typed
        found = inner
    return found, rest


@pytest.fixture
def prepared(fresh: Terminal, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A folder with the files of the document, and the tournament ``cup2``, which is only named in it."""
    folder = fresh.league.parent
    monkeypatch.chdir(folder)
    shutil.copy(TRF, folder / "open.trf")
    for name in ("server.pem", "server.key", "FILE"):
        (folder / name).write_text("")
    return fresh


@pytest.mark.parametrize("line", [line for lines in chapters().values() for line in lines])
def test_every_command_line_can_be_typed(line: str, prepared: Terminal) -> None:
    command, arguments = leaf(shlex.split(line, comments=True))

    command.make_context(str(command.name), arguments)


@pytest.mark.slow
def test_the_command_lines_do_what_is_said(prepared: Terminal) -> None:
    known = chapters()
    assert set(RUN) <= set(known)
    for chapter in RUN:
        for line in map(quickly, known[chapter]):
            if "register cup2" in line:
                start_cup2(prepared)
            prepared.out(*shlex.split(line, comments=True))
    assert (prepared.league.parent / "cup.html").read_text().startswith("<!DOCTYPE html>")


def start_cup2(terminal: Terminal) -> None:
    """A running tournament with bots of this machine."""
    base = ("--game", "keydom:round_cap=1", "--table", "2", "--rounds", "3", "--move-ms", "100")
    terminal.out("tournament", "new", "cup2", *base, "--builtin", "random:3")
    terminal.out("tournament", "start", "cup2")


def test_every_term_has_a_line() -> None:
    """Scoring, tie-breaks, pairing and formats are complete."""
    import msgspec

    from keylore_domain.swiss.formats.table import FORMATS
    from keylore_domain.swiss.pairing_terms import PairingTerms
    from keylore_domain.swiss.scoring_terms import Scoring, TieBreak

    text = (ROOT / "docs/leagues.md").read_text()
    named = set(re.findall(r"`([\w-]+)(?:=[^`]*)?`", text))
    due = {
        *FORMATS,
        *TieBreak.__args__,  # type: ignore[attr-defined]
        *(field.name for kind in (PairingTerms, Scoring) for field in msgspec.structs.fields(kind)),
    }

    assert due - named == set()
