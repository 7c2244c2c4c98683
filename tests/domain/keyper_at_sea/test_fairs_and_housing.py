"""Fairs and housing (keyper-at-sea §6.11, §6.12, §12 W91 to W97)."""

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.components.entries import Season
from keylore_domain.games.keyper_at_sea.scoring.housing import homeless
from keylore_domain.games.keyper_at_sea.scoring.totals import score_parts
from tests.domain.keyper_at_sea.builders import DONE, PARTS, Scene

SPRING = {"sheep": 2, "cow": 2, "pig": 2, "horse": 2, "log": 1, "clay": 1, "rock": 1, "wheat": 2}
SUMMER = {
    "cow": 2,
    "pig": 1,
    "sheep": 2,
    "horse": 2,
    "chicken": 3,
    "goat": 3,
    "wheat": 2,
    "wood": 1,
    "brick": 1,
    "stone": 1,
    "ruby": 1,
    "sapphire": 1,
}
AUTUMN = {
    "deer": 3,
    "boar": 3,
    "chicken": 2,
    "goat": 2,
    "cow": 1,
    "horse": 1,
    "pig": 1,
    "sheep": 1,
    "ruby": 1,
    "sapphire": 1,
    "emerald": 2,
    "gold": 2,
    "wheat": 3,
}
WINTER = {
    "cow": 2,
    "horse": 2,
    "pig": 2,
    "sheep": 2,
    "deer": 3,
    "boar": 3,
    "chicken": 1,
    "goat": 1,
    "ruby": 1,
    "sapphire": 1,
    "emerald": 1,
    "gold": 1,
    "wood": 2,
    "brick": 1,
    "stone": 1,
}


def holding(season: Season, items: dict[str, int], *fairs: str) -> Scene:
    """Seat 0 may hold these fairs (all of the season when none are named)."""
    chosen = fairs or tuple(fair for fair in PARTS.fairs if PARTS.fairs[fair].season == season)
    return Scene().in_season(season).items(0, **items).have(0, fairs=chosen).do("fairs")


def held(scene: Scene) -> tuple[int, int]:
    """Hold every fair that can be held, the first offered first; their number and points."""
    while scene.kind == "hold_fair":
        scene.play_default()
    found = scene.household().held
    return len(found), score_parts(PARTS, scene.now, Seat(0))[1]


def hold(fair: str) -> dict[str, str]:
    return {"action": "hold", "fair": fair}


def without(items: dict[str, int], item: str) -> dict[str, int]:
    return {**items, item: items[item] - 1}


def test_spring_fairs() -> None:
    """keyper-at-sea W91."""
    assert held(holding("spring", SPRING)) == (6, 24)
    scene = holding("spring", without(SPRING, "cow"))
    assert "spring_cattle_fair" not in scene.names("fair")
    assert held(scene) == (5, 20)


def test_summer_fairs() -> None:
    """keyper-at-sea W92."""
    assert held(holding("summer", SUMMER)) == (7, 36)
    scene = holding("summer", without(SUMMER, "sheep"))
    assert {"summer_stock_fair", "summer_steed_fair"} <= set(scene.names("fair"))
    scene.play(hold("summer_steed_fair"))
    assert "summer_stock_fair" not in scene.names("fair")


def test_autumn_fairs() -> None:
    """keyper-at-sea W93."""
    assert held(holding("autumn", AUTUMN)) == (7, 47)
    scene = holding("autumn", without(AUTUMN, "emerald")).play(hold("autumn_gold_fair"))
    assert "autumn_gem_fair" not in scene.names("fair")


def test_winter_fairs() -> None:
    """keyper-at-sea W94."""
    assert held(holding("winter", WINTER)) == (6, 50)
    pearl = {**without(WINTER, "ruby"), "pearl": 1}
    assert "winter_crown_fair" not in holding("winter", pearl).names("fair")
    wheat = {**without(WINTER, "stone"), "wheat": 1}
    assert "winter_guild_fair" not in holding("winter", wheat).names("fair")


@pytest.mark.parametrize("fair", PARTS.fairs)
def test_each_fair_needs_all_its_exhibits(fair: str) -> None:
    """keyper-at-sea H2."""
    entry = PARTS.fairs[fair]
    items = {item: entry.exhibit.count(item) for item in entry.exhibit}
    assert held(holding(entry.season, items, fair)) == (1, entry.points)
    for item in items:
        assert held(holding(entry.season, without(items, item), fair)) == (0, 0)


def test_fairs_are_held_before_animals_are_housed() -> None:
    """keyper-at-sea W95."""
    scene = holding("autumn", {"deer": 2, "boar": 1}, "autumn_hunt_fair").play(hold("autumn_hunt_fair"))
    assert scene.household().held == ("autumn_hunt_fair",)
    assert scene.owned() == {"deer": 2, "boar": 1}
    scene.again().do("housing")
    while scene.kind == "lose_item":
        scene.play_default()
    assert scene.owned() == {}
    assert scene.household().held == ("autumn_hunt_fair",)


def test_the_owner_chooses_which_animal_is_lost() -> None:
    """keyper-at-sea W96."""
    one = Scene().built("f11", "cow_shed").items(0, cow=6).do("housing")
    assert one.owned() == {"cow": 4}
    two = Scene().built("f11", "cow_shed").built("f12", "paddock").items(0, cow=6, horse=3).do("housing")
    assert two.kind == "lose_item"
    assert two.legal == [{"item": "cow"}, {"item": "horse"}]
    assert two.play({"item": "horse"}).owned() == {"cow": 6, "horse": 2}
    sea = Scene().built("f11", "cow_shed").built("f12", "ice_house").items(0, cow=1, crab=3, fish=1)
    assert sea.do("housing").owned() == {"cow": 1, "crab": 3}


def test_lost_creatures_go_to_the_sea_discard_and_animals_to_the_supply() -> None:
    """keyper-at-sea A4."""
    scene = Scene().items(0, crab=1).supply(cow=3).do("housing")
    assert scene.now.sea_discard[-1] == "crab"
    assert scene.again().items(0, cow=1).do("housing").in_supply("cow") == 4


def test_housing_moves_items_on_where_that_makes_room() -> None:
    """keyper-at-sea A3."""
    scene = Scene().built("f11", "paddock").built("f12", "cow_shed").items(0, cow=4, horse=4)
    assert homeless(PARTS, scene.household()) == 0
    scene.built("f21", "menagerie").items(0, cow=8, horse=5)
    assert homeless(PARTS, scene.household()) == 1


def test_dealt_fairs_of_later_seasons_stay_secret() -> None:
    """keyper-at-sea W97."""
    dealt = ("spring_wool_fair", "summer_jewel_fair", "autumn_gold_fair")
    scene = Scene().have(0, secret=dealt).items(0).do("fairs")
    assert scene.household().secret == dealt[1:]
    assert scene.now.removed_open == ("spring_wool_fair",)
    assert scene.noted(facts.FairRemoved) == [facts.FairRemoved("spring_wool_fair")]


def test_a_seat_may_stop_holding_fairs() -> None:
    """keyper-at-sea H3."""
    scene = holding("spring", SPRING).play(hold("spring_wool_fair"), DONE)
    assert scene.household().held == ("spring_wool_fair",)
    assert len(scene.now.removed_open) == 5
    assert scene.household().fairs == ()
