"""Set-up, round begin and placement (keydoms-dragons §4, §5.2, §5.5)."""

import pytest
from msgspec.structs import replace

from keylore_domain.engine.options import parse_options
from keylore_domain.errors import IllegalMoveError, OptionError
from keylore_domain.games.keydoms_dragons.components import CAVES, WAND
from keylore_domain.games.keydoms_dragons.facts import LedgesFilled, SpellDisplayRenewed, WorkerPlaced
from keylore_domain.games.keydoms_dragons.state.position import State
from tests.domain.keydoms_dragons.builders import (
    GAME,
    NEW_ROUND,
    Scene,
    begun,
    cast,
    location,
    place,
    placement,
    resolve,
    scene,
    token,
    units,
    words,
)


def state_of(**options: object) -> State:
    """The position at ply 0."""
    return begun(**options).state


def heights(state: State) -> list[int]:
    return [len(stack) for stack in state.stacks]


def tiles_per_type(state: State) -> set[int]:
    dealt = [tile for stack in state.stacks for tile in stack]
    return {dealt.count(tile) for tile in range(WAND)}


def values(state: State) -> list[list[int]]:
    """The units on the ledges of the caves."""
    return [[sum(piece.units for piece in ledge) for ledge in cave] for cave in state.caves]


def set_out(card: dict[str, list[int]], parties: int = 3, **fields: object) -> Scene:
    """A round begins with this treasure card."""
    first = GAME.parts.cards(parties)[0]
    changed = replace(first, ledges={cave: tuple(card.get(cave, ())) for cave in CAVES})
    cards = GAME.parts.treasure_cards
    sets = {
        number: tuple(changed if each.id == first.id else each for each in each_set)
        for number, each_set in cards.sets.items()
    }
    parts = replace(GAME.parts, treasure_cards=replace(cards, sets=sets))
    options = fields.pop("options", {})
    state = scene(parties, steps=(), options=options, treasure_deck=(first.id,), **fields).state  # type: ignore[arg-type]
    return Scene(replace(state, pending=NEW_ROUND), parts=parts)


def test_four_seats_have_four_stacks_of_five_tiles() -> None:
    """keydoms-dragons T1."""
    state = state_of(seats=4)

    assert heights(state) == [5, 5, 5, 0, 5, 0]
    assert tiles_per_type(state) == {4}
    assert state.face_up == (True, True, True, False, True, False)
    assert all(player.artefacts == (0, 0, 0, 0, 0, 1) for player in state.players)
    assert state.status[-1] == "inactive"


def test_the_number_of_stacks_goes_with_the_parties() -> None:
    """keydoms-dragons T2."""
    assert heights(state_of(seats=3)) == [5, 5, 5, 0, 0, 0]
    assert heights(state_of(seats=5)) == [5, 5, 5, 0, 5, 5]
    assert heights(state_of(seats=6)) == [5, 5, 5, 5, 5, 5]


def test_a_seat_may_place_where_it_has_placed() -> None:
    """keydoms-dragons T3."""
    table = scene(steps=placement()).play(place(1, "G"), place(9, "G"), place(4, "G"))

    assert table.asked == (0, "place_worker")
    table.play(place(7, "G"))

    assert table.at("G") == ["0.1.1", "1.1.1", "2.1.1", "0.1.2"]
    assert not any(each.up for each in table.state.tokens)


def test_missing_large_pieces_come_from_the_next_type_to_the_left() -> None:
    """keydoms-dragons T15."""
    table = set_out({"E": [3]}, treasury=units("r29 w29 k29 b9 g2"))

    assert words(table.state.treasury) == "r29 w29 k29 b6 g2"
    assert table.of(LedgesFilled)[0].pieces == (("blue L",),)


def test_missing_small_pieces_come_from_the_next_type_with_wrap_round() -> None:
    """keydoms-dragons T16."""
    table = set_out({"A": [2]}, treasury=units("w29 k29 b29 g8"))

    assert words(table.state.treasury) == "w29 k29 b29 g6"
    assert table.of(LedgesFilled)[0].pieces == (("gold s", "gold s"),)


def test_a_large_piece_that_no_type_can_supply_becomes_small_ones() -> None:
    """Spec §5.2, pass 2; own types are laid everywhere first."""
    table = set_out({"C": [3], "B": [1]}, treasury=units("r1 w2 k1"))

    assert [fact.pieces for fact in table.of(LedgesFilled)] == [
        (("white s",),),
        (("black s", "white s", "red s"),),
    ]
    assert words(table.state.treasury) == ""


def test_pieces_that_nothing_can_supply_are_left_out() -> None:
    """Spec §5.2, pass 2."""
    table = set_out({"A": [3, 1]}, treasury=units("b2"))

    assert values(table.state)[0] == [2, 0]
    assert words(table.state.treasury) == ""


CARD = {"A": [5, 4, 3, 2], "B": [4, 3], "D": [5, 3, 1]}


def test_six_parties_have_an_extra_treasure_below_the_lowest_ledge() -> None:
    """keydoms-dragons T50."""
    table = set_out(CARD, parties=6)
    below = set_out(CARD, parties=6, options={"six_party_ledge": "all_below"})

    assert values(table.state) == [[5, 4, 3, 2], [4, 3, 1], [], [5, 3, 1, 1], []]
    assert values(below.state) == [[5, 4, 3, 2], [4, 3, 1, 1], [], [5, 3, 1, 1], []]


def test_a_used_up_treasure_deck_is_shuffled_again() -> None:
    """Spec §5.2, R52."""
    table = scene(steps=NEW_ROUND, treasure_deck=(), treasure_used=("T3-04", "T3-09"))

    assert len(table.state.treasure_used) == 1
    assert sorted((*table.state.treasure_deck, *table.state.treasure_used)) == ["T3-04", "T3-09"]


def test_without_treasure_in_the_treasury_no_cave_is_laid_out() -> None:
    """keydoms-dragons T114, first part and the market."""
    hold = {0: "r29 w29", 1: "k29 b29", 2: "g29"}
    table = scene(steps=NEW_ROUND, hold=hold)
    market = scene(steps=resolve("G"), hold=hold, tokens={"G": "0:9"})

    assert table.state.status[:5] == ("inactive",) * 5
    assert table.of(LedgesFilled) == []
    assert place(1, "G") in table.legal
    assert market.asked is None


def test_the_engine_places_the_lowest_worker_on_the_first_open_location() -> None:
    """keydoms-dragons T69."""
    table = scene(steps=placement(), caves={"B": [3]}, change=lambda state: with_hand(state, (4, 7, 9)))

    assert table.default == place(4, "B")


def with_hand(state: State, hand: tuple[int, ...]) -> State:
    players = (replace(state.players[0], hand=hand), *state.players[1:])
    return replace(state, players=players)


@pytest.mark.parametrize("move", [place(4, "A"), place(4, "O"), place(4, "H"), place(4, "G"), place(5, "F")])
def test_an_illegal_placement_is_rejected_and_the_prompt_stays_open(move: dict[str, object]) -> None:
    """keydoms-dragons T70: empty cave, empty room, H in muggles, a taboo location, a number not in hand."""
    table = scene(
        steps=placement(),
        options={"muggles": True},
        change=lambda state: with_hand(state, (4, 7)),
        taboo=("G",),
    )
    before = table.position

    with pytest.raises(IllegalMoveError):
        table.play(move)
    assert table.position == before


def test_every_seat_takes_three_different_treasures_at_the_start() -> None:
    """keydoms-dragons T81."""
    table = begun(seats=3, start_seat=2)

    assert table.asked == (2, "choose_start_treasures")
    assert len(table.legal) == 10
    assert table.default == {"take": ["red", "white", "black"]}
    table.play({"take": ["white", "black", "gold"]}, table.default, table.default)

    assert [table.held(seat) for seat in range(3)] == ["r1 w1 k1", "r1 w1 k1", "w1 k1 g1"]
    assert table.asked == (2, "place_worker")


def test_one_and_two_players_set_up_for_three_parties() -> None:
    """keydoms-dragons T83."""
    for seats, ghosts in ((1, 2), (2, 1)):
        state = state_of(seats=seats)

        assert len(state.ghosts) == ghosts
        assert heights(state) == [5, 5, 5, 0, 0, 0]
        assert tiles_per_type(state) == {3}
        assert state.treasure_used[0].startswith("T3-")
        assert [ghost.artefacts for ghost in state.ghosts] == [(0, 0, 0, 0, 0, 1)] * ghosts
        assert sorted(state.spell_deck) == [card for card in range(1, 22) if card not in {5, 6}]
        assert state.start < seats


def test_spooky_games_count_the_ghosts_as_parties() -> None:
    """keydoms-dragons T84."""
    six, four = state_of(seats=4, ghosts=2), state_of(seats=2, ghosts=2)

    assert heights(six) == [5] * 6
    assert tiles_per_type(six) == {6}
    assert six.treasure_used[0].startswith("T5-")
    assert len(six.spell_deck) == 19
    assert heights(four) == [5, 5, 5, 0, 5, 0]
    with pytest.raises(OptionError, match="2 ghosts do not go with 5 seats"):
        parse_options(GAME, {"seats": 5, "ghosts": 2})


def test_extra_spells_lie_under_the_ghosts_decks() -> None:
    """keydoms-dragons T85, first part."""
    state = state_of(seats=2, ghost_extra_spells=2)

    assert len(state.spell_deck) == 17
    assert len(state.ghosts[0].deck) == 14
    assert [card.kind for card in state.ghosts[0].deck[-2:]] == ["spell", "spell"]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"seats": 3, "muggles": True, "foreknown": True}, "foreknown"),
        ({"seats": 3, "ghost_extra_spells": 1}, "ghost_extra_spells"),
        ({"seats": 2, "ghost_extra_spells": 1, "muggles": True}, "ghost_extra_spells"),
        ({"seats": 3, "ghost_artefacts_per_round": 2}, "ghost_artefacts_per_round"),
        ({"seats": 2, "ghost_artefacts_per_round": 2, "muggles": True}, "ghost_artefacts_per_round"),
        ({"seats": 3, "start_seat": 3}, "start_seat"),
        ({"seats": 6, "ghosts": 1}, "ghosts"),
        ({"seats": 7}, "seats"),
        ({"seats": 3, "round_cap": 4}, "round_cap"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: dict[str, object], field: str) -> None:
    """Spec §1."""
    with pytest.raises(OptionError) as error:
        parse_options(GAME, options)
    assert error.value.field == field


def test_foreknown_turns_up_two_spells_each_round() -> None:
    """Spec §5.14; keydoms-dragons T58, last part: cards nobody took are discarded."""
    table = scene(steps=NEW_ROUND, options={"foreknown": True}, display=(3, 9), spell_deck=(12, 4, 7))

    assert table.state.display == (12, 4)
    assert table.state.spell_discard == (3, 9)
    assert table.of(SpellDisplayRenewed)[0].spells == (12, 4)


def test_a_worker_placed_face_down_is_seen_by_its_owner_only() -> None:
    """Spec §9."""
    table = scene(steps=placement()).play(place(9, "G"))

    assert [fact.number for fact in table.seen(0) if isinstance(fact, WorkerPlaced)] == [9]
    assert [fact.number for fact in table.seen(1) if isinstance(fact, WorkerPlaced)] == [None]
    assert [fact.number for fact in table.seen(None) if isinstance(fact, WorkerPlaced)] == [None]


def test_the_seats_place_all_eight_workers() -> None:
    """Spec §5.5, R6."""
    table = scene(steps=placement())
    for number in (1, 2, 4, 5, 6, 7, 8, 9):
        table.play(place(number, "F"), place(number, "G"), place(number, "H"))

    assert table.asked is None
    assert all(not player.hand for player in table.state.players)


def test_a_removed_worker_is_not_placed_again() -> None:
    """Spec §5.5, R12; the seat casts in its turn and places afterwards."""
    table = scene(steps=placement(), tokens={"K": "1:9 2:5"}, spells={0: (7, 18)})

    table.play(cast(7), token("1.1.1"))
    assert table.asked == (0, "place_worker")
    assert table.state.players[1].out_hidden == (9,)
    table.play(cast(18), location("G"))
    assert place(1, "G") not in table.legal
    table.play(place(1, "F"))

    assert table.asked == (1, "place_worker")
    assert {move["worker"] for move in table.legal} == {1, 2, 4, 5, 6, 7, 8}
