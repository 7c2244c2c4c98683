"""Boards, cells and plots: names and geometry (keyper-at-sea §2.4, §6.8 X5)."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from keylore_domain.games.keyper_at_sea.components.entries import Grid, Place

BOARDS: Final = ("sea", "c1", "c2", "c3", "c4")
SIZE: Final = 4
ROTATIONS: Final = (0, 90, 180, 270)
KEYP: Final = "K"
WATER: Final = "W"

CELLS: Final[Mapping[str, tuple[str, ...]]] = {
    board: tuple(f"{board}.{row}.{column}" for row in range(SIZE) for column in range(SIZE))
    for board in BOARDS
}
CELL_AT: Final[Mapping[str, tuple[str, int]]] = {
    cell: (board, at) for board, cells in CELLS.items() for at, cell in enumerate(cells)
}


def _pairs() -> tuple[tuple[int, int], ...]:
    found = []
    for at in range(SIZE * SIZE):
        if at % SIZE < SIZE - 1:
            found.append((at, at + 1))
        if at < SIZE * (SIZE - 1):
            found.append((at, at + SIZE))
    return tuple(found)


PAIRS: Final = _pairs()
"""Orthogonally adjacent cells of one board, sorted by the first, then the second."""


def turned(grid: Sequence[Sequence[str]], rotation: int) -> tuple[str, ...]:
    """The 16 codes of *grid* turned clockwise, row by row (§6.4)."""
    rows = [list(row) for row in grid]
    for _ in range(rotation // 90):
        rows = [[rows[SIZE - 1 - column][row] for column in range(SIZE)] for row in range(SIZE)]
    return tuple(code for row in rows for code in row)


def neighbours(places: Mapping[str, Place]) -> dict[str, tuple[str, ...]]:
    """For each cell the cells around it in the whole formation, diagonals included, in canonical order."""
    at = {}
    for board in BOARDS:
        for number, cell in enumerate(CELLS[board]):
            row, column = divmod(number, SIZE)
            at[cell] = (SIZE * places[board].x + column, SIZE * places[board].y + row)
    return {cell: tuple(_around(cell, at)) for cell in at}


def _around(cell: str, at: Mapping[str, tuple[int, int]]) -> list[str]:
    x, y = at[cell]
    return [other for other, (u, v) in at.items() if other != cell and abs(u - x) <= 1 and abs(v - y) <= 1]


class PlotPlace(NamedTuple):
    """A place for tiles on a player board; ``row`` counts from 1, 0 for an extension."""

    id: str
    area: str
    row: int

    @property
    def extension(self) -> bool:
        """Whether it lies below the board and needs a site (T6)."""
        return self.row == 0


def plot_places(grid: Grid) -> tuple[PlotPlace, ...]:
    """All plots of a seat in canonical order: farm, village, farm extensions, village extensions."""
    rows = range(1, grid.rows + 1)
    farm = [
        PlotPlace(f"f{row}{column + 1}", "farm", row) for row in rows for column in range(grid.farm_columns)
    ]
    village = [
        PlotPlace(f"v{row}{column + 1}", "village", row)
        for row in rows
        for column in range(grid.village_columns)
    ]
    below = [PlotPlace(f"fx{column + 1}", "farm", 0) for column in range(grid.farm_columns)]
    below += [PlotPlace(f"vx{column + 1}", "village", 0) for column in range(grid.village_columns)]
    return (*farm, *village, *below)
