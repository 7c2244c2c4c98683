"""Cards: what each entrant did round by round, in the terms of the FIDE rules."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

Colour = Literal["white", "black"]

# by kind of a game: what it is worth, and whether it was played
PLAYED: Final = "10="
_FREE: Final = "U+"  # a round without a game that was worth a win and excludes a pairing-allocated bye


class Game(msgspec.Struct, frozen=True):
    """One round of one entrant.

    ``opponent``: its number, 0 for none. ``colour``: ``w``, ``b`` or ``-``. ``result``, as in the FIDE report
    files: ``1 = 0`` played, ``+ -`` forfeited, ``U`` the bye that was allotted, ``H`` and ``Z`` byes worth
    half a win and nothing.
    """

    opponent: int
    colour: Literal["w", "b", "-"]
    result: Literal["1", "=", "0", "+", "-", "U", "H", "Z"]

    @property
    def is_played(self) -> bool:
        """Whether it was a game over the board; only such games count as meetings and as colours."""
        return self.result in PLAYED


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant; its number is its place among all cards, from 1, which is the order of the seeding.

    ``half_points``: what it is paired by. ``now``: ``-`` if it plays in the next round, else ``H`` or ``Z``.
    """

    bot: str
    half_points: int
    games: tuple[Game, ...] = ()
    now: Literal["-", "H", "Z"] = "-"

    @property
    def played(self) -> tuple[Game, ...]:
        """The games over the board."""
        return tuple(game for game in self.games if game.is_played)

    @property
    def may_have_bye(self) -> bool:
        """Whether it never had a win without a game (C.04.1)."""
        return not any(game.result in _FREE for game in self.games)


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """What results are worth, in half points."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2


class Cards(msgspec.Struct, frozen=True, kw_only=True):
    """The inputs of a round by these rules.

    ``rounds``: of the whole tournament. ``first``: the colour of the first entrant in the first round.
    ``apart``: pairs of numbers that must not meet.
    """

    round: int
    rounds: int
    first: Colour
    worth: Worth
    cards: tuple[Card, ...]
    apart: tuple[tuple[int, int], ...] = ()

    def card(self, number: int) -> Card:
        """The card of entrant *number*."""
        return self.cards[number - 1]

    @property
    def present(self) -> tuple[int, ...]:
        """The numbers of those who play in this round."""
        return tuple(at for at, card in enumerate(self.cards, 1) if card.now == "-")


class DutchRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round: numbers of white and black at each board, best board first, and of who has the bye (or 0).

    ``engine``: who worked it out.
    """

    engine: str
    pairs: tuple[tuple[int, int], ...]
    bye: int = 0


def numbers(cards: Sequence[Card]) -> Mapping[str, int]:
    """The number of each bot."""
    return {card.bot: at for at, card in enumerate(cards, 1)}
