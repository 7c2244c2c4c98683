"""Corrections as text: what was ruled, who moves, and how the next round is paired."""

from collections.abc import Sequence

import click

from keylore_cli.tables import Exact, print_table
from keylore_services.tournament.effects import CorrectionView, NextRound, RoundPlan
from keylore_services.tournament.views import CorrectionLine


def print_correction(view: CorrectionView) -> None:
    """Print a correction and what it does."""
    done = f"stored as event {view.event} of {view.tournament}"
    click.echo(f"{view.what}\n{done if view.stored else 'tried only: nothing was stored'}")
    if view.moves:
        print_table(
            "who moves in the standings",
            ("bot", "rank before", "rank after", "points before", "points after"),
            [
                (one.name, one.rank_before, one.rank_after, Exact(one.points_before), Exact(one.points_after))
                for one in view.moves
            ],
        )
    else:
        click.echo("nobody moves in the standings")
    if view.stayed:
        numbers = ", ".join(map(str, view.stayed))
        click.echo(f"paired on what counted before, and left as they are: rounds {numbers}")
    _print_next(view.next_round)


def print_corrections(lines: Sequence[CorrectionLine]) -> None:
    """Print the rulings of a tournament, one a line."""
    for line in lines:
        ground = f", on {line.ground}" if line.ground else ""
        click.echo(f"ruled (event {line.event}) by {line.by}{ground}: {line.what}; because {line.reason}")


def _print_next(found: NextRound) -> None:
    name = f"round {found.number}"
    if found.before is None or found.after is None:
        click.echo(f"next pairing: {found.problem}" if found.problem else f"{name} can be paired now")
        if found.after is not None:
            _print_plan(found.after)
    elif found.is_changed:
        click.echo(f"{name} before:")
        _print_plan(found.before)
        click.echo(f"{name} after:")
        _print_plan(found.after)
    else:
        click.echo(f"{name} is paired as without it")


def _print_plan(plan: RoundPlan) -> None:
    for number, seats in enumerate(plan.tables, 1):
        click.echo(f"  table {number}: {_names(seats)}")
    if plan.byes:
        click.echo(f"  bye: {_names(plan.byes)}")


def _names(bots: Sequence[str]) -> str:
    return ", ".join(bot.removeprefix("bot/") for bot in bots)
