"""Reading a position: spots, the keyples on them, water (keyper-at-sea §2.4, §6.3 to §6.8)."""

from collections.abc import Iterator, Sequence

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keyper_at_sea.components import ops
from keylore_domain.games.keyper_at_sea.components.boards import CELL_AT, CELLS, PAIRS, WATER
from keylore_domain.games.keyper_at_sea.components.parts import Parts
from keylore_domain.games.keyper_at_sea.state.position import Board, Cell, Keyple, Plot, State

KEYP_TILE = "keyp"


def cell_of(state: State, cell: str) -> Cell:
    """The cell with this id on a board in play."""
    board, at = CELL_AT[cell]
    return state.board(board).cells[at]


def keyples_on(parts: Parts, state: State, seat: Seat, spot: str) -> tuple[Keyple, ...]:
    """The keyples on a cell, a moored boat, or on a plot or the keyp of *seat*."""
    if spot in CELL_AT:
        return cell_of(state, spot).keyples
    if spot in parts.plot:
        keyple = state.households[seat].plots[parts.plot[spot]].keyple
        return () if keyple is None else (keyple,)
    if spot == KEYP_TILE:
        return state.households[seat].keyp
    moored = state.moored_as(spot)
    return () if moored is None else moored.keyples


def border_of(parts: Parts, state: State, spot: str) -> str | None:
    """The border of a field, boat or fishing boat (J4)."""
    return parts.border(spot, cell_of(state, spot).field if spot in CELL_AT else "")


def ops_of(parts: Parts, state: State, seat: Seat, spot: str) -> tuple[ops.AnyOp, ...]:
    """What one action on *spot* does."""
    if spot in CELL_AT:
        return parts.fields[cell_of(state, spot).field].ops
    if spot in parts.plot:
        return activation(parts, state.households[seat].plots[parts.plot[spot]])
    if spot in parts.boats:
        return (ops.BoatWork(),)
    if spot in parts.fishing_boats:
        return (ops.Fish(),)
    return parts.keyp_ops


def activation(parts: Parts, plot: Plot) -> tuple[ops.AnyOp, ...]:
    """What a keyple on the top tile of *plot* does; nothing without a keyple icon."""
    active = parts.tiles[plot.stack[-1]].activate if plot.stack else None
    if active is None:
        return ()
    return active.upgraded if plot.upgraded else active.base


def slot_order(parts: Parts, state: State, spot: str) -> str:
    """How the slots of two seats alternate (J6)."""
    return parts.fields[cell_of(state, spot).field].order if spot in CELL_AT else "AJAJ"


def spots_of(state: State, boards: Sequence[Board]) -> Iterator[tuple[str, tuple[Keyple, ...]]]:
    """The spots of *boards* that hold keyples: cells, then boats, then fishing boats (R74)."""
    for board in boards:
        for name, cell in zip(CELLS[board.id], board.cells, strict=True):
            if cell.keyples:
                yield name, cell.keyples
    names = [board.id for board in boards]
    for moored in state.moored:
        if moored.keyples and moored.board in names:
            yield moored.id, moored.keyples


def standing(keyples: tuple[Keyple, ...]) -> tuple[Keyple, ...]:
    """Those of *keyples* that stand."""
    return tuple(keyple for keyple in keyples if not keyple.lying)


def boards_for_laying(state: State, seat: Seat) -> tuple[Board, ...]:
    """The boards on which *seat* may lay keyples down (L1 b and d)."""
    claimed = tuple(board for board in state.boards if board.keyper == seat)
    if state.deep or any(standing(keyples) for _, keyples in spots_of(state, claimed)):
        return claimed
    return state.boards


def laying_spots(parts: Parts, state: State, seat: Seat) -> list[tuple[str, tuple[Keyple, ...]]]:
    """Where *seat* may lay keyples down, with those that stand there (L1), in the order of P19."""
    household = state.households[seat]
    found: list[tuple[str, tuple[Keyple, ...]]] = [
        (place.id, (plot.keyple,))
        for place, plot in zip(parts.plots, household.plots, strict=True)
        if plot.keyple is not None and not plot.keyple.lying and activation(parts, plot)
    ]
    for spot, keyples in spots_of(state, boards_for_laying(state, seat)):
        if up := standing(keyples):
            found.append((spot, up))
    if not state.deep and (up := standing(household.keyp)):
        found.append((KEYP_TILE, up))
    return found


def free_pairs(board: Board) -> list[tuple[int, int]]:
    """The pairs of adjacent free water cells of *board* (B2)."""
    free = [cell.field == WATER and not cell.boat for cell in board.cells]
    return [(a, b) for a, b in PAIRS if free[a] and free[b]]


def free_water(state: State) -> list[str]:
    """The free water cells of all boards (X2)."""
    return [
        name
        for board in state.boards
        for name, cell in zip(CELLS[board.id], board.cells, strict=True)
        if cell.field == WATER and not cell.boat
    ]


def fishing_grounds(parts: Parts, state: State, boat: str) -> list[tuple[str, Cell]]:
    """The uncovered neighbours of a moored fishing boat that hold a creature tile (X5)."""
    moored = state.moored_as(boat)
    assert moored is not None
    in_play = {board.id: board.cells for board in state.boards}
    found = []
    for name in parts.neighbours[moored.cells[0]]:
        board, at = CELL_AT[name]
        if board in in_play and in_play[board][at].creature:
            found.append((name, in_play[board][at]))
    return found


def regular_boats(parts: Parts, state: State) -> list[str]:
    """The regular boats in play, available or moored, in canonical order (B1)."""
    moored = {boat.id for boat in state.moored}
    return [boat for boat in parts.boats if boat in state.boats_available or boat in moored]
