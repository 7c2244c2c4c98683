"""How a bot connects and when it leaves."""

import re
from pathlib import Path
from typing import Final

import grpc
import msgspec

from keylore_domain.engine.encoding import is_hex
from keylore_domain.errors import AccessError, NotFoundError, OptionError
from keylore_services.bots.kit import Until

_SERVER: Final = re.compile(r"[^/\s]+:\d{1,5}|unix:\S+")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `keylore_services.bots.run`, checked.

    ``idle_seconds``: how long the bot must sit at no table before ``until="idle"`` is fulfilled.

    Raises:
        AccessError: the token cannot be one.
        NotFoundError: the certificate file cannot be read.
        OptionError: another value is not allowed.
    """

    server: str
    token: str
    until: Until = "forever"
    ca: Path | None = None
    give_up_after: float | None = None
    idle_seconds: float = 1.0
    keep: Path | None = None
    key: str | None = None
    sync: bool = False
    share: bool = True

    def __post_init__(self) -> None:
        _check_server(self.server)
        _check_token(self.token)
        _check_until(self.until)
        _check_key(self.key)
        self.credentials()

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What is sent along when the stream is opened."""
        return (("authorization", f"Bearer {self.token.strip()}"),)

    def credentials(self) -> grpc.ChannelCredentials | None:
        """Credentials that trust ``ca``; ``None`` without one.

        Raises:
            NotFoundError: the file cannot be read.
        """
        if self.ca is None:
            return None
        try:
            return grpc.ssl_channel_credentials(root_certificates=self.ca.read_bytes())
        except OSError as error:
            msg = f"the certificate file cannot be read: {error}"
            raise NotFoundError(msg) from error


def _check_server(server: str) -> None:
    if not _SERVER.fullmatch(server):
        raise OptionError("server", f"{server!r} is not an address", "HOST:PORT, such as 127.0.0.1:4711")


def _check_token(token: str) -> None:
    bare = token.strip()
    if not bare or not bare.isascii() or not bare.isprintable() or " " in bare:
        msg = "the token is empty or has characters that no token has; check that it is copied whole"
        raise AccessError(msg)


def _check_until(until: Until) -> None:
    counts = isinstance(until, int) and not isinstance(until, bool) and until > 0
    if not counts and until not in ("forever", "idle"):
        raise OptionError("until", f"is {until!r}", "'forever', 'idle' or a number of matches")


def _check_key(key: str | None) -> None:
    if key is not None and not is_hex(key, 64):
        raise OptionError("key", f"is {key!r}", "a public key: 64 small hexadecimal digits")
