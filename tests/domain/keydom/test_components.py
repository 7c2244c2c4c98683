"""The data file: what a league may change, and what is refused (§2)."""

from typing import Any

import msgspec
import pytest
import yaml

from keylore_domain.engine.options import parse_options
from keylore_domain.errors import DataFileError, OptionError
from keylore_domain.games.keydom.components.names import COLOURS, LOCATIONS, OPTION_KEYS
from keylore_domain.games.keydom.components.parts import parse, standard
from keylore_domain.games.keydom.rules import Keydom
from keylore_domain.games.keydom.state.position import KeydomOptions
from tests.domain.keydom.builders import GAME, WITHDRAW, cast, resolving


def changed(*path: str | int, to: object) -> str:
    """The shipped data with one value changed."""
    raw: Any = yaml.safe_load(standard())
    entry = raw
    for step in path[:-1]:
        entry = entry[step]
    entry[path[-1]] = to
    return yaml.safe_dump(raw)


def location(name: str) -> int:
    return LOCATIONS.index(name)


def spell(name: str) -> int:
    return list(GAME.parts.cards).index(name)


TRACK = {"value": 3, "entry": 1, "provenance": "house"}
WRONG = [
    (("locations", 0, "id"), "port", "locations"),
    (("locations", 3, "order"), 5, "locations[3].order"),
    (("locations", 3, "region"), "town", "locations[3].region"),
    (("locations", 3, "colour"), "red", "locations[3].colour"),
    (
        ("locations", 3, "supervisor_spaces"),
        {"value": 2, "provenance": "house"},
        "locations[3].supervisor_spaces",
    ),
    (("locations", 3, "supervisor_spaces"), None, "locations[3].supervisor_spaces"),
    (("locations", 3, "pair_spaces"), None, "locations[3].pair_spaces"),
    (("locations", 6, "spaces", "value"), 0, "locations[6].spaces.value"),
    (("locations", 6, "spaces"), None, "locations[6].spaces"),
    (
        ("locations", 6, "track_spaces"),
        {"value": 3, "entry": 1, "provenance": "house"},
        "locations[6].track_spaces",
    ),
    (("locations", 8, "spaces", "value"), 2, "locations[8].spaces"),
    (("locations", 8, "track_spaces"), None, "locations[8].track_spaces"),
    (("locations", 15, "spaces", "value"), 2, "locations[15].spaces"),
    (("locations", 5, "arrest_costs", 0, "pattern"), "xxxxxxx", "locations[5].arrest_costs[0].pattern"),
    (("locations", 5, "arrest_costs", 0, "pattern"), "xxA", "locations[5].arrest_costs[0].pattern"),
    (("locations", 5, "arrest_costs", 0, "target_region"), "chamber", "locations[5].arrest_costs"),
    (("locations", 7, "donations", 1, "pattern"), "AB", "locations[7].donations[1].pattern"),
    (("locations", 7, "donations", 0, "keep"), 10, "locations[7].donations[0].keep"),
    (("locations", 10, "thefts"), [], "locations[10].thefts"),
    (("locations", 11, "pattern"), "", "locations[11].pattern"),
    (("locations", 11, "pattern"), None, "locations[11].pattern"),
    (("locations", 11, "tile"), "key", "locations[11].tile"),
    (("locations", 11, "not_in_short_game"), False, "locations[11].not_in_short_game"),
    (("locations", 9, "spaces", "value"), 4, "limits.spell_market_spaces"),
    (("limits", "tiles_per_type_per_player", "value"), 2, "limits.tiles_per_type_per_player"),
    (("colours", 1, "id"), "purple", "colours[1].id"),
    (("colours", 1, "id"), "blue", "colours"),
    (("colours", 1, "location"), "farm", "colours[1].location"),
    (("tiles", 1, "id"), "safe", "tiles"),
    (("tiles", 1, "location"), "farm", "tiles[1].location"),
    (("tiles", 1, "copies"), 1, "tiles[1].copies"),
    (("tiles", 1, "provenance"), "rumour", "tiles[1].provenance"),
    (("counters", "numbers"), [1, 2, 3], "counters.numbers"),
    (("counters", "start_numbers"), [1, 2, 3], "counters.start_numbers"),
    (("counters", "side_numbers"), [9], "counters.side_numbers"),
    (("cubes", "total"), 100, "cubes.total"),
    (("spells", 0, "cost"), 7, "spells[0].cost"),
    (("spells", 0, "cost"), -1, "spells[0].cost"),
    (("spells", 0, "effect"), "win_the_game", "spells[0].effect"),
    (("spells", 0, "windows"), ["midnight"], "spells[0].windows[0]"),
    (("spells", 0, "windows"), ["reaction_spell"], "spells[0].windows"),
    (("spells", 0, "windows"), [], "spells[0].windows"),
    (("spells", 0, "regions"), ["country"], "spells[0].regions"),
    (("spells", 20, "regions"), [], "spells[20].regions"),
    (("spells", 0, "params"), {"colour": "blue"}, "spells[0].params"),
    (("spells", 5, "params"), {"max": 4, "count": 1}, "spells[5].params"),
    (("spells", 1, "id"), "shoal", "spells[1].id"),
    (("spells", 1, "number"), 1, "spells[1].id"),
    (("spells", 0, "excluded_when"), {"weather": "rain"}, "spells[0].excluded_when"),
    (("option_defaults",), {}, "option_defaults"),
    (("schema",), "keylore.game-data/2", "schema"),
    (("game",), "keyside", "game"),
]


@pytest.mark.parametrize(("path", "value", "entry"), WRONG, ids=str)
def test_a_wrong_entry_is_named(path: tuple[str | int, ...], value: object, entry: str) -> None:
    """keydom §2."""
    with pytest.raises(DataFileError) as caught:
        parse(changed(*path, to=value))

    assert caught.value.entry == entry


def test_a_missing_provenance_is_named() -> None:
    """keydom §2."""
    raw = yaml.safe_load(standard())
    del raw["spells"][3]["provenance"]

    with pytest.raises(DataFileError) as caught:
        parse(yaml.safe_dump(raw))

    assert caught.value.entry == "spells[3]"


def test_cards_are_excluded_by_options_that_exist() -> None:
    """keydom §4 SETUP-4."""
    assert {*OPTION_KEYS, "seats"} == {field.name for field in msgspec.structs.fields(KeydomOptions)}
    assert set(GAME.parts.data.option_defaults) == set(OPTION_KEYS)


def test_the_shipped_data() -> None:
    """keydom §2."""
    parts = GAME.parts

    assert list(parts.locations) == list(LOCATIONS)
    assert len(parts.cards) == parts.data.spell_deck.printed_count.value == 24
    assert parts.spaces == {
        "soldiers": 1,
        "trader": 4,
        "priest": 1,
        "midwife": 1,
        "wizard": 3,
        "outlaws": 1,
        "blacksmith": 1,
        "locksmith": 1,
        "goldsmith": 1,
        "keywood": 1,
        "chamber": 1,
    }
    assert set(parts.pairs.values()) == {4}
    assert (parts.keep, parts.spell_limit) == (12, 2)
    assert parts.data.cubes.total == len(COLOURS) * parts.data.cubes.per_colour == 125


def test_more_seats_than_tiles_are_refused() -> None:
    """keydom R11."""
    game = Keydom(changed("tiles", 2, "copies", to=3))

    parse_options(game, {"seats": 3})
    with pytest.raises(OptionError) as caught:
        parse_options(game, {"seats": 4})
    assert caught.value.field == "seats"


def test_a_league_may_have_more_spaces_at_the_soldiers() -> None:
    """keydom SOL-3: each token acts at once."""
    game = Keydom(changed("locations", location("soldiers"), "spaces", "value", to=2))
    match = resolving(
        "soldiers",
        ["0:9", "0:8", "0:7"],
        cubes={0: (6, 0, 0, 0, 0)},
        elsewhere={"priest": ["1:5", "1:6"]},
        game=game,
    )

    match.play({"action": "arrest", "token": "1.2.1"})
    assert match.cubes(0) == (3, 0, 0, 0, 0)
    assert match.context["token"] == "0.2.2"
    match.play({"action": "arrest", "token": "1.2.2"})
    assert [fact["reason"] for fact in match.noted("counter_returned")] == ["arrested", "arrested", "excess"]
    assert [fact["space"] for fact in match.noted("space_taken")] == ["1", "2"]


def test_a_league_may_have_two_watchdogs() -> None:
    """keydom SPL-4, SP23 (c): one prompt per card; a second one after the first was dispelled."""
    game = Keydom(changed("spells", spell("haggle"), to=_second_watchdog()))
    match = resolving(
        "outlaws",
        ["0:9"],
        cubes={0: (2, 0, 0, 0, 0), 1: (0, 0, 0, 0, 2)},
        held={0: ["dispel"], 1: ["mastiff", "watchdog"]},
        game=game,
    ).play({"action": "steal", "kind": "cube"}, {"source": "seat", "seat": 1, "colour": "red"})

    assert match.context["spell"] == "mastiff"
    match.play(cast("mastiff"), cast("dispel"))
    assert match.asked == (1, "respond")
    assert match.context["spell"] == "watchdog"
    match.play(cast("watchdog"))
    assert match.asked == (0, "outlaws_attack")
    assert match.cubes(1) == (0, 0, 0, 0, 2)


def test_one_watchdog_is_enough() -> None:
    """keydom SP23: a seat that is safe is not asked for its second card."""
    game = Keydom(changed("spells", spell("haggle"), to=_second_watchdog()))
    match = resolving(
        "outlaws",
        ["0:9"],
        cubes={0: (2, 0, 0, 0, 0)},
        held={1: ["mastiff", "watchdog"]},
        game=game,
    ).play({"action": "steal", "kind": "cube"}, {"source": "seat", "seat": 1, "colour": "red"})

    match.play(cast("mastiff"))

    assert match.asked == (0, "outlaws_attack")
    assert match.spells(1) == ("watchdog",)


def _second_watchdog() -> dict[str, object]:
    return {
        "id": "mastiff",
        "number": 7,
        "name": "Mastiff",
        "cost": 1,
        "windows": ["reaction_outlaws"],
        "effect": "block_outlaws",
        "params": {},
        "provenance": "house",
        "text": "A second watchdog.",
    }


def test_a_free_spell_costs_nothing() -> None:
    """keydom §2: costs are 0 to 6."""
    game = Keydom(changed("spells", spell("shoal"), "cost", to=0))
    match = resolving("wizard", ["0:9"], game=game)

    assert match.legal == [{"space": 1}, WITHDRAW]
    match.play({"space": 1})
    assert match.spells(0) == ("shoal",)
    assert match.cubes(0) == (0, 0, 0, 0, 0)


def test_a_short_deck_leaves_spaces_empty() -> None:
    """keydom WIZ-3."""
    raw = yaml.safe_load(standard())
    raw["spells"] = raw["spells"][:4]
    match = resolving(
        "wizard",
        ["0:9"],
        cubes={0: (2, 0, 0, 0, 0)},
        held={1: ["gleaning"]},
        game=Keydom(yaml.safe_dump(raw)),
    ).play({"space": 2})

    assert match.spells(0) == ("windfall",)
    assert match.state.market == ("shoal", "rockfall", None)
    assert match.view(None).market[2] is None


def test_a_watchdog_guards_against_one_visit_of_the_outlaws() -> None:
    """keydom SP23, SOL-3: with two spaces each token is a visit of its own."""
    game = Keydom(changed("locations", location("outlaws"), "spaces", "value", to=2))
    steal = {"action": "steal", "kind": "cube"}
    match = resolving(
        "outlaws", ["0:9", "0:8"], cubes={0: (4, 0, 0, 0, 0)}, held={1: ["watchdog"]}, game=game
    ).play(steal, {"source": "seat", "seat": 1, "colour": "red"}, cast("watchdog"))
    assert all(move["source"] == "stock" for move in match.legal)

    match.play({"source": "stock", "colour": "blue"}, steal)

    assert {"source": "seat", "seat": 1, "colour": "red"} in match.legal


def test_sanctuary_frees_from_one_donation() -> None:
    """keydom SP24, SOL-3: with two spaces each token asks for donations."""
    game = Keydom(changed("locations", location("priest"), "spaces", "value", to=2))
    give = {"action": "donation", "kind": "any"}
    match = resolving(
        "priest",
        ["0:9", "0:8"],
        cubes={0: (2, 0, 0, 0, 0), 1: (0, 0, 0, 0, 2)},
        held={1: ["sanctuary"]},
        game=game,
    ).play(give, cast("sanctuary"))
    assert match.cubes(1) == (0, 0, 0, 0, 2)

    match.play(give)

    assert match.cubes(1) == (0, 0, 0, 0, 1)
