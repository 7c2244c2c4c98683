"""`keylore compare`: is one bot better than another?"""

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, GameName, examples, json_option


@click.command(
    "compare",
    cls=Command,
    epilog=examples(
        ("keylore compare alice bob", "at all tables where both sat"),
        ("keylore compare alice", "against all whom it met"),
        ("keylore compare new old --tournament test --elo0 0 --elo1 10", "a test of a new version"),
    ),
)
@click.argument("bot")
@click.argument("against", required=False)
@click.option(
    "--tournament",
    "names",
    multiple=True,
    metavar="NAME",
    help="Only this tournament; may be given several times.  [default: all]",
)
@click.option("--game", "game_id", type=GameName(), default=None, help="Only this game.")
@click.option(
    "--elo0", type=float, default=0.0, show_default=True, help="The test: BOT is so much better, or less ..."
)
@click.option("--elo1", type=float, default=20.0, show_default=True, help="... or so much, or more.")
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="How often it may accept by mistake."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="How often it may reject by mistake."
)
@json_option
@pass_settings
def compare(
    settings: Context,
    bot: str,
    against: str | None,
    names: tuple[str, ...],
    game_id: str | None,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    as_json: bool,
) -> None:
    """Say how much better BOT is than AGAINST, or than all whom it met.

    Tables count in rotations, at which the bot sat on every seat once, so that no seat's advantage does: at
    tables of two these are pairs of games with swapped seats. The sequential test (SPRT) may be looked at
    after every game; play on until it says accepted or rejected. For a test that is fair, choose its bounds
    before the first game.
    """
    from keylore_cli.leagues import reports
    from keylore_cli.strength_text import print_comparison
    from keylore_domain.swiss.comparisons import Hypotheses

    if bot == against:
        msg = f"{bot} cannot be compared with itself; leave AGAINST out to compare it with all whom it met"
        raise click.UsageError(msg)
    hypotheses = Hypotheses(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
    bots = (bot,) if against is None else (bot, against)
    with reports(settings, *names, bots=bots) as read:
        found = read.compare(bot, against, tournaments=names, game=game_id, hypotheses=hypotheses)
    if as_json:
        print_json(found)
    else:
        print_comparison(found)
