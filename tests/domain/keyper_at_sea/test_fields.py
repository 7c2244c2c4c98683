"""Fields (keyper-at-sea §6.4, §12 W35 to W41)."""

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea.components.ops import Gain
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from tests.domain.keyper_at_sea.builders import DECLINE, PARTS, Scene, join

SPOT = "sea.2.2"
GAINS = {
    "brown": {"fo": "log", "de": "deer", "bo": "boar"},
    "orange": {"cl": "clay"},
    "grey": {"qu": "rock"},
    "green": {
        "wh": "wheat",
        "cw": "cow",
        "ho": "horse",
        "pg": "pig",
        "sh": "sheep",
        "ck": "chicken",
        "gt": "goat",
    },
    "black": {"ru": "ruby", "sa": "sapphire", "em": "emerald", "go": "gold"},
}
FIELDS = [(border, code, item) for border, fields in GAINS.items() for code, item in fields.items()]


def field(code: str) -> Scene:
    return Scene().cell(SPOT, field=code)


@pytest.mark.parametrize(("border", "code", "item"), FIELDS)
def test_a_gain_field_gives_two_for_its_colour(border: str, code: str, item: str) -> None:
    """keyper-at-sea W35."""
    for colour in PARTS.colours:
        scene = field(code).team(0, colour).place(colour, SPOT)
        assert scene.owned() == {item: 2 if colour in (border, "white") else 1}


def test_a_gain_that_the_supply_does_not_have_gives_nothing() -> None:
    """keyper-at-sea E1, E15."""
    todo = (Gain("wheat", 2), Gain("cow", 1))
    scene = Scene().supply(wheat=0).start(wait.RunOps(Seat(0), wait.Slot("v11", 1, 1), todo))
    assert scene.owned() == {"cow": 1}


def test_a_refining_field_may_be_declined() -> None:
    """keyper-at-sea W36, sawmill."""
    scene = field("sw").team(0, "brown").items(0, log=3).place("brown", SPOT)
    assert scene.legal == [{"action": "refine", "item": "log"}, DECLINE]
    scene.play({"action": "refine", "item": "log"}, DECLINE)
    assert scene.owned() == {"log": 2, "wood": 1}


def test_a_refining_field_passes_over_a_slot_without_material() -> None:
    """keyper-at-sea W36, brickyard."""
    scene = field("bk").team(0, "white").items(0, clay=1).place("white", SPOT)
    scene.play({"action": "refine", "item": "clay"})
    assert scene.owned() == {"brick": 1}
    assert scene.passed_over == [2]


def test_a_refining_field_that_is_joined() -> None:
    """keyper-at-sea W36, masonry."""
    scene = field("ms").team(0, "grey").team(1, "grey").items(0, rock=1).items(1, rock=2)
    scene.place("grey", SPOT).play(join("grey"))
    scene.play(*[{"action": "refine", "item": "rock"}] * 3)
    assert scene.slots == [0, 1, 0, 1, 0, 1]
    assert scene.passed_over == [3, 5, 6]
    assert (scene.owned(0), scene.owned(1)) == ({"stone": 1}, {"stone": 2})


def test_the_market_gives_a_raw_material_of_choice() -> None:
    """keyper-at-sea W37."""
    scene = field("mk").team(0, "black").place("black", SPOT)
    assert scene.legal == [{"item": "log"}, {"item": "clay"}, {"item": "rock"}]
    assert scene.play({"item": "rock"}).owned() == {"rock": 1}
    scene = field("mk").team(0, "black").supply(log=0).place("black", SPOT)
    assert scene.names("item") == ["clay", "rock"]
    nothing = field("mk").team(0, "black").supply(log=0, clay=0, rock=0).place("black", SPOT)
    assert nothing.passed_over == [1]


def test_country_tiles_are_taken_in_turn_and_refilled_after_the_turn() -> None:
    """keyper-at-sea W38."""
    for declined in (0, 1):
        scene = Scene().cell(SPOT, field="ct").team(0, "grey", "white").team(1, "white").team(2, "brown")
        scene.place("grey", SPOT).play(join("white"))
        picked = 0
        while scene.kind == "take_tile":
            assert scene.names("tile") == list(scene.now.display)
            last = len(scene.now.display) == 5
            if last and declined:
                scene.play(DECLINE)
                continue
            if last:
                before = scene.now
                assert len(before.display) == 5
            scene.play(scene.legal[0])
            picked += 1
        assert scene.slots == [0, 1, 0, 1]
        assert picked == 4 - declined
        owned = [*scene.household(0).tiles, *scene.household(0).fairs]
        assert len(owned) == 14 + 2
        assert len(scene.now.display) == 8


def test_the_build_field_builds_for_the_printed_cost() -> None:
    """keyper-at-sea W39."""
    scene = field("bu").team(0, "orange").team(1, "orange").items(0, log=1).items(1, clay=1)
    scene.place("orange", SPOT).play(join("orange"))
    scene.play({"action": "build", "tile": "cow_shed"}, {"plot": "f11", "site": None})
    assert scene.prompt.seat == 1
    scene.play({"action": "build", "tile": "stable"}, {"plot": "f22", "site": None})
    assert scene.passed_over == [3, 4]
    assert scene.household(0).plots[0].stack == ("cow_shed",)
    assert scene.household(1).plots[3].stack == ("stable",)
    assert (scene.owned(0), scene.owned(1)) == ({}, {})
    assert "cow_shed" not in scene.household(0).tiles


def test_the_upgrade_cost_of_a_flex_tile_depends_on_its_area() -> None:
    """keyper-at-sea W40."""

    def targets(**items: int) -> list[str]:
        scene = field("up").team(0, "black").items(0, **items)
        scene.built("f11", "ice_house").built("v11", "smoke_house")
        return scene.place("black", SPOT).names("target")

    assert targets(log=1) == ["f11"]
    assert targets(brick=1) == ["f11", "v11"]


def test_the_upgrade_field_upgrades() -> None:
    """keyper-at-sea F25."""
    scene = field("up").team(0, "black").items(0, log=1).built("f11", "cow_shed")
    scene.place("black", SPOT).play({"action": "upgrade", "target": "f11"})
    assert scene.household().plots[0].upgraded
    assert scene.owned() == {}
    assert scene.in_supply("log") == 17


def payments(code: str, tile: str, **items: int) -> list[dict[str, int]]:
    scene = field(code).team(0, "black").items(0, **items).unbuilt(tile, "cow_shed")
    scene.place("black", SPOT).play({"action": "build", "tile": tile}).play(scene.legal[0])
    return scene.names("payment") if scene.kind == "pay" else [spent(scene, items)]


def spent(scene: Scene, items: dict[str, int]) -> dict[str, int]:
    left = scene.owned()
    return {item: n - left.get(item, 0) for item, n in items.items() if n != left.get(item, 0)}


def test_a_discount_drops_one_slot_of_goods_but_never_the_last_or_a_fish() -> None:
    """keyper-at-sea W41."""
    assert payments("db", "oast_house", brick=1, log=1) == [{"log": 1}, {"brick": 1}]
    assert payments("bu", "oast_house", brick=1, log=1) == [{"log": 1, "brick": 1}]
    assert payments("db", "crabber", fish=1, log=1) == [{"fish": 1}]
    assert payments("db", "cow_shed", log=1) == [{"log": 1}]
