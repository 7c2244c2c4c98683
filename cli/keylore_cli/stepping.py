"""Going through a game on a terminal."""

from collections.abc import Iterator

import click
import msgspec

from keylore_domain.engine.events import Concluded, MoveDefaulted, MovePlayed
from keylore_domain.errors import KeyloreError
from keylore_services.arbiter.telling import cause_text
from keylore_services.replay.addresses import Viewer, parse_address
from keylore_services.replay.text import fact_text, move_text, view_lines, words
from keylore_services.replay.timeline import Moment, Timeline
from keylore_services.replay.why import explain, why_lines

_HELP = "Enter or n: forward, b: back, g N: go to event N (or pN: ply N), v: view, w: why, q: quit"
_INDENT = " " * 9


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One event as a viewer may know it; what is secret, or does not apply, is ``None``.

    ``waiting``: the seats that are asked next.
    """

    event: int
    kind: str
    ply: int
    at: int
    text: str
    seat: int | None = None
    bot: str | None = None
    asked: str | None = None
    move: object = None
    default_cause: str | None = None
    facts: tuple[object, ...] = ()
    waiting: tuple[int, ...] = ()


class Stepper:
    """Shows the events of a game one by one, through the eyes of *viewer*."""

    def __init__(self, timeline: Timeline, viewer: Viewer) -> None:
        self._timeline = timeline
        self._viewer = viewer

    def told(self, version: int) -> Told:
        """One event as data."""
        moment = self._timeline.moment(version)
        told = Told(
            event=version,
            kind=moment.kind,
            ply=moment.ply,
            at=moment.event.at,
            text=explain(self._timeline, version, self._viewer, listed=0).headline,
            facts=self._timeline.facts(version, self._viewer),
            waiting=tuple(item.seat for item in self._timeline.asked(version, self._viewer)),
        )
        return self._move(told, moment)

    def lines(self, version: int) -> Iterator[str]:
        """One event as lines: who did what, and what the rules did."""
        moment = self._timeline.moment(version)
        yield f"{version:5}  ply {moment.ply:<4} {self._headline(version, moment)}"
        if isinstance(moment.event, MoveDefaulted):
            yield f"{_INDENT}played for it: {cause_text(moment.event)}"
        for fact in self._timeline.facts(version, self._viewer):
            yield f"{_INDENT}{fact_text(fact)}"
        if isinstance(moment.event, Concluded):
            yield from self._ranks(moment.event)

    def interact(self, version: int) -> None:
        """Let a person step until they quit."""
        click.echo(_HELP)
        version = min(max(version, 1), len(self._timeline))
        self._show(version)
        while (
            command := click.prompt("", default="n", show_default=False, prompt_suffix="> ").strip()
        ) != "q":
            version = self._moved(version, command)

    # --- one event --------------------------------------------------------------------------------------

    def _headline(self, version: int, moment: Moment) -> str:
        event = moment.event
        if isinstance(event, MovePlayed) and moment.answered is not None and not self._is_secret(moment):
            who = f"seat {event.seat} ({self._timeline.opened.seats[event.seat].name}), {words(event.kind)}"
            if not self._timeline.knows_move(version, self._viewer):
                return who
            return f"{who}: {move_text(moment.answered.prompt.legal[event.choice])}"
        return explain(self._timeline, version, self._viewer, listed=0).headline

    def _is_secret(self, moment: Moment) -> bool:
        """Whether the viewer may not even know who answered."""
        is_known = self._timeline.knows_move(moment.version, self._viewer)
        return moment.answered is not None and moment.answered.prompt.hidden and not is_known

    def _move(self, told: Told, moment: Moment) -> Told:
        event = moment.event
        if not isinstance(event, MovePlayed):
            return told
        if self._is_secret(moment):
            return msgspec.structs.replace(told, kind="Move")
        is_known = self._timeline.knows_move(moment.version, self._viewer)
        return msgspec.structs.replace(
            told,
            seat=event.seat,
            bot=self._timeline.opened.seats[event.seat].name,
            asked=event.kind,
            move=event.move if is_known else None,
            default_cause=event.cause if isinstance(event, MoveDefaulted) else None,
        )

    def _ranks(self, event: Concluded) -> Iterator[str]:
        outcome = msgspec.json.decode(event.outcome, type=self._timeline.game.outcome_type)
        for one in sorted(outcome.seats, key=lambda seat: (seat.rank, seat.seat)):
            name = self._timeline.opened.seats[one.seat].name
            yield f"{_INDENT}rank {one.rank}: seat {one.seat} ({name}), score {one.score}"

    # --- keys -------------------------------------------------------------------------------------------

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
