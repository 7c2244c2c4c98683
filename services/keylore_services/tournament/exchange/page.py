"""The printable report: one HTML file without scripts or links, for screens, paper and screen readers."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import Final

from keylore_services.tournament.exchange.crosstables import Line, Report, Seat, Table, in_round, shown
from keylore_services.tournament.exchange.texts import PAIRED, games, paired_rows, state

STYLE: Final = """
:root { color-scheme: light dark; --line: #8888; --soft: #8882; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2rem; } .state { margin-top: .2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .6rem; text-align: left; white-space: nowrap; }
thead th { border-bottom-width: 2px; vertical-align: bottom; }
tbody th { font-weight: 600; }
tbody tr:nth-child(even) { background: var(--soft); }
.number, thead .number { text-align: right; font-variant-numeric: tabular-nums; }
.gone { font-style: italic; font-weight: 400; }
.tables { columns: 26rem; column-gap: 2rem; } .tables .wide { break-inside: avoid; }
.tables tbody th { white-space: normal; overflow-wrap: anywhere; }
@media print {
  @page { margin: 12mm; }
  body { font-size: 9.5pt; margin: 0; max-width: none; color: #000; background: #fff; }
  h2 { break-after: avoid; } thead { display: table-header-group; } tr { break-inside: avoid; }
  .tables { columns: 2; } .wide { overflow: visible; } th, td { padding: .1rem .35rem; white-space: normal; }
}
"""


def page(report: Report) -> str:
    """The report of a tournament as one HTML document."""
    title = escape(report.title)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            "<main>",
            f"<h1>{title}</h1>",
            f'<p class="state">{escape(_facts(report))}</p>',
            "<h2>Standings</h2>",
            _standings(report),
            "<h2>Cross-table</h2>",
            _legend(report),
            _crosstable(report),
            *_paired(report),
            *_rounds(report),
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _facts(report: Report) -> str:
    return f"{games(report)}, tables of {report.table_size}, {len(report.lines)} bots; {state(report)}"


def _standings(report: Report) -> str:
    names = [name.replace("_", " ") for name in report.tie_breaks]
    head = ["rank", "bot", "points", *names, "games", "byes"]
    rows = [
        _row(
            [_number(line.rank), _heading(line)]
            + [_number(shown(value)) for value in (line.points, *line.tie_breaks)]
            + [_number(line.played), _number(line.byes)]
        )
        for line in report.lines
    ]
    return _table("Standings: points, then tie-breaks in the order in which they decide", head, rows)


def _legend(report: Report) -> str:
    two = "the opponent's number, the seat (s1 is the first) and the result"
    more = "the rank at the table and the opponents' numbers"
    return f"<p>Each round shows {two if report.table_size == 2 else more}.</p>"


def _crosstable(report: Report) -> str:
    head = ["rank", "no.", "bot", *(f"round {number}" for number in range(1, report.rounds + 1)), "points"]
    rows = [
        _row(
            [_number(line.rank), _number(line.number), _heading(line)]
            + [f"<td>{escape(in_round(cells))}</td>" for cells in line.cells]
            + [_number(shown(line.points))]
        )
        for line in report.lines
    ]
    return _table("Cross-table: every bot in every round", head, rows)


def _paired(report: Report) -> Iterable[str]:
    """What deals tell that several games share, if any do."""
    if report.paired:
        yield "<h2>Scores above luck</h2>"
        rows = [
            _row([f"<td>{escape(game)}</td>", f'<th scope="row">{escape(name)}</th>', *map(_number, rest)])
            for game, name, *rest in paired_rows(report)
        ]
        yield _table("Over all deals that several games share, without the luck of the seats", PAIRED, rows)


def _rounds(report: Report) -> Iterable[str]:
    for number, tables in groupby(report.tables, key=lambda table: table.round):
        yield f"<h2>Round {number}</h2>"
        if report.byes[number - 1]:
            yield f"<p>Byes: {escape(', '.join(report.byes[number - 1]))}</p>"
        yield '<div class="tables">'
        yield from (_seats(table, several=len(report.games) > 1) for table in tables)
        yield "</div>"


def _seats(table: Table, *, several: bool) -> str:
    rows = [
        _row([_number(at), f'<th scope="row">{escape(seat.name)}{_remark(seat)}</th>', *_result(seat)])
        for at, seat in enumerate(table.seats, 1)
    ]
    played = f" ({table.plays})" if several else ""
    caption = (
        f"Table {table.number}{played}: {table.match}" if table.match else f"Table {table.number}{played}"
    )
    ruling = f"<p>Table {table.number} {escape(table.ruling)}</p>" if table.ruling else ""
    return _table(caption, ["seat", "bot", "rank", "score", "points"], rows) + ruling


def _remark(seat: Seat) -> str:
    return ' <span class="gone">(forfeited)</span>' if seat.forfeited else ""


def _result(seat: Seat) -> list[str]:
    values = (seat.rank, seat.score, shown(seat.points)) if seat.rank else ("", "", "")
    return [_number(value) for value in values]


def _table(caption: str, head: Sequence[str], rows: Iterable[str]) -> str:
    columns = "".join(map(_column, head))
    return (
        f'<div class="wide"><table>\n<caption>{escape(caption)}</caption>\n'
        f"<thead><tr>{columns}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody>\n</table></div>"
    )


def _column(name: str) -> str:
    """The head of a column; those of numbers stand on the right, as the numbers do."""
    side = "" if name in {"bot", "game"} or name.startswith("round ") else ' class="number"'
    return f'<th scope="col"{side}>{escape(name)}</th>'


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _heading(line: Line) -> str:
    gone = "" if line.active else ' <span class="gone">(withdrew)</span>'
    return f'<th scope="row">{escape(line.name)}{gone}</th>'


def _number(value: object) -> str:
    return f'<td class="number">{escape(str(value))}</td>'
