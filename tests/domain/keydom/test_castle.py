"""Smiths, Keywood, chamber, the end and the ranking (CAS, KEY, CHA, §7)."""

import pytest

from keylore_domain.games.keydom.scoring import KeydomOutcome, KeydomResult
from tests.domain.keydom.builders import WITHDRAW, Match, begun, placing, resolving, token

ALL = ["safe", "key", "regalia", "keylore"]


def outcome(match: Match) -> KeydomOutcome:
    found = match.outcome
    assert isinstance(found, KeydomOutcome)
    return found


def pay(**payment: int) -> dict[str, object]:
    return {"action": "pay", "payment": payment}


def test_the_payments_of_the_smiths() -> None:
    """keydom T37."""
    blacksmith = resolving("blacksmith", ["0:9"], cubes={0: (4, 4, 5, 3, 0)})
    locksmith = resolving("locksmith", ["0:9"], cubes={0: (2, 2, 2, 2, 2)})
    goldsmith = resolving("goldsmith", ["0:9"], cubes={0: (2, 2, 2, 2, 1)})
    poorer = resolving("goldsmith", ["0:9"], cubes={0: (2, 2, 2, 1, 1)})

    assert [move["payment"] for move in blacksmith.legal[:-1]] == [
        {"blue": 4, "green": 4},
        {"blue": 4, "black": 4},
        {"green": 4, "black": 4},
    ]
    assert len(locksmith.legal) == 5 + 1
    assert len(goldsmith.legal) == 4 + 1
    assert len(poorer.legal) == 1 + 1
    assert blacksmith.legal[-1] == WITHDRAW
    assert blacksmith.default == blacksmith.legal[0]


def test_a_tile_is_bought() -> None:
    """keydom CAS-1."""
    match = resolving("goldsmith", ["0:9"], cubes={0: (2, 2, 2, 1, 1)})

    match.play(match.default)

    assert match.tiles(0) == ("regalia",)
    assert match.cubes(0) == (0, 0, 0, 0, 0)
    assert match.state.piles == (5, 5, 4, 5)


def test_a_smith_sends_back_who_owns_the_tile() -> None:
    """keydom T38."""
    rich = (2, 2, 2, 2, 2)
    match = resolving("locksmith", ["0:9", "1:2"], cubes={0: rich, 1: rich}, tiles={0: ["key"]})

    assert match.asked == (1, "purchase_tile")
    assert [(fact["token"], fact["reason"]) for fact in match.noted("counter_returned")] == [
        ("0.2.1", "unable")
    ]


def test_a_withdrawn_counter_frees_the_space() -> None:
    """keydom T76."""
    rich = (2, 2, 2, 2, 0)
    match = resolving("locksmith", ["0:9", "1:4"], cubes={0: rich, 1: rich})

    match.play(WITHDRAW)

    assert match.asked == (1, "purchase_tile")
    match.play(match.default)
    assert match.tiles(1) == ("key",)
    assert match.state.round == 3
    assert 9 in match.hand(0)
    assert 4 in match.hand(1)


def test_three_rounds_of_instruction_bring_the_keylore() -> None:
    """keydom T30."""
    match = resolving("keywood", ["0:4"], cubes={0: (6, 0, 0, 0, 0)})
    assert match.asked == (0, "keywood_pay")
    assert (match.context["step"], match.context["token"]) == (3, "0.2.1")
    match.play(pay(blue=2))
    assert match.token("0.2.1").track == 1

    _to_keywood(match)
    assert match.context["step"] == 2
    match.play(pay(blue=2))
    assert match.token("0.2.1").track == 2
    _to_keywood(match)
    assert match.context["step"] == 1
    assert match.token("0.2.1").track == 3
    match.play(pay(blue=2))

    assert match.tiles(0) == ("keylore",)
    assert match.state.piles[3] == 4
    assert match.state.round == 5
    assert 4 in match.hand(0)
    assert match.state.board == ()


def _to_keywood(match: Match) -> None:
    """Play all counters where they do nothing until Keywood asks again."""
    while match.prompt.kind != "keywood_pay":
        home = next(
            (move for move in match.legal if move.get("location") == "chamber" or move == WITHDRAW),
            match.default,
        )
        match.play(home)


def test_instruction_breaks_off_without_a_pair_of_cubes() -> None:
    """keydom T31."""
    match = resolving("keywood", [token("0.2.1", 4, "keywood", track=2)], round=4, cubes={0: (1, 1, 1, 1, 1)})

    assert match.tiles(0) == ()
    assert [(fact["token"], fact["reason"]) for fact in match.noted("counter_returned")] == [
        ("0.2.1", "lapsed")
    ]
    assert match.cubes(0) == (1, 1, 1, 1, 1)
    assert 4 in match.hand(0)


def test_stopping_at_keywood_leaves_room() -> None:
    """keydom T78."""
    match = resolving(
        "keywood",
        [token("0.2.1", 9, "keywood", track=1), "1:6"],
        round=3,
        cubes={0: (2, 0, 0, 0, 0), 1: (2, 0, 0, 0, 0)},
    )

    assert match.asked == (0, "keywood_pay")
    assert match.context["step"] == 2
    assert match.legal == [pay(blue=2), WITHDRAW]
    match.play(WITHDRAW)
    assert match.cubes(0) == (2, 0, 0, 0, 0)
    assert match.noted("counter_returned")[-1]["reason"] == "lapsed"
    assert (match.asked, match.context["step"]) == ((1, "keywood_pay"), 3)
    match.play(pay(blue=2))
    assert match.token("1.3.1").track == 1
    assert [item.token for item in match.state.board] == ["1.3.1"]


def test_counters_on_the_track_do_not_count_in_a_tie() -> None:
    """keydom T79."""
    match = resolving(
        "keywood",
        [token("0.3.1", 9, "keywood", track=1), "0:5", "1:5"],
        round=4,
        cubes={0: (9, 0, 0, 0, 0), 1: (0, 9, 0, 0, 0)},
    ).play(pay(blue=2))

    assert match.token("0.3.1").track == 2
    assert match.context["token"] == "0.4.1"
    assert match.prompt.seat == 0


def test_withdrawing_from_the_first_space_at_keywood() -> None:
    """keydom COM-4."""
    match = resolving("keywood", ["0:5"], cubes={0: (2, 0, 0, 0, 0)}).play(WITHDRAW)

    assert match.noted("counter_returned")[-1]["reason"] == "withdrawn"
    assert match.state.board == ()


def test_a_seat_with_keylore_gets_nothing_at_the_end_of_the_track() -> None:
    """keydom KEY-1, R13."""
    match = resolving(
        "keywood",
        [token("0.2.1", 4, "keywood", track=2), "1:3"],
        round=4,
        cubes={0: (9, 0, 0, 0, 0)},
        tiles={0: ["keylore"]},
    )

    assert match.cubes(0) == (9, 0, 0, 0, 0)
    assert [fact["reason"] for fact in match.noted("counter_returned")] == ["lapsed", "unable"]


def test_the_chamber_takes_the_first_who_owns_all_tiles() -> None:
    """keydom T39."""
    match = resolving(
        "chamber",
        ["1:9", "0:5", "2:5", "2:2"],
        seats=3,
        tiles={0: ALL, 1: ["safe", "regalia", "keylore"], 2: ALL},
    )

    assert match.position.open == ()
    assert match.state.keymaster == 2
    assert match.state.phase == "over"
    assert [(fact["token"], fact["reason"]) for fact in match.noted("counter_returned")] == [
        ("1.2.1", "ineligible")
    ]
    assert outcome(match).ended_by == "keymaster"
    assert match.noted("game_ended") == [{"fact": "game_ended", "ended_by": "keymaster", "round": 2}]


def test_the_short_game() -> None:
    """keydom T40."""
    placed = placing(short_game=True)
    match = resolving("chamber", ["0:5"], tiles={0: ["key", "regalia", "keylore"]}, short_game=True)

    assert len(placed.legal) == 15
    assert all(move["location"] != "blacksmith" for move in placed.legal)
    assert match.state.keymaster == 0
    assert [(seat.rank, seat.score, seat.tiles) for seat in outcome(match).seats] == [(1, 4, 3), (2, 0, 0)]


def test_the_ranking_behind_the_keymaster() -> None:
    """keydom T41."""
    match = resolving(
        "chamber",
        ["2:5"],
        seats=4,
        cubes={0: (1, 0, 0, 0, 0), 1: (10, 10, 10, 0, 0)},
        tiles={0: ["safe", "key"], 1: ["safe", "keylore"], 2: ALL, 3: ["safe", "key", "regalia"]},
        elsewhere={"keywood": [token("0.1.1", 3, "keywood", track=2)]},
    )

    assert [seat.rank for seat in outcome(match).seats] == [3, 4, 1, 2]
    assert [seat.score for seat in outcome(match).seats] == [2, 2, 5, 3]
    assert outcome(match).seats[0] == KeydomResult(
        seat=match.state.board[0].owner, rank=3, score=2, tiles=2, lore=2, cubes=1, counters=8
    )


def test_a_capped_game_ranks_all() -> None:
    """keydom T42."""
    match = resolving(
        "chamber",
        [],
        seats=3,
        round=1,
        round_cap=1,
        cubes={0: (6, 0, 0, 0, 0), 1: (0, 4, 0, 0, 0), 2: (0, 0, 3, 3, 0)},
    )

    assert match.position.open == ()
    assert outcome(match).ended_by == "round_cap"
    assert [seat.rank for seat in outcome(match).seats] == [1, 3, 1]
    assert [seat.counters for seat in outcome(match).seats] == [8, 8, 8]
    assert match.state.board == ()


def test_a_running_game_has_no_outcome() -> None:
    """keydom §7."""
    match = begun(2)

    assert match.outcome is None
    assert match.game.outcome(match.state) is None


@pytest.mark.parametrize(
    ("adjustment", "cap", "bound"), [("off", 30, 30_050), ("to_stock", 2, 6_050), ("to_owner", 1, 3_050)]
)
def test_the_bound_on_moves(adjustment: str, cap: int, bound: int) -> None:
    """keydom invariant 13."""
    match = begun(2, number_adjustment=adjustment, round_cap=cap)

    assert match.game.max_plies(match.state.options) == bound
