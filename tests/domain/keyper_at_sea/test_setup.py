"""Setup and first prompts (keyper-at-sea §4, §12 W15 to W20)."""

from collections import Counter

import pytest

from keylore_domain.engine.facts import StartPlayerSet
from keylore_domain.errors import OptionError
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.components.boards import CELLS
from keylore_domain.games.keyper_at_sea.rules import max_turns
from keylore_domain.games.keyper_at_sea.state.position import Plot
from keylore_domain.games.keyper_at_sea.state.spots import cell_of
from tests.domain.keyper_at_sea.builders import GAME, PARTS, Scene, keyple, options


def test_bag_and_reserve_hold_the_tiles_of_the_mode() -> None:
    """keyper-at-sea W15."""
    for seats, sea_bag, base_bag in ((2, 13, 10), (3, 12, 9), (4, 11, 8)):
        for mode in ("shallow", "deep"):
            state = Scene(seats=seats, mode=mode, bare=False).now
            assert (len(state.bag), len(state.display), len(state.reserve)) == (sea_bag, 8, 40)
            assert state.supply[PARTS.item["fish"]] == 24 - seats
            assert [state.supply[PARTS.item[item]] for item in ("wood", "brick", "stone")] == [16 - seats] * 3
        state = Scene(seats=seats, mode="base", bare=False).now
        assert (len(state.bag), len(state.display), len(state.reserve)) == (base_bag, 8, 34)
        assert state.supply[PARTS.item["fish"]] == 0


def test_creatures_lie_on_the_water_and_in_the_stalls() -> None:
    """keyper-at-sea W16."""
    state = Scene(bare=False).now
    laid = {board.id: [cell.face_up for cell in board.cells if cell.creature] for board in state.boards}
    assert laid == {"sea": [False] * 6, "c1": [False] * 2, "c2": [False] * 2}
    assert [len(stall) for stall in state.stalls] == [2, 2, 2, 2]
    assert len(state.sea_pile) == 72 - len(state.treasures)


def test_the_first_turn_offers_colours_keyper_spots_and_moorings() -> None:
    """keyper-at-sea W17."""
    scene = Scene(bare=False).start()
    assert scene.kind == "take_turn"
    assert scene.names("colour") == list(PARTS.colours)
    assert len(scene.legal) == 8
    scene.play(keyple("white"))
    spots = scene.names("spot")
    fields = Counter(spot.split(".")[0] for spot in spots if "." in spot)
    assert fields == {"sea": 9, "c1": 13, "c2": 13}
    assert (len(spots), spots[0]) == (45, "sea.0.3")
    assert spots[-6:] == list(PARTS.fishing_boats)
    scene.play({"spot": "fishing_green"})
    assert (scene.kind, len(scene.legal)) == ("choose_mooring", 10)
    deep = Scene(mode="deep", seats=4, bare=False).start().play(keyple("white"))
    assert len(deep.legal) == 61 + 4 + 6


def test_two_seats_have_a_ninth_keyple_each() -> None:
    """keyper-at-sea W18."""
    scene = Scene(seats=2, bare=False)
    ninth = []
    for seat in (0, 1):
        team = scene.household(seat).team
        assert sum(team) == 9
        ninth += [colour for colour, n in zip(PARTS.colours[:-1], team, strict=False) if n == 2]
    assert len(set(ninth)) == 2
    assert set(ninth) < {"brown", "green", "grey", "orange"}


def test_a_display_is_turned_clockwise() -> None:
    """keyper-at-sea W19."""
    board = Scene().now.board("c1")
    assert (board.display, board.rotation) == ("spring-1", 90)
    rows = "ru wh fo W / mk sh cl W / up cw qu K / ct sw bu ct"
    assert [cell.field for cell in board.cells] == rows.replace("/ ", "").split()


def test_the_water_is_one_area() -> None:
    """keyper-at-sea W20."""
    scene = Scene(seats=2)
    water = [
        cell
        for cell in PARTS.neighbours["sea.0.0"]
        if cell.split(".")[0] in ("sea", "c1") and cell_of(scene.now, cell).field == "W"
    ]
    assert water == ["sea.0.1", "sea.1.0", "sea.1.1", "c1.0.3", "c1.1.3"]


def test_every_seat_gets_its_parts() -> None:
    """keyper-at-sea §4 setup 5 and 6."""
    scene = Scene(bare=False)
    for seat in range(3):
        household = scene.household(seat)
        assert household.team == (1, 1, 1, 1, 1, 1, 2)
        assert scene.owned(seat) == {"wood": 1, "brick": 1, "stone": 1, "fish": 1}
        assert len(household.tiles) == 14
        assert household.plots == (Plot((), upgraded=False, keyple=None),) * 25
        seasons = [PARTS.fairs[fair].season for fair in household.secret]
        assert seasons == ["spring", "summer", "autumn"]
    base = Scene(mode="base", bare=False)
    assert base.owned() == {"wood": 1, "brick": 1, "stone": 1}
    assert len(base.household().tiles) == 12
    assert [board.id for board in base.now.boards] == ["c1", "c2", "c3"]
    assert not any(cell.creature for board in base.now.boards for cell in board.cells)
    assert (base.now.fishing_available, base.now.stalls, base.now.fish_fairs) == ((), (), ())


def test_four_boats_are_available_and_two_aside() -> None:
    """keyper-at-sea §4 setup 4."""
    state = Scene(bare=False).now
    assert (len(state.boats_available), len(state.boats_aside)) == (4, 2)
    assert sorted([*state.boats_available, *state.boats_aside]) == sorted(PARTS.boats)


def test_the_start_seat_is_chosen_or_drawn() -> None:
    """keyper-at-sea §4 setup 10."""
    assert Scene(start_seat=2, bare=False).now.current == 2
    drawn = {Scene(number, start_seat="random", bare=False).now.current for number in range(12)}
    assert drawn == {0, 1, 2}
    (fact,) = Scene(start_seat="random", bare=False).noted(StartPlayerSet)
    assert fact.seat == Scene(start_seat="random", bare=False).now.current


def test_options_that_do_not_go_together_are_rejected() -> None:
    """keyper-at-sea §1."""
    for mode in ("base", "deep"):
        with pytest.raises(OptionError, match="first_out_stores"):
            options(mode=mode, first_out_stores=True)
    with pytest.raises(OptionError, match="start_seat"):
        options(seats=2, start_seat=2)
    with pytest.raises(OptionError, match="seats"):
        options(seats=5)
    assert options(first_out_stores=True).mode == "shallow"


def test_each_fact_names_its_rule() -> None:
    own = [kind for kind in GAME.fact_types if kind.__module__ == facts.__name__]
    assert len(own) == 32
    assert all("§" in kind.rule for kind in own)


def test_the_bound_on_turns_and_moves() -> None:
    """keyper-at-sea §11.1."""
    assert [max_turns(options(mode="deep", seats=seats)) for seats in (2, 3, 4)] == [220, 270, 342]
    assert max_turns(options(mode="base", seats=4)) == 576
    assert GAME.max_plies(options(mode="base", seats=4)) == 576 * 84 + 20 * 100


def test_rows_of_cells_belong_to_their_board() -> None:
    assert CELLS["c2"][6] == "c2.1.2"
