"""Bots: names and tokens."""

import hashlib

import pytest

from keylore_domain.bots import Bot, Enrolled, bot_id, checked_name, token_digest
from keylore_domain.engine.aggregates import encode_event
from keylore_domain.errors import OptionError


def test_only_the_digest_of_a_token_is_stored() -> None:
    bot = Bot.enrol("alice", "a-secret-token", at=1, author="Alice")

    (event,) = bot.collect_events()

    assert isinstance(event, Enrolled)
    assert b"a-secret-token" not in encode_event(event)
    assert bot.digest == hashlib.sha256(b"keylore.token/1\0a-secret-token").hexdigest()
    assert (bot.id, bot.name, bot.author) == (bot_id("alice"), "alice", "Alice")


def test_a_new_token_replaces_the_old_one() -> None:
    bot = Bot.enrol("alice", "old", at=1)

    bot.replace_token("new", at=2)

    assert bot.digest == token_digest("new")


@pytest.mark.parametrize("name", ["a", "0", "my-bot_2.1", "x" * 40])
def test_simple_names_are_allowed(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize("name", ["", "A", "-a", ".a", "a b", "a/b", "é", "x" * 41, "a\n"])
def test_other_names_are_not(name: str) -> None:
    with pytest.raises(OptionError, match="small letters") as caught:
        checked_name(name, "bot")
    assert caught.value.field == "bot"
