"""Home, country and store tiles (keyper-at-sea §6.10, §7, §12 W70 to W90, W116, W117)."""

import pytest

from keylore_domain.games.keyper_at_sea.components.units import Flat
from tests.domain.keyper_at_sea.builders import DECLINE, PARTS, Scene, both, points

ANIMALS = ("cow", "horse", "pig", "sheep", "chicken", "goat")
HOUSES = ("cow_shed", "stable", "pigsty", "sheepfold", "hen_house", "goat_shed")
FARM = [place.id for place in PARTS.plots if place.area == "farm"]


def alone(tile: str, **items: int) -> tuple[int, int]:
    """The points of a tile that stands alone, not upgraded and upgraded."""
    plot = "v11" if PARTS.tiles[tile].kind == "village" else "f11"
    return both(Scene().items(0, **items).built(plot, tile), plot)


def store(name: str, items: dict[str, int], *held: str) -> list[int]:
    """The points of a store, not upgraded and upgraded."""
    scene = Scene().items(0, **items).have(0, held=held)
    return [points(scene.have(0, stores=()).store(name, upgraded=side)) for side in (False, True)]


def active(tile: str, *, upgraded: bool = False, **items: int) -> Scene:
    """Seat 0 plays its one keyple on this tile."""
    plot = "v11" if PARTS.tiles[tile].kind == "village" else "f11"
    scene = Scene().team(0, "white").items(0, **items).unbuilt().built(plot, tile, upgraded=upgraded)
    return scene.place("white", plot)


def refine(item: str) -> dict[str, str]:
    return {"action": "refine", "item": item}


def test_animal_houses() -> None:
    """keyper-at-sea W70."""
    for tile, animal in zip(HOUSES, ANIMALS, strict=True):
        assert alone(tile, **{animal: 5}) == (4, 8)
    scene = Scene().items(0, **dict.fromkeys(ANIMALS, 5))
    for plot, tile in zip(FARM, HOUSES, strict=False):
        scene.built(plot, tile)
    assert points(scene) == 24
    for plot, tile in zip(FARM, HOUSES, strict=False):
        scene.built(plot, tile, upgraded=True)
    assert points(scene) == 48


def test_stores_of_goods() -> None:
    """keyper-at-sea W71."""
    goods = {"log": 3, "clay": 5, "wheat": 4, "ruby": 1, "gold": 1, "pearl": 1}
    expected = {
        "log_store": (3, 6),
        "clay_store": (4, 8),
        "rock_store": (0, 0),
        "granary": (4, 8),
        "treasury": (3, 6),
    }
    assert {tile: alone(tile, **goods) for tile in expected} == expected


def test_the_workshop_refines() -> None:
    """keyper-at-sea W72."""
    scene = active("workshop", log=1, clay=1, rock=1)
    assert scene.names("item") == ["log", "clay", "rock"]
    scene.play(refine("log"), refine("rock"))
    assert scene.owned() == {"clay": 1, "wood": 1, "stone": 1}
    scene = active("workshop", upgraded=True, log=1, clay=1, rock=1)
    scene.play(refine("log"), refine("rock"), refine("clay"))
    assert scene.owned() == {"wood": 1, "brick": 1, "stone": 1}
    assert alone("workshop") == (1, 2)


def test_ice_house_and_smoke_house() -> None:
    """keyper-at-sea W72."""
    catch = {"fish": 5, "crab": 1, "lobster": 1, "mussels": 1, "squid": 2}
    assert alone("ice_house", **catch) == (4, 8)
    assert alone("smoke_house", **catch) == (4, 8)


def test_sea_houses() -> None:
    """keyper-at-sea W73."""
    assert alone("crabber", crab=2, lobster=2) == (4, 12)
    assert alone("fisher", mussels=3, squid=2) == (6, 12)
    assert alone("angler", squid=1, crab=2) == (2, 9)
    assert alone("lobster_catcher", lobster=3, mussels=1) == (6, 12)


def test_items_are_assigned_to_houses_for_the_most_points() -> None:
    """keyper-at-sea W74."""
    scene = (
        Scene().items(0, crab=5, lobster=1).built("f11", "crabber").built("f12", "ice_house", upgraded=True)
    )
    assert points(scene) == 12
    scene = Scene().items(0, lobster=2, crab=3, squid=3)
    scene.built("f11", "angler").built("f12", "crabber", upgraded=True)
    assert points(scene) == 18


def test_farm_houses() -> None:
    """keyper-at-sea W75."""
    assert alone("deer_park", deer=3) == (6, 9)
    assert alone("boar_wood", boar=5) == (8, 12)
    assert alone("paddock", horse=2, cow=3) == (4, 12)
    assert alone("wallow", pig=1, boar=4) == (2, 12)
    assert alone("upland", goat=4, sheep=1) == (8, 12)
    assert alone("roost", chicken=1, deer=1) == (2, 6)


def test_barn_and_drainage() -> None:
    """keyper-at-sea W76."""

    def farm(*, barn: bool = False, drainage: bool = False) -> int:
        scene = Scene().built("f11", "barn", upgraded=barn).built("f12", "drainage", upgraded=drainage)
        scene.built("f21", "cow_shed", upgraded=True).built("f22", "stable", upgraded=True)
        return points(scene.built("fx1", "site_1", "deer_park", upgraded=True))

    assert farm() == 4 + 6
    assert farm(barn=True) == 6 + 2 * 4
    assert farm(drainage=True) == 4 + 12


def test_the_oast_house_counts_full_farm_rows() -> None:
    """keyper-at-sea W77."""
    scene = Scene().built("fx1", "site_1", "deer_park")
    for plot in ("f11", "f12", "f21", "f22", "f31", "f32", "f41"):
        scene.built(plot, "cow_shed")
    assert both(scene.built("f22", "oast_house"), "f22") == (6, 9)


def test_ploughman_and_herdsman() -> None:
    """keyper-at-sea W78."""
    assert active("ploughman").owned() == {"wheat": 1}
    assert active("ploughman", upgraded=True).owned() == {"wheat": 2}
    scene = active("herdsman")
    assert scene.names("item") == ["cow", "horse", "pig", "sheep"]
    assert scene.play({"item": "pig"}).owned() == {"pig": 1}
    scene = active("herdsman", upgraded=True).play({"item": "pig"})
    assert scene.names("item") == ["cow", "horse", "sheep"]
    assert scene.play({"item": "cow"}).owned() == {"cow": 1, "pig": 1}
    scene = Scene().team(0, "white").built("f11", "herdsman", upgraded=True)
    scene.supply(horse=0, pig=0, sheep=0).place("white", "f11")
    assert scene.owned() == {"cow": 1}
    assert (alone("ploughman"), alone("herdsman")) == ((1, 3), (1, 3))


@pytest.mark.parametrize(
    ("tile", "raw", "good", "base", "upgraded"),
    [
        ("sawyer", "log", "wood", 2, 3),
        ("brickmaker", "clay", "brick", 1, 1),
        ("stonecutter", "rock", "stone", 2, 3),
    ],
)
def test_sawyer_brickmaker_and_stonecutter(tile: str, raw: str, good: str, base: int, upgraded: int) -> None:
    """keyper-at-sea W79."""
    for side, most in ((False, base), (True, upgraded)):
        scene = active(tile, upgraded=side, log=4, clay=1, rock=3)
        while scene.kind == "refine":
            scene.play(refine(raw))
        assert scene.owned()[good] == most
    assert alone(tile) == (1, 3)


def test_prospector_and_surveyor() -> None:
    """keyper-at-sea W80."""
    scene = active("prospector")
    assert scene.names("item") == ["ruby", "sapphire", "emerald", "gold"]
    assert scene.play({"item": "gold"}).owned() == {"gold": 1}
    scene = active("prospector", upgraded=True).play({"item": "gold"})
    assert scene.names("item") == ["ruby", "sapphire", "emerald"]
    for upgraded, number in ((False, 1), (True, 2)):
        scene = active("surveyor", upgraded=upgraded)
        assert len(scene.legal) == 9
        while scene.kind == "take_tile":
            scene.play(scene.legal[0])
        assert len(scene.household().tiles) + len(scene.household().fairs) == number
    assert (alone("prospector"), alone("surveyor")) == ((1, 3), (1, 3))


def village() -> Scene:
    scene = Scene().built("v11", "pavements").built("v12", "statue").built("v13", "boarding_house")
    scene.built("v21", "workshop", upgraded=True).built("v22", "log_store", upgraded=True)
    return scene.built("v23", "ice_house").built("vx1", "site_1", "guide").built("f11", "smoke_house")


def test_pavements_statue_and_boarding_house() -> None:
    """keyper-at-sea W81."""
    flat = 2 + 1  # workshop upgraded, guide
    assert points(village()) == flat + 4 + 4 + 4
    assert points(village().built("v11", "pavements", upgraded=True)) == flat + 8 + 6 + 4
    assert points(village().built("v12", "statue", upgraded=True)) == flat + 4 + 9 + 4
    assert points(village().built("v13", "boarding_house", upgraded=True)) == flat + 4 + 6 + 6


def test_cottages_count_keyples_on_the_claimed_board() -> None:
    """keyper-at-sea W82."""
    scene = Scene(seats=4).claim(0, "c1").dry().moor("boat_1", "c1.0.3", "c1.1.3")
    scene.put("c1.0.0", "brown").put("c1.0.1", "brown", lying=True).put("c1.0.2", "orange", "black")
    scene.put("c1.1.0", "green", "green").put("c1.1.1", "green", "green", lying=True)
    scene.put("boat_1", "light_blue").put("c1.1.2", "light_blue", "white").put("c1.2.0", "white", "white")
    scene.put("sea.2.2", "grey", "brown").put("keyp", "brown", "white")
    expected = {
        "log_cabin": (4, 6),
        "kiln_cottage": (2, 3),
        "quarry_cottage": (0, 0),
        "miners_row": (2, 3),
        "farmhouse": (8, 12),
        "boat_house": (4, 6),
        "guild_hall": (6, 9),
    }
    for tile, score in expected.items():
        assert both(scene.built("v11", tile), "v11") == score, tile
    assert both(Scene().built("v11", "log_cabin").put("sea.2.2", "brown"), "v11") == (0, 0)


def test_village_hall_and_thatcher() -> None:
    """keyper-at-sea W83."""

    def town(tile: str) -> Scene:
        scene = Scene().built("v31", "log_store").built("vx1", "site_1", "dock")
        for plot in ("v11", "v12", "v13", "v21", "v22"):
            scene.built(plot, "log_store")
        for plot in ("f11", "f12"):
            scene.built(plot, "smoke_house")
        return scene.built("f21", "smoke_house").built("v23", tile)

    assert both(town("village_hall"), "v23") == (4, 8)
    assert both(town("thatcher"), "v23") == (3, 6)


def test_dock_and_entertainer() -> None:
    """keyper-at-sea W84."""
    scene = Scene().have(0, shipping=14).built("v11", "dock")
    assert both(scene, "v11") == (4, 6)
    held = ("spring_wool_fair", "summer_jewel_fair", "winter_guild_fair")
    scene = Scene().have(0, shipping=14, held=held).built("v11", "entertainer")
    assert both(scene, "v11") == (6, 9)


def test_gem_makers() -> None:
    """keyper-at-sea W85."""
    gems = {"ruby": 2, "sapphire": 1, "emerald": 5}
    assert alone("ring_maker", **gems) == (4, 6)
    assert alone("pendant_maker", **gems) == (2, 3)
    assert alone("brooch_maker", **gems) == (8, 12)
    assert alone("goldsmith", **gems) == (0, 0)
    assert alone("bracelet_maker", ruby=2, sapphire=2, emerald=2, gold=1, pearl=1) == (8, 12)


def test_goods_makers() -> None:
    """keyper-at-sea W86."""
    goods = {"wood": 3, "brick": 4, "stone": 1, "wheat": 6}
    assert alone("cabinet_maker", **goods) == (6, 9)
    assert alone("potter", **goods) == (8, 12)
    assert alone("sculptor", **goods) == (2, 3)
    assert alone("baker", **goods) == (8, 12)
    assert alone("stockpile", log=4, clay=2, rock=3) == (6, 8)


def test_the_menagerie_counts_kinds() -> None:
    """keyper-at-sea W87."""
    assert alone("menagerie", cow=1, deer=1, goat=2, boar=1) == (4, 8)
    scene = (
        Scene().items(0, cow=1, deer=1, goat=2, boar=1).built("v11", "menagerie").built("f11", "deer_park")
    )
    assert both(scene, "v11") == (5, 8)
    many = Scene().items(0, cow=1, deer=1, goat=1, boar=1, pig=1).built("v11", "menagerie")
    assert both(many, "v11") == (4, 8)


def test_the_pedlar_exchanges() -> None:
    """keyper-at-sea W88."""
    scene = active("pedlar", wheat=1)
    assert scene.kind == "exchange"
    assert len(scene.legal) == 7
    assert scene.legal[0] == {"action": "exchange", "pay": "wheat", "get": ["log", "log"]}
    assert scene.play(scene.legal[0]).owned() == {"log": 2}
    upgraded = active("pedlar", upgraded=True, wheat=1)
    assert len(upgraded.legal) == 11
    assert alone("pedlar") == (1, 3)
    scarce = Scene().team(0, "white").items(0, wheat=1).built("v11", "pedlar").supply(log=1, clay=0, rock=1)
    assert scarce.place("white", "v11").names("get") == [["log", "rock"]]


def test_the_guide_takes_from_the_discard_pile() -> None:
    """keyper-at-sea W89."""
    for upgraded, display in ((False, 0), (True, 8)):
        scene = Scene().team(0, "white").built("v11", "guide", upgraded=upgraded).unbuilt()
        scene.change(discard=("angler", "barn", "dock", "spring_wool_fair"))
        scene.place("white", "v11")
        places = scene.names("from")
        assert places == ["display"] * display + ["discard"] * 3
        assert len(scene.legal) == display + 3 + 1
        scene.play({"action": "take", "from": "discard", "tile": "dock"})
        assert scene.household().tiles == ("dock",)
        assert scene.now.discard == ("angler", "barn", "spring_wool_fair")
    assert alone("guide") == (1, 3)


def test_the_hirer_lays_out_a_new_display() -> None:
    """keyper-at-sea W89."""
    scene = Scene().team(0, "white").built("v11", "hirer").unbuilt()
    before = scene.state.display
    scene.place("white", "v11")
    assert set(scene.now.discard) == set(before)
    assert len(scene.legal) == 9
    assert not set(scene.now.display) & set(before)
    scene.play(DECLINE)
    assert scene.household().tiles == ()
    last = Scene().team(0, "white").built("v11", "hirer").change(bag=(), discard=())
    last.place("white", "v11")
    assert (len(last.legal), len(last.now.discard), len(last.now.bag)) == (9, 0, 0)
    nothing = Scene().team(0, "white").built("v11", "hirer").change(bag=(), discard=(), display=())
    assert nothing.place("white", "v11").passed_over == [1]


def test_two_tiles_may_count_the_same_items() -> None:
    """keyper-at-sea W90."""
    scene = Scene().items(0, wood=2).built("v11", "cabinet_maker").store("finished_store")
    assert points(scene) == 8


def test_store_tiles() -> None:
    """keyper-at-sea W116."""
    assert store("raw_store", {"log": 3, "clay": 2, "rock": 1}) == [8, 6]
    assert store("wheat_store", {"wheat": 6}, "summer_jewel_fair", "summer_goat_fair") == [8, 8]
    goods = {"wood": 3, "brick": 2}
    assert store("finished_store", goods, "autumn_hunt_fair", "autumn_hog_fair") == [8, 6]
    assert store("gems_store", {"ruby": 2, "pearl": 3}) == [4, 9]


def test_pearls_are_declared_for_the_most_points() -> None:
    """keyper-at-sea W117."""
    scene = Scene().items(0, ruby=1, sapphire=1, emerald=1, pearl=2).store("gems_store", upgraded=True)
    assert points(scene.built("v11", "bracelet_maker", upgraded=True)) == 6 + 3


def test_every_keyple_tile_scores_a_flat_value() -> None:
    for tile in PARTS.tiles.values():
        if tile.keyple_icon:
            assert [line.unit for line in tile.score.base] == [Flat()]
