"""The table of prompts: for each decision its kind, legal moves, default and context (keyper-at-sea §5.5)."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from keylore_domain.engine.moves import Decision
from keylore_domain.engine.prompts import Prompt
from keylore_domain.games.keyper_at_sea import moves
from keylore_domain.games.keyper_at_sea.components.parts import Parts
from keylore_domain.games.keyper_at_sea.prompts import actions, seasons, turns
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import State

Moves = tuple[moves.AnyMove, ...]


class Context(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a prompt is about, as far as it applies.

    ``slot`` of ``of`` is the action slot, from 1; ``op`` the op's name; ``left`` how often it may still be
    done; ``flipped`` the cells turned up during a fishing action; ``to`` is ``placement`` for a response.
    """

    turn: int
    spot: str = ""
    slot: int = 0
    of: int = 0
    op: str = ""
    tile: str = ""
    target: str = ""
    to: str = ""
    colour: str = ""
    board: str = ""
    season: str = ""
    left: int = 0
    flipped: tuple[str, ...] = ()


CARRIED: Final[Mapping[str, str]] = {
    **{name: name for name in ("spot", "tile", "target", "colour", "board", "season", "left", "flipped")},
    "boat": "spot",
    "plot": "target",
}
"""Fields of a decision that its context has, and under which name."""


class Asking(NamedTuple):
    """How a decision is asked."""

    kind: str
    legal: Callable[[Parts, State, Any], Moves]
    default: Callable[[Moves], int]
    moves: tuple[type[msgspec.Struct], ...]


def first(legal: Moves) -> int:
    """The first move is the default."""
    return 0


def last(legal: Moves) -> int:
    """The last move, which declines, is the default."""
    return len(legal) - 1


ASKED: Final[Mapping[type[Decision], Asking]] = {
    wait.TakeTurn: Asking(
        "take_turn",
        turns.take_turn,
        turns.take_turn_default,
        (moves.PlayKeyple, moves.PlayKeyper, moves.LayDown, moves.EndSeason, moves.Pass),
    ),
    wait.ChooseKeypBoard: Asking("choose_keyp_board", turns.keyp_boards, first, (moves.ChooseBoard,)),
    wait.ChooseSpotFor: Asking("choose_spot", turns.spots, first, (moves.ChooseSpot,)),
    wait.ChooseMooring: Asking("choose_mooring", turns.moorings, first, (moves.Moor,)),
    wait.Respond: Asking("respond", turns.respond, first, (moves.Pass, moves.Join)),
    wait.ChooseGain: Asking("choose_gain", actions.gains, first, (moves.ChooseItem,)),
    wait.ChooseRefine: Asking("refine", actions.refinements, last, (moves.Refine, moves.Decline)),
    wait.ChooseExchange: Asking("exchange", actions.exchanges, last, (moves.Exchange, moves.Decline)),
    wait.ChooseTile: Asking("take_tile", actions.tiles, last, (moves.TakeTile, moves.Decline)),
    wait.ChooseBuild: Asking("build_tile", actions.builds, last, (moves.Build, moves.Decline)),
    wait.ChooseBuildPlot: Asking("build_plot", actions.build_plots, first, (moves.ChoosePlot,)),
    wait.PayBuild: Asking("pay", actions.build_payments, first, (moves.Pay,)),
    wait.PayUpgrade: Asking("pay", actions.upgrade_payments, first, (moves.Pay,)),
    wait.ChooseUpgrade: Asking("upgrade_tile", actions.upgrades, last, (moves.Upgrade, moves.Decline)),
    wait.ChooseEffect: Asking("choose_effect", actions.effects, last, (moves.Use, moves.Decline)),
    wait.ChooseBoatAction: Asking(
        "boat_action",
        actions.boat_actions,
        last,
        (moves.TakeCargo, moves.TakeCreature, moves.Ship, moves.Decline),
    ),
    wait.ChooseShip: Asking("ship", actions.ships, last, (moves.ShipWith, moves.Decline)),
    wait.ChooseFishAction: Asking(
        "fish_action",
        actions.fish_actions,
        actions.fish_default,
        (moves.TakeBoatTile, moves.TakeCell, moves.Flip, moves.Fish, moves.Decline),
    ),
    wait.ChooseMarketAction: Asking(
        "fish_market_action",
        actions.market_actions,
        last,
        (
            moves.SeasonExchange,
            moves.TakeFish,
            moves.TakeTreasure,
            moves.TakeStall,
            moves.Exhibit,
            moves.Decline,
        ),
    ),
    wait.ChooseLayDown: Asking("choose_lay_down", turns.lay_down, first, (moves.LayHere, moves.LayOnKeyp)),
    wait.HoldFair: Asking("hold_fair", seasons.holds, first, (moves.Hold, moves.Done)),
    wait.LoseItem: Asking("lose_item", seasons.losses, first, (moves.ChooseItem,)),
    wait.ChooseExcess: Asking("choose_excess", seasons.excess, first, (moves.ChooseColour,)),
    wait.ChooseDisplayOf: Asking("choose_display", seasons.displays, first, (moves.ChooseDisplay,)),
    wait.ChooseStoreTile: Asking("choose_store", seasons.stores, first, (moves.ChooseStore,)),
    wait.GiveKeyple: Asking("give_keyple", seasons.gifts, first, (moves.Give, moves.GiveFrom)),
}

MOVE_TYPES: Final[Mapping[str, tuple[type[msgspec.Struct], ...]]] = {
    asked.kind: asked.moves for asked in ASKED.values()
}


def open_prompts(parts: Parts, state: State) -> tuple[Prompt[Any], ...]:
    """The one open prompt, or none when the game is over."""
    if not state.pending:
        return ()
    decision: Any = state.pending[-1]
    asked = ASKED[type(decision)]
    legal = asked.legal(parts, state, decision)
    prompt: Prompt[Any] = Prompt(
        seat=decision.seat,
        kind=asked.kind,
        legal=legal,
        default=asked.default(legal),
        context=context_of(state, decision),
    )
    return (prompt,)


def context_of(state: State, decision: Any) -> Context:
    """What *decision* is about."""
    carried, has_slot, to = SHAPES[type(decision)]
    found = {known_as: getattr(decision, name) for name, known_as in carried}
    if has_slot:
        slot: wait.Slot = decision.slot
        found.update(spot=slot.spot, slot=slot.number, of=slot.of, op=decision.op.__struct_config__.tag)
    return Context(turn=state.turn, to=to, **found)


def _shape(kind: type[Decision]) -> tuple[tuple[tuple[str, str], ...], bool, str]:
    fields = kind.__struct_fields__
    carried = tuple((name, CARRIED[name]) for name in fields if name in CARRIED)
    return carried, "slot" in fields, "placement" if kind is wait.Respond else ""


SHAPES: Final = {kind: _shape(kind) for kind in ASKED}
"""For each decision: which fields its context has, whether it has a slot and an op, and ``to``."""
