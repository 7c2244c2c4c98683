"""Harbour, forest, quarry, farm and brewery (RES-1 to RES-7, VAR-1, SP21)."""

from typing import Final

from keylore_domain.engine.steps import push
from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.names import COLOURS, COUNTRY
from keylore_domain.games.keydom.effects.changes import (
    gain_from_stock,
    move_cubes,
    of_colour,
    take_space,
    with_visit,
)
from keylore_domain.games.keydom.moves import Split, TakeWorkplace
from keylore_domain.games.keydom.state.decisions import ChooseSpace, SupervisePair
from keylore_domain.games.keydom.state.position import State, Table, Token, here, token_of
from keylore_domain.games.keydom.state.steps import NextToken, PayOvertime, PayPairs

SUPERVISOR: Final = "supervisor"
WORKERS = 2
WAGES: Final = 2
SKILLED_WAGES: Final = 4


def resolve(state: State, _table: Table) -> State:
    """All tokens take a space, then pairs and overtime are paid."""
    return push(state, PayOvertime(), PayPairs(1), NextToken())


def offer(state: State, token: Token, _table: Table) -> State:
    """A token must take a free space (RES-2)."""
    return push(state, ChooseSpace(token.owner, token.token))


def pair_space(pair: int) -> str:
    """The space of the workers of a pair."""
    return f"pair {pair}"


def answer_space(state: State, asked: ChooseSpace, move: TakeWorkplace, table: Table) -> State:
    """A token is supervisor or worker."""
    space = SUPERVISOR if move.pair is None else pair_space(move.pair)
    return take_space(state, token_of(state, asked.token), space, table)


def placed_at(state: State, space: str) -> tuple[Token, ...]:
    """The tokens at a space of the location being resolved, the first placed first."""
    tokens = (token_of(state, token) for token in here(state).placed)
    return tuple(token for token in tokens if token.space == space)


def pay_pairs(state: State, step: PayPairs, table: Table) -> State:
    """Complete pairs are paid in order until the stock runs short (RES-3 to RES-6)."""
    location = here(state).location
    for pair in range(step.pair, table.data.pairs[location] + 1):
        workers = placed_at(state, pair_space(pair))
        if len(workers) < WORKERS:
            continue
        due = _wages(state, workers)
        if state.stock[COUNTRY.index(location)] < due:
            return state
        bosses = placed_at(state, SUPERVISOR)
        if bosses and workers[0].owner != workers[1].owner:
            state = push(state, PayPairs(pair + 1))
            tokens = (workers[0].token, workers[1].token)
            return push(state, SupervisePair(bosses[0].owner, pair, *tokens))
        state = _pay(state, pair, workers, _share(state, workers, due), table)
    return state


def _wages(state: State, workers: tuple[Token, ...]) -> int:
    """What a pair earns (RES-4)."""
    first, second = workers
    colour = COLOURS[COUNTRY.index(here(state).location)]
    skilled = first.owner == second.owner and state.families[first.owner].colour == colour
    return SKILLED_WAGES if skilled else WAGES


def _share(state: State, workers: tuple[Token, ...], due: int) -> tuple[int, int]:
    """How a pair without a supervisor shares (RES-5); the best worker takes all under VAR-1."""
    first, second = workers
    if first.owner == second.owner:
        return (due, 0)
    if not state.options.no_supervisors or first.eff == second.eff:
        return (1, 1)
    return (due, 0) if first.eff > second.eff else (0, due)


def _pay(state: State, pair: int, workers: tuple[Token, ...], shares: tuple[int, int], table: Table) -> State:
    amounts = [0] * len(state.families)
    for worker, share in zip(workers, shares, strict=True):
        amounts[worker.owner] += share
    table.turn.note(facts.WagesPaid(pair, tuple(amounts)))
    colour = COLOURS[COUNTRY.index(here(state).location)]
    for worker, share in zip(workers, shares, strict=True):
        state = move_cubes(state, "stock", worker.owner, of_colour(colour, share), table)
    return with_visit(state, earners=(*here(state).earners, *(worker.owner for worker in workers)))


def answer_split(state: State, asked: SupervisePair, move: Split, table: Table) -> State:
    """The supervisor shares the two cubes of a pair (RES-5)."""
    workers = (token_of(state, asked.first), token_of(state, asked.second))
    return _pay(state, asked.pair, workers, move.split, table)


def pay_overtime(state: State, _step: PayOvertime, table: Table) -> State:
    """Claims are paid in the order of casting, as the stock allows (RES-7, SP21)."""
    visit = here(state)
    colour = COLOURS[COUNTRY.index(visit.location)]
    for claim in visit.overtime:
        stock = state.stock[COUNTRY.index(visit.location)]
        if claim.seat in visit.earners and stock:
            state = gain_from_stock(state, claim.seat, colour, claim.count, table)
        else:
            table.turn.note(facts.SpellNoEffect(claim.spell))
    return state
