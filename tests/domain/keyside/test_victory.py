"""Beacons and victory in the solo game (keyside §8.9, §8.10, T40, T100 to T102)."""

from typing import Any

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.scoring import totals
from keylore_domain.games.keyside.scoring.beacons import BEACONS
from keylore_domain.games.keyside.state.position import HARBOURS, KEYTOMA
from tests.domain.keyside.builders import DATA, GAME, Scene

ZERO = Seat(0)


def _lit(scene: Scene, beacon: str) -> bool:
    scene.solo(beacons=(beacon,))
    return totals.lit(GAME.parts, scene.state) == (beacon,)


@pytest.mark.parametrize(
    ("points", "lit", "difficulty", "won"),
    [
        (120, 2, "none", True),
        (119, 3, "none", False),
        (150, 1, "none", False),
        (130, 2, "all_beacons", False),
        (120, 3, "all_beacons", True),
    ],
)
def test_a_win_needs_points_and_beacons(points: int, lit: int, difficulty: str, *, won: bool) -> None:
    """Keyside T40."""
    scene = Scene(1, solo_difficulty=difficulty)

    assert totals.has_won(GAME.parts, scene.state, points, ("A1", "B1", "C1")[:lit]) == won


def test_the_outcome_says_whether_the_human_won() -> None:
    """Keyside §7.4, §8.9."""
    scene = Scene(1).change(phase="over", year=3).store(0, fish=10).solo(beacons=("A1", "B3", "C1"))

    outcome = GAME.outcome(scene.state)

    assert outcome is not None
    assert (outcome.won, outcome.beacons) == (False, ("B3",))
    assert [result.score for result in outcome.seats] == [0]


def _row(*spaces: int) -> Scene:
    scene = Scene(1)
    for tile, space in zip("ABC", spaces, strict=True):
        scene.headland(space, (0, tile, "none"))
    return scene


def test_a1_three_headlands_in_a_row() -> None:
    """Keyside T100."""
    assert _lit(_row(11, 0, 1), "A1")
    assert not _lit(_row(11, 1, 2), "A1")


def test_a2_two_of_the_headlands_that_act() -> None:
    """Keyside §8.10; overbuilt ones count (ruling R54)."""
    assert _lit(Scene(1).headland(0, (0, "A", "cw"), (0, "B", "cw")), "A2")
    assert not _lit(Scene(1).headland(0, (0, "A", "cw"), (0, "D", "none")), "A2")


def test_a3_twelve_points_from_the_beach() -> None:
    """Keyside T100."""
    scene = Scene(1).headland(4, (0, "F", "none")).harbour(4, ZERO, ZERO, ZERO)

    assert not _lit(scene.harbour(5, ZERO, ZERO), "A3")
    assert _lit(scene.harbour(5, ZERO, ZERO, ZERO), "A3")


def test_a4_three_keyples_in_three_harbours() -> None:
    """Keyside §8.10; the red space counts."""
    scene = Scene(1).harbour(0, ZERO, ZERO, ZERO).harbour(1, ZERO, ZERO, ZERO).harbour(8, ZERO, ZERO)

    assert not _lit(scene, "A4")
    assert _lit(scene.harbour(8, ZERO, ZERO, red_space=ZERO), "A4")


def test_a5_three_farms() -> None:
    """Keyside §8.10."""
    scene = Scene(1).farm(1, keyple=ZERO).farm(3, keyple=ZERO).source("forest", 0, keyple=ZERO)

    assert not _lit(scene, "A5")
    assert _lit(scene.farm(5, keyple=ZERO), "A5")


def test_a6_a_keyple_in_nine_harbours() -> None:
    """Keyside T100."""
    scene = Scene(1)
    for at in range(8):
        scene.harbour(at, ZERO)

    assert not _lit(scene, "A6")
    assert _lit(scene.harbour(8, red_space=ZERO), "A6")


def test_b1_and_b2_skill_tiles() -> None:
    """Keyside T101."""
    blue: list[tuple[Any, int]] = [("blue", 1), ("blue", 3), ("blue", 5)]
    assert _lit(Scene(1).skills(0, *blue), "B1")
    assert not _lit(Scene(1).skills(0, *blue[:2], ("red", 5)), "B1")
    threes: list[tuple[Any, int]] = [("yellow", 3), ("green", 3), ("red", 3)]
    assert not _lit(Scene(1).skills(0, *threes, ("red", 1)), "B2")
    assert _lit(Scene(1).skills(0, *threes, ("blue", 3)), "B2")
    assert not _lit(Scene(1), "B2")


def test_b3_to_b6_count_the_marker() -> None:
    """Keyside T101."""
    assert _lit(Scene(1).store(0, fish=9).change(marker_item="fish"), "B3")
    assert not _lit(Scene(1).store(0, fish=9), "B3")
    assert _lit(Scene(1).levels(0, red=4, blue=4, green=4), "B4")
    assert not _lit(Scene(1).levels(0, red=4, blue=4, green=3), "B4")
    assert _lit(Scene(1).store(0, ruby=3).change(marker_item="ruby"), "B5")
    assert not _lit(Scene(1).store(0, ruby=3, emerald=3), "B5")
    assert _lit(Scene(1).store(0, ruby=4, emerald=5), "B6")
    held = Scene(1).store(0, ruby=3, emerald=5).change(marker_item="ruby", start_seat=KEYTOMA)
    assert not _lit(held, "B6")


def test_c1_two_harbours_worth_twelve() -> None:
    """Keyside T102: a support is no keyple."""
    scene = Scene(1).harbour(2, ZERO, side="red").farm(1, *["cow"] * 4, keyple=ZERO).store(0, wheat=12)

    assert not _lit(scene.headland(3, (0, "E", "ccw")), "C1")
    assert _lit(scene.harbour(3, ZERO), "C1")


@pytest.mark.parametrize(
    ("beacon", "numbers"), [("C2", (8, 9)), ("C3", (1, 2)), ("C4", (4, 10)), ("C5", (3, 11)), ("C6", (7, 12))]
)
def test_c2_to_c6_two_rows_of_the_score_pad(beacon: str, numbers: tuple[int, int]) -> None:
    """Keyside T102: each keyple there scores something; the rows are compared with 35."""
    scene = Scene(4).mat(0, headlands_left=(), keyples=0).store(0, sheep=9, pig=8, cow=4, wheat=12, stone=24)
    scene.farm(1, *["sheep"] * 4, keyple=ZERO).farm(3, *["pig"] * 4, keyple=ZERO).buildings(0, "aeimqu")
    scene.farm(5, *["cow"] * 4, keyple=ZERO).skills(0, *((colour, 5) for colour in ("red", "blue", "green")))
    scene.skills(0, *((colour, 5) for colour in ("yellow", "green", "red", "blue", "purple", "orange")))
    few, many = Scene(1), Scene(1)
    for target, keyples in ((few, 1), (many, 3)):
        target.change(mats=scene.state.mats[:1], resources=scene.state.resources)
        for number in numbers:
            target.harbour(number - 1, *[ZERO] * keyples)

    assert not _lit(few, beacon)
    assert _lit(many, beacon)
    assert sum(many.rows()[f"harbour_{number}"] for number in numbers) >= 35


def test_c3_leaves_out_the_support() -> None:
    """Keyside T102: 24 + 9 = 33 and a row E of 12 do not light it; 24 + 12 do."""
    scene = Scene(1).store(0, sheep=9, pig=6).harbour(0, ZERO, ZERO).harbour(1, ZERO)
    scene.headland(0, (0, "E", "ccw"))
    assert scene.rows()["headland_e"] == 12
    assert scene.rows()["harbour_1"] + scene.rows()["harbour_2"] == 33

    assert not _lit(scene, "C3")
    assert _lit(scene.store(0, sheep=9, pig=8), "C3")


def test_every_beacon_of_the_data_has_its_condition() -> None:
    """Keyside §8.10."""
    assert set(BEACONS) == set(DATA.solo.beacons)
    assert HARBOURS == 12
