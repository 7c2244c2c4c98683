"""How strong bots are, as text: leaderboards and comparisons."""

from collections.abc import Sequence
from typing import Final

import click

from keylore_cli.tables import counted, print_table
from keylore_domain.swiss.ratings import ELO
from keylore_services.tournament.comparing import Comparison
from keylore_services.tournament.contests import ALONE
from keylore_services.tournament.leaderboards import EVERY_SIZE, Leaderboard

_DECISIONS: Final = {
    "accepted": "accepted: it is better by {elo1:g} rather than by {elo0:g}",
    "rejected": "rejected: it is better by {elo0:g} rather than by {elo1:g}",
    "open": "open between {elo0:g} and {elo1:g}: more games are needed",
}


def print_leaderboards(boards: Sequence[Leaderboard]) -> None:
    """Print each board as a table."""
    if not boards:
        click.echo("no results yet; play some with `keylore tournament run`")
    for at, board in enumerate(boards):
        if at:
            click.echo()
        _print_board(board)


def _print_board(board: Leaderboard) -> None:
    of = "deal" if board.table_size == ALONE else "table"
    print_table(
        f"{board.game}, {_size(board)}: {counted(board.tables, of)} in "
        f"{counted(board.tournaments, 'tournament')}",
        ("rank", "bot", "points", "from", "to", f"{of}s", "first places"),
        [
            (
                row.rating.rank,
                row.name,
                row.rating.points,
                row.rating.low_points,
                row.rating.high_points,
                row.rating.games,
                row.rating.firsts,
            )
            for row in board.rows
        ],
    )
    for one in board.seats:
        click.echo(
            f"at tables of {one.size}, seat {one.seat} against seat 0: {round(ELO * one.effect):+d} points, "
            f"give or take {ELO * one.error:.0f}"
        )


def _size(board: Leaderboard) -> str:
    named = {EVERY_SIZE: "tables of all sizes", ALONE: "played alone"}
    return named.get(board.table_size, f"tables of {board.table_size}")


def print_comparison(found: Comparison) -> None:
    """Print how much better a bot is, and what the test says."""
    estimate, hypotheses, verdict = found.estimate, found.hypotheses, found.verdict
    against = "all others" if found.against is None else _name(found.against)
    click.echo(
        f"{_name(found.bot)} against {against}: {counted(found.tables, 'table')} in "
        f"{', '.join(found.tournaments)}"
        f"\nahead of them {found.ahead}, among them {found.between}, behind {found.behind}"
        f"\nrotations     {estimate.rotations}{_left(found.left)}{_counts(estimate.counts)}"
        f"\nscore         {estimate.score:.1%}, in 95 of 100 cases {estimate.low:.1%} to {estimate.high:.1%}"
        f"\nElo           {estimate.elo:+.0f}, in 95 of 100 cases {estimate.elo_low:+.0f} to "
        f"{estimate.elo_high:+.0f}"
        f"\nbetter        with a probability of {estimate.better:.1%}"
        f"\ntest          {_DECISIONS[verdict.decision].format(elo0=hypotheses.elo0, elo1=hypotheses.elo1)}"
        f"\n              log ratio {verdict.ratio:.2f} of {verdict.lower:.2f} to {verdict.upper:.2f} after "
        f"{counted(verdict.after, 'rotation')}"
    )


def _left(left: int) -> str:
    return f" ({counted(left, 'table')} in no complete one)" if left else ""


def _counts(counts: Sequence[tuple[float, int]]) -> str:
    shown = ", ".join(f"{score:g} \N{MULTIPLICATION SIGN}{times}" for score, times in counts)
    return f"; scores: {shown}" if shown else ""


def _name(bot: str) -> str:
    return bot.removeprefix("bot/")
