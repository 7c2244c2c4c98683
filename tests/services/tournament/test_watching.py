import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from keylore_domain.errors import NotFoundError
from keylore_services.ledger.feed import Feed
from keylore_services.ledger.ledger import open_ledger
from keylore_services.tournament import progress as told
from keylore_services.tournament.watching import Now, Seen, Watch
from tests.services.bots.scripted import scene
from tests.services.tournament.away import BOTS, Hanging, hall
from tests.services.tournament.houses import FakeTables, House, aborted, concluded, open_house


@pytest.fixture
def house() -> Iterator[House]:
    with open_house() as opened:
        yield opened


def watched(house: House, play: Callable[[], object]) -> tuple[list[Seen], Now]:
    """What a watch sees that began before *play*, and how it stands at the end."""

    async def look() -> tuple[list[Seen], Now]:
        watch = Watch(house.ledger, "t/cup")
        await asyncio.to_thread(play)
        async with Feed(house.ledger) as feed:
            seen = [one async for one in watch.follow(feed)]
        return seen, watch.now()

    return asyncio.run(asyncio.wait_for(look(), 20))


def test_what_happens_is_told_in_order_until_the_tournament_is_over(house: House) -> None:
    cup = house.started(rounds=1)
    broken = "m/cup/r1/t2"

    seen, now = watched(
        house,
        lambda: house.run(
            cup,
            FakeTables(
                lambda spec: aborted(spec) if spec.match_id == broken else concluded(spec), away="bot/b01"
            ),
        ),
    )

    kinds = [type(one.what) for one in seen]
    assert kinds[0] is told.RoundPaired
    assert kinds.count(told.TableEnded) == 3
    assert kinds[-2:] == [told.RoundEnded, told.StatusChanged]
    assert seen[-1].what == told.StatusChanged(status="finished", cause="rounds")
    assert [one.what for one in seen if isinstance(one.what, told.TableAborted)] == [
        told.TableAborted(match=broken, cause="power failure", next=f"{broken}/a2")
    ]
    (away,) = (one.what for one in seen if isinstance(one.what, told.BotsAway))
    assert (away.bots, away.then) == (("bot/b01",), "play")
    events = [one.event for one in seen]
    assert events == sorted(events)
    assert (now.status, now.round, now.tables) == ("finished", 1, ())
    assert now.standings == house.service.standings("cup").rows


def test_what_the_organiser_does_is_told_with_its_reason(house: House) -> None:
    house.started()

    def act() -> None:
        house.service.withdraw("cup", "b02", "broken")
        house.service.pause("cup", "lunch")
        house.service.resume("cup")
        house.service.abort("cup", by="ops", reason="fire")

    seen, now = watched(house, act)

    assert [one.what for one in seen] == [
        told.Noted(what="entrant_withdrawn", bots=("bot/b02",), cause="broken"),
        told.StatusChanged(status="paused", cause="lunch"),
        told.StatusChanged(status="running"),
        told.StatusChanged(status="aborted", cause="fire", by="ops"),
    ]
    assert (now.status, now.cause) == ("aborted", "fire")


def test_it_stands_as_it_does_when_somebody_begins_to_watch_in_the_middle(house: House) -> None:
    cup = house.started()
    tables = FakeTables(
        lambda spec: (
            house.service.pause("cup", "lunch") and concluded(spec)  # type: ignore[arg-type,return-value]
            if spec.match_id == "m/cup/r2/t1"
            else concluded(spec)
        )
    )
    assert house.run(cup, tables, parallel=1) == "paused"

    now = Watch(house.ledger, cup).now()

    assert (now.status, now.cause, now.round, now.rounds) == ("paused", "lunch", 2, 3)
    assert [table.match for table in now.tables] == ["m/cup/r2/t2", "m/cup/r2/t3"]
    assert all(len(table.seats) == 3 and table.seats[0].startswith("b") for table in now.tables)
    assert {(table.moves, table.since) for table in now.tables} == {(0, 0)}


def test_a_tournament_that_is_over_has_no_more_to_tell(house: House) -> None:
    cup = house.started(rounds=1)
    house.run(cup, FakeTables())

    seen, now = watched(house, lambda: None)

    assert (seen, now.status) == ([], "finished")


def test_there_must_be_something_to_watch(house: House) -> None:
    with pytest.raises(NotFoundError):
        Watch(house.ledger, "t/none")


@scene
async def test_the_moves_of_tables_in_progress_are_counted(tmp_path: Path) -> None:
    """At a real arbiter, and read from its file as another process would."""
    async with hall(tmp_path, rounds=1) as here, Feed(here.table.ledger) as feed:
        other = open_ledger(tmp_path / "ledger.db")
        watch = Watch(other, "t/cup")
        here.comes(*BOTS[1:])
        here.comes("ada", bot=Hanging())
        await here.table.arbiter.hub.wait_for(frozenset(f"bot/{name}" for name in BOTS), 20)
        playing = asyncio.create_task(here.play())
        ended = 0
        async for seen in watch.follow(feed):
            ended += isinstance(seen.what, told.TableEnded)
            if ended == 3:
                break

        (table,) = watch.now().tables
        fresh = Watch(other, "t/cup").now().tables
        other.close()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)

        assert table.match == here.match_of("ada", 1)
        assert "ada" in table.seats
        assert table.since > here.record.pairings[0].at
        assert fresh == (table,)
