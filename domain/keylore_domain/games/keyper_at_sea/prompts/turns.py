"""Legal moves of a turn: P1 to P5 and P19 (keyper-at-sea §5.4, §5.5)."""

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea import moves
from keylore_domain.games.keyper_at_sea.components.boards import CELLS
from keylore_domain.games.keyper_at_sea.components.parts import Parts
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import Keyple, State
from keylore_domain.games.keyper_at_sea.state.spots import (
    KEYP_TILE,
    activation,
    border_of,
    free_pairs,
    free_water,
    laying_spots,
)

WHITE = "white"
LAST_SEASON = "winter"


def take_turn(parts: Parts, state: State, decision: wait.TakeTurn) -> tuple[moves.AnyMove, ...]:
    """P1: pieces must be played; without one lay down, end the season or pass (U1, U2)."""
    household = state.households[decision.seat]
    if household.pieces:
        found: list[moves.AnyMove] = [
            moves.PlayKeyple(colour) for colour, n in zip(parts.colours, household.team, strict=True) if n
        ]
        return tuple(found) if household.keyper else (*found, moves.PlayKeyper())
    found = [moves.LayDown()] if laying_spots(parts, state, decision.seat) else []
    if state.deep and (state.trigger is None or household.season != LAST_SEASON):
        found.append(moves.EndSeason())
    if not state.deep or state.trigger is not None:
        found.append(moves.Pass())
    return tuple(found)


def take_turn_default(legal: tuple[moves.AnyMove, ...]) -> int:
    """Pass if legal, else end the season if legal, else the first move."""
    for wanted in (moves.Pass(), moves.EndSeason()):
        if wanted in legal:
            return legal.index(wanted)
    return 0


def keyp_boards(parts: Parts, state: State, decision: wait.ChooseKeypBoard) -> tuple[moves.AnyMove, ...]:
    """P2: boards without a keyper; deep: with a marker of the seat's own season (K2)."""
    season = state.households[decision.seat].season
    return tuple(
        moves.ChooseBoard(board.id)
        for board in state.boards
        if board.keyper is None and (not state.deep or (board.marker and board.season == season))
    )


def spots(parts: Parts, state: State, decision: wait.ChooseSpotFor) -> tuple[moves.AnyMove, ...]:
    """P3: empty action fields, boats that can be moored, own tiles with a keyple icon."""
    actions = parts.action_codes
    found = [
        name
        for board in state.boards
        for name, cell in zip(CELLS[board.id], board.cells, strict=True)
        if not cell.keyples and cell.field in actions
    ]
    if any(free_pairs(board) for board in state.boards):
        found += state.boats_available
    if state.fishing_available and free_water(state):
        found += state.fishing_available
    found += [
        place.id
        for place, plot in zip(parts.plots, state.households[decision.seat].plots, strict=True)
        if plot.stack and plot.keyple is None and activation(parts, plot)
    ]
    return tuple([moves.ChooseSpot(spot) for spot in found])


def moorings(parts: Parts, state: State, decision: wait.ChooseMooring) -> tuple[moves.AnyMove, ...]:
    """P4: two adjacent free water cells of one board for a boat, one for a fishing boat (B2, X2)."""
    if decision.boat in parts.fishing_boats:
        return tuple(moves.Moor((cell,)) for cell in free_water(state))
    return tuple(
        moves.Moor((CELLS[board.id][a], CELLS[board.id][b]))
        for board in state.boards
        for a, b in free_pairs(board)
    )


def respond(parts: Parts, state: State, decision: wait.Respond) -> tuple[moves.AnyMove, ...]:
    """P5: pass, or join with a fitting colour of the team."""
    joins = [
        moves.Join(colour)
        for colour in joining_colours(parts, state, decision.spot, decision.colour)
        if state.households[decision.seat].team[parts.colour[colour]]
    ]
    return (moves.Pass(), *joins)


def joining_colours(parts: Parts, state: State, spot: str, colour: str) -> tuple[str, ...]:
    """The colours that may join *colour* on *spot*, in canonical order (J4)."""
    stands_for = colour if colour != WHITE else border_of(parts, state, spot)
    if stands_for is None:
        return parts.colours
    return tuple(other for other in parts.colours if other in (stands_for, WHITE))


def can_join(parts: Parts, state: State, seat: Seat, spot: str, colour: str) -> bool:
    """Whether the team of *seat* has a colour that may join."""
    team = state.households[seat].team
    return any(team[parts.colour[other]] for other in joining_colours(parts, state, spot, colour))


def lay_down(parts: Parts, state: State, decision: wait.ChooseLayDown) -> tuple[moves.AnyMove, ...]:
    """P19: on each spot one of its standing keyples or both; on the keyp any number (L3)."""
    found: list[moves.AnyMove] = []
    for spot, keyples in laying_spots(parts, state, decision.seat):
        if spot == KEYP_TILE:
            found += [moves.LayOnKeyp("keyp", count) for count in range(1, len(keyples) + 1)]
        else:
            found += _laying(parts, spot, keyples)
    return tuple(found)


def _laying(parts: Parts, spot: str, keyples: tuple[Keyple, ...]) -> list[moves.LayHere]:
    colours = [keyple.colour for keyple in keyples]
    found = [moves.LayHere(spot, (colour,)) for colour in parts.colours if colour in colours]
    return [*found, moves.LayHere(spot, tuple(colours))] if len(colours) > 1 else found
