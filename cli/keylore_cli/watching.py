"""Watching a log from outside, look by look, and checking the evidence of others."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import click
import msgspec

from keylore_cli.context import Context
from keylore_cli.logbooks import Logbook, opened_log, read_text
from keylore_domain.engine.checkpoints import NoteKey, opened_checkpoint
from keylore_domain.errors import DataFileError, LedgerError, ReplayMismatchError
from keylore_services.arbiter.keys import is_signature
from keylore_services.proof.monitor import Monitor, Observation, confirmed, expect_one_arbiter

T = TypeVar("T")


class Watch:
    """Looks at one log; the key is the one given, the one kept, or at the first look the one told.

    When the arbiter rotates its keys, a monitor follows it by the history that both keys have signed.

    Attributes:
        evidence: the file that evidence of a fork is written to.
    """

    def __init__(
        self, settings: Context, server: str | None, ca: Path | None, kept: Path, key: str | None
    ) -> None:
        self.evidence = kept.with_name(f"{kept.name}.fork.json")
        self._settings = settings
        self._server = server
        self._ca = ca
        self._kept = kept
        self._key_file = kept.with_name(f"{kept.name}.key")
        self._key = key

    def look(self) -> Observation:
        """One look.

        Raises:
            NotFoundError, LedgerError, ReplayMismatchError, DataFileError: as for `looks`.
        """
        return self.through(self._looked)

    def _looked(self, log: Logbook, key: NoteKey) -> Observation:
        """A look; from key to key, if the arbiter has rotated its keys since the last one."""
        note, told = log.newest()
        history = log.key_history()
        known, now = self._kept_key() or str(key), NoteKey.parse(told)
        if NoteKey.parse(known) != key:
            expect_one_arbiter(key, NoteKey.parse(known), history)
        found = Monitor(self._kept, NoteKey.parse(known)).look(_Shown(log, note), now, history)
        if found.verdict in {"first", "grown", "same"}:
            self._keep_key(found.seen_key or found.key)
        return found

    def through(self, look: Callable[[Logbook, NoteKey], T]) -> T:
        """What *look* finds in the log, whose key is given to it.

        Raises:
            NotFoundError, LedgerError, ReplayMismatchError, DataFileError: as for `looks`.
        """
        with opened_log(self._settings, self._server, self._ca) as log:
            key = self._trusted(lambda: log.newest()[1])
            try:
                return look(log, key)
            except DataFileError as error:
                if error.entry == str(self._kept):
                    raise
                msg = f"the log shows a head that is not signed with {key}: {error}"
                raise ReplayMismatchError(msg) from error

    def _trusted(self, told: Callable[[], str]) -> NoteKey:
        if self._key is None:
            self._key = self._kept_key() or self._believed(told())
        return NoteKey.parse(self._key)

    def _kept_key(self) -> str:
        return read_text(self._key_file).strip() if self._key_file.exists() else ""

    def _keep_key(self, key: str) -> None:
        """Keep the key of the checkpoint that is kept."""
        if key == self._kept_key():
            return
        try:
            self._key_file.write_text(f"{key}\n")
        except OSError as error:
            raise DataFileError(str(self._key_file), f"cannot be written: {error.strerror}") from error

    def _believed(self, key: str) -> str:
        if self._kept.exists():
            self._expect_signed(NoteKey.parse(key))
        self._keep_key(str(NoteKey.parse(key)))
        click.echo(f"believing the key {key}; compare it with the one that the league publishes", err=True)
        return key

    def _expect_signed(self, key: NoteKey) -> None:
        """A checkpoint that was kept without its key says whether the key that is told signed it."""
        try:
            opened_checkpoint(read_text(self._kept), key, is_signature)
        except DataFileError as error:
            problem = (
                f"is no checkpoint that the key which the log tells has signed ({error}); "
                "name the key of the log with --key"
            )
            raise DataFileError(str(self._kept), problem) from error


class _Shown:
    """A log, with the head that it has shown already."""

    def __init__(self, log: Logbook, note: str) -> None:
        self._log = log
        self._note = note

    def latest(self) -> str:
        """The head."""
        return self._note

    def consistency(self, old: int, new: int) -> Sequence[str]:
        """The consistency proof between two sizes."""
        return self._log.consistency(old, new)


def looks(look: Callable[[], T], every: float | None) -> Iterator[T]:
    """A *look* now, and then one *every* so many seconds (only one for ``None``).

    A server that gives no answer is asked again, but for the first look.

    Raises:
        LedgerError: the log cannot be asked at the first look.
        ReplayMismatchError: a head is not signed with the key.
        DataFileError: a file cannot be used.
    """
    yield look()
    while every is not None:
        time.sleep(every)
        try:
            found = look()
        except LedgerError as error:
            click.echo(f"{error}; looking again in {every:g} seconds", err=True)
            continue
        yield found


def convicted(file: Path, key: str | None) -> tuple[Observation, str]:
    """The evidence in *file*, and what it shows; empty if nothing.

    Args:
        key: the key of the accused log; the one that the file names by default.

    Raises:
        DataFileError: it is no evidence, or is not signed with the key.
    """
    try:
        evidence = msgspec.json.decode(read_text(file), type=Observation)
    except msgspec.DecodeError as error:
        raise DataFileError(str(file), f"is no evidence of a fork: {error}") from error
    if key is not None and evidence.key != key:
        raise DataFileError(str(file), f"accuses the log with the key {evidence.key}, not {key}")
    return evidence, confirmed(evidence)
