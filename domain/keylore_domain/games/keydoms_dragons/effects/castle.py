"""The castle rooms: offers, purchases, and the end of the game (spec §6.1 L7, L8, GL-K, §7.1)."""

from collections.abc import Callable, Mapping
from typing import Any, Final, assert_never

from msgspec.structs import replace

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.steps import push
from keylore_domain.games.keydoms_dragons import board, decisions, magic, treasury
from keylore_domain.games.keydoms_dragons.components import ARTEFACTS, CHOICE, STACKS, Location
from keylore_domain.games.keydoms_dragons.effects import casting, ending
from keylore_domain.games.keydoms_dragons.effects.spells import search
from keylore_domain.games.keydoms_dragons.facts import ArtefactMoved, GhostEffect, TileRevealed
from keylore_domain.games.keydoms_dragons.moves import Buy, Cast, ChooseArtefact, Decline
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.prompts.payments import purchases
from keylore_domain.games.keydoms_dragons.prompts.table import buying_spells
from keylore_domain.games.keydoms_dragons.state import NOBODY, Party, State


def open_offers(state: State, room: Location, order: tuple[Party, ...]) -> State:
    """The artefacts of *room* are offered down the ranking; in room M with two stacks there are two (L8)."""
    return push(state, decisions.Offers(room, order, board.stacks_of(state, room)))


def offers(state: State, step: decisions.Offers, play: Play) -> State:
    """The next party is asked; seats that could neither buy nor cast are passed over."""
    if not step.stacks:
        return state
    for at, party in enumerate(step.parties):
        rest = replace(step, parties=step.parties[at + 1 :])
        if not board.is_seat(state, party):
            return _take(push(state, rest), party, rest, play)
        question = decisions.BuyArtefact(Seat(party), step.location, step.stacks)
        if is_asked(state, question):
            return push(state, rest, question)
    return state


def is_asked(state: State, question: decisions.BuyArtefact) -> bool:
    """Whether the seat has more to choose from than to decline."""
    return bool(purchases(state, question.seat, question.location)) or bool(buying_spells(state, question))


def _take(state: State, party: Party, step: decisions.Offers, play: Play) -> State:
    """GL-K: a ghost takes an artefact free, of two on offer one of a type it lacks (R63)."""
    owned = board.ghost_of(state, party).artefacts
    lacking = [stack for stack in step.stacks if not owned[state.stacks[stack][0]]]
    stack = (lacking or step.stacks)[0]
    play.note(GhostEffect("GL-K", board.party_name(state, party)))
    state = sold(magic.take_top(state, party, stack, play), stack)
    if CHOICE in board.ghost_of(state, party).charms:  # GS1
        state = magic.draw_for(state, party, play)
    return ending.end_if_empty(state, play)


def sold(state: State, stack: int) -> State:
    """*stack* is no longer on offer."""
    step = state.pending[-1]
    assert isinstance(step, decisions.Offers)
    left = replace(step, stacks=tuple(at for at in step.stacks if at != stack))
    return replace(state, pending=(*state.pending[:-1], left))


def buy(state: State, question: decisions.BuyArtefact, move: Buy | Decline | Cast, play: Play) -> State:
    """L7: the seat buys or declines, or casts first and is asked again."""
    match move:
        case Decline():
            return state
        case Cast():
            spell = decisions.Spell(question.seat, move.spell, "buy", question.location)
            return casting.begin(push(state, question), spell, play)
        case Buy():
            return _buy(state, question, move, play)
        case _:
            assert_never(move)


def _buy(state: State, question: decisions.BuyArtefact, move: Buy, play: Play) -> State:
    """The units go to the treasury, the tile behind the screen; under Choice any of the stack (S1)."""
    payment = treasury.vector_of(move.payment)
    if any(payment):
        state = treasury.pay(state, question.seat, NOBODY, payment, play)
    stack = STACKS.index(move.stack)
    state = sold(state, stack)
    if question.choice:
        return search(state, question.seat, stack, play, buying=True)
    return ending.end_if_empty(magic.take_top(state, question.seat, stack, play), play)


def choose_from_stack(
    state: State, question: decisions.ChooseFromStack, move: ChooseArtefact, play: Play
) -> State:
    """S1: the tile is bought; S15: it lies on top, face up. The rest is shuffled."""
    stack, tile = question.stack, ARTEFACTS.index(move.artefact)
    rest = list(state.stacks[stack])
    rest.remove(tile)
    name = STACKS[stack]
    mixed = play.shuffled("C11", f"stack.{name}", rest, lambda each: ARTEFACTS[each])
    if not question.buying:
        play.note(TileRevealed(name, move.artefact))
        return magic.with_stack(state, stack, (tile, *mixed), up=True)
    state = magic.with_stack(state, stack, mixed, up=False)
    play.note(ArtefactMoved(name, question.seat, move.artefact, known=False))
    return ending.end_if_empty(magic.gain_tile(state, question.seat, tile), play)


STEPS: Final[Mapping[type[Decision], Callable[[State, Any, Play], State]]] = {decisions.Offers: offers}
ANSWERS: Final[Mapping[type[Decision], Callable[[State, Any, Any, Play], State]]] = {
    decisions.BuyArtefact: buy,
    decisions.ChooseFromStack: choose_from_stack,
}
