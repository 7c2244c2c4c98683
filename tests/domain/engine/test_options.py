"""Options: untyped input becomes a struct, or an error that names the field and what is allowed."""

from typing import Annotated, Literal

import msgspec
import pytest

from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.options import (
    allowed_values,
    check_start_seat,
    option_table,
    parse_options,
    parse_struct,
)
from keylore_domain.errors import OptionError
from tests.domain.engine.toy import Pearls, PearlsOptions

GAME = Pearls()


class Everything(msgspec.Struct, frozen=True, kw_only=True):
    count: Annotated[int, msgspec.Meta(ge=2, le=5)]
    mode: Literal["free", "own", "not_own"] = "free"
    fast: bool = False
    name: str | None = None
    free: Annotated[int, msgspec.Meta(ge=0)] = 0


def test_defaults_fill_what_is_not_given() -> None:
    assert parse_options(GAME, {"seats": 3, "resale": False}) == PearlsOptions(seats=3, resale=False)


@pytest.mark.parametrize(
    ("raw", "field", "allowed"),
    [
        ({"seats": 5}, "seats", "2 to 4"),
        ({"seats": "3"}, "seats", "2 to 4"),
        ({"seats": True}, "seats", "2 to 4"),
        ({"seats": 3.0}, "seats", "2 to 4"),
        ({}, "seats", "2 to 4"),
        ({"seats": 2, "rounds": 0}, "rounds", "1 to 6"),
        ({"seats": 2, "resale": "yes"}, "resale", "true or false"),
        ({"seats": 2, "colour": "red"}, "colour", "one of seats, rounds, coins, resale"),
        ({"seats": 2, "coins": 0}, "resale", "false if coins is 0"),
    ],
)
def test_a_wrong_option_is_named_with_what_is_allowed(
    raw: dict[str, object], field: str, allowed: str
) -> None:
    with pytest.raises(OptionError) as caught:
        parse_options(GAME, raw)

    assert (caught.value.field, caught.value.allowed) == (field, allowed)
    assert field in str(caught.value)
    assert allowed in str(caught.value)


def test_allowed_values_are_told_in_words() -> None:
    told = {field.name: allowed_values(field.type) for field in msgspec.structs.fields(Everything)}

    assert told == {
        "count": "2 to 5",
        "mode": "free, own or not_own",
        "fast": "true or false",
        "name": "a text or null",
        "free": "a whole number",
    }
    assert allowed_values(Literal["one"]) == "one"
    assert allowed_values(TimeControl) == "TimeControl"
    assert allowed_values(...) == "Ellipsis"


def test_a_table_tells_every_option() -> None:
    assert option_table(Everything) == (
        ("count", "2 to 5", "required"),
        ("mode", "free, own or not_own", "free"),
        ("fast", "true or false", "false"),
        ("name", "a text or null", "null"),
        ("free", "a whole number", "0"),
    )


def test_any_struct_can_be_read_so() -> None:
    assert parse_struct(TimeControl, {"move_ms": 50}) == TimeControl(move_ms=50)
    with pytest.raises(OptionError, match="10 to 86400000"):
        parse_struct(TimeControl, {"move_ms": 5})


def test_the_seat_that_begins_must_be_at_the_table() -> None:
    check_start_seat("random", 2)
    check_start_seat(1, 2)

    with pytest.raises(OptionError) as error:
        check_start_seat(2, 2)
    assert (error.value.field, error.value.allowed) == ("start_seat", "random or 0 to 1")


class Lists(msgspec.Struct, frozen=True, kw_only=True):
    numbers: tuple[int, ...] = (1, 2)
    pairs: tuple[tuple[str, int], ...] = ()


def test_lists_are_described_by_what_stands_in_them() -> None:
    assert option_table(Lists) == (
        ("numbers", "a list, each a whole number", "[1, 2]"),
        ("pairs", "a list, each [a text, a whole number]", "[]"),
    )
    with pytest.raises(OptionError, match="a list, each a whole number"):
        parse_struct(Lists, {"numbers": "many"})
