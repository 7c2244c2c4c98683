"""The bots of a league that were enrolled on this machine: their tokens, and which of them it runs itself."""

import os
import secrets
from pathlib import Path

import msgspec

from keylore_domain.bots import Bot, bot_id, checked_name
from keylore_domain.errors import ConflictError, NotFoundError, OptionError
from keylore_services.arbiter.times import Now
from keylore_services.bots.children import ChildBot
from keylore_services.bots.loading import bot as load
from keylore_services.ledger.ledger import Ledger

MOST = 1_000
"""The most bots of one kind that one machine runs."""


class Identity(msgspec.Struct, frozen=True):
    """A bot's name and token; ``bot`` says what runs it here (built-in name or file), if anything does."""

    name: str
    token: str
    bot: str | None = None


def enrol(
    ledger: Ledger, folder: Path, name: str, now: Now, *, bot: str | None = None, author: str = ""
) -> Identity:
    """Enrol a bot and keep its token in *folder*, readable by the owner only.

    Raises:
        OptionError: the name is not allowed.
        ConflictError: there is a bot of this name already.
    """
    if bot_id(checked_name(name)) in ledger.ids(bot_id("")):
        msg = f"there is a bot {name!r} already; choose another name, or give it a new token with --new-token"
        raise ConflictError(msg)
    identity = Identity(name, secrets.token_urlsafe(32), bot)
    _keep(folder, identity)
    ledger.save(Bot.enrol(name, identity.token, now(), author))
    return identity


def enrol_own(ledger: Ledger, folder: Path, spec: str, now: Now) -> list[str]:
    """The names of bots that this machine runs: ``greedy:3`` gives three; missing ones are enrolled.

    Raises:
        OptionError, NotFoundError: as for `check_own`.
    """
    bot, count = check_own(spec)
    known = set(ledger.ids(bot_id("")))
    names = own_names(bot, count)
    for name in names:
        if bot_id(name) not in known:
            enrol(ledger, folder, name, now, bot=bot)
    return names


def check_own(spec: str) -> tuple[str, int]:
    """The bot and the number of them that ``greedy:3`` or ``FILE.py`` asks for.

    Raises:
        OptionError, NotFoundError: there is no such bot, or the count is no number from 1 to 1000.
    """
    bot, _, count = spec.rpartition(":")
    if not count.isdigit():
        bot, count = spec, "1"
    if not 1 <= int(count) <= MOST:
        raise OptionError("builtin", f"{spec!r} asks for {count} bots", f"1 to {MOST}")
    load(bot)
    return bot, int(count)


def own_names(bot: str, count: int) -> list[str]:
    """The names under which this machine enrols *count* bots of one kind."""
    return [f"{local_stem(bot)}-{number}" for number in range(1, count + 1)]


def local_stem(spec: str) -> str:
    """A name for a bot that this machine runs: ``greedy``; ``path/to/Mine.py`` is called ``mine``."""
    stem = spec.rpartition("/")[2].partition(".py")[0].lower()
    cleaned = "".join(sign if sign.isalnum() or sign in "._-" else "-" for sign in stem).strip("._-")
    return cleaned[:30] or "bot"


def replace_token(ledger: Ledger, folder: Path, name: str, now: Now) -> Identity:
    """Give an enrolled bot a new token; the old one is void at once.

    Raises:
        NotFoundError: there is no such bot.
    """
    bot = ledger.load(bot_id(checked_name(name)), Bot)
    known = find(folder, name)
    identity = Identity(name, secrets.token_urlsafe(32), known.bot if known else None)
    bot.replace_token(identity.token, now())
    _keep(folder, identity)
    ledger.save(bot)
    return identity


def find(folder: Path, name: str) -> Identity | None:
    """What is kept about the bot *name*, if it was enrolled on this machine.

    Raises:
        OptionError: the file is damaged.
    """
    try:
        return msgspec.json.decode(_file(folder, name).read_bytes(), type=Identity)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise OptionError(
            "name", f"{_file(folder, name)} is damaged: {error}", "a file made by keylore"
        ) from error


def token_of(folder: Path, name: str) -> str:
    """The token of a bot that was enrolled on this machine.

    Raises:
        NotFoundError: it was not.
    """
    identity = find(folder, name)
    if identity is None:
        msg = f"no token of {name!r} in {folder}; give it with --token, or enrol it: `keylore bot new {name}`"
        raise NotFoundError(msg)
    return identity.token


def children(folder: Path, names: list[str], seed: str) -> list[ChildBot]:
    """Those of the bots *names* that this machine runs itself."""
    known = [find(folder, name) for name in names]
    return [
        ChildBot(name=item.name, token=item.token, bot=item.bot, seed=f"{seed}/{item.name}")
        for item in known
        if item is not None and item.bot is not None
    ]


def _keep(folder: Path, identity: Identity) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = _file(folder, identity.name)
    draft = path.with_suffix(".draft")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(identity))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _file(folder: Path, name: str) -> Path:
    return folder / f"{checked_name(name)}.json"
