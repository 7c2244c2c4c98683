"""The tables of what happens: by step, and by the decision that was answered."""

from collections.abc import Callable, Mapping
from typing import Final

from keylore_domain.engine import play as engine
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea import moves
from keylore_domain.games.keyper_at_sea.effects import actions, placing, seasons, tiles, turns
from keylore_domain.games.keyper_at_sea.play import Play
from keylore_domain.games.keyper_at_sea.state import decisions as wait

NAMED: Final[Mapping[str, Callable[[Play, Seat], None]]] = {
    "turn": turns.begin_turn,
    "end_turn": turns.end_turn,
    "finish": turns.finish,
    "overlooked": seasons.overlooked,
    "fairs": seasons.fairs,
    "housing": seasons.housing,
    "take_board": seasons.take_board,
    "excess": seasons.excess,
    "recruit": seasons.recruit,
    "complete": seasons.complete,
    "next_own_season": seasons.next_own_season,
    "clear_stalls": seasons.clear_stalls,
    "fill_stalls": seasons.fill_stalls,
    "renew_tiles": seasons.renew_tiles,
    "select_boats": seasons.select_boats,
    "open_season": seasons.open_season,
    "turn_fish_fair": seasons.turn_fish_fair,
    "advance_season": seasons.advance_season,
}
"""What each named step does."""


def _do(play: Play, step: wait.Do) -> None:
    NAMED[step.step](play, step.seat)


STEPS: Final[engine.Steps[Play]] = {
    wait.Do: _do,
    wait.RunSlots: placing.run_slots,
    wait.RunOps: actions.run_ops,
    wait.Owe: seasons.owe,
}
"""How each kind of step is carried out."""

ANSWERS: Final[engine.Answers[Play]] = {
    wait.TakeTurn: turns.take_turn,
    wait.ChooseKeypBoard: placing.claim_board,
    wait.ChooseSpotFor: placing.choose_spot,
    wait.ChooseMooring: placing.moor,
    wait.Respond: placing.respond,
    wait.ChooseGain: actions.choose_gain,
    wait.ChooseRefine: actions.refine,
    wait.ChooseExchange: actions.exchange,
    wait.ChooseTile: actions.take_tile,
    wait.ChooseBuild: tiles.choose_build,
    wait.ChooseBuildPlot: tiles.choose_plot,
    wait.PayBuild: tiles.pay_build,
    wait.PayUpgrade: tiles.pay_upgrade,
    wait.ChooseUpgrade: tiles.choose_upgrade,
    wait.ChooseEffect: actions.use,
    wait.ChooseBoatAction: actions.boat_action,
    wait.ChooseShip: actions.ship,
    wait.ChooseFishAction: actions.fish_action,
    wait.ChooseMarketAction: actions.market_action,
    wait.ChooseLayDown: placing.lay_down,
    wait.HoldFair: seasons.hold_fair,
    wait.LoseItem: seasons.lose_item,
    wait.ChooseExcess: seasons.choose_excess,
    wait.ChooseDisplayOf: seasons.set_up_board,
    wait.ChooseStoreTile: seasons.choose_store,
    wait.GiveKeyple: seasons.give_keyple,
}
"""How the answer to each decision is carried out."""


def answer(play: Play, move: moves.AnyMove) -> None:
    """Carry out *move*, the answer to the decision on top of the stack; declining needs nothing."""
    if isinstance(move, moves.Decline):
        play.stack.pop()
    else:
        engine.answer(play, ANSWERS, move)
