"""Leaks that were planted in the test game are found, and the sound game has none."""

from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar

import msgspec
import pytest

from keylore_domain.engine import positions
from keylore_domain.engine.chance import Chance, LiveChance, RecordedChance
from keylore_domain.engine.facts import ChanceDrawn, Fact
from keylore_domain.engine.game import Turn
from keylore_domain.engine.leaks import (
    Leak,
    Step,
    answer_leaks,
    fact_leaks,
    open_to,
    position_leaks,
    told,
    viewers,
)
from keylore_domain.engine.positions import Position
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import RuleError
from tests.domain.engine.toy import (
    BidMade,
    Hand,
    HandView,
    Pearls,
    PearlsOptions,
    PearlWon,
    State,
    View,
)

SEED = bytes(range(32))
OTHER = bytes(range(1, 33))


class NextPearl(Pearls):
    """Shows the pearl that comes next."""

    def view(self, state: State, viewer: Seat | None) -> View:
        shown = super().view(state, viewer)
        return msgspec.structs.replace(shown, rounds=state.deck[1]) if len(state.deck) > 1 else shown


class SmartPrompt(Pearls):
    """Offers only bids that are worth their while, which depends on the next pearl."""

    def prompts(self, state: State) -> tuple[Prompt[Any], ...]:
        found = super().prompts(state)
        if not found or found[0].kind != "bid":
            return found
        return tuple(
            msgspec.structs.replace(one, legal=one.legal[: 2 + state.deck[1] % 2], default=0) for one in found
        )


class OpenBid(Pearls):
    """Shows who bids something while the others still think."""

    def view(self, state: State, viewer: Seat | None) -> View:
        shown = super().view(state, viewer)
        hands = tuple(_betraying(one, hand) for one, hand in zip(shown.hands, state.hands, strict=True))
        return msgspec.structs.replace(shown, hands=hands)


def _betraying(shown: HandView, hand: Hand) -> HandView:
    return msgspec.structs.replace(shown, coins=hand.coins - (hand.bid or 0))


class Gossip(Pearls):
    """Tells with each bid which pearl comes next."""

    def apply(self, state: State, seat: Seat, move: Any, turn: Turn) -> State:
        turn.note(ChanceDrawn("next", (str(state.deck[1]),)))
        return super().apply(state, seat, move, turn)


class Announcing(Gossip):
    """Gossips by a rule."""

    reveals: ClassVar[tuple[type[Fact], ...]] = (ChanceDrawn,)


class Picky(Pearls):
    """Rules that refuse every move."""

    def apply(self, state: State, seat: Seat, move: Any, turn: Turn) -> State:
        msg = "this cannot be"
        raise RuleError(msg)


class Hasty(Pearls):
    """A bid of nothing ends the game at once."""

    def apply(self, state: State, seat: Seat, move: Any, turn: Turn) -> State:
        if getattr(move, "coins", 1) == 0:
            return msgspec.structs.replace(state, pending=())
        return super().apply(state, seat, move, turn)


class DrawsMore(Pearls):
    """Draws a lot for a bid of nothing."""

    def apply(self, state: State, seat: Seat, move: Any, turn: Turn) -> State:
        if getattr(move, "coins", 1) == 0:
            turn.chance.below("lot", 3)
        return super().apply(state, seat, move, turn)


class Vanishing(Pearls):
    """Where something else is hidden, nobody is asked."""

    def alternative(self, state: State, viewer: Seat | None, chance: Chance) -> State:
        return msgspec.structs.replace(state, pending=())


def chance() -> LiveChance:
    return LiveChance(OTHER)


def opened(game: Pearls) -> Position:
    return positions.begin(game, PearlsOptions(seats=3), LiveChance(SEED))[0]


def stepped(game: Pearls, before: Position, seat: int = 0, choice: int = 1) -> Step:
    draws = LiveChance(SEED, before.drawn)
    after, facts = positions.advance(game, before, Seat(seat), choice, draws)
    return Step(before, Seat(seat), choice, after, facts)


def found_at(game: Pearls) -> list[Leak]:
    """What leaks in the first position."""
    state = opened(game).state
    return [leak for viewer in viewers(3) for leak in position_leaks(game, state, viewer, chance())]


def found_by_step(game: Pearls, step: Step) -> Iterator[Leak]:
    draws = partial(LiveChance, SEED, step.before.drawn)
    for viewer in viewers(3):
        yield from fact_leaks(game, step, viewer, draws, chance())
        yield from answer_leaks(game, step, viewer, draws)


def test_a_sound_game_leaks_nothing() -> None:
    game = Pearls()
    assert found_at(game) == []
    position = opened(game)
    while position.open:
        step = stepped(game, position, position.open[0].prompt.seat)
        assert list(found_by_step(game, step)) == []
        position = step.after


def test_a_view_that_depends_on_the_deck_is_found() -> None:
    found = found_at(NextPearl())

    assert {(leak.viewer, leak.what) for leak in found} == {(viewer, "view") for viewer in viewers(3)}
    assert found[0].shown != found[0].instead


def test_legal_moves_that_depend_on_the_deck_are_found() -> None:
    found = found_at(SmartPrompt())

    assert {(leak.viewer, leak.what) for leak in found} == {(Seat(seat), "prompts") for seat in range(3)}


def test_a_view_that_shows_a_secret_answer_is_found() -> None:
    game = OpenBid()

    found = list(found_by_step(game, stepped(game, opened(game))))

    assert {(leak.viewer, leak.what) for leak in found} == {(viewer, "answer") for viewer in (1, 2, None)}


def test_a_fact_that_tells_more_than_anybody_can_see_is_found() -> None:
    game = Gossip()
    found = [leak for leak in found_by_step(game, stepped(game, opened(game))) if leak.what == "facts"]

    assert {leak.viewer for leak in found} == {1, 2, None}


def test_what_the_rules_show_for_a_moment_is_no_leak() -> None:
    game = Announcing()

    assert list(found_by_step(game, stepped(game, opened(game)))) == []


@pytest.mark.parametrize("kind", [Picky, Vanishing])
def test_a_move_that_cannot_be_made_elsewhere_shows_nothing(kind: type[Pearls]) -> None:
    sound, game = Pearls(), kind()
    step = stepped(sound, opened(sound))

    draws = partial(LiveChance, SEED, step.before.drawn)
    assert list(fact_leaks(game, step, Seat(1), draws, chance())) == []


def test_an_answer_that_ends_what_the_others_are_asked_may_show() -> None:
    game = Hasty()

    assert list(found_by_step(game, stepped(game, opened(game)))) == []
    assert list(found_by_step(game, stepped(game, opened(game), choice=0))) == []


def test_an_answer_whose_draws_are_not_recorded_is_passed_over() -> None:
    game = DrawsMore()
    step = stepped(game, opened(game))

    draws = partial(RecordedChance, (), step.before.drawn)
    assert list(answer_leaks(game, step, Seat(1), draws)) == []


def test_what_a_viewer_may_know_of_prompts_and_facts() -> None:
    game = Pearls()
    state = opened(game).state

    assert open_to(game, state, None) == b"[]"
    assert b'"legal":[{"coins":0}' in open_to(game, state, Seat(1))
    assert told(game, (BidMade(Seat(0), 2), ChanceDrawn("roll.tie", ("0",))), Seat(1)) == [
        BidMade(Seat(0), None)
    ]
    assert told(game, (PearlWon(Seat(0), 2),), None) == [PearlWon(Seat(0), 2)]
