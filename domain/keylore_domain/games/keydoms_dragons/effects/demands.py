"""What spells demand of seats, one after the other, and how they answer (spec §5.8, §6.3, §8.10, §8.11)."""

from msgspec.structs import replace

from keylore_domain.engine.payments import plus
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import CASTLE, TYPES
from keylore_domain.games.keydoms_dragons.effects import treasury
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
from keylore_domain.games.keydoms_dragons.play import Play, remove, turn_up
from keylore_domain.games.keydoms_dragons.prompts.asked import LEVY_DUE, evict_replies, own_workers
from keylore_domain.games.keydoms_dragons.prompts.spells import removable
from keylore_domain.games.keydoms_dragons.state import board, decisions
from keylore_domain.games.keydoms_dragons.state.position import NOBODY, State, Token

# -- payments ----------------------------------------------------------------------------------------------


def pay_any(play: Play, question: decisions.PayAny, move: PayType) -> None:
    """One type of a payment of any types (§5.8)."""
    treasury.pay(play, question.seat, question.payee, treasury.of_type(move.type, move.amount))
    left = question.due - move.amount
    if left:
        play.push(replace(question, due=left, first=TYPES.index(move.type) + 1))


def each_pays(play: Play, step: decisions.EachPays) -> None:
    """S4, S20, GS4, GS20: each seat pays ``due`` or all it has."""
    for at, seat in enumerate(step.seats):
        if play.player(seat).units > step.due:
            play.push(decisions.PayAny(seat, step.due), replace(step, seats=step.seats[at + 1 :]))
            return
        treasury.pay_all(play, seat)


def take_gift(play: Play, question: decisions.TakeGift, move: TakeTreasures) -> None:
    """S11."""
    treasury.receive(play, question.seat, treasury.vector_of(move.take))


def trade_give(play: Play, question: decisions.TradeGive, move: PayType | Done) -> None:
    """S21, first half."""
    if isinstance(move, PayType):
        given = plus(question.given, treasury.of_type(move.type, move.amount))
        play.push(replace(question, given=given, first=TYPES.index(move.type) + 1))
        return
    treasury.pay(play, question.seat, NOBODY, question.given)
    play.push(decisions.TradeTake(question.seat, question.given, sum(question.given)))


def trade_take(play: Play, question: decisions.TradeTake, move: PayType) -> None:
    """S21, second half."""
    treasury.receive(play, question.seat, treasury.of_type(move.type, move.amount))
    left = question.due - move.amount
    if left:
        play.push(replace(question, due=left, first=TYPES.index(move.type) + 1))


# -- Extortion ---------------------------------------------------------------------------------------------


def _castle_tokens(state: State, seat: Seat) -> tuple[Token, ...]:
    return tuple(token for token in board.tokens_in(state, CASTLE) if token.owner == seat)


def extort(play: Play, step: decisions.Extort) -> None:
    """S9, GS9: one unit for each token in the castle, or all of them leave."""
    for at, seat in enumerate(step.seats):
        due = len(_castle_tokens(play.state, seat))
        if due and play.player(seat).units >= due:
            play.push(decisions.ExtortionResponse(seat, due), replace(step, seats=step.seats[at + 1 :]))
            return
        _withdraw(play, seat)


def _withdraw(play: Play, seat: Seat) -> None:
    for token in _castle_tokens(play.state, seat):
        if token.kind != "mirror":  # copies go with their originals
            remove(play, token, "withdrawn")


def extortion_response(play: Play, question: decisions.ExtortionResponse, move: Pay | Withdraw) -> None:
    """S9, GS9."""
    if isinstance(move, Pay):
        play.push(decisions.PayAny(question.seat, question.due))
    else:
        _withdraw(play, question.seat)


def unmask_castle(play: Play, step: decisions.UnmaskCastle) -> None:
    """GX9: ghost workers in the castle are turned up; the caster removes one of the weakest."""
    state = play.state
    ghosts = tuple(t for t in board.tokens_in(state, CASTLE) if not board.is_seat(state, t.owner))
    if not ghosts:
        return
    for room in CASTLE:
        here = tuple(token for token in ghosts if token.location == room)
        if here:
            turn_up(play, here, room)
    least = min(board.strength(play.state, token) for token in ghosts)
    weakest = tuple(t.id for t in board.in_order(ghosts) if board.strength(play.state, t) == least)
    play.push(decisions.RemoveGhostWorker(step.seat, weakest, optional=False))


# -- Levy --------------------------------------------------------------------------------------------------


def levy_tokens(play: Play, step: decisions.LevyTokens) -> None:
    """S12, GS12: two units for each token in Keytown, or it leaves."""
    for at, name in enumerate(step.tokens):
        token = next((token for token in play.state.tokens if token.id == name), None)
        if token is None:  # a mirror copy whose original has left
            continue
        if play.player(token.owner).units >= LEVY_DUE:
            rest = replace(step, tokens=step.tokens[at + 1 :])
            play.push(decisions.LevyResponse(Seat(token.owner), name), rest)
            return
        remove(play, token, "levied")


def levy_response(play: Play, question: decisions.LevyResponse, move: Pay | Remove) -> None:
    """S12, GS12."""
    if isinstance(move, Pay):
        play.push(decisions.PayAny(question.seat, LEVY_DUE))
    else:
        remove(play, board.token_of(play.state, question.token), "levied")


# -- tokens that seats remove ------------------------------------------------------------------------------


def reply(play: Play, step: decisions.Reply) -> None:
    """S7, GX7: a token leaves in return, if there is one to choose."""
    question = decisions.EvictReply(step.seat, step.owner, step.least)
    if evict_replies(play.state, question):
        play.push(question)


def evict_reply(play: Play, _question: decisions.EvictReply, move: ChooseToken) -> None:
    """S7, GX7."""
    remove(play, board.token_of(play.state, move.token), "evicted")


def remove_own(play: Play, step: decisions.RemoveOwn) -> None:
    """GS18, GS19: each seat in turn removes so many of its workers, or all."""
    if not step.seats:
        return
    seat, *others = step.seats
    if not step.count or not own_workers(play.state, seat):
        play.push(decisions.RemoveOwn(tuple(others), step.each, step.each))
    else:
        play.push(decisions.RemoveOwnWorker(seat), replace(step, count=step.count - 1))


def remove_own_worker(play: Play, _question: decisions.RemoveOwnWorker, move: ChooseToken) -> None:
    """GS18, GS19."""
    remove(play, board.token_of(play.state, move.token), "directed")


def offer_removal(play: Play, step: decisions.OfferRemoval) -> None:
    """GX4, GX12, GX20: the caster may remove a ghost's token."""
    ghost = None if step.ghost == NOBODY else step.ghost
    tokens = board.in_order(removable(play.state, step.region, ghost))
    if tokens:
        names = tuple(token.id for token in tokens)
        play.push(decisions.RemoveGhostWorker(step.seat, names, optional=True))


def remove_ghost_worker(
    play: Play, _question: decisions.RemoveGhostWorker, move: ChooseToken | NoToken
) -> None:
    """GX4, GX9, GX12, GX20; a face-down worker leaves unseen (R67)."""
    if isinstance(move, ChooseToken):
        remove(play, board.token_of(play.state, move.token), "directed")
