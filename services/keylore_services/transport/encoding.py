"""Between the arbiter's messages and the wire's."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from keylore.v1 import arbiter_pb2 as pb
from keylore_domain.engine import receipts
from keylore_domain.engine.clocks import MILLISECOND
from keylore_domain.engine.shares import Beacon
from keylore_services.arbiter import messages as own

MOST_HELD: Final = 256
"""Receipts that a bot may ask about when it connects."""


def key_event(event: receipts.KeyEvent) -> pb.KeyEvent:
    """An event of the history of keys."""
    return pb.KeyEvent(topic=event.topic, state=event.state)


def encoded(message: own.Message) -> pb.PlayResponse:
    """*message* as it goes over the wire."""
    return _ENCODERS[type(message)](message)


def answer_of(bot: str, answer: pb.Answer, received: int) -> own.Answer:
    """An answer that *bot* sent, *received* at that moment."""
    form = answer.WhichOneof("move")
    return own.Answer(
        bot=bot,
        match=answer.match,
        prompt=answer.prompt,
        choice=answer.choice if form == "choice" else None,
        move=answer.move_json if form == "move_json" else None,
        received=received,
    )


def share_of(bot: str, share: pb.Share) -> own.ShareSaid:
    """What *bot* said to a request for its share."""
    form = share.WhichOneof("said")
    return own.ShareSaid(
        bot=bot,
        match=share.match,
        seat=share.seat,
        commitment=share.commitment if form == "commitment" else None,
        share=share.share if form == "share" else None,
    )


def held_of(hello: pb.Hello) -> tuple[own.Held, ...]:
    """The receipts that a bot asks about; those that could never have been given are left out."""
    return tuple(
        own.Held(match=item.match, event=item.event, head=item.head)
        for item in hello.held[:MOST_HELD]
        if 0 < item.event < 2**62
    )


def _seated(message: own.Seated) -> pb.PlayResponse:
    time = message.time
    return pb.PlayResponse(
        seated=pb.Seated(
            match=message.match,
            seat=message.seat,
            game=message.game,
            rules=message.rules,
            options_json=message.options,
            data=message.data,
            bots=message.bots,
            time=pb.TimeControl(
                move_ms=time.move_ms,
                bank_ms=time.bank_ms,
                increment_ms=time.increment_ms,
                credit_ms=time.credit_ms,
                attempts=time.attempts,
                faults=time.faults,
            ),
            seed_commitment=message.commitment,
            event=message.event,
            seed_name=message.seed_name,
            shares=message.shares,
            beacon=_beacon(message.beacon),
            chance=message.chance,
        )
    )


def _beacon(beacon: Beacon | None) -> pb.Beacon | None:
    return None if beacon is None else pb.Beacon(value=beacon.value, source=beacon.source)


def _prompted(message: own.Prompted) -> pb.PlayResponse:
    return pb.PlayResponse(
        prompt=pb.Prompt(
            match=message.match,
            prompt=message.prompt,
            seat=message.seat,
            kind=message.kind,
            view_json=message.view,
            legal_json=message.legal,
            context_json=message.context,
            default_choice=message.default,
            budget_ms=message.budget // MILLISECOND,
            bank_ms=message.bank // MILLISECOND,
            event=message.event,
        )
    )


def _receipt(message: own.Receipt) -> pb.PlayResponse:
    return pb.PlayResponse(
        receipt=pb.Receipt(
            match=message.signed.match,
            prompt=message.signed.prompt,
            event=message.signed.event,
            choice=message.signed.choice,
            head=message.signed.head,
            clock=_clock(message.clock),
            signed=_signed(message.signed),
        )
    )


def _refusal(message: own.Refusal) -> pb.PlayResponse:
    return pb.PlayResponse(
        refusal=pb.Refusal(
            match=message.match,
            prompt=message.prompt,
            code=message.code,
            message=message.message,
            attempts_left=message.attempts_left,
            clock=_clock(message.clock) if message.clock else None,
        )
    )


def _ruling(message: own.Ruling) -> pb.PlayResponse:
    return pb.PlayResponse(
        ruling=pb.Ruling(
            match=message.signed.match,
            prompt=message.signed.prompt,
            event=message.signed.event,
            choice=message.signed.choice,
            move_json=message.move,
            cause=message.signed.cause,
            message=message.message,
            faults=message.faults,
            faults_allowed=message.faults_allowed,
            clock=_clock(message.clock),
            head=message.signed.head,
            signed=_signed(message.signed),
        )
    )


def _news(message: own.News) -> pb.PlayResponse:
    return pb.PlayResponse(
        news=pb.News(
            match=message.match,
            event=message.event,
            ply=message.ply,
            facts_json=message.facts,
            waiting=message.waiting,
        )
    )


def _ended(message: own.Ended) -> pb.PlayResponse:
    return pb.PlayResponse(
        ended=pb.Ended(
            match=message.match,
            event=message.event,
            status=message.status,
            outcome_json=message.outcome,
            cause=message.cause,
            seed=message.seed,
            share=message.share,
        )
    )


def _share_request(message: own.ShareRequest) -> pb.PlayResponse:
    return pb.PlayResponse(
        share_request=pb.ShareRequest(
            match=message.match,
            seat=message.seat,
            commitments=message.commitments,
            budget_ms=message.budget // MILLISECOND,
            event=message.event,
        )
    )


def _shares(message: own.Shares) -> pb.PlayResponse:
    return pb.PlayResponse(
        shares=pb.Shares(
            match=message.match,
            event=message.event,
            commitments=message.commitments,
            shares=message.shares,
        )
    )


def _going_away(message: own.GoingAway) -> pb.PlayResponse:
    return pb.PlayResponse(going_away=pb.GoingAway(reason=message.reason, retry_ms=message.retry))


def _standing(message: receipts.Standing) -> pb.PlayResponse:
    return pb.PlayResponse(
        standing=pb.Standing(
            match=message.match,
            event=message.event,
            head=message.head,
            kept=message.kept,
            key=message.key,
            signature=message.signature,
        )
    )


def _signed(receipt: receipts.Receipt) -> pb.Signed:
    return pb.Signed(
        seat=receipt.seat,
        asked=receipt.asked,
        view=receipt.view,
        move=receipt.move,
        received_us=receipt.received,
        left_us=receipt.left,
        key=receipt.key,
        signature=receipt.signature,
    )


def _clock(note: own.ClockNote) -> pb.Clock:
    return pb.Clock(
        spent_us=note.spent,
        credited_us=note.credited,
        left_us=note.left,
        budget_us=note.budget,
        round_trip_us=note.round_trip,
    )


_ENCODERS: Final[Mapping[type, Callable[[Any], pb.PlayResponse]]] = {
    own.Seated: _seated,
    own.Prompted: _prompted,
    own.Receipt: _receipt,
    own.Refusal: _refusal,
    own.Ruling: _ruling,
    own.News: _news,
    own.Ended: _ended,
    own.GoingAway: _going_away,
    own.ShareRequest: _share_request,
    own.Shares: _shares,
    receipts.Standing: _standing,
}
