"""Aggregates and their events: the shape of everything that is stored.

An event is a frozen struct with an explicit, stable topic; it is stored as canonical JSON. Each event
carries ``prev``, the SHA-256 of the stored bytes of the event before it, so the stored bytes are the
evidence. A stored event is never renamed or reshaped; a new version is added.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from keylore_domain.engine.encoding import canonical_json, sha256_hex
from keylore_domain.errors import ReplayMismatchError

E = TypeVar("E", bound="type[Event]")

_TOPICS: Final[dict[str, "type[Event]"]] = {}
_TOPIC_OF: Final[dict["type[Event]", str]] = {}
_DECODERS: Final[dict[str, msgspec.json.Decoder[Any]]] = {}


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=str):
    """Base of all events.

    The stored bytes name their own ``type`` (the class), so that the chain covers it and no event passes for
    one of another topic. ``originator_id`` and ``originator_version`` place it in its aggregate (versions
    count from 1); ``at`` is a moment in microseconds since 1970; ``prev`` is the digest of the event before.
    """

    originator_id: str
    originator_version: int
    at: int
    prev: str


def topic(name: str) -> Callable[[E], E]:
    """Class decorator: register an event class under its stable topic, e.g. ``keylore:Match.Opened``."""

    def register(cls: E) -> E:
        assert name not in _TOPICS, name
        _TOPICS[name] = cls
        _TOPIC_OF[cls] = name
        _DECODERS[name] = msgspec.json.Decoder(cls)
        return cls

    return register


def topics() -> Mapping[str, type[Event]]:
    """Every registered event class by topic."""
    return dict(_TOPICS)


def topic_of(event: Event) -> str:
    """The topic of an event."""
    return _TOPIC_OF[type(event)]


def encode_event(event: Event) -> bytes:
    """The bytes that are stored and chained."""
    return canonical_json(event)


def decode_event(name: str, data: bytes) -> Event:
    """The event that was stored as *data* under topic *name*.

    Raises:
        ReplayMismatchError: the topic is unknown, or the bytes are not an event of it.
    """
    if name not in _DECODERS:
        msg = f"unknown event topic {name!r}"
        raise ReplayMismatchError(msg)
    try:
        event = _DECODERS[name].decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        msg = f"not a {name}: {error}"
        raise ReplayMismatchError(msg) from None
    assert isinstance(event, Event)
    return event


def genesis(aggregate_id: str) -> str:
    """The ``prev`` of the first event of an aggregate; binds the chain to its id."""
    return hashlib.sha256(b"keylore.chain/1\0" + aggregate_id.encode()).hexdigest()


class Aggregate:
    """Base of the aggregates: counts versions, keeps the head of the chain and the events not yet stored."""

    def __init__(self, aggregate_id: str) -> None:
        self.id = aggregate_id
        self.version = 0
        self.head = genesis(aggregate_id)
        self._pending: list[Event] = []

    def collect_events(self) -> list[Event]:
        """The events that are not stored yet; each is given out once."""
        pending, self._pending = self._pending, []
        return pending

    def stamp(self, at: int) -> dict[str, Any]:
        """The common fields of the next event."""
        return {
            "originator_id": self.id,
            "originator_version": self.version + 1,
            "at": at,
            "prev": self.head,
        }

    def record(self, event: Event) -> None:
        """Apply a new *event* and keep it for storing."""
        self.apply(event)
        self.version = event.originator_version
        self.head = sha256_hex(encode_event(event))
        self._pending.append(event)

    def replay(self, name: str, data: bytes) -> Event:
        """Apply a stored event: check its place in the chain, then its content.

        Raises:
            ReplayMismatchError: it does not continue this aggregate.
        """
        event = decode_event(name, data)
        if (event.originator_id, event.originator_version) != (self.id, self.version + 1):
            msg = (
                f"expected event {self.version + 1} of {self.id}, "
                f"found event {event.originator_version} of {event.originator_id}"
            )
            raise ReplayMismatchError(msg, self.version + 1)
        if event.prev != self.head:
            msg = f"the chain is broken: event {self.version + 1} does not follow event {self.version}"
            raise ReplayMismatchError(msg, self.version + 1)
        self.apply(event)
        self.version = event.originator_version
        self.head = sha256_hex(data)
        return event

    def apply(self, event: Event) -> None:
        """Change the aggregate as *event* says; subclasses dispatch by type."""
        raise NotImplementedError
