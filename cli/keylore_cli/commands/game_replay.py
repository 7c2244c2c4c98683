"""`keylore game show|step|why`: replay of one game."""

import sys
from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, pass_settings, print_json, print_json_lines
from keylore_cli.parsing import Command, examples, json_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keylore_services.replay.addresses import Address
    from keylore_services.replay.timeline import Asked, Moment, Timeline


@click.command(
    "show",
    cls=Command,
    epilog=examples(
        ("keylore game show m/cup/r1/t1", "how it ended, as everybody may see it"),
        ("keylore game show m/cup/r1/t1@120/2", "event 120 through the eyes of seat 2"),
        ("keylore game show game.jsonl.gz@p57/all", "ply 57 of a game file, secrets included"),
    ),
)
@click.argument("address")
@json_option
@pass_settings
def show(settings: Context, address: str, as_json: bool) -> None:
    """Show the position at ADDRESS.

    What happened, the view, what is asked next, and the legal moves.
    """
    from keylore_cli.auditing import opened
    from keylore_cli.stepping import Stepper

    timeline, place = opened(settings, address)
    version = timeline.version_at(place.at)
    moment, asked = timeline.moment(version), timeline.asked(version, place.viewer)
    view = timeline.view(version, place.viewer) if moment.position is not None else None
    stepper = Stepper(timeline, place.viewer)
    if as_json:
        import msgspec

        print_json(
            {
                "address": _exact(place, version),
                "match": timeline.match_id,
                "game": timeline.opened.game,
                "seats": timeline.opened.seats,
                "events": len(timeline),
                "status": moment.status,
                **msgspec.structs.asdict(stepper.told(version)),
                "banks": moment.banks,
                "view": view,
                "asked": asked,
            }
        )
        return
    from keylore_services.replay.text import view_lines

    click.echo(_headline(timeline, moment))
    click.echo("\n".join(stepper.lines(version)))
    if view is not None:
        click.echo("\n" + "\n".join(view_lines(view)))
    for item in asked:
        click.echo("\n" + "\n".join(_question(item)))
    click.echo(f"\n{_exact(place, version)}")


@click.command(
    "step",
    cls=Command,
    epilog=examples(
        ("keylore game step m/cup/r1/t1", "from the beginning, as everybody may see it"),
        ("keylore game step m/cup/r1/t1@120/all", "from event 120, secrets included"),
        ("keylore game step m/cup/r1/t1/all --from 100 --to 110", "print eleven events"),
        ("keylore game step m/cup/r1/t1 --json", "one line of JSON per event"),
    ),
)
@click.argument("address")
@click.option("--from", "first", type=int, default=None, help="Begin at this event.")
@click.option("--to", "last", type=int, default=None, help="End at this event.")
@click.option("--all", "whole", is_flag=True, help="Print the whole game without asking.")
@json_option
@pass_settings
def step(
    settings: Context, address: str, first: int | None, last: int | None, whole: bool, as_json: bool
) -> None:
    """Go through a game event by event.

    ADDRESS names the game, the event to begin with, and through whose eyes it is seen.

    On a terminal: Enter or n goes forward, b back, g jumps (an event, or p and a ply), v shows the view,
    w says why, q ends. In a pipe, or with --all, --from or --to, all events are printed.
    """
    from keylore_cli.auditing import opened
    from keylore_cli.stepping import Stepper
    from keylore_services.replay.addresses import At

    timeline, place = opened(settings, address)
    start = timeline.version_at(place.at) if "@" in address else 1
    stepper = Stepper(timeline, place.viewer)
    is_interactive = sys.stdin.isatty() and sys.stdout.isatty()
    if is_interactive and not (as_json or whole or first or last):
        stepper.interact(start)
        return
    for number in (first, last):
        if number is not None:
            timeline.version_at(At("event", number))
    versions = range(first or start, (last or len(timeline)) + 1)
    if not versions:
        msg = f"nothing lies between event {versions.start} and event {last}: --to is before the beginning"
        raise click.UsageError(msg)
    if as_json:
        print_json_lines(stepper.told(version) for version in versions)
    else:
        for version in versions:
            click.echo("\n".join(stepper.lines(version)))


@click.command(
    "why",
    cls=Command,
    epilog=examples(
        ("keylore game why m/cup/r1/t1@120/all", "all there is to know about event 120"),
        ("keylore game why m/cup/r1/t1@p57/2", "ply 57, as far as seat 2 may know"),
        ("keylore game why m/cup/r1/t1@120/all --moves 1000", "list every legal move"),
    ),
)
@click.argument("address")
@click.option(
    "--moves",
    "listed",
    type=click.IntRange(0, 10_000),
    default=20,
    show_default=True,
    help="How many legal moves to list.",
)
@json_option
@pass_settings
def why(settings: Context, address: str, listed: int, as_json: bool) -> None:
    """Explain the event at ADDRESS.

    What was asked, what else was legal, which rules did what, and what the clock said.
    """
    from keylore_cli.auditing import opened
    from keylore_services.replay.why import explain, why_lines

    timeline, place = opened(settings, address)
    found = explain(timeline, timeline.version_at(place.at), place.viewer, listed=listed)
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(why_lines(found)))


# --- telling --------------------------------------------------------------------------------------------


def _exact(place: "Address", version: int) -> str:
    from keylore_services.replay.addresses import Address, At

    return str(Address(place.match, At("event", version), place.viewer))


def _headline(timeline: "Timeline", moment: "Moment") -> str:
    from keylore_services.replay.text import moment_text

    names = ", ".join(f"{seat} {entry.name}" for seat, entry in enumerate(timeline.opened.seats))
    return (
        f"{timeline.match_id}: {timeline.game.title}; seats: {names}\n"
        f"event {moment.version} of {len(timeline)}, ply {moment.ply} of {timeline.plies}, "
        f"{moment_text(moment.event.at)}\n"
    )


def _question(item: "Asked") -> "Iterator[str]":
    from keylore_services.replay.text import move_text, words

    about = f" ({move_text(item.context)})" if item.context is not None else ""
    yield f"seat {item.seat} is asked: {words(item.kind)}{about}"
    for number, move in enumerate(item.legal):
        yield f" {'*' if number == item.default else ' '}{number:3}  {move_text(move)}"
