"""`keylore tournament terms`: what a tournament may be made with."""

import click

from keylore_cli.context import print_json
from keylore_cli.parsing import Command, examples, json_option


@click.command(
    "terms",
    cls=Command,
    epilog=examples(
        ("keylore tournament terms", "all keys of --scoring, --pairing and --absence, and all tie-breaks"),
        (
            "keylore tournament new cup --game keydom --table 2 --rounds 5 --pairing seeding=rating",
            "one of them",
        ),
    ),
)
@json_option
def terms(as_json: bool) -> None:
    """List what a tournament may be made with.

    All terms, what they may be, and their defaults; docs/leagues.md says what each of them means.
    """
    from typing import get_args

    import msgspec

    from keylore_cli.tables import print_table
    from keylore_domain.engine.options import option_table
    from keylore_domain.swiss.absences import AbsenceTerms
    from keylore_domain.swiss.pairing_terms import PairingTerms
    from keylore_domain.swiss.scoring_terms import DEFAULT_TIE_BREAKS, Scoring, TieBreak

    kinds: dict[str, type[msgspec.Struct]] = {
        "scoring": Scoring,
        "pairing": PairingTerms,
        "absence": AbsenceTerms,
    }
    tables = {name: option_table(kind) for name, kind in kinds.items()}
    if as_json:
        keys = ("key", "allowed", "default")
        found: dict[str, object] = {
            name: [dict(zip(keys, row, strict=True)) for row in rows] for name, rows in tables.items()
        }
        print_json({**found, "tie_breaks": {"allowed": get_args(TieBreak), "default": DEFAULT_TIE_BREAKS}})
        return
    for name, rows in tables.items():
        print_table(f"--{name} KEY=VALUE", ("key", "allowed", "default"), rows)
        click.echo()
    usual = {name: str(at) for at, name in enumerate(DEFAULT_TIE_BREAKS, 1)}
    print_table(
        "--tie-break NAME",
        ("name", "by default"),
        [(name, usual.get(name, "-")) for name in get_args(TieBreak)],
    )
