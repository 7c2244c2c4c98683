"""From the arbiter's messages to what a bot is told, and from a bot's choice to its answer."""

from collections.abc import Iterable
from operator import index
from typing import Any, Final

import msgspec

from keylore.v1 import arbiter_pb2
from keylore_domain.engine import receipts
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.errors import HistoryError
from keylore_services.bots.kit import Clock, End, News, Prompt, Receipt, Refusal, Ruling, Table

_MILLISECONDS: Final = 1_000
_MICROSECONDS: Final = 1_000_000
_CHOICES: Final = 2**32
_MOVE_BYTES: Final = 16_384

_decode = msgspec.json.decode


def table_of(message: arbiter_pb2.Seated) -> Table:
    """A table."""
    times = message.time
    return Table(
        match=message.match,
        seat=message.seat,
        game=message.game,
        rules=message.rules,
        options=_plain(message.options_json) or {},
        bots=tuple(message.bots),
        data=message.data,
        time=TimeControl(
            move_ms=times.move_ms,
            bank_ms=times.bank_ms,
            increment_ms=times.increment_ms,
            credit_ms=times.credit_ms,
            attempts=times.attempts,
            faults=times.faults,
        ),
        commitment=message.seed_commitment,
    )


def prompt_of(message: arbiter_pb2.Prompt, table: Table) -> Prompt:
    """A prompt at *table*."""
    return Prompt(
        match=message.match,
        number=message.prompt,
        seat=message.seat,
        kind=message.kind,
        view=_plain(message.view_json),
        legal=_decode(message.legal_json),
        default=message.default_choice,
        context=_plain(message.context_json),
        budget=message.budget_ms / _MILLISECONDS,
        bank=message.bank_ms / _MILLISECONDS,
        table=table,
    )


def receipt_of(message: arbiter_pb2.Receipt) -> Receipt:
    """A receipt."""
    return Receipt(
        match=message.match,
        prompt=message.prompt,
        event=message.event,
        choice=message.choice,
        head=message.head,
        clock=_clock(message.clock),
    )


def signed_of(message: arbiter_pb2.Receipt | arbiter_pb2.Ruling) -> receipts.Receipt:
    """What the arbiter signed of a receipt or ruling.

    Raises:
        HistoryError: it names a cause that there is not.
    """
    signed = message.signed
    named = message.cause if isinstance(message, arbiter_pb2.Ruling) else "played"
    try:
        cause = msgspec.convert(named, receipts.Cause)
    except msgspec.ValidationError as error:
        msg = f"the ruling for event {message.event} of {message.match} is worth nothing: {error}"
        raise HistoryError(msg) from None
    return receipts.Receipt(
        match=message.match,
        seat=signed.seat,
        prompt=message.prompt,
        asked=signed.asked,
        view=signed.view,
        cause=cause,
        choice=message.choice,
        move=signed.move,
        received=signed.received_us,
        left=signed.left_us,
        event=message.event,
        head=message.head,
        key=signed.key,
        signature=signed.signature,
    )


def digests_of(message: arbiter_pb2.Prompt) -> tuple[str, str]:
    """The digests of a prompt and of the view in it, as a receipt has them."""
    kind, default = message.kind, message.default_choice
    asked = receipts.asked_digest(message.prompt, kind, default, message.legal_json, message.context_json)
    return asked, sha256_hex(message.view_json)


def key_events_of(events: Iterable[arbiter_pb2.KeyEvent]) -> tuple[receipts.KeyEvent, ...]:
    """The history of an arbiter's keys."""
    return tuple(receipts.KeyEvent(event.topic, event.state) for event in events)


def held_of(receipt: receipts.Receipt) -> arbiter_pb2.Held:
    """A receipt that the bot holds, as it asks about it."""
    return arbiter_pb2.Held(match=receipt.match, event=receipt.event, head=receipt.head)


def standing_of(message: arbiter_pb2.Standing) -> receipts.Standing:
    """Whether the arbiter stands by a receipt."""
    return receipts.Standing(
        match=message.match,
        event=message.event,
        head=message.head,
        kept=message.kept,
        key=message.key,
        signature=message.signature,
    )


def refusal_of(message: arbiter_pb2.Refusal) -> Refusal:
    """A refusal."""
    return Refusal(
        match=message.match,
        prompt=message.prompt,
        code=message.code,
        message=message.message,
        attempts_left=message.attempts_left,
        clock=_clock(message.clock),
    )


def ruling_of(message: arbiter_pb2.Ruling) -> Ruling:
    """A ruling."""
    return Ruling(
        match=message.match,
        prompt=message.prompt,
        event=message.event,
        choice=message.choice,
        move=_plain(message.move_json),
        cause=message.cause,
        message=message.message,
        faults=message.faults,
        faults_allowed=message.faults_allowed,
        clock=_clock(message.clock),
    )


def news_of(message: arbiter_pb2.News) -> News:
    """A piece of news."""
    return News(
        match=message.match,
        event=message.event,
        ply=message.ply,
        facts=_plain(message.facts_json) or [],
        waiting=tuple(message.waiting),
    )


def end_of(message: arbiter_pb2.Ended) -> End:
    """The end of a match."""
    return End(
        match=message.match,
        event=message.event,
        status=message.status,
        outcome=_plain(message.outcome_json),
        cause=message.cause,
        seed=message.seed,
    )


def answer_to(prompt: Prompt, chosen: object) -> arbiter_pb2.Answer:
    """The answer that a bot's *chosen* index or move makes. Whether it is legal, the arbiter decides.

    Raises:
        TypeError: *chosen* is neither an index nor a move.
        ValueError: no move can have this index or size.
    """
    if isinstance(chosen, dict):
        move = msgspec.json.encode(chosen)
        if len(move) > _MOVE_BYTES:
            msg = f"choose gave a move of {len(move)} bytes; a move has at most {_MOVE_BYTES}"
            raise ValueError(msg)
        return arbiter_pb2.Answer(match=prompt.match, prompt=prompt.number, move_json=move)
    if isinstance(chosen, bool) or not hasattr(chosen, "__index__"):
        msg = (
            f"choose gave {chosen!r:.200}; it must give the index of a legal move "
            f"(0 to {len(prompt.legal) - 1}) or one of the moves in prompt.legal"
        )
        raise TypeError(msg)
    choice = index(chosen)
    if not 0 <= choice < _CHOICES:
        msg = f"choose gave {choice}; legal are 0 to {len(prompt.legal) - 1}"
        raise ValueError(msg)
    return arbiter_pb2.Answer(match=prompt.match, prompt=prompt.number, choice=choice)


def default_answer(prompt: Prompt) -> arbiter_pb2.Answer:
    """The answer that plays the default move."""
    return arbiter_pb2.Answer(match=prompt.match, prompt=prompt.number, choice=prompt.default)


def _clock(message: arbiter_pb2.Clock) -> Clock:
    return Clock(
        spent=message.spent_us / _MICROSECONDS,
        credited=message.credited_us / _MICROSECONDS,
        left=message.left_us / _MICROSECONDS,
        budget=message.budget_us / _MICROSECONDS,
        round_trip=message.round_trip_us / _MICROSECONDS,
    )


def _plain(data: bytes) -> Any:
    return _decode(data) if data else None
