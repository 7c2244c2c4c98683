"""Which function carries out a step, and which one an answer."""

from typing import Final

from keylore_domain.engine import play as engine
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom.effects import (
    casting,
    castle,
    country,
    outlaws,
    rounds,
    spells,
    town,
    visits,
    wizard,
)
from keylore_domain.games.keydom.moves import BidCounter, KeydomMove
from keylore_domain.games.keydom.play import Play
from keylore_domain.games.keydom.state import decisions

STEPS: Final[engine.Steps[Play]] = {
    decisions.OpenBid: rounds.open_bid,
    decisions.NextPlacement: rounds.next_placement,
    decisions.EnterLocation: visits.enter_location,
    decisions.OpenWindow: casting.open_window,
    decisions.Reveal: visits.reveal,
    decisions.Adjust: visits.adjust,
    decisions.Resolve: visits.resolve,
    decisions.NextToken: visits.next_token,
    decisions.LeaveLocation: visits.leave_location,
    decisions.PayPairs: country.pay_pairs,
    decisions.PayOvertime: country.pay_overtime,
    decisions.MakeArrest: town.make_arrest,
    decisions.AskDonations: town.ask_donations,
    decisions.DueDonation: town.due_donation,
    decisions.Donate: town.donate,
    decisions.SellSpells: wizard.sell_spells,
    decisions.GainSpell: wizard.gain_spell,
    decisions.MakeAttack: outlaws.make_attack,
    decisions.AdvanceKeywood: castle.advance_keywood,
    decisions.PickUp: rounds.pick_up,
    decisions.CastSpell: casting.continue_cast,
    decisions.AskResponses: casting.next_response,
    decisions.ResolveSpell: casting.resolve_spell,
    decisions.CardToBottom: casting.card_to_bottom,
}

ANSWERS: Final[engine.Answers[Play]] = {
    decisions.ChooseColour: rounds.answer_colour,
    decisions.ChooseStartPlayer: rounds.answer_start_player,
    decisions.PlaceCounter: rounds.answer_place,
    decisions.WindowAction: casting.answer_window,
    decisions.SpellTarget: casting.answer_target,
    decisions.Respond: casting.answer_response,
    decisions.ExchangeCube: spells.answer_exchange,
    decisions.AdjustNumber: visits.answer_adjust,
    decisions.ChooseSpace: country.answer_space,
    decisions.SupervisePair: country.answer_split,
    decisions.SoldiersArrest: town.answer_arrest,
    decisions.TraderExchange: town.answer_trader,
    decisions.PriestChoose: town.answer_priest,
    decisions.DonateAmount: town.answer_amount,
    decisions.DonateCube: spells.answer_donate_cube,
    decisions.MidwifeClaim: town.answer_midwife,
    decisions.MidwifeStay: rounds.answer_stay,
    decisions.WizardSpace: wizard.answer_wizard,
    decisions.DiscardForLimit: wizard.answer_discard,
    decisions.OutlawsChoose: outlaws.answer_outlaws,
    decisions.OutlawsAttack: outlaws.answer_attack,
    decisions.PurchaseTile: castle.answer_purchase,
    decisions.KeywoodPay: castle.answer_keywood,
    decisions.PayPrice: town.answer_pay,
}


def answer(play: Play, seat: Seat, move: KeydomMove) -> None:
    """Carry out the answer of *seat*; a bid leaves the decision to the seats that have not bid yet."""
    if isinstance(move, BidCounter):
        rounds.answer_bid(play, seat, move)
    else:
        engine.answer(play, ANSWERS, move)
