"""Positions: legality, forced moves, and the numbers of plies and prompts."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keylore_domain.engine import positions
from keylore_domain.engine.chance import Chance, LiveChance, RecordedChance
from keylore_domain.engine.game import Turn
from keylore_domain.engine.moves import Action
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.positions import Position, advance, begin
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import IllegalMoveError, MatchOverError, NotPromptedError
from tests.domain.engine.toy import Bid, Keep, Pearls, PearlsOptions, PearlWon, Sell, State

GAME = Pearls()
SEED = bytes(range(32))


def at_start(**options: Any) -> Position:
    position, _ = begin(GAME, parse_options(GAME, {"seats": 3, **options}), LiveChance(SEED))
    return position


def after(position: Position, *choices: int) -> Position:
    """Each choice is by the seat that was asked first."""
    for choice in choices:
        seat = min(position.open, key=lambda item: item.number).prompt.seat
        position, _ = advance(GAME, position, seat, choice, LiveChance(SEED, position.drawn))
    return position


def numbers(position: Position) -> dict[int, int]:
    return {item.prompt.seat: item.number for item in position.open}


def test_a_match_begins_at_ply_0_with_its_first_prompts() -> None:
    start = at_start()

    assert (start.ply, start.opened, numbers(start)) == (0, 3, {0: 1, 1: 2, 2: 3})
    assert start.drawn == {"deck.gems": 1, "deck.pearls": 1}


def test_prompts_that_stay_open_keep_their_numbers() -> None:
    moved = after(at_start(), 1)

    assert (moved.ply, moved.opened, numbers(moved)) == (1, 3, {1: 2, 2: 3})


def test_a_new_prompt_of_the_same_seat_has_a_new_number() -> None:
    start = at_start(rounds=2)
    shown = after(start, 3, 0, 0)
    again = after(shown, 0)

    assert numbers(shown) == {0: 4}
    assert numbers(again) == {1: 5, 2: 6}  # seat 0 has no coins and is not asked
    assert again.opened == 6


def test_an_equal_prompt_after_the_own_answer_is_a_new_one() -> None:
    start = at_start(coins=1, rounds=2)
    later = after(start, 1, 0, 0, 1)

    assert numbers(later)[1] != numbers(start)[1]


def test_forced_moves_are_played_unasked_and_their_facts_kept() -> None:
    start = at_start(coins=0, resale=False)

    assert start.open == ()
    assert start.ply == 0
    assert positions.outcome_of(GAME, start) is not None


def test_the_same_position_gives_the_same_branch_twice() -> None:
    start = at_start()

    assert after(start, 1, 1, 1) == after(start, 1, 1, 1)
    assert after(start, 1, 1, 1) != after(start, 2, 1, 1)
    assert start.ply == 0


def test_facts_tell_what_the_move_did() -> None:
    shown, facts = advance(GAME, after(at_start(), 1, 0), Seat(2), 3, LiveChance(SEED))

    assert facts[-1] == PearlWon(Seat(2), shown.state.deck[0])


def test_only_an_asked_seat_may_move() -> None:
    moved = after(at_start(), 1)

    with pytest.raises(NotPromptedError, match="seat 0 is not asked"):
        advance(GAME, moved, Seat(0), 0, LiveChance(SEED))


def test_nobody_moves_after_the_end() -> None:
    over = at_start(coins=0, resale=False)

    with pytest.raises(MatchOverError):
        advance(GAME, over, Seat(0), 0, LiveChance(SEED))


@pytest.mark.parametrize("choice", [-1, 4])
def test_only_a_legal_choice_is_taken(choice: int) -> None:
    with pytest.raises(IllegalMoveError, match="legal: 0 to 3"):
        advance(GAME, at_start(), Seat(0), choice, LiveChance(SEED))


def test_a_move_is_found_by_its_json() -> None:
    bids: Prompt[Any] = Prompt(seat=Seat(0), kind="bid", legal=(Bid(0), Bid(1)))
    ways: Prompt[Any] = Prompt(seat=Seat(0), kind="dispose", legal=(Keep(), Sell()))

    assert positions.choice_of(bids, {"coins": 1}) == 1
    assert positions.choice_of(ways, {"action": "sell"}) == 1


class Give(Action, frozen=True):
    cubes: tuple[int, ...]
    to: Seat


def test_a_move_is_found_by_its_json_whatever_the_order_of_its_fields() -> None:
    gifts: Prompt[Any] = Prompt(
        seat=Seat(0), kind="give", legal=(Give((1, 0), Seat(1)), Give((0, 1), Seat(1)))
    )

    assert positions.choice_of(gifts, msgspec.json.decode(b'{"to":1,"cubes":[0,1],"action":"give"}')) == 1


@pytest.mark.parametrize(
    "move",
    [{"coins": 2}, {}, {"coins": 1, "more": 0}, 1, None, {"coins": "1"}, {"coins": True}, {"coins": 1.0}],
)
def test_a_move_that_is_not_legal_is_told_what_is(move: object) -> None:
    bids: Prompt[Any] = Prompt(seat=Seat(0), kind="bid", legal=(Bid(0), Bid(1)))

    with pytest.raises(IllegalMoveError, match=r'not one of the 2 legal moves .* is \{"coins":0\}'):
        positions.choice_of(bids, move)


def test_the_outcome_is_known_only_at_the_end() -> None:
    start = at_start(rounds=1)

    assert positions.outcome_of(GAME, start) is None
    assert positions.outcome_of(GAME, after(start, 1, 0, 0, 0)) is not None


def test_a_prompt_is_found_by_its_seat() -> None:
    moved = after(at_start(), 1)
    found = moved.prompt_of(Seat(1))

    assert found is not None
    assert found.number == 2
    assert moved.prompt_of(Seat(0)) is None


class Endless(Pearls):
    """A broken game that always forces the same move."""

    def prompts(self, state: State) -> tuple[Prompt[Any], ...]:
        return (Prompt(seat=Seat(0), kind="bid", legal=(Bid(0),)),)

    def apply(self, state: State, seat: Seat, move: Any, turn: Turn) -> State:
        return state


def test_a_game_that_forces_moves_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "MAX_FORCED", 10)

    with pytest.raises(AssertionError, match="forced moves in a row"):
        begin(Endless(), parse_options(GAME, {"seats": 2}), LiveChance(SEED))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), st.integers(0, 5), st.binary(min_size=32, max_size=32), st.data())
def test_any_playout_ends_and_its_record_gives_the_same_positions(
    seats: int, coins: int, seed: bytes, data: st.DataObject
) -> None:
    options = PearlsOptions(seats=seats, coins=coins, resale=coins > 0)
    live: Chance = LiveChance(seed)
    position, facts = begin(GAME, options, live)
    rebuilt = begin(GAME, options, RecordedChance(live.draws))
    assert rebuilt == (position, facts)
    while position.open:
        item = data.draw(st.sampled_from(position.open))
        seat, choice = item.prompt.seat, data.draw(st.integers(0, len(item.prompt.legal) - 1))
        live = LiveChance(seed, position.drawn)
        moved, facts = advance(GAME, position, seat, choice, live)
        record = RecordedChance(live.draws, position.drawn)
        assert advance(GAME, position, seat, choice, record) == (moved, facts)
        assert moved.ply == position.ply + 1
        position = moved
    assert position.ply <= GAME.max_plies(options)
