"""`keylore game leakcheck`: whether a game showed anybody what it must not."""

from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, examples, json_option

if TYPE_CHECKING:
    from keylore_services.replay.leakcheck import Found, LeakReport


@click.command(
    "leakcheck",
    cls=Command,
    epilog=examples(
        ("keylore game leakcheck m/cup/r1/t1", "a game of the league"),
        ("keylore game leakcheck game.jsonl.xz --swaps 5", "a game file, harder"),
        ("keylore game leakcheck --all --json", "every game of the league"),
    ),
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--all", "every", is_flag=True, help="Every game of the league.")
@click.option(
    "--swaps",
    type=click.IntRange(1, 1_000),
    default=1,
    show_default=True,
    help="How often hidden things are swapped at each moment, for each seat and the public.",
)
@json_option
@pass_settings
def leakcheck(settings: Context, games: tuple[str, ...], every: bool, swaps: int, as_json: bool) -> None:
    """Check that nobody was sent what depends on hidden things.

    At each moment, what a seat or the public may not know is dealt anew. Views, prompts and what is told of
    the next move must come out the same, byte for byte; so must whatever others see of an answer in secret,
    whichever it is. Exit code 1 and the first differences if something leaks.

    It prints hidden things: do not publish it while the game is being played.
    """
    from keylore_cli.auditing import chosen, record
    from keylore_domain import catalog
    from keylore_services.replay.leakcheck import leakcheck as check

    names = chosen(settings, games, every)
    reports = [check(*record(settings, name), catalog.game, swaps=swaps) for name in names]
    if as_json:
        print_json(reports[0] if len(games) == 1 else reports)
    else:
        click.echo("\n".join(map(_text, reports)))
    if not all(report.is_tight for report in reports):
        raise SystemExit(1)


def _text(report: "LeakReport") -> str:
    looked = f"{report.moments} moments, {report.looks} looks"
    if report.is_tight:
        return f"{report.match}: nothing leaks ({looked}; {report.game} rules {report.rules})"
    lines = [f"{report.match}: {_count(report)} ({looked})"]
    return "\n".join([*lines, *(_line(found) for found in report.leaks[:5])])


def _count(report: "LeakReport") -> str:
    return "1 LEAK" if len(report.leaks) == 1 else f"{len(report.leaks)} LEAKS"


def _line(found: "Found") -> str:
    who = "the public" if found.viewer is None else f"seat {found.viewer}"
    where = f"  event {found.event}: {found.what} of {who}"
    return f"{where}\n    sent      {found.shown}\n    otherwise {found.instead}"
