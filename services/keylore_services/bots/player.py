"""What a bot knows of its matches, whatever happens to the connection."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import structlog

from keylore.v1 import arbiter_pb2
from keylore_domain.engine.receipts import KeyEvent
from keylore_services.bots import wire
from keylore_services.bots.author import Author, Question
from keylore_services.bots.keeping import Keeper
from keylore_services.bots.kit import Bot, Head, Summary, Table
from keylore_services.bots.sharing import Sharer

log = structlog.get_logger()

Send: TypeAlias = Callable[[arbiter_pb2.PlayRequest], None]

_HEADS: Final = 10_000
_ASK_AGAIN: Final = frozenset({"illegal_move", "malformed"})
_SETTLED: Final = frozenset({"late", "not_prompted", "not_found"})
_RATE_PAUSE: Final = 0.5


class Player:
    """Plays *bot*'s matches; needs a running event loop.

    Args:
        keeper: keeps what the arbiter signs; by default in memory.

    Attributes:
        ended: how many matches have ended.
    """

    def __init__(self, bot: Bot, keeper: Keeper | None = None, sharer: Sharer | None = None) -> None:
        self._author = Author(bot)
        self._keeper = keeper or Keeper()
        self._sharer = sharer or Sharer()
        self._tables: dict[tuple[str, int], Table] = {}
        self._known: dict[str, int] = {}
        self._decided: dict[str, int] = {}
        self._open: dict[str, dict[int, Question]] = {}
        self._heads: dict[str, Head] = {}
        self._send: Send | None = None
        self._moves = self._faults = self._refusals = 0
        self.ended = 0
        self._takers: dict[str, Callable[[arbiter_pb2.PlayResponse], None]] = {
            "seated": lambda message: self._seated(message.seated),
            "share_request": lambda message: self._asked_to_share(message.share_request),
            "shares": lambda message: self._shared(message.shares),
            "prompt": lambda message: self._prompted(message.prompt),
            "receipt": lambda message: self._received(message.receipt),
            "refusal": lambda message: self._refused(message.refusal),
            "ruling": lambda message: self._ruled(message.ruling),
            "news": lambda message: self._heard(message.news),
            "ended": lambda message: self._ended(message.ended),
            "standing": lambda message: self._keeper.confirm(wire.standing_of(message.standing)),
        }

    @property
    def is_idle(self) -> bool:
        """Whether the bot sits at no table."""
        return not self._known

    def hello(self) -> arbiter_pb2.PlayRequest:
        """The first message of a stream, with the last event known of each match."""
        bot = self._author.bot
        return arbiter_pb2.PlayRequest(
            hello=arbiter_pb2.Hello(
                agent=f"keylore-kit/1 {type(bot).__name__}",
                resume=[arbiter_pb2.Resume(match=match, event=event) for match, event in self._known.items()],
                capacity=bot.capacity,
                news="heard" in self._author.hooks,
                shares=self._sharer.is_willing,
                held=[wire.held_of(receipt) for receipt in self._keeper.ask()],
            )
        )

    def meet(self, key: str, history: Sequence[KeyEvent] = ()) -> None:
        """The arbiter says that this is its public key, and how it follows from earlier ones.

        Raises:
            HistoryError: it had another one.
        """
        self._keeper.meet(key, history)

    def attach(self, send: Send) -> None:
        """A stream is open: answers go to *send*."""
        self._send = send

    def detach(self) -> None:
        """The stream is gone; answers are kept until the arbiter asks again."""
        self._send = None
        for questions in self._open.values():
            for question in questions.values():
                question.asked = False

    def take(self, message: arbiter_pb2.PlayResponse) -> None:
        """Take in what the arbiter says; messages that are not about a match change nothing.

        Raises:
            HistoryError: it shows another history than before.
        """
        kind = message.WhichOneof("message") or ""
        if kind in self._takers:
            if kind != "standing":
                self._keeper.check_confirmed(getattr(message, kind).match)
            self._takers[kind](message)

    def summary(self) -> Summary:
        """What the bot did so far."""
        return Summary(
            matches=self.ended,
            moves=self._moves,
            faults=self._faults,
            refusals=self._refusals,
            exceptions=self._author.exceptions,
            heads=dict(self._heads),
        )

    async def close(self, seconds: float) -> None:
        """Let the author's code finish, for at most *seconds*."""
        await self._author.close(seconds)

    # --- tables and prompts ---------------------------------------------------------------------------

    def _seated(self, message: arbiter_pb2.Seated) -> None:
        self._sharer.seated(message)
        table = wire.table_of(message)
        # of a match known before, what was missed is still to come: the position must not run ahead of it
        self._known.setdefault(table.match, message.event)
        is_new = (table.match, table.seat) not in self._tables
        self._tables[table.match, table.seat] = table
        if is_new:
            self._author.tell("seated", table)

    def _asked_to_share(self, message: arbiter_pb2.ShareRequest) -> None:
        self._advance(message.match, message.event)
        share = self._sharer.answer(message)
        if share is not None and self._send is not None:
            self._send(arbiter_pb2.PlayRequest(share=share))

    def _shared(self, message: arbiter_pb2.Shares) -> None:
        self._advance(message.match, message.event)
        self._sharer.shared(message)

    def _prompted(self, message: arbiter_pb2.Prompt) -> None:
        self._advance(message.match, message.event)
        table = self._tables.get((message.match, message.seat))
        if table is None:
            log.error("prompt_without_table", match=message.match, seat=message.seat)
            return
        prompt = wire.prompt_of(message, table)
        questions = self._open.setdefault(prompt.match, {})
        question = questions.get(prompt.number)
        if question is None:
            self._drop_older(questions, prompt.seat)
            question = questions[prompt.number] = Question(prompt, digests=wire.digests_of(message))
            self._think(question)
        else:
            question.prompt, question.asked = prompt, True
            self._reply(question)

    def _think(self, question: Question) -> None:
        def answered(answer: arbiter_pb2.Answer | None) -> None:
            question.answer = answer
            self._reply(question)

        self._author.ask(question, answered)

    def _reply(self, question: Question) -> None:
        if question.answer is None or question.dropped or not question.asked or self._send is None:
            return
        self._send(arbiter_pb2.PlayRequest(answer=question.answer))

    # --- what became of the answers -------------------------------------------------------------------

    def _keep(self, message: arbiter_pb2.Receipt | arbiter_pb2.Ruling) -> None:
        """Keep what is signed, and say so if it is not about what was sent."""
        if not self._keeper.key:
            return
        signed = wire.signed_of(message)
        self._keeper.take(signed)
        question = self._open.get(message.match, {}).get(message.prompt)
        if question is not None and question.digests != (signed.asked, signed.view):
            log.error("receipt_about_something_else", match=message.match, prompt=message.prompt)

    def _received(self, message: arbiter_pb2.Receipt) -> None:
        self._keep(message)
        self._settle(message.match, message.prompt)
        if self._is_news(message.match, message.event):
            self._moves += 1
            self._keep_head(message.match, Head(message.event, message.head))
            self._author.tell("receipt", wire.receipt_of(message))

    def _ruled(self, message: arbiter_pb2.Ruling) -> None:
        self._keep(message)
        self._settle(message.match, message.prompt)
        if self._is_news(message.match, message.event):
            self._faults += 1
            log.warning("default_played", match=message.match, cause=message.cause, message=message.message)
            self._author.tell("ruled", wire.ruling_of(message))

    def _refused(self, message: arbiter_pb2.Refusal) -> None:
        self._refusals += 1
        log.warning("answer_refused", match=message.match, code=message.code, message=message.message)
        self._author.tell("refused", wire.refusal_of(message))
        question = self._open.get(message.match, {}).get(message.prompt)
        if question is not None:
            self._after_refusal(question, message)
        if message.code == "not_found":
            self._forget(message.match)

    def _after_refusal(self, question: Question, message: arbiter_pb2.Refusal) -> None:
        if message.code == "rate":
            asyncio.get_running_loop().call_later(_RATE_PAUSE, self._reply, question)
        elif message.code in _SETTLED:
            self._settle(message.match, message.prompt)
        elif message.code in _ASK_AGAIN and message.attempts_left:
            question.refused, question.answer = question.answer, None
            self._think(question)

    # --- the course of a match ------------------------------------------------------------------------

    def _heard(self, message: arbiter_pb2.News) -> None:
        self._advance(message.match, message.event)
        self._author.tell("heard", wire.news_of(message))

    def _ended(self, message: arbiter_pb2.Ended) -> None:
        if message.match in self._known:
            self._sharer.ended(message)
            self._forget(message.match)
            self.ended += 1
            self._author.tell("ended", wire.end_of(message))

    def _advance(self, match: str, event: int) -> None:
        if event > self._known.get(match, event):
            self._known[match] = event

    def _is_news(self, match: str, event: int) -> bool:
        """Whether what became of an answer is told for the first time: a repeated answer is told again."""
        self._advance(match, event)
        if match not in self._known or event <= self._decided.get(match, 0):
            return False
        self._decided[match] = event
        return True

    def _keep_head(self, match: str, head: Head) -> None:
        self._heads.pop(match, None)
        self._heads[match] = head
        if len(self._heads) > _HEADS:
            del self._heads[next(iter(self._heads))]

    def _settle(self, match: str, number: int) -> None:
        question = self._open.get(match, {}).pop(number, None)
        if question is not None:
            question.drop()

    def _drop_older(self, questions: dict[int, Question], seat: int) -> None:
        """A seat has one open prompt: a new one replaces the others."""
        for number in [number for number, item in questions.items() if item.prompt.seat == seat]:
            questions.pop(number).drop()

    def _forget(self, match: str) -> None:
        for question in self._open.pop(match, {}).values():
            question.drop()
        self._sharer.forget(match)
        self._known.pop(match, None)
        self._decided.pop(match, None)
        for key in [key for key in self._tables if key[0] == match]:
            del self._tables[key]
