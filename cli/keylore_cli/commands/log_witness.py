"""`keylore log witness`: cosign the heads of a log that continue what was seen before."""

from pathlib import Path

import click

from keylore_cli.context import Context, pass_settings, print_json_lines
from keylore_cli.parsing import Command, ca_option, examples, json_option, looking_options


@click.command(
    "witness",
    cls=Command,
    epilog=examples(
        (
            "keylore log witness --server league.example:4711 --name witness.example/w1 --folder w1",
            "for ever",
        ),
        ("keylore log witness --server league.example:4711 --name witness.example/w1 --folder w1 --once", ""),
    ),
)
@click.option("--server", required=True, metavar="HOST:PORT", help="The server whose log is watched.")
@ca_option
@click.option(
    "--key",
    default=None,
    metavar="KEY",
    help="The key of the log, as NAME+ID+BASE64.  [default: the one in the folder, kept at first]",
)
@click.option(
    "--name",
    required=True,
    help="Your name as a witness, best an address without scheme, such as witness.example/w1.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Where your key, the last head and your cosignatures are kept.",
)
@looking_options
@json_option
@pass_settings
def witness(
    settings: Context,
    server: str,
    ca: Path | None,
    key: str | None,
    name: str,
    folder: Path,
    every: float,
    once: bool,
    as_json: bool,
) -> None:
    """Cosign the heads of a log that continue what you saw before.

    Your key is made in the folder at the first look; the organiser adds its public part, which is printed, to
    witnesses.txt of the league, so that the server takes your cosignatures. They are kept in the folder too.
    Exit code 1 if the log shows two histories; the evidence is in the folder.
    """
    from keylore_cli.watching import looks
    from keylore_cli.witnessing import Watcher

    watcher = Watcher(settings, server, ca, key, name, folder)
    click.echo(f"you sign as {watcher.key}", err=True)
    try:
        for seen, told in looks(watcher.look, None if once else every):
            if as_json:
                print_json_lines([seen])
            else:
                click.echo(f"{seen.size} leaves: {told}")
            if seen.found.is_fork:
                click.echo(f"FORK: {seen.found.reason}; see {watcher.evidence}", err=True)
                raise SystemExit(1)
    except KeyboardInterrupt:
        click.echo("stopped; the last head is kept", err=True)
