"""Aggregates: versions, the chain, and events as stored bytes."""

import hashlib

import pytest

from keylore_domain.bots import Bot, Enrolled, TokenReplaced
from keylore_domain.engine import aggregates
from keylore_domain.engine.aggregates import (
    Aggregate,
    Event,
    decode_event,
    encode_event,
    genesis,
    topic,
    topic_of,
    topics,
)
from keylore_domain.errors import ReplayMismatchError

ENROLLED = "keylore:Bot.Enrolled"


def enrolled() -> tuple[Bot, list[Event]]:
    bot = Bot.enrol("alice", "secret", at=7)
    bot.replace_token("other", at=8)
    return bot, bot.collect_events()


def stored(events: list[Event]) -> list[tuple[str, bytes]]:
    return [(topic_of(event), encode_event(event)) for event in events]


def test_each_event_carries_the_digest_of_the_one_before_it() -> None:
    bot, (first, second) = enrolled()

    assert first.prev == genesis("bot/alice") == hashlib.sha256(b"keylore.chain/1\0bot/alice").hexdigest()
    assert second.prev == hashlib.sha256(encode_event(first)).hexdigest()
    assert bot.head == hashlib.sha256(encode_event(second)).hexdigest()
    assert (first.originator_version, second.originator_version, bot.version) == (1, 2, 2)


def test_new_events_are_given_out_once() -> None:
    bot, events = enrolled()

    assert len(events) == 2
    assert bot.collect_events() == []


def test_stored_bytes_name_their_type_and_are_canonical() -> None:
    _, (first, _) = enrolled()

    data = encode_event(first)

    assert data.startswith(b'{"type":"Enrolled","originator_id":"bot/alice","originator_version":1,"at":7,')
    assert encode_event(decode_event(ENROLLED, data)) == data


def test_an_aggregate_is_rebuilt_from_its_stored_events() -> None:
    bot, events = enrolled()
    again = Bot(bot.id)

    replayed = [again.replay(name, data) for name, data in stored(events)]

    assert replayed == events
    assert (again.version, again.head, again.digest) == (bot.version, bot.head, bot.digest)
    assert again.collect_events() == []


def test_an_event_out_of_order_is_a_mismatch() -> None:
    _, events = enrolled()

    with pytest.raises(ReplayMismatchError, match="expected event 1 of bot/alice, found event 2") as caught:
        Bot("bot/alice").replay(*stored(events)[1])
    assert caught.value.version == 1


def test_an_event_of_another_aggregate_is_a_mismatch() -> None:
    _, events = enrolled()

    with pytest.raises(ReplayMismatchError, match="expected event 1 of bot/bob, found event 1 of bot/alice"):
        Bot("bot/bob").replay(*stored(events)[0])


def test_a_broken_chain_is_a_mismatch() -> None:
    _, events = enrolled()
    bot = Bot("bot/alice")
    name, data = stored(events)[0]
    bot.replay(name, data.replace(b'"at":7', b'"at":6'))

    with pytest.raises(ReplayMismatchError, match="event 2 does not follow event 1") as caught:
        bot.replay(*stored(events)[1])
    assert caught.value.version == 2


def test_an_unknown_topic_is_a_mismatch() -> None:
    with pytest.raises(ReplayMismatchError, match="unknown event topic 'keylore:Nothing'"):
        decode_event("keylore:Nothing", b"{}")


@pytest.mark.parametrize("data", [b"", b"[]", b'{"at":1}', b"\xff", b'{"x":' + b"[" * 100_000], ids=range(5))
def test_bytes_that_are_not_such_an_event_are_a_mismatch(data: bytes) -> None:
    with pytest.raises(ReplayMismatchError, match=r"not a keylore:Bot\.Enrolled"):
        decode_event(ENROLLED, data)


def test_an_event_does_not_pass_for_one_of_another_topic() -> None:
    _, (_, second) = enrolled()

    with pytest.raises(ReplayMismatchError, match="TokenReplaced"):
        decode_event(ENROLLED, encode_event(second))


def test_a_topic_is_registered_once() -> None:
    with pytest.raises(AssertionError, match=r"keylore:Bot\.Enrolled"):
        topic(ENROLLED)(TokenReplaced)
    assert topics()[ENROLLED] is Enrolled


def test_the_topics_of_matches_never_change() -> None:
    names = {name: kind.__name__ for name, kind in topics().items() if name.startswith("keylore:Match.")}

    assert names == {
        f"keylore:Match.{kind}": kind
        for kind in (
            "Opened",
            "SharesCommitted",
            "SharesRevealed",
            "SetUp",
            "MovePlayed",
            "MoveDefaulted",
            "SeatForfeited",
            "Paused",
            "Resumed",
            "Concluded",
            "Sealed",
            "Aborted",
        )
    }


def test_the_base_class_takes_no_events() -> None:
    _, (first, _) = enrolled()

    with pytest.raises(NotImplementedError):
        Aggregate("bot/alice").apply(first)
    assert aggregates.decode_event(ENROLLED, encode_event(first)) == first
