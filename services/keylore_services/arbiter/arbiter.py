"""The arbiter: all live matches of this process."""

import asyncio
from collections.abc import Sequence

import structlog

from keylore_domain import catalog
from keylore_domain.bots import Bot, bot_id, token_digest
from keylore_domain.engine.chance import commitment
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.matches import Catalog, Match, Secrets, Signer
from keylore_domain.engine.receipts import KeyEvent, Standing, signed_standing
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.shares import Beacon
from keylore_domain.errors import AccessError, ConflictError, KeyloreError, LedgerError, NotFoundError
from keylore_services.arbiter import telling
from keylore_services.arbiter.hub import Hub, Session
from keylore_services.arbiter.inbox import Abort, Returned, Stop
from keylore_services.arbiter.keys import KeyRing
from keylore_services.arbiter.messages import Answer, Held, Refusal, ShareSaid
from keylore_services.arbiter.notary import Notary
from keylore_services.arbiter.runner import Runner
from keylore_services.arbiter.times import Now
from keylore_services.ledger.ledger import Ledger, key_events
from keylore_services.ledger.matches import MatchIndex, is_sealed, opening_of
from keylore_services.ledger.writer import Writer
from keylore_services.tournament.tables import Forfeit, MatchEnd, MatchSpec
from keylore_services.tournament.turns import Turns

log = structlog.get_logger()


class Arbiter:
    """Opens matches, plays them, and hands what bots say to the match it is meant for.

    Attributes:
        hub: who is connected.
        turns: who plays how many matches at once.
        failed: set when the store failed; the process must end, since nothing can be acknowledged any more.
    """

    def __init__(
        self,
        ledger: Ledger,
        writer: Writer,
        keys: KeyRing,
        now: Now,
        games: Catalog = catalog.game,
        *,
        beacon: Beacon | None = None,
    ) -> None:
        """Play nothing yet.

        Args:
            beacon: a public value that is mixed into the seed of each new match, unless its seed is public.
        """
        self.hub = Hub()
        self.turns = Turns(self.hub.capacity)
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ledger = ledger
        self._writer = writer
        self._keys = keys
        self._now = now
        self._games = games
        self._beacon = beacon
        self._runners: dict[str, Runner] = {}
        self._tasks: dict[str, asyncio.Task[MatchEnd | None]] = {}
        self._by_bot: dict[str, set[str]] = {}
        self._bots: dict[str, Bot] = {}
        self._over: dict[str, frozenset[str]] = {}

    # --- matches --------------------------------------------------------------------------------------

    async def open(self, spec: MatchSpec) -> None:
        """Open the match that *spec* describes, or go on with it if it exists already.

        Raises:
            NotFoundError, OptionError, DataFileError: the game or its options are wrong.
        """
        if spec.match_id not in self._runners:
            try:
                match = self._ledger.load(spec.match_id, self._blank)
            except NotFoundError:
                match = await self._new(spec)
            else:
                await self._take_up(match)
            self._start(match)
        self.forfeit(spec.match_id, spec.forfeits)

    async def resume_all(self, patience: float = 0.0, *, only: str = "") -> int:
        """Take up every unfinished match of the ledger; gives how many there are.

        Args:
            only: those whose ids begin so.
            patience: seconds that the bots of each may take to come back before anybody is asked: that the
                arbiter was away must not cost them time.
        """
        unfinished = [match_id for match_id in self._unfinished() if match_id.startswith(only)]
        for match_id in unfinished:
            if match_id not in self._runners:
                match = self._ledger.load(match_id, self._blank)
                await self._take_up(match)
                self._start(match, patience)
        return len(unfinished)

    async def ended(self, match_id: str) -> MatchEnd:
        """Wait for the end of a match.

        Raises:
            NotFoundError: there is no such match.
        """
        task = self._tasks.get(match_id)
        end = await asyncio.shield(task) if task is not None else None
        if end is not None:
            return end
        match = self._ledger.load(match_id, self._blank)
        if not match.is_over:
            msg = f"{match_id} is not being played"
            raise NotFoundError(msg)
        return MatchEnd.of(match)

    def match(self, match_id: str) -> Match:
        """A live match.

        Raises:
            NotFoundError: it is not live here.
        """
        if match_id not in self._runners:
            msg = f"{match_id} is not being played here"
            raise NotFoundError(msg)
        return self._runners[match_id].match

    def live(self) -> tuple[str, ...]:
        """The ids of the matches that are being played."""
        return tuple(self._runners)

    def abort(self, match_id: str, cause: str) -> None:
        """End a live match without a result.

        Raises:
            NotFoundError: it is not live here.
        """
        self.match(match_id)
        self._runners[match_id].post(Abort(cause))

    def forfeit(self, match_id: str, forfeits: Sequence[Forfeit]) -> None:
        """Let seats of a match forfeit, as soon as anybody is asked; does nothing if it is not live here."""
        if match_id in self._runners:
            for one in forfeits:
                self._runners[match_id].forfeit(Seat(one.seat), one.cause)

    async def stop(self, cause: str) -> None:
        """Pause every match and end every stream; all goes on when the arbiter is started again."""
        for runner in self._runners.values():
            runner.post(Stop(cause))
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self.hub.close_all(cause, retry=1_000)

    @property
    def key(self) -> str:
        """The public key of new matches, hexadecimal."""
        return self._keys.public_key

    @property
    def key_history(self) -> tuple[KeyEvent, ...]:
        """How that key follows from those before it; empty if it is the first."""
        return key_events(self._ledger)

    @property
    def chance(self) -> str:
        """The commitment to the secret behind the arbiter's shares of the seeds of new matches."""
        return self._keys.chance

    # --- bots -----------------------------------------------------------------------------------------

    def authenticate(self, token: str) -> Bot:
        """The bot that *token* belongs to.

        Raises:
            AccessError: no bot has this token.
        """
        digest = token_digest(token)
        if digest not in self._bots:
            self._read_bots()
        if digest not in self._bots:
            msg = "the token is unknown; `keylore bot new NAME` enrols a bot and prints its token"
            raise AccessError(msg)
        return self._bots[digest]

    async def attach(self, bot: str, session: Session) -> None:
        """A bot has connected: say whether its receipts still hold, then tell each of its matches."""
        for held in session.held:
            session.send(self._standing(held))
        await self.hub.attach(bot, session)
        self.turns.review()
        for match_id in sorted(self._by_bot.get(bot, set())):
            self._runners[match_id].post(Returned(bot))
        for match_id, event in session.resume.items():
            if match_id not in self._runners:
                await self._tell_ended(bot, session, match_id, event)

    def detach(self, bot: str, session: Session) -> None:
        """The stream of a bot is gone."""
        self.hub.detach(bot, session)

    def answered(self, answer: Answer) -> None:
        """Hand an answer to its match."""
        runner = self._runners.get(answer.match)
        if runner is not None and answer.bot in runner.bots:
            runner.post(answer)
            return
        refusal = self._misdirected(answer)
        if refusal is not None:
            self.hub.send(answer.bot, refusal)

    async def missing(self, bots: frozenset[str], seconds: float) -> frozenset[str]:
        """Wait until all *bots* are connected, at most *seconds*; gives those that are not."""
        return await self.hub.wait_for(bots, seconds)

    def shared(self, said: ShareSaid) -> None:
        """Hand what a seat says about its share of the seed to its match."""
        runner = self._runners.get(said.match)
        if runner is not None and said.bot in runner.bots:
            runner.post(said)

    def is_away(self, bot: str) -> bool:
        """Whether *bot* is not connected."""
        return self.hub.session(bot) is None

    # --- inside ---------------------------------------------------------------------------------------

    def _blank(self, match_id: str) -> Match:
        return Match(match_id, self._games)

    async def _new(self, spec: MatchSpec) -> Match:
        match = Match.open(
            spec.match_id,
            self._games,
            self._secrets(self._keys.public_key, spec.seed_label or spec.match_id, spec.public_seed),
            at=self._now(),
            game=spec.game,
            rules=spec.rules,
            engine=catalog.ENGINE_VERSION,
            options=spec.options,
            seats=spec.seats,
            time=spec.time,
            origin=spec.origin,
            data_text=spec.data_text,
            public_seed=spec.public_seed,
            seed_label=spec.seed_label,
            shares=spec.public_seed is None and spec.seed_label is None,
            beacon=self._beacon if spec.public_seed is None else None,
        )
        await self._writer.save(match)
        log.info("match_opened", match=spec.match_id, game=spec.game)
        return match

    async def _take_up(self, match: Match) -> None:
        if match.is_over:
            return
        secrets = self._secrets_of(match)
        if commitment(secrets.share) != match.entry.commitment:
            msg = (
                f"{match.id} was opened with another chance key; put the keys folder that belongs to this "
                "ledger back, or abort the match"
            )
            raise LedgerError(msg)
        if match.awaits_shares:
            log.info("match_resumed", match=match.id)
            return
        match.resume(at=self._now(), cause="the arbiter was started again")
        await self._writer.save(match)
        log.info("match_resumed", match=match.id, ply=match.live_position.ply)

    def _secrets(self, key: str, name: str, public_seed: str | None) -> Secrets:
        pair = self._keys.pair(key)
        if public_seed is not None:
            return Secrets(self._keys.match_seed(name, public_seed), pair)
        return Secrets(pair.share(name), pair, pair.chance)

    def _secrets_of(self, match: Match) -> Secrets:
        """What belongs to a match that was opened, perhaps under older keys."""
        return self._secrets(match.entry.key, match.entry.seed_name, match.entry.public_seed)

    def _start(self, match: Match, patience: float = 0.0) -> None:
        if match.is_over:
            return
        secrets = self._secrets_of(match)
        runner = Runner(match, secrets, ledger=self._ledger, writer=self._writer, hub=self.hub, now=self._now)
        runner.patience = patience
        self._runners[match.id] = runner
        self.turns.hold(match.id, runner.bots)
        for bot in runner.bots:
            self._by_bot.setdefault(bot, set()).add(match.id)
        self._tasks[match.id] = asyncio.create_task(self._play(runner), name=match.id)

    async def _play(self, runner: Runner) -> MatchEnd | None:
        """Run a match; gives how it ended, if it did and that is stored."""
        match_id = runner.match.id
        try:
            await runner.run()
            log.info("match_ended", match=match_id, status=runner.match.status)
            return MatchEnd.of(runner.match) if runner.match.is_over else None
        except ConflictError as error:
            log.warning("match_lost", match=match_id, reason=str(error))
        except KeyloreError as error:
            log.error("store_failed", match=match_id, reason=str(error))
            if not self.failed.done():
                self.failed.set_exception(error)
        finally:
            del self._runners[match_id]
            del self._tasks[match_id]
            for bot in set(runner.bots):
                self._by_bot[bot].discard(match_id)
            self.turns.leave(match_id)
        return None

    def _unfinished(self) -> list[str]:
        """The matches that are not over, by id."""
        index = MatchIndex(self._ledger)
        try:
            entries = [*index.entries(status="playing"), *index.entries(status="paused")]
        finally:
            index.close()
        return sorted(entry.id for entry in entries)

    def _read_bots(self) -> None:
        for identity in self._ledger.ids(bot_id("")):
            bot = self._ledger.load(identity, Bot)
            stale = [digest for digest, known in self._bots.items() if known.id == identity]
            for digest in stale:
                del self._bots[digest]
            self._bots[bot.digest] = bot

    def _misdirected(self, answer: Answer) -> Refusal | None:
        """What to say to an answer whose match is not live; nothing if the match will go on later."""
        if answer.bot in self._players(answer.match):
            if answer.match not in self._over:
                return None
            code, message = "match_over", f"{answer.match} is over"
        else:
            code, message = "not_found", f"{answer.match[:200]!r} is not a match of this bot"
        return Refusal(match=answer.match[:200], prompt=answer.prompt, code=code, message=message)

    def _players(self, match_id: str) -> frozenset[str]:
        """The bots of a stored match, and note whether it is over; empty if there is no such match.

        Reads its ends only: a stray answer must not cost the others a whole match played again.
        """
        if match_id in self._over:
            return self._over[match_id]
        try:
            opened = opening_of(self._ledger, match_id)
            is_over = is_sealed(self._ledger, match_id)
        except KeyloreError:
            return frozenset()
        if opened is None:
            return frozenset()
        bots = frozenset(entry.bot for entry in opened.seats)
        if is_over:
            self._over[match_id] = bots
        return bots

    async def _tell_ended(self, bot: str, session: Session, match_id: str, event: int) -> None:
        """What a bot missed of a match that ended while it was away."""
        match = await self._stored(match_id) if bot in self._players(match_id) else None
        if match is None:
            message = f"{match_id[:200]!r} is not a match of this bot"
            session.send(Refusal(match=match_id[:200], prompt=0, code="not_found", message=message))
            return
        notary = Notary(match, self._ledger, self._signer_of(match_id))
        await asyncio.to_thread(notary.recall)
        telling.tell_missed(session, match, bot, self._ledger.stored(match_id, after=event), notary)

    def _standing(self, held: Held) -> Standing:
        """Whether the ledger still holds the event of a receipt, signed."""
        row = self._ledger.stored_one(held.match, held.event)
        kept = row is not None and row.originator_version == held.event and sha256_hex(row.state) == held.head
        if not kept:
            log.warning("receipt_denied", match=held.match[:200], version=held.event)
        standing = Standing(match=held.match, event=held.event, head=held.head, kept=kept)
        return signed_standing(standing, self._signer_of(held.match))

    def _signer_of(self, match_id: str) -> Signer:
        """Who signs about a match: the key that it was opened under; the present one if that is not here."""
        try:
            opened = opening_of(self._ledger, match_id)
            return self._keys.pair(opened.key) if opened is not None else self._keys
        except KeyloreError:
            return self._keys

    async def _stored(self, match_id: str) -> Match | None:
        """A stored match, played again in a thread so that live ones go on; ``None`` if it is damaged."""
        try:
            return await asyncio.to_thread(self._ledger.load, match_id, self._blank)
        except KeyloreError:
            return None
