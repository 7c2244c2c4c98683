"""FIDE's tournament report file (TRF) of an event with tables of two, in the edition of 2016 or of 2026.

The first seat is White. Only rounds with all results are written.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, Literal

import msgspec

from keylore_domain.errors import OptionError
from keylore_domain.swiss.scoring import bye_points
from keylore_domain.swiss.scoring_terms import TieBreak
from keylore_domain.swiss.sheets import Entry, Sheet
from keylore_services.tournament.exchange.results import Results

Edition = Literal["trf16", "trf26"]

TIE_BREAK_CODES: Final[Mapping[TieBreak, str]] = {
    "direct_encounter": "DE",
    "buchholz": "BH",
    "buchholz_cut1": "BH/C1",
    "buchholz_median": "BH/M1",
    "sonneborn_berger": "SB",
    "progressive": "PS",
    "wins": "WIN",
    "won": "WON",
    "opponents_rating": "ARO",
}
"""FIDE's codes; tie-breaks of tables have none."""

_UNPLAYED: Final = {"bye": "U", "half_bye": "H", "absent": "Z", "void": "Z"}
_MOST: Final = 9999


def trf(results: Results, edition: Edition = "trf26") -> str:
    """*results* as a report file.

    Raises:
        OptionError: TRF cannot say it: tables of more than two, scores instead of wins, too many entrants.
    """
    _check(results)
    complete = tuple(played for played in results.rounds if played.is_complete)
    written = msgspec.structs.replace(results, rounds=complete)
    lines = [*_head(written), *(_scoring(written) if edition == "trf26" else ()), *_players(written)]
    return "\n".join(lines) + "\n"


def _check(results: Results) -> None:
    rule = results.terms.scoring.rule
    if results.terms.table_size != 2:
        problem = f"has tables of {results.terms.table_size}"
        raise OptionError("format", problem, "csv, csv-results, json, markdown, html")
    if results.terms.pairing.games != 1:
        problem = f"TRF has one game a round, not {results.terms.pairing.games}"
        raise OptionError("format", problem, "csv, csv-results, json, markdown, html")
    if rule not in {"rank_points", "win_draw_loss"}:
        raise OptionError("format", f"TRF has no {rule}", "csv, csv-results, json, markdown, html")
    if max((entrant.number for entrant in results.entrants), default=0) > _MOST:
        raise OptionError("format", f"TRF numbers entrants up to {_MOST}", "csv, json, markdown, html")


def _head(results: Results) -> Iterator[str]:
    yield f"012 {_plain(results.title)}"
    yield f"062 {len(results.entrants)}"
    yield f"072 {sum(entrant.rating > 0 for entrant in results.entrants)}"
    yield f"092 {_plain(results.pairing or 'Individual')}"


def _scoring(results: Results) -> Iterator[str]:
    """The records that the edition of 2026 has added: rounds, points and tie-breaks."""
    terms = results.terms
    bye = bye_points(terms, results.rounds[-1]) if results.rounds else Fraction(0)
    win, draw, loss = _worth(results)
    yield f"142 {results.planned or len(results.rounds)}"
    values = (("W", win), ("D", draw), ("L", loss), ("A", Fraction(0)), ("P", bye))
    yield "162  " + "    ".join(f"{sign}{float(worth):4.1f}" for sign, worth in values)
    codes = [TIE_BREAK_CODES[name] for name in terms.tie_breaks if name in TIE_BREAK_CODES]
    yield "212 " + ",".join(["PTS", *codes])


def _worth(results: Results) -> tuple[Fraction, Fraction, Fraction]:
    scoring = results.terms.scoring
    if scoring.rule == "win_draw_loss":
        return Fraction(scoring.win, 2), Fraction(scoring.draw, 2), Fraction(scoring.loss, 2)
    first, last = scoring.scale or (2, 0)
    return Fraction(first, 2), Fraction(first + last, 4), Fraction(last, 2)


def _players(results: Results) -> Iterator[str]:
    places = {row.bot: place for place, row in enumerate(results.standings(), 1)}
    names = {entrant.bot: entrant.name for entrant in results.entrants}
    numbers = {entrant.bot: entrant.number for entrant in results.entrants}
    for sheet in results.sheets():
        rating = sheet.rating if sheet.rating > 0 else ""
        yield (
            f"001 {sheet.number:>4}      {_plain(names[sheet.bot])[:33]:<33} {rating:>4}"
            f"{'':>28}{float(sheet.points):>4.1f} {places[sheet.bot]:>4}{_rounds(sheet, results, numbers)}"
        )


def _rounds(sheet: Sheet, results: Results, numbers: Mapping[str, int]) -> str:
    entries = {entry.round: entry for entry in sheet.entries}
    return "".join(f"  {_round(entries[played.number], numbers)}" for played in results.rounds)


def _round(entry: Entry, numbers: Mapping[str, int]) -> str:
    if not entry.rank:
        return f"0000 - {_UNPLAYED[entry.kind]}"
    (meeting,) = entry.meetings
    forfeits = {"forfeit_win": "+", "forfeit_loss": "-"}
    result = forfeits.get(entry.kind) or {1: "1", 0: "=", -1: "0"}[meeting.order]
    return f"{numbers[meeting.bot]:>4} {'wb'[entry.seat]} {result}"


def _plain(text: str) -> str:
    """*text* on one line."""
    return " ".join(text.split())
