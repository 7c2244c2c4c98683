"""`keylore tournament watch|abort`: looking on, and ending a tournament before its end."""

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.failures import UNFINISHED
from keylore_cli.parsing import Command, examples, json_option


@click.command(
    "watch",
    cls=Command,
    epilog=examples(
        ("keylore tournament watch cup", "in another terminal, while `serve` or `run` plays it"),
        ("keylore tournament watch cup --json", "one line of JSON for each change"),
    ),
)
@click.argument("name")
@json_option
@pass_settings
def watch(settings: Context, name: str, as_json: bool) -> None:
    """Watch the tournament NAME until it is over.

    On a terminal: the tables in progress with their moves, and the standings as they are now. Elsewhere:
    how it stands, then a line for each change. It only reads the league's ledger, so it may be started and
    stopped (Ctrl-C) at any time. Exit code 4 if the tournament was aborted.
    """
    import asyncio

    from keylore_cli.boards import watch_tournament
    from keylore_cli.leagues import check_tournament
    from keylore_domain.swiss.records import tournament_id

    ledger = settings.existing_ledger()
    try:
        check_tournament(ledger, name)
        where = tournament_id(name.removeprefix(tournament_id("")))
        now = asyncio.run(watch_tournament(ledger, where, as_json=as_json))
    finally:
        ledger.close()
    if now.status == "aborted":
        raise SystemExit(UNFINISHED)


@click.command(
    "abort",
    cls=Command,
    epilog=examples(
        ('keylore tournament abort cup --reason "wrong component data"', "for good; nothing is played on"),
        ('keylore tournament abort cup --reason "no power" --by "Ada, head organiser"', ""),
        ("keylore tournament pause cup", "if it is to go on later"),
    ),
)
@click.argument("name")
@click.option("--reason", required=True, help="Why; it stands in the record.")
@click.option("--by", default=None, help="Who ends it; it stands in the record.  [default: your user name]")
@json_option
@pass_settings
def abort(settings: Context, name: str, reason: str, by: str | None, as_json: bool) -> None:
    """End the tournament NAME before its end, for good.

    Its running games are ended without a result and sealed, by the server of the league if one runs. The
    results so far and the standings remain as they are.
    """
    import asyncio
    from getpass import getuser

    from keylore_cli.leagues import tournaments
    from keylore_cli.occupancy import occupant
    from keylore_cli.running import end_matches

    with tournaments(settings, name) as service:
        view = service.abort(name, by=getuser() if by is None else by, reason=reason)
    server = occupant(settings.lock)
    if server is None:
        asyncio.run(end_matches(settings, view.id))
    if as_json:
        print_json(view)
        return
    ended = f"; {server} ends its games" if server else ""
    click.echo(f"{name} is aborted{ended}")
