"""`keylore tournament`: from registration to final standings."""

import click

from keylore_cli.commands.tournament_changes import pause, register, start, withdraw
from keylore_cli.commands.tournament_corrections import override, re_pair, remove
from keylore_cli.commands.tournament_files import export, trf
from keylore_cli.commands.tournament_luck import luck
from keylore_cli.commands.tournament_new import new
from keylore_cli.commands.tournament_play import resume, run
from keylore_cli.commands.tournament_reports import list_tournaments, pairings, show, standings, verify
from keylore_cli.commands.tournament_requests import bye, finish, meeting
from keylore_cli.commands.tournament_terms import terms
from keylore_cli.commands.tournament_watch import abort, watch
from keylore_cli.parsing import Group, examples


@click.group(
    cls=Group,
    epilog=examples(
        ("keylore tournament new cup --game keydom --table 4 --rounds 3 --builtin greedy:4 --bot alice", ""),
        ("keylore tournament register cup bob", "until it is over; he plays from the next round"),
        ("keylore tournament run cup", "start it and play it to the end"),
        ("keylore tournament resume cup", "after a pause; after a crash `run` is enough"),
        ("keylore tournament watch cup", "the tables in progress and the standings, live"),
        ("keylore tournament standings cup --json", ""),
        ("keylore tournament standings cup --why alice", "what the rank of alice is made of"),
        ("keylore tournament pairings cup --round 2", "who sat where, and why"),
        ("keylore tournament export cup --format html -o cup.html", "a report to print"),
    ),
)
def tournament() -> None:
    """Create, run and read tournaments."""


for command in (
    terms,
    new,
    register,
    withdraw,
    bye,
    meeting,
    start,
    run,
    pause,
    resume,
    abort,
    watch,
    finish,
    override,
    re_pair,
    remove,
    list_tournaments,
    show,
    standings,
    pairings,
    luck,
    verify,
    export,
    trf,
):
    tournament.add_command(command)
