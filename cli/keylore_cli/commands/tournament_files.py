"""`keylore tournament export|trf`: tournaments for other programs and for paper."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from keylore_cli.context import Context, pass_settings, print_json
from keylore_cli.parsing import Command, at_option, examples, json_option, round_option

if TYPE_CHECKING:
    from keylore_services.tournament.exchange.formats import Format

_FORMATS = ("csv", "csv-results", "json", "markdown", "html", "trf16", "trf26")
_OUT = click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="The file to write.  [default: standard output]",
)


@click.command(
    "export",
    cls=Command,
    epilog=examples(
        ("keylore tournament export cup --format html -o cup.html", "standings and cross-table, to print"),
        ("keylore tournament export cup --format csv", "one line for each bot"),
        ("keylore tournament export cup --format csv-results", "one line for each seat of each table"),
        ("keylore tournament export cup --format trf26 --round 3 -o cup.trf", "for chess programs"),
    ),
)
@click.argument("name")
@click.option("--format", "form", type=click.Choice(_FORMATS), required=True, help="What to write.")
@_OUT
@round_option
@at_option
@pass_settings
def export(
    settings: Context, name: str, form: str, out: Path | None, number: int | None, at: int | None
) -> None:
    """Write NAME for other programs, or as a report to print.

    csv, json, markdown and html hold standings and cross-table, csv-results every seat of every table;
    trf16 and trf26 are FIDE's report files of 2016 and 2026, for tables of two with one game a round.
    """
    from keylore_cli.leagues import reports

    with reports(settings, name) as read:
        text = read.export(name, cast("Format", form), number, at)
    _write(text, out)


@click.command(
    "trf",
    cls=Command,
    epilog=examples(
        ("keylore tournament trf open.trf", "standings and tie-breaks, and whether the pairings follow"),
        ("keylore tournament trf open.trf --format html -o open.html", "the same event as a report to print"),
    ),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--format", "form", type=click.Choice(_FORMATS), default=None, help="Write this instead.")
@_OUT
@json_option
def trf(file: Path, form: str | None, out: Path | None, as_json: bool) -> None:
    """Read the report FILE of another program, and check it.

    FILE is a TRF of FIDE (2016 or 2026) of an event of single players. The standings are worked out from
    its results; each round is held against the FIDE Dutch System: who may meet, who may have the bye, and the
    colours, and with the extra `fide` also whether it is the round that the rules give. Exit code 1 if a
    round breaks a rule. The file enters no league.
    """
    from keylore_cli.exchange_text import print_event
    from keylore_services.tournament.exchange.formats import exported
    from keylore_services.tournament.exchange.trf_checking import checked_rounds
    from keylore_services.tournament.exchange.trf_reading import read_trf

    event = read_trf(file.read_text(encoding="utf-8-sig", errors="replace"))
    if form is not None:
        _write(exported(event, cast("Format", form)), out)
        return
    rounds = checked_rounds(event)
    if as_json:
        print_json(
            {"title": event.title, "notes": event.notes, "standings": event.standings(), "rounds": rounds}
        )
    else:
        print_event(event, rounds)
    if any(one.problems for one in rounds):
        raise SystemExit(1)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
        return
    out.write_text(text, encoding="utf-8")
    click.echo(f"wrote {out}", err=True)
