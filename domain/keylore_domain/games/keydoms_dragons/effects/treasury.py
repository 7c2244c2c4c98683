"""Treasure: who pays whom, and how the ledges of the caves are filled (spec §5.2, §5.8)."""

from collections.abc import Iterable

from keylore_domain.engine.payments import minus, plus, unit
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keydoms_dragons.components import CAVES, LARGE, LEDGES, TYPES, Location, Type
from keylore_domain.games.keydoms_dragons.facts import LedgesFilled, Place, TreasuresMoved
from keylore_domain.games.keydoms_dragons.moves import Treasures
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.position import (
    NOBODY,
    NOTHING,
    Ledge,
    Party,
    Piece,
    State,
    Vector,
)

Values = tuple[tuple[int, ...], ...]  # ledge values by cave


def treasures(vector: Vector) -> Treasures:
    """*vector* as it travels."""
    return Treasures(*vector)


def vector_of(amounts: Treasures) -> Vector:
    """*amounts* as a vector."""
    return (amounts.red, amounts.white, amounts.black, amounts.blue, amounts.gold)


def of_type(name: Type, amount: int) -> Vector:
    """*amount* units of the type *name*."""
    return unit(len(TYPES), TYPES.index(name), amount)


def pay(play: Play, payer: Seat, payee: Party, vector: Vector) -> None:
    """*payer* gives *vector* to the seat *payee* (NOBODY: to the treasury)."""
    play.change_player(payer, holdings=minus(play.player(payer).holdings, vector))
    _gain(play, payee, vector)
    play.note(TreasuresMoved(payer, _place(payee), treasures(vector)))


def receive(play: Play, seat: Seat, vector: Vector) -> None:
    """*seat* takes *vector* from the treasury."""
    play.change(treasury=minus(play.state.treasury, vector))
    _gain(play, seat, vector)
    play.note(TreasuresMoved("treasury", seat, treasures(vector)))


def pay_all(play: Play, payer: Seat) -> None:
    """*payer* gives all it has to the treasury."""
    held = play.player(payer).holdings
    if any(held):
        pay(play, payer, NOBODY, held)


def _gain(play: Play, party: Party, vector: Vector) -> None:
    if party == NOBODY:
        play.change(treasury=plus(play.state.treasury, vector))
    else:
        play.change_player(party, holdings=plus(play.player(party).holdings, vector))


def _place(party: Party) -> Place:
    return "treasury" if party == NOBODY else party


# -- ledges ------------------------------------------------------------------------------------------------


def worth(ledge: Ledge) -> Vector:
    """The units on *ledge*, by type."""
    total = NOTHING
    for piece in ledge:
        total = plus(total, unit(len(TYPES), piece.type, piece.units))
    return total


def cave_of(state: State, cave: Location) -> tuple[Ledge, ...]:
    """The ledges of *cave*, top first."""
    return state.caves[CAVES.index(cave)]


def _change_cave(play: Play, cave: Location, ledges: tuple[Ledge, ...]) -> None:
    play.change(caves=with_item(play.state.caves, CAVES.index(cave), ledges))


def clear_caves(play: Play, caves: Iterable[Location]) -> None:
    """All treasure in *caves* goes back to the treasury."""
    for cave in caves:
        for at in range(len(cave_of(play.state, cave))):
            take_ledge(play, cave, at, NOBODY)
        _change_cave(play, cave, ())


def take_ledge(play: Play, cave: Location, at: int, party: Party) -> None:
    """*party* takes ledge *at* of *cave*; what NOBODY or a ghost takes goes to the treasury (GL-A)."""
    ledges = cave_of(play.state, cave)
    vector = worth(ledges[at])
    if not any(vector):
        return
    _change_cave(play, cave, with_item(ledges, at, ()))
    taker = party if party != NOBODY and board.is_seat(play.state, party) else NOBODY
    _gain(play, taker, vector)
    play.note(TreasuresMoved("caves", _place(taker), treasures(vector)))


def fill_caves(play: Play, values: Values) -> None:
    """Lay out pieces for *values* in two passes: own types first, then substitutes leftwards (§5.2, R8)."""
    wanted = [
        (cave, ledge, Piece(cave, large))
        for cave, ledges in enumerate(values)
        for ledge, value in enumerate(ledges)
        for large in (True,) * (value // LARGE) + (False,) * (value % LARGE)
    ]
    supply, laid, missing = list(play.state.treasury), [], []
    for cave, ledge, piece in wanted:
        if supply[piece.type] >= piece.units:
            supply[piece.type] -= piece.units
            laid.append((cave, ledge, piece))
        else:
            missing.append((cave, ledge, piece))
    for cave, ledge, piece in missing:
        laid.extend((cave, ledge, found) for found in _substitutes(supply, piece))
    play.change(treasury=tuple(supply))
    _lay(play, values, laid)


def _substitutes(supply: list[int], piece: Piece) -> list[Piece]:
    """What replaces *piece*: one of its size of the next type to the left, else three small ones."""
    found = _substitute(
        supply, piece.large, [(piece.type - step) % len(TYPES) for step in range(1, len(TYPES))]
    )
    if found or not piece.large:
        return found
    types = [(piece.type - step) % len(TYPES) for step in range(len(TYPES))]
    return [small for _ in range(LARGE) for small in _substitute(supply, False, types)]


def _substitute(supply: list[int], large: bool, types: list[int]) -> list[Piece]:
    for kind in types:
        piece = Piece(kind, large)
        if supply[kind] >= piece.units:
            supply[kind] -= piece.units
            return [piece]
    return []


def _lay(play: Play, values: Values, laid: list[tuple[int, int, Piece]]) -> None:
    for cave, ledges in enumerate(values):
        pieces = tuple(
            tuple(piece for at, on, piece in laid if (at, on) == (cave, ledge))
            for ledge in range(len(ledges))
        )
        if any(pieces):
            _change_cave(play, CAVES[cave], pieces)
            play.note(LedgesFilled(CAVES[cave], tuple(tuple(map(piece_name, ledge)) for ledge in pieces)))


def with_extra_ledges(values: Values, *, all_below: bool) -> Values:
    """*values* with the extra small treasures of six parties (R7)."""
    return tuple(_with_extra(ledges, all_below=all_below) for ledges in values)


def _with_extra(ledges: tuple[int, ...], *, all_below: bool) -> tuple[int, ...]:
    room = LEDGES - len(ledges)
    if not ledges or not room:
        return ledges
    return ledges + (1,) * (room if all_below else 1)


def piece_name(piece: Piece) -> str:
    """``red L`` or ``red s``."""
    return f"{TYPES[piece.type]} {'L' if piece.large else 's'}"
