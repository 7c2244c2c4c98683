"""`keylore tournament new`: all terms of a tournament, and its first entrants."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import (
    Command,
    F,
    GameWithOptions,
    data_option,
    entering_options,
    examples,
    game_options_option,
    json_option,
)

_DAY: Final = 86_400_000

_PLAYED = (
    click.option(
        "--game",
        "games",
        type=GameWithOptions(),
        multiple=True,
        required=True,
        help="The game, such as keydom. Several ones take turns, each with its options behind it: "
        "--game keydom:round_cap=12 --game keyside:mats=advanced,time.move_ms=500.",
    ),
    click.option(
        "--turns",
        type=click.Choice(["rounds", "games"]),
        default="rounds",
        show_default=True,
        help="Several games take turns from round to round, there and back, or share each table's games.",
    ),
    game_options_option,
    data_option,
)
_TIMES: Final = {
    "--move-ms": (10, _DAY, 10_000, "Most time for a move."),
    "--bank-ms": (0, _DAY, 0, "Time for all moves; 0: no limit."),
    "--increment-ms": (0, _DAY, 0, "Added to the bank by each move."),
    "--credit-ms": (0, 10_000, 100, "Most latency credited per move."),
    "--faults": (0, 1_000, 10, "Moves played for a seat before it forfeits; 0: any number."),
    "--attempts": (1, 100, 3, "Illegal answers to one question before the default move is played."),
}
_TIME = tuple(
    click.option(name, type=click.IntRange(low, high), default=usual, show_default=True, help=text)
    for name, (low, high, usual, text) in _TIMES.items()
)
_TERMS = (
    click.option(
        "--uneven",
        type=click.Choice(["byes", "smaller_tables", "larger_tables", "mixed_tables"]),
        default="byes",
        show_default=True,
        help="What happens when the entrants do not fill the tables.",
    ),
    click.option(
        "--seed",
        default=None,
        help="A text that decides all draws, so that the tournament can be repeated; whoever knows it "
        "knows every draw. Without it, chance is secret until each game ends.",
    ),
    click.option(
        "--scoring",
        multiple=True,
        metavar="KEY=VALUE",
        help="How results become points, such as rule=win_draw_loss or bye=zero; `keylore tournament terms` "
        "lists all keys.",
    ),
    click.option(
        "--pairing",
        multiple=True,
        metavar="KEY=VALUE",
        help="How rounds are paired, such as seeding=rating or same_author=apart.",
    ),
    click.option(
        "--absence",
        multiple=True,
        metavar="KEY=VALUE",
        help="What happens to a bot that is away when its game is to begin, such as then=forfeit.",
    ),
    click.option(
        "--tie-break",
        "tie_breaks",
        multiple=True,
        metavar="NAME",
        help="What decides among equal points, in this order.  "
        "[default: head_to_head, opponents_mean, first_places, score]",
    ),
)


def _with(options: Sequence[Callable[[F], F]]) -> Callable[[F], F]:
    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@click.command(
    "new",
    cls=Command,
    epilog=examples(
        ("keylore tournament new cup --game keydom --table 4 --rounds 3 --builtin greedy:8", ""),
        (
            "keylore tournament new cup --game keydom --table 3 --rounds 5 --bot alice --bot bob",
            "enrolled bots",
        ),
        ("keylore tournament new cup --game keydom --table 2 --rounds 2 -o round_cap=12", "an option"),
        ("keylore tournament new cup --game keydom --game keyside --table 2 --rounds 4", "in turns"),
        ("keylore tournament new cup --game keydom --table 2 --rounds 2 --seed autumn", "repeatable"),
        ("keylore tournament new cup --game keydom --table 2 --rounds 9 --scoring rule=win_draw_loss", ""),
        ("keylore tournament new all --game keydom --table 2 --format round_robin --builtin greedy:5", ""),
        ("keylore game options keydom", "which options there are"),
    ),
)
@click.argument("name")
@_with(_PLAYED)
@click.option(
    "--format",
    "form",
    type=click.Choice(["swiss", "round_robin", "knockout", "gauntlet", "ladder", "solo"]),
    default="swiss",
    show_default=True,
    help="Who meets whom; in a solo league everybody plays alone and scores compare.",
)
@click.option("--table", "table_size", type=click.IntRange(1, 6), required=True, help="Seats at a table.")
@click.option(
    "--rounds",
    type=click.IntRange(0, 100),
    default=0,
    help="Rounds to be played.  [default: as many as the format needs; a ladder has no end]",
)
@click.option("--title", default="", help="A title for people.")
@_with(_TERMS)
@_with(_TIME)
@entering_options
@json_option
@pass_settings
def new(
    settings: Context,
    /,
    name: str,
    games: tuple[str, ...],
    options: tuple[str, ...],
    data: Path | None,
    bots: tuple[str, ...],
    builtins: tuple[str, ...],
    ratings: tuple[str, ...],
    rated: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Create the tournament NAME and register bots.

    What is not said is as usual: Swiss rounds, in which entrants of near score meet, as few as possible meet
    again, and everybody sits on every seat as equally often as possible. All is fixed now but the entrants.
    """
    from keylore_cli.leagues import Entering, entered
    from keylore_cli.tables import counted
    from keylore_cli.tournament_text import rounds_text
    from keylore_domain.swiss.terms import game_ids

    terms = _terms(chosen)
    terms |= _games(games, options, data, terms["time"])
    entering = Entering(bots=bots, builtins=builtins, ratings=ratings, rated=rated)
    view = entered(settings, name, entering, terms)
    if as_json:
        print_json(view)
        return
    click.echo(
        f"created {view.id}: {', '.join(game_ids(view.terms))}, tables of {view.terms.table_size}, "
        f"{rounds_text(view)}, {counted(len(view.entrants), 'entrant')}\n"
        f"next:  {settings.called} tournament run {name}"
    )


def _terms(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The terms but for the games, from what was typed."""
    from keylore_cli.options import game_options

    terms = dict(chosen)
    times = [field.removeprefix("--").replace("-", "_") for field in _TIMES]
    terms["time"] = {field: terms.pop(field) for field in times}
    terms["format"] = terms.pop("form")
    for field in ("scoring", "pairing", "absence"):
        terms[field] = game_options(terms[field])
    if not terms["tie_breaks"]:
        del terms["tie_breaks"]
    return terms


def _games(
    games: tuple[str, ...], options: tuple[str, ...], data: Path | None, time: Mapping[str, int]
) -> dict[str, object]:
    """The terms that say what is played; a game has the *time* of the tournament but for what it says."""
    from keylore_cli.options import game_options, game_with_options

    if len(games) > 1 and (options or data):
        msg = "with several games, options and data stand behind each: --game keydom:round_cap=12,data=FILE"
        raise click.UsageError(msg)
    first, *more = [game_with_options(one, time) for one in games]
    if first.pop("time") is not None:
        msg = "the first game has the time control of the tournament: --move-ms and the options below it"
        raise click.UsageError(msg)
    given = {"data_text": data.read_text()} if data else {}
    both = {**cast("dict[str, object]", first["options"]), **game_options(options)}
    return {**first, **given, "options": both, "more": more}
