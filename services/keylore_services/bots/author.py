"""The code of a bot's author, run where it belongs; its exceptions are logged and counted."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from typing import Final, Literal, TypeAlias

import structlog

from keylore.v1 import arbiter_pb2
from keylore_services.bots.kit import Bot, End, News, Prompt, Receipt, Refusal, Ruling, Table
from keylore_services.bots.lanes import InlineLane, Lane, TaskLane, ThreadLane
from keylore_services.bots.wire import answer_to, default_answer

log = structlog.get_logger()

Hook: TypeAlias = Literal["seated", "heard", "receipt", "refused", "ruled", "ended"]
Told: TypeAlias = Table | News | Receipt | Refusal | Ruling | End

HOOKS: Final[tuple[Hook, ...]] = ("seated", "heard", "receipt", "refused", "ruled", "ended")


@dataclass(eq=False, slots=True)
class Question:
    """A prompt that the bot has not settled yet.

    Attributes:
        digests: those of the prompt and of its view, as they were sent.
        asked: whether the arbiter asked it on the present stream.
        answer: what the bot chose, kept so that the same prompt gets the same answer.
        refused: the answer that was refused as illegal.
        dropped: whether nobody waits for an answer any more.
    """

    prompt: Prompt
    digests: tuple[str, str] = ("", "")
    asked: bool = True
    answer: arbiter_pb2.Answer | None = None
    refused: arbiter_pb2.Answer | None = None
    dropped: bool = False
    thought: asyncio.Future[object] | None = None

    def drop(self) -> None:
        """Nobody waits for an answer: do not begin to think, and stop if that is possible."""
        self.dropped = True
        if self.thought is not None:
            self.thought.cancel()


Answered: TypeAlias = Callable[[arbiter_pb2.Answer | None], None]
"""Takes the answer; ``None`` if the question was dropped meanwhile."""


class Author:
    """Calls the methods of *bot*; needs a running event loop.

    Attributes:
        hooks: the hooks that the bot overrides; the others are not called.
        exceptions: how often the author's code failed.
    """

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.hooks = frozenset(hook for hook in HOOKS if _is_overridden(bot, hook))
        self.exceptions = 0
        self._is_async = any(iscoroutinefunction(getattr(bot, name)) for name in ("choose", *HOOKS))
        self._lane = self._new_lane()

    def tell(self, hook: Hook, told: Told) -> None:
        """Call *hook* with *told*."""
        if hook in self.hooks:
            called = self._called_async if self._is_async else self._called
            self._lane.submit(told.match, partial(called, hook, told), _ignore)

    def ask(self, question: Question, answered: Answered) -> None:
        """Call `choose`, then *answered*."""
        chosen = self._chosen_async if self._is_async else self._chosen
        self._lane.submit(question.prompt.match, partial(chosen, question), answered)

    async def close(self, seconds: float) -> None:
        """Let what was begun finish, for at most *seconds*."""
        await self._lane.close(seconds)

    def _new_lane(self) -> Lane:
        if self._is_async:
            return TaskLane()
        return InlineLane() if self.bot.inline else ThreadLane()

    def _called(self, hook: Hook, told: Told) -> None:
        try:
            getattr(self.bot, hook)(told)
        except Exception:
            self._failed(hook, told.match)

    async def _called_async(self, hook: Hook, told: Told) -> None:
        try:
            result = getattr(self.bot, hook)(told)
            if isawaitable(result):
                await result
        except Exception:
            self._failed(hook, told.match)

    def _chosen(self, question: Question) -> arbiter_pb2.Answer | None:
        if question.dropped:
            return None
        prompt = question.prompt
        try:
            return _settled(question, answer_to(prompt, self.bot.choose(prompt)))
        except Exception:
            self._failed("choose", prompt.match, prompt)
            return default_answer(prompt)

    async def _chosen_async(self, question: Question) -> arbiter_pb2.Answer | None:
        prompt = question.prompt
        try:
            chosen = None if question.dropped else await _thought(question, self.bot.choose(prompt))
            return None if question.dropped else _settled(question, answer_to(prompt, chosen))
        except Exception:
            self._failed("choose", prompt.match, prompt)
            return default_answer(prompt)

    def _failed(self, method: str, match: str, prompt: Prompt | None = None) -> None:
        self.exceptions += 1
        facts = {} if prompt is None else {"prompt": prompt.number, "kind": prompt.kind, "seat": prompt.seat}
        log.exception("bot_failed", bot=type(self.bot).__name__, method=method, match=match, **facts)


async def _thought(question: Question, chosen: object) -> object:
    """What the author's coroutine gives; it is cancelled when the question is dropped."""
    if not isawaitable(chosen):
        return chosen
    thought = question.thought = asyncio.ensure_future(chosen)
    try:
        await asyncio.wait({thought})
    finally:
        thought.cancel()
    if not thought.cancelled():
        return thought.result()
    if question.dropped:
        return None
    msg = "choose was cancelled from inside"
    raise RuntimeError(msg)


def _settled(question: Question, answer: arbiter_pb2.Answer) -> arbiter_pb2.Answer:
    """*answer*, or the default if just this one was refused before."""
    if answer != question.refused:
        return answer
    prompt = question.prompt
    log.warning("same_answer_again", match=prompt.match, prompt=prompt.number, instead=prompt.default)
    return default_answer(prompt)


def _is_overridden(bot: Bot, hook: Hook) -> bool:
    return getattr(getattr(bot, hook), "__func__", None) is not getattr(Bot, hook)


def _ignore(_: object) -> None:
    """Nobody waits for what a hook gives."""
