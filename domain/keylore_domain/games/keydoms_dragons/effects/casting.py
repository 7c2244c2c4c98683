"""How a spell is cast: chosen, aimed, announced, answered, and then it takes effect (spec §5.4, §5.7)."""

from typing import assert_never

import msgspec
from msgspec.structs import replace

from keylore_domain.engine.moves import Move
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import AMULET, COPY, WAND
from keylore_domain.games.keydoms_dragons.effects import ghost_spells, magic, powers, spells
from keylore_domain.games.keydoms_dragons.facts import SpellCancelled, SpellCast, Targets
from keylore_domain.games.keydoms_dragons.moves import Amulet, CopyAmulet, PassResponse
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.prompts import windows
from keylore_domain.games.keydoms_dragons.prompts.spells import TARGETS, TWO_TARGETS
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.decisions import (
    Respond,
    Responses,
    Spell,
    SpellTarget,
    TakeEffect,
)


def begin(play: Play, spell: Spell) -> None:
    """A seat has chosen to cast *spell*; its targets come first."""
    if spell.number in TARGETS:
        play.push(SpellTarget(Seat(spell.caster), spell))
    else:
        announce(play, spell)


def aim(play: Play, question: SpellTarget, move: Move) -> None:
    """The next target of a spell is chosen."""
    spell = question.spell
    spell = replace(spell, targets=replace(spell.targets, **msgspec.structs.asdict(move)))
    if spell.number in TWO_TARGETS and spell.targets.location is None:
        play.push(SpellTarget(question.seat, spell))
    else:
        announce(play, spell)


def announce(play: Play, spell: Spell) -> None:
    """The wand is invoked if it was not, the spell is announced, the other seats may answer."""
    if board.is_seat(play.state, spell.caster):
        seat = Seat(spell.caster)
        if not play.player(seat).invoked[WAND]:
            powers.invoke(play, seat, WAND)
        magic.spend_spell(play, seat, spell.number)
    play.note(SpellCast(play.name(spell.caster), spell.number, spell.targets))
    play.push(Responses(spell, board.others(play.state, spell.caster)), TakeEffect(spell))


def ask_responses(play: Play, step: Responses) -> None:
    """The next seat that could answer is asked; each seat once."""
    for at, seat in enumerate(step.seats):
        if windows.answers(play.state, seat, step.spell):
            play.push(Respond(seat, step.spell), replace(step, seats=step.seats[at + 1 :]))
            return


def respond(play: Play, question: Respond, move: PassResponse | Amulet | CopyAmulet) -> None:
    """A seat answers a spell."""
    match move:
        case PassResponse():
            pass
        case Amulet():
            powers.invoke(play, question.seat, AMULET)
            cancel(play, question.seat)
        case CopyAmulet():
            announce(play, Spell(question.seat, COPY, "response", targets=Targets(artefact="amulet")))
        case _:
            assert_never(move)


def cancel(play: Play, by: Seat) -> None:
    """The spell whose responses lie on top of the stack is cancelled."""
    step, _effect = play.stack.pop(), play.stack.pop()
    assert isinstance(step, Responses)
    number = step.spell.number
    play.note(SpellCancelled(number, by))
    used, discard = play.state.spell_used, play.state.spell_discard
    play.change(spell_used=tuple(card for card in used if card != number), spell_discard=(*discard, number))


def take_effect(play: Play, step: TakeEffect) -> None:
    """A spell that nobody has cancelled takes effect."""
    spell = step.spell
    if not board.is_seat(play.state, spell.caster):
        ghost_spells.EFFECTS[spell.number](play, spell.caster)
        play.change(spell_discard=(*play.state.spell_discard, spell.number))
    elif spell.targets.artefact == "amulet":
        cancel(play, Seat(spell.caster))
    else:
        spells.EFFECTS[spell.number](play, spell)
