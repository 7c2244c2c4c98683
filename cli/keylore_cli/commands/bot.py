"""`keylore bot`: enrol bots, try them, run them."""

from pathlib import Path
from typing import Any

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import (
    Command,
    GameName,
    Group,
    ca_option,
    examples,
    game_options_option,
    json_option,
)


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


@bot.command(
    "new",
    cls=Command,
    epilog=examples(
        ("keylore bot new alice", "a token, and alice.py to begin with"),
        ("keylore bot new alice --no-file", "the token alone"),
        ("keylore bot new alice --new-token", "the old token was lost, or seen by others"),
    ),
)
@click.argument("name")
@click.option(
    "--file",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Where to write the starter file.  [default: NAME.py]",
)
@click.option("--no-file", is_flag=True, help="Write no starter file.")
@click.option("--author", default="", help="Who wrote it; tournaments can keep bots of one author apart.")
@click.option("--new-token", is_flag=True, help="Give an enrolled bot a new token; the old one is void.")
@json_option
@pass_settings
def new(
    settings: Context,
    name: str,
    path: Path | None,
    no_file: bool,
    author: str,
    new_token: bool,
    as_json: bool,
) -> None:
    """Enrol the bot NAME, and write a file to begin with.

    Its token is kept in the league's folder and shown once; the server stores only its digest.
    """
    from keylore_cli import identities
    from keylore_cli.leagues import check_bot
    from keylore_services.arbiter.times import clock_after

    ledger = settings.existing_ledger() if new_token else settings.ledger()
    try:
        now = clock_after(ledger)
        if new_token:
            check_bot(ledger, name)
            identity = identities.replace_token(ledger, settings.bots, name, now)
        else:
            identity = identities.enrol(ledger, settings.bots, name, now, author=author)
    finally:
        ledger.close()
    written = (
        None if no_file or new_token else _write_starter(name, path or Path(f"{name.replace('-', '_')}.py"))
    )
    if as_json:
        print_json({"bot": name, "token": identity.token, "file": str(written) if written else None})
        return
    done = "gave a new token to" if new_token else "enrolled"
    click.echo(f"{done} {name}; its token (keep it secret, it is not shown again):\n\n  {identity.token}\n")
    if written is not None:
        click.echo(f"wrote {written}: a bot that works; make it yours, then")
        click.echo(f"  keylore bot check {written}\n  {settings.called} bot run {written} --as {name}")


@bot.command(
    "list",
    cls=Command,
    epilog=examples(
        ("keylore bot list", ""),
    ),
)
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
                "author": item.author,
                "runs": known.bot if known and known.bot else None,
                "token_kept": known is not None,
            }
        )
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("no bots yet; enrol one with `keylore bot new NAME`")
        return
    print_table(
        "Bots",
        ("bot", "author", "run by this machine as", "token kept here"),
        [
            (row["bot"], row["author"] or "-", row["runs"] or "-", "yes" if row["token_kept"] else "no")
            for row in rows
        ],
    )


@bot.command(
    "check",
    cls=Command,
    epilog=examples(
        ("keylore bot check alice.py", "three games of keydom against random bots"),
        ("keylore bot check alice.py --game keyside --games 20 --move-ms 500", ""),
        ("keylore bot check alice.py:Second -o short_game=true", "a class of a file with several bots"),
    ),
)
@click.argument("spec")
@click.option(
    "--game", "game_id", type=GameName(), default="keydom", show_default=True, help="The game to play."
)
@game_options_option
@click.option(
    "--seats", type=click.IntRange(2, 6), default=None, help="Seats at the table.  [default: the fewest]"
)
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
@pass_settings
def check(
    settings: Context,
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
    from keylore_cli.failures import BOT_FAILED
    from keylore_cli.logs import configure_logs
    from keylore_cli.options import game_options

    configure_logs(settings.log_level)
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
        raise SystemExit(BOT_FAILED)


@bot.command(
    "run",
    cls=Command,
    epilog=examples(
        ("keylore bot run alice.py --as alice", "at the server of this machine"),
        ("KEYLORE_TOKEN=... keylore bot run alice.py --server league.example:4711", "from anywhere"),
        ("keylore bot run alice.py --as alice --until idle", "leave when its games are over"),
        ("keylore bot run alice.py --as alice --keep alice-receipts", "keep what the server signs"),
    ),
)
@click.argument("spec")
@click.option("--server", default="127.0.0.1:4711", show_default=True, help="HOST:PORT of the server.")
@click.option(
    "--as", "name", default=None, help="The enrolled bot to play as; its token is kept in the league."
)
@click.option("--token", default=None, envvar="KEYLORE_TOKEN", show_envvar=True, help="The bot's token.")
@click.option(
    "--until", default="forever", show_default=True, help="forever, idle, or a number of games to play."
)
@click.option("--seed", default="0", show_default=True, help="For built-in bots that draw lots.")
@ca_option
@click.option(
    "--give-up-after",
    type=click.FloatRange(0),
    default=None,
    metavar="SECONDS",
    help="Stop trying when there was no connection for so long.  [default: never]",
)
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    metavar="FOLDER",
    help="Keep the receipts of all moves and the head of the server's log there.",
)
@click.option(
    "--key",
    default=None,
    metavar="HEX",
    help="The public key that the server must have.  [default: the first one that it names]",
)
@click.option("--no-share", is_flag=True, help="Give no share of the seeds of games; the server's is enough.")
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
    give_up_after: float | None,
    keep: Path | None,
    key: str | None,
    no_share: bool,
    as_json: bool,
) -> None:
    """Connect the bot SPEC to a server and let it play, until Ctrl-C.

    A lost connection is made again. If the server then shows another history than the one that it signed
    before, the bot leaves with exit code 1, and the proof is in a file: `keylore receipt prove FILE`.

    SPEC is a built-in bot (random, greedy, first), FILE.py, or FILE.py:CLASS.
    """
    from keylore_cli import identities
    from keylore_cli.logs import configure_logs
    from keylore_cli.tables import counted
    from keylore_services.bots import run as play
    from keylore_services.bots.loading import bot as load

    configure_logs(settings.log_level)
    chosen: Any = int(until) if until.isdigit() else until
    secret = identities.token_of(settings.bots, name) if name else token
    if not secret:
        msg = (
            "a bot needs a token: give --as NAME if it is kept in this league, else --token or KEYLORE_TOKEN"
        )
        raise click.UsageError(msg)
    author = load(spec, seed)
    click.echo(f"{name or spec} plays at {server}; stop it with Ctrl-C", err=True)
    summary = play(
        author,
        server=server,
        token=secret,
        until=chosen,
        ca=ca,
        give_up_after=give_up_after,
        keep=keep,
        key=key,
        share=not no_share,
    )
    if as_json:
        print_json(summary)
        return
    click.echo(
        f"{counted(summary.matches, 'game')}, {counted(summary.moves, 'move')}, "
        f"{counted(summary.faults, 'move')} played for it, {counted(summary.refusals, 'answer')} refused, "
        f"{counted(summary.exceptions, 'error')} in its own code"
    )


def _write_starter(name: str, path: Path) -> Path | None:
    from keylore_services.bots.loading import starter

    if path.exists():
        click.echo(f"{path} exists and was left as it is", err=True)
        return None
    path.write_text(starter(name))
    return path
