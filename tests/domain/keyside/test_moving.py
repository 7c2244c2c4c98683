"""Movement of keyples (keyside §6.1 E-MOVE, E-RMOVE)."""

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.facts import KeypleMoved
from keylore_domain.games.keyside.state.decisions import Introduction, KeypleMove, KeypleWay
from tests.domain.keyside.builders import GAME, Scene, Table

ZERO, ONE = Seat(0), Seat(1)


def _ends(scene: Scene, start: str = "town", *, footprint: bool = False) -> list[str]:
    table = scene.run(KeypleWay(ZERO, "E-R1", start, footprint))
    return [move["to"] for move in table.legal]


def test_a_keyple_moves_up_to_three_steps() -> None:
    """Keyside §2.2: from the town everything is within three; from h0 not the far side."""
    assert len(_ends(Scene())) == 8 + 5 + 12  # the unflipped tiles are closed
    far = _ends(Scene().harbour(0, ZERO), "h0")
    assert "h6" not in far
    assert {"town", "m0", "m4", "r1", "h1", "h2"} <= set(far)


def test_taken_and_closed_places_cannot_be_entered() -> None:
    """Keyside E-MOVE: but others on the same market do not matter, and all can be passed."""
    scene = Scene().market("blue", 0, 1).market("green", 1).farm(1, keyple=ONE).farm(3, keyple="pirate")
    scene.source("forest", 0).source("quarry", 0, keyple=ONE).harbour(0, *[ONE] * 5).harbour(1, *[ONE] * 4)

    found = _ends(scene)

    assert not {"m0", "r1", "r3", "r2", "r4", "h0"} & set(found)
    assert {"m1", "r0", "r5", "h1", "h2"} <= set(found)


def test_a_resolved_harbour_can_be_entered_by_a_move() -> None:
    """Keyside ruling R23."""
    assert "h1" in _ends(Scene().harbour(1, resolved=True, landed=True))


def test_a_footprint_leads_to_resource_locations_alone() -> None:
    """Keyside E-RMOVE: also for a keyple that stands on one."""
    scene = Scene().source("forest", 0).farm(1, keyple=ZERO)

    assert _ends(scene, footprint=True) == ["r0", "r3", "r5", "r6", "r7"]
    assert _ends(scene, "r1", footprint=True) == ["r0", "r3", "r7"]


def test_a_footprint_without_a_free_place_is_skipped() -> None:
    """Keyside §5.1: nobody is asked who can only decline."""
    scene = Scene()
    for at in (1, 3, 5, 6, 7):
        scene.farm(at, keyple=ONE)

    assert scene.run(KeypleMove(ZERO, "E-B", footprint=True)).asked is None
    assert scene.run(KeypleMove(ZERO, "E-R1")).asked == (0, "move_from")


@pytest.mark.parametrize(
    ("scene", "start", "end"),
    [
        (Scene().farm(1, keyple=ZERO), "r1", "town"),
        (Scene().market("blue", 0, 1), "m0", "r1"),
        (Scene().harbour(3, ONE, ZERO), "h3", "m2"),
        (Scene(), "town", "h11"),
    ],
)
def test_a_keyple_leaves_one_place_and_enters_another(scene: Scene, start: str, end: str) -> None:
    """Keyside E-MOVE."""
    table = scene.mat(0, town=6).run(KeypleWay(ZERO, "E-R1", start)).play(to=end)

    def there(found: Table, node: str) -> int:
        numbers: dict[str, int] = {
            "town": found.state.mats[0].town,
            "m": sum(0 in market.keyples for market in found.state.markets),
            "r": sum(tile.keyple == 0 for tile in found.state.resources),
            "h": sum(harbour.top.count(ZERO) for harbour in found.state.harbours),
        }
        return numbers[node if node == "town" else node[0]]

    assert there(table, start) == (5 if start == "town" else 0)
    assert there(table, end) == (7 if end == "town" else 1)
    assert table.state.markets[0].keyples in ((), (1,))
    assert table.noted(KeypleMoved) == [{"fact": "keyple_moved", "seat": 0, "from": start, "to": end}]


def test_the_keyple_in_the_red_space_leaves_last() -> None:
    """Keyside ruling R60."""
    scene = Scene().harbour(8, ZERO, red_space=ZERO)
    table = scene.run(KeypleWay(ZERO, "E-R1", "h8"), KeypleWay(ZERO, "E-R1", "h8"))

    table.play(to="town")
    assert (table.state.harbours[8].top, table.state.harbours[8].red_space) == ((), 0)
    table.play(to="town")
    assert table.state.harbours[8].red_space is None


def test_a_keyple_already_in_the_harbour_cannot_be_introduced() -> None:
    """Keyside L10, ruling R19."""
    scene = Scene().mat(0, town=0).harbour(3, ZERO)

    assert scene.run(Introduction(ZERO, "h3")).asked is None
    assert scene.run(Introduction(ZERO, "h4")).asked == (0, "introduce_keyple")


def test_a_move_with_one_destination_is_not_asked() -> None:
    """Keyside §5.1: a single legal move is carried out."""
    scene = Scene().farm(1, keyple=ONE).farm(5, keyple=ONE).farm(6, keyple=ONE).farm(7, keyple=ONE)
    table = scene.store(0, fish=1).run(KeypleWay(ZERO, "E-B", "town", footprint=True))

    assert table.asked is None
    assert table.state.resources[3].keyple == 0


def test_no_match_has_more_moves_than_the_bound() -> None:
    """Keyside §11.1: 75 turns for each who takes turns."""
    assert [GAME.max_plies(Scene(seats).state.options) for seats in (1, 2, 3, 4)] == [
        2 * 15018,
        2 * 15018,
        3 * 15018,
        4 * 15018,
    ]
