"""The variations and the options that take things out of play (VAR, §1)."""

import pytest

from keylore_domain.engine.options import parse_options
from keylore_domain.errors import OptionError
from keylore_domain.games.keydom.facts import CounterPlaced
from tests.domain.keydom.builders import (
    GAME,
    PASS,
    WITHDRAW,
    Match,
    begun,
    options,
    place,
    placing,
    resolving,
    token,
)


@pytest.mark.parametrize(("rule", "payments"), [("free", 4), ("own", 3), ("not_own", 4)])
def test_letter_a_at_the_goldsmith(rule: str, payments: int) -> None:
    """keydom T44."""
    match = resolving("goldsmith", ["0:9"], cubes={0: (2, 2, 2, 2, 1)}, letter_a_rule=rule)

    assert len(match.legal) == payments + 1


@pytest.mark.parametrize(
    ("rule", "cubes", "payments"),
    [
        ("not_own", (1, 4, 0, 0, 3), [{"green": 2}, {"red": 2}]),
        ("own", (1, 4, 0, 0, 3), []),
        ("not_own", (5, 1, 0, 0, 0), []),
        ("own", (5, 1, 0, 0, 0), [{"blue": 2}]),
    ],
)
def test_letter_a_at_keywood(
    rule: str, cubes: tuple[int, int, int, int, int], payments: list[dict[str, int]]
) -> None:
    """keydom T44."""
    match = resolving("keywood", ["0:9"], cubes={0: cubes}, letter_a_rule=rule)

    if payments:
        assert [move["payment"] for move in match.legal[:-1]] == payments
    else:
        assert match.noted("counter_returned")[0]["reason"] == "unable"


def adjusted_priest(adjustment: str) -> Match:
    match = resolving(
        "priest",
        ["0:6", "1:7"],
        cubes={0: (1, 1, 0, 0, 1), 1: (0, 1, 0, 0, 0)},
        number_adjustment=adjustment,
    )
    assert match.asked == (0, "adjust_number")
    assert match.legal == [
        PASS,
        {"action": "raise", "token": "0.2.1"},
        {"action": "lower", "token": "1.2.1"},
    ]
    assert match.default == PASS
    match.play({"action": "raise", "token": "0.2.1"})
    assert match.asked == (1, "adjust_number")
    assert match.legal == [PASS, {"action": "raise", "token": "1.2.1"}]
    match.play({"action": "raise", "token": "1.2.1"})
    assert match.asked == (0, "adjust_number")
    return match.play({"action": "lower", "token": "1.2.1"})


def test_numbers_are_adjusted_for_cubes_to_the_stock() -> None:
    """keydom T45."""
    match = adjusted_priest("to_stock")

    assert [fact["number"] for fact in match.noted("number_changed")] == [7, 8, 7]
    assert match.cubes(1) == (0, 0, 0, 0, 0)
    assert match.asked == (0, "priest_choose")
    assert match.legal == [{"action": "donation", "kind": "any"}, WITHDRAW]


def test_numbers_are_adjusted_for_cubes_to_the_owner() -> None:
    """keydom T46."""
    match = adjusted_priest("to_owner")

    assert match.asked == (1, "adjust_number")
    assert match.cubes(1) == (0, 1, 0, 0, 0)
    match.play({"action": "raise", "token": "1.2.1"})
    assert match.cubes(1) == (0, 0, 0, 0, 0)
    assert match.state.stock == (25, 25, 25, 25, 24)
    assert match.noted("counter_returned")[0]["token"] == "1.2.1"
    assert match.asked == (0, "priest_choose")
    assert match.legal == [{"action": "donation", "kind": "any"}, WITHDRAW]


def test_adjustment_at_the_soldiers() -> None:
    """keydom T80."""
    match = resolving(
        "soldiers",
        [token("0.1.1", 3, "soldiers"), token("1.1.1", 4, "soldiers")],
        round=1,
        number_adjustment="to_stock",
        cubes={0: (2, 0, 3, 0, 0), 1: (1, 0, 0, 0, 0)},
        elsewhere={"priest": [token("0.1.2", 5, "priest"), token("1.1.2", 6, "priest")]},
    )
    up = {"action": "raise", "token": "0.1.1"}

    assert match.legal == [PASS, up]
    match.play(up)
    assert match.asked == (1, "adjust_number")
    match.play({"action": "lower", "token": "0.1.1"})
    assert match.token("0.1.1").eff == 3
    match.play(up)
    assert match.cubes(0) == (0, 0, 3, 0, 0)
    assert match.asked == (0, "soldiers_arrest")
    match.play({"action": "arrest", "token": "1.1.2"})
    assert match.cubes(0) == (0, 0, 0, 0, 0)
    assert not match.on_board("1.1.2")


def test_adjustment_ends_when_all_passed_in_succession() -> None:
    """keydom VAR-3."""
    match = resolving(
        "midwife",
        ["0:3", "1:9"],
        seats=3,
        number_adjustment="to_stock",
        cubes={0: (3, 0, 0, 0, 0), 1: (0, 3, 0, 0, 0), 2: (2, 0, 0, 0, 0)},
    )
    asked = []

    for move in (PASS, PASS, {"action": "lower", "token": "0.2.1"}, PASS, PASS, PASS):
        asked.append(match.prompt.seat)
        match.play(move)

    assert asked == [0, 1, 2, 0, 1, 2]
    assert match.asked == (1, "midwife_claim")
    match.play({"action": "take"})
    assert match.noted("number_changed")[-1] == {
        "fact": "number_changed",
        "token": "0.2.1",
        "number": 2,
    }


def test_a_number_is_not_lowered_below_zero() -> None:
    """keydom VAR-3."""
    match = resolving(
        "midwife",
        ["0:2", "1:9"],
        number_adjustment="to_stock",
        cubes={1: (9, 0, 0, 0, 0)},
        elsewhere={},
    )
    down = {"action": "lower", "token": "0.2.1"}

    match.play(down, down)

    assert match.token("0.2.1").eff == 0
    assert match.asked == (1, "midwife_claim")


def test_modifiers_end_with_the_location() -> None:
    """keydom §5.4."""
    match = resolving("midwife", ["0:3"], number_adjustment="to_stock", cubes={0: (1, 0, 0, 0, 0)})
    match.play({"action": "raise", "token": "0.2.1"})
    assert match.token("0.2.1").eff == 4

    match.play({"action": "take"})

    assert match.token("0.2.1").eff == 3


def test_counters_are_placed_face_up() -> None:
    """keydom T47."""
    match = begun(2, face_up_counters=True)
    assert len(match.state.deck) == 22
    match.play({"counter": 9}, seat=0).play({"counter": 8}, seat=1).play({"seat": 0})
    assert len(match.state.deck) == 19
    assert not {"second_sight", "open_book"} & {*match.state.deck, *match.state.market}

    match.play(place(5, "farm"))

    assert match.number_seen("0.1.1", 1) == match.number_seen("0.1.1", None) == 5
    (placed,) = (fact for fact in match.facts if isinstance(fact, CounterPlaced))
    assert match.game.redact(placed, None) == placed


def test_bids_of_every_round_take_the_place_of_the_marker() -> None:
    """keydom T48."""
    match = begun(2, turn_marker_bidding=True)
    match.play({"counter": 9}, seat=0).play({"counter": 8}, seat=1).play({"seat": 1})
    while match.state.round == 1:
        match.play(match.default)

    assert [item.prompt.kind for item in match.position.open] == ["bid_counter", "bid_counter"]
    match.play({"counter": 3}, seat=0).play({"counter": 8}, seat=1)
    assert match.asked == (1, "choose_start_player")
    match.play({"seat": 0})
    assert match.asked == (0, "place_counter")
    assert [len(match.hand(seat)) for seat in range(2)] == [7, 7]
    assert [match.state.families[seat].bid for seat in range(2)] == [(3,), (8,)]
    assert match.noted("marker_passed") == []
    assert len(match.noted("market_renewed")) == 2
    assert len(match.noted("round_started")) == 2


def test_a_game_without_spells() -> None:
    """keydom T72."""
    match = begun(2, spells=False, round_cap=3)
    kinds = set()
    match.play({"counter": 9}, seat=0).play({"counter": 8}, seat=1)

    while match.position.open:
        kinds.add(match.prompt.kind)
        assert match.view(None).market == ()
        if match.prompt.kind == "place_counter":
            assert len(match.legal) == 15 * len(match.hand(match.prompt.seat))
        match.play(match.default)

    assert not kinds & {"window_action", "respond", "wizard_space"}
    assert match.state.deck == ()


def test_fifteen_locations_without_blacksmith_or_wizard() -> None:
    """keydom T40, T72."""
    assert len(placing().legal) == 16
    assert len(placing(spells=False).legal) == 15
    assert len(placing(spells=False, short_game=True).legal) == 14


@pytest.mark.parametrize(
    "raw",
    [
        {"seats": 1},
        {"seats": 6},
        {},
        {"seats": 2, "short_game": "yes"},
        {"seats": 2, "letter_a_rule": "both"},
        {"seats": 2, "number_adjustment": False},
        {"seats": 2, "round_cap": 0},
        {"seats": 2, "round_cap": 201},
        {"seats": 2, "solo": True},
    ],
)
def test_wrong_options_are_rejected(raw: dict[str, object]) -> None:
    """keydom §1."""
    with pytest.raises(OptionError):
        parse_options(GAME, raw)


def test_options_have_the_defaults_of_the_data_file() -> None:
    """keydom §1."""
    defaults = GAME.parts.data.option_defaults
    chosen = options(2, colour_assignment="choose")

    assert {name: getattr(chosen, name) for name in defaults} == {
        name: default.value for name, default in defaults.items()
    }
