"""`keylore demo`: the whole of keylore in a minute."""

import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from keylore_cli.context import Context, pass_settings
from keylore_cli.parsing import Command, examples

if TYPE_CHECKING:
    from keylore_services.replay.timeline import Timeline
    from keylore_services.tournament.service import TournamentService

TOURNAMENT: Final = "demo"
FIELD: Final = ("greedy:4", "random:3", "first:1")
ROUND_CAP: Final = 15
LATE: Final = 3  # the telling moment is looked for in the last third of a game


@click.command(
    cls=Command,
    epilog=examples(
        ("keylore demo", "in the folder demo-league"), ("keylore --league /tmp/mine demo", "elsewhere")
    ),
)
@click.option(
    "--fresh/--keep", default=True, show_default=True, help="Begin anew, or go on with what is in the folder."
)
@click.option("--seed", default="demo", show_default=True, help="Makes the demo repeatable.")
@pass_settings
def demo(settings: Context, fresh: bool, seed: str) -> None:
    """Play a Swiss tournament of Keydom: 8 bots in processes of their own, 3 rounds at tables of 4.

    Every move goes over gRPC and is stored as an event; then every game is verified, and one is replayed.
    """
    if settings.folder == Path("league"):
        settings = replace(settings, folder=Path("demo-league"), called="keylore --league demo-league")
    began = time.monotonic()
    if fresh:
        _clear(settings.folder)
    _tournament(settings, seed)
    games = _verify(settings)
    address = _replay(settings, games[-1])
    _say_where(settings, games[-1], address, time.monotonic() - began)


def _clear(folder: Path) -> None:
    """Remove an earlier demo; leaves a folder alone that is not one."""
    if not folder.exists():
        return
    if not (folder / ".demo").exists():
        msg = f"{folder} is not a demo's folder; choose another with --league, or go on in it with --keep"
        raise click.UsageError(msg)
    shutil.rmtree(folder)


def _tournament(settings: Context, seed: str) -> None:
    import asyncio

    from keylore_cli.leagues import tournaments
    from keylore_cli.progress import listening_display
    from keylore_cli.running import Rules, run_tournament
    from keylore_services.transport.server import Listening

    settings.folder.mkdir(parents=True, exist_ok=True)
    (settings.folder / ".demo").touch()
    settings.ledger().close()
    with tournaments(settings) as service:
        if not service.list():
            names = _enter(settings, service, seed)
            click.echo(f"{len(names)} bots play 3 rounds of Keydom at tables of 4: {', '.join(names)}\n")
    with listening_display() as listener:
        asyncio.run(
            run_tournament(
                settings,
                TOURNAMENT,
                Listening(),
                Rules(),
                listener=listener,
                ready=lambda where: click.echo(f"the arbiter listens on {where}", err=True),
            )
        )
    _print_standings(settings)


def _enter(settings: Context, service: "TournamentService", seed: str) -> list[str]:
    """Create the tournament, let the bots in and start it; gives their names."""
    from keylore_cli.leagues import Entering, entered

    terms = {
        "game": "keydom",
        "title": "Keydom demo",
        "table_size": 4,
        "rounds": 3,
        "seed": seed,
        "options": {"round_cap": ROUND_CAP},
    }
    entering = Entering(bots=(), builtins=tuple(FIELD))
    entered(settings, TOURNAMENT, entering, terms)
    service.start(TOURNAMENT)
    return list(entering.names)


def _print_standings(settings: Context) -> None:
    from keylore_cli.leagues import tournaments
    from keylore_cli.tournament_text import print_standings

    with tournaments(settings, TOURNAMENT) as service:
        standings, terms = service.standings(TOURNAMENT), service.show(TOURNAMENT).terms
    click.echo()
    print_standings(standings, terms)


def _verify(settings: Context) -> list[str]:
    from keylore_cli.auditing import audited, verdict

    ledger = settings.existing_ledger()
    games = ledger.ids("m/")
    ledger.close()
    click.echo(f"\nverifying {len(games)} games: every rule, every draw, every clock, the chain, the seal")
    for match in games:
        report = audited(settings, match)
        click.echo("  " + verdict(report, detailed=False))
        if not report.is_valid:
            raise SystemExit(1)
    return games


def _replay(settings: Context, match: str) -> str:
    """Show a telling moment of a game, why it was so, and the end; gives the address of the moment."""
    from keylore_cli.auditing import opened
    from keylore_cli.stepping import Stepper
    from keylore_services.replay.why import explain, why_lines

    timeline, _ = opened(settings, match)
    stepper = Stepper(timeline, "all")
    version = telling_moment(timeline)
    why = explain(timeline, version, "all", listed=3)
    click.echo(f"\na telling moment of {match}, and the paragraphs of the rules behind it:\n")
    click.echo("\n".join(f"  {line}" for line in why_lines(why)))
    click.echo("\nand how it ended:\n")
    for last in range(len(timeline) - 1, len(timeline) + 1):
        click.echo("\n".join(stepper.lines(last)))
    return why.address


def telling_moment(timeline: "Timeline") -> int:
    """The event in the last third of a game at which the rules did the most different things."""
    late = range(len(timeline) - len(timeline) // LATE, len(timeline) + 1)
    return max(late, key=lambda version: len({type(fact) for fact in timeline.moment(version).facts}))


def _say_where(settings: Context, match: str, address: str, seconds: float) -> None:
    steps = (
        (f"{settings.called} game step {match}", "go through a game, move by move"),
        (f"{settings.called} game why {address}", "what else was legal, which rule did what"),
        (f"{settings.called} tournament pairings {TOURNAMENT}", "who met whom, and why"),
        (f"{settings.called} game play keydom --seat human --seat greedy", "play yourself"),
        ("keylore bot new mine", "write a bot of your own"),
    )
    click.echo(
        f"""
done in {seconds:.0f} s. Everything lies in {settings.folder.resolve()}:
  ledger.db  every event of every game, bot and tournament
  keys/      the arbiter's keys, readable by you alone
  bots/      the tokens of the bots that this machine runs
  logs/      what those bots wrote

What to try next:
{examples(*steps)}"""
    )
