"""What the ledger asks of a store beyond an application recorder of ``eventsourcing``."""

import threading
from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from eventsourcing.persistence import ApplicationRecorder, Notification, StoredEvent


class Listener(Protocol):
    """Something that is told of new events; a `threading.Event` is one."""

    def set(self) -> None:
        """Called after each commit in this process, in the thread that committed; must not block."""


class LedgerRecorder(ApplicationRecorder):
    """A recorder of the ledger.

    ``insert_events`` appends all or nothing, with increasing positions in the order of committing. Events
    that are there already, byte for byte, count as appended: repeating an append whose answer was lost is
    neither a loss nor a conflict. An event without a predecessor in its aggregate is refused.
    """

    @abstractmethod
    def select_ids(self, prefix: str) -> list[str]:
        """The originator ids that begin with *prefix*, in the order of their first events."""

    def select_states(self, originator_id: str) -> Sequence[tuple[str, bytes]]:
        """Topic and bytes of each event of an aggregate, in order: all that a rebuild needs."""
        return [(event.topic, event.state) for event in self.select_events(originator_id)]

    @abstractmethod
    def listen(self, listener: Listener) -> None:
        """Tell *listener* of each commit from now on."""

    @abstractmethod
    def unlisten(self, listener: Listener) -> None:
        """Stop telling *listener*."""

    @abstractmethod
    def change_count(self) -> int:
        """A number that differs from the last one if another process has written meanwhile."""


class Listeners:
    """A set of listeners that any thread may change while another one tells them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: tuple[Listener, ...] = ()

    def add(self, listener: Listener) -> None:
        """Tell *listener* from now on."""
        with self._lock:
            self._all = (*self._all, listener)

    def remove(self, listener: Listener) -> None:
        """Tell *listener* no more; nothing happens if it was not told before."""
        with self._lock:
            self._all = tuple(one for one in self._all if one is not listener)

    def tell(self) -> None:
        """Tell all of them."""
        for listener in self._all:
            listener.set()


def stored_event(originator_id: str, originator_version: int, topic: str, state: bytes) -> StoredEvent:
    """A stored event, without the detour of a frozen dataclass over ``object.__setattr__``.

    Its own ``__init__`` takes longer than encoding the event (``bench/ledger.py``).
    """
    made = object.__new__(StoredEvent)
    fields = made.__dict__
    fields["originator_id"] = originator_id
    fields["originator_version"] = originator_version
    fields["topic"] = topic
    fields["state"] = state
    return made


def notification(
    originator_id: str, originator_version: int, topic: str, state: bytes, position: int
) -> Notification:
    """A notification, made in the same way."""
    made = object.__new__(Notification)
    fields = made.__dict__
    fields["originator_id"] = originator_id
    fields["originator_version"] = originator_version
    fields["topic"] = topic
    fields["state"] = state
    fields["id"] = position
    return made
