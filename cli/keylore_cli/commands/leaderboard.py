"""`keylore leaderboard`: ratings over all tournaments of the league."""

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, GameName, examples, json_option


@click.command(
    "leaderboard",
    cls=Command,
    epilog=examples(
        ("keylore leaderboard", "every game, all tables together"),
        ("keylore leaderboard --game keydom --seats 4", "tables of four only"),
        ("keylore leaderboard --game keyside --effects", "and how good each seat is"),
        ("keylore leaderboard --sizes --json", "a board for each table size too, for programs"),
    ),
)
@click.option("--game", "game_id", type=GameName(), default=None, help="Only this game.")
@click.option("--seats", type=click.IntRange(1, 6), default=None, help="Only tables of this size.")
@click.option("--sizes", is_flag=True, help="A board for each table size too.")
@click.option("--effects", is_flag=True, help="Estimate the advantage of each seat, and take it out.")
@json_option
@pass_settings
def leaderboard(
    settings: Context, game_id: str | None, seats: int | None, sizes: bool, effects: bool, as_json: bool
) -> None:
    """Show how strong the bots of the league are, game by game.

    The ratings are worked out again from all results of all tournaments: the strengths that explain them
    best, with intervals that hold the true one in 95 of 100 cases. 1500 is the mean; 400 points more mean ten
    times the chance of finishing first. Solo leagues have boards of their own: there all are ranked by their
    scores with the same deal.
    """
    from keylore_cli.leagues import reports
    from keylore_cli.strength_text import print_leaderboards
    from keylore_services.tournament.contests import ALONE
    from keylore_services.tournament.leaderboards import EVERY_SIZE

    with reports(settings) as read:
        boards = read.leaderboards(game_id, seats, seat_effects=effects)
    if seats is None and not sizes:
        boards = tuple(board for board in boards if board.table_size in {EVERY_SIZE, ALONE})
    if as_json:
        print_json(boards)
    else:
        print_leaderboards(boards)
