"""Positions: a state of a game with its open prompts, and how a move leads to the next one.

All functions are pure but for the chance they are given. A position is a frozen value: a step back is a
reference, a branch costs nothing.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.encoding import canonical_json
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import AnyGame, Options, Turn
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import IllegalMoveError, MatchOverError, NotPromptedError

MAX_FORCED = 100_000


class OpenPrompt(msgspec.Struct, frozen=True):
    """A prompt with its number in the match, counted from 1 in the order of opening."""

    number: int
    prompt: Prompt[Any]


class Position(msgspec.Struct, frozen=True):
    """A moment of a match: ``ply`` moves have been played, ``open`` is what it waits for.

    ``drawn`` counts the draws so far by label; ``opened`` counts the prompts so far.
    """

    state: Any
    ply: int
    open: tuple[OpenPrompt, ...]
    opened: int
    drawn: Mapping[str, int]

    def prompt_of(self, seat: Seat) -> OpenPrompt | None:
        """The open prompt of *seat*, if it has one."""
        return next((item for item in self.open if item.prompt.seat == seat), None)


def begin(game: AnyGame, options: Options, chance: Chance) -> tuple[Position, tuple[Fact, ...]]:
    """Ply 0 of a match, and the facts of its set-up."""
    turn = Turn(chance)
    state, prompts = _settled(game, game.setup(options, turn), turn)
    return Position(state, 0, *_numbered(prompts, (), 0), dict(chance.drawn)), tuple(turn.facts)


def advance(
    game: AnyGame, position: Position, seat: Seat, choice: int, chance: Chance
) -> tuple[Position, tuple[Fact, ...]]:
    """The position after *seat* answers its open prompt with legal move number *choice*.

    Raises:
        MatchOverError, NotPromptedError, IllegalMoveError: it may not.
    """
    open_prompt = expect_prompt(position, seat)
    move = legal_move(open_prompt.prompt, choice)
    turn = Turn(chance)
    state, prompts = _settled(game, game.apply(position.state, seat, move, turn), turn)
    kept = tuple(item for item in position.open if item is not open_prompt)
    numbered = _numbered(prompts, kept, position.opened)
    return Position(state, position.ply + 1, *numbered, dict(chance.drawn)), tuple(turn.facts)


def expect_prompt(position: Position, seat: Seat) -> OpenPrompt:
    """The open prompt of *seat*.

    Raises:
        MatchOverError: nothing is open any more.
        NotPromptedError: other seats are asked, not this one.
    """
    if not position.open:
        msg = "the match is over"
        raise MatchOverError(msg)
    found = position.prompt_of(seat)
    if found is None:
        msg = f"seat {seat} is not asked for anything now"
        raise NotPromptedError(msg)
    return found


def legal_move(prompt: Prompt[Any], choice: int) -> Any:
    """Legal move number *choice* of *prompt*.

    Raises:
        IllegalMoveError: the number is out of range.
    """
    if not 0 <= choice < len(prompt.legal):
        msg = f"choice {choice} is not legal at {prompt.kind!r}; legal: 0 to {len(prompt.legal) - 1}"
        raise IllegalMoveError(msg)
    return prompt.legal[choice]


def choice_of(prompt: Prompt[Any], move: object) -> int:
    """The index of the legal move that equals *move* (its JSON form as plain values), field by field.

    Raises:
        IllegalMoveError: no legal move equals it.
    """
    wanted = canonical_json(move)
    for index, legal in enumerate(prompt.legal):
        if canonical_json(msgspec.to_builtins(legal)) == wanted:
            return index
    first = canonical_json(prompt.legal[0]).decode()
    msg = (
        f"{wanted.decode()[:200]} is not one of the {len(prompt.legal)} legal moves "
        f"at {prompt.kind!r}; the first of them is {first}"
    )
    raise IllegalMoveError(msg)


def outcome_of(game: AnyGame, position: Position) -> Outcome | None:
    """The result, or ``None`` while the game goes on."""
    return None if position.open else game.outcome(position.state)


def _settled(game: AnyGame, state: Any, turn: Turn) -> tuple[Any, tuple[Prompt[Any], ...]]:
    for _ in range(MAX_FORCED):
        prompts = game.prompts(state)
        forced = next((prompt for prompt in prompts if len(prompt.legal) == 1), None)
        if forced is None:
            return state, prompts
        state = game.apply(state, forced.seat, forced.legal[0], turn)
    msg = f"{game.id}: {MAX_FORCED} forced moves in a row"
    raise AssertionError(msg)


def _numbered(
    prompts: tuple[Prompt[Any], ...], kept: tuple[OpenPrompt, ...], opened: int
) -> tuple[tuple[OpenPrompt, ...], int]:
    """Give each prompt its number: that of *kept* if it was open before unchanged, else the next."""
    numbered = []
    for prompt in prompts:
        before = next((item for item in kept if item.prompt.seat == prompt.seat), None)
        if before is not None and before.prompt == prompt:
            numbered.append(before)
        else:
            opened += 1
            numbered.append(OpenPrompt(opened, prompt))
    return tuple(numbered), opened
