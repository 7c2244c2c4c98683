"""`keylore game`: play, list, replay, verify, explain and export games."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from keylore_cli.context import Context, Group, examples, json_option, pass_settings, print_json

if TYPE_CHECKING:
    from keylore_domain.engine.records import Status
    from keylore_services.tournament.tables import MatchEnd


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
    'all' for everything, secrets included.
    """


@game.command("play")
@click.argument("game_id", metavar="GAME")
@click.option(
    "--seat",
    "-s",
    "sitting",
    multiple=True,
    required=True,
    metavar="WHO",
    help="Who sits there, seat by seat: human, random, greedy, first, FILE.py, or @NAME for an enrolled "
    "bot that connects by itself.",
)
@click.option("--option", "-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game.")
@click.option(
    "--data",
    "data",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    help="A component data file of your own.",
)
@click.option("--seed", default=None, help="A text that makes all draws repeatable (and known).")
@click.option(
    "--move-ms",
    type=click.IntRange(10, 86_400_000),
    default=None,
    help="Time for each move.  [default: 10 s; an hour if a human plays]",
)
@click.option(
    "--bank-ms",
    type=click.IntRange(0, 86_400_000),
    default=0,
    show_default=True,
    help="Time for all moves of a seat; 0: no limit.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port for bots that connect.")
@json_option
@pass_settings
def play(
    settings: Context,
    game_id: str,
    sitting: tuple[str, ...],
    options: tuple[str, ...],
    data: Path | None,
    seed: str | None,
    move_ms: int | None,
    bank_ms: int,
    port: int,
    as_json: bool,
) -> None:
    """Play one game, here and now, and store it in the league."""
    import asyncio

    from keylore_cli.logs import configure_logs
    from keylore_cli.options import game_options
    from keylore_cli.seating import HUMAN, GamePlan, play_game
    from keylore_domain.engine.clocks import TimeControl
    from keylore_services.transport.server import Listening

    configure_logs(settings.log_level)
    person = None
    if HUMAN in sitting and sys.stdin.isatty():
        from keylore_cli.human import Human

        person = Human()
    time = TimeControl(move_ms=move_ms or (3_600_000 if HUMAN in sitting else 10_000), bank_ms=bank_ms)
    plan = GamePlan(
        game=game_id,
        sitting=sitting,
        options=game_options(options),
        time=time,
        seed=seed,
        data_text=data.read_text() if data else None,
    )
    progress = _show_moves if sys.stderr.isatty() and person is None else _say_nothing
    end = asyncio.run(
        play_game(settings, plan, listening=Listening(port=port), human=person, progress=progress)
    )
    if as_json:
        print_json(end)
    else:
        _print_end(end, sitting)


@game.command("list")
@click.option("--game", "game_id", default=None, help="Only games of this kind, such as keydom.")
@click.option("--tournament", default=None, help="Only games of this tournament.")
@click.option(
    "--status",
    type=click.Choice(["playing", "paused", "concluded", "aborted"]),
    default=None,
    help="Only games in this state.",
)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="At most so many.")
@json_option
@pass_settings
def list_games(
    settings: Context,
    game_id: str | None,
    tournament: str | None,
    status: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """List the games of the league, the last one first."""
    from keylore_cli.tables import print_table
    from keylore_services.ledger.matches import MatchIndex
    from keylore_services.replay.text import moment_text

    ledger = settings.existing_ledger()
    try:
        index = MatchIndex(ledger)
        full = tournament if tournament is None or tournament.startswith("t/") else f"t/{tournament}"
        entries = index.entries(
            game=game_id, tournament=full, status=cast("Status | None", status), limit=limit
        )
        index.close()
    finally:
        ledger.close()
    if as_json:
        print_json(entries)
        return
    print_table(
        "Games",
        ("game", "of", "status", "events", "bots", "winners", "last event"),
        [
            (
                entry.id,
                entry.game,
                entry.status,
                entry.events,
                ", ".join(entry.bots),
                ", ".join(entry.bots[seat] for seat in entry.winners) or "-",
                moment_text(entry.last_at)[:19],
            )
            for entry in entries
        ],
    )


def _show_moves(moves: int) -> None:
    click.echo(f"\r{moves} moves", nl=False, err=True)


def _say_nothing(_: int) -> None:
    pass


def _print_end(end: "MatchEnd", sitting: tuple[str, ...]) -> None:
    from keylore_cli.tables import print_table

    if end.outcome is None:
        click.echo(f"{end.match_id} was aborted: {end.cause}")
        return
    print_table(
        f"{end.match_id}: {end.outcome.ended_by} in round {end.outcome.round}, {end.plies} moves",
        ("rank", "seat", "bot", "score"),
        sorted((seat.rank, seat.seat, sitting[seat.seat], seat.score) for seat in end.outcome.seats),
    )
    click.echo(f"\nreplay:  keylore game step {end.match_id}\nverify:  keylore game verify {end.match_id}")
