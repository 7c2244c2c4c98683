"""`keylore tournament bye|meeting|finish`: what is asked for or ruled while a tournament runs."""

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, examples, json_option, reason_option


@click.command(
    "bye",
    cls=Command,
    epilog=examples(
        ("keylore tournament bye cup alice --round 3 --points half", "alice does not play in round 3"),
        ("keylore tournament bye cup alice --round 3 --points none", "she does after all"),
    ),
)
@click.argument("name")
@click.argument("bot")
@click.option("--round", "number", type=click.IntRange(1), required=True, help="The round to be left out.")
@click.option(
    "--points",
    type=click.Choice(["half", "zero", "none"]),
    required=True,
    help="half: it counts as half a win; zero: as nothing; none: no bye any more.",
)
@reason_option
@json_option
@pass_settings
def bye(settings: Context, name: str, bot: str, number: int, points: str, reason: str, as_json: bool) -> None:
    """Leave BOT out of a coming round of the tournament NAME.

    The terms say how many byes worth half a win a bot may ask for, and in how many rounds at the end none.
    """
    from typing import cast

    from keylore_cli.leagues import tournaments
    from keylore_domain.swiss.inputs import ByeKind

    kind = None if points == "none" else cast("ByeKind", points)
    with tournaments(settings, name, bots=(bot,)) as service:
        view = service.request_bye(name, bot, number, kind, reason)
    worth = {"half": "does not play, for half a win", "zero": "does not play, for nothing"}
    if as_json:
        print_json(view)
    else:
        click.echo(f"{bot} {worth.get(points, 'plays after all')} in round {number} of {name}")


@click.command(
    "meeting",
    cls=Command,
    epilog=examples(
        (
            'keylore tournament meeting cup alice bob --rule apart --reason "one author"',
            "from the next round on",
        ),
        ("keylore tournament meeting cup alice bob --rule allow", "whatever the terms say"),
    ),
)
@click.argument("name")
@click.argument("bot")
@click.argument("other")
@click.option(
    "--rule",
    type=click.Choice(["apart", "allow"]),
    required=True,
    help="apart: they must not meet; allow: they may.",
)
@reason_option
@json_option
@pass_settings
def meeting(
    settings: Context, name: str, bot: str, other: str, rule: str, reason: str, as_json: bool
) -> None:
    """Rule whether BOT and OTHER may meet in NAME.

    The ruling holds from the next round on, whatever the terms say.

    The term `--pairing forbid=...` says what happens when no round can keep all apart: with hard the
    tournament pauses until somebody decides, with soft as few as possible meet.
    """
    from keylore_cli.leagues import tournaments

    with tournaments(settings, name, bots=(bot, other)) as service:
        view = service.rule_meeting(name, bot, other, reason, apart=rule == "apart")
    if as_json:
        print_json(view)
    else:
        ruled = "are kept apart" if rule == "apart" else "may meet"
        click.echo(f"{bot} and {other} {ruled} in {name}, from the next round on")


@click.command(
    "finish",
    cls=Command,
    epilog=examples(
        ("keylore tournament pause summer", "first, so that no further round begins"),
        ("keylore tournament finish summer", "the standings are final"),
    ),
)
@click.argument("name")
@json_option
@pass_settings
def finish(settings: Context, name: str, as_json: bool) -> None:
    """End the ladder NAME, once all results are in.

    A ladder may have no last round. Every other tournament ends by itself.
    """
    from keylore_cli.leagues import tournaments

    with tournaments(settings, name) as service:
        view = service.finish(name)
    if as_json:
        print_json(view)
    else:
        click.echo(f"{name} is finished; `{settings.called} tournament standings {name}` shows how")
