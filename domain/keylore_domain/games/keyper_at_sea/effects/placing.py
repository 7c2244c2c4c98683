"""Playing keyper and keyples, joining, laying down, action slots (keyper-at-sea §6.3 to §6.8)."""

from collections.abc import Iterator

from keylore_domain.engine.seats import Seat, others_clockwise
from keylore_domain.games.keyper_at_sea import facts, moves
from keylore_domain.games.keyper_at_sea.components.boards import CELL_AT
from keylore_domain.games.keyper_at_sea.play import Play, put_keyples, team_with
from keylore_domain.games.keyper_at_sea.prompts.actions import can_do
from keylore_domain.games.keyper_at_sea.prompts.turns import WHITE, can_join
from keylore_domain.games.keyper_at_sea.state import decisions as wait
from keylore_domain.games.keyper_at_sea.state.position import Keyple, Moored
from keylore_domain.games.keyper_at_sea.state.spots import (
    KEYP_TILE,
    border_of,
    cell_of,
    keyples_on,
    ops_of,
    slot_order,
)


def claim_board(play: Play, decision: wait.ChooseKeypBoard, move: moves.ChooseBoard) -> None:
    """U3, K1: the keyper claims the board."""
    play.change_board(move.board, keyper=decision.seat)
    play.change_household(decision.seat, keyper=move.board)
    play.note(facts.KeyperPlaced(decision.seat, move.board))


def choose_spot(play: Play, decision: wait.ChooseSpotFor, move: moves.ChooseSpot) -> None:
    """U4: boats are moored first, then the keyple is placed."""
    if move.spot in play.parts.borders:
        play.push(wait.ChooseMooring(decision.seat, decision.colour, move.spot))
    else:
        _place(play, decision.seat, decision.colour, move.spot)


def moor(play: Play, decision: wait.ChooseMooring, move: moves.Moor) -> None:
    """B2, B4, X2, X3: cover the cells; tiles on them go face up on the boat."""
    tiles = []
    for name in move.cells:
        cell = cell_of(play.state, name)
        if cell.creature:
            tiles.append(cell.creature)
            if not cell.face_up:
                play.note(facts.CreatureRevealed(name, cell.creature))
        play.change_cell(name, creature="", face_up=False, boat=decision.boat)
    state, boat = play.state, decision.boat
    moored = Moored(boat, CELL_AT[move.cells[0]][0], move.cells, (), tuple(tiles))
    play.change(
        moored=tuple(sorted((*state.moored, moored), key=lambda item: play.parts.boat_rank[item.id])),
        boats_available=tuple(name for name in state.boats_available if name != boat),
        fishing_available=tuple(name for name in state.fishing_available if name != boat),
    )
    play.note(facts.BoatMoored(boat, move.cells))
    _place(play, decision.seat, decision.colour, boat)


def _place(play: Play, seat: Seat, colour: str, spot: str) -> None:
    play.change_household(seat, team=team_with(play.parts, play.household(seat).team, [colour], -1))
    put_keyples(play, seat, spot, (Keyple(colour),))
    play.note(facts.KeyplePlaced(seat, spot, colour))
    if spot in play.parts.plot:
        play.push(wait.RunSlots(spot, (seat,)))
    else:
        _ask_next(play, seat, spot, colour, others_clockwise(seat, play.state.seats))


def _ask_next(play: Play, active: Seat, spot: str, colour: str, seats: tuple[Seat, ...]) -> None:
    """J3: the first of *seats* with a colour that may join is asked; without one the slots begin."""
    for at, seat in enumerate(seats):
        if can_join(play.parts, play.state, seat, spot, colour):
            play.push(wait.Respond(seat, active, spot, colour, seats[at + 1 :]))
            return
    _start_slots(play, active, None, spot, colour)


def respond(play: Play, decision: wait.Respond, move: moves.Join | moves.Pass) -> None:
    """J3: the first seat to join ends the asking."""
    seat, spot = decision.seat, decision.spot
    if isinstance(move, moves.Pass):
        _ask_next(play, decision.active, spot, decision.colour, decision.later)
        return
    play.change_household(seat, team=team_with(play.parts, play.household(seat).team, [move.colour], -1))
    put_keyples(play, seat, spot, (*keyples_on(play.parts, play.state, seat, spot), Keyple(move.colour)))
    play.note(facts.KeypleJoined(seat, spot, move.colour))
    _start_slots(play, decision.active, seat, spot, decision.colour)


def _start_slots(play: Play, active: Seat, joiner: Seat | None, spot: str, colour: str) -> None:
    """J5, J6: one action, one more if matched, one more if joined, for each of the two."""
    border = border_of(play.parts, play.state, spot)
    matched = border is not None and colour in (border, WHITE)
    rounds = 1 + matched + (joiner is not None)
    owners: tuple[Seat, ...] = (active,) * rounds
    if joiner is not None:
        owners = tuple(_alternating(active, joiner, rounds, slot_order(play.parts, play.state, spot)))
    play.push(wait.RunSlots(spot, owners))


def _alternating(active: Seat, joiner: Seat, rounds: int, order: str) -> Iterator[Seat]:
    for number in range(rounds):
        swapped = number % 2 == 1 and order == "AJJA"
        yield from (joiner, active) if swapped else (active, joiner)


def run_slots(play: Play, step: wait.RunSlots) -> None:
    """Start the next action slot, if one is left (J6, J7)."""
    if step.at == len(step.owners):
        return
    seat = step.owners[step.at]
    slot = wait.Slot(step.spot, step.at + 1, len(step.owners))
    play.note(facts.SlotStarted(seat, slot.number, slot.of))
    todo = ops_of(play.parts, play.state, seat, step.spot)
    after = wait.RunSlots(step.spot, step.owners, step.at + 1)
    if any(can_do(play.parts, play.state, seat, slot, op) for op in todo):
        play.push(wait.RunOps(seat, slot, todo), after)
    else:
        play.note(facts.SlotPassedOver(seat, slot.number))
        play.push(after)


def lay_down(play: Play, decision: wait.ChooseLayDown, move: moves.LayHere | moves.LayOnKeyp) -> None:
    """L3, L4: lay the chosen keyples; one action each, and one more on a field or boat for a match."""
    if isinstance(move, moves.LayOnKeyp):
        lay_on_keyp(play, decision.seat, move.count)
        return
    seat, spot = decision.seat, move.spot
    left = list(keyples_on(play.parts, play.state, seat, spot))
    for colour in move.colours:
        left[left.index(Keyple(colour))] = Keyple(colour, lying=True)
    put_keyples(play, seat, spot, left)
    play.note(facts.KeyplesLaid(seat, spot, move.colours))
    bonus = False
    if spot not in play.parts.plot:
        border = border_of(play.parts, play.state, spot)
        bonus = border is not None and any(colour in (border, WHITE) for colour in move.colours)
    play.push(wait.RunSlots(spot, (seat,) * (len(move.colours) + bonus)))


def lay_on_keyp(play: Play, seat: Seat, count: int) -> None:
    """L4: lay *count* excess keyples on the keyp, each for a raw material."""
    keyp = play.household(seat).keyp
    up = [keyple for keyple in keyp if not keyple.lying]
    laid = up[:count]
    rest = [keyple for keyple in keyp if keyple.lying] + up[count:]
    put_keyples(play, seat, KEYP_TILE, [*rest, *(Keyple(keyple.colour, lying=True) for keyple in laid)])
    play.note(facts.KeyplesLaid(seat, KEYP_TILE, tuple(keyple.colour for keyple in laid)))
    play.push(wait.RunSlots(KEYP_TILE, (seat,) * count))
