"""Which function carries out a step, and which one an answer."""

from typing import Final

from keylore_domain.engine import play as engine
from keylore_domain.games.keydoms_dragons.effects import (
    casting,
    castle,
    demands,
    ghost_spells,
    locations,
    rounds,
)
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.state import decisions

STEPS: Final[engine.Steps[Play]] = {
    decisions.BeginRound: rounds.begin_round,
    decisions.OpenWindow: rounds.open_window,
    decisions.Window: rounds.ask_window,
    decisions.Placement: rounds.placement,
    decisions.GhostSpells: rounds.cast_ghost_spells,
    decisions.GhostRemovals: rounds.begin_resolution,
    decisions.GhostMoonlight: ghost_spells.moonlight,
    decisions.EndRound: rounds.end_round,
    decisions.Responses: casting.ask_responses,
    decisions.TakeEffect: casting.take_effect,
    decisions.Resolve: locations.resolve,
    decisions.Rank: locations.rank,
    decisions.Close: locations.close,
    decisions.Benefit: locations.benefit,
    decisions.Guard: locations.guard,
    decisions.Admit: locations.admit,
    decisions.Offers: castle.offers,
    decisions.EachPays: demands.each_pays,
    decisions.Extort: demands.extort,
    decisions.UnmaskCastle: demands.unmask_castle,
    decisions.LevyTokens: demands.levy_tokens,
    decisions.Reply: demands.reply,
    decisions.RemoveOwn: demands.remove_own,
    decisions.OfferRemoval: demands.offer_removal,
}

ANSWERS: Final[engine.Answers[Play]] = {
    decisions.ChooseStartTreasures: rounds.choose_start_treasures,
    decisions.WindowAction: rounds.window_action,
    decisions.PlaceWorker: rounds.place_worker,
    decisions.SpellTarget: casting.aim,
    decisions.Respond: casting.respond,
    decisions.ChooseStartPlayer: locations.choose_start_player,
    decisions.MarketExchange: locations.market_exchange,
    decisions.ChooseSpell: locations.choose_spell,
    decisions.BribeGuard: locations.bribe_guard,
    decisions.BuyArtefact: castle.buy,
    decisions.ChooseFromStack: castle.choose_from_stack,
    decisions.PayAny: demands.pay_any,
    decisions.TakeGift: demands.take_gift,
    decisions.TradeGive: demands.trade_give,
    decisions.TradeTake: demands.trade_take,
    decisions.ExtortionResponse: demands.extortion_response,
    decisions.LevyResponse: demands.levy_response,
    decisions.EvictReply: demands.evict_reply,
    decisions.RemoveOwnWorker: demands.remove_own_worker,
    decisions.RemoveGhostWorker: demands.remove_ghost_worker,
}
