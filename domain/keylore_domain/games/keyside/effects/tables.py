"""Which function carries out which answer and which step."""

from typing import Final

from keylore_domain.engine import play as engine
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside.effects import (
    buildings,
    goods,
    harbours,
    headlands,
    keyples,
    keytoma,
    markets,
    mats,
    turns,
    years,
)
from keylore_domain.games.keyside.moves import (
    ChooseStrip,
    FlipMarket,
    KeysideMove,
    SetDie,
    SpendSkill,
)
from keylore_domain.games.keyside.play import Play
from keylore_domain.games.keyside.state import decisions

ANSWERS: Final[engine.Answers[Play]] = {
    decisions.LandingTurn: turns.play_die,
    decisions.Response: turns.respond,
    decisions.Introduction: keyples.introduce,
    decisions.ResolvingTurn: turns.act,
    decisions.Window: turns.close_window,
    decisions.GainOffer: goods.offered,
    decisions.AnimalChoice: goods.import_animal,
    decisions.BoxChoice: mats.choose_box,
    decisions.AnyAdvance: mats.advance_any,
    decisions.KeypleMove: keyples.choose_keyple,
    decisions.KeypleWay: keyples.move_keyple,
    decisions.AnimalPlacing: goods.place_animal,
    decisions.AnimalExchange: goods.exchange_animal,
    decisions.MarketVisit: markets.activate,
    decisions.SkillVisit: markets.take_skill,
    decisions.CottageSite: buildings.build_cottage,
    decisions.OwnSite: buildings.build_own,
    decisions.HeadlandSite: buildings.build_headland,
    decisions.PartChoice: harbours.choose_part,
    decisions.GoodsChoice: goods.take_goods,
    decisions.MarkerAllocation: years.allocate_marker,
}

STEPS: Final[engine.Steps[Play]] = {
    decisions.YearStart: years.start_year,
    decisions.TurnStart: turns.start_turn,
    decisions.TurnEnd: turns.end_turn,
    decisions.Docking: headlands.dock,
    decisions.HeadlandCall: headlands.call,
    decisions.Advance: mats.advance,
    decisions.Arrivals: turns.arrive,
    decisions.Import: goods.import_items,
    decisions.GemDraw: goods.draw_gems,
    decisions.Recruitment: keyples.recruit,
    decisions.Benefit: harbours.benefit,
    decisions.FinalTurn: years.final_turn,
    decisions.FinalTurnEnd: years.end_final_turn,
    decisions.FinalScoring: years.score,
    decisions.KeytomaFollow: keytoma.follow,
    decisions.KeytomaPlacing: keytoma.place_keyple,
    decisions.KeytomaEffect: keytoma.act,
    decisions.FlagMoves: keytoma.move_flags,
    decisions.FlagParting: turns.part_flags,
}


def answer(play: Play, seat: Seat, move: KeysideMove) -> None:
    """Carry out the answer of *seat*; an anytime move leaves the interrupted decision on the agenda."""
    match move:
        case ChooseStrip() | SetDie():
            years.set_dice(play, seat, move)
        case SpendSkill():
            markets.spend_skill(play, seat, move)
        case FlipMarket():
            markets.flip(play, seat, move)
        case _:
            engine.answer(play, ANSWERS, move)
