"""What a seat can do in a window, in response to a spell, and in its placement turn (spec §5.4 to §5.7)."""

from functools import lru_cache
from itertools import chain

from keylore_domain.engine.moves import Move
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import (
    AMULET,
    COPY,
    GUARD_ROOM,
    KEY,
    MIRROR,
    RAVEN,
    Location,
)
from keylore_domain.games.keydoms_dragons.effects import magic
from keylore_domain.games.keydoms_dragons.moves import (
    Amulet,
    Cast,
    CopyAmulet,
    Key,
    Mirror,
    Place,
    Raven,
)
from keylore_domain.games.keydoms_dragons.prompts import spells
from keylore_domain.games.keydoms_dragons.state import board
from keylore_domain.games.keydoms_dragons.state.decisions import Spell
from keylore_domain.games.keydoms_dragons.state.position import State, WindowKind


def actions(state: State, seat: Seat, window: WindowKind, location: Location | None) -> tuple[Move, ...]:
    """Everything but passing that *seat* may do in the window."""
    player = state.players[seat]
    if not player.spells and sum(player.artefacts) == 1:  # nothing but the wand
        return ()
    casts = tuple(map(Cast, spells.castable(state, seat, window, location)))
    if window != "resolve" or location is None:
        return casts
    return (*artefact_moves(state, seat, location), *casts)


def artefact_moves(state: State, seat: Seat, location: Location) -> tuple[Move, ...]:
    """The artefacts that *seat* may invoke while *location* is being resolved (AR2-AR4)."""
    moves: list[Move] = []
    if magic.can_invoke(state, seat, RAVEN) and spells.raven_may_come(state, seat, location):
        moves.append(Raven())
    if magic.can_invoke(state, seat, MIRROR):
        own = board.in_order(tuple(spells.reflectable(state, seat, location)))
        moves.extend(Mirror(token.id) for token in own)
    if (
        location == GUARD_ROOM
        and magic.can_invoke(state, seat, KEY)
        and spells.key_helps(state, seat, location)
    ):
        moves.append(Key())
    return tuple(moves)


def answers(state: State, seat: Seat, spell: Spell) -> tuple[Move, ...]:
    """How *seat* could stop *spell* (§5.7)."""
    moves: list[Move] = []
    if magic.can_invoke(state, seat, AMULET):
        moves.append(Amulet())
    if COPY in state.players[seat].spells and magic.can_cast(state, seat):
        moves.extend([CopyAmulet()] * magic.invoked_by_opponent(state, seat, AMULET))
    return tuple(moves)


@lru_cache(maxsize=4096)
def placements(hand: tuple[int, ...], free: tuple[Location, ...]) -> tuple[Place, ...]:
    """Each worker of *hand* on each of the *free* locations."""
    return tuple(chain.from_iterable(_placements_of(worker, free) for worker in hand))


@lru_cache(maxsize=4096)
def _placements_of(worker: int, free: tuple[Location, ...]) -> tuple[Place, ...]:
    return tuple(Place(worker, at) for at in free)
