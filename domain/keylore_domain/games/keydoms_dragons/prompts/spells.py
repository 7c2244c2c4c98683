"""Which spells a seat may cast in a window, and their targets (spec §5.6)."""

from collections.abc import Callable, Mapping
from typing import Final

from keylore_domain.engine.moves import Move
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import (
    ARTEFACTS,
    CASTLE,
    CAVES,
    CHOICE,
    COPY,
    DISCLOSURE,
    DONATION,
    DRAGON_LEAVES,
    DRAGON_RETURNS,
    EVICT,
    EXCHANGE,
    EXTORTION,
    GET_EVEN,
    GIFT,
    GUARD_ROOM,
    KEY,
    KEYTOWN,
    LEVY,
    LOCATIONS,
    MIRROR,
    MOONLIGHT,
    ODD_ONES_OUT,
    RAVEN,
    REARRANGE,
    SMUGGLER,
    STACKS,
    SUBSTITUTE,
    TABOO,
    TELEPORT,
    TOLL,
    TRADE,
    WAND,
    Location,
)
from keylore_domain.games.keydoms_dragons.effects import magic
from keylore_domain.games.keydoms_dragons.moves import (
    ChooseLocation,
    ChooseStack,
    ChooseToken,
    CopyOf,
    GiveTile,
)
from keylore_domain.games.keydoms_dragons.prompts.payments import purchases
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.decisions import Spell
from keylore_domain.games.keydoms_dragons.state.position import Region, State, Token, WindowKind

COMPENSATION: Final = 3  # S19
_BEFORE: Final[tuple[WindowKind, ...]] = ("round_start", "turn", "placement_end")
_BOARD: Final[tuple[WindowKind, ...]] = ("turn", "placement_end", "resolve")
_ROUND: Final[tuple[WindowKind, ...]] = (*_BEFORE, "resolve")
_ALWAYS: Final[tuple[WindowKind, ...]] = (*_ROUND, "round_end")
_BUYING: Final[tuple[WindowKind, ...]] = (*_ALWAYS, "buy")

WINDOWS: Final[Mapping[int, tuple[WindowKind, ...]]] = {
    CHOICE: ("buy",),
    COPY: ("resolve",),
    DISCLOSURE: ("round_start", "turn"),
    DONATION: _ALWAYS,
    DRAGON_LEAVES: _BEFORE,
    DRAGON_RETURNS: _ROUND,
    EVICT: _BOARD,
    EXCHANGE: _ALWAYS,
    EXTORTION: _BOARD,
    GET_EVEN: _BOARD,
    GIFT: _BUYING,
    LEVY: _BOARD,
    MOONLIGHT: _BOARD,
    ODD_ONES_OUT: _BOARD,
    REARRANGE: _ALWAYS,
    SMUGGLER: ("after_caves",),
    SUBSTITUTE: _ROUND,
    TABOO: _ROUND,
    TELEPORT: _BOARD,
    TOLL: _ALWAYS,
    TRADE: _BUYING,
}
REDUCED: Final = (COPY, MOONLIGHT, TELEPORT)  # at an empty location (§5.4)


def is_reduced(state: State, window: WindowKind, location: Location | None) -> bool:
    """Whether the window is that of a location without tokens, other than the guard room (§5.4)."""
    return (
        window == "resolve"
        and location is not None
        and location != GUARD_ROOM
        and board.is_empty(state, location)
    )


def castable(
    state: State,
    seat: Seat,
    window: WindowKind,
    location: Location | None = None,
    stacks: tuple[int, ...] = (),
) -> tuple[int, ...]:
    """The spells that *seat* may cast now, by number; *stacks* are on offer in a ``buy`` window."""
    hand = state.players[seat].spells
    if not hand or not magic.can_cast(state, seat):
        return ()
    fits = [number for number in hand if window in WINDOWS[number]]
    if fits and is_reduced(state, window, location):
        fits = [number for number in fits if number in REDUCED]
    return tuple(
        number for number in fits if _is_offered(state, seat, Spell(seat, number, window, location), stacks)
    )


def _is_offered(state: State, seat: Seat, spell: Spell, stacks: tuple[int, ...]) -> bool:
    if spell.number == CHOICE:
        return _choice_helps(state, seat, spell, stacks)
    if spell.number in TARGETS:
        return bool(targets(state, seat, spell))
    condition = CONDITIONS.get(spell.number)
    return condition is None or condition(state, seat)


def targets(state: State, seat: Seat, spell: Spell) -> tuple[Move, ...]:
    """The legal values of the next target of *spell*; empty when it needs no more."""
    return TARGETS[spell.number](state, seat, spell) if spell.number in TARGETS else ()


def _choice_helps(state: State, seat: Seat, spell: Spell, stacks: tuple[int, ...]) -> bool:
    room = spell.location
    assert room is not None
    return any(len(state.stacks[stack]) > 1 for stack in stacks) and bool(purchases(state, seat, room))


# -- conditions of the spells without targets --------------------------------------------------------------


def _disclosure_counts(state: State, seat: Seat) -> bool:
    seats = any(player.hand for at, player in enumerate(state.players) if at != seat)
    return seats or any(not ghost.finished for ghost in state.ghosts)


def _somebody_can_pay(state: State, region: Region) -> bool:
    return any(player.units for player in state.players) or bool(removable(state, region))


def _dragon_at_home(state: State) -> bool:
    return any(status == "inactive" for status in state.status[: len(CAVES)])


def _others_stand_in(state: State, seat: Seat, locations: tuple[Location, ...]) -> bool:
    return any(
        t.owner != seat and t.location in locations and board.is_open(state, t.location) for t in state.tokens
    )


def _market_has_other_types(state: State, seat: Seat) -> bool:
    total = sum(state.treasury)
    held = state.players[seat].holdings
    return any(units and total - supply for units, supply in zip(held, state.treasury, strict=True))


def _unoccupied(state: State) -> bool:
    return any(board.is_open(state, at) and board.is_empty(state, at) for at in KEYTOWN)


CONDITIONS: Final[Mapping[int, Callable[[State, Seat], bool]]] = {
    DISCLOSURE: _disclosure_counts,
    DONATION: lambda state, _: _somebody_can_pay(state, "caves"),
    DRAGON_LEAVES: lambda state, _: _dragon_at_home(state),
    EXTORTION: lambda state, seat: _others_stand_in(state, seat, CASTLE),
    LEVY: lambda state, seat: _others_stand_in(state, seat, KEYTOWN),
    SMUGGLER: lambda state, _: _unoccupied(state),
    TOLL: lambda state, _: _somebody_can_pay(state, "board"),
    TRADE: _market_has_other_types,
}

_REGIONS: Final[Mapping[Region, tuple[Location, ...]]] = {
    "caves": CAVES,
    "keytown": KEYTOWN,
    "board": LOCATIONS,
}


def removable(state: State, region: Region, ghost: int | None = None) -> tuple[Token, ...]:
    """The ghosts' tokens in open locations of *region*, of one *ghost* or of all (§8.11)."""
    if not state.ghosts:
        return ()
    return tuple(
        token
        for token in state.tokens
        if not board.is_seat(state, token.owner)
        and token.location in _REGIONS[region]
        and board.is_open(state, token.location)
        and ghost in {None, token.owner}
    )


# -- targets -----------------------------------------------------------------------------------------------


def copies(state: State, seat: Seat, spell: Spell) -> tuple[Move, ...]:
    """What Copy may do now: an artefact an opponent has invoked, where it could be used (S2)."""
    location = spell.location
    assert location is not None
    usable: list[Move] = []
    if magic.invoked_by_opponent(state, seat, KEY) and key_helps(state, seat, location):
        usable.append(CopyOf("key"))
    if magic.invoked_by_opponent(state, seat, MIRROR):
        usable.extend(CopyOf("mirror", token.id) for token in reflectable(state, seat, location))
    if magic.invoked_by_opponent(state, seat, RAVEN) and raven_may_come(state, seat, location):
        usable.append(CopyOf("raven"))
    return tuple(usable)


def key_helps(state: State, seat: Seat, location: Location) -> bool:
    """Whether *seat* would need a key at *location* (AR2)."""
    if location != GUARD_ROOM or state.players[seat].key:
        return False
    return board.strength_at(state, seat, GUARD_ROOM) < magic.guard_strength(state)


def raven_may_come(state: State, seat: Seat, location: Location) -> bool:
    """Whether *seat* may send a raven to *location*, which is being resolved (AR4)."""
    return location not in state.taboo and (location not in CASTLE or board.castle_allows(state, seat))


def reflectable(state: State, seat: Seat, location: Location) -> list[Token]:
    """The tokens of *seat* at *location* that a mirror may copy (AR3)."""
    return [
        token
        for token in state.tokens
        if token.owner == seat and token.location == location and token.kind != "mirror"
    ]


def _caves_with_treasure(state: State, seat: Seat, spell: Spell) -> tuple[Move, ...]:
    return tuple(ChooseLocation(cave) for cave in CAVES if board.is_open(state, cave))


def _evictable(state: State, seat: Seat, spell: Spell) -> tuple[Move, ...]:
    return tuple(
        ChooseToken(token.id)
        for token in board.in_order(state.tokens)
        if token.owner != seat and token.location != GUARD_ROOM and board.is_open(state, token.location)
    )


def _exchanges(state: State, seat: Seat, spell: Spell) -> tuple[Move, ...]:
    player = state.players[seat]
    return tuple(
        GiveTile(name, stack)
        for tile, name in enumerate(ARTEFACTS)
        if tile != WAND and magic.unused(player, tile)
        for at, stack in enumerate(STACKS)
        if state.stacks[at] and state.face_up[at] and state.stacks[at][0] != tile
    )


def _with_parity(state: State, odd: int) -> tuple[Move, ...]:
    struck = {
        token.location for token in state.tokens if token.up and board.used_number(state, token) % 2 == odd
    }
    return tuple(ChooseLocation(at) for at in board.open_locations(state) if at in struck)


def _stacks_to_search(state: State, seat: Seat, spell: Spell) -> tuple[Move, ...]:
    return tuple(ChooseStack(stack) for at, stack in enumerate(STACKS) if len(state.stacks[at]) > 1)


def _free_locations(state: State, seat: Seat, spell: Spell) -> tuple[Move, ...]:
    return tuple(ChooseLocation(at) for at in board.free_locations(state))


def _moves_own(state: State, seat: Seat, spell: Spell) -> tuple[Move, ...]:
    own = tuple(t for t in state.tokens if t.owner == seat and t.kind == "worker")
    return _travels(state, spell, own)


def _moves_other(state: State, seat: Seat, spell: Spell) -> tuple[Move, ...]:
    if state.players[seat].units < COMPENSATION:
        return ()
    theirs = tuple(
        t for t in state.tokens if t.owner != seat and t.kind == "worker" and board.is_open(state, t.location)
    )
    return _travels(state, spell, theirs)


def _travels(state: State, spell: Spell, tokens: tuple[Token, ...]) -> tuple[Move, ...]:
    """First the tokens that can go somewhere, then where the chosen one may go."""
    only = spell.location if is_reduced(state, spell.window, spell.location) else None
    if spell.targets.token:
        token = board.token_of(state, spell.targets.token)
        return tuple(ChooseLocation(at) for at in board.destinations(state, token) if only in {None, at})
    return tuple(
        ChooseToken(token.id)
        for token in board.in_order(tokens)
        if (board.may_go(state, token, only) if only else board.is_movable(state, token))
    )


TARGETS: Final[Mapping[int, Callable[[State, Seat, Spell], tuple[Move, ...]]]] = {
    COPY: copies,
    DRAGON_RETURNS: _caves_with_treasure,
    EVICT: _evictable,
    EXCHANGE: _exchanges,
    GET_EVEN: lambda state, seat, spell: _with_parity(state, 0),
    MOONLIGHT: _moves_own,
    ODD_ONES_OUT: lambda state, seat, spell: _with_parity(state, 1),
    REARRANGE: _stacks_to_search,
    TABOO: _free_locations,
    TELEPORT: _moves_other,
}
TWO_TARGETS: Final = (MOONLIGHT, TELEPORT)
