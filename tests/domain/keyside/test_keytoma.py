"""The solo game: set-up, landings, flags, turns, ends (keyside §8, T38, T81 to T87, T95 to T99)."""

from typing import Any

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.facts import DiceRevealed, FlagMoved, KeypleMoved, StartPlayerSet
from keylore_domain.games.keyside.state.decisions import (
    FlagMoves,
    FlagParting,
    KeytomaFollow,
    KeytomaPlacing,
    TurnEnd,
    YearStart,
)
from keylore_domain.games.keyside.state.position import (
    COLOURS,
    KEYTOMA,
    PIRATE,
    Die,
    Owner,
    Solo,
    Source,
    State,
)
from tests.domain.keyside.builders import Scene, Table, opened, roll

ZERO = Seat(0)
FIVE_PIRATES: tuple[Owner, ...] = (PIRATE,) * 5
S4_LIGHT = (4, 1, 6, 3, 2, 5)


def _solo(state: State) -> Solo:
    assert state.solo is not None
    return state.solo


def _keytoma(scene: Scene, **dice: int) -> Scene:
    """Keytoma's dice by colour."""
    return scene.solo(dice=tuple(dice.get(colour, 0) for colour in COLOURS))


# Set-up


def _numbers() -> tuple[int, ...]:
    """A shuffle that puts number 4 at h10."""
    return tuple((place - 7) % 12 for place in range(12))


def _set_up(**options: Any) -> State:
    script: dict[str, list[Any]] = {"setup.harbour_scores": [_numbers()], "setup.flags": [3]}
    return opened(script, seats=1, **options).state


def test_the_flags_are_four_harbours_apart() -> None:
    """Keyside T81."""
    state = _set_up()

    assert state.harbours[10].number == 4
    assert _solo(state).flags == (10, 2, 6)
    assert [beacon[0] for beacon in _solo(state).beacons] == ["A", "B", "C"]
    assert state.gem_bag == (6, 6, 6)
    assert len(_solo(state).strips) == 3
    assert state.mats[0].strip not in _solo(state).strips
    assert len(state.boats) == 3


def test_the_difficulty_changes_the_set_up() -> None:
    """Keyside T81."""
    keyple = _set_up(solo_difficulty="keytoma_keyple")
    assert keyple.harbours[9].top == (KEYTOMA,)
    assert _solo(keyple).keyples == 17

    slide = _set_up(solo_difficulty="landslide")
    assert [tile.owner for tile in slide.headlands[1]] == ["landslide"]
    assert _solo(slide).landslides == 14

    pirates = _set_up(solo_difficulty="pirates")
    assert pirates.harbours[5].top == (PIRATE, PIRATE)
    assert _solo(pirates).pirates == 16

    assert _set_up(solo_difficulty="all_beacons").harbours == _set_up().harbours
    assert _set_up(solo_keyple_spaces=4).spaces == 4


def test_keytoma_sets_its_dice_by_a_strip_after_the_human() -> None:
    """Keyside §8.3."""
    table = opened({"keytoma.side": [1]}, seats=1)
    strips = _solo(table.state).strips
    assert _solo(table.state).dice == (0,) * 6

    table.play(side="light")

    (gone,) = set(strips) - set(_solo(table.state).strips)
    assert table.state.removed.strips == (gone,)
    assert [fact["seat"] for fact in table.noted(DiceRevealed)] == [0, "K"]
    assert sorted(_solo(table.state).dice) == [1, 2, 3, 4, 5, 6]
    assert table.asked == (0, "lead_landing")


def test_in_a_first_solo_game_only_the_human_has_a_cottage() -> None:
    """Keyside §4 step 16."""
    state = _set_up(first_game=True)

    assert sum(plot is not None for plot in state.mats[0].buildings) == 1
    assert sum(len(harbour.top) for harbour in state.harbours) == 1


# Landing


def _follows(with_flag: bool, rolled: int, green: int = 3) -> Table:
    scene = _keytoma(Scene(1), green=green).loaded(3, 4)
    scene.solo(flags=(3 if with_flag else 5, 7, 9))
    return scene.run(KeytomaFollow(3), script=roll(rolled))


@pytest.mark.parametrize(
    ("with_flag", "rolled", "follows"),
    [(True, 1, False), (True, 2, True), (False, 4, False), (False, 5, True)],
)
def test_keytoma_follows_by_a_roll(*, with_flag: bool, rolled: int, follows: bool) -> None:
    """Keyside T38."""
    table = _follows(with_flag, rolled)

    dice = table.state.harbours[3].dice
    assert (Die(KEYTOMA, "green", 3) in dice) == follows
    assert (_solo(table.state).dice[1] == 0) == follows
    assert table.scripted_left() == 0


def test_nothing_is_rolled_when_keytoma_cannot_follow() -> None:
    """Keyside T38."""
    assert _follows(with_flag=True, rolled=6, green=5).scripted_left() == 1
    assert _follows(with_flag=True, rolled=6, green=0).scripted_left() == 1


def _human_lands(rolled: int) -> Table:
    scene = _keytoma(Scene(1), blue=5, red=1).dice(0, blue=5, red=2).solo(flags=(5, 7, 9))
    table = scene.turn(script=roll(rolled))
    table.play(action="land", colour="blue", boat=0, harbour="h3")
    assert table.asked == (0, "introduce_keyple")
    return table.play(from_="town")


def test_keytoma_places_its_keyple_after_the_human_and_only_if_it_followed() -> None:
    """Keyside T84."""
    table = _human_lands(5)
    assert [(die.owner, die.value) for die in table.state.harbours[3].dice] == [(0, 5), ("K", 5)]
    assert table.state.harbours[3].top == (0, KEYTOMA)

    table = _human_lands(4)
    assert [die.owner for die in table.state.harbours[3].dice] == [0]
    assert table.state.harbours[3].top == (0,)
    assert _solo(table.state).keyples == 18


def _keytoma_lands(scene: Scene) -> Scene:
    scene.solo(dice=S4_LIGHT, flags=(1, 3, 6)).headland(6, (0, "C", "none")).boats(0, 4, 6)
    return scene


def test_keytoma_lands_without_boat_and_sailor() -> None:
    """Keyside T82."""
    scene = _keytoma_lands(Scene(1).dice(0, yellow=3))
    table = scene.turn(KEYTOMA, roll(5))

    assert table.asked == (0, "respond")
    assert table.state.harbours[6].dice == (Die(KEYTOMA, "yellow", 4),)
    assert table.state.harbours[6].sailor is None
    assert table.state.boats == scene.state.boats
    table.play(action="follow")
    assert table.state.mats[0].town == 7
    before = table.state.harbours[6].top
    assert table.asked == (0, "introduce_keyple")
    assert _solo(table.state).flags == (1, 3, 6)
    table.play(from_="town")
    assert (before, table.state.harbours[6].top) == ((KEYTOMA,), (KEYTOMA, ZERO))
    assert _solo(table.state).flags == (1, 3, 7)
    assert table.state.mats[0].levels == (0,) * 6
    assert table.noted(FlagMoved) == [{"fact": "flag_moved", "flag": "5-6", "harbour": "h7"}]

    unable = _keytoma_lands(Scene(1).dice(0, yellow=5)).turn(KEYTOMA, roll(5))
    assert unable.asked == (0, "lead_landing")
    assert unable.state.mats[0].town == 7
    assert "h6" not in unable.values("harbour")


def test_the_humans_wharf_looks_at_where_keytoma_lands() -> None:
    """Keyside §6.5: solo, also Keytoma's landing."""
    scene = Scene(1).solo(dice=S4_LIGHT, flags=(1, 3, 6)).headland(5, (0, "A", "cw")).dice(0, red=1)

    assert scene.turn(KEYTOMA, roll(5)).store() == {"fish": 2}


def test_keytomas_keyple_goes_on_to_the_next_harbour_with_a_space() -> None:
    """Keyside T83."""
    scene = _keytoma_lands(Scene(1).dice(0, yellow=5))
    scene.harbour(6, *[ZERO] * 5).harbour(7, *FIVE_PIRATES)

    table = scene.turn(KEYTOMA, roll(5))

    assert table.state.harbours[8].top == (KEYTOMA,)
    assert table.state.harbours[6].dice[0].owner == KEYTOMA
    assert table.noted(KeypleMoved) == [{"fact": "keyple_moved", "seat": "K", "from": "supply", "to": "h8"}]


def test_without_a_keyple_or_a_space_keytoma_places_none() -> None:
    """Keyside §8.4."""
    assert Scene(1).solo(keyples=0).run(KeytomaPlacing(3)).state.harbours[3].top == ()
    full = Scene(1)
    for at in range(12):
        full.harbour(at, *FIVE_PIRATES)
    assert _solo(full.run(KeytomaPlacing(3)).state).keyples == 18


# Flags


def _flags(scene: Scene, *landed: int) -> Scene:
    for at in landed:
        scene.harbour(at, landed=True)
    return scene


def test_the_flag_of_a_harbour_landed_on_moves_clockwise() -> None:
    """Keyside T95."""
    scene = _flags(Scene(1).solo(flags=(0, 4, 8)), 1, 2, 0, 4, 6)

    assert _solo(scene.run(FlagMoves(0)).state).flags == (3, 4, 8)
    assert _solo(scene.run(FlagMoves(4)).state).flags == (0, 5, 8)
    assert _solo(scene.run(FlagMoves(6)).state).flags == (0, 4, 8)


def _sharing() -> Scene:
    scene = Scene(1).solo(flags=(0, 5, 9))
    return _flags(scene, *(at for at in range(12) if at not in (5, 9)))


def test_flags_share_a_harbour_until_one_is_resolved() -> None:
    """Keyside T96."""
    shared = _sharing().run(FlagMoves(0))
    assert _solo(shared.state).flags == (5, 5, 9)

    scene = _sharing().solo(flags=(5, 5, 9))
    assert _solo(scene.run(FlagParting(2)).state).flags == (2, 5, 9)
    assert _solo(scene.run(FlagParting(9)).state).flags == (5, 5, 9)
    assert _solo(_sharing().run(FlagParting(2)).state).flags == (0, 5, 9)


def test_shared_flags_part_after_every_resolution() -> None:
    """Keyside T96: after all its effects, whoever resolves."""
    scene = _sharing().solo(flags=(5, 5, 9)).loaded(2, 3).harbour(2, ZERO, tile="A").store(0, fish=1)
    table = scene.turn().play(harbour="h2")
    assert _solo(table.state).flags == (2, 5, 9)

    other = _sharing().solo(flags=(5, 5, 9)).loaded(2, 3, colour="blue", owners=("K",))
    other.harbour(2, KEYTOMA, tile="A")
    assert _solo(other.turn(KEYTOMA, roll(1)).state).flags == (2, 5, 9)


def test_keytoma_lands_again_on_a_resolved_harbour() -> None:
    """Keyside T96."""
    scene = (
        _sharing().solo(flags=(2, 5, 9)).harbour(2, landed=True, resolved=True, sea=(Die(ZERO, "red", 3),))
    )
    scene.boats(1, 3, 7).dice(0, red=6)
    _keytoma(scene, blue=2)
    assert "h2" not in scene.turn().values("harbour")

    table = scene.turn(KEYTOMA, roll(1))

    harbour = table.state.harbours[2]
    assert (harbour.resolved, harbour.landed) == (False, True)
    assert harbour.dice == (Die(KEYTOMA, "blue", 2),)
    assert harbour.sea == (Die(ZERO, "red", 3),)
    assert _solo(table.state).flags == (5, 5, 9)
    assert "h2" not in table.values("harbour")


def test_several_flags_on_one_harbour_move_on_one_after_the_other() -> None:
    """Keyside §8.6: the smaller number first; with nowhere to go a flag stays."""
    scene = _flags(Scene(1).solo(flags=(5, 5, 9)), 5)
    assert _solo(scene.run(FlagMoves(5)).state).flags == (6, 7, 9)

    everywhere = _flags(Scene(1).solo(flags=(5, 5, 5)), *range(12))
    assert _solo(everywhere.run(FlagMoves(5)).state).flags == (5, 5, 5)


def test_shared_flags_part_at_the_start_of_a_year() -> None:
    """Keyside ruling R53."""
    scene = Scene(1).change(phase="dice", year=2)

    assert _solo(scene.solo(flags=(5, 5, 6)).run(YearStart()).state).flags == (7, 5, 6)
    assert _solo(scene.solo(flags=(5, 5, 5)).run(YearStart()).state).flags == (6, 7, 5)


# Resolving


def _shared_harbour(values: tuple[int, ...], *top: Any) -> Table:
    scene = Scene(1).loaded(3, *values, owners=(0, "K")).harbour(3, *top, tile="C").source("forest", 3)
    return scene.turn()


def test_the_human_selects_and_keytoma_acts_after_it() -> None:
    """Keyside T85."""
    table = _shared_harbour((4, 3), ZERO, KEYTOMA)

    assert table.asked == (0, "take_gain")
    table.play(action="take")
    assert table.store() == {"wood": 3}
    forest = table.state.resources[0]
    assert isinstance(forest, Source)
    assert (forest.flipped, forest.keyple) == (True, PIRATE)
    assert _solo(table.state).pirates == 17


@pytest.mark.parametrize(("values", "top"), [((4,), (ZERO, KEYTOMA)), ((4, 3), (ZERO, PIRATE))])
def test_keytoma_does_nothing_without_two_dice_and_a_keyple(
    values: tuple[int, ...], top: tuple[Any, ...]
) -> None:
    """Keyside T85."""
    table = _shared_harbour(values, *top).play(action="take")

    assert _solo(table.state).pirates == 18


def test_the_human_has_a_window_before_keytomas_effect() -> None:
    """Keyside §8.8, ruling R51."""
    scene = Scene(1).loaded(3, 4, 3, owners=(0, "K")).harbour(3, ZERO, KEYTOMA, tile="A").store(0, fish=1)

    table = scene.turn().play(harbour="h3")

    assert table.asked == (0, "window_action")
    assert table.prompt.context.window == "interlude"  # type: ignore[union-attr]
    assert table.store() == {"fish": 1, "pig": 2}


def test_keytoma_resolves_from_a_rolled_flag_on() -> None:
    """Keyside T86."""
    scene = Scene(1).solo(flags=(9, 2, 7)).loaded(1, 3, owners=("K",)).harbour(1, KEYTOMA)
    scene.loaded(5, 2, colour="blue", owners=("K",)).harbour(5, KEYTOMA, ZERO, tile="A")
    table = scene.turn(KEYTOMA, roll(3))

    assert table.state.harbours[5].resolved
    assert not table.state.harbours[1].resolved
    kinds = [type(fact).__name__ for fact in table.facts]
    assert kinds.index("KeytomaActed") < kinds.index("BenefitStarted")
    assert table.store() == {"cow": 2}
    assert len(table.state.removed.skill_tiles) == 2

    without = Scene(1).solo(flags=(9, 2, 7)).loaded(1, 3, owners=("K",)).harbour(1, KEYTOMA, tile="A")
    assert without.turn(KEYTOMA, roll(3)).store() == {}


def test_keytoma_acts_without_a_harbour_while_something_is_open() -> None:
    """Keyside T87."""
    scene = Scene(1).solo(flags=(1, 3, 6)).loaded(4, 3).harbour(4, ZERO).loaded(5, 1).harbour(5, ZERO)
    table = scene.turn(KEYTOMA, roll(3, 6))

    assert table.asked == (0, "resolve_select")
    assert table.state.harbours[6].top == (PIRATE, PIRATE)
    assert table.state.harbours[4].dice
    assert table.scripted_left() == 0

    nothing = Scene(1).turn(KEYTOMA, roll(3, 6))
    assert nothing.scripted_left() == 2


def test_keytoma_activates_harbour_i_for_the_marker_alone() -> None:
    """Keyside T98, §8.5, ruling R57."""
    scene = Scene(1).loaded(8, 3, colour="blue", owners=("K",)).harbour(8, KEYTOMA, ZERO).store(0, fish=1)
    scene.market("blue", 0)
    table = scene.turn(KEYTOMA, roll(1))

    assert table.state.next_start == KEYTOMA
    assert table.state.harbours[8].red_space is None
    assert table.asked == (0, "choose_part")
    assert table.legal == [
        {"part": "move"},
        {"part": "market"},
        {"part": "skill"},
        {"action": "decline"},
    ]


def test_keytoma_starts_the_next_year_with_the_marker() -> None:
    """Keyside T98."""
    scene = Scene(1, dice_strips="scheduled").change(next_start=KEYTOMA, end_triggered=True, year=2)
    table = scene.change(phase="turns").run(TurnEnd(), lead=KEYTOMA)
    assert table.state.start_seat == KEYTOMA
    assert table.noted(StartPlayerSet) == [{"fact": "start_player_set", "seat": "K"}]

    last = Scene(1).change(next_start=KEYTOMA, end_triggered=True, year=3).skills(0, ("red", 1))
    table = last.run(TurnEnd(), lead=KEYTOMA)
    assert table.asked == (0, "window_action")
    table.play(action="pass", scope="window")
    assert table.state.phase == "over"
    assert table.state.marker_item is None


def test_the_human_allocates_the_marker_if_it_holds_it() -> None:
    """Keyside §8.9."""
    table = Scene(1).change(end_triggered=True, year=3).run(TurnEnd(), lead=KEYTOMA)

    assert table.asked == (0, "allocate_marker")


def test_the_year_ends_with_the_second_of_the_order() -> None:
    """Keyside T99."""
    scene = Scene(1).loaded(0, 3, colour="blue", owners=("K",)).harbour(0, KEYTOMA)
    assert scene.turn(KEYTOMA, roll(1)).state.year == 2

    own = Scene(1).loaded(0, 3).harbour(0, ZERO)
    assert own.turn().state.year == 2

    started = (
        Scene(1).change(start_seat=KEYTOMA).loaded(0, 3, colour="blue", owners=("K",)).harbour(0, KEYTOMA)
    )
    table = started.turn(KEYTOMA, roll(1))
    assert table.asked == (0, "idle_action")
    assert table.play(action="goods").play(goods=["wood", "wood"]).state.year == 2


def test_the_end_waits_for_keytomas_dice() -> None:
    """Keyside §8.5."""
    scene = _keytoma(Scene(1), blue=2).solo(flags=(0, 4, 8))

    table = scene.turn().play(action="goods").play(goods=["wood", "wood"])

    assert not any(_solo(table.state).dice)
    assert table.state.year == 1
    assert not table.state.end_triggered


def test_boats_are_not_refilled() -> None:
    """Keyside T97."""
    scene = Scene(1, dice_strips="scheduled").change(end_triggered=True)
    for at, colour in ((1, "yellow"), (2, "green"), (3, "red"), (5, "blue")):
        scene.loaded(at, 2, colour=colour)
    scene.harbour(7, landed=True, resolved=True, sea=(Die(ZERO, "purple", 2),), sea_sailors=("purple",))
    boat = scene.state.boats[0]
    empty = type(boat)(boat.at, ("orange",))
    scene.change(boats=(empty, *scene.state.boats[1:]))

    table = scene.run(TurnEnd(), lead=KEYTOMA)

    assert sum(len(boat.sailors) for boat in table.state.boats) == 13
    assert table.state.removed.sailors == (1, 1, 1, 1, 1, 0)
    assert all(harbour.sailor is None for harbour in table.state.harbours)
