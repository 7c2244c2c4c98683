"""Going through a game on a terminal."""

from collections.abc import Iterator

import click

from keylore_domain.engine.events import MovePlayed
from keylore_domain.errors import KeyloreError
from keylore_services.replay.addresses import Viewer, parse_address
from keylore_services.replay.text import fact_text, move_text, view_lines
from keylore_services.replay.timeline import Timeline
from keylore_services.replay.why import explain, why_lines

_HELP = "Enter or n: forward, b: back, g N: go to event N (or pN: ply N), v: view, w: why, q: quit"


class Stepper:
    """Shows the events of a game one by one, through the eyes of *viewer*."""

    def __init__(self, timeline: Timeline, viewer: Viewer) -> None:
        self._timeline = timeline
        self._viewer = viewer

    def lines(self, version: int) -> Iterator[str]:
        """One event as lines: who did what, and what the rules did."""
        moment = self._timeline.moment(version)
        head = f"{version:5}  ply {moment.ply:4}  {moment.kind}"
        if isinstance(moment.event, MovePlayed) and moment.answered is not None:
            name = self._timeline.opened.seats[moment.event.seat].name
            head += f"  seat {moment.event.seat} ({name}), {moment.event.kind}"
            if self._timeline.knows_move(version, self._viewer):
                head += f": {move_text(moment.answered.prompt.legal[moment.event.choice])}"
        yield head
        for fact in self._timeline.facts(version, self._viewer):
            yield f"         {fact_text(fact)}"

    def interact(self, version: int) -> None:
        """Let a person step until they quit."""
        click.echo(_HELP)
        version = min(max(version, 1), len(self._timeline))
        self._show(version)
        while (
            command := click.prompt("", default="n", show_default=False, prompt_suffix="> ").strip()
        ) != "q":
            version = self._moved(version, command)

    def _moved(self, version: int, command: str) -> int:
        word, _, rest = command.partition(" ")
        try:
            match word:
                case "n" | "b":
                    return self._go(version + (1 if word == "n" else -1))
                case "g":
                    address = parse_address(f"{self._timeline.match_id}@{rest.strip()}")
                    return self._go(self._timeline.version_at(address.at))
                case "v":
                    click.echo("\n".join(view_lines(self._timeline.view(version, self._viewer))))
                case "w":
                    click.echo("\n".join(why_lines(explain(self._timeline, version, self._viewer))))
                case _:
                    click.echo(_HELP)
        except KeyloreError as error:
            click.echo(str(error))
        return version

    def _go(self, version: int) -> int:
        """Show event *version*, or the nearest one that there is."""
        if not 1 <= version <= len(self._timeline):
            click.echo("the game ends here" if version > 1 else "the game begins here")
            return min(max(version, 1), len(self._timeline))
        self._show(version)
        return version

    def _show(self, version: int) -> None:
        click.echo("\n".join(self.lines(version)))
