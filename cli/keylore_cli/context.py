"""What every command needs: where the league lies, how it is called again, and JSON for programs."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from keylore_services.ledger.ledger import Ledger


@dataclass(frozen=True)
class Context:
    """The settings of one run of the command line.

    ``called``: how keylore has to be called to mean the same league again. ``beacon``: a file with a public
    value for the chance of new games.
    """

    folder: Path
    log_level: str = "warning"
    called: str = "keylore"
    beacon: Path | None = None

    @property
    def ledger_file(self) -> Path:
        """The file of the event store."""
        return self.folder / "ledger.db"

    @property
    def keys(self) -> Path:
        """The folder of the arbiter's keys."""
        return self.folder / "keys"

    @property
    def bots(self) -> Path:
        """The folder of the tokens of bots that were enrolled here."""
        return self.folder / "bots"

    @property
    def logs(self) -> Path:
        """The folder of the logs of bots that the server starts."""
        return self.folder / "logs"

    @property
    def witnesses(self) -> Path:
        """The file that lists the witnesses of the log: a key in each line."""
        return self.folder / "witnesses.txt"

    @property
    def lock(self) -> Path:
        """The file that a server of this league holds."""
        return self.folder / "server.lock"

    def existing_ledger(self) -> "Ledger":
        """The ledger of a league that was made before.

        Raises:
            NotFoundError: there is none in this folder.
        """
        from keylore_domain.errors import NotFoundError

        if not self.ledger_file.exists():
            msg = (
                f"there is no league in {self.folder.resolve()}; choose its folder with --league, "
                "or make one with `keylore tournament new`"
            )
            raise NotFoundError(msg)
        return self.ledger()

    def ledger(self) -> "Ledger":
        """The ledger of the league, made if need be."""
        from keylore_cli.logs import configure_logs
        from keylore_services.ledger.ledger import open_ledger

        configure_logs(self.log_level)
        ledger = open_ledger(self.ledger_file)
        if not ledger.last_position():
            self._make_keys(ledger)
        return ledger

    def _make_keys(self, ledger: "Ledger") -> None:
        """Make and record the keys of a new league before anything else: they know nobody yet."""
        from keylore_services.arbiter.rotation import keys_of
        from keylore_services.arbiter.times import clock_after

        keys_of(ledger, self.keys, clock_after(ledger)())


pass_settings = click.make_pass_decorator(Context)


def print_json(value: object) -> None:
    """Print *value* as one JSON document."""
    import msgspec

    data = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.write(data.decode() + "\n")


def print_json_lines(values: Iterable[object]) -> None:
    """Print each of *values* as one line of JSON."""
    import msgspec

    for value in values:
        sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
