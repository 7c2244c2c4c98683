"""Legal moves at the end and the start of seasons: P20 to P25 (keyper-at-sea §5.5, §6.11 to §6.14)."""

from collections.abc import Iterable

from keylore_domain.engine.payments import covers, plus
from keylore_domain.games.keyper_at_sea import moves
from keylore_domain.games.keyper_at_sea.components.boards import ROTATIONS
from keylore_domain.games.keyper_at_sea.components.parts import Parts
from keylore_domain.games.keyper_at_sea.scoring.housing import losable
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import Board, Household, Keyple, State
from keylore_domain.games.keyper_at_sea.state.spots import spots_of

Moves = tuple[moves.AnyMove, ...]


def fairs_of(parts: Parts, household: Household, season: str) -> list[str]:
    """The fairs on the fairground for *season*, in canonical order (H1)."""
    owned = household.secret + household.fairs
    return [fair for fair in parts.fairs if fair in owned and parts.fairs[fair].season == season]


def holds(parts: Parts, state: State, decision: wait.HoldFair) -> Moves:
    """P20: fairs whose exhibits the seat has, besides those shown before (H2)."""
    household = state.households[decision.seat]
    found = [
        moves.Hold(fair)
        for fair in fairs_of(parts, household, decision.season)
        if covers(household.items, plus(decision.shown, parts.exhibits[fair]))
    ]
    return (*found, moves.Done())


def losses(parts: Parts, state: State, decision: wait.LoseItem) -> Moves:
    """P21: kinds of which giving up one lowers the deficit (A4)."""
    lost = sorted(losable(parts, state.households[decision.seat]))
    return tuple(moves.ChooseItem(parts.items[kind]) for kind in lost)


def excess(parts: Parts, state: State, decision: wait.ChooseExcess) -> Moves:
    """P22: the colours of the team."""
    team = state.households[decision.seat].team
    return tuple(moves.ChooseColour(colour) for colour, n in zip(parts.colours, team, strict=True) if n)


def displays(parts: Parts, state: State, decision: wait.ChooseDisplayOf) -> Moves:
    """P23: displays of the board for the season, in each rotation (R63)."""
    return tuple(
        moves.ChooseDisplay(display.id, rotation)
        for display in parts.displays_for("sea" if decision.board == "sea" else "country", decision.season)
        for rotation in ROTATIONS
    )


def stores(parts: Parts, state: State, decision: wait.ChooseStoreTile) -> Moves:
    """P24: the stores left."""
    return tuple(moves.ChooseStore(store) for store in state.stores_left)


def gifts(parts: Parts, state: State, decision: wait.GiveKeyple) -> Moves:
    """P25: from team, keyp, own tiles or claimed board; only without any from an unclaimed board (D8)."""
    household = state.households[decision.seat]
    owned: list[moves.AnyMove] = [
        moves.Give("team", colour) for colour, n in zip(parts.colours, household.team, strict=True) if n
    ]
    kept = [keyple.colour for keyple in household.keyp]
    owned += [moves.Give("keyp", colour) for colour in parts.colours if colour in kept]
    on_tiles = [
        moves.GiveFrom(place.id, plot.keyple.colour, plot.keyple.lying)
        for place, plot in zip(parts.plots, household.plots, strict=True)
        if plot.keyple is not None
    ]
    claimed = [board for board in state.boards if board.keyper == decision.seat]
    owned += [*on_tiles, *_gifts_from(state, claimed)]
    return tuple(owned or _gifts_from(state, [board for board in state.boards if board.keyper is None]))


def _gifts_from(state: State, boards: list[Board]) -> list[moves.GiveFrom]:
    return [
        moves.GiveFrom(spot, keyple.colour, keyple.lying)
        for spot, keyples in spots_of(state, boards)
        for keyple in _different(keyples)
    ]


def _different(keyples: Iterable[Keyple]) -> list[Keyple]:
    return list(dict.fromkeys(keyples))
