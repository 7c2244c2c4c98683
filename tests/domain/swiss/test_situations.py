"""Situations that went wrong elsewhere (research/pairing, section 7, by number)."""

from collections import Counter
from itertools import permutations

import pytest

from keylore_domain.swiss.rounds import Placing
from keylore_domain.swiss.tournaments import Tournament
from tests.domain.swiss.leagues import AT, by_lot, catalog, play_round, started, terms


def result(tournament: Tournament, winner: str, loser: str) -> None:
    """Record that *winner* beat *loser* at their table of the running round."""
    (table,) = (one for one in tournament.rounds[-1].tables if set(one.seats) == {winner, loser})
    placings = [Placing(bot, 1 if bot == winner else 2, 0) for bot in table.seats]
    tournament.record_result(table.match, placings, at=AT, cause="rules")


@pytest.mark.parametrize("seed", ["1", "2", "3", "autumn", ""])
def test_p1_an_avoidable_rematch_is_avoided_whatever_the_seed_and_the_order(seed: str) -> None:
    """A beats B and C beats D, A beats C and B beats D; the third round is A-D and B-C."""
    a, b, c, d = (f"bot/{name}" for name in "abcd")
    beats = {frozenset((a, b)): a, frozenset((c, d)): c, frozenset((a, c)): a, frozenset((b, d)): b}
    for order in permutations((a, b, c, d)):
        tournament = Tournament.create("cup", terms(table_size=2, seed=seed), catalog, at=AT)
        for bot in order:
            tournament.register(bot, bot, at=AT)
        tournament.rule_meeting(a, d, apart=True, at=AT, cause="as it was")
        tournament.rule_meeting(b, c, apart=True, at=AT, cause="as it was")
        tournament.start(at=AT)
        for _ in range(2):
            for plan in tournament.pair_round(at=AT).tables:
                winner = beats[frozenset(plan.seats)]
                result(tournament, winner, next(bot for bot in plan.seats if bot != winner))
        tournament.rule_meeting(a, d, apart=False, at=AT, cause="now free")
        tournament.rule_meeting(b, c, apart=False, at=AT, cause="now free")

        third = tournament.pair_round(at=AT)

        assert {frozenset(plan.seats) for plan in third.tables} == {frozenset((a, d)), frozenset((b, c))}
        assert third.cost.repeats == 0


@pytest.mark.parametrize("seed", ["1", "2", "spring"])
def test_p3_second_byes_come_after_everybody_had_one_and_go_to_different_entrants(seed: str) -> None:
    tournament = started(5, table_size=2, rounds=7, seed=seed)
    had: Counter[str] = Counter(dict.fromkeys(tournament.entrants, 0))
    for number in range(1, 8):
        had.update(play_round(tournament, by_lot).byes)
        assert max(had.values()) - min(had.values()) <= 1
        if number == 5:
            assert set(had.values()) == {1}

    assert sorted(had.values()) == [1, 1, 1, 2, 2]
