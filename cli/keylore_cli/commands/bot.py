"""`keylore bot`: enrol bots, try them, run them."""

from pathlib import Path
from typing import Any

import click

from keylore_cli.context import Context, Group, examples, json_option, pass_settings, print_json


@click.group(
    cls=Group,
    epilog=examples(
        ("keylore bot new alice", "enrol alice, write alice.py and keep its token"),
        ("keylore bot check alice.py --game keydom", "play test games, see what went wrong"),
        ("keylore bot run alice.py --as alice", "connect to the server on this machine"),
        ("KEYLORE_TOKEN=... keylore bot run alice.py --server league.example:4711", "from anywhere"),
    ),
)
def bot() -> None:
    """Enrol, check and run bots."""


@bot.command("new")
@click.argument("name")
@click.option(
    "--file",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Where to write the starter file.  [default: NAME.py]",
)
@click.option("--no-file", is_flag=True, help="Write no starter file.")
@click.option("--new-token", is_flag=True, help="Give an enrolled bot a new token; the old one is void.")
@json_option
@pass_settings
def new(
    settings: Context, name: str, path: Path | None, no_file: bool, new_token: bool, as_json: bool
) -> None:
    """Enrol the bot NAME: it gets a token and, to begin with, a file that works.

    The token is kept in the league's folder and shown once; the server stores only its digest.
    """
    from keylore_cli import identities
    from keylore_services.arbiter.times import steady_clock

    ledger = settings.ledger()
    try:
        make = identities.replace_token if new_token else identities.enrol
        identity = make(ledger, settings.bots, name, steady_clock())
    finally:
        ledger.close()
    written = (
        None if no_file or new_token else _write_starter(name, path or Path(f"{name.replace('-', '_')}.py"))
    )
    if as_json:
        print_json({"bot": name, "token": identity.token, "file": str(written) if written else None})
        return
    click.echo(f"enrolled {name}; its token (keep it secret, it is not shown again):\n\n  {identity.token}\n")
    if written is not None:
        click.echo(f"wrote {written}: a bot that works; make it yours, then")
        click.echo(f"  keylore bot check {written}\n  keylore bot run {written} --as {name}")


@bot.command("list")
@json_option
@pass_settings
def list_bots(settings: Context, as_json: bool) -> None:
    """List the enrolled bots."""
    from keylore_cli import identities
    from keylore_cli.tables import print_table
    from keylore_domain.bots import Bot, bot_id

    ledger = settings.existing_ledger()
    try:
        bots = [ledger.load(identity, Bot) for identity in ledger.ids(bot_id(""))]
    finally:
        ledger.close()
    rows = []
    for item in bots:
        known = identities.find(settings.bots, item.name)
        rows.append(
            {
                "bot": item.name,
                "id": item.id,
                "runs": known.bot if known and known.bot else None,
                "token_kept": known is not None,
            }
        )
    if as_json:
        print_json(rows)
        return
    print_table(
        "Bots",
        ("bot", "run by this machine as", "token kept here"),
        [(row["bot"], row["runs"] or "-", "yes" if row["token_kept"] else "no") for row in rows],
    )


@bot.command("check")
@click.argument("spec")
@click.option("--game", "game_id", default="keydom", show_default=True, help="The game to play.")
@click.option("--option", "-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game.")
@click.option("--seats", type=int, default=None, help="Seats at the table.  [default: the fewest]")
@click.option("--games", type=click.IntRange(1, 1000), default=3, show_default=True, help="How many games.")
@click.option(
    "--move-ms",
    type=click.IntRange(10, 600_000),
    default=2_000,
    show_default=True,
    help="Time for each move.",
)
@click.option("--seed", default="check", show_default=True, help="Makes the games repeatable.")
@json_option
def check(
    spec: str,
    game_id: str,
    options: tuple[str, ...],
    seats: int | None,
    games: int,
    move_ms: int,
    seed: str,
    as_json: bool,
) -> None:
    """Play test games with the bot SPEC and say what went wrong.

    SPEC is a built-in bot (random, greedy, first), FILE.py, or FILE.py:CLASS. The games are played over
    a real connection against random bots. Exit code 5 if the bot was late, answered illegally or crashed.
    """
    import asyncio

    from keylore_cli.checking import Plan, check_bot
    from keylore_cli.options import game_options

    plan = Plan(
        spec=spec,
        game=game_id,
        options=game_options(options),
        seats=seats,
        games=games,
        move_ms=move_ms,
        seed=seed,
    )
    result = asyncio.run(check_bot(plan))
    if as_json:
        print_json(result)
    else:
        for line in result.lines():
            click.echo(line)
    if not result.passed:
        raise SystemExit(5)


@bot.command("run")
@click.argument("spec")
@click.option("--server", default="127.0.0.1:4711", show_default=True, help="HOST:PORT of the server.")
@click.option(
    "--as", "name", default=None, help="The enrolled bot to play as; its token is kept in the league."
)
@click.option("--token", default=None, envvar="KEYLORE_TOKEN", show_envvar=True, help="The bot's token.")
@click.option("--until", default="forever", show_default=True, help="forever, idle, or a number of matches.")
@click.option("--seed", default="0", show_default=True, help="For built-in bots that draw lots.")
@click.option(
    "--ca", type=click.Path(path_type=Path), default=None, help="Certificate authority of the server."
)
@json_option
@pass_settings
def run(
    settings: Context,
    spec: str,
    server: str,
    name: str | None,
    token: str | None,
    until: str,
    seed: str,
    ca: Path | None,
    as_json: bool,
) -> None:
    """Connect the bot SPEC to a server and let it play.

    SPEC is a built-in bot (random, greedy, first), FILE.py, or FILE.py:CLASS.
    """
    from keylore_cli import identities
    from keylore_services.bots import run as play
    from keylore_services.bots.loading import bot as load

    chosen: Any = int(until) if until.isdigit() else until
    secret = identities.token_of(settings.bots, name) if name else token
    summary = play(load(spec, seed), server=server, token=secret, until=chosen, ca=ca)
    if as_json:
        print_json(summary)
        return
    click.echo(
        f"{summary.matches} matches, {summary.moves} moves, {summary.faults} moves played for it, "
        f"{summary.refusals} answers refused, {summary.exceptions} errors in its own code"
    )


def _write_starter(name: str, path: Path) -> Path | None:
    from keylore_services.bots.loading import starter

    if path.exists():
        click.echo(f"{path} exists and was left as it is", err=True)
        return None
    path.write_text(starter(name))
    return path
