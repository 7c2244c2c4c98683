"""What a viewer may know of a fact (spec §9, the table of events)."""

from typing import Any, Final

from msgspec.structs import replace

from keylore_domain.engine.facts import Fact, Redactions, redacted
from keylore_domain.engine.seats import Seat
from keylore_domain.games.keydoms_dragons import facts

OPEN_POINTS: Final = ("C1", "C8")  # their outcomes are seen at once


def redact(fact: Fact, viewer: Seat | None) -> Fact:
    """What *viewer* may know of *fact* (§9)."""
    return redacted(fact, viewer, REDACTIONS)


def _chance(fact: facts.ChanceDrawn, viewer: Seat | None) -> Fact:
    return fact if fact.point in OPEN_POINTS else replace(fact, outcome=None)


def _worker(fact: Any, viewer: Seat | None) -> Fact:
    hidden = fact.face == "down" and fact.party != viewer
    shown: Fact = replace(fact, number=None) if hidden else fact
    return shown


def _placed(fact: facts.WorkerPlaced, viewer: Seat | None) -> Fact:
    hidden = fact.face == "down" and fact.party != viewer
    return replace(fact, number=None, castle=None) if hidden else fact


def _ghost_card(fact: facts.GhostCardDrawn, viewer: Seat | None) -> Fact:
    return fact if fact.seen else replace(fact, card=None)


def _artefact(fact: facts.ArtefactMoved, viewer: Seat | None) -> Fact:
    return fact if fact.known or fact.target == viewer else replace(fact, type=None)


def _stack_seen(fact: facts.StackSeen, viewer: Seat | None) -> Fact:
    return fact if fact.party == viewer else replace(fact, tiles=None)


def _spell_gained(fact: facts.SpellGained, viewer: Seat | None) -> Fact:
    knows = viewer is not None and viewer in {fact.party, fact.giver}
    return fact if knows else replace(fact, spell=None)


def _spells_offered(fact: facts.SpellsOffered, viewer: Seat | None) -> Fact:
    return fact if fact.open or fact.party == viewer else replace(fact, spells=None)


REDACTIONS: Final[Redactions] = {
    facts.ChanceDrawn: _chance,
    facts.WorkerPlaced: _placed,
    facts.GhostCardDrawn: _ghost_card,
    facts.TokenMoved: _worker,
    facts.TokenRemoved: _worker,
    facts.ArtefactMoved: _artefact,
    facts.StackSeen: _stack_seen,
    facts.SpellGained: _spell_gained,
    facts.SpellsOffered: _spells_offered,
}
