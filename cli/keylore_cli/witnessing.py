"""Witnessing the log of a server, look by look."""

import time
from functools import partial
from pathlib import Path

from keylore_cli.context import Context
from keylore_cli.logbooks import opened_log
from keylore_cli.watching import Watch
from keylore_domain.errors import DataFileError, LedgerError, NotFoundError
from keylore_services.proof.witness import FileSigner, Witness, Witnessed
from keylore_services.transport.log_client import RemoteLog

_HEAD = "head.txt"
_KEY = "witness.key"
_LINES = "cosigned.txt"


class Watcher:
    """A witness of the log of one server; keeps its key, the last head and its cosignatures in a folder.

    Attributes:
        key: the public key under which it cosigns.
        evidence: the file that evidence of a fork is written to.

    Raises:
        DataFileError: the folder or the name cannot be used.
    """

    def __init__(
        self, settings: Context, server: str, ca: Path | None, key: str | None, name: str, folder: Path
    ) -> None:
        self._witness = Witness(name, FileSigner(folder / _KEY))
        self.key = self._witness.key
        self._watch = Watch(settings, server, ca, folder / _HEAD, key)
        self.evidence = self._watch.evidence
        self._folder = folder
        self._open = partial(opened_log, settings, server, ca)

    def look(self) -> tuple[Witnessed, str]:
        """One look: what was found, and what became of it, in words.

        Raises:
            NotFoundError, LedgerError, ReplayMismatchError, DataFileError: as for a monitor.
        """
        seen = self._witness.cosign(self._watch.look(), int(time.time()))
        if not seen.line:
            return seen, f"not cosigned: {seen.found.reason or 'an older head was shown'}"
        self._keep(seen)
        return seen, self._sent(seen)

    def _sent(self, seen: Witnessed) -> str:
        with self._open() as log:
            assert isinstance(log, RemoteLog)
            try:
                is_new = log.cosign(seen.size, seen.line, self.key)
            except (LedgerError, NotFoundError) as error:
                return f"cosigned, but the server did not take it: {error}"
        return "cosigned" if is_new else "cosigned before"

    def _keep(self, seen: Witnessed) -> None:
        """Keep the cosigned head, so that it can be shown if the server does not."""
        note = f"{seen.found.seen}{seen.line}\n"
        path = self._folder / _LINES
        try:
            with path.open("a") as file:
                file.write(f"{note}\n")
        except OSError as error:
            raise DataFileError(str(path), f"cannot be written: {error.strerror}") from error
