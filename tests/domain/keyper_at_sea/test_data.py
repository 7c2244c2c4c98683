"""The component data file (keyper-at-sea §2)."""

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import msgspec
import pytest
import yaml

from keylore_domain.errors import DataFileError
from keylore_domain.games.keyper_at_sea.components.checks import check
from keylore_domain.games.keyper_at_sea.components.entries import DataFile
from keylore_domain.games.keyper_at_sea.components.items import ITEM_NAMES
from keylore_domain.games.keyper_at_sea.components.parts import parse, standard
from keylore_domain.games.keyper_at_sea.prompts.asked import ASKED, MOVE_TYPES
from keylore_domain.games.keyper_at_sea.rules import KeyperAtSea
from tests.domain.keyper_at_sea.builders import PARTS

Raw = dict[str, Any]
SHIPPED = yaml.load(standard(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def entry(raw: Raw, section: str, name: str) -> Raw:
    found: Raw = next(item for item in raw[section]["list"] if item["id"] == name)
    return found


def changed(change: Callable[[Raw], object]) -> Raw:
    raw: Raw = deepcopy(SHIPPED)
    change(raw)
    return raw


def drop(raw: Raw, section: str, name: str) -> Raw:
    raw[section]["list"] = [item for item in raw[section]["list"] if item["id"] != name]
    return raw


def test_the_components_are_the_printed_ones() -> None:
    """keyper-at-sea §2.3."""
    owners = Counter((tile.owner, tile.game, tile.kind) for tile in PARTS.tiles.values())
    assert owners == {
        ("home", "base", "farm"): 6,
        ("home", "base", "village"): 6,
        ("home", "sea", "flex"): 2,
        ("country", "base", "farm"): 12,
        ("country", "base", "village"): 36,
        ("country", "sea", "flex"): 4,
        ("country", "sea", "village"): 3,
        ("country", "sea", "site"): 2,
    }
    assert Counter(fair.season for fair in PARTS.fairs.values()) == {
        "spring": 6,
        "summer": 7,
        "autumn": 7,
        "winter": 6,
    }
    assert sum(tile.spring for tile in PARTS.tiles.values()) == 17
    country = {d.grid for d in PARTS.displays.values() if d.board == "country"}
    assert len(country) == 14
    assert (
        sum(
            item.supply
            for item in PARTS.data.items.entries
            if item.group in ("creature", "pearl", "treasure")
        )
        == 90
    )
    assert PARTS.items == ITEM_NAMES


@pytest.mark.parametrize("tile", PARTS.tiles)
def test_maxima_are_points_times_cap(tile: str) -> None:
    """keyper-at-sea §6.10, the last column."""
    score = PARTS.tiles[tile].score
    most = tuple(sum(line.points * line.cap for line in lines) for lines in (score.base, score.upgraded))
    expected = {
        "barn": (8, 12),
        "pavements": (8, 16),
        "village_hall": (8, 16),
        "bracelet_maker": (16, 24),
        "developer": (12, 24),
        "hirer": (1, 10),
        "stockpile": (12, 16),
        "thatcher": (4, 8),
        "menagerie": (4, 8),
        "workshop": (1, 2),
        "site_1": (0, 0),
        "site_2": (0, 0),
    }
    if PARTS.tiles[tile].owner == "home":
        expected.setdefault(tile, (4, 8))
    elif PARTS.tiles[tile].keyple_icon:
        expected.setdefault(tile, (1, 3))
    assert most == expected.get(tile, (8, 12))


def test_the_shipped_file_is_used_unless_another_is_given() -> None:
    assert KeyperAtSea().data_text == standard()
    text = yaml.safe_dump(changed(lambda raw: entry(raw, "fairs", "spring_wool_fair").update(points=9)))
    assert KeyperAtSea(text).parts.fairs["spring_wool_fair"].points == 9


def test_every_prompt_kind_of_the_spec_is_there() -> None:
    """keyper-at-sea §5.5: 25 kinds; paying is asked for builds and for upgrades."""
    assert (len(MOVE_TYPES), len(ASKED)) == (25, 26)


def _rename_white(raw: Raw) -> None:
    raw["keyples"]["colours"][-1]["id"] = "pale"
    raw["keyples"]["start_team"]["pale"] = raw["keyples"]["start_team"].pop("white")
    for tile in raw["tiles"]["list"]:
        for line in (*tile["score"]["base"], *tile["score"]["upgraded"]):
            if line["unit"].get("colour") == "white":
                line["unit"]["colour"] = "pale"


WRONG: list[tuple[str, Callable[[Raw], object]]] = [
    ("items.log", lambda raw: entry(raw, "items", "log").pop("provenance")),
    ("formations", lambda raw: raw["formations"].pop("provenance")),
    ("fish_market", lambda raw: raw["fish_market"].pop("provenance")),
    ("fairs.spring_wool_fair", lambda raw: raw["fairs"]["list"].append(raw["fairs"]["list"][0])),
    ("fields.fo", lambda raw: entry(raw, "fields", "clay_pit").update(code="fo")),
    ("items", lambda raw: entry(raw, "items", "log").update(id="lumber")),
    ("fields.forest", lambda raw: entry(raw, "fields", "forest")["ops"][0].update(item="coal")),
    ("fields.forest", lambda raw: entry(raw, "fields", "forest").update(border="pink")),
    ("tiles.cow_shed", lambda raw: entry(raw, "tiles", "cow_shed").update(build=["gravel"])),
    ("tiles.cow_shed", lambda raw: entry(raw, "tiles", "cow_shed").update(houses=["cat"])),
    ("tiles.ice_house", lambda raw: entry(raw, "tiles", "ice_house")["upgrade"].update(farm=["ice"])),
    ("boats.boat_1", lambda raw: entry(raw, "boats", "boat_1")["ship"][0].update(pay=["raw"])),
    ("boats", lambda raw: raw["boats"].update(border="pink")),
    ("fish_market", lambda raw: raw["fish_market"]["activities"][0]["op"].update(pay=["coin"])),
    ("constants.keyp_yield", lambda raw: raw["constants"]["keyp_yield"].update(value=["coal"])),
    ("constants.start_finished", lambda raw: raw["constants"]["start_finished"].update(value={"coal": 1})),
    ("keyples.start_team", lambda raw: raw["keyples"]["start_team"].update(pink=1)),
    ("displays.spring-1", lambda raw: entry(raw, "displays", "spring-1")["grid"].pop()),
    ("displays.spring-1", lambda raw: entry(raw, "displays", "spring-1")["grid"][1].__setitem__(0, "xx")),
    ("displays.spring-1", lambda raw: entry(raw, "displays", "spring-1")["grid"][1].__setitem__(0, "K")),
    ("displays.spring-1", lambda raw: entry(raw, "displays", "spring-1")["grid"][0].__setitem__(1, "fo")),
    ("displays.spring-1", lambda raw: entry(raw, "displays", "spring-1")["grid"][1].__setitem__(0, "W")),
    ("displays.spring-1", lambda raw: entry(raw, "displays", "spring-1")["grid"][1].__setitem__(0, "fm")),
    ("fields", lambda raw: entry(raw, "fields", "keyp").update(code="Q")),
    ("displays.autumn-1", lambda raw: entry(raw, "displays", "autumn-1")["grid"][1].__setitem__(0, "fo")),
    ("displays.autumn-1", lambda raw: entry(raw, "displays", "autumn-1").update(same_as="summer-9")),
    (
        "displays",
        lambda raw: [entry(raw, "displays", f"winter-{n}").update(season="summer") for n in (1, 2, 3, 4)],
    ),
    ("formations.spring_display.c1", lambda raw: raw["formations"]["spring_display"].update(c1="summer-1")),
    (
        "formations.boards_in_play.base.2",
        lambda raw: raw["formations"]["boards_in_play"]["base"].update({2: ["c1"]}),
    ),
    (
        "formations.boards_in_play.base.2",
        lambda raw: raw["formations"]["boards_in_play"]["base"].update({2: ["c1", "sea"]}),
    ),
    (
        "formations.boards_in_play.base.3",
        lambda raw: raw["formations"]["boards_in_play"]["base"].update({3: ["c1", "c2", "c9"]}),
    ),
    ("formations.boards_in_play.base.2", lambda raw: raw["formations"]["without_sea"]["c2"].update(x=2)),
    ("formations.boards_in_play.base.2", lambda raw: raw["formations"]["without_sea"]["c2"].update(x=0)),
    ("formations.boards_in_play.base.2", lambda raw: raw["keyples"]["start_team"].update(white=12)),
    ("tiles.barn", lambda raw: entry(raw, "tiles", "barn").update(build=["raw"] * 4)),
    ("tiles.ice_house", lambda raw: entry(raw, "tiles", "ice_house")["upgrade"].update(farm=["raw"] * 4)),
    ("stores.raw_store", lambda raw: entry(raw, "stores", "raw_store").update(upgrade=["raw"] * 4)),
    ("tiles.barn", lambda raw: entry(raw, "tiles", "barn").update(keyple_icon=True)),
    ("tiles.workshop", lambda raw: entry(raw, "tiles", "workshop")["activate"].update(upgraded=[])),
    ("tiles.site_1", lambda raw: entry(raw, "tiles", "site_1").update(build=["raw"])),
    ("tiles.barn", lambda raw: entry(raw, "tiles", "barn").update(upgrade=None)),
    (
        "tiles.barn",
        lambda raw: entry(raw, "tiles", "barn").update(upgrade={"farm": ["raw"], "village": ["raw"]}),
    ),
    ("tiles", lambda raw: drop(raw, "tiles", "cow_shed")),
    ("fish_fairs", lambda raw: drop(raw, "fish_fairs", "fish_fair_crab_squid")),
    ("fishing_boats", lambda raw: entry(raw, "fishing_boats", "fishing_grey").update(border="black")),
    ("stores", lambda raw: drop(raw, "stores", "gems_store")),
    (
        "fairs",
        lambda raw: [drop(raw, "fairs", f"spring_{name}_fair") for name in ("wool", "cattle", "swine")],
    ),
    ("constants.team_limit", lambda raw: raw["constants"]["team_limit"].update(value={2: 9, 3: 8})),
    ("constants.fish_fair_points", lambda raw: raw["constants"]["fish_fair_points"]["value"].pop("spring")),
    ("constants.start_fish", lambda raw: raw["constants"]["start_fish"]["value"].pop("deep")),
    ("keyples.start_team", lambda raw: raw["keyples"]["start_team"].update(grey=2)),
    (
        "keyples.two_player_ninth_from",
        lambda raw: raw["keyples"].update(two_player_ninth_from=["grey", "grey"]),
    ),
    ("keyples.colours", _rename_white),
    ("fields.sawmill", lambda raw: entry(raw, "fields", "sawmill")["ops"][0].update(of=["wheat"])),
    ("fish_market", lambda raw: raw["fish_market"]["activities"][1].update(season="spring")),
    (
        "fish_market",
        lambda raw: raw["fish_market"]["activities"][0].update(op={"op": "gain", "item": "cow", "n": 1}),
    ),
    ("fields.forest", lambda raw: entry(raw, "fields", "forest").update(ops=[{"op": "fish"}])),
    (
        "tiles.guide",
        lambda raw: entry(raw, "tiles", "guide")["activate"].update(base=[{"op": "fish_market"}]),
    ),
    (
        "tiles.guide",
        lambda raw: entry(raw, "tiles", "guide")["activate"].update(
            base=[{"op": "choose", "options": [[{"op": "boat_work"}]]}]
        ),
    ),
]


@pytest.mark.parametrize(("name", "change"), WRONG, ids=[f"{n}-{name}" for n, (name, _) in enumerate(WRONG)])
def test_a_wrong_file_is_rejected_with_the_entry(name: str, change: Callable[[Raw], object]) -> None:
    """keyper-at-sea §2.6."""
    with pytest.raises(DataFileError) as caught:
        check(msgspec.convert(changed(change), DataFile))
    assert caught.value.entry == name


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: entry(raw, "boats", "boat_1").update(cargo=[]),
        lambda raw: entry(raw, "tiles", "herdsman")["activate"]["base"][0].update(items=[]),
        lambda raw: entry(raw, "tiles", "builder")["activate"]["base"][0].update(options=[[]]),
        lambda raw: entry(raw, "tiles", "barn")["score"]["base"][0].update(
            unit={"type": "item_set", "items": []}
        ),
        lambda raw: entry(raw, "tiles", "barn")["score"]["base"][0].update(unit={"type": "crowd"}),
        lambda raw: entry(raw, "fields", "build")["ops"][0].update(mode="gift"),
    ],
)
def test_an_empty_list_or_an_unknown_word_is_rejected(change: Callable[[Raw], object]) -> None:
    """keyper-at-sea §2.6."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(changed(change), DataFile)


def test_a_number_below_one_is_rejected() -> None:
    """keyper-at-sea §2.6."""
    text = yaml.safe_dump(changed(lambda raw: entry(raw, "fairs", "spring_wool_fair").update(points=0)))
    with pytest.raises(DataFileError) as caught:
        parse(text)
    assert caught.value.entry == "fairs.list[0].points"
