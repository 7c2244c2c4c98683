"""Soldiers, trader, priest, midwife, wizard and outlaws (SOL, TRA, PRI, MID, WIZ, OUT)."""

import pytest
from msgspec.structs import replace

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.facts import CounterReturned
from keylore_domain.games.keydom.state.position import Token
from tests.domain.keydom.builders import WITHDRAW, Match, resolving, token

STOCK = ["blue", "green", "black", "yellow", "red"]
TILES = ["safe", "key", "regalia", "keylore"]


def from_stock(colour: str) -> dict[str, object]:
    return {"source": "stock", "colour": colour}


def from_pile(tile: str) -> dict[str, object]:
    return {"source": "pile", "tile": tile}


def from_seat(seat: int, **what: str) -> dict[str, object]:
    return {"source": "seat", "seat": seat, **what}


def steal(kind: str) -> dict[str, object]:
    return {"action": "steal", "kind": kind}


def donation(kind: str) -> dict[str, object]:
    return {"action": "donation", "kind": kind}


# Soldiers


def arrest_scene(**more: list[Token]) -> Match:
    return resolving(
        "soldiers",
        [token("1.1.1", 9, "soldiers"), token("0.1.1", 6, "soldiers")],
        seats=3,
        round=1,
        cubes={1: (1, 1, 1, 0, 0), 0: (2, 2, 2, 2, 0)},
        elsewhere={
            "priest": [token("0.1.4", 5, "priest")],
            "trader": [token("2.1.1", 3, "trader")],
            "locksmith": [token("2.1.2", 4, "locksmith")],
            "chamber": [token("2.1.3", 7, "chamber")],
            **more,
        },
    )


def test_what_an_arrest_costs_depends_on_the_region() -> None:
    """keydom T20."""
    match = arrest_scene()

    assert match.asked == (1, "soldiers_arrest")
    assert match.legal == [
        {"action": "arrest", "token": "0.1.4"},
        {"action": "arrest", "token": "2.1.1"},
        WITHDRAW,
    ]
    assert match.default == WITHDRAW
    match.play(WITHDRAW)
    assert match.asked == (0, "soldiers_arrest")
    assert [move.get("token") for move in match.legal] == ["2.1.1", "2.1.2", "2.1.3", None]


def test_an_arrested_counter_comes_back_unseen() -> None:
    """keydom T20."""
    # a counter at the midwife, so that the round goes on
    match = arrest_scene(midwife=[token("0.1.5", 3, "midwife")])
    match.play(WITHDRAW, {"action": "arrest", "token": "2.1.3"})

    assert match.cubes(0) == (0, 0, 0, 0, 0)
    assert match.asked == (0, "midwife_claim")
    assert match.returned(2) == [7, 3]  # the 3 comes from the trader, who showed it
    assert match.view(2).seats[2].returned == (7, 3)
    for viewer in (0, 1, None):
        assert match.view(viewer).seats[2].returned == (None, 3)
    fact = next(fact for fact in match.facts if isinstance(fact, CounterReturned) and fact.owner == 2)
    assert (fact.token, fact.reason, fact.number) == ("2.1.3", "arrested", 7)
    assert match.game.redact(fact, Seat(0)) == replace(fact, number=None)
    assert match.game.redact(fact, Seat(2)) == fact


def test_counters_of_earlier_rounds_cannot_be_arrested() -> None:
    """keydom T21."""
    match = resolving(
        "soldiers",
        ["0:9"],
        round=5,
        cubes={0: (5, 5, 5, 5, 5)},
        elsewhere={
            "midwife": [token("1.4.2", 4, "midwife", track=1), token("1.5.3", 6, "midwife")],
            "keywood": [token("1.3.1", 5, "keywood", track=2)],
        },
    )

    assert match.legal == [{"action": "arrest", "token": "1.5.3"}, WITHDRAW]


def test_without_a_target_the_soldiers_send_a_counter_back() -> None:
    """keydom T22."""
    match = resolving(
        "soldiers",
        ["0:9", "1:3"],
        cubes={0: (5, 5, 5, 5, 5)},
        elsewhere={"harbour": ["1:8"], "priest": ["0:5"]},
    )

    assert [(fact["token"], fact["reason"]) for fact in match.noted("counter_returned")][:2] == [
        ("0.2.1", "unable"),
        ("1.2.1", "unable"),
    ]


# Trader


def test_the_trader_offers_what_the_stock_has() -> None:
    """keydom T23."""
    match = resolving("trader", ["0:9"], cubes={0: (0, 1, 0, 0, 0)}, stock={"blue": 0})

    assert match.legal == [
        {"action": "exchange", "give": "green", "take": "black"},
        {"action": "exchange", "give": "green", "take": "yellow"},
        {"action": "exchange", "give": "green", "take": "red"},
        WITHDRAW,
    ]
    assert match.default == WITHDRAW


def test_a_seat_without_cubes_is_not_asked_by_the_trader() -> None:
    """keydom TRA-1."""
    match = resolving("trader", ["0:9", "1:3"], cubes={1: (0, 0, 0, 0, 2)})

    assert match.asked == (1, "trader_exchange")
    match.play(WITHDRAW)
    assert match.cubes(1) == (0, 0, 0, 0, 2)


# Priest


def test_all_in_excess_of_twelve() -> None:
    """keydom T24."""
    match = resolving(
        "priest",
        ["0:9"],
        seats=4,
        cubes={0: (1, 1, 1, 0, 0), 1: (4, 4, 4, 2, 1), 2: (0, 0, 0, 0, 12), 3: (20, 0, 0, 0, 0)},
    )

    match.play(donation("excess"))

    assert match.asked == (1, "donate_amount")
    assert (match.context["colour"], match.context["still_due"]) == ("blue", 3)
    assert match.legal == [{"amount": amount} for amount in range(4)]
    match.play({"amount": 1})
    assert match.legal == [{"amount": amount} for amount in range(3)]
    match.play({"amount": 1})
    assert match.context["colour"] == "black"
    assert match.legal == [{"amount": 0}, {"amount": 1}]
    match.play({"amount": 0})
    assert match.context["colour"] == "yellow"
    match.play({"amount": 0})
    assert match.cubes(1) == (3, 3, 4, 2, 0)
    assert match.cubes(2) == (0, 0, 0, 0, 12)
    assert match.cubes(3) == (12, 0, 0, 0, 0)
    assert match.cubes(0) == (0, 0, 0, 0, 0)
    assert match.noted("holdings_disclosed")[0]["holdings"] == [
        None,
        {"blue": 4, "green": 4, "black": 4, "yellow": 2, "red": 1},
        {"red": 12},
        {"blue": 20},
    ]
    assert match.state.round == 3


def test_one_of_the_same_type() -> None:
    """keydom T25."""
    match = resolving(
        "priest",
        ["0:9"],
        seats=4,
        cubes={0: (0, 0, 0, 0, 2), 1: (0, 1, 0, 0, 1), 2: (3, 0, 0, 0, 0), 3: (0, 0, 0, 0, 3)},
    )

    match.play(donation("same"))

    assert [match.cubes(seat)[4] for seat in range(4)] == [0, 0, 0, 2]
    assert match.cubes(1) == (0, 1, 0, 0, 0)
    assert match.state.stock[4] == 23


def test_one_of_any_type() -> None:
    """keydom T26."""
    match = resolving(
        "priest", ["0:9"], seats=4, cubes={0: (0, 0, 0, 1, 0), 2: (0, 3, 0, 0, 0), 3: (1, 0, 2, 0, 0)}
    )

    match.play(donation("any"))

    assert match.cubes(2) == (0, 2, 0, 0, 0)
    assert match.asked == (3, "donate_cube")
    assert match.legal == [{"colour": "blue"}, {"colour": "black"}]
    match.play({"colour": "black"})
    assert match.cubes(3) == (1, 0, 1, 0, 0)


def test_the_priest_offers_only_what_can_be_paid() -> None:
    """keydom PRI-1."""
    match = resolving("priest", ["0:9", "1:8"], cubes={1: (2, 0, 0, 0, 0)})

    assert match.asked == (1, "priest_choose")
    assert match.legal == [donation("same"), donation("any"), WITHDRAW]


# Midwife


def midwife_in_round_2() -> Match:
    match = resolving("midwife", ["0:4"])
    assert match.asked == (0, "midwife_claim")
    assert match.default == {"action": "take"}
    return match.play({"action": "take"})


def to_next_round(match: Match) -> Match:
    """Default moves to the end of the round."""
    now = match.state.round
    while match.state.round == now:
        match.play(match.default)
    return match


def test_a_stay_at_the_midwife_brings_the_number_1() -> None:
    """keydom T27."""
    match = midwife_in_round_2()

    assert match.asked == (0, "midwife_stay")
    assert (match.context["token"], match.context["track"]) == ("0.2.1", 1)
    assert match.default == {"action": "stay"}
    match.play({"action": "stay"})
    assert match.token("0.2.1").track == 1
    assert match.hand(0) == (2, 3, 5, 6, 7, 8, 9)
    to_next_round(match)
    assert match.token("0.2.1").track == 2
    assert match.hand(0) == (2, 3, 5, 6, 7, 8, 9)
    to_next_round(match)
    assert match.hand(0) == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert match.noted("number_one_gained") == [{"fact": "number_one_gained", "seat": 0}]


def test_the_number_1_rests_in_the_round_in_which_it_is_gained() -> None:
    """keydom T27, R31."""
    match = resolving(
        "midwife", [token("0.2.1", 4, "midwife", track=2), "1:9", "1:8"], round=4, elsewhere={"outlaws": []}
    )

    assert match.asked == (1, "midwife_claim")
    assert match.returned(0) == [4, 1]
    assert 1 not in match.hand(0)
    assert match.view(1).seats[0].returned == (4, 1)


def test_a_counter_removed_from_the_midwife_brings_nothing() -> None:
    """keydom T28."""
    match = midwife_in_round_2().play({"action": "remove"})

    assert match.state.round == 3
    assert len(match.hand(0)) == 8
    assert match.state.families[0].side
    assert match.state.board == ()


def test_the_midwife_brings_the_number_1_only_once() -> None:
    """keydom T29."""
    match = resolving("midwife", [token("0.2.1", 4, "midwife", track=2)], round=4, number_one=[0])

    assert match.state.round == 5
    assert match.hand(0) == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert match.noted("number_one_gained") == []


def test_a_counter_can_block_the_midwife() -> None:
    """keydom T77."""
    match = resolving("midwife", ["0:9", "1:8"], number_one=[0])

    match.play({"action": "take"})

    assert [(fact["token"], fact["reason"]) for fact in match.noted("counter_returned")] == [
        ("1.2.1", "excess")
    ]
    assert match.token("0.2.1").track == 1


def test_a_withdrawn_counter_leaves_the_midwife_to_the_next() -> None:
    """keydom COM-4."""
    match = resolving("midwife", ["0:9", "1:8"]).play(WITHDRAW)

    assert match.asked == (1, "midwife_claim")


# Wizard

MARKET = ["shoal", "banishment", "haggle"]  # they cost 2, 4 and 1


def test_spaces_at_the_wizard_need_the_cubes_for_their_spell() -> None:
    """keydom T32."""
    match = resolving(
        "wizard",
        ["0:9", "1:8", "2:7"],
        seats=3,
        market=MARKET,
        cubes={0: (3, 0, 0, 0, 0), 1: (0, 5, 0, 0, 0), 2: (0, 0, 1, 0, 0)},
    )
    top = match.state.deck[:3]

    assert match.legal == [{"space": 1}, {"space": 3}, WITHDRAW]
    match.play({"space": 3})
    assert match.view(2).effects.committed == (1, 0, 0)
    assert match.asked == (1, "wizard_space")
    assert match.legal == [{"space": 1}, {"space": 2}, WITHDRAW]
    match.play({"space": 2})
    assert [(fact["token"], fact["reason"]) for fact in match.noted("counter_returned")] == [
        ("2.2.1", "unable")
    ]
    assert match.spells(1) == ("banishment",)
    assert match.spells(0) == ("haggle",)
    assert match.cubes(1) == (0, 1, 0, 0, 0)
    assert match.cubes(0) == (2, 0, 0, 0, 0)
    assert match.state.deck[-1] == "shoal"
    assert match.state.market == top
    assert len(match.state.deck) == 19
    assert [fact["spell"] for fact in match.noted("spell_gained")] == ["banishment", "haggle"]


def test_cubes_for_one_spell_cannot_buy_another() -> None:
    """keydom T33."""
    match = resolving("wizard", ["0:9", "0:8"], market=MARKET, cubes={0: (3, 0, 0, 0, 0)})

    match.play({"space": 1})

    assert match.legal == [{"space": 3}, WITHDRAW]


def test_a_third_spell_replaces_another() -> None:
    """keydom T34."""
    match = resolving(
        "wizard",
        ["0:9"],
        market=MARKET,
        cubes={0: (5, 0, 0, 0, 0)},
        held={0: ["dispel", "watchdog"]},
    )

    match.play({"space": 2})

    assert match.asked == (0, "discard_for_limit")
    assert match.legal == [{"spell": "dispel"}, {"spell": "watchdog"}]
    assert match.context["gained"] == "banishment"
    match.play({"spell": "dispel"})
    assert match.spells(0) == ("banishment", "watchdog")
    assert match.state.deck[-3:] == ("dispel", "shoal", "haggle")


def test_withdrawing_at_the_wizard_renews_the_market_too() -> None:
    """keydom WIZ-1, WIZ-3."""
    match = resolving("wizard", ["0:9"], market=MARKET, cubes={0: (5, 0, 0, 0, 0)}).play(WITHDRAW)

    assert match.state.deck[-3:] == tuple(MARKET)
    assert match.spells(0) == ()


def test_the_market_is_renewed_without_counters() -> None:
    """keydom T81."""
    match = resolving("wizard", [])

    assert match.state.market == ("gleaning", "deep_cellar", "alchemy")
    assert match.state.deck[-3:] == ("shoal", "windfall", "rockfall")
    assert len(match.state.deck) == 21


# Outlaws


def test_a_tile_costs_eight_of_one_and_one_of_each_other_colour() -> None:
    """keydom T01."""
    match = resolving("outlaws", ["1:5"], cubes={1: (9, 8, 1, 1, 1)})

    assert match.legal == [steal("cube"), steal("tile"), WITHDRAW]
    assert match.default == WITHDRAW
    match.play(steal("tile"))
    assert match.asked == (1, "pay")
    assert match.legal == [
        {"payment": {"blue": 8, "green": 1, "black": 1, "yellow": 1, "red": 1}},
        {"payment": {"blue": 1, "green": 8, "black": 1, "yellow": 1, "red": 1}},
    ]
    match.play(match.legal[1])
    assert match.cubes(1) == (8, 0, 0, 0, 0)
    assert match.asked == (1, "outlaws_attack")
    assert match.legal == [from_pile(tile) for tile in TILES] + [from_seat(0, tile=tile) for tile in TILES]
    match.play(from_pile("key"))
    assert match.tiles(1) == ("key",)
    assert match.state.piles == (5, 4, 5, 5)


def test_the_outlaws_attack_until_they_succeed() -> None:
    """keydom T35."""
    match = resolving(
        "outlaws",
        ["0:9"],
        seats=3,
        cubes={0: (0, 2, 0, 0, 0), 1: (0, 0, 5, 0, 0), 2: (1, 0, 0, 0, 0)},
    ).play(steal("cube"))

    assert match.legal == [
        *(from_stock(colour) for colour in STOCK),
        *(from_seat(1, colour=colour) for colour in STOCK),
        *(from_seat(2, colour=colour) for colour in STOCK),
    ]
    match.play(from_seat(1, colour="blue"))
    assert match.noted("attack_failed")[-1]["attack"] == from_seat(1, colour="blue")
    assert len(match.legal) == 14
    assert from_seat(1, colour="blue") not in match.legal
    match.play(from_seat(2, colour="blue"))
    assert match.cubes(2) == (0, 0, 0, 0, 0)
    assert match.cubes(0) == (1, 0, 0, 0, 0)


def test_a_seat_with_all_tiles_can_only_steal_cubes() -> None:
    """keydom T36."""
    match = resolving("outlaws", ["0:9"], cubes={0: (9, 2, 1, 1, 1)}, tiles={0: TILES})

    assert match.legal == [steal("cube"), WITHDRAW]


def test_with_open_holdings_only_attacks_that_succeed_are_offered() -> None:
    """keydom T73."""
    match = resolving(
        "outlaws",
        ["0:9"],
        seats=3,
        cubes={0: (0, 2, 0, 0, 0), 1: (0, 0, 5, 0, 0), 2: (1, 0, 0, 0, 0)},
        open_holdings=True,
    ).play(steal("cube"))

    assert match.legal == [
        *(from_stock(colour) for colour in STOCK),
        from_seat(1, colour="black"),
        from_seat(2, colour="blue"),
    ]
    for viewer in (0, 1, 2, None):
        assert match.view(viewer).seats[1].cubes.black == 5
        assert match.view(viewer).seats[1].tiles == ()


def test_a_tile_is_stolen_from_a_seat() -> None:
    """keydom OUT-3, OUT-4."""
    match = resolving(
        "outlaws", ["0:9"], seats=3, cubes={0: (8, 1, 1, 1, 1)}, tiles={0: ["key"], 1: ["safe", "key"]}
    ).play(steal("tile"))

    assert len(match.legal) == 9
    match.play(from_seat(2, tile="safe"))
    assert len(match.legal) == 8
    match.play(from_seat(1, tile="safe"))
    assert match.tiles(0) == ("safe", "key")
    assert match.tiles(1) == ("key",)


@pytest.mark.parametrize(
    ("rule", "offers"),
    [("not_own", ["cube"]), ("own", ["cube", "tile"]), ("free", ["cube", "tile"])],
)
def test_letter_a_at_the_outlaws(rule: str, offers: list[str]) -> None:
    """keydom T75."""
    match = resolving("outlaws", ["0:9"], cubes={0: (9, 1, 1, 1, 1)}, letter_a_rule=rule)

    assert match.legal == [*(steal(kind) for kind in offers), WITHDRAW]


def test_the_outlaws_send_back_who_cannot_pay() -> None:
    """keydom OUT-1."""
    match = resolving("outlaws", ["0:9", "1:3"], cubes={0: (1, 0, 0, 0, 0), 1: (2, 0, 0, 0, 0)})

    assert match.asked == (1, "outlaws_choose")
    match.play(WITHDRAW)
    assert match.cubes(1) == (2, 0, 0, 0, 0)


def test_no_safe_is_stolen_in_the_short_game() -> None:
    """keydom T40, OUT-7."""
    match = resolving("outlaws", ["0:9"], cubes={0: (8, 1, 1, 1, 1)}, short_game=True).play(steal("tile"))

    assert [move["tile"] for move in match.legal] == ["key", "regalia", "keylore"] * 2
