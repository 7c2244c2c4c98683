"""Deep water (keyper-at-sea §6.14, §12 W104 to W115)."""

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.components.boards import CELLS
from keylore_domain.games.keyper_at_sea.components.entries import Season
from keylore_domain.games.keyper_at_sea.state.position import season_number
from tests.domain.keyper_at_sea.builders import END_SEASON, KEYPER, LAY_DOWN, PARTS, PASS, Scene

STORE = {"store": "raw_store"}


def deep(seats: int = 3) -> Scene:
    return Scene(mode="deep", seats=seats)


def recruiting(seats: int, keyples: int) -> Scene:
    """Seat 0 is Player A with this many keyples; the others have eight each."""
    scene = deep(seats).team(0, *["white"] * keyples)
    for seat in range(1, seats):
        scene.team(seat, *PARTS.colours, "white")
    return scene.do("recruit")


def given(scene: Scene) -> list[int]:
    while scene.kind == "give_keyple":
        scene.play_default()
    return [fact.giver for fact in scene.noted(facts.KeypleGiven)]


@pytest.mark.parametrize(
    ("seats", "keyples", "givers"),
    [(4, 3, [1, 2, 3]), (3, 1, [1, 1, 1, 2, 2, 2]), (2, 6, []), (2, 0, [1] * 6)],
)
def test_recruiting_sums(seats: int, keyples: int, givers: list[int]) -> None:
    """keyper-at-sea W104."""
    scene = recruiting(seats, keyples)
    assert given(scene) == givers
    assert sum(scene.household().team) == keyples + len(givers)


def test_keyples_are_given_from_all_places_of_the_giver() -> None:
    """keyper-at-sea W105."""
    scene = deep(2).team(0, *["white"] * 5).team(1, "orange", keyper="c1").put("keyp", "grey", seat=1)
    scene.put("c1.0.1", "white").put("c2.0.1", "black")
    scene.do("recruit")
    assert (scene.kind, scene.prompt.seat, scene.context["left"]) == ("give_keyple", 1, 1)
    assert scene.legal == [
        {"spot": "team", "colour": "orange"},
        {"spot": "keyp", "colour": "grey"},
        {"spot": "c1.0.1", "colour": "white", "lying": False},
    ]
    keyp = scene.again().do("recruit").play({"spot": "keyp", "colour": "grey"})
    assert keyp.household(1).keyp == ()
    assert keyp.household(0).team[PARTS.colour["grey"]] == 1


def test_played_keyples_are_given_standing_or_lying() -> None:
    """keyper-at-sea D8, R81."""
    scene = deep(2).team(0, *["white"] * 5).team(1, keyper="c1").built("v11", "workshop", seat=1)
    scene.put("v11", "black", seat=1).dry().moor("boat_1", "c1.0.3", "c1.1.3")
    scene.put("c1.0.1", "white", "white").put("boat_1", "brown", lying=True)
    scene.do("recruit")
    boat = {"spot": "boat_1", "colour": "brown", "lying": True}
    assert scene.legal == [
        {"spot": "v11", "colour": "black", "lying": False},
        {"spot": "c1.0.1", "colour": "white", "lying": False},
        boat,
    ]
    scene.play(boat)
    moored = scene.now.moored_as("boat_1")
    assert moored is not None
    assert moored.keyples == ()
    assert scene.household().team[PARTS.colour["brown"]] == 1
    tile = (
        scene.again()
        .team(0, *["white"] * 5)
        .do("recruit")
        .play({"spot": "v11", "colour": "black", "lying": False})
    )
    assert tile.household(1).plots[PARTS.plot["v11"]].keyple is None


def test_only_a_seat_without_keyples_gives_from_an_unclaimed_board() -> None:
    """keyper-at-sea W105."""
    scene = deep(2).team(0, *["white"] * 5).team(1, keyper="c1").put("c2.0.1", "black").put("sea.2.2", "grey")
    scene.do("recruit")
    assert scene.legal == [
        {"spot": "sea.2.2", "colour": "grey", "lying": False},
        {"spot": "c2.0.1", "colour": "black", "lying": False},
    ]
    nothing = deep(2).team(0, *["white"] * 5).team(1, keyper="c1").do("recruit")
    assert sum(nothing.household().team) == 5


def first_end(*, seats: int = 3) -> Scene:
    """Seat 1 was the first to end spring; its second spring is under way (after W2)."""
    scene = deep(seats).team(1, *["white"] * 6).claim(1, "c1").have(1, team=(0,) * 7)
    for cell in ("c1.0.1", "c1.0.2", "c1.1.0"):
        scene.put(cell, "white", "white", lying=True)
    scene.team(0, "white", keyper="c2").team(2, "white", keyper="c3") if seats == 3 else None
    scene.start(seat=1)
    return scene.play(STORE, {"display": "summer-1", "rotation": 0})


def test_player_a_plays_the_season_again_on_another_board() -> None:
    """keyper-at-sea W106."""
    scene = first_end()
    assert scene.now.player_a == (1, None, None, None)
    assert (scene.household(1).season, scene.now.season) == ("spring", "summer")
    scene.again().start(seat=1).play(KEYPER)
    assert scene.household(1).keyper == "sea"  # c1 has a summer marker, c2 and c3 are claimed
    state = scene.again().team(1, keyper="sea").items(1, cow=1).now
    scene.start(seat=1)
    assert scene.kind == "choose_display"
    assert scene.household(1).completed == ("spring",)
    assert scene.owned(1) == {}
    scene.play({"display": "sea-summer-2", "rotation": 90})
    after = scene.now
    assert after.households[1].season == "summer"
    assert (after.board("sea").season, after.board("sea").marker) == ("summer", True)
    assert after.markers_left == (0, 2, 4, 4)
    unchanged = ("season", "stalls", "fish_fairs", "opened", "stores_left", "boats_available")
    assert [getattr(after, name) for name in unchanged] == [getattr(state, name) for name in unchanged]


def test_player_b_only_changes_its_own_season() -> None:
    """keyper-at-sea W107."""
    scene = first_end().again().team(0, keyper="c2").put("c2.0.0", "grey", lying=True)
    display = scene.now.display
    scene.start(seat=0)
    assert (scene.kind, scene.prompt.seat) == ("choose_display", 0)
    scene.play_default()
    assert scene.now.markers_left == (0, 2, 4, 4)
    assert scene.household(0).stores == ()
    assert sum(scene.household(0).team) == 1
    assert scene.now.display == display
    assert not scene.noted(facts.KeypleGiven)


def test_boats_at_the_game_change() -> None:
    """keyper-at-sea W108."""
    scene = (
        deep()
        .dry()
        .team(0, keyper="sea")
        .change(boats_available=("boat_1",), boats_aside=("boat_2", "boat_3"))
    )
    scene.moor("boat_4", "sea.0.0", "sea.0.1").moor("boat_5", "sea.1.0", "sea.1.1").moor(
        "boat_6", "c1.0.3", "c1.1.3"
    )
    scene.moor("fishing_grey", "sea.0.2")
    scene.do("take_board")
    assert scene.now.boats_aside == ("boat_2", "boat_3", "boat_4", "boat_5")
    assert "fishing_grey" in scene.now.fishing_available
    assert [moored.id for moored in scene.now.moored] == ["boat_6"]
    scene.again().do("select_boats")
    assert (len(scene.now.boats_available), len(scene.now.boats_aside)) == (4, 1)
    few = deep().change(boats_available=(), boats_aside=("boat_2", "boat_3"))
    few.do("select_boats")
    assert (few.now.boats_available, few.now.boats_aside) == (("boat_2", "boat_3"), ())


def test_a_seat_may_be_behind_the_season_of_the_game() -> None:
    """keyper-at-sea W109."""
    scene = (
        deep()
        .team(0)
        .team(2, "white")
        .items(2, crab=1, lobster=1)
        .change(season="summer", opened=("spring", "summer"))
    )
    pair = "fish_fair_crab_lobster"
    others = tuple(fair for fair in PARTS.fish_fairs if fair != pair)
    scene.change(fish_fairs=(others[0], pair, *others[1:])).board("c3", season="summer")
    scene.start(seat=2).place("white", "sea.1.2")
    assert {"action": "take_fish"} in scene.legal
    scene.play({"action": "exhibit"})
    assert scene.household(2).shipping == 3
    taking = deep().team(0).team(2, "white").change(season="summer", display=("barn", "summer_goat_fair"))
    taking.start(seat=2).place("white", "sea.0.3").play(
        {"action": "take", "from": "display", "tile": "summer_goat_fair"}
    )
    assert taking.household(2).fairs == ("summer_goat_fair",)
    claiming = deep().board("c3", season="summer").team(2, "white").start(seat=2).play(KEYPER)
    assert claiming.names("board") == ["sea", "c1", "c2"]


def test_a_seat_without_a_piece_lays_down_or_ends_its_season() -> None:
    """keyper-at-sea W110."""
    scene = deep().team(0, keyper="c1").put("c1.0.1", "green").start()
    assert scene.legal == [LAY_DOWN, END_SEASON]
    assert scene.prompt.default == 1
    nothing = deep().team(0, keyper="c1").put("c2.0.1", "green").start()
    assert nothing.kind == "choose_store"


def test_keyples_on_the_keyp_yield_at_the_end_of_the_season() -> None:
    """keyper-at-sea W111."""
    scene = deep().team(0, keyper="c1").put("keyp", "green", "white").items(0, log=1, clay=1, rock=1, cow=1)
    scene.have(0, fairs=("spring_quarter_fair",)).change(player_a=(1, None, None, None))
    scene.start()
    assert scene.kind == "hold_fair"  # laying the keyples down was not offered, so the season ended
    scene.play({"action": "hold", "fair": "spring_quarter_fair"})
    assert scene.kind == "choose_gain"
    assert scene.owned()["cow"] == 1
    scene.play({"item": "rock"}, {"item": "rock"})
    assert scene.owned() == {"log": 1, "clay": 1, "rock": 3}
    assert sum(scene.household().team) == 2


def last_winter(*seasons: Season) -> Scene:
    """Deep, four seats in these seasons; spring, summer and autumn have had their first ends."""
    scene = deep(4).change(
        season="winter", player_a=(0, 1, 2, None), opened=("spring", "summer", "autumn", "winter")
    )
    scene.change(stores_left=("gems_store",))
    for seat, (season, board) in enumerate(zip(seasons, ("c1", "c2", "c3", "c4"), strict=True)):
        scene.team(seat, keyper=board).board(board, season=season)
        done = ("spring", "summer", "autumn")[: season_number(season)]
        scene.have(seat, season=season, completed=done)
    return scene


def test_the_first_end_of_winter_gives_the_others_one_turn_each() -> None:
    """keyper-at-sea W112."""
    scene = last_winter("winter", "winter", "winter", "winter").put("c3.0.1", "white", lying=True)
    for seat, fair in enumerate(("yard", "wild", "guild", "crown")):
        scene.have(seat, fairs=(f"winter_{fair}_fair",)).put(
            f"c{seat + 1}.0.2", "green"
        ) if seat != 2 else None
    scene.have(2, fairs=("winter_guild_fair",)).items(2, wood=2, brick=1, stone=1)
    scene.items(0, pig=2, sheep=2).items(1, chicken=1, deer=1, goat=1, boar=1)
    scene.items(3, ruby=1, sapphire=1, emerald=1, gold=1)
    scene.start(seat=2)
    assert [(store.id, store.upgraded) for store in scene.household(2).stores] == [("gems_store", False)]
    assert (scene.now.trigger, scene.now.final_turns_left) == (2, 3)
    assert scene.household(2).keyper == "c3"
    assert scene.now.board("c3").cells[1].keyples
    turns = []
    while scene.kind == "take_turn":
        assert scene.legal == [LAY_DOWN, PASS]
        turns.append(scene.prompt.seat)
        scene.play(PASS)
    assert turns == [3, 0, 1]
    fairs = []
    while scene.position.open:
        assert scene.kind == "hold_fair"
        fairs.append(scene.prompt.seat)
        scene.play_default()
    assert fairs == [2, 3, 0, 1]
    assert scene.now.phase == "over"


def test_the_final_turn_may_end_an_earlier_season() -> None:
    """keyper-at-sea W113."""
    scene = last_winter("winter", "winter", "winter", "autumn").put("c4.0.1", "brown").change(trigger=Seat(2))
    scene.change(final_turns_left=3).built("v11", "log_cabin", seat=3)
    scene.have(3, fairs=("autumn_gold_fair", "winter_guild_fair")).items(
        3, wood=2, brick=1, stone=1, gold=2, emerald=1
    )
    scene.start(seat=3)
    assert scene.legal == [LAY_DOWN, END_SEASON, PASS]
    assert scene.prompt.default == 2
    scene.play(END_SEASON, {"action": "hold", "fair": "autumn_gold_fair"})
    assert scene.kind == "choose_display"
    assert scene.context["season"] == "winter"
    scene.play_default()
    assert scene.household(3).completed == ("spring", "summer", "autumn")
    while scene.position.open and scene.kind == "take_turn":
        scene.play_default()
    assert (scene.kind, scene.prompt.seat) == ("hold_fair", 3)
    scene.play({"action": "hold", "fair": "winter_guild_fair"})
    outcome = scene.game.outcome(scene.now)
    assert outcome is not None
    assert (outcome.seats[3].fairs, outcome.seats[3].tiles) == (15, 0)
    assert outcome.ended_by == "winter_ended"


def test_the_final_turn_in_winter() -> None:
    """keyper-at-sea W114."""
    scene = last_winter("winter", "winter", "winter", "winter").change(trigger=Seat(2), final_turns_left=2)
    scene.team(1, "white")
    scene.start(seat=0)
    assert (scene.kind, scene.prompt.seat) == ("choose_spot", 1)
    assert scene.now.final_turns_left == 1


def test_every_seat_finds_a_board_of_its_season() -> None:
    """keyper-at-sea W115."""
    scene = deep(2)
    made = 0

    def ends(seat: int) -> None:
        nonlocal made
        household = scene.again().household(seat)
        free = [
            board.id
            for board in scene.state.boards
            if board.keyper is None and board.marker and board.season == household.season
        ]
        assert free
        scene.team(1 - seat, *["white"] * 8).team(seat, keyper=free[0]).start(seat=seat)
        while scene.kind in ("choose_store", "give_keyple", "choose_display"):
            made += scene.kind == "choose_display" and scene.context["season"] == "summer"
            scene.play_default()

    ends(0)
    ends(1)
    assert [scene.household(seat).season for seat in (0, 1)] == ["spring", "summer"]
    ends(1)
    assert scene.now.player_a == (0, 1, None, None)
    assert (scene.household(1).season, scene.household(0).season) == ("summer", "spring")
    ends(0)
    ends(1)
    assert (scene.household(0).season, scene.household(1).season) == ("summer", "autumn")
    ends(0)
    assert made == 3
    assert scene.household(0).season == "autumn"


def test_the_trigger_seat_keeps_its_marker_on_the_store() -> None:
    """keyper-at-sea D21."""
    scene = last_winter("winter", "winter", "winter", "winter").put("c4.0.2", "green").start(seat=2)
    assert not scene.now.board("c3").marker
    moved = scene.noted(facts.MarkerMoved)[0]
    assert (moved.source, moved.to, moved.season) == ("c3", "gems_store", "winter")
    assert [fact.seat for fact in scene.noted(facts.EndTriggered)] == [2]


def test_a_seat_in_deep_lays_down_on_its_claimed_board_only() -> None:
    """keyper-at-sea L1, R14, R71."""
    scene = deep().team(0, keyper="c1").put("c2.0.1", "green").put("c1.0.2", "white").put("keyp", "white")
    scene.start().play(LAY_DOWN)
    assert scene.now.board("c1").cells[CELLS["c1"].index("c1.0.2")].keyples[0].lying
