"""`keylore game play`: one game, here and now."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import (
    Command,
    GameName,
    beacon_option,
    data_option,
    examples,
    game_options_option,
    json_option,
)

if TYPE_CHECKING:
    from keylore_cli.human import Human
    from keylore_services.tournament.tables import MatchEnd


@click.command(
    "play",
    cls=Command,
    epilog=examples(
        ("keylore game play keydom --seat human --seat greedy", "play against a bot"),
        ("keylore game play keydom -s greedy -s random -s mine.py --seed 7", "the same draws each time"),
        ("keylore game play keydom -s @alice -s greedy --port 4711", "alice connects by herself"),
    ),
)
@click.argument("game_id", metavar="GAME", type=GameName())
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
@game_options_option
@data_option
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
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=True,
    help="The port for bots that connect; 0: any free one.",
)
@beacon_option
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

    import msgspec

    from keylore_cli.failures import UNFINISHED
    from keylore_cli.logs import configure_logs
    from keylore_cli.options import game_options
    from keylore_cli.seating import HUMAN, GamePlan, play_game
    from keylore_domain.engine.clocks import TimeControl
    from keylore_services.transport.server import Listening

    configure_logs(settings.log_level)
    person = _person() if HUMAN in sitting else None
    plan = GamePlan(
        game=game_id,
        sitting=sitting,
        options=game_options(options),
        time=TimeControl(move_ms=move_ms or (3_600_000 if person else 10_000), bank_ms=bank_ms),
        seed=seed,
        data_text=data.read_text() if data else None,
    )
    progress = _show_moves if sys.stderr.isatty() and person is None else _say_nothing
    end = asyncio.run(
        play_game(
            settings,
            plan,
            listening=Listening(port=port),
            human=person,
            progress=progress,
            ready=_say_where if any(spec.startswith("@") for spec in sitting) else _say_nothing,
        )
    )
    if as_json:
        print_json({**msgspec.structs.asdict(end), "bots": sitting})
    else:
        _print_end(settings, end, sitting)
    if end.outcome is None:
        raise SystemExit(UNFINISHED)


def _person() -> "Human":
    from keylore_cli.human import Human
    from keylore_domain.errors import OptionError

    if not sys.stdin.isatty():
        raise OptionError("seat", "'human' needs a terminal", "bots, when there is no terminal")
    return Human()


def _show_moves(moves: int) -> None:
    click.echo(f"\r{moves} moves ", nl=False, err=True)


def _say_where(address: str) -> None:
    click.echo(f"bots connect to {address}", err=True)


def _say_nothing(_: object) -> None:
    pass


def _print_end(settings: Context, end: "MatchEnd", sitting: tuple[str, ...]) -> None:
    from keylore_cli.tables import print_table

    if sys.stderr.isatty():
        click.echo("\r", nl=False, err=True)
    if end.outcome is None:
        click.echo(f"{end.match_id} was aborted: {end.cause}")
        return
    print_table(
        f"{end.match_id}: ended by {end.outcome.ended_by.replace('_', ' ')} in round {end.outcome.round}, "
        f"{end.plies} moves",
        ("rank", "seat", "bot", "score"),
        sorted((seat.rank, seat.seat, sitting[seat.seat], seat.score) for seat in end.outcome.seats),
    )
    click.echo(
        f"\nreplay:  {settings.called} game step {end.match_id}"
        f"\nverify:  {settings.called} game verify {end.match_id}"
    )
