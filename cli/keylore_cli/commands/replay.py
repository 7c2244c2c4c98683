"""`keylore game show|step|why|verify|export|schemas`: replay and audit of one game."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from keylore_cli.commands.game import game
from keylore_cli.context import Context, json_option, pass_settings, print_json, print_json_lines

if TYPE_CHECKING:
    from keylore_services.replay.addresses import Address
    from keylore_services.replay.timeline import Moment, Timeline


@game.command("show")
@click.argument("address")
@json_option
@pass_settings
def show(settings: Context, address: str, as_json: bool) -> None:
    """Show the position at ADDRESS: the view, what is asked, the legal moves."""
    from keylore_cli.auditing import opened

    timeline, place = opened(settings, address)
    version = timeline.version_at(place.at)
    moment, asked = timeline.moment(version), timeline.asked(version, place.viewer)
    view = timeline.view(version, place.viewer) if moment.position is not None else None
    if as_json:
        print_json(
            {
                "address": _exact(place, version),
                "match": timeline.match_id,
                "event": version,
                "kind": moment.kind,
                "ply": moment.ply,
                "status": moment.status,
                "at": moment.event.at,
                "view": view,
                "facts": timeline.facts(version, place.viewer),
                "asked": asked,
                "banks": moment.banks,
            }
        )
        return
    from keylore_services.replay.text import move_text, view_lines

    click.echo(_headline(timeline, moment))
    if view is not None:
        click.echo("\n".join(view_lines(view)))
    for item in asked:
        click.echo(f"\nseat {item.seat} is asked: {item.kind}")
        for number, move in enumerate(item.legal):
            click.echo(f" {'*' if number == item.default else ' '}{number:3}  {move_text(move)}")
    click.echo(f"\n{_exact(place, version)}")


@game.command("step")
@click.argument("address")
@click.option("--from", "first", type=int, default=None, help="Begin at this event.")
@click.option("--to", "last", type=int, default=None, help="End at this event.")
@click.option("--all", "whole", is_flag=True, help="Print the whole game without asking.")
@json_option
@pass_settings
def step(
    settings: Context, address: str, first: int | None, last: int | None, whole: bool, as_json: bool
) -> None:
    """Go through a game event by event, through the eyes that ADDRESS names.

    On a terminal: Enter or n goes forward, b back, g jumps (an event, or p and a ply), v shows the view,
    w says why, q ends. In a pipe, or with --all, --from or --to, all events are printed.
    """
    from keylore_cli.auditing import opened
    from keylore_cli.stepping import Stepper

    timeline, place = opened(settings, address)
    start = first or (timeline.version_at(place.at) if "@" in address else 1)
    stepper = Stepper(timeline, place.viewer)
    if as_json:
        print_json_lines([*_told(timeline, place, start, last)])
    elif whole or first or last or not sys.stdin.isatty():
        for version in range(max(start, 1), (last or len(timeline)) + 1):
            click.echo("\n".join(stepper.lines(version)))
    else:
        stepper.interact(start)


@game.command("why")
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
    """Explain the event at ADDRESS: what was asked, what else was legal, which rules did what, the clock."""
    from keylore_cli.auditing import opened
    from keylore_services.replay.why import explain, why_lines

    timeline, place = opened(settings, address)
    found = explain(timeline, timeline.version_at(place.at), place.viewer, listed=listed)
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(why_lines(found)))


@game.command("verify")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--all", "every", is_flag=True, help="Every game of the league.")
@click.option(
    "--key", default=None, help="The arbiter's public key (64 hexadecimal digits) that must have signed."
)
@json_option
@pass_settings
def verify(settings: Context, games: tuple[str, ...], every: bool, key: str | None, as_json: bool) -> None:
    """Re-run each GAME (an id, or a game file) with its own rules and say whether its record holds.

    Checked are the chain of events, the commitment, every draw, the legality of every move, every fact and
    state, the clocks, the outcome and the signature. Exit code 1 and the first bad event if something is
    wrong, 4 if a game is not finished.
    """
    from keylore_cli.auditing import audited, own_key, verdict

    trusted = key or own_key(settings)
    reports = [audited(settings, name, trusted) for name in _chosen(settings, games, every)]
    if as_json:
        print_json(reports[0] if len(games) == 1 and not every else reports)
    else:
        for report in reports:
            click.echo(verdict(report, detailed=len(reports) == 1))
        if len(reports) > 1:
            valid = sum(report.verdict == "valid" for report in reports)
            click.echo(f"{valid} of {len(reports)} games are valid")
    verdicts = {report.verdict for report in reports}
    if verdicts - {"valid"}:
        raise SystemExit(1 if "invalid" in verdicts else 4)


@game.command("export")
@click.argument("match", metavar="GAME")
@click.argument("path", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@json_option
@pass_settings
def export(settings: Context, match: str, path: Path, as_json: bool) -> None:
    """Write GAME to FILE: one line per event, compressed if the name ends in .gz.

    `keylore game verify FILE` checks it anywhere, without the league.
    """
    from keylore_cli.auditing import stored_rows
    from keylore_services.replay.gamefile import write_game

    rows = stored_rows(settings, match)
    write_game(path, match, rows)
    size = path.stat().st_size
    if as_json:
        print_json({"match": match, "file": str(path), "events": len(rows), "bytes": size})
    else:
        click.echo(f"wrote {path}: {len(rows)} events, {size:,} bytes ({size / len(rows):.0f} per event)")


@game.command("schemas")
@click.argument("game_id", metavar="GAME_ID")
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
def schemas(game_id: str, folder: Path | None) -> None:
    """Print the JSON schemas of a game, or write them to FOLDER: views, moves, facts, options, outcome."""
    import msgspec

    from keylore_domain import catalog
    from keylore_domain.engine import schemas as published

    found = published.schemas(catalog.game(game_id))
    if folder is None:
        print_json(found)
        return
    for name, schema in found.items():
        path = folder / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n")
    click.echo(f"wrote {len(found)} schemas to {folder}")


@game.command("options")
@click.argument("game_id", metavar="GAME_ID")
@json_option
def options(game_id: str, as_json: bool) -> None:
    """List the options of a game, what they may be, and their defaults."""
    from keylore_cli.tables import print_table
    from keylore_domain import catalog
    from keylore_domain.engine.options import option_table

    rows = option_table(catalog.game(game_id).options_type)
    if as_json:
        print_json(
            [{"option": name, "allowed": allowed, "default": default} for name, allowed, default in rows]
        )
    else:
        print_table(f"Options of {game_id}", ("option", "allowed", "default"), rows)


# --- telling --------------------------------------------------------------------------------------------


def _exact(place: "Address", version: int) -> str:
    from keylore_services.replay.addresses import Address, At

    return str(Address(place.match, At("event", version), place.viewer))


def _headline(timeline: "Timeline", moment: "Moment") -> str:
    from keylore_services.replay.text import moment_text

    names = ", ".join(f"{seat} {entry.name}" for seat, entry in enumerate(timeline.opened.seats))
    return (
        f"{timeline.match_id}: {timeline.game.title}; seats: {names}\n"
        f"event {moment.version} of {len(timeline)} ({moment.kind}), ply {moment.ply} of {timeline.plies}, "
        f"{moment_text(moment.event.at)}"
    )


def _told(
    timeline: "Timeline", place: "Address", first: int, last: int | None
) -> Iterator[Mapping[str, Any]]:
    for version in range(max(first, 1), (last or len(timeline)) + 1):
        moment = timeline.moment(version)
        yield {
            "event": version,
            "kind": moment.kind,
            "ply": moment.ply,
            "at": moment.event.at,
            "facts": timeline.facts(version, place.viewer),
            "waiting": [item.seat for item in timeline.asked(version, place.viewer)],
        }


def _chosen(settings: Context, games: tuple[str, ...], every: bool) -> list[str]:
    if not every:
        if not games:
            msg = "name a game, a game file, or --all"
            raise click.UsageError(msg)
        return list(games)
    ledger = settings.existing_ledger()
    try:
        return ledger.ids("m/")
    finally:
        ledger.close()
