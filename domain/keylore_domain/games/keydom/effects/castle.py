"""Blacksmith, locksmith, goldsmith, Keywood and the chamber (CAS, KEY, CHA)."""

from keylore_domain.games.keydom import facts, moves
from keylore_domain.games.keydom.components.names import SMITHS, vector
from keylore_domain.games.keydom.effects.order import first_of, waiting_at
from keylore_domain.games.keydom.effects.rounds import end_game
from keylore_domain.games.keydom.effects.town import occupy, offer, unable, withdraw
from keylore_domain.games.keydom.play import (
    Play,
    move_cubes,
    payments,
    return_counter,
    take_space,
    take_tile,
)
from keylore_domain.games.keydom.state.decisions import AdvanceKeywood, KeywoodPay, NextToken, PurchaseTile
from keylore_domain.games.keydom.state.position import State, Token, here, on_track, token_of

KEYLORE = "keylore"


def offer_tile(play: Play, token: Token) -> None:
    """CAS-1: the tile, if its price can be paid and the seat lacks it."""
    location = here(play.state).location
    owned = play.family(token.owner).tiles
    pattern = play.parts.pattern(location)
    possible = SMITHS[location] not in owned and payments(play.state, token.owner, pattern)
    offer(play, token, PurchaseTile, possible=possible)


def answer_purchase(play: Play, asked: PurchaseTile, move: moves.Buy | moves.Withdraw) -> None:
    """CAS-1: the tile is bought, or the token comes back."""
    if isinstance(move, moves.Withdraw):
        withdraw(play, asked)
        return
    occupy(play, asked)
    move_cubes(play, asked.seat, "stock", vector(move.payment))
    take_tile(play, asked.seat, SMITHS[here(play.state).location])


def resolve_keywood(play: Play) -> None:
    """KEY-1 to KEY-3: the tracks move, then a new counter may come in."""
    play.push(AdvanceKeywood(1), AdvanceKeywood(2), NextToken())


def advance_keywood(play: Play, step: AdvanceKeywood) -> None:
    """KEY-1 (step 1, from track space 2) and KEY-2 (step 2, from space 1)."""
    token = on_track(play.state, "keywood", 3 - step.step)
    if token is None:
        return
    if step.step == 1:
        play.note(facts.TrackAdvanced(token.token, 3))
        play.change_token(token, track=3)
        token = token_of(play.state, token.token)
    done = step.step == 1 and KEYLORE in play.family(token.owner).tiles
    if done or not payments(play.state, token.owner, play.parts.pattern("keywood")):
        return_counter(play, token, "lapsed")
    else:
        play.push(KeywoodPay(token.owner, token.token, step.step))


def offer_keywood(play: Play, token: Token) -> None:
    """KEY-3: the first space of the track, if it can be paid."""
    if payments(play.state, token.owner, play.parts.pattern("keywood")):
        play.push(KeywoodPay(token.owner, token.token, 3))
    else:
        unable(play, token)


def answer_keywood(play: Play, asked: KeywoodPay, move: moves.PayKeywood | moves.Withdraw) -> None:
    """A step of the instruction is paid, or the token comes back."""
    token = token_of(play.state, asked.token)
    if isinstance(move, moves.Withdraw):
        return_counter(play, token, "withdrawn" if asked.step == 3 else "lapsed")
        return
    move_cubes(play, asked.seat, "stock", vector(move.payment))
    if asked.step == 1:
        take_tile(play, asked.seat, "keylore")
    elif asked.step == 2:
        play.note(facts.TrackAdvanced(token.token, 2))
        play.change_token(token, track=2)
    else:
        occupy(play, asked, track=1)


def resolve_chamber(play: Play) -> None:
    """CHA-1, CHA-2: the first token whose owner has all tiles wins the game."""
    for token in waiting_at(play.state, "chamber"):
        if not _has_all(play.state, token):
            return_counter(play, token, "ineligible")
    waiting = waiting_at(play.state, "chamber")
    if waiting:
        token = first_of(play.state, waiting)
        take_space(play, token, "1")
        play.change(keymaster=token.owner)
        end_game(play, "keymaster")


def _has_all(state: State, token: Token) -> bool:
    owned = state.families[token.owner].tiles
    return all(tile in owned for tile in state.required)
