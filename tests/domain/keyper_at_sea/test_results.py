"""Scores, ranks, options, views and time-outs (keyper-at-sea §7, §9, §12 W118 to W123)."""

from typing import Any

import msgspec
import pytest

from keylore_domain.engine import positions
from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.facts import ChanceDrawn, Fact
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea import facts
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from tests.domain.keyper_at_sea.builders import DECLINE, GAME, PARTS, Json, Scene, join, options, seed_of
from tests.domain.keyper_at_sea.invariants import check

FOREST = "sea.2.2"
DEALT = ("spring_wool_fair", "summer_jewel_fair", "autumn_gold_fair")


def over(scene: Scene) -> Scene:
    """The game ends here, with a winter in which nobody holds a fair."""
    return scene.in_season("winter").start(wait.Do("finish", Seat(0)))


def results(scene: Scene) -> list[Json]:
    outcome = GAME.outcome(over(scene).now)
    assert outcome is not None
    found: list[Json] = msgspec.to_builtins(outcome)["seats"]
    return found


def test_the_score_is_the_sum_of_its_parts() -> None:
    """keyper-at-sea W118."""
    scene = Scene().have(0, shipping=7, held=("summer_jewel_fair", "winter_yard_fair"))
    scene.items(0, cow=3, wheat=2, treasure=2).built("f11", "cow_shed").built("v11", "baker")
    first = results(scene)[0]
    parts = [first[name] for name in ("shipping", "fairs", "tiles", "treasure", "score")]
    assert parts == [7, 13, 7, 4, 31]
    assert (first["rank"], first["finished"], first["wheat"], first["raw"], first["animals"]) == (
        1,
        0,
        2,
        0,
        3,
    )


def test_ties_are_broken_by_goods_and_shared_when_all_is_equal() -> None:
    """keyper-at-sea W119."""
    scene = Scene().have(0, shipping=80).have(1, shipping=80).have(2, shipping=80)
    scene.items(0, wood=2, wheat=1).items(1, brick=2, wheat=3).items(2, log=16, cow=9)
    assert [result["rank"] for result in results(scene)] == [2, 1, 3]
    scene = Scene().have(0, shipping=80).have(1, shipping=80).items(0, wood=2).items(1, stone=2)
    assert [result["rank"] for result in results(scene)] == [1, 1, 3]
    for better, worse in (({"log": 2}, {"clay": 1, "cow": 5}), ({"cow": 2}, {"fish": 9, "horse": 1})):
        scene = Scene().items(0, **worse).items(1, **better)
        assert [result["rank"] for result in results(scene)][:2] == [2, 1]


def test_the_result_names_how_the_game_ended() -> None:
    """keyper-at-sea V10."""
    outcome = GAME.outcome(over(Scene().change(turn=42)).now)
    assert outcome is not None
    assert (outcome.ended_by, outcome.turns) == ("last_season", 42)
    assert GAME.outcome(Scene().now) is None


def test_an_unlimited_supply_never_runs_out() -> None:
    """keyper-at-sea W121."""
    scene = Scene(unlimited_supply=True).team(0, "green").team(1, "white").supply(wheat=0)
    scene.place("green", "sea.2.3").play(join("white"))
    assert (scene.owned(0), scene.owned(1)) == ({"wheat": 3}, {"wheat": 3})
    assert scene.in_supply("wheat") == 0
    fishing = Scene(unlimited_supply=True).dry().team(0, "brown").supply(fish=0)
    fishing.place("brown", "fishing_brown", "sea.0.0")
    assert fishing.legal == [{"action": "fish"}, DECLINE]
    assert fishing.play({"action": "fish"}).owned() == {"fish": 1}
    lost = Scene(unlimited_supply=True).items(0, cow=1).supply(cow=5).do("housing")
    assert lost.in_supply("cow") == 5
    assert GAME.view(lost.now, None).supply is None


def test_a_view_hides_what_the_seat_may_not_know() -> None:
    """keyper-at-sea W122."""
    scene = Scene().have(0, secret=DEALT)
    view = GAME.view(scene.now, Seat(1))
    zero = view.households[0]
    assert zero.secret_fairs is None
    assert zero.dealt_fairs == {"spring": 1, "summer": 1, "autumn": 1}
    assert view.households[1].secret_fairs == ()
    assert GAME.view(scene.now, Seat(0)).households[0].secret_fairs == DEALT
    water = [cell for board in view.boards for cell in board.cells if cell.field == "W"]
    assert {cell.creature for cell in water} == {None}
    assert (view.sea_pile, view.sea_pile_size) == (None, len(scene.now.sea_pile))
    assert (view.bag, view.fair_stacks, view.unseen_fairs) == (None, None, None)
    assert view.fish_fairs == {
        "spring": scene.now.fish_fairs[0],
        "summer": None,
        "autumn": None,
        "winter": None,
    }
    opened = Scene(open_fairs=True).have(0, secret=DEALT)
    assert GAME.view(opened.now, Seat(1)).households[0].secret_fairs == DEALT


def test_a_fair_from_the_display_is_open() -> None:
    """keyper-at-sea W122."""
    scene = Scene().team(0, "white").change(display=("barn", "spring_wool_fair"))
    scene.place("white", "sea.0.3").play({"action": "take", "from": "display", "tile": "spring_wool_fair"})
    for viewer in (None, Seat(1)):
        assert GAME.view(scene.now, viewer).households[0].fairs == ("spring_wool_fair",)


def test_everything_is_open_after_the_game() -> None:
    """keyper-at-sea §9."""
    scene = Scene().have(0, secret=DEALT)
    over(scene)
    view = GAME.view(scene.now, Seat(1))
    assert view.households[0].secret_fairs == DEALT
    assert view.sea_pile == scene.now.sea_pile
    assert view.bag == scene.now.bag
    assert view.unseen_fairs == ()
    assert view.fair_stacks is not None
    assert None not in view.fish_fairs.values()
    assert all(cell.creature is not None for board in view.boards for cell in board.cells)
    assert GAME.alternative(scene.now, Seat(1), LiveChance(seed_of(1))) == scene.now


def known(fact: Fact, viewer: Seat | None) -> Any:
    """What a viewer may know of a fact."""
    return GAME.redact(fact, viewer)


def test_draws_and_dealt_fairs_are_redacted() -> None:
    """keyper-at-sea §4, §9."""
    scene = Scene(bare=False)
    shown = {fact.point: known(fact, Seat(1)).outcome is not None for fact in scene.noted(ChanceDrawn)}
    assert shown == {"C1": False, "C2": False, "C3": True, "C5": True, "C6": False}
    dealt = [fact for fact in scene.noted(facts.TileMoved) if fact.source == "stack"]
    assert len(dealt) == 9
    for fact in dealt:
        for viewer in (None, Seat(0), Seat(1)):
            assert (known(fact, viewer).tile is not None) == (fact.to == f"seat_{viewer}")
    opened = [fact for fact in Scene(open_fairs=True).noted(facts.TileMoved) if fact.source == "stack"]
    assert all(known(fact, None).tile for fact in opened)
    plain = facts.SeasonStarted("summer")
    assert GAME.redact(plain, None) is plain


def test_what_a_seat_may_not_know_can_be_dealt_anew() -> None:
    """keyper-at-sea I19."""
    scene = Scene(bare=False)
    state = scene.now
    other = GAME.alternative(state, Seat(1), LiveChance(seed_of(9)))
    check(GAME, other)
    assert other.sea_pile != state.sea_pile
    dealt = [GAME.alternative(state, Seat(1), LiveChance(seed_of(number))) for number in range(8)]
    for place in range(1, 6):
        assert len({position.fish_fairs[place] for position in dealt}) > 1
    assert other.fish_fairs[0] == state.fish_fairs[0]
    assert other.households[1].secret == state.households[1].secret
    assert other.households[0].secret != state.households[0].secret
    assert other.fair_stacks != state.fair_stacks
    opened = Scene(bare=False, open_fairs=True).now
    other = GAME.alternative(opened, Seat(1), LiveChance(seed_of(9)))
    assert other.households == opened.households
    assert other.fair_stacks != opened.fair_stacks


def test_a_seat_that_holds_fairs_keeps_them_in_the_alternative() -> None:
    """keyper-at-sea §9: that it is asked shows that it can."""
    scene = Scene(bare=False).items(0, sheep=2).have(0, secret=("spring_wool_fair", *DEALT[1:])).do("fairs")
    assert scene.kind == "hold_fair"
    other = GAME.alternative(scene.now, Seat(1), LiveChance(seed_of(3)))
    assert other.households[0].secret[0] == "spring_wool_fair"
    assert other.households[0].secret[1:] != scene.now.households[0].secret[1:]


def test_the_view_of_the_final_turns() -> None:
    """keyper-at-sea D22."""
    scene = Scene(mode="deep").change(trigger=Seat(2), final_turns_left=1)
    assert [seat.final_done for seat in GAME.view(scene.now, None).households] == [True, False, True]
    assert not any(seat.final_done for seat in GAME.view(Scene().now, None).households)


@pytest.mark.parametrize("mode", ["base", "shallow", "deep"])
def test_a_match_of_default_moves_ends_with_a_result(mode: str) -> None:
    """keyper-at-sea W123."""
    chosen, seed = options(mode=mode), seed_of(5)
    position, _ = positions.begin(GAME, chosen, LiveChance(seed))
    first: list[Json] = []
    while position.open:
        prompt = position.open[0].prompt
        first.append(msgspec.to_builtins(prompt.legal[prompt.default]))
        chance = LiveChance(seed, position.drawn)
        position, _ = positions.advance(GAME, position, prompt.seat, prompt.default, chance)
    assert first[0] == {"action": "play_keyple", "colour": "light_blue"}
    assert first[1] == {"spot": "c1.0.3" if mode == "base" else "sea.0.3"}
    outcome = GAME.outcome(position.state)
    assert outcome is not None
    assert len(outcome.seats) == 3


def test_the_largest_list_stays_small() -> None:
    """keyper-at-sea §5.5."""
    scene = Scene(mode="deep", seats=4).team(0, "white", "white").dry().start()
    scene.play({"action": "play_keyple", "colour": "white"})
    assert len(scene.legal) < 90
    assert len(scene.legal) == 61 + len(scene.now.boats_available) + len(PARTS.fishing_boats)
