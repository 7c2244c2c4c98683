"""`keylore receipt`: what a bot keeps of what the arbiter signed, checked by whoever it is shown to."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, pass_settings, print_json, print_json_lines
from keylore_cli.parsing import Command, Group, examples, json_option, key_option

if TYPE_CHECKING:
    from keylore_services.proof.receipts import Findings

_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


@click.group(
    cls=Group,
    epilog=examples(
        ("keylore receipt verify alice-receipts/receipts.jsonl --game game.xz", "does the record hold them?"),
        ("keylore receipt prove contradiction-m-cup-r1-t1-12.json", "does this file convict the arbiter?"),
    ),
)
def receipt() -> None:
    """Check the receipts that a bot keeps (`keylore bot run --keep FOLDER`).

    Each move that the arbiter stores is acknowledged with a signed receipt: what was asked and shown, what
    was answered and when, and the digest of the record up to it.
    """


@receipt.command(
    "list",
    cls=Command,
    epilog=examples(
        ("keylore receipt list receipts.jsonl", ""),
        ("keylore receipt list receipts.jsonl --json", "all that is signed, a line each"),
    ),
)
@_file
@json_option
def list_receipts(file: Path, as_json: bool) -> None:
    """List the receipts in FILE."""
    from keylore_services.bots.keeping import read_receipts

    found = read_receipts(file.read_bytes(), str(file))
    if as_json:
        print_json_lines(found)
        return
    for item in found:
        what = f"choice {item.choice}" if item.cause == "played" else f"default {item.choice} ({item.cause})"
        click.echo(f"{item.match} event {item.event}: seat {item.seat}, prompt {item.prompt}: {what}")


@receipt.command(
    "verify",
    cls=Command,
    epilog=examples(
        ("keylore receipt verify receipts.jsonl", "the signatures"),
        ("keylore receipt verify receipts.jsonl --key 5f1c...", "by this arbiter and nobody else"),
        ("keylore receipt verify receipts.jsonl --game game.xz", "against the record of a game"),
        ("keylore receipt verify receipts.jsonl --game m/cup/r1/t1 --game m/cup/r2/t1", "of the league here"),
    ),
)
@_file
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help="Compare with this game: a file, or an id of the league here. May be given again.",
)
@key_option
@json_option
@pass_settings
def verify(settings: Context, file: Path, games: tuple[str, ...], key: str | None, as_json: bool) -> None:
    """Check the receipts in FILE.

    Checked are the signatures, and that each GAME holds what its receipts say. A game that does not was
    altered after they were given. Exit code 1 if a receipt is worth nothing or does not fit.
    """
    from keylore_cli.auditing import record
    from keylore_services.bots.keeping import read_receipts
    from keylore_services.proof.receipts import check_receipts

    kept = read_receipts(file.read_bytes(), str(file))
    records = dict(record(settings, game) for game in games)
    findings = check_receipts(kept, records, key=key)
    for match in sorted(records.keys() - findings.matches):
        click.echo(f"no receipt in {file} is about {match}", err=True)
    if as_json:
        print_json(findings)
    else:
        click.echo(_text(findings, key), nl=False)
    raise SystemExit(1 if findings.flaws else 0)


@receipt.command(
    "prove",
    cls=Command,
    epilog=examples(
        ("keylore receipt prove contradiction-m-cup-r1-t1-12.json", "does it convict the key that it names?"),
        ("keylore receipt prove contradiction-m-cup-r1-t1-12.json --key 5f1c...", "this very arbiter?"),
    ),
)
@_file
@key_option
@json_option
def prove(file: Path, key: str | None, as_json: bool) -> None:
    """Check the contradiction in FILE, believing nobody.

    A bot writes such a file when an arbiter does not stand by a receipt any more. It holds the receipt and
    the statement against it, both signed. Exit code 0 if they convict the key, 1 if they show nothing.
    Compare the key with the one that the league publishes, or give it with --key.
    """
    from keylore_domain.engine.receipts import Contradiction, contradiction_flaw
    from keylore_services.arbiter.keys import is_signature
    from keylore_services.bots.keeping import decoded

    shown = decoded(file.read_bytes(), Contradiction, str(file), "a contradiction")
    flaw = contradiction_flaw(shown, is_signature, key)
    accused, item = key or shown.receipt.key, shown.receipt
    if as_json:
        facts = {"convicted": not flaw, "reason": flaw, "key": accused}
        print_json({**facts, "match": item.match, "event": item.event})
    elif flaw:
        click.echo(f"the file convicts nobody: {flaw}")
    else:
        says = "gave another receipt for it" if shown.other else "denies that its history holds it"
        click.echo(f"the arbiter with the key {accused} contradicts itself:")
        click.echo(f"it signed event {item.event} of {item.match} with the digest {item.head}, and {says}")
    raise SystemExit(1 if flaw else 0)


def _text(findings: "Findings", key: str | None) -> str:
    from keylore_cli.tables import counted

    lines = [
        f"receipt {flaw.place}, event {flaw.event} of {flaw.match}: {flaw.reason}" for flaw in findings.flaws
    ]
    about = f"{counted(findings.receipts, 'receipt')} of {counted(len(findings.matches), 'game')}"
    sound = findings.receipts - len(findings.flaws)
    lines.append(f"{about}: {sound} sound, {findings.compared} compared with the record of the game")
    if key is None:
        lines += [f"signed by {found} (nobody vouched for this key: give --key)" for found in findings.keys]
    return "\n".join(lines) + "\n"
