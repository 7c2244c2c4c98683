"""The spells of the seats (keydoms-dragons §6.3)."""

from keylore_domain.games.keydoms_dragons.facts import (
    LocationRanked,
    SpellNoEffect,
    TokenMoved,
    TokenRemoved,
    TreasuresMoved,
)
from tests.domain.keydoms_dragons.builders import (
    AFTER_CAVES,
    AMULET,
    COPY_AMULET,
    DECLINE,
    PASS,
    PASS_ROUND,
    PLACEMENT_END,
    RAVEN,
    ROUND_END,
    ROUND_START,
    Scene,
    buy,
    cast,
    changes,
    location,
    mirror,
    part,
    place,
    placement,
    resolve,
    scene,
    tiles,
    token,
    units,
    with_seat,
    words,
)


def strengths(table: Scene) -> list[tuple[int, ...]]:
    return [fact.strengths for fact in table.of(LocationRanked)]


def held(table: Scene) -> list[int]:
    """What the seats hold, in units."""
    return [player.units for player in table.state.players]


def test_toll_takes_seven_units_or_all() -> None:
    """keydoms-dragons T27."""
    table = scene(steps=ROUND_START, hold={0: "r5 w5", 1: "k7", 2: "b3"}, spells={0: (20,)})
    before = sum(table.state.treasury)

    table.play(cast(20))
    assert (table.asked, table.context["due"]) == ((0, "pay_any"), 7)
    table.play(part("red", 5))

    assert held(table) == [3, 0, 0]
    assert sum(table.state.treasury) == before + 17


def test_toll_may_be_cast_at_the_end_of_a_round() -> None:
    """keydoms-dragons T76: the ledges of the next round are filled after it."""
    table = scene(steps=ROUND_END, hold={0: "r5 w5", 1: "k7", 2: "b3"}, spells={0: (20,)})

    table.play(cast(20), part("red", 5))
    assert held(table) == [3, 0, 0]
    assert words(table.state.treasury) == "r29 w26 k29 b29 g29"


def test_donation_takes_five_units_or_all() -> None:
    """keydoms-dragons T73."""
    table = scene(steps=ROUND_START, start=1, hold={0: "r3 w3", 1: "k5", 2: "b2"}, spells={0: (4,)})
    before = sum(table.state.treasury)

    table.play(cast(4))
    assert [fact.source for fact in table.of(TreasuresMoved)] == [1, 2]
    assert (table.asked, table.context["due"]) == ((0, "pay_any"), 5)
    table.play(part("red", 3))

    assert held(table) == [1, 0, 0]
    assert sum(table.state.treasury) == before + 12


def test_donation_and_toll_need_somebody_with_treasure() -> None:
    """Spec §5.6."""
    assert scene(steps=ROUND_START, spells={0: (4, 20)}).asked is None


def test_substitute_swaps_one_and_nine_from_here_on() -> None:
    """keydoms-dragons T28."""
    table = scene(
        steps=resolve("BCJK"),
        hold={0: "r1", 1: "r1"},
        spells={0: (17,)},
        caves={"B": [1], "C": [5]},
        tokens={"B": "1:9", "C": "0:1 2:8", "J": "2:1 1:2", "K": "0:9"},
        guard=1,
        admitted=None,
        own={0: "key"},
        change=with_seat(0, inv_max=2),
    )

    table.play(PASS)
    assert table.state.location == "C"
    table.play(cast(17))
    assert strengths(table) == [(9,), (9, 8)]
    assert table.held(0) == "r1 k5"
    table.play({"action": "key"})
    assert [player.admitted for player in table.state.players] == ["yes", "yes", "yes"]
    assert strengths(table)[-1] == (1,)
    assert table.legal == [buy("K", red=1), buy("K", black=1), DECLINE]


def test_substitute_before_the_second_phase_works_everywhere_but_at_the_guard() -> None:
    """S17; cast twice it cancels out."""
    table = scene(steps=ROUND_START, spells={0: (17,)}).play(cast(17))
    twice = scene(
        steps=resolve("G"),
        spells={0: (17,)},
        tokens={"G": "1:1", "A": "1:2"},
        substituted=tuple("ABCDEFGHIKLMNO"),
    )

    assert "".join(table.state.substituted) == "ABCDEFGHIKLMNO"
    twice.play(cast(17))
    assert "".join(twice.state.substituted) == "ABCDEF"
    assert strengths(twice) == [(1,)]


def test_evict_removes_a_token_and_then_one_of_the_casters() -> None:
    """keydoms-dragons T29."""
    tokens = {"K": "1:8 0:5", "L": "0:6", "J": "0:9"}
    table = scene(steps=placement(), spells={0: (7,)}, tokens=tokens).play(cast(7))

    assert (table.asked, table.legal) == ((1, "evict_reply"), [token("0.1.1"), token("0.1.2")])
    table.play(token("0.1.2"))
    assert table.state.players[1].out_hidden == (8,)
    assert table.state.players[0].out_hidden == (6,)
    assert [fact.number for fact in table.seen(2) if isinstance(fact, TokenRemoved)] == [None, None]
    assert place(6, "G") not in table.legal


def test_evict_has_no_reply_against_a_token_at_the_guard() -> None:
    """keydoms-dragons T29, second part."""
    table = scene(steps=placement(), spells={0: (7,)}, tokens={"K": "1:8", "J": "0:9"}).play(cast(7))

    assert table.asked == (0, "place_worker")
    assert table.at("J") == ["0.1.1"]


def test_evict_may_take_a_mirror_copy_alone_or_with_its_original() -> None:
    """R28, R29."""
    table = scene(steps=resolve("G"), own={0: "mirror"}, spells={1: (7,)}, tokens={"G": "0:8 2:5"})
    table.play(mirror("0.1.1"), cast(7))

    assert table.legal == [token("0.1.1"), token("0.1.2"), token("2.1.1")]
    table.play(token("0.1.2"))
    assert strengths(table) == [(8, 5)]
    assert table.state.players[0].out_shown == ()


def test_get_even_returns_even_workers_with_their_copies() -> None:
    """keydoms-dragons T30."""
    table = scene(
        steps=resolve("F"), own={0: "mirror", 2: "raven"}, spells={1: (10,)}, tokens={"F": "0:8 1:5"}
    )

    table.play(mirror("0.1.1"), PASS, RAVEN)
    assert table.asked == (1, "window_action")
    table.play(cast(10))

    assert strengths(table) == [(5, 3)]
    assert table.of(LocationRanked)[0].order == (1, 2)
    assert sum(table.state.players[0].invoked) == 1
    assert table.state.players[0].out_shown == (8,)


def test_odd_ones_out_returns_odd_workers_and_ravens() -> None:
    """keydoms-dragons T31."""
    table = scene(
        steps=resolve("F"), own={1: "raven", 2: "raven"}, spells={0: (14,)}, tokens={"F": "0:8 1:5"}
    )

    table.play(PASS, PASS, RAVEN)
    assert table.asked == (0, "window_action")
    table.play(cast(14))
    assert table.at("F") == ["0.1.1"]
    assert sum(table.state.players[2].invoked) == 1
    assert (table.asked, table.legal) == ((1, "window_action"), [PASS, PASS_ROUND, RAVEN])
    table.play(RAVEN)

    assert strengths(table) == [(8, 3)]
    assert table.of(LocationRanked)[0].order == (0, 1)


def test_get_even_and_odd_ones_out_strike_face_up_tokens_at_open_locations_only() -> None:
    """R14, R32."""
    table = scene(
        steps=placement(),
        spells={0: (10, 14)},
        tokens={"A": "1:8+", "F": "1:6", "G": "1:9+ 1:4", "J": "2:2+ 2:1"},
        closed="A",
    )

    assert {cast(10)["spell"], cast(14)["spell"]} <= {move.get("spell") for move in table.legal}
    table.play(cast(14))  # only at the market
    assert table.at("G") == ["1.1.4"]
    table.play(cast(10))  # only at the guard
    assert table.at("J") == ["2.1.2"]


def test_taboo_keeps_workers_ravens_and_moves_out() -> None:
    """keydoms-dragons T32."""
    table = scene(steps=placement(), spells={0: (18,)}).play(cast(18), location("G"), place(1, "F"))

    assert all(move.get("location") != "G" for move in table.legal)
    later = scene(
        steps=resolve("G"),
        own={0: "raven mirror", 1: "raven"},
        spells={2: (13, 19)},
        hold={2: "r3"},
        tokens={"G": "0:5", "F": "2:9 2:8", "H": "1:1"},
        taboo=("G",),
    )
    assert later.legal == [PASS, PASS_ROUND, mirror("0.1.1")]
    later.play(mirror("0.1.1"))
    assert later.asked == (2, "window_action")
    later.play(cast(13), token("2.1.1"))
    assert location("G") not in later.legal


def test_taboo_is_not_cast_twice_on_a_location() -> None:
    """Spec §5.6."""
    table = scene(steps=placement(), spells={0: (18,)}, taboo=("G",)).play(cast(18))

    assert location("G") not in table.legal
    assert location("J") in table.legal


def test_moonlight_moves_an_own_worker_out_of_a_closed_location() -> None:
    """keydoms-dragons T33."""
    table = scene(
        steps=resolve("G"),
        spells={0: (13,)},
        hold={0: "r1"},
        tokens={"A": "0:9", "G": "1:8"},
        closed="ABCDEF",
    ).play(cast(13))

    assert table.asked == (0, "spell_target")
    assert location("A") not in table.legal
    table.play(location("G"))
    assert strengths(table) == [(9, 8)]
    assert table.of(TokenMoved) == [TokenMoved("0.1.1", 0, "A", "G", "up", 9)]


def test_moonlight_into_the_castle_needs_admission_after_the_guard() -> None:
    """keydoms-dragons T33, last part."""
    for admitted, rooms in (("0", ["L", "M"]), ("1", ["M"])):
        table = scene(
            steps=resolve("L"),
            spells={0: (13,), 1: (13,)},
            tokens={"G": "0:9", "F": "1:1 1:8", "L": "2:5"},
            closed="FGHIJK",
            admitted=admitted,
        )
        if admitted == "0":
            table.play(cast(13))
            assert table.legal == [location(room) for room in rooms]
        else:
            assert table.asked == (1, "window_action")


def test_dragon_returns_shuts_a_cave() -> None:
    """keydoms-dragons T34."""
    table = scene(
        steps=resolve("B"), spells={2: (6,)}, caves={"B": [5, 3], "C": [1]}, tokens={"B": "0:9 1:8"}
    )
    before = table.state.treasury[1]

    table.play(cast(6), location("B"))
    assert table.state.treasury[1] == before + 8
    assert [player.units for player in table.state.players] == [0, 0, 0]
    assert table.state.status[1] == "closed"
    assert strengths(table) == []


def test_a_cave_that_is_shut_while_resolving_asks_nobody_else() -> None:
    """keydoms-dragons T78."""
    table = scene(
        steps=resolve("B"),
        start=2,
        own={1: "raven"},
        spells={2: (6,)},
        caves={"B": [5, 3]},
        tokens={"B": "0:9 1:8"},
    ).play(cast(6))

    assert table.asked is None
    assert strengths(table) == []
    assert table.at("B") == ["0.1.1", "1.1.1"]
    assert table.state.status[1] == "closed"


def test_a_cave_shut_in_advance_is_skipped_and_not_opened_by_dragon_leaves() -> None:
    """R31."""
    table = scene(steps=ROUND_START, spells={0: (5, 6)}, caves={"A": [5], "C": [4], "D": [3], "E": [1]})

    table.play(cast(6), location("A"))
    assert table.asked == (0, "window_action")
    table.play(cast(5))
    assert table.state.status[:5] == ("closed", "open", "open", "open", "open")
    assert table.asked is None


def test_dragon_leaves_has_no_effect_without_treasure() -> None:
    """S5."""
    table = scene(steps=ROUND_START, spells={0: (5,)}, treasury=units("")).play(cast(5))

    assert table.of(SpellNoEffect) == [SpellNoEffect(5)]
    assert table.state.status[0] == "inactive"


def test_smuggler_gives_the_benefits_of_unoccupied_locations() -> None:
    """keydoms-dragons T35."""
    table = scene(
        steps=AFTER_CAVES,
        hold={0: "r1"},
        spells={0: (16, 20)},
        tokens={"F": "1:1", "I": "2:1"},
        closed="ABCDE",
    )

    assert table.legal == [PASS, PASS_ROUND, cast(16)]
    table.play(cast(16))
    assert table.asked == (0, "market_exchange")
    table.play(DECLINE)

    assert table.state.players[0].inv_max == 2
    assert table.state.start == 0
    assert table.state.status[6] == "open"


def test_smuggler_works_in_letter_order() -> None:
    """S16."""
    table = scene(steps=AFTER_CAVES, hold={0: "r1"}, spells={0: (16,)}, spell_deck=(12, 4, 7))

    table.play(cast(16))
    assert table.asked == (0, "choose_start_player")
    table.play({"party": 2}, DECLINE)
    assert table.asked == (0, "choose_spell")
    table.play({"keep": 4})
    assert (table.state.players[0].spells, table.state.spell_deck) == ((4,), (7, 12))


def test_smuggler_needs_an_unoccupied_location() -> None:
    """Spec §5.6."""
    tokens = {"F": "1:1", "G": "1:2", "H": "1:4", "I": "2:1"}
    assert scene(steps=AFTER_CAVES, spells={0: (16,)}, tokens=tokens).asked is None


def test_levy_is_paid_for_each_worker_in_keytown() -> None:
    """keydoms-dragons T36."""
    table = scene(
        steps=PLACEMENT_END, spells={0: (12,)}, hold={1: "r3"}, tokens={"I": "1:9", "F": "1:1", "G": "0:5"}
    ).play(cast(12))

    assert table.asked == (1, "levy_response")
    assert (table.context["token"], table.default) == ("1.1.2", {"action": "remove"})
    table.play({"action": "pay"})
    assert table.held(1) == "r1"
    assert [*table.at("F"), *table.at("G"), *table.at("I")] == ["1.1.2", "0.1.1"]


def test_levy_lets_a_worker_be_removed_and_its_copy_goes_free() -> None:
    """S12."""
    table = scene(
        steps=resolve("F"), own={1: "mirror"}, spells={0: (12,)}, hold={1: "r4"}, tokens={"F": "1:9 2:1"}
    )
    table.play(PASS, mirror("1.1.1"), cast(12), {"action": "remove"})

    assert table.held(1) == "r4"
    assert strengths(table) == []
    assert table.state.players[1].out_shown == (9,)


def test_extortion_is_paid_for_all_workers_in_the_castle_or_they_leave() -> None:
    """keydoms-dragons T37."""
    tokens = {"K": "1:9", "L": "1:8", "M": "1:7", "F": "1:1"}
    poor = scene(steps=PLACEMENT_END, spells={0: (9,)}, hold={1: "r2"}, tokens=tokens).play(cast(9))
    able = scene(steps=PLACEMENT_END, spells={0: (9,)}, hold={1: "r2 w1"}, tokens=tokens).play(cast(9))

    assert [len(poor.at(room)) for room in "KLMF"] == [0, 0, 0, 1]
    assert (able.asked, able.context["due"], able.default) == (
        (1, "extortion_response"), 3, {"action": "withdraw"},
    )  # fmt: skip
    assert able.play({"action": "pay"}).held(1) == ""
    assert len(able.at("K")) == 1


def test_extortion_counts_closed_rooms() -> None:
    """keydoms-dragons T37, last part."""
    table = scene(
        steps=resolve("M"),
        spells={0: (9,)},
        hold={1: "r1"},
        tokens={"K": "1:9", "M": "1:8"},
        closed="JKL",
        admitted="01",
    ).play(cast(9))

    assert table.at("K") == table.at("M") == []
    assert strengths(table) == []


def test_extortion_may_be_answered_by_withdrawing_with_copies() -> None:
    """S9."""
    table = scene(
        steps=resolve("K"),
        own={1: "mirror"},
        spells={0: (9,)},
        hold={1: "r9"},
        tokens={"K": "1:9"},
        closed="J",
        admitted="01",
    ).play(PASS, mirror("1.1.1"), cast(9), {"action": "withdraw"})

    assert table.at("K") == []
    assert table.held(1) == "r9"


def test_extortion_and_levy_need_somebody_in_an_open_location() -> None:
    """Spec §5.6, R14."""
    table = scene(
        steps=resolve("O"),
        spells={0: (9, 12)},
        tokens={"K": "1:9", "F": "1:1", "O": "0:5"},
        closed="FGHIJKLMN",
        admitted="01",
        stacks={"O": "key", "K": "key"},
    )

    assert table.asked is None


def test_teleport_moves_a_worker_and_pays_its_owner() -> None:
    """keydoms-dragons T38."""
    arguments = {
        "steps": PLACEMENT_END,
        "spells": {0: (19,)},
        "caves": {"D": [4]},
        "tokens": {"J": "1:9", "G": "2:1"},
    }
    table = scene(hold={0: "r3"}, **arguments).play(cast(19), token("1.1.1"))  # type: ignore[arg-type]
    assert location("J") not in table.legal
    table.play(location("D"))

    assert table.at("D") == ["1.1.1"]
    assert not table.state.tokens[0].up
    assert (table.held(0), table.held(1)) == ("", "r3")
    assert scene(hold={0: "r2"}, **arguments).asked is None  # type: ignore[arg-type]

    cancelled = scene(hold={0: "r3"}, own={1: "amulet"}, **arguments)  # type: ignore[arg-type]
    cancelled.play(cast(19), token("1.1.1"), location("D"), AMULET)
    assert cancelled.at("J") == ["1.1.1"]
    assert cancelled.held(0) == "r3"


def test_gift_takes_three_units_or_what_there_is() -> None:
    """keydoms-dragons T72, T115."""
    table = scene(steps=ROUND_START, spells={0: (11,)}, treasury=units("r2 w2")).play(cast(11))
    two = scene(steps=ROUND_START, spells={0: (11,)}, treasury=units("r1 w1")).play(cast(11))
    mixed = scene(steps=ROUND_START, spells={0: (11,)}, treasury=units("r3 w1")).play(cast(11))
    none = scene(steps=ROUND_START, spells={0: (11,)}, treasury=units("")).play(cast(11))

    assert table.legal == [{"take": {"red": 2, "white": 1}}, {"take": {"red": 1, "white": 2}}]
    assert table.play(table.default).held(0) == "r2 w1"
    assert (two.asked, two.held(0)) == (None, "r1 w1")
    assert mixed.legal == [{"take": {"red": 3}}, {"take": {"red": 2, "white": 1}}]
    assert (none.asked, none.held(0)) == (None, "")


def test_trade_gives_some_types_for_others() -> None:
    """keydoms-dragons T53."""
    table = scene(steps=ROUND_START, spells={0: (21,)}, hold={0: "r4"}, treasury=units("w1 k5 g2")).play(
        cast(21)
    )

    assert table.legal == [part("red", amount) for amount in (1, 2, 3, 4)]
    table.play(part("red", 3))
    assert table.legal == [part("white", 1), part("black", 1), part("black", 2), part("black", 3)]
    table.play(part("black", 1))
    assert table.held(0) == "r1 k1 g2"
    assert words(table.state.treasury) == "r3 w1 k4"


def test_trade_may_give_several_types() -> None:
    """S21."""
    table = scene(steps=ROUND_START, spells={0: (21,)}, hold={0: "r2 w2"}, treasury=units("k2 b1")).play(
        cast(21), part("red", 1)
    )

    assert table.legal == [part("white", 1), part("white", 2), {"action": "done"}]
    assert table.default == {"action": "done"}
    table.play(part("white", 1), part("black", 2))
    assert table.held(0) == "r1 w1 k2"


def test_trade_gives_no_more_than_the_other_types_make_up() -> None:
    """S21: what the treasury holds of the types given does not count."""
    table = scene(steps=ROUND_START, spells={0: (21,)}, hold={0: "r4 w3"}, treasury=units("r5 w2 k1")).play(
        cast(21)
    )

    assert table.legal == [
        part("red", 1),
        part("red", 2),
        part("red", 3),
        *(part("white", n) for n in (1, 2, 3)),
    ]
    table.play(part("red", 1))
    assert table.asked == (0, "trade_take")  # with white too only one black would be left to take
    assert table.legal == [part("white", 1), part("black", 1)]


def test_trade_needs_other_types_in_the_treasury() -> None:
    """Spec §5.6."""
    assert scene(steps=ROUND_START, spells={0: (21,)}, hold={0: "r4"}, treasury=units("r5")).asked is None


def test_rearrange_lays_a_chosen_tile_on_top() -> None:
    """keydoms-dragons T54."""
    table = scene(
        steps=resolve("L"),
        spells={0: (15,)},
        hold={0: "r5"},
        tokens={"L": "0:5"},
        admitted="0",
        stacks={"L": "mirror key scroll", "K": "key"},
    ).play(cast(15))

    assert table.legal == [{"artefact": "key"}, {"artefact": "mirror"}, {"artefact": "scroll"}]
    table.play({"artefact": "key"})
    assert table.state.stacks[1][0] == tiles("key")[0]
    assert sorted(table.state.stacks[1][1:]) == sorted(tiles("mirror scroll"))
    assert table.view(1).stacks[1].tiles == ("key", None, None)
    sets = {viewer: [f.tiles for f in table.seen(viewer) if hasattr(f, "tiles")] for viewer in (0, 1)}  # type: ignore[union-attr]
    assert sets == {0: [("key", "mirror", "scroll")], 1: [None]}
    assert buy("L", red=5) in table.legal


def test_exchange_swaps_a_tile_with_the_top_of_a_stack() -> None:
    """keydoms-dragons T55."""
    table = scene(
        4,
        steps=resolve("N"),
        own={0: "scroll"},
        spells={0: (8,)},
        hold={1: "r5"},
        tokens={"N": "1:5"},
        admitted="01",
        stacks={"N": "raven key", "K": "scroll"},
    ).play(cast(8))

    assert table.state.players[0].artefacts == (0, 0, 0, 1, 0, 1)
    assert sum(table.state.players[0].invoked) == 1
    assert table.state.stacks[4] == tiles("scroll key")
    assert table.asked == (1, "buy_artefact")


def test_exchange_lists_tiles_and_stacks() -> None:
    """Spec §5.6: never the wand, never the same type, only face-up tops."""
    table = scene(
        steps=ROUND_START,
        own={0: "scroll key"},
        spells={0: (8,)},
        stacks={"K": "scroll", "L": "raven", "M": "amulet"},
        face_up=(True, True, False, False, False, False),
    ).play(cast(8))

    assert table.legal == [
        {"give": "key", "stack": "K"},
        {"give": "key", "stack": "L"},
        {"give": "scroll", "stack": "L"},
    ]


def exchanging(amulets: str) -> Scene:
    """Seat 0 exchanges an amulet, seat 1 answers with a copy of the amulet of seat 2."""
    table = scene(
        steps=ROUND_END,
        own={0: amulets, 2: "amulet"},
        invoked={1: "wand", 2: "amulet"},
        spells={0: (8,), 1: (2,)},
        stacks={"K": "raven", "L": "key"},
        change=changes(with_seat(0, inv_max=2)),
    ).play(cast(8))
    assert {"give": "wand", "stack": "K"} not in table.legal
    return table.play({"give": "amulet", "stack": "K"}, COPY_AMULET, AMULET)


def test_an_exchange_fails_when_its_tile_was_used_in_response() -> None:
    """keydoms-dragons T113."""
    table = exchanging("amulet")

    assert table.of(SpellNoEffect) == [SpellNoEffect(8)]
    assert (table.state.spell_discard, table.state.spell_used) == ((2,), (8,))
    assert table.state.stacks[0] == tiles("raven")
    assert sum(table.state.players[0].invoked) == 2
    assert table.state.players[0].artefacts == (1, 0, 0, 0, 0, 1)


def test_an_exchange_gives_a_second_tile_of_the_type() -> None:
    """keydoms-dragons T113, last part."""
    table = exchanging("amulet amulet")

    assert table.state.stacks[0] == tiles("amulet")
    assert table.state.players[0].artefacts == (1, 0, 0, 1, 0, 1)


def test_disclosure_makes_the_others_place_face_up() -> None:
    """keydoms-dragons T56."""
    table = scene(steps=(*ROUND_START, *placement()), spells={1: (3,)})
    table.play(cast(3), place(9, "G"), place(8, "G"), place(7, "G"))

    assert [(each.owner, each.up) for each in table.state.tokens] == [(0, True), (1, False), (2, True)]
    numbers = [each.number for each in table.view(None).locations[6].tokens]
    assert numbers == [9, None, 7]


def test_disclosure_needs_somebody_else_who_still_places() -> None:
    """Spec §5.6."""
    empty = changes(with_seat(1, hand=()), with_seat(2, hand=()))
    table = scene(steps=placement(), spells={0: (3,)}, change=empty)

    assert cast(3) not in table.legal
