"""Certificates: what a round is claimed to fulfil, and how good it is by each criterion.

A certificate stands in the event of its round. Its values are those that were counted when the round was
made; `checks.problems` counts them again in its own way, so that a certificate which fits a round without
problems is true.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from keylore_domain.swiss.dutch.cards import Cards, DutchRound
from keylore_domain.swiss.dutch.colours import wish
from keylore_domain.swiss.dutch.rounds import answer_of
from keylore_domain.swiss.formats.checks import is_scheduled
from keylore_domain.swiss.history import History
from keylore_domain.swiss.pairing import Pairing
from keylore_domain.swiss.pairing_terms import RULESET
from keylore_domain.swiss.sizes import table_sizes

Constraint = Literal[
    "one_place",
    "asked_byes",
    "ruled_byes",
    "sizes",
    "bye_order",
    "apart",
    "no_repeats",
    "dutch_meetings",
    "dutch_bye",
    "dutch_colours",
    "schedule",
]

CriterionName = Literal[
    "byes",
    "odd_tables",
    "seats_off",
    "forbidden",
    "repeats",
    "clashes",
    "odd_seats",
    "spread",
    "repeats_and_spread",
    "same_size_seats",
    "seats_had",
    "seats_kept",
    "unmet_colours",
]


class Criterion(msgspec.Struct, frozen=True, kw_only=True):
    """Something of which a round should have as little as possible.

    ``bound``: no round has less of it, as long as the criteria before it are met; ``None`` if no bound is
    known, as where an engine answers for it.
    """

    name: CriterionName
    value: int
    bound: int | None

    @property
    def is_met(self) -> bool:
        """Whether it is proved that there could not be less."""
        return self.value == self.bound


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """What is claimed of a round.

    ``constraints``: what holds of it without exception. ``criteria``: in the order of their weight.
    """

    constraints: tuple[Constraint, ...]
    criteria: tuple[Criterion, ...]


def kind_of(pairing: Pairing) -> Literal["tables", "dutch", "schedule"]:
    """By what a round was made: costs of tables, the FIDE rules, or a schedule."""
    if is_scheduled(pairing):
        return "schedule"
    return "dutch" if pairing.algorithm.startswith(f"{RULESET} ") else "tables"


def certificate_of(history: History, pairing: Pairing) -> Certificate:
    """What can be claimed of *pairing*, by the costs that were counted when it was made."""
    return Certificate(
        constraints=tuple(constraints_of(history, pairing)), criteria=tuple(_criteria(history, pairing))
    )


def constraints_of(history: History, pairing: Pairing) -> Iterator[Constraint]:
    """What has to hold of *pairing*."""
    yield "one_place"
    if history.half_byes or history.away:
        yield "asked_byes"
    if history.ruled_byes:
        yield "ruled_byes"
    kind = kind_of(pairing)
    if kind == "tables":
        yield from ("sizes", "bye_order")
    if history.forbid == "hard" and history.forbidden:
        yield "apart"
    if history.repeats == "refused":
        yield "no_repeats"
    if kind == "dutch":
        yield from ("dutch_meetings", "dutch_bye", "dutch_colours")
    if kind == "schedule":
        yield "schedule"


def unmet_colours(cards: Cards, found: DutchRound) -> int:
    """How many entrants have another colour than they should have."""
    due = [
        (cards.card(number), colour)
        for pair in found.pairs
        for number, colour in zip(pair, "wb", strict=True)
    ]
    return sum(wish(card)[0] not in {"-", colour} for card, colour in due)


def _criteria(history: History, pairing: Pairing) -> Iterator[Criterion]:
    match kind_of(pairing):
        case "tables":
            yield from _sizes(history, pairing)
            yield from _costs(history, pairing)
            yield from _seats(pairing)
        case "dutch":
            assert history.cards is not None
            byes = len(pairing.byes) - len(history.ruled_byes)
            unmet = unmet_colours(history.cards, answer_of(history, pairing))
            yield Criterion(name="byes", value=byes, bound=len(history.entrants) % 2)
            yield Criterion(name="unmet_colours", value=unmet, bound=None)
            yield Criterion(name="spread", value=pairing.cost.spread, bound=None)
        case _:
            pass


def _sizes(history: History, pairing: Pairing) -> Iterator[Criterion]:
    least = table_sizes(len(history.entrants), history.table_size, history.smallest, history.most_seats)
    found = tuple(len(plan.seats) for plan in pairing.tables)
    byes = len(pairing.byes) - len(history.ruled_byes)
    yield Criterion(name="byes", value=byes, bound=len(history.entrants) - sum(least))
    off, least_off = ([abs(size - history.table_size) for size in sizes] for sizes in (found, least))
    yield Criterion(name="odd_tables", value=sum(map(bool, off)), bound=sum(map(bool, least_off)))
    yield Criterion(name="seats_off", value=sum(off), bound=sum(least_off))


def _costs(history: History, pairing: Pairing) -> Iterator[Criterion]:
    cost, bound, worth = pairing.cost, pairing.bound, history.repeat_cost
    yield Criterion(name="forbidden", value=cost.forbidden, bound=bound.forbidden)
    if worth is None:
        yield Criterion(name="repeats", value=cost.repeats, bound=bound.repeats)
    yield Criterion(name="clashes", value=cost.clashes, bound=bound.clashes)
    yield Criterion(name="odd_seats", value=cost.odd, bound=bound.odd)
    if worth is None:
        yield Criterion(name="spread", value=cost.spread, bound=bound.spread)
    else:
        value, least = (one.repeats * worth + one.spread for one in (cost, bound))
        yield Criterion(name="repeats_and_spread", value=value, bound=least)


def _seats(pairing: Pairing) -> Iterator[Criterion]:
    """The order of seats at each table was found by trying all."""
    names: tuple[CriterionName, ...] = ("same_size_seats", "seats_had", "seats_kept")
    plans = [(plan.same_size_repeats, plan.seat_repeats, plan.kept_seats) for plan in pairing.tables]
    for name, values in zip(names, zip(*plans, strict=True), strict=True):
        yield Criterion(name=name, value=sum(values), bound=sum(values))
