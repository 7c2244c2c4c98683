"""Harbour, forest, quarry, farm and brewery (RES-1 to RES-7, VAR-1, SP21)."""

from typing import Final

from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.names import COLOURS, COUNTRY
from keylore_domain.games.keydom.moves import Split, TakeWorkplace
from keylore_domain.games.keydom.play import Play, gain_from_stock, move_cubes, of_colour, take_space
from keylore_domain.games.keydom.state.decisions import (
    ChooseSpace,
    NextToken,
    PayOvertime,
    PayPairs,
    SupervisePair,
)
from keylore_domain.games.keydom.state.position import State, Token, here, token_of

SUPERVISOR: Final = "supervisor"
WORKERS = 2
WAGES: Final = 2
SKILLED_WAGES: Final = 4


def resolve(play: Play) -> None:
    """All tokens take a space, then pairs and overtime are paid."""
    play.push(NextToken(), PayPairs(1), PayOvertime())


def offer(play: Play, token: Token) -> None:
    """A token must take a free space (RES-2)."""
    play.push(ChooseSpace(token.owner, token.token))


def pair_space(pair: int) -> str:
    """The space of the workers of a pair."""
    return f"pair {pair}"


def answer_space(play: Play, asked: ChooseSpace, move: TakeWorkplace) -> None:
    """A token is supervisor or worker."""
    space = SUPERVISOR if move.pair is None else pair_space(move.pair)
    take_space(play, token_of(play.state, asked.token), space)


def placed_at(state: State, space: str) -> tuple[Token, ...]:
    """The tokens at a space of the location being resolved, the first placed first."""
    tokens = (token_of(state, token) for token in here(state).placed)
    return tuple(token for token in tokens if token.space == space)


def pay_pairs(play: Play, step: PayPairs) -> None:
    """Complete pairs are paid in order until the stock runs short (RES-3 to RES-6)."""
    location = here(play.state).location
    for pair in range(step.pair, play.parts.pairs[location] + 1):
        state = play.state
        workers = placed_at(state, pair_space(pair))
        if len(workers) < WORKERS:
            continue
        due = _wages(state, workers)
        if state.stock[COUNTRY.index(location)] < due:
            return
        bosses = placed_at(state, SUPERVISOR)
        if bosses and workers[0].owner != workers[1].owner:
            tokens = (workers[0].token, workers[1].token)
            play.push(SupervisePair(bosses[0].owner, pair, *tokens), PayPairs(pair + 1))
            return
        _pay(play, pair, workers, _share(state, workers, due))


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


def _pay(play: Play, pair: int, workers: tuple[Token, ...], shares: tuple[int, int]) -> None:
    amounts = [0] * len(play.state.families)
    for worker, share in zip(workers, shares, strict=True):
        amounts[worker.owner] += share
    play.note(facts.WagesPaid(pair, tuple(amounts)))
    visit = here(play.state)
    colour = COLOURS[COUNTRY.index(visit.location)]
    for worker, share in zip(workers, shares, strict=True):
        move_cubes(play, "stock", worker.owner, of_colour(colour, share))
    play.change_visit(earners=(*visit.earners, *(worker.owner for worker in workers)))


def answer_split(play: Play, asked: SupervisePair, move: Split) -> None:
    """The supervisor shares the two cubes of a pair (RES-5)."""
    workers = (token_of(play.state, asked.first), token_of(play.state, asked.second))
    _pay(play, asked.pair, workers, move.split)


def pay_overtime(play: Play, _step: PayOvertime) -> None:
    """Claims are paid in the order of casting, as the stock allows (RES-7, SP21)."""
    visit = here(play.state)
    at = COUNTRY.index(visit.location)
    for claim in visit.overtime:
        if claim.seat in visit.earners and play.state.stock[at]:
            gain_from_stock(play, claim.seat, COLOURS[at], claim.count)
        else:
            play.note(facts.SpellNoEffect(claim.spell))
