"""Castle rooms and the end of the game (keydoms-dragons L7, L8, §5.11, §7)."""

from msgspec.structs import replace

from keylore_domain.games.keydoms_dragons.facts import ArtefactMoved, GameEnded, StacksRedistributed
from keylore_domain.games.keydoms_dragons.state.position import GhostCard, State
from tests.domain.keydoms_dragons.builders import (
    DECLINE,
    FINISH,
    NEW_ROUND,
    PASS,
    ROUND_END,
    Scene,
    buy,
    cast,
    deck,
    mirror,
    resolve,
    scene,
    tiles,
    with_ghost,
)

AMULET = {"action": "amulet"}


def payments(table: Scene) -> list[dict[str, int]]:
    """The payments among the legal moves."""
    return [move["payment"] for move in table.legal if move["action"] == "buy"]


def owned(table: Scene, seat: int) -> tuple[int, ...]:
    return table.state.players[seat].artefacts


def test_each_worker_is_paid_with_a_type_of_its_own() -> None:
    """keydoms-dragons T12."""
    tokens = {"K": "0:7 0:1 1:2"}

    poor = scene(steps=resolve("K"), hold={0: "r8", 1: "w2"}, tokens=tokens, admitted="012")
    assert (poor.asked, payments(poor)) == ((1, "buy_artefact"), [{"white": 2}])

    able = scene(steps=resolve("K"), hold={0: "r7 w1"}, tokens=tokens, admitted="012")
    assert (able.asked, payments(able)) == ((0, "buy_artefact"), [{"red": 7, "white": 1}])

    rich = scene(steps=resolve("K"), hold={0: "r8 w8"}, tokens=tokens, admitted="012")
    assert payments(rich) == [{"red": 7, "white": 1}, {"red": 1, "white": 7}]
    assert rich.default == DECLINE


def test_the_second_is_offered_what_the_first_cannot_pay() -> None:
    """keydoms-dragons T13."""
    table = scene(
        steps=resolve("L"),
        hold={0: "r7 w7", 1: "r4 w2 k1"},
        tokens={"L": "0:8 1:4 1:2 1:1"},
        admitted="012",
        stacks={"L": "raven scroll", "K": "key"},
    )

    assert (table.asked, payments(table)) == ((1, "buy_artefact"), [{"red": 4, "white": 2, "black": 1}])
    table.play(buy("L", red=4, white=2, black=1))

    assert owned(table, 1) == (0, 0, 0, 1, 0, 1)
    assert table.held(1) == ""
    assert (table.state.stacks[1], table.state.face_up[1]) == (tiles("scroll"), False)
    assert table.of(ArtefactMoved)[0] == ArtefactMoved("L", 1, "raven")


def test_room_m_offers_two_artefacts_to_six_parties() -> None:
    """keydoms-dragons T14."""
    table = scene(
        6,
        steps=resolve("M"),
        hold={0: "r4", 1: "k3 b3", 2: "g2"},
        tokens={"M": "0:4 1:raven 2:2"},
        admitted="012345",
        stacks={"M": "scroll key", "M2": "amulet key"},
    )

    assert table.legal == [buy("M", red=4), buy("M2", red=4), DECLINE]
    table.play(buy("M", red=4))
    assert table.asked == (1, "buy_artefact")
    assert table.legal == [buy("M2", black=3), buy("M2", blue=3), DECLINE]
    table.play(buy("M2", blue=3))

    assert table.asked is None
    assert owned(table, 0)[4] == owned(table, 1)[0] == 1


def test_a_party_that_declined_in_room_m_is_not_asked_again() -> None:
    """L8: with one stack left there is one offer."""
    table = scene(
        6,
        steps=resolve("M"),
        hold={0: "r4", 1: "k3"},
        tokens={"M": "0:4 1:raven"},
        admitted="01",
        stacks={"M2": "amulet key"},
    )

    assert table.legal == [buy("M2", red=4), DECLINE]
    table.play(DECLINE, buy("M2", black=3))
    assert table.asked is None


def test_equal_payments_are_listed_once() -> None:
    """keydoms-dragons T21."""
    table = scene(
        steps=resolve("K"), hold={0: "r5 w4 b4"}, tokens={"K": "0:4"}, own={0: "mirror"}, admitted="0"
    ).play(mirror("0.1.1"))

    assert payments(table) == [{"red": 4, "white": 4}, {"red": 4, "blue": 4}, {"white": 4, "blue": 4}]


def test_payments_assign_strengths_to_types() -> None:
    """keydoms-dragons T22."""
    table = scene(steps=resolve("K"), hold={0: "r6 w5 g1"}, tokens={"K": "0:5 0:1"}, admitted="0")

    assert payments(table) == [
        {"red": 5, "white": 1},
        {"red": 5, "gold": 1},
        {"red": 1, "white": 5},
        {"white": 5, "gold": 1},
    ]


def test_payments_are_listed_with_the_larger_amount_of_the_first_type_first() -> None:
    """keydoms-dragons T115, first part."""
    table = scene(steps=resolve("K"), hold={0: "r5 w5 k2"}, tokens={"K": "0:5 0:2"}, admitted="0")

    assert payments(table) == [
        {"red": 5, "white": 2},
        {"red": 5, "black": 2},
        {"red": 2, "white": 5},
        {"white": 5, "black": 2},
    ]


def test_six_workers_cannot_buy() -> None:
    """keydoms-dragons T23."""
    table = scene(
        steps=resolve("K"),
        hold={0: "r15 w15 k15 b15 g15", 1: "r1"},
        tokens={"K": "0:1 0:2 0:4 0:5 0:6 0:7 1:1"},
        admitted="01",
    )

    assert table.asked == (1, "buy_artefact")


def test_offers_go_down_the_ranking() -> None:
    """keydoms-dragons T67."""
    table = scene(
        steps=resolve("K"),
        start=2,
        hold={0: "r7", 1: "w5", 2: "k5"},
        tokens={"K": "0:7 1:5 2:5"},
        admitted="012",
    )

    assert table.asked == (0, "buy_artefact")
    table.play(DECLINE)
    assert table.asked == (2, "buy_artefact")
    table.play(buy("K", black=5))
    assert table.asked is None


def test_what_nobody_buys_stays_face_up() -> None:
    """L7."""
    table = scene(steps=resolve("K"), hold={0: "r7"}, tokens={"K": "0:7"}, admitted="0").play(DECLINE)

    assert len(table.state.stacks[0]) == 5
    assert table.state.face_up[0]


def test_choice_takes_any_tile_unseen() -> None:
    """keydoms-dragons T39."""
    table = scene(
        steps=(*resolve("K"), *FINISH[:0]),
        hold={0: "r4"},
        spells={0: (1,)},
        tokens={"K": "0:4"},
        admitted="0",
        stacks={"K": "raven scroll key", "L": "key"},
    )

    table.play(cast(1))
    assert table.asked == (0, "buy_artefact")
    assert table.context["choice"]
    table.play(buy("K", red=4))
    assert table.legal == [{"artefact": "key"}, {"artefact": "raven"}, {"artefact": "scroll"}]
    table.play({"artefact": "scroll"})

    assert owned(table, 0) == (0, 0, 0, 0, 1, 1)
    assert sorted(table.state.stacks[0]) == sorted(tiles("raven key"))
    assert not table.state.face_up[0]
    types = {
        viewer: [f.type for f in table.seen(viewer) if isinstance(f, ArtefactMoved)] for viewer in (0, 1)
    }
    assert types == {0: ["scroll"], 1: [None]}
    assert (table.view(1).seats[0].artefacts, table.view(1).seats[0].artefact_count) == (None, 2)
    later = Scene(replace(table.state, pending=NEW_ROUND))
    assert later.state.face_up[0]


def test_choice_is_spent_when_the_seat_declines() -> None:
    """S1."""
    table = scene(
        steps=resolve("K"), hold={0: "r4"}, spells={0: (1,)}, tokens={"K": "0:4"}, admitted="0"
    ).play(cast(1), DECLINE)

    assert table.state.spell_used == (1,)
    assert table.asked is None


def test_choice_is_not_offered_for_a_single_tile_or_without_means() -> None:
    """Spec §5.6."""
    one = scene(
        steps=resolve("K"), hold={0: "r4"}, spells={0: (1,)}, tokens={"K": "0:4"}, admitted="0",
        stacks={"K": "key", "L": "key"},
    )  # fmt: skip
    poor = scene(steps=resolve("K"), hold={0: "r1"}, spells={0: (1,)}, tokens={"K": "0:4"}, admitted="0")

    assert cast(1) not in one.legal
    assert poor.asked is None


def test_a_cancelled_choice_leaves_the_offer_as_it_was() -> None:
    """keydoms-dragons T77."""
    table = scene(
        steps=resolve("K"),
        hold={0: "r4"},
        own={1: "amulet"},
        spells={0: (1,)},
        tokens={"K": "0:4"},
        admitted="0",
    ).play(cast(1), AMULET)

    assert table.asked == (0, "buy_artefact")
    assert "choice" not in table.context
    assert table.state.spell_discard == (1,)
    top = table.state.stacks[0][0]
    table.play(buy("K", red=4))
    assert owned(table, 0)[top] == 1


def test_a_buyer_may_cast_gift_before_paying() -> None:
    """Spec §5.4, window buy: a seat that cannot pay is asked when it can cast Gift or Trade."""
    table = scene(steps=resolve("K"), hold={0: "r1"}, spells={0: (11,)}, tokens={"K": "0:4"}, admitted="0")

    table.play(PASS)
    assert table.legal == [DECLINE, cast(11)]
    table.play(cast(11), {"take": {"red": 3}})
    assert payments(table) == [{"red": 4}]


def test_a_buyer_who_cannot_pay_after_casting_is_passed_over() -> None:
    """Spec §5.1: a prompt with one legal move is not asked."""
    table = scene(steps=resolve("K"), hold={0: "r1"}, spells={0: (11,)}, tokens={"K": "0:4"}, admitted="0")

    assert table.play(PASS, cast(11), {"take": {"white": 3}}).asked is None


def last_tile(table_tiles: str = "key") -> Scene:
    return scene(
        steps=(*resolve("K"), *ROUND_END, *FINISH),
        hold={0: "r4"},
        spells={1: (20,)},
        tokens={"K": "0:4"},
        admitted="0",
        stacks={"K": table_tiles},
    )


def test_the_game_ends_with_the_last_tile() -> None:
    """keydoms-dragons T49."""
    table = last_tile().play(PASS, buy("K", red=4))

    assert table.asked is None
    assert table.of(GameEnded) == [GameEnded("last_artefact", 1)]
    assert table.state.pending == ()
    outcome = table.game.outcome(table.state)
    assert outcome is not None
    assert outcome.ended_by == "last_artefact"
    assert [(result.score, result.rank) for result in outcome.seats] == [(2, 1), (1, 2), (1, 3)]


def test_the_game_ends_with_the_last_tile_under_choice_too() -> None:
    """§7.1; S1 with a stack whose other tile is left does not end it."""
    table = scene(
        steps=resolve("K"), hold={0: "r4"}, spells={0: (1,)}, tokens={"K": "0:4"}, admitted="0",
        stacks={"K": "key key"},
    ).play(cast(1), buy("K", red=4))  # fmt: skip

    assert table.state.stacks[0] == tiles("key")
    assert table.of(GameEnded) == []


def test_the_last_stack_is_dealt_to_several_rooms() -> None:
    """keydoms-dragons T40."""
    table = scene(steps=NEW_ROUND, stacks={"L": "key raven scroll amulet"})

    assert table.state.stacks == (tiles("key amulet"), tiles("raven"), tiles("scroll"), (), (), ())
    assert table.state.face_up == (True, True, True, False, False, False)
    assert table.state.status[10:] == ("open", "open", "open", "inactive", "inactive")
    assert table.of(StacksRedistributed)[0].heights == (2, 1, 1, 0, 0, 0)


def test_a_single_last_tile_stays_where_it_is() -> None:
    """Spec §5.11: from two tiles on."""
    table = scene(steps=NEW_ROUND, stacks={"L": "key"})

    assert table.state.stacks[1] == tiles("key")
    assert table.of(StacksRedistributed) == []


def ended(state: State) -> State:
    return replace(state, ended_by="last_artefact")


def test_ties_are_broken_by_scrolls_and_then_by_turn_order() -> None:
    """keydoms-dragons T41."""
    own = {0: "scroll key key key key", 1: "scroll scroll key key key", 2: "scroll key key key key"}
    table = scene(steps=(), start=2, own=own, change=ended)

    outcome = table.game.outcome(table.state)
    assert outcome is not None
    assert [result.rank for result in outcome.seats] == [3, 1, 2]
    assert [result.score for result in outcome.seats] == [6, 6, 6]
    assert [result.turn_index for result in outcome.seats] == [1, 2, 0]


def test_the_round_cap_ends_the_game() -> None:
    """keydoms-dragons T42."""
    table = scene(steps=FINISH, options={"round_cap": 5}, round=5)

    assert table.of(GameEnded) == [GameEnded("round_cap", 5)]
    outcome = table.game.outcome(table.state)
    assert outcome is not None
    assert (outcome.ended_by, outcome.round) == ("round_cap", 5)


def test_a_ghost_scores_half_the_spells_in_its_deck() -> None:
    """keydoms-dragons T43."""
    own = {"light": "key raven scroll"}
    two = with_ghost("light", deck=deck("S1 4 S2"), stack=(3,))
    three = with_ghost("light", deck=(*deck("S1 4 S2"), GhostCard("spell", 4)), stack=(3,))

    for change, bonus in ((two, 1), (three, 2)):
        table = scene(2, 1, steps=(), own=own, change=lambda state, add=change: ended(add(state)))
        outcome = table.game.outcome(table.state)
        assert outcome is not None
        assert (outcome.parties[2].score, outcome.parties[2].spell_bonus) == (4 + bonus, bonus)
        assert (outcome.seats[0].rank, outcome.seats[0].party_rank) == (1, 2)
