"""A person at the terminal as a bot."""

import click
import msgspec

from keylore_services.bots.kit import Bot, End, Prompt, Ruling


class Human(Bot):
    """Shows each prompt and asks for the number of a move."""

    def choose(self, prompt: Prompt) -> int:
        """Show what is seen and asked; read the number of a move."""
        click.echo(
            click.style(f"\nseat {prompt.seat}: {prompt.kind}", bold=True) + f"  ({prompt.budget:.0f} s)"
        )
        click.echo(_compact(prompt.view))
        if prompt.context:
            click.echo(f"about: {_compact(prompt.context)}")
        for number, move in enumerate(prompt.legal):
            mark = "*" if number == prompt.default else " "
            click.echo(f" {mark}{number:3}  {_compact(move)}")
        last = len(prompt.legal) - 1
        return int(click.prompt("your move", type=click.IntRange(0, last), default=prompt.default))

    def ruled(self, ruling: Ruling) -> None:
        """Say that a move was played for the person."""
        click.echo(f"\n{_compact(ruling.move)} was played for you: {ruling.message}")

    def ended(self, end: End) -> None:
        """Say that the game is over."""
        click.echo("\nthe game is over")


def _compact(value: object) -> str:
    return msgspec.json.encode(value).decode()
