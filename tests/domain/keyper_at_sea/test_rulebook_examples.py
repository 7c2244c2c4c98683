"""The rulebook's own examples (keyper-at-sea §12, W1 to W14)."""

from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.components.boards import CELLS
from keylore_domain.games.keyper_at_sea.state.spots import cell_of
from tests.domain.keyper_at_sea.builders import (
    DECLINE,
    END_SEASON,
    KEYPER,
    Scene,
    both,
    join,
    keyple,
)


def deep_spring_ended_by_seat_1() -> Scene:
    """W2: seat 1 is the first to end spring, with its board and choices before it."""
    scene = Scene(mode="deep", bare=False)
    scene.team(1, keyper="c1").items(1, cow=2).team(0, keyper="c2").put("sea.2.2", "white")
    return scene.start(seat=1)


def test_a_keyper_goes_to_a_board_with_a_marker_of_the_own_season() -> None:
    """keyper-at-sea W1."""

    def late(markers: dict[str, str]) -> Scene:
        scene = Scene(mode="deep").team(0, "white")
        for board in ("sea", "c1", "c2", "c3"):
            scene.board(board, season=markers.get(board, "autumn"))
        scene.have(0, season="summer", completed=("spring",)).claim(1, "c2")
        return scene.start().play(KEYPER)

    scene = late({"c1": "summer", "c2": "summer"})
    assert scene.household(0).keyper == "c1"
    scene = late({"c1": "summer", "c2": "summer", "c3": "summer"})
    assert scene.kind == "choose_keyp_board"
    assert scene.legal == [{"board": "c1"}, {"board": "c3"}]


def test_the_first_end_of_spring_gives_a_store_and_no_end_of_the_own_season() -> None:
    """keyper-at-sea W2."""
    scene = deep_spring_ended_by_seat_1()
    assert (scene.kind, scene.prompt.seat, len(scene.legal)) == ("choose_store", 1, 4)
    scene.play({"store": "finished_store"})
    while scene.kind == "give_keyple":
        scene.play_default()
    assert scene.kind == "choose_display"
    scene.play({"display": "summer-1", "rotation": 90})
    household, state = scene.household(1), scene.now
    assert [(store.id, store.upgraded) for store in household.stores] == [("finished_store", False)]
    assert state.stores_left == ("raw_store", "wheat_store", "gems_store")
    assert household.season == "spring"
    assert scene.owned(1) == {"cow": 2}
    assert len(household.secret) == 3
    board = state.board("c1")
    assert (board.display, board.season, board.marker) == ("summer-1", "summer", True)
    assert state.markers_left == (0, 3, 4, 4)
    assert state.opened == ("spring", "summer")
    assert state.season == "summer"


def recruiting(seats: int, *team: str) -> Scene:
    """Seat 0 ends spring first in deep with this team on its board; the others have eight keyples each."""
    scene = Scene(mode="deep", seats=seats, bare=False)
    scene.have(0, secret=()).team(0, keyper="c1")
    cells = [cell for cell in CELLS["c1"] if cell_of(scene.state, cell).field in ("ct", "wh", "fo", "cl")]
    for cell, colour in zip(cells, team, strict=False):
        scene.put(cell, colour)
    return scene.start().play(END_SEASON, {"store": "raw_store"})


def given(scene: Scene) -> list[int]:
    """Let everyone give its first keyple as long as somebody is asked; who gave."""
    while scene.kind == "give_keyple":
        scene.play_default()
    return [fact.giver for fact in scene.noted(facts.KeypleGiven)]


def test_with_two_seats_player_a_gets_two_keyples_for_four() -> None:
    """keyper-at-sea W3."""
    scene = recruiting(2, "white", "white", "brown", "orange")
    assert given(scene) == [1, 1]
    assert sum(scene.household(0).team) == 6


def test_player_a_with_five_keyples_gets_one_from_each() -> None:
    """keyper-at-sea W4."""
    for seats in (2, 3, 4):
        scene = recruiting(seats, "white", "white", "brown", "orange", "grey")
        assert given(scene) == list(range(1, seats))
        assert sum(scene.household(0).team) == 4 + seats


def test_each_board_starts_with_a_spring_marker() -> None:
    """keyper-at-sea W5."""
    scene = Scene(mode="deep")
    assert [(board.id, board.marker) for board in scene.now.boards] == [
        ("sea", True),
        ("c1", True),
        ("c2", True),
        ("c3", True),
    ]
    assert scene.now.markers_left == (0, 4, 4, 4)


def fishing_of_w6() -> Scene:
    scene = Scene().team(0, "brown", "green")
    scene.cell("sea.1.1", creature="crab").cell("sea.1.0", creature="lobster")
    scene.place("brown", "fishing_brown", "sea.1.1")
    return scene


def test_a_fishing_boat_takes_its_tile_and_turns_others_up() -> None:
    """keyper-at-sea W6."""
    scene = fishing_of_w6()
    assert scene.kind == "fish_action"
    scene.play({"action": "take_boat_tile"})
    assert scene.owned() == {"crab": 1}
    scene.play({"action": "flip", "cell": "sea.1.0"}, {"action": "fish"})
    assert scene.owned() == {"crab": 1, "fish": 1}
    assert scene.slots == [0, 0]
    lobster = cell_of(scene.now, "sea.1.0")
    assert (lobster.creature, lobster.face_up) == ("lobster", True)


def test_fishing_does_not_take_from_other_boats() -> None:
    """keyper-at-sea W7."""
    scene = Scene().dry().team(0, "green").cell("sea.1.0", creature="lobster", face_up=True)
    scene.moor("boat_1", "sea.0.1", "sea.0.2", tiles=("squid",)).moor(
        "fishing_brown", "sea.1.1", tiles=("crab",)
    )
    scene.place("green", "fishing_green", "sea.0.0")
    assert scene.legal == [{"action": "take", "cell": "sea.1.0"}, {"action": "fish"}, DECLINE]


def test_the_ice_house_counts_kinds() -> None:
    """keyper-at-sea W8."""
    scene = Scene().items(0, lobster=3, crab=1).built("f11", "ice_house")
    assert both(scene, "f11") == (2, 4)


def test_a_joined_fish_market_gives_the_outer_slots_to_the_active_seat() -> None:
    """keyper-at-sea W9."""
    scene = Scene().team(0, "orange").team(1, "white")
    scene.place("orange", "sea.1.2").play(join("white"))
    for _ in range(4):
        assert scene.kind == "fish_market_action"
        scene.play(DECLINE)
    assert scene.slots == [0, 1, 1, 0]


def test_a_fish_market_field_alone_gives_one_action() -> None:
    """keyper-at-sea W10."""
    scene = Scene().team(0, "white").place("white", "sea.1.2").play(DECLINE)
    assert scene.slots == [0]


def test_several_boats_may_lie_on_the_sea() -> None:
    """keyper-at-sea W11."""
    scene = Scene(2).change(boats_available=("boat_1", "boat_2")).team(0, "white", "brown")
    scene.start().play(keyple("white"), {"spot": "boat_1"})
    pairs = scene.names("cells")
    assert pairs[:6] == [
        ["sea.0.0", "sea.0.1"],
        ["sea.0.0", "sea.1.0"],
        ["sea.0.1", "sea.0.2"],
        ["sea.0.1", "sea.1.1"],
        ["sea.1.0", "sea.1.1"],
        ["sea.1.0", "sea.2.0"],
    ]
    assert [pair[0].split(".")[0] for pair in pairs[6:]] == ["c1", "c2"]
    scene.play({"cells": ["sea.0.0", "sea.0.1"]}, DECLINE, DECLINE)
    scene.again().start().play(keyple("brown"), {"spot": "boat_2"})
    assert scene.names("cells")[:-2] == [["sea.1.0", "sea.1.1"], ["sea.1.0", "sea.2.0"]]


def test_a_creature_may_be_taken_from_a_boat_instead_of_a_resource() -> None:
    """keyper-at-sea W12."""
    scene = Scene().team(0, "light_blue").items(0, fish=1).change(boats_available=("boat_4",))
    scene.cell("sea.0.0", creature="squid").cell("sea.0.1", creature="pearl")
    scene.place("light_blue", "boat_4", "sea.0.0", "sea.0.1")
    moored = scene.now.moored_as("boat_4")
    assert moored is not None
    assert moored.tiles == ("squid", "pearl")
    assert scene.legal == [
        {"action": "take_cargo", "item": "wheat"},
        {"action": "take_cargo", "item": "horse"},
        {"action": "take_cargo", "item": "ruby"},
        {"action": "take_creature", "item": "squid"},
        {"action": "take_creature", "item": "pearl"},
        DECLINE,
    ]
    scene.play({"action": "take_creature", "item": "pearl"}, {"action": "take_cargo", "item": "wheat"})
    assert scene.slots == [0, 0]
    assert scene.owned() == {"wheat": 1, "fish": 1, "pearl": 1}


def test_the_pond_is_no_house() -> None:
    """keyper-at-sea W13."""
    scene = Scene().items(0, fish=1).do("housing")
    assert scene.owned() == {}
    assert scene.kind == "take_turn"


def test_a_site_is_placed_under_a_country_tile() -> None:
    """keyper-at-sea W14."""
    scene = Scene().team(0, "white").items(0, log=1).unbuilt("site_1", "deer_park")
    scene.place("white", "sea.3.0").play({"action": "build", "tile": "deer_park"})
    assert scene.legal == [
        *({"plot": f"f{row}{column}", "site": None} for row in (1, 2, 3, 4) for column in (1, 2)),
        {"plot": "fx1", "site": "site_1"},
        {"plot": "fx2", "site": "site_1"},
    ]
    scene.play({"plot": "fx2", "site": "site_1"})
    assert scene.owned() == {}
    assert scene.household().plots[21].stack == ("site_1", "deer_park")
    assert scene.household().tiles == ()
    scene = Scene().team(0, "white").items(0, log=1).unbuilt("site_1", "surveyor")
    scene.place("white", "sea.3.0").play({"action": "build", "tile": "surveyor"})
    assert len(scene.legal) == 12 + 3
