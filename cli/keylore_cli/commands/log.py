"""`keylore log`: the transparency log, its proofs, and who watches it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from keylore_cli.commands.log_watch import monitor, verify
from keylore_cli.commands.log_witness import witness
from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, Group, ca_option, examples, json_option

F = TypeVar("F", bound=Callable[..., Any])


def _source_options(command: F) -> F:
    """The options that say which log is asked."""
    key = click.option(
        "--key",
        default=None,
        metavar="KEY",
        help="The key that must have signed, as NAME+ID+BASE64.  [default: the one that the log tells]",
    )
    server = click.option(
        "--server", default=None, metavar="HOST:PORT", help="Ask this server.  [default: the league here]"
    )
    return server(ca_option(key(command)))


@click.command(
    "checkpoint",
    cls=Command,
    epilog=examples(
        ("keylore log checkpoint", "the head of the log of the league here"),
        ("keylore log checkpoint --server league.example:4711 > seen.txt", "keep it: it binds the server"),
    ),
)
@_source_options
@json_option
@pass_settings
def checkpoint(
    settings: Context, server: str | None, ca: Path | None, key: str | None, as_json: bool
) -> None:
    """Print the newest head of the log, signed.

    It is a public format (a signed note with a tlog-checkpoint). Whoever keeps it can show later that
    something before it was altered. A head of the league here is signed now if the log has grown.
    """
    from keylore_cli.logbooks import checked_head, opened_log, trusted

    with opened_log(settings, server, ca) as log:
        note, told = log.newest()
    head = checked_head(note, trusted(key, told))
    if as_json:
        print_json(
            {"origin": head.origin, "size": head.size, "root": head.root.hex(), "key": told, "note": note}
        )
    else:
        click.echo(note, nl=False)


@click.command(
    "proof",
    cls=Command,
    epilog=examples(
        ("keylore log proof m/cup/r1/t1", "that this game is in the log"),
        ("keylore log proof t/cup --event 12", "that this event of the tournament is"),
        ("keylore log proof m/cup/r1/t1 --server league.example:4711", "ask a server"),
    ),
)
@click.argument("identity", metavar="ID")
@click.option(
    "--event", type=click.IntRange(1), default=None, help="An event of a tournament.  [default: its last]"
)
@_source_options
@json_option
@pass_settings
def proof(
    settings: Context,
    identity: str,
    event: int | None,
    server: str | None,
    ca: Path | None,
    key: str | None,
    as_json: bool,
) -> None:
    """Prove that a game or event is in the log.

    ID is that of a finished game (m/...) or a tournament (t/...). The proof is checked before it is printed;
    exit code 1 if the log gives a wrong one. Game files carry this proof: see `keylore game export`.
    """
    from keylore_cli.logbooks import checked_proof, opened_log, trusted

    with opened_log(settings, server, ca) as log:
        leaf, found = log.proof_of(identity, event or 0)
        told = log.newest()[1]
    checked_proof(leaf, found, trusted(key, told))
    if as_json:
        print_json({"leaf": leaf, "proof": found, "key": key or told})
        return
    click.echo(f"event {leaf.version} of {leaf.id} is leaf {leaf.number} of the log")
    click.echo(f"its SHA-256 is {leaf.digest}")
    click.echo("".join(f"{step}\n" for step in found.path) + "leads to the checkpoint\n")
    click.echo(found.checkpoint, nl=False)


@click.command(
    "consistency",
    cls=Command,
    epilog=examples(
        ("keylore log consistency 40 97", "that 97 leaves begin with the first 40"),
        ("keylore log consistency 40 97 --server league.example:4711 --json", ""),
    ),
)
@click.argument("old", type=click.IntRange(0))
@click.argument("new", type=click.IntRange(0))
@_source_options
@json_option
@pass_settings
def consistency(
    settings: Context,
    old: int,
    new: int,
    server: str | None,
    ca: Path | None,
    key: str | None,
    as_json: bool,
) -> None:
    """Prove that one size of the log continues another.

    The proof shows that the log of NEW leaves begins with the OLD first ones; its hashes are those of RFC
    9162, section 2.1.4. `keylore log monitor` asks for such proofs and checks them against what it kept.
    """
    from keylore_cli.logbooks import checked_head, opened_log, trusted

    with opened_log(settings, server, ca) as log:
        note, told = log.newest()
        path = list(log.consistency(old, new))
    checked_head(note, trusted(key, told))
    if as_json:
        print_json({"old": old, "new": new, "path": path})
    else:
        click.echo("".join(f"{step}\n" for step in path) or "no hashes are needed\n", nl=False)


@click.command(
    "list",
    cls=Command,
    epilog=examples(
        ("keylore log list", "every leaf"),
        ("keylore log list --first 100 --count 20", ""),
        ("keylore log list --server league.example:4711 --json", "to work out the heads by yourself"),
    ),
)
@click.option(
    "--first", type=click.IntRange(0), default=0, show_default=True, help="Number of the first leaf."
)
@click.option("--count", type=click.IntRange(1), default=None, help="At most so many.  [default: all]")
@_source_options
@json_option
@pass_settings
def list_leaves(
    settings: Context,
    first: int,
    count: int | None,
    server: str | None,
    ca: Path | None,
    key: str | None,
    as_json: bool,
) -> None:
    """List the leaves of the log."""
    from keylore_cli.logbooks import checked_head, opened_log, stretch, trusted
    from keylore_cli.tables import print_table

    with opened_log(settings, server, ca) as log:
        note, told = log.newest()
        checked_head(note, trusted(key, told))
        leaves = stretch(log, first, count)
    if as_json:
        print_json(leaves)
    else:
        rows = [(leaf.number, leaf.id, leaf.version, leaf.digest) for leaf in leaves]
        print_table("Leaves of the log", ("leaf", "of", "event", "SHA-256"), rows)


@click.group(
    cls=Group,
    epilog=examples(
        ("keylore log checkpoint", "the signed head: keep it"),
        ("keylore log proof m/cup/r1/t1", "that a game is in the log"),
        ("keylore log monitor --server league.example:4711 --kept seen.txt", "watch a server from outside"),
        ("keylore log verify seen.txt.fork.json", "check the evidence of a fork"),
    ),
)
def log() -> None:
    """Ask the transparency log for heads and proofs, and watch it.

    Finished games and tournament events are leaves of a Merkle tree that can only grow. Its heads are signed,
    and each binds everything before it.
    """


for command in (checkpoint, proof, consistency, list_leaves, monitor, verify, witness):
    log.add_command(command)
