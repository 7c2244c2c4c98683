from typing import Any

import pytest
from msgspec.structs import replace

from keylore_domain.engine.aggregates import decode_event, encode_event, topic_of
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.swiss.audit import audit
from keylore_domain.swiss.checks import problems, reasons
from keylore_domain.swiss.events import Finished, RoundPaired
from keylore_domain.swiss.history import History
from keylore_domain.swiss.pairing import Pairing, pair
from keylore_domain.swiss.problem import Cost
from tests.domain.swiss.leagues import by_lot, history, play_out, play_round, record, started


def paired() -> tuple[History, Pairing]:
    """The second round of nine entrants at tables of four: two tables and a bye."""
    tournament = started(9)
    play_round(tournament, by_lot)
    inputs = tournament.history()
    return inputs, pair(inputs)


def with_seats(pairing: Pairing, number: int, *seats: str) -> Pairing:
    tables = list(pairing.tables)
    tables[number] = replace(tables[number], seats=seats)
    return replace(pairing, tables=tuple(tables))


def test_a_sound_pairing_has_no_problems() -> None:
    assert problems(*paired()) == ()


def test_who_sits_twice_or_nowhere_is_found() -> None:
    inputs, pairing = paired()
    first, second = pairing.tables
    wrong = with_seats(pairing, 0, second.seats[0], *first.seats[1:])

    found = problems(inputs, wrong)

    assert f"{second.seats[0]} has 2 places in the round instead of one" in found
    assert f"{first.seats[0]} has 0 places in the round instead of one" in found


def test_a_stranger_is_found() -> None:
    inputs, pairing = paired()
    wrong = with_seats(pairing, 0, "bot/stranger", *pairing.tables[0].seats[1:])

    assert "bot/stranger is no active entrant" in problems(inputs, wrong)


def test_wrong_sizes_and_needless_byes_are_found() -> None:
    inputs, pairing = paired()
    seats = pairing.tables[0].seats
    wrong = replace(with_seats(pairing, 0, *seats[1:]), byes=(*pairing.byes, seats[0]))

    found = problems(inputs, wrong)

    assert "a table has 3 seats; allowed: 4 to 4" in found
    assert "2 byes and 1 tables of another size, 1 seats off; 1, 0 and 0 are possible" in found


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        (record("e", 4, byes=0), "e has a bye before d, which has fewer points"),
        (record("e", 1, byes=1), "e has another bye before d, which had fewer"),
    ],
)
def test_a_bye_against_the_rule_is_found(other: Any, problem: str) -> None:
    records = [record(bot, points) for bot, points in zip("abcd", (9, 8, 7, 3), strict=True)]
    inputs = history([*records, other], 4)
    right = pair(inputs)
    assert right.byes == ("d",)
    seats = tuple("d" if bot == "e" else bot for bot in right.tables[0].seats)

    wrong = replace(with_seats(right, 0, *seats), byes=("e",))

    assert problem in problems(inputs, wrong)


def test_wrong_costs_are_found() -> None:
    inputs, pairing = paired()
    true = pairing.tables[0].cost
    false = Cost(repeats=true.repeats + 1, spread=true.spread)
    tables = (replace(pairing.tables[0], cost=false), *pairing.tables[1:])

    (of_table,) = problems(inputs, replace(pairing, tables=tables))
    of_round = problems(inputs, replace(pairing, cost=Cost(repeats=99, spread=0), proved=False))

    assert of_table.startswith(f"table 1 costs {true.repeats} repeats")
    assert of_round[0].endswith("not 99 repeats, 0 spread")


def test_a_bound_above_the_cost_and_a_false_proof_are_found() -> None:
    inputs, pairing = paired()
    said = f"{pairing.cost.repeats} repeats, {pairing.cost.spread} spread"
    due = f"{pairing.bound.repeats} repeats, {pairing.bound.spread} spread"
    wrong = replace(pairing, bound=Cost(repeats=10**6, spread=0), proved=True)

    found = problems(inputs, wrong)

    assert found == (
        "the round costs less than the bound of 1000000 repeats, 0 spread",
        f"proved is True: {said} against 1000000 repeats, 0 spread",
        f"the bound is {due}, not 1000000 repeats, 0 spread",
    )


def test_unfair_seats_are_found() -> None:
    inputs = history([record("a", seats=(1, 0), last=0), record("b", seats=(0, 1), last=1)], 2)
    right = pair(inputs)
    assert right.tables[0].seats == ("b", "a")

    found = problems(inputs, with_seats(right, 0, "a", "b"))

    assert found == (
        "table 1: the seats cost (2, 2, 2)",
        "table 1: another order of seats costs (0, 0, 0) instead of (2, 2, 2)",
    )


def test_the_reasons_of_a_table_are_recounted() -> None:
    records = [record("a", 4, seats=(1, 0), last=0), record("b", 1, seats=(1, 0), last=0)]
    inputs = history(records, 2, meetings=[(0, 1, 2)])

    (table,) = reasons(inputs, pair(inputs))

    assert sorted(zip(table.seats, table.half_points, strict=True)) == [("a", 4), ("b", 1)]
    assert table.met_before == (("a", "b", 2),)
    assert sorted(table.seat_counts) == [0, 1]
    assert table.cost == Cost(repeats=2, spread=30 * 9)


def test_a_bye_of_who_stayed_before_who_was_away_is_right_and_the_other_way_round_is_found() -> None:
    records = [record(bot, points) for bot, points in zip("abcd", (9, 8, 7, 3), strict=True)]
    inputs = history([*records, record("e", 0, missed=1)], 4)
    right = pair(inputs)
    assert right.byes == ("d",)

    wrong = replace(
        with_seats(right, 0, *("d" if bot == "e" else bot for bot in right.tables[0].seats)), byes=("e",)
    )

    assert "e, which was away, has a bye before d" in problems(inputs, wrong)


def test_forbidden_and_refused_meetings_are_found() -> None:
    records = [record(bot) for bot in "abcd"]
    inputs = history(records, 2, meetings=[(0, 1, 1)])
    wrong = pair(replace(inputs, forbidden=((0, 2), (0, 3), (1, 2)), forbid="soft"))

    found = problems(replace(inputs, forbidden=((0, 1),), repeats="refused"), wrong)

    assert "1 meetings that the terms forbid" not in found
    assert any(problem.startswith("the round costs 1 forbidden, 1 repeats") for problem in found)
    played = replace(wrong, cost=replace(wrong.cost, forbidden=1))
    found = problems(replace(inputs, forbidden=((0, 1),), repeats="refused"), played)
    assert "1 meetings that the terms forbid" in found
    assert "1 repeat meetings, which the terms refuse" in found


@pytest.mark.parametrize("odd_tables", ["spread", "low", "high"])
def test_mixed_tables_are_recounted(odd_tables: str) -> None:
    records = [record(f"e{at}", 9 - at % 5, odd=at % 3, missed=at % 2) for at in range(11)]
    inputs = history(
        sorted(records, key=lambda one: -one.half_points),
        4,
        smallest=3,
        largest=5,
        meetings=[(0, 1, 1), (0, 2, 1), (3, 7, 2)],
        forbidden=((0, 1), (0, 4), (1, 4), (2, 5), (5, 6)),
        odd_tables=odd_tables,
    )

    assert problems(inputs, pair(inputs)) == ()


def test_unavoidable_forbidden_meetings_are_recounted() -> None:
    inputs = history([record(bot) for bot in "abcd"], 4, forbidden=((0, 1), (2, 3)), forbid="soft")
    pairing = pair(inputs)

    assert (pairing.cost.forbidden, pairing.bound.forbidden) == (2, 2)
    assert problems(inputs, pairing) == ()


def test_clashes_are_recounted() -> None:
    records = [record(bot, seats=(3, 0)) for bot in "abcd"]
    inputs = history(records, 2)
    pairing = pair(inputs)

    assert pairing.cost.clashes == 2
    assert not pairing.proved
    assert problems(inputs, pairing) == ()
    free = history([record(bot) for bot in "abcd"], 2)
    assert any("2 clashes" in problem for problem in problems(free, pairing))


def test_two_at_tables_of_four_both_have_a_bye() -> None:
    inputs = history([record("a"), record("b")], 4)
    none = Cost(repeats=0, spread=0)
    nobody = Pairing(algorithm="hand", tables=(), byes=("a", "b"), cost=none, bound=none, proved=True)

    assert problems(inputs, nobody) == ()


def test_a_round_without_tables_is_found() -> None:
    inputs = history([record(bot) for bot in "abcd"], 4)

    found = problems(inputs, replace(pair(inputs), tables=(), byes=tuple("abcd")))

    assert "4 byes and 0 tables of another size, 0 seats off; 0, 0 and 0 are possible" in found


# --- the audit of a whole tournament ------------------------------------------------------------------


def stored(**changes: Any) -> list[tuple[str, bytes]]:
    tournament = play_out(started(10, rounds=2, **changes), by_lot)
    return [(topic_of(event), encode_event(event)) for event in tournament.collect_events()]


def forged(rows: list[tuple[str, bytes]], kind: type, **changes: Any) -> list[tuple[str, bytes]]:
    """*rows* with the last event of *kind* changed and the chain mended behind it."""
    events = [decode_event(*row) for row in rows]
    at = max(place for place, event in enumerate(events) if isinstance(event, kind))
    mended = [*events[:at], replace(events[at], **changes)]
    for event in events[at + 1 :]:
        mended.append(replace(event, prev=sha256_hex(encode_event(mended[-1]))))
    return [(topic_of(event), encode_event(event)) for event in mended]


@pytest.mark.parametrize("uneven", ["byes", "smaller_tables"])
def test_a_sound_tournament_follows_from_its_events(uneven: str) -> None:
    assert audit("t/cup", stored(uneven=uneven)) == ()


def last_round(rows: list[tuple[str, bytes]]) -> RoundPaired:
    events = [decode_event(*row) for row in rows]
    return [event for event in events if isinstance(event, RoundPaired)][-1]


def test_forged_standings_are_found() -> None:
    rows = stored()

    found = audit("t/cup", forged(rows, Finished, standings=()))

    assert found == (f"event {len(rows)}: the final standings do not follow from the results",)


def test_forged_inputs_are_found() -> None:
    rows = stored()
    event = last_round(rows)
    inputs = replace(event.inputs, meetings=())

    found = audit("t/cup", forged(rows, RoundPaired, inputs=inputs, pairing=pair(inputs)))

    where = f"event {event.originator_version}: round 2"
    assert f"{where}: the inputs of the pairing do not follow from the events before it" in found


def test_a_pairing_of_another_algorithm_is_only_checked() -> None:
    rows = stored()
    event = last_round(rows)

    found = audit("t/cup", forged(rows, RoundPaired, pairing=replace(event.pairing, algorithm="tables/0")))

    where = f"event {event.originator_version}: round 2"
    assert found == (f"{where}: paired by 'tables/0'; this version knows 'tables/2' only",)


def test_hand_made_tables_are_found() -> None:
    rows = stored()
    event = last_round(rows)
    turned = replace(event.pairing, tables=event.pairing.tables[::-1])

    found = audit("t/cup", forged(rows, RoundPaired, pairing=turned))

    assert f"event {event.originator_version}: round 2: its inputs give other tables" in found
