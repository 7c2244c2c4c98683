"""The SQL of the ledger in SQLite.

The table is the one that ``eventsourcing`` makes. Its rows are never deleted, so the rowids, which are the
positions, are dense and keep their order even if somebody vacuums the file.
"""

from typing import Final

APPLICATION_ID: Final = 0x6B65796C  # "keyl"; by it ``file`` and other tools know a ledger
SCHEMA_VERSION: Final = 1

CREATE: Final = (
    """
    CREATE TABLE IF NOT EXISTS stored_events (
        originator_id TEXT,
        originator_version INTEGER,
        topic TEXT,
        state BLOB,
        PRIMARY KEY (originator_id, originator_version)
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS stored_events_first ON stored_events (originator_id)
    WHERE originator_version = 1
    """,
    """
    CREATE TRIGGER IF NOT EXISTS stored_events_unchanged BEFORE UPDATE ON stored_events
    BEGIN SELECT RAISE(ABORT, 'stored events are never changed'); END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS stored_events_kept BEFORE DELETE ON stored_events
    BEGIN SELECT RAISE(ABORT, 'stored events are never deleted'); END
    """,
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

INSERT: Final = "INSERT INTO stored_events VALUES (?, ?, ?, ?)"

FIND: Final = """
    SELECT rowid, topic, state FROM stored_events WHERE originator_id = ? AND originator_version = ?
"""

EVENTS: Final = """
    SELECT originator_id, originator_version, topic, state FROM stored_events
    WHERE originator_id = ? AND originator_version > ? AND originator_version <= ?
    ORDER BY originator_version LIMIT ?
"""

EVENTS_BACKWARDS: Final = """
    SELECT originator_id, originator_version, topic, state FROM stored_events
    WHERE originator_id = ? AND originator_version > ? AND originator_version <= ?
    ORDER BY originator_version DESC LIMIT ?
"""

STATES: Final = "SELECT topic, state FROM stored_events WHERE originator_id = ? ORDER BY originator_version"

NOTIFICATIONS: Final = """
    SELECT originator_id, originator_version, topic, state, rowid FROM stored_events
    WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?
"""

NOTIFICATIONS_OF_TOPICS: Final = """
    SELECT originator_id, originator_version, topic, state, rowid FROM stored_events
    WHERE rowid > ? AND rowid <= ? AND topic IN (SELECT value FROM json_each(?)) ORDER BY rowid LIMIT ?
"""

LAST: Final = "SELECT MAX(rowid) FROM stored_events"

IDS: Final = """
    SELECT originator_id FROM stored_events
    WHERE originator_version = 1 AND originator_id >= ? AND substr(originator_id, 1, ?) = ? ORDER BY rowid
"""
