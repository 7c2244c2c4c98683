"""Ledgers with sealed matches and tournament events, for the tests of the log and its monitor."""

from collections.abc import Sequence
from typing import Final

from keylore_domain.engine.aggregates import decode_event, genesis
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.matches import Secrets
from keylore_domain.swiss.events import Paused
from keylore_services.arbiter.keys import KeyRing
from keylore_services.ledger.ledger import Ledger
from keylore_services.proof.log import TransparencyLog, log_key
from tests.domain.engine.playing import SEED, LiveMatch

RING: Final = KeyRing(b"\5" * 32, bytes(32))
KEY: Final = log_key(RING.public_key, "league.example/log")
NOW: Final = 1_800_000_000_000_000


def sealed(number: int, *, first: int = 1, ring: KeyRing = RING) -> list[Row]:
    """A sealed match; *first* changes its first move."""
    live = LiveMatch(match_id=f"m/game-{number}", secrets=Secrets(SEED, ring), origin=None, rounds=1)
    live.play(first)
    return live.finish().rows


def store(ledger: Ledger, rows: Sequence[Row]) -> None:
    ledger.append([decode_event(topic, state) for _, topic, state in rows])


def store_pause(ledger: Ledger, cause: str = "tea") -> None:
    """The first event of a tournament of its own."""
    name = f"t/{cause}"
    ledger.append([Paused(originator_id=name, originator_version=1, at=NOW, prev=genesis(name), cause=cause)])


def grow(log: TransparencyLog, ledger: Ledger, numbers: range, *, first: int = 1) -> str:
    """Store a match for each number and sign a checkpoint."""
    for number in numbers:
        store(ledger, sealed(number, first=first))
    return log.checkpoint(RING, NOW)
