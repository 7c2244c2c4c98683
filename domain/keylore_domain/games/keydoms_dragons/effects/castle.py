"""The castle rooms: offers, purchases, and the end of the game (spec §6.1 L7, L8, GL-K, §7.1)."""

from typing import assert_never

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import ARTEFACTS, CHOICE, STACKS, Location
from keylore_domain.games.keydoms_dragons.effects import casting, ending, magic, treasury
from keylore_domain.games.keydoms_dragons.effects.spells import search
from keylore_domain.games.keydoms_dragons.facts import ArtefactMoved, GhostEffect, TileRevealed
from keylore_domain.games.keydoms_dragons.moves import Buy, Cast, ChooseArtefact, Decline
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.prompts.asked import buying_spells
from keylore_domain.games.keydoms_dragons.prompts.payments import purchases
from keylore_domain.games.keydoms_dragons.state import board, decisions
from keylore_domain.games.keydoms_dragons.state.position import NOBODY, Party, State


def open_offers(play: Play, room: Location, order: tuple[Party, ...]) -> None:
    """The artefacts of *room* are offered down the ranking; in room M with two stacks there are two (L8)."""
    play.push(decisions.Offers(room, order, board.stacks_of(play.state, room)))


def offers(play: Play, step: decisions.Offers) -> None:
    """The next party is asked; seats that could neither buy nor cast are passed over."""
    if not step.stacks:
        return
    for at, party in enumerate(step.parties):
        rest = replace(step, parties=step.parties[at + 1 :])
        if not board.is_seat(play.state, party):
            play.push(rest)
            _take(play, party, rest)
            return
        question = decisions.BuyArtefact(Seat(party), step.location, step.stacks)
        if is_asked(play.state, question):
            play.push(question, rest)
            return


def is_asked(state: State, question: decisions.BuyArtefact) -> bool:
    """Whether the seat has more to choose from than to decline."""
    return bool(purchases(state, question.seat, question.location)) or bool(buying_spells(state, question))


def _take(play: Play, party: Party, step: decisions.Offers) -> None:
    """GL-K: a ghost takes an artefact free, of two on offer one of a type it lacks (R63)."""
    owned, stacks = play.ghost(party).artefacts, play.state.stacks
    lacking = [stack for stack in step.stacks if not owned[stacks[stack][0]]]
    stack = (lacking or step.stacks)[0]
    play.note(GhostEffect("GL-K", play.name(party)))
    magic.take_top(play, party, stack)
    sold(play, stack)
    if CHOICE in play.ghost(party).charms:  # GS1
        magic.draw_for(play, party)
    ending.end_if_empty(play)


def sold(play: Play, stack: int) -> None:
    """*stack* is no longer on offer."""
    step = play.stack.pop()
    assert isinstance(step, decisions.Offers)
    play.push(replace(step, stacks=tuple(at for at in step.stacks if at != stack)))


def buy(play: Play, question: decisions.BuyArtefact, move: Buy | Decline | Cast) -> None:
    """L7: the seat buys or declines, or casts first and is asked again."""
    match move:
        case Decline():
            pass
        case Cast():
            play.push(question)
            casting.begin(play, decisions.Spell(question.seat, move.spell, "buy", question.location))
        case Buy():
            _buy(play, question, move)
        case _:
            assert_never(move)


def _buy(play: Play, question: decisions.BuyArtefact, move: Buy) -> None:
    """The units go to the treasury, the tile behind the screen; under Choice any of the stack (S1)."""
    payment = treasury.vector_of(move.payment)
    if any(payment):
        treasury.pay(play, question.seat, NOBODY, payment)
    stack = STACKS.index(move.stack)
    sold(play, stack)
    if question.choice:
        search(play, question.seat, stack, buying=True)
    else:
        magic.take_top(play, question.seat, stack)
        ending.end_if_empty(play)


def choose_from_stack(play: Play, question: decisions.ChooseFromStack, move: ChooseArtefact) -> None:
    """S1: the tile is bought; S15: it lies on top, face up. The rest is shuffled."""
    stack, tile = question.stack, ARTEFACTS.index(move.artefact)
    rest = list(play.state.stacks[stack])
    rest.remove(tile)
    name = STACKS[stack]
    mixed = play.shuffled("C11", f"stack.{name}", rest, lambda each: ARTEFACTS[each])
    if not question.buying:
        play.note(TileRevealed(name, move.artefact))
        magic.change_stack(play, stack, (tile, *mixed), up=True)
        return
    magic.change_stack(play, stack, mixed, up=False)
    play.note(ArtefactMoved(name, question.seat, move.artefact, known=False))
    magic.gain_tile(play, question.seat, tile)
    ending.end_if_empty(play)
