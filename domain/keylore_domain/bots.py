"""Bots: who may connect, known by a token of which only the digest is stored."""

import hashlib
import re
from typing import Final

from keylore_domain.engine.aggregates import Aggregate, Event, topic
from keylore_domain.errors import OptionError

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")


@topic("keylore:Bot.Enrolled")
class Enrolled(Event, frozen=True, kw_only=True):
    """A bot got its name and the digest of its token."""

    name: str
    author: str
    token_digest: str


@topic("keylore:Bot.TokenReplaced")
class TokenReplaced(Event, frozen=True, kw_only=True):
    """The old token is void; this is the digest of the new one."""

    token_digest: str


def bot_id(name: str) -> str:
    """The id of a bot by its name."""
    return f"bot/{name}"


def checked_name(name: str, field: str = "name") -> str:
    """*name*, if a bot or tournament may be called so.

    Raises:
        OptionError: it may not.
    """
    if not _NAME.fullmatch(name):
        allowed = "1 to 40 characters: small letters, digits, '.', '_', '-', beginning with a letter or digit"
        raise OptionError(field, f"{name!r} is not allowed", allowed)
    return name


def token_digest(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(b"keylore.token/1\0" + token.encode()).hexdigest()


class Bot(Aggregate):
    """A bot that may connect."""

    name: str = ""
    author: str = ""
    digest: str = ""

    @classmethod
    def enrol(cls, name: str, token: str, at: int, author: str = "") -> "Bot":
        """A new bot.

        Raises:
            OptionError: the name is not allowed.
        """
        bot = cls(bot_id(checked_name(name)))
        bot.record(Enrolled(**bot.stamp(at), name=name, author=author, token_digest=token_digest(token)))
        return bot

    def replace_token(self, token: str, at: int) -> None:
        """Make *token* the only valid one."""
        self.record(TokenReplaced(**self.stamp(at), token_digest=token_digest(token)))

    def apply(self, event: Event) -> None:
        """Take over what *event* says."""
        match event:
            case Enrolled():
                self.name, self.author, self.digest = event.name, event.author, event.token_digest
            case TokenReplaced():
                self.digest = event.token_digest
            case _:
                raise AssertionError(event)
