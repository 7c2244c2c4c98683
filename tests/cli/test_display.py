"""Tables, and what a running tournament shows."""

import io
import re
import sys

import pytest

from keylore_cli import logs, progress, tables
from keylore_domain.swiss.rounds import Placing
from keylore_services.tournament import progress as told

EVENTS = (
    told.RoundPaired(round=1, matches=("m/cup/r1/t1", "m/cup/r1/t2"), byes=("bot/carl", "bot/dora")),
    told.TableOpened(match="m/cup/r1/t1", seats=("bot/alice", "bot/bob"), away=("bot/bob",)),
    told.TableAborted(match="m/cup/r1/t1", cause="lost", next="m/cup/r1/t1/a2"),
    told.TableEnded(match="m/cup/r1/t1/a2", placings=(Placing("bot/bob", 2, 3), Placing("bot/alice", 1, 9))),
    told.RoundEnded(round=1, standings=()),
    told.TableEnded(match="m/cup/r2/t1", placings=(Placing("bot/bob", 1, 3),)),
    told.RunEnded(status="paused", cause="lunch"),
    told.RunEnded(status="finished", cause=""),
)
LINES = [
    "round 1: 2 tables, bye: carl, dora",
    "m/cup/r1/t1 opened; away: bob",
    "m/cup/r1/t1 was aborted (lost); m/cup/r1/t1/a2 is played instead",
    "m/cup/r1/t1/a2 ended: 1. alice, 2. bob",
    "after round 1: ",
    "m/cup/r2/t1 ended: 1. bob",
    "paused: lunch",
]


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_in_a_pipe_each_change_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.listening_display() as listener:
        for event in EVENTS:
            listener(event)

    assert capsys.readouterr().err.splitlines() == LINES


def test_lines_of_several_tournaments_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    progress.lines("cup: ")(EVENTS[0])

    assert capsys.readouterr().err == f"cup: {LINES[0]}\n"


def test_one_table_is_not_tables(capsys: pytest.CaptureFixture[str]) -> None:
    progress.lines()(told.RoundPaired(round=3, matches=("m/cup/r3/t1",), byes=()))

    assert capsys.readouterr().err == "round 3: 1 table\n"


def test_on_a_terminal_rounds_are_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")

    with progress.listening_display() as listener:
        for event in EVENTS:
            listener(event)

    shown = terminal.getvalue()
    assert "round 1" in shown
    assert "1/2" in shown
    assert "round 2" in shown, "a round that was begun by a process before"
    assert "was aborted" in shown
    assert "paused: lunch" in shown
    assert "opened" not in shown


ROWS = [
    ("a/b[red]", tables.Exact("5/4"), 3, "-"),
    ("x" * 70, tables.Exact("20/3"), 12, 4),
]


def test_a_table_in_a_pipe_cuts_and_folds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    tables.print_table("A [title]", ("name", "mean", "count", "rank"), ROWS)

    assert capsys.readouterr().out.splitlines() == [
        "A [title]",
        f"{'name':<70}   mean  count  rank",
        f"{'a/b[red]':<70}   1.25      3     -",
        f"{'x' * 70}  6 2/3     12     4",
    ]


def test_a_table_on_a_narrow_terminal_folds_and_cuts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    for name, value in (("COLUMNS", "40"), ("TERM", "xterm"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)

    tables.print_table("A [title]", ("name", "mean", "count", "rank"), ROWS)

    shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue())
    assert shown.count("x") == 70
    assert "…" not in shown
    assert all(len(line) <= 40 for line in shown.splitlines())


@pytest.mark.parametrize(("no_color", "has_color"), [("", True), ("1", False)])
def test_logs_on_a_terminal_are_coloured_unless_forbidden(
    no_color: str, has_color: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import structlog

    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("NO_COLOR", no_color)
    logs.configure_logs("info")

    structlog.get_logger().info("match_opened", match="m/cup/r1/t1")

    assert ("\x1b[3" in terminal.getvalue()) is has_color
    assert "match_opened" in terminal.getvalue()


def test_logs_in_a_pipe_are_json(capsys: pytest.CaptureFixture[str]) -> None:
    import structlog

    logs.configure_logs("warning")
    structlog.get_logger().info("unheard")
    structlog.get_logger().warning("bots_away", bots=["bob"])

    assert '"event": "bots_away"' in capsys.readouterr().err
