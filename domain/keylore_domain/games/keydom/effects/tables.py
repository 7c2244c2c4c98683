"""Which function carries out a step, and which one an answer."""

from collections.abc import Callable, Mapping
from typing import Final

from keylore_domain.engine.moves import Decision
from keylore_domain.games.keydom import state
from keylore_domain.games.keydom.effects import casting, castle, country, rounds, spells, town, visits
from keylore_domain.games.keydom.state import State

# Each function takes (position without the step, the step that is its key, table).
STEPS: Final[Mapping[type[Decision], Callable[..., State]]] = {
    state.OpenBid: rounds.open_bid,
    state.NextPlacement: rounds.next_placement,
    state.EnterLocation: visits.enter_location,
    state.OpenWindow: casting.open_window,
    state.Reveal: visits.reveal,
    state.Adjust: visits.adjust,
    state.Resolve: visits.resolve,
    state.NextToken: visits.next_token,
    state.LeaveLocation: visits.leave_location,
    state.PayPairs: country.pay_pairs,
    state.PayOvertime: country.pay_overtime,
    state.MakeArrest: town.make_arrest,
    state.AskDonations: town.ask_donations,
    state.DueDonation: town.due_donation,
    state.Donate: town.donate,
    state.SellSpells: town.sell_spells,
    state.GainSpell: town.gain_spell,
    state.MakeAttack: town.make_attack,
    state.AdvanceKeywood: castle.advance_keywood,
    state.PickUp: rounds.pick_up,
    state.CastSpell: casting.continue_cast,
    state.AskResponses: casting.next_response,
    state.ResolveSpell: casting.resolve_spell,
    state.CardToBottom: casting.card_to_bottom,
}

# Each function takes (position without the decision, the decision that is its key, its move, table).
ANSWERS: Final[Mapping[type[Decision], Callable[..., State]]] = {
    state.ChooseColour: rounds.answer_colour,
    state.ChooseStartPlayer: rounds.answer_start_player,
    state.PlaceCounter: rounds.answer_place,
    state.WindowAction: casting.answer_window,
    state.SpellTarget: casting.answer_target,
    state.Respond: casting.answer_response,
    state.ExchangeCube: spells.answer_exchange,
    state.AdjustNumber: visits.answer_adjust,
    state.ChooseSpace: country.answer_space,
    state.SupervisePair: country.answer_split,
    state.SoldiersArrest: town.answer_arrest,
    state.TraderExchange: town.answer_trader,
    state.PriestChoose: town.answer_priest,
    state.DonateAmount: town.answer_amount,
    state.DonateCube: spells.answer_donate_cube,
    state.MidwifeClaim: town.answer_midwife,
    state.MidwifeStay: rounds.answer_stay,
    state.WizardSpace: town.answer_wizard,
    state.DiscardForLimit: town.answer_discard,
    state.OutlawsChoose: town.answer_outlaws,
    state.OutlawsAttack: town.answer_attack,
    state.PurchaseTile: castle.answer_purchase,
    state.KeywoodPay: castle.answer_keywood,
    state.PayPrice: town.answer_pay,
}
