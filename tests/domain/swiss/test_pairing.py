import subprocess
import sys
from typing import Any

import pytest
from msgspec.structs import replace

from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.errors import ConflictError
from keylore_domain.swiss.history import SeatCounts
from keylore_domain.swiss.pairing import ALGORITHM, Pairing, pair
from keylore_domain.swiss.pairing_terms import PairingTerms
from keylore_domain.swiss.problem import Cost
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


@pytest.mark.parametrize(
    ("entrants", "smallest", "largest", "sizes"),
    [
        (5, 3, 5, (5,)),
        (7, 3, 5, (4, 3)),
        (9, 3, 5, (5, 4)),
        (10, 3, 5, (5, 5)),
        (11, 3, 5, (4, 4, 3)),
        (13, 4, 6, (5, 4, 4)),
        (6, 4, 6, (6,)),
        (7, 2, 4, (4, 3)),
        (5, 2, 4, (3, 2)),
    ],
)
def test_other_sizes_are_few_and_near_the_preferred_one(
    entrants: int, smallest: int, largest: int, sizes: tuple[int, ...]
) -> None:
    assert table_sizes(entrants, 4, smallest, largest) == sizes


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


def test_meetings_with_who_has_a_bye_count_for_nothing() -> None:
    records = [record(bot, points) for bot, points in zip("abc", (3, 2, 1), strict=True)]

    pairing = pair(history(records, 2, meetings=[(0, 2, 1), (1, 2, 1)], forbidden=((1, 2),)))

    assert (pairing.byes, pairing.cost.repeats) == (("c",), 0)


def test_who_was_away_gets_no_bye_before_those_who_stayed() -> None:
    """The late entrant has fewest points; the bye goes to the lowest of those who played all rounds."""
    records = [record("a", 9), record("b", 5), record("c", 5), record("d", 3), record("e", 0, missed=2)]

    assert pair(history(records, 4)).byes == ("d",)


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


def test_at_mixed_tables_seats_are_counted_by_size_first() -> None:
    """Both have had seat 0 once; at tables of two only one of them."""
    by_size = [
        (SeatCounts(2, (1, 0)), SeatCounts(3, (0, 1, 0))),
        (SeatCounts(2, (0, 1)), SeatCounts(3, (1, 0, 0))),
    ]
    records = [record(bot, seats=(1, 1, 0), by_size=sizes) for bot, sizes in zip("ab", by_size, strict=True)]

    (plan,) = pair(history(records, 3, smallest=2)).tables

    assert plan.seats == ("b", "a")
    assert (plan.same_size_repeats, plan.seat_repeats) == (0, 2)
    assert records[0].counts(4) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("who", "at_three"), [("spread", set("afg")), ("low", set("efg")), ("high", set("abc"))]
)
def test_the_terms_say_who_sits_at_odd_tables(who: str, at_three: set[str]) -> None:
    records = [
        record(bot, points, odd=odd)
        for bot, points, odd in zip("abcdefg", (9, 8, 7, 6, 5, 4, 3), (0, 1, 1, 1, 1, 0, 0), strict=True)
    ]

    pairing = pair(history(records, 4, smallest=3, odd_tables=who))

    assert frozenset(at_three) in together(pairing)
    assert pairing.cost.odd == pairing.bound.odd


@pytest.mark.slow
def test_odd_tables_are_spread_over_all() -> None:
    """Seven entrants, a table of three each round: after seven rounds everybody sat at it three times."""
    tournament = started(7, rounds=7, uneven="smaller_tables")

    for _ in range(7):
        play_round(tournament, by_lot)

    assert [entrant.odd for entrant in tournament.history().entrants] == [3] * 7


def test_two_who_need_the_same_seat_do_not_meet_if_they_need_not() -> None:
    seats = [(3, 1), (3, 1), (2, 2), (2, 2)]
    records = [record(bot, 4, seats=had) for bot, had in zip("abcd", seats, strict=True)]

    pairing = pair(history(records, 2))

    assert frozenset("ab") not in together(pairing)
    assert pairing.cost.clashes == 0


@pytest.mark.parametrize("entrants", [12, 20])
def test_at_tables_of_two_nobody_has_one_seat_three_times_more_often(entrants: int) -> None:
    tournament = started(entrants, table_size=2, rounds=7)

    for _ in range(7):
        play_round(tournament, by_lot)

    leads = [abs(one.seats[0] - one.seats[1]) for one in tournament.history().entrants]
    assert max(leads) <= 2
    assert sum(lead > 1 for lead in leads) <= entrants // 10


def test_forbidden_meetings_are_avoided_before_repeats() -> None:
    records = [record(bot) for bot in "abcd"]
    met = [(0, 2, 1), (1, 3, 1), (0, 3, 1), (1, 2, 1)]

    pairing = pair(history(records, 2, meetings=met, forbidden=((0, 1),)))

    assert frozenset("ab") not in together(pairing)
    assert (pairing.cost.forbidden, pairing.cost.repeats) == (0, 2)


def test_a_forbidden_meeting_that_cannot_be_avoided_is_refused_or_played() -> None:
    records = [record(bot) for bot in "abcd"]
    inputs = history(records, 4, forbidden=((0, 1),))

    with pytest.raises(ConflictError, match="round 2 needs 1 meetings that are forbidden"):
        pair(inputs)
    played = pair(replace(inputs, forbid="soft"))
    assert (played.cost.forbidden, played.bound.forbidden, played.proved) == (1, 1, True)


def test_repeats_can_be_refused() -> None:
    records = [record(bot) for bot in "ab"]
    inputs = history(records, 2, meetings=[(0, 1, 1)], repeats="refused")

    with pytest.raises(ConflictError, match="round 2 needs 1 repeat meetings, which are refused"):
        pair(inputs)
    assert pair(replace(inputs, meetings=())).proved


def test_bots_of_one_author_do_not_meet() -> None:
    """Twelve bots of four authors at tables of four: three rounds without a meeting of two of one author."""
    tournament = registered(
        0, rounds=3, pairing=PairingTerms(same_author="apart", apart=(("bot/b01", "bot/b02"),))
    )
    for number, bot in enumerate(bots(12)):
        tournament.register(bot, bot, at=AT, author=f"author {number % 4}")
    tournament.start(at=AT)

    for _ in range(3):
        play_round(tournament, by_lot)
        pairing = tournament.pairings[-1].pairing
        assert (pairing.cost.forbidden, pairing.bound.forbidden) == (0, 0)
        for plan in pairing.tables:
            assert len({int(bot[-2:]) % 4 for bot in plan.seats}) == 4
            assert not {"bot/b01", "bot/b02"} <= set(plan.seats)


def test_bots_without_a_known_author_may_meet() -> None:
    tournament = started(4, pairing=PairingTerms(same_author="apart"))

    assert tournament.history().forbidden == ()


@pytest.mark.parametrize(("seeding", "first"), [("registration", "bot/b01"), ("rating", "bot/b03")])
def test_the_first_round_follows_the_seeding(seeding: Any, first: str) -> None:
    tournament = registered(0, pairing=PairingTerms(seeding=seeding))
    for bot, rating in zip(bots(4), (1500, 1500, 1800, 1400), strict=True):
        tournament.register(bot, bot, at=AT, rating=rating)

    order = [entrant.bot for entrant in tournament.history().entrants]

    assert order[0] == first
    assert order.index("bot/b01") < order.index("bot/b02")


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
    assert pair(registered(4).history()).algorithm == ALGORITHM == "tables/2"


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
