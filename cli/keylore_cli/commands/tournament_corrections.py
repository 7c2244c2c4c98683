"""`keylore tournament override|re-pair|remove`: rulings that put something right, tried first if you like."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, F, examples, json_option

if TYPE_CHECKING:
    from keylore_domain.swiss.rounds import PastResults
    from keylore_services.tournament.corrections import Authority, Corrections, Verdict
    from keylore_services.tournament.effects import CorrectionView


def _ruling_options(command: F) -> F:
    """What every ruling has: who, why, on what ground, and whether it is only tried."""
    for option in (
        json_option,
        click.option("--dry-run", is_flag=True, help="Show what it would do, and store nothing."),
        click.option(
            "--ground", default="", metavar="TEXT", help="What it rests on, such as dispute/7 or a rule."
        ),
        click.option(
            "--by", default=None, help="Who rules; it stands in the record.  [default: your user name]"
        ),
        click.option("--reason", required=True, metavar="TEXT", help="Why; it stands in the record."),
    ):
        command = option(command)
    return command


@click.command(
    "override",
    cls=Command,
    epilog=examples(
        ('keylore tournament override cup r2/t1 --forfeit bob --reason "two accounts" --dry-run', "try it"),
        ('keylore tournament override cup r2/t1 --forfeit bob --reason "two accounts"', "bob loses it"),
        ('keylore tournament override cup r2/t1 --place alice=1 --place bob=2 --reason "appeal"', ""),
        ('keylore tournament override cup r2/t1 --void --reason "wrong rules" --ground dispute/7', ""),
        ('keylore tournament override cup r2/t1 --original --reason "appeal refused"', "as it was played"),
    ),
)
@click.argument("name")
@click.argument("table")
@click.option(
    "--place",
    "places",
    multiple=True,
    metavar="BOT=RANK",
    help="The place of a bot, 1 for the best, shared by equals (1, 2, 2, 4); once for each at the table.",
)
@click.option(
    "--score",
    "scores",
    multiple=True,
    metavar="BOT=SCORE",
    help="With --place: its game score.  [default: the one that it has]",
)
@click.option("--forfeit", "losers", multiple=True, metavar="BOT", help="This bot loses the game.")
@click.option("--void", is_flag=True, help="The game counts for nobody.")
@click.option("--original", is_flag=True, help="What was played counts again.")
@_ruling_options
@pass_settings
def override(
    settings: Context,
    name: str,
    table: str,
    places: tuple[str, ...],
    scores: tuple[str, ...],
    losers: tuple[str, ...],
    void: bool,
    original: bool,
    reason: str,
    by: str | None,
    ground: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Let a ruling count at a TABLE instead of its result.

    TABLE is r2/t1 for table 1 of round 2, or the id of its game. The game itself stays as it is, and its
    result stays in the record beside the ruling. Rounds that were paired already stay; the next one is paired
    by what counts then.
    """
    verdict = _verdict(places, scores, losers, void=void, original=original)
    _rule(
        settings,
        name,
        lambda correct: correct.override(
            name, table, verdict, _authority(by, reason, ground), dry_run=dry_run
        ),
        as_json=as_json,
    )


@click.command(
    "re-pair",
    cls=Command,
    epilog=examples(
        ('keylore tournament pause cup --reason "the bye is wrong"', "first: no table may begin meanwhile"),
        ('keylore tournament re-pair cup --bye bob --reason "he asked in time" --dry-run', "try it"),
        ('keylore tournament re-pair cup --bye bob --reason "he asked in time"', "bob has the bye"),
        ("keylore tournament resume cup", "play it"),
    ),
)
@click.argument("name")
@click.option(
    "--bye", "byes", multiple=True, metavar="BOT", help="This bot has a bye, whatever the rules say."
)
@click.option(
    "--confirm-byes",
    "confirmed",
    type=click.IntRange(0),
    default=None,
    metavar="COUNT",
    help="Accept so many byes in all, if more follow than those with --bye.",
)
@_ruling_options
@pass_settings
def re_pair(
    settings: Context,
    name: str,
    byes: tuple[str, ...],
    confirmed: int | None,
    reason: str,
    by: str | None,
    ground: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Pair a round again before any table has begun.

    The tournament NAME has to be paused. Withdrawals, late entries and rulings since count. If the last round
    is over, the next one is paired and shown beside the one by ruling. What was proposed first stays in the
    record.
    """
    _rule(
        settings,
        name,
        lambda correct: correct.repair(
            name, _authority(by, reason, ground), byes=byes, confirmed=confirmed, dry_run=dry_run
        ),
        as_json=as_json,
    )


@click.command(
    "remove",
    cls=Command,
    epilog=examples(
        ('keylore tournament remove cup bob --reason "reads the deck" --dry-run', "who would move"),
        ('keylore tournament remove cup bob --reason "reads the deck"', "its games keep their results"),
        (
            'keylore tournament remove cup bob --results forfeit --reason "reads the deck"',
            "it loses them all",
        ),
    ),
)
@click.argument("name")
@click.argument("bot")
@click.option(
    "--results",
    type=click.Choice(["keep", "forfeit", "void"]),
    default=None,
    help="Its games keep their results, are lost by it, or count for nobody.  "
    "[default: keep; in a round robin of which it has played less than half, void]",
)
@_ruling_options
@pass_settings
def remove(
    settings: Context,
    name: str,
    bot: str,
    results: str | None,
    reason: str,
    by: str | None,
    ground: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Remove BOT from the tournament NAME for good.

    It is paired no more and stands behind all others. Who just leaves is withdrawn instead.
    """
    fate = cast("PastResults | None", results)
    _rule(
        settings,
        name,
        lambda correct: correct.remove(
            name, bot, _authority(by, reason, ground), results=fate, dry_run=dry_run
        ),
        as_json=as_json,
    )


def _rule(
    settings: Context, name: str, decide: "Callable[[Corrections], CorrectionView]", *, as_json: bool
) -> None:
    from keylore_cli.correction_text import print_correction
    from keylore_cli.leagues import corrections

    with corrections(settings, name) as correct:
        view = decide(correct)
    if as_json:
        print_json(view)
    else:
        print_correction(view)


def _authority(by: str | None, reason: str, ground: str) -> "Authority":
    import getpass

    from keylore_services.tournament.corrections import Authority

    return Authority(by=getpass.getuser() if by is None else by, reason=reason, ground=ground)


def _verdict(
    places: tuple[str, ...], scores: tuple[str, ...], losers: tuple[str, ...], *, void: bool, original: bool
) -> "Verdict":
    """What the options say.

    Raises:
        UsageError: they say nothing, or several things.
    """
    from keylore_services.tournament.corrections import Verdict

    said = (bool(places), bool(losers), void, original)
    if sum(said) != 1:
        msg = "say what counts: --place for each bot, --forfeit, --void or --original, and only one of these"
        raise click.UsageError(msg)
    if scores and not places:
        msg = "--score goes with --place"
        raise click.UsageError(msg)
    if places:
        return Verdict(kind="places", places=_numbers("--place", places), scores=_numbers("--score", scores))
    if losers:
        return Verdict(kind="forfeit", losers=losers)
    return Verdict(kind="void" if void else "original")


def _numbers(option: str, pairs: tuple[str, ...]) -> dict[str, int]:
    found: dict[str, int] = {}
    for pair in pairs:
        bot, _, number = pair.partition("=")
        try:
            found[bot.strip()] = int(number)
        except ValueError:
            msg = f"{option} {pair!r}: expected BOT=NUMBER, such as alice=1"
            raise click.UsageError(msg) from None
    return found
