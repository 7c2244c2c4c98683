"""The outlaws (OUT-1 to OUT-7)."""

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydom import facts, moves
from keylore_domain.games.keydom.components.names import COLOURS, TILES, TheftKind, TileType
from keylore_domain.games.keydom.components.parts import Parts
from keylore_domain.games.keydom.effects.casting import ask_responses
from keylore_domain.games.keydom.effects.town import occupy, offer, withdraw
from keylore_domain.games.keydom.play import Play, add_tile, move_cubes, of_colour, payments, take_tile
from keylore_domain.games.keydom.state.decisions import (
    Answered,
    MakeAttack,
    OutlawsAttack,
    OutlawsChoose,
    PayPrice,
)
from keylore_domain.games.keydom.state.position import State, Token, here


def missing_tiles(state: State, seat: Seat) -> tuple[TileType, ...]:
    """The types in play that a seat does not own (OUT-3, OUT-7)."""
    owned = state.families[seat].tiles
    return tuple(tile for tile in TILES if tile in state.required and tile not in owned)


def thefts(state: State, seat: Seat, parts: Parts) -> tuple[TheftKind, ...]:
    """The kinds of theft that a seat can pay for (OUT-1)."""
    return tuple(
        kind
        for kind, price in parts.theft_patterns.items()
        if (kind == "cube" or missing_tiles(state, seat)) and payments(state, seat, price)
    )


def offer_theft(play: Play, token: Token) -> None:
    """OUT-1: a theft, if one can be paid."""
    offer(play, token, OutlawsChoose, possible=thefts(play.state, token.owner, play.parts))


def answer_outlaws(play: Play, asked: OutlawsChoose, move: moves.Steal | moves.Withdraw) -> None:
    """OUT-1, OUT-2: the theft is paid, then the outlaws attack."""
    if isinstance(move, moves.Withdraw):
        withdraw(play, asked)
        return
    occupy(play, asked)
    play.change_visit(failed=(), warded=())
    price = PayPrice(asked.seat, play.parts.theft_patterns[move.kind])
    play.push(price, OutlawsAttack(asked.seat, move.kind))


def answer_attack(play: Play, asked: OutlawsAttack, move: moves.Attack) -> None:
    """OUT-6: a seat that is named may answer with a spell."""
    play.push(MakeAttack(asked.seat, asked.kind, move))
    if move.seat is not None:
        ask_responses(play, (move.seat,), "reaction_outlaws", Answered(by=asked.seat, attack=move))


def make_attack(play: Play, step: MakeAttack) -> None:
    """OUT-4: the attack succeeds, or another one follows."""
    attack = step.attack
    visit = here(play.state)
    if attack.seat not in visit.warded:
        if can_steal(play.state, attack):
            _steal(play, step.seat, attack)
            return
        play.change_visit(failed=(*visit.failed, attack))
    play.note(facts.AttackFailed(attack))
    play.push(OutlawsAttack(step.seat, step.kind))


def can_steal(state: State, attack: moves.Attack) -> bool:
    """Whether the source has what the outlaws are sent for."""
    if attack.seat is None:
        return True
    family = state.families[attack.seat]
    if attack.tile is not None:
        return attack.tile in family.tiles
    return family.cubes[COLOURS.index(attack.colour or "")] > 0


def _steal(play: Play, seat: Seat, attack: moves.Attack) -> None:
    if attack.colour is not None:
        source: facts.Holder = "stock" if attack.seat is None else attack.seat
        move_cubes(play, source, seat, of_colour(attack.colour))
        return
    assert attack.tile is not None
    if attack.seat is None:
        take_tile(play, seat, attack.tile)
        return
    play.note(facts.TileMoved(attack.seat, seat, attack.tile))
    kept = tuple(tile for tile in play.family(attack.seat).tiles if tile != attack.tile)
    play.change_family(attack.seat, tiles=kept)
    add_tile(play, seat, attack.tile)
