"""Plays: steps and answers on the stack, changes of the position, chance that is noted."""

from typing import Any, Final

import msgspec

from keylore_domain.engine.chance import LiveChance
from keylore_domain.engine.facts import ChanceDrawn
from keylore_domain.engine.game import Turn
from keylore_domain.engine.moves import Decision
from keylore_domain.engine.play import Answers, Play, Steps, answer, run
from keylore_domain.engine.seats import Seat


class Ask(Decision, frozen=True):
    """A seat names a number."""

    seat: Seat


class Add(Decision, frozen=True):
    """A number is added to the total."""

    number: int


class Twice(Decision, frozen=True):
    """A number is added, twice."""

    number: int


class Sum(msgspec.Struct, frozen=True):
    total: int = 0
    pending: tuple[Decision, ...] = ()


class MyChanceDrawn(ChanceDrawn, frozen=True, tag="chance_drawn"):
    """A chance point of this game."""


class Adding(Play[Sum, str]):
    __slots__ = ()

    chance_fact = MyChanceDrawn


def _add(play: Adding, step: Add) -> None:
    play.change(total=10 * play.state.total + step.number)


def _add_twice(play: Adding, step: Twice) -> None:
    play.push(Add(step.number), Add(step.number + 1))


def _named(play: Adding, asked: Ask, move: int) -> None:
    play.push(Add(asked.seat), Add(move))


STEPS: Final[Steps[Adding]] = {Add: _add, Twice: _add_twice}
ANSWERS: Final[Answers[Adding]] = {Ask: _named}
ASK: Final = Ask(Seat(3))


def _playing(*pending: Decision) -> Adding:
    return Adding("parts", Sum(pending=pending), Turn(LiveChance(bytes(32))))


def test_steps_are_carried_out_from_the_top_of_the_stack_to_the_next_decision() -> None:
    play = _playing(Add(9), ASK, Twice(4), Add(2))

    run(play, STEPS)

    assert play.position == Sum(total=245, pending=(Add(9), ASK))


def test_running_ends_with_an_empty_stack() -> None:
    play = _playing(Add(1))

    run(play, STEPS)

    assert play.position == Sum(total=1)


def test_an_answer_takes_the_decision_off_the_stack() -> None:
    play = _playing(Add(9), ASK)

    answer(play, ANSWERS, 7)

    assert play.position == Sum(pending=(Add(9), Add(7), Add(3)))


def test_the_position_that_a_play_began_with_stays_as_it_is() -> None:
    before = Sum(pending=(Add(1),))
    play = Adding("parts", before, Turn(LiveChance(bytes(32))))

    run(play, STEPS)

    assert (before, play.parts) == (Sum(pending=(Add(1),)), "parts")


def test_chance_is_noted_with_its_point_as_a_fact_of_the_game() -> None:
    play = _playing()

    order = play.shuffled("C1", "deck", range(4))
    letter = play.picked("C2", "letter", "abc", str.upper)
    play.drawn("C3", ["x", "y"])

    noted: list[Any] = [MyChanceDrawn("C1", tuple(map(str, order))), MyChanceDrawn("C2", (letter.upper(),))]
    assert sorted(order) == [0, 1, 2, 3]
    assert letter in "abc"
    assert play.turn.facts == [*noted, MyChanceDrawn("C3", ("x", "y"))]
    assert [draw.label for draw in play.turn.chance.draws] == ["deck", "letter"]


def test_the_start_seat_is_drawn_and_noted_unless_it_is_chosen() -> None:
    play = _playing()

    chosen = play.start_seat("C1", "start", 2, 4)
    assert (chosen, play.turn.facts) == (2, [])

    drawn = play.start_seat("C1", "start", "random", 4)
    assert drawn in range(4)
    assert play.turn.facts == [MyChanceDrawn("C1", (str(drawn),))]
