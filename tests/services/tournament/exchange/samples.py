"""Tournaments to export: made up results, awkward names, byes, withdrawals, forfeits."""

from pathlib import Path
from typing import Any, Final

import msgspec

from keylore_domain.swiss.rounds import Entrant, Placing, PlayedTable, Round
from keylore_domain.swiss.scoring_terms import Scoring
from keylore_services.tournament.exchange.results import Results
from tests.domain.swiss.leagues import terms

DATA: Final = Path(__file__).parent / "data"
NAMES: Final = ("alice", "<b>bob</b>", "carol|x", "dave", "=SUM(1)")


def entrants() -> tuple[Entrant, ...]:
    return tuple(
        Entrant(bot=f"bot/{number}", name=name, number=number, rating=1500 + 7 * number if number < 4 else 0)
        for number, name in enumerate(NAMES, 1)
    )


def table(number: int, seats: str, ranks: str, scores: tuple[int, ...] = (), **changes: Any) -> PlayedTable:
    """A table of entrants by number; without ranks its result is missing."""
    bots = tuple(f"bot/{seat}" for seat in seats)
    values = scores or (0,) * len(ranks)
    placings = tuple(
        Placing(bot, int(rank), score) for bot, rank, score in zip(bots, ranks, values, strict=False)
    )
    return PlayedTable(
        **{
            "number": number,
            "seats": bots,
            "match": f"m/cup/t{number}",
            "cause": "rules",
            "placings": placings,
            **changes,
        }
    )


def pairs(**changes: Any) -> Results:
    """Two rounds of two seats: a win, a forfeit, a bye; a draw, a double forfeit, a requested bye."""
    rounds = (
        Round(
            number=1,
            tables=(table(1, "12", "12"), table(2, "34", "21", forfeited=(0,))),
            byes=("bot/5",),
        ),
        Round(
            number=2,
            tables=(table(1, "41", "11"), table(2, "23", "12", forfeited=(0, 1))),
            byes=(),
            half_byes=("bot/5",),
        ),
    )
    results = Results(
        id="t/cup",
        title='Spring & "Cup"\n<2026>',
        terms=terms(
            table_size=2,
            rounds=3,
            scoring=Scoring(bye="win", unplayed="fide"),
            tie_breaks=("buchholz_cut1", "buchholz", "sonneborn_berger", "lot"),
        ),
        seed="spring",
        entrants=entrants(),
        rounds=rounds,
        planned=3,
        is_final=False,
        pairing="tables/1",
    )
    return msgspec.structs.replace(results, **changes)


def threes() -> Results:
    """One round of a table of three, with shares of the score as points; one bot withdrew, one was absent."""
    played = Round(number=1, tables=(table(1, "312", "213", (3, 6, 0)),), byes=("bot/4",))
    known = entrants()
    gone = msgspec.structs.replace(known[1], active=False)
    return Results(
        id="t/trio",
        title="Trio",
        terms=terms(table_size=3, rounds=1, scoring=Scoring(rule="table_share"), tie_breaks=("table_share",)),
        seed="spring",
        entrants=(known[0], gone, *known[2:]),
        rounds=(played,),
        planned=1,
        is_final=True,
    )
