"""`keylore dispute`: claims against games, evidence, rulings and appeals."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, Group, examples, json_option, key_option

if TYPE_CHECKING:
    from keylore_domain.disputes.evidence import Kind
    from keylore_services.disputes.service import DisputeView

F = TypeVar("F", bound=Callable[..., Any])

_KINDS: Final = ("in-time", "rigged-draw", "shown-too-much", "illegal-move")


def _by(what: str) -> Callable[[F], F]:
    return click.option(
        "--by", default=None, help=f"Who {what}; it stands in the record.  [default: your user name]"
    )


_receipts = click.option(
    "--receipts",
    "files",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Receipts that a bot kept (`keylore bot run --keep FOLDER`). May be given again.",
)


def _about(command: F) -> F:
    """The options that say what is claimed."""
    for option in (
        click.option(
            "--seat", type=click.IntRange(0), default=None, help="The seat that it is about.  [default: any]"
        ),
        click.option(
            "--event",
            type=click.IntRange(0),
            default=0,
            help="The event of the move.  [default: the whole game]",
        ),
        click.option("--kind", type=click.Choice(_KINDS), required=True, help="What is claimed."),
    ):
        command = option(command)
    return command


@click.command(
    "open",
    cls=Command,
    epilog=examples(
        ("keylore dispute open m/cup/r1/t1 --kind in-time --event 40 --seat 2 --receipts receipts.jsonl", ""),
        ("keylore dispute open m/cup/r1/t1 --kind rigged-draw", "of the whole game"),
        ("keylore dispute open m/cup/r1/t1 --kind shown-too-much --seat 1", "did seat 1 see too much?"),
        ("keylore dispute open m/cup/r1/t1 --kind illegal-move --event 40", ""),
    ),
)
@click.argument("match", metavar="GAME")
@_about
@click.option(
    "--statement", default="", metavar="TEXT", help="What you have to say; it stands in the record."
)
@_by("claims it")
@_receipts
@json_option
@pass_settings
def open_dispute(
    settings: Context,
    match: str,
    kind: str,
    event: int,
    seat: int | None,
    statement: str,
    by: str | None,
    files: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Claim something of GAME, and get what follows from the evidence.

    in-time: the answer at --event came in time, though a default was played for it. rigged-draw: lots did not
    fall as the committed seed gives them. shown-too-much: somebody was sent what depends on hidden things.
    illegal-move: the move at --event was not legal.

    The evidence is collected from the record and the receipts, and the ruling follows from it: nobody's word
    counts. If the claim is upheld, the result is void in the standings, by a recorded correction. Exit code 4
    if it cannot be told yet; then `keylore dispute rule` rules later.
    """
    from keylore_cli.disputing import disputes, handed_in
    from keylore_domain.disputes.evidence import Claim

    about = Claim(
        kind=cast("Kind", kind.replace("-", "_")),
        match=match,
        event=event,
        seat=seat,
        by=_named(by),
        statement=statement,
    )
    with disputes(settings) as service:
        _tell(service.open(about, handed_in(files)), as_json)


@click.command(
    "try",
    cls=Command,
    epilog=examples(
        ("keylore dispute try game.jsonl.xz --kind illegal-move --event 40", "a game file, anywhere"),
        ("keylore dispute try m/cup/r1/t1 --kind rigged-draw", "a game of the league"),
        ("keylore dispute try game.jsonl.xz --kind in-time --event 40 --receipts receipts.jsonl", ""),
    ),
)
@click.argument("game", metavar="GAME")
@_about
@_receipts
@key_option
@json_option
@pass_settings
def try_claim(
    settings: Context,
    game: str,
    kind: str,
    event: int,
    seat: int | None,
    files: tuple[Path, ...],
    key: str | None,
    as_json: bool,
) -> None:
    """Say what would be ruled, and store nothing.

    GAME is a game of the league, or a game file from anywhere: so everybody can repeat a ruling. The same
    record and receipts give the same evidence, whose SHA-256 stands in the ruling. Kinds and exit code are as
    for `keylore dispute open`.
    """
    from keylore_cli.disputing import handed_in, trial, trial_text
    from keylore_domain.disputes.evidence import Claim

    wanted = cast("Kind", kind.replace("-", "_"))
    about = Claim(kind=wanted, match="", event=event, seat=seat, by="anybody", statement="")
    found = trial(settings, game, about, handed_in(files), key)
    if as_json:
        print_json(found)
    else:
        click.echo(trial_text(found))
    if found.verdict.decision == "pending":
        raise SystemExit(4)


@click.command(
    "rule",
    cls=Command,
    epilog=examples(
        ("keylore dispute rule d/cup/r1/t1/1", "what follows from the evidence of today"),
        ('keylore dispute rule d/cup/r1/t1/1 --dismiss --by eve --reason "no outage"', "on an appeal"),
    ),
)
@click.argument("identity", metavar="DISPUTE")
@click.option("--uphold/--dismiss", "upheld", default=None, help="Rule in person; only on an appeal.")
@click.option("--reason", default="", metavar="TEXT", help="Why, if you rule in person.")
@_by("rules, if it is a person")
@json_option
@pass_settings
def rule(
    settings: Context, identity: str, upheld: bool | None, reason: str, by: str | None, as_json: bool
) -> None:
    """Rule on DISPUTE, by the evidence of today.

    A claim that could not be told before, or an appeal. On an appeal a person may rule, with --uphold or
    --dismiss; what follows from the evidence is shown beside that for ever. The second ruling is final.
    """
    from keylore_cli.disputing import disputes

    with disputes(settings) as service:
        if upheld is None:
            _tell(service.rule(identity), as_json)
            return
        _tell(service.rule_by(identity, _named(by), "upheld" if upheld else "dismissed", reason), as_json)


@click.command(
    "appeal",
    cls=Command,
    epilog=examples(
        ('keylore dispute appeal d/cup/r1/t1/1 --reason "here is my receipt" --receipts receipts.jsonl', ""),
    ),
)
@click.argument("identity", metavar="DISPUTE")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it stands in the record.")
@_by("appeals")
@_receipts
@json_option
@pass_settings
def appeal(
    settings: Context, identity: str, reason: str, by: str | None, files: tuple[Path, ...], as_json: bool
) -> None:
    """Ask for a second ruling on DISPUTE.

    More receipts may be handed in. `keylore dispute rule` then rules once more.
    """
    from keylore_cli.disputing import disputes, handed_in

    with disputes(settings) as service:
        _tell(service.appeal(identity, _named(by), reason, handed_in(files)), as_json)


@click.command("show", cls=Command, epilog=examples(("keylore dispute show d/cup/r1/t1/1", "")))
@click.argument("identity", metavar="DISPUTE")
@json_option
@pass_settings
def show(settings: Context, identity: str, as_json: bool) -> None:
    """Show DISPUTE: claim, evidence, rulings and effects.

    With --json, all evidence.
    """
    from keylore_cli.disputing import disputes, text

    with disputes(settings) as service:
        view = service.show(identity)
    if as_json:
        print_json(view)
    else:
        click.echo(text(view))


@click.command(
    "list",
    cls=Command,
    epilog=examples(("keylore dispute list", "all"), ("keylore dispute list --game m/cup/r1/t1", "")),
)
@click.option("--game", "match", default=None, metavar="GAME", help="Only those about this game.")
@json_option
@pass_settings
def list_disputes(settings: Context, match: str | None, as_json: bool) -> None:
    """List the disputes of the league."""
    from keylore_cli.disputing import disputes
    from keylore_cli.tables import print_table

    with disputes(settings) as service:
        found = service.list(match)
    if as_json:
        print_json(found)
        return
    rows = [
        (
            view.id,
            view.claim.kind.replace("_", " "),
            view.claim.event or "all",
            view.claim.by,
            view.status,
            view.rulings[-1].decision if view.rulings else "-",
        )
        for view in found
    ]
    print_table("Disputes", ("dispute", "claim", "event", "by", "status", "decision"), rows)


@click.command(
    "verify",
    cls=Command,
    epilog=examples(("keylore dispute verify d/cup/r1/t1/1", "does the same still follow?")),
)
@click.argument("identity", metavar="DISPUTE")
@json_option
@pass_settings
def verify(settings: Context, identity: str, as_json: bool) -> None:
    """Collect the evidence of DISPUTE anew and compare.

    Exit code 1 if the record gives other evidence today, or a ruling does not follow from its evidence.
    """
    from keylore_cli.disputing import disputes

    with disputes(settings) as service:
        check = service.check(identity)
    if as_json:
        print_json(check)
    else:
        click.echo(f"{identity}: {'the same evidence, the same ruling' if check.holds else check.reason}")
    raise SystemExit(0 if check.holds else 1)


def _tell(view: "DisputeView", as_json: bool) -> None:
    from keylore_cli.disputing import text

    if as_json:
        print_json(view)
    else:
        click.echo(text(view))
    if view.status == "open":
        raise SystemExit(4)


def _named(by: str | None) -> str:
    from getpass import getuser

    return getuser() if by is None else by


@click.group(
    cls=Group,
    epilog=examples(
        ("keylore dispute open m/cup/r1/t1 --kind illegal-move --event 40", "claim it, and get a ruling"),
        ("keylore dispute try game.jsonl.xz --kind rigged-draw", "what would be ruled on a game file?"),
        ('keylore dispute appeal d/cup/r1/t1/1 --reason "look again"', ""),
        ("keylore dispute verify d/cup/r1/t1/1", "the same evidence gives the same ruling"),
    ),
)
def dispute() -> None:
    """Claim that a game went wrong, and get a ruling from the evidence."""


for command in (open_dispute, try_claim, show, rule, appeal, list_disputes, verify):
    dispute.add_command(command)
