"""Whose turn it is to play: no bot plays more matches at once than it said it can.

A match takes the places of all its bots together or none, so matches never wait for each other in a circle.
They are let in in the order in which they asked; one whose bots are free may overtake one that waits for
another bot, but no match is overtaken for ever: after a while its bots are kept free for it.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

OVERTAKEN: Final = 8
"""How often a match that waits sees others take places of its bots before these are kept for it."""


class _Asked(msgspec.Struct, eq=False):
    """A match that waits; ``passed`` counts the matches that took a place of one of its bots meanwhile."""

    match: str
    bots: frozenset[str]
    group: str
    most: int
    granted: asyncio.Future[None]
    passed: int = 0


class Turns:
    """The places of all bots of one process; to be used in one event loop."""

    def __init__(self, capacity: Callable[[str], int]) -> None:
        """Let matches in.

        Args:
            capacity: the most matches that a bot (its id) plays at once; 0 for any number.
        """
        self._capacity = capacity
        self._held: dict[str, frozenset[str]] = {}
        self._groups: dict[str, str] = {}
        self._places: Counter[str] = Counter()  # taken: by bot, and by group
        self._asked: list[_Asked] = []

    async def take(self, match: str, bots: Sequence[str], *, group: str, most: int) -> bool:
        """Wait until each of *bots* has a place for *match*, and fewer than *most* of *group* play.

        The places are held until `leave`. Returns at once, and gives false, if it has them already.
        """
        if match in self._held:
            self._join(match, group)
            return False
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        asked = _Asked(match, frozenset(bots), group, most, granted)
        self._asked.append(asked)
        self.review()
        try:
            await granted
        except asyncio.CancelledError:
            if not granted.cancelled():
                self.leave(match)
            raise
        finally:
            if asked in self._asked:
                self._asked.remove(asked)
        return True

    def hold(self, match: str, bots: Sequence[str]) -> None:
        """*match* plays, whether there is a place for it or not: it began before."""
        if match not in self._held:
            self._held[match] = frozenset(bots)
            self._places.update(self._held[match])

    def leave(self, match: str) -> None:
        """*match* plays no more; does nothing if it did not."""
        self._places.subtract(self._held.pop(match, ()))
        if match in self._groups:
            self._places[self._groups.pop(match)] -= 1
        self.review()

    def review(self) -> None:
        """Let in all that can play now; to be called when a capacity has changed."""
        waiting: list[_Asked] = []
        kept: Counter[str] = Counter()
        for asked in self._asked:
            if not self._group_has_room(asked):
                waiting.append(asked)
            elif all(self._is_free(bot, kept[bot]) for bot in asked.bots):
                self._let_in(asked, waiting)
            else:
                waiting.append(asked)
                if asked.passed >= OVERTAKEN:
                    kept.update(asked.bots)
        self._asked = waiting

    def _let_in(self, asked: _Asked, overtaken: Sequence[_Asked]) -> None:
        self.hold(asked.match, tuple(asked.bots))
        self._join(asked.match, asked.group)
        for other in overtaken:
            if other.bots & asked.bots and self._group_has_room(other):
                other.passed += 1
        if not asked.granted.done():
            asked.granted.set_result(None)

    def _join(self, match: str, group: str) -> None:
        if match not in self._groups:
            self._groups[match] = group
            self._places[group] += 1

    def _group_has_room(self, asked: _Asked) -> bool:
        return self._places[asked.group] < asked.most

    def _is_free(self, bot: str, kept: int) -> bool:
        capacity = self._capacity(bot)
        return capacity == 0 or self._places[bot] + kept < capacity
