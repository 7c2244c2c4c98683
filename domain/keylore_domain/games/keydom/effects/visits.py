"""The visit of a location: windows, reveal, adjustments, who is next, the end (§5.4, COM, VAR-3)."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat, left_of
from keylore_domain.engine.steps import push
from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.names import COLOURS, COUNTRY, SMITHS, SPELL_FREE, Window
from keylore_domain.games.keydom.effects import castle, country, outlaws, town, wizard
from keylore_domain.games.keydom.effects.changes import (
    change_number,
    move_cubes,
    of_colour,
    return_counter,
)
from keylore_domain.games.keydom.effects.order import first_of, spaces_left, waiting_at
from keylore_domain.games.keydom.effects.rounds import begin_pick_up
from keylore_domain.games.keydom.moves import Lower, Pass, Raise
from keylore_domain.games.keydom.state.decisions import AdjustNumber
from keylore_domain.games.keydom.state.position import (
    State,
    Table,
    Token,
    Visit,
    current_at,
    here,
    token_of,
    turn_order,
)
from keylore_domain.games.keydom.state.steps import (
    Adjust,
    EnterLocation,
    LeaveLocation,
    NextToken,
    OpenWindow,
    Resolve,
    Reveal,
)

Offer = Callable[[State, Token, Table], State]
Resolver = Callable[[State, Table], State]


def enter_location(state: State, step: EnterLocation, _table: Table) -> State:
    """The steps of a location are laid out; after the last location phase 3 begins (§5.4)."""
    if step.at == len(state.in_play):
        return begin_pick_up(replace(state, visit=None))
    visit = Visit(step.at, state.in_play[step.at])
    state = push(replace(state, visit=visit), LeaveLocation(), Resolve(), Reveal())
    return _with_window(state, "before_reveal")


def _with_window(state: State, window: Window) -> State:
    if here(state).location in SPELL_FREE or not any(family.spells for family in state.families):
        return state
    return push(state, OpenWindow(window, turn_order(state)))


def reveal(state: State, _step: Reveal, table: Table) -> State:
    """The current tokens lie face up; then spells and adjustments (§5.4)."""
    location = here(state).location
    tokens = current_at(state, location)
    if not tokens:
        return state
    counters = tuple(facts.Revealed(token.token, token.number) for token in tokens)
    table.turn.note(facts.CountersRevealed(location, counters))
    board = tuple(replace(token, face="up") if token in tokens else token for token in state.board)
    state = replace(state, board=board)
    if state.options.number_adjustment != "off":
        state = push(state, Adjust(turn_order(state)[0], 0))
    return _with_window(state, "after_reveal")


def adjust(state: State, step: Adjust, _table: Table) -> State:
    """The next seat that can change a number is asked, until all passed in succession (VAR-3)."""
    seats = len(state.families)
    seat, passes = step.seat, step.passes
    while passes < seats:
        if any(adjustments(state, seat)):
            return push(state, AdjustNumber(seat, passes))
        seat, passes = left_of(seat, seats), passes + 1
    return state


def adjustments(state: State, seat: Seat) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The tokens here that a seat can raise, and those that it can lower (VAR-3)."""
    held = state.families[seat].cubes
    raised: list[Token] = []
    lowered: list[Token] = []
    for token in current_at(state, here(state).location):
        colour = state.families[token.owner].colour or ""
        if not held[COLOURS.index(colour)]:
            continue
        if token.owner == seat:
            raised.append(token)
        elif token.eff >= 1:
            lowered.append(token)
    return tuple(raised), tuple(lowered)


def answer_adjust(state: State, asked: AdjustNumber, move: Pass | Raise | Lower, table: Table) -> State:
    """A number changes by one for a cube of its owner's colour (VAR-3)."""
    following = left_of(asked.seat, len(state.families))
    if isinstance(move, Pass):
        return push(state, Adjust(following, asked.passes + 1))
    token = token_of(state, move.token)
    cube = of_colour(state.families[token.owner].colour or "")
    lowers = isinstance(move, Lower)
    to_owner = lowers and state.options.number_adjustment == "to_owner"
    state = move_cubes(state, asked.seat, token.owner if to_owner else "stock", cube, table)
    state = change_number(state, token, token.eff + (-1 if lowers else 1), table)
    return push(state, Adjust(following, 0))


def resolve(state: State, _step: Resolve, table: Table) -> State:
    """The location does what it does (§6)."""
    return RESOLVERS[here(state).location](state, table)


def next_token(state: State, _step: NextToken, table: Table) -> State:
    """The next token is offered a space; without a space the rest comes back (COM-1, COM-2)."""
    waiting = waiting_at(state, here(state).location)
    if not waiting:
        return state
    if not spaces_left(state, table.data):
        for token in waiting:
            state = return_counter(state, token, "excess", table)
        return state
    token = first_of(state, waiting)
    return OFFERS[here(state).location](push(state, NextToken()), token, table)


def leave_location(state: State, _step: LeaveLocation, _table: Table) -> State:
    """Numbers count as printed again (§5.4)."""
    visit = here(state)
    if any(token.modifier for token in state.board):
        board = tuple(replace(token, modifier=0) if token.modifier else token for token in state.board)
        state = replace(state, board=board)
    return push(state, EnterLocation(visit.at + 1))


def _resolve_tokens(state: State, _table: Table) -> State:
    return push(state, NextToken())


RESOLVERS: Final[Mapping[str, Resolver]] = {
    **dict.fromkeys(COUNTRY, country.resolve),
    "soldiers": _resolve_tokens,
    "trader": _resolve_tokens,
    "priest": _resolve_tokens,
    "midwife": town.resolve_midwife,
    "wizard": wizard.resolve_wizard,
    "outlaws": _resolve_tokens,
    **dict.fromkeys(SMITHS, _resolve_tokens),
    "keywood": castle.resolve_keywood,
    "chamber": castle.resolve_chamber,
}

OFFERS: Final[Mapping[str, Offer]] = {
    **dict.fromkeys(COUNTRY, country.offer),
    "soldiers": town.offer_arrest,
    "trader": town.offer_exchange,
    "priest": town.offer_donation,
    "midwife": town.offer_midwife,
    "wizard": wizard.offer_spell,
    "outlaws": outlaws.offer_theft,
    **dict.fromkeys(SMITHS, castle.offer_tile),
    "keywood": castle.offer_keywood,
}
