"""The cross-table: who met whom in which round, and how it ended; the base of all reports."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from keylore_domain.swiss.duplicates import DealReport, PairedScore, paired_scores
from keylore_domain.swiss.rounds import PlayedTable
from keylore_domain.swiss.rulings import RULED
from keylore_domain.swiss.scoring_terms import TieBreak
from keylore_domain.swiss.sheets import Entry, Sheet
from keylore_domain.swiss.standings import StandingsRow
from keylore_domain.swiss.terms import programme
from keylore_services.tournament.exchange.results import Results
from keylore_services.tournament.words import exact, ruling_text

SCHEMA: Final = "keylore.tournament-report/1"

_WITHOUT_TABLE: Final = {"bye": "bye", "half_bye": "requested bye", "absent": "-", "void": "void"}


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One round of one entrant.

    ``text``: at tables of two, the opponent's number, the seat and the result (``7 s1 1``); at larger ones,
    the rank and the opponents' numbers (``2. of 3, 9, 12``). ``opponents`` are numbers, ``seat`` counts from
    1, 0 without a table.
    """

    round: int
    kind: str
    text: str
    points: str
    seat: int = 0
    rank: int = 0
    score: int = 0
    opponents: tuple[int, ...] = ()


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant: place, points and tie-breaks as exact texts, and a cell for each round."""

    rank: int
    number: int
    bot: str
    name: str
    rating: int
    active: bool
    points: str
    tie_breaks: tuple[str, ...]
    played: int
    byes: int
    cells: tuple[tuple[Cell, ...], ...]


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a table; ``rank`` is 0 until the result is in."""

    name: str
    rank: int
    score: int
    points: str
    forfeited: bool


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One table of a round, its seats in order; ``plays``: the game.

    ``ruling``: what was ruled about its result; may be empty.
    """

    round: int
    number: int
    match: str
    plays: str
    cause: str
    ruling: str
    seats: tuple[Seat, ...]


class GameOf(msgspec.Struct, frozen=True, kw_only=True):
    """A game of the tournament; ``rules`` is empty where they are unknown."""

    game: str
    rules: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is printed of a tournament; the lines are in the order of the standings.

    ``deals``, ``paired``: what deals tell that several games share, one by one and over all.
    """

    schema: str
    tournament: str
    title: str
    games: tuple[GameOf, ...]
    table_size: int
    rounds: int
    rounds_planned: int
    is_final: bool
    tie_breaks: tuple[TieBreak, ...]
    lines: tuple[Line, ...]
    tables: tuple[Table, ...]
    byes: tuple[tuple[str, ...], ...]
    deals: tuple[DealReport, ...]
    paired: tuple[PairedScore, ...]


def report_of(results: Results) -> Report:
    """The report of *results*."""
    sheets = {sheet.bot: sheet for sheet in results.sheets()}
    ratings = {entrant.bot: entrant.rating for entrant in results.entrants}
    numbers = {entrant.bot: entrant.number for entrant in results.entrants}
    names = {entrant.bot: entrant.name for entrant in results.entrants}
    terms = results.terms
    return Report(
        schema=SCHEMA,
        tournament=results.id,
        title=results.title,
        games=tuple(GameOf(game=one.game, rules=one.rules or "") for one in programme(terms)),
        table_size=terms.table_size,
        rounds=len(results.rounds),
        rounds_planned=results.planned,
        is_final=results.is_final,
        tie_breaks=terms.tie_breaks,
        lines=tuple(
            _line(row, sheets[row.bot], ratings[row.bot], numbers, len(results.rounds))
            for row in results.standings()
        ),
        tables=tuple(_tables(results, sheets, names)),
        byes=tuple(
            tuple(names[bot] for bot in (*played.byes, *played.half_byes)) for played in results.rounds
        ),
        deals=results.deals,
        paired=paired_scores(results.deals),
    )


def _line(row: StandingsRow, sheet: Sheet, rating: int, numbers: Mapping[str, int], rounds: int) -> Line:
    cells = [_cell(entry, numbers) for entry in sheet.entries]
    return Line(
        rank=row.rank,
        number=row.number,
        bot=row.bot,
        name=row.name,
        rating=rating,
        active=row.active,
        points=row.points,
        tie_breaks=row.values,
        played=row.played,
        byes=row.byes,
        cells=tuple(tuple(cell for cell in cells if cell.round == number) for number in range(1, rounds + 1)),
    )


def _cell(entry: Entry, numbers: Mapping[str, int]) -> Cell:
    opponents = tuple(numbers[one.bot] for one in entry.meetings)
    return Cell(
        round=entry.round,
        kind=entry.kind,
        text=_text(entry, opponents),
        points=str(entry.points),
        seat=entry.seat + 1 if entry.rank else 0,
        rank=entry.rank,
        score=entry.score,
        opponents=opponents,
    )


def _text(entry: Entry, opponents: tuple[int, ...]) -> str:
    if not entry.rank:
        return _WITHOUT_TABLE[entry.kind]
    if len(opponents) == 1:
        return f"{opponents[0]} s{entry.seat + 1} {_result(entry)}"
    return f"{entry.rank}. of {', '.join(map(str, opponents))}"


def _result(entry: Entry) -> str:
    forfeits: dict[str, Literal["+", "-"]] = {"forfeit_win": "+", "forfeit_loss": "-"}
    return forfeits.get(entry.kind) or {1: "1", 0: "=", -1: "0"}[entry.meetings[0].order]


def _tables(results: Results, sheets: Mapping[str, Sheet], names: Mapping[str, str]) -> list[Table]:
    points = {
        (entry.round, sheet.bot): str(entry.points) for sheet in sheets.values() for entry in sheet.games
    }
    games = [one.game for one in programme(results.terms)]
    return [
        Table(
            round=played.number,
            number=table.number,
            match=table.match,
            plays=games[table.turn],
            cause=table.cause,
            ruling=_ruling(table),
            seats=tuple(
                Seat(
                    name=names[bot],
                    rank=table.placings[seat].rank if table.placings else 0,
                    score=table.placings[seat].score if table.placings else 0,
                    points=points.get((played.number, bot), ""),
                    forfeited=seat in table.forfeited,
                )
                for seat, bot in enumerate(table.seats)
            ),
        )
        for played in results.rounds
        for table in played.tables
    ]


def _ruling(table: PlayedTable) -> str:
    if table.ruling is None:
        return ""
    is_ruled = table.cause == RULED
    played = table.played if is_ruled else None
    return ruling_text(table.ruling, played, void=table.void, is_ruled=is_ruled)


def in_round(cells: Sequence[Cell]) -> str:
    """What an entrant did in one round, in a few signs."""
    return "; ".join(cell.text for cell in cells if cell.seat or cell is cells[0])


def shown(value: str) -> str:
    """An exact value for people; nothing for nothing."""
    return exact(value) if value else ""
