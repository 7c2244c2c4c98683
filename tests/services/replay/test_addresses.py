"""Addresses: one text for one moment from one point of view."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keylore_domain.engine.seats import Seat
from keylore_domain.errors import OptionError
from keylore_services.replay.addresses import Address, At, Viewer, format_address, parse_address, parse_viewer

GAME = "m/cup/r1/t2"


@pytest.mark.parametrize(
    ("text", "at", "viewer"),
    [
        ("m/cup/r1/t2", At(), "public"),
        ("m/cup/r1/t2/public", At(), "public"),
        ("m/cup/r1/t2/0", At(), Seat(0)),
        ("m/cup/r1/t2/all", At(), "all"),
        ("m/cup/r1/t2@57", At("event", 57), "public"),
        ("m/cup/r1/t2@57/0", At("event", 57), Seat(0)),
        ("m/cup/r1/t2@57/public", At("event", 57), "public"),
        ("m/cup/r1/t2@p57/all", At("ply", 57), "all"),
        ("m/cup/r1/t2@p0", At("ply", 0), "public"),
        ("m/cup/r1/t2@end/3", At(), Seat(3)),
    ],
)
def test_an_address_is_read(text: str, at: At, viewer: Viewer) -> None:
    assert parse_address(text) == Address(GAME, at, viewer)


def test_a_game_may_be_a_file_or_end_in_a_number() -> None:
    assert parse_address("games/final.jsonl.gz@7/1") == Address(
        "games/final.jsonl.gz", At("event", 7), Seat(1)
    )
    assert parse_address("a@b.jsonl@7") == Address("a@b.jsonl", At("event", 7))
    assert parse_address("m/5") == Address("m/5")
    assert parse_address("m/17") == Address("m/17")
    assert parse_address("m/cup/5") == Address("m/cup", At(), Seat(5))
    assert str(Address("m/cup/5")) == "m/cup/5@end"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@",
        "@57",
        "m/a@",
        "m/a@x",
        "m/a@-1",
        "m/a@5/",
        "m/a@5/west",
        "m a",
        "m/a@p",
        "m/a@pend",
        "m/a@5/100",
    ],
)
def test_what_is_no_address_is_answered_with_examples(text: str) -> None:
    with pytest.raises(OptionError, match="for example m/cup/r1/t2, m/cup/r1/t2@57/0") as caught:
        parse_address(text)
    assert caught.value.field == "address"


def test_events_count_from_1() -> None:
    with pytest.raises(OptionError, match="events count from 1"):
        parse_address("m/a@0")


@settings(deadline=None)
@given(
    st.from_regex(r"[a-z0-9./@-]{1,12}", fullmatch=True),
    st.builds(At)
    | st.builds(At, st.just("event"), st.integers(1, 999_999))
    | st.builds(At, st.just("ply"), st.integers(0, 999)),
    st.sampled_from(["public", "all"]) | st.integers(0, 99).map(Seat),
)
def test_a_written_address_reads_the_same(match: str, at: At, viewer: Viewer) -> None:
    address = Address(match, at, viewer)

    assert parse_address(format_address(address)) == address


@pytest.mark.parametrize(("text", "viewer"), [("2", Seat(2)), ("public", "public"), ("all", "all")])
def test_a_point_of_view_is_read(text: str, viewer: Viewer) -> None:
    assert parse_viewer(text) == viewer


@pytest.mark.parametrize("text", ["", "-1", "seat 2", "everyone", "²"])
def test_what_is_no_point_of_view_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="a seat"):
        parse_viewer(text)
