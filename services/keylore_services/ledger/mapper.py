"""The mapper: what is stored of an event is exactly the bytes that its aggregate chained."""

from typing import Any

from eventsourcing.persistence import Mapper, StoredEvent

from keylore_domain.engine.aggregates import Event, decode_event, encode_event, topic_of
from keylore_domain.errors import ReplayMismatchError
from keylore_services.ledger.recorders import stored_event


class StructMapper(Mapper[str]):
    """Between event structs and stored events.

    No transcoder, compressor or cipher takes part: whoever reads the store can hash and check it.
    """

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """What is stored of *domain_event*, an `Event`."""
        return stored_event(
            domain_event.originator_id,
            domain_event.originator_version,
            topic_of(domain_event),
            encode_event(domain_event),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Event:
        """The event that was stored.

        Raises:
            ReplayMismatchError: the topic is unknown, the bytes are not an event of it, or they were stored
                under another id or version than their own.
        """
        event = decode_event(stored_event.topic, stored_event.state)
        own = (event.originator_id, event.originator_version)
        if own != (stored_event.originator_id, stored_event.originator_version):
            msg = (
                f"event {event.originator_version} of {event.originator_id} is stored as "
                f"event {stored_event.originator_version} of {stored_event.originator_id}"
            )
            raise ReplayMismatchError(msg, stored_event.originator_version)
        return event
