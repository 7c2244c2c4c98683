"""Laws that hold in every tournament, on random ones: sizes, withdrawals, late entrants, ties."""

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keylore_domain.engine.aggregates import encode_event, topic_of
from keylore_domain.errors import ConflictError
from keylore_domain.swiss.audit import audit
from keylore_domain.swiss.checks import problems
from keylore_domain.swiss.events import EntrantWithdrawn, ResultRecorded, RoundPaired
from keylore_domain.swiss.game_terms import GameTerms
from keylore_domain.swiss.inputs import ByeKind
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.standings import StandingsRow
from keylore_domain.swiss.terms import largest_table
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.swiss.leagues import AT, bots, by_lot, play_round, started

Season = tuple[Tournament, list[Any]]


@st.composite
def seasons(draw: st.DrawFn) -> Season:
    """A tournament that was played, and all its events."""
    size = draw(st.integers(2, 6))
    kinds = ("byes", "smaller_tables", "larger_tables", "mixed_tables") if size in {3, 4, 5} else ("byes",)
    uneven = draw(st.sampled_from(kinds))
    rounds = draw(st.integers(1, 5))
    tournament = started(
        draw(st.integers(size, 20) | st.integers(21, 40)),
        table_size=size,
        rounds=rounds,
        uneven=uneven,
        seed=draw(st.sampled_from((None, "spring", "autumn"))),
        pairing=draw(pairings(size)),
        more=draw(st.sampled_from(((), (GameTerms(game="pearls", options={"rounds": 2}),)))),
    )
    for _ in range(rounds):
        for bot in draw(st.lists(st.sampled_from(bots(42)), max_size=4, unique=True)):
            _come_or_go(tournament, bot)
        _ask_for_byes(draw, tournament)
        if not tournament.can_fill_a_table:
            break
        play_round(tournament, by_lot)
    tournament.finish(at=AT)
    return tournament, list(tournament.collect_events())


@st.composite
def pairings(draw: st.DrawFn, size: int) -> PairingTerms:
    return PairingTerms(
        seeding=draw(st.sampled_from(("lot", "registration", "rating"))),
        odd_tables=draw(st.sampled_from(("spread", "low", "high"))),
        repeat_cost=draw(st.sampled_from((None, None, 36))),
        apart=(("bot/b01", "bot/b02"), ("bot/b03", "bot/b01")),
        forbid="soft",
        acceleration=draw(st.sampled_from(("none", "baku"))) if size == 2 else "none",
        half_byes=2,
        last_without=0,
    )


def _ask_for_byes(draw: st.DrawFn, tournament: Tournament) -> None:
    """One or two stay away, as long as a table can be filled."""
    here = [one.bot for one in tournament.active]
    spare = min(2, len(here) - largest_table(tournament.terms))
    for bot in here[: max(0, spare)]:
        kind: ByeKind = draw(st.sampled_from(("half", "zero")))
        with suppress(ConflictError):
            tournament.request_bye(bot, len(tournament.rounds) + 1, kind, at=AT)


def _come_or_go(tournament: Tournament, bot: str) -> None:
    if bot in tournament.entrants and tournament.entrants[bot].active:
        tournament.withdraw(bot, at=AT)
    else:
        tournament.register(bot, bot.removeprefix("bot/"), at=AT)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(season=seasons())
def test_the_laws_of_tournaments_hold(season: Season) -> None:
    _check_all(*season)


@pytest.mark.long
@settings(max_examples=400, deadline=None)
@given(season=seasons())
def test_the_laws_of_tournaments_hold_in_many(season: Season) -> None:
    _check_all(*season)


def _check_all(tournament: Tournament, events: list[Any]) -> None:
    paired = [event for event in events if isinstance(event, RoundPaired)]
    for event in paired:
        everybody = [
            *event.pairing.byes,
            *event.pairing.half_byes,
            *event.inputs.away,
            *(bot for plan in event.pairing.tables for bot in plan.seats),
        ]
        assert len(everybody) == len(set(everybody))
        asked = {*event.inputs.half_byes, *event.inputs.away}
        assert set(everybody) == {entrant.bot for entrant in event.inputs.entrants} | asked
        assert problems(event.inputs, event.pairing) == ()
    _check_byes(tournament, paired)
    _check_standings(tournament, events)
    assert audit(tournament.id, [(topic_of(event), encode_event(event)) for event in events]) == ()


def _check_byes(tournament: Tournament, paired: list[RoundPaired]) -> None:
    """Nobody who took part all the time, asking for no bye, is two byes ahead of another such entrant."""
    always = [
        bot
        for bot in tournament.entrants
        if all(bot in {entrant.bot for entrant in event.inputs.entrants} for event in paired)
    ]
    had = Counter(bot for event in paired for bot in event.pairing.byes)
    counts = [had[bot] for bot in always]
    assert not counts or max(counts) - min(counts) <= 1


def _check_standings(tournament: Tournament, events: list[Any]) -> None:
    """Recount every value of the standings from the events alone, with fractions."""
    size = tournament.terms.table_size
    points, wins, score = Counter[str](), Counter[str](), Counter[str]()
    met: list[tuple[str, str]] = []
    for event in events:
        if isinstance(event, RoundPaired):
            points.update(dict.fromkeys(event.pairing.byes, size - 1))
            points.update(dict.fromkeys(event.pairing.half_byes, size - 1))
        if isinstance(event, ResultRecorded):
            for placing in event.placings:
                places = [
                    n for n, p in enumerate(sorted(p.rank for p in event.placings), 1) if p == placing.rank
                ]
                mean = Fraction(sum(len(event.placings) - place for place in places), len(places))
                points[placing.bot] += int(2 * mean) + size - len(event.placings)
                wins[placing.bot] += placing.rank == 1
                score[placing.bot] += placing.score
            met += [(a.bot, b.bot) for a, b in combinations(event.placings, 2)]
    rows = tournament.standings()
    assert {row.bot: row.half_points for row in rows} == {bot: points[bot] for bot in tournament.entrants}
    for row in rows:
        opponents = [b if a == row.bot else a for a, b in met if row.bot in {a, b}]
        assert row.opponents == len(opponents)
        assert row.opponents_half_points == sum(points[bot] for bot in opponents)
        assert (row.wins, row.score) == (wins[row.bot], score[row.bot])
    keys = [
        (
            row.half_points,
            row.head_to_head,
            Fraction(row.opponents_half_points, row.opponents or 1),
            row.wins,
            row.score,
        )
        for row in rows
    ]
    assert keys == sorted(keys, reverse=True)
    assert [row.rank for row in rows] == [1 + sum(other > own for other in keys) for own in keys]
    assert sum(row.head_to_head for row in rows) == 0
    withdrawn = {event.bot for event in events if isinstance(event, EntrantWithdrawn)}
    assert {row.bot for row in rows if not row.active} <= withdrawn


def _mean(row: StandingsRow) -> Fraction:
    return Fraction(row.opponents_half_points, row.opponents or 1)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(count=st.integers(8, 40), size=st.integers(2, 4), rounds=st.integers(1, 3))
def test_early_rounds_of_full_fields_repeat_no_meeting(count: int, size: int, rounds: int) -> None:
    """As long as everybody has met at most a quarter of the others, fresh tables are found."""
    tournament = started(count, table_size=size, rounds=rounds)
    while (len(tournament.rounds) + 1) * (size - 1) * 4 <= count and not tournament.is_played_out:
        play_round(tournament, by_lot)

        assert tournament.pairings[-1].pairing.cost.repeats == 0


def test_a_tournament_without_entrants_left_cannot_be_paired() -> None:
    tournament = started(4)
    for bot in bots(4):
        tournament.withdraw(bot, at=AT)

    with pytest.raises(ConflictError, match="0 active entrants"):
        tournament.pair_round(at=AT)
