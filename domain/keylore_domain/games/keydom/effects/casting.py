"""Casting a spell: its targets, the answers to it, its end (§5.5, SPL-1 to SPL-5)."""

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat, others_clockwise
from keylore_domain.engine.steps import push, with_pending
from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.names import Window
from keylore_domain.games.keydom.effects.changes import drop_spell, to_bottom, with_family
from keylore_domain.games.keydom.effects.spells import EFFECTS
from keylore_domain.games.keydom.effects.targets import castable, target_count
from keylore_domain.games.keydom.moves import Cast, Pass, PassWindow, Target
from keylore_domain.games.keydom.state.decisions import Answered, Respond, SpellTarget, WindowAction
from keylore_domain.games.keydom.state.position import State, Table, Visit, here
from keylore_domain.games.keydom.state.steps import (
    AskResponses,
    CardToBottom,
    CastSpell,
    OpenWindow,
    ResolveSpell,
)


def open_window(state: State, step: OpenWindow, table: Table) -> State:
    """The first seat that can cast something now is asked (§5.5)."""
    for at, seat in enumerate(step.seats):
        if not state.families[seat].muted and castable(state, seat, step.window, table.data):
            return push(state, WindowAction(seat, step.window, step.seats[at + 1 :]))
    return state


def answer_window(state: State, asked: WindowAction, move: PassWindow | Cast, _table: Table) -> State:
    """A seat passes, perhaps for the round, or casts and is asked again (§5.5)."""
    match move:
        case Cast():
            state = push(state, OpenWindow(asked.window, (asked.seat, *asked.rest)))
            return begin_cast(state, asked.seat, move.spell)
        case PassWindow(scope="round"):
            state = with_family(state, asked.seat, muted=True)
    return push(state, OpenWindow(asked.window, asked.rest))


def begin_cast(state: State, seat: Seat, spell: str) -> State:
    """The card leaves the hand (SPL-2)."""
    return push(drop_spell(state, seat, spell), CastSpell(seat, spell))


def continue_cast(state: State, step: CastSpell, table: Table) -> State:
    """The next target is asked for; after the last one the others may answer (SPL-2, SPL-4)."""
    if len(step.chosen) < target_count(table.data.cards[step.spell]):
        return push(state, SpellTarget(step.seat, step.spell, step.chosen))
    table.turn.note(facts.SpellCast(step.seat, step.spell, step.chosen))
    state = push(state, ResolveSpell(step.seat, step.spell, step.chosen))
    to = Answered(by=step.seat, spell=step.spell, targets=step.chosen)
    others = others_clockwise(step.seat, len(state.families))
    return ask_responses(state, others, "reaction_spell", to, table)


def answer_target(state: State, asked: SpellTarget, move: Target, _table: Table) -> State:
    """A target is named."""
    return push(state, CastSpell(asked.seat, asked.spell, (*asked.chosen, move)))


def ask_responses(state: State, seats: tuple[Seat, ...], window: Window, to: Answered, table: Table) -> State:
    """Each card of *seats* that fits *window* may answer, one after the other (SPL-4, PRI-5, OUT-6)."""
    queue = tuple((seat, spell) for seat in seats for spell in castable(state, seat, window, table.data))
    return push(state, AskResponses(queue, to)) if queue else state


def next_response(state: State, step: AskResponses, _table: Table) -> State:
    """The next card is asked for, unless its holder is out of danger already."""
    if not step.queue:
        return state
    (seat, spell), *rest = step.queue
    if step.to.spell is None and _is_safe(here(state), seat):
        return state
    return push(state, AskResponses(tuple(rest), step.to), Respond(seat, spell, step.to))


def _is_safe(visit: Visit, seat: Seat) -> bool:
    return seat in visit.warded or seat in visit.exempt


def answer_response(state: State, asked: Respond, move: Pass | Cast, table: Table) -> State:
    """A seat answers with its card, or not."""
    if isinstance(move, Pass):
        return state
    if asked.to.spell is not None:
        return _dispel(state, asked, table)
    return begin_cast(state, asked.seat, asked.spell)


def _dispel(state: State, asked: Respond, table: Table) -> State:
    """The spell answered is cancelled; nobody else is asked, nobody can answer a Dispel (SPL-4, SP22)."""
    *below, cancelled, _answers = state.pending
    assert isinstance(cancelled, ResolveSpell)
    table.turn.note(facts.SpellCast(asked.seat, asked.spell))
    table.turn.note(facts.SpellCancelled(cancelled.spell))
    state = with_pending(state, (*below, replace(cancelled, cancelled=True)))
    return to_bottom(drop_spell(state, asked.seat, asked.spell), asked.spell, table)


def resolve_spell(state: State, step: ResolveSpell, table: Table) -> State:
    """A spell takes effect unless cancelled; then its card goes to the bottom (SPL-2)."""
    state = push(state, CardToBottom(step.spell))
    if step.cancelled:
        return state
    card = table.data.cards[step.spell]
    return EFFECTS[card.effect](state, step, card, table)


def card_to_bottom(state: State, step: CardToBottom, table: Table) -> State:
    """The card of a spell that is done goes to the bottom."""
    return to_bottom(state, step.spell, table)
