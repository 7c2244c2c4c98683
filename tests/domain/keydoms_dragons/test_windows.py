"""Windows, artefacts and responses (keydoms-dragons §5.4, §5.7, §6.2)."""

from keylore_domain.engine.encoding import canonical_json
from keylore_domain.games.keydoms_dragons.facts import (
    ArtefactInvoked,
    LocationRanked,
    SpellCancelled,
    SpellCast,
)
from tests.domain.keydoms_dragons.builders import (
    AMULET,
    COPY_AMULET,
    DECLINE,
    KEY,
    LET,
    PASS,
    PASS_ROUND,
    PLACEMENT_END,
    RAVEN,
    ROUND_END,
    ROUND_START,
    buy,
    cast,
    mirror,
    place,
    placement,
    resolve,
    scene,
    token,
    with_seat,
)


def test_a_mirrored_worker_counts_and_costs_twice() -> None:
    """keydoms-dragons T17."""
    tokens = {"K": "0:4 1:6"}
    table = scene(
        steps=resolve("K"), hold={0: "r4 w4", 1: "k6"}, own={0: "mirror"}, tokens=tokens, admitted="01"
    ).play(mirror("0.1.1"))
    one_type = scene(
        steps=resolve("K"), hold={0: "r8", 1: "k6"}, own={0: "mirror"}, tokens=tokens, admitted="01"
    ).play(mirror("0.1.1"))

    assert table.of(LocationRanked)[0].order == (0, 1)
    assert table.of(LocationRanked)[0].strengths == (8, 6)
    assert buy("K", red=4, white=4) in table.legal
    assert one_type.asked == (1, "buy_artefact")


def test_two_ravens_fight_at_the_market() -> None:
    """keydoms-dragons T18."""
    table = scene(
        steps=resolve("G"), hold={0: "r1", 1: "r1"}, own={0: "raven", 1: "raven"}, tokens={"G": "0:7 1:7"}
    )

    assert table.asked == (0, "window_action")
    table.play(PASS)
    assert table.asked == (1, "window_action")
    table.play(RAVEN)
    assert table.asked == (0, "window_action")
    table.play(RAVEN)

    assert table.of(LocationRanked)[0].strengths == (10, 10)
    assert table.asked == (0, "market_exchange")


def test_a_raven_may_go_to_a_cave_that_only_just_opened() -> None:
    """keydoms-dragons T20."""
    table = scene(
        steps=(*PLACEMENT_END, *resolve("ABC")),
        own={0: "raven", 1: "raven"},
        spells={0: (5,)},
        caves={"A": [5], "C": [4], "E": [1]},
        tokens={"A": "2:9", "C": "2:8"},
        hold={},
    )

    table.play(cast(5))
    assert table.state.status[:5] == ("resolving", "open", "open", "inactive", "open")
    assert [sum(piece.units for piece in ledge) for ledge in table.state.caves[1]] == [4, 2]
    assert table.asked == (1, "window_action")
    table.play(PASS)
    assert (table.asked, table.state.location) == ((1, "window_action"), "B")
    assert table.legal == [PASS, PASS_ROUND, RAVEN]
    table.play(RAVEN)
    assert table.held(1) == "w4"


def test_an_amulet_cancels_a_spell() -> None:
    """keydoms-dragons T26."""
    table = scene(steps=ROUND_START, hold={0: "r9", 2: "k9"}, own={1: "amulet"}, spells={0: (20,)})

    table.play(cast(20))
    assert table.asked == (1, "respond")
    assert table.legal == [LET, AMULET]
    table.play(AMULET)

    assert (table.held(0), table.held(2)) == ("r9", "k9")
    assert table.state.spell_discard == (20,)
    assert table.state.spell_used == ()
    assert table.state.players[0].invoked == (0, 0, 0, 0, 0, 1)
    assert sum(table.state.players[1].invoked) == 1
    assert table.of(SpellCancelled) == [SpellCancelled(20, 1)]


def test_a_spell_takes_effect_when_nobody_answers() -> None:
    """Spec §5.7: each seat is asked once; spent amulets are not asked for."""
    table = scene(
        steps=ROUND_START,
        hold={2: "k9"},
        own={1: "amulet", 2: "amulet"},
        invoked={2: "amulet"},
        spells={0: (20,)},
    ).play(cast(20), LET)

    assert table.held(2) == "k2"
    assert table.state.spell_used == (20,)


def test_a_used_amulet_can_be_copied_in_response() -> None:
    """keydoms-dragons T47."""
    table = scene(
        steps=ROUND_START,
        start=2,
        hold={1: "r9"},
        own={1: "amulet"},
        invoked={0: "wand", 1: "amulet"},
        spells={0: (2,), 2: (4,)},
    )

    table.play(cast(4))
    assert (table.asked, table.legal) == ((0, "respond"), [LET, COPY_AMULET])
    table.play(COPY_AMULET)

    assert table.held(1) == "r9"
    assert table.state.spell_discard == (4,)
    assert table.state.spell_used == (2,)
    assert sum(table.state.players[0].invoked) == 1


def test_a_copy_of_an_amulet_can_be_cancelled_and_then_the_spell_goes_on() -> None:
    """Spec §5.7: the questions about the first spell go on with the next seat."""
    table = scene(
        4,
        steps=ROUND_START,
        start=3,
        hold={3: "r6"},
        own={1: "amulet amulet", 2: "amulet", 3: "amulet"},
        invoked={0: "wand", 3: "wand", 1: "amulet"},
        spells={0: (2,), 3: (4,)},
        change=with_seat(3, inv_max=2),
    )

    table.play(cast(4), COPY_AMULET)
    assert table.asked == (3, "respond")
    assert [each.spell for each in table.view(None).announced] == [4, 2]
    table.play(AMULET)

    assert table.asked == (2, "respond")
    assert table.state.spell_discard == (2,)
    table.play(LET)
    assert table.held(3) == "r1"


def test_a_standing_pass_holds_until_something_is_gained() -> None:
    """keydoms-dragons T48."""
    table = scene(
        steps=resolve("ABGHI"),
        own={0: "raven"},
        caves={"A": [4], "B": [4]},
        tokens={"A": "1:9", "B": "1:8", "G": "1:7", "H": "0:9", "I": "1:6"},
    )

    assert (table.asked, table.state.location) == ((0, "window_action"), "A")
    table.play(PASS_ROUND)
    assert (table.asked, table.state.location) == ((1, "market_exchange"), "G")
    table.play(DECLINE)
    assert table.state.players[0].inv_max == 2
    assert (table.asked, table.state.location) == ((0, "window_action"), "I")


def test_a_pass_for_the_window_counts_only_until_somebody_acts() -> None:
    """Spec §5.4."""
    table = scene(
        steps=resolve("G"), own={0: "raven", 2: "raven"}, tokens={"G": "0:9 1:8 2:7"}, hold={0: "r1"}
    )

    table.play(PASS)
    assert table.asked == (2, "window_action")
    table.play(PASS)
    assert table.asked == (0, "market_exchange")


def test_an_empty_location_has_a_reduced_window() -> None:
    """keydoms-dragons T79."""
    table = scene(
        steps=resolve("D"),
        own={0: "raven"},
        spells={1: (2, 7, 19, 13, 20, 11)},
        hold={1: "r3"},
        caves={"D": [4]},
        tokens={"F": "1:9 2:5", "K": "0:1"},
    )

    table.play(RAVEN)
    assert table.asked == (1, "window_action")
    assert cast(20) in table.legal
    table.play(cast(7), token("0.1.2"))

    assert (table.asked, table.state.location) == ((1, "window_action"), "D")
    assert table.legal == [PASS, PASS_ROUND, cast(2), cast(19)]
    table.play(PASS)
    assert table.state.status[3] == "closed"
    assert table.of(LocationRanked) == []


def test_answers_and_passes_are_private() -> None:
    """keydoms-dragons T80."""
    arguments = {"steps": ROUND_START, "hold": {0: "r9"}, "spells": {0: (20,)}}
    table = scene(own={1: "amulet"}, **arguments).play(cast(20))  # type: ignore[arg-type]
    done = scene(**arguments).play(cast(20))  # type: ignore[arg-type]

    assert table.prompt.hidden
    for viewer in (0, 2, None):
        assert [type(fact) for fact in table.seen(viewer)] == [ArtefactInvoked, SpellCast]
    table.play(LET)
    assert [canonical_json(fact) for fact in table.seen(2)] == [canonical_json(fact) for fact in done.seen(2)]


def test_the_wand_is_invoked_by_the_first_cast_of_the_round() -> None:
    """keydoms-dragons T71."""
    table = scene(
        steps=(*placement(), *resolve("A")),
        own={0: "raven"},
        spells={0: (11, 20)},
        caves={"A": [4]},
        change=with_seat(0, hand=(9,)),
    )

    table.play(cast(11), {"take": {"red": 3}})
    assert table.state.players[0].invoked == (0, 0, 0, 0, 0, 1)
    assert cast(20) in table.legal
    table.play(cast(20))
    assert len(table.of(ArtefactInvoked)) == 1
    table.play(place(9, "A"))
    assert RAVEN not in table.legal


def test_a_seat_with_a_spent_invocation_casts_only_with_its_wand() -> None:
    """Spec §5.4."""
    table = scene(steps=ROUND_START, spells={0: (11,), 1: (11,)}, own={0: "key"}, invoked={0: "key"})

    assert table.asked == (1, "window_action")


def test_windows_start_at_the_start_party_and_go_on_after_the_actor() -> None:
    """Spec §5.4."""
    table = scene(steps=ROUND_END, start=1, hold={0: "r1"}, spells={0: (11,), 1: (20,), 2: (11,)})

    assert table.asked == (1, "window_action")
    table.play(PASS)
    assert table.asked == (2, "window_action")
    table.play(cast(11), {"take": {"red": 3}})
    assert table.asked == (0, "window_action")
    table.play(PASS)
    assert table.asked == (1, "window_action")


def test_a_mirror_may_reflect_a_raven_but_not_a_copy() -> None:
    """AR3."""
    table = scene(
        steps=resolve("G"),
        own={0: "raven mirror mirror"},
        tokens={"G": "0:5 1:9"},
        change=with_seat(0, inv_max=2),
    )
    table.play(RAVEN)

    assert table.legal == [PASS, PASS_ROUND, mirror("0.1.1"), mirror("0.1.2")]
    table.play(mirror("0.1.2"))
    assert table.of(LocationRanked)[0].strengths == (11, 9)


def test_a_copy_cannot_be_reflected() -> None:
    """AR3."""
    table = scene(
        steps=resolve("G"), own={0: "mirror mirror"}, tokens={"G": "0:5"}, change=with_seat(0, inv_max=2)
    ).play(mirror("0.1.1"))

    assert table.legal == [PASS, PASS_ROUND, mirror("0.1.1")]


def test_a_raven_needs_an_admitted_owner_in_the_castle() -> None:
    """AR4."""
    table = scene(
        steps=resolve("K"), own={0: "raven", 1: "raven"}, tokens={"K": "2:5"}, admitted="12", closed="J"
    )

    assert table.asked == (1, "window_action")


def test_the_default_in_a_window_is_to_pass() -> None:
    """keydoms-dragons T69, second part."""
    table = scene(steps=resolve("J"), own={0: "key"}, guard=3)

    assert table.default == PASS
    assert table.legal == [PASS, PASS_ROUND, KEY]


def test_a_copied_raven_needs_no_tile() -> None:
    """keydoms-dragons T57."""
    table = scene(
        steps=resolve("H"),
        own={0: "raven"},
        invoked={0: "raven", 1: "wand"},
        spells={1: (2,)},
        tokens={"G": "0:raven", "H": "2:1"},
        closed="G",
    )

    assert table.asked == (1, "window_action")
    table.play(cast(2))
    assert table.at("H") == ["2.1.1", "1.1.1"]
    assert sum(table.state.players[1].invoked) == 1
    assert table.state.players[1].inv_max == 2


def test_a_copied_key_admits() -> None:
    """keydoms-dragons T74."""
    table = scene(steps=resolve("J"), own={1: "key"}, invoked={0: "wand"}, spells={0: (2,)}, guard=7)

    assert table.asked == (1, "window_action")
    table.play(KEY)
    assert (table.asked, table.legal) == ((0, "window_action"), [PASS, PASS_ROUND, cast(2)])
    table.play(cast(2))

    assert table.state.players[0].admitted == "yes"
    assert table.state.players[0].artefacts == (0, 0, 0, 0, 0, 1)
    assert sum(table.state.players[0].invoked) == 1


def test_a_copied_mirror_must_be_paid_for() -> None:
    """keydoms-dragons T75."""
    table = scene(
        steps=resolve("L"),
        own={1: "mirror"},
        invoked={1: "mirror"},
        hold={0: "r6 w6"},
        spells={0: (2,)},
        tokens={"L": "0:6"},
        admitted="0",
    ).play(cast(2))

    assert table.of(LocationRanked)[0].strengths == (12,)
    assert table.legal[0] == buy("L", red=6, white=6)


def test_copy_offers_what_could_be_used_now() -> None:
    """Spec §5.6: its targets are one step, the artefact with the token that a mirror reflects."""
    table = scene(
        steps=resolve("J"),
        own={1: "key mirror raven"},
        invoked={1: "key mirror"},
        spells={0: (2,)},
        tokens={"J": "0:1 0:2"},
        guard=9,
        change=with_seat(1, inv_max=2),
    ).play(cast(2))

    assert table.legal == [
        {"artefact": "key"},
        {"artefact": "mirror", "token": "0.1.1"},
        {"artefact": "mirror", "token": "0.1.2"},
    ]


def test_moonlight_in_a_reduced_window_leads_to_its_location_only() -> None:
    """Spec §5.6."""
    table = scene(
        steps=resolve("D"), spells={0: (13,)}, caves={"D": [4]}, tokens={"F": "0:9 0:8", "G": "1:1"}
    ).play(cast(13))

    assert table.legal == [token("0.1.1"), token("0.1.2")]
    table.play(token("0.1.1"))
    assert table.held(0) == "b4"


def test_a_taboo_location_has_no_reduced_window() -> None:
    """R18."""
    table = scene(
        steps=resolve("D"),
        own={0: "raven"},
        spells={1: (13,)},
        caves={"D": [4]},
        tokens={"F": "1:9"},
        taboo=("D",),
    )

    assert table.asked is None


def test_a_key_is_not_copied_after_the_guard_room() -> None:
    """AR2, S2."""
    table = scene(
        steps=resolve("K"),
        own={1: "key"},
        invoked={1: "key"},
        spells={0: (2,)},
        tokens={"K": "0:5"},
        admitted="01",
    )

    assert table.asked is None
