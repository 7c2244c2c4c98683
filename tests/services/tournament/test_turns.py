import asyncio
from collections import Counter
from random import Random

import pytest

from keylore_services.tournament.turns import OVERTAKEN, Turns
from tests.services.bots.scripted import scene


class Asking:
    """Matches that ask for their turn; ``playing`` are those that got it, in that order."""

    def __init__(self, **capacities: int) -> None:
        self.capacities = capacities
        self.turns = Turns(lambda bot: self.capacities.get(bot, 0))
        self.playing: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, match: str, bots: str, group: str = "t/cup", most: int = 99) -> None:
        async def play() -> None:
            await self.turns.take(match, bots, group=group, most=most)
            self.playing.append(match)

        self.tasks[match] = asyncio.create_task(play())
        await settle()

    async def end(self, match: str) -> None:
        self.turns.leave(match)
        await settle()


async def settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


@scene
async def test_a_bot_that_said_nothing_plays_any_number_of_matches() -> None:
    asking = Asking()
    for number in range(20):
        await asking.ask(f"m/{number}", "ab")

    assert len(asking.playing) == 20


@scene
async def test_no_bot_plays_more_matches_at_once_than_it_said() -> None:
    asking = Asking(a=2)
    for number in range(4):
        await asking.ask(f"m/{number}", "a" + "bcde"[number])
    assert asking.playing == ["m/0", "m/1"]

    await asking.end("m/1")

    assert asking.playing == ["m/0", "m/1", "m/2"]


@scene
async def test_a_match_whose_bots_are_free_overtakes_one_that_waits_for_another_bot() -> None:
    asking = Asking(a=1, b=1, c=1, d=1)
    await asking.ask("m/1", "ab")
    await asking.ask("m/2", "bc")
    await asking.ask("m/3", "cd")

    assert asking.playing == ["m/1", "m/3"]


@scene
async def test_two_that_wait_for_the_same_bot_play_in_the_order_in_which_they_asked() -> None:
    asking = Asking(a=1)
    for match in ("m/1", "m/2", "m/3"):
        await asking.ask(match, "a")

    await asking.end("m/1")
    await asking.end("m/2")

    assert asking.playing == ["m/1", "m/2", "m/3"]


@scene
async def test_no_match_is_overtaken_for_ever() -> None:
    """The bots a and b never have a place at the same moment, unless one is kept free."""
    asking = Asking(a=1, b=1)
    await asking.ask("m/a0", "a")
    await asking.ask("m/both", "ab")
    for number in range(3 * OVERTAKEN):
        await asking.ask(f"m/b{number}", "b")
        await asking.ask(f"m/a{number + 1}", "a")
        await asking.end(f"m/a{number}")
        await asking.end(f"m/b{number}")
        if "m/both" in asking.playing:
            break

    assert asking.playing[-1] == "m/both"
    assert len(asking.playing) <= OVERTAKEN + 3
    await asking.end("m/both")
    assert set(asking.playing) == set(asking.tasks)


@scene
async def test_a_group_plays_only_so_many_and_does_not_hold_the_bots_of_others() -> None:
    asking = Asking(a=1, b=1, c=1)
    await asking.ask("m/1", "a", most=1)
    await asking.ask("m/2", "b", most=1)
    for number in range(2 * OVERTAKEN):
        await asking.ask(f"m/other/{number}", "b", group="t/other", most=1)
        await asking.end(f"m/other/{number}")

    assert len(asking.playing) == 1 + 2 * OVERTAKEN
    await asking.end("m/1")
    assert asking.playing[-1] == "m/2"


@scene
async def test_a_match_that_plays_already_takes_its_places_and_is_let_in_at_once() -> None:
    asking = Asking(a=1)
    asking.turns.hold("m/old", "ab")
    await asking.ask("m/new", "a")
    await asking.ask("m/old", "ab", most=1)
    assert asking.playing == ["m/old"]

    await asking.ask("m/next", "c", most=1)
    assert asking.playing == ["m/old"]
    await asking.end("m/old")

    assert asking.playing == ["m/old", "m/new"]


@scene
async def test_a_larger_capacity_lets_more_in_and_a_smaller_one_fewer() -> None:
    asking = Asking(a=1)
    for number in range(4):
        await asking.ask(f"m/{number}", "a")

    asking.capacities["a"] = 3
    asking.turns.review()
    await settle()
    assert len(asking.playing) == 3

    asking.capacities["a"] = 1
    await asking.end("m/0")
    await asking.end("m/1")
    assert len(asking.playing) == 3
    await asking.end("m/2")
    assert len(asking.playing) == 4


@scene
async def test_who_stops_waiting_leaves_its_places_to_others() -> None:
    asking = Asking(a=1)
    for match in ("m/1", "m/2", "m/3"):
        await asking.ask(match, "a")
    asking.tasks["m/2"].cancel()
    await settle()
    await asking.end("m/1")
    assert asking.playing == ["m/1", "m/3"]

    await asking.ask("m/4", "a")
    asking.turns.leave("m/3")
    asking.tasks["m/4"].cancel()  # in the moment between its turn and its first step
    await settle()
    await asking.ask("m/5", "a")

    assert asking.playing == ["m/1", "m/3", "m/5"]


@pytest.mark.parametrize("seed", range(30))
def test_all_matches_get_their_turn_whatever_they_need(seed: int) -> None:
    """Random leagues: never too many at once, and nobody waits for ever."""
    chance = Random(seed)
    bots = "abcdefgh"
    capacities = {bot: chance.randrange(4) for bot in bots}
    used: Counter[str] = Counter()
    most = chance.randrange(1, 9)
    playing = 0

    async def play(turns: Turns, number: int) -> None:
        nonlocal playing
        seats = chance.sample(bots, chance.randrange(1, 5))
        await turns.take(f"m/{number}", seats, group="t/cup", most=most)
        used.update(seats)
        playing += 1
        assert playing <= most
        assert all(used[bot] <= capacities[bot] for bot in seats if capacities[bot])
        for _ in range(chance.randrange(4)):
            await asyncio.sleep(0)
        used.subtract(seats)
        playing -= 1
        turns.leave(f"m/{number}")

    async def league() -> None:
        turns = Turns(capacities.__getitem__)
        await asyncio.wait_for(asyncio.gather(*(play(turns, number) for number in range(60))), 20)

    asyncio.run(league())
    assert not +used
