"""Skill tracks, level by level (keyside §6.4, T31, T32, T51 to T58), and the mats E to H."""

from typing import Any

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.effects.mats import ACTIONS
from keylore_domain.games.keyside.facts import BenefitLost, MarkerAdvanced
from keylore_domain.games.keyside.state.decisions import Advance, Benefit, BoxChoice, Window
from keylore_domain.games.keyside.state.position import COLOURS, Building, Source
from tests.domain.keyside.builders import GAME, Scene, Table
from tests.domain.staging import plain

ZERO, ONE = Seat(0), Seat(1)


def _advance(scene: Scene, colour: Any, **levels: int) -> Table:
    """The marker of seat 0 advances from a level."""
    if levels:
        scene.levels(0, **levels)
    return scene.run(Advance(ZERO, colour))


def _buildings(table: Table) -> list[tuple[str, bool]]:
    return [(plot.letter, plot.house) for plot in table.state.mats[0].buildings if plot is not None]


def test_the_yellow_track_can_be_climbed_in_one_chain() -> None:
    """Keyside T31."""
    table = _advance(Scene(), "yellow")

    for _ in range(3):
        table.play(box="right")
        assert table.asked == (0, "advance_any")
        assert table.legal == [*({"colour": colour} for colour in COLOURS), {"action": "decline"}]
        assert table.default == {"colour": "yellow"}
        table.play(colour="yellow")
    assert table.state.mats[0].levels[0] == 4
    assert table.asked == (0, "own_cottage")
    assert table.default == {"action": "build", "cottage": "A"}
    table.play(action="build", cottage="A")
    assert table.asked is None  # E-BUILD is skipped without wheat
    assert _buildings(table) == [("A", False)]


def test_level_4_repeats() -> None:
    """Keyside T32."""
    scene = Scene().levels(0, blue=4).buildings(0, "M").skills(0, ("blue", 3), ("blue", 5))
    table = scene.market("green", 0).run(Window(ZERO, "end_turn"))

    table.play(action="spend_skill", colour="blue", value=5)
    assert table.asked == (0, "own_cottage")
    table.play(action="upgrade", colour="blue")
    assert _buildings(table) == [("M", True)]
    assert table.asked == (0, "take_skill")
    table.play(colour="green")
    table.play(action="spend_skill", colour="blue", value=3)
    assert table.asked == (0, "take_skill")
    assert len(table.noted(BenefitLost)) == 1
    assert table.state.mats[0].levels[3] == 4
    assert [(tile.colour, tile.value) for tile in table.state.removed.skill_tiles] == [
        ("blue", 5),
        ("blue", 3),
    ]


def test_yellow_gives_wheat_builds_and_a_yellow_cottage() -> None:
    """Keyside T51."""
    table = _advance(Scene().source("wheat_fields", 1), "yellow").play(box="left").play(action="take")
    fields = table.state.resources[4]
    assert isinstance(fields, Source)
    assert (fields.flipped, table.store()) == (True, {"wheat": 2})

    scene = Scene().store(0, wheat=2)
    table = _advance(scene, "yellow", yellow=1).play(box="left").play(action="build", cottage="F")
    assert table.store() == {"wheat": 1}
    table = _advance(scene.buildings(0, "F").store(0, wheat=1), "yellow", yellow=2)
    table.play(box="left").play(action="upgrade", colour="green")
    assert _buildings(table) == [("F", True)]
    assert table.store() == {}

    table = _advance(Scene().buildings(0, "f"), "yellow", yellow=3).play(action="build", cottage="A")
    assert table.asked is None
    table = _advance(Scene().buildings(0, "Af"), "yellow", yellow=4).play(action="upgrade", colour="yellow")
    assert _buildings(table) == [("A", True), ("F", True)]
    again = _advance(Scene().buildings(0, "af"), "yellow", yellow=4)
    assert again.asked is None
    assert again.noted(BenefitLost) == [{"fact": "benefit_lost", "seat": 0, "effect": "E-OWN"}]


def test_yellow_4_builds_for_wheat_after_the_own_cottage() -> None:
    """Keyside §6.4 E-Y4: a yellow cottage just built may become a house."""
    table = _advance(Scene().store(0, wheat=1), "yellow", yellow=3).play(action="build", cottage="D")

    table.play(action="upgrade", colour="yellow")

    assert _buildings(table) == [("D", True)]


def test_own_cottage_can_be_declined_and_is_lost_without_a_cottage() -> None:
    """Keyside E-OWN, ruling R55."""
    table = _advance(Scene(), "purple", purple=3).decline()
    assert _buildings(table) == []
    assert table.noted(BenefitLost) == []

    none_left = Scene().change(cottages_left=("A",))
    assert _advance(none_left, "purple", purple=3).noted(BenefitLost) != []


def test_green_imports_places_and_exchanges() -> None:
    """Keyside T52."""
    assert _advance(Scene(), "green").store() == {"sheep": 2}

    table = _advance(Scene().store(0, sheep=2), "green", green=1).play(box="left")
    assert table.asked == (0, "choose_animal")
    assert table.legal == [{"animal": animal} for animal in ("cow", "pig", "sheep")]
    assert table.default == {"animal": "sheep"}
    assert table.play(animal="cow").store() == {"cow": 1, "sheep": 2}

    table = _advance(Scene().store(0, sheep=2, cow=1), "green", green=2).play(box="right")
    table.play(animal="sheep", farm="r1", icon=0).play(animal="cow", farm="r1", icon=3)
    assert table.store() == {"sheep": 1, "fish": 1, "wood": 1}
    assert table.asked == (0, "resource_move_from")
    table.play(from_="town").play(to="r1")
    scene = Scene().change(mats=table.state.mats, resources=table.state.resources)
    assert scene.harbour(2, ZERO).harbour(0, ZERO).store(0, sheep=2).rows()["harbour_3"] == 2
    assert scene.rows()["harbour_1"] == 4

    table = _advance(scene.store(0, sheep=1), "green", green=3).play(action="build", cottage="H")
    assert table.asked == (0, "exchange_animal")
    assert table.legal == [
        {"where": "barn", "animal": "sheep", "to": "cow"},
        {"where": "barn", "animal": "sheep", "to": "pig"},
        {"where": "farm", "farm": "r1", "icon": 0, "to": "cow"},
        {"where": "farm", "farm": "r1", "icon": 0, "to": "pig"},
        {"where": "farm", "farm": "r1", "icon": 3, "to": "pig"},
        {"where": "farm", "farm": "r1", "icon": 3, "to": "sheep"},
        {"action": "decline"},
    ]
    assert table.default == {"action": "decline"}
    table.play(where="farm", farm="r1", icon=0, to="pig").play(where="barn", animal="sheep", to="cow")
    assert table.state.resources[1].animals == ("pig", None, None, "cow")  # type: ignore[union-attr]
    assert table.store() == {"cow": 1}
    assert table.asked is None


def test_an_exchange_can_be_declined() -> None:
    """Keyside §5.5."""
    table = _advance(Scene().store(0, sheep=1).buildings(0, "e"), "green", green=4)

    assert table.decline().asked is None
    assert table.store() == {"sheep": 1}


def test_red_recruits_or_moves() -> None:
    """Keyside T53."""
    table = _advance(Scene(), "red").play(box="left")
    assert (table.state.mats[0].keyples, table.state.mats[0].town) == (10, 8)

    table = _advance(Scene().mat(0, town=0).harbour(0, ZERO), "red", red=1).play(box="right")
    table.play(from_="h0").play(to="m2")  # h0, m0, town, m2
    table.play(from_="m2").play(to="h6")  # m2, town, m4, h6
    assert table.state.harbours[6].top == (0,)
    assert table.asked is None

    table = _advance(Scene(), "red", red=2).play(box="left")
    assert table.state.mats[0].keyples == 10
    assert _advance(Scene().mat(0, keyples=1), "red", red=2).play(box="left").state.mats[0].keyples == 0

    table = _advance(Scene(), "red", red=3).play(action="build", cottage="I")
    table.play(from_="town").play(to="m0").play(from_="town").play(to="m2")
    assert table.state.mats[0].town == 4
    assert table.asked is None


@pytest.mark.parametrize(
    ("letter", "colour", "level", "box", "first", "left"),
    [
        ("A", "red", 1, "right", {"from": "town"}, 2),
        ("H", "red", 3, "right", {"from": "town"}, 3),
        ("A", "green", 2, "right", {"animal": "sheep", "farm": "r1", "icon": 0}, 2),
        ("E", "green", 3, "left", {"animal": "pig"}, 2),
    ],
)
def test_the_context_says_how_often_it_is_still_to_come(
    *, letter: str, colour: Any, level: int, box: str, first: dict[str, Any], left: int
) -> None:
    """Keyside §5.5."""
    scene = Scene().mat(0, letter=letter).store(0, sheep=2)
    table = _advance(scene, colour, **{colour: level - 1}).play(box=box)
    kind = table.prompt.kind

    assert plain(table.prompt.context)["left"] == left
    table.play(**first)
    while table.prompt.kind != kind:
        table.play(to="m0")
    assert plain(table.prompt.context)["left"] == left - 1


def test_the_context_of_an_exchange_says_how_often_it_is_still_to_come() -> None:
    """Keyside §5.5."""
    table = _advance(Scene().store(0, sheep=2).buildings(0, "e"), "green", green=4)

    assert plain(table.prompt.context)["left"] == 2
    table.play(where="barn", animal="sheep", to="cow")
    assert plain(table.prompt.context)["left"] == 1


def test_declining_the_first_move_ends_both() -> None:
    """Keyside ruling R59."""
    table = _advance(Scene(), "red").play(box="right")

    assert table.asked == (0, "move_from")
    assert table.default == {"action": "decline"}
    assert table.decline().asked is None


def test_blue_gives_fish_a_market_or_a_skill_tile() -> None:
    """Keyside T54."""
    assert _advance(Scene(), "blue").store() == {"fish": 1}

    scene = Scene().market("green", 0)
    assert _advance(Scene().store(0, fish=1), "blue", blue=1).play(box="left").store() == {"fish": 2}
    table = _advance(scene.store(0, wheat=1), "blue", blue=1).play(box="right")
    assert table.asked == (0, "market_action")
    assert table.play(action="trade", tile="green", pay="wheat").store() == {"sheep": 2}
    assert _advance(Scene(), "blue", blue=2).play(box="left").store() == {"fish": 2}
    table = _advance(scene, "blue", blue=2).play(box="right").play(colour="green")
    assert [(tile.colour, tile.value) for tile in table.state.mats[0].skill_tiles] == [("green", 5)]
    table = _advance(scene, "blue", blue=3).play(action="build", cottage="P")
    assert table.asked == (0, "take_skill")
    assert table.decline().asked is None


@pytest.mark.parametrize("level", [1, 2])
def test_boxes_that_do_nothing_stay_choosable(level: int) -> None:
    """Keyside T54."""
    table = _advance(Scene(), "blue", blue=level)

    assert table.legal == [{"box": "left"}, {"box": "right"}]
    table.play(box="right")
    assert table.asked is None
    assert table.state.mats[0].boxes[3] == "right"


def test_purple_draws_gems_and_scores_more_types_of_them() -> None:
    """Keyside T55."""
    table = _advance(Scene(), "purple", purple=0)
    assert sum(table.state.gem_bag) == 35
    for level in (1, 2):
        scene = Scene().change(mats=table.state.mats, gem_bag=table.state.gem_bag)
        table = _advance(scene, "purple", purple=level)
    assert sum(table.state.gem_bag) == 30
    gems = table.state.mats[0].store[7:]
    assert sum(gems) == 6
    for level in (3, 4):
        rows = Scene().change(mats=table.state.mats).levels(0, purple=level).rows()
        assert rows["gems"] == 6

    table = _advance(Scene().market("red", 0), "purple", purple=3).play(action="build", cottage="Q")
    assert table.asked == (0, "market_action")


def test_an_empty_bag_gives_nothing_more() -> None:
    """Keyside ruling R12."""
    table = _advance(Scene().change(gem_bag=(0, 0, 1)), "purple", purple=2)

    assert table.store() == {"sapphire": 1}
    assert _advance(Scene().change(gem_bag=(0, 0, 0)), "purple", purple=2).store() == {}


def test_orange_makes_headlands_cheaper_and_builds_them() -> None:
    """Keyside T56."""
    table = _advance(Scene().store(0, wood=2, stone=1), "orange", orange=1)
    assert table.asked == (0, "build_headland")
    assert set(table.values("pay")) == {"wood"}
    table.play(tile="A", space="s0", favours="cw", pay="wood")
    assert table.store() == {"stone": 1}

    table = _advance(Scene().store(0, stone=1), "orange", orange=2)
    assert set(table.values("pay")) == {"stone"}
    assert table.play(tile="C", space="s0", favours="none", pay="stone").store() == {}

    table = _advance(Scene(), "orange", orange=3).play(action="build", cottage="U")
    assert table.asked is None
    assert _buildings(table) == [("U", False)]

    rich = Scene(orange_build="level4_only").store(0, wood=9, stone=9)
    assert _advance(rich, "orange", orange=1).asked is None
    assert _advance(rich, "orange", orange=2).asked is None
    table = _advance(rich, "orange", orange=3).decline()
    assert table.asked == (0, "build_headland")
    assert table.values("pay")[:2] == ["wood", "stone"]
    assert table.play(tile="C", space="s0", favours="none", pay="wood").store() == {"wood": 8, "stone": 9}


@pytest.mark.parametrize(
    ("letter", "total", "held", "item"), [("D", 5, 2, "wood"), ("F", 6, 1, "stone"), ("F", 2, 1, "stone")]
)
@pytest.mark.parametrize("option", ["levels_2_to_4", "level4_only"])
def test_the_discount_is_kept_at_level_4(option: str, letter: str, total: int, held: int, item: str) -> None:
    """Keyside T57."""
    scene = Scene(orange_build=option).levels(0, orange=4).store(0, **{item: held})

    table = scene.run(Benefit(ZERO, "ABCDEF".index(letter), total, lead=True))

    assert table.asked == (0, "build_headland")
    assert table.play(tile="F", space="s3", favours="none", pay=item).store() == {}


def test_orange_1_gives_stone_or_wood_and_may_leave_the_last_token() -> None:
    """Keyside T58."""
    assert _advance(Scene(), "orange").play(box="left").play(action="take").store() == {"stone": 1}

    scene = Scene().source("forest", 1)
    table = _advance(scene, "orange").play(box="right").decline()
    assert table.state.mats[0].levels[5] == 1
    assert table.store() == {}
    forest = table.state.resources[0]
    assert isinstance(forest, Source)
    assert (forest.tokens, forest.flipped) == (1, False)

    assert _advance(Scene().source("forest", 0), "orange").play(box="right").store() == {"wood": 1}


def test_the_box_of_an_interrupted_advance_stays_that_of_its_level() -> None:
    """Keyside §5.1: a skill tile spent at ``choose_box``."""
    table = Scene().levels(0, red=1).skills(0, ("red", 5)).run(BoxChoice(ZERO, "red", 1))

    table.play(action="spend_skill", colour="red", value=5)
    table.play(box="left")
    assert table.asked == (0, "choose_box")
    table.play(box="left")

    assert table.state.mats[0].levels[2] == 2
    assert table.state.mats[0].keyples == 8
    assert [(fact["level"], fact["box"]) for fact in table.noted(MarkerAdvanced)] == [
        (2, "left"),
        (1, "left"),
    ]


def test_every_action_of_the_mats_has_its_function() -> None:
    """Keyside §6.4."""
    kinds = {
        action.kind
        for letter in "ABCDEFGH"
        for colour in COLOURS
        for level in range(1, 5)
        for box in GAME.parts.boxes(letter, colour, level)
        for action in box
    }

    assert kinds == set(ACTIONS)


def _on_mat(letter: str, colour: Any, level: int, **items: int) -> Table:
    scene = Scene().mat(0, letter=letter).store(0, **items)
    return _advance(scene, colour, **{colour: level - 1})


def test_mat_e_has_pigs_two_animals_and_fewer_gems() -> None:
    """Keyside §6.4, mat E."""
    assert _on_mat("E", "green", 1).store() == {"pig": 2}
    table = _on_mat("E", "green", 3).play(box="left").play(animal="cow").play(animal="pig")
    assert table.store() == {"cow": 1, "pig": 1}
    assert table.asked is None
    assert _on_mat("E", "red", 3).play(box="left").state.mats[0].town == 7
    assert sum(_on_mat("E", "purple", 3).state.gem_bag) == 34


def test_mat_f_has_more_fish_and_changes_market_and_skill() -> None:
    """Keyside §6.4, mat F."""
    assert _on_mat("F", "blue", 1).store() == {"fish": 2}
    scene = Scene().mat(0, letter="F").market("red", 0)
    assert _advance(scene, "blue", blue=1).play(box="right").asked == (0, "take_skill")
    assert _advance(scene, "blue", blue=2).play(box="right").asked == (0, "market_action")
    assert _on_mat("F", "yellow", 1).play(box="left").play(action="take").store() == {"wheat": 1}
    table = _on_mat("F", "green", 2, sheep=2).play(box="right").play(animal="sheep", farm="r1", icon=0)
    assert table.asked == (0, "resource_move_from")


def test_mat_g_has_more_stone_and_wood() -> None:
    """Keyside §6.4, mat G."""
    assert _on_mat("G", "orange", 1).play(box="left").play(action="take").store() == {"stone": 2}
    assert _on_mat("G", "orange", 1).play(box="right").play(action="take").store() == {"wood": 2}
    table = _on_mat("G", "orange", 3).play(box="right").play(action="take")
    assert table.asked == (0, "build_headland")
    table.play(tile="C", space="s0", favours="none", pay="wood")
    assert table.store() == {}
    table = _on_mat("G", "red", 1).play(box="right").play(from_="town").play(to="m0")
    assert table.asked is None
    assert _on_mat("G", "blue", 3).play(box="left").store() == {"fish": 1}


def test_mat_h_has_more_keyples() -> None:
    """Keyside §6.4, mat H."""
    assert _on_mat("H", "red", 1).play(box="left").state.mats[0].town == 9
    table = _on_mat("H", "red", 3).play(box="right")
    for market in ("m0", "m2", "m4"):
        table.play(from_="town").play(to=market)
    assert table.asked is None
    assert _on_mat("H", "green", 1).store() == {"sheep": 1}
    assert _on_mat("H", "yellow", 1).play(box="left").play(action="take").store() == {"wheat": 1}


def test_a_cottage_is_placed_on_its_plot() -> None:
    """Keyside E-BUILD."""
    table = _advance(Scene().store(0, wheat=1), "yellow", yellow=1).play(box="left")

    table.play(action="build", cottage="X")

    assert table.state.mats[0].buildings[5] == Building("X")
    assert "X" not in table.state.cottages_left
