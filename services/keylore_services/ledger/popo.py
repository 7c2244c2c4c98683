"""The ledger in plain Python objects: nothing survives the process; for tests of services."""

from collections.abc import Sequence
from typing import Any

from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.popo import POPOApplicationRecorder, POPOFactory

from keylore_services.ledger.recorders import LedgerRecorder, Listener, Listeners


class POPOLedgerRecorder(POPOApplicationRecorder, LedgerRecorder):
    """Keeps the events in a list."""

    def __init__(self) -> None:
        super().__init__()
        self._heard = Listeners()

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Append *stored_events*; gives their positions.

        Raises:
            IntegrityError: a version is taken by another event, or its predecessor is missing.
        """
        try:
            positions = self._insert_events(stored_events, **kwargs)
        except IntegrityError:
            positions = self._positions(stored_events)
            if positions is None:
                raise
        self._heard.tell()
        return positions

    def _assert_uniqueness(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> None:
        super()._assert_uniqueness(stored_events, **kwargs)
        reached = {name: len(versions) for name, versions in self._stored_events_index.items()}
        for event in stored_events:
            name = str(event.originator_id)
            if event.originator_version != reached.get(name, 0) + 1:
                msg = f"event {event.originator_version} of {name} has no predecessor"
                raise IntegrityError(msg)
            reached[name] = event.originator_version

    def _positions(self, stored_events: Sequence[StoredEvent]) -> list[int] | None:
        """Where *stored_events* are, if each is there byte for byte."""
        with self._database_lock:
            found = []
            for event in stored_events:
                index = self._stored_events_index[str(event.originator_id)].get(event.originator_version)
                if index is None or self._stored_events[index] != event:
                    return None
                found.append(index + 1)
            return found

    def select_ids(self, prefix: str) -> list[str]:
        """The originator ids that begin with *prefix*, in the order of their first events."""
        with self._database_lock:
            firsts = [event for event in self._stored_events if event.originator_version == 1]
        return [name for event in firsts if (name := str(event.originator_id)).startswith(prefix)]

    def listen(self, listener: Listener) -> None:
        """Tell *listener* of each commit from now on."""
        self._heard.add(listener)

    def unlisten(self, listener: Listener) -> None:
        """Stop telling *listener*."""
        self._heard.remove(listener)

    def change_count(self) -> int:
        """Always the same: no other process can write here."""
        return 0


class POPOLedgerFactory(POPOFactory):
    """Makes ledger recorders of plain objects."""

    def application_recorder(self) -> POPOLedgerRecorder:
        """A new, empty store."""
        return POPOLedgerRecorder()
