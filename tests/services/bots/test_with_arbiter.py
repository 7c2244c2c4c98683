"""The kit and the real arbiter together."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from keylore_domain.engine.clocks import TimeControl
from keylore_services.bots import Bot, Prompt, builtin
from keylore_services.bots.connection import play
from keylore_services.bots.settings import Settings
from keylore_services.tournament.tables import MatchEnd
from tests.services.arbiter.house import house
from tests.services.bots.scripted import scene


def seat_of(name: str, address: str, **given: Any) -> Settings:
    return Settings(server=address, token=f"token-{name}", **given)


class Thinker(Bot):
    """The default move, in a thread."""

    def choose(self, prompt: Prompt) -> int:
        return prompt.default


class Mover(Bot):
    """The last move, as a move, from a coroutine."""

    async def choose(self, prompt: Prompt) -> dict[str, Any]:
        return prompt.legal[-1]


class Stubborn(Bot):
    """An illegal move, always."""

    inline = True

    def choose(self, prompt: Prompt) -> int:
        return len(prompt.legal)


@pytest.mark.slow
@scene
async def test_bots_of_all_kinds_play_many_matches_to_the_end(tmp_path: Path) -> None:
    bots: dict[str, Bot] = {
        "alice": builtin.make("random", 1),
        "bob": Thinker(),
        "carol": Mover(),
        "dave": builtin.make("greedy"),
    }
    async with house(tmp_path) as table:
        table.enrol(*bots)
        playing = [
            asyncio.create_task(play(bot, seat_of(name, table.server.address, until=10)))
            for name, bot in bots.items()
        ]
        for number in range(10):
            await table.open(f"m/{number}", *bots, rounds=6, coins=9)
        summaries = await asyncio.gather(*playing)
        matches = [table.match(f"m/{number}") for number in range(10)]

    assert [summary.matches for summary in summaries] == [10] * 4
    assert sum(summary.moves for summary in summaries) == sum(MatchEnd.of(match).plies for match in matches)
    assert {(one.faults, one.refusals, one.exceptions) for one in summaries} == {(0, 0, 0)}
    for match in matches:
        assert match.status == "concluded"
        known = [summary.heads[match.id] for summary in summaries]
        assert max(head.event for head in known) == match.version - 2  # then come Concluded and Sealed


@scene
async def test_one_illegal_answer_costs_an_attempt_and_no_fault(tmp_path: Path) -> None:
    async with house(tmp_path) as table:
        table.enrol("alice", "bob")
        playing = [
            asyncio.create_task(play(bot, seat_of(name, table.server.address, until=1)))
            for name, bot in {"alice": Stubborn(), "bob": Mover()}.items()
        ]
        await table.open("m/1", "alice", "bob", time=TimeControl(move_ms=20_000, credit_ms=0, attempts=2))
        stubborn, _ = await asyncio.gather(*playing)

    assert stubborn.moves == stubborn.refusals > 0
    assert stubborn.faults == 0


@pytest.mark.slow
@scene
async def test_matches_go_on_when_the_arbiter_is_started_again(tmp_path: Path) -> None:
    bots: dict[str, Bot] = {"alice": builtin.make("random", 1), "bob": Thinker()}
    names = [f"m/{number}" for number in range(4)]
    seen = asyncio.Event()

    class Slow(Mover):
        async def choose(self, prompt: Prompt) -> dict[str, Any]:
            seen.set()
            await asyncio.sleep(0.05)
            return await super().choose(prompt)

    bots["carol"] = Slow()
    async with house(tmp_path) as table:
        table.enrol(*bots)
        address = table.server.address
        playing = [
            asyncio.create_task(play(bot, seat_of(name, address, until=len(names))))
            for name, bot in bots.items()
        ]
        for name in names:
            await table.open(name, *bots, rounds=6, coins=9)
        await seen.wait()
    assert not any(task.done() for task in playing)

    async with house(tmp_path, port=int(address.rpartition(":")[2])) as table:
        await table.arbiter.resume_all()
        summaries = await asyncio.gather(*playing)
        matches = [table.match(name) for name in names]

    assert {match.status for match in matches} == {"concluded"}
    assert sum(summary.moves for summary in summaries) == sum(MatchEnd.of(match).plies for match in matches)
    assert {(one.matches, one.faults, one.exceptions) for one in summaries} == {(4, 0, 0)}


@scene
async def test_the_kit_gives_shares_and_believes_the_seed_they_make(tmp_path: Path) -> None:
    async with house(tmp_path) as table:
        table.enrol("alice", "bob")
        address = table.server.address
        playing = [
            asyncio.create_task(play(builtin.make("first"), seat_of("alice", address, until=1))),
            asyncio.create_task(play(builtin.make("first"), seat_of("bob", address, until=1, share=False))),
        ]
        await table.arbiter.hub.wait_for(frozenset({"bot/alice", "bot/bob"}), 20)
        await table.open("m/one", "alice", "bob")
        summaries = await asyncio.gather(*playing)
        match = table.match("m/one")

    assert [summary.matches for summary in summaries] == [1, 1]
    alice, bob = match.counted
    assert (len(alice), bob) == (64, "")
    assert match.faults == [0, 0]
    assert match.sealed is not None
    assert match.sealed.seed == match.seed(bytes.fromhex(match.sealed.share)).hex()
