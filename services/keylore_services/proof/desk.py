"""The desk of the log: signs a head when the log has grown, and answers who asks, one after the other."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final, TypeVar

import structlog

from keylore_domain.engine.checkpoints import NoteKey
from keylore_domain.engine.heads import LogProof
from keylore_domain.engine.receipts import KeyEvent
from keylore_domain.errors import ConflictError, LedgerError
from keylore_services.arbiter.times import Now
from keylore_services.ledger.feed import Feed
from keylore_services.ledger.ledger import Ledger
from keylore_services.proof.log import Leaf, LogSigner, TransparencyLog

log = structlog.get_logger()

T = TypeVar("T")

PAUSE: Final = 1.0
"""Seconds between two heads that are signed because the log has grown."""

MOST_LEAVES: Final = 1_000
"""Leaves that are given at once."""

_ATTEMPTS: Final = 5


class LogDesk:
    """A transparency log in an event loop.

    Whoever asks for a head gets one over all that is stored by then. Beside that, a head is signed soon after
    the log has grown, whether anybody asks or not: see `keep_signing`.
    """

    def __init__(self, source: TransparencyLog, signer: LogSigner, now: Now) -> None:
        self._source = source
        self._signer = signer
        self._now = now
        self._turn = asyncio.Lock()

    @property
    def key(self) -> str:
        """The name and public key of the log, as ``NAME+ID+BASE64``."""
        return str(self._source.key)

    @property
    def key_history(self) -> tuple[KeyEvent, ...]:
        """How that key follows from those before it; empty if it is the first."""
        return self._source.key_history

    async def checkpoint(self) -> str:
        """The head of the log, as a signed note.

        Raises:
            LedgerError: the ledger was altered, so nothing is signed; or it cannot be used.
        """
        return await self._ask(lambda: signed_head(self._source, self._signer, self._now))

    async def proof(self, identity: str, version: int = 0) -> tuple[Leaf, LogProof]:
        """The leaf of a match or tournament event, and the proof that it is in the newest head.

        Raises:
            NotFoundError: it is not in the log.
            LedgerError: as for `checkpoint`.
        """

        def find() -> tuple[Leaf, LogProof]:
            leaf = self._source.leaf_of(identity, version)
            signed_head(self._source, self._signer, self._now)
            return leaf, self._source.proof_of(identity, leaf.version)

        return await self._ask(find)

    async def consistency(self, old: int, new: int) -> tuple[str, ...]:
        """The proof that the log of *new* leaves begins with that of *old*, as hexadecimal hashes.

        Raises:
            NotFoundError: the log never had so many leaves.
        """
        return await self._ask(lambda: self._source.consistency(old, new))

    async def cosign(self, size: int, line: str, witness: NoteKey) -> bool:
        """Store the cosignature *line* of *witness* on the head of *size* leaves; gives whether it is new.

        Raises:
            NotFoundError: no such head was signed, or it was long ago.
            DataFileError: the line is no cosignature of it by *witness*.
            ConflictError: it has too many.
        """
        return await self._ask(lambda: self._source.cosign(size, line, witness, self._now()))

    async def leaves(self, first: int, count: int) -> list[Leaf]:
        """Up to *count* leaves from number *first* on; at most `MOST_LEAVES`, also for a count of 0."""
        most = min(count or MOST_LEAVES, MOST_LEAVES)
        return await self._ask(lambda: self._source.leaves(first, most))

    async def keep_signing(self, ledger: Ledger, pause: float = PAUSE) -> None:
        """Sign a head now and whenever the log has grown, until cancelled; at most one in *pause* seconds.

        If the ledger does not continue what was signed before, that is logged and nothing is signed any more.
        """
        async with Feed(ledger) as feed, contextlib.aclosing(feed.changes()) as changes:
            async for _ in changes:
                try:
                    await self.checkpoint()
                except (LedgerError, ConflictError) as error:
                    log.error("log_not_signed", reason=str(error))
                    return
                await asyncio.sleep(pause)

    async def close(self) -> None:
        """Sign a last head over all that was stored, if the log has grown."""
        try:
            await self.checkpoint()
        except (LedgerError, ConflictError) as error:
            log.error("log_not_signed", reason=str(error))

    async def _ask(self, question: Callable[[], T]) -> T:
        async with self._turn:
            work = asyncio.ensure_future(asyncio.to_thread(question))
            try:
                return await asyncio.shield(work)
            finally:
                await asyncio.wait({work})  # who asked may have gone away; the log is not closed meanwhile


def signed_head(source: TransparencyLog, signer: LogSigner, now: Now) -> str:
    """The head of a log that other processes may sign at the same time.

    Raises:
        LedgerError: the ledger was altered, so nothing is signed; or it cannot be used.
        ConflictError: others sign all the time.
    """
    for _ in range(_ATTEMPTS - 1):
        with contextlib.suppress(ConflictError):
            return source.checkpoint(signer, now())
    return source.checkpoint(signer, now())
