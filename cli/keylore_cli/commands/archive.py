"""`keylore archive`: questions to all stored games at once."""

from typing import TYPE_CHECKING

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, GameName, Group, examples, json_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from keylore_services.replay.impact import Impact


@click.command(
    "impact",
    cls=Command,
    epilog=examples(
        ("keylore archive impact --game keydom --rules 2", "which games would rules 2 have changed?"),
        ("keylore archive impact --game keydom --rules 2 --all", "also those that come out the same"),
        ("keylore archive impact --game keydom --rules ./ruling.py:Ruled", "a ruling that is only planned"),
        ("keylore archive impact --game keydom --rules 2 --json", "for programs"),
    ),
)
@click.option("--game", "game_id", type=GameName(), required=True, help="The game whose rules change.")
@click.option(
    "--rules",
    required=True,
    metavar="NEW",
    help="A version of its rules (`keylore --version` lists them), or FILE.py:CLASS with planned ones.",
)
@click.option("--all", "every", is_flag=True, help="List games that come out the same, too.")
@json_option
@pass_settings
def impact(settings: Context, game_id: str, rules: str, every: bool, as_json: bool) -> None:
    """Say which stored games would have gone otherwise under NEW rules.

    Each game is played again, move by move, under its own rules and beside them under the new ones. Listed
    are the games whose legality, scores or winner would differ, with the first event that makes it so.
    Nothing stored is changed: a game, also one that is being played, stays what it is under its own rules.

    Exit code 1 if a game would differ, 0 if none would.
    """
    from keylore_cli.rulings import impacts

    found = impacts(settings, game_id, rules)
    affected = [one for one in found if one.is_affected]
    shown = found if every else affected
    if as_json:
        counts = {"games": len(found), "affected": len(affected)}
        print_json({"game": game_id, "under": rules, **counts, "impacts": shown})
    else:
        _print(shown, f"{len(affected)} of {len(found)} games of {game_id} would differ under rules {rules}")
    raise SystemExit(1 if affected else 0)


def _print(shown: "Sequence[Impact]", summary: str) -> None:
    from keylore_cli.tables import print_table

    if shown:
        print_table(
            "Games under other rules",
            ("game", "rules", "differs in", "event", "what", "scores", "instead"),
            [
                (
                    one.match,
                    one.rules,
                    ", ".join(one.effects) or "-",
                    one.event or "-",
                    one.reason or "-",
                    _numbers(one.scores),
                    _numbers(one.new_scores),
                )
                for one in shown
            ],
        )
    click.echo(summary)


def _numbers(scores: "Sequence[int]") -> str:
    return " ".join(map(str, scores)) or "-"


@click.group(
    cls=Group,
    epilog=examples(("keylore archive impact --game keydom --rules 2", "what a ruling would have changed")),
)
def archive() -> None:
    """Ask all stored games at once."""


archive.add_command(impact)
