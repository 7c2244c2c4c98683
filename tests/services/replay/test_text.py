"""Text: any view, fact or move in lines."""

import msgspec
import pytest

from keylore_domain.engine.facts import Fact, RoundStarted
from keylore_domain.engine.seats import Seat
from keylore_services.replay.text import (
    fact_text,
    inline,
    moment_text,
    move_text,
    span_text,
    view_lines,
    words,
)
from tests.domain.engine.toy import Bid, BidMade, BidsRevealed, Keep


class CounterPlaced(Fact, frozen=True):
    seat: Seat
    token: str
    location: str


class Nothing(msgspec.Struct, frozen=True):
    pass


def test_a_fact_is_one_line() -> None:
    assert (
        fact_text(CounterPlaced(Seat(0), "0.1.1", "farm"))
        == "counter placed: seat 0, token 0.1.1, location farm"
    )
    assert fact_text(RoundStarted(2)) == "round started: round 2"
    assert fact_text(BidsRevealed((1, 0, 1))) == "bids revealed: bids 1 0 1"
    assert fact_text(BidMade(Seat(1), None)) == "bid made: seat 1, coins -"


def test_a_move_is_one_line() -> None:
    assert move_text(Bid(3)) == "coins 3"
    assert move_text(Keep()) == "keep"
    assert move_text(Nothing()) == "(nothing)"
    assert move_text(7) == "7"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        ("farm", "farm"),
        ([], "none"),
        ({}, "none"),
        ([1, None, 2], "1 - 2"),
        ([[1, 2], [3]], "1 2; 3"),
        ({"a_b": 1, "c": [2]}, "(a b 1, c 2)"),
    ],
)
def test_plain_values_are_short(value: object, text: str) -> None:
    assert inline(value) == text


def test_a_view_puts_scalars_in_rows_and_records_in_tables() -> None:
    view = {
        "round": 1,
        "phase": "bid",
        "hands": [{"seat": 0, "coins": 3}, {"seat": 1, "coins": 2}],
        "bag": {"red": 1},
    }

    assert view_lines(view) == [
        "round 1, phase bid",
        "hands:",
        "  seat 0, coins 3",
        "  seat 1, coins 2",
        "bag (red 1)",
    ]


def test_lines_keep_to_their_width() -> None:
    view = {
        "names": [f"name{n}" for n in range(29)],
        "board": {f"field{n}": {"tokens": [n, n + 1], "owner": None} for n in range(8)},
        "first": 1,
        "second": 22,
        "third": 333,
        "rows": [[{"deep": "x" * 30, "er": "y" * 30}], [1, 2]],
        "table": [{"long": "z" * 38, "longer": "w" * 38}, {"long": "a"}],
    }

    lines = view_lines(view, width=60)

    assert max(len(line) for line in lines) <= 60
    text = "\n".join(lines)
    for part in ("name28", "field7", "third 333", "x" * 30, "y" * 30, "z" * 38, "w" * 38):
        assert part in text
    assert "board:" in lines


def test_a_value_that_is_no_record_is_a_line() -> None:
    assert view_lines(3) == ["3"]
    assert view_lines([1, 2]) == ["1 2"]
    assert view_lines([[1], [2, 3]]) == ["1", "2 3"]
    assert view_lines({}) == []


def test_moments_and_spans_are_written_for_people() -> None:
    assert moment_text(1_700_000_000_000_001) == "2023-11-14 22:13:20.000001 UTC"
    assert moment_text(2**63) == "9223372036854775808 µs after 1970"
    assert moment_text(-1) == "-1 µs after 1970"
    assert span_text(5_250) == "5.250 ms"
    assert span_text(12_500_000) == "12.500 s"
    assert words("counter_placed") == "counter placed"
