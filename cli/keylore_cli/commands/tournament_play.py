"""`keylore tournament run|resume`: playing a tournament to its end."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import (
    Command,
    beacon_option,
    examples,
    json_option,
    together_option,
    wait_option,
)

if TYPE_CHECKING:
    from keylore_domain.swiss.records import Status


@dataclass(frozen=True)
class _Manner:
    """How a tournament is to be run."""

    host: str
    port: int
    parallel: int
    wait: float
    together: bool


_OPTIONS = (
    beacon_option,
    click.option("--host", default="127.0.0.1", show_default=True, help="The address for bots."),
    click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=4711,
        show_default=True,
        help="The port for bots; 0: any free one.",
    ),
    click.option(
        "--parallel",
        type=click.IntRange(1, 10_000),
        default=50,
        show_default=True,
        help="Tables at the same time.",
    ),
    wait_option,
    together_option,
)


def _run_options(command: click.decorators.FC) -> click.decorators.FC:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(
    "run",
    cls=Command,
    epilog=examples(
        ("keylore tournament run cup", "bots of this machine and bots that connect to port 4711"),
        ("keylore tournament run cup --host 0.0.0.0 --wait 300", "give bots elsewhere five minutes to come"),
        ("keylore tournament run cup --json > standings.json", ""),
    ),
)
@click.argument("name")
@_run_options
@json_option
@pass_settings
def run(
    settings: Context,
    name: str,
    host: str,
    port: int,
    parallel: int,
    wait: float,
    together: bool,
    as_json: bool,
) -> None:
    """Play the tournament NAME to its end.

    It is started if need be. The same command goes on after a crash, a kill or Ctrl-C: no result is lost
    or counted twice. Exit code 4 if it is not finished yet. If `keylore serve` runs, that plays it.
    """
    from keylore_cli.leagues import tournaments

    with tournaments(settings, name) as service:
        if service.show(name).status == "registering":
            service.start(name)
    _play(settings, name, _Manner(host, port, parallel, wait, together), as_json)


@click.command(
    "resume",
    cls=Command,
    epilog=examples(
        ("keylore tournament resume cup", "go on after a pause"),
        ("keylore tournament run cup", "enough after a crash"),
    ),
)
@click.argument("name")
@_run_options
@json_option
@pass_settings
def resume(
    settings: Context,
    name: str,
    host: str,
    port: int,
    parallel: int,
    wait: float,
    together: bool,
    as_json: bool,
) -> None:
    """Go on with the tournament NAME after a pause.

    If `keylore serve` runs, that plays it.
    """
    from keylore_cli.leagues import tournaments

    with tournaments(settings, name) as service:
        if service.show(name).status == "paused":
            service.resume(name)
    _play(settings, name, _Manner(host, port, parallel, wait, together), as_json)


def _play(settings: Context, name: str, manner: _Manner, as_json: bool) -> None:
    from keylore_cli.leagues import tournaments
    from keylore_cli.occupancy import occupant
    from keylore_cli.tournament_text import print_standings, standings_data

    with tournaments(settings, name) as service:
        is_over = service.show(name).status in {"finished", "aborted"}
    server = occupant(settings.lock)
    if not is_over and not server:
        _serve(settings, name, manner)
    with tournaments(settings, name) as service:
        standings, view = service.standings(name), service.show(name)
    if as_json:
        print_json(standings_data(standings, view.terms))
    else:
        print_standings(standings, view.terms)
    if view.status == "finished":
        return
    if server and view.status == "running":
        text = (
            f"{server} serves this league and plays {name}; see `{settings.called} tournament watch {name}`"
        )
    elif view.status == "aborted":
        text = f"aborted by {view.stopped_by}: {view.stop_cause}; nothing is played on"
    else:
        text = _how_to_go_on(settings, name, view.status, view.pause_cause)
    click.echo(text, err=True)
    raise SystemExit(4)


def _how_to_go_on(settings: Context, name: str, status: "Status", cause: str) -> str:
    reason, verb = ("paused", "resume") if status == "paused" else ("stopped", "run")
    because = f": {cause}" if cause else ""
    return f"{reason}{because}; go on with `{settings.called} tournament {verb} {name}`"


def _serve(settings: Context, name: str, manner: _Manner) -> None:
    import asyncio

    from keylore_cli.logs import configure_logs
    from keylore_cli.progress import listening_display
    from keylore_cli.running import Rules, run_tournament
    from keylore_services.transport.server import Listening

    configure_logs(settings.log_level)
    with listening_display() as listener:
        asyncio.run(
            run_tournament(
                settings,
                name,
                Listening(host=manner.host, port=manner.port),
                Rules(parallel=manner.parallel, wait=manner.wait, together=manner.together),
                listener=listener,
                ready=lambda where: click.echo(f"bots connect to {where}", err=True),
            )
        )
