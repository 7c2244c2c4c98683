"""`keylore log monitor|verify`: whether a log shows everyone the same history."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, pass_settings, print_json, print_json_lines
from keylore_cli.parsing import Command, ca_option, examples, json_option, looking_options

if TYPE_CHECKING:
    from keylore_services.proof.monitor import Observation


@click.command(
    "monitor",
    cls=Command,
    epilog=examples(
        ("keylore log monitor --server league.example:4711 --kept seen.txt", "until Ctrl-C, or a fork"),
        ("keylore log monitor --server league.example:4711 --kept seen.txt --once", "from cron"),
        ("keylore log monitor --kept seen.txt --once", "the league of this machine"),
    ),
)
@click.option(
    "--kept",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="Where the last good checkpoint is kept. Evidence is written to FILE.fork.json.",
)
@click.option(
    "--server", default=None, metavar="HOST:PORT", help="Watch this server.  [default: the league here]"
)
@ca_option
@click.option(
    "--key",
    default=None,
    metavar="KEY",
    help="The key of the log, as NAME+ID+BASE64.  [default: the one in FILE.key, written at the first look]",
)
@looking_options
@json_option
@pass_settings
def monitor(
    settings: Context,
    kept: Path,
    server: str | None,
    ca: Path | None,
    key: str | None,
    every: float,
    once: bool,
    as_json: bool,
) -> None:
    """Follow a log, and shout when it shows two histories.

    Each head must continue the one that was kept; the proof is checked here. If one does not, both signed
    heads and the proof are written to FILE.fork.json, the exit code is 1, and `keylore log verify` convinces
    others. Without --key, the key that the log tells at the first look is believed from then on. FILE may be
    what `keylore log checkpoint` printed; then that key must have signed it.
    """
    from keylore_cli.watching import Watch, looks

    watch = Watch(settings, server, ca, kept, key)
    told = "the league here" if server is None else server
    if not once:
        click.echo(f"watching the log of {told}; stop it with Ctrl-C", err=True)
    try:
        for found in looks(watch.look, None if once else every):
            if as_json:
                print_json_lines([found])
            else:
                _tell(found)
            if found.is_fork:
                click.echo(_alarm(found, watch.evidence), err=True)
                raise SystemExit(1)
    except KeyboardInterrupt:
        click.echo("stopped; the last good checkpoint is kept", err=True)


@click.command(
    "verify",
    cls=Command,
    epilog=examples(
        ("keylore log verify seen.txt.fork.json", "does this file convict the log?"),
        ("keylore log verify seen.txt.fork.json --key league.example/log+033de0ae+Af...", "this very log?"),
    ),
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--key", default=None, metavar="KEY", help="The key of the accused log, as NAME+ID+BASE64.")
@json_option
def verify(file: Path, key: str | None, as_json: bool) -> None:
    """Check the evidence of a fork in FILE, believing nobody.

    Exit code 0 if it convicts the log whose key it names, 1 if it shows nothing. Compare that key with the
    one that the log publishes, or give it with --key.
    """
    from keylore_cli.watching import convicted

    evidence, reason = convicted(file, key)
    if as_json:
        print_json({"convicted": bool(reason), "reason": reason, "key": evidence.key})
    elif reason:
        click.echo(f"the log with the key {evidence.key} has forked: {reason}")
        click.echo(_weight(evidence))
    else:
        click.echo("the file shows no fork: the heads fit together")
    raise SystemExit(0 if reason else 1)


def _tell(found: "Observation") -> None:
    lines = found.seen.split("\n")
    says = {
        "first": "first look",
        "same": "nothing new",
        "grown": "grown, and it continues what was kept",
        "behind": "an older head was shown, which fits",
        "fork": "FORK",
    }
    click.echo(f"{lines[0]}: {lines[1]} leaves: {says[found.verdict]}")


def _alarm(found: "Observation", evidence: Path) -> str:
    return (
        f"FORK: the log with the key {found.key} has shown two histories: {found.reason}\n"
        f"Both signed heads and its proof are in {evidence}; check them with "
        f"`keylore log verify {evidence}`, and show them to the others."
    )


def _weight(evidence: "Observation") -> str:
    sizes = {note.split("\n")[1] for note in (evidence.known, evidence.seen)}
    if len(sizes) == 1:
        return "Two signed heads of one size: this convicts it by itself."
    return (
        "Two heads of different sizes: the log may still show a proof that joins them; "
        "if it cannot, that convicts it."
    )
