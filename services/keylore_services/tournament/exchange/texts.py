"""Reports as CSV, JSON and Markdown."""

import csv
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from keylore_services.tournament.exchange.crosstables import Report, in_round, shown

PAIRED: Final = ("game", "bot", "mean score above luck", "give or take", "deals")


def csv_standings(report: Report) -> str:
    """The standings with all rounds; values as decimal numbers of six digits at most."""
    rounds = [f"round {number}" for number in range(1, report.rounds + 1)]
    head = ["rank", "number", "bot", "name", "rating", "active", "points"]
    head += [*report.tie_breaks, "played", "byes", *rounds]
    rows = [
        [
            *(line.rank, line.number, line.bot, line.name, line.rating or ""),
            "yes" if line.active else "no",
            *map(decimal, (line.points, *line.tie_breaks)),
            *(line.played, line.byes),
            *(in_round(cells) for cells in line.cells),
        ]
        for line in report.lines
    ]
    return _csv(head, rows)


def csv_results(report: Report) -> str:
    """Every seat of every table; empty ranks where a result is missing."""
    head = [
        "round",
        "table",
        "game",
        "match",
        "seat",
        "name",
        "rank",
        "score",
        "points",
        "forfeited",
        "cause",
    ]
    rows = [
        [
            *(table.round, table.number, table.plays, table.match, at, seat.name),
            *((seat.rank, seat.score, decimal(seat.points)) if seat.rank else ("", "", "")),
            "yes" if seat.forfeited else "no",
            table.cause,
        ]
        for table in report.tables
        for at, seat in enumerate(table.seats, 1)
    ]
    return _csv(head, rows)


def json_report(report: Report) -> str:
    """The whole report; all values exact."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def markdown_report(report: Report) -> str:
    """Title, standings and cross-table."""
    facts = f"{games(report)}, tables of {report.table_size}, {state(report)}"
    names = [name.replace("_", " ") for name in report.tie_breaks]
    standings = [
        [
            str(line.rank),
            line.name + ("" if line.active else " (withdrew)"),
            *map(shown, (line.points, *line.tie_breaks)),
        ]
        for line in report.lines
    ]
    rounds = [str(number) for number in range(1, report.rounds + 1)]
    crossed = [
        [str(line.rank), str(line.number), line.name, *map(in_round, line.cells), shown(line.points)]
        for line in report.lines
    ]
    parts = [
        f"# {_escaped(report.title)}",
        _escaped(facts),
        "## Standings",
        _table(["rank", "bot", "points", *names], standings),
        "## Rounds",
        _table(["rank", "no.", "bot", *rounds, "points"], crossed),
    ]
    if report.paired:
        parts += ["## Scores above luck", _table(PAIRED, paired_rows(report))]
    return "\n\n".join(parts) + "\n"


def paired_rows(report: Report) -> list[tuple[str, str, str, str, str]]:
    """Of each entrant that shared deals: game, name, mean score above luck, its error, how many deals."""
    names = {line.bot: line.name for line in report.lines}
    return [
        (
            report.games[one.turn].game,
            names[one.bot],
            decimal(one.above),
            "-" if one.error is None else str(one.error),
            str(one.deals),
        )
        for one in report.paired
    ]


def games(report: Report) -> str:
    """What is played, each game once."""
    shown = [one.game + (f" (rules {one.rules})" if one.rules else "") for one in report.games]
    return ", ".join(dict.fromkeys(shown))


def state(report: Report) -> str:
    """How far the tournament is, in words."""
    if report.is_final:
        return f"final standings after round {report.rounds}"
    of_all = f" of {report.rounds_planned}" if report.rounds_planned else ""
    return f"standings after round {report.rounds}{of_all}"


def decimal(value: str) -> str:
    """An exact value as a decimal number, rounded to six digits where it has more."""
    number = Fraction(value)
    return f"{round(number * 10**6) / 10**6:.6f}".rstrip("0").rstrip(".")


def _csv(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([[_safe(value) for value in row] for row in rows])
    return out.getvalue()


def _safe(value: object) -> object:
    """A text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "@", "\t"} else value


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_escaped, line)) + " |" for line in lines)


def _escaped(text: str) -> str:
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, "\\" + sign)
    return text.replace("\n", " ")
