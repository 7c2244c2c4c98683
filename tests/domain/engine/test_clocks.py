"""Clocks: what a move may cost, and what it costs."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keylore_domain.engine import clocks
from keylore_domain.engine.clocks import Reading, TimeControl

BANKED = TimeControl(move_ms=1_000, bank_ms=3_000, increment_ms=50, credit_ms=100)
PLAIN = TimeControl(move_ms=1_000)

controls = st.builds(
    TimeControl,
    move_ms=st.integers(10, 100_000),
    bank_ms=st.sampled_from([0, 1, 500, 60_000]),
    increment_ms=st.integers(0, 5_000),
    credit_ms=st.integers(0, 10_000),
)
moments = st.integers(0, 10**12)


def test_without_a_bank_only_the_move_counts() -> None:
    assert clocks.starting_bank(PLAIN) == 0
    assert clocks.budget(PLAIN, 0) == 1_000_000
    assert clocks.left_after(PLAIN, 0, 999) == 0


def test_with_a_bank_the_smaller_of_the_two_counts() -> None:
    assert clocks.starting_bank(BANKED) == 3_000_000
    assert clocks.budget(BANKED, 3_000_000) == 1_000_000
    assert clocks.budget(BANKED, 400_000) == 400_000
    assert clocks.left_after(BANKED, 400_000, 100_000) == 350_000


def test_latency_is_credited_up_to_a_cap() -> None:
    assert clocks.credit(BANKED, 30_000) == 30_000
    assert clocks.credit(BANKED, 300_000) == 100_000
    assert clocks.credit(BANKED, -5) == 0


@pytest.mark.parametrize(("received", "late"), [(1_100_000, False), (1_100_001, True)])
def test_a_move_is_late_when_it_is_over_budget_and_credit(received: int, late: bool) -> None:
    assert clocks.is_late(BANKED, 3_000_000, sent=0, received=received, credited=100_000) is late


def test_a_late_move_costs_its_whole_budget() -> None:
    read = clocks.reading(BANKED, 3_000_000, ready=0, sent=5, received=9_000_000, credited=0)

    assert (read.spent, read.budget, read.left) == (1_000_000, 1_000_000, 2_050_000)


def test_a_move_faster_than_its_credit_costs_nothing() -> None:
    assert clocks.reading(BANKED, 9, ready=0, sent=0, received=4, credited=5).spent == 0


@settings(deadline=None)
@given(controls, moments, moments, moments, st.integers(0, 20_000_000))
def test_a_reading_is_within_its_bounds_and_consistent(
    time: TimeControl, sent: int, thought: int, left: int, latency: int
) -> None:
    credited = clocks.credit(time, latency)
    read = clocks.reading(time, left, ready=sent, sent=sent, received=sent + thought, credited=credited)

    assert 0 <= read.spent <= read.budget <= time.move_ms * 1_000
    assert read.left >= 0
    assert clocks.is_consistent(time, left, read)
    late = clocks.is_late(time, left, sent=sent, received=sent + thought, credited=credited)
    assert late == (thought - credited > read.budget)


@settings(deadline=None)
@given(controls, moments, st.lists(st.integers(0, 10**9), max_size=20))
def test_a_bank_is_what_was_put_in_less_what_was_spent(
    time: TimeControl, sent: int, thoughts: list[int]
) -> None:
    left = clocks.starting_bank(time)
    spent = 0
    for thought in thoughts:
        read = clocks.reading(time, left, ready=sent, sent=sent, received=sent + thought, credited=0)
        spent += read.spent
        left = read.left

    if time.bank_ms:
        assert left == (time.bank_ms + len(thoughts) * time.increment_ms) * 1_000 - spent
    else:
        assert left == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"ready": 11},
        {"sent": 21},
        {"received": 9},
        {"credited": 100_001},
        {"credited": -1},
        {"budget": 1},
        {"spent": 4},
        {"left": 0},
    ],
)
def test_an_altered_reading_is_inconsistent(changes: dict[str, Any]) -> None:
    read = clocks.reading(BANKED, 3_000_000, ready=10, sent=10, received=20, credited=5)
    assert clocks.is_consistent(BANKED, 3_000_000, read)

    altered: Reading = msgspec.structs.replace(read, **changes)

    assert not clocks.is_consistent(BANKED, 3_000_000, altered)


@pytest.mark.parametrize(
    "field", [{"move_ms": 9}, {"bank_ms": -1}, {"attempts": 0}, {"faults": -1}, {"x": 1}]
)
def test_a_time_control_has_bounds(field: dict[str, int]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(field, TimeControl)
