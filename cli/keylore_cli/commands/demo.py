"""`keylore demo`: the whole of keylore in a minute."""

import shutil
import time
from pathlib import Path

import click

from keylore_cli.context import Command, Context, examples, pass_settings

TOURNAMENT = "demo"
FIELD = ("greedy:4", "random:3", "first:1")
EXCERPT = 12


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
        settings = Context(folder=Path("demo-league"), log_level=settings.log_level, debug=settings.debug)
    began = time.monotonic()
    if fresh:
        _clear(settings.folder)
    _tournament(settings, seed)
    games = _verify(settings)
    _replay(settings, games[-1])
    _say_where(settings, games[-1], time.monotonic() - began)


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

    from keylore_cli.identities import enrol_own
    from keylore_cli.progress import listening_display
    from keylore_cli.running import Rules, run_tournament
    from keylore_domain import catalog
    from keylore_services.arbiter.times import steady_clock
    from keylore_services.tournament.service import TournamentService
    from keylore_services.transport.server import Listening

    settings.folder.mkdir(parents=True, exist_ok=True)
    (settings.folder / ".demo").touch()
    ledger = settings.ledger()
    service = TournamentService(ledger, catalog.game, steady_clock())
    if not service.list():
        terms = {
            "game": "keydom",
            "title": "Keydom demo",
            "table_size": 4,
            "rounds": 3,
            "seed": seed,
            "options": {"round_cap": 15},
        }
        service.create(TOURNAMENT, terms)
        names = [name for spec in FIELD for name in enrol_own(ledger, settings.bots, spec, steady_clock())]
        for name in names:
            service.register(TOURNAMENT, name)
        service.start(TOURNAMENT)
        click.echo(f"8 bots play 3 rounds of Keydom at tables of 4: {', '.join(names)}\n")
    ledger.close()
    with listening_display(settings, TOURNAMENT) as listener:
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


def _print_standings(settings: Context) -> None:
    from keylore_cli.commands.tournament import print_standings
    from keylore_domain import catalog
    from keylore_services.arbiter.times import steady_clock
    from keylore_services.tournament.service import TournamentService

    ledger = settings.existing_ledger()
    click.echo()
    print_standings(TournamentService(ledger, catalog.game, steady_clock()).standings(TOURNAMENT))
    ledger.close()


def _verify(settings: Context) -> list[str]:
    from keylore_cli.auditing import audited, own_key, verdict

    ledger = settings.existing_ledger()
    games = ledger.ids("m/")
    ledger.close()
    click.echo(f"\nverifying {len(games)} games: every rule, every draw, every clock, the chain, the seal")
    for match in games:
        report = audited(settings, match, own_key(settings))
        click.echo("  " + verdict(report, detailed=False))
        if not report.is_valid:
            raise SystemExit(1)
    return games


def _replay(settings: Context, match: str) -> None:
    from keylore_cli.auditing import opened
    from keylore_cli.stepping import Stepper

    timeline, _ = opened(settings, match)
    stepper = Stepper(timeline, "all")
    click.echo(f"\nhow {match} ended (event, ply, who did what, what the rules did):\n")
    for version in range(max(len(timeline) - EXCERPT, 1), len(timeline) + 1):
        click.echo("\n".join(stepper.lines(version)))


def _say_where(settings: Context, match: str, seconds: float) -> None:
    option = f"keylore --league {settings.folder}"
    click.echo(
        f"""
done in {seconds:.0f} s. Everything lies in {settings.folder.resolve()}:
  ledger.db  every event of every game, bot and tournament
  keys/      the arbiter's keys, readable by you alone
  bots/      the tokens of the bots that this machine runs
  logs/      what those bots wrote

What to try next:
  {option} game step {match}          # go through a game, move by move
  {option} game why {match}@200/all   # which rule did what
  {option} tournament pairings {TOURNAMENT}        # who met whom, and why
  {option} game play keydom --seat human --seat greedy
  keylore bot new mine                    # write a bot of your own"""
    )
