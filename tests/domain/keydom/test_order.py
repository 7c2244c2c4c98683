"""Who is next, ties, and counters that come back (COM-1 to COM-5)."""

from tests.domain.keydom.builders import WITHDRAW, Match, resolving

RICH = (5, 5, 5, 5, 5)


def take_turns(match: Match, kind: str, move: dict[str, object]) -> list[str]:
    """Play *move* at every prompt of *kind*; the tokens asked for, in order."""
    tokens = []
    while match.prompt.kind == kind:
        tokens.append(match.context["token"])
        match.play(move)
    return tokens


def test_the_rest_at_the_location_decides_a_tie() -> None:
    """keydom T08."""
    match = resolving("priest", ["0:7", "0:2", "1:7", "1:4"], cubes={0: (2, 0, 0, 0, 0), 1: (2, 0, 0, 0, 0)})

    assert match.asked == (1, "priest_choose")
    match.play({"action": "donation", "kind": "any"})
    back = [(fact["token"], fact["reason"]) for fact in match.noted("counter_returned")]
    assert back == [("0.2.1", "excess"), ("0.2.2", "excess"), ("1.2.2", "excess")]
    assert match.state.round == 3


def test_placed_counters_do_not_count_in_a_tie() -> None:
    """keydom T09."""
    match = resolving("trader", ["0:9", "0:5", "1:5", "1:3"], cubes={0: (3, 0, 0, 0, 0), 1: (3, 0, 0, 0, 0)})

    asked = take_turns(match, "trader_exchange", {"action": "exchange", "give": "blue", "take": "green"})

    assert asked == ["0.2.1", "1.2.1", "0.2.2", "1.2.2"]
    assert match.cubes(0) == (1, 2, 0, 0, 0)
    assert match.cubes(1) == (1, 2, 0, 0, 0)


def test_the_seat_nearest_to_the_start_player_wins_the_last_tie() -> None:
    """keydom T10."""
    match = resolving("locksmith", ["0:6", "1:6"], seats=3, start=2, cubes={0: RICH, 1: RICH})

    assert match.asked == (0, "purchase_tile")


def test_a_seat_that_cannot_pay_makes_way() -> None:
    """keydom T11."""
    match = resolving("blacksmith", ["0:9", "1:4"], cubes={0: (4, 3, 1, 0, 0), 1: (0, 4, 0, 4, 0)})

    assert match.asked == (1, "purchase_tile")
    assert match.legal == [{"action": "buy", "payment": {"green": 4, "yellow": 4}}, WITHDRAW]
    assert [(fact["token"], fact["reason"]) for fact in match.noted("counter_returned")] == [
        ("0.2.1", "unable")
    ]


def test_a_returned_counter_rests_until_the_round_is_over() -> None:
    """keydom T12."""
    match = resolving(
        "priest", ["0:7", "0:2", "1:9"], elsewhere={"midwife": ["1:5", "1:4"]}, cubes={0: RICH, 1: RICH}
    )

    match.play(WITHDRAW).play({"action": "donation", "kind": "same"})
    match.play({"payment": {"red": 2}})

    assert match.asked == (1, "midwife_claim")
    assert match.returned(0) == [2]
    assert match.returned(1) == [9]
    assert 2 not in match.hand(0)
    match.play_defaults(until="place_counter")
    assert 2 in match.hand(0)
    assert match.returned(0) == []


def test_two_tied_counters_of_a_seat_go_by_printed_number() -> None:
    """keydom R33."""
    match = resolving(
        "blacksmith", ["0:5", "0:8", "1:2"], cubes={0: (25, 5, 0, 0, 0)}, held={0: ["giants_strength"]}
    )

    match.play({"action": "cast", "spell": "giants_strength"}, {"token": "0.2.1"})

    assert match.context["token"] == "0.2.2"
