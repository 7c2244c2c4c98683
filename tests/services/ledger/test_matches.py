"""The index of matches: one row per match that says how it stands."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from keylore_domain.bots import Bot
from keylore_domain.engine.aggregates import Aggregate, Event
from keylore_domain.engine.clocks import TimeControl
from keylore_domain.engine.events import (
    Aborted,
    Concluded,
    Opened,
    Origin,
    Paused,
    Resumed,
    Sealed,
    SeatEntry,
    SetUp,
)
from keylore_services.ledger.ledger import Ledger, open_ledger
from keylore_services.ledger.matches import MatchEntry, MatchIndex, is_sealed, opening_of

OUTCOME = {"ended_by": "rounds", "round": 3, "seats": [{"seat": 0, "rank": 2, "score": 4}]}


class Recorded(Aggregate):
    """A match of which only the events matter."""

    def apply(self, event: Event) -> None:
        """Change nothing."""


def opened(match_id: str, *, game: str = "keydom", origin: Origin | None = None) -> Recorded:
    """A match that has been opened and set up."""
    match = Recorded(match_id)
    match.record(
        Opened(
            **match.stamp(10),
            game=game,
            rules="1",
            engine="1",
            options=msgspec.Raw(b"{}"),
            data="",
            data_text=None,
            seats=(SeatEntry("bot/ada", "ada"), SeatEntry("bot/bob", "bob")),
            time=TimeControl(),
            key="",
            commitment="",
            origin=origin,
        )
    )
    match.record(SetUp(**match.stamp(11), draws=(), facts=msgspec.Raw(b"[]"), digest=""))
    return match


def conclude(match: Recorded, ranks: tuple[int, ...]) -> None:
    seats = [{"seat": seat, "rank": rank, "score": 0} for seat, rank in enumerate(ranks)]
    outcome = msgspec.Raw(msgspec.json.encode({**OUTCOME, "seats": seats}))
    match.record(Concluded(**match.stamp(20), outcome=outcome, cause="rules"))
    match.record(Sealed(**match.stamp(21), seed="", share="", head="", key="", signature=""))


def entries(ledger: Ledger, **asked: object) -> list[MatchEntry]:
    index = MatchIndex(ledger)
    try:
        return index.entries(**asked)  # type: ignore[arg-type]
    finally:
        index.close()


def test_a_match_is_listed_with_who_plays_and_where_it_belongs(ledger: Ledger) -> None:
    ledger.save(opened("m/1", origin=Origin(tournament="t/cup", round=2, table=3, attempt=2)))

    assert entries(ledger) == [
        MatchEntry(
            id="m/1",
            game="keydom",
            tournament="t/cup",
            round=2,
            table=3,
            attempt=2,
            status="playing",
            events=2,
            last_at=11,
            bots=("ada", "bob"),
            winners=(),
        )
    ]


def test_a_match_of_no_tournament_belongs_nowhere(ledger: Ledger) -> None:
    ledger.save(opened("m/1"))

    (entry,) = entries(ledger)

    assert (entry.tournament, entry.round, entry.table, entry.attempt) == (None, None, None, None)


@pytest.mark.parametrize(("ranks", "winners"), [((1, 2), (0,)), ((2, 1), (1,)), ((1, 1), (0, 1))])
def test_a_concluded_match_names_its_winners(
    ledger: Ledger, ranks: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    match = opened("m/1")
    conclude(match, ranks)
    ledger.save(match)

    (entry,) = entries(ledger)

    assert (entry.status, entry.winners) == ("concluded", winners)
    assert (entry.events, entry.last_at) == (4, 21)


def test_the_status_follows_the_events(ledger: Ledger) -> None:
    match = opened("m/1")
    seen = []
    index = MatchIndex(ledger)
    for kind in (Paused, Resumed, Aborted):
        more: dict[str, Any] = {"after": "pause"} if kind is Resumed else {}
        match.record(kind(**match.stamp(30), cause="test", **more))
        ledger.save(match)
        seen += [(entry.status, entry.events) for entry in index.entries()]
    index.close()

    assert seen == [("paused", 3), ("playing", 4), ("aborted", 5)]


def test_the_newest_match_comes_first(ledger: Ledger) -> None:
    old = opened("m/2")
    ledger.save(old)
    ledger.save(Bot.enrol("ada", "token", 1))
    ledger.save(opened("m/1"))
    old.record(Paused(**old.stamp(30), cause="test"))
    ledger.save(old)

    assert [entry.id for entry in entries(ledger)] == ["m/1", "m/2"]
    assert [entry.id for entry in entries(ledger, limit=1)] == ["m/1"]


def test_matches_can_be_chosen(ledger: Ledger) -> None:
    ended = opened("m/4", origin=Origin(tournament="t/cup", round=1, table=1))
    conclude(ended, (1, 2))
    ledger.save(opened("m/1"), opened("m/2", game="keyside"), ended)
    ledger.save(opened("m/3", origin=Origin(tournament="t/cup", round=1, table=2)))

    def chosen(**asked: object) -> list[str]:
        return [entry.id for entry in entries(ledger, **asked)]

    assert chosen(game="keyside") == ["m/2"]
    assert chosen(tournament="t/cup") == ["m/3", "m/4"]
    assert chosen(status="concluded") == ["m/4"]
    assert chosen(tournament="t/cup", status="playing", game="keydom") == ["m/3"]
    assert chosen(tournament="t/other") == []


def test_the_index_is_the_same_when_it_is_made_anew(file: Path) -> None:
    with open_ledger(file) as ledger:
        for number in range(20):
            match = opened(f"m/{number}")
            if number % 2:
                conclude(match, (1, 2))
            ledger.save(match)
        before = entries(ledger)
        file.with_suffix(".views.db").unlink()

        assert entries(ledger) == before
        assert len(before) == 20


def test_a_match_is_known_by_its_first_event_and_its_last(ledger: Ledger) -> None:
    match = opened("m/cup/r1/t1")
    ledger.save(match, Bot.enrol("ada", "token", 1))

    first = opening_of(ledger, "m/cup/r1/t1")
    assert first is not None
    assert (first.originator_id, first.at) == ("m/cup/r1/t1", 10)
    assert opening_of(ledger, "m/cup/r1/t2") is None
    assert opening_of(ledger, "bot/ada") is None
    assert not is_sealed(ledger, "m/cup/r1/t1")
    assert not is_sealed(ledger, "m/cup/r1/t2")

    conclude(match, (1, 2))
    ledger.save(match)
    newest = ledger.stored_last("m/cup/r1/t1")
    assert newest is not None
    assert newest.originator_version == match.version
    assert is_sealed(ledger, "m/cup/r1/t1")
