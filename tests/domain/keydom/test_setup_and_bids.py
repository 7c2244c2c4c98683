"""Set-up, bids and placing (§4, §5.2, §5.3)."""

import pytest

from keylore_domain.engine.chance import RecordedChance
from keylore_domain.engine.positions import begin
from tests.domain.keydom.builders import GAME, Match, begun, options, place


def bid(match: Match, *counters: int) -> Match:
    """Each seat that is still asked bids, seat 0 first."""
    for seat, counter in enumerate(counters):
        match.play({"counter": counter}, seat=seat)
    return match


def test_bids_that_tie_at_the_top_are_followed_by_another_bid_of_all() -> None:
    """keydom T03."""
    match = bid(begun(3), 5, 7, 7)

    assert [item.prompt.seat for item in match.position.open] == [0, 1, 2]
    bid(match, 9, 3, 2)
    assert match.noted("bids_revealed")[-1]["totals"] == [14, 10, 9]
    assert match.asked == (0, "choose_start_player")
    assert match.default == {"seat": 0}
    match.play({"seat": 1})
    assert match.asked == (1, "place_counter")
    assert [match.hand(seat) for seat in range(3)] == [
        (2, 3, 4, 6, 7, 8),
        (2, 4, 5, 6, 8, 9),
        (3, 4, 5, 6, 8, 9),
    ]


def test_bid_counters_are_back_in_round_2_and_the_marker_moves_left() -> None:
    """keydom T03."""
    match = bid(bid(begun(3), 5, 7, 7), 9, 3, 2).play({"seat": 1})

    while match.state.round == 1:
        match.play(match.default)

    assert [len(match.hand(seat)) for seat in range(3)] == [8, 8, 8]
    assert match.state.start_seat == 2
    assert match.asked == (2, "place_counter")
    assert [fact["seat"] for fact in match.noted("marker_passed")] == [2]


def test_a_tie_below_the_top_does_not_matter() -> None:
    """keydom T04."""
    match = bid(begun(3), 4, 4, 9)

    assert match.asked == (2, "choose_start_player")
    match.play({"seat": 0})
    assert [len(match.hand(seat)) for seat in range(3)] == [7, 7, 7]


def test_bids_add_up_over_three_rounds() -> None:
    """keydom T05."""
    match = bid(bid(bid(begun(2), 6, 6), 3, 3), 9, 8)

    assert match.noted("bids_revealed")[-1]["totals"] == [18, 17]
    assert match.asked == (0, "choose_start_player")
    match.play({"seat": 1})
    assert [len(match.hand(seat)) for seat in range(2)] == [5, 5]


def test_exhausted_bids_are_settled_by_chance() -> None:
    """keydom T06."""
    match = begun(2)

    for counter in range(2, 9):
        bid(match, counter, counter)

    assert match.noted("bids_revealed")[-1] == {
        "fact": "bids_revealed",
        "bids": [9, 9],
        "totals": [44, 44],
    }
    drawn = match.noted("chance_drawn")[-1]
    assert drawn["point"] == "C3"
    assert match.asked == (int(drawn["outcome"][0]), "choose_start_player")
    assert match.state.families[0].hand == match.state.families[1].hand == ()
    match.play({"seat": 0})
    assert match.state.round == 2
    assert match.asked == (1, "place_counter")
    assert [len(match.hand(seat)) for seat in range(2)] == [8, 8]
    assert len(match.noted("market_renewed")) == 2


def test_a_longer_hand_plays_on_alone() -> None:
    """keydom T07."""
    from tests.domain.keydom.builders import placing

    match = placing(hands={0: range(2, 8), 1: range(2, 10)})

    asked = []
    while match.prompt.kind == "place_counter" and match.state.phase == "place":
        asked.append(match.prompt.seat)
        match.play(match.default)

    assert asked == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1]


def test_a_seat_bids_in_secret() -> None:
    """keydom BID-1, invariant 15."""
    match = begun(3).play({"counter": 5}, seat=1)

    assert match.view(1).seats[1].secret_bid == 5
    assert match.view(0).seats[1].secret_bid is None
    assert match.view(None).seats[1].bid == ()
    assert [item.seat for item in match.view(0).waiting] == [0, 2]


def test_colours_are_chosen_in_turn_and_the_last_is_left_over() -> None:
    """keydom T74."""
    match = begun(5, colour_assignment="choose")

    for seat, colour in enumerate(("red", "blue", "yellow", "black")):
        assert match.asked == (seat, "choose_colour")
        assert len(match.legal) == 5 - seat
        match.play({"colour": colour})

    assert match.state.families[4].colour == "green"
    assert len(match.position.open) == 5
    assert {item.prompt.kind for item in match.position.open} == {"bid_counter"}


def test_colours_by_seat_order() -> None:
    """keydom T74."""
    colours = [family.colour for family in begun(5).state.families]

    assert colours == ["blue", "green", "black", "yellow", "red"]


def test_random_colours_are_recorded() -> None:
    """keydom T74."""
    match = begun(3, colour_assignment="random")

    first = match.noted("chance_drawn")[0]
    assert first["point"] == "C1"
    assert [family.colour for family in match.state.families] == first["outcome"][:3]
    assert {item.prompt.kind for item in match.position.open} == {"bid_counter"}


def test_the_market_opens_after_the_first_bid() -> None:
    """keydom T82."""
    match = begun(2)

    assert match.view(None).market == ()
    assert match.view(0).deck_size == 24
    bid(match, 9, 8)
    assert match.view(0).market == ()
    match.play({"seat": 0})
    for viewer in (None, 0, 1):
        assert len(match.view(viewer).market) == 3
        assert all(match.view(viewer).market)
        assert match.view(viewer).deck_size == 21


def test_setup_draws_rebuild_the_position() -> None:
    """keydom invariant 14."""
    live = begun(4, colour_assignment="random")
    rules = options(4, colour_assignment="random")
    from keylore_domain.engine.chance import LiveChance
    from tests.domain.keydom.builders import SEED

    chance = LiveChance(SEED)
    begin(GAME, rules, chance)
    assert [draw.label for draw in chance.draws] == ["colours", "deck.spells"]
    again, _ = begin(GAME, rules, RecordedChance(chance.draws))
    assert again.state == live.state


@pytest.mark.parametrize(("closed", "default"), [((), (2, "harbour")), (("harbour",), (2, "forest"))])
def test_the_default_plays_the_lowest_counter_at_home(
    closed: tuple[str, ...], default: tuple[int, str]
) -> None:
    """keydom §5.6 place_counter."""
    import msgspec

    from keylore_domain.engine.seats import Seat
    from keylore_domain.games.keydom.state.decisions import NextPlacement
    from tests.domain.keydom.builders import arranged, position

    start = position(pending=NextPlacement(Seat(0)), hands={0: (5, 2)})
    match = arranged(msgspec.structs.replace(start, closed=closed))

    assert match.default == place(*default)
    assert len(match.legal) == 2 * (16 - len(closed))


def test_a_seat_without_counters_keeps_its_total() -> None:
    """keydom R26."""
    from keylore_domain.games.keydom.state.decisions import OpenBid
    from tests.domain.keydom.builders import arranged, position

    start = position(3, pending=OpenBid((9, 0, 0)), hands={1: (2, 3), 2: (4, 5)})
    match = bid(arranged(start), *()).play({"counter": 3}, seat=1).play({"counter": 4}, seat=2)

    assert match.noted("bids_revealed") == [
        {"fact": "bids_revealed", "bids": [None, 3, 4], "totals": [9, 3, 4]}
    ]
    assert match.asked == (0, "choose_start_player")
