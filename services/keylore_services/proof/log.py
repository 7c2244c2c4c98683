"""The transparency log: finished matches and tournament events in a tree that can only grow.

The leaves follow from the ledger alone; a follower lists them, so the list may be deleted and comes out the
same. The checkpoints that were signed are events of the ledger: whoever alters it afterwards cannot go on
with the log, since nothing is signed that contradicts an earlier checkpoint.
"""

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Final, Protocol, Self

import msgspec
from eventsourcing.persistence import Notification

from keylore_domain.engine.checkpoints import (
    Checkpoint,
    NoteKey,
    NoteSigner,
    opened_checkpoint,
    parsed_checkpoint,
    signed_note,
    text_of,
)
from keylore_domain.engine.encoding import sha256_hex
from keylore_domain.engine.heads import LOG_ID, CheckpointSigned, Heads, LogProof, leaf_data
from keylore_domain.engine.merkle import MerkleTree, leaf_hash
from keylore_domain.engine.receipts import KeyEvent
from keylore_domain.errors import DataFileError, LedgerError, NotFoundError
from keylore_services.arbiter.keys import is_signature
from keylore_services.ledger.followers import Follower
from keylore_services.ledger.ledger import Ledger, key_events

_SEALED: Final = "keylore:Match.Sealed"
_RECORDS: Final = ("keylore:Tournament.", "keylore:Dispute.", "keylore:Keys.")

_COLUMNS: Final = """
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, version INTEGER NOT NULL, digest TEXT NOT NULL,
    UNIQUE (id, version)
"""
_INSERT: Final = "INSERT INTO log_leaves VALUES ((SELECT count(*) FROM log_leaves), ?, ?, ?)"
_LEAVES: Final = """
    SELECT number, id, version, digest FROM log_leaves WHERE number >= ? ORDER BY number LIMIT ?
"""
_FIND: Final = """
    SELECT number, id, version, digest FROM log_leaves WHERE id = ? AND (? = 0 OR version = ?)
    ORDER BY number DESC LIMIT 1
"""


class Leaf(msgspec.Struct, frozen=True):
    """A leaf: event ``version`` of ``id``, whose stored bytes have this SHA-256; ``number`` counts from 0."""

    number: int
    id: str
    version: int
    digest: str

    @property
    def data(self) -> bytes:
        """What is hashed."""
        return leaf_data(self.id, self.version, self.digest)


class LogSigner(NoteSigner, Protocol):
    """Signs the heads of a log; rotated keys sign beside the present one, for those who know them."""

    @property
    def older(self) -> Sequence[NoteSigner]:
        """The older keys."""


class LeafView:
    """The list of leaves, as a follower computes it."""

    name = "log"
    version = 2
    tables: Mapping[str, str] = {"log_leaves": _COLUMNS}

    def handle(self, connection: sqlite3.Connection, events: Sequence[Notification]) -> None:
        """Add a leaf for each event that is one."""
        for event in events:
            if event.topic == _SEALED or event.topic.startswith(_RECORDS):
                place = (event.originator_id, event.originator_version, sha256_hex(event.state))
                connection.execute(_INSERT, place)


def log_key(public_key: str, origin: str | None = None) -> NoteKey:
    """The name and key of the log of an arbiter.

    Args:
        public_key: the arbiter's, hexadecimal.
        origin: the log's name, best an address without scheme, such as ``league.example/log``; made of the
            key by default.
    """
    return NoteKey(origin or f"keylore/{public_key[:16]}", public_key)


class TransparencyLog:
    """The log of a ledger. Usable from any thread."""

    def __init__(self, ledger: Ledger, key: NoteKey) -> None:
        """Open the log.

        Args:
            key: under which name and key checkpoints are signed.

        Raises:
            LedgerError: the file of the views cannot be used.
        """
        self.key = key
        self._ledger = ledger
        self._follower = Follower(ledger, LeafView())
        self._tree = MerkleTree()
        self._known = Heads()
        self._signing = threading.RLock()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the list of leaves."""
        self._follower.close()

    @property
    def key_history(self) -> tuple[KeyEvent, ...]:
        """The history of the arbiter's keys; empty while the first one is the only one."""
        return key_events(self._ledger)

    @property
    def size(self) -> int:
        """The number of leaves by now.

        Raises:
            LedgerError: the ledger or its views cannot be read.
        """
        return self._grown().size

    def checkpoint(self, signer: LogSigner, at: int) -> str:
        """The newest head of the log as a signed note; signed now, unless nothing was added since the last.

        Raises:
            LedgerError: the ledger does not continue what was signed before: it was altered. Nothing is
                signed then.
            ConflictError: another process has signed one meanwhile; ask again.
        """
        tree, size = self._grown(), self._tree.size
        with self._signing:
            heads = self._heads()
            latest = heads.latest
            if latest is not None:
                self._check_continues(tree, latest)
                if latest.size >= size and self._is_ours(latest.note):
                    return heads.note(latest.size)
            head = Checkpoint(self.key.name, size, tree.root(size))
            note = signed_note(head.text, self.key.name, signer, *signer.older)
            heads.sign(note, at)
            self._save(heads)
            return note

    def latest(self) -> str:
        """The last checkpoint that was signed, with the cosignatures that it got.

        Raises:
            NotFoundError: none was signed yet.
        """
        heads, latest = self._signed()
        return heads.note(latest.size)

    def cosign(self, size: int, line: str, witness: NoteKey, at: int) -> bool:
        """Store the cosignature *line* of *witness* on the checkpoint of *size*; gives whether it is new.

        Raises:
            NotFoundError: no such checkpoint was signed, or it was long ago.
            DataFileError: the line is no cosignature of it by *witness*.
            ConflictError: it has too many, or another process wrote to the log; ask again.
        """
        with self._signing:
            heads = self._heads()
            is_new = heads.cosign(size, line, witness, at, is_signature)
            self._save(heads)
            return is_new

    def consistency(self, old: int, new: int) -> tuple[str, ...]:
        """The proof that the log of *new* leaves begins with that of *old*, as hexadecimal hashes.

        Raises:
            NotFoundError: the log never had so many leaves.
        """
        return tuple(step.hex() for step in self._grown().consistency(old, new))

    def proof_of(self, identity: str, version: int = 0) -> LogProof:
        """The proof that a match (or event *version* of a tournament) is in a checkpoint.

        Of the checkpoints that hold it, the last of those with the most cosignatures is taken.

        Raises:
            NotFoundError: it is in none.
        """
        (heads, _), leaf = self._signed(), self.leaf_of(identity, version)
        try:
            note = heads.best(leaf.number)
        except NotFoundError as error:
            msg = f"{identity} came into the log after its last checkpoint; sign a new one"
            raise NotFoundError(msg) from error
        size = parsed_checkpoint(text_of(note)).size
        path = self._grown().inclusion(leaf.number, size)
        return LogProof(index=leaf.number, path=tuple(step.hex() for step in path), checkpoint=note)

    def proof_at(self, identity: str, note: str) -> LogProof:
        """The proof that a match is in the log of the signed checkpoint *note*, which somebody kept.

        Whether it leads to the root that the checkpoint names is for the verifier to see.

        Raises:
            DataFileError: *note* is no checkpoint.
            NotFoundError: the match came into the log later, or the log has not so many leaves.
        """
        size, leaf = parsed_checkpoint(note.rpartition("\n\n")[0] + "\n").size, self.leaf_of(identity)
        path = self._grown().inclusion(leaf.number, size)
        return LogProof(index=leaf.number, path=tuple(step.hex() for step in path), checkpoint=note)

    def leaf_of(self, identity: str, version: int = 0) -> Leaf:
        """The leaf of a match, or of event *version* of a tournament (its last by default).

        Raises:
            NotFoundError: it has none.
        """
        self._grown()
        for row in self._follower.rows(_FIND, (identity, version, version)):
            return Leaf(*row)
        what = f"event {version} of {identity}" if version else identity
        msg = f"{what} is not in the log; sealed matches and events of tournaments are"
        raise NotFoundError(msg)

    def leaves(self, first: int = 0, count: int = -1) -> list[Leaf]:
        """Up to *count* leaves (all by default) from number *first* on: what a monitor hashes for itself."""
        self._grown()
        return [Leaf(*row) for row in self._follower.rows(_LEAVES, (first, count))]

    def _grown(self) -> MerkleTree:
        """The tree of all leaves by now."""
        self._follower.catch_up()
        with self._lock:
            for row in self._follower.rows(_LEAVES, (self._tree.size, -1)):
                self._tree.append(leaf_hash(Leaf(*row).data))
            return self._tree

    def _heads(self) -> Heads:
        """The heads that were signed by now; only those are read that were not known before."""
        with self._signing:
            known, self._known = self._known, Heads()  # what cannot be read is read anew next time
            for row in self._ledger.stored(LOG_ID, after=known.version):
                known.replay(row.topic, row.state)
            self._known = known
            return known

    def _save(self, heads: Heads) -> None:
        """Store what is new in *heads*; forget what was known if that fails."""
        try:
            self._ledger.save(heads)
        except BaseException:
            self._known = Heads()
            raise

    def _signed(self) -> tuple[Heads, CheckpointSigned]:
        """The heads that were signed, and the last of them."""
        heads = self._heads()
        if heads.latest is None:
            msg = "the log has no checkpoint yet"
            raise NotFoundError(msg)
        return heads, heads.latest

    def _is_ours(self, note: str) -> bool:
        """Whether *note* is signed under this name and key, and not under older ones."""
        try:
            opened_checkpoint(note, self.key, is_signature)
        except DataFileError:
            return False
        return True

    def _check_continues(self, tree: MerkleTree, latest: CheckpointSigned) -> None:
        if latest.size <= tree.size and tree.root(latest.size).hex() == latest.root:
            return
        msg = (
            f"the ledger does not continue the log whose head of {latest.size} leaves was signed: it was "
            "altered, or is not whole. Nothing is signed."
        )
        raise LedgerError(msg)
