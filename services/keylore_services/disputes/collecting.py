"""Collecting evidence: what the record of a match and the receipts say of a claim.

Nothing here is anybody's word: whoever has the record (the ledger, or a game file) and the receipts gets the
same evidence, byte for byte.
"""

from collections.abc import Sequence
from typing import Final, assert_never

import msgspec

from keylore_domain.disputes.evidence import (
    AnyEvidence,
    Claim,
    ClockEvidence,
    DrawEvidence,
    Heard,
    MoveEvidence,
    RecordNote,
    Refusal,
    Sight,
    SightEvidence,
)
from keylore_domain.engine import clocks
from keylore_domain.engine.aggregates import Event, decode_event
from keylore_domain.engine.audit import audit
from keylore_domain.engine.chance import AuditedChance, RecordedChance, commitment
from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.engine.events import MoveDefaulted, MovePlayed, Opened, Sealed, SetUp
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.receipts import Receipt, record_difference, signature_flaw
from keylore_domain.engine.records import Catalog, MatchRecord
from keylore_domain.engine.reruns import share_of
from keylore_domain.errors import KeyloreError, ReplayMismatchError, RuleError
from keylore_services.arbiter.keys import is_signature
from keylore_services.replay.leakcheck import LeakReport, leakcheck

MOVES: Final = ("keylore:Match.MovePlayed", "keylore:Match.MoveDefaulted")

MOST_SIGHTS: Final = 100
"""Of what leaked, so much is kept as evidence."""


def collect(
    claim: Claim, rows: Sequence[Row], receipts: Sequence[Receipt], games: Catalog, key: str | None = None
) -> AnyEvidence:
    """The evidence for *claim*.

    Args:
        rows: the record of the match, from its first event.
        receipts: those that were handed in.
        key: the arbiter's public key; the one that the record names by default.
    """
    record = _record_note(claim.match, rows, games, key)
    heard = tuple(_heard(receipt, claim.match, rows, key) for receipt in receipts)
    match claim.kind:
        case "in_time":
            return _clock(claim, rows, games, record, heard)
        case "rigged_draw":
            return _draws(claim, rows, games, record, heard)
        case "shown_too_much":
            return _sights(claim, rows, games, record, heard)
        case "illegal_move":
            return _move(claim, rows, games, record, heard)
        case _:
            assert_never(claim.kind)


def _record_note(match: str, rows: Sequence[Row], games: Catalog, key: str | None) -> RecordNote:
    report = audit(match, rows, games, trusted_key=key, check_signature=is_signature)
    return RecordNote(
        events=len(rows),
        head=sha256_hex(rows[-1][2]),
        is_sealed=rows[-1][1] == "keylore:Match.Sealed",
        broken_at=report.first_bad,
        problem=report.reason if report.first_bad else "",
    )


def _heard(receipt: Receipt, match: str, rows: Sequence[Row], key: str | None) -> Heard:
    if receipt.match != match:
        return Heard(receipt=receipt, flaw=f"it is for {receipt.match}", difference="")
    opened = read_event(rows[0])
    signer = key or (opened.key if isinstance(opened, Opened) else None)
    flaw = signature_flaw(receipt, is_signature, signer)
    return Heard(receipt=receipt, flaw=flaw, difference="" if flaw else record_difference(receipt, rows))


def _clock(
    claim: Claim, rows: Sequence[Row], games: Catalog, record: RecordNote, heard: tuple[Heard, ...]
) -> ClockEvidence:
    before, event = _before(claim.match, rows, claim.event, games)[0], read_event(rows[claim.event - 1])
    if not isinstance(event, MovePlayed):
        read = clocks.Reading(ready=0, sent=0, received=0, budget=0, credited=0, spent=0, left=0)
        seat, cause = claim.seat or 0, "unreadable"
    else:
        read, seat = event.clock, int(event.seat)
        cause = event.cause if isinstance(event, MoveDefaulted) else "played"
    refused = event.refused if isinstance(event, MovePlayed) else ()
    time = before.opened.time if before.opened is not None else None
    bank = before.banks[seat] if 0 <= seat < len(before.banks) else 0
    return ClockEvidence(
        record=record,
        receipts=heard,
        seat=seat,
        cause=cause,
        sent=read.sent,
        received=read.received,
        budget=read.budget,
        credited=read.credited,
        due_budget=clocks.budget(time, bank) if time is not None else read.budget,
        most_credit=time.credit_ms * clocks.MILLISECOND if time is not None else read.credited,
        refused=tuple(Refusal(one.code, one.received) for one in refused),
    )


def _draws(
    claim: Claim, rows: Sequence[Row], games: Catalog, record: RecordNote, heard: tuple[Heard, ...]
) -> DrawEvidence:
    share, flaw = _share(rows)
    drawn = _Drawn(claim.match, games, share)
    wrong_at, problem = (1, flaw) if flaw else (0, "")
    if not flaw:
        try:
            for _, topic, state in rows:
                drawn.replay(topic, state)
        except ReplayMismatchError as error:
            if drawn.is_drawing and not isinstance(error.__cause__, RuleError):
                wrong_at, problem = drawn.version + 1, error.problem
        except KeyloreError:
            pass  # the record breaks here, which the audit has said
    return DrawEvidence(
        record=record,
        receipts=heard,
        is_seed_known=share is not None,
        draws=drawn.draws,
        wrong_at=wrong_at,
        problem=problem,
    )


class _Drawn(MatchRecord):
    """A match whose draws are compared with the seed while it is replayed."""

    def __init__(self, match: str, games: Catalog, share: bytes | None) -> None:
        super().__init__(match, games)
        self.draws = 0
        self.is_drawing = False
        self._share = share

    def recorded(self, event: SetUp | MovePlayed) -> RecordedChance:
        """The recorded draws, compared with the seed if it is known."""
        self.is_drawing = True
        self.draws += len(event.draws)
        drawn = self.position.drawn if self.position else None
        if self._share is None:
            return RecordedChance(event.draws, drawn)
        return AuditedChance(self.seed(self._share), event.draws, drawn)

    def replay(self, name: str, data: bytes) -> Event:
        """Apply a stored event."""
        self.is_drawing = False
        return super().replay(name, data)


def _share(rows: Sequence[Row]) -> tuple[bytes | None, str]:
    """The arbiter's share of the seed, if it is public or revealed, and why it is not the committed one."""
    opened, last = read_event(rows[0]), read_event(rows[-1])
    if not isinstance(opened, Opened):
        return None, ""
    share = opened.public_share
    if share is None and isinstance(last, Sealed):
        share = share_of(last)
    if share is not None and commitment(share) != opened.commitment:
        return share, "the share that was used is not the one to which the arbiter had committed itself"
    return share, ""


def _sights(
    claim: Claim, rows: Sequence[Row], games: Catalog, record: RecordNote, heard: tuple[Heard, ...]
) -> SightEvidence:
    report = _leaks(claim.match, rows, games)
    if report is None:
        return SightEvidence(record=record, receipts=heard, moments=0, looks=0, sights=())
    return SightEvidence(
        record=record,
        receipts=heard,
        moments=report.moments,
        looks=report.looks,
        sights=tuple(
            Sight(event=one.event, viewer=one.viewer, what=one.what) for one in report.leaks[:MOST_SIGHTS]
        ),
    )


def _leaks(match: str, rows: Sequence[Row], games: Catalog) -> LeakReport | None:
    """A leakcheck of the record as far as it can be run again; ``None`` if it cannot at all."""
    sound = len(rows)
    while sound:
        try:
            return leakcheck(match, rows[:sound], games)
        except ReplayMismatchError as error:
            sound = min(sound - 1, max(error.version - 1, 0))
        except KeyloreError:
            return None
    return None


def _move(
    claim: Claim, rows: Sequence[Row], games: Catalog, record: RecordNote, heard: tuple[Heard, ...]
) -> MoveEvidence:
    before, broken = _before(claim.match, rows, claim.event, games)
    event = read_event(rows[claim.event - 1])
    blank = MoveEvidence(
        record=record,
        receipts=heard,
        seat=claim.seat or 0,
        kind="",
        legal=0,
        choice=0,
        move="",
        due="",
        problem=broken or f"event {claim.event} cannot be read",
    )
    if not isinstance(event, MovePlayed) or broken:
        return blank
    made = msgspec.structs.replace(
        blank,
        seat=int(event.seat),
        kind=event.kind,
        choice=event.choice,
        move=bytes(event.move).decode(),
        problem="",
    )
    return _with_prompt(made, event, before)


def _with_prompt(made: MoveEvidence, event: MovePlayed, before: MatchRecord) -> MoveEvidence:
    """*made* with the prompt that *event* answers, as the match *before* it asks."""
    item = before.position.prompt_of(event.seat) if before.position is not None else None
    if item is None or (item.number, item.prompt.kind) != (event.prompt, event.kind):
        asked = f"prompt {item.number}, {item.prompt.kind!r}" if item else "nothing"
        return msgspec.structs.replace(made, problem=f"it is asked {asked}")
    legal = item.prompt.legal
    due = item.prompt.default if isinstance(event, MoveDefaulted) else event.choice
    shown = canonical_json(legal[due]).decode() if due in range(len(legal)) else ""
    return msgspec.structs.replace(made, legal=len(legal), due=shown)


def _before(match: str, rows: Sequence[Row], version: int, games: Catalog) -> tuple[MatchRecord, str]:
    """The match just before event *version*, and why its record breaks earlier, if it does."""
    found = MatchRecord(match, games)
    try:
        for _, topic, state in rows[: version - 1]:
            found.replay(topic, state)
    except KeyloreError as error:
        return found, f"the record breaks before it, at event {found.version + 1}: {error}"
    return found, ""


def read_event(row: Row) -> Event | None:
    """The event of a row; ``None`` if it cannot be read."""
    try:
        return decode_event(row[1], row[2])
    except ReplayMismatchError:
        return None
