"""`keylore keys`: the keys of the arbiter, and their rotation."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, Group, examples, json_option

if TYPE_CHECKING:
    from keylore_domain.engine.keyhistory import KeyHistory


@click.group(
    cls=Group,
    epilog=examples(
        ("keylore keys show", "which key signs now, and which did before"),
        ("keylore keys rotate --reason 'once a year'", "new games have new keys from now on"),
        ("keylore keys reveal 5f1c0a...", "let everybody check the chance of an old period"),
        ("keylore keys export keys.jsonl", "the history, for those who verify games"),
    ),
)
def keys() -> None:
    """Show and rotate the keys of the arbiter.

    The arbiter signs each game with a key, and derives its share of each game's chance from a secret that it
    was committed to beforehand. Both are made with the league and lie in its folder `keys`. Every change is
    an event of the ledger, signed with the old key and the new one.
    """


@keys.command("show", cls=Command, epilog=examples(("keylore keys show --json", "for programs")))
@json_option
@pass_settings
def show(settings: Context, as_json: bool) -> None:
    """Show the public keys of the arbiter, the oldest first."""
    from keylore_cli.auditing import league_history
    from keylore_domain.errors import NotFoundError

    settings.existing_ledger().close()
    history = league_history(settings)
    if history is None:
        msg = "the league has no keys yet: they are made when it is served for the first time"
        raise NotFoundError(msg)
    _print(history, as_json=as_json)


@keys.command(
    "rotate", cls=Command, epilog=examples(("keylore keys rotate --reason 'a laptop was lost'", ""))
)
@click.option("--reason", required=True, help="Why; it stands in the record for ever.")
@json_option
@pass_settings
def rotate(settings: Context, reason: str, as_json: bool) -> None:
    """Give new games new keys.

    Games under way finish under the keys that they were opened with; so the old keys stay in the folder.
    Stop the server first. Bots that know the old key follow to the new one by themselves.
    """
    from keylore_cli.occupancy import occupied
    from keylore_services.arbiter.rotation import rotate as rotated
    from keylore_services.arbiter.times import clock_after

    ledger = settings.existing_ledger()
    try:
        with occupied(settings.lock):
            history = rotated(ledger, settings.keys, clock_after(ledger)(), reason)
    finally:
        ledger.close()
    _print(history, as_json=as_json)


@keys.command("reveal", cls=Command, epilog=examples(("keylore keys reveal 5f1c0a...", "an old key")))
@click.argument("key", metavar="KEY")
@json_option
@pass_settings
def reveal(settings: Context, key: str, as_json: bool) -> None:
    """Reveal the chance key of an old period.

    It was the secret behind the arbiter's shares of seeds in the period of KEY (16 digits of it are enough).
    Then everybody can check that no share of that period was chosen: `keylore game verify` does it. All games
    of the period must be over.
    """
    from keylore_cli.occupancy import occupied
    from keylore_services.arbiter.rotation import history_of
    from keylore_services.arbiter.rotation import reveal as revealed
    from keylore_services.arbiter.times import clock_after

    ledger = settings.existing_ledger()
    try:
        with occupied(settings.lock):
            known = history_of(ledger)
            full = [period.key for period in known.periods if period.key.startswith(key)] if known else []
            chosen = full[0] if len(full) == 1 else key
            history = revealed(ledger, settings.keys, clock_after(ledger)(), chosen)
    finally:
        ledger.close()
    _print(history, as_json=as_json)


@keys.command("export", cls=Command, epilog=examples(("keylore keys export keys.jsonl", "")))
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@pass_settings
def export(settings: Context, path: Path) -> None:
    """Write the history of the keys to FILE.

    It is for whoever verifies games: `keylore game verify GAME --keys FILE`.

    Secrets are not in it, but for chance keys that were revealed.
    """
    from keylore_domain.errors import NotFoundError
    from keylore_services.arbiter.rotation import exported_history, history_rows

    ledger = settings.existing_ledger()
    try:
        rows = history_rows(ledger)
    finally:
        ledger.close()
    if not rows:
        msg = "the league has no keys yet: they are made when it is served for the first time"
        raise NotFoundError(msg)
    path.write_bytes(exported_history(rows))
    click.echo(f"{path}: {len(rows)} events; compare the newest key with the one the server tells")


def _print(history: "KeyHistory", *, as_json: bool) -> None:
    if as_json:
        print_json(history.periods)
        return
    for period in history.periods:
        state = "signs new games" if period is history.current else "signs games that it has opened"
        chance = f"chance key revealed: {period.secret}" if period.secret else "chance key secret"
        click.echo(f"{period.number}  {period.key}  {state}")
        click.echo(f"   {chance}, committed to by {period.chance}")
