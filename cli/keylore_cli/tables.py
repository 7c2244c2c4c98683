"""Tables on a terminal."""

import sys
from collections.abc import Sequence
from io import StringIO
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from keylore_services.tournament.words import exact


class Exact(str):
    """An exact number as text, ``7`` or ``20/3``; shown as ``7``, ``3.5`` or ``6 2/3``."""

    __slots__ = ()


_NO_LIMIT: Final = 10_000


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print *rows* to standard output; columns whose values are all numbers are set to the right.

    On a terminal, long cells are folded to its width; in a pipe, each row is one line. Nothing is cut.
    """
    table = Table(header_style="bold", box=None, pad_edge=False)
    for index, column in enumerate(columns):
        is_numeric = any(isinstance(row[index], int | Exact) for row in rows)
        table.add_column(column, justify="right" if is_numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(Text(title, style="bold"), table, sep="\n")
    else:
        sys.stdout.write(_plain(title, table))


def counted(number: int, what: str) -> str:
    """So many of *what*, with its plural."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _plain(title: str, table: Table) -> str:
    out = StringIO()
    Console(file=out, width=_NO_LIMIT, highlight=False, no_color=True).print(Text(title), table, sep="\n")
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def _cell(value: Any) -> str:
    return exact(value) if isinstance(value, Exact) else str(value)
