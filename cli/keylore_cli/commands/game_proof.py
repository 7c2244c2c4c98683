"""`keylore game verify|export`: whether the record of a game holds, and a file that proves itself."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, checked_key, examples, json_option, key_option

if TYPE_CHECKING:
    from keylore_domain.engine.audit import Report


def _text(reports: "Sequence[Report]", is_one: bool) -> str:
    from keylore_cli.auditing import verdict

    lines = [verdict(report, detailed=is_one) for report in reports]
    if not is_one:
        valid = sum(report.verdict == "valid" for report in reports)
        lines.append(f"{valid} of {len(reports)} games are valid")
    return "\n".join(lines) + "\n"


def _junit(reports: "Sequence[Report]", _: bool) -> str:
    from keylore_services.replay.reports import junit_report

    return junit_report(reports).decode()


def _sarif(reports: "Sequence[Report]", _: bool) -> str:
    from keylore_services.replay.reports import sarif_report

    return sarif_report(reports).decode()


_FORMS: "Final[Mapping[str, Callable[[Sequence[Report], bool], str]]]" = {
    "text": _text,
    "junit": _junit,
    "sarif": _sarif,
}


@click.command(
    "verify",
    cls=Command,
    epilog=examples(
        ("keylore game verify m/cup/r1/t1", "a game of the league"),
        ("keylore game verify game.jsonl.gz", "a game file, anywhere"),
        ("keylore game verify game.jsonl.gz --key 5f1c...", "signed by nobody but this arbiter"),
        ("keylore game verify m/cup/r1/t1 --checkpoint seen.txt", "nothing was altered since you kept that"),
        ("keylore game verify --all", "every game of the league"),
        ("keylore game verify --all --format junit > games.xml", "for a build server"),
    ),
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--all", "every", is_flag=True, help="Every game of the league.")
@key_option
@click.option(
    "--log-key",
    default=None,
    callback=checked_key,
    help="The public key of the transparency log that a game file proves to be in.  [default: the arbiter's]",
)
@click.option(
    "--keys",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="The history of the arbiter's keys (`keylore keys export`), for games under older or newer ones.",
)
@click.option(
    "--checkpoint",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    help="A signed head of the log that you kept (`keylore log checkpoint`); the game must be in it.",
)
@click.option(
    "--witness",
    "witnesses",
    multiple=True,
    metavar="KEY",
    help="A witness that must have cosigned the head of the log in a game file. May be given again.",
)
@click.option(
    "--quorum",
    type=click.IntRange(1),
    default=None,
    help="How many of the witnesses are enough.  [default: all]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_FORMS)),
    default="text",
    show_default=True,
    help="junit for build servers, sarif for code hosts.",
)
@json_option
@pass_settings
def verify(
    settings: Context,
    games: tuple[str, ...],
    every: bool,
    key: str | None,
    log_key: str | None,
    keys: Path | None,
    checkpoint: Path | None,
    witnesses: tuple[str, ...],
    quorum: int | None,
    form: str,
    as_json: bool,
) -> None:
    """Re-run each GAME and say whether its record holds.

    GAME is an id or a game file, and is run again with the rules that it names.

    Checked are the chain of events, the commitment, every draw, the legality of every move, every fact and
    state, the clocks, the outcome and the signature. Exit code 1 and the first bad event if something is
    wrong, 4 if a game is not finished.
    """
    from keylore_cli.auditing import audited, chosen

    names = chosen(settings, games, every)
    known = len(set(witnesses))
    if quorum is not None and quorum > known:
        msg = f"--quorum {quorum} needs as many witnesses; --witness names {known}"
        raise click.UsageError(msg)
    needed = known if quorum is None else quorum
    reports = [
        audited(settings, name, key, log_key, checkpoint, witnesses=witnesses, quorum=needed, keys=keys)
        for name in names
    ]
    is_one = len(games) == 1
    if as_json:
        print_json(reports[0] if is_one else reports)
    else:
        click.echo(_FORMS[form](reports, is_one), nl=False)
    verdicts = {report.verdict for report in reports}
    if verdicts - {"valid"}:
        raise SystemExit(1 if "invalid" in verdicts else 4)


@click.command(
    "export",
    cls=Command,
    epilog=examples(
        ("keylore game export m/cup/r1/t1 game.jsonl.xz", "compressed"),
        ("keylore game export m/cup/r1/t1 game.jsonl", "readable"),
    ),
)
@click.argument("match", metavar="GAME")
@click.argument("path", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@json_option
@pass_settings
def export(settings: Context, match: str, path: Path, as_json: bool) -> None:
    """Write GAME to FILE, which can be verified anywhere.

    It has one line per event and is compressed if its name ends in .xz or .gz.
    A finished game of the league carries the proof that it is in the transparency log, and the last receipt
    that each seat was given, which stands for the whole record up to it.
    `keylore game verify FILE` checks it anywhere, without the league; `keylore game step FILE` replays it.
    """
    from keylore_cli.auditing import exported
    from keylore_domain.engine.heads import log_of
    from keylore_services.replay.gamefile import write_game

    game = exported(settings, match)
    write_game(path, game.match, game.rows, game.log, game.receipts)
    size, events = path.stat().st_size, len(game.rows)
    if as_json:
        told = {"log": log_of(game.log) if game.log else "", "receipts": len(game.receipts)}
        print_json({"match": game.match, "file": str(path), "events": events, "bytes": size, **told})
    else:
        click.echo(f"wrote {path}: {events} events, {size:,} bytes ({size / events:.0f} per event)")
