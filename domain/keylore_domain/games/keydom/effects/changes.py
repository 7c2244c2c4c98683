"""The small changes that all effects are made of: cubes, counters, cards and tiles change places."""

from typing import Any

from msgspec.structs import replace

from keylore_domain.engine.payments import Vector, minus, pay_options, plus, unit
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.names import COLOURS, TILES, TileType, cubes
from keylore_domain.games.keydom.facts import Holder, ReturnReason
from keylore_domain.games.keydom.state.position import Family, Returned, State, Table, Token, here

NUMBER_OF_COLOURS = len(COLOURS)


def with_family(state: State, seat: Seat, **changes: Any) -> State:
    """*state* in which fields of a seat's family are changed."""
    family = replace(state.families[seat], **changes)
    return replace(state, families=with_item(state.families, seat, family))


def with_visit(state: State, **changes: Any) -> State:
    """*state* in which fields of the visit are changed."""
    return replace(state, visit=replace(here(state), **changes))


def change_token(state: State, token: Token, **changes: Any) -> State:
    """*state* in which fields of *token* are changed."""
    at = state.board.index(token)
    return replace(state, board=with_item(state.board, at, replace(token, **changes)))


def without_token(state: State, token: Token) -> State:
    """*state* without *token* on the board; nobody remembers having looked at it."""
    board = tuple(item for item in state.board if item is not token)
    families = tuple(_forget(family, token.token) for family in state.families)
    return replace(state, board=board, families=families)


def _forget(family: Family, token: str) -> Family:
    if token not in family.known:
        return family
    return replace(family, known=tuple(item for item in family.known if item != token))


def return_counter(state: State, token: Token, reason: ReturnReason, table: Table) -> State:
    """*token* comes back to its owner and rests this round (COM-3)."""
    table.turn.note(facts.CounterReturned(token.token, token.owner, reason, token.face, token.number))
    state = without_token(state, token)
    back = Returned(token.number, token.face == "up")
    return with_family(state, token.owner, returned=(*state.families[token.owner].returned, back))


def take_space(state: State, token: Token, space: str, table: Table, track: int = 0) -> State:
    """*token* takes a space of the location being resolved."""
    table.turn.note(facts.SpaceTaken(token.token, space))
    state = change_token(state, token, space=space, track=track)
    return with_visit(state, placed=(*here(state).placed, token.token))


def move_cubes(state: State, source: Holder, target: Holder, amount: Vector, table: Table) -> State:
    """*amount* goes from one seat or the stock to another; nothing is noted of nothing."""
    if not any(amount):
        return state
    table.turn.note(facts.CubesMoved(source, target, cubes(amount)))
    return _gain(_lose(state, source, amount), target, amount)


def _lose(state: State, holder: Holder, amount: Vector) -> State:
    if holder == "stock":
        return replace(state, stock=minus(state.stock, amount))
    return with_family(state, holder, cubes=minus(state.families[holder].cubes, amount))


def _gain(state: State, holder: Holder, amount: Vector) -> State:
    if holder == "stock":
        return replace(state, stock=plus(state.stock, amount))
    return with_family(state, holder, cubes=plus(state.families[holder].cubes, amount))


def of_colour(colour: str, count: int = 1) -> Vector:
    """*count* cubes of *colour*."""
    return unit(NUMBER_OF_COLOURS, COLOURS.index(colour), count)


def exchange(state: State, seat: Seat, give: str, take: str, table: Table) -> State:
    """A seat gives a cube to the stock and takes one of another colour (TRA-2)."""
    state = move_cubes(state, seat, "stock", of_colour(give), table)
    return move_cubes(state, "stock", seat, of_colour(take), table)


def gain_from_stock(state: State, seat: Seat, colour: str, count: int, table: Table) -> State:
    """A seat gains up to *count* cubes of *colour*, as the stock allows."""
    left = state.stock[COLOURS.index(colour)]
    return move_cubes(state, "stock", seat, of_colour(colour, min(count, left)), table)


def exchanges(held: Vector, stock: Vector) -> tuple[tuple[int, int], ...]:
    """All (give, take) colour numbers of one exchange with the stock."""
    return tuple(
        (give, take)
        for give in range(NUMBER_OF_COLOURS)
        if held[give]
        for take in range(NUMBER_OF_COLOURS)
        if stock[take] and take != give
    )


def payments(state: State, seat: Seat, pattern: str) -> tuple[Vector, ...]:
    """All payments of *pattern* that a seat can make (COM-6, VAR-2)."""
    family = state.families[seat]
    rule = state.options.letter_a_rule
    if rule == "free":
        return pay_options(family.cubes, pattern)
    own = COLOURS.index(family.colour or "")
    types = tuple(at for at in range(NUMBER_OF_COLOURS) if (at == own) is (rule == "own"))
    return pay_options(family.cubes, pattern, types)


def take_tile(state: State, seat: Seat, tile: TileType, table: Table) -> State:
    """A seat takes a tile from its pile."""
    table.turn.note(facts.TileMoved("pile", seat, tile))
    at = TILES.index(tile)
    state = replace(state, piles=with_item(state.piles, at, state.piles[at] - 1))
    return with_tile(state, seat, tile)


def with_tile(state: State, seat: Seat, tile: TileType) -> State:
    """A seat owns one tile more."""
    owned = state.families[seat].tiles
    return with_family(state, seat, tiles=tuple(item for item in TILES if item in owned or item == tile))


def drop_spell(state: State, seat: Seat, spell: str) -> State:
    """A seat holds a spell no more."""
    held = state.families[seat].spells
    return with_family(state, seat, spells=tuple(item for item in held if item != spell))


def to_bottom(state: State, spell: str, table: Table) -> State:
    """A card goes to the bottom of the deck."""
    table.turn.note(facts.SpellToBottom(spell))
    return replace(state, deck=(*state.deck, spell))


def deal_market(state: State, table: Table) -> State:
    """Cards from the top of the deck fill the market; a short deck leaves spaces empty (SETUP-5, WIZ-3)."""
    spaces = table.data.spaces["wizard"]
    shown: tuple[str | None, ...] = state.deck[:spaces]
    market = (*shown, *(None,) * (spaces - len(shown)))
    table.turn.note(facts.MarketRenewed(market))
    return replace(state, market=market, deck=state.deck[spaces:])


def change_number(state: State, token: Token, eff: int, table: Table) -> State:
    """*token* counts as *eff* from now on."""
    table.turn.note(facts.NumberChanged(token.token, eff))
    return change_token(state, token, modifier=eff - token.number)
