"""Caves, Keytown and the guard room (keydoms-dragons §5.9, L1 to L6)."""

from keylore_domain.games.keydoms_dragons.facts import (
    LocationRanked,
    SeatAdmitted,
    SeatRefused,
    SpellGained,
    SpellsOffered,
    StartPlayerSet,
    TokenRemoved,
)
from tests.domain.keydoms_dragons.builders import (
    DECLINE,
    KEY,
    PASS,
    Scene,
    mirror,
    part,
    resolve,
    scene,
    units,
    words,
)


def ranked(table: Scene) -> list[tuple[object, ...]]:
    """The orders of the locations that were ranked."""
    return [fact.order for fact in table.of(LocationRanked)]


def test_ties_at_the_market_go_by_turn_order() -> None:
    """keydoms-dragons T4."""
    table = scene(steps=resolve("G"), hold={0: "r1", 1: "r1", 2: "r1"}, tokens={"G": "0:5 0:1 1:6 2:5"})

    assert ranked(table) == [(0, 1, 2)]
    assert table.of(LocationRanked)[0].strengths == (6, 6, 5)
    assert table.asked == (0, "market_exchange")
    assert table.play(DECLINE).asked is None


def test_each_ledge_goes_to_one_party_in_order() -> None:
    """keydoms-dragons T5."""
    table = scene(steps=resolve("A"), caves={"A": [4, 3]}, tokens={"A": "0:9 1:8 2:2"})

    assert [table.held(seat) for seat in range(3)] == ["r4", "r3", ""]
    assert table.state.caves[0] == ((), ())
    assert table.state.status[0] == "closed"


def test_ties_in_a_cave_go_to_the_seat_nearer_to_the_start_party() -> None:
    """keydoms-dragons T6."""
    tokens = {"E": "0:1 1:4 2:9 2:5 3:8 3:6"}
    table = scene(4, steps=resolve("E"), caves={"E": [5, 3, 2]}, tokens=tokens)

    assert [table.held(seat) for seat in range(4)] == ["", "g2", "g5", "g3"]


def test_treasure_that_nobody_takes_stays_on_its_ledge() -> None:
    """L1."""
    table = scene(steps=resolve("A"), caves={"A": [4, 3]}, tokens={"A": "0:9"})

    assert table.held(0) == "r4"
    assert [len(ledge) for ledge in table.state.caves[0]] == [0, 1]


def test_the_winner_of_the_stables_names_the_start_party() -> None:
    """keydoms-dragons T7."""
    tokens = {"F": "1:1", "G": "0:5 1:5"}
    table = scene(steps=resolve("FG"), hold={0: "r1", 1: "r1"}, tokens=tokens)

    assert table.asked == (1, "choose_start_player")
    assert table.legal == [{"party": 0}, {"party": 1}, {"party": 2}]
    assert table.default == {"party": 1}
    table.play({"party": 1})

    assert table.of(StartPlayerSet)[-1].seat == 1
    assert ranked(table)[-1] == (1, 0)
    assert table.asked == (1, "market_exchange")


def test_the_market_gives_three_units_for_one() -> None:
    """keydoms-dragons T8."""
    table = scene(steps=resolve("G"), hold={0: "b2"}, tokens={"G": "0:1"})
    before = table.state.treasury

    table.play({"action": "exchange", "give": "blue", "take": {"red": 2, "gold": 1}})

    assert table.held(0) == "r2 b1 g1"
    assert table.state.treasury == (before[0] - 2, before[1], before[2], before[3] + 1, before[4] - 1)


def test_market_exchanges_are_listed_by_type_and_the_larger_amount_first() -> None:
    """Spec §5.1."""
    table = scene(steps=resolve("G"), hold={0: "w1 g1"}, tokens={"G": "0:1"}, treasury=units("r3 b1"))

    takes = [{"red": 3}, {"red": 2, "blue": 1}]
    deals = [
        {"action": "exchange", "give": give, "take": take} for give in ("white", "gold") for take in takes
    ]
    assert table.legal == [*deals, DECLINE]
    assert table.default == DECLINE


def test_the_market_gives_what_is_left_in_a_small_treasury() -> None:
    """keydoms-dragons T82."""
    tokens = {"G": "0:9"}
    table = scene(steps=resolve("G"), hold={0: "w2"}, tokens=tokens, treasury=units("g1"))
    nothing = scene(steps=resolve("G"), hold={0: "w2"}, tokens=tokens, treasury=units(""))

    assert table.legal == [{"action": "exchange", "give": "white", "take": {"gold": 1}}, DECLINE]
    assert nothing.asked is None


def test_a_market_winner_without_treasure_is_not_asked() -> None:
    """L3."""
    assert scene(steps=resolve("G"), tokens={"G": "0:9"}).asked is None


def test_the_cottage_gives_a_second_invocation() -> None:
    """keydoms-dragons T9."""
    table = scene(
        steps=resolve("HJ"),
        own={0: "raven key"},
        invoked={0: "raven"},
        tokens={"A": "0:raven", "H": "0:1"},
        closed="A",
        guard=7,
    )

    assert table.state.players[0].inv_max == 2
    assert (table.asked, table.legal[2:]) == ((0, "window_action"), [KEY])
    table.play(KEY)

    assert sum(table.state.players[0].invoked) == 2
    assert table.state.players[0].admitted == "yes"


def test_the_roundhouse_gives_one_spell_to_the_winner_and_one_to_the_second() -> None:
    """keydoms-dragons T10."""
    table = scene(steps=resolve("I"), tokens={"I": "0:8 1:6 2:5"}, spell_deck=(12, 4, 7))

    assert table.asked == (0, "choose_spell")
    assert table.legal == [{"keep": 4}, {"keep": 12}]
    assert table.default == {"keep": 4}
    table.play({"keep": 12})

    assert [player.spells for player in table.state.players] == [(12,), (4,), ()]
    gained = {
        viewer: [f.spell for f in table.seen(viewer) if isinstance(f, SpellGained)] for viewer in range(3)
    }
    assert gained == {0: [12, 4], 1: [None, 4], 2: [None, None]}
    assert [seat.spells for seat in table.view(2).seats] == [None, None, ()]


def test_alone_at_the_roundhouse_the_other_spell_goes_under_the_deck() -> None:
    """L5."""
    table = scene(steps=resolve("I"), tokens={"I": "1:8"}, spell_deck=(12, 4, 7)).play({"keep": 12})

    assert table.state.players[1].spells == (12,)
    assert table.state.spell_deck == (7, 4)


def test_a_short_spell_deck_is_filled_from_the_discards() -> None:
    """keydoms-dragons T46."""
    table = scene(
        steps=resolve("I"), tokens={"I": "0:8 1:6"}, spell_deck=(12,), spell_discard=(1, 2, 3, 4, 7, 8)
    )

    assert len(table.legal) == 2
    assert {"keep": 12} in table.legal
    assert len(table.state.spell_deck) == 5
    assert table.state.spell_discard == ()
    table.play({"keep": 12})
    assert [len(player.spells) for player in table.state.players] == [1, 1, 0]


def test_only_the_spells_that_exist_are_awarded() -> None:
    """L5, R23: the winner first."""
    one = scene(steps=resolve("I"), tokens={"I": "0:8 1:6"}, spell_deck=(12,))
    none = scene(steps=resolve("I"), tokens={"I": "0:8 1:6"}, spell_deck=())

    assert [player.spells for player in one.state.players] == [(12,), (), ()]
    assert [player.spells for player in none.state.players] == [(), (), ()]
    assert one.asked is none.asked is None


def test_foreknown_spells_are_taken_from_the_display() -> None:
    """keydoms-dragons T58."""
    table = scene(
        steps=resolve("I"),
        options={"foreknown": True},
        tokens={"I": "0:8 1:6"},
        display=(3, 9),
        spell_deck=(1, 2),
    ).play({"keep": 9})

    assert [player.spells for player in table.state.players] == [(9,), (3,), ()]
    assert table.state.spell_deck == (1, 2)
    assert [fact.spells for fact in table.seen(2) if isinstance(fact, SpellsOffered)] == [(3, 9)]
    assert [fact.spell for fact in table.seen(2) if isinstance(fact, SpellGained)] == [None, None]


def test_a_display_of_one_card_goes_to_the_winner() -> None:
    """Spec §5.14."""
    table = scene(steps=resolve("I"), options={"foreknown": True}, tokens={"I": "0:8 1:6"}, display=(3,))

    assert [player.spells for player in table.state.players] == [(3,), (), ()]
    assert table.asked is None


def test_the_guard_lets_the_strong_pass_and_the_rich_bribe() -> None:
    """keydoms-dragons T11."""
    table = scene(4, steps=resolve("J"), hold={2: "r2 w1", 3: "k1"}, tokens={"J": "0:9 1:9 2:7 3:6"}, guard=8)

    assert [fact.seat for fact in table.of(SeatAdmitted)] == [0, 1]
    assert (table.asked, table.context["due"]) == ((2, "bribe_guard"), 1)
    assert table.default == DECLINE
    table.play({"action": "bribe"}, part("white", 1))

    assert [(fact.seat, fact.how) for fact in table.of(SeatAdmitted)][-1] == (2, "bribe")
    assert [fact.seat for fact in table.of(SeatRefused)] == [3]
    assert table.held(2) == "r2"


def test_a_seat_that_declines_to_bribe_is_refused() -> None:
    """L6 (c)."""
    table = scene(steps=resolve("J"), hold={0: "r8"}, tokens={"J": "0:1", "K": "0:9"}, guard=8).play(DECLINE)

    assert table.state.players[0].admitted == "no"
    assert table.at("K") == []


def test_bribes_are_paid_type_by_type() -> None:
    """keydoms-dragons T24."""
    hold = {0: "r1 w1 k1"}
    parts = [part("red", 1), part("white", 1), part("black", 1)]

    def bribing() -> Scene:
        table = scene(steps=resolve("J"), hold=hold, tokens={"J": "0:6"}, guard=8)
        return table.play({"action": "bribe"})

    assert bribing().legal == parts[:2]
    assert bribing().play(parts[0]).legal == parts[1:]
    after_white = bribing().play(parts[1])
    assert after_white.asked is None
    assert after_white.held(0) == "r1"
    assert bribing().play(parts[0], parts[1]).held(0) == "k1"


def test_a_refused_seat_leaves_the_castle_unseen() -> None:
    """keydoms-dragons T25."""
    table = scene(steps=resolve("J"), tokens={"K": "2:9 0:1", "L": "2:5", "J": "0:8"}, guard=8)

    assert table.at("K") == ["0.1.1"]
    assert table.at("L") == []
    assert table.state.players[2].out_hidden == (5, 9)
    numbers = {
        viewer: [f.number for f in table.seen(viewer) if isinstance(f, TokenRemoved)]
        for viewer in (0, 2, None)
    }
    assert numbers == {0: [None, None], 2: [9, 5], None: [None, None]}
    assert (table.view(0).seats[2].out_hidden, table.view(0).seats[2].out_count) == (None, 2)


def test_mirror_and_raven_count_at_the_guard_and_nothing_does_not() -> None:
    """keydoms-dragons T68."""
    table = scene(
        steps=resolve("J"),
        hold={0: "r1 w1", 1: "r6 w6", 2: "k9 b9 g2"},
        own={0: "mirror", 1: "raven"},
        tokens={"J": "0:4"},
        guard=9,
    )

    table.play(mirror("0.1.1"), {"action": "raven"})
    assert (table.asked, table.context["due"]) == ((0, "bribe_guard"), 1)
    table.play(DECLINE)
    assert (table.asked, table.context["due"]) == ((1, "bribe_guard"), 6)
    table.play(DECLINE)

    assert table.asked is None
    assert [fact.seat for fact in table.of(SeatRefused)] == [0, 1, 2]


def test_the_guard_room_is_resolved_without_workers() -> None:
    """R37: keys can be used there; who has one and does not use it is refused."""
    table = scene(steps=resolve("J"), own={0: "key", 1: "key"}, guard=1)

    assert table.asked == (0, "window_action")
    table.play(KEY)
    assert table.asked == (1, "window_action")
    table.play(PASS)

    assert [fact.seat for fact in table.of(SeatAdmitted)] == [0]
    assert [fact.seat for fact in table.of(SeatRefused)] == [1, 2]
    assert table.of(SeatAdmitted)[0].how == "key"


def test_a_key_is_not_offered_to_a_seat_that_is_strong_enough() -> None:
    """AR2."""
    assert scene(steps=resolve("J"), own={0: "key"}, tokens={"J": "0:8"}, guard=8).asked is None


def test_locations_without_tokens_close_without_effect() -> None:
    """Spec §5.4."""
    table = scene(steps=resolve("AFG"), caves={"A": [4]})

    assert table.state.status[0] == table.state.status[5] == table.state.status[6] == "closed"
    assert ranked(table) == []
    assert words(table.state.treasury) == "r25 w29 k29 b29 g29"
