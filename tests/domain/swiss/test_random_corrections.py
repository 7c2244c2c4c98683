"""Laws that hold in every corrected tournament, on random ones of every format.

Entrants come, go, ask for byes and are removed; results are overridden before and after the match has ended;
rounds are paired again. What counts is recounted from the events alone, in another way than the code's.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any, Final

import pytest

from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_domain.swiss.audit import audit
from keylore_domain.swiss.events import (
    EntrantRemoved,
    ResultOverridden,
    ResultRecorded,
    RoundPaired,
    RoundRepaired,
)
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.rounds import Placing, PlayedTable
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.swiss.leagues import AT, bots, by_lot, placings, started

WHO: Final[dict[str, Any]] = {"at": AT, "by": "op/ada", "reason": "a ruling", "ground": "dispute/1"}
FORMATS: Final = ("swiss", "swiss", "round_robin", "knockout", "gauntlet", "ladder")
REFUSED: Final = (ConflictError, NotFoundError, OptionError)


def season(seed: int) -> Tournament:
    """A tournament that was played and corrected at random."""
    lots = Random(seed)
    size = lots.choice((2, 2, 3, 4))
    form = lots.choice(FORMATS)
    tournament = started(
        lots.randint(size, 9),
        format=form,
        table_size=size,
        rounds=lots.randint(1, 4) if form in {"swiss", "ladder"} else 0,
        uneven=lots.choice(("byes", "smaller_tables")) if size > 2 else "byes",
        pairing=PairingTerms(seeding=lots.choice(("lot", "registration")), last_without=0),
    )
    for _ in range(5):
        if tournament.is_played_out or not tournament.can_fill_a_table:
            break
        try:
            tournament.pair_round(at=AT)
        except ConflictError:  # too few stay
            break
        _play(tournament, lots)
    if tournament.is_complete and (tournament.is_played_out or not tournament.can_fill_a_table):
        tournament.finish(at=AT)
        _rule(tournament, lots)
    return tournament


def _play(tournament: Tournament, lots: Random) -> None:
    if lots.random() < 0.4:
        _arrange(tournament, lots)
    for table in tournament.rounds[-1].tables:
        if lots.random() < 0.2:
            _override(tournament, table, lots)
        if lots.random() < 0.1:
            tournament.record_abort(table.match, at=AT, cause="power cut")
        match = tournament.rounds[-1].tables[table.number - 1].match
        tournament.record_result(match, placings(table, by_lot), at=AT, cause="rules")
        if lots.random() < 0.2:
            _rule(tournament, lots)
    with suppress(*REFUSED):
        _come_or_go(tournament, lots)


def _arrange(tournament: Tournament, lots: Random) -> None:
    """Somebody comes or goes after the round was paired, and it is paired again."""
    tournament.pause(at=AT)
    with suppress(*REFUSED):
        _come_or_go(tournament, lots)
    byes = lots.sample(
        [one.bot for one in tournament.active], min(len(tournament.active), lots.choice((0, 1)))
    )
    with suppress(*REFUSED):
        tournament.repair_round(byes=byes, confirmed=lots.choice((None, 1, 2)), **WHO)
    tournament.resume(at=AT)


def _come_or_go(tournament: Tournament, lots: Random) -> None:
    bot = lots.choice(bots(11))
    match lots.choice(("come", "go", "stay away", "nothing")):
        case "come":
            tournament.register(bot, bot.removeprefix("bot/"), at=AT)
        case "go":
            tournament.withdraw(bot, at=AT)
        case "stay away":
            tournament.request_bye(bot, len(tournament.rounds) + 1, "half", at=AT)
        case _:
            pass


def _rule(tournament: Tournament, lots: Random) -> None:
    tables = [table for played in tournament.rounds for table in played.tables]
    if lots.random() < 0.3:
        with suppress(*REFUSED):
            results: Any = lots.choice((None, "keep", "forfeit", "void"))
            tournament.remove_entrant(lots.choice(bots(9)), results=results, **WHO)
    elif tables:
        _override(tournament, lots.choice(tables), lots)


def _override(tournament: Tournament, table: PlayedTable, lots: Random) -> None:
    ranks = by_lot(f"{table.match} {lots.random()}", table.seats)
    ruled = [Placing(bot, rank, rank) for bot, rank in zip(table.seats, ranks, strict=True)]
    losers = lots.sample(table.seats, lots.randint(1, len(table.seats)))
    kind: Any = lots.choice(("places", "forfeit", "void", "original"))
    with suppress(*REFUSED):
        tournament.override_result(table.match, kind, placings=ruled, losers=losers, **WHO)


# --- the recount --------------------------------------------------------------------------------------


class Recount:
    """What counts, from the events: a table is its bots, and a list of (event number, what it says)."""

    def __init__(self, events: Iterable[Any]) -> None:
        self.rounds: dict[int, Any] = {}
        self.said: dict[tuple[int, int], dict[str, Any]] = {}
        self.removed: dict[str, tuple[int, str]] = {}
        for event in events:
            match event:
                case RoundPaired() | RoundRepaired():
                    self.rounds[event.round] = event.pairing
                    self.said = {key: says for key, says in self.said.items() if key[0] != event.round}
                case ResultRecorded():
                    self.said.setdefault((event.round, event.table), {})["played"] = event
                case ResultOverridden():
                    self.said.setdefault((event.round, event.table), {})["ruled"] = event
                case EntrantRemoved():
                    self.removed[event.bot] = event.originator_version, event.results
                case _:
                    pass

    def counting(self) -> Iterable[dict[str, tuple[int, int]]]:
        """The rank and the score of each bot, for each table that counts."""
        for (number, table), says in self.said.items():
            seats = self.rounds[number].tables[table - 1].seats
            played, ruled = says.get("played"), says.get("ruled")
            since = ruled.originator_version if ruled else 0
            fates = {bot: self.removed[bot][1] for bot in seats if self.removed.get(bot, (0,))[0] > since}
            source = ruled if ruled and ruled.kind != "original" else played
            if source is None or "void" in fates.values() or (ruled and ruled.kind == "void"):
                continue
            found = {one.bot: (one.rank, one.score) for one in source.placings}
            losers = {bot for bot, fate in fates.items() if fate == "forfeit"}
            if losers and ruled and ruled.kind != "original":
                losers |= {seats[seat] for seat in ruled.forfeited}
            yield self._lost_by(found, losers)

    @staticmethod
    def _lost_by(found: dict[str, tuple[int, int]], losers: set[str]) -> dict[str, tuple[int, int]]:
        order = [bot for bot in sorted(found, key=lambda bot: found[bot][0]) if bot not in losers]
        ranks = {bot: 1 + sum(found[one][0] < found[bot][0] for one in order) for bot in order}
        ranks |= dict.fromkeys(losers, len(order) + 1)
        return {bot: (ranks[bot], min(found[bot][1], 0) if bot in losers else found[bot][1]) for bot in found}


def check(tournament: Tournament) -> None:
    events = list(tournament.collect_events())
    recount = Recount(events)
    size = tournament.terms.table_size
    points, wins, score, games = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for pairing in recount.rounds.values():
        points.update(dict.fromkeys((*pairing.byes, *pairing.half_byes), size - 1))
    for table in recount.counting():
        ranks = [rank for rank, _ in table.values()]
        for bot, (rank, own) in table.items():
            places = [place for place, one in enumerate(sorted(ranks), 1) if one == rank]
            mean = Fraction(sum(len(ranks) - place for place in places), len(places))
            points[bot] += int(2 * mean) + size - len(ranks)
            wins[bot] += rank == 1
            score[bot] += own
            games[bot] += 1
    rows = tournament.standings()
    assert {row.bot for row in rows} == set(tournament.entrants)
    for row in rows:
        found = (row.half_points, row.wins, row.score, row.played)
        assert found == (points[row.bot], wins[row.bot], score[row.bot], games[row.bot])
        assert row.removed == (row.bot in recount.removed)
        assert not (row.removed and row.active)
    flags = [row.removed for row in rows]
    assert flags == sorted(flags)
    if tournament.format.places is None:
        kept = [row.half_points for row in rows if not row.removed]
        assert kept == sorted(kept, reverse=True)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    rows_again = [(topic_of(event), encode_event(event)) for event in events]
    assert audit(tournament.id, rows_again) == ()
    again = Tournament(tournament.id)
    for row_again in rows_again:
        again.replay(*row_again)
    assert again.rounds == tournament.rounds
    assert again.standings() == rows


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_corrected_tournaments_are_what_their_events_say(hundred: int) -> None:
    kinds = Counter[str]()
    for seed in range(100 * hundred, 100 * hundred + 100):
        tournament = season(seed)
        kinds.update(type(one).__name__ for one in tournament.corrections)
        check(tournament)
    assert set(kinds) == {"ResultOverridden", "RoundRepaired", "EntrantRemoved"}


@pytest.mark.long
@pytest.mark.parametrize("thousand", range(1, 6))
def test_thousands_of_corrected_tournaments_are_what_their_events_say(thousand: int) -> None:
    for seed in range(1000 * thousand, 1000 * thousand + 1000):
        check(season(seed))
