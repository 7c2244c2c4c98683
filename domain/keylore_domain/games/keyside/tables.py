"""Which function carries out which answer and which step."""

from typing import Final

from keylore_domain.engine import play as engine
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyside import steps, turns, years
from keylore_domain.games.keyside.effects import (
    buildings,
    goods,
    harbours,
    headlands,
    keyples,
    keytoma,
    markets,
    mats,
)
from keylore_domain.games.keyside.moves import (
    ChooseStrip,
    FlipMarket,
    KeysideMove,
    SetDie,
    SpendSkill,
)
from keylore_domain.games.keyside.play import Play

ANSWERS: Final[engine.Answers[Play]] = {
    steps.LandingTurn: turns.play_die,
    steps.Response: turns.respond,
    steps.Introduction: keyples.introduce,
    steps.ResolvingTurn: turns.act,
    steps.Window: turns.close_window,
    steps.GainOffer: goods.offered,
    steps.AnimalChoice: goods.import_animal,
    steps.BoxChoice: mats.choose_box,
    steps.AnyAdvance: mats.advance_any,
    steps.KeypleMove: keyples.choose_keyple,
    steps.KeypleWay: keyples.move_keyple,
    steps.AnimalPlacing: goods.place_animal,
    steps.AnimalExchange: goods.exchange_animal,
    steps.MarketVisit: markets.activate,
    steps.SkillVisit: markets.take_skill,
    steps.CottageSite: buildings.build_cottage,
    steps.OwnSite: buildings.build_own,
    steps.HeadlandSite: buildings.build_headland,
    steps.PartChoice: harbours.choose_part,
    steps.GoodsChoice: goods.take_goods,
    steps.MarkerAllocation: years.allocate_marker,
}

STEPS: Final[engine.Steps[Play]] = {
    steps.YearStart: years.start_year,
    steps.TurnStart: turns.start_turn,
    steps.TurnEnd: turns.end_turn,
    steps.Docking: headlands.dock,
    steps.HeadlandCall: headlands.call,
    steps.Advance: mats.advance,
    steps.Arrivals: turns.arrive,
    steps.Import: goods.import_items,
    steps.GemDraw: goods.draw_gems,
    steps.Recruitment: keyples.recruit,
    steps.Benefit: harbours.benefit,
    steps.FinalTurn: years.final_turn,
    steps.FinalTurnEnd: years.end_final_turn,
    steps.FinalScoring: years.score,
    steps.KeytomaFollow: keytoma.follow,
    steps.KeytomaPlacing: keytoma.place_keyple,
    steps.KeytomaEffect: keytoma.act,
    steps.FlagMoves: keytoma.move_flags,
    steps.FlagParting: turns.part_flags,
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
