"""What each seat is told: messages made from a match and its events, cut to what the seat may know."""

from collections.abc import Sequence

import msgspec
from eventsourcing.persistence import StoredEvent

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.clocks import MILLISECOND, Reading
from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.engine.events import MoveDefaulted, MovePlayed, Sealed, SharesRevealed
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.matches import Match
from keylore_domain.engine.positions import OpenPrompt
from keylore_domain.engine.receipts import Receipt as Signed
from keylore_domain.engine.seats import Seat
from keylore_services.arbiter.hub import Session
from keylore_services.arbiter.messages import (
    ClockNote,
    Ended,
    News,
    Prompted,
    Receipt,
    Ruling,
    Seated,
    Shares,
)
from keylore_services.arbiter.notary import Notary

_CAUSES = {
    "timeout": "no answer came in time ({spent} of {budget} ms used, {credited} ms credited)",
    "disconnect": "the bot was not connected when its time of {budget} ms ran out",
    "illegal": "too many illegal answers to one prompt",
    "forfeit": "the seat has forfeited; its default moves are played",
}


def seated(match: Match, seat: Seat) -> Seated:
    """The table, for the bot on *seat*."""
    entry = match.entry
    return Seated(
        match=match.id,
        seat=seat,
        game=entry.game,
        rules=entry.rules,
        options=bytes(entry.options),
        data=entry.data,
        bots=tuple(item.name for item in entry.seats),
        time=entry.time,
        commitment=entry.commitment,
        event=match.version,
        seed_name=entry.seed_name,
        shares=entry.shares,
        beacon=entry.beacon,
        chance=entry.chance,
    )


def shares(match: Match, revealed: SharesRevealed) -> Shares:
    """What the seed was made of, as far as the seats gave it."""
    return Shares(
        match=match.id,
        event=revealed.originator_version,
        commitments=match.commitments,
        shares=revealed.shares,
    )


def prompt_view(match: Match, item: OpenPrompt) -> bytes:
    """What the asked seat saw when *item* was opened, as canonical JSON."""
    state = match.asked_at(item.number).state
    return canonical_json(match.rules.view(state, item.prompt.seat))


def prompted(match: Match, item: OpenPrompt, view: bytes, budget: int) -> Prompted:
    """An open prompt, for the seat that is asked."""
    prompt = item.prompt
    return Prompted(
        match=match.id,
        prompt=item.number,
        seat=prompt.seat,
        kind=prompt.kind,
        view=view,
        legal=canonical_json(prompt.legal),
        context=canonical_json(prompt.context),
        default=prompt.default,
        budget=budget,
        bank=match.banks[prompt.seat] if match.entry.time.bank_ms else 0,
        event=match.version,
    )


def clock_note(reading: Reading, round_trip: int) -> ClockNote:
    """A stored reading as a bot is told."""
    return ClockNote(
        spent=reading.spent,
        credited=reading.credited,
        left=reading.left,
        budget=reading.budget,
        round_trip=round_trip,
    )


def waiting_seats(match: Match, viewer: Seat | None) -> tuple[Seat, ...]:
    """The seats that are asked now, as far as *viewer* may know."""
    if match.is_over or match.position is None:
        return ()
    return tuple(
        item.prompt.seat
        for item in match.position.open
        if not item.prompt.hidden or item.prompt.seat == viewer
    )


def news(match: Match, viewer: Seat | None, event: int, ply: int, facts: tuple[Fact, ...]) -> News:
    """What happened at *event*, for *viewer*."""
    redacted = [match.rules.redact(fact, viewer) for fact in facts]
    return News(
        match=match.id,
        event=event,
        ply=ply,
        facts=canonical_json([fact for fact in redacted if fact is not None]),
        waiting=waiting_seats(match, viewer),
    )


def ended(match: Match) -> Ended:
    """The end of a match; the seed of a shared deal stays in the record, since others may still play it."""
    is_shared = match.entry.seed_label is not None
    return Ended(
        match=match.id,
        event=match.version,
        status=match.status,
        outcome=canonical_json(match.outcome) if match.outcome is not None else b"",
        cause=match.abort_cause if match.status == "aborted" else "rules",
        seed=match.sealed.seed if match.sealed and not is_shared else "",
        share=match.sealed.share if match.sealed and not is_shared else "",
    )


def outcome_of_move(match: Match, event: MovePlayed, signed: Signed, round_trip: int) -> Receipt | Ruling:
    """What the mover is told of its stored move: a receipt, or the ruling that defaulted it."""
    note = clock_note(event.clock, round_trip)
    if not isinstance(event, MoveDefaulted):
        return Receipt(signed=signed, clock=note)
    return Ruling(
        signed=signed,
        move=bytes(event.move),
        message=cause_text(event),
        faults=match.faults[event.seat],
        faults_allowed=match.entry.time.faults,
        clock=note,
    )


def cause_text(event: MoveDefaulted) -> str:
    """Why the arbiter played a default move, in words."""
    clock = event.clock
    return _CAUSES[event.cause].format(
        spent=(clock.received - clock.sent) // MILLISECOND,
        budget=clock.budget // MILLISECOND,
        credited=clock.credited // MILLISECOND,
    )


def tell_missed(
    session: Session, match: Match, bot: str, stored: Sequence[StoredEvent], notary: Notary
) -> None:
    """Tell *bot* its seats, and the *stored* events since it was last told, in order."""
    seats = [Seat(seat) for seat, entry in enumerate(match.entry.seats) if entry.bot == bot]
    for seat in seats:
        session.send(seated(match, seat))
    for row in stored:
        event = decode_event(row.topic, row.state)
        if isinstance(event, MovePlayed):
            if event.seat in seats:
                signed = notary.receipt(event, sha256_hex(row.state))
                session.send(outcome_of_move(match, event, signed, session.round_trip))
            for seat in seats if session.news else ():
                _tell_news(session, match, seat, event)
        elif isinstance(event, SharesRevealed):
            session.send(shares(match, event))
        elif isinstance(event, Sealed):
            session.send(ended(match))


def _tell_news(session: Session, match: Match, seat: Seat, event: MovePlayed) -> None:
    """Tell *seat* of a move that it missed, if anything shows of it."""
    told = news(match, seat, event.originator_version, event.ply, facts_of(match, event))
    if event.seat == seat or told.facts != b"[]":
        session.send(told)


def facts_of(match: Match, event: MovePlayed) -> tuple[Fact, ...]:
    """The facts stored in *event*."""
    return tuple(msgspec.json.decode(event.facts, type=match.rules.fact_list))
