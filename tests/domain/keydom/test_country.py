"""Harbour, forest, quarry, farm and brewery (RES, VAR-1)."""

from collections.abc import Sequence

import pytest

from tests.domain.keydom.builders import Match, resolving

SUPERVISOR: dict[str, object] = {"space": "supervisor"}


def pair(number: int) -> dict[str, object]:
    return {"space": "pair", "pair": number}


def placed(match: Match, *spaces: dict[str, object]) -> Match:
    return match.play(*spaces)


def test_a_pair_in_the_colour_of_the_location_earns_four() -> None:
    """keydom T02."""
    match = resolving("harbour", ["0:9", "0:8", "1:7", "1:6"])

    placed(match, pair(1), pair(1), pair(2), pair(2))

    assert match.state.round == 3
    assert match.cubes(0) == (4, 0, 0, 0, 0)
    assert match.cubes(1) == (2, 0, 0, 0, 0)
    assert match.state.stock[0] == 19


def test_a_counter_must_take_a_space_in_the_countryside() -> None:
    """keydom T13."""
    for choice in range(5):
        match = resolving("farm", ["2:4"], seats=3)
        assert match.asked == (2, "choose_space")
        assert match.legal == [SUPERVISOR, pair(1), pair(2), pair(3), pair(4)]

        match.play(match.legal[choice])

        assert match.state.stock == (25,) * 5


def test_the_supervisor_shares_the_wages_of_a_mixed_pair() -> None:
    """keydom T14."""
    match = resolving("quarry", ["0:9", "1:8", "2:7", "2:6", "0:5", "1:4"], seats=3)

    placed(match, SUPERVISOR, pair(1), pair(2), pair(2), pair(1), pair(3))

    assert match.asked == (0, "supervise_pair")
    assert match.legal == [{"split": [1, 1]}, {"split": [2, 0]}, {"split": [0, 2]}]
    assert match.default == {"split": [1, 1]}
    context = match.context
    assert (context["pair"], context["first"], context["second"]) == (1, "1.2.1", "0.2.2")
    match.play({"split": [0, 2]})
    assert [match.cubes(seat)[2] for seat in range(3)] == [2, 0, 4]
    assert match.state.stock[2] == 19
    assert match.noted("wages_paid") == [
        {"fact": "wages_paid", "pair": 1, "amounts": [2, 0, 0]},
        {"fact": "wages_paid", "pair": 2, "amounts": [0, 0, 4]},
    ]


def test_without_a_supervisor_a_mixed_pair_shares_evenly() -> None:
    """keydom T15."""
    match = placed(resolving("farm", ["0:6", "1:5"]), pair(1), pair(1))

    assert [match.cubes(seat) for seat in range(2)] == [(0, 0, 0, 1, 0), (0, 0, 0, 1, 0)]
    assert match.state.round == 3


def test_a_pair_that_cannot_be_paid_in_full_stops_the_wages() -> None:
    """keydom T16."""
    match = resolving(
        "harbour", ["2:9", "0:8", "0:7", "1:6", "2:5", "1:4", "1:3"], seats=3, stock={"blue": 5}
    )

    placed(match, SUPERVISOR, pair(1), pair(1), pair(2), pair(2), pair(3), pair(3))

    assert match.state.round == 3
    assert [match.cubes(seat)[0] for seat in range(3)] == [4, 0, 0]
    assert match.state.stock[0] == 1


def test_a_shortage_at_the_first_pair_leaves_all_unpaid() -> None:
    """keydom T17."""
    match = resolving("harbour", ["0:9", "0:8", "1:7", "1:6"], stock={"blue": 3})

    placed(match, pair(1), pair(1), pair(2), pair(2))

    assert match.noted("wages_paid") == []
    assert match.state.stock[0] == 3


def test_a_single_worker_is_skipped() -> None:
    """keydom T18."""
    match = placed(resolving("brewery", ["0:9", "1:8", "1:7"]), pair(1), pair(2), pair(2))

    assert match.cubes(1) == (0, 0, 0, 0, 2)
    assert match.cubes(0) == (0,) * 5


def test_the_tenth_counter_is_excess() -> None:
    """keydom T19."""
    tokens = ["0:9", "0:2", "1:9", "1:3", "2:8", "2:4", "3:7", "3:5", "4:6", "4:3"]
    match = resolving("forest", tokens, seats=5)
    order = []

    while match.prompt.kind == "choose_space":
        order.append(match.context["token"])
        match.play(match.default)

    # the ninth token takes the last space without being asked
    assert order == ["1.2.1", "0.2.1", "2.2.1", "3.2.1", "4.2.1", "3.2.2", "2.2.2", "1.2.2"]
    assert [fact["token"] for fact in match.noted("space_taken")][-1] == "4.2.2"
    assert [(fact["token"], fact["reason"]) for fact in match.noted("counter_returned")] == [
        ("0.2.2", "excess")
    ]


@pytest.mark.parametrize(
    ("second", "yellow"), [("1:9", (1, 1, 4)), ("1:7", (2, 0, 4))], ids=["equal numbers", "a better worker"]
)
def test_without_supervisors_the_best_worker_takes_all(second: str, yellow: tuple[int, ...]) -> None:
    """keydom T43."""
    match = resolving("farm", ["0:9", second, "3:8", "3:3"], seats=4, no_supervisors=True)

    assert match.legal == [pair(1), pair(2), pair(3), pair(4)]
    while match.prompt.kind == "choose_space":
        match.play(pair(2 if match.prompt.seat == 3 else 1))

    assert (match.cubes(0)[3], match.cubes(1)[3], match.cubes(3)[3]) == yellow


def test_the_second_worker_can_be_the_better_one_after_a_reversal() -> None:
    """keydom R22."""
    match = resolving("farm", ["0:9", "1:7"], no_supervisors=True, held={0: ["world_upside_down"]})
    match.play({"action": "cast", "spell": "world_upside_down"})

    assert match.asked == (1, "choose_space")
    placed(match, pair(1), pair(1))

    assert match.cubes(0)[3] == 2


@pytest.mark.parametrize(
    ("spaces", "default"),
    [
        ([pair(3)], pair(3)),
        ([SUPERVISOR], pair(1)),
        ([], pair(1)),
    ],
    ids=["beside one's own", "an empty pair", "nothing taken"],
)
def test_the_default_space(spaces: Sequence[dict[str, object]], default: dict[str, object]) -> None:
    """keydom §5.6 choose_space."""
    match = resolving("farm", ["0:9", "0:8"])

    placed(match, *spaces)

    assert match.default == default


def test_the_default_space_avoids_the_supervisor_as_long_as_it_can() -> None:
    """keydom §5.6 choose_space."""
    match = resolving("farm", ["1:9", "1:8", "1:7", "1:6", "0:5"])
    placed(match, pair(1), pair(2), pair(3), pair(4))

    assert match.default == pair(1)
    assert match.legal[0] == SUPERVISOR


def test_the_default_space_is_the_supervisors_if_no_other_is_left() -> None:
    """keydom §5.6 choose_space."""
    tokens = ["0:9", "0:8", "0:7", "0:6", "0:5", "0:4", "0:3", "0:2"]
    match = resolving("farm", [*tokens, "1:9"], start=1)
    spaces = [pair(1), pair(1), pair(2), pair(2), pair(3), pair(3), pair(4)]

    match.play(SUPERVISOR if match.prompt.seat == 0 else pair(1))
    del spaces[0]
    placed(match, *spaces)

    assert match.default == pair(4)
