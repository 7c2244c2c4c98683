"""Headlands: activation, owners, orientation, overbuilding (keyside §6.5, T59 to T64)."""

from typing import Any

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.facts import HeadlandActivated
from keylore_domain.games.keyside.state.decisions import Docking, HeadlandSite
from tests.domain.keyside.builders import Scene, Table

ZERO, ONE, TWO = Seat(0), Seat(1), Seat(2)


def _dock(scene: Scene, harbour: int, lead: Any = 0) -> Table:
    return scene.run(Docking(harbour), lead=lead)


def test_the_lighthouse_takes_a_skill_tile_or_activates_a_market() -> None:
    """Keyside T59."""
    scene = Scene().headland(4, (0, "B", "ccw")).market("green", 0).store(0, wheat=1)

    favoured = _dock(scene, 4)
    assert favoured.asked == (0, "take_skill")
    favoured.play(colour="green")
    assert [(tile.colour, tile.value) for tile in favoured.state.mats[0].skill_tiles] == [("green", 5)]
    assert favoured.asked is None

    other = _dock(scene, 5)
    assert other.asked == (0, "market_action")
    assert [move["action"] for move in other.legal] == ["trade", "decline"]
    other.play(action="trade", tile="green", pay="wheat")
    assert other.store() == {"sheep": 2}

    dice = {"purple": 1}
    turn = (
        scene.boats(3, 8, 0)
        .dice(0, **dice)
        .dice(1, red=1)
        .mat(0, town=0, keyples=0)
        .market("green", 0)
        .turn()
    )
    turn.play(action="land", colour="purple", boat=0, harbour="h4")  # favoured: take_skill
    assert turn.asked == (0, "take_skill")


def test_a_market_activated_by_a_lighthouse_turns_over_at_the_end_of_the_turn() -> None:
    """Keyside T59."""
    scene = Scene().headland(4, (1, "B", "ccw")).market("green", 1).store(1, wheat=1)
    table = scene.boats(6, 8, 0).dice(0, green=1).dice(1, red=1).mat(0, town=0).turn()

    table.play(action="land", colour="green", boat=0, harbour="h5")
    assert table.asked == (1, "market_action")
    table.play(action="trade", tile="green", pay="wheat")

    assert table.store(1) == {"sheep": 2}
    assert table.state.markets[1].side == "reverse"
    assert table.asked == (1, "lead_landing")


def test_two_headlands_of_one_owner_go_a_then_c_then_b() -> None:
    """Keyside T60."""
    scene = Scene().headland(4, (1, "A", "cw")).headland(5, (1, "B", "cw")).market("blue", 1)
    table = _dock(scene, 5)

    assert table.store(1) == {"fish": 2}
    assert table.asked == (1, "market_action")
    table.play(action="trade", tile="blue", pay="fish")
    assert table.store(1) == {"fish": 1, "pig": 2}

    reverse = Scene().headland(4, (1, "B", "ccw")).headland(5, (1, "C", "none")).market("blue", 1)
    assert [fact["tile"] for fact in _dock(reverse, 5).noted(HeadlandActivated)] == ["C", "B"]


def test_owners_go_clockwise_from_the_lead() -> None:
    """Keyside T61."""
    table = _dock(Scene().headland(4, (2, "C", "none")).headland(5, (0, "A", "ccw")), 5, lead=1)

    assert table.noted(HeadlandActivated) == [
        {"fact": "headland_activated", "seat": 2, "tile": "C", "space": "s4"},
        {"fact": "headland_activated", "seat": 0, "tile": "A", "space": "s5"},
    ]
    assert table.state.mats[2].town == 7
    assert table.store(0) == {"fish": 2}


@pytest.mark.parametrize("tile", ["D", "E", "F"])
def test_other_headlands_do_nothing_when_a_boat_docks(tile: str) -> None:
    """Keyside §6.5."""
    scene = Scene().headland(4, (0, tile, "ccw"))

    table = _dock(scene, 4)

    assert table.facts == []
    assert table.state.mats == scene.state.mats


def test_a_landslide_does_nothing() -> None:
    """Keyside §8.7."""
    assert _dock(Scene(1).headland(4, ("landslide", "landslide", "none")), 4).facts == []


def test_the_statue_scores_while_it_is_visible() -> None:
    """Keyside T62."""
    shown = Scene().headland(4, (0, "D", "none")).buildings(0, "X").harbour(8, ZERO)
    assert shown.rows()["headland_d"] == 8
    assert shown.rows()["orange"] == 1

    hidden = Scene().headland(4, (0, "D", "none"), (0, "A", "cw")).buildings(0, "X").harbour(8, ZERO)
    assert hidden.rows()["headland_d"] == 0
    assert hidden.rows()["orange"] == 2
    assert hidden.headland(3, (0, "B", "cw")).rows()["harbour_9"] == 2


def test_the_beach_counts_the_red_space() -> None:
    """Keyside T63."""
    scene = Scene().headland(0, (0, "F", "none")).harbour(1, ZERO, ZERO)

    assert scene.harbour(0, ZERO, tile="I", red_space=ZERO).rows()["headland_f"] == 8


def test_only_own_headlands_can_be_overbuilt() -> None:
    """Keyside T64."""
    scene = Scene(4)
    tiles = "ABCDEF"
    for space in range(12):
        if space != 3:
            scene.headland(space, (1 if space < 6 else 2, tiles[space % 6], "none"))
    scene.headland(3, (0, "D", "none")).store(0, wood=3)

    table = scene.run(HeadlandSite(ZERO, "E-D", 3, ("wood",)))

    assert set(table.values("space")) == {"s3"}
    table.play(tile="C", space="s3", favours="none", pay="wood")
    assert [tile.tile for tile in table.state.headlands[3]] == ["D", "C"]
    assert table.state.mats[0].headlands_left == ("A", "B", "E", "F")


def test_a_seat_that_has_built_all_headlands_is_not_asked() -> None:
    """Keyside E-HEADLAND."""
    scene = Scene().mat(0, headlands_left=()).store(0, wood=9)

    assert scene.run(HeadlandSite(ZERO, "E-D", 3, ("wood",))).asked is None
