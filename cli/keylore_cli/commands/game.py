"""`keylore game`: play, list, replay, verify, explain and export games."""

import click

from keylore_cli.commands.game_leaks import leakcheck
from keylore_cli.commands.game_play import play
from keylore_cli.commands.game_proof import export, verify
from keylore_cli.commands.game_replay import show, step, why
from keylore_cli.commands.game_reports import list_games, options, schemas
from keylore_cli.parsing import Group, examples


@click.group(
    cls=Group,
    epilog=examples(
        ("keylore game play keydom --seat human --seat greedy", "play against a bot"),
        ("keylore game list", "what was played"),
        ("keylore game show m/cup/r1/t1@120/2", "event 120 through the eyes of seat 2"),
        ("keylore game step m/cup/r1/t1", "go through a game, move by move"),
        ("keylore game why m/cup/r1/t1@120", "which rules did what at event 120"),
        ("keylore game verify m/cup/r1/t1", "re-run every rule and every draw"),
        ("keylore game export m/cup/r1/t1 game.jsonl.gz", "one file that proves itself"),
    ),
)
def game() -> None:
    """List, replay, verify, explain and export games.

    A moment of a game has an address: GAME@EVENT/SEAT, such as m/cup/r1/t1@120/2. EVENT may be left out
    (the end) or be a ply, such as p57. SEAT says through whose eyes: a seat, 'public' (if left out), or
    'all' for everything, secrets included. GAME may also be a game file.
    """


for command in (play, list_games, show, step, why, verify, leakcheck, export, options, schemas):
    game.add_command(command)
