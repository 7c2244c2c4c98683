"""Final scoring, ranking, the last windows (keyside §6.6, §6.7, §7, T33 to T37, T73 to T80)."""

import pytest

from keylore_domain.engine.facts import GameEnded
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.facts import MarkerItemSet, RowScored
from keylore_domain.games.keyside.scoring import totals
from keylore_domain.games.keyside.scoring.tally import NAMES, tally
from keylore_domain.games.keyside.state.decisions import TurnEnd
from keylore_domain.games.keyside.state.position import FIRST_GEM, HARBOURS
from tests.domain.keyside.builders import DATA, GAME, Scene, Table

ZERO, ONE, TWO = Seat(0), Seat(1), Seat(2)


def _values(scene: Scene, side: str) -> list[int]:
    """The value per keyple of the numbers 1 to 12 on one side."""
    for at in range(HARBOURS):
        scene.harbour(at, side=side)
    counted = tally(scene.state, ZERO)
    return [totals.value_per_keyple(GAME.parts, scene.state, counted, at) for at in range(HARBOURS)]


def _value(scene: Scene, number: int, side: str = "black") -> int:
    return _values(scene, side)[number - 1]


def _rich() -> Scene:
    scene = Scene().store(0, sheep=4, pig=1, cow=1, wheat=5, stone=4, wood=3, fish=5, emerald=2, ruby=3)
    scene.farm(1, "sheep", "sheep", "sheep", "pig", keyple=ZERO).farm(3, "pig", "cow", keyple=ZERO)
    scene.farm(5, "cow", "sheep").farm(6, "pig", keyple=ONE)
    scene.mat(0, keyples=2, town=2).market("blue", 0).market("red", 0).market("grey1", 0)
    for at in (0, 1, 2):
        scene.harbour(at, ZERO, ZERO, ONE)
    scene.harbour(8, ZERO, ZERO, red_space=ZERO)
    scene.headland(0, (0, "A", "cw")).headland(1, (0, "B", "cw"), (0, "C", "none")).headland(
        2, (0, "D", "none")
    )
    scene.buildings(0, "aeiMQ")
    return scene.skills(0, ("red", 3), ("blue", 3), ("blue", 5), ("orange", 1))


def test_every_scoring_tile_has_its_value() -> None:
    """Keyside T73."""
    assert _values(_rich(), "black") == [8, 3, 4, 5, 6, 5, 3, 4, 4, 6, 8, 2]
    assert _values(_rich(), "red") == [3, 4, 3, 12, 10, 8, 9, 10, 9, 6, 9, 6]


def _farms(*animals: str) -> Scene:
    scene = Scene()
    for farm, at in zip((1, 3, 5, 6, 7), range(0, len(animals), 4), strict=False):
        scene.farm(farm, *animals[at : at + 4], keyple=ZERO)
    return scene


def test_values_have_their_limits() -> None:
    """Keyside T74."""
    assert _value(Scene().store(0, wheat=13), 4) == 12
    assert _value(Scene().store(0, cow=5), 3) == 8
    assert _value(_farms(*["cow"] * 5), 3, "red") == 12
    assert _value(Scene().store(0, stone=20, wood=6), 7) == 12
    assert _value(Scene().store(0, fish=10), 5) == 12
    assert _value(Scene().store(0, ruby=14), 6) == 12
    assert _value(_farms(*["pig"] * 7), 2, "red") == 12
    houses = Scene().buildings(0, "aeimq")
    assert _value(houses, 11, "red") == 12
    assert _value(houses, 11) == 10
    skills = Scene().skills(0, ("red", 5), ("blue", 5), ("green", 5), ("orange", 5), ("yellow", 5))
    assert _value(skills, 12, "red") == 12
    skills.skills(0, ("red", 5), ("red", 3), ("blue", 5), ("green", 5), ("orange", 5), ("yellow", 1))
    assert _value(skills, 12, "red") == 12
    assert _value(_farms(*["sheep"] * 13), 1, "red") == 12
    assert _value(_farms(*["sheep"] * 13), 10) == 12
    assert _value(Scene().store(0, pig=9), 2) == 12
    assert _value(Scene().store(0, sheep=7, fish=7), 5, "red") == 12
    assert _value(Scene().store(0, ruby=7, stone=7), 6, "red") == 12
    assert _value(Scene().store(0, stone=5, wheat=5, wood=5), 7, "red") == 12


@pytest.mark.parametrize(
    ("number", "side", "steps"),
    [
        (8, "black", {0: 6, 1: 4, 2: 4, 3: 2, 4: 2, 5: 0, 12: 0}),
        (8, "red", {0: 10, 10: 10, 11: 6, 12: 6, 13: 2, 14: 2, 15: 0, 18: 0}),
        (9, "black", {6: 8, 5: 6, 4: 4, 3: 2, 2: 0, 0: 0}),
        (12, "black", {6: 8, 5: 6, 4: 4, 3: 2, 2: 0, 0: 0}),
    ],
)
def test_ladders(number: int, side: str, steps: dict[int, int]) -> None:
    """Keyside §6.7, ruling R31."""

    def scene(count: int) -> Scene:
        if number == 9:
            return Scene().mat(0, headlands_left=tuple("ABCDEF"[count:]))
        if number == 12:
            colours = ("yellow", "green", "red", "blue", "purple", "orange")
            return Scene().skills(0, *((colour, 1) for colour in colours[:count]))
        if side == "black":
            return Scene().mat(0, keyples=count)
        return Scene(4).harbour(0, *[ZERO] * min(count, 9)).harbour(1, *[ZERO] * max(0, count - 9))

    assert {count: _value(scene(count), number, side) for count in steps} == steps


def test_gems_score_by_the_purple_level() -> None:
    """Keyside T33."""
    scene = Scene().store(0, emerald=4, ruby=2, sapphire=1)

    assert [scene.levels(0, purple=level).rows()["gems"] for level in range(5)] == [0, 4, 6, 7, 7]
    assert scene.buildings(0, "r").rows()["purple"] == 6
    assert scene.buildings(0, "S").rows()["purple"] == 2
    assert scene.buildings(0, "s").rows()["purple"] == 4


def test_the_support_scores_one_keyple_in_its_own_row() -> None:
    """Keyside T34."""
    for space, favours in ((2, "ccw"), (1, "cw")):
        scene = Scene().store(0, cow=3).headland(space, (0, "E", favours))  # type: ignore[arg-type]
        rows = scene.rows()
        assert (rows["harbour_3"], rows["headland_e"]) == (0, 6)
        rows = scene.harbour(2, ZERO, ZERO).rows()
        assert (rows["harbour_3"], rows["headland_e"]) == (12, 6)
    hidden = Scene().store(0, cow=3).headland(2, (0, "E", "ccw"), (0, "A", "cw")).harbour(2, ZERO, ZERO)
    assert (hidden.rows()["harbour_3"], hidden.rows()["headland_e"]) == (12, 0)


def test_the_beach_counts_real_keyples() -> None:
    """Keyside T35."""
    scene = Scene().headland(4, (0, "F", "none")).headland(5, (0, "E", "ccw"))
    scene.harbour(4, ZERO, ZERO, ZERO, ONE).harbour(5, ZERO, ZERO)

    assert scene.rows()["headland_f"] == 10
    assert Scene().headland(11, (0, "F", "none")).harbour(0, ZERO).rows()["headland_f"] == 2


def test_the_start_marker_counts_as_its_item() -> None:
    """Keyside T36."""
    scene = Scene().store(0, sheep=8).harbour(0, ZERO, ZERO)

    assert scene.rows()["harbour_1"] == 16
    assert scene.change(marker_item="sheep").rows()["harbour_1"] == 24
    assert scene.rows(1)["harbour_1"] == 0
    assert _value(scene, 1, "red") == 0


def test_equal_totals_share_a_rank() -> None:
    """Keyside T37."""
    scene = (
        Scene().change(phase="over", year=3).source("forest", 0, keyple=ZERO).source("quarry", 0, keyple=ONE)
    )

    outcome = GAME.outcome(scene.state)

    assert outcome is not None
    assert [(result.score, result.rank) for result in outcome.seats] == [(3, 1), (3, 1), (0, 3)]
    assert (outcome.ended_by, outcome.year, outcome.won) == ("last_year", 3, None)
    assert GAME.outcome(Scene().state) is None


def test_everything_that_is_counted_has_its_name() -> None:
    """The names that the data file may use."""
    assert set(tally(Scene().state, ZERO).counts) == NAMES


# Cottages and houses


def _points(scene: Scene, letter: str) -> tuple[int, int]:
    """Points of a building as cottage and as house, alone on the mat."""
    found = []
    for side in (letter, letter.lower()):
        rows = scene.buildings(0, side).rows()
        found.append(rows[DATA.cottages[letter].colour])
    return found[0], found[1]


@pytest.mark.parametrize("letter", list("AEIMQU"))
def test_plain_cottages(letter: str) -> None:
    """Keyside §6.6."""
    assert _points(Scene(), letter) == (2, 4)


def test_animal_cottages() -> None:
    """Keyside T75."""
    scene = Scene().store(0, cow=2, pig=3).farm(1, "sheep", "sheep", keyple=ZERO)

    assert _points(scene, "F") == (2, 4)
    assert _points(scene, "G") == (4, 6)
    assert _points(scene, "H") == (6, 10)


def test_goods_cottages() -> None:
    """Keyside T76."""
    assert _points(Scene().store(0, wheat=5), "B") == (2, 4)
    assert _points(Scene().store(0, wood=7), "V") == (3, 6)
    assert _points(Scene().store(0, stone=1), "W") == (0, 0)
    assert _points(Scene().store(0, stone=5), "W") == (2, 4)
    assert _points(Scene().store(0, fish=4).change(marker_item="fish"), "N") == (2, 4)
    assert _points(Scene().store(0, fish=5).change(marker_item="fish"), "N") == (3, 6)


def test_building_cottages() -> None:
    """Keyside T77."""
    assert Scene().buildings(0, "Cfjm").rows()["yellow"] == 4
    assert Scene().buildings(0, "cfjm").rows()["yellow"] == 8
    assert Scene().buildings(0, "dfj").rows()["yellow"] == 9
    assert Scene().buildings(0, "Dfj").rows()["yellow"] == 2
    assert Scene().buildings(0, "TEMU").rows()["purple"] == 2
    assert Scene().buildings(0, "tEMU").rows()["purple"] == 6


def test_keyple_and_headland_cottages() -> None:
    """Keyside T78."""
    scene = Scene().mat(0, town=6, keyples=6).harbour(0, ZERO, ZERO, ZERO)
    scene.market("blue", 0).farm(1, keyple=ZERO)
    assert _points(scene, "K") == (1, 2)
    assert _points(scene.source("forest", 0, keyple=ZERO), "K") == (2, 4)
    assert _points(Scene().market("blue", 0).market("red", 0), "J") == (4, 8)
    for letter, tile in (("L", "C"), ("O", "A"), ("P", "B")):
        assert _points(Scene(), letter) == (0, 0)
        assert _points(Scene().headland(0, (0, tile, "none"), (0, "D", "none")), letter) == (3, 6)
    built = Scene().mat(0, headlands_left=("E", "F"))
    assert _points(built, "X") == (4, 8)
    assert _points(Scene().store(0, ruby=2, emerald=1), "R") == (2, 4)


# The end of the game


def _final(scene: Scene, lead: int) -> Table:
    return scene.change(year=3, end_triggered=True).run(TurnEnd(), lead=lead)


def test_skill_tiles_are_spent_in_turn_order_after_the_last_year() -> None:
    """Keyside T79."""
    scene = Scene().change(start_seat=TWO).levels(0, yellow=3).skills(0, ("yellow", 1)).skills(2, ("red", 5))
    scene.store(1, fish=3).store(0, fish=1)

    table = _final(scene, 1)

    assert table.asked == (2, "window_action")
    assert table.prompt.context.window == "final_spend"  # type: ignore[union-attr]
    assert table.default == {"action": "pass", "scope": "window"}
    table.play(action="pass", scope="window")
    assert table.asked == (0, "window_action")
    assert [move["action"] for move in table.legal] == ["pass", "spend_skill", *["flip_market"] * 4]
    before = totals.total(GAME.parts, table.state, ZERO)
    table.play(action="spend_skill", colour="yellow", value=1)
    assert [move["action"] for move in table.legal[-4:]] == ["flip_market"] * 4
    table.play(action="build", cottage="A")
    assert totals.total(GAME.parts, table.state, ZERO) == before + 1
    assert table.asked == (2, "allocate_marker")
    assert table.values("item") == [
        "cow",
        "pig",
        "sheep",
        "fish",
        "wheat",
        "stone",
        "wood",
        "emerald",
        "ruby",
        "sapphire",
    ]
    table.play(item="fish")
    assert table.asked is None
    assert table.state.phase == "over"
    assert table.noted(MarkerItemSet) == [{"fact": "marker_item_set", "seat": 2, "item": "fish"}]
    assert table.noted(GameEnded) == [{"fact": "game_ended", "ended_by": "last_year", "round": 3}]


def test_the_final_window_is_a_turn_of_its_own_for_markets() -> None:
    """Keyside ruling R33."""
    scene = Scene().market("blue", 0).store(0, fish=2).levels(0, blue=1).skills(0, ("blue", 3), ("blue", 5))
    table = _final(scene, 2)

    table.play(action="spend_skill", colour="blue", value=3).play(box="right")
    table.play(action="trade", tile="blue", pay="fish")
    assert table.state.markets_used == ((0, "blue"),)
    table.play(action="pass", scope="window")
    assert table.state.markets[0].side == "reverse"
    assert table.asked == (0, "allocate_marker")


def test_the_marker_is_by_default_the_item_that_scores_most() -> None:
    """Keyside §7.1."""
    scene = Scene().store(0, sheep=8).harbour(0, ZERO, ZERO)

    assert _final(scene, 2).default == {"item": "sheep"}
    assert _final(Scene(), 2).default == {"item": "cow"}


def _full_sheet() -> Scene:
    scene = Scene(2).change(year=3, end_triggered=True)
    scene.store(0, sheep=9, wheat=3, emerald=3, ruby=1, sapphire=1).harbour(0, ZERO, ZERO).harbour(3, ZERO)
    scene.buildings(0, "aE").levels(0, purple=2)
    scene.headland(6, (0, "D", "none")).headland(3, (0, "E", "ccw"))
    return scene.skills(0, ("red", 5), ("red", 1)).source("quarry", 0, keyple=ZERO)


def test_a_full_score_sheet() -> None:
    """Keyside T80."""
    rows = {row: points for row, points in _full_sheet().rows().items() if points}

    assert rows == {
        "harbour_1": 24,
        "harbour_4": 3,
        "yellow": 4,
        "green": 2,
        "gems": 4,
        "headland_d": 8,
        "headland_e": 3,
        "skill_tiles": 6,
        "resource_locations": 3,
        "total": 57,
    }


def test_every_line_of_the_score_pad_is_a_fact_in_the_printed_order() -> None:
    """Keyside §7.2."""
    table = _full_sheet().change(start_seat=ONE).run(TurnEnd(), lead=0)
    table.play(action="pass", scope="window").play(item="cow")

    facts = table.noted(RowScored)
    assert [fact["row"] for fact in facts if fact["seat"] == 0] == [
        *(f"harbour_{number}" for number in range(1, 13)),
        *("yellow", "green", "red", "blue", "purple", "orange", "gems"),
        *("headland_d", "headland_e", "headland_f", "skill_tiles", "resource_locations", "total"),
    ]
    assert facts[24]["points"] == 57
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert [(row.row, row.points) for row in outcome.seats[0].rows] == [
        (fact["row"], fact["points"]) for fact in facts[:25]
    ]


def test_the_marker_can_be_a_gem() -> None:
    """Keyside §7.1."""
    scene = Scene().change(marker_item="ruby").levels(0, purple=1)

    assert scene.rows()["gems"] == 1
    assert scene.state.mats[0].store[FIRST_GEM:] == (0, 0, 0)
