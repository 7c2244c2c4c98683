"""`keylore tournament`: from registration to final standings."""

import click

from keylore_cli.commands.tournament_changes import new, pause, register, start, withdraw
from keylore_cli.commands.tournament_play import resume, run
from keylore_cli.commands.tournament_reports import list_tournaments, pairings, show, standings, verify, why
from keylore_cli.parsing import Group, examples


@click.group(
    cls=Group,
    epilog=examples(
        ("keylore tournament new cup --game keydom --table 4 --rounds 3 --builtin greedy:4 --bot alice", ""),
        ("keylore tournament register cup bob", "until it is over; he plays from the next round"),
        ("keylore tournament run cup", "start it and play it to the end"),
        ("keylore tournament resume cup", "after a pause; after a crash `run` is enough"),
        ("keylore tournament standings cup --json", ""),
        ("keylore tournament why cup alice", "what alice's rank is made of"),
        ("keylore tournament pairings cup --round 2", "who sat where, and why"),
    ),
)
def tournament() -> None:
    """Create, run and read tournaments."""


for command in (
    new,
    register,
    withdraw,
    start,
    run,
    pause,
    resume,
    list_tournaments,
    show,
    standings,
    why,
    pairings,
    verify,
):
    tournament.add_command(command)
