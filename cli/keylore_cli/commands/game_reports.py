"""`keylore game list|options|schemas`: which games were played, and what games there are."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, GameName, examples, json_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from keylore_domain.engine.records import Status
    from keylore_services.ledger.matches import MatchEntry


@click.command(
    "list",
    cls=Command,
    epilog=examples(
        ("keylore game list", "the last 50 games"),
        ("keylore game list --tournament cup --limit 1000", ""),
        ("keylore game list --status playing --json", "what is being played"),
    ),
)
@click.option(
    "--game", "game_id", type=GameName(), default=None, help="Only games of this kind, such as keydom."
)
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
    from keylore_cli.leagues import check_tournament
    from keylore_services.ledger.matches import MatchIndex

    ledger = settings.existing_ledger()
    try:
        if tournament is not None:
            check_tournament(ledger, tournament)
            tournament = f"t/{tournament.removeprefix('t/')}"
        index = MatchIndex(ledger)
        entries = index.entries(
            game=game_id, tournament=tournament, status=cast("Status | None", status), limit=limit
        )
        index.close()
    finally:
        ledger.close()
    if as_json:
        print_json(entries)
    else:
        _print_entries(entries, limit)


@click.command(
    "options",
    cls=Command,
    epilog=examples(
        ("keylore game options keydom", ""),
        ("keylore game play keydom -o short_game=true --seat greedy --seat greedy", "how to give one"),
    ),
)
@click.argument("game_id", metavar="GAME", type=GameName())
@json_option
def options(game_id: str, as_json: bool) -> None:
    """List the options of GAME, what they may be, and their defaults."""
    from keylore_cli.tables import print_table
    from keylore_domain import catalog
    from keylore_domain.engine.options import option_table

    rows = option_table(catalog.game(game_id).options_type)
    if as_json:
        print_json(
            [{"option": name, "allowed": allowed, "default": default} for name, allowed, default in rows]
        )
    else:
        print_table(f"Options of {game_id}", ("option", "allowed", "default"), rows)


@click.command(
    "schemas",
    cls=Command,
    epilog=examples(
        ("keylore game schemas keydom", "one JSON document"),
        ("keylore game schemas keydom schemas/", "one file each"),
    ),
)
@click.argument("game_id", metavar="GAME", type=GameName())
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@json_option
def schemas(game_id: str, folder: Path | None, as_json: bool) -> None:
    """Print the JSON schemas of GAME, or write them to FOLDER.

    There is one for views, moves, facts, options and the outcome each.
    """
    import msgspec

    from keylore_domain import catalog
    from keylore_domain.engine import schemas as published

    found = published.schemas(catalog.game(game_id))
    if folder is None:
        print_json(found)
        return
    files = [folder / f"{name}.json" for name in found]
    for path, schema in zip(files, found.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n")
    if as_json:
        print_json({"game": game_id, "files": [str(path) for path in files]})
    else:
        click.echo(f"wrote {len(files)} schemas to {folder}")


def _print_entries(entries: "Sequence[MatchEntry]", limit: int) -> None:
    from keylore_cli.tables import print_table
    from keylore_services.replay.text import moment_text

    if not entries:
        click.echo("no such games; `keylore game play` and `keylore tournament run` play some")
        return
    print_table(
        "Games, the last one first",
        ("game", "of", "status", "events", "bots by seat", "winners", "last event (UTC)"),
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
    if len(entries) == limit:
        click.echo(f"the last {limit} games; --limit shows more", err=True)
