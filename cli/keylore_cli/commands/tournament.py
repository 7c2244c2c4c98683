"""`keylore tournament`: from registration to final standings."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, Group, examples, json_option, pass_settings, print_json

if TYPE_CHECKING:
    from keylore_services.tournament.service import TournamentService
    from keylore_services.tournament.views import RoundView, StandingsView, TournamentView


@click.group(
    cls=Group,
    epilog=examples(
        ("keylore tournament new cup --game keydom --table 4 --rounds 3 --builtin greedy:4 --bot alice", ""),
        ("keylore tournament register cup bob", "until it is over; he plays from the next round"),
        ("keylore tournament run cup", "start it and play it to the end"),
        ("keylore tournament resume cup", "after a pause; after a crash `run` is enough"),
        ("keylore tournament standings cup --json", ""),
        ("keylore tournament pairings cup --round 2", "who sat where, and why"),
    ),
)
def tournament() -> None:
    """Create, run and read tournaments."""


@contextmanager
def _service(settings: Context, *, make: bool = False) -> "Iterator[TournamentService]":
    from keylore_domain import catalog
    from keylore_services.arbiter.times import steady_clock
    from keylore_services.tournament.service import TournamentService

    ledger = settings.ledger() if make else settings.existing_ledger()
    try:
        yield TournamentService(ledger, catalog.game, steady_clock())
    finally:
        ledger.close()


@tournament.command("new")
@click.argument("name")
@click.option("--game", "game_id", required=True, help="The game, such as keydom.")
@click.option("--table", "table_size", type=int, required=True, help="Seats at a table, 2 to 6.")
@click.option("--rounds", type=int, required=True, help="Rounds, 1 to 100.")
@click.option("--title", default="", help="A title for people.")
@click.option("--option", "-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game.")
@click.option(
    "--data",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    help="The league's own component data file.",
)
@click.option(
    "--uneven",
    type=click.Choice(["byes", "smaller_tables"]),
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
@click.option("--move-ms", type=int, default=10_000, show_default=True, help="Most time for a move.")
@click.option("--bank-ms", type=int, default=0, show_default=True, help="Time for all moves; 0: no limit.")
@click.option(
    "--increment-ms", type=int, default=0, show_default=True, help="Added to the bank by each move."
)
@click.option("--credit-ms", type=int, default=100, show_default=True, help="Most latency credited per move.")
@click.option(
    "--faults",
    type=int,
    default=10,
    show_default=True,
    help="Moves played for a seat before it forfeits; 0: any number.",
)
@click.option("--bot", "bots", multiple=True, metavar="NAME", help="Register an enrolled bot.")
@click.option(
    "--builtin",
    "builtins",
    multiple=True,
    metavar="BOT[:COUNT]",
    help="Register bots that this machine runs: random, greedy, first, or FILE.py.",
)
@json_option
@pass_settings
def new(
    settings: Context,
    name: str,
    game_id: str,
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
        "game": game_id,
        "table_size": table_size,
        "rounds": rounds,
        "title": title,
        "options": game_options(options),
        "uneven": uneven,
        "seed": seed,
        "data_text": data.read_text() if data else None,
        "time": {
            "move_ms": move_ms,
            "bank_ms": bank_ms,
            "increment_ms": increment_ms,
            "credit_ms": credit_ms,
            "faults": faults,
        },
    }
    with _service(settings, make=True) as service:
        view = service.create(name, terms)
        for own in _enrolled_builtins(settings, builtins):
            view = service.register(name, own)
        for bot in bots:
            view = service.register(name, bot)
    if as_json:
        print_json(view)
        return
    click.echo(
        f"created {view.id}: {game_id}, tables of {table_size}, {rounds} rounds, "
        f"{len(view.entrants)} entrants\nnext:  keylore tournament run {name}"
    )


@tournament.command("register")
@click.argument("name")
@click.argument("bot")
@json_option
@pass_settings
def register(settings: Context, name: str, bot: str, as_json: bool) -> None:
    """Register the enrolled BOT for the tournament NAME; it plays from the next round on."""
    with _service(settings) as service:
        _print_change(service.register(name, bot), f"{bot} takes part in {name}", as_json)


@tournament.command("withdraw")
@click.argument("name")
@click.argument("bot")
@click.option("--reason", default="", help="Why; it stands in the record.")
@json_option
@pass_settings
def withdraw(settings: Context, name: str, bot: str, reason: str, as_json: bool) -> None:
    """Pair BOT no more; a table at which it sits is still played."""
    with _service(settings) as service:
        _print_change(service.withdraw(name, bot, reason), f"{bot} is paired no more in {name}", as_json)


@tournament.command("pause")
@click.argument("name")
@click.option("--reason", default="", help="Why; it stands in the record.")
@json_option
@pass_settings
def pause(settings: Context, name: str, reason: str, as_json: bool) -> None:
    """Open no further table of NAME; tables that play go on."""
    with _service(settings) as service:
        _print_change(service.pause(name, reason), f"{name} is paused", as_json)


_RUN_OPTIONS = (
    click.option("--host", default="127.0.0.1", show_default=True, help="The address for bots."),
    click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=4711,
        show_default=True,
        help="The port for bots; 0: any free one.",
    ),
    click.option(
        "--parallel",
        type=click.IntRange(1, 10_000),
        default=50,
        show_default=True,
        help="Tables at the same time.",
    ),
    click.option(
        "--wait",
        type=click.FloatRange(0, 86_400),
        default=30.0,
        show_default=True,
        help="Seconds that bots may take to connect before the first table opens.",
    ),
)


def _run_options(command: click.decorators.FC) -> click.decorators.FC:
    for option in reversed(_RUN_OPTIONS):
        command = option(command)
    return command


@tournament.command("run")
@click.argument("name")
@_run_options
@json_option
@pass_settings
def run(
    settings: Context, name: str, host: str, port: int, parallel: int, wait: float, as_json: bool
) -> None:
    """Play the tournament NAME to its end; start it if it has not started.

    The same command goes on after a crash, a kill or Ctrl-C: no result is lost or counted twice. Exit
    code 4 if it is not finished yet.
    """
    with _service(settings) as service:
        if service.show(name).status == "registering":
            service.start(name)
    _play(settings, name, host, port, parallel, wait, as_json)


@tournament.command("resume")
@click.argument("name")
@_run_options
@json_option
@pass_settings
def resume(
    settings: Context, name: str, host: str, port: int, parallel: int, wait: float, as_json: bool
) -> None:
    """Go on with the tournament NAME after a pause (or a crash)."""
    with _service(settings) as service:
        if service.show(name).status == "paused":
            service.resume(name)
    _play(settings, name, host, port, parallel, wait, as_json)


@tournament.command("list")
@json_option
@pass_settings
def list_tournaments(settings: Context, as_json: bool) -> None:
    """List all tournaments."""
    from keylore_cli.tables import print_table

    with _service(settings) as service:
        cards = service.list()
    if as_json:
        print_json(cards)
        return
    print_table(
        "Tournaments",
        ("name", "game", "status", "entrants", "round", "of", "winners"),
        [
            (
                card.name,
                card.game,
                card.status,
                card.entrants,
                card.round,
                card.rounds,
                ", ".join(winner.removeprefix("bot/") for winner in card.winners) or "-",
            )
            for card in cards
        ],
    )


@tournament.command("show")
@click.argument("name")
@json_option
@pass_settings
def show(settings: Context, name: str, as_json: bool) -> None:
    """Show the terms, the entrants and the state of NAME."""
    with _service(settings) as service:
        view = service.show(name)
    if as_json:
        print_json(view)
    else:
        _print_view(view)


@tournament.command("standings")
@click.argument("name")
@click.option("--round", "number", type=click.IntRange(0), default=None, help="After this round.")
@json_option
@pass_settings
def standings(settings: Context, name: str, number: int | None, as_json: bool) -> None:
    """Show the standings of NAME, now or after a round."""
    with _service(settings) as service:
        view = service.standings(name, number)
    if as_json:
        print_json(view)
    else:
        print_standings(view)


@tournament.command("pairings")
@click.argument("name")
@click.option(
    "--round", "number", type=click.IntRange(1), default=None, help="This round.  [default: the last]"
)
@json_option
@pass_settings
def pairings(settings: Context, name: str, number: int | None, as_json: bool) -> None:
    """Show the tables of a round of NAME, their results, and why they are as they are."""
    with _service(settings) as service:
        view = service.pairings(name, number)
    if as_json:
        print_json(view)
    else:
        _print_round(view)


@tournament.command("verify")
@click.argument("name")
@json_option
@pass_settings
def verify(settings: Context, name: str, as_json: bool) -> None:
    """Work out all pairings and standings of NAME again from its events; exit code 1 if something differs."""
    with _service(settings) as service:
        problems = service.audit(name)
    if as_json:
        print_json({"tournament": name, "valid": not problems, "problems": problems})
    elif problems:
        click.echo(f"{name} is wrong:\n" + "\n".join(f"  {problem}" for problem in problems))
    else:
        click.echo(f"{name}: every pairing and all standings follow from the events")
    if problems:
        raise SystemExit(1)


# --- playing --------------------------------------------------------------------------------------------


def _play(
    settings: Context, name: str, host: str, port: int, parallel: int, wait: float, as_json: bool
) -> None:
    import asyncio

    from keylore_cli.logs import configure_logs
    from keylore_cli.progress import listening_display
    from keylore_cli.running import Rules, run_tournament
    from keylore_services.transport.server import Listening

    configure_logs(settings.log_level)
    rules = Rules(parallel=parallel, wait=wait)
    with listening_display(settings, name) as listener:
        status = asyncio.run(
            run_tournament(
                settings,
                name,
                Listening(host=host, port=port),
                rules,
                listener=listener,
                ready=lambda where: click.echo(f"bots connect to {where}", err=True),
            )
        )
    with _service(settings) as service:
        view = service.standings(name)
        cause = service.show(name).pause_cause
    if as_json:
        print_json(view)
    else:
        print_standings(view)
    if status != "finished":
        reason = f"paused: {cause}" if status == "paused" else "stopped"
        verb = "resume" if status == "paused" else "run"
        click.echo(f"{reason}; go on with `keylore tournament {verb} {name}`", err=True)
        raise SystemExit(4)


def _enrolled_builtins(settings: Context, specs: tuple[str, ...]) -> list[str]:
    """Enrol the bots that this machine is to run, if they are not; gives their names."""
    from keylore_cli.identities import enrol_own
    from keylore_services.arbiter.times import steady_clock

    ledger = settings.ledger()
    try:
        return [name for spec in specs for name in enrol_own(ledger, settings.bots, spec, steady_clock())]
    finally:
        ledger.close()


# --- printing -------------------------------------------------------------------------------------------


def _print_change(view: "TournamentView", text: str, as_json: bool) -> None:
    if as_json:
        print_json(view)
    else:
        click.echo(text)


def _print_view(view: "TournamentView") -> None:
    from keylore_cli.tables import print_table
    from keylore_services.replay.text import inline, moment_text

    terms = view.terms
    click.echo(f"{terms.title or view.name} ({view.id}), {view.status}")
    if view.pause_cause:
        click.echo(f"paused: {view.pause_cause}")
    click.echo(
        f"{terms.game}, rules {terms.rules}; tables of {terms.table_size}, "
        f"round {view.round} of {terms.rounds}"
    )
    click.echo(f"options: {inline(terms.options)}\ntime: {inline(terms.time)}\ncomponent data {view.data}")
    click.echo(
        f"created {moment_text(view.created)}; chance is "
        + ("secret until each game ends" if terms.seed is None else f"made of the public text {terms.seed!r}")
    )
    if view.waiting_for:
        click.echo(f"waiting for {', '.join(view.waiting_for)}")
    for match in view.aborted:
        click.echo(f"{match.match} was aborted ({match.cause}); {match.next} is played instead")
    print_table(
        "\nEntrants",
        ("no.", "bot", "active"),
        [(one.number, one.name, "yes" if one.active else "withdrew") for one in view.entrants],
    )


def print_standings(view: "StandingsView") -> None:
    """Print standings as a table; points in halves are shown as such."""
    from keylore_cli.tables import print_table

    state = "final standings" if view.is_final else f"standings after round {view.round} of {view.rounds}"
    if not view.is_complete:
        state += " (results are missing)"
    print_table(
        f"{view.title}: {state}",
        ("rank", "bot", "points", "head to head", "opponents", "wins", "score", "games", "byes"),
        [
            (
                row.rank,
                row.name + ("" if row.active else " (withdrew)"),
                row.half_points / 2,
                row.head_to_head,
                row.opponents_half_points / 2 / row.opponents if row.opponents else 0.0,
                row.wins,
                row.score,
                row.played,
                row.byes,
            )
            for row in view.rows
        ],
    )


def _print_round(view: "RoundView") -> None:
    from keylore_cli.tables import print_table

    rows = [
        (
            table.number,
            table.match,
            seat,
            one.name,
            one.half_points / 2,
            one.rank or "-",
            "-" if one.score is None else one.score,
        )
        for table in view.tables
        for seat, one in enumerate(table.seats)
    ]
    print_table(
        f"{view.tournament}: round {view.number} of {view.rounds}",
        ("table", "match", "seat", "bot", "came with", "rank", "score"),
        rows,
    )
    if view.byes:
        click.echo("bye: " + ", ".join(bot.removeprefix("bot/") for bot in view.byes))
    for table in view.tables:
        for first, second, times in table.met_before:
            click.echo(
                f"table {table.number}: {first.removeprefix('bot/')} and {second.removeprefix('bot/')} "
                f"had met {times} time{'s' if times > 1 else ''} before"
            )
    optimal = (
        "no pairing can be better"
        if view.proved
        else (f"at best {view.bound.repeats} repeats and spread {view.bound.spread} could be possible")
    )
    click.echo(f"{view.cost.repeats} repeated meetings, spread of points {view.cost.spread}; {optimal}")
