"""The command `keylore`: the groups, the global options, errors as messages and exit codes."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

from keylore_cli.context import Context
from keylore_cli.parsing import Group, examples

# name -> (module:attribute, one line of help); a module is imported when its command is used
_COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "demo": (
        "keylore_cli.commands.demo:demo",
        "Play a small tournament with built-in bots and show a replay.",
    ),
    "serve": (
        "keylore_cli.commands.serve:serve",
        "Run the arbiter, for bots that connect.",
    ),
    "tournament": ("keylore_cli.commands.tournament:tournament", "Create, run and read tournaments."),
    "game": ("keylore_cli.commands.game:game", "List, replay, verify, explain and export games."),
    "archive": (
        "keylore_cli.commands.archive:archive",
        "Ask all stored games at once.",
    ),
    "dispute": (
        "keylore_cli.commands.dispute:dispute",
        "Claim that a game went wrong, and get a ruling.",
    ),
    "log": (
        "keylore_cli.commands.log:log",
        "Ask the transparency log for proofs, and watch it.",
    ),
    "leaderboard": (
        "keylore_cli.commands.leaderboard:leaderboard",
        "Rate all bots by the results of all tournaments.",
    ),
    "compare": ("keylore_cli.commands.compare:compare", "Test whether a bot is better than another."),
    "keys": ("keylore_cli.commands.keys:keys", "Show and rotate the keys of the arbiter."),
    "receipt": ("keylore_cli.commands.receipt:receipt", "Check the receipts that a bot keeps."),
    "bot": ("keylore_cli.commands.bot:bot", "Enrol, check and run bots."),
}

_EXAMPLES: Final = (
    ("keylore demo", "see it all in a minute"),
    ("keylore bot new alice", "enrol a bot, get its token and a starter file"),
    ("keylore tournament new cup --game keydom --table 4 --rounds 3 --bot alice --builtin greedy:7", ""),
    ("keylore tournament run cup", "play it to the final standings; again after a crash"),
    ("keylore game verify m/cup/r1/t1", "re-run every rule and every draw of a game"),
)

EXIT_CODES: Final = """\
0  all is well
1  verified as wrong: a game or tournament does not follow from its events
2  the command line is wrong: an option, a value, a name, a file that an option names
3  there is no such tournament, game, bot or file
4  not finished: interrupted or waiting; the same command goes on
5  a bot failed its check
6  the environment: the ledger, its keys, or the network address cannot be used
70 a defect of keylore itself
"""


class LazyGroup(Group):
    """A group whose commands are imported when they are used, so that help comes up at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of use."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name][0].partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; when the reader of a pipe has gone away, that is no error."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(0) from None
        return result

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


def _print_exit_codes(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(EXIT_CODES, nl=False)
        ctx.exit()


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        from keylore_domain import catalog

        click.echo(f"keylore {version('keylore')}, engine {catalog.ENGINE_VERSION}")
        for game in catalog.game_ids():
            click.echo(f"{game}: rules {', '.join(catalog.rules_versions(game))}")
        ctx.exit()


def _print_completion(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value and not ctx.resilient_parsing:
        from click.shell_completion import get_completion_class

        kind = get_completion_class(value)
        assert kind is not None
        click.echo(kind(keylore, {}, "keylore", "_KEYLORE_COMPLETE").source())
        ctx.exit()


@click.group(
    cls=LazyGroup,
    epilog=examples(*_EXAMPLES),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--league",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("league"),
    envvar="KEYLORE_LEAGUE",
    show_default=True,
    show_envvar=True,
    help="The folder of the league: its ledger, keys, tokens and logs.",
)
@click.option(
    "--log",
    "log_level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="What to log to standard error.",
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show tracebacks; so does KEYLORE_DEBUG=1.")
@click.option(
    "--exit-codes",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_exit_codes,
    help="List the exit codes.",
)
@click.option(
    "--completion",
    type=click.Choice(["bash", "zsh", "fish"]),
    is_eager=True,
    expose_value=False,
    callback=_print_completion,
    help='Print what makes the shell complete commands: eval "$(keylore --completion bash)".',
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the versions of keylore and of the rules of its games.",
)
@click.pass_context
def keylore(ctx: click.Context, league: Path, log_level: str) -> None:
    """Arbitrate, replay and prove games of bots, and run their tournaments."""
    is_typed = ctx.get_parameter_source("league") is click.core.ParameterSource.COMMANDLINE
    called = f"keylore --league {shlex.quote(str(league))}" if is_typed else "keylore"
    ctx.obj = Context(folder=league, log_level=log_level, called=called)
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code: Any = keylore.main(args=given, prog_name="keylore", standalone_mode=False)
    except click.Abort:
        click.echo("stopped", err=True)
        code = 4
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except Exception as error:
        code = _failed(error, wants_trace="--debug" in given or bool(os.environ.get("KEYLORE_DEBUG")))
    sys.exit(code if isinstance(code, int) else 0)


def _failed(error: Exception, *, wants_trace: bool) -> int:
    from keylore_cli.failures import exit_code, explained

    if wants_trace:
        import traceback

        traceback.print_exception(error)
    click.echo(explained(error), err=True)
    return exit_code(error)


if __name__ == "__main__":
    main()
