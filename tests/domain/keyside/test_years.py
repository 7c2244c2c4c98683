"""Dice set-up, ends of year, first game (keyside §4, §5.3, §5.8, T65, T66, T71, T72)."""

import pytest

from keylore_domain.engine.options import parse_options
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import OptionError
from keylore_domain.games.keyside.facts import DiceRevealed, RoundStarted, StartPlayerSet
from keylore_domain.games.keyside.setup import source_places
from keylore_domain.games.keyside.state.decisions import TurnEnd, YearStart
from keylore_domain.games.keyside.state.position import COLOURS, Farm, Source
from tests.domain.keyside.builders import DATA, GAME, Scene, Table, opened

ZERO, TWO = Seat(0), Seat(2)


def _ended(scene: Scene) -> Table:
    """The last seat's turn ends after the trigger."""
    return scene.change(end_triggered=True).run(TurnEnd(), lead=2)


def test_the_next_year_begins_with_the_seat_that_activated_harbour_i() -> None:
    """Keyside T65."""
    scene = Scene(dice_strips="scheduled").change(next_start=TWO).loaded(3, 2, 1).harbour(2, ZERO)
    scene.harbour(5, resolved=True, landed=True, sea=scene.state.harbours[3].dice, sea_sailors=("green",))
    scene.levels(0, red=2).headland(3, (0, "A", "cw")).store(0, fish=1).mat(0, dice_on_mat=(0, 0, 3, 0, 0, 0))

    table = _ended(scene)

    assert table.state.year == 2
    assert (table.state.start_seat, table.state.lead_seat, table.state.next_start) == (2, 2, None)
    assert not table.state.end_triggered
    assert [boat.at for boat in table.state.boats] == [0, 4, 8]
    assert all(boat.sailors == COLOURS for boat in table.state.boats)
    for harbour in table.state.harbours:
        assert (harbour.dice, harbour.sea, harbour.sailor, harbour.landed) == ((), (), None, False)
        assert (harbour.resolved, harbour.sea_sailors) == (False, ())
    mat = table.state.mats[0]
    assert sorted(mat.dice) == [1, 2, 3, 4, 5, 6]
    assert mat.dice_on_mat == (0,) * 6
    assert (mat.levels, table.store()) == ((0, 0, 2, 0, 0, 0), {"fish": 1})
    assert table.state.harbours[2].top == (0,)
    assert len(table.state.headlands[3]) == 1
    assert table.noted(StartPlayerSet) == [{"fact": "start_player_set", "seat": 2}]
    assert table.noted(RoundStarted) == [{"fact": "round_started", "year": 2}]
    assert table.asked == (2, "lead_landing")


def test_the_turn_order_of_the_new_year_is_clockwise_from_the_start_seat() -> None:
    """Keyside T65: 2, 0, 1."""
    table = _ended(Scene(dice_strips="scheduled").change(next_start=TWO))
    order = [table.state.lead_seat]
    while len(order) < 3:
        table.play(action="advance", colour="green")
        order.append(table.state.lead_seat)

    assert order == [2, 0, 1]


def test_the_start_seat_stays_when_harbour_i_was_not_activated() -> None:
    """Keyside T66."""
    table = _ended(Scene())

    assert table.state.start_seat == 0
    assert table.noted(StartPlayerSet) == []


def test_the_first_game_starts_with_a_cottage_and_a_keyple() -> None:
    """Keyside T71."""
    table = opened({"setup.first_cottages": [(2, 0, 1, 3)]}, seats=3, first_game=True)  # N, C, F, X

    state = table.state
    building = state.mats[0].buildings[COLOURS.index("blue")]
    assert building is not None
    assert (building.letter, building.house) == ("N", False)
    assert [harbour.top for harbour in state.harbours if harbour.number == 5] == [(0,)]
    assert [harbour.top for harbour in state.harbours if harbour.number == 11] == [(1,)]
    assert [harbour.top for harbour in state.harbours if harbour.number == 1] == [(2,)]
    assert [(mat.keyples, mat.town) for mat in state.mats] == [(11, 6)] * 3
    assert "X" in state.cottages_left
    assert not {"C", "F", "N"} & set(state.cottages_left)


def _strip_year(year: int) -> Table:
    scene = Scene(dice_strips="scheduled").change(year=year, phase="dice")
    return scene.mat(0, strip="S2").mat(1, strip="S1").run(YearStart())


def test_scheduled_strips_set_the_dice_of_the_first_two_years() -> None:
    """Keyside T72."""
    assert _strip_year(1).state.mats[0].dice == (3, 4, 5, 6, 1, 2)
    assert _strip_year(2).state.mats[0].dice == (4, 3, 2, 1, 6, 5)
    assert _strip_year(1).asked == (0, "lead_landing")

    third = _strip_year(3)
    assert [item.prompt.kind for item in third.position.open] == ["choose_strip"] * 3
    assert third.state.mats[0].dice == (0,) * 6


def test_the_dice_are_set_in_secret_and_revealed_together() -> None:
    """Keyside §5.3."""
    table = opened(seats=2, start_seat=1)
    prompt = table.prompt_of(0)
    assert prompt.hidden
    assert [move.side for move in prompt.legal] == ["light", "dark", "none"]
    assert prompt.default == 0

    table.play(0, side="none")
    table.play(1, side="dark")
    assert table.noted(DiceRevealed) == []
    for colour, value in zip(COLOURS, (6, 4, 2, 1), strict=False):
        assert table.default == {"colour": colour, "value": 1}
        table.play(0, colour=colour, value=value)
    assert table.legal == [{"colour": "purple", "value": 3}, {"colour": "purple", "value": 5}]
    table.play(0, colour="purple", value=5)

    strip = GAME.parts.strips[table.state.mats[1].strip]
    assert table.state.mats[0].dice == (6, 4, 2, 1, 5, 3)
    assert table.state.mats[1].dice == strip.dark
    assert [fact["seat"] for fact in table.noted(DiceRevealed)] == [0, 1]
    assert table.asked == (1, "lead_landing")


def test_without_strips_the_dice_are_always_set_freely() -> None:
    """Keyside §5.3."""
    table = opened(seats=2, dice_strips="off")

    assert [item.prompt.kind for item in table.position.open] == ["set_die", "set_die"]
    assert [move.colour for move in table.prompt_of(1).legal] == ["yellow"] * 6


# Set-up


def test_there_are_16_places_for_forest_quarry_and_wheat_fields() -> None:
    """Keyside §4 step 4."""
    places = source_places()

    assert len(places) == 16
    assert places[0] == (0, 2, 4)
    assert list(places) == sorted(places)
    assert all((b - a) % 8 not in (1, 7) for trio in places for a in trio for b in trio)


def test_the_island_is_laid_out() -> None:
    """Keyside §4."""
    state = opened(seats=4, scoring_sides="mixed", mats="mixed").state

    assert sorted(harbour.tile for harbour in state.harbours) == list("ABCDEFGHIJKL")
    assert sorted(harbour.number for harbour in state.harbours) == list(range(1, 13))
    assert {harbour.side for harbour in state.harbours} == {"black", "red"}
    assert sorted(tile.tile for tile in state.resources if isinstance(tile, Source)) == [
        "forest",
        "quarry",
        "wheat_fields",
    ]
    farms = [tile for tile in state.resources if isinstance(tile, Farm)]
    assert sorted(tile.tile for tile in farms) == ["F1", "F2", "F3", "F4", "F5"]
    assert all(tile.icons == getattr(DATA.farms[tile.tile], tile.side) for tile in farms)
    assert sorted(market.tile for market in state.markets) == sorted(GAME.parts.market_tiles)
    assert all((market.side == "none") != (market.tile in GAME.parts.two_sided) for market in state.markets)
    assert len({mat.strip for mat in state.mats}) == 4
    assert len({"ABCDEFGH".index(mat.letter) % 4 for mat in state.mats}) == 4
    assert state.spaces == 7
    assert state.gem_bag == (12, 12, 12)


@pytest.mark.parametrize(("seats", "spaces"), [(1, 5), (2, 4), (3, 5), (4, 7)])
def test_keyple_spaces_depend_on_the_seats(seats: int, spaces: int) -> None:
    """Keyside §2."""
    assert opened(seats=seats).state.spaces == spaces


def test_sides_of_scoring_tiles_and_mats_follow_the_options() -> None:
    """Keyside §1."""
    plain = opened(seats=4).state
    assert {harbour.side for harbour in plain.harbours} == {"black"}
    assert {mat.letter for mat in plain.mats} == set("ABCD")
    other = opened(seats=4, scoring_sides="red", mats="advanced").state
    assert {harbour.side for harbour in other.harbours} == {"red"}
    assert {mat.letter for mat in other.mats} == set("EFGH")


def test_the_start_seat_is_drawn_or_named() -> None:
    """Keyside §4 step 13."""
    assert opened({"setup.start_seat": [2]}, seats=3).state.start_seat == 2
    assert opened(seats=3, start_seat=1).state.start_seat == 1
    assert opened(seats=1).state.start_seat == 0


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"seats": 3, "start_seat": 3}, "start_seat"),
        ({"seats": 2, "solo_difficulty": "pirates"}, "solo_difficulty"),
        ({"seats": 2, "solo_keyple_spaces": 4}, "solo_keyple_spaces"),
        ({"seats": 5}, "seats"),
        ({"seats": 2, "dice_strips": False}, "dice_strips"),
        ({"seats": 2, "colour": "red"}, "colour"),
        ({}, "seats"),
    ],
)
def test_wrong_options_are_refused(raw: dict[str, object], field: str) -> None:
    """Keyside §1."""
    with pytest.raises(OptionError) as error:
        parse_options(GAME, raw)

    assert error.value.field == field
