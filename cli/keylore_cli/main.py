"""The command `keylore`: the groups, the global options, errors as messages and exit codes."""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

from keylore_cli.context import Context, Group, examples

# name -> (module, attribute, one line of help); a module is imported when its command is used
_COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "demo": (
        "keylore_cli.commands.demo:demo",
        "Play a small tournament with built-in bots and show a replay.",
    ),
    "serve": (
        "keylore_cli.commands.serve:serve",
        "Run the arbiter: bots connect, matches and tournaments are played.",
    ),
    "tournament": ("keylore_cli.commands.tournament:tournament", "Create, run and read tournaments."),
    "game": ("keylore_cli.commands.replay:game", "List, replay, verify, explain and export games."),
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
2  the command line is wrong: an option, a value, a name
3  there is no such tournament, game, bot or file
4  not finished: interrupted or waiting; the same command goes on
5  a bot failed its check
6  the environment: the ledger, its keys, or the network address cannot be used
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
@click.option("--debug", is_flag=True, help="Show tracebacks.")
@click.option(
    "--exit-codes",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_exit_codes,
    help="List the exit codes.",
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
def keylore(ctx: click.Context, league: Path, log_level: str, debug: bool) -> None:
    """Arbitrate, replay and prove games of bots, and run their tournaments."""
    ctx.obj = Context(folder=league, log_level=log_level, debug=debug)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    try:
        code: Any = keylore.main(
            args=list(arguments) if arguments is not None else None, standalone_mode=False
        )
    except click.exceptions.Exit as error:
        code = error.exit_code
    except click.Abort:
        click.echo("stopped", err=True)
        code = 4
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        code = _failed(error)
    sys.exit(code if isinstance(code, int) else 0)


def _failed(error: Exception) -> int:
    from keylore_cli.failures import exit_code, explained

    if "--debug" in sys.argv or os.environ.get("KEYLORE_DEBUG"):
        import traceback

        traceback.print_exception(error)
    code = exit_code(error)
    if code is None:
        raise error
    click.echo(explained(error), err=True)
    return code


if __name__ == "__main__":
    main()
