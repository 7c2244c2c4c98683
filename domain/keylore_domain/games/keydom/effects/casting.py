"""Casting a spell: its targets, the answers to it, its end (§5.5, SPL-1 to SPL-5)."""

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat, others_clockwise
from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.names import Window
from keylore_domain.games.keydom.effects.spells import EFFECTS
from keylore_domain.games.keydom.effects.targets import castable, target_count
from keylore_domain.games.keydom.moves import Cast, Pass, PassWindow, Target
from keylore_domain.games.keydom.play import Play, drop_spell, to_bottom
from keylore_domain.games.keydom.state.decisions import (
    Answered,
    AskResponses,
    CardToBottom,
    CastSpell,
    OpenWindow,
    ResolveSpell,
    Respond,
    SpellTarget,
    WindowAction,
)
from keylore_domain.games.keydom.state.position import Visit, here


def open_window(play: Play, step: OpenWindow) -> None:
    """The first seat that can cast something now is asked (§5.5)."""
    for at, seat in enumerate(step.seats):
        if not play.family(seat).muted and castable(play.state, seat, step.window, play.parts):
            play.push(WindowAction(seat, step.window, step.seats[at + 1 :]))
            return


def answer_window(play: Play, asked: WindowAction, move: PassWindow | Cast) -> None:
    """A seat passes, perhaps for the round, or casts and is asked again (§5.5)."""
    if isinstance(move, Cast):
        play.push(OpenWindow(asked.window, (asked.seat, *asked.rest)))
        begin_cast(play, asked.seat, move.spell)
        return
    if move.scope == "round":
        play.change_family(asked.seat, muted=True)
    play.push(OpenWindow(asked.window, asked.rest))


def begin_cast(play: Play, seat: Seat, spell: str) -> None:
    """The card leaves the hand (SPL-2)."""
    drop_spell(play, seat, spell)
    play.push(CastSpell(seat, spell))


def continue_cast(play: Play, step: CastSpell) -> None:
    """The next target is asked for; after the last one the others may answer (SPL-2, SPL-4)."""
    if len(step.chosen) < target_count(play.parts.cards[step.spell]):
        play.push(SpellTarget(step.seat, step.spell, step.chosen))
        return
    play.note(facts.SpellCast(step.seat, step.spell, step.chosen))
    play.push(ResolveSpell(step.seat, step.spell, step.chosen))
    to = Answered(by=step.seat, spell=step.spell, targets=step.chosen)
    others = others_clockwise(step.seat, len(play.state.families))
    ask_responses(play, others, "reaction_spell", to)


def answer_target(play: Play, asked: SpellTarget, move: Target) -> None:
    """A target is named."""
    play.push(CastSpell(asked.seat, asked.spell, (*asked.chosen, move)))


def ask_responses(play: Play, seats: tuple[Seat, ...], window: Window, to: Answered) -> None:
    """Each card of *seats* that fits *window* may answer, one after the other (SPL-4, PRI-5, OUT-6)."""
    state, parts = play.state, play.parts
    queue = tuple((seat, spell) for seat in seats for spell in castable(state, seat, window, parts))
    if queue:
        play.push(AskResponses(queue, to))


def next_response(play: Play, step: AskResponses) -> None:
    """The next card is asked for, unless its holder is out of danger already."""
    if not step.queue:
        return
    (seat, spell), *rest = step.queue
    if step.to.spell is None and _is_safe(here(play.state), seat):
        return
    play.push(Respond(seat, spell, step.to), AskResponses(tuple(rest), step.to))


def _is_safe(visit: Visit, seat: Seat) -> bool:
    return seat in visit.warded or seat in visit.exempt


def answer_response(play: Play, asked: Respond, move: Pass | Cast) -> None:
    """A seat answers with its card, or not."""
    if isinstance(move, Pass):
        return
    if asked.to.spell is not None:
        _dispel(play, asked)
    else:
        begin_cast(play, asked.seat, asked.spell)


def _dispel(play: Play, asked: Respond) -> None:
    """The spell answered is cancelled; nobody else is asked, nobody can answer a Dispel (SPL-4, SP22)."""
    _answers, cancelled = play.stack.pop(), play.stack.pop()
    assert isinstance(cancelled, ResolveSpell)
    play.note(facts.SpellCast(asked.seat, asked.spell))
    play.note(facts.SpellCancelled(cancelled.spell))
    play.push(replace(cancelled, cancelled=True))
    drop_spell(play, asked.seat, asked.spell)
    to_bottom(play, asked.spell)


def resolve_spell(play: Play, step: ResolveSpell) -> None:
    """A spell takes effect unless cancelled; then its card goes to the bottom (SPL-2)."""
    play.push(CardToBottom(step.spell))
    if not step.cancelled:
        card = play.parts.cards[step.spell]
        EFFECTS[card.effect](play, step, card)


def card_to_bottom(play: Play, step: CardToBottom) -> None:
    """The card of a spell that is done goes to the bottom."""
    to_bottom(play, step.spell)
