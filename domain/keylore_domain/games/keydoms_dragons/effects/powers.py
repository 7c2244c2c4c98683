"""Artefacts in use: what seats invoke, and the powers that ghosts have of them (spec §6.2, §8.9, GS2)."""

from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons.components import (
    AMULET,
    COPY,
    KEY,
    MIRROR,
    RAVEN,
    SCROLL,
    Location,
)
from keylore_domain.games.keydoms_dragons.effects import ghost_turns, magic
from keylore_domain.games.keydoms_dragons.facts import GhostEffect
from keylore_domain.games.keydoms_dragons.play import Play, add_raven
from keylore_domain.games.keydoms_dragons.state.position import Party

POWERS = (AMULET, KEY, MIRROR, RAVEN, SCROLL)  # GA1 to GA5


def invoke(play: Play, seat: Seat, artefact: int) -> None:
    """*seat* invokes *artefact*; ghosts under Copy share its power (GS2)."""
    magic.invoke(play, seat, artefact)
    for party in range(play.state.seats, play.state.parties):
        if COPY in play.ghost(party).charms:
            share(play, party, artefact)


def share(play: Play, party: Party, artefact: int) -> None:
    """The ghost *party* gets the power of *artefact*, invoked by a seat (GS2)."""
    if artefact not in POWERS[:4] or artefact in play.ghost(party).powers:
        return
    empower(play, party, artefact)
    if artefact == RAVEN:
        ghost_turns.play_eighth(play, party)


def empower(play: Play, party: Party, artefact: int) -> None:
    """GA1 to GA5 come into force for the ghost *party*; twice the same counts once (R26)."""
    powers = play.ghost(party).powers
    if artefact not in powers:
        play.note(GhostEffect(f"GA{POWERS.index(artefact) + 1}", play.name(party)))
        play.change_ghost(party, powers=(*powers, artefact))


def use_key(play: Play, seat: Seat) -> None:
    """*seat* will be admitted (AR2)."""
    play.change_player(seat, key=True)


def use_raven(play: Play, seat: Seat, location: Location) -> None:
    """*seat* sends its raven to *location* (AR4)."""
    invoke(play, seat, RAVEN)
    add_raven(play, seat, location)
