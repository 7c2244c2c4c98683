"""The effects of the spells, by the effect names of the data file (SP1 to SP24)."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from keylore_domain.engine.payments import unit
from keylore_domain.engine.seats import others_clockwise
from keylore_domain.engine.steps import push
from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.entries import SpellCard
from keylore_domain.games.keydom.components.names import COLOURS
from keylore_domain.games.keydom.effects.changes import (
    NUMBER_OF_COLOURS,
    change_number,
    change_token,
    exchange,
    exchanges,
    gain_from_stock,
    move_cubes,
    return_counter,
    with_family,
    with_visit,
    without_token,
)
from keylore_domain.games.keydom.moves import DonateCube as Give
from keylore_domain.games.keydom.moves import Done, Swap
from keylore_domain.games.keydom.state.decisions import DonateCube, ExchangeCube
from keylore_domain.games.keydom.state.position import (
    OvertimeClaim,
    State,
    Table,
    Token,
    current_at,
    here,
    token_of,
)
from keylore_domain.games.keydom.state.steps import ResolveSpell

Effect = Callable[[State, ResolveSpell, SpellCard, Table], State]


def gain_cubes(state: State, cast: ResolveSpell, card: SpellCard, table: Table) -> State:
    """SP1 to SP5: cubes of one colour from the stock."""
    return gain_from_stock(state, cast.seat, card.params.colour or "", card.params.count or 0, table)


def exchange_cubes(state: State, cast: ResolveSpell, card: SpellCard, _table: Table) -> State:
    """SP6, SP7: some exchanges with the stock, one at least."""
    return push(state, ExchangeCube(cast.seat, card.id, card.params.max or 0, begun=False))


def answer_exchange(state: State, asked: ExchangeCube, move: Swap | Done, table: Table) -> State:
    """One exchange; the next one is asked for while it is allowed and possible."""
    if isinstance(move, Done):
        return state
    state = exchange(state, asked.seat, move.give, move.take, table)
    if asked.left == 1 or not exchanges(state.families[asked.seat].cubes, state.stock):
        return state
    return push(state, replace(asked, left=asked.left - 1, begun=True))


def levy_richer(state: State, cast: ResolveSpell, card: SpellCard, table: Table) -> State:
    """SP8: seats with more cubes than the caster give it some, clockwise."""
    held = [sum(family.cubes) for family in state.families]
    gifts = [
        DonateCube(seat, cast.seat)
        for seat in others_clockwise(cast.seat, len(held))
        if held[seat] > held[cast.seat]
        for _ in range(min(card.params.count or 0, held[seat]))
    ]
    if not gifts:
        return _nothing(state, card, table)
    return push(state, *reversed(gifts))


def answer_donate_cube(state: State, asked: DonateCube, move: Give, table: Table) -> State:
    """A cube of the giver's choice (SP8, PRI-4)."""
    amount = unit(NUMBER_OF_COLOURS, COLOURS.index(move.colour))
    return move_cubes(state, asked.seat, "stock" if asked.to is None else asked.to, amount, table)


def pick_cube(state: State, cast: ResolveSpell, card: SpellCard, table: Table) -> State:
    """SP9: a cube of a named colour, if the named seat has one."""
    (target,) = cast.targets
    assert target.seat is not None
    at = COLOURS.index(target.colour or "")
    if not state.families[target.seat].cubes[at]:
        return _nothing(state, card, table)
    return move_cubes(state, target.seat, cast.seat, unit(NUMBER_OF_COLOURS, at), table)


def _nothing(state: State, card: SpellCard, table: Table) -> State:
    table.turn.note(facts.SpellNoEffect(card.id))
    return state


def move_own(state: State, cast: ResolveSpell, _card: SpellCard, table: Table) -> State:
    """SP10: an own token goes elsewhere."""
    goal = cast.targets[1].location or ""
    return _move(state, _target(state, cast, 0), goal, table)


def _target(state: State, cast: ResolveSpell, at: int) -> Token:
    return token_of(state, cast.targets[at].token or "")


def _move(state: State, token: Token, goal: str, table: Table) -> State:
    table.turn.note(facts.CounterMoved(token.token, token.location, goal))
    return change_token(state, token, location=goal)


def return_other(state: State, cast: ResolveSpell, _card: SpellCard, table: Table) -> State:
    """SP11: another seat's token comes back to its owner."""
    return return_counter(state, _target(state, cast, 0), "banished", table)


def swap_with_other(state: State, cast: ResolveSpell, _card: SpellCard, table: Table) -> State:
    """SP12: two tokens change places."""
    own, other = _target(state, cast, 0), _target(state, cast, 1)
    state = _move(state, own, other.location, table)
    return _move(state, other, own.location, table)


def modify_number(state: State, cast: ResolveSpell, card: SpellCard, table: Table) -> State:
    """SP13, SP14: a number grows or falls, not below 0."""
    token = _target(state, cast, 0)
    return change_number(state, token, max(0, token.eff + (card.params.delta or 0)), table)


def match_highest(state: State, cast: ResolveSpell, _card: SpellCard, table: Table) -> State:
    """SP15: a token counts as much as the highest one here."""
    highest = max(token.eff for token in current_at(state, here(state).location))
    return change_number(state, _target(state, cast, 0), highest, table)


def look_at_location(state: State, cast: ResolveSpell, _card: SpellCard, _table: Table) -> State:
    """SP16: the caster learns the numbers at a location."""
    (target,) = cast.targets
    known = state.families[cast.seat].known
    seen = tuple(
        token.token
        for token in state.board
        if token.location == target.location
        and token.face == "down"
        and token.owner != cast.seat
        and token.token not in known
    )
    return with_family(state, cast.seat, known=(*known, *seen))


def play_open(state: State, cast: ResolveSpell, _card: SpellCard, _table: Table) -> State:
    """SP17: a seat places face up for the rest of phase 1."""
    (target,) = cast.targets
    assert target.seat is not None
    return with_family(state, target.seat, plays_open=True)


def take_back_own(state: State, cast: ResolveSpell, _card: SpellCard, table: Table) -> State:
    """SP18: an own token goes back to hand, to be placed again."""
    token = _target(state, cast, 0)
    table.turn.note(facts.CounterTakenBack(token.token, token.owner, token.number))
    hand = tuple(sorted((*state.families[cast.seat].hand, token.number)))
    return with_family(without_token(state, token), cast.seat, hand=hand)


def close_location(state: State, cast: ResolveSpell, _card: SpellCard, _table: Table) -> State:
    """SP19: nobody places at a location for the rest of phase 1."""
    (target,) = cast.targets
    closed = {*state.closed, target.location}
    return replace(state, closed=tuple(location for location in state.in_play if location in closed))


def reverse_order(state: State, _cast: ResolveSpell, _card: SpellCard, _table: Table) -> State:
    """SP20: the lowest number goes first here; cast twice, the highest again."""
    return with_visit(state, reversed=not here(state).reversed)


def extra_wages(state: State, cast: ResolveSpell, card: SpellCard, _table: Table) -> State:
    """SP21: a claim that is paid after the pairs."""
    claim = OvertimeClaim(cast.seat, card.id, card.params.count or 0)
    return with_visit(state, overtime=(*here(state).overtime, claim))


def block_outlaws(state: State, cast: ResolveSpell, _card: SpellCard, _table: Table) -> State:
    """SP23: the attack on the caster fails, and it cannot be named again."""
    return with_visit(state, warded=(*here(state).warded, cast.seat))


def exempt_from_priest(state: State, cast: ResolveSpell, _card: SpellCard, _table: Table) -> State:
    """SP24: the caster does not donate this time."""
    return with_visit(state, exempt=(*here(state).exempt, cast.seat))


# cancel_spell (SP22) acts on the spell that it answers: `casting.answer_response`
EFFECTS: Final[Mapping[str, Effect]] = {
    "gain_cubes": gain_cubes,
    "exchange_cubes": exchange_cubes,
    "levy_richer": levy_richer,
    "pick_cube": pick_cube,
    "move_own": move_own,
    "return_other": return_other,
    "swap_with_other": swap_with_other,
    "modify_number": modify_number,
    "match_highest": match_highest,
    "look_at_location": look_at_location,
    "play_open": play_open,
    "take_back_own": take_back_own,
    "close_location": close_location,
    "reverse_order": reverse_order,
    "extra_wages": extra_wages,
    "block_outlaws": block_outlaws,
    "exempt_from_priest": exempt_from_priest,
}
