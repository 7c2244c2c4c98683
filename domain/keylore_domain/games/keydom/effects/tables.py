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
from keylore_domain.games.keydom.state import decisions, steps

STEPS: Final[engine.Steps[Play]] = {
    steps.OpenBid: rounds.open_bid,
    steps.NextPlacement: rounds.next_placement,
    steps.EnterLocation: visits.enter_location,
    steps.OpenWindow: casting.open_window,
    steps.Reveal: visits.reveal,
    steps.Adjust: visits.adjust,
    steps.Resolve: visits.resolve,
    steps.NextToken: visits.next_token,
    steps.LeaveLocation: visits.leave_location,
    steps.PayPairs: country.pay_pairs,
    steps.PayOvertime: country.pay_overtime,
    steps.MakeArrest: town.make_arrest,
    steps.AskDonations: town.ask_donations,
    steps.DueDonation: town.due_donation,
    steps.Donate: town.donate,
    steps.SellSpells: wizard.sell_spells,
    steps.GainSpell: wizard.gain_spell,
    steps.MakeAttack: outlaws.make_attack,
    steps.AdvanceKeywood: castle.advance_keywood,
    steps.PickUp: rounds.pick_up,
    steps.CastSpell: casting.continue_cast,
    steps.AskResponses: casting.next_response,
    steps.ResolveSpell: casting.resolve_spell,
    steps.CardToBottom: casting.card_to_bottom,
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
