"""What spells demand of seats, one after the other, and how they answer (spec §5.8, §6.3, §8.10, §8.11)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.payments import plus
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.steps import push
from keylore_domain.games.keydoms_dragons import board, decisions, treasury
from keylore_domain.games.keydoms_dragons.components import CASTLE, TYPES
from keylore_domain.games.keydoms_dragons.moves import (
    ChooseToken,
    Done,
    NoToken,
    Pay,
    PayType,
    Remove,
    TakeTreasures,
    Withdraw,
)
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.prompts.spells import removable
from keylore_domain.games.keydoms_dragons.prompts.table import LEVY_DUE, evict_replies, own_workers
from keylore_domain.games.keydoms_dragons.state import NOBODY, State, Token

# -- payments ----------------------------------------------------------------------------------------------


def pay_any(state: State, question: decisions.PayAny, move: PayType, play: Play) -> State:
    """One type of a payment of any types (§5.8)."""
    vector = treasury.of_type(move.type, move.amount)
    state = treasury.pay(state, question.seat, question.payee, vector, play)
    left = question.due - move.amount
    if not left:
        return state
    return push(state, replace(question, due=left, first=TYPES.index(move.type) + 1))


def each_pays(state: State, step: decisions.EachPays, play: Play) -> State:
    """S4, S20, GS4, GS20: each seat pays ``due`` or all it has."""
    for at, seat in enumerate(step.seats):
        if state.players[seat].units > step.due:
            rest = replace(step, seats=step.seats[at + 1 :])
            return push(state, rest, decisions.PayAny(seat, step.due))
        state = treasury.pay_all(state, seat, play)
    return state


def take_gift(state: State, question: decisions.TakeGift, move: TakeTreasures, play: Play) -> State:
    """S11."""
    return treasury.receive(state, question.seat, treasury.vector_of(move.take), play)


def trade_give(state: State, question: decisions.TradeGive, move: PayType | Done, play: Play) -> State:
    """S21, first half."""
    if isinstance(move, PayType):
        given = plus(question.given, treasury.of_type(move.type, move.amount))
        first = TYPES.index(move.type) + 1
        return push(state, replace(question, given=given, first=first))
    state = treasury.pay(state, question.seat, NOBODY, question.given, play)
    return push(state, decisions.TradeTake(question.seat, question.given, sum(question.given)))


def trade_take(state: State, question: decisions.TradeTake, move: PayType, play: Play) -> State:
    """S21, second half."""
    state = treasury.receive(state, question.seat, treasury.of_type(move.type, move.amount), play)
    left = question.due - move.amount
    if not left:
        return state
    return push(state, replace(question, due=left, first=TYPES.index(move.type) + 1))


# -- Extortion ---------------------------------------------------------------------------------------------


def _castle_tokens(state: State, seat: Seat) -> tuple[Token, ...]:
    return tuple(token for token in board.tokens_in(state, CASTLE) if token.owner == seat)


def extort(state: State, step: decisions.Extort, play: Play) -> State:
    """S9, GS9: one unit for each token in the castle, or all of them leave."""
    for at, seat in enumerate(step.seats):
        due = len(_castle_tokens(state, seat))
        if due and state.players[seat].units >= due:
            rest = replace(step, seats=step.seats[at + 1 :])
            return push(state, rest, decisions.ExtortionResponse(seat, due))
        state = _withdraw(state, seat, play)
    return state


def _withdraw(state: State, seat: Seat, play: Play) -> State:
    for token in _castle_tokens(state, seat):
        if token.kind != "mirror":  # copies go with their originals
            state = board.remove(state, token, "withdrawn", play)
    return state


def extortion_response(
    state: State, question: decisions.ExtortionResponse, move: Pay | Withdraw, play: Play
) -> State:
    """S9, GS9."""
    if isinstance(move, Pay):
        return push(state, decisions.PayAny(question.seat, question.due))
    return _withdraw(state, question.seat, play)


def unmask_castle(state: State, step: decisions.UnmaskCastle, play: Play) -> State:
    """GX9: ghost workers in the castle are turned up; the caster removes one of the weakest."""
    ghosts = tuple(t for t in board.tokens_in(state, CASTLE) if not board.is_seat(state, t.owner))
    if not ghosts:
        return state
    for room in CASTLE:
        here = tuple(token for token in ghosts if token.location == room)
        state = board.turn_up(state, here, room, play) if here else state
    least = min(board.strength(state, token) for token in ghosts)
    weakest = tuple(t.id for t in board.in_order(ghosts) if board.strength(state, t) == least)
    return push(state, decisions.RemoveGhostWorker(step.seat, weakest, optional=False))


# -- Levy --------------------------------------------------------------------------------------------------


def levy_tokens(state: State, step: decisions.LevyTokens, play: Play) -> State:
    """S12, GS12: two units for each token in Keytown, or it leaves."""
    for at, name in enumerate(step.tokens):
        token = next((token for token in state.tokens if token.id == name), None)
        if token is None:  # a mirror copy whose original has left
            continue
        if state.players[token.owner].units >= LEVY_DUE:
            rest = replace(step, tokens=step.tokens[at + 1 :])
            return push(state, rest, decisions.LevyResponse(Seat(token.owner), name))
        state = board.remove(state, token, "levied", play)
    return state


def levy_response(state: State, question: decisions.LevyResponse, move: Pay | Remove, play: Play) -> State:
    """S12, GS12."""
    if isinstance(move, Pay):
        return push(state, decisions.PayAny(question.seat, LEVY_DUE))
    return board.remove(state, board.token_of(state, question.token), "levied", play)


# -- tokens that seats remove ------------------------------------------------------------------------------


def reply(state: State, step: decisions.Reply, play: Play) -> State:
    """S7, GX7: a token leaves in return, if there is one to choose."""
    question = decisions.EvictReply(step.seat, step.owner, step.least)
    return push(state, question) if evict_replies(state, question) else state


def evict_reply(state: State, question: decisions.EvictReply, move: ChooseToken, play: Play) -> State:
    """S7, GX7."""
    return board.remove(state, board.token_of(state, move.token), "evicted", play)


def remove_own(state: State, step: decisions.RemoveOwn, play: Play) -> State:
    """GS18, GS19: each seat in turn removes so many of its workers, or all."""
    if not step.seats:
        return state
    seat, *others = step.seats
    if not step.count or not own_workers(state, seat):
        return push(state, decisions.RemoveOwn(tuple(others), step.each, step.each))
    return push(state, replace(step, count=step.count - 1), decisions.RemoveOwnWorker(seat))


def remove_own_worker(
    state: State, question: decisions.RemoveOwnWorker, move: ChooseToken, play: Play
) -> State:
    """GS18, GS19."""
    return board.remove(state, board.token_of(state, move.token), "directed", play)


def offer_removal(state: State, step: decisions.OfferRemoval, play: Play) -> State:
    """GX4, GX12, GX20: the caster may remove a ghost's token."""
    ghost = None if step.ghost == NOBODY else step.ghost
    tokens = board.in_order(removable(state, step.region, ghost))
    if not tokens:
        return state
    names = tuple(token.id for token in tokens)
    return push(state, decisions.RemoveGhostWorker(step.seat, names, optional=True))


def remove_ghost_worker(
    state: State, question: decisions.RemoveGhostWorker, move: ChooseToken | NoToken, play: Play
) -> State:
    """GX4, GX9, GX12, GX20; a face-down worker leaves unseen (R67)."""
    if isinstance(move, NoToken):
        return state
    return board.remove(state, board.token_of(state, move.token), "directed", play)


STEPS: Final[Mapping[type[Decision], Callable[[State, Any, Play], State]]] = {
    decisions.EachPays: each_pays,
    decisions.Extort: extort,
    decisions.UnmaskCastle: unmask_castle,
    decisions.LevyTokens: levy_tokens,
    decisions.Reply: reply,
    decisions.RemoveOwn: remove_own,
    decisions.OfferRemoval: offer_removal,
}
ANSWERS: Final[Mapping[type[Decision], Callable[[State, Any, Any, Play], State]]] = {
    decisions.PayAny: pay_any,
    decisions.TakeGift: take_gift,
    decisions.TradeGive: trade_give,
    decisions.TradeTake: trade_take,
    decisions.ExtortionResponse: extortion_response,
    decisions.LevyResponse: levy_response,
    decisions.EvictReply: evict_reply,
    decisions.RemoveOwnWorker: remove_own_worker,
    decisions.RemoveGhostWorker: remove_ghost_worker,
}
