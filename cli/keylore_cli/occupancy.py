"""One server per league: who serves it holds a lock, which the system frees when the process ends."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import msgspec

from keylore_domain.errors import LedgerError

_PATIENCE: Final = 0.5  # seconds; somebody who only looks holds the lock for an instant
_PAUSE: Final = 0.02


class Occupant(msgspec.Struct, frozen=True, kw_only=True):
    """The process that serves a league; ``address`` is empty until it listens."""

    pid: int = 0
    address: str = ""

    def __str__(self) -> str:
        """The process in words."""
        return f"process {self.pid}" + (f" on {self.address}" if self.address else "")


class Occupancy:
    """A league that this process serves."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.tell("")

    def tell(self, address: str) -> None:
        """Let others know on which *address* this process listens."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(msgspec.json.encode(Occupant(pid=os.getpid(), address=address)))
        self._file.flush()


@contextmanager
def occupied(path: Path) -> Iterator[Occupancy]:
    """Be the only one to serve the league of the lock file *path*, while the block runs.

    Raises:
        LedgerError: somebody serves it already; says who.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        if not _locked(file, fcntl.LOCK_EX):
            msg = (
                f"the league {path.parent} is served already, by {_told(file)}; "
                "stop that first, or choose another league with --league"
            )
            raise LedgerError(msg)
        yield Occupancy(file)


def occupant(path: Path) -> Occupant | None:
    """Who serves the league of the lock file *path*, if anybody does."""
    if not path.exists():
        return None
    with path.open("rb") as file:
        return None if _held(file, fcntl.LOCK_SH) else _told(file)


def _locked(file: IO[bytes], kind: int) -> bool:
    last = time.monotonic() + _PATIENCE
    while not _held(file, kind):
        if time.monotonic() > last:
            return False
        time.sleep(_PAUSE)
    return True


def _held(file: IO[bytes], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _told(file: IO[bytes]) -> Occupant:
    file.seek(0)
    try:
        return msgspec.json.decode(file.read(), type=Occupant)
    except msgspec.DecodeError:
        return Occupant()  # it is just writing
