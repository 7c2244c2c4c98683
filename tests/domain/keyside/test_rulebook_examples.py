"""The rulebook's own examples (keyside T1 to T10)."""

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.effects.keytoma import median_colour
from keylore_domain.games.keyside.state.decisions import Benefit, Introduction, KeypleWay, SkillVisit
from keylore_domain.games.keyside.state.position import COLOURS, Built, Die
from tests.domain.keyside.builders import Scene, Table, opened

SEAT = Seat(0)


def _reach() -> Scene:
    scene = Scene().boats(4, 8, 0).dice(0, orange=2).dice(1, orange=2).dice(2, orange=5)
    return scene.headland(2, (1, "C", "none"))


def _lands(table: Table, **fields: object) -> list[str]:
    moves = [move for move in table.legal if move["action"] == "land"]
    return [move["harbour"] for move in moves if all(move[key] == value for key, value in fields.items())]


def test_a_boat_reaches_the_harbours_within_the_value_of_the_die() -> None:
    """Keyside T1."""
    table = _reach().turn()

    assert _lands(table, colour="orange", boat=0) == ["h2", "h3", "h5", "h6"]

    table.play(action="land", colour="orange", boat=0, harbour="h3")
    assert table.state.boats[0].at == 3
    assert table.state.boats[0].sailors == COLOURS[:5]
    assert table.state.harbours[3].sailor == "orange"
    assert table.state.harbours[3].dice == (Die(SEAT, "orange", 2),)


def test_others_follow_with_the_same_colour_at_an_equal_or_lower_value() -> None:
    """Keyside T2."""
    table = _reach().turn().play(action="land", colour="orange", boat=0, harbour="h3")

    assert table.asked == (1, "respond")
    assert table.default == {"action": "pass"}
    table.play(action="follow")

    assert [(die.owner, die.value) for die in table.state.harbours[3].dice] == [(0, 2), (1, 2)]
    assert (table.state.mats[1].keyples, table.state.mats[1].town) == (11, 7)
    assert table.state.mats[0].levels[5] == 1
    assert table.asked == (0, "choose_box")
    assert table.legal == [{"box": "left"}, {"box": "right"}]
    table.play(box="left").play(action="take")
    assert table.store() == {"stone": 1}


def test_from_the_town_through_a_market_to_a_harbour_is_two_steps() -> None:
    """Keyside T3."""
    introduced = Scene().run(Introduction(SEAT, "h0"))
    moved = Scene().run(KeypleWay(SEAT, "E-R1", "town"))

    assert introduced.legal == [{"from": "town"}, {"action": "decline"}]
    assert {"to": "h0"} in moved.legal


def test_a_keyple_passes_both_grey_markets_from_harbour_to_harbour() -> None:
    """Keyside T4."""
    scene = Scene().market_places(grey1=1, grey2=2).market("grey1", 0).market("grey2", 0).harbour(2, SEAT)

    reached = scene.run(KeypleWay(SEAT, "E-R1", "h2")).values("to")

    assert "h4" in reached
    assert "h5" not in reached


def test_five_pigs_are_two_pairs() -> None:
    """Keyside T5."""
    assert Scene().harbour(1, SEAT, SEAT).store(pig=5).rows()["harbour_2"] == 12


def test_three_sheep_are_four_points_and_twelve_the_most() -> None:
    """Keyside T6."""
    scene = Scene().harbour(0, SEAT)

    assert [scene.store(sheep=sheep).rows()["harbour_1"] for sheep in (5, 9, 11)] == [4, 12, 12]


def test_the_last_stone_flips_the_quarry_and_the_rest_comes_from_the_supply() -> None:
    """Keyside T7."""
    scene = Scene().source("quarry", 1)

    table = scene.run(Benefit(SEAT, 4, 6, lead=True))
    assert table.asked == (0, "take_gain")
    assert table.legal == [{"action": "take"}, {"action": "decline"}]
    assert table.default == {"action": "take"}
    table.play(action="take")
    assert table.store() == {"stone": 3}
    assert table.state.resources[2].flipped  # type: ignore[union-attr]

    declined = scene.run(Benefit(SEAT, 4, 6, lead=True)).decline()
    assert declined.state.mats == scene.state.mats
    assert declined.state.resources == scene.state.resources


def test_the_resource_tiles_hold_three_tokens_for_each_player() -> None:
    """Keyside T8."""
    for seats, tokens in ((1, 3), (2, 6), (3, 9), (4, 12)):
        resources = opened(seats=seats).state.resources
        assert [tile.tokens for tile in resources if hasattr(tile, "tokens")] == [tokens] * 3


def test_a_skill_tile_is_taken_where_the_seat_has_a_coloured_market() -> None:
    """Keyside T9."""
    table = Scene().market("orange", 0).market("grey1", 0).run(SkillVisit(SEAT, "E-B4"))

    assert table.legal == [{"colour": "orange"}, {"action": "decline"}]
    assert table.default == {"colour": "orange"}
    table.play(colour="orange")
    assert [(tile.colour, tile.value) for tile in table.state.mats[0].skill_tiles] == [("orange", 5)]
    assert table.state.skill_stacks[5] == (3, 1)


def test_keytoma_plays_its_higher_median_die() -> None:
    """Keyside T10."""
    for dice, played in (
        ((1, 2, 3, 4, 5, 6), 4),
        ((1, 2, 3, 4, 0, 6), 3),
        ((0, 2, 0, 0, 5, 0), 5),
        ((0, 0, 0, 0, 0, 6), 6),
    ):
        assert dice[COLOURS.index(median_colour(dice))] == played


def test_the_headland_of_the_example_is_on_the_clockwise_side_of_its_space() -> None:
    """Keyside §2.1: space s2 lies between h2 and h3."""
    assert _reach().state.headlands[2] == (Built(Seat(1), "C"),)
