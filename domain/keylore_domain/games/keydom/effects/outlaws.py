"""The outlaws (OUT-1 to OUT-7)."""

from keylore_domain.engine.seats import Seat
from keylore_domain.engine.steps import push
from keylore_domain.games.keydom import facts, moves
from keylore_domain.games.keydom.components.box import Components
from keylore_domain.games.keydom.components.names import (
    COLOURS,
    TILES,
    TheftKind,
    TileType,
)
from keylore_domain.games.keydom.effects.casting import ask_responses
from keylore_domain.games.keydom.effects.changes import (
    move_cubes,
    of_colour,
    payments,
    take_tile,
    with_family,
    with_tile,
    with_visit,
)
from keylore_domain.games.keydom.effects.town import occupy, unable, withdraw
from keylore_domain.games.keydom.state.decisions import (
    Answered,
    OutlawsAttack,
    OutlawsChoose,
    PayPrice,
)
from keylore_domain.games.keydom.state.position import State, Table, Token, here
from keylore_domain.games.keydom.state.steps import (
    MakeAttack,
)


def missing_tiles(state: State, seat: Seat) -> tuple[TileType, ...]:
    """The types in play that a seat does not own (OUT-3, OUT-7)."""
    owned = state.families[seat].tiles
    return tuple(tile for tile in TILES if tile in state.required and tile not in owned)


def thefts(state: State, seat: Seat, data: Components) -> tuple[TheftKind, ...]:
    """The kinds of theft that a seat can pay for (OUT-1)."""
    return tuple(
        kind
        for kind, price in data.theft_patterns.items()
        if (kind == "cube" or missing_tiles(state, seat)) and payments(state, seat, price)
    )


def offer_theft(state: State, token: Token, table: Table) -> State:
    """OUT-1: a theft, if one can be paid."""
    if not thefts(state, token.owner, table.data):
        return unable(state, token, table)
    return push(state, OutlawsChoose(token.owner, token.token))


def answer_outlaws(
    state: State, asked: OutlawsChoose, move: moves.Steal | moves.Withdraw, table: Table
) -> State:
    """OUT-1, OUT-2: the theft is paid, then the outlaws attack."""
    if isinstance(move, moves.Withdraw):
        return withdraw(state, asked, table)
    state = with_visit(occupy(state, asked, table), failed=(), warded=())
    price = PayPrice(asked.seat, table.data.theft_patterns[move.kind])
    return push(state, OutlawsAttack(asked.seat, move.kind), price)


def answer_attack(state: State, asked: OutlawsAttack, move: moves.Attack, table: Table) -> State:
    """OUT-6: a seat that is named may answer with a spell."""
    state = push(state, MakeAttack(asked.seat, asked.kind, move))
    if move.seat is None:
        return state
    to = Answered(by=asked.seat, attack=move)
    return ask_responses(state, (move.seat,), "reaction_outlaws", to, table)


def make_attack(state: State, step: MakeAttack, table: Table) -> State:
    """OUT-4: the attack succeeds, or another one follows."""
    attack = step.attack
    visit = here(state)
    if attack.seat not in visit.warded:
        if can_steal(state, attack):
            return _steal(state, step.seat, attack, table)
        state = with_visit(state, failed=(*visit.failed, attack))
    table.turn.note(facts.AttackFailed(attack))
    return push(state, OutlawsAttack(step.seat, step.kind))


def can_steal(state: State, attack: moves.Attack) -> bool:
    """Whether the source has what the outlaws are sent for."""
    if attack.seat is None:
        return True
    family = state.families[attack.seat]
    if attack.tile is not None:
        return attack.tile in family.tiles
    return family.cubes[COLOURS.index(attack.colour or "")] > 0


def _steal(state: State, seat: Seat, attack: moves.Attack, table: Table) -> State:
    if attack.colour is not None:
        source: facts.Holder = "stock" if attack.seat is None else attack.seat
        return move_cubes(state, source, seat, of_colour(attack.colour), table)
    assert attack.tile is not None
    if attack.seat is None:
        return take_tile(state, seat, attack.tile, table)
    table.turn.note(facts.TileMoved(attack.seat, seat, attack.tile))
    kept = tuple(tile for tile in state.families[attack.seat].tiles if tile != attack.tile)
    return with_tile(with_family(state, attack.seat, tiles=kept), seat, attack.tile)
