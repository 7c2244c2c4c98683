"""Keytoma's resolution card, by colour (keyside §8.7, T39, T88 to T94)."""

from typing import Any

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.effects.keytoma import EFFECTS, best_icon
from keylore_domain.games.keyside.facts import AnimalPlaced, KeytomaActed
from keylore_domain.games.keyside.state.decisions import HeadlandSite, KeytomaEffect
from keylore_domain.games.keyside.state.position import COLOURS, KEYTOMA, PIRATE, Farm, Solo
from tests.domain.keyside.builders import DATA, Scene, Table, roll
from tests.domain.staging import Script

ZERO = Seat(0)


def _act(scene: Scene, colour: Any, harbour: int = 3, script: Script | None = None) -> Table:
    return scene.run(KeytomaEffect(colour, harbour), lead=KEYTOMA, script=script)


def _solo(table: Table) -> Solo:
    assert table.state.solo is not None
    return table.state.solo


def _animals(table: Table, at: int) -> tuple[Any, ...]:
    farm = table.state.resources[at]
    assert isinstance(farm, Farm)
    return farm.animals


def _claimed(scene: Scene, *free: int) -> Scene:
    """All farms but *free* are the human's."""
    for at in (1, 3, 5, 6, 7):
        if at not in free:
            scene.farm(at, keyple=ZERO)
    return scene


def test_yellow_removes_cottages_and_brings_a_pirate_and_a_pig() -> None:
    """Keyside T88; F1 side a on r1 has its fish taken."""
    scene = _claimed(Scene(1).buildings(0, "AEIQ").solo(flags=(10, 2, 6)), 1, 3)
    scene.farm(1, None, None, None, "cow")
    table = _act(scene, "yellow", script={**roll(2), "keytoma.colour": [1]})

    gone = table.state.removed.cottages
    assert [DATA.cottages[letter].colour for letter in gone] == ["yellow", "green", "red", "blue", "purple"]
    assert not set(gone) & set(table.state.cottages_left)
    assert table.state.harbours[3].top == (PIRATE,)
    assert _animals(table, 1) == (None, None, "pig", "cow")
    assert table.store() == {}
    assert table.noted(AnimalPlaced) == [
        {"fact": "animal_placed", "seat": "K", "animal": "pig", "farm": "r1", "icon": 2}
    ]
    assert table.scripted_left() == 0


def test_yellow_claims_a_farm_with_two_animals_instead() -> None:
    """Keyside §8.7 E-K-Y."""
    scene = Scene(1).solo(flags=(10, 2, 6)).farm(3, "cow", "pig").farm(1, "cow")
    table = _act(scene, "yellow", script=roll(2))

    assert table.state.resources[3].keyple == PIRATE
    assert table.state.harbours[3].top == ()
    assert _solo(table).pirates == 17
    assert table.noted(AnimalPlaced) == []

    none_left = _act(scene.solo(pirates=0), "yellow", script=roll(2))
    assert none_left.state.resources[3].keyple is None
    assert none_left.scripted_left() == 1


def test_yellow_without_pirates_or_space_still_brings_the_pig() -> None:
    """Keyside §8.7 E-K-Y."""
    full = _act(Scene(1).harbour(3, *[ZERO] * 5), "yellow")
    assert len(full.noted(AnimalPlaced)) == 1
    assert _solo(full).pirates == 18

    none_left = _act(Scene(1).solo(pirates=0), "yellow", harbour=-1, script=roll(2))
    assert none_left.scripted_left() == 0
    assert len(none_left.noted(AnimalPlaced)) == 1

    no_farm = _act(_claimed(Scene(1)), "yellow", script=roll(2))
    assert no_farm.scripted_left() == 1
    assert no_farm.state.harbours[3].top == (PIRATE,)


def test_yellow_without_a_harbour_rolls_for_one() -> None:
    """Keyside ruling R42: first the harbour, then the farm."""
    table = _act(Scene(1).solo(flags=(10, 2, 6)), "yellow", harbour=-1, script=roll(4, 2))

    assert table.state.harbours[2].top == (PIRATE,)
    assert _animals(table, 7)[3] == "pig"  # h10 lies at r7: F5 side a has its fish last


def test_yellow_spares_all_cottages_of_a_full_mat() -> None:
    """Keyside ruling R45; and skips colours without cottages."""
    assert _act(Scene(1).buildings(0, "AEIMQU"), "yellow").state.removed.cottages == ()
    scene = Scene(1).change(cottages_left=("A", "M"))
    table = _act(scene, "yellow", script={"keytoma.colour": [0]})
    assert table.state.removed.cottages == ("M",)


def test_green_brings_a_cow_and_claims_flipped_tiles() -> None:
    """Keyside T89."""
    scene = Scene(1).source("quarry", 0).source("wheat_fields", 0, keyple=ZERO).farm(3, "cow", "cow")
    table = _act(scene, "green")

    assert table.state.resources[2].keyple == PIRATE
    assert table.state.resources[4].keyple == ZERO
    assert table.state.resources[0].keyple is None
    assert table.state.resources[3].keyple is None
    assert [fact["animal"] for fact in table.noted(AnimalPlaced)] == ["cow", "sheep"]
    assert _solo(table).pirates == 17


def test_green_claims_full_farms_when_there_is_no_tile() -> None:
    """Keyside T90."""
    scene = _claimed(Scene(1).solo(flags=(1, 6, 9)), 1, 6).farm(1, "pig")

    table = _act(scene, "green", script=roll(2, 2))  # h1 lies at r1

    assert table.state.resources[1].keyple == PIRATE
    assert sorted(animal for animal in _animals(table, 1) if animal) == ["cow", "pig"]
    assert table.state.resources[6].keyple is None
    assert [animal for animal in _animals(table, 6) if animal] == ["sheep"]


def test_green_without_pirates_claims_nothing() -> None:
    """Keyside §8.7: an effect does what it still can."""
    table = _act(Scene(1).solo(pirates=0).source("quarry", 0).farm(3, "cow", "cow"), "green")

    assert table.state.resources[2].keyple is None
    assert table.state.resources[3].keyple is None
    assert len(table.noted(AnimalPlaced)) == 2


def test_red_brings_pirates_as_far_as_they_fit() -> None:
    """Keyside T91."""
    scene = Scene(1).harbour(8, *[ZERO] * 4)
    table = _act(scene, "red", harbour=8)
    assert table.state.harbours[8].top == (0, 0, 0, 0, PIRATE)
    assert table.state.harbours[8].red_space is None

    assert _solo(_act(scene.harbour(8, *[ZERO] * 5), "red", harbour=8)).pirates == 18
    assert _act(Scene(1), "red").state.harbours[3].top == (PIRATE, PIRATE)
    assert _act(Scene(1).solo(pirates=1), "red").state.harbours[3].top == (PIRATE,)
    assert _act(Scene(1).solo(pirates=0), "red", harbour=-1, script=roll(1)).scripted_left() == 1


def test_blue_removes_the_highest_skill_tiles() -> None:
    """Keyside T92."""
    scene = Scene(1).stacks(yellow=(3, 1), red=(3, 1), blue=(1,), purple=(), orange=(3, 1))

    table = _act(scene, "blue", script={"keytoma.skill": [0, 3]})

    gone = [(tile.colour, tile.value) for tile in table.state.removed.skill_tiles]
    assert gone == [("green", 5), ("orange", 3)]
    assert table.state.skill_stacks == ((3, 1), (3, 1), (3, 1), (1,), (), (1,))
    empty: dict[str, tuple[int, ...]] = dict.fromkeys(COLOURS, ())
    assert _act(Scene(1).stacks(**empty), "blue").state.removed.skill_tiles == ()


def test_purple_removes_gems() -> None:
    """Keyside T93."""
    same = _act(Scene(1), "purple", script={"keytoma.gems": [6, 6]})
    assert (same.state.gem_bag, same.state.removed.gems) == ((6, 5, 6), (0, 1, 0))

    other = _act(Scene(1), "purple", script={"keytoma.gems": [6, 0]})
    assert (other.state.gem_bag, other.state.removed.gems) == ((5, 5, 6), (1, 1, 0))

    last = _act(Scene(1).change(gem_bag=(0, 0, 1)), "purple")
    assert (last.state.gem_bag, last.state.removed.gems) == ((0, 0, 0), (0, 0, 1))
    assert _act(Scene(1).change(gem_bag=(0, 0, 0)), "purple").state.removed.gems == (0, 0, 0)


def test_orange_places_a_landslide_on_the_first_empty_space() -> None:
    """Keyside T39."""
    scene = Scene(1).headland(3, ("landslide", "landslide", "none")).headland(4, (0, "A", "cw"))

    assert _act(scene, "orange").state.headlands[5][0].owner == "landslide"


def test_a_landslide_stays() -> None:
    """Keyside T94."""
    scene = Scene(1).headland(11, (0, "A", "cw")).store(0, wood=3)
    table = _act(scene, "orange", harbour=11)
    assert table.state.headlands[0][0].owner == "landslide"
    assert _solo(table).landslides == 14

    build = Scene(1).change(headlands=table.state.headlands).store(0, wood=3)
    assert "s0" not in build.run(HeadlandSite(ZERO, "E-D", 3, ("wood",))).values("space")

    full = Scene(1)
    for space in range(12):
        full.headland(space, ("landslide", "landslide", "none"))
    assert _solo(_act(full, "orange")).landslides == 15


def test_orange_without_a_harbour_rolls_for_a_flag() -> None:
    """Keyside ruling R42."""
    table = _act(Scene(1).solo(flags=(1, 5, 9)), "orange", harbour=-1, script=roll(3))

    assert table.state.headlands[5][0].owner == "landslide"


def test_keytoma_fills_the_best_icon_first() -> None:
    """Keyside §8.7 FARM: gem, fish, wheat, stone, wood; equal ones by index."""
    order = DATA.solo.icon_order

    assert best_icon(Farm("F", "a", ("wood", "stone", "wheat", "gem")), order) == 3
    assert best_icon(Farm("F", "a", ("wood", "wood", "stone", "fish")), order) == 3
    assert (
        best_icon(Farm("F", "a", ("wood", "stone", "stone", "fish"), (None, None, None, "cow")), order) == 1
    )
    assert (
        best_icon(Farm("F", "a", ("wood", "wood", "stone", "fish"), (None, None, "pig", "cow")), order) == 0
    )


def test_every_colour_has_its_effect_and_is_noted() -> None:
    """Keyside §8.7."""
    assert tuple(EFFECTS) == COLOURS
    assert _act(Scene(1), "purple").noted(KeytomaActed) == [{"fact": "keytoma_effect", "id": "E-K-P"}]
