"""What all commands share: help that begins with examples, names that are suggested, common options."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from keylore_cli.context import Context

F = TypeVar("F", bound=Callable[..., Any])


def examples(*lines: tuple[str, str]) -> str:
    """Examples for the head of a help text: pairs of a command and a remark, which may be empty."""
    width = max((len(command) for command, remark in lines if remark), default=0)
    shown = [f"  {command:<{width}}  {'# ' + remark if remark else ''}".rstrip() for command, remark in lines]
    return "\n".join(shown)


class _ExamplesFirst(click.Command):
    """Help begins with the examples, which stand in the epilog."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Usage, examples, description, options."""
        self.format_usage(ctx, formatter)
        if self.epilog:
            formatter.write(f"\nExamples:\n{self.epilog}\n")
        self.format_help_text(ctx, formatter)
        self.format_options(ctx, formatter)


class Command(_ExamplesFirst):
    """A command whose help begins with its examples."""


class Group(_ExamplesFirst, click.Group):
    """A group whose help begins with its examples, and lists its commands in the order of use."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order in which they were added."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that *args* begin with.

        Raises:
            UsageError: there is none; suggests a near one.
        """
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = get_close_matches(args[0], known, n=1)
            meant = f"did you mean {near[0]!r}?" if near else f"commands: {', '.join(known)}"
            ctx.fail(f"There is no command {args[0]!r}; {meant}")
        return super().resolve_command(ctx, args)


class GameName(click.ParamType[str]):
    """The id of a game of the catalog."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """*value*, if there is such a game.

        Raises:
            NotFoundError: there is none; suggests a near one and lists all.
        """
        from keylore_cli.options import expect_game

        expect_game(value)
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The games whose ids begin so."""
        from keylore_domain import catalog

        return [CompletionItem(game) for game in catalog.game_ids() if game.startswith(incomplete)]


class GameWithOptions(GameName):
    """A game of the catalog, and what it is played with: ``keyside:mats=advanced,time.move_ms=500``."""

    name = "game[:key=value,...]"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """*value*, if it begins with a game.

        Raises:
            NotFoundError: there is no such game; suggests a near one and lists all.
        """
        super().convert(value.partition(":")[0], param, ctx)
        return value


def json_option(command: F) -> F:
    """The option ``--json``: print the data instead of a table; the same on a terminal and in a pipe."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON: the same data, for programs.")(
        command
    )


def ca_option(command: F) -> F:
    """The option ``--ca``: whose certificates a server may show."""
    return click.option(
        "--ca", type=click.Path(path_type=Path), default=None, help="Certificate authority of the server."
    )(command)


def looking_options(command: F) -> F:
    """The options of a command that looks again and again: ``--every`` and ``--once``."""
    every = click.option(
        "--every",
        type=click.FloatRange(0.01, 86_400),
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="How often to look.",
    )
    return every(click.option("--once", is_flag=True, help="Look once.")(command))


def wait_option(command: F) -> F:
    """The option ``--wait``: how long tables wait for bots after the start."""
    return click.option(
        "--wait",
        type=click.FloatRange(0, 86_400),
        default=30.0,
        show_default=True,
        help="Seconds after the start in which a table waits for its bots, if that is longer than the "
        "tournament says (`--absence wait_ms=...` of `tournament new`).",
    )(command)


def together_option(command: F) -> F:
    """The option ``--together``: the bots of this machine share a process."""
    return click.option(
        "--together",
        is_flag=True,
        help="Run the bots of this machine in one process instead of one each: that starts faster and needs "
        "less memory, but one that hangs holds up the others.",
    )(command)


def checked_key(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """*value*, if it is a public key.

    Raises:
        BadParameter: it is not.
    """
    if value is not None and not re.fullmatch("[0-9a-f]{64}", value):
        msg = f"{value!r} is no public key: 64 of the signs 0 to 9 and a to f"
        raise click.BadParameter(msg)
    return value


def beacon_option(command: F) -> F:
    """The option ``--beacon``: it goes into the settings of the run."""
    return click.option(
        "--beacon",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        default=None,
        expose_value=False,
        callback=_take_beacon,
        metavar="FILE",
        help="A public random value to mix into the chance of new games, such as a round of drand (JSON).",
    )(command)


def _take_beacon(context: click.Context, _: click.Parameter, value: Path | None) -> None:
    context.obj = replace(context.find_object(Context) or Context(Path()), beacon=value)


def key_option(command: F) -> F:
    """The option ``--key``: the arbiter's public key."""
    return click.option(
        "--key",
        default=None,
        metavar="HEX",
        callback=checked_key,
        help="The arbiter's public key that must have signed; `keylore serve` tells it.",
    )(command)


def game_options_option(command: F) -> F:
    """The option ``-o KEY=VALUE``, any number of times."""
    return click.option(
        "--option",
        "-o",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        help="An option of the game; `keylore game options GAME` lists them.",
    )(command)


def data_option(command: F) -> F:
    """The option ``--data FILE``."""
    return click.option(
        "--data",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        default=None,
        help="A component data file of your own, instead of the game's.",
    )(command)


def entering_options(command: F) -> F:
    """The options by which bots enter a tournament."""
    for option in (
        click.option(
            "--rated",
            is_flag=True,
            help="Give them the points they have on the leaderboard of the first game.",
        ),
        click.option(
            "--rating",
            "ratings",
            multiple=True,
            metavar="BOT=POINTS",
            help="Points with which a bot enters, such as alice=1620; pairing seeding=rating goes by them.",
        ),
        click.option(
            "--builtin",
            "builtins",
            multiple=True,
            metavar="BOT[:COUNT]",
            help="Register bots that this machine runs: random, greedy, first, or FILE.py.",
        ),
        click.option("--bot", "bots", multiple=True, metavar="NAME", help="Register an enrolled bot."),
    ):
        command = option(command)
    return command


def reason_option(command: F) -> F:
    """The option ``--reason TEXT``."""
    return click.option("--reason", default="", help="Why; it stands in the record.")(command)


def round_option(command: F) -> F:
    """The option ``--round N`` of what is known after a round."""
    return click.option(
        "--round", "number", type=click.IntRange(0), default=None, help="As it was after this round."
    )(command)


def at_option(command: F) -> F:
    """The option ``--at EVENT`` of what is known after an event."""
    return click.option(
        "--at",
        type=click.IntRange(1),
        default=None,
        metavar="EVENT",
        help="As it was after this event of the tournament.",
    )(command)
