"""`keylore serve`: the server."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, pass_settings, print_json_lines
from keylore_cli.parsing import (
    Command,
    beacon_option,
    examples,
    json_option,
    together_option,
    wait_option,
)

if TYPE_CHECKING:
    from keylore_cli.wiring import House


@click.command(
    cls=Command,
    epilog=examples(
        ("keylore serve", "on this machine, port 4711"),
        ("keylore serve --host 0.0.0.0 --tls-cert server.pem --tls-key server.key", "for bots anywhere"),
        ("keylore serve --beacon drand.json", "with a public random value in the chance of new games"),
        ("keylore --log info serve", "say what happens"),
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=4711, show_default=True, help="0: any free port."
)
@click.option("--tls-cert", type=click.Path(path_type=Path), default=None, help="Certificate (PEM).")
@click.option("--tls-key", type=click.Path(path_type=Path), default=None, help="Its private key (PEM).")
@click.option(
    "--tls-client-ca",
    type=click.Path(path_type=Path),
    default=None,
    help="Only let clients in whose certificate this authority signed.",
)
@click.option(
    "--parallel",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="Tables of a tournament played at the same time.",
)
@wait_option
@together_option
@click.option(
    "--message-bytes",
    type=click.IntRange(1_000, 4_000_000),
    default=65_536,
    show_default=True,
    help="The largest message a bot may send.",
)
@click.option(
    "--messages-per-second",
    type=click.IntRange(10, 1_000_000),
    default=2_000,
    show_default=True,
    help="How fast a bot is read.",
)
@beacon_option
@json_option
@pass_settings
def serve(
    settings: Context,
    host: str,
    port: int,
    tls_cert: Path | None,
    tls_key: Path | None,
    tls_client_ca: Path | None,
    parallel: int,
    wait: float,
    together: bool,
    message_bytes: int,
    messages_per_second: int,
    as_json: bool,
) -> None:
    """Run the arbiter until it is stopped.

    Bots connect and play; unfinished games and all started tournaments go on where they stood, also after
    a crash. Stop it with Ctrl-C: clocks stand still until it runs again, and nothing acknowledged is lost.
    With --json, one line of JSON says where it listens and which key signs the games.
    """
    import asyncio

    from keylore_cli.logs import configure_logs
    from keylore_cli.running import Rules, serve_league
    from keylore_services.transport.server import Listening
    from keylore_services.transport.session import Limits

    configure_logs(settings.log_level)
    limits = Limits(
        message_bytes=message_bytes, messages_per_second=messages_per_second, burst=2 * messages_per_second
    )
    listening = Listening(
        host=host,
        port=port,
        limits=limits,
        certificate=tls_cert,
        private_key=tls_key,
        client_authority=tls_client_ca,
    )

    rules = Rules(parallel=parallel, wait=wait, together=together)

    def welcome(house: "House") -> None:
        if as_json:
            told = {"league": str(settings.folder), "address": house.server.address, "key": house.key}
            print_json_lines([told])
            sys.stdout.flush()
            return
        click.echo(f"keylore serves {settings.folder} on {house.server.address}; stop it with Ctrl-C")
        click.echo(f"games are signed with the key {house.key}")

    asyncio.run(serve_league(settings, listening, rules, welcome=welcome))
