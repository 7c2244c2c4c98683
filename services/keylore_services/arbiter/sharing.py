"""The exchange of shares before a match is set up: the seats commit, that is stored, then they reveal.

The order is what makes the seed nobody's choice. The arbiter's own share stands in the first event of the
match; no share of a seat is asked for before all commitments are stored; and nobody is told any share before
all of them are stored. A kill at any moment gives nobody a second choice: what was stored stays, and the same
is asked again.
"""

import asyncio
from collections.abc import Callable

import msgspec
import structlog

from keylore_domain.engine.clocks import MILLISECOND
from keylore_domain.engine.encoding import is_hex
from keylore_domain.engine.matches import Match, Secrets
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.shares import NOTHING, SHARE_DIGITS
from keylore_services.arbiter import telling
from keylore_services.arbiter.hub import Hub
from keylore_services.arbiter.messages import ShareRequest, ShareSaid
from keylore_services.arbiter.times import MICROSECONDS, Now
from keylore_services.ledger.writer import Writer

log = structlog.get_logger()

COMMIT_MS = 2_000
"""The most that a seat may take to commit; never more than it has for a move."""

REVEAL_MS = 10_000
"""The most that a seat may take to reveal; never more than it has for a move."""


class ShareDue(msgspec.Struct, frozen=True):
    """The time of a step of the exchange is up."""

    reveals: bool


def forfeit_faulty(match: Match, at: int) -> None:
    """Let the seats forfeit that have used up their faults; does not store it."""
    if match.is_over:
        return
    for seat in match.should_forfeit:
        cause = f"{match.faults[seat]} faults: default moves had to be played for it"
        if match.kept_back(seat):
            cause += ", and it kept back its share of the seed"
        match.forfeit(at=at, seat=seat, cause=cause)
        log.info("seat_forfeited", match=match.id, seat=seat)


class Exchange:
    """Asks the seats of one match for their shares.

    Args:
        writer: stores the events; each save is durable when it returns.
        post: puts something into the inbox of the match.
    """

    def __init__(
        self,
        match: Match,
        secrets: Secrets,
        *,
        writer: Writer,
        hub: Hub,
        now: Now,
        post: Callable[[ShareDue], None],
    ) -> None:
        self._match = match
        self._secrets = secrets
        self._writer = writer
        self._hub = hub
        self._now = now
        self._post = post
        self._asked: set[Seat] = set()
        self._said: dict[Seat, str] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0

    @property
    def _reveals(self) -> bool:
        return bool(self._match.commitments)

    async def start(self) -> None:
        """Ask who is to be asked; go on at once if nobody is."""
        if self._timer is not None or not self._match.awaits_shares:
            return
        self._asked, self._said = set(), {}
        limit = REVEAL_MS if self._reveals else COMMIT_MS
        budget = min(limit, self._match.entry.time.move_ms) * MILLISECOND
        self._due = self._now() + budget
        self._timer = asyncio.get_running_loop().call_later(
            budget / MICROSECONDS, self._post, ShareDue(self._reveals)
        )
        for seat in map(Seat, range(len(self._match.entry.seats))):
            self._ask(seat)
        await self._go_on_if_complete()

    def ask_again(self, bot: str) -> None:
        """A bot has come (back): ask what it was not asked, or has not answered."""
        for seat, entry in enumerate(self._match.entry.seats):
            if entry.bot == bot and self._timer is not None and Seat(seat) not in self._said:
                self._ask(Seat(seat))

    async def hear(self, said: ShareSaid) -> None:
        """Take what a seat says; the first answer to a request counts."""
        seat = Seat(said.seat)
        if seat not in self._asked or self._match.entry.seats[seat].bot != said.bot:
            return
        text = said.share if self._reveals else said.commitment
        if text is None or seat in self._said or self._timer is None:
            return
        self._said[seat] = text if is_hex(text, SHARE_DIGITS) else NOTHING
        await self._go_on_if_complete()

    async def expire(self, due: ShareDue) -> None:
        """The time of a step is up; who has said nothing gives nothing."""
        if self._timer is not None and due.reveals == self._reveals:
            await self._go_on()

    def stop(self) -> None:
        """Ask no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # --- inside ---------------------------------------------------------------------------------------

    def _ask(self, seat: Seat) -> None:
        match = self._match
        session = self._hub.session(match.entry.seats[seat].bot)
        if self._reveals:
            if not match.commitments[seat]:
                return
            self._asked.add(seat)
        if session is None or not session.shares:
            return
        self._asked.add(seat)
        left = max(self._due - self._now(), 0)
        session.send(
            ShareRequest(
                match=match.id, seat=seat, commitments=match.commitments, budget=left, event=match.version
            )
        )

    async def _go_on_if_complete(self) -> None:
        if self._asked <= self._said.keys():
            await self._go_on()

    async def _go_on(self) -> None:
        """Store what was said, and take the next step."""
        self.stop()
        said = [self._said.get(Seat(seat), NOTHING) for seat in range(len(self._match.entry.seats))]
        if not self._reveals and any(said):
            self._match.commit_shares(at=self._now(), commitments=said)
            await self._writer.save(self._match)
            await self.start()
            return
        self._match.begin(self._secrets, at=self._now(), shares=said if self._reveals else ())
        forfeit_faulty(self._match, self._now())
        await self._writer.save(self._match)
        log.info("match_set_up", match=self._match.id, shares=sum(map(bool, self._match.counted)))
        self._tell()

    def _tell(self) -> None:
        if self._match.revealed is None:
            return
        for bot in dict.fromkeys(entry.bot for entry in self._match.entry.seats):
            self._hub.send(bot, telling.shares(self._match, self._match.revealed))
