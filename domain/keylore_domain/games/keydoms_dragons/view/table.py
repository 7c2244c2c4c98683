"""What one seat, or the public, sees (spec §9); built up from what is visible."""

import msgspec

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import (
    ARTEFACTS,
    CAVES,
    LOCATIONS,
    ROOM_STACKS,
    STACKS,
    TYPES,
    Artefact,
    Counter,
    Location,
    Stack,
    Type,
)
from keylore_domain.games.keydoms_dragons.effects import magic
from keylore_domain.games.keydoms_dragons.effects.treasury import treasures
from keylore_domain.games.keydoms_dragons.facts import Targets
from keylore_domain.games.keydoms_dragons.moves import PartyName, Treasures
from keylore_domain.games.keydoms_dragons.state import board, decisions
from keylore_domain.games.keydoms_dragons.state.position import (
    DragonsOptions,
    Ledge,
    State,
    Status,
    Token,
    Vector,
)


class TokenView(msgspec.Struct, frozen=True):
    """A token; its numbers and its present strength are null while hidden."""

    token: str
    owner: PartyName
    kind: str
    face: str
    number: int | None
    castle: int | None
    strength: int | None
    of: str


class LocationView(msgspec.Struct, frozen=True):
    """A location and what stands there, by owner and age."""

    id: Location
    status: Status
    taboo: bool
    substituted: bool
    tokens: tuple[TokenView, ...]


class PieceView(msgspec.Struct, frozen=True):
    """A treasure on a ledge."""

    type: Type
    large: bool


class CaveView(msgspec.Struct, frozen=True):
    """A cave's ledges, top first."""

    id: Location
    ledges: tuple[tuple[PieceView, ...], ...]


class StackView(msgspec.Struct, frozen=True):
    """A stack, top first; hidden tiles are null."""

    id: Stack
    room: Location
    face_up: bool
    tiles: tuple[Artefact | None, ...]


class Artefacts(msgspec.Struct, frozen=True):
    """Tiles by type."""

    amulet: int
    key: int
    mirror: int
    raven: int
    scroll: int
    wand: int


class SeatView(msgspec.Struct, frozen=True):
    """A seat; what the viewer may not know is null."""

    seat: int
    treasures: Treasures | None
    hand: tuple[int, ...] | None
    hand_count: int
    out_shown: tuple[int, ...]
    out_hidden: tuple[int, ...] | None
    out_count: int
    artefacts: Artefacts | None
    artefact_count: int
    invoked: Artefacts
    inv_used: int
    inv_max: int
    spells: tuple[int, ...] | None
    spell_count: int
    admitted: str
    key: bool
    muted: bool | None


class CounterView(msgspec.Struct, frozen=True):
    """A ghost's worker."""

    castle: int
    elsewhere: int


class CardView(msgspec.Struct, frozen=True):
    """A card of a ghost's deck."""

    kind: str
    number: int


class GhostView(msgspec.Struct, frozen=True):
    """A ghost; what nobody may know is null until the end."""

    party: PartyName
    counters: tuple[CounterView, ...] | None
    counter_count: int
    placed: int
    out_shown: tuple[CounterView, ...]
    out_hidden: tuple[CounterView, ...] | None
    out_count: int
    deck: tuple[CardView, ...] | None
    deck_count: int
    deck_back: str | None
    discards: tuple[int, ...]
    waiting: tuple[int, ...]
    stack: tuple[int, ...] | None
    stack_count: int
    artefacts: Artefacts
    face_up: Artefacts
    powers: tuple[Artefact, ...]
    charms: tuple[int, ...]
    begun: bool
    finished: bool


class CastView(msgspec.Struct, frozen=True):
    """A spell that is announced and not yet in effect."""

    caster: PartyName
    spell: int
    targets: Targets


class WaitingView(msgspec.Struct, frozen=True):
    """A ghost spell whose effect comes later in the round."""

    party: PartyName
    spell: int


class View(msgspec.Struct, frozen=True):
    """The whole table from one point of view."""

    options: DragonsOptions
    viewer: int | None
    round: int
    phase: str
    window: str | None
    location: Location | None
    start: PartyName
    turn_order: tuple[PartyName, ...]
    treasury: Treasures
    caves: tuple[CaveView, ...]
    locations: tuple[LocationView, ...]
    stacks: tuple[StackView, ...]
    seats: tuple[SeatView, ...]
    ghosts: tuple[GhostView, ...]
    guard: int | None
    guard_strength: int | None
    treasure_card: str
    treasure_used: tuple[str, ...]
    treasure_deck: tuple[str, ...] | None
    treasure_deck_count: int
    spell_deck: tuple[int, ...] | None
    spell_deck_count: int
    spell_discard: tuple[int, ...]
    spell_used: tuple[int, ...]
    display: tuple[int, ...]
    announced: tuple[CastView, ...]
    disclosure: tuple[int, ...]
    curses: tuple[int, ...]
    waiting: tuple[WaitingView, ...]
    cottage_locked: bool
    spells_locked: bool
    ended_by: str


def view_of(state: State, viewer: Seat | None) -> View:
    """What *viewer* sees; ``None`` is the public. After the end everything is open."""
    over = bool(state.ended_by)
    guard = state.guard_shown or over
    return View(
        options=state.options,
        viewer=viewer,
        round=state.round,
        phase=state.phase,
        window=_window(state),
        location=state.location,
        start=board.party_name(state, state.start),
        turn_order=tuple(board.party_name(state, party) for party in board.turn_order(state)),
        treasury=treasures(state.treasury),
        caves=tuple(CaveView(at, _ledges(state.caves[index])) for index, at in enumerate(CAVES)),
        locations=tuple(_location(state, at, viewer, over=over) for at in LOCATIONS),
        stacks=tuple(_stack(state, index, over=over) for index in range(len(STACKS))),
        seats=tuple(_seat(state, seat, viewer, over=over) for seat in range(state.seats)),
        ghosts=tuple(_ghost(state, party, over=over) for party in range(state.seats, state.parties)),
        guard=state.guard if guard else None,
        guard_strength=magic.guard_strength(state) if guard else None,
        treasure_card=state.treasure_used[-1],
        treasure_used=state.treasure_used,
        treasure_deck=state.treasure_deck if over else None,
        treasure_deck_count=len(state.treasure_deck),
        spell_deck=state.spell_deck if over else None,
        spell_deck_count=len(state.spell_deck),
        spell_discard=state.spell_discard,
        spell_used=state.spell_used,
        display=state.display,
        announced=_announced(state),
        disclosure=state.disclosure,
        curses=state.curses,
        waiting=tuple(WaitingView(board.party_name(state, each.party), each.spell) for each in state.waiting),
        cottage_locked=state.cottage_locked,
        spells_locked=magic.spells_locked(state),
        ended_by=state.ended_by,
    )


def _window(state: State) -> str | None:
    """The window that is open; the seats asked in it stay private (R68)."""
    found = [step.window for step in state.pending if isinstance(step, decisions.Window)]
    return found[-1] if found else None


def _announced(state: State) -> tuple[CastView, ...]:
    casts = [step.spell for step in state.pending if isinstance(step, decisions.TakeEffect)]
    return tuple(CastView(board.party_name(state, each.caster), each.number, each.targets) for each in casts)


def _ledges(ledges: tuple[Ledge, ...]) -> tuple[tuple[PieceView, ...], ...]:
    return tuple(tuple(PieceView(TYPES[piece.type], piece.large) for piece in ledge) for ledge in ledges)


def _location(state: State, location: Location, viewer: Seat | None, *, over: bool) -> LocationView:
    tokens = board.in_order(board.tokens_at(state, location))
    return LocationView(
        id=location,
        status=state.status[LOCATIONS.index(location)],
        taboo=location in state.taboo,
        substituted=location in state.substituted,
        tokens=tuple(
            _token(state, token, known=over or token.up or token.owner == viewer) for token in tokens
        ),
    )


def _token(state: State, token: Token, *, known: bool) -> TokenView:
    ghost = not board.is_seat(state, token.owner)
    return TokenView(
        token=token.id,
        owner=board.party_name(state, token.owner),
        kind=token.kind,
        face=board.face(token),
        number=token.number if known else None,
        castle=token.castle if known and ghost else None,
        strength=board.strength(state, token) if known else None,
        of=token.of,
    )


def _stack(state: State, index: int, *, over: bool) -> StackView:
    up = state.face_up[index]
    tiles = tuple(
        ARTEFACTS[tile] if over or (up and not at) else None for at, tile in enumerate(state.stacks[index])
    )
    room = next(room for room, stacks in ROOM_STACKS.items() if index in stacks)
    return StackView(STACKS[index], room, up, tiles)


def _artefacts(counts: Vector) -> Artefacts:
    return Artefacts(*counts)


def _seat(state: State, seat: int, viewer: Seat | None, *, over: bool) -> SeatView:
    player = state.players[seat]
    own = over or seat == viewer
    shown = own or state.options.open_holdings
    return SeatView(
        seat=seat,
        treasures=treasures(player.holdings) if shown else None,
        hand=player.hand if own else None,
        hand_count=len(player.hand),
        out_shown=player.out_shown,
        out_hidden=player.out_hidden if own else None,
        out_count=len(player.out_shown) + len(player.out_hidden),
        artefacts=_artefacts(player.artefacts) if shown else None,
        artefact_count=sum(player.artefacts),
        invoked=_artefacts(player.invoked),
        inv_used=sum(player.invoked),
        inv_max=player.inv_max,
        spells=player.spells if own else None,
        spell_count=len(player.spells),
        admitted=player.admitted,
        key=player.key,
        muted=player.muted if own else None,
    )


def _ghost(state: State, party: int, *, over: bool) -> GhostView:
    ghost = board.ghost_of(state, party)
    return GhostView(
        party=board.party_name(state, party),
        counters=_counters(ghost.counters) if over else None,
        counter_count=len(ghost.counters),
        placed=ghost.placed,
        out_shown=_counters(ghost.out_shown),
        out_hidden=_counters(ghost.out_hidden) if over else None,
        out_count=len(ghost.out_shown) + len(ghost.out_hidden),
        deck=tuple(CardView(card.kind, card.number) for card in ghost.deck) if over else None,
        deck_count=len(ghost.deck),
        deck_back=ghost.deck[0].kind if ghost.deck else None,
        discards=ghost.discards,
        waiting=ghost.waiting,
        stack=ghost.stack if over else None,
        stack_count=len(ghost.stack),
        artefacts=_artefacts(ghost.artefacts),
        face_up=_artefacts(ghost.face_up),
        powers=tuple(ARTEFACTS[power] for power in ghost.powers),
        charms=ghost.charms,
        begun=ghost.begun,
        finished=ghost.finished,
    )


def _counters(counters: tuple[Counter, ...]) -> tuple[CounterView, ...]:
    return tuple(CounterView(each.castle, each.elsewhere) for each in counters)
