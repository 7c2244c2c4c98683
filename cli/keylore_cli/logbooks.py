"""The transparency log as commands use it: of the league here, or of a server far away."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import grpc

from keylore_cli.context import Context
from keylore_domain.engine.checkpoints import Checkpoint, NoteKey, opened_checkpoint
from keylore_domain.engine.heads import LogProof, proof_flaw
from keylore_domain.engine.receipts import KeyEvent
from keylore_domain.errors import DataFileError, NotFoundError, OptionError, ReplayMismatchError
from keylore_services.arbiter.keys import KeyRing, is_signature
from keylore_services.arbiter.rotation import keys_of
from keylore_services.arbiter.times import Now, clock_after
from keylore_services.ledger.ledger import Ledger
from keylore_services.proof.desk import signed_head
from keylore_services.proof.log import Leaf, TransparencyLog, log_key
from keylore_services.proof.monitor import LogSource
from keylore_services.transport.log_client import RemoteLog


class Logbook(LogSource, Protocol):
    """A log that can be asked for everything."""

    def newest(self) -> tuple[str, str]:
        """The newest signed checkpoint, and the key (``NAME+ID+BASE64``) that is said to have signed it."""

    def key_history(self) -> tuple[KeyEvent, ...]:
        """The history of the arbiter's keys; empty while the first one is the only one."""

    def proof_of(self, identity: str, version: int = 0) -> tuple[Leaf, LogProof]:
        """The leaf of a match or tournament event, and the proof that it is in the newest checkpoint."""

    def leaves(self, first: int = 0, count: int = 0) -> list[Leaf]:
        """Up to *count* leaves from number *first* on."""


class LocalLog:
    """The log of the league of this machine; a head is signed whenever it has grown."""

    def __init__(self, source: TransparencyLog, keys: KeyRing, now: Now) -> None:
        self.source = source
        self._keys = keys
        self._now = now

    def newest(self) -> tuple[str, str]:
        """The newest checkpoint, signed now if the log has grown, and its key."""
        return self.latest(), str(self.source.key)

    def key_history(self) -> tuple[KeyEvent, ...]:
        """The history of the arbiter's keys."""
        return self.source.key_history

    def latest(self) -> str:
        """The newest checkpoint."""
        return signed_head(self.source, self._keys, self._now)

    def consistency(self, old: int, new: int) -> Sequence[str]:
        """The consistency proof between two sizes."""
        return self.source.consistency(old, new)

    def proof_of(self, identity: str, version: int = 0) -> tuple[Leaf, LogProof]:
        """The leaf of a match or tournament event, and its proof."""
        leaf = self.source.leaf_of(identity, version)
        self.latest()
        return leaf, self.source.proof_of(identity, leaf.version)

    def leaves(self, first: int = 0, count: int = 0) -> list[Leaf]:
        """Up to *count* leaves from number *first* on; all for 0."""
        return self.source.leaves(first, count or -1)


@contextmanager
def local_log(settings: Context, ledger: Ledger) -> Iterator[LocalLog]:
    """The log of a ledger that is open, signed with the keys of the league.

    Raises:
        LedgerError: the keys or the file of the views cannot be used.
    """
    now = clock_after(ledger)
    keys = keys_of(ledger, settings.keys, now())
    with TransparencyLog(ledger, log_key(keys.public_key, keys.log_name)) as source:
        yield LocalLog(source, keys, now)


def newest_proof(settings: Context, match_id: str) -> LogProof | None:
    """The proof that a match of the league is in its log; ``None`` if it is not (yet), or nobody can sign.

    Raises:
        LedgerError: the ledger was altered, so no head is signed.
    """
    if not settings.keys.exists():
        return None
    with opened_log(settings, None) as log:
        try:
            return log.proof_of(match_id)[1]
        except NotFoundError:
            return None


def proof_at(settings: Context, match_id: str, note: str) -> LogProof:
    """The proof that a match of the league is in the log of the checkpoint *note*, as the ledger gives it.

    Raises:
        DataFileError: *note* is no checkpoint.
        ReplayMismatchError: the log of that checkpoint cannot contain the match.
    """
    ledger = settings.existing_ledger()
    try:
        with local_log(settings, ledger) as log:
            return log.source.proof_at(match_id, note)
    except NotFoundError as error:
        msg = f"{match_id} is not in the log of that checkpoint: {error}"
        raise ReplayMismatchError(msg) from error
    finally:
        ledger.close()


def under_head(proof: LogProof | None, note: str) -> LogProof:
    """The *proof* of a game file, held against the checkpoint *note* instead of its own.

    Raises:
        DataFileError: one of them is none, or they are of different sizes.
    """
    if proof is None:
        raise DataFileError("log", "the file holds no proof; export it again from a league that signs heads")
    sizes = [text.split("\n")[1:2] for text in (proof.checkpoint, note)]
    if sizes[0] != sizes[1]:
        told = " and ".join(f"{size[0]} leaves" if size else "no checkpoint" for size in sizes)
        problem = (
            f"the proof in the file and the checkpoint are of {told}; they can be compared only at one size"
        )
        raise DataFileError("checkpoint", problem)
    return LogProof(index=proof.index, path=proof.path, checkpoint=note)


@contextmanager
def opened_log(settings: Context, server: str | None, ca: Path | None = None) -> Iterator[Logbook]:
    """The log of *server*, over TLS if *ca* is given; without a server the log of the league.

    Raises:
        OptionError: the address is none.
        NotFoundError: there is no league here, or the certificate file cannot be read.
    """
    if server is not None:
        with RemoteLog(checked_server(server), _credentials(ca)) as remote:
            yield remote
        return
    ledger = settings.existing_ledger()
    try:
        with local_log(settings, ledger) as local:
            yield local
    finally:
        ledger.close()


def checked_head(note: str, key: NoteKey) -> Checkpoint:
    """The checkpoint in *note*, which must be signed with *key*.

    Raises:
        ReplayMismatchError: it is not.
    """
    try:
        return opened_checkpoint(note, key, is_signature)
    except DataFileError as error:
        msg = f"the checkpoint is not signed with {key}: {error}"
        raise ReplayMismatchError(msg) from error


def checked_proof(leaf: Leaf, proof: LogProof, key: NoteKey) -> None:
    """Check that *proof* leads from *leaf* to a checkpoint that is signed with *key*.

    Raises:
        ReplayMismatchError: it does not.
    """
    checked_head(proof.checkpoint, key)
    flaw = proof_flaw(proof, leaf.data, key.key, is_signature)
    if flaw:
        msg = f"the log gives a wrong proof for {leaf.id}: {flaw}"
        raise ReplayMismatchError(msg)


def stretch(log: Logbook, first: int, count: int | None) -> list[Leaf]:
    """Up to *count* leaves (all for ``None``) from number *first* on, however few the log gives at once."""
    found: list[Leaf] = []
    while count is None or len(found) < count:
        part = log.leaves(first + len(found), 0 if count is None else count - len(found))
        if not part:
            break
        found += part
    return found


def trusted(key: str | None, told: str) -> NoteKey:
    """The key to check with: the one that the user gave, or the one that the log itself told.

    Args:
        key: as ``NAME+ID+BASE64``.

    Raises:
        DataFileError: it is no key.
    """
    return NoteKey.parse(key or told)


def read_text(path: Path) -> str:
    """The text of a small file that a user named.

    Raises:
        DataFileError: it cannot be read.
    """
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(str(path), f"cannot be read: {error}") from error


def checked_server(server: str) -> str:
    """*server*, if it is an address.

    Raises:
        OptionError: it is none.
    """
    if not server.rpartition(":")[0] or not server.rpartition(":")[2].isdigit():
        raise OptionError("server", f"{server!r} is not an address", "HOST:PORT, such as 127.0.0.1:4711")
    return server


def _credentials(ca: Path | None) -> grpc.ChannelCredentials | None:
    if ca is None:
        return None
    try:
        return grpc.ssl_channel_credentials(root_certificates=ca.read_bytes())
    except OSError as error:
        msg = f"the certificate file cannot be read: {error}"
        raise NotFoundError(msg) from error
