"""Markets: every side, payments, flips, once per turn (keyside §6.2)."""

from typing import Any

import pytest

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.state.decisions import MarketVisit, TurnEnd, Window
from tests.domain.keyside.builders import Scene, Table

ZERO, ONE = Seat(0), Seat(1)
VISIT = MarketVisit(ZERO, "E-B2")


def _visit(tile: str, side: Any = None, **items: int) -> Table:
    fields = {} if side is None else {"side": side}
    return Scene().market(tile, 0, **fields).store(0, **items).run(VISIT)


@pytest.mark.parametrize(
    ("tile", "side", "pay", "gained"),
    [
        ("blue", "top", "fish", {"pig": 2}),
        ("green", "top", "wheat", {"sheep": 2}),
        ("orange", "top", "wood", {"stone": 3}),
        ("orange", "reverse", "stone", {"wood": 3}),
        ("purple", "reverse", "ruby", {"stone": 3}),
    ],
)
def test_goods_are_traded(tile: str, side: str, pay: str, gained: dict[str, int]) -> None:
    """Keyside §6.2 E-MK-*: the visible side alone."""
    table = _visit(tile, side, **{pay: 1})

    assert table.asked == (0, "market_action")
    assert table.legal[:2] == [{"action": "trade", "tile": tile, "pay": pay}, {"action": "decline"}]
    assert table.default == {"action": "decline"}
    table.play(action="trade", tile=tile, pay=pay)
    assert table.store() == gained
    assert table.state.markets_activated == (tile,)
    assert table.state.markets_used == ((0, tile),)
    assert _visit(tile, side).asked is None


@pytest.mark.parametrize(
    ("tile", "animal", "gained"), [("blue", "pig", {"fish": 2}), ("green", "sheep", {"wheat": 2})]
)
def test_animals_are_paid_from_the_barn_or_an_own_farm(
    tile: str, animal: str, gained: dict[str, int]
) -> None:
    """Keyside §6.2: an icon that is emptied can be used again."""
    scene = Scene().market(tile, 0, side="reverse").store(0, **{animal: 1})
    scene.farm(1, None, animal, keyple=ZERO).farm(3, animal, keyple=ONE)
    table = scene.run(VISIT)

    assert table.values("pay") == [{"where": "barn"}, {"where": "farm", "farm": "r1", "icon": 1}]
    table.play(action="trade", tile=tile, pay={"where": "farm", "farm": "r1", "icon": 1})
    assert table.store() == {animal: 1, **gained}
    assert table.state.resources[1].animals == (None,) * 4  # type: ignore[union-attr]
    barn = scene.run(VISIT).play(action="trade", tile=tile, pay={"where": "barn"})
    assert barn.store() == gained
    if tile == "green":
        assert barn.state.resources[4].tokens == 7  # type: ignore[union-attr]


def test_gems_are_bought_with_stone() -> None:
    """Keyside §6.2 E-MK-PURPLE-T: not with an empty bag, but the last gem may be bought."""
    table = _visit("purple", "top", stone=1).play(action="trade", tile="purple", pay="stone")
    assert sum(table.state.mats[0].store[7:]) == 2
    assert sum(table.state.gem_bag) == 34

    scene = Scene().market("purple", 0).store(0, stone=1)
    assert scene.change(gem_bag=(0, 0, 0)).run(VISIT).asked is None
    last = scene.change(gem_bag=(0, 1, 0)).run(VISIT).play(action="trade", tile="purple", pay="stone")
    assert last.store() == {"ruby": 1}


def test_a_paid_gem_goes_back_into_the_bag() -> None:
    """Keyside ruling R26; the type is chosen."""
    table = _visit("purple", "reverse", emerald=1, sapphire=1)

    assert table.values("pay") == ["emerald", "sapphire"]
    table.play(action="trade", tile="purple", pay="sapphire")
    assert table.state.gem_bag == (12, 12, 13)


def test_grey_1_advances_any_marker() -> None:
    """Keyside §6.2 E-MK-GREY1; ruling R49."""
    table = _visit("grey1", wheat=1).play(action="trade", tile="grey1", pay="wheat")

    assert table.asked == (0, "advance_any")
    assert table.decline().store() == {}
    table = _visit("grey1", wheat=1).play(action="trade", tile="grey1", pay="wheat").play(colour="green")
    assert table.store() == {"sheep": 2}


def test_grey_2_moves_two_keyples_even_the_one_on_it() -> None:
    """Keyside §6.2 E-MK-GREY2."""
    table = _visit("grey2", fish=1, wood=1)
    assert table.values("pay") == ["fish", "wood"]
    table.play(action="trade", tile="grey2", pay="wood")
    table.play(from_="m5").play(to="town").play(from_="town").play(to="m5")
    assert table.asked is None
    assert table.store() == {"fish": 1}


def test_red_recruits_for_nothing() -> None:
    """Keyside §6.2 E-MK-RED: not with an empty mat store."""
    table = _visit("red").play(action="trade", tile="red", pay="none")

    assert table.state.mats[0].town == 7
    assert Scene().market("red", 0).mat(0, keyples=0).run(VISIT).asked is None


def test_yellow_builds() -> None:
    """Keyside §6.2 E-MK-YELLOW: at no further cost, and only if something can be built."""
    table = _visit("yellow", wheat=1).play(action="trade", tile="yellow", pay="wheat")
    assert table.asked == (0, "build_cottage")
    table.play(action="build", cottage="B")
    assert table.store() == {}

    full = Scene().market("yellow", 0).buildings(0, "aeimqu").store(0, wheat=1)
    assert full.run(VISIT).asked is None


def test_a_market_is_activated_once_a_turn_by_each_seat() -> None:
    """Keyside ruling R27: the chain grey 1, purple 4, grey 1 stops."""
    scene = Scene().market("grey1", 0).store(0, wheat=2).levels(0, purple=3).buildings(0, "q")

    table = scene.run(VISIT).play(action="trade", tile="grey1", pay="wheat").play(colour="purple")

    assert table.asked is None
    assert table.store() == {"wheat": 1}


def test_markets_are_listed_in_the_order_of_the_tiles() -> None:
    """Keyside §5.5."""
    scene = Scene().market_places(red=0, blue=7, grey2=1)
    for tile in ("blue", "grey2", "red", "yellow", "grey1", "green"):
        scene.market(tile, 0)
    table = scene.store(0, fish=1, wheat=1).run(MarketVisit(ZERO, "E-B2"), lead=1)

    assert [(move["tile"], move["action"]) for move in table.legal[:-1]] == [
        ("blue", "trade"),
        ("green", "trade"),
        ("grey1", "trade"),
        ("grey2", "trade"),
        ("red", "trade"),
        ("yellow", "trade"),
    ]


def test_the_lead_may_flip_any_two_sided_tile() -> None:
    """Keyside §5.5 market_action, R7: as anytime moves, after decline."""
    table = Scene().market("red", 0).store(0, fish=1).run(VISIT)

    assert [move["action"] for move in table.legal] == ["trade", "decline", *["flip_market"] * 4]


def test_a_useful_flip_alone_opens_the_prompt_for_the_lead() -> None:
    """Keyside §5.1: the exception at market_action."""
    scene = Scene().market("orange", 0, side="reverse").store(0, fish=1, wood=1)
    table = scene.run(VISIT)

    assert table.asked == (0, "market_action")
    assert table.legal[0] == {"action": "decline"}
    table.play(action="flip_market", tile="orange")
    assert table.play(action="trade", tile="orange", pay="wood").store() == {"stone": 3}
    assert scene.store(0, fish=1).run(VISIT).asked is None


def test_others_flip_only_what_they_can_pay_for_after_the_fish() -> None:
    """Keyside §5.5 market_action, ruling R8."""
    scene = Scene().market("blue", 0, side="reverse").market("orange", 0)
    visit = MarketVisit(ZERO, "E-HL-B")

    assert scene.store(0, fish=1).run(visit, lead=1).asked is None
    table = scene.store(0, fish=2).run(visit, lead=1)
    assert table.legal == [{"action": "flip_market", "tile": "blue"}, {"action": "decline"}]
    table.play(action="flip_market", tile="blue")
    assert table.asked == (0, "market_action")
    table.play(action="trade", tile="blue", pay="fish")
    assert table.store() == {"pig": 2}


def test_activated_tiles_turn_over_once_at_the_end_of_the_turn() -> None:
    """Keyside §5.7, ruling R28: two-sided tiles only."""
    scene = Scene().change(
        markets_used=((ZERO, "blue"), (ONE, "blue"), (ZERO, "grey1")), markets_activated=("blue", "grey1")
    )
    table = scene.dice(1, red=1).run(TurnEnd())

    assert [market.side for market in table.state.markets] == ["reverse", "top", "top", "top", *["none"] * 4]
    assert table.state.markets_used == ()
    assert table.state.markets_activated == ()


def test_the_window_at_the_end_of_a_turn_stays_until_it_is_passed() -> None:
    """Keyside §5.7."""
    table = Scene().store(0, fish=2).run(Window(ZERO, "end_turn"))

    table.play(action="flip_market", tile="blue")
    assert table.asked == (0, "window_action")
    assert table.play(action="pass", scope="window").asked is None
    assert table.store() == {"fish": 1}
