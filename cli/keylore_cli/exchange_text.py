"""Events that were read from files, as text."""

from collections.abc import Sequence

import click

from keylore_cli.tables import Exact, print_table
from keylore_services.replay.text import words
from keylore_services.tournament.exchange.results import Results
from keylore_services.tournament.exchange.trf_checking import RoundCheck


def print_event(event: Results, rounds: Sequence[RoundCheck]) -> None:
    """Print the standings of an event, and what is to be said of its rounds."""
    names = event.terms.tie_breaks
    print_table(
        f"{event.title}: standings after round {len(event.rounds)} of {event.terms.rounds}",
        ("rank", "no.", "name", "points", *map(words, names), "games", "byes"),
        [
            (row.rank, row.number, row.name, Exact(row.points), *map(Exact, row.values), row.played, row.byes)
            for row in event.standings()
        ],
    )
    for note in event.notes:
        click.echo(f"note: {note}")
    for one in rounds:
        click.echo(f"round {one.round}: {_said(one)}")


def _said(one: RoundCheck) -> str:
    if one.problems:
        return "; ".join(one.problems)
    if one.is_the_round is None:
        return "breaks no rule of the FIDE Dutch System"
    if one.is_the_round:
        return "is the round that the FIDE Dutch System of 2026 gives"
    return "breaks no absolute rule, but the FIDE Dutch System of 2026 gives another round"
