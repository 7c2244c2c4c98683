"""What a bot keeps of what the arbiter signed, so that nobody can show it another history later.

In a folder: ``receipts.jsonl``, a receipt in each line, only ever added to; ``arbiter.json``, the key that
the arbiter has; ``log.json``, the last checkpoint of its log; ``witness.key``, the secret with which the bot
cosigns checkpoints; and a file for each contradiction that was met.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import structlog

from keylore_domain.engine.checkpoints import CheckSignature
from keylore_domain.engine.receipts import (
    KeyEvent,
    Receipt,
    Standing,
    contradiction,
    contradicts,
    keys_of_one,
    signature_flaw,
)
from keylore_domain.errors import DataFileError, HistoryError, ReplayMismatchError
from keylore_services.arbiter.keys import is_signature

log = structlog.get_logger()

RECEIPTS: Final = "receipts.jsonl"
ARBITER: Final = "arbiter.json"

MOST_ASKED: Final = 256
"""How many receipts a bot asks about when it connects: the last ones of as many matches."""

_KEPT: Final = 10_000  # matches whose last receipt stays in memory

T = TypeVar("T")


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the arbiter: the public key that it signs with, hexadecimal."""

    key: str


class Keeper:
    """Checks and keeps receipts, and refuses an arbiter that does not stand by them.

    An arbiter that names no key signs nothing, and nothing is checked.

    Args:
        folder: where to keep all that; without one it is forgotten when the bot ends, and proofs go to the
            working directory.
        key: the public key that the arbiter must have; by default the first one that it names.
        sync: whether to wait for the disk after each receipt.

    Attributes:
        key: the key that the arbiter has; empty until it is known.

    Raises:
        DataFileError: a file in the folder cannot be used.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        key: str | None = None,
        sync: bool = False,
        check: CheckSignature = is_signature,
    ) -> None:
        self.key = key or ""
        self._folder = folder
        self._sync = sync
        self._check = check
        self._last: dict[str, Receipt] = {}
        self._asked: set[str] = set()
        self._keys: frozenset[str] = frozenset()
        self._history: tuple[KeyEvent, ...] = ()
        if folder is not None:
            self._open(folder)

    @property
    def proofs(self) -> Path:
        """The folder for proofs."""
        return self._folder or Path()

    # --- connecting -----------------------------------------------------------------------------------

    def ask(self) -> Sequence[Receipt]:
        """The receipts that the arbiter has to confirm on a new stream."""
        asked = list(self._last.values())[-MOST_ASKED:]
        self._asked = {receipt.match for receipt in asked}
        return asked

    def meet(self, key: str, history: Sequence[KeyEvent] = ()) -> None:
        """The arbiter says that this is its key, and how it follows from those that it had before.

        Raises:
            HistoryError: it had another one, and the *history* does not join the two.
        """
        if key and not self.key:
            self.key = key
            self._write_key()
        try:
            self._keys = keys_of_one(self.key, history, self._check)
        except ReplayMismatchError as error:
            raise HistoryError(f"{_other_key(key, self.key, self._folder)} ({error})") from error
        if key not in self._keys:
            raise HistoryError(_other_key(key, self.key, self._folder))
        self._history = tuple(history)

    def confirm(self, standing: Standing) -> None:
        """The arbiter says whether it stands by a receipt.

        Raises:
            HistoryError: it does not, or has not signed the answer.
        """
        receipt = self._last.get(standing.match)
        if receipt is None or not self.key:
            return
        self._check_signed(standing, f"the answer about event {standing.event} of {standing.match}")
        self._check_agrees(receipt, standing)
        if standing.event == receipt.event and standing.head == receipt.head:
            self._asked.discard(standing.match)

    def check_confirmed(self, match: str) -> None:
        """Check that nothing is said of a match before the arbiter has confirmed its receipt.

        Raises:
            HistoryError: it has not.
        """
        if match in self._asked and self.key:
            event = self._last[match].event
            msg = f"the arbiter does not say whether its history of {match} still holds event {event}"
            raise HistoryError(msg)

    # --- playing --------------------------------------------------------------------------------------

    def take(self, receipt: Receipt) -> None:
        """Check and keep a receipt.

        Raises:
            HistoryError: it is not signed, or contradicts an earlier one.
            DataFileError: it cannot be written.
        """
        if not self.key:
            return
        self._check_signed(receipt, f"the receipt for event {receipt.event} of {receipt.match}")
        known = self._last.get(receipt.match)
        if known is not None:
            self._check_agrees(known, receipt)
        if known is None or receipt.event > known.event:
            self._last.pop(receipt.match, None)
            self._last[receipt.match] = receipt
            if len(self._last) > _KEPT:
                del self._last[next(iter(self._last))]
            self._append(receipt)

    def _check_signed(self, statement: Receipt | Standing, what: str) -> None:
        key = statement.key if statement.key in self._keys else self.key
        flaw = signature_flaw(statement, self._check, key)
        if flaw:
            msg = f"{what} is worth nothing: {flaw}"
            raise HistoryError(msg)

    def _check_agrees(self, receipt: Receipt, statement: Receipt | Standing) -> None:
        if not contradicts(receipt, statement):
            return
        path = self.proofs / f"contradiction-{receipt.match.replace('/', '-')}-{receipt.event}.json"
        shown = msgspec.json.format(
            msgspec.json.encode(contradiction(receipt, statement, self._history)), indent=2
        )
        replace_file(path, shown + b"\n")
        what = f"event {receipt.event} of {receipt.match}"
        log.error("arbiter_contradicted_itself", match=receipt.match, version=receipt.event, proof=str(path))
        msg = (
            f"the arbiter does not stand by its receipt for {what}: it shows another history now "
            "(`keylore receipt prove` checks the proof for whoever you show it to)"
        )
        raise HistoryError(msg, str(path))

    # --- files ----------------------------------------------------------------------------------------

    def _open(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._read_key(folder / ARBITER)
            path = folder / RECEIPTS
            whole = path.read_bytes() if path.exists() else b""
            sound = whole[: whole.rfind(b"\n") + 1]  # a line that was cut off was never acted upon
            if sound != whole:
                os.truncate(path, len(sound))
            for receipt in read_receipts(sound, str(path)):
                self._last.pop(receipt.match, None)
                self._last[receipt.match] = receipt
        except OSError as error:
            raise DataFileError(str(folder), f"cannot be used: {error.strerror or error}") from error

    def _read_key(self, path: Path) -> None:
        if not path.exists():
            return
        known = decoded(path.read_bytes(), Known, str(path), "the key of an arbiter")
        if self.key and self.key != known.key:
            raise HistoryError(_other_key(self.key, known.key, path.parent))
        self.key = known.key

    def _write_key(self) -> None:
        if self._folder is not None:
            path = self._folder / ARBITER
            replace_file(path, msgspec.json.encode(Known(key=self.key)) + b"\n")

    def _append(self, receipt: Receipt) -> None:
        if self._folder is None:
            return
        path = self._folder / RECEIPTS
        try:
            with path.open("ab") as file:
                file.write(msgspec.json.encode(receipt) + b"\n")
                if self._sync:
                    file.flush()
                    os.fsync(file.fileno())
        except OSError as error:
            raise DataFileError(str(path), f"cannot be written: {error.strerror}") from error


def replace_file(path: Path, content: bytes) -> None:
    """Write a file; whoever looks sees the old one or the whole new one.

    Raises:
        DataFileError: it cannot be written.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    except OSError as error:
        raise DataFileError(str(path), f"cannot be written: {error.strerror or error}") from error


def read_receipts(data: bytes, name: str) -> list[Receipt]:
    """The receipts of a file, one in each line.

    Raises:
        DataFileError: a line is no receipt; names it.
    """
    lines = data.splitlines()
    return [
        decoded(line, Receipt, f"{name}, line {number}", "a receipt") for number, line in enumerate(lines, 1)
    ]


def decoded(data: bytes, kind: type[T], where: str, what: str) -> T:
    """*what* stands in *data*.

    Raises:
        DataFileError: it is something else.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise DataFileError(where, f"is not {what}: {error}") from None


def _other_key(found: str, known: str, folder: Path | None) -> str:
    kept = f"If that is right, move {folder} away" if folder else "If that is right, start the bot again"
    return f"the arbiter signs with {found or 'no key'}, but had the key {known}. {kept}"
