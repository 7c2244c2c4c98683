"""What every command needs: where the league lies, and how to print."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from keylore_services.ledger.ledger import Ledger

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Context:
    """The settings of one run of the command line."""

    folder: Path
    log_level: str = "warning"
    debug: bool = False

    @property
    def ledger_file(self) -> Path:
        """The file of the event store."""
        return self.folder / "ledger.db"

    @property
    def keys(self) -> Path:
        """The folder of the arbiter's keys."""
        return self.folder / "keys"

    @property
    def bots(self) -> Path:
        """The folder of the tokens of bots that were enrolled here."""
        return self.folder / "bots"

    @property
    def logs(self) -> Path:
        """The folder of the logs of bots that the server starts."""
        return self.folder / "logs"

    def existing_ledger(self) -> "Ledger":
        """The ledger of a league that was made before.

        Raises:
            NotFoundError: there is none in this folder.
        """
        from keylore_domain.errors import NotFoundError

        if not self.ledger_file.exists():
            msg = (
                f"there is no league in {self.folder.resolve()}; choose its folder with --league, "
                "or make one with `keylore tournament new`"
            )
            raise NotFoundError(msg)
        return self.ledger()

    def ledger(self) -> "Ledger":
        """The ledger of the league, made if need be."""
        from keylore_cli.logs import configure_logs
        from keylore_services.ledger.ledger import open_ledger

        configure_logs(self.log_level)
        return open_ledger(self.ledger_file)


pass_settings = click.make_pass_decorator(Context)


def examples(*lines: tuple[str, str]) -> str:
    """Examples for the head of a help text: pairs of a command and a remark."""
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
    """A group whose help begins with its examples."""

    command_class = Command


def json_option(command: F) -> F:
    """The option ``--json``: print the data instead of a table; the same on a terminal and in a pipe."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON: the same data, for programs.")(
        command
    )


def print_json(value: object) -> None:
    """Print *value* as one JSON document."""
    import msgspec

    data = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.write(data.decode() + "\n")


def print_json_lines(values: Sequence[object]) -> None:
    """Print each of *values* as one line of JSON."""
    import msgspec

    for value in values:
        sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
