"""Bots that are away, come back, hang or never answer, in tournaments at a real arbiter."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from keylore_domain.engine.aggregates import decode_event
from keylore_domain.engine.audit import audit
from keylore_domain.engine.events import MoveDefaulted, Opened, Sealed
from keylore_services.arbiter.keys import is_signature
from keylore_services.replay.verify import stored_rows
from keylore_services.tournament.progress import BotsAway, Progress, TableEnded
from tests.domain.engine.toy import toy_catalog
from tests.services.arbiter.house import KEYS
from tests.services.bots.scripted import scene
from tests.services.tournament.away import BOTS, Hanging, hall


@pytest.mark.slow
@scene
async def test_a_bot_that_comes_in_time_plays_as_if_it_had_been_there(tmp_path: Path) -> None:
    async with hall(tmp_path, absence={"wait_ms": 40_000, "then": "forfeit"}) as here:
        here.comes(*BOTS[1:])
        playing = asyncio.create_task(here.play())
        while sum(isinstance(told, TableEnded) for told in here.told) < 3:
            await asyncio.sleep(0.01)
        here.comes("ada")

        assert await playing == "finished"

        assert here.record.absences == {}
        assert not any(table.forfeited for played in here.record.rounds for table in played.tables)


@pytest.mark.slow
@scene
async def test_a_bot_that_does_not_come_forfeits_that_game_and_plays_the_next(tmp_path: Path) -> None:
    async with hall(tmp_path, absence={"wait_ms": 3_000, "then": "forfeit"}) as here:

        def comes_late(told: Progress) -> None:
            here.told.append(told)
            if isinstance(told, BotsAway):
                here.comes("ada")

        here.hear = comes_late  # type: ignore[method-assign]
        here.comes(*BOTS[1:])
        await here.table.arbiter.hub.wait_for(frozenset(f"bot/{name}" for name in BOTS[1:]), 20)

        assert await here.play() == "finished"

        first, second = here.match_of("ada", 1), here.match_of("ada", 2)
        assert set(here.record.absences) == {first}
        (told,) = [one for one in here.told if isinstance(one, BotsAway)]
        assert 2_900 <= told.waited_ms < 30_000
        _, lost = here.record.table_of(first)
        _, played = here.record.table_of(second)
        assert [lost.seats[seat] for seat in lost.forfeited] == ["bot/ada"]
        assert not played.forfeited
        rows = stored_rows(here.table.ledger, first)
        report = audit(first, rows, toy_catalog, trusted_key=KEYS.public_key, check_signature=is_signature)
        assert report.is_valid
        assert any("forfeited by decision" in remark for remark in report.remarks)


@pytest.mark.slow
@scene
async def test_a_bot_that_never_answers_holds_up_no_table_longer_than_its_clocks_allow(
    tmp_path: Path,
) -> None:
    time = {"move_ms": 250, "credit_ms": 0, "faults": 4}
    async with hall(tmp_path, rounds=1, time=time, options={"rounds": 6}) as here:
        here.comes(*BOTS[1:])
        here.comes("ada", bot=Hanging())
        await here.table.arbiter.hub.wait_for(frozenset(f"bot/{name}" for name in BOTS), 20)

        assert await here.play() == "finished"

        hung = here.match_of("ada", 1)
        ended = [told.match for told in here.told if isinstance(told, TableEnded)]
        assert (len(ended), ended[-1]) == (4, hung)
        events = [decode_event(one.topic, one.state) for one in here.table.ledger.stored(hung)]
        waited = [one for one in events if isinstance(one, MoveDefaulted) and one.cause == "timeout"]
        assert len(waited) == 4
        assert isinstance(events[0], Opened)
        assert isinstance(events[-1], Sealed)
        clocks = 4 * time["move_ms"] * 1_000
        assert clocks <= events[-1].at - events[0].at < clocks + 30_000_000


@pytest.mark.slow
@scene
async def test_a_tournament_that_is_aborted_seals_its_running_matches(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        here.comes(*BOTS[1:])
        here.comes("ada", bot=Hanging())
        await here.table.arbiter.hub.wait_for(frozenset(f"bot/{name}" for name in BOTS), 20)
        playing = asyncio.create_task(here.play())
        while sum(isinstance(told, TableEnded) for told in here.told) < 3:
            await asyncio.sleep(0.01)

        here.service.abort("cup", by="ops", reason="rules question")

        assert await playing == "aborted"
        match = here.table.match(here.match_of("ada", 1))
        assert (match.status, match.abort_cause) == ("aborted", "the tournament was aborted: rules question")
        assert match.sealed is not None
        assert here.table.arbiter.live() == ()
        assert here.service.audit("cup") == ()


@pytest.mark.slow
@pytest.mark.parametrize("then", ["play", "forfeit", "withdraw"])
@scene
async def test_bots_that_come_and_go_all_the_time_do_not_stop_a_tournament(tmp_path: Path, then: str) -> None:
    time = {"move_ms": 300, "credit_ms": 0, "faults": 2}
    absence = {"wait_ms": 200, "then": then}
    chance = Random(then)
    async with hall(tmp_path, rounds=4, time=time, absence=absence, options={"rounds": 3}) as here:

        async def come_and_go() -> None:
            while True:
                name = chance.choice(BOTS)
                here.leaves(name)
                await asyncio.sleep(chance.uniform(0, 0.1))
                here.comes(name)

        here.comes(*BOTS)
        going = asyncio.create_task(come_and_go())
        try:
            assert await here.play() == "finished"
        finally:
            going.cancel()
            await asyncio.gather(going, return_exceptions=True)

        record = here.record
        assert all(table.is_done for played in record.rounds for table in played.tables)
        assert {ruling.then for ruling in record.absences.values()} <= {then}
        assert here.service.audit("cup") == ()
        for match in here.table.ledger.ids("m/"):
            rows = stored_rows(here.table.ledger, match)
            report = audit(
                match, rows, toy_catalog, trusted_key=KEYS.public_key, check_signature=is_signature
            )
            assert report.is_valid, report
