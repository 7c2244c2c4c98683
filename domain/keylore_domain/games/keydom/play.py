"""Keydom while one move (or the set-up) is carried out: the changes that all effects are made of."""

from typing import Any, ClassVar

from msgspec.structs import replace

from keylore_domain.engine import play as engine
from keylore_domain.engine.payments import Vector, minus, pay_options, plus, unit
from keylore_domain.engine.seats import Seat, with_item
from keylore_domain.games.keydom import facts
from keylore_domain.games.keydom.components.names import COLOURS, TILES, TileType, cubes
from keylore_domain.games.keydom.components.parts import Parts
from keylore_domain.games.keydom.facts import Holder, ReturnReason
from keylore_domain.games.keydom.state.position import Family, Returned, State, Token, here

NUMBER_OF_COLOURS = len(COLOURS)


class Play(engine.Play[State, Parts]):
    """The position, the components and the turn."""

    __slots__ = ()

    chance_fact: ClassVar[type[facts.ChanceDrawn]] = facts.ChanceDrawn

    def family(self, seat: Seat) -> Family:
        """What *seat* has."""
        return self.state.families[seat]

    def change_family(self, seat: Seat, **fields: Any) -> None:
        """Give the family of *seat* these new values."""
        families = self.state.families
        self.state = replace(
            self.state, families=with_item(families, seat, replace(families[seat], **fields))
        )

    def change_visit(self, **fields: Any) -> None:
        """Give the visit these new values."""
        self.state = replace(self.state, visit=replace(here(self.state), **fields))

    def change_token(self, token: Token, **fields: Any) -> None:
        """Give *token* these new values."""
        board = self.state.board
        self.state = replace(self.state, board=with_item(board, board.index(token), replace(token, **fields)))


def remove_token(play: Play, token: Token) -> None:
    """Take *token* off the board; nobody remembers having looked at it."""
    state = play.state
    play.change(
        board=tuple(item for item in state.board if item is not token),
        families=tuple(_forget(family, token.token) for family in state.families),
    )


def _forget(family: Family, token: str) -> Family:
    if token not in family.known:
        return family
    return replace(family, known=tuple(item for item in family.known if item != token))


def return_counter(play: Play, token: Token, reason: ReturnReason) -> None:
    """*token* comes back to its owner and rests this round (COM-3)."""
    play.note(facts.CounterReturned(token.token, token.owner, reason, token.face, token.number))
    remove_token(play, token)
    back = Returned(token.number, token.face == "up")
    play.change_family(token.owner, returned=(*play.family(token.owner).returned, back))


def take_space(play: Play, token: Token, space: str, track: int = 0) -> None:
    """*token* takes a space of the location being resolved."""
    play.note(facts.SpaceTaken(token.token, space))
    play.change_token(token, space=space, track=track)
    play.change_visit(placed=(*here(play.state).placed, token.token))


def move_cubes(play: Play, source: Holder, target: Holder, amount: Vector) -> None:
    """*amount* goes from one seat or the stock to another; nothing is noted of nothing."""
    if not any(amount):
        return
    play.note(facts.CubesMoved(source, target, cubes(amount)))
    _set_cubes(play, source, minus(_cubes_of(play, source), amount))
    _set_cubes(play, target, plus(_cubes_of(play, target), amount))


def _cubes_of(play: Play, holder: Holder) -> Vector:
    return play.state.stock if holder == "stock" else play.family(holder).cubes


def _set_cubes(play: Play, holder: Holder, held: Vector) -> None:
    if holder == "stock":
        play.change(stock=held)
    else:
        play.change_family(holder, cubes=held)


def of_colour(colour: str, count: int = 1) -> Vector:
    """*count* cubes of *colour*."""
    return unit(NUMBER_OF_COLOURS, COLOURS.index(colour), count)


def exchange(play: Play, seat: Seat, give: str, take: str) -> None:
    """A seat gives a cube to the stock and takes one of another colour (TRA-2)."""
    move_cubes(play, seat, "stock", of_colour(give))
    move_cubes(play, "stock", seat, of_colour(take))


def gain_from_stock(play: Play, seat: Seat, colour: str, count: int) -> None:
    """A seat gains up to *count* cubes of *colour*, as the stock allows."""
    left = play.state.stock[COLOURS.index(colour)]
    move_cubes(play, "stock", seat, of_colour(colour, min(count, left)))


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


def take_tile(play: Play, seat: Seat, tile: TileType) -> None:
    """A seat takes a tile from its pile."""
    play.note(facts.TileMoved("pile", seat, tile))
    at, piles = TILES.index(tile), play.state.piles
    play.change(piles=with_item(piles, at, piles[at] - 1))
    add_tile(play, seat, tile)


def add_tile(play: Play, seat: Seat, tile: TileType) -> None:
    """A seat owns one tile more."""
    owned = play.family(seat).tiles
    play.change_family(seat, tiles=tuple(item for item in TILES if item in owned or item == tile))


def drop_spell(play: Play, seat: Seat, spell: str) -> None:
    """A seat holds a spell no more."""
    play.change_family(seat, spells=tuple(item for item in play.family(seat).spells if item != spell))


def to_bottom(play: Play, spell: str) -> None:
    """A card goes to the bottom of the deck."""
    play.note(facts.SpellToBottom(spell))
    play.change(deck=(*play.state.deck, spell))


def deal_market(play: Play) -> None:
    """Cards from the top of the deck fill the market; a short deck leaves spaces empty (SETUP-5, WIZ-3)."""
    spaces, deck = play.parts.spaces["wizard"], play.state.deck
    shown: tuple[str | None, ...] = deck[:spaces]
    market = (*shown, *(None,) * (spaces - len(shown)))
    play.note(facts.MarketRenewed(market))
    play.change(market=market, deck=deck[spaces:])


def change_number(play: Play, token: Token, eff: int) -> None:
    """*token* counts as *eff* from now on."""
    play.note(facts.NumberChanged(token.token, eff))
    play.change_token(token, modifier=eff - token.number)
