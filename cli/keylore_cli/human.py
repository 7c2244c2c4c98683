"""A person at the terminal as a bot."""

from _thread import interrupt_main
from collections.abc import Mapping
from threading import Lock
from typing import Any

import click

from keylore_services.bots.kit import Bot, End, News, Prompt, Ruling, Table
from keylore_services.replay.text import move_text, view_lines

_ASKING = "your move (a number, Enter for the one marked *, v to see the table)"


class Human(Bot):
    """Tells what happens, shows each prompt and asks for the number of a move.

    One person may play several seats; they are asked one after the other.
    """

    def __init__(self) -> None:
        self._asking = Lock()
        self._has_left = False

    def seated(self, table: Table) -> None:
        """Say which seat it is, and who plays."""
        players = ", ".join(f"{seat} {name}" for seat, name in enumerate(table.bots))
        click.echo(f"you sit on seat {table.seat} of {table.match}; the seats: {players}")

    def choose(self, prompt: Prompt) -> int:
        """Show what is asked; read the number of a move, or show the table as often as it is wanted.

        When the input ends, the program is stopped as by Ctrl-C.
        """
        with self._asking:
            if self._has_left:
                return prompt.default
            _show(prompt)
            while True:
                try:
                    answer = click.prompt(_ASKING, default=str(prompt.default), show_default=False).strip()
                except click.Abort:
                    self._has_left = True
                    interrupt_main()
                    return prompt.default
                if answer == "v":
                    click.echo("\n".join(view_lines(prompt.view)))
                elif answer.isdecimal() and int(answer) < len(prompt.legal):
                    return int(answer)
                else:
                    click.echo(f"{answer!r} is not a number from 0 to {len(prompt.legal) - 1}")

    def heard(self, news: News) -> None:
        """Say what happened."""
        for fact in news.facts:
            click.echo(f"  {_fact_text(fact)}")

    def ruled(self, ruling: Ruling) -> None:
        """Say that a move was played for the person."""
        click.echo(f"\n{move_text(ruling.move)} was played for you: {ruling.message}")

    def ended(self, end: End) -> None:
        """Say that the game is over."""
        click.echo("\nthe game is over\n")


def _show(prompt: Prompt) -> None:
    about = f" ({move_text(prompt.context)})" if prompt.context else ""
    head = click.style(f"\nseat {prompt.seat}, {prompt.kind.replace('_', ' ')}", bold=True)
    click.echo(f"{head}{about}, {prompt.budget:.0f} s:")
    for number, move in enumerate(prompt.legal):
        click.echo(f" {'*' if number == prompt.default else ' '}{number:3}  {move_text(move)}")


def _fact_text(fact: Mapping[str, Any]) -> str:
    fields = {key: value for key, value in fact.items() if key != "fact"}
    return move_text({"action": fact.get("fact"), **fields})
