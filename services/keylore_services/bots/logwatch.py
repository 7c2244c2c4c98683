"""The kit's watch over the transparency log: it may only grow between two connections."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

import grpc
import msgspec
import structlog
from grpc.aio import AioRpcError, Channel

from keylore.v1 import log_pb2
from keylore.v1.log_pb2_grpc import LogServiceStub
from keylore_domain.engine.checkpoints import (
    CheckSignature,
    NoteKey,
    cosigned,
    parsed_checkpoint,
    text_of,
)
from keylore_domain.engine.receipts import KeyEvent
from keylore_domain.errors import DataFileError, HistoryError, NotFoundError, ReplayMismatchError
from keylore_services.arbiter.keys import is_signature
from keylore_services.bots.keeping import decoded, replace_file
from keylore_services.bots.wire import key_events_of
from keylore_services.proof.monitor import Observation, observe
from keylore_services.proof.witness import FileSigner

log = structlog.get_logger()

LOG: Final = "log.json"
FORK: Final = "log-fork.json"
WITNESS: Final = "witness.key"

REST_SECONDS: Final = 600.0
"""How long a bot cosigns nothing more after a head that it cosigned: each cosignature is stored for good."""

_SECONDS: Final = 5.0
_FOR_NOW: Final = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
}


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """The key of a log, as ``NAME+ID+BASE64``, and the last checkpoint that was seen of it."""

    key: str
    checkpoint: str


class LogWatch:
    """Compares the head of an arbiter's log with the one that was seen before.

    Args:
        folder: where the last checkpoint is kept, and the key with which the bot cosigns; without one the
            checkpoint is forgotten when the bot ends, and nothing is cosigned.

    Raises:
        DataFileError: what is kept cannot be read.
    """

    def __init__(self, folder: Path | None = None, check: CheckSignature = is_signature) -> None:
        self._folder = folder
        self._check = check
        self._seen = _read(folder / LOG) if folder is not None and (folder / LOG).exists() else None
        self._signer = FileSigner(folder / WITNESS) if folder is not None else None
        self._cosigned = ""
        self._rests_until = 0.0

    async def look(self, channel: Channel) -> None:
        """Ask the server for the head of its log, and for the proof that it continues the last one.

        A server that is too busy to answer is believed for now.

        Raises:
            HistoryError: the log does not continue the one that was seen before.
            DataFileError: a file cannot be written.
        """
        try:
            shown, proof, history = await _asked(channel, self._seen)
        except AioRpcError as error:
            self._unanswered(error)
        else:
            self._compare(shown, proof, history)

    async def cosign(self, channel: Channel, name: str, metadata: Sequence[tuple[str, str]]) -> None:
        """Cosign the last head that was seen, as the witness *name*, if there is a folder for its key.

        A server that does not take the cosignature is left in peace; it is kept nowhere else.

        Args:
            metadata: the bot's token, as it is sent along.
        """
        if self._signer is None or self._seen is None or self._seen.checkpoint == self._cosigned:
            return
        if time.monotonic() < self._rests_until:
            return
        note = self._seen.checkpoint
        line = cosigned(text_of(note), name, self._signer, int(time.time()))
        request = log_pb2.AddCosignatureRequest(
            size=_size(note),
            witness=str(NoteKey(name, self._signer.public_key, is_witness=True)),
            line=line,
        )
        try:
            await LogServiceStub(channel).AddCosignature(request, metadata=tuple(metadata), timeout=_SECONDS)
        except AioRpcError as error:
            log.info("head_not_cosigned", reason=error.details() or error.code().name)
        else:
            self._cosigned = note
            self._rests_until = time.monotonic() + REST_SECONDS

    def _compare(self, shown: Seen, proof: Sequence[str], history: Sequence[KeyEvent]) -> None:
        seen = self._seen or shown
        known = self._seen.checkpoint if self._seen is not None else ""
        told = _Told(shown.checkpoint, proof)
        try:
            key, now = NoteKey.parse(seen.key), NoteKey.parse(shown.key)
            found = observe(told, key, known, self._check, now=now, history=history)
        except (DataFileError, ReplayMismatchError) as error:
            msg = f"the server shows a head of its log that is worth nothing: {error}"
            raise HistoryError(msg) from error
        if found.is_fork:
            self._refuse(found)
        if found.verdict in {"first", "grown"} or found.seen_key:
            self._keep(shown)

    def _refuse(self, found: Observation) -> NoReturn:
        path = (self._folder or Path()) / FORK
        replace_file(path, msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
        log.error("log_forked", reason=found.reason, proof=str(path))
        msg = (
            f"the log of the server does not continue the one that it signed before: {found.reason} "
            "(`keylore log verify` checks the proof for whoever you show it to)"
        )
        raise HistoryError(msg, str(path))

    def _keep(self, shown: Seen) -> None:
        self._seen = shown
        if self._folder is not None:
            replace_file(self._folder / LOG, msgspec.json.encode(shown) + b"\n")

    def _unanswered(self, error: AioRpcError) -> None:
        """Nothing can be compared: that is no matter if nothing was seen before, or for a while."""
        if self._seen is None:
            return
        told = error.details() or error.code().name
        if error.code() not in _FOR_NOW:
            msg = f"the server does not show its transparency log any more: {told}"
            raise HistoryError(msg)
        if error.code() is not grpc.StatusCode.UNAVAILABLE:  # the connection tells of that itself
            log.warning("log_not_checked", reason=told)


class _Told:
    """What a server told of its log, as a `LogSource`."""

    def __init__(self, checkpoint: str, proof: Sequence[str]) -> None:
        self._checkpoint = checkpoint
        self._proof = proof

    def latest(self) -> str:
        """The checkpoint."""
        return self._checkpoint

    def consistency(self, old: int, new: int) -> Sequence[str]:
        """The proof that came with it."""
        if not self._proof and 0 < old < new:
            msg = "the server gives no proof"
            raise NotFoundError(msg)
        return self._proof


async def _asked(channel: Channel, seen: Seen | None) -> tuple[Seen, Sequence[str], Sequence[KeyEvent]]:
    """The head of the log, the proof that joins it with the one *seen* before, and the history of keys."""
    stub = LogServiceStub(channel)
    head = await stub.GetCheckpoint(log_pb2.GetCheckpointRequest(), timeout=_SECONDS)
    shown = Seen(key=head.key, checkpoint=head.checkpoint)
    proof = () if seen is None else await _proof(channel, seen, shown)
    return shown, proof, key_events_of(head.keys)


async def _proof(channel: Channel, seen: Seen, shown: Seen) -> Sequence[str]:
    """What the server gives to join two heads; nothing if it has nothing."""
    try:
        old, new = sorted(_size(note) for note in (seen.checkpoint, shown.checkpoint))
    except DataFileError:
        return ()
    if old == new:
        return ()
    request = log_pb2.GetConsistencyProofRequest(old_size=old, new_size=new)
    try:
        answer = await LogServiceStub(channel).GetConsistencyProof(request, timeout=_SECONDS)
    except AioRpcError as error:
        if error.code() in _FOR_NOW:
            raise
        return ()
    return [step.hex() for step in answer.path]


def _size(note: str) -> int:
    return parsed_checkpoint(text_of(note)).size


def _read(path: Path) -> Seen:
    try:
        return decoded(path.read_bytes(), Seen, str(path), "a checkpoint")
    except OSError as error:
        raise DataFileError(str(path), f"cannot be read: {error.strerror}") from error
