"""`keylore tournament register|withdraw|start|pause`: what changes a tournament but its matches."""

from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, entering_options, examples, json_option, reason_option

if TYPE_CHECKING:
    from keylore_services.tournament.views import TournamentView


@click.command(
    "register",
    cls=Command,
    epilog=examples(
        ("keylore tournament register cup alice bob", "two enrolled bots"),
        ("keylore tournament register cup --builtin random:2", "bots that this machine runs"),
        ("keylore tournament register cup alice --rating alice=1620", "with a rating"),
    ),
)
@click.argument("name")
@click.argument("named", nargs=-1, metavar="[BOT]...")
@entering_options
@json_option
@pass_settings
def register(
    settings: Context,
    name: str,
    named: tuple[str, ...],
    bots: tuple[str, ...],
    builtins: tuple[str, ...],
    ratings: tuple[str, ...],
    rated: bool,
    as_json: bool,
) -> None:
    """Register bots for the tournament NAME.

    They play from the next round on.
    """
    from keylore_cli.leagues import Entering, entered

    if not (named or bots or builtins):
        msg = "name a bot, or give --builtin"
        raise click.UsageError(msg)
    entering = Entering(bots=(*named, *bots), builtins=builtins, ratings=ratings, rated=rated)
    view = entered(settings, name, entering)
    _print_change(view, f"{_listed(entering.names)} in {name}, from the next round on", as_json)


@click.command(
    "withdraw",
    cls=Command,
    epilog=examples(('keylore tournament withdraw cup alice --reason "crashes in every game"', "")),
)
@click.argument("name")
@click.argument("bot")
@reason_option
@json_option
@pass_settings
def withdraw(settings: Context, name: str, bot: str, reason: str, as_json: bool) -> None:
    """Pair BOT no more in the tournament NAME.

    A table at which it sits is still played.
    """
    from keylore_cli.leagues import tournaments

    with tournaments(settings, name, bots=(bot,)) as service:
        view = service.withdraw(name, bot, reason)
    _print_change(view, f"{bot} is paired no more in {name}", as_json)


@click.command(
    "start",
    cls=Command,
    epilog=examples(
        ("keylore serve", "in another terminal: plays every started tournament"),
        ("keylore tournament start cup", "now this one too"),
    ),
)
@click.argument("name")
@json_option
@pass_settings
def start(settings: Context, name: str, as_json: bool) -> None:
    """Let the rounds of NAME begin, at the server of the league.

    If none runs, the tournament is played as soon as `keylore serve` or `keylore tournament run` does.
    """
    from keylore_cli.leagues import tournaments
    from keylore_cli.occupancy import occupant

    with tournaments(settings, name) as service:
        view = service.start(name)
    server = occupant(settings.lock)
    player = f"{server} plays it" if server else f"play it with `{settings.called} serve`"
    _print_change(view, f"{name} has started; {player}", as_json)


@click.command(
    "pause",
    cls=Command,
    epilog=examples(
        (
            'keylore tournament pause cup --reason "rules question"',
            "takes effect at a running server at once",
        ),
        ("keylore tournament resume cup", "go on"),
    ),
)
@click.argument("name")
@reason_option
@json_option
@pass_settings
def pause(settings: Context, name: str, reason: str, as_json: bool) -> None:
    """Open no further table of the tournament NAME.

    Tables that play go on.
    """
    from keylore_cli.leagues import tournaments

    with tournaments(settings, name) as service:
        view = service.pause(name, reason)
    text = f"{name} is paused; go on with `{settings.called} tournament resume {name}`"
    _print_change(view, text, as_json)


def _print_change(view: "TournamentView", text: str, as_json: bool) -> None:
    if as_json:
        print_json(view)
    else:
        click.echo(text)


def _listed(bots: tuple[str, ...]) -> str:
    return f"{', '.join(bots)} take{'s' if len(bots) == 1 else ''} part"
