"""Ghosts: their turns, their places and their artefacts (keydoms-dragons §8.3 to §8.9)."""

from typing import Any

import pytest

from keylore_domain.games.keydoms_dragons.components import (
    AMULET,
    DISCLOSURE,
    KEY,
    MIRROR,
    RAVEN,
    SCROLL,
    TRADE,
)
from keylore_domain.games.keydoms_dragons.effects import ghost_turns
from keylore_domain.games.keydoms_dragons.facts import (
    ArtefactTurned,
    GhostCardDrawn,
    GhostEffect,
    GuardRevealed,
    LocationRanked,
    SpellGained,
    WorkerPlaced,
)
from keylore_domain.games.keydoms_dragons.state import board
from tests.domain.keydoms_dragons.builders import (
    DECLINE,
    FINISH,
    GAME,
    PASS,
    Scene,
    begun,
    buy,
    cast,
    changes,
    deck,
    place,
    placement,
    playing,
    resolve,
    scene,
    with_ghost,
    with_seat,
)


def destination(table: Scene, card: int, name: str = "light") -> str | None:
    """Where action card *card* sends a worker of the ghost."""
    party = board.party_of(table.state, name)  # type: ignore[arg-type]
    return ghost_turns.find_location(table.state, party, GAME.parts.action_card(card))


def test_ghost_card_1_seeks_a_type_it_lacks() -> None:
    """keydoms-dragons T19."""
    stacks = {"K": "key", "L": "raven", "M": "mirror"}

    def sent(tokens: dict[str, str], own: str) -> str | None:
        return destination(scene(2, 1, steps=(), stacks=stacks, tokens=tokens, own={"light": own}), 1)

    assert sent({"L": "0:1 0:2", "M": "0:4"}, "key") == "M"
    assert sent({"L": "0:1", "M": "0:4"}, "key") == "L"
    assert sent({"L": "0:1 0:2", "M": "0:4"}, "key raven mirror") == "K"


def test_ghost_cards_2_to_4_seek_rooms() -> None:
    """keydoms-dragons T92."""
    stacks = {"K": "amulet", "L": "key", "M": "raven"}

    def sent(card: int, tokens: dict[str, str], own: str = "") -> str | None:
        return destination(scene(2, 1, steps=(), stacks=stacks, tokens=tokens, own={"light": own}), card)

    assert sent(2, {"K": "0:1 0:2"}, "key") == "M"
    assert sent(2, {"K": "0:1 0:2"}, "raven") == "L"
    ghosts = "light:1/2 light:1/3"
    assert sent(3, {"K": ghosts, "L": "0:1", "M": "light:1/4 light:2/5 0:2"}) == "L"
    assert sent(3, {"K": ghosts}) == "K"
    assert sent(4, {"K": "0:1", "M": "0:2"}, "key") == "M"
    assert sent(1, {"K": "0:1", "M": "0:2"}, "key") == "K"


def test_ghost_cards_5_to_7_seek_keytown() -> None:
    """keydoms-dragons T93."""
    table = scene(2, 1, steps=(), tokens={"G": "0:1"})

    assert [destination(table, card) for card in (5, 6, 7)] == ["I", "F", "I"]


def test_ghost_cards_8_10_and_12_seek_caves() -> None:
    """keydoms-dragons T94."""
    table = scene(
        2,
        1,
        steps=(),
        caves={"A": [5, 2], "B": [4, 3], "C": [3], "D": [2]},
        tokens={"A": "0:1 0:2", "B": "0:4 0:5"},
    )

    assert [destination(table, card) for card in (8, 12, 10)] == ["B", "C", "D"]


def test_large_pieces_break_ties_of_treasure() -> None:
    """keydoms-dragons T61."""
    table = scene(2, 1, steps=(), caves={"A": [4, 3], "B": [5, 2], "C": [3]})
    single = scene(2, 1, steps=(), caves={"D": [3]})

    assert [destination(table, card) for card in (9, 11, 10)] == ["A", "B", "C"]
    assert destination(single, 11) == "D"


def test_a_ghost_draws_one_card_a_turn() -> None:
    """keydoms-dragons T60."""
    table = scene(
        2,
        1,
        steps=placement(2),
        caves={"A": [5, 2], "C": [4, 2], "D": [3, 2]},
        change=with_ghost("light", deck=deck("S20 9 1 2 3")),
    )

    assert (table.state.ghosts[0].waiting, table.state.ghosts[0].placed) == ((20,), 0)
    table.play(place(1, "G"), place(1, "F"))
    assert [fact.location for fact in table.of(WorkerPlaced) if fact.party == "light"] == ["A"]
    assert not board.token_of(table.state, "light.1.1").up
    assert table.state.ghosts[0].discards == (9,)
    assert table.view(0).locations[0].tokens[0].number is None


def test_a_ghost_with_a_worker_face_up_under_disclosure() -> None:
    """Spec §8.4: face up under a seat's Disclosure."""
    table = scene(2, 1, steps=placement(2), disclosure=(0,), change=with_ghost("light", deck=deck("6 1 2")))

    assert board.token_of(table.state, "light.1.1").up


def test_the_worker_is_drawn_at_random_and_hidden() -> None:
    """Spec §9."""
    table = scene(2, 1, steps=placement(2), change=with_ghost("light", deck=deck("6 1 2")))

    assert isinstance(table.of(WorkerPlaced)[0].number, int)
    assert [fact.number for fact in table.seen(0) if isinstance(fact, WorkerPlaced)] == [None]
    assert table.view(0).ghosts[0].counters is None
    assert table.view(0).ghosts[0].deck_back == "action"


def test_a_ghost_turns_an_artefact_on_its_first_turn() -> None:
    """Spec §8.4: those invoked last round go face down afterwards, so none is invoked twice running."""
    table = scene(
        2,
        1,
        steps=placement(2),
        own={"light": "key mirror"},
        change=with_ghost("light", deck=deck("6 1 2"), face_up=(0, 1, 0, 0, 0, 0)),
    )

    assert [(fact.type, fact.face) for fact in table.of(ArtefactTurned)] == [
        ("mirror", "up"),
        ("key", "down"),
    ]
    ghost = table.state.ghosts[0]
    assert (ghost.powers, ghost.invoked, ghost.face_up) == ((MIRROR,), (MIRROR,), (0, 0, 1, 0, 0, 0))
    assert table.of(GhostEffect) == [GhostEffect("GA3", "light")]


def test_a_single_tile_is_all_that_is_turned() -> None:
    """keydoms-dragons T85, last part; R26: two of a type work once."""
    options = {"ghost_artefacts_per_round": 2}
    one = scene(2, 1, steps=placement(2), own={"light": "key"}, options=options)
    two = scene(2, 1, steps=placement(2), own={"light": "key key"}, options=options)

    assert one.state.ghosts[0].face_up == (0, 1, 0, 0, 0, 0)
    assert two.state.ghosts[0].face_up == (0, 2, 0, 0, 0, 0)
    assert two.state.ghosts[0].powers == (KEY,)


def test_a_card_without_a_location_is_followed_by_the_next() -> None:
    """keydoms-dragons T114 last part, T86 first part, R24."""
    poor = scene(2, 1, steps=placement(2), change=with_ghost("light", deck=deck("8 9 10 11 12 6 1")))
    muggles = scene(
        2, 1, steps=placement(2), options={"muggles": True}, own={"light": "key"},
        change=with_ghost("light", deck=deck("5 7 1")),
    )  # fmt: skip

    assert [fact.card for fact in poor.of(GhostCardDrawn)] == [8, 9, 10, 11, 12, 6]
    assert poor.state.ghosts[0].discards == (8, 9, 10, 11, 12, 6)
    assert [fact.card for fact in muggles.of(GhostCardDrawn)] == [5, 7]
    assert muggles.of(WorkerPlaced)[0].location == "G"
    assert muggles.of(ArtefactTurned) == []


def test_winning_the_market_gives_a_ghost_nothing_in_muggles() -> None:
    """keydoms-dragons T86, last part; GL-F the same."""
    table = scene(
        2,
        1,
        steps=resolve("FG"),
        start=2,
        options={"muggles": True},
        tokens={"F": "light:1/2", "G": "light:1/3"},
    )

    assert table.state.ghosts[0].stack == ()
    assert table.of(SpellGained) == []
    assert table.state.start == 2


def test_a_ghost_is_finished_when_its_deck_runs_out() -> None:
    """Spec §8.4."""
    table = scene(
        2,
        1,
        steps=placement(2),
        change=changes(with_ghost("light", deck=deck("8 S4")), with_seat(0, hand=(1,))),
    )

    assert table.state.ghosts[0].finished
    assert table.state.ghosts[0].waiting == (4,)
    nothing = scene(2, 1, steps=placement(2), change=with_ghost("light", deck=deck("8")))
    assert nothing.state.ghosts[0].finished
    assert nothing.state.ghosts[0].placed == 0


def everybody_placed(own: str) -> Scene:
    """A placement with a ghost to the end, without spells."""
    table = scene(
        2,
        1,
        steps=placement(2),
        caves={"A": [4]},
        own={"light": own},
        change=changes(with_seat(0, hand=(1,)), with_seat(1, hand=(1,))),
    )
    return table.play(place(1, "F"), place(1, "F"))


def test_a_raven_makes_a_ghost_place_eight_workers() -> None:
    """keydoms-dragons T91."""
    plain, raven = everybody_placed(""), everybody_placed("raven")

    assert [plain.state.ghosts[0].placed, len(plain.state.ghosts[0].deck)] == [7, 5]
    assert [raven.state.ghosts[0].placed, len(raven.state.ghosts[0].deck)] == [8, 4]
    assert raven.state.ghosts[0].powers == (RAVEN,)
    assert plain.state.ghosts[0].finished


def test_a_ghost_gives_its_treasure_to_the_treasury() -> None:
    """keydoms-dragons T51."""
    table = scene(2, 1, steps=resolve("A"), caves={"A": [5, 2]}, tokens={"A": "light:3/9 0:8 1:2"})

    assert (table.held(0), table.held(1)) == ("r2", "")
    assert table.state.treasury[0] == 27


def test_a_ghost_at_the_cottage_locks_all_artefacts_but_the_wand() -> None:
    """keydoms-dragons T52."""
    table = scene(
        2,
        1,
        steps=resolve("HK"),
        own={0: "raven"},
        spells={0: (20,)},
        hold={1: "r9"},
        tokens={"H": "light:3/9", "K": "1:5"},
        admitted="01",
        closed="J",
    )

    assert table.asked == (0, "window_action")
    table.play(PASS)
    assert table.state.cottage_locked
    assert table.legal[2:] == [cast(20)]
    assert table.view(1).cottage_locked


def test_a_ghost_at_the_stables_takes_the_marker_and_then_a_spell() -> None:
    """keydoms-dragons T87."""
    table = scene(2, 1, steps=resolve("FG"), hold={0: "r1"}, tokens={"F": "light:3/9", "G": "0:8 light:3/8"})

    assert table.state.start == 2
    assert table.of(LocationRanked)[-1].order == ("light", 0)
    again = scene(2, 1, steps=resolve("F"), start=2, tokens={"F": "light:3/9"}, spell_deck=(7, 4))
    assert again.state.start == 2
    assert again.state.ghosts[0].stack == (7,)
    assert [fact.spell for fact in again.seen(0) if isinstance(fact, SpellGained)] == [None]


def test_a_ghost_at_the_roundhouse_takes_a_card_at_random() -> None:
    """keydoms-dragons T88."""
    first = scene(2, 1, steps=resolve("I"), tokens={"I": "light:3/9 0:8"}, spell_deck=(12, 4, 7))
    alone = scene(2, 1, steps=resolve("I"), tokens={"I": "light:3/9"}, spell_deck=(12, 4, 7))
    second = scene(2, 1, steps=resolve("I"), tokens={"I": "light:1/2 0:8"}, spell_deck=(12, 4, 7))

    kept = first.state.ghosts[0].stack
    assert {*kept, *first.state.players[0].spells} == {4, 12}
    gained = [fact.spell for fact in first.seen(0) if isinstance(fact, SpellGained)]
    assert gained == [None, first.state.players[0].spells[0]]
    assert {*alone.state.ghosts[0].stack, alone.state.spell_deck[-1]} == {4, 12}
    assert alone.state.spell_deck[0] == 7
    second.play({"keep": 12})
    assert (second.state.players[0].spells, second.state.ghosts[0].stack) == ((12,), (4,))
    assert [fact.spell for fact in second.seen(0) if isinstance(fact, SpellGained)] == [12, 4]
    assert [fact.spell for fact in second.seen(1) if isinstance(fact, SpellGained)] == [None, None]


def test_a_ghost_takes_artefacts_free() -> None:
    """keydoms-dragons T89."""
    stacks = {"K": "key raven", "L": "key"}
    hold = {0: "r5", 1: ""}
    best = scene(
        2, 1, steps=resolve("K"), hold=hold, tokens={"K": "light:3/9 0:2"}, admitted="01", stacks=stacks
    )
    assert best.asked is None
    assert best.state.ghosts[0].artefacts == (0, 1, 0, 0, 0, 1)

    second = scene(
        2, 1, steps=resolve("K"), hold=hold, tokens={"K": "light:3/9 0:5"}, admitted="01", stacks=stacks
    )
    assert second.asked == (0, "buy_artefact")
    second.play(DECLINE)
    assert second.state.ghosts[0].artefacts == (0, 1, 0, 0, 0, 1)
    assert not second.state.face_up[0]


def test_a_ghost_prefers_a_type_it_lacks_in_room_m() -> None:
    """keydoms-dragons T89, last part."""
    table = scene(
        4,
        2,
        steps=resolve("M"),
        hold={0: "r5"},
        own={"light": "key"},
        tokens={"M": "light:3/9 0:2"},
        admitted="0",
        stacks={"M": "key scroll", "M2": "raven scroll", "K": "key"},
    )

    assert table.state.ghosts[0].artefacts == (0, 1, 0, 1, 0, 1)
    assert table.legal == [buy("M", red=2), DECLINE]


@pytest.mark.parametrize(
    ("powers", "charms", "castle", "cave"),
    [((), (), 2, 6), ((MIRROR,), (), 3, 8), ((MIRROR,), (DISCLOSURE,), 3, 10), ((MIRROR,), (TRADE,), 4, 8)],
)
def test_ghost_strengths(powers: tuple[int, ...], charms: tuple[int, ...], castle: int, cave: int) -> None:
    """keydoms-dragons T90."""
    change = with_ghost("light", powers=powers, charms=charms)
    in_room = scene(2, 1, steps=(), tokens={"K": "light:2/6"}, change=change).state
    in_cave = scene(2, 1, steps=(), caves={"B": [4]}, tokens={"B": "light:2/6"}, change=change).state

    assert board.strength(in_room, in_room.tokens[0]) == castle
    assert board.strength(in_cave, in_cave.tokens[0]) == cave


def test_the_keys_of_two_ghosts_add_up_to_ten_at_most() -> None:
    """keydoms-dragons T44."""
    both = changes(with_ghost("light", powers=(KEY,)), with_ghost("dark", powers=(KEY,)))
    table = scene(1, 2, steps=resolve("J"), tokens={"J": "0:9"}, guard=7, change=both)
    weaker = scene(1, 2, steps=resolve("J"), tokens={"J": "0:9"}, guard=4, change=both)

    assert table.of(GuardRevealed)[0].strength == 10
    assert weaker.of(GuardRevealed)[0].strength == 8


def test_a_ghosts_amulet_locks_spells_from_its_first_turn_on() -> None:
    """keydoms-dragons T65."""
    table = scene(
        2,
        1,
        steps=placement(),
        own={"light": "amulet"},
        spells={0: (11, 20), 1: (20, 4)},
        start=0,
    )
    table.play(cast(11), {"take": {"red": 3}}, place(1, "G"))
    assert cast(4) in table.legal
    table.play(place(1, "G"))

    assert table.state.ghosts[0].powers == (AMULET,)
    assert table.asked == (0, "place_worker")
    assert cast(20) not in table.legal
    assert table.held(0) == "r3"
    assert table.view(0).spells_locked


def test_a_ghosts_scroll_wins_ties_against_the_start_party() -> None:
    """keydoms-dragons T66."""
    table = scene(
        2, 1, steps=resolve("G"), tokens={"G": "0:9 light:3/9"}, change=with_ghost("light", powers=(SCROLL,))
    )

    assert table.of(LocationRanked)[0].order == ("light", 0)
    assert len(table.state.ghosts[0].stack) == 1


def test_two_scrolls_go_by_turn_order() -> None:
    """GA5."""
    both = changes(with_ghost("light", powers=(SCROLL,)), with_ghost("dark", powers=(SCROLL,)))
    tokens = {"G": "0:9 light:3/9 dark:3/9"}

    table = scene(1, 2, steps=resolve("G"), tokens=tokens, start=2, change=both)

    assert table.of(LocationRanked)[0].order == ("dark", "light", 0)


def test_ghosts_mix_their_decks_at_the_end_of_a_round() -> None:
    """Spec §8.6: action cards, spells left and spells gained; artefacts stay as they are."""
    table = scene(
        2,
        1,
        steps=FINISH,
        own={"light": "key"},
        tokens={"A": "light:1/2"},
        caves={"A": [4]},
        options={"round_cap": 5},
        round=5,
        change=with_ghost(
            "light", deck=deck("S7 3"), stack=(9,), face_up=(0, 1, 0, 0, 0, 0), powers=(KEY,), finished=True
        ),
    )
    ghost = table.state.ghosts[0]

    assert sorted(card.number for card in ghost.deck if card.kind == "action") == list(range(1, 13))
    assert sorted(card.number for card in ghost.deck if card.kind == "spell") == [7, 9]
    assert (ghost.stack, ghost.powers, ghost.placed, ghost.finished) == ((), (), 0, False)
    assert ghost.face_up == (0, 1, 0, 0, 0, 0)
    assert len(ghost.counters) == 8


def test_a_winner_of_the_stables_may_name_a_ghost() -> None:
    """R47."""
    table = scene(2, 1, steps=resolve("F"), tokens={"F": "1:1"})

    assert table.legal == [{"party": 0}, {"party": 1}, {"party": "light"}]
    table.play({"party": "light"})
    assert table.state.start == 2


def test_windows_start_with_the_first_seat_after_a_ghost() -> None:
    """Spec §5.4."""
    table = scene(2, 1, steps=resolve("J"), start=2, own={0: "key", 1: "key"}, guard=3)

    assert table.asked == (0, "window_action")


def test_solo_games_have_no_muggle_windows() -> None:
    """keydoms-dragons T59: H and I inactive, no windows, ties by scrolls."""
    table = begun(seats=1, muggles=True)

    assert table.state.status[7:9] == ("inactive", "inactive")
    assert table.state.spell_deck == ()
    while table.asked is not None:
        assert table.prompt.kind not in {"window_action", "respond", "choose_spell"}
        table.play(table.legal[-1])
    assert all(token.location not in "HI" for token in table.state.tokens)


def test_a_draw_from_an_empty_spell_deck_gives_nothing() -> None:
    """Spec §8.6."""
    table = scene(2, 1, steps=resolve("G"), tokens={"G": "light:1/2"}, spell_deck=())

    assert table.state.ghosts[0].stack == ()


def test_an_eighth_worker_needs_a_card() -> None:
    """R27."""
    state: Any = scene(2, 1, steps=(), change=with_ghost("light", deck=deck("S7 S8"))).state
    play = playing(state)

    ghost_turns.play_eighth(play, 2)

    assert play.position == state
    play.change_ghost(2, deck=deck("9 S7"))
    ghost_turns.play_eighth(play, 2)
    assert play.ghost(2).discards == (9,)
    assert play.state.tokens == ()
