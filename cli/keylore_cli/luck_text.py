"""Luck and skill, as text."""

from fractions import Fraction

import click

from keylore_cli.tables import Exact, print_table
from keylore_services.tournament.luck import LuckView


def print_luck(view: LuckView, *, by_deal: bool) -> None:
    """Print who scored more than luck and what each seat brings; with *by_deal* each deal too."""
    if not view.deals:
        click.echo(f"no finished games of {view.tournament} share a deal")
        return
    if view.left:
        click.echo(f"{view.left} of {len(view.deals)} deals are not complete, and do not count")
    _print_means(view)
    if by_deal:
        _print_deals(view)


def _print_means(view: LuckView) -> None:
    print_table(
        f"{view.tournament}: mean scores above luck, after round {view.round}",
        ("game", "bot", "above luck", "give or take", "deals", "games"),
        [
            (
                view.games[one.turn],
                _name(one.bot),
                _rounded(one.above),
                _error(one.error),
                one.deals,
                one.games,
            )
            for one in view.entrants
        ],
    )
    if view.seats:
        click.echo()
        print_table(
            "What the seats brought",
            ("game", "seats", "seat", "luck", "give or take", "deals"),
            [
                (view.games[one.turn], one.size, one.seat, _rounded(one.luck), _error(one.error), one.deals)
                for one in view.seats
            ],
        )


def _print_deals(view: LuckView) -> None:
    for deal in view.deals:
        seats = ", ".join(f"seat {one.seat} {float(Fraction(one.luck)):+.2f}" for one in deal.seats)
        click.echo()
        print_table(
            f"{deal.deal} ({view.games[deal.turn]}): {seats}",
            ("bot", "games", "mean score", "above luck"),
            [
                (_name(one.bot), one.games, _rounded(one.mean), _rounded(one.above_luck))
                for one in deal.entrants
            ],
        )


def _rounded(value: str) -> Exact:
    """An exact value to two digits; ``--json`` has it exact."""
    return Exact(str(round(Fraction(value), 2)))


def _error(error: float | None) -> Exact | str:
    return "-" if error is None else Exact(f"{error:.2f}")


def _name(bot: str) -> str:
    return bot.removeprefix("bot/")
