"""How a spell is cast: chosen, aimed, announced, answered, and then it takes effect (spec §5.4, §5.7)."""

from collections.abc import Callable, Mapping
from typing import Any, Final, assert_never

import msgspec
from msgspec.structs import replace

from keylore_domain.engine.moves import Decision, Move
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.steps import pop, push
from keylore_domain.games.keydoms_dragons import board, decisions, magic
from keylore_domain.games.keydoms_dragons.components import AMULET, COPY, WAND
from keylore_domain.games.keydoms_dragons.decisions import Respond, Responses, Spell, SpellTarget, TakeEffect
from keylore_domain.games.keydoms_dragons.effects import ghost_spells, powers, spells
from keylore_domain.games.keydoms_dragons.facts import SpellCancelled, SpellCast, Targets
from keylore_domain.games.keydoms_dragons.moves import Amulet, CopyAmulet, PassResponse
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.prompts import windows
from keylore_domain.games.keydoms_dragons.prompts.spells import TARGETS, TWO_TARGETS
from keylore_domain.games.keydoms_dragons.state import State


def begin(state: State, spell: Spell, play: Play) -> State:
    """A seat has chosen to cast *spell*; its targets come first."""
    if spell.number in TARGETS:
        return push(state, SpellTarget(Seat(spell.caster), spell))
    return announce(state, spell, play)


def aim(state: State, question: SpellTarget, move: Move, play: Play) -> State:
    """The next target of a spell is chosen."""
    spell = question.spell
    spell = replace(spell, targets=replace(spell.targets, **msgspec.structs.asdict(move)))
    if spell.number in TWO_TARGETS and spell.targets.location is None:
        return push(state, SpellTarget(question.seat, spell))
    return announce(state, spell, play)


def announce(state: State, spell: Spell, play: Play) -> State:
    """The wand is invoked if it was not, the spell is announced, the other seats may answer."""
    if board.is_seat(state, spell.caster):
        seat = Seat(spell.caster)
        if not state.players[seat].invoked[WAND]:
            state = powers.invoke(state, seat, WAND, play)
        state = magic.spend_spell(state, seat, spell.number)
    play.note(SpellCast(board.party_name(state, spell.caster), spell.number, spell.targets))
    return push(state, TakeEffect(spell), Responses(spell, board.others(state, spell.caster)))


def ask_responses(state: State, step: Responses, play: Play) -> State:
    """The next seat that could answer is asked; each seat once."""
    for at, seat in enumerate(step.seats):
        if windows.answers(state, seat, step.spell):
            rest = replace(step, seats=step.seats[at + 1 :])
            return push(state, rest, Respond(seat, step.spell))
    return state


def respond(state: State, question: Respond, move: PassResponse | Amulet | CopyAmulet, play: Play) -> State:
    """A seat answers a spell."""
    match move:
        case PassResponse():
            return state
        case Amulet():
            state = powers.invoke(state, question.seat, AMULET, play)
            return cancel(state, question.seat, play)
        case CopyAmulet():
            spell = Spell(question.seat, COPY, "response", targets=Targets(artefact="amulet"))
            return announce(state, spell, play)
        case _:
            assert_never(move)


def cancel(state: State, by: Seat, play: Play) -> State:
    """The spell whose responses lie on top of the stack is cancelled."""
    step = state.pending[-1]
    assert isinstance(step, Responses)
    number = step.spell.number
    state = pop(pop(state))
    play.note(SpellCancelled(number, by))
    used = tuple(card for card in state.spell_used if card != number)
    return replace(state, spell_used=used, spell_discard=(*state.spell_discard, number))


def take_effect(state: State, step: TakeEffect, play: Play) -> State:
    """A spell that nobody has cancelled takes effect."""
    spell = step.spell
    if not board.is_seat(state, spell.caster):
        state = ghost_spells.EFFECTS[spell.number](state, spell.caster, play)
        return replace(state, spell_discard=(*state.spell_discard, spell.number))
    if spell.targets.artefact == "amulet":
        return cancel(state, Seat(spell.caster), play)
    return spells.EFFECTS[spell.number](state, spell, play)


STEPS: Final[Mapping[type[Decision], Callable[[State, Any, Play], State]]] = {
    decisions.Responses: ask_responses,
    decisions.TakeEffect: take_effect,
}
ANSWERS: Final[Mapping[type[Decision], Callable[[State, Any, Any, Play], State]]] = {
    decisions.SpellTarget: aim,
    decisions.Respond: respond,
}
