"""Why an entrant stands where it does: every value with the terms it is made of."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from keylore_domain.errors import NotFoundError
from keylore_domain.swiss.rounds import Entrant, Round
from keylore_domain.swiss.scoring_terms import TieBreak
from keylore_domain.swiss.sheets import Kind, Sheet
from keylore_domain.swiss.standings import Placed, placed
from keylore_domain.swiss.terms import Terms
from keylore_domain.swiss.tiebreaks.field import Field, How, Tally, Term, field_of, summed


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One term of a value: of which round, about whom, and how much; a cut one does not count.

    ``kind`` says what round it was for the entrant.
    """

    round: int
    bots: tuple[str, ...]
    amount: str
    kind: Kind
    counts: bool


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """A value and the parts of which it is the sum or the mean, or which gave the ``order``."""

    name: Literal["points"] | TieBreak
    value: str
    how: How
    parts: tuple[Part, ...]


class Neighbour(msgspec.Struct, frozen=True, kw_only=True):
    """The entrant just above or below, and what parts the two.

    ``decided_by``: ``points``, a tie-break, ``removal``, or the ``course`` of a knock-out; empty for equals.
    """

    bot: str
    rank: int
    decided_by: str


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Why an entrant has its rank; ``above`` and ``below`` are ``None`` at the ends of the standings."""

    bot: str
    rank: int
    values: tuple[Explained, ...]
    above: Neighbour | None
    below: Neighbour | None


def explain(
    entrants: Sequence[Entrant],
    rounds: Sequence[Round],
    terms: Terms,
    bot: str,
    seed: str = "",
    *,
    ranks: Mapping[str, int] | None = None,
) -> Explanation:
    """Why *bot* stands where it does after *rounds*.

    Args:
        ranks: of all, where the course of the tournament gives them and not the points.

    Raises:
        NotFoundError: it is no entrant.
    """
    field = field_of(entrants, rounds, terms, seed)
    order = placed(field) if ranks is None else _by_course(placed(field), ranks)
    places = [one.bot for one in order]
    if bot not in places:
        msg = f"{bot} is no entrant"
        raise NotFoundError(msg)
    at = places.index(bot)
    own = order[at]
    names: tuple[Literal["points"] | TieBreak, ...] = ("points", *terms.tie_breaks)
    values = (_points(field.sheets[bot]), *own.tallies)
    return Explanation(
        bot=bot,
        rank=own.rank,
        values=tuple(_explained(name, tally) for name, tally in zip(names, values, strict=True)),
        above=_neighbour(field, own, order[at - 1], by_course=ranks is not None) if at else None,
        below=(
            _neighbour(field, own, order[at + 1], by_course=ranks is not None)
            if at + 1 < len(order)
            else None
        ),
    )


def _by_course(order: Sequence[Placed], ranks: Mapping[str, int]) -> tuple[Placed, ...]:
    """*order* with other *ranks*; who shares one stays in order."""
    ranked = [msgspec.structs.replace(one, rank=ranks[one.bot]) for one in order]
    return tuple(sorted(ranked, key=lambda one: one.rank))


def _points(sheet: Sheet) -> Tally:
    return summed(
        [
            Term(entry.round, tuple(one.bot for one in entry.meetings), entry.points, entry.kind)
            for entry in sheet.entries
        ]
    )


def _explained(name: Literal["points"] | TieBreak, tally: Tally) -> Explained:
    parts = tuple(
        Part(round=term.round, bots=term.bots, amount=str(term.amount), kind=term.kind, counts=term.counts)
        for term in tally.terms
    )
    return Explained(name=name, value=str(tally.value), how=tally.how, parts=parts)


def _neighbour(field: Field, own: Placed, other: Placed, *, by_course: bool) -> Neighbour:
    decided = _decided_by(field, own, other)
    if by_course and decided != "removal":
        decided = "course" if own.rank != other.rank else ""
    return Neighbour(bot=other.bot, rank=other.rank, decided_by=decided)


def _decided_by(field: Field, own: Placed, other: Placed) -> str:
    def values(one: Placed) -> list[Fraction]:
        return [field.points[one.bot], *(tally.value for tally in one.tallies)]

    if field.sheets[own.bot].removed != field.sheets[other.bot].removed:
        return "removal"
    names = ("points", *field.terms.tie_breaks)
    pairs = zip(names, values(own), values(other), strict=True)
    return next((name for name, mine, theirs in pairs if mine != theirs), "")
