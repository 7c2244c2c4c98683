"""The table of questions: for each kind its prompt (spec §5.1)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from keylore_domain.engine.moves import Asked, Decision, Move
from keylore_domain.engine.prompts import Prompt
from keylore_domain.games.keydoms_dragons import moves
from keylore_domain.games.keydoms_dragons.components import (
    ARTEFACTS,
    GUARD_ROOM,
    STACKS,
    TYPES,
    Location,
    Stack,
)
from keylore_domain.games.keydoms_dragons.effects.treasury import treasures
from keylore_domain.games.keydoms_dragons.facts import Targets
from keylore_domain.games.keydoms_dragons.prompts import payments, spells, windows
from keylore_domain.games.keydoms_dragons.state import board, decisions
from keylore_domain.games.keydoms_dragons.state.position import NOBODY, Party, State

LEVY_DUE = 2  # S12
_THREE: Final = tuple(
    moves.TakeTypes((TYPES[a], TYPES[b], TYPES[c]))
    for a in range(5)
    for b in range(a + 1, 5)
    for c in range(b + 1, 5)
)
_PASSES: Final = (moves.PassWindow("window"), moves.PassWindow("round"))


class Context(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a prompt is about; what does not apply is left out."""

    window: str = ""
    location: Location | None = None
    spell: int = 0
    caster: moves.PartyName | None = None
    targets: Targets = Targets()
    token: str = ""
    due: int = 0
    payee: moves.PartyName | str = ""
    stacks: tuple[Stack, ...] = ()
    given: moves.Treasures = moves.Treasures()
    party: moves.PartyName | None = None
    choice: bool = False


_TURN: Final = Context(window="turn")
Legal = tuple[tuple[Move, ...], int, Context]


def open_prompts(state: State) -> tuple[Prompt[Any], ...]:
    """The prompt of the question on top of the stack; none when the game is over."""
    if not state.pending:
        return ()
    question = state.pending[-1]
    assert isinstance(question, Asked)
    kind, ask = QUESTIONS[type(question)]
    legal, default, context = ask(state, question)
    hidden = kind in HIDDEN
    return (
        Prompt(seat=question.seat, kind=kind, legal=legal, default=default, context=context, hidden=hidden),
    )


def _start_treasures(state: State, question: decisions.ChooseStartTreasures) -> Legal:
    return _THREE, 0, Context()


def _place_worker(state: State, question: decisions.PlaceWorker) -> Legal:
    seat = question.seat
    places = windows.placements(state.players[seat].hand, board.free_locations(state))
    casts = tuple(map(moves.Cast, spells.castable(state, seat, "turn")))
    return places + casts, 0, _TURN


def _window_action(state: State, question: decisions.WindowAction) -> Legal:
    actions = windows.actions(state, question.seat, question.window, question.location)
    return (*_PASSES, *actions), 0, Context(window=question.window, location=question.location)


def _spell_target(state: State, question: decisions.SpellTarget) -> Legal:
    spell = question.spell
    legal = spells.targets(state, question.seat, spell)
    context = Context(window=spell.window, location=spell.location, spell=spell.number, targets=spell.targets)
    return legal, 0, context


def _respond(state: State, question: decisions.Respond) -> Legal:
    spell = question.spell
    legal = (moves.PassResponse(), *windows.answers(state, question.seat, spell))
    caster = board.party_name(state, spell.caster)
    return legal, 0, Context(window="response", spell=spell.number, caster=caster, targets=spell.targets)


def _pay_any(state: State, question: decisions.PayAny) -> Legal:
    legal = tuple(payments.parts(state.players[question.seat].holdings, question.due, question.first))
    payee: moves.PartyName | str = "treasury" if question.payee == NOBODY else question.payee
    return legal, 0, Context(due=question.due, payee=payee)


def _take_gift(state: State, question: decisions.TakeGift) -> Legal:
    return payments.gifts(state.treasury), 0, Context()


def _trade_give(state: State, question: decisions.TradeGive) -> Legal:
    more = payments.gives(state, question)
    legal: tuple[Move, ...] = (*more, moves.Done()) if any(question.given) else more
    return legal, len(more) if any(question.given) else 0, Context(given=treasures(question.given))


def _trade_take(state: State, question: decisions.TradeTake) -> Legal:
    supply = payments.without(state.treasury, question.given)
    legal = tuple(payments.parts(supply, question.due, question.first))
    return legal, 0, Context(due=question.due, given=treasures(question.given))


def _extortion(state: State, question: decisions.ExtortionResponse) -> Legal:
    return (moves.Pay(), moves.Withdraw()), 1, Context(due=question.due)


def _levy(state: State, question: decisions.LevyResponse) -> Legal:
    return (moves.Pay(), moves.Remove()), 1, Context(token=question.token, due=LEVY_DUE)


def evict_replies(state: State, question: decisions.EvictReply) -> tuple[moves.ChooseToken, ...]:
    """The tokens of the owner at open locations other than J, strong enough (S7, GX7)."""
    return tuple(
        moves.ChooseToken(token.id)
        for token in board.in_order(state.tokens)
        if token.owner == question.owner
        and token.location != GUARD_ROOM
        and board.is_open(state, token.location)
        and board.strength(state, token) >= question.least
    )


def _evict_reply(state: State, question: decisions.EvictReply) -> Legal:
    return evict_replies(state, question), 0, Context(party=question.owner)


def own_workers(state: State, seat: Party) -> tuple[moves.ChooseToken, ...]:
    """The workers of *seat* on the board."""
    own = tuple(t for t in state.tokens if t.owner == seat and t.kind == "worker")
    return tuple(moves.ChooseToken(token.id) for token in board.in_order(own))


def _remove_own(state: State, question: decisions.RemoveOwnWorker) -> Legal:
    return own_workers(state, question.seat), 0, Context()


def _remove_ghost(state: State, question: decisions.RemoveGhostWorker) -> Legal:
    tokens = tuple(map(moves.ChooseToken, question.tokens))
    if not question.optional:
        return tokens, 0, Context()
    return (*tokens, moves.NoToken()), len(tokens), Context()


def _start_player(state: State, question: decisions.ChooseStartPlayer) -> Legal:
    names = tuple(board.party_name(state, party) for party in range(state.parties))
    return tuple(map(moves.ChooseParty, names)), question.seat, Context(location="F")


def _market(state: State, question: decisions.MarketExchange) -> Legal:
    deals = payments.exchanges(state.players[question.seat].holdings, state.treasury)
    return (*deals, moves.Decline()), len(deals), Context(location="G")


def _choose_spell(state: State, question: decisions.ChooseSpell) -> Legal:
    second = None if question.second == NOBODY else board.party_name(state, question.second)
    legal = tuple(map(moves.KeepSpell, sorted(question.spells)))
    return legal, 0, Context(location="I", party=second)


def _bribe(state: State, question: decisions.BribeGuard) -> Legal:
    return (moves.Bribe(), moves.Decline()), 1, Context(location=GUARD_ROOM, due=question.due)


def _buy(state: State, question: decisions.BuyArtefact) -> Legal:
    payable = [treasures(vector) for vector in payments.purchases(state, question.seat, question.location)]
    stacks = tuple(STACKS[stack] for stack in question.stacks)
    buys = [moves.Buy(stack, payment) for stack in stacks for payment in payable]
    casts = map(moves.Cast, buying_spells(state, question))
    context = Context(window="buy", location=question.location, stacks=stacks, choice=question.choice)
    return (*buys, moves.Decline(), *casts), len(buys), context


def buying_spells(state: State, question: decisions.BuyArtefact) -> tuple[int, ...]:
    """The spells that the buyer may cast now (§5.4, window ``buy``)."""
    return spells.castable(state, question.seat, "buy", question.location, question.stacks)


def _from_stack(state: State, question: decisions.ChooseFromStack) -> Legal:
    tiles = sorted(set(state.stacks[question.stack]))
    legal = tuple(moves.ChooseArtefact(ARTEFACTS[tile]) for tile in tiles)
    return legal, 0, Context(stacks=(STACKS[question.stack],), choice=question.buying)


Ask = Callable[[State, Any], Legal]
QUESTIONS: Final[Mapping[type[Decision], tuple[str, Ask]]] = {
    decisions.ChooseStartTreasures: ("choose_start_treasures", _start_treasures),
    decisions.PlaceWorker: ("place_worker", _place_worker),
    decisions.WindowAction: ("window_action", _window_action),
    decisions.SpellTarget: ("spell_target", _spell_target),
    decisions.Respond: ("respond", _respond),
    decisions.PayAny: ("pay_any", _pay_any),
    decisions.TakeGift: ("take_treasures", _take_gift),
    decisions.TradeGive: ("trade_give", _trade_give),
    decisions.TradeTake: ("trade_take", _trade_take),
    decisions.ExtortionResponse: ("extortion_response", _extortion),
    decisions.LevyResponse: ("levy_response", _levy),
    decisions.EvictReply: ("evict_reply", _evict_reply),
    decisions.RemoveOwnWorker: ("remove_own_worker", _remove_own),
    decisions.RemoveGhostWorker: ("remove_ghost_worker", _remove_ghost),
    decisions.ChooseStartPlayer: ("choose_start_player", _start_player),
    decisions.MarketExchange: ("market_exchange", _market),
    decisions.ChooseSpell: ("choose_spell", _choose_spell),
    decisions.BribeGuard: ("bribe_guard", _bribe),
    decisions.BuyArtefact: ("buy_artefact", _buy),
    decisions.ChooseFromStack: ("choose_from_stack", _from_stack),
}
HIDDEN: Final = ("window_action", "respond")  # who is asked is private (R68)

MOVE_TYPES: Final[Mapping[str, tuple[type[msgspec.Struct], ...]]] = {
    "choose_start_treasures": (moves.TakeTypes,),
    "place_worker": (moves.Place, moves.Cast),
    "window_action": (moves.PassWindow, moves.Raven, moves.Mirror, moves.Key, moves.Cast),
    "spell_target": (
        moves.CopyOf,
        moves.ChooseLocation,
        moves.ChooseToken,
        moves.GiveTile,
        moves.ChooseStack,
    ),
    "respond": (moves.PassResponse, moves.Amulet, moves.CopyAmulet),
    "pay_any": (moves.PayType,),
    "take_treasures": (moves.TakeTreasures,),
    "trade_give": (moves.PayType, moves.Done),
    "trade_take": (moves.PayType,),
    "extortion_response": (moves.Pay, moves.Withdraw),
    "levy_response": (moves.Pay, moves.Remove),
    "evict_reply": (moves.ChooseToken,),
    "remove_own_worker": (moves.ChooseToken,),
    "remove_ghost_worker": (moves.ChooseToken, moves.NoToken),
    "choose_start_player": (moves.ChooseParty,),
    "market_exchange": (moves.Exchange, moves.Decline),
    "choose_spell": (moves.KeepSpell,),
    "bribe_guard": (moves.Bribe, moves.Decline),
    "buy_artefact": (moves.Buy, moves.Decline, moves.Cast),
    "choose_from_stack": (moves.ChooseArtefact,),
}
