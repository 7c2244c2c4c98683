"""What a format is made of."""

from collections.abc import Callable
from dataclasses import dataclass

from keylore_domain.swiss.history import History
from keylore_domain.swiss.inputs import Past, seeded
from keylore_domain.swiss.pairing import Pairing
from keylore_domain.swiss.systems import Engines
from keylore_domain.swiss.terms import Terms

Places = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Format:
    """One way to run a tournament.

    Attributes:
        check: raises OptionError if the terms do not go with it.
        inputs: the inputs of the next round.
        pair: that round; raises ConflictError if there is none.
        rounds: how many there will be in all, as far as is known; 0 for no end.
        is_over: whether all rounds were paired.
        is_closed: whether nobody may enter once the first round was paired.
        places: groups of equal entrants, best first, where points do not decide; ``None``: they do.
        going_on: who has come through all rounds, where results decide that; ``None``: they do not.
    """

    check: Callable[[Terms], None]
    inputs: Callable[[Past], History]
    pair: Callable[[History, Engines], Pairing]
    rounds: Callable[[Past], int]
    is_over: Callable[[Past], bool]
    is_closed: bool = False
    places: Callable[[Past], Places] | None = None
    going_on: Callable[[Past], tuple[str, ...]] | None = None


def field_of(past: Past) -> tuple[str, ...]:
    """Those who took part when it began, in the order of the seeding, whoever missed the first round too."""
    if not past.rounds:
        return tuple(one.bot for one in seeded(past) if one.active)
    first = past.rounds[0]
    there = {
        *first.byes,
        *first.half_byes,
        *first.away,
        *first.idle,
        *(bot for table in first.tables for bot in table.seats),
    }
    return tuple(one.bot for one in seeded(past) if one.bot in there)


def played_all(rounds: Callable[[Past], int]) -> Callable[[Past], bool]:
    """Whether as many rounds were paired as there are to be."""
    return lambda past: len(past.rounds) >= rounds(past)


def anything(_: Terms) -> None:
    """All terms go with the format."""
