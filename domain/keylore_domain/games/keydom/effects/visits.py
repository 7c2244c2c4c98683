"""The visit of a location: windows, reveal, adjustments, who is next, the end (§5.4, COM, VAR-3)."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat, left_of
from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.names import COLOURS, COUNTRY, SMITHS, SPELL_FREE, Window
from keylore_domain.games.keydom.effects import castle, country, outlaws, town, wizard
from keylore_domain.games.keydom.effects.order import first_of, spaces_left, waiting_at
from keylore_domain.games.keydom.effects.rounds import begin_pick_up
from keylore_domain.games.keydom.moves import Lower, Pass, Raise
from keylore_domain.games.keydom.play import Play, change_number, move_cubes, of_colour, return_counter
from keylore_domain.games.keydom.state.decisions import (
    Adjust,
    AdjustNumber,
    EnterLocation,
    LeaveLocation,
    NextToken,
    OpenWindow,
    Resolve,
    Reveal,
)
from keylore_domain.games.keydom.state.position import (
    State,
    Token,
    Visit,
    current_at,
    here,
    token_of,
    turn_order,
)

Offer = Callable[[Play, Token], None]
Resolver = Callable[[Play], None]


def enter_location(play: Play, step: EnterLocation) -> None:
    """The steps of a location are laid out; after the last location phase 3 begins (§5.4)."""
    in_play = play.state.in_play
    if step.at == len(in_play):
        play.change(visit=None)
        begin_pick_up(play)
        return
    play.change(visit=Visit(step.at, in_play[step.at]))
    play.push(Reveal(), Resolve(), LeaveLocation())
    _open_window(play, "before_reveal")


def _open_window(play: Play, window: Window) -> None:
    state = play.state
    if here(state).location not in SPELL_FREE and any(family.spells for family in state.families):
        play.push(OpenWindow(window, turn_order(state)))


def reveal(play: Play, _step: Reveal) -> None:
    """The current tokens lie face up; then spells and adjustments (§5.4)."""
    state = play.state
    location = here(state).location
    tokens = current_at(state, location)
    if not tokens:
        return
    counters = tuple(facts.Revealed(token.token, token.number) for token in tokens)
    play.note(facts.CountersRevealed(location, counters))
    play.change(board=tuple(replace(token, face="up") if token in tokens else token for token in state.board))
    if state.options.number_adjustment != "off":
        play.push(Adjust(turn_order(state)[0], 0))
    _open_window(play, "after_reveal")


def adjust(play: Play, step: Adjust) -> None:
    """The next seat that can change a number is asked, until all passed in succession (VAR-3)."""
    seats = len(play.state.families)
    seat, passes = step.seat, step.passes
    while passes < seats:
        if any(adjustments(play.state, seat)):
            play.push(AdjustNumber(seat, passes))
            return
        seat, passes = left_of(seat, seats), passes + 1


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


def answer_adjust(play: Play, asked: AdjustNumber, move: Pass | Raise | Lower) -> None:
    """A number changes by one for a cube of its owner's colour (VAR-3)."""
    state = play.state
    following = left_of(asked.seat, len(state.families))
    if isinstance(move, Pass):
        play.push(Adjust(following, asked.passes + 1))
        return
    token = token_of(state, move.token)
    cube = of_colour(state.families[token.owner].colour or "")
    lowers = isinstance(move, Lower)
    to_owner = lowers and state.options.number_adjustment == "to_owner"
    move_cubes(play, asked.seat, token.owner if to_owner else "stock", cube)
    change_number(play, token, token.eff + (-1 if lowers else 1))
    play.push(Adjust(following, 0))


def resolve(play: Play, _step: Resolve) -> None:
    """The location does what it does (§6)."""
    RESOLVERS[here(play.state).location](play)


def next_token(play: Play, _step: NextToken) -> None:
    """The next token is offered a space; without a space the rest comes back (COM-1, COM-2)."""
    state = play.state
    location = here(state).location
    waiting = waiting_at(state, location)
    if not waiting:
        return
    if not spaces_left(state, play.parts):
        for token in waiting:
            return_counter(play, token, "excess")
        return
    play.push(NextToken())
    OFFERS[location](play, first_of(state, waiting))


def leave_location(play: Play, _step: LeaveLocation) -> None:
    """Numbers count as printed again (§5.4)."""
    state = play.state
    if any(token.modifier for token in state.board):
        play.change(
            board=tuple(replace(token, modifier=0) if token.modifier else token for token in state.board)
        )
    play.push(EnterLocation(here(state).at + 1))


def _resolve_tokens(play: Play) -> None:
    play.push(NextToken())


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
