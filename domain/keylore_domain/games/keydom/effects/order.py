"""Who is next at a location, and how many spaces are left (COM-1, COM-2)."""

from keylore_domain.engine.seats import distance
from keylore_domain.games.keydom.components.names import COUNTRY
from keylore_domain.games.keydom.components.parts import Parts
from keylore_domain.games.keydom.state.position import State, Token, current_at, here


def waiting_at(state: State, location: str) -> tuple[Token, ...]:
    """The current tokens at *location* that were not placed, withdrawn or returned yet."""
    return tuple(token for token in current_at(state, location) if token.space is None)


def first_of(state: State, waiting: tuple[Token, ...]) -> Token:
    """The next of the *waiting* tokens (COM-1).

    The highest number that counts (the lowest under World Upside Down); among equals the seat with the
    highest rest of other waiting tokens, then the one nearest in turn order; of one seat the token with the
    higher printed number, then the earlier placed.
    """
    if len(waiting) == 1:
        return waiting[0]
    totals = [0] * len(state.families)
    for token in waiting:
        totals[token.owner] += token.eff
    sign = -1 if here(state).reversed else 1
    start = state.start_seat
    assert start is not None

    def precedence(token: Token) -> tuple[int, int, int, int, int]:
        rest = totals[token.owner] - token.eff
        away = distance(start, token.owner, len(totals))
        return (sign * token.eff, rest, -away, token.number, -token.k)

    return max(waiting, key=precedence)


def spaces_left(state: State, parts: Parts) -> int:
    """How many tokens can still take a space of the location being resolved."""
    visit = here(state)
    if visit.location in COUNTRY:
        supervisors = 0 if state.options.no_supervisors else 1
        spaces = 2 * parts.pairs[visit.location] + supervisors
    else:
        spaces = parts.spaces[visit.location]
    return spaces - len(visit.placed)
