"""Costs, building, upgrading, sites and overbuilding (keyper-at-sea §6.1, §6.10, §12 W42 to W53)."""

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.components import ops
from keylore_domain.games.keyper_at_sea.components.items import ItemCounts
from keylore_domain.games.keyper_at_sea.state.stock import payments, prices
from tests.domain.keyper_at_sea.builders import DECLINE, PARTS, Scene, both, points

BUILD, UPGRADE_FIELD = "sea.3.0", "sea.3.1"


def payable(cost: list[str], **items: int) -> list[dict[str, int]]:
    scene = Scene().items(0, **items)
    found = payments(PARTS, scene.state, Seat(0), [tuple(cost)])
    return [{PARTS.items[at]: payment.count(at) for at in sorted(set(payment))} for payment in found]


def active(tile: str, plot: str = "v11", *, upgraded: bool = False) -> Scene:
    """Seat 0 has one white keyple and this tile to play it on."""
    return Scene().team(0, "white").built(plot, tile, upgraded=upgraded).unbuilt()


def build(tile: str) -> dict[str, str]:
    return {"action": "build", "tile": tile}


def at(plot: str, site: str | None = None) -> dict[str, str | None]:
    return {"plot": plot, "site": site}


def test_wheat_and_finished_goods_substitute() -> None:
    """keyper-at-sea W42."""
    goods = {"stone": 1, "wheat": 1}
    assert payable(["rock", "raw"], **goods) == [{"stone": 1, "wheat": 1}]
    assert payable(["rock"], **goods) == [{"stone": 1}, {"wheat": 1}]
    assert payable(["stone"], **goods) == [{"stone": 1}, {"wheat": 1}]
    assert payable(["log"], **goods) == [{"wheat": 1}]
    assert payable(["fish"], fish=1, crab=1, wheat=1) == [{"fish": 1}]
    assert payable(["gem"], gold=1, pearl=1, ruby=1) == [{"ruby": 1}, {"gold": 1}]


def test_payments_are_listed_item_by_item() -> None:
    """keyper-at-sea W43."""
    assert payable(["raw", "raw"], log=2, clay=2, wheat=1) == [
        {"log": 2},
        {"log": 1, "clay": 1},
        {"log": 1, "wheat": 1},
        {"clay": 2},
        {"clay": 1, "wheat": 1},
    ]


def test_the_payment_is_chosen_and_returns_to_the_supply() -> None:
    """keyper-at-sea CO2, P12."""
    scene = Scene().team(0, "white").items(0, log=1, wheat=1).unbuilt("deer_park").supply(log=3, wheat=3)
    scene.place("white", BUILD).play(build("deer_park"), at("f11"))
    assert scene.kind == "pay"
    assert scene.legal == [{"payment": {"log": 1}}, {"payment": {"wheat": 1}}]
    assert scene.prompt.default == 0
    scene.play({"payment": {"wheat": 1}})
    assert scene.owned() == {"log": 1}
    assert (scene.in_supply("log"), scene.in_supply("wheat")) == (3, 4)
    moved = [(fact.source, fact.to, fact.items) for fact in scene.noted(facts.ItemsMoved)]
    assert moved == [("seat_0", "supply", ItemCounts(wheat=1))]


def test_the_builder_builds_or_upgrades_for_a_finished_good() -> None:
    """keyper-at-sea W44."""

    def builder(**items: int) -> Scene:
        scene = active("builder").items(0, **items).unbuilt("crabber", "ice_house", "deer_park")
        return scene.place("white", "v11")

    assert builder(fish=3).passed_over == [1]
    scene = builder(fish=3, wood=1)
    assert scene.kind == "choose_effect"
    assert scene.legal == [{"action": "use", "option": 0}, {"action": "use", "option": 1}, DECLINE]
    scene.play({"action": "use", "option": 0})
    assert scene.names("tile") == ["ice_house", "deer_park", "crabber"]
    scene.play(build("crabber"), at("f11"))
    assert scene.owned() == {"fish": 3}
    scene = builder(wood=1).play({"action": "use", "option": 1})
    assert scene.names("target") == ["v11"]
    scene.play({"action": "upgrade", "target": "v11"})
    assert scene.household().plots[PARTS.plot["v11"]].upgraded


def test_an_upgraded_builder_builds_and_upgrades() -> None:
    """keyper-at-sea W45."""
    scene = active("builder", upgraded=True).items(0, wood=2).unbuilt("crabber").store("gems_store")
    scene.place("white", "v11").play(build("crabber"), at("v12"))
    assert scene.names("target") == ["v12", "gems_store"]
    scene.play({"action": "upgrade", "target": "gems_store"})
    assert scene.household().stores[0].upgraded
    assert scene.owned() == {}
    scene = active("builder", upgraded=True).items(0, wood=1).unbuilt("crabber").store("gems_store")
    scene.place("white", "v11").play(build("crabber"), at("v12"))
    assert scene.kind != "upgrade_tile"
    scene = active("builder", upgraded=True).items(0, wood=1).unbuilt("crabber").store("gems_store")
    scene.place("white", "v11").play(DECLINE)
    assert scene.kind == "upgrade_tile"


def test_the_building_plot_builds_in_the_village_for_one_slot_less() -> None:
    """keyper-at-sea W46."""
    unbuilt = ("crabber", "ice_house", "barn", "granary")
    scene = active("building_plot").unbuilt(*unbuilt).place("white", "v11")
    assert scene.names("tile") == ["ice_house", "crabber"]
    scene.play(build("ice_house"))
    assert {plot[0] for plot in scene.names("plot")} == {"v"}
    scene.play(at("v43"))
    assert scene.household().plots[PARTS.plot["v43"]].stack == ("ice_house",)
    scene = active("building_plot", upgraded=True).items(0, log=1).unbuilt(*unbuilt).place("white", "v11")
    assert scene.names("tile") == ["granary", "ice_house", "crabber"]
    scene.play(build("granary"), at("v12"))
    assert scene.owned() == {}


def test_the_farm_labourer_builds_in_the_farm_for_one_slot_less() -> None:
    """keyper-at-sea W47."""
    scene = active("farm_labourer", "f11").unbuilt("ice_house", "barn").place("white", "f11")
    assert scene.names("tile") == ["ice_house"]
    scene.play(build("ice_house"))
    assert {plot[0] for plot in scene.names("plot")} == {"f"}
    scene = active("farm_labourer", "f11", upgraded=True).items(0, clay=1).unbuilt("ice_house", "barn")
    scene.place("white", "f11")
    assert scene.names("tile") == ["ice_house", "barn"]
    scene.play(build("barn"), at("f12"))
    assert scene.owned() == {}


def test_the_improver_upgrades_for_one_slot_less() -> None:
    """keyper-at-sea W48."""

    def improver(*, upgraded: bool, **items: int) -> Scene:
        scene = active("improver", "v12", upgraded=upgraded).items(0, **items)
        return scene.built("f11", "cow_shed").built("v11", "village_hall").place("white", "v12")

    scene = improver(upgraded=False)
    assert scene.names("target") == ["f11", "v12"]
    scene.play({"action": "upgrade", "target": "f11"})
    assert scene.household().plots[0].upgraded
    assert improver(upgraded=True).names("target") == ["f11"]
    scene = improver(upgraded=True, clay=1)
    assert scene.names("target") == ["f11", "v11"]
    scene.play({"action": "upgrade", "target": "v11"})
    assert scene.owned() == {}


def test_an_overbuilt_tile_has_no_function() -> None:
    """keyper-at-sea W49."""
    scene = Scene().team(0, "white").built("v11", "log_store", upgraded=True).items(0, log=2)
    assert points(scene) == 4
    scene.unbuilt("surveyor", "guide").place("white", BUILD).play(build("surveyor"))
    assert at("v11") in scene.legal
    scene.play(at("v11"))
    plot = scene.household().plots[PARTS.plot["v11"]]
    assert (plot.stack, plot.upgraded) == (("log_store", "surveyor"), False)
    assert scene.owned() == {"log": 1}
    assert points(scene) == 1
    (fact,) = scene.noted(facts.TileBuilt)
    assert (fact.covered, fact.site) == ("log_store", None)
    scene = Scene().team(0, "white").built("v11", "log_store", "surveyor").items(0, log=1).unbuilt("guide")
    assert at("v11") in scene.place("white", BUILD).play(build("guide")).legal


def test_a_covered_house_houses_nothing() -> None:
    """keyper-at-sea W50."""
    scene = Scene().built("f11", "cow_shed", "barn").items(0, cow=2).do("housing")
    assert scene.owned() == {}
    scene = Scene().built("f11", "cow_shed", "barn").built("f12", "paddock").items(0, cow=2).do("housing")
    assert scene.owned() == {"cow": 2}


def test_a_home_tile_comes_on_a_site_only_by_overbuilding() -> None:
    """keyper-at-sea W51."""
    scene = (
        Scene().team(0, "white", "brown").items(0, fish=3).unbuilt("site_1", "site_2", "crabber", "ice_house")
    )
    scene.place("white", BUILD).play(build("crabber"), at("vx2", "site_1"))
    assert scene.household().tiles == ("ice_house", "site_2")
    scene = scene.again().cell("sea.3.0", keyples=()).start().place("brown", BUILD).play(build("ice_house"))
    places = [plot for plot in scene.names("plot") if "x" in plot]
    assert places == ["vx2"]
    assert at("vx2") in scene.legal
    scene = scene.again().unbuilt("site_2", "angler").team(0, "brown").cell(BUILD, keyples=())
    scene.start().place("brown", BUILD).play(build("angler"), at("fx1", "site_2"))
    assert scene.household().tiles == ()
    assert scene.household().plots[PARTS.plot["fx1"]].stack == ("site_2", "angler")


def test_the_developer_counts_country_tiles_under_country_tiles() -> None:
    """keyper-at-sea W52."""
    scene = Scene().built("v11", "developer").built("fx1", "site_1", "deer_park")
    assert both(scene, "v11") == (0, 0)
    scene.built("fx1", "site_1", "deer_park", "paddock")
    assert both(scene, "v11") == (3, 6)
    scene.built("v12", "log_store", "surveyor", "guide")
    assert [value - 1 for value in both(scene, "v11")] == [6, 12]  # less the guide's point


def test_the_upgraded_hirer_counts_pairs_on_the_board() -> None:
    """keyper-at-sea W53."""
    scene = Scene().built("v11", "hirer").built("fx1", "site_1", "barn")
    for plot in ("v12", "v13", "v21", "f11", "f12", "f21"):
        scene.built(plot, "smoke_house")
    barn = 2 * 2  # four farm tiles
    assert [value - barn for value in both(scene, "v11")] == [1, 3]
    scene = Scene().built("v11", "hirer")
    for place in PARTS.plots[:20]:
        if place.id != "v11":
            scene.built(place.id, "smoke_house")
    assert both(scene, "v11") == (1, 10)


def test_a_keyple_stays_on_an_overbuilt_tile() -> None:
    """keyper-at-sea T9."""
    scene = Scene().team(0, "white").built("v11", "workshop").put("v11", "black").items(0, log=1)
    scene.unbuilt("surveyor").place("white", BUILD).play(build("surveyor"), at("v11"))
    assert scene.household().plots[PARTS.plot["v11"]].keyple is not None
    assert scene.household().plots[PARTS.plot["v11"]].stack == ("workshop", "surveyor")


def test_prices_of_every_mode() -> None:
    """keyper-at-sea E6."""
    two = ("brick", "raw")
    assert prices(ops.Build("printed", "any"), two) == (two,)
    assert prices(ops.Build("fixed", "any", ("finished",)), two) == (("finished",),)
    assert prices(ops.Build("discount", "any"), two) == (("raw",), ("brick",))
    assert prices(ops.Build("discount", "any"), ("fish", "wheat")) == (("fish", "wheat"),)
    assert prices(ops.Upgrade("minus_one"), ("fish", "wheat")) == (("wheat",), ("fish",))
    assert prices(ops.Upgrade("minus_one"), ()) == ((),)
    assert prices(ops.Upgrade("minus_one", single_only=True), two) == ()
    assert prices(ops.Upgrade("minus_one", single_only=True), ("raw",)) == ((),)
