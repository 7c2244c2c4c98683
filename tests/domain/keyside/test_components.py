"""The data file: what it must keep (keyside §2)."""

from functools import lru_cache
from typing import Any

import msgspec
import pytest
import yaml

from keylore_domain.errors import DataFileError
from keylore_domain.games.keyside.components.parts import Parts, parse, standard
from keylore_domain.games.keyside.rules import Keyside
from keylore_domain.games.keyside.state.position import HARBOUR, NODE_AT, TOWN
from tests.domain.keyside.builders import GAME


def _changed(path: str, value: Any) -> str:
    """The shipped file with one entry changed; None takes it out."""
    raw = _shipped()
    *parents, last = path.split("/")
    target: Any = raw
    for key in parents:
        target = target[_key(target, key)]
    if value is None:
        del target[_key(target, last)]
    else:
        target[_key(target, last)] = value
    text: str = yaml.dump(raw, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper))
    return text


@lru_cache(maxsize=1)
def _packed() -> bytes:
    return msgspec.msgpack.encode(yaml.load(standard(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def _shipped() -> Any:
    return msgspec.msgpack.decode(_packed(), strict=False)


def _key(target: Any, key: str) -> Any:
    return int(key) if isinstance(target, list) or (key.isdigit() and int(key) in target) else key


@pytest.mark.parametrize(
    ("path", "value", "entry"),
    [
        ("board/roads/r0", None, "board.roads"),
        ("by_seats/3", None, "by_seats"),
        ("farms/F5", None, "farms"),
        ("cottages/X", None, "cottages"),
        ("headland_tiles/F", None, "headland_tiles"),
        ("scoring_tiles/12", None, "scoring_tiles"),
        ("solo/beacons/C6", None, "solo.beacons"),
        ("solo/beacons/C6", {"points": 35}, "solo.beacons.C6"),
        ("solo/beacons/C6", {"points": 35, "harbours": 2}, "solo.beacons.C6"),
        ("solo/beacons/A4", {"harbours": [1, 2], "keyples_each": 3}, "solo.beacons.A4"),
        ("solo/beacons/B3", {"fishes": 10}, "solo.beacons[...]"),
        ("resource_tiles/forest", None, "resource_tiles"),
        ("harbour_tiles/L", None, "harbour_tiles"),
        ("markets/7/tile", "white", "markets"),
        ("markets/7/none", None, "markets[7]"),
        ("markets/0/reverse", None, "markets[0]"),
        ("board/roads/h0", ["m0", "r0", "x9"], "board.roads.h0"),
        ("board/roads/h0", ["m0", "r0", "r7"], "board.roads.r7"),
        ("dice_strips/0/light", [1, 2, 3, 4, 5, 5], "dice_strips[0].light"),
        ("dice_strips/0/strip", "S2", "dice_strips"),
        ("cottages/A/colour", "green", "cottages"),
        ("first_game/start", {"C": 11, "F": 1, "B": 5, "X": 9}, "first_game.start"),
        ("first_game/start", {"C": 11, "F": 1, "N": 13, "X": 9}, "first_game.start"),
        ("dice_bands/mid", [4, 5], "dice_bands"),
        ("mats/basic/yellow/4", None, "mats.basic.yellow"),
        ("mats/E/green/1", [], "mats.E.green.1"),
        ("mats/E/green/1", [[{"move": 1, "build": 1}]], "mats.E.green.1"),
        ("mats/E/green", {5: [[{"move": 1}]]}, "mats.E.green"),
        ("mats/backs/A", "A", "mats.backs.A"),
        ("ladders/keyples_on_mat", [{"provenance": "house", "step": [1, None, 0]}], "ladders.keyples_on_mat"),
        ("scoring_tiles/9/black/ladder", "steps", "scoring_tiles.9"),
        ("counts/keyples_in_town", 7, "counts.keyples_per_seat"),
        ("solo/effect_by_number/6", None, "solo.effect_by_number"),
        ("resource_tiles/quarry/item", "wood", "resource_tiles.quarry.item"),
        ("scoring_tiles/5/black/count", "fishes", "scoring_tiles.5"),
        ("scoring_tiles/5/black/each", 0, "scoring_tiles.5"),
        ("scoring_tiles/7/red/of", [], "scoring_tiles.7"),
        ("cottages/B/per", "hay", "cottages.B"),
        ("cottages/F/set", [], "cottages.F"),
        ("cottages/L/tile", "Z", "cottages.L.tile"),
        ("headland_tiles/A/trigger", None, "headland_tiles.A.trigger"),
        ("headland_tiles/C/oriented", True, "headland_tiles.C.oriented"),
        ("harbour_tiles/I/red_space", False, "harbour_tiles"),
        ("by_seats/4/boats", 4, "by_seats.4"),
        ("by_seats/2/boat_gap", 12, "by_seats.2"),
        ("solo/flag_gap", 6, "solo.flag_gap"),
        ("solo/icon_order", ["gem", "fish", "wheat", "stone"], "solo.icon_order"),
        ("farms/F1/provenance", None, "farms[...]"),
        ("farms/F1/a", ["wood", "wood", "stone"], "farms[...].a"),
        ("harbour_tiles/A/effect", "sail", "harbour_tiles[...].effect"),
        ("game", "keydom", "game"),
    ],
)
def test_a_wrong_entry_is_named(path: str, value: Any, entry: str) -> None:
    """Keyside §2.2 and the shape of the file."""
    with pytest.raises(DataFileError) as error:
        parse(_changed(path, value))

    assert error.value.entry == entry


def _moved_road() -> dict[str, list[str]]:
    """Roads on which h0 has lost its way to the town and stands on r0 alone."""
    roads: dict[str, list[str]] = _shipped()["board"]["roads"]
    return roads


def test_harbours_must_be_two_or_three_steps_from_the_town() -> None:
    """Keyside §2.2."""
    roads = _moved_road()
    roads["town"].append("h0")
    roads["h0"].append("town")

    with pytest.raises(DataFileError, match=r"must be 2 or 3 steps from the town, is 1") as error:
        parse(_changed("board/roads", roads))
    assert error.value.entry == "board.roads.h0"


def test_all_locations_must_be_connected() -> None:
    """Keyside §2.2."""
    roads = _moved_road()
    for other in roads["r0"]:
        roads[other].remove("r0")
    roads["r0"] = []

    with pytest.raises(DataFileError, match="is not connected") as error:
        parse(_changed("board/roads", roads))
    assert error.value.entry == "board.roads.r0"


def test_each_harbour_needs_one_inland_location() -> None:
    """Keyside §2.2."""
    roads = _moved_road()
    roads["r0"].remove("h0")
    roads["h0"].remove("r0")

    with pytest.raises(DataFileError, match="one resource location") as error:
        parse(_changed("board/roads", roads))
    assert error.value.entry == "board.roads.h0"


def test_the_shipped_roads_have_the_distances_of_the_spec() -> None:
    """Keyside §2.2."""
    board = GAME.parts
    steps = dict(zip(NODE_AT, board.distance[TOWN], strict=True))

    assert [steps[f"m{at}"] for at in range(8)] == [1, 2] * 4
    assert [steps[f"r{at}"] for at in range(8)] == [2] * 8
    assert [steps[f"h{at}"] for at in range(12)] == [2, 2, 3] * 4
    assert board.inland == (0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7)
    assert NODE_AT["h2"] - HARBOUR == 2


def test_a_league_may_play_with_its_own_amounts() -> None:
    """Keyside §1, option ``data``."""
    text = _changed("harbour_tiles/L/amount", [4, 4, 4])

    assert Keyside(text).parts.data.harbour_tiles["L"] != GAME.parts.data.harbour_tiles["L"]
    assert Keyside(text).data_text == text
    assert isinstance(Keyside().parts, Parts)
