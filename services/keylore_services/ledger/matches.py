"""The index of matches: one row per match, for lists and for finding the ones to go on with."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from eventsourcing.persistence import Notification

from keylore_domain.engine.aggregates import decode_event, topics
from keylore_domain.engine.events import Concluded, Opened, Sealed
from keylore_domain.engine.matches import Status
from keylore_domain.engine.seats import Seat
from keylore_services.ledger.followers import Follower
from keylore_services.ledger.ledger import Ledger

_TOPICS: Final = "keylore:Match."

_COLUMNS: Final = """
    id TEXT PRIMARY KEY, position INTEGER NOT NULL, game TEXT NOT NULL,
    tournament TEXT, round INTEGER, table_number INTEGER, attempt INTEGER,
    status TEXT NOT NULL, events INTEGER NOT NULL, last_at INTEGER NOT NULL,
    bots TEXT NOT NULL, winners TEXT NOT NULL
"""
_OPEN: Final = """
    INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, 'playing', ?, ?, ?, '[]')
"""
_SELECT: Final = """
    SELECT id, game, tournament, round, table_number, attempt, status, events, last_at, bots, winners
    FROM matches
    WHERE (:game IS NULL OR game = :game) AND (:tournament IS NULL OR tournament = :tournament)
    AND (:status IS NULL OR status = :status)
    ORDER BY position DESC LIMIT :limit
"""


class MatchEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One match in a list.

    ``tournament``, ``round``, ``table`` and ``attempt`` are ``None`` for a match outside of tournaments.
    ``last_at`` is the moment of its last event in microseconds since 1970. ``bots`` are the names in seat
    order; ``winners`` the seats of rank 1 once it is concluded.
    """

    id: str
    game: str
    tournament: str | None
    round: int | None
    table: int | None
    attempt: int | None
    status: Status
    events: int
    last_at: int
    bots: tuple[str, ...]
    winners: tuple[Seat, ...]


def opening_of(ledger: Ledger, match_id: str) -> Opened | None:
    """The first event of a match; ``None`` if there is no such match.

    Raises:
        ReplayMismatchError: it cannot be read.
    """
    row = ledger.stored_one(match_id, 1)
    event = decode_event(row.topic, row.state) if row is not None else None
    return event if isinstance(event, Opened) else None


def is_sealed(ledger: Ledger, match_id: str) -> bool:
    """Whether the record of a match is closed; nothing but its last event is read."""
    row = ledger.stored_last(match_id)
    return row is not None and topics().get(row.topic) is Sealed


class MatchView:
    """The table of matches, as a follower computes it."""

    name = "matches"
    version = 1
    tables: Mapping[str, str] = {"matches": _COLUMNS}

    def handle(self, connection: sqlite3.Connection, events: Sequence[Notification]) -> None:
        """Write what *events* change; counters once per match, whatever the number of its events."""
        newest: dict[str, Notification] = {}
        for event in events:
            if event.topic.startswith(_TOPICS):
                newest[str(event.originator_id)] = event
                if event.topic in _CHANGES:
                    _CHANGES[event.topic](connection, event)
        connection.executemany(
            "UPDATE matches SET events = ?, last_at = ? WHERE id = ?",
            [(event.originator_version, _moment(event), match) for match, event in newest.items()],
        )


class MatchIndex:
    """The list of matches of a ledger, up to date with each call."""

    def __init__(self, ledger: Ledger) -> None:
        """Open the index, or make it if it is missing.

        Raises:
            LedgerError: the file of the views cannot be used.
        """
        self.follower = Follower(ledger, MatchView())

    def entries(
        self,
        *,
        game: str | None = None,
        tournament: str | None = None,
        status: Status | None = None,
        limit: int = -1,
    ) -> list[MatchEntry]:
        """The matches, the one opened last first; all of them, or only those asked for.

        Args:
            limit: at most so many; all by default.

        Raises:
            LedgerError: the ledger or the file of the views cannot be used.
        """
        self.follower.catch_up()
        asked = {"game": game, "tournament": tournament, "status": status, "limit": limit}
        return [_entry(row) for row in self.follower.rows(_SELECT, asked)]

    def close(self) -> None:
        """Close the index."""
        self.follower.close()


class _Moment(msgspec.Struct):
    at: int


class _Rank(msgspec.Struct):
    seat: Seat
    rank: int


class _Ranks(msgspec.Struct):
    """What every game's outcome has."""

    seats: tuple[_Rank, ...]


_decode_moment: Final = msgspec.json.Decoder(_Moment).decode
_decode_ranks: Final = msgspec.json.Decoder(_Ranks).decode


def _moment(event: Notification) -> int:
    return _decode_moment(event.state).at


def _opened(connection: sqlite3.Connection, event: Notification) -> None:
    opened = decode_event(event.topic, event.state)
    assert isinstance(opened, Opened)
    origin = opened.origin
    place = (None,) * 4 if origin is None else (origin.tournament, origin.round, origin.table, origin.attempt)
    bots = msgspec.json.encode([entry.name for entry in opened.seats]).decode()
    connection.execute(
        _OPEN,
        (opened.originator_id, event.id, opened.game, *place, opened.originator_version, opened.at, bots),
    )


def _concluded(connection: sqlite3.Connection, event: Notification) -> None:
    concluded = decode_event(event.topic, event.state)
    assert isinstance(concluded, Concluded)
    seats = _decode_ranks(concluded.outcome).seats
    winners = msgspec.json.encode([seat.seat for seat in seats if seat.rank == 1]).decode()
    connection.execute(
        "UPDATE matches SET status = 'concluded', winners = ? WHERE id = ?", (winners, event.originator_id)
    )


def _becomes(status: Status) -> Callable[[sqlite3.Connection, Notification], None]:
    def change(connection: sqlite3.Connection, event: Notification) -> None:
        connection.execute("UPDATE matches SET status = ? WHERE id = ?", (status, event.originator_id))

    return change


_CHANGES: Final[Mapping[str, Callable[[sqlite3.Connection, Notification], None]]] = {
    "keylore:Match.Opened": _opened,
    "keylore:Match.Paused": _becomes("paused"),
    "keylore:Match.Resumed": _becomes("playing"),
    "keylore:Match.Concluded": _concluded,
    "keylore:Match.Aborted": _becomes("aborted"),
}


def _entry(row: tuple[object, ...]) -> MatchEntry:
    *plain, bots, winners = row
    fields = dict(zip(MatchEntry.__struct_fields__, plain, strict=False))
    lists = {"bots": msgspec.json.decode(str(bots)), "winners": msgspec.json.decode(str(winners))}
    return msgspec.convert({**fields, **lists}, MatchEntry)
