"""One live match: asks, waits, decides, stores, tells.

A runner is a small actor. Answers, expired clocks and returning bots come in through its inbox and are
handled one after the other. Nothing is told before it is stored.
"""

import asyncio

import structlog

from keylore_domain.engine import clocks, positions
from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.events import (
    DefaultCause,
    MoveDefaulted,
    MovePlayed,
)
from keylore_domain.engine.matches import Match, Moved, Secrets
from keylore_domain.engine.positions import OpenPrompt
from keylore_domain.engine.receipts import asked_digest, prompt_digest
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import IllegalMoveError
from keylore_services.arbiter import telling
from keylore_services.arbiter.hub import Hub
from keylore_services.arbiter.inbox import Abort, Expired, GoOn, Item, Returned, Stop, Waiting, chosen
from keylore_services.arbiter.messages import Answer, ClockNote, Receipt, Refusal, Ruling, ShareSaid
from keylore_services.arbiter.newsroom import Newsroom
from keylore_services.arbiter.notary import Notary
from keylore_services.arbiter.sharing import Exchange, ShareDue, forfeit_faulty
from keylore_services.arbiter.times import MICROSECONDS, Now
from keylore_services.ledger.ledger import Ledger
from keylore_services.ledger.writer import Writer

log = structlog.get_logger()

FORFEITED_AT_ONCE = 16
"""Moves played for forfeited seats before other matches get their turn."""

LAG = 10_000
"""A clock that fires this late (microseconds) gives the answers that wait unread one more chance."""


class Runner:
    """Plays one match to its end.

    Args:
        ledger: read when a bot returns and needs what it missed.
        writer: stores the events; each save is durable when it returns.

    Attributes:
        patience: seconds that the bots may take to come before anybody is asked.
    """

    def __init__(
        self, match: Match, secrets: Secrets, *, ledger: Ledger, writer: Writer, hub: Hub, now: Now
    ) -> None:
        self.match = match
        self._secrets = secrets
        self._ledger = ledger
        self._writer = writer
        self._hub = hub
        self._newsroom = Newsroom(match, hub)
        self._notary = Notary(match, ledger, secrets.signer)
        self._now = now
        self._exchange = Exchange(match, secrets, writer=writer, hub=hub, now=now, post=self.post)
        self.patience = 0.0
        self._inbox: asyncio.Queue[Item] = asyncio.Queue()
        self._forfeiting: dict[Seat, str] = {}
        self._is_begun = False
        self._gathering: asyncio.Task[None] | None = None
        self._waiting: dict[Seat, Waiting] = {}
        self._told: dict[int, tuple[Seat, Receipt | Ruling]] = {}
        self._stopped = False
        self._recalled = False

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots by seat."""
        return tuple(entry.bot for entry in self.match.entry.seats)

    def post(self, item: Item) -> None:
        """Put something into the inbox."""
        self._inbox.put_nowait(item)

    def forfeit(self, seat: Seat, cause: str) -> None:
        """Let *seat* forfeit, if it has not done so: as soon as anybody is asked."""
        self._forfeiting[seat] = cause
        self.post(GoOn())

    async def run(self) -> None:
        """Play until the match ends or the arbiter stops.

        Raises:
            ConflictError: somebody else wrote to this match; it is theirs now.
            LedgerError: the store failed.
        """
        try:
            for seat, bot in enumerate(self.bots):
                self._hub.send(bot, telling.seated(self.match, Seat(seat)))
            await self._begin()
            while not self.match.is_over and not self._stopped:
                await self._handle(await self._inbox.get())
        finally:
            if self._gathering is not None:
                self._gathering.cancel()
            self._exchange.stop()
            for waiting in self._waiting.values():
                waiting.cancel()

    # --- asking ---------------------------------------------------------------------------------------

    async def _begin(self) -> None:
        """Ask when the bots have had their time to come."""
        if self.patience:
            self._gathering = asyncio.create_task(self._gather())
        else:
            self._is_begun = True
            await self._go_on()

    async def _gather(self) -> None:
        playing = {bot for seat, bot in enumerate(self.bots) if Seat(seat) not in self.match.forfeited}
        missing = await self._hub.wait_for(frozenset(playing), self.patience)
        if missing:
            log.info("bots_not_back", match=self.match.id, bots=sorted(missing))
        self._is_begun = True
        self.post(GoOn())

    async def _go_on(self) -> None:
        """Play what needs no answer, then ask."""
        await self._exchange.start()
        if self.match.awaits_shares:
            return
        self._newsroom.begin()
        await self._forfeit()
        await self._play_forfeited()
        if self.match.is_over:
            self._tell_end()
            return
        ready = self._now()
        for item in self.match.live_position.open:
            known = self._waiting.get(item.prompt.seat)
            if known is None or known.item.number != item.number:
                self._ask(item, ready)

    def _ask(self, item: OpenPrompt, ready: int) -> None:
        seat = item.prompt.seat
        view = telling.prompt_view(self.match, item)
        time, bank = self.match.entry.time, self.match.banks[seat]
        allowed = clocks.budget(time, bank)
        told = telling.prompted(self.match, item, view, allowed)
        asked = asked_digest(item.number, told.kind, told.default, told.legal, told.context)
        self._notary.asked(item.number, asked)
        session = self._hub.session(self.bots[seat])
        credited = clocks.credit(time, session.round_trip) if session else 0
        waiting = Waiting(item, sha256_hex(view), ready, credited, time.attempts)
        self._waiting[seat] = waiting
        self._arm(waiting, allowed + credited)
        if session is not None:
            session.send(told)

    def _arm(self, waiting: Waiting, delay: int) -> None:
        expired = Expired(waiting.item.prompt.seat, waiting.item.number)
        loop = asyncio.get_running_loop()
        due = loop.time() + delay / MICROSECONDS

        def fire() -> None:
            lag = (loop.time() - due) * MICROSECONDS
            if lag > LAG:
                waiting.timer = loop.call_later(min(lag, MICROSECONDS) / MICROSECONDS, self.post, expired)
            else:
                self.post(expired)

        waiting.timer = loop.call_at(due, fire)

    async def _forfeit(self) -> None:
        asked, self._forfeiting = self._forfeiting, {}
        for seat, cause in asked.items():
            if not self.match.is_over and seat not in self.match.forfeited:
                self.match.forfeit(at=self._now(), seat=seat, cause=cause)
                await self._writer.save(self.match)
                log.info("seat_forfeited", match=self.match.id, seat=seat)

    async def _play_forfeited(self) -> None:
        while not self.match.is_over:
            played = []
            for _ in range(FORFEITED_AT_ONCE):
                seat = self._forfeited_seat()
                if seat is None:
                    break
                played.append(self._default(seat, "forfeit", self._now()))
            if not played:
                return
            await self._commit(*played)

    def _forfeited_seat(self) -> Seat | None:
        if self.match.is_over:
            return None
        opened = (item.prompt.seat for item in self.match.live_position.open)
        return next((seat for seat in opened if seat in self.match.forfeited), None)

    # --- deciding -------------------------------------------------------------------------------------

    async def _handle(self, item: Item) -> None:  # noqa: C901 - one line per item
        match item:
            case Answer():
                await self._answered(item)
            case Expired():
                await self._expired(item)
            case Returned():
                self._greet(item.bot)
            case GoOn():
                if self._is_begun:
                    await self._go_on()
            case Abort():
                self.match.abort(self._secrets, at=self._now(), cause=item.cause)
                await self._writer.save(self.match)
                self._tell_end()
            case Stop():
                if not self.match.awaits_shares:
                    self.match.pause(at=self._now(), cause=item.cause)
                    await self._writer.save(self.match)
                self._stopped = True
            case ShareSaid() | ShareDue():
                await self._shared(item)

    async def _shared(self, item: ShareSaid | ShareDue) -> None:
        if not self.match.awaits_shares:
            return
        if isinstance(item, ShareSaid):
            await self._exchange.hear(item)
        else:
            await self._exchange.expire(item)
        if not self.match.awaits_shares:
            await self._go_on()

    async def _answered(self, answer: Answer) -> None:
        waiting = next(
            (
                waiting
                for seat, waiting in self._waiting.items()
                if waiting.item.number == answer.prompt and self.bots[seat] == answer.bot
            ),
            None,
        )
        if waiting is None:
            self._answer_again(answer)
            return
        seat = waiting.item.prompt.seat
        time, bank = self.match.entry.time, self.match.banks[seat]
        if clocks.is_late(time, bank, sent=waiting.sent, received=answer.received, credited=waiting.credited):
            waiting.refuse("late", answer)
            await self._rule(waiting, "timeout", answer.received)
            return
        try:
            choice = chosen(waiting.item, answer)
        except IllegalMoveError as error:
            await self._illegal(waiting, answer, error)
            return
        await self._commit(self._play(waiting, choice, answer.received))
        await self._go_on()

    def _answer_again(self, answer: Answer) -> None:
        """An answer to a prompt that is not open: repeat what was decided, or say that nothing was asked."""
        if answer.prompt not in self._told:
            self._recall()
        seat, told = self._told.get(answer.prompt, (None, None))
        if seat is None or self.bots[seat] != answer.bot or told is None:
            self._refuse(answer, "not_prompted", f"prompt {answer.prompt} of {self.match.id} is not open")
        elif isinstance(told, Receipt):
            self._hub.send(answer.bot, told)
        else:
            late = f"too late: the default move was played for this prompt, because {told.message}"
            self._refuse(answer, "late", late, clock=told.clock)

    def _recall(self) -> None:
        """Take what was decided before this arbiter was started from the ledger."""
        if self._recalled:
            return
        self._recalled = True
        for row in self._ledger.stored(self.match.id):
            event = decode_event(row.topic, row.state)
            if isinstance(event, MovePlayed):
                signed = self._notary.receipt(event, sha256_hex(row.state))
                told = telling.outcome_of_move(self.match, event, signed, 0)
                self._told.setdefault(event.prompt, (event.seat, told))

    async def _illegal(self, waiting: Waiting, answer: Answer, error: IllegalMoveError) -> None:
        waiting.attempts -= 1
        waiting.refuse("illegal_move", answer)
        if waiting.attempts > 0:
            self._refuse(answer, error.code, str(error), attempts=waiting.attempts)
        else:
            self._refuse(answer, error.code, f"{error}; no more tries, the default move is played")
            await self._rule(waiting, "illegal", answer.received)

    async def _expired(self, item: Expired) -> None:
        waiting = self._waiting.get(item.seat)
        if waiting is None or waiting.item.number != item.prompt:
            return
        away = self._hub.session(self.bots[item.seat]) is None
        await self._rule(waiting, "disconnect" if away else "timeout", self._now())

    async def _rule(self, waiting: Waiting, cause: DefaultCause, received: int) -> None:
        await self._commit(self._default(waiting.item.prompt.seat, cause, received))
        await self._go_on()

    def _play(self, waiting: Waiting, choice: int, received: int) -> Moved:
        seat = waiting.item.prompt.seat
        moved = self.match.play(
            self._secrets,
            at=self._now(),
            seat=seat,
            choice=choice,
            view=waiting.view,
            clock=self._reading(waiting, received),
            refused=waiting.refused,
        )
        return self._moved(moved)

    def _default(self, seat: Seat, cause: DefaultCause, received: int) -> Moved:
        waiting = self._waiting.get(seat)
        item = positions.expect_prompt(self.match.live_position, seat)
        if waiting is None or waiting.item.number != item.number:
            view = sha256_hex(telling.prompt_view(self.match, item))
            waiting = Waiting(item, view, received, 0, 0)
            self._notary.asked(item.number, prompt_digest(item))
        moved = self.match.default(
            self._secrets,
            at=self._now(),
            seat=seat,
            view=waiting.view,
            clock=self._reading(waiting, received),
            cause=cause,
            refused=waiting.refused,
        )
        return self._moved(moved)

    def _reading(self, waiting: Waiting, received: int) -> clocks.Reading:
        seat = waiting.item.prompt.seat
        return clocks.reading(
            self.match.entry.time,
            self.match.banks[seat],
            ready=waiting.sent,
            sent=waiting.sent,
            received=received,
            credited=waiting.credited,
        )

    def _moved(self, moved: Moved) -> Moved:
        waiting = self._waiting.pop(moved.event.seat, None)
        if waiting is not None:
            waiting.cancel()
        forfeit_faulty(self.match, self._now())
        return moved

    async def _commit(self, *played: Moved) -> None:
        await self._writer.save(self.match)
        for item in played:
            self._tell(item)

    # --- telling --------------------------------------------------------------------------------------

    def _tell(self, played: Moved) -> None:
        event = played.event
        bot = self.bots[event.seat]
        session = self._hub.session(bot)
        signed = self._notary.receipt(event, played.head)
        told = telling.outcome_of_move(self.match, event, signed, session.round_trip if session else 0)
        self._told[event.prompt] = (event.seat, told)
        if isinstance(event, MoveDefaulted):
            log.info("move_defaulted", match=self.match.id, seat=event.seat, cause=event.cause)
        self._hub.send(bot, told)
        self._newsroom.tell(played)

    def _tell_end(self) -> None:
        for bot in dict.fromkeys(self.bots):
            self._hub.send(bot, telling.ended(self.match))

    def _refuse(
        self, answer: Answer, code: str, message: str, *, attempts: int = 0, clock: ClockNote | None = None
    ) -> None:
        log.info("answer_refused", match=self.match.id, bot=answer.bot, code=code)
        self._hub.send(
            answer.bot,
            Refusal(
                match=self.match.id,
                prompt=answer.prompt,
                code=code,
                message=message,
                attempts_left=attempts,
                clock=clock,
            ),
        )

    def _greet(self, bot: str) -> None:
        """A bot is back: its table, what it missed, and what it is asked."""
        session = self._hub.session(bot)
        if session is None:
            return
        held = {receipt.match: receipt.event for receipt in session.held}
        known = {**held, **session.resume}.get(self.match.id, self.match.version)
        stored = self._ledger.stored(self.match.id, after=known) if known < self.match.version else []
        telling.tell_missed(session, self.match, bot, stored, self._notary)
        for seat, sitting in enumerate(self.bots):
            if sitting == bot:
                self._ask_again(Seat(seat))
        self._exchange.ask_again(bot)

    def _ask_again(self, seat: Seat) -> None:
        waiting = self._waiting.get(seat)
        session = self._hub.session(self.bots[seat])
        if waiting is None or session is None:
            return
        allowed = clocks.budget(self.match.entry.time, self.match.banks[seat])
        left = max(waiting.sent + allowed - self._now(), 0)
        view = telling.prompt_view(self.match, waiting.item)
        session.send(telling.prompted(self.match, waiting.item, view, left))
