"""`keylore tournament luck`: what deals tell that several games share."""

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, at_option, examples, json_option, round_option


@click.command(
    "luck",
    cls=Command,
    epilog=examples(
        ("keylore tournament luck cup", "who scored more than luck, and what each seat brings"),
        ("keylore tournament luck cup --deals", "deal by deal"),
        ("keylore tournament luck cup --round 2 --json", "after round 2, for programs"),
    ),
)
@click.argument("name")
@click.option("--deals", "by_deal", is_flag=True, help="Each deal by itself.")
@round_option
@at_option
@json_option
@pass_settings
def luck(
    settings: Context, name: str, by_deal: bool, number: int | None, at: int | None, as_json: bool
) -> None:
    """Part luck from skill in NAME, where games share deals.

    They do in a tournament with the terms games=N and duplicate=true, and in a solo league. What a seat of a
    deal brought, on the average over all who had it, is its luck; what a bot has above that is its own doing.
    Only deals count at which everybody sat on every seat equally often.
    """
    from keylore_cli.leagues import reports
    from keylore_cli.luck_text import print_luck

    with reports(settings, name) as read:
        view = read.luck(name, number, at)
    if as_json:
        print_json(view)
    else:
        print_luck(view, by_deal=by_deal)
