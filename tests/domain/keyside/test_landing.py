"""Landing turns (keyside §5.4, T11 to T19, T70)."""

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.state.decisions import Introduction
from keylore_domain.games.keyside.state.position import COLOURS, Boat
from tests.domain.keyside.builders import Scene, Table, opened


def _numbers(at: int) -> tuple[int, ...]:
    """A shuffle of the numbers 1 to 12 that puts number 1 at harbour *at*."""
    return tuple((place - at) % 12 for place in range(12))


@pytest.mark.parametrize(
    ("seats", "places"), [(1, [7, 11, 3]), (2, [7, 1]), (3, [7, 11, 3]), (4, [7, 11, 3])]
)
def test_boats_start_at_the_harbour_with_number_1(seats: int, places: list[int]) -> None:
    """Keyside T11."""
    state = opened({"setup.harbour_scores": [_numbers(7)]}, seats=seats).state

    assert state.harbours[7].number == 1
    assert [boat.at for boat in state.boats] == places
    assert all(boat.sailors == COLOURS for boat in state.boats)


def _no_blue_sailor(**items: int) -> Table:
    scene = Scene().dice(0, blue=1).dice(1, red=1).store(0, **items)
    boats = tuple(Boat(at, tuple(colour for colour in COLOURS if colour != "blue")) for at in (0, 4, 8))
    return scene.change(boats=boats).turn()


def test_without_a_landing_only_the_advance_option_is_offered() -> None:
    """Keyside T12."""
    table = _no_blue_sailor(fish=1)
    assert table.asked == (0, "lead_landing")
    assert table.legal[0] == {"action": "advance", "colour": "blue"}
    assert [move["action"] for move in table.legal[1:]] == ["flip_market"] * 4

    forced = _no_blue_sailor()
    assert forced.state.mats[0].dice_on_mat[3] == 1
    assert forced.store() == {"fish": 1}
    assert forced.asked == (0, "window_action")


def _offered(table: Table, boat: int) -> list[str]:
    return [move["harbour"] for move in table.legal if move.get("boat") == boat]


def test_a_resolved_harbour_is_no_target() -> None:
    """Keyside T13."""
    scene = Scene().dice(0, blue=2)

    assert "h5" in _offered(scene.turn(), 1)
    assert "h5" not in _offered(scene.harbour(5, resolved=True, landed=True).turn(), 1)


def test_a_harbour_with_a_sailor_is_no_target() -> None:
    """Keyside §5.4: no boat, no sailor, no dice."""
    assert "h5" not in _offered(Scene().dice(0, blue=2).loaded(5, 3, owners=(1,)).turn(), 1)


def test_a_boat_passes_other_boats_and_counts_their_harbours() -> None:
    """Keyside T14."""
    table = Scene().boats(0, 1, 6).dice(0, red=2).turn()

    assert _offered(table, 0) == ["h2", "h10", "h11"]


def test_moves_are_listed_by_colour_boat_and_harbour_and_then_the_advances() -> None:
    """Keyside §5.5: order and default."""
    table = Scene(2).dice(0, yellow=1, green=2).turn()

    assert table.legal == [
        *({"action": "land", "colour": "yellow", "boat": 0, "harbour": at} for at in ("h1", "h11")),
        *({"action": "land", "colour": "yellow", "boat": 1, "harbour": at} for at in ("h5", "h7")),
        *(
            {"action": "land", "colour": "green", "boat": 0, "harbour": at}
            for at in ("h1", "h2", "h10", "h11")
        ),
        *({"action": "land", "colour": "green", "boat": 1, "harbour": at} for at in ("h4", "h5", "h7", "h8")),
        {"action": "advance", "colour": "yellow"},
        {"action": "advance", "colour": "green"},
    ]
    assert table.default == {"action": "advance", "colour": "yellow"}


def test_six_dice_and_three_boats_give_at_most_129_moves() -> None:
    """Keyside §5.5: the largest list; two boats stand in each other's way, so fewer are free."""
    dice = {colour: value for value, colour in enumerate(COLOURS, 1)}
    table = Scene().dice(0, **dice).turn()

    assert len(table.legal) == 3 * (2 + 4 + 6 + 6 + 8 + 9) + 6


def test_a_keyple_recruited_in_step_9_can_be_introduced() -> None:
    """Keyside T15."""
    table = Scene().mat(0, town=0).dice(0, red=3).turn()

    table.play(action="land", colour="red", boat=0, harbour="h1").play(box="left")

    assert table.state.mats[0].town == 2
    assert table.asked == (0, "introduce_keyple")
    assert table.legal == [{"from": "town"}, {"action": "decline"}]
    table.play(from_="town")
    assert table.state.harbours[1].top == (0,)
    assert table.state.mats[0].town == 1


def test_a_follower_is_not_asked_when_the_last_space_is_taken() -> None:
    """Keyside T16."""
    scene = Scene(2).harbour(1, Seat(1), Seat(1), Seat(1)).dice(0, purple=1).dice(1, purple=1, red=2)
    table = scene.turn().play(action="land", colour="purple", boat=0, harbour="h1").play(action="follow")

    assert table.asked == (0, "introduce_keyple")
    table.play(from_="town")
    assert table.state.harbours[1].top == (1, 1, 1, 0)
    assert table.asked == (1, "lead_landing")


def test_a_follower_introduces_after_the_lead_and_advances_no_marker() -> None:
    """Keyside §5.4 L10, ruling R21."""
    scene = Scene(2).dice(0, purple=1).dice(1, purple=1, red=2)
    table = scene.turn().play(action="land", colour="purple", boat=0, harbour="h1").play(action="follow")

    table.decline()
    assert table.asked == (1, "introduce_keyple")
    table.play(from_="town")
    assert table.state.harbours[1].top == (1,)
    assert table.state.mats[1].levels == (0,) * 6
    assert table.state.mats[0].levels[4] == 1


def test_nobody_follows_who_passes_or_has_a_higher_die() -> None:
    """Keyside §5.4 L7."""
    scene = Scene().dice(0, purple=3).dice(1, purple=3, red=1).dice(2, purple=4)
    table = scene.turn().play(action="land", colour="purple", boat=0, harbour="h1")

    assert table.asked == (1, "respond")
    table.play(action="pass")
    assert table.asked == (0, "introduce_keyple")
    assert len(table.state.harbours[1].dice) == 1
    assert table.state.mats[1].dice[4] == 3


def test_the_advance_option_moves_no_boat_and_nobody_follows() -> None:
    """Keyside T17."""
    scene = Scene().dice(0, green=6, red=1).dice(1, green=5)

    table = scene.turn().play(action="advance", colour="green")

    assert table.state.mats[0].dice == (0, 0, 1, 0, 0, 0)
    assert table.state.mats[0].dice_on_mat == (0, 6, 0, 0, 0, 0)
    assert table.state.mats[0].levels[1] == 1
    assert table.store() == {"sheep": 2}
    assert table.state.boats == scene.state.boats
    assert table.asked == (1, "lead_landing")


def _docked(harbour: str, *tiles: tuple[int, str, str]) -> Table:
    scene = Scene().boats(3, 8, 0).dice(0, purple=2).mat(0, town=0).dice(2, red=1)
    scene.headland(4, *tiles)  # type: ignore[arg-type]
    return scene.turn().play(action="land", colour="purple", boat=0, harbour=harbour)


def test_the_wharf_gives_two_fish_in_the_favoured_harbour() -> None:
    """Keyside T18."""
    assert _docked("h5", (1, "A", "cw")).store(1) == {"fish": 2}
    assert _docked("h4", (1, "A", "cw")).store(1) == {"fish": 1}
    assert _docked("h5", (1, "A", "ccw")).store(1) == {"fish": 1}
    assert _docked("h4", (1, "A", "ccw")).store(1) == {"fish": 2}


def test_an_overbuilt_headland_is_inactive_but_built() -> None:
    """Keyside T19."""
    table = _docked("h5", (1, "A", "cw"), (1, "D", "none"))

    assert table.store(1) == {}
    scene = Scene().headland(4, (0, "A", "cw"), (0, "D", "none")).harbour(8, Seat(0)).buildings(0, "OX")
    rows = scene.rows()
    assert rows["blue"] == 3
    assert rows["orange"] == 2
    assert rows["harbour_9"] == 0


def test_a_seat_without_dice_resolves_while_others_land() -> None:
    """Keyside T70."""
    scene = Scene().loaded(1, 3, 2, colour="purple").harbour(1, Seat(1)).dice(0, red=1).dice(2, red=1)
    scene.loaded(0, 2, colour="red", owners=(2,)).harbour(0, Seat(1))

    table = scene.turn(1)

    assert table.asked == (1, "resolve_select")
    table.play(harbour="h0")
    assert table.store(1) == {"cow": 2}
    assert table.asked == (2, "lead_landing")
    assert table.state.harbours[0].resolved
    assert "h0" not in table.values("harbour")


def test_the_default_keyple_is_the_nearest() -> None:
    """Keyside §5.4 L10: ties town, m, r, h."""
    scene = Scene().market("blue", 0).harbour(1, Seat(0))  # m0 is one step from h0, h1 and the town two

    table = scene.run(Introduction(Seat(0), "h0"))

    assert table.values("from") == ["town", "m0", "h1"]
    assert table.default == {"from": "m0"}
    assert Scene().harbour(1, Seat(0)).run(Introduction(Seat(0), "h0")).default == {"from": "town"}
