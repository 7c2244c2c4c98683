"""Artefacts in use: what seats invoke, and the powers that ghosts have of them (spec §6.2, §8.9, GS2)."""

from msgspec.structs import replace

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons import board, magic
from keylore_domain.games.keydoms_dragons.components import (
    AMULET,
    COPY,
    KEY,
    MIRROR,
    RAVEN,
    SCROLL,
    Location,
)
from keylore_domain.games.keydoms_dragons.effects import ghost_turns
from keylore_domain.games.keydoms_dragons.facts import GhostEffect
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.state import Party, State

POWERS = (AMULET, KEY, MIRROR, RAVEN, SCROLL)  # GA1 to GA5


def invoke(state: State, seat: Seat, artefact: int, play: Play) -> State:
    """*seat* invokes *artefact*; ghosts under Copy share its power (GS2)."""
    state = magic.invoke(state, seat, artefact, play)
    for party in range(state.seats, state.parties):
        if COPY in board.ghost_of(state, party).charms:
            state = share(state, party, artefact, play)
    return state


def share(state: State, party: Party, artefact: int, play: Play) -> State:
    """The ghost *party* gets the power of *artefact*, invoked by a seat (GS2)."""
    if artefact not in POWERS[:4] or artefact in board.ghost_of(state, party).powers:
        return state
    state = empower(state, party, artefact, play)
    return ghost_turns.play_eighth(state, party, play) if artefact == RAVEN else state


def empower(state: State, party: Party, artefact: int, play: Play) -> State:
    """GA1 to GA5 come into force for the ghost *party*; twice the same counts once (R26)."""
    ghost = board.ghost_of(state, party)
    if artefact in ghost.powers:
        return state
    play.note(GhostEffect(f"GA{POWERS.index(artefact) + 1}", board.party_name(state, party)))
    return board.with_ghost(state, party, replace(ghost, powers=(*ghost.powers, artefact)))


def use_key(state: State, seat: Seat) -> State:
    """*seat* will be admitted (AR2)."""
    return board.with_player(state, seat, replace(state.players[seat], key=True))


def use_raven(state: State, seat: Seat, location: Location, play: Play) -> State:
    """*seat* sends its raven to *location* (AR4)."""
    return board.add_raven(invoke(state, seat, RAVEN, play), seat, location, play)
