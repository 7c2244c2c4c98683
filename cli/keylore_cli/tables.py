"""Tables on a terminal."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table


def console() -> Console:
    """The console for results: standard output; in a pipe it is wide enough not to cut anything."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=200)


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print *rows*; columns whose values are all numbers are set to the right."""
    table = Table(header_style="bold", box=None, pad_edge=False)
    for index, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[index], int | float) for row in rows)
        table.add_column(column, justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    out = console()
    out.print(_cell(title), style="bold")
    out.print(table)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.1f}"
    return str(value).replace("[", "\\[")
