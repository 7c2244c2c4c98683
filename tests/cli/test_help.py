"""Help, versions, exit codes, completion, and errors as a person sees them."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from keylore_cli import main as entry
from keylore_cli.main import keylore
from keylore_services.tournament.service import TournamentService
from tests.cli.commands import command, environment
from tests.cli.running import Terminal

HEAVY = "asyncio grpc eventsourcing rich yaml cryptography msgspec structlog"


def commands(group: click.Group = keylore, *names: str) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    yield names
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            yield from commands(found, *names, name)
        else:
            yield (*names, name)


@pytest.mark.parametrize("names", list(commands()), ids=" ".join)
def test_help_begins_with_examples_of_this_command(names: tuple[str, ...], fresh: Terminal) -> None:
    usage, examples, *_ = fresh.out(*names, "--help").split("\n\n")

    assert usage.startswith(f"Usage: {' '.join(('keylore', *names))} ")
    assert examples.startswith("Examples:\n")
    assert any(f"keylore {' '.join(names)}".rstrip() in line for line in examples.splitlines())


@pytest.mark.parametrize("names", [names for names in commands() if len(names) != 1], ids=" ".join)
def test_no_line_of_a_list_of_commands_is_cut(names: tuple[str, ...], fresh: Terminal) -> None:
    assert "..." not in fresh.out(*names[:1], "--help").split("Commands:")[1]


def test_every_example_is_a_command_line_that_parses(fresh: Terminal) -> None:
    for names in commands():
        for line in fresh.out(*names, "--help").split("\n\n")[1].splitlines()[1:]:
            words = line.partition(" #")[0].split()
            typed = words[words.index("keylore") + 1 :]
            found: click.Command = keylore
            context = click.Context(keylore)
            while isinstance(found, click.Group):
                name = next(word for word in typed if word in found.list_commands(context))
                typed = typed[typed.index(name) + 1 :]
                inner = found.get_command(context, name)
                assert inner is not None
                found = inner
            options = {option for one in found.params for option in (*one.opts, *one.secondary_opts)}
            assert {word for word in typed if word.startswith("-")} <= options, line


@pytest.mark.slow
def test_help_of_every_command_imports_nothing_heavy() -> None:
    paths = [[*names, "--help"] for names in commands()]
    script = f"""
import sys
from keylore_cli.main import main
for path in {paths!r}:
    try:
        main(path)
    except SystemExit as ended:
        assert not ended.code, path
    heavy = [name for name in {HEAVY.split()!r} if name in sys.modules]
    assert not heavy, (path, heavy)
"""

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env=environment()
    )

    assert done.returncode == 0, done.stderr


def test_the_version_names_the_rules_of_every_game(fresh: Terminal) -> None:
    first, *games = fresh.out("--version").splitlines()

    assert first.startswith("keylore 0.")
    assert "keydom: rules 1" in games
    assert len(games) == 4


def test_the_exit_codes_are_listed(fresh: Terminal) -> None:
    assert [line.split()[0] for line in fresh.out("--exit-codes").splitlines()] == [*"0123456", "70"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_each_shell(shell: str, fresh: Terminal) -> None:
    assert f"_KEYLORE_COMPLETE={shell}_complete" in fresh.out("--completion", shell)


def test_games_are_completed(monkeypatch: pytest.MonkeyPatch, fresh: Terminal) -> None:
    monkeypatch.setenv("_KEYLORE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "keylore game options keydoms")
    monkeypatch.setenv("COMP_CWORD", "3")

    assert fresh.run().out == "plain,keydoms-dragons\n"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["tournamnt"], "'tournament'"),
        (["game", "verfy"], "'verify'"),
        (["tournament", "standings", "cup", "--rund", "1"], "'--round'"),
    ],
)
def test_a_misspelt_command_or_option_is_suggested(typed: list[str], meant: str, fresh: Terminal) -> None:
    said = fresh.fails(2, *typed)

    assert meant in said
    assert "--help" in said


def test_a_game_that_does_not_exist_is_missing_and_a_near_one_suggested(fresh: Terminal) -> None:
    said = fresh.fails(3, "game", "options", "keydoms_dragons")

    assert said.startswith("keylore: there is no game 'keydoms_dragons'; did you mean 'keydoms-dragons'?")
    assert "keyside" in said


@pytest.mark.parametrize(
    "typed",
    [
        ["tournament", "list"],
        ["tournament", "standings", "cup"],
        ["game", "list"],
        ["game", "verify", "--all"],
        ["game", "show", "m/cup/r1/t1"],
        ["bot", "list"],
    ],
    ids=" ".join,
)
def test_without_a_league_one_is_told_how_to_make_it(typed: list[str], fresh: Terminal) -> None:
    said = fresh.fails(3, *typed)

    assert f"there is no league in {fresh.league}" in said
    assert "keylore tournament new" in said
    assert not fresh.league.exists()


def test_a_ledger_that_is_none_is_an_error_of_the_environment(fresh: Terminal) -> None:
    fresh.league.mkdir()
    (fresh.league / "ledger.db").write_text("no database at all, but a text of some length" * 100)

    assert "[ledger]" in fresh.fails(6, "tournament", "list")


def test_a_folder_that_may_not_be_made_is_an_error_of_the_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")

    said = Terminal(tmp_path / "file" / "league", capsys).fails(6, "bot", "new", "alice")

    assert str(tmp_path / "file") in said


def test_a_defect_is_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch, here: Terminal) -> None:
    monkeypatch.setattr(TournamentService, "list", lambda _: 1 // 0)

    said = here.fails(70, "tournament", "list")

    assert "ZeroDivisionError" in said
    assert "--debug" in said


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch, here: Terminal) -> None:
    monkeypatch.setattr(TournamentService, "list", lambda _: 1 // 0)

    by_option = here.run("--debug", "tournament", "list")
    monkeypatch.setenv("KEYLORE_DEBUG", "1")
    by_environment = here.run("tournament", "list")

    assert by_option.code == by_environment.code == 70
    assert "Traceback" in by_option.err
    assert "Traceback" in by_environment.err


def test_ctrl_c_ends_with_the_code_for_what_can_go_on(
    monkeypatch: pytest.MonkeyPatch, here: Terminal
) -> None:
    def interrupted(_: TournamentService) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(TournamentService, "list", interrupted)

    assert here.fails(4, "tournament", "list").strip() == "stopped"


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error(played: Path) -> None:
    with subprocess.Popen(
        command(played, "game", "step", "m/cup/r1/t1/all"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as step:
        assert step.stdout is not None
        assert step.stderr is not None
        step.stdout.close()
        said = step.stderr.read()

    assert (step.returncode, said) == (0, b"")


def test_a_system_error_is_told_as_one(monkeypatch: pytest.MonkeyPatch, here: Terminal) -> None:
    def full(_: TournamentService) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(TournamentService, "list", full)

    assert here.fails(6, "tournament", "list") == "keylore: [Errno 28] No space left on device [system]\n"


def test_colours_are_switched_off_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, fresh: Terminal
) -> None:
    seen: list[bool | None] = []
    monkeypatch.setattr(
        importlib.import_module("keylore_cli.commands.bot").list_bots,
        "callback",
        click.pass_context(lambda context, **_: seen.append(context.color)),
    )
    monkeypatch.setenv("NO_COLOR", "1")
    fresh.run("bot", "list")
    monkeypatch.delenv("NO_COLOR")
    fresh.run("bot", "list")

    assert seen == [False, None]


def test_the_league_comes_from_the_environment_too(
    monkeypatch: pytest.MonkeyPatch, played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEYLORE_LEAGUE", str(played))
    with pytest.raises(SystemExit) as ended:
        entry.main(["tournament", "show", "cup", "--command"])

    assert not ended.value.code
    assert capsys.readouterr().out.startswith("keylore tournament new cup ")
