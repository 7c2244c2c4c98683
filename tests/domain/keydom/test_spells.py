"""Windows, casting, answers, and what each spell does (§5.5, SPL, SP)."""

import pytest
import yaml
from msgspec.structs import replace

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.components.checks import EFFECT_FORMS
from keylore_domain.games.keydom.components.parts import standard
from keylore_domain.games.keydom.effects.spells import EFFECTS
from keylore_domain.games.keydom.effects.targets import CONDITIONS, LISTERS
from keylore_domain.games.keydom.facts import CounterTakenBack
from keylore_domain.games.keydom.rules import Keydom
from tests.domain.keydom.builders import (
    GAME,
    PASS,
    PASS_ROUND,
    PASS_WINDOW,
    WITHDRAW,
    Match,
    cast,
    place,
    placing,
    resolving,
    token,
)

COLOURS = ["blue", "green", "black", "yellow", "red"]
RICH = (5, 5, 5, 5, 5)


def tokens_of(match: Match) -> list[str]:
    return [move["token"] for move in match.legal]


def test_a_dispelled_spell_does_nothing() -> None:
    """keydom T49."""
    match = placing(held={0: ["shoal"], 1: ["dispel"]})

    match.play(cast("shoal"))
    assert match.asked == (1, "respond")
    assert match.legal == [PASS, cast("dispel")]
    assert match.default == PASS
    assert match.context["to"] == {"by": 0, "spell": "shoal"}
    assert match.view(None).effects.casting == ("shoal",)
    match.play(cast("dispel"))

    assert match.cubes(0) == (0, 0, 0, 0, 0)
    assert match.state.deck[-2:] == ("dispel", "shoal")
    assert match.asked == (0, "place_counter")
    assert match.hand(0) == (3,)
    assert match.noted("spell_cancelled") == [{"fact": "spell_cancelled", "spell": "shoal"}]


def test_a_spell_that_nobody_dispels_takes_effect() -> None:
    """keydom SPL-4."""
    match = placing(held={0: ["shoal"], 1: ["dispel"]}).play(cast("shoal"), PASS)

    assert match.cubes(0) == (4, 0, 0, 0, 0)
    assert match.state.deck[-1] == "shoal"
    assert match.spells(1) == ("dispel",)


def test_a_watchdog_stops_the_outlaws() -> None:
    """keydom T50."""
    match = resolving(
        "outlaws", ["0:9"], cubes={0: (2, 0, 0, 0, 0), 1: (0, 0, 0, 0, 1)}, held={1: ["watchdog"]}
    ).play({"action": "steal", "kind": "cube"})
    attack = {"source": "seat", "seat": 1, "colour": "red"}

    match.play(attack)
    assert match.asked == (1, "respond")
    assert match.context["to"] == {"by": 0, "attack": attack}
    match.play(cast("watchdog"))

    assert match.noted("attack_failed") == [{"fact": "attack_failed", "attack": attack}]
    assert match.asked == (0, "outlaws_attack")
    assert match.legal == [{"source": "stock", "colour": colour} for colour in COLOURS]
    assert match.view(None).effects.warded == (1,)
    assert match.cubes(1) == (0, 0, 0, 0, 1)


def test_a_dispelled_watchdog_does_not_stop_the_outlaws() -> None:
    """keydom SP23 (c)."""
    match = resolving(
        "outlaws",
        ["0:9"],
        cubes={0: (2, 0, 0, 0, 0), 1: (0, 0, 0, 0, 1)},
        held={0: ["dispel"], 1: ["watchdog"]},
    ).play({"action": "steal", "kind": "cube"}, {"source": "seat", "seat": 1, "colour": "red"})

    match.play(cast("watchdog"))
    assert match.asked == (0, "respond")
    match.play(cast("dispel"))

    assert match.cubes(0) == (0, 0, 0, 0, 1)
    assert match.state.deck[-2:] == ("dispel", "watchdog")


def test_a_watchdog_may_keep_silent() -> None:
    """keydom OUT-6."""
    match = resolving(
        "outlaws", ["0:9"], cubes={0: (2, 0, 0, 0, 0), 1: (0, 0, 0, 0, 1)}, held={1: ["watchdog"]}
    ).play({"action": "steal", "kind": "cube"}, {"source": "seat", "seat": 1, "colour": "red"}, PASS)

    assert match.cubes(0) == (0, 0, 0, 0, 1)
    assert match.spells(1) == ("watchdog",)


def test_sanctuary_frees_from_the_donation() -> None:
    """keydom T51."""
    match = resolving(
        "priest",
        ["0:9"],
        seats=3,
        cubes={0: (1, 0, 0, 0, 0), 1: (1, 1, 0, 0, 0), 2: (0, 2, 0, 0, 0)},
        held={1: ["sanctuary"]},
    ).play({"action": "donation", "kind": "any"})

    assert match.asked == (1, "respond")
    assert match.context["to"] == {"by": 0, "donation": "any"}
    match.play(cast("sanctuary"))

    assert match.cubes(1) == (1, 1, 0, 0, 0)
    assert match.cubes(2) == (0, 1, 0, 0, 0)


def test_sanctuary_is_not_offered_to_a_seat_with_nothing_to_donate() -> None:
    """keydom T51, PRI-5."""
    match = resolving("priest", ["0:9"], cubes={0: (1, 0, 0, 0, 0)}, held={1: ["sanctuary"]})

    match.play({"action": "donation", "kind": "any"})

    assert match.state.round == 3
    assert match.spells(1) == ("sanctuary",)


def test_a_dispelled_sanctuary_does_not_free() -> None:
    """keydom T70."""
    match = resolving(
        "priest",
        ["0:9"],
        cubes={0: (0, 0, 0, 0, 2), 1: (0, 0, 0, 0, 2)},
        held={0: ["dispel"], 1: ["sanctuary"]},
        elsewhere={"midwife": ["0:5"]},
    ).play({"action": "donation", "kind": "same"})

    match.play(cast("sanctuary"), cast("dispel"))

    assert match.cubes(1) == (0, 0, 0, 0, 1)
    assert match.state.deck[-2:] == ("dispel", "sanctuary")


def test_fleet_of_foot_moves_a_counter_into_the_location() -> None:
    """keydom T52."""
    match = resolving(
        "trader",
        ["1:9"],
        cubes={0: (1, 0, 0, 0, 0), 1: (1, 0, 0, 0, 0)},
        held={0: ["fleet_of_foot"]},
        elsewhere={"keywood": [token("0.2.3", 4, "keywood")], "soldiers": ["0:9"], "chamber": []},
    )

    assert match.asked == (0, "window_action")
    assert (match.context["window"], match.context["location"]) == ("before_reveal", "trader")
    match.play(cast("fleet_of_foot"))
    assert match.asked == (0, "spell_target")
    assert [move["location"] for move in match.legal] == [
        "trader",
        "priest",
        "midwife",
        "wizard",
        "outlaws",
        "blacksmith",
        "locksmith",
        "goldsmith",
    ]
    match.play({"location": "trader"})
    assert match.token("0.2.3").face == "up"
    assert match.asked == (1, "trader_exchange")
    match.play(WITHDRAW)
    assert match.asked == (0, "trader_exchange")


def test_fleet_of_foot_has_thirteen_goals_at_the_harbour() -> None:
    """keydom T52."""
    match = resolving(
        "harbour",
        [],
        held={0: ["fleet_of_foot"]},
        elsewhere={"keywood": ["0:4", "0:5"], "soldiers": ["0:6"]},
    ).play(cast("fleet_of_foot"))

    assert tokens_of(match) == ["0.2.1", "0.2.2"]
    match.play({"token": "0.2.2"})
    assert len(match.legal) == 13


def test_fleet_of_foot_is_of_no_use_at_keywood() -> None:
    """keydom SP10: no other location is unresolved but the chamber."""
    match = resolving("keywood", ["0:5", "1:4"], held={0: ["fleet_of_foot"]})

    assert match.state.round == 3


def test_banishment_does_not_reach_counters_of_earlier_rounds() -> None:
    """keydom T53."""
    match = resolving(
        "keywood",
        [token("1.3.1", 5, "keywood", track=1), token("1.4.2", 6, "keywood"), token("1.4.3", 7, "keywood")],
        round=4,
        held={0: ["banishment"]},
    ).play(cast("banishment"))

    assert tokens_of(match) == ["1.4.2", "1.4.3"]


def test_mimicry_makes_a_tie() -> None:
    """keydom T54."""
    match = resolving(
        "locksmith", ["0:4", "0:3", "1:9"], cubes={0: RICH, 1: RICH}, held={0: ["mimicry"]}, start=1
    ).play(cast("mimicry"))

    assert tokens_of(match) == ["0.2.1", "0.2.2"]
    match.play({"token": "0.2.1"})
    assert match.token("0.2.1").eff == 9
    assert match.asked == (0, "purchase_tile")
    assert match.context["token"] == "0.2.1"


def test_mimicry_is_of_no_use_to_the_highest() -> None:
    """keydom SP15."""
    match = resolving("locksmith", ["0:9", "1:4"], cubes={0: RICH}, held={0: ["mimicry"]})

    assert match.asked == (0, "purchase_tile")


def test_world_upside_down_lets_the_lowest_go_first() -> None:
    """keydom T55."""
    match = resolving(
        "blacksmith",
        ["0:9", "1:2", "1:6"],
        cubes={0: (4, 4, 0, 0, 0), 1: (4, 4, 0, 0, 0)},
        held={0: ["world_upside_down"]},
    ).play(cast("world_upside_down"))

    assert match.view(None).effects.reversed
    order = []
    while match.prompt.kind == "purchase_tile":
        order.append(match.context["token"])
        match.play(WITHDRAW)
    assert order == ["1.2.1", "1.2.2", "0.2.1"]


def test_world_upside_down_needs_two_counters() -> None:
    """keydom SP20."""
    match = resolving("blacksmith", ["0:9"], cubes={0: RICH}, held={0: ["world_upside_down"]})

    assert match.asked == (0, "purchase_tile")


def test_overtime_is_paid_after_the_pairs() -> None:
    """keydom T56."""
    match = resolving(
        "forest", ["2:9", "0:8", "1:7"], seats=3, stock={"green": 3}, held={0: ["overtime"]}
    ).play(cast("overtime"))

    assert match.view(None).effects.overtime == (0,)
    match.play({"space": "supervisor"}, {"space": "pair", "pair": 1}, {"space": "pair", "pair": 1})
    match.play({"split": [0, 2]})

    assert match.cubes(1)[1] == 2
    assert match.cubes(0)[1] == 1
    assert match.state.stock[1] == 0


def test_overtime_without_a_paid_pair_is_void() -> None:
    """keydom SP21."""
    match = resolving("forest", ["0:8"], held={0: ["overtime"]}).play(cast("overtime"))

    match.play({"space": "pair", "pair": 1})

    assert match.noted("spell_no_effect") == [{"fact": "spell_no_effect", "spell": "overtime"}]
    assert match.cubes(0) == (0,) * 5


def test_overtime_is_for_the_countryside_only() -> None:
    """keydom SP21."""
    match = resolving("trader", ["0:8"], cubes={0: RICH}, held={0: ["overtime"]})

    assert match.asked == (0, "trader_exchange")


def test_second_thoughts_take_a_counter_back() -> None:
    """keydom T57."""
    match = placing(
        held={0: ["second_thoughts"]},
        hands={0: (5,)},
        tokens={"farm": [token("0.2.2", 8, "farm"), token("0.2.1", 7, "farm")]},
    ).play(cast("second_thoughts"))

    assert tokens_of(match) == ["0.2.1", "0.2.2"]
    match.play({"token": "0.2.2"})
    assert match.hand(0) == (5, 8)
    assert not match.on_board("0.2.2")
    assert match.asked == (0, "place_counter")
    match.play(place(8, "quarry"))
    assert match.token("0.2.3").number == 8
    assert match.asked == (0, "place_counter")
    match.play(place(5, "quarry"))
    assert match.token("0.2.4").number == 5
    (taken,) = (fact for fact in match.facts if isinstance(fact, CounterTakenBack))
    assert taken.number == 8
    assert match.game.redact(taken, Seat(0)) == taken
    assert match.game.redact(taken, Seat(1)) == replace(taken, number=None)


def test_a_closed_gate_bars_a_location_for_the_phase() -> None:
    """keydom T58."""
    match = placing(
        held={0: ["closed_gate"]},
        hands={0: (5, 6), 1: (7,)},
        tokens={"keywood": ["1:9"]},
        cubes={1: (0, 2, 0, 0, 0)},
    ).play(cast("closed_gate"))

    assert [move["location"] for move in match.legal] == [
        location for location in match.state.in_play if location not in ("soldiers", "chamber")
    ]
    match.play({"location": "keywood"})
    assert match.view(None).effects.closed == ("keywood",)
    for _ in range(3):
        assert match.prompt.kind == "place_counter"
        assert all(move.get("location") != "keywood" for move in match.legal)
        match.play(place(match.hand(match.prompt.seat)[0], "farm"))
    match.play_defaults(until="keywood_pay")
    assert match.asked == (1, "keywood_pay")
    match.play_defaults(until="place_counter")
    assert any(move.get("location") == "keywood" for move in match.legal)


def test_windows_open_at_fourteen_locations() -> None:
    """keydom T59."""
    match = placing(held={0: ["haggle"]}, cubes={0: RICH}, hands={0: (3,)})
    match.play(place(3, "chamber"))
    asked = []

    while match.prompt.kind == "window_action":
        assert match.legal == [PASS_WINDOW, PASS_ROUND, cast("haggle")]
        assert match.default == PASS_WINDOW
        asked.append(match.context["location"])
        match.play(PASS_WINDOW)

    assert asked == [place for place in match.state.in_play if place not in ("soldiers", "chamber")]


def test_a_seat_that_casts_is_asked_again_in_the_same_window() -> None:
    """keydom §5.5."""
    match = resolving("forest", [], held={0: ["alchemy", "haggle"], 1: ["haggle"]}, cubes={0: RICH, 1: RICH})

    match.play(cast("haggle"), {"give": "blue", "take": "red"}, {"action": "done"})
    assert match.asked == (0, "window_action")
    assert match.legal[2:] == [cast("alchemy")]
    match.play(PASS_WINDOW)
    assert match.asked == (1, "window_action")
    match.play(PASS_WINDOW)
    assert match.context["location"] == "quarry"


@pytest.mark.parametrize(
    ("spell", "colour"),
    [("shoal", 0), ("windfall", 1), ("rockfall", 2), ("gleaning", 3), ("deep_cellar", 4)],
)
def test_cube_spells_give_up_to_four(spell: str, colour: int) -> None:
    """keydom T60."""
    match = placing(held={0: [spell]}).play(cast(spell))

    assert match.cubes(0) == tuple(4 if at == colour else 0 for at in range(5))


def test_cube_spells_give_what_the_stock_has() -> None:
    """keydom T60."""
    match = placing(1, held={1: ["deep_cellar"], 0: ["shoal"]}, stock={"red": 3, "blue": 0})

    match.play(cast("deep_cellar"))
    assert match.cubes(1) == (0, 0, 0, 0, 3)
    assert match.state.stock[4] == 0
    assert match.asked == (1, "place_counter")
    match.play(place(3, "farm"))
    assert match.asked == (0, "place_counter")
    assert match.legal[-1] == {"action": "discard_spell", "spell": "shoal"}
    assert cast("shoal") not in match.legal


def test_alchemy_exchanges_up_to_four_cubes() -> None:
    """keydom T61."""
    match = resolving("harbour", [], held={0: ["alchemy"]}, cubes={0: (2, 1, 0, 0, 0)}).play(cast("alchemy"))

    assert match.asked == (0, "exchange_cube")
    assert len(match.legal) == 8
    assert match.default == match.legal[0]
    match.play({"give": "blue", "take": "red"})
    assert match.cubes(0) == (1, 1, 0, 0, 1)
    assert len(match.legal) == 13
    assert match.legal[-1] == match.default == {"action": "done"}
    back, forth = {"give": "red", "take": "blue"}, {"give": "blue", "take": "red"}
    match.play(back, forth, back)
    assert match.cubes(0) == (2, 1, 0, 0, 0)
    assert match.prompt.kind == "place_counter"
    assert match.noted("spell_to_bottom")[0]["spell"] == "alchemy"


def test_haggle_exchanges_up_to_two_cubes() -> None:
    """keydom T62."""
    match = resolving("harbour", [], held={0: ["haggle"]}, cubes={0: (1, 0, 0, 0, 0)}).play(cast("haggle"))

    assert len(match.legal) == 4
    match.play({"give": "blue", "take": "red"})
    assert len(match.legal) == 5
    match.play({"give": "red", "take": "black"})
    assert match.cubes(0) == (0, 0, 1, 0, 0)
    assert match.prompt.kind == "place_counter"


def test_exchanges_end_when_the_stock_has_nothing_else() -> None:
    """keydom SP6."""
    match = resolving(
        "harbour",
        [],
        held={0: ["haggle"]},
        cubes={0: (0, 1, 0, 0, 0)},
        stock={"green": 0, "black": 0, "yellow": 0, "red": 0, "blue": 1},
    ).play(cast("haggle"))

    assert match.cubes(0) == (1, 0, 0, 0, 0)
    assert match.asked == (0, "exchange_cube")
    assert match.legal == [{"give": "blue", "take": "green"}, {"action": "done"}]


def test_fair_shares_are_taken_from_richer_seats() -> None:
    """keydom T63."""
    match = placing(
        seats=4,
        hands={0: (3,)},
        held={0: ["fair_shares"]},
        cubes={0: (1, 1, 1, 0, 0), 1: (2, 3, 0, 0, 0), 2: (0, 3, 0, 0, 0), 3: (0, 0, 0, 0, 4)},
    ).play(cast("fair_shares"))

    assert match.asked == (1, "donate_cube")
    assert match.legal == [{"colour": "blue"}, {"colour": "green"}]
    assert match.default == {"colour": "blue"}
    match.play({"colour": "green"})
    assert match.cubes(0) == (1, 2, 1, 0, 1)
    assert match.cubes(2) == (0, 3, 0, 0, 0)


def test_fair_shares_among_equals_do_nothing() -> None:
    """keydom SP8."""
    match = placing(held={0: ["fair_shares"]}).play(cast("fair_shares"))

    assert match.noted("spell_no_effect") == [{"fact": "spell_no_effect", "spell": "fair_shares"}]


def test_light_fingers_take_a_cube_that_is_there() -> None:
    """keydom T64."""
    match = placing(held={0: ["light_fingers"]}, cubes={1: (0, 0, 0, 0, 1)}).play(cast("light_fingers"))

    assert match.legal == [{"seat": 1, "colour": colour} for colour in COLOURS]
    match.play({"seat": 1, "colour": "red"})
    assert match.cubes(0) == (0, 0, 0, 0, 1)
    assert match.cubes(1) == (0, 0, 0, 0, 0)
    assert match.state.deck[-1] == "light_fingers"


def test_light_fingers_miss_a_cube_that_is_not_there() -> None:
    """keydom T64."""
    match = placing(held={0: ["light_fingers"]}, cubes={1: (0, 0, 0, 0, 1)})

    match.play(cast("light_fingers"), {"seat": 1, "colour": "blue"})

    assert match.cubes(0) == (0, 0, 0, 0, 0)
    assert match.state.deck[-1] == "light_fingers"
    assert match.noted("spell_no_effect") == [{"fact": "spell_no_effect", "spell": "light_fingers"}]


def test_banishment_sends_a_counter_back_unseen() -> None:
    """keydom T65."""
    match = resolving(
        "trader",
        [],
        held={0: ["banishment"]},
        elsewhere={
            "locksmith": [token("1.2.3", 7, "locksmith")],
            "midwife": [token("0.2.1", 3, "midwife")],
            "harbour": [token("1.2.1", 5, "harbour", face="up")],
            "soldiers": [token("1.2.2", 6, "soldiers", face="up")],
        },
    ).play(cast("banishment"))

    assert match.asked == (0, "midwife_claim")
    assert match.returned(1) == [7]
    assert match.view(1).seats[1].returned == (7,)
    assert match.view(0).seats[1].returned == (None,)
    match.play_defaults(until="place_counter")
    assert 7 in match.hand(1)


def changeling_scene() -> Match:
    return resolving(
        "farm",
        [token("0.2.1", 3, "farm"), token("1.2.1", 8, "farm")],
        held={0: ["changeling"]},
        elsewhere={
            "goldsmith": [token("1.2.4", 5, "goldsmith")],
            "soldiers": [token("1.2.2", 6, "soldiers")],
            "chamber": [token("1.2.3", 7, "chamber")],
            "harbour": [token("1.2.5", 9, "harbour", face="up")],
            "midwife": [token("1.2.6", 2, "midwife")],
        },
    ).play(cast("changeling"))


def test_changeling_swaps_two_counters() -> None:
    """keydom T66."""
    match = changeling_scene()

    assert tokens_of(match) == ["1.2.4", "1.2.6"]
    match.play({"token": "1.2.4"})
    assert (match.token("1.2.4").location, match.token("1.2.4").face) == ("farm", "up")
    assert (match.token("0.2.1").location, match.token("0.2.1").face) == ("goldsmith", "down")
    assert [(fact["token"], fact["from"], fact["to"]) for fact in match.noted("counter_moved")] == [
        ("0.2.1", "farm", "goldsmith"),
        ("1.2.4", "goldsmith", "farm"),
    ]


def test_giants_strength_and_weariness() -> None:
    """keydom T67."""
    match = resolving(
        "blacksmith",
        ["0:5", "1:7"],
        cubes={0: RICH, 1: (4, 4, 0, 0, 0)},
        held={0: ["giants_strength"], 1: ["weariness"]},
    )

    match.play(cast("giants_strength"))
    assert match.asked == (1, "window_action")
    assert match.token("0.2.1").eff == 8
    match.play(cast("weariness"))
    assert match.token("0.2.1").eff == 5
    assert match.view(None).board[0].eff == 5
    assert match.asked == (1, "purchase_tile")


def test_weariness_does_not_go_below_zero() -> None:
    """keydom T67."""
    match = resolving("midwife", ["0:2", "1:7"], held={1: ["weariness"]}).play(cast("weariness"))

    assert match.token("0.2.1").eff == 0


def test_weariness_does_not_tire_a_counter_at_zero() -> None:
    """keydom SP14."""
    match = resolving(
        "midwife",
        [replace(token("0.2.1", 2, "midwife"), modifier=-2), "1:7"],
        held={1: ["weariness"]},
    )

    assert match.asked == (1, "midwife_claim")


def test_second_sight_is_for_the_caster_alone() -> None:
    """keydom T68."""
    match = placing(
        seats=3,
        held={0: ["second_sight"]},
        tokens={
            "trader": [token("1.2.2", 4, "trader"), token("2.2.1", 9, "trader"), token("0.2.1", 8, "trader")],
            "farm": [token("0.2.2", 6, "farm")],
            "chamber": [token("1.2.1", 7, "chamber")],
        },
    ).play(cast("second_sight"))

    assert match.legal == [{"location": "trader"}, {"location": "chamber"}]
    match.play({"location": "trader"})
    assert [match.number_seen(item, 0) for item in ("1.2.2", "2.2.1", "1.2.1")] == [4, 9, None]
    assert [match.number_seen(item, 1) for item in ("1.2.2", "2.2.1")] == [4, None]
    assert [match.number_seen(item, 2) for item in ("1.2.2", "2.2.1")] == [None, 9]
    assert match.noted("spell_cast")[-1]["targets"] == [{"location": "trader"}]


def test_what_was_seen_stays_known_after_a_move() -> None:
    """keydom T68."""
    match = placing(
        held={0: ["second_sight"], 1: ["changeling"]},
        hands={0: (3,)},
        tokens={"trader": [token("1.2.2", 4, "trader")], "midwife": [token("1.2.1", 9, "midwife")]},
    ).play(cast("second_sight"), {"location": "trader"})
    match.play(place(3, "keywood"), cast("changeling"), {"token": "1.2.2"})

    assert match.asked == (1, "midwife_claim")
    assert match.token("1.2.2").location == "keywood"
    assert match.number_seen("1.2.2", 0) == 4


def test_what_was_seen_twice_is_known_once() -> None:
    """keydom SP16."""
    match = placing(
        held={0: ["second_sight"]},
        tokens={
            "trader": [token("1.2.2", 4, "trader")],
            "farm": [token("1.2.1", 5, "farm")],
        },
    ).play(cast("second_sight"), {"location": "farm"})

    assert match.state.families[0].known == ("1.2.1",)


def test_open_book_opens_the_rest_of_a_hand() -> None:
    """keydom T69."""
    match = placing(
        seats=3,
        hands={0: (2, 3), 1: (4, 5, 6)},
        held={0: ["open_book"]},
        tokens={"farm": [token("1.2.1", 9, "farm")]},
    ).play(cast("open_book"))

    match.play(place(2, "chamber"))
    for counter in (4, 5, 6):
        if match.prompt.seat == 0:
            match.play(place(3, "chamber"))
        match.play(place(counter, "midwife"))
        if counter != 6:
            assert match.number_seen(match.state.board[-1].token, 2) == counter
            assert match.number_seen("1.2.1", 2) is None
    match.play_defaults(until="place_counter")
    while match.prompt.seat != 1:
        match.play(match.default)
    match.play(place(9, "farm"))
    assert match.number_seen("1.3.1", 2) is None


def test_open_book_names_a_seat_with_counters_in_hand() -> None:
    """keydom SP17."""
    match = placing(seats=4, hands={0: (2,), 1: (4,), 3: (4,)}, held={0: ["open_book"]})

    match.play(cast("open_book"))

    assert match.legal == [{"seat": 1}, {"seat": 3}]


def test_a_standing_pass_lasts_for_the_round() -> None:
    """keydom T71."""
    match = resolving("forest", [], held={0: ["haggle"]}, cubes={0: RICH}).play(PASS_ROUND)

    assert match.state.round == 3
    assert match.state.families[0].muted is False


def test_a_new_spell_lifts_a_standing_pass() -> None:
    """keydom T71."""
    match = resolving(
        "forest",
        [],
        held={0: ["haggle"]},
        cubes={0: RICH},
        market=["shoal", "banishment", "dispel"],
        elsewhere={"wizard": ["0:9"]},
    ).play(PASS_ROUND)

    assert match.asked == (0, "wizard_space")
    assert match.view(0).seats[0].muted is True
    assert match.view(1).seats[0].muted is None
    match.play({"space": 3}, {"payment": {"blue": 2}})
    assert match.spells(0) == ("haggle", "dispel")
    assert match.asked == (0, "window_action")
    assert match.context["location"] == "outlaws"


def test_a_spell_may_be_discarded_unused() -> None:
    """keydom SPL-5."""
    match = placing(held={0: ["watchdog"]})

    assert match.legal[-1] == {"action": "discard_spell", "spell": "watchdog"}
    match.play(match.legal[-1])
    assert match.spells(0) == ()
    assert match.state.deck[-1] == "watchdog"
    assert match.asked == (0, "place_counter")


def test_every_effect_of_the_data_has_its_function() -> None:
    """The tables of effects, of their forms and of the data file agree."""
    effects = {card.effect for card in GAME.parts.cards.values()}

    assert set(EFFECT_FORMS) == effects
    assert set(EFFECTS) == effects - {"cancel_spell"}
    assert set(LISTERS) | set(CONDITIONS) <= effects
    assert not set(LISTERS) & set(CONDITIONS)


def test_a_seat_that_is_safe_from_the_outlaws_may_still_dispel() -> None:
    """keydom SPL-4: its own watchdog does not keep it from answering another spell."""
    card = {**_CARD, "id": "mastiff", "number": 7}
    game = Keydom(_with_card("haggle", card))
    match = resolving(
        "outlaws",
        ["0:9"],
        seats=3,
        cubes={0: (2, 0, 0, 0, 0), 2: (0, 0, 0, 0, 1)},
        held={1: ["dispel", "watchdog"], 2: ["mastiff"]},
        game=game,
    ).play({"action": "steal", "kind": "cube"}, {"source": "seat", "seat": 1, "colour": "red"})
    match.play(cast("watchdog"), {"source": "seat", "seat": 2, "colour": "red"}, cast("mastiff"))

    assert match.asked == (1, "respond")
    match.play(cast("dispel"))
    assert match.cubes(0) == (0, 0, 0, 0, 1)


_CARD = {
    "name": "Mastiff",
    "cost": 1,
    "windows": ["reaction_outlaws"],
    "effect": "block_outlaws",
    "params": {},
    "provenance": "house",
    "text": "A second watchdog.",
}


def _with_card(replaced: str, card: dict[str, object]) -> str:
    raw = yaml.safe_load(standard())
    at = list(GAME.parts.cards).index(replaced)
    raw["spells"][at] = card
    return yaml.safe_dump(raw)
