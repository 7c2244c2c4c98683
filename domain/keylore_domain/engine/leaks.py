"""Leaks: whether what somebody is sent depends on what that seat (or the public) may not know.

A game says by `Game.alternative` which positions a viewer must not be able to tell apart. From there on
everything is compared byte by byte: the view, the prompts, what is told of the next move, and what secret
answers of others show. A difference is a leak; it is no proof of the contrary if none is found, since only
some of the other positions are tried.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from keylore_domain.engine import positions
from keylore_domain.engine.chance import Chance
from keylore_domain.engine.encoding import canonical_json
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import AnyGame
from keylore_domain.engine.positions import OpenPrompt, Position
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import ReplayMismatchError, RuleError

What = Literal["view", "prompts", "facts", "answer"]

MOST_ANSWERS = 6
"""Of the legal answers to a secret prompt, so many are compared."""


class Leak(msgspec.Struct, frozen=True, kw_only=True):
    """What one viewer could tell apart and must not.

    Attributes:
        viewer: the seat; ``None`` is the public.
        what: ``view`` and ``prompts`` of a position; ``facts``: what is told of a move; ``answer``: what
            shows how another seat answered in secret.
        shown: the first difference, as it was sent; ``instead``: as it would have been sent.
    """

    viewer: Seat | None
    what: What
    shown: str
    instead: str


class Step(msgspec.Struct, frozen=True):
    """A move: who made it in which position, and what came of it."""

    before: Position
    seat: Seat
    choice: int
    after: Position
    facts: tuple[Fact, ...]


Draws = Callable[[], Chance]
"""Gives the draws of a move anew, each time from the first."""


def viewers(seats: int) -> tuple[Seat | None, ...]:
    """Everybody who may look: each seat, and the public."""
    return (*map(Seat, range(seats)), None)


def open_to(game: AnyGame, state: Any, viewer: Seat | None) -> bytes:
    """The open prompts as *viewer* may know them, as canonical JSON.

    Its own prompt whole; of the others who is asked and for what kind of decision, unless that is hidden.
    """
    return canonical_json(
        [
            prompt if prompt.seat == viewer else (prompt.seat, prompt.kind)
            for prompt in game.prompts(state)
            if prompt.seat == viewer or not prompt.hidden
        ]
    )


def told(game: AnyGame, facts: Iterable[Fact], viewer: Seat | None) -> list[Fact]:
    """What *viewer* may know of *facts*, in order."""
    return [shown for fact in facts if (shown := game.redact(fact, viewer)) is not None]


def position_leaks(game: AnyGame, state: Any, viewer: Seat | None, chance: Chance) -> Iterator[Leak]:
    """What *viewer* could tell from a position about what it may not know.

    Args:
        chance: deals anew what the viewer may not know.
    """
    other = game.alternative(state, viewer, chance)
    views = [canonical_json(game.view(one, viewer)) for one in (state, other)]
    yield from _difference(viewer, "view", *views)
    yield from _difference(viewer, "prompts", open_to(game, state, viewer), open_to(game, other, viewer))


def fact_leaks(
    game: AnyGame, step: Step, viewer: Seat | None, draws: Draws, chance: Chance
) -> Iterator[Leak]:
    """What *viewer* is told of the move of another seat, though it shows nowhere in the position after it.

    The same move is made where other things are hidden. If the viewer could not tell the two positions apart
    afterwards, it must have been told the same, but for facts by which the rules show something for a moment
    (`Game.reveals`).
    """
    if viewer == step.seat:
        return
    other = game.alternative(step.before.state, viewer, chance)
    carried = _carried_out(game, step, other, draws)
    if carried is None or _seen(game, carried[0], viewer) != _seen(game, step.after, viewer):
        return
    ours, theirs = told(game, step.facts, viewer), told(game, carried[1], viewer)
    if not isinstance(_first_other(ours, theirs), game.reveals):
        yield from _difference(viewer, "facts", canonical_json(ours), canonical_json(theirs))


def answer_leaks(game: AnyGame, step: Step, viewer: Seat | None, draws: Draws) -> Iterator[Leak]:
    """What shows *viewer* how another seat answered in secret while the viewer's side still decides.

    Whichever legal answer is given, as long as other seats are still asked what they were asked before, the
    views, the prompts and what is told must be the same.
    """
    item = positions.expect_prompt(step.before, step.seat)
    if viewer == step.seat or not item.prompt.hidden or not _is_kept(step.before, step.after):
        return
    shown = _answer_seen(game, step.after, step.facts, viewer)
    for choice in _some(len(item.prompt.legal)):
        try:
            after, facts = positions.advance(game, step.before, step.seat, choice, draws())
        except ReplayMismatchError:
            continue
        if _is_kept(step.before, after):
            leaks = list(_difference(viewer, "answer", shown, _answer_seen(game, after, facts, viewer)))
            if leaks:
                yield leaks[0]
                return


def _some(count: int) -> range:
    return range(0, count, max(count // MOST_ANSWERS, 1))


def _is_kept(before: Position, after: Position) -> bool:
    """Whether somebody is still asked what was asked before."""
    return any(item in after.open for item in before.open)


def _seen(game: AnyGame, position: Position, viewer: Seat | None) -> tuple[bytes, bytes]:
    state = position.state
    return canonical_json(game.view(state, viewer)), open_to(game, state, viewer)


def _answer_seen(game: AnyGame, after: Position, facts: Sequence[Fact], viewer: Seat | None) -> bytes:
    view, prompts = _seen(game, after, viewer)
    return b"\n".join((view, prompts, canonical_json(told(game, facts, viewer))))


def _carried_out(
    game: AnyGame, step: Step, other: Any, draws: Draws
) -> tuple[Position, tuple[Fact, ...]] | None:
    """The move of *step* made in the position *other*; ``None`` if it cannot be made there."""
    move = positions.expect_prompt(step.before, step.seat).prompt.legal[step.choice]
    opened = tuple(OpenPrompt(0, prompt) for prompt in game.prompts(other))
    there = msgspec.structs.replace(step.before, state=other, open=opened)
    item = there.prompt_of(step.seat)
    if item is None or move not in item.prompt.legal:
        return None
    try:
        return positions.advance(game, there, step.seat, item.prompt.legal.index(move), draws())
    except (ReplayMismatchError, RuleError):
        return None


def _first_other(ours: Sequence[Fact], theirs: Sequence[Fact]) -> Fact | None:
    """The first of our facts that is not theirs."""
    return next((one for at, one in enumerate(ours) if list(theirs[at : at + 1]) != [one]), None)


def _difference(viewer: Seat | None, what: What, ours: bytes, theirs: bytes) -> Iterator[Leak]:
    if ours == theirs:
        return
    pairs = enumerate(zip(ours, theirs, strict=False))
    at = next((at for at, (one, other) in pairs if one != other), min(len(ours), len(theirs)))
    yield Leak(viewer=viewer, what=what, shown=_excerpt(ours, at), instead=_excerpt(theirs, at))


def _excerpt(data: bytes, at: int) -> str:
    return data[max(at - 40, 0) : at + 40].decode(errors="replace")
