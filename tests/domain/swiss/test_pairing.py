import subprocess
import sys

import pytest

from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.errors import ConflictError
from keylore_domain.swiss.pairing import ALGORITHM, Cost, Pairing, pair
from keylore_domain.swiss.sizes import table_sizes
from tests.domain.swiss.leagues import (
    AT,
    bots,
    by_lot,
    history,
    play_round,
    record,
    registered,
    started,
)


def together(pairing: Pairing) -> set[frozenset[str]]:
    return {frozenset(plan.seats) for plan in pairing.tables}


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [(4, (4,)), (7, (4,)), (8, (4, 4)), (17, (4, 4, 4, 4)), (19, (4, 4, 4, 4))],
)
def test_with_byes_all_tables_are_full(entrants: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(entrants, 4, 4) == sizes


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [
        (3, (3,)),
        (5, (4,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (8, (4, 4)),
        (9, (3, 3, 3)),
        (17, (4, 4, 3, 3, 3)),
    ],
)
def test_smaller_tables_are_few_and_byes_rarer_still(entrants: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(entrants, 4, 3) == sizes


def test_two_entrants_make_one_table_of_three_with_an_empty_seat() -> None:
    assert table_sizes(2, 3, 2) == (2,)


@pytest.mark.parametrize(("entrants", "smallest"), [(3, 4), (2, 3), (0, 4)])
def test_too_few_entrants_are_a_conflict(entrants: int, smallest: int) -> None:
    with pytest.raises(ConflictError, match=f"{entrants} active entrants do not fill a table of {smallest}"):
        table_sizes(entrants, 4, smallest)


def test_the_first_round_follows_the_lots_of_the_seed() -> None:
    """Blocks of the seeded order: nobody has met anybody, and all have the same points."""
    inputs = registered(8).history()

    pairing = pair(inputs)

    seeded = [entrant.bot for entrant in inputs.entrants]
    assert together(pairing) == {frozenset(seeded[:4]), frozenset(seeded[4:])}
    assert seeded != bots(8)
    assert pairing.proved


def test_another_seed_gives_another_first_round() -> None:
    assert together(pair(registered(16, seed="a").history())) != together(
        pair(registered(16, seed="b").history())
    )


def test_entrants_of_near_score_sit_together() -> None:
    records = [record(bot, points) for bot, points in zip("abcdefgh", (9, 8, 8, 7, 3, 2, 2, 1), strict=True)]

    pairing = pair(history(records, 4))

    assert together(pairing) == {frozenset("abcd"), frozenset("efgh")}
    assert pairing.cost == Cost(repeats=0, spread=15 * 8 + 15 * 8)
    assert pairing.proved


def test_a_repeat_meeting_weighs_more_than_any_spread() -> None:
    """The two best have met; apart they sit, whatever the scores."""
    records = [record(bot, points) for bot, points in zip("abcd", (99, 98, 1, 0), strict=True)]

    pairing = pair(history(records, 2, meetings=[(0, 1, 1)]))

    assert together(pairing) == {frozenset("ac"), frozenset("bd")}
    assert (pairing.cost.repeats, pairing.bound.repeats) == (0, 0)


@pytest.mark.parametrize("seed", ["", "1", "spring", "2026"])
def test_an_avoidable_rematch_is_avoided(seed: str) -> None:
    """Four entrants at tables of two: A beat B and C, B beat D, C beat D; the third round is A-D, B-C."""
    records = [record("A", 4), record("B", 2), record("C", 2), record("D", 0)]
    met = [(0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 1)]

    pairing = pair(history(records, 2, meetings=met, number=3, seed=seed))

    assert together(pairing) == {frozenset("AD"), frozenset("BC")}


def test_unavoidable_rematches_are_as_few_as_possible() -> None:
    """Everybody has met everybody but for one pair, which sits together."""
    records = [record(bot) for bot in "abcd"]
    met = [(0, 1, 1), (0, 2, 2), (0, 3, 1), (1, 2, 1), (1, 3, 2)]

    pairing = pair(history(records, 2, meetings=met))

    assert together(pairing) == {frozenset("ab"), frozenset("cd")}
    assert (pairing.cost.repeats, pairing.bound.repeats) == (1, 1)


def test_a_bye_goes_to_the_lowest_of_those_with_the_fewest() -> None:
    records = [record("a", 9), record("b", 5), record("c", 5), record("d", 3), record("e", 1, byes=1)]

    pairing = pair(history(records, 4))

    assert pairing.byes == ("d",)


def test_nobody_has_a_second_bye_while_somebody_has_none() -> None:
    """Five entrants at tables of two: after five rounds one bye each, after seven at most two."""
    tournament = started(5, table_size=2, rounds=7)
    for number in range(1, 8):
        play_round(tournament, by_lot)
        byes = [row.byes for row in tournament.standings()]
        assert max(byes) - min(byes) <= 1
        assert sum(byes) == number


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_at_one_table_everybody_sits_once_on_every_seat(size: int) -> None:
    tournament = started(size, table_size=size, rounds=size)

    for _ in range(size):
        play_round(tournament, by_lot)

    assert all(entrant.seats == (1,) * size for entrant in tournament.history().entrants)


def test_who_has_had_a_seat_often_gets_another() -> None:
    records = [
        record("a", seats=(2, 0, 0), last=0),
        record("b", seats=(0, 2, 0), last=1),
        record("c", seats=(0, 0, 2), last=2),
    ]

    (plan,) = pair(history(records, 3)).tables

    assert (plan.seat_repeats, plan.kept_seats) == (0, 0)


def test_among_equal_orders_nobody_keeps_the_seat_of_the_last_table() -> None:
    records = [record("a", seats=(1, 1), last=0), record("b", seats=(1, 1), last=1)]

    (plan,) = pair(history(records, 2)).tables

    assert plan.seats == ("b", "a")


def test_sixteen_entrants_repeat_no_more_meetings_than_they_must() -> None:
    """Seven rounds at tables of four have 168 places for pairs, and there are 120 pairs: 48 repeats."""
    tournament = started(16, rounds=7)

    for _ in range(7):
        play_round(tournament, by_lot)

    repeats = sum(event.pairing.cost.repeats for event in tournament.pairings)
    assert repeats == 48
    assert max(times for *_, times in tournament.history().meetings) == 2


@pytest.mark.slow
def test_sixty_four_entrants_repeat_no_meeting_in_four_rounds() -> None:
    tournament = started(64, rounds=4)

    for _ in range(4):
        play_round(tournament, by_lot)

    assert all(event.pairing.cost.repeats == 0 for event in tournament.pairings)


def test_the_result_names_the_algorithm() -> None:
    assert pair(registered(4).history()).algorithm == ALGORITHM == "tables/1"


_PROGRAM = """
from keylore_domain.engine.encoding import canonical_json, sha256_hex
from tests.domain.swiss.leagues import by_lot, play_round, started
tournament = started(22, rounds=3, uneven="smaller_tables")
for _ in range(3):
    play_round(tournament, by_lot)
print(sha256_hex(canonical_json(tournament.pairings)), tournament.head)
"""


@pytest.mark.slow
def test_the_pairing_does_not_depend_on_the_hash_seed() -> None:
    tournament = started(22, rounds=3, uneven="smaller_tables")
    for _ in range(3):
        play_round(tournament, by_lot)
    here = f"{sha256_hex(canonical_json(tournament.pairings))} {tournament.head}"

    for seed in ("0", "1", "77"):
        run = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == here


def test_the_same_history_gives_the_same_pairing() -> None:
    tournament = started(18)
    play_round(tournament, by_lot)

    assert pair(tournament.history()) == pair(tournament.history())
    assert tournament.pair_round(at=AT) == pair(tournament.pairings[-1].inputs)
