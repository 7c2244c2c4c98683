"""`keylore tournament list|show|standings|pairings|verify`: what is known of tournaments."""

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, GameName, at_option, examples, json_option, round_option


@click.command(
    "list",
    cls=Command,
    epilog=examples(
        ("keylore tournament list", ""), ("keylore --league winter tournament list", "elsewhere")
    ),
)
@json_option
@pass_settings
def list_tournaments(settings: Context, as_json: bool) -> None:
    """List all tournaments of the league."""
    from keylore_cli.leagues import tournaments
    from keylore_cli.tournament_text import print_cards

    with tournaments(settings) as service:
        cards = service.list()
    if as_json:
        print_json(cards)
    else:
        print_cards(cards)


@click.command(
    "show",
    cls=Command,
    epilog=examples(
        ("keylore tournament show cup", ""), ("keylore tournament show cup --command", "to make it once more")
    ),
)
@click.argument("name")
@click.option("--command", "only_command", is_flag=True, help="Print only the command that makes it again.")
@json_option
@pass_settings
def show(settings: Context, name: str, only_command: bool, as_json: bool) -> None:
    """Show the terms, the entrants and the state of NAME.

    The command that it shows makes the same tournament once more.
    """
    from keylore_cli.leagues import tournaments
    from keylore_cli.remaking import command_of
    from keylore_cli.tournament_text import print_view

    with tournaments(settings, name) as service:
        view = service.show(name)
    command = command_of(settings, view)
    if as_json:
        import msgspec

        print_json({**msgspec.structs.asdict(view), "command": command})
    elif only_command:
        click.echo(command)
    else:
        print_view(view, command)


@click.command(
    "standings",
    cls=Command,
    epilog=examples(
        ("keylore tournament standings cup", "as they are now"),
        ("keylore tournament standings cup --round 2", "as they were after round 2"),
        ("keylore tournament standings cup --why alice", "what the rank of alice is made of"),
        ("keylore tournament standings cup --game keyside", "in one of several games"),
        ("keylore tournament standings cup --json", "for programs"),
    ),
)
@click.argument("name")
@click.option("--why", "bot", default=None, metavar="BOT", help="Explain the place of this bot instead.")
@click.option("--game", "game_id", type=GameName(), default=None, help="Only tables of this game.")
@round_option
@at_option
@json_option
@pass_settings
def standings(
    settings: Context,
    name: str,
    bot: str | None,
    game_id: str | None,
    number: int | None,
    at: int | None,
    as_json: bool,
) -> None:
    """Show the standings of NAME, now or after a round.

    Points decide, then the tie-breaks in the order of the columns. --why gives each value of a bot with its
    parts, and what parts the bot from those next to it.
    """
    from keylore_cli.leagues import reports
    from keylore_cli.tournament_text import print_standings, standings_data

    if bot is not None and game_id is not None:
        msg = "--why explains the standings in all games; leave --game out"
        raise click.UsageError(msg)
    if bot is not None:
        _explain(settings, name, bot, number, at, as_json=as_json)
        return
    with reports(settings, name) as read:
        view, terms = read.standings(name, number, at, game_id), read.tournament(name, at).terms
    if as_json:
        print_json(standings_data(view, terms))
    else:
        print_standings(view, terms)


def _explain(
    settings: Context, name: str, bot: str, number: int | None, at: int | None, *, as_json: bool
) -> None:
    from keylore_cli.leagues import reports
    from keylore_services.tournament.words import explanation_lines

    with reports(settings, name, bots=(bot,)) as read:
        found = read.why(name, bot, number, at)
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(explanation_lines(found)))


@click.command(
    "pairings",
    cls=Command,
    epilog=examples(
        ("keylore tournament pairings cup", "the last round"),
        ("keylore tournament pairings cup --round 1", ""),
        ("keylore tournament pairings cup --why", "what the round fulfils, and a sentence per entrant"),
    ),
)
@click.argument("name")
@click.option(
    "--round", "number", type=click.IntRange(1), default=None, help="This round.  [default: the last]"
)
@click.option("--why", is_flag=True, help="Say of everybody why it has its table or its bye.")
@at_option
@json_option
@pass_settings
def pairings(
    settings: Context, name: str, number: int | None, why: bool, at: int | None, as_json: bool
) -> None:
    """Show the tables of a round of NAME, and why they are so.

    points before are those that an entrant came with, had this seat how often it had sat there. --why shows
    the certificate that the round stored: what holds of it, and how much of each unwished thing it has, in
    the order of their weight, against the least that is possible.
    """
    from keylore_cli.leagues import reports
    from keylore_cli.tournament_text import print_reasons, print_round
    from keylore_services.tournament.pairing_words import RoundReasons

    with reports(settings, name) as read:
        found = read.pairing_reasons(name, number, at) if why else read.pairings(name, number, at)
    if as_json:
        print_json(found)
    elif isinstance(found, RoundReasons):
        print_reasons(found)
    else:
        print_round(found)


@click.command(
    "verify",
    cls=Command,
    epilog=examples(
        ("keylore tournament verify cup", "pairings, results, standings"),
        ("keylore game verify --all", "and every game itself"),
    ),
)
@click.argument("name")
@json_option
@pass_settings
def verify(settings: Context, name: str, as_json: bool) -> None:
    """Prove the pairings and standings of NAME from its events.

    All rounds with their certificates, all rulings and the standings are worked out again, and each result is
    compared with the record of its game. Exit code 1 if something differs; the first such event is named.
    """
    from keylore_cli.leagues import tournaments

    with tournaments(settings, name) as service:
        problems = service.audit(name)
    if as_json:
        print_json({"tournament": name, "valid": not problems, "problems": problems})
    elif problems:
        click.echo(f"{name} is wrong, first here:\n" + "\n".join(f"  {problem}" for problem in problems))
    else:
        click.echo(
            f"{name}: every pairing, every ruling, every result and all standings follow from the events"
        )
    if problems:
        raise SystemExit(1)
