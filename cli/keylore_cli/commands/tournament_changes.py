"""`keylore tournament new|register|withdraw|start|pause`: what changes a tournament but its matches."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import (
    Command,
    GameWithOptions,
    data_option,
    examples,
    game_options_option,
    json_option,
    reason_option,
)

if TYPE_CHECKING:
    from keylore_services.tournament.views import TournamentView

_BUILTINS = click.option(
    "--builtin",
    "builtins",
    multiple=True,
    metavar="BOT[:COUNT]",
    help="Register bots that this machine runs: random, greedy, first, or FILE.py.",
)


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
        ("keylore tournament new cup --game keydom --game keyside:mats=e-h --table 2 --rounds 4", "in turns"),
        ("keylore tournament new cup --game keydom --table 2 --rounds 2 --seed autumn", "repeatable"),
        ("keylore tournament new cup --game keydom --table 2 --rounds 9 --scoring rule=win_draw_loss", ""),
        ("keylore game options keydom", "which options there are"),
    ),
)
@click.argument("name")
@click.option(
    "--game",
    "games",
    type=GameWithOptions(),
    multiple=True,
    required=True,
    help="The game, such as keydom. Several ones take turns, each with its options behind it: "
    "--game keydom:round_cap=12 --game keyside:mats=e-h,time.move_ms=500.",
)
@click.option(
    "--turns",
    type=click.Choice(["rounds", "games"]),
    default="rounds",
    show_default=True,
    help="Several games take turns from round to round, or share the games of each table.",
)
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
@game_options_option
@data_option
@click.option(
    "--uneven",
    type=click.Choice(["byes", "smaller_tables", "larger_tables", "mixed_tables"]),
    default="byes",
    show_default=True,
    help="What happens when the entrants do not fill the tables.",
)
@click.option(
    "--seed",
    default=None,
    help="A text that decides all draws, so that the tournament can be repeated; whoever knows it "
    "knows every draw. Without it, chance is secret until each game ends.",
)
@click.option(
    "--move-ms",
    type=click.IntRange(10, 86_400_000),
    default=10_000,
    show_default=True,
    help="Most time for a move.",
)
@click.option(
    "--bank-ms",
    type=click.IntRange(0, 86_400_000),
    default=0,
    show_default=True,
    help="Time for all moves; 0: no limit.",
)
@click.option(
    "--increment-ms",
    type=click.IntRange(0, 86_400_000),
    default=0,
    show_default=True,
    help="Added to the bank by each move.",
)
@click.option(
    "--credit-ms",
    type=click.IntRange(0, 10_000),
    default=100,
    show_default=True,
    help="Most latency credited per move.",
)
@click.option(
    "--faults",
    type=click.IntRange(0, 1_000),
    default=10,
    show_default=True,
    help="Moves played for a seat before it forfeits; 0: any number.",
)
@click.option(
    "--attempts",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    help="Illegal answers to one question before the default move is played.",
)
@click.option(
    "--scoring",
    multiple=True,
    metavar="KEY=VALUE",
    help="How results become points: rule=rank_points, win_draw_loss, table_share or game_score; "
    "bye=mean, win or zero; scale=[6,3,1]; and more.",
)
@click.option(
    "--pairing",
    multiple=True,
    metavar="KEY=VALUE",
    help="How rounds are paired: seeding=lot, registration or rating; same_author=apart; and more.",
)
@click.option(
    "--tie-break",
    "tie_breaks",
    multiple=True,
    metavar="NAME",
    help="What decides among equal points, in this order.  "
    "[default: head_to_head, opponents_mean, first_places, score]",
)
@click.option("--bot", "bots", multiple=True, metavar="NAME", help="Register an enrolled bot.")
@_BUILTINS
@json_option
@pass_settings
def new(
    settings: Context,
    name: str,
    games: tuple[str, ...],
    turns: str,
    form: str,
    table_size: int,
    rounds: int,
    title: str,
    options: tuple[str, ...],
    data: Path | None,
    uneven: str,
    seed: str | None,
    move_ms: int,
    bank_ms: int,
    increment_ms: int,
    credit_ms: int,
    faults: int,
    attempts: int,
    scoring: tuple[str, ...],
    pairing: tuple[str, ...],
    tie_breaks: tuple[str, ...],
    bots: tuple[str, ...],
    builtins: tuple[str, ...],
    as_json: bool,
) -> None:
    """Create the tournament NAME and register bots.

    Swiss rounds over tables: entrants of near score meet, as few as possible meet again, and everybody
    sits on every seat as equally often as possible.
    """
    from keylore_cli.options import game_options

    terms: dict[str, object] = {
        **_games(games, options, data),
        "turns": turns,
        "format": form,
        "table_size": table_size,
        "rounds": rounds,
        "title": title,
        "uneven": uneven,
        "seed": seed,
        "time": {
            "move_ms": move_ms,
            "bank_ms": bank_ms,
            "increment_ms": increment_ms,
            "credit_ms": credit_ms,
            "faults": faults,
            "attempts": attempts,
        },
        "scoring": game_options(scoring),
        "pairing": game_options(pairing),
        **({"tie_breaks": tie_breaks} if tie_breaks else {}),
    }
    view = _created(settings, name, terms, builtins, bots)
    from keylore_cli.tournament_text import rounds_text
    from keylore_domain.swiss.terms import game_ids

    if as_json:
        print_json(view)
        return
    click.echo(
        f"created {view.id}: {', '.join(game_ids(view.terms))}, tables of {table_size}, {rounds_text(view)}, "
        f"{len(view.entrants)} entrants\nnext:  {settings.called} tournament run {name}"
    )


@click.command(
    "register",
    cls=Command,
    epilog=examples(
        ("keylore tournament register cup alice bob", "two enrolled bots"),
        ("keylore tournament register cup --builtin random:2", "bots that this machine runs"),
    ),
)
@click.argument("name")
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@_BUILTINS
@json_option
@pass_settings
def register(
    settings: Context, name: str, bots: tuple[str, ...], builtins: tuple[str, ...], as_json: bool
) -> None:
    """Register enrolled bots for the tournament NAME.

    They play from the next round on.
    """
    from keylore_cli.leagues import own_bots, tournaments

    if not bots and not builtins:
        msg = "name a bot, or give --builtin"
        raise click.UsageError(msg)
    with tournaments(settings, name, bots=bots) as service:
        entering = (*own_bots(settings, builtins), *bots)
        for bot in entering:
            view = service.register(name, bot)
    _print_change(view, f"{_listed(entering)} in {name}, from the next round on", as_json)


@click.command(
    "withdraw",
    cls=Command,
    epilog=examples(('keylore tournament withdraw cup alice --reason "crashes in every game"', "")),
)
@click.argument("name")
@click.argument("bot")
@reason_option
@json_option
@pass_settings
def withdraw(settings: Context, name: str, bot: str, reason: str, as_json: bool) -> None:
    """Pair BOT no more in the tournament NAME.

    A table at which it sits is still played.
    """
    from keylore_cli.leagues import tournaments

    with tournaments(settings, name, bots=(bot,)) as service:
        view = service.withdraw(name, bot, reason)
    _print_change(view, f"{bot} is paired no more in {name}", as_json)


@click.command(
    "start",
    cls=Command,
    epilog=examples(
        ("keylore serve", "in another terminal: plays every started tournament"),
        ("keylore tournament start cup", "now this one too"),
    ),
)
@click.argument("name")
@json_option
@pass_settings
def start(settings: Context, name: str, as_json: bool) -> None:
    """Let the rounds of NAME begin, at the server of the league.

    If none runs, the tournament is played as soon as `keylore serve` or `keylore tournament run` does.
    """
    from keylore_cli.leagues import tournaments
    from keylore_cli.occupancy import occupant

    with tournaments(settings, name) as service:
        view = service.start(name)
    server = occupant(settings.lock)
    player = f"{server} plays it" if server else f"play it with `{settings.called} serve`"
    _print_change(view, f"{name} has started; {player}", as_json)


@click.command(
    "pause",
    cls=Command,
    epilog=examples(
        (
            'keylore tournament pause cup --reason "rules question"',
            "takes effect at a running server at once",
        ),
        ("keylore tournament resume cup", "go on"),
    ),
)
@click.argument("name")
@reason_option
@json_option
@pass_settings
def pause(settings: Context, name: str, reason: str, as_json: bool) -> None:
    """Open no further table of the tournament NAME.

    Tables that play go on.
    """
    from keylore_cli.leagues import tournaments

    with tournaments(settings, name) as service:
        view = service.pause(name, reason)
    text = f"{name} is paused; go on with `{settings.called} tournament resume {name}`"
    _print_change(view, text, as_json)


def _games(games: tuple[str, ...], options: tuple[str, ...], data: Path | None) -> dict[str, object]:
    """The terms that say what is played."""
    from keylore_cli.options import game_options, game_with_options

    if len(games) > 1 and (options or data):
        msg = "with several games, options and data stand behind each: --game keydom:round_cap=12,data=FILE"
        raise click.UsageError(msg)
    first, *more = map(game_with_options, games)
    own_time = first.pop("time")
    if own_time is not None:
        msg = "the first game has the time control of the tournament: --move-ms and the options below it"
        raise click.UsageError(msg)
    given = {"data_text": data.read_text()} if data else {}
    both = {**cast("dict[str, object]", first["options"]), **game_options(options)}
    return {**first, **given, "options": both, "more": more}


def _created(
    settings: Context,
    name: str,
    terms: dict[str, object],
    builtins: tuple[str, ...],
    bots: tuple[str, ...],
) -> "TournamentView":
    """The new tournament; nothing is stored if a bot is not there."""
    from keylore_cli.identities import check_own
    from keylore_cli.leagues import own_bots, tournaments

    for spec in builtins:
        check_own(spec)
    settings.ledger().close()  # made, if there is none yet
    with tournaments(settings, bots=bots) as service:
        view = service.create(name, terms)
        for bot in (*own_bots(settings, builtins), *bots):
            view = service.register(name, bot)
    return view


def _print_change(view: "TournamentView", text: str, as_json: bool) -> None:
    if as_json:
        print_json(view)
    else:
        click.echo(text)


def _listed(bots: tuple[str, ...]) -> str:
    return f"{', '.join(bots)} take{'s' if len(bots) == 1 else ''} part"
