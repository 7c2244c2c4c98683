"""What the ledger promises, over every store."""

import dataclasses
import threading
from typing import Any

import pytest
from eventsourcing.persistence import IntegrityError, Notification, StoredEvent

from keylore_domain.bots import Bot
from keylore_domain.engine.aggregates import Event, encode_event
from keylore_domain.errors import ConflictError, NotFoundError, ReplayMismatchError
from keylore_services.ledger.ledger import Ledger

TOKEN_REPLACED = "keylore:Bot.TokenReplaced"


def enrolled(name: str, tokens: int = 0) -> Bot:
    """A new bot whose token was replaced so often: an aggregate with 1 + *tokens* events."""
    bot = Bot.enrol(name, "token", 1)
    for number in range(tokens):
        bot.replace_token(f"token {number}", 2 + number)
    return bot


def copies(ledger: Ledger, name: str) -> tuple[Bot, Bot]:
    """The same bot loaded twice, with different new events."""
    first, second = ledger.load(f"bot/{name}", Bot), ledger.load(f"bot/{name}", Bot)
    first.replace_token("first", 7)
    second.replace_token("second", 7)
    return first, second


def test_a_loaded_aggregate_is_as_it_was_saved(ledger: Ledger) -> None:
    bot = enrolled("ada", tokens=3)
    ledger.save(bot)

    loaded = ledger.load("bot/ada", Bot)

    assert (loaded.version, loaded.head, loaded.digest) == (4, bot.head, bot.digest)


def test_positions_count_all_events_of_all_aggregates(ledger: Ledger) -> None:
    assert ledger.last_position() == 0
    assert ledger.save(enrolled("ada", tokens=1), enrolled("bob")) == [1, 2, 3]
    assert ledger.save(enrolled("cyd")) == [4]
    assert ledger.last_position() == 4


def test_saving_nothing_new_stores_nothing(ledger: Ledger) -> None:
    bot = enrolled("ada")
    ledger.save(bot)

    assert ledger.save(bot) == []
    assert ledger.save() == []
    assert list(ledger.recorder.insert_events([]) or ()) == []
    assert ledger.last_position() == 1


def test_the_stored_bytes_are_those_that_were_chained(ledger: Ledger) -> None:
    events: list[Event] = []

    class Watched(Bot):
        def record(self, event: Event) -> None:
            super().record(event)
            events.append(event)

    bot = Watched.enrol("ada", "token", 1)
    bot.replace_token("other", 2)
    ledger.save(bot)

    assert [stored.state for stored in ledger.stored("bot/ada")] == [encode_event(event) for event in events]


def test_nothing_is_found_under_an_unknown_id(ledger: Ledger) -> None:
    assert ledger.stored("bot/ada") == []
    with pytest.raises(NotFoundError, match="bot/ada"):
        ledger.load("bot/ada", Bot)


def test_events_can_be_read_after_a_version(ledger: Ledger) -> None:
    ledger.save(enrolled("ada", tokens=4))

    assert [stored.originator_version for stored in ledger.stored("bot/ada", after=3)] == [4, 5]


def test_ids_come_in_the_order_of_their_first_events(ledger: Ledger) -> None:
    for name in ("cyd", "ada", "bob"):
        ledger.save(enrolled(name))
    again = ledger.load("bot/ada", Bot)
    again.replace_token("other", 2)
    ledger.save(again)

    assert ledger.ids("bot/") == ["bot/cyd", "bot/ada", "bot/bob"]
    assert ledger.ids("bot/b") == ["bot/bob"]
    assert ledger.ids() == ledger.ids("bot/")
    assert ledger.ids("bot%") == ledger.ids("m/") == []


def test_notifications_come_in_the_order_of_storing(ledger: Ledger) -> None:
    ledger.save(enrolled("ada"))
    ledger.save(enrolled("bob", tokens=2))

    read = ledger.notifications(after=1, limit=2)

    assert [(one.id, one.originator_id, one.originator_version) for one in read] == [
        (2, "bot/bob", 1),
        (3, "bot/bob", 2),
    ]
    assert [one.id for one in ledger.notifications(after=0, limit=10)] == [1, 2, 3, 4]
    assert ledger.notifications(after=4, limit=10) == []


def test_of_two_changes_at_the_same_time_one_is_a_conflict(ledger: Ledger) -> None:
    ledger.save(enrolled("ada"))
    first, second = copies(ledger, "ada")
    ledger.save(first)

    with pytest.raises(ConflictError, match="bot/ada"):
        ledger.save(second)

    assert ledger.load("bot/ada", Bot).digest == first.digest


def test_a_conflict_message_tells_no_secrets_of_the_events(ledger: Ledger) -> None:
    ledger.save(enrolled("ada"))
    first, second = copies(ledger, "ada")
    ledger.save(first)

    with pytest.raises(ConflictError) as caught:
        ledger.save(second)

    assert second.digest not in str(caught.value)


def test_a_save_of_several_aggregates_is_all_or_nothing(ledger: Ledger) -> None:
    ledger.save(enrolled("ada"))
    first, second = copies(ledger, "ada")
    ledger.save(first)

    with pytest.raises(ConflictError):
        ledger.save(enrolled("bob"), second)

    assert ledger.ids() == ["bot/ada"]
    assert ledger.last_position() == 2


def test_an_aggregate_that_could_not_be_saved_is_refused_from_then_on(ledger: Ledger) -> None:
    ledger.save(enrolled("ada"))
    first, second = copies(ledger, "ada")
    ledger.save(first)
    with pytest.raises(ConflictError):
        ledger.save(second)

    second.replace_token("third", 9)  # has a predecessor in the store, but another than it thinks

    with pytest.raises(ConflictError, match="load it again"):
        ledger.save(second)
    assert ledger.load("bot/ada", Bot).version == 2


def test_the_same_bytes_twice_are_no_conflict(ledger: Ledger) -> None:
    events = enrolled("ada", tokens=1).collect_events()

    assert ledger.append(events) == [1, 2]
    assert ledger.append(events) == [1, 2]
    assert ledger.append(events[1:]) == [2]
    assert ledger.last_position() == 2


def test_an_append_of_which_only_a_part_is_there_is_a_conflict(ledger: Ledger) -> None:
    events = enrolled("ada", tokens=1).collect_events()
    ledger.append(events[:1])

    with pytest.raises(ConflictError):
        ledger.append(events)

    assert ledger.last_position() == 1


def test_the_same_event_cannot_be_appended_twice_at_once(ledger: Ledger) -> None:
    (event,) = enrolled("ada").collect_events()

    with pytest.raises(ConflictError):
        ledger.append([event, event])

    assert ledger.last_position() == 0


@pytest.mark.parametrize("missing", [0, 1])
def test_an_event_without_a_predecessor_is_refused(ledger: Ledger, missing: int) -> None:
    events = enrolled("ada", tokens=2).collect_events()
    del events[missing]

    with pytest.raises(ConflictError):
        ledger.append(events)

    assert ledger.stored("bot/ada") == []


def test_an_event_stored_under_another_topic_is_not_the_same(ledger: Ledger) -> None:
    (event,) = enrolled("ada").collect_events()
    ledger.append([event])
    (stored,) = ledger.stored("bot/ada")

    with pytest.raises(IntegrityError):
        ledger.recorder.insert_events([StoredEvent("bot/ada", 1, TOKEN_REPLACED, stored.state)])


def test_an_event_that_stands_in_the_wrong_place_is_found_out(ledger: Ledger) -> None:
    (event,) = enrolled("ada").collect_events()
    moved = StoredEvent("bot/bob", 1, "keylore:Bot.Enrolled", encode_event(event))
    ledger.recorder.insert_events([moved])

    with pytest.raises(ReplayMismatchError, match="bot/ada"):
        ledger.load("bot/bob", Bot)
    with pytest.raises(ReplayMismatchError, match="bot/ada"):
        ledger.mapper.to_domain_event(moved)


def test_events_can_be_read_as_the_library_reads_them(ledger: Ledger) -> None:
    bot = enrolled("ada", tokens=2)
    events = bot.collect_events()
    ledger.append(events)

    assert list(ledger.events.get("bot/ada")) == events
    assert list(ledger.events.get("bot/ada", gt=1, lte=2)) == events[1:2]
    assert list(ledger.events.get("bot/ada", desc=True, limit=1)) == events[2:]
    assert [one.id for one in ledger.notification_log.select(start=2, limit=10)] == [2, 3]


def test_notifications_can_be_chosen_by_topic_and_range(ledger: Ledger) -> None:
    ledger.save(enrolled("ada", tokens=2), enrolled("bob", tokens=1))

    def chosen(**kwargs: Any) -> list[int]:
        return [one.id for one in ledger.recorder.select_notifications(limit=10, **kwargs)]

    assert chosen(start=None, topics=[TOKEN_REPLACED]) == [2, 3, 5]
    assert chosen(start=2, stop=3) == [2, 3]
    assert chosen(start=3, topics=[TOKEN_REPLACED], inclusive_of_start=False) == [5]


def test_a_subscription_gives_old_events_and_new_ones(ledger: Ledger) -> None:
    ledger.save(enrolled("ada", tokens=1))

    with ledger.recorder.subscribe(gt=1) as subscription:
        assert next(subscription).id == 2
        ledger.save(enrolled("bob"))
        assert next(subscription).originator_id == "bot/bob"


def test_listeners_are_told_of_each_commit_until_they_stop(ledger: Ledger) -> None:
    told = threading.Event()
    ledger.recorder.listen(told)
    ledger.save(enrolled("ada"))
    assert told.is_set()

    told.clear()
    ledger.recorder.unlisten(told)
    ledger.recorder.unlisten(told)
    ledger.save(enrolled("bob"))
    assert not told.is_set()


def test_an_own_write_does_not_hide_from_readers_in_other_threads(ledger: Ledger) -> None:
    missed: list[int] = []

    def read() -> None:
        missed.extend(number for number in range(100) if not ledger.stored("bot/ada"))

    ledger.save(enrolled("ada"))
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(100):
        ledger.save(enrolled(f"bot-{number}"))
    for thread in threads:
        thread.join()

    assert missed == []
    assert ledger.last_position() == 101


def test_stored_events_made_the_short_way_are_those_of_the_library(ledger: Ledger) -> None:
    ledger.save(enrolled("ada"))
    (stored,) = ledger.stored("bot/ada")
    (told,) = ledger.notifications(0, 10)
    fields = ("bot/ada", 1, "keylore:Bot.Enrolled", stored.state)

    assert (stored, hash(stored)) == (StoredEvent(*fields), hash(StoredEvent(*fields)))
    assert (told, repr(told)) == (Notification(*fields, id=1), repr(Notification(*fields, id=1)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        stored.topic = "other"  # type: ignore[misc]
