"""What comes into the inbox of a match, and the prompts that wait for an answer."""

import asyncio
from typing import TypeAlias

import msgspec

from keylore_domain.engine import positions
from keylore_domain.engine.events import RefusalCode, Refused, answer_digest
from keylore_domain.engine.positions import OpenPrompt
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import IllegalMoveError
from keylore_services.arbiter.messages import Answer, ShareSaid
from keylore_services.arbiter.sharing import ShareDue


class Waiting(msgspec.Struct):
    """A prompt that has been sent: when, until when its answer counts, and which ones were not taken."""

    item: OpenPrompt
    view: str
    sent: int
    credited: int
    attempts: int
    timer: asyncio.TimerHandle | None = None
    refused: tuple[Refused, ...] = ()

    def refuse(self, code: RefusalCode, answer: Answer) -> None:
        """Keep in mind that *answer* was not taken."""
        digest = answer_digest(answer.choice, answer.move)
        self.refused += (Refused(code=code, received=answer.received, answer=digest),)

    def cancel(self) -> None:
        """Stop its clock."""
        if self.timer is not None:
            self.timer.cancel()


class Expired(msgspec.Struct, frozen=True):
    """The clock of a prompt ran out."""

    seat: Seat
    prompt: int


class Returned(msgspec.Struct, frozen=True):
    """A bot connected."""

    bot: str


class GoOn(msgspec.Struct, frozen=True):
    """There may be something to do: bots have had time enough to come, or seats are to forfeit."""


class Abort(msgspec.Struct, frozen=True):
    """The match is to end without a result."""

    cause: str


class Stop(msgspec.Struct, frozen=True):
    """The arbiter stops; the match goes on when it is started again."""

    cause: str


Item: TypeAlias = Answer | ShareSaid | ShareDue | Expired | Returned | GoOn | Abort | Stop


def chosen(item: OpenPrompt, answer: Answer) -> int:
    """The index that *answer* names.

    Raises:
        IllegalMoveError: it names no legal move, or is not JSON.
    """
    if answer.choice is not None:
        positions.legal_move(item.prompt, answer.choice)
        return answer.choice
    try:
        move = msgspec.json.decode(answer.move or b"")
    except msgspec.DecodeError as error:
        msg = f"the answer to {item.prompt.kind!r} holds neither a choice nor a move that is JSON: {error}"
        raise IllegalMoveError(msg) from None
    return positions.choice_of(item.prompt, move)
