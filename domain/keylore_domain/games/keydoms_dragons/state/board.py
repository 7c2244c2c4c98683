"""The board: parties and their order, tokens and their strength, where a token may go (spec §3, §5.6)."""

from functools import lru_cache
from typing import Final, Literal

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import (
    CASTLE,
    DISCLOSURE,
    GET_EVEN,
    GHOSTS,
    GUARD_ROOM,
    LOCATIONS,
    MIRROR,
    ODD_ONES_OUT,
    RAVEN_STRENGTH,
    ROOM_STACKS,
    SCROLL,
    SUBSTITUTE,
    TRADE,
    Location,
)
from keylore_domain.games.keydoms_dragons.moves import PartyName
from keylore_domain.games.keydoms_dragons.state.position import Ghost, Party, State, Status, Token

SWAPPED: Final = {1: 9, 9: 1}  # S17

# -- parties -----------------------------------------------------------------------------------------------


def party_name(state: State, party: Party) -> PartyName:
    """The name of *party* that travels: a seat number, ``light`` or ``dark``."""
    return party if party < state.seats else GHOSTS[party - state.seats]


def party_of(state: State, name: PartyName) -> Party:
    """The party with *name*."""
    return name if isinstance(name, int) else state.seats + GHOSTS.index(name)


def is_seat(state: State, party: Party) -> bool:
    """Whether *party* is a seat, not a ghost."""
    return party < state.seats


def ghost_of(state: State, party: Party) -> Ghost:
    """The ghost that *party* is."""
    return state.ghosts[party - state.seats]


def turn_order(state: State) -> tuple[Party, ...]:
    """All parties, the start party first (§3)."""
    return tuple((state.start + step) % state.parties for step in range(state.parties))


def player_order(state: State) -> tuple[Seat, ...]:
    """All seats in turn order (§3)."""
    return tuple(Seat(party) for party in turn_order(state) if party < state.seats)


def others(state: State, party: Party) -> tuple[Seat, ...]:
    """All seats but *party*, in player order."""
    return tuple(seat for seat in player_order(state) if seat != party)


# -- locations ---------------------------------------------------------------------------------------------


def is_open(state: State, location: Location) -> bool:
    """Whether *location* is active and not yet resolved ("open location", §3)."""
    return state.status[LOCATIONS.index(location)] in {"open", "resolving"}


def open_locations(state: State) -> tuple[Location, ...]:
    """All open locations, in letter order."""
    return _open_locations(state.status)


@lru_cache(maxsize=1024)
def _open_locations(statuses: tuple[Status, ...]) -> tuple[Location, ...]:
    return tuple(
        at for at, status in zip(LOCATIONS, statuses, strict=True) if status in {"open", "resolving"}
    )


def free_locations(state: State) -> tuple[Location, ...]:
    """All open locations that are not taboo."""
    free = _open_locations(state.status)
    return tuple(at for at in free if at not in state.taboo) if state.taboo else free


def is_shut(state: State, location: Location) -> bool:
    """Whether *location* was shut while it was being resolved (S6)."""
    return state.status[LOCATIONS.index(location)] == "closed"


def stacks_of(state: State, room: Location) -> tuple[int, ...]:
    """The stacks of *room* that hold tiles."""
    return tuple(stack for stack in ROOM_STACKS[room] if state.stacks[stack])


def displayed(state: State, room: Location) -> tuple[int, ...]:
    """The types that lie face up in *room*."""
    return tuple(state.stacks[stack][0] for stack in stacks_of(state, room) if state.face_up[stack])


def may_go(state: State, token: Token, location: Location) -> bool:
    """Whether *token* may be moved to *location* (destination rule, §5.6)."""
    return location in free_locations(state) and _admits(state, token, location)


def _admits(state: State, token: Token, location: Location) -> bool:
    """Whether *token* may be moved to the open *location*."""
    if location == token.location:
        return False
    if token.owner >= state.seats:
        return location != GUARD_ROOM
    return location not in CASTLE or castle_allows(state, token.owner)


def castle_allows(state: State, seat: Party) -> bool:
    """Whether *seat* may have tokens in the castle: before J is resolved, or admitted."""
    resolved = state.status[LOCATIONS.index(GUARD_ROOM)] == "closed"
    return not resolved or state.players[seat].admitted == "yes"


def destinations(state: State, token: Token) -> tuple[Location, ...]:
    """Where *token* may be moved, in letter order."""
    return tuple(at for at in free_locations(state) if _admits(state, token, at))


def is_movable(state: State, token: Token) -> bool:
    """Whether there is a location that *token* may be moved to."""
    return any(_admits(state, token, at) for at in free_locations(state))


# -- tokens ------------------------------------------------------------------------------------------------


def tokens_at(state: State, location: Location) -> tuple[Token, ...]:
    """The tokens at *location*, in order of arrival."""
    return tuple(token for token in state.tokens if token.location == location)


def tokens_in(state: State, locations: tuple[Location, ...]) -> tuple[Token, ...]:
    """The tokens at any of *locations*."""
    return tuple(token for token in state.tokens if token.location in locations)


def is_empty(state: State, location: Location) -> bool:
    """Whether nothing stands at *location*."""
    return all(token.location != location for token in state.tokens)


def token_of(state: State, name: str) -> Token:
    """The token with the id *name*."""
    return next(token for token in state.tokens if token.id == name)


def in_order(tokens: tuple[Token, ...]) -> list[Token]:
    """*tokens* by owner, then by age: the order of the spec, section 5.1."""
    return sorted(tokens, key=lambda token: (token.owner, token.serial))


def original(state: State, token: Token) -> Token:
    """*token* itself, or what it is a mirror copy of."""
    return token_of(state, token.of) if token.of else token


def face(token: Token) -> Literal["up", "down"]:
    """The face of *token*, in words."""
    return "up" if token.up else "down"


def is_disclosed(state: State, party: Party) -> bool:
    """Whether *party* must place face up (S3)."""
    return any(caster != party for caster in state.disclosure)


# -- strength ----------------------------------------------------------------------------------------------


def strength(state: State, token: Token) -> int:
    """The strength of *token* where it stands (§3, §8.3)."""
    token = original(state, token)
    if token.kind == "raven":
        return RAVEN_STRENGTH
    if not is_seat(state, token.owner):
        return _ghost_strength(state, token)
    number = token.number
    if token.location in state.substituted:
        number = SWAPPED.get(number, number)
    return _cursed(state, token.number, number) if state.curses else number


def _cursed(state: State, printed: int, number: int) -> int:
    """*number* under GS17, GS10 and GS14 (R51)."""
    if SUBSTITUTE in state.curses and number == max(SWAPPED):
        number = 1
    halving = ODD_ONES_OUT if printed % 2 else GET_EVEN
    return number // 2 if halving in state.curses else number


def _ghost_strength(state: State, token: Token) -> int:
    ghost = ghost_of(state, token.owner)
    mirrored = MIRROR in ghost.powers
    if token.location in CASTLE:
        return token.castle + mirrored + (TRADE in ghost.charms)
    return used_number(state, token) + 2 * mirrored + 2 * (DISCLOSURE in ghost.charms)


def used_number(state: State, token: Token) -> int:
    """The number of *token* that counts where it stands, before any change (§8.3, S10, S14)."""
    token = original(state, token)
    if is_seat(state, token.owner):
        return token.number
    in_castle = token.location in CASTLE or token.location in state.substituted
    return token.castle if in_castle else token.number


def strength_at(state: State, party: Party, location: Location) -> int:
    """The total strength of *party* at *location*."""
    return sum(strength(state, token) for token in tokens_at(state, location) if token.owner == party)


def is_present(state: State, party: Party, location: Location) -> bool:
    """Whether *party* has a token at *location*, of whatever strength."""
    return any(token.owner == party and token.location == location for token in state.tokens)


def ranking(state: State, location: Location) -> tuple[tuple[Party, int], ...]:
    """The parties present at *location* with their strengths, strongest first (§3)."""
    totals: dict[Party, int] = {}
    for token in tokens_at(state, location):
        totals[token.owner] = totals.get(token.owner, 0) + strength(state, token)
    order = [party for party in _tie_order(state) if party in totals]
    return tuple(sorted(((party, totals[party]) for party in order), key=lambda item: -item[1]))


def _tie_order(state: State) -> tuple[Party, ...]:
    """Turn order, ghosts with a scroll in force before everybody else (GA5)."""
    order = turn_order(state)
    if not state.ghosts:
        return order
    favoured = tuple(p for p in order if not is_seat(state, p) and SCROLL in ghost_of(state, p).powers)
    return favoured + tuple(party for party in order if party not in favoured)
