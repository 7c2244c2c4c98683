"""FIDE's values for events of two seats, against an independent implementation of C.07 (2026)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiebreak_core import fide2026, rank_standings_strict

from keylore_domain.swiss.scoring_terms import TieBreak
from keylore_domain.swiss.standings import placed
from keylore_domain.swiss.terms import Terms
from keylore_domain.swiss.tiebreaks.field import field_of
from keylore_domain.swiss.tiebreaks.table import tallies
from tests.domain.swiss.events_of_two import FIDE, Event, oracle_players
from tests.domain.swiss.leagues import terms

SAME: dict[TieBreak, str] = {
    "buchholz": "buchholz",
    "buchholz_cut1": "buchholz_cut1",
    "buchholz_median": "median_buchholz",
    "sonneborn_berger": "sonneborn_berger",
    "progressive": "progressive",
    "wins": "wins",
    "won": "won",
    "opponents_rating": "aro",
}


def check_values(event: Event) -> int:
    """Compare every value of every entrant; gives how many entrants there were."""
    players = oracle_players(event)
    expected = rank_standings_strict(
        players, list(SAME.values()), total_rounds=len(event.rounds), ruleset="fide-2026"
    )
    field = field_of(event.entrants, event.rounds, FIDE, "")
    bots = {one.number: one.bot for one in event.entrants}
    for ours, theirs in SAME.items():
        values = tallies(ours, field, list(bots.values()))
        for player in expected.players:
            found = values[bots[player.player_id]].value
            assert found == Fraction(player.values[theirs]), (ours, player.player_id)
    return len(players)


@pytest.mark.slow
def test_all_values_equal_the_oracle_for_two_thousand_players() -> None:
    count, seed = 0, 0
    while count < 2000:
        count += check_values(Event(seed))
        seed += 1

    assert seed > 30


@pytest.mark.long
def test_all_values_equal_the_oracle_for_twenty_thousand_players() -> None:
    assert sum(check_values(Event(seed)) for seed in range(1000, 1700)) > 20_000


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10**9),
    names=st.lists(st.sampled_from([*SAME, "direct_encounter"]), unique=True, min_size=1, max_size=4),
)
def test_the_whole_order_equals_the_oracle_whatever_the_tie_breaks(seed: int, names: list[TieBreak]) -> None:
    event = Event(seed)
    asked = ["direct_encounter" if name == "direct_encounter" else SAME[name] for name in names]
    expected = fide2026.rank_standings(oracle_players(event), asked, len(event.rounds))
    chosen: Terms = terms(table_size=2, scoring=FIDE.scoring, tie_breaks=tuple(names))

    order = placed(field_of(event.entrants, event.rounds, chosen, ""))

    numbers = {one.bot: one.number for one in event.entrants}
    assert [numbers[one.bot] for one in order] == [player.player_id for player in expected.players]


def test_an_event_of_the_oracle_has_all_kinds_of_unplayed_rounds() -> None:
    kinds = {
        game.kind for seed in range(5) for one in oracle_players(Event(seed)).values() for game in one.games
    }

    assert kinds == {"played", "pairing_bye", "requested_bye", "forfeit_win", "forfeit_loss"}
