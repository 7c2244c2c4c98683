"""Blacksmith, locksmith, goldsmith, Keywood and the chamber (CAS, KEY, CHA)."""

from msgspec.structs import replace

from keylore_domain.engine.steps import push
from keylore_domain.games.keydom import facts, moves
from keylore_domain.games.keydom.components.names import SMITHS, vector
from keylore_domain.games.keydom.effects.changes import (
    change_token,
    move_cubes,
    payments,
    return_counter,
    take_space,
    take_tile,
)
from keylore_domain.games.keydom.effects.order import first_of, waiting_at
from keylore_domain.games.keydom.effects.rounds import end_game
from keylore_domain.games.keydom.effects.town import occupy, unable, withdraw
from keylore_domain.games.keydom.state.decisions import KeywoodPay, PurchaseTile
from keylore_domain.games.keydom.state.position import State, Table, Token, here, on_track, token_of
from keylore_domain.games.keydom.state.steps import AdvanceKeywood, NextToken

KEYLORE = "keylore"


def offer_tile(state: State, token: Token, table: Table) -> State:
    """CAS-1: the tile, if its price can be paid and the seat lacks it."""
    location = here(state).location
    family = state.families[token.owner]
    pattern = table.data.pattern(location)
    if SMITHS[location] in family.tiles or not payments(state, token.owner, pattern):
        return unable(state, token, table)
    return push(state, PurchaseTile(token.owner, token.token))


def answer_purchase(
    state: State, asked: PurchaseTile, move: moves.Buy | moves.Withdraw, table: Table
) -> State:
    """CAS-1: the tile is bought, or the token comes back."""
    if isinstance(move, moves.Withdraw):
        return withdraw(state, asked, table)
    state = occupy(state, asked, table)
    state = move_cubes(state, asked.seat, "stock", vector(move.payment), table)
    return take_tile(state, asked.seat, SMITHS[here(state).location], table)


def resolve_keywood(state: State, _table: Table) -> State:
    """KEY-1 to KEY-3: the tracks move, then a new counter may come in."""
    return push(state, NextToken(), AdvanceKeywood(2), AdvanceKeywood(1))


def advance_keywood(state: State, step: AdvanceKeywood, table: Table) -> State:
    """KEY-1 (step 1, from track space 2) and KEY-2 (step 2, from space 1)."""
    token = on_track(state, "keywood", 3 - step.step)
    if token is None:
        return state
    family = state.families[token.owner]
    if step.step == 1:
        table.turn.note(facts.TrackAdvanced(token.token, 3))
        state = change_token(state, token, track=3)
        token = token_of(state, token.token)
    done = step.step == 1 and KEYLORE in family.tiles
    if done or not payments(state, token.owner, table.data.pattern("keywood")):
        return return_counter(state, token, "lapsed", table)
    return push(state, KeywoodPay(token.owner, token.token, step.step))


def offer_keywood(state: State, token: Token, table: Table) -> State:
    """KEY-3: the first space of the track, if it can be paid."""
    if not payments(state, token.owner, table.data.pattern("keywood")):
        return unable(state, token, table)
    return push(state, KeywoodPay(token.owner, token.token, 3))


def answer_keywood(
    state: State, asked: KeywoodPay, move: moves.PayKeywood | moves.Withdraw, table: Table
) -> State:
    """A step of the instruction is paid, or the token comes back."""
    token = token_of(state, asked.token)
    if isinstance(move, moves.Withdraw):
        return return_counter(state, token, "withdrawn" if asked.step == 3 else "lapsed", table)
    state = move_cubes(state, asked.seat, "stock", vector(move.payment), table)
    if asked.step == 1:
        return take_tile(state, asked.seat, "keylore", table)
    if asked.step == 2:
        table.turn.note(facts.TrackAdvanced(token.token, 2))
        return change_token(state, token, track=2)
    return occupy(state, asked, table, track=1)


def resolve_chamber(state: State, table: Table) -> State:
    """CHA-1, CHA-2: the first token whose owner has all tiles wins the game."""
    for token in waiting_at(state, "chamber"):
        if not _has_all(state, token):
            state = return_counter(state, token, "ineligible", table)
    waiting = waiting_at(state, "chamber")
    if not waiting:
        return state
    token = first_of(state, waiting)
    state = take_space(state, token, "1", table)
    return end_game(replace(state, keymaster=token.owner, ended_by="keymaster"), table)


def _has_all(state: State, token: Token) -> bool:
    owned = state.families[token.owner].tiles
    return all(tile in owned for tile in state.required)
