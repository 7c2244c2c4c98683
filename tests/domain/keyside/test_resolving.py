"""Resolving turns, idle actions and harbour benefits (keyside §5.6, §6.3, T20 to T30, T41 to T50)."""

from typing import Any

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.effects.harbours import BENEFITS
from keylore_domain.games.keyside.facts import EndTriggered, HarbourResolved, RedSpaceTaken
from keylore_domain.games.keyside.state.decisions import Benefit
from keylore_domain.games.keyside.state.position import Source
from tests.domain.keyside.builders import DATA, Scene, Table

ZERO, ONE, TWO = Seat(0), Seat(1), Seat(2)


def _benefit(scene: Scene, letter: str, total: int, seat: Seat = ZERO) -> Table:
    """The benefit of a tile for *seat*, as if it leads."""
    return scene.run(Benefit(seat, "ABCDEFGHIJKL".index(letter), total, lead=True), lead=seat)


# Benefits by band


@pytest.mark.parametrize(
    ("values", "gained"),
    [((2,), {"cow": 2}), ((2, 1), {"sheep": 2}), ((5,), {"sheep": 2}), ((4, 2), {"pig": 2})],
)
def test_harbour_a_imports_animals_for_all_present(values: tuple[int, ...], gained: dict[str, int]) -> None:
    """Keyside T41."""
    table = Scene().harbour(0, ZERO, ONE).loaded(0, *values).turn()

    assert table.store(0) == table.store(1) == gained
    assert table.store(2) == {}
    assert table.asked == (1, "idle_action")  # nothing was asked


@pytest.mark.parametrize(("total", "placings"), [(5, 1), (2, 2), (7, 3)])
def test_harbour_b_places_animals_and_moves_a_keyple(total: int, placings: int) -> None:
    """Keyside T42."""
    table = _benefit(Scene().store(0, sheep=4), "B", total)

    for _ in range(placings):
        assert table.asked == (0, "place_animal")
        table.play(**table.legal[0])
    assert table.asked == (0, "resource_move_from")
    table.play(from_="town")
    assert table.asked == (0, "resource_move_to")
    assert table.values("to") == ["r1", "r3", "r5", "r6", "r7"]
    table.play(to="r3")
    assert table.asked is None
    assert table.state.resources[3].keyple == 0


def test_harbour_b_without_animals_still_moves_a_keyple() -> None:
    """Keyside T42."""
    assert _benefit(Scene(), "B", 2).asked == (0, "resource_move_from")
    assert _benefit(Scene().store(0, cow=1), "B", 2).decline().asked == (0, "resource_move_from")


def test_placed_animals_gain_the_icons_at_once() -> None:
    """Keyside T42: one wood from the forest, one stone from the quarry, a fish; nothing is declinable."""
    table = _benefit(Scene().store(0, sheep=3), "B", 8)

    for icon in (0, 2, 3):
        table.play(animal="sheep", farm="r1", icon=icon)

    assert table.store() == {"wood": 1, "stone": 1, "fish": 1}
    assert [tile.tokens for tile in table.state.resources if isinstance(tile, Source)] == [8, 8, 9]
    assert table.asked == (0, "resource_move_from")
    assert table.state.resources[1].animals == ("sheep", None, "sheep", "sheep")  # type: ignore[union-attr]


def test_animals_can_be_placed_on_every_empty_icon_of_every_farm() -> None:
    """Keyside §5.5 place_animal: by animal, farm and icon; decline by default."""
    scene = Scene().store(0, cow=1, sheep=2).farm(1, "pig", keyple=ONE).farm(3, keyple="pirate")
    table = _benefit(scene, "B", 5)

    icons = [(f"r{at}", icon) for at in (1, 3, 5, 6, 7) for icon in range(4) if (at, icon) != (1, 0)]
    assert table.legal == [
        *({"animal": "cow", "farm": farm, "icon": icon} for farm, icon in icons),
        *({"animal": "sheep", "farm": farm, "icon": icon} for farm, icon in icons),
        {"action": "decline"},
    ]
    assert table.default == {"action": "decline"}


@pytest.mark.parametrize(("total", "number"), [(1, 2), (4, 1), (9, 3)])
@pytest.mark.parametrize(
    ("letter", "item", "tile"),
    [("C", "wood", "forest"), ("E", "stone", "quarry"), ("G", "wheat", "wheat_fields")],
)
def test_harbours_c_e_g_give_goods_and_double_for_the_owner(
    letter: str, item: str, tile: str, total: int, number: int
) -> None:
    """Keyside T43."""
    taken = _benefit(Scene(), letter, total).play(action="take")
    assert taken.store() == {item: number}

    owned = Scene().source(tile, 0, keyple=ZERO)
    assert _benefit(owned, letter, total).store() == {item: 2 * number}
    assert _benefit(owned, letter, total, ONE).store(1) == {item: number}


def test_only_the_tile_of_the_harbours_own_good_doubles() -> None:
    """Keyside T43."""
    table = _benefit(Scene().source("wheat_fields", 0, keyple=ZERO), "C", 4).play(action="take")

    assert table.store() == {"wood": 1}


@pytest.mark.parametrize(
    ("total", "orange", "cost"), [(5, 0, 4), (5, 3, 2), (1, 0, 2), (1, 3, 1), (6, 2, 2), (6, 0, 3), (5, 2, 3)]
)
@pytest.mark.parametrize(("letter", "item"), [("D", "wood"), ("F", "stone")])
def test_headlands_cost_by_band_less_the_orange_discount(
    letter: str, item: str, total: int, orange: int, cost: int
) -> None:
    """Keyside T20, and the same for stone."""
    scene = Scene().levels(0, orange=orange)

    assert _benefit(scene.store(0, **{item: cost - 1}), letter, total).asked is None
    table = _benefit(scene.store(0, **{item: cost}), letter, total)
    table.play(tile="D", space="s7", favours="none", pay=item)
    assert table.store() == {}
    assert [(tile.owner, tile.tile) for tile in table.state.headlands[7]] == [(0, "D")]
    assert "D" not in table.state.mats[0].headlands_left


def test_a_headland_in_harbour_f_is_paid_in_stone_alone() -> None:
    """Keyside T44."""
    poor = Scene().store(0, stone=2, wood=9)
    assert _benefit(poor, "F", 6).asked is None

    table = _benefit(poor.levels(0, orange=2), "F", 6)
    assert len(table.legal) == 109
    assert set(table.values("pay")) == {"stone"}
    assert table.legal[0] == {"tile": "A", "space": "s0", "favours": "ccw", "pay": "stone"}
    assert table.legal[1] == {"tile": "A", "space": "s0", "favours": "cw", "pay": "stone"}
    assert table.default == table.legal[-1] == {"action": "decline"}


def test_harbour_h_builds_for_wheat() -> None:
    """Keyside T45."""
    scene = Scene().buildings(0, "E")

    assert _benefit(scene.store(0, wheat=1), "H", 3).asked is None
    table = _benefit(scene.store(0, wheat=2), "H", 3).play(action="build", cottage="A")
    assert table.store() == {}
    for total in (2, 8):
        table = _benefit(scene.store(0, wheat=1), "H", total)
        letters = [letter for letter, cottage in DATA.cottages.items() if cottage.colour != "green"]
        assert table.legal == [
            *({"action": "build", "cottage": letter} for letter in letters),
            {"action": "upgrade", "colour": "green"},
            {"action": "decline"},
        ]
        table.play(action="upgrade", colour="green")
        assert table.store() == {}
        building = table.state.mats[0].buildings[1]
        assert building is not None
        assert building.house


def test_a_keyple_that_moves_onto_a_market_opens_that_part_of_harbour_j() -> None:
    """Keyside T46."""
    scene = Scene().market_places(red=0)
    table = _benefit(scene, "J", 4)

    assert table.legal == [{"part": "move"}, {"action": "decline"}]
    table.play(part="move").play(from_="town").play(to="m0")
    assert table.asked == (0, "choose_part")
    assert table.legal == [{"part": "market"}, {"action": "decline"}]
    table.play(part="market").play(action="trade", tile="red", pay="none")
    assert (table.state.mats[0].keyples, table.state.mats[0].town) == (11, 6)
    assert table.asked is None

    assert _benefit(scene, "J", 4).decline().asked is None


def test_a_chosen_part_counts_as_done_even_if_it_is_declined() -> None:
    """Keyside §5.5 choose_part."""
    table = _benefit(Scene().market("red", 0), "J", 4)

    table.play(part="market").decline()

    assert table.legal == [{"part": "move"}, {"action": "decline"}]


def test_harbour_k_takes_a_skill_tile_and_moves_in_either_order() -> None:
    """Keyside T47."""
    scene = Scene().market("orange", 0)

    table = _benefit(scene, "K", 4).play(part="skill").play(colour="orange")
    assert [tile.value for tile in table.state.mats[0].skill_tiles] == [5]
    table.play(part="move").play(from_="m2").play(to="town")
    assert table.state.mats[0].town == 7

    reverse = _benefit(scene, "K", 4).play(part="move").play(from_="m2").play(to="town")
    assert reverse.asked is None
    assert reverse.state.mats[0].skill_tiles == ()


@pytest.mark.parametrize(("total", "number"), [(1, 2), (3, 1), (6, 2)])
def test_harbour_l_recruits(total: int, number: int) -> None:
    """Keyside T48."""
    table = _benefit(Scene(), "L", total)
    assert (table.state.mats[0].keyples, table.state.mats[0].town) == (12 - number, 6 + number)
    assert _benefit(Scene().mat(0, keyples=1), "L", total).state.mats[0].town == 7
    assert _benefit(Scene().mat(0, keyples=0), "L", total).state.mats[0].town == 6


def test_every_harbour_tile_of_the_data_has_its_benefit() -> None:
    """Keyside §6.3: a table instead of a chain."""
    assert {type(tile) for tile in DATA.harbour_tiles.values()} == set(BENEFITS)


# Harbour I


def test_activating_harbour_i_swaps_keyples_in_the_red_space() -> None:
    """Keyside T24."""
    table = Scene().harbour(8, ZERO, TWO, red_space=ONE).loaded(8, 1).turn()

    harbour = table.state.harbours[8]
    assert harbour.red_space == 0
    assert harbour.top == (1, 2)
    assert table.state.next_start == 0
    assert table.noted(RedSpaceTaken) == [{"fact": "red_space_taken", "seat": 0, "swapped": 1}]
    assert table.asked == (1, "choose_part")
    table.play(part="move").play(from_="town").play(to="m0")
    assert table.asked == (2, "choose_part")
    table.decline()
    assert table.asked == (1, "idle_action")


def test_the_others_at_harbour_i_have_one_part() -> None:
    """Keyside T49."""
    scene = Scene().harbour(8, ZERO, ONE).loaded(8, 1).market("blue", 1).store(1, fish=1)
    table = scene.turn()

    assert table.asked == (1, "choose_part")
    assert table.values("part") == ["move", "market", "skill"]
    table.play(part="market").play(action="trade", tile="blue", pay="fish")
    assert table.store(1) == {"pig": 2}
    assert table.asked == (1, "idle_action")
    assert table.state.harbours[8].red_space == 0
    assert table.state.harbours[8].top == (1,)


def test_a_keyple_in_the_red_space_takes_part_and_activates() -> None:
    """Keyside T50."""
    scene = Scene().harbour(8, ZERO, red_space=TWO).loaded(8, 1)

    table = scene.turn()
    assert table.state.harbours[8].red_space == 0
    assert table.state.harbours[8].top == (2,)
    assert table.asked == (2, "choose_part")

    own = scene.turn(2)
    assert own.state.harbours[8].red_space == 2
    assert own.state.harbours[8].top == (0,)
    assert own.state.next_start == 2
    assert own.noted(RedSpaceTaken) == []


# Turns


def test_the_owner_of_the_forest_takes_double() -> None:
    """Keyside T21."""
    table = Scene().source("forest", 0, keyple=ZERO).harbour(2, ZERO, ONE).loaded(2, 4, 3).turn()

    assert table.store(0) == {"wood": 6}
    assert table.store(1) == {"wood": 3}


def test_a_tile_flipped_by_the_gain_itself_does_not_double() -> None:
    """Keyside T22."""
    table = Scene().source("forest", 1).harbour(2, ZERO, ONE).loaded(2, 2).turn()

    assert table.asked == (0, "take_gain")
    table.play(action="take")
    assert table.store(0) == {"wood": 2}
    assert table.store(1) == {"wood": 2}
    forest = table.state.resources[0]
    assert isinstance(forest, Source)
    assert (forest.tokens, forest.flipped, forest.keyple) == (0, True, None)


def test_an_animal_in_anothers_farm_is_the_owners() -> None:
    """Keyside T23."""
    scene = Scene().store(0, cow=1).farm(3, keyple=ONE).harbour(2, ZERO, ONE)
    table = scene.run(Benefit(ZERO, 1, 5, lead=True))

    table.play(animal="cow", farm="r3", icon=3)  # F2 side a: stone, stone, wheat, gem

    assert sum(table.state.mats[0].store[7:]) == 1
    assert sum(table.state.gem_bag) == 35
    after = Scene().change(**{name: getattr(table.state, name) for name in ("mats", "resources", "harbours")})
    assert after.rows(1)["harbour_3"] == 2
    assert after.rows(0)["harbour_3"] == 0


def test_all_trade_on_the_visible_side_unless_they_flip_it() -> None:
    """Keyside T25."""
    scene = Scene().market("blue", 0, 1).harbour(9, ZERO, ONE).loaded(9, 1)
    table = scene.store(0, fish=1).store(1, fish=1, pig=1).turn()

    table.play(harbour="h9")
    table.play(part="market").play(action="trade", tile="blue", pay="fish").decline()
    assert table.store(0) == {"pig": 2}
    assert table.asked == (1, "choose_part")
    table.play(part="market")
    assert table.legal == [
        {"action": "trade", "tile": "blue", "pay": "fish"},
        {"action": "flip_market", "tile": "blue"},
        {"action": "decline"},
    ]
    table.play(action="flip_market", tile="blue")
    flipped = table.state.markets[0].side
    table.play(action="trade", tile="blue", pay={"where": "barn"})
    assert table.store(1) == {"fish": 2}
    table.decline()
    assert (flipped, table.state.markets[0].side) == ("reverse", "top")
    assert table.state.markets_used == ()


def test_resolving_an_own_harbour_is_mandatory() -> None:
    """Keyside T26."""
    scene = Scene().harbour(0, ZERO).loaded(0, 1).harbour(2, ZERO).loaded(2, 1)

    table = scene.turn()
    assert table.asked == (0, "resolve_select")
    assert table.legal == [{"harbour": "h0"}, {"harbour": "h2"}]
    assert table.default == {"harbour": "h0"}

    forced = Scene().harbour(0, ZERO, ONE).loaded(0, 1, 5).turn()
    assert forced.noted(HarbourResolved) == [
        {"fact": "harbour_resolved", "harbour": "h0", "total": 6, "band": "high", "seats": [0, 1]}
    ]


def test_an_idle_action_takes_goods_from_the_tiles() -> None:
    """Keyside T27."""
    table = Scene().harbour(0, ONE).loaded(0, 1).turn()

    assert table.asked == (0, "idle_action")
    assert [move.get("colour", "goods") for move in table.legal] == [
        "goods",
        "yellow",
        "green",
        "red",
        "blue",
        "purple",
        "orange",
    ]
    assert table.default == {"action": "goods"}
    table.play(action="goods")
    assert table.values("goods") == [
        ["wheat", "wheat"],
        ["wheat", "stone"],
        ["wheat", "wood"],
        ["stone", "stone"],
        ["stone", "wood"],
        ["wood", "wood"],
    ]
    table.play(goods=["wheat", "wood"])
    assert table.store() == {"wheat": 1, "wood": 1}
    assert [tile.tokens for tile in table.state.resources if isinstance(tile, Source)] == [8, 9, 8]


def test_an_idle_advance_moves_a_marker() -> None:
    """Keyside §5.6, idle action 6."""
    table = Scene().harbour(0, ONE).loaded(0, 1).turn().play(action="advance", colour="green")

    assert table.state.mats[0].levels == (0, 1, 0, 0, 0, 0)
    assert table.store() == {"sheep": 2}


def _idle(table: Table) -> Table:
    return table.play(action="goods").play(goods=["wood", "wood"])


def test_a_harbour_without_keyples_is_not_left_to_resolve() -> None:
    """Keyside T28."""
    table = Scene().loaded(0, 1).turn()

    assert table.asked == (0, "idle_action")
    assert not table.state.end_triggered
    _idle(table)
    assert table.state.end_triggered
    assert table.noted(EndTriggered) == [{"fact": "end_triggered", "year": 1}]


def test_the_year_ends_with_the_seat_before_the_start_player() -> None:
    """Keyside T29."""
    scene = Scene(dice_strips="off").change(start_seat=ONE).harbour(0, ZERO, ONE).loaded(0, 1)

    table = scene.turn(1)
    assert table.asked == (2, "idle_action")
    assert _idle(table).asked == (0, "idle_action")
    assert _idle(table).state.year == 2

    assert scene.turn(0).state.year == 2


def test_no_end_while_somebody_has_dice() -> None:
    """Keyside T30."""
    table = Scene().dice(1, red=1, blue=2).turn()

    assert table.asked == (0, "idle_action")
    _idle(table)
    assert not table.state.end_triggered
    assert table.asked == (1, "lead_landing")


def test_after_the_trigger_only_idle_actions_are_asked() -> None:
    """Keyside §5.6, ruling R10."""
    scene = Scene().harbour(0, ZERO).loaded(0, 1).change(end_triggered=True)

    assert scene.turn().asked == (0, "idle_action")


def _dodge() -> Scene:
    scene = Scene().harbour(3, ZERO).loaded(3, 1, 1, 1).market("blue").skills(0, ("red", 5))
    return scene.levels(0, red=1).mat(0, town=0)


def test_the_lead_may_move_its_keyple_out_of_its_only_open_harbour() -> None:
    """Keyside T67."""
    table = _dodge().turn()

    assert table.asked == (0, "resolve_select")
    table.play(action="spend_skill", colour="red", value=5)
    table.play(box="right").play(from_="h3").play(to="m0").decline()
    assert table.asked == (0, "idle_action")
    _idle(table)
    assert table.state.end_triggered


def test_a_keyple_that_moves_in_reopens_a_loaded_harbour() -> None:
    """Keyside T68."""
    scene = Scene().loaded(3, 1).levels(0, red=1)
    table = scene.turn()

    table.play(action="advance", colour="red").play(box="right").play(from_="town").play(to="h3").decline()
    assert not table.state.end_triggered
    assert table.asked == (1, "idle_action")
    _idle(_idle(table))
    assert table.state.harbours[3].resolved

    late = scene.change(end_triggered=True).turn()
    late.play(action="advance", colour="red").play(box="right").play(from_="town").play(to="h3").decline()
    assert late.state.end_triggered
    assert not late.state.harbours[3].resolved


def _interlude(fish: int) -> Table:
    scene = Scene().harbour(9, ZERO, ONE).loaded(9, 1).market("blue", 0, 1).store(0, fish=fish)
    table = scene.store(1, fish=1).turn().play(harbour="h9")
    return table.play(part="market").play(action="trade", tile="blue", pay="fish").decline()


def test_the_lead_may_act_before_each_other_seat_gains() -> None:
    """Keyside T69."""
    table = _interlude(2)

    assert table.asked == (0, "window_action")
    assert table.legal[0] == table.default == {"action": "pass", "scope": "window"}
    assert table.prompt.context.window == "interlude"  # type: ignore[union-attr]
    table.play(action="flip_market", tile="blue")
    assert table.state.markets[0].side == "reverse"
    assert table.asked == (1, "choose_part")

    assert _interlude(1).asked == (1, "choose_part")


def test_an_anytime_move_leaves_the_interrupted_prompt_open() -> None:
    """Keyside §5.1: computed afresh, then asked again."""
    table = Scene().store(0, fish=2, wheat=1).run(Benefit(ZERO, 7, 1, lead=True))

    assert table.asked == (0, "build_cottage")
    assert table.legal[24:] == [
        {"action": "decline"},
        *({"action": "flip_market", "tile": tile} for tile in ("blue", "green", "orange", "purple")),
    ]
    assert table.default == {"action": "decline"}
    table.play(action="flip_market", tile="purple")
    assert table.asked == (0, "build_cottage")
    assert table.store() == {"fish": 1, "wheat": 1}


def test_a_move_whose_keyple_has_gone_is_lost() -> None:
    """Keyside ruling R61."""
    scene = Scene().mat(0, town=0).harbour(3, ZERO).skills(0, ("red", 5)).levels(0, red=1)
    table = scene.run(Benefit(ZERO, 9, 1, lead=True))

    table.play(part="move").play(from_="h3")
    assert table.asked == (0, "move_to")
    table.play(action="spend_skill", colour="red", value=5)
    table.play(box="right").play(from_="h3").play(to="m0").decline()
    assert table.state.markets[0].keyples == (0,)
    assert table.asked is None  # move_to is lost; the market costs a fish
    lost: list[Any] = [fact for fact in table.facts if type(fact).__name__ == "BenefitLost"]
    assert [fact.effect for fact in lost] == ["E-J"]
