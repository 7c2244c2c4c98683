"""The monitor: follows the checkpoints of a log from outside, and shouts when they contradict each other.

It trusts nothing but the log's public key and the last checkpoint that it saw itself. Two heads of one log
that no consistency proof joins are a fork: somebody was shown another history. Both are signed, so whoever
holds them can show it to anyone.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from keylore_domain.engine.checkpoints import Checkpoint, CheckSignature, NoteKey, opened_checkpoint
from keylore_domain.engine.heads import hash_of
from keylore_domain.engine.merkle import verify_consistency
from keylore_domain.engine.receipts import KeyEvent, keys_of_one
from keylore_domain.errors import DataFileError, NotFoundError, ReplayMismatchError
from keylore_services.arbiter.keys import is_signature

Verdict = Literal["first", "same", "grown", "behind", "fork"]


class LogSource(Protocol):
    """A log as a monitor asks it: a `TransparencyLog`, or a client of a server that has one."""

    def latest(self) -> str:
        """The last signed checkpoint.

        Raises:
            NotFoundError: there is none.
        """

    def consistency(self, old: int, new: int) -> Sequence[str]:
        """The consistency proof between two sizes, as hexadecimal hashes.

        Raises:
            NotFoundError: the log has not so many leaves.
        """


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """What a look at the log gave.

    Attributes:
        verdict: ``first``: nothing was known before. ``same``, ``grown``: all is well. ``behind``: an older
            head was shown, which fits. ``fork``: the heads contradict each other.
        key: the key of the log, as ``NAME+ID+BASE64``.
        known: the checkpoint that was known before; empty at the first look.
        seen: the checkpoint that the log shows now.
        proof: the consistency proof that the log gave.
        reason: what is wrong, in words; empty if nothing is.
        seen_key: the key under ``seen``, if it is another than ``key``, and ``history`` the events of the
            arbiter's keys that join the two.
    """

    verdict: Verdict
    key: str
    known: str
    seen: str
    proof: tuple[str, ...] = ()
    reason: str = ""
    seen_key: str = ""
    history: tuple[KeyEvent, ...] = ()

    @property
    def is_fork(self) -> bool:
        """Whether the log has shown two histories."""
        return self.verdict == "fork"


def observe(
    source: LogSource,
    key: NoteKey,
    known: str = "",
    check: CheckSignature = is_signature,
    *,
    now: NoteKey | None = None,
    history: Sequence[KeyEvent] = (),
) -> Observation:
    """Compare the head of a log with a checkpoint that was *known* before.

    Args:
        key: that of the known checkpoint.
        now: the key that the log has now, if it is another; *history* must join the two.

    Raises:
        NotFoundError: the log has no checkpoint yet.
        DataFileError: a checkpoint is not one, or is not signed with its key.
        ReplayMismatchError: the two keys are not of one arbiter.
    """
    seen = source.latest()
    present = now or key
    is_rotated = present != key
    expect_one_arbiter(key, present, history, check)
    after = opened_checkpoint(seen, present, check)
    if not known:
        return Observation(verdict="first", key=str(present), known="", seen=seen)
    before = opened_checkpoint(known, key, check)
    small, great = sorted((before, after), key=lambda head: head.size)
    proof, problem = _asked(source, small.size, great.size)
    reason = problem or contradiction(small, great, proof)
    verdict: Verdict = "grown" if after.size > before.size else "behind"
    if after.size == before.size:
        verdict = "same"
    return Observation(
        verdict="fork" if reason else verdict,
        key=str(key),
        known=known,
        seen=seen,
        proof=proof,
        reason=reason,
        seen_key=str(present) if is_rotated else "",
        history=tuple(history) if is_rotated else (),
    )


def expect_one_arbiter(
    key: NoteKey, other: NoteKey, history: Sequence[KeyEvent], check: CheckSignature = is_signature
) -> None:
    """Check that the arbiter with *key* has or had *other* too.

    Raises:
        ReplayMismatchError: its *history* of keys does not say so.
    """
    if other != key and other.key not in keys_of_one(key.key, history, check):
        msg = f"the log is signed with {other} now, but was with {key}, and no rotation of keys joins the two"
        raise ReplayMismatchError(msg)


def contradiction(small: Checkpoint, great: Checkpoint, proof: Sequence[str]) -> str:
    """Why *proof* does not show that *great* continues *small*; empty if it does."""
    if small.size == great.size:
        same = small.root == great.root
        return "" if same else f"two different logs of {small.size} leaves were signed"
    try:
        path = [hash_of(step) for step in proof]
    except DataFileError as error:
        return f"the consistency proof cannot be read: {error}"
    if verify_consistency(small.size, great.size, small.root, great.root, path):
        return ""
    return f"the log of {great.size} leaves does not begin with the signed log of {small.size}"


def confirmed(evidence: Observation, check: CheckSignature = is_signature) -> str:
    """What *evidence* of a fork shows, checked again by someone who believes nobody; empty if nothing.

    Two signed heads of one size convict the log by themselves. With heads of different sizes the log may
    still answer with a proof that joins them; if it cannot, that convicts it.

    Raises:
        DataFileError: a checkpoint is not signed with the key that the evidence names.
        ReplayMismatchError: the two keys that it names are not of one arbiter.
    """
    key = NoteKey.parse(evidence.key)
    now = NoteKey.parse(evidence.seen_key) if evidence.seen_key else key
    expect_one_arbiter(key, now, evidence.history, check)
    pairs = ((evidence.known, key), (evidence.seen, now))
    heads = [opened_checkpoint(note, signer, check) for note, signer in pairs]
    small, great = sorted(heads, key=lambda head: head.size)
    return contradiction(small, great, evidence.proof)


class Monitor:
    """Follows one log; keeps the last good checkpoint in a file, and evidence of a fork beside it.

    Attributes:
        evidence: the file that evidence is written to.
    """

    def __init__(self, kept: Path, key: NoteKey, check: CheckSignature = is_signature) -> None:
        self.evidence = kept.with_name(f"{kept.name}.fork.json")
        self._kept = kept
        self._key = key
        self._check = check

    def look(
        self, source: LogSource, now: NoteKey | None = None, history: Sequence[KeyEvent] = ()
    ) -> Observation:
        """Look at the log once.

        Args:
            now: the key that the log has now, if it is another than that of the kept checkpoint; *history*
                must join the two.

        Raises:
            NotFoundError: the log has no checkpoint yet.
            DataFileError: a checkpoint is not signed with the key, or a file cannot be used.
            ReplayMismatchError: the two keys are not of one arbiter.
        """
        try:
            known = self._kept.read_text() if self._kept.exists() else ""
            found = observe(source, self._key, known, self._check, now=now, history=history)
            if found.is_fork:
                _write(self.evidence, msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
            elif found.verdict in {"first", "grown"} or (found.verdict == "same" and found.seen_key):
                _write(self._kept, found.seen.encode())
        except OSError as error:
            raise DataFileError(str(self._kept), f"cannot be used: {error.strerror or error}") from error
        return found


def _asked(source: LogSource, old: int, new: int) -> tuple[tuple[str, ...], str]:
    """The proof that the log gives, or why it gives none."""
    try:
        return tuple(source.consistency(old, new)), ""
    except NotFoundError as error:
        return (), f"the log cannot show how {new} leaves continue {old}: {error}"


def _write(path: Path, content: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(content)
    draft.replace(path)
