"""End and start of seasons in base and shallow, first-out variant (keyper-at-sea §6.13, W98 to W103)."""

from collections import Counter
from typing import Any

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.scoring.totals import score_parts
from keylore_domain.games.keyper_at_sea.state.spots import cell_of
from tests.domain.keyper_at_sea.builders import KEYPER, LAY_DOWN, PARTS, PASS, Scene, join

FOREST = "sea.2.2"


def last_turn(**chosen: Any) -> Scene:
    """The only piece left is a keyple of seat 0; each seat has claimed a board."""
    scene = Scene(**chosen)
    for seat, board in enumerate(scene.state.boards):
        scene.team(seat, keyper=board.id)
    return scene.team(0, "brown")


def ended(scene: Scene, spot: str = FOREST) -> Scene:
    """Seat 0 plays its last keyple, so that the season ends."""
    return scene.place("brown", spot)


def folded(scene: Scene) -> Scene:
    while scene.kind in ("choose_display", "choose_excess"):
        scene.play_default()
    return scene


def test_overlooked_keyples_yield_before_the_fairs() -> None:
    """keyper-at-sea W98."""
    scene = last_turn().items(0, sheep=2, log=1, clay=1).put("keyp", "white")
    scene.have(0, fairs=("spring_wool_fair", "spring_quarter_fair"))
    ended(scene, "sea.2.3")
    assert (scene.kind, scene.prompt.seat) == ("choose_gain", 0)
    scene.play({"item": "rock"})
    while scene.kind == "hold_fair":
        scene.play_default()
    assert score_parts(PARTS, scene.now, Seat(0))[1] == 8


def test_the_season_ends_with_the_last_piece() -> None:
    """keyper-at-sea W99."""
    scene = last_turn(mode="base").cell("c1.1.0", field="ct").team(1, "brown")
    scene.put("c2.0.3", "white", lying=True)
    scene.place("brown", "c1.1.0").play(join("brown"))
    while scene.kind == "take_tile":
        scene.play(scene.legal[0])
    assert scene.prompt.kind == "choose_display"
    folded(scene)
    assert scene.now.season == "summer"
    assert (scene.kind, scene.prompt.seat) == ("take_turn", 1)
    kinds = [type(fact) for fact in scene.facts]
    assert kinds.index(facts.SeasonEnded) < kinds.index(facts.DisplayRefilled)


def test_excess_keyples_go_to_the_keyp() -> None:
    """keyper-at-sea W100."""
    scene = last_turn().built("v11", "workshop").put("v11", "black")
    for cell in ("sea.2.3", "sea.3.0", "sea.3.1", "sea.3.3"):
        scene.put(cell, "green", "green")
    folded(ended(scene))
    assert sum(scene.household().team) == 8
    assert len(scene.household().keyp) == 2
    assert not any(keyple.lying for keyple in scene.household().keyp)
    assert scene.household().plots[PARTS.plot["v11"]].keyple is None
    two = last_turn(seats=2).put("sea.2.3", "green", "green").put("sea.3.0", "green", "green")
    two.put("sea.3.1", "white", "white").put("sea.3.3", "white", "white").put("keyp", "black", lying=True)
    folded(ended(two))
    assert (sum(two.household().team), len(two.household().keyp)) == (9, 1)


def test_a_small_team_is_filled_from_the_keyp() -> None:
    """keyper-at-sea W100."""
    scene = last_turn().put("keyp", "black", "black", lying=True)
    for cell in ("sea.2.3", "sea.3.0"):
        scene.put(cell, "green", "green")
    scene.put("sea.3.1", "white")
    folded(ended(scene))
    assert (sum(scene.household().team), scene.household().keyp) == (8, ())


def test_the_boards_are_cleared() -> None:
    """keyper-at-sea W101."""
    scene = last_turn().dry().cell("sea.2.0", creature="squid", face_up=True)
    scene.moor("boat_1", "sea.0.0", "sea.0.1", tiles=("crab",)).moor("boat_2", "c1.0.3", "c1.1.3")
    scene.moor("fishing_grey", "sea.0.2").change(sea_discard=(), treasures=("pearl",))
    scene.change(stalls=(("lobster",), (), (), ()), sea_pile=("mussels",) * 40)
    ended(scene)
    assert scene.kind == "choose_display"
    assert Counter(scene.now.sea_discard) == {"squid": 1, "crab": 1, "lobster": 1}
    assert len(scene.now.boats_available) == 4
    assert scene.now.fishing_available == tuple(PARTS.fishing_boats)
    assert scene.now.moored == ()
    folded(scene)
    assert scene.now.stalls == (("mussels", "mussels"),) * 4
    assert scene.now.treasures == ("pearl",)
    assert scene.now.opened == ("spring", "summer")
    assert [fact.season for fact in scene.noted(facts.FishFairTurned)] == ["summer"]
    chosen = {Scene(number).do("select_boats").now.boats_available for number in range(8)}
    assert len(chosen) > 1


def test_the_tiles_of_the_new_season_are_laid_out() -> None:
    """keyper-at-sea W102."""
    scene = last_turn()
    spring = [
        name for name in PARTS.tiles if PARTS.tiles[name].owner == "country" and PARTS.tiles[name].spring
    ]
    fairs = [name for name in PARTS.fairs if PARTS.fairs[name].season == "spring"]
    scene.change(
        bag=PARTS.sorted_tiles([*spring[:9], *fairs[:2]]),
        display=PARTS.sorted_tiles([*spring[9:14], fairs[2]]),
    )
    scene.change(discard=(), removed_open=(), removed_unseen=())
    ended(scene)
    assert scene.now.discard == PARTS.sorted_tiles(spring[9:14])
    assert scene.now.removed_open == (fairs[2],)
    assert scene.now.removed_unseen == PARTS.sorted_tiles(fairs[:2])
    assert [fact.fair for fact in scene.noted(facts.FairRemoved)] == [fairs[2], None, None]
    assert (len(scene.now.bag), len(scene.now.display)) == (53 - 8, 8)
    assert (scene.now.reserve, scene.now.fair_stacks[1]) == ((), ())


def test_the_seat_of_the_next_first_turn_folds_first() -> None:
    """keyper-at-sea W103."""
    scene = ended(last_turn())
    assert (scene.kind, scene.prompt.seat, scene.context["board"]) == ("choose_display", 1, "c1")
    scene.play_default().play_default()
    assert (scene.prompt.seat, scene.context["board"]) == (0, "sea")
    assert len(scene.legal) == 16
    assert scene.legal[1] == {"display": "sea-summer-1", "rotation": 90}
    before = len(scene.now.sea_pile)
    scene.play({"display": "sea-summer-1", "rotation": 180})
    board = scene.now.board("sea")
    assert sum(bool(cell.creature) for cell in board.cells) == 8
    assert [cell.field for cell in board.cells[8:]] == ["W"] * 8
    assert before - len(scene.now.sea_pile) >= 8 + 8
    assert (board.season, board.keyper) == ("summer", None)


def test_keyples_and_keyper_come_home() -> None:
    """keyper-at-sea S5."""
    scene = last_turn().put("c2.0.1", "white", lying=True).moor("boat_1", "sea.0.0", "sea.0.1")
    scene.put("boat_1", "grey")
    ended(scene)
    assert all(household.keyper == "" for household in scene.now.households)
    assert scene.household(2).team[PARTS.colour["white"]] == 1
    assert scene.household(0).team[PARTS.colour["grey"]] == 1
    taken = {fact.board: fact.keyples for fact in scene.noted(facts.BoardTaken)}
    assert taken == {"sea": ("brown", "grey"), "c1": (), "c2": ("white",)}
    assert not cell_of(scene.now, "c2.0.1").keyples


def test_winter_goes_to_scoring_with_the_boards_in_place() -> None:
    """keyper-at-sea S3."""
    scene = last_turn().in_season("winter").put("keyp", "white").items(0, cow=3)
    ended(scene).play({"item": "log"})
    assert not scene.position.open
    assert scene.owned() == {"cow": 3, "log": 3}
    assert scene.household().keyper == "sea"
    assert cell_of(scene.now, FOREST).keyples


def test_a_season_goes_on_while_a_keyper_is_in_hand() -> None:
    """keyper-at-sea R75, R65."""
    scene = last_turn().board("c2", keyper=None).have(2, keyper="")
    assert ended(scene).legal == [LAY_DOWN, PASS]
    scene.play(PASS)
    kinds = [type(fact) for fact in scene.facts]
    assert kinds.index(facts.KeyperPlaced) < kinds.index(facts.SeasonEnded)
    assert scene.kind == "choose_display"


def test_first_out_takes_a_store_before_the_season_ends() -> None:
    """keyper-at-sea W120."""
    scene = Scene(first_out_stores=True).team(0, "brown", "green").team(1, "white", keyper="c1")
    scene.team(2, "brown", keyper="c2")
    scene.place("brown", FOREST).play(PASS, join("brown"))
    assert scene.now.first_out == (2, None, None, None)
    (fact,) = scene.noted(facts.FirstOutSet)
    assert (fact.seat, fact.season) == (2, "spring")
    ending = last_turn(first_out_stores=True).change(first_out=(2, None, None, None)).put("keyp", "white")
    ended(ending)
    assert (ending.kind, ending.prompt.seat, len(ending.legal)) == ("choose_store", 2, 4)
    ending.play({"store": "wheat_store"})
    assert ending.kind == "choose_gain"
    assert [store.id for store in ending.household(2).stores] == ["wheat_store"]
    summer = last_turn(first_out_stores=True).in_season("summer").change(stores_left=ending.now.stores_left)
    ended(summer)
    assert (summer.kind, summer.prompt.seat, len(summer.legal)) == ("choose_store", 0, 3)
    winter = last_turn(first_out_stores=True).in_season("winter").change(stores_left=("raw_store",))
    ended(winter)
    assert [store.id for store in winter.household(0).stores] == ["raw_store"]
    assert not winter.position.open


def test_nobody_is_first_out_while_all_have_pieces() -> None:
    """keyper-at-sea §5.7."""
    scene = Scene(first_out_stores=True).team(0, "brown", "green").place("brown", FOREST)
    assert scene.now.first_out == (None, None, None, None)


def test_without_the_variant_nobody_is_first_out() -> None:
    """keyper-at-sea §5.7."""
    scene = Scene().team(0, "brown").team(1, keyper="c1").place("brown", FOREST)
    assert scene.now.first_out == (None, None, None, None)


def test_a_claimed_board_is_not_needed_to_play_there() -> None:
    """keyper-at-sea K1."""
    scene = Scene().team(0, "brown").team(1, keyper="sea").place("brown", FOREST)
    assert scene.owned() == {"log": 2}


def test_the_display_is_refilled_between_turns_only() -> None:
    """keyper-at-sea T4."""
    scene = Scene().team(0, "brown").change(display=Scene().state.display[:3]).start()
    assert len(scene.now.display) == 3
    assert len(scene.play(KEYPER, {"board": "sea"}).now.display) == 8
    empty = Scene().team(0, "brown").change(display=(), bag=("barn",), discard=("dock", "deer_park"))
    empty.do("end_turn")
    assert empty.now.display == ("barn", "deer_park", "dock")
    assert (empty.now.bag, empty.now.discard) == ((), ())
    assert len(empty.noted(facts.BagRefilled)) == 1
