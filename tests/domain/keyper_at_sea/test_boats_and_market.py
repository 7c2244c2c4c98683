"""Boats, fishing and the fish market (keyper-at-sea §6.7 to §6.9, §12 W54 to W69)."""

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.components.entries import Season
from keylore_domain.games.keyper_at_sea.components.items import ItemCounts
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.spots import cell_of, fishing_grounds
from tests.domain.keyper_at_sea.builders import DECLINE, LAY_DOWN, PARTS, PASS, Json, Scene, join

BOATS = {
    "boat_1": ("log clay sheep", "wood pig ruby", (2, 2, 3)),
    "boat_2": ("clay rock cow", "brick sheep sapphire", (2, 2, 3)),
    "boat_3": ("log rock pig", "stone horse emerald", (2, 2, 3)),
    "boat_4": ("wheat horse ruby", "wood chicken gold", (2, 2, 3)),
    "boat_5": ("wheat chicken gold", "brick goat deer", (2, 3, 3)),
    "boat_6": ("goat sapphire emerald", "stone wheat boar", (2, 2, 3)),
}
MARKET, WATER = "sea.1.2", ("sea.0.0", "sea.0.1")
FISH = {"action": "fish"}
EXHIBIT = {"action": "exhibit"}


def boat(name: str, colour: str, **items: int) -> Scene:
    scene = Scene().dry().team(0, colour).items(0, **items).change(boats_available=(name,))
    return scene.place(colour, name, *WATER)


def take(cell: str) -> Json:
    return {"action": "take", "cell": cell}


def flip(cell: str) -> Json:
    return {"action": "flip", "cell": cell}


@pytest.mark.parametrize("name", BOATS)
def test_each_boat_has_its_cargo_and_its_offers(name: str) -> None:
    """keyper-at-sea W54."""
    cargo, offers, values = BOATS[name]
    scene = boat(name, "brown", **dict.fromkeys(PARTS.items[:19], 1))
    assert scene.names("item") == cargo.split()
    assert scene.names("offer") == [0, 1, 2]
    assert len(scene.legal) == 7
    for offer, (item, value) in enumerate(zip(offers.split(), values, strict=True)):
        shipped = boat(name, "brown", **{item: 1})
        assert shipped.names("offer") == [offer]
        shipped.play({"action": "ship", "offer": offer})
        assert (shipped.household().shipping, shipped.owned()) == (value, {})


def test_the_same_offer_may_be_used_again_and_nothing_substitutes() -> None:
    """keyper-at-sea W55."""
    scene = boat("boat_1", "white", pig=2)
    scene.play({"action": "ship", "offer": 1}, {"action": "ship", "offer": 1})
    assert (scene.household().shipping, scene.owned()) == (4, {})
    assert [(fact.points, fact.by) for fact in scene.noted(facts.ShippingScored)] == [(2, "boat_1")] * 2
    assert boat("boat_1", "white", wheat=3, stone=3).names("offer") == []


def test_cargo_runs_out_with_the_supply() -> None:
    """keyper-at-sea W56."""
    scene = Scene().dry().team(0, "brown").team(1, "brown").supply(cow=1).change(boats_available=("boat_2",))
    scene.place("brown", "boat_2", *WATER).play(join("brown"))
    scene.play({"action": "take_cargo", "item": "cow"})
    assert scene.names("item") == ["clay", "rock"]
    scene.play(DECLINE, DECLINE, DECLINE)
    assert scene.slots == [0, 1, 0, 1]


def traders(tile: str, *, upgraded: bool, **items: int) -> Scene:
    scene = Scene(mode="deep").team(0, "white").items(0, **items).built("v11", tile, upgraded=upgraded)
    scene.moor("boat_5", *WATER, tiles=("pearl",))
    scene.change(boats_available=("boat_1",), boats_aside=("boat_2", "boat_3", "boat_4", "boat_6"))
    return scene.place("white", "v11")


def test_the_merchant_takes_cargo_of_boats_in_play() -> None:
    """keyper-at-sea W57."""
    scene = traders("merchant", upgraded=False)
    assert scene.names("item") == ["log", "clay", "wheat", "sheep", "chicken", "gold"]
    scene.play({"item": "gold"})
    assert scene.kind != "choose_gain"
    scene = traders("merchant", upgraded=True).play({"item": "gold"}, {"item": "gold"})
    assert scene.owned() == {"gold": 2}


def test_the_seafarer_ships_with_boats_in_play() -> None:
    """keyper-at-sea W58."""
    first, second = (
        {"action": "ship", "boat": "boat_1", "offer": 0},
        {"action": "ship", "boat": "boat_5", "offer": 2},
    )
    scene = traders("seafarer", upgraded=False, wood=1, deer=1)
    assert scene.legal == [first, second, DECLINE]
    scene.play(second)
    assert (scene.household().shipping, scene.owned()) == (3, {"wood": 1})
    scene = traders("seafarer", upgraded=True, wood=1, deer=1).play(first, second)
    assert (scene.household().shipping, scene.owned()) == (5, {})


@pytest.mark.parametrize(("colour", "joiner", "slots"), [("brown", "white", 6), ("orange", "white", 4)])
def test_a_joined_fishing_boat(colour: str, joiner: str, slots: int) -> None:
    """keyper-at-sea W59."""
    scene = Scene().dry().team(0, colour).team(1, joiner)
    scene.place(colour, "fishing_brown", "sea.0.0").play(join(joiner))
    scene.play(*[FISH] * slots)
    assert scene.slots == [0, 1] * (slots // 2)


def test_a_white_fisher_is_joined_by_the_boats_colour() -> None:
    """keyper-at-sea W59."""
    scene = Scene().dry().team(0, "white").team(1, *PARTS.colours).place("white", "fishing_brown", "sea.0.0")
    assert scene.legal == [PASS, join("brown"), join("white")]


def fishing_of_w60() -> Scene:
    scene = Scene().dry().team(0, "brown")
    scene.cell("sea.0.0", creature="pearl").cell("sea.0.1", creature="crab", face_up=True)
    scene.cell("sea.1.0", creature="squid").cell("sea.1.1", creature="lobster")
    return scene.place("brown", "fishing_brown", "sea.0.0")


def test_after_a_flip_only_the_flipped_tile_may_be_taken() -> None:
    """keyper-at-sea W60."""
    scene = fishing_of_w60()
    boat_tile = {"action": "take_boat_tile"}
    assert scene.legal == [boat_tile, take("sea.0.1"), flip("sea.1.0"), flip("sea.1.1"), FISH, DECLINE]
    assert scene.prompt.default == 4
    scene.play(flip("sea.1.0"))
    assert scene.legal == [take("sea.1.0"), flip("sea.1.1"), FISH, DECLINE]
    assert scene.context["flipped"] == ["sea.1.0"]
    scene.play(flip("sea.1.1"))
    assert scene.legal == [take("sea.1.1"), FISH, DECLINE]
    scene.play(FISH)
    takes = [take("sea.0.1"), take("sea.1.0"), take("sea.1.1")]
    assert scene.legal == [boat_tile, *takes, FISH, DECLINE]
    scene.play(take("sea.1.0"))
    assert scene.owned() == {"fish": 1, "squid": 1}
    assert cell_of(scene.now, "sea.1.0").creature == ""
    assert [fact.creature for fact in scene.noted(facts.CreatureRevealed)] == ["pearl", "squid", "lobster"]


def test_a_flipped_tile_may_be_taken_at_once() -> None:
    """keyper-at-sea X5."""
    scene = fishing_of_w60().play(flip("sea.1.0"), take("sea.1.0"))
    assert scene.owned() == {"squid": 1}
    assert scene.kind == "fish_action"


def test_nothing_to_fish_is_passed_over() -> None:
    """keyper-at-sea W61."""
    scene = Scene().dry().team(0, "brown").supply(fish=0).place("brown", "fishing_brown", "sea.0.0")
    assert scene.passed_over == [1, 2]
    assert scene.owned() == {}


def test_fishing_reaches_across_boards() -> None:
    """keyper-at-sea W62."""
    scene = Scene(seats=2).moor("fishing_grey", "c1.0.3")
    assert [cell for cell, _ in fishing_grounds(PARTS, scene.state, "fishing_grey")] == [
        "sea.0.0",
        "sea.1.0",
        "c1.1.3",
    ]


def test_a_boat_takes_the_tiles_under_it_along() -> None:
    """keyper-at-sea W63."""
    scene = Scene().dry().team(0, "brown").change(boats_available=("boat_1",))
    scene.cell("sea.1.0", creature="crab").cell("sea.1.1", creature="squid", face_up=True)
    scene.place("brown", "boat_1", "sea.1.0", "sea.1.1")
    moored = scene.now.moored_as("boat_1")
    assert moored is not None
    assert (moored.tiles, moored.board) == (("crab", "squid"), "sea")
    assert [fact.creature for fact in scene.noted(facts.CreatureRevealed)] == ["crab"]
    assert cell_of(scene.now, "sea.1.1").boat == "boat_1"
    assert scene.now.boats_available == ()


def test_the_discard_becomes_the_pile_when_it_is_empty() -> None:
    """keyper-at-sea W64."""
    scene = Scene().dry().change(sea_pile=(), sea_discard=("crab",) * 3)
    scene.change(stalls=((), (), (), ()))
    scene.do("fill_stalls")
    assert scene.now.stalls == (("crab", "crab"), ("crab",), (), ())
    assert (scene.now.sea_pile, scene.now.sea_discard) == ((), ())
    again = Scene().change(sea_pile=(), sea_discard=())
    again.start(wait.ChooseDisplayOf(Seat(0), "c1", "summer")).play({"display": "summer-1", "rotation": 0})
    assert not any(cell.creature for cell in again.now.board("c1").cells)
    (fact,) = again.noted(facts.CreaturesLaid)
    assert fact.number == 0


def test_pearls_and_treasures_leave_the_stalls_for_the_market() -> None:
    """keyper-at-sea W65."""
    scene = Scene().change(
        sea_pile=("pearl", "crab", "treasure", "squid"), stalls=(("crab",) * 2,) * 3 + ((),), treasures=()
    )
    scene.do("fill_stalls")
    assert scene.now.stalls[3] == ("crab", "squid")
    assert scene.now.treasures == ("pearl", "treasure")
    taken = scene.again().team(0, "white").start().place("white", MARKET)
    assert taken.names("stall") == [0, 1, 2, 3]
    taken.play({"action": "take_stall", "stall": 3})
    assert taken.owned() == {"crab": 1, "squid": 1}
    assert taken.now.stalls[3] == ()
    after = taken.again().cell(MARKET, keyples=()).team(0, "white").start().place("white", MARKET)
    assert after.names("stall") == [0, 1, 2]


def market(*opened: Season, **items: int) -> Scene:
    scene = Scene().team(0, "white").items(0, **items)
    return scene.change(opened=opened or ("spring",), stalls=((), (), (), ()), treasures=())


def test_the_spring_activity_gives_two_different_animals() -> None:
    """keyper-at-sea W66."""
    scene = market(fish=1, crab=1).change(fish_fairs=SQUID_FIRST)
    scene.supply(cow=1, sheep=1, horse=0, pig=0).place("white", MARKET)
    both = {"action": "exchange", "season": "spring", "get": ["cow", "sheep"]}
    assert scene.legal == [{**both, "pay": "fish"}, {**both, "pay": "crab"}, DECLINE]
    scene.play({**both, "pay": "crab"})
    assert scene.owned() == {"cow": 1, "sheep": 1, "fish": 1}
    assert scene.now.sea_discard[-1] == "crab"
    moved = [(fact.source, fact.to, fact.items) for fact in scene.noted(facts.ItemsMoved)]
    assert moved == [
        ("seat_0", "sea_discard", ItemCounts(crab=1)),
        ("supply", "seat_0", ItemCounts(cow=1, sheep=1)),
    ]
    none = market(fish=1, crab=1).change(fish_fairs=SQUID_FIRST).supply(cow=0, sheep=1, horse=0, pig=0)
    assert none.place("white", MARKET).passed_over == [1]


SQUID_FIRST = (
    "fish_fair_mussels_squid",
    "fish_fair_lobster_squid",
    "fish_fair_crab_squid",
    "fish_fair_crab_lobster",
    "fish_fair_crab_mussels",
    "fish_fair_lobster_mussels",
)
PAIR_FIRST = ("fish_fair_crab_lobster", *(fair for fair in SQUID_FIRST if fair != "fish_fair_crab_lobster"))


def test_the_activities_of_earlier_seasons_stay() -> None:
    """keyper-at-sea W67."""
    scene = market("spring", "summer", "autumn", squid=1).change(treasures=("pearl",))
    scene.place("white", MARKET)
    actions = [(move["action"], move.get("season")) for move in scene.legal]
    assert actions == [
        *[("exchange", "spring")] * 6,
        ("take_fish", None),
        *[("exchange", "autumn")] * 6,
        ("decline", None),
    ]
    scene.play({"action": "take_fish"})
    assert scene.owned() == {"fish": 2, "squid": 1}
    one = market("spring", "summer").supply(fish=1).place("white", MARKET)
    assert one.play({"action": "take_fish"}).owned() == {"fish": 1}
    none = market("spring", "summer").supply(fish=0).place("white", MARKET)
    assert none.passed_over == [1]


def test_the_winter_activity_takes_a_pearl_or_a_treasure() -> None:
    """keyper-at-sea W68."""
    scene = market("spring", "winter").team(1, "white").change(treasures=("pearl",))
    scene.place("white", MARKET).play(join("white"))
    assert scene.legal == [{"action": "take_treasure", "item": "pearl"}, DECLINE]
    scene.play({"action": "take_treasure", "item": "pearl"})
    assert scene.owned() == {"pearl": 1}
    assert scene.passed_over == [2, 3, 4]
    assert scene.now.treasures == ()


def exhibiting(season: Season = "spring", **items: int) -> Scene:
    scene = market(**items).team(0, keyper="sea").put(MARKET, "brown", "white").in_season(season)
    scene.change(fish_fairs=(PAIR_FIRST[0],) * 4 + PAIR_FIRST[1:3], opened=())
    scene.start().play(LAY_DOWN)
    return scene.play({"spot": MARKET, "colours": ["brown", "white"]})


@pytest.mark.parametrize(("season", "value"), [("spring", 2), ("summer", 3), ("autumn", 4), ("winter", 5)])
def test_the_fish_fair_needs_new_creatures_each_time_in_a_turn(season: Season, value: int) -> None:
    """keyper-at-sea W69."""
    scene = exhibiting(season, crab=1, lobster=1)
    assert scene.legal == [EXHIBIT, DECLINE]
    scene.play(EXHIBIT)
    assert scene.household().shipping == value
    assert scene.passed_over == [2]
    assert scene.owned() == {"crab": 1, "lobster": 1}
    later = scene.again().cell(MARKET, keyples=()).team(0, "white").change(exhibited=(0, 0, 0))
    assert EXHIBIT in later.start().place("white", MARKET).legal
    twice = exhibiting(season, crab=2, lobster=2).play(EXHIBIT, EXHIBIT)
    assert twice.household().shipping == 2 * value
    assert exhibiting(season, crab=2).passed_over == [1, 2]


def test_a_new_turn_forgets_what_was_exhibited() -> None:
    """keyper-at-sea R45."""
    scene = Scene().team(0, "white").change(exhibited=(1, 1, 1)).do("turn")
    assert scene.now.exhibited == (0, 0, 0)
