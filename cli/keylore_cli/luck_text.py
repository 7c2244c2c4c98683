"""Luck and skill, as text."""

import click

from keylore_cli.tables import Exact, print_table
from keylore_services.tournament.luck import LuckView
from keylore_services.tournament.words import exact


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
        f"{view.tournament}: scores above luck, after round {view.round}",
        ("game", "bot", "above luck", "give or take", "deals", "games"),
        [
            (
                view.games[one.turn],
                _name(one.bot),
                Exact(one.above),
                _error(one.error),
                one.deals,
                one.games,
            )
            for one in view.entrants
        ],
    )
    if view.seats:
        print_table(
            "What the seats brought",
            ("game", "seats", "seat", "luck", "give or take", "deals"),
            [
                (view.games[one.turn], one.size, one.seat, Exact(one.luck), _error(one.error), one.deals)
                for one in view.seats
            ],
        )


def _print_deals(view: LuckView) -> None:
    for deal in view.deals:
        seats = ", ".join(f"seat {one.seat} {_signed(one.luck)}" for one in deal.seats)
        print_table(
            f"{deal.deal} ({view.games[deal.turn]}): {seats}",
            ("bot", "games", "mean score", "above luck"),
            [(_name(one.bot), one.games, Exact(one.mean), Exact(one.above_luck)) for one in deal.entrants],
        )


def _signed(value: str) -> str:
    shown = exact(value)
    return shown if shown.startswith("-") else f"+{shown}"


def _error(error: float | None) -> str:
    return "-" if error is None else f"{error:g}"


def _name(bot: str) -> str:
    return bot.removeprefix("bot/")
