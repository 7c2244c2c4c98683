"""Placing, joining and laying down (keyper-at-sea §6.3, §6.5, §6.6, §12 W21 to W34)."""

import pytest

from keylore_domain.engine import positions
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import IllegalMoveError
from keylore_domain.games.keyper_at_sea.moves import PlayKeyper
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import Keyple
from keylore_domain.games.keyper_at_sea.state.spots import cell_of
from tests.domain.keyper_at_sea.builders import (
    DECLINE,
    GAME,
    KEYPER,
    LAY_DOWN,
    PARTS,
    PASS,
    Scene,
    join,
    keyple,
)

ALL = PARTS.colours
FOREST, WHEAT, CLAY = "sea.2.2", "sea.2.3", "sea.3.2"
MARKET = "c1.1.0"


def laying(*, mode: str = "shallow") -> Scene:
    """Seat 0 has no piece, its keyper claims sea; the others have keypers in hand."""
    return Scene(mode=mode).team(0, keyper="sea")


def test_matched_and_joined_gives_three_actions_each() -> None:
    """keyper-at-sea W21."""
    scene = Scene().team(0, "green").team(1, "white").supply(wheat=4)
    scene.place("green", WHEAT).play(join("white"))
    assert scene.slots == [0, 1, 0, 1, 0, 1]
    assert scene.passed_over == [5, 6]
    assert (scene.owned(0), scene.owned(1)) == ({"wheat": 2}, {"wheat": 2})
    assert scene.in_supply("wheat") == 0


def test_joined_without_a_match_gives_two_actions_each() -> None:
    """keyper-at-sea W22."""
    alone = Scene().team(0, "brown").place("brown", CLAY)
    assert alone.owned() == {"clay": 1}
    joined = Scene().team(0, "brown").team(1, "brown").place("brown", CLAY).play(join("brown"))
    assert joined.slots == [0, 1, 0, 1]
    assert (joined.owned(0), joined.owned(1)) == ({"clay": 2}, {"clay": 2})


def test_white_stands_for_the_border() -> None:
    """keyper-at-sea W23."""
    scene = Scene().team(0, "white").team(1, *ALL).place("white", CLAY)
    assert (scene.kind, scene.prompt.seat) == ("respond", 1)
    assert scene.legal == [PASS, join("orange"), join("white")]
    assert scene.context["to"] == "placement"
    scene.play(join("orange"))
    assert (scene.owned(0), scene.owned(1)) == ({"clay": 3}, {"clay": 3})


def test_white_without_a_border_is_joined_by_any_colour() -> None:
    """keyper-at-sea W24."""
    scene = Scene().team(0, "white").team(1, *ALL).place("white", MARKET)
    assert scene.legal == [PASS, *map(join, ALL)]
    scene.play(join("black"))
    while scene.kind == "choose_gain":
        scene.play_default()
    assert scene.slots == [0, 1, 0, 1]


def test_only_seats_with_a_fitting_colour_are_asked_until_one_joins() -> None:
    """keyper-at-sea W25."""
    scene = Scene().team(0, "brown").team(1, "green").team(2, "brown").place("brown", FOREST)
    assert (scene.kind, scene.prompt.seat) == ("respond", 2)
    scene = Scene().team(0, "brown").team(1, "brown").team(2, "brown").place("brown", FOREST)
    assert scene.prompt.seat == 1
    scene.play(join("brown"))
    assert scene.kind != "respond"
    assert scene.household(2).team[PARTS.colour["brown"]] == 1
    scene = Scene().team(0, "brown").team(1, "brown").team(2, "brown").place("brown", FOREST).play(PASS)
    assert (scene.kind, scene.prompt.seat) == ("respond", 2)


def test_a_piece_must_be_played() -> None:
    """keyper-at-sea W26."""
    scene = Scene().team(0).built("v11", "workshop").put("v11", "black")
    scene.change(pending=(wait.TakeTurn(Seat(0)),))
    (prompt,) = GAME.prompts(scene.state)
    assert prompt.legal == (PlayKeyper(),)


def test_an_occupied_field_is_not_offered() -> None:
    """keyper-at-sea W27."""
    scene = Scene().team(0, "white").put("c1.0.2", "brown", lying=True).start().play(keyple("white"))
    assert "c1.0.2" not in scene.names("spot")
    assert "c1.0.1" in scene.names("spot")


@pytest.mark.parametrize(
    ("standing", "colours", "logs"),
    [
        (("brown", "white"), ["brown", "white"], 3),
        (("brown", "white"), ["white"], 2),
        (("brown", "white"), ["brown"], 2),
        (("orange", "white"), ["orange", "white"], 3),
        (("orange", "white"), ["orange"], 1),
        (("orange", "white"), ["white"], 2),
    ],
)
def test_laying_down_works_once_for_each_and_once_for_a_match(
    standing: tuple[str, ...], colours: list[str], logs: int
) -> None:
    """keyper-at-sea W28."""
    scene = laying().put(FOREST, *standing).start().play(LAY_DOWN)
    assert scene.kind == "choose_lay_down"
    scene.play({"spot": FOREST, "colours": colours})
    assert scene.owned() == {"log": logs}
    lying = [keyple.colour for keyple in cell_of(scene.now, FOREST).keyples if keyple.lying]
    assert sorted(lying) == sorted(colours)


def test_two_keyples_of_a_colour_are_laid_one_or_both() -> None:
    """keyper-at-sea W29."""
    scene = laying().put(FOREST, "orange", "orange").start().play(LAY_DOWN)
    assert scene.names("colours") == [["orange"], ["orange", "orange"]]
    scene.play({"spot": FOREST, "colours": ["orange", "orange"]})
    assert scene.owned() == {"log": 2}


def test_keyples_on_other_boards_are_laid_when_none_stands_on_the_own() -> None:
    """keyper-at-sea W30."""
    scene = laying().put("c2.2.1", "grey").cell("c2.2.1", field="qu").start()
    assert scene.legal == [LAY_DOWN, PASS]
    scene.play(LAY_DOWN)
    assert scene.owned() == {"rock": 2}
    scene = laying().put("c2.2.1", "grey").put(FOREST, "brown").put("sea.2.3", "green").start().play(LAY_DOWN)
    assert set(scene.names("spot")) == {FOREST, "sea.2.3"}
    deep = laying(mode="deep").put("c2.2.1", "grey").start()
    assert deep.kind == "choose_store"  # nothing to lay down, so it had to end its season


def test_excess_keyples_are_laid_on_the_keyp() -> None:
    """keyper-at-sea W31."""
    scene = laying().put("keyp", "brown", "green", "white").start().play(LAY_DOWN)
    assert scene.legal == [{"spot": "keyp", "count": count} for count in (1, 2, 3)]
    scene.play({"spot": "keyp", "count": 2})
    assert (scene.kind, scene.names("item")) == ("choose_gain", ["log", "clay", "rock"])
    scene.play({"item": "log"}, {"item": "rock"})
    assert scene.owned() == {"log": 1, "rock": 1}
    assert [keyple.lying for keyple in scene.household().keyp].count(False) == 1


def test_a_laid_keyple_is_not_offered_again_until_it_is_in_a_team() -> None:
    """keyper-at-sea W32."""
    scene = laying().put(FOREST, "brown", "white").start().play(LAY_DOWN)
    scene.play({"spot": FOREST, "colours": ["brown", "white"]})
    again = scene.again().put("sea.2.3", "green").put("sea.3.3", "green").start(seat=0).play(LAY_DOWN)
    assert set(again.names("spot")) == {"sea.2.3", "sea.3.3"}
    taken = scene.again().do("take_board")
    assert taken.household().team[PARTS.colour["brown"]] == 1
    assert not any(cell.keyples for cell in taken.now.board("sea").cells)


def test_a_keyple_on_an_own_tile_works_once() -> None:
    """keyper-at-sea W33."""
    scene = laying().built("v11", "workshop").put("v11", "black").items(0, log=3).start().play(LAY_DOWN)
    assert scene.kind == "refine"
    assert scene.slots == [0]
    scene.play({"action": "refine", "item": "log"}, {"action": "refine", "item": "log"})
    assert scene.owned() == {"log": 1, "wood": 2}
    assert scene.household().plots[PARTS.plot["v11"]].keyple == Keyple("black", lying=True)


def test_a_seat_that_passed_may_lay_down_later() -> None:
    """keyper-at-sea W34."""
    scene = laying().team(1, "white").team(2, "white").put(FOREST, "brown").start().play(PASS)
    assert scene.prompt.seat == 1
    scene.play(keyple("white"), {"spot": MARKET})
    while scene.prompt.seat != 0 or scene.kind != "take_turn":
        scene.play_default()
    assert LAY_DOWN in scene.legal


def test_a_boat_is_offered_only_where_it_can_be_moored() -> None:
    """keyper-at-sea P3, B2, X2."""
    scene = Scene().team(0, "white").moor("boat_1", "c1.0.3", "c1.1.3").moor("boat_2", "c2.3.2", "c2.3.3")
    scene.moor("fishing_black", "sea.0.1").moor("fishing_grey", "sea.1.0").moor("fishing_green", "sea.1.1")
    spots = scene.start().play(keyple("white")).names("spot")
    assert not set(PARTS.boats) & set(spots)
    assert "fishing_orange" in spots
    scene.again().moor("fishing_orange", "sea.0.0").moor("fishing_brown", "sea.0.2")
    scene.moor("fishing_light_blue", "sea.2.0").change(fishing_available=("fishing_grey",))
    assert "fishing_grey" not in scene.start().play(keyple("white")).names("spot")


def test_a_tile_takes_one_keyple_and_is_never_joined() -> None:
    """keyper-at-sea J1, J3, J5."""
    scene = Scene().team(0, "white", "brown").team(1, *ALL).built("v11", "workshop").items(0, log=2)
    scene.place("white", "v11")
    assert scene.kind == "refine"
    assert scene.slots == [0]
    scene.play(DECLINE)
    other = scene.again().start().play(keyple("brown"))
    assert "v11" not in other.names("spot")


def test_a_lying_keyple_keeps_its_spot_and_boards_may_be_claimed_once() -> None:
    """keyper-at-sea K1."""
    scene = Scene().team(0, "white").team(1, keyper="c1").start().play(KEYPER)
    assert scene.legal == [{"board": "sea"}, {"board": "c2"}]
    scene.play({"board": "c2"})
    assert scene.now.board("c2").keyper == 0
    assert scene.slots == []


def test_an_illegal_answer_leaves_the_prompt_open() -> None:
    """keyper-at-sea W124."""
    scene = Scene().team(0, "brown").team(1, *ALL).place("brown", FOREST)
    before, number = scene.now, scene.position.open[0].number
    with pytest.raises(IllegalMoveError):
        scene.play(join("green"))
    with pytest.raises(IllegalMoveError):
        positions.legal_move(scene.prompt, len(scene.legal))
    assert scene.now == before
    assert scene.position.open[0].number == number
