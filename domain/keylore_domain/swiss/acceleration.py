"""Acceleration of tables of two (the Baku method, FIDE C.04.7): the upper half meets each other sooner."""

from collections.abc import Collection, Mapping, Sequence

from keylore_domain.swiss.rounds import Round
from keylore_domain.swiss.scoring import first_points
from keylore_domain.swiss.terms import Terms


def virtual_half_points(
    terms: Terms, order: Sequence[str], here: Collection[str], rounds: Sequence[Round]
) -> Mapping[str, int]:
    """What each bot has besides its points when the round after *rounds* is paired; empty if it is not meant.

    The first half of the field (rounded up to an even number) is accelerated in the first half of the rounds:
    by a win in the first half of these, by half a win in the others. Who enters late belongs to that half if
    it is seeded above its last bot.

    Args:
        order: all entrants by seeding, best first.
        here: who takes part in the next round.
    """
    number, accelerated = len(rounds) + 1, (terms.rounds + 1) // 2
    if terms.pairing.acceleration == "none" or number > accelerated:
        return {}
    worth = int(2 * first_points(terms))
    worth = worth if number <= (accelerated + 1) // 2 else worth // 2
    upper = _upper(order, _present(rounds[0]) if rounds else here)
    return {bot: worth if at < upper else 0 for at, bot in enumerate(order)}


def _upper(order: Sequence[str], start: Collection[str]) -> int:
    """How many of *order* are accelerated: all up to the last of the upper half of *start*."""
    field = [bot for bot in order if bot in start]
    last = field[min(2 * ((len(field) + 3) // 4), len(field)) - 1]
    return order.index(last) + 1


def _present(played: Round) -> set[str]:
    return {*played.byes, *played.half_byes, *(bot for table in played.tables for bot in table.seats)}
