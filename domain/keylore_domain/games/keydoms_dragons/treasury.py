"""Treasure: who pays whom, and how the ledges of the caves are filled (spec §5.2, §5.8)."""

from collections.abc import Iterable

from msgspec.structs import replace

from keylore_domain.engine.payments import minus, plus, unit
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keydoms_dragons import board
from keylore_domain.games.keydoms_dragons.components import CAVES, LARGE, LEDGES, TYPES, Location, Type
from keylore_domain.games.keydoms_dragons.facts import LedgesFilled, Place, TreasuresMoved
from keylore_domain.games.keydoms_dragons.moves import Treasures
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.state import NOBODY, NOTHING, Ledge, Party, Piece, State, Vector

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


def pay(state: State, payer: Seat, payee: Party, vector: Vector, play: Play) -> State:
    """*payer* gives *vector* to the seat *payee* (NOBODY: to the treasury)."""
    state = _change(state, payer, minus(state.players[payer].holdings, vector))
    if payee == NOBODY:
        state = replace(state, treasury=plus(state.treasury, vector))
    else:
        state = _change(state, payee, plus(state.players[payee].holdings, vector))
    play.note(TreasuresMoved(payer, _place(payee), treasures(vector)))
    return state


def receive(state: State, seat: Seat, vector: Vector, play: Play) -> State:
    """*seat* takes *vector* from the treasury."""
    state = _change(state, seat, plus(state.players[seat].holdings, vector))
    play.note(TreasuresMoved("treasury", seat, treasures(vector)))
    return replace(state, treasury=minus(state.treasury, vector))


def pay_all(state: State, payer: Seat, play: Play) -> State:
    """*payer* gives all it has to the treasury."""
    held = state.players[payer].holdings
    return pay(state, payer, NOBODY, held, play) if any(held) else state


def _change(state: State, seat: Party, holdings: Vector) -> State:
    return board.with_player(state, seat, replace(state.players[seat], holdings=holdings))


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


def with_cave(state: State, cave: Location, ledges: tuple[Ledge, ...]) -> State:
    """*state* in which *cave* has these *ledges*."""
    return replace(state, caves=with_item(state.caves, CAVES.index(cave), ledges))


def clear_caves(state: State, caves: Iterable[Location], play: Play) -> State:
    """All treasure in *caves* goes back to the treasury."""
    for cave in caves:
        for at in range(len(cave_of(state, cave))):
            state = take_ledge(state, cave, at, NOBODY, play)
        state = with_cave(state, cave, ())
    return state


def take_ledge(state: State, cave: Location, at: int, party: Party, play: Play) -> State:
    """*party* takes ledge *at* of *cave*; what NOBODY or a ghost takes goes to the treasury (GL-A)."""
    ledges = cave_of(state, cave)
    vector = worth(ledges[at])
    if not any(vector):
        return state
    state = with_cave(state, cave, with_item(ledges, at, ()))
    seated = party != NOBODY and board.is_seat(state, party)
    if seated:
        state = _change(state, party, plus(state.players[party].holdings, vector))
    else:
        state = replace(state, treasury=plus(state.treasury, vector))
    play.note(TreasuresMoved("caves", party if seated else "treasury", treasures(vector)))
    return state


def fill_caves(state: State, values: Values, play: Play) -> State:
    """Lay out pieces for *values* in two passes: own types first, then substitutes leftwards (§5.2, R8)."""
    wanted = [
        (cave, ledge, Piece(cave, large))
        for cave, ledges in enumerate(values)
        for ledge, value in enumerate(ledges)
        for large in (True,) * (value // LARGE) + (False,) * (value % LARGE)
    ]
    supply, laid, missing = list(state.treasury), [], []
    for cave, ledge, piece in wanted:
        if supply[piece.type] >= piece.units:
            supply[piece.type] -= piece.units
            laid.append((cave, ledge, piece))
        else:
            missing.append((cave, ledge, piece))
    for cave, ledge, piece in missing:
        laid.extend((cave, ledge, found) for found in _substitutes(supply, piece))
    state = replace(state, treasury=tuple(supply))
    return _lay(state, values, laid, play)


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


def _lay(state: State, values: Values, laid: list[tuple[int, int, Piece]], play: Play) -> State:
    for cave, ledges in enumerate(values):
        if not ledges:
            continue
        pieces = tuple(
            tuple(piece for at, on, piece in laid if (at, on) == (cave, ledge))
            for ledge in range(len(ledges))
        )
        if not any(pieces):
            continue
        state = replace(state, caves=with_item(state.caves, cave, pieces))
        play.note(LedgesFilled(CAVES[cave], tuple(tuple(map(piece_name, ledge)) for ledge in pieces)))
    return state


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
